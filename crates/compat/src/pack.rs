//! The file and its directory, as `rres.h` reads them.

use super::{MAX_SIZE, Reason, Unreadable};
use rres_format::FourCc;
use rres_format::Header;
use rres_format::PackView;
use rres_format::limits::MAX_NAME_LEN;

/// Checks the size of the file and the names in the directory.
pub fn check_pack(pack: PackView<'_>) -> Vec<Unreadable> {
    let mut found = Vec::new();
    let size = pack.bytes().len() as u64;
    if size > MAX_SIZE {
        found.push(Unreadable::new(Reason::FileSize, format!("the file has {size} bytes")));
    }
    let offset = pack.header().directory_offset;
    if offset == 0 {
        return found;
    }
    let counted = offset.checked_add(Header::SIZE as u32).and_then(|offset| pack.chunk_at(offset).ok());
    let is_found = counted.is_some_and(|chunk| chunk.info.kind == FourCc::CDIR);
    let Ok(Some(directory)) = pack.directory() else { return found };
    if !is_found {
        let text = format!("the file header has the offset {offset} for the directory");
        found.push(Unreadable::new(Reason::DirectoryOffset, text));
        return found;
    }
    let names: Vec<&[u8]> = directory.entries().map_while(Result::ok).map(|entry| entry.name).collect();
    if let Some(long) = names.iter().find(|name| name.len() > MAX_NAME_LEN) {
        found.push(Unreadable::new(Reason::DirectoryName, format!("a name has {} bytes", long.len())));
    }
    if let Some((name, longer)) = hidden(&names) {
        let text = format!("the name \"{}\" comes before \"{}\"", longer.escape_ascii(), name.escape_ascii());
        found.push(Unreadable::new(Reason::DirectoryOrder, text));
    }
    found
}

/// Finds a name that a longer one, which begins with it, precedes. Names in ascending order have none.
fn hidden<'a>(names: &[&'a [u8]]) -> Option<(&'a [u8], &'a [u8])> {
    if names.is_sorted() {
        return None;
    }
    let mut sorted: Vec<(&[u8], usize)> = names.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    // The names that begin with a name follow it. `open` has those that the current one begins with.
    let mut open: Vec<(&[u8], usize)> = Vec::new();
    for (name, position) in sorted {
        while open.last().is_some_and(|(prefix, _)| !name.starts_with(prefix)) {
            open.pop();
        }
        if let Some((prefix, _)) = open.iter().find(|(prefix, at)| *at > position && prefix.len() < name.len()) {
            return Some((prefix, name));
        }
        // A hostile directory has names that all begin with each other.
        if open.len() < 64 {
            open.push((name, position));
        }
    }
    None
}
