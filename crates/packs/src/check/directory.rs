//! The central directory: are its names distinct, and do its offsets lead to its resources?

use std::collections::{HashMap, HashSet};

use rres_format::chunk::directory::DirectoryEntry;
use rres_format::{ChunkInfo, ChunkView, FourCc, PackView, normalize_path};

use crate::finding::{Code, Findings};

/// Checks the directory, if there is one. Returns the entries that can be read.
pub(super) fn check<'a>(
    view: PackView<'a>,
    chunks: &[ChunkView<'a>],
    findings: &mut Findings<'_>,
) -> Vec<DirectoryEntry<'a>> {
    let directory = match view.directory() {
        Ok(Some(directory)) => directory,
        Ok(None) => return Vec::new(),
        Err(error) => {
            // If the chunk itself is damaged, the finding about the chunk is more precise.
            if !findings.has_chunk(FourCc::CDIR) {
                findings.add(Code::DirectoryDamaged, error.to_string());
            }
            return Vec::new();
        }
    };
    // A damaged entry ends the list. The check of the chunk has reported it.
    let entries: Vec<_> = directory.entries().map_while(Result::ok).collect();
    let starts: HashMap<u32, ChunkInfo> = chunks.iter().map(|chunk| (chunk.offset, chunk.info)).collect();
    let mut names = HashSet::new();
    for entry in &entries {
        if !names.insert(entry.name) {
            add(Code::DirectoryDuplicateName, entry, "the name occurs twice in the central directory", findings);
        }
        check_offset(entry, &starts, findings);
        if !std::str::from_utf8(entry.name).is_ok_and(|name| normalize_path(name).is_ok()) {
            let message = "the name in the central directory is not a valid asset path";
            add(Code::DirectoryNameInvalid, entry, message, findings);
        }
    }
    entries
}

fn check_offset(entry: &DirectoryEntry<'_>, starts: &HashMap<u32, ChunkInfo>, findings: &mut Findings<'_>) {
    let found = match starts.get(&entry.offset) {
        Some(chunk) if chunk.id == entry.id => return,
        Some(chunk) => format!("where a {} chunk of {} starts", chunk.kind, chunk.id),
        None => "where no chunk starts".to_owned(),
    };
    let message = format!("the central directory refers to offset {}, {found}", entry.offset);
    add(Code::DirectoryWrongOffset, entry, message, findings);
}

fn add(code: Code, entry: &DirectoryEntry<'_>, message: impl Into<String>, findings: &mut Findings<'_>) {
    findings.add_named(code, &String::from_utf8_lossy(entry.name), entry.id, message);
}
