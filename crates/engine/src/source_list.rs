//! The list of the sources that are kept outside of the repository: a text beside the assets directory, `assets.sources`, which `cargo rres
//! sources` writes, and which is in the repository in place of the files.
//!
//! ```text
//! # Files of `assets` that are kept elsewhere. `cargo rres sources pull` fetches them; commit this list.
//! rres-sources 1 s3://my-bucket/sources
//! 4bf5…e1 52428800 levels/3/sky.png
//! ```
//!
//! Each line has the BLAKE3 hash of a file, its size in bytes, and its path in the directory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use rres_format::limits::MAX_PACK_SIZE;
use rres_format::normalize_path;

use crate::diagnostic::{Diagnostic, Place, Position};
use crate::read_file::read_file;
use crate::source_dir::file_beside;

const SIGNATURE: &str = "rres-sources 1 ";

/// The sources of an assets directory that are kept elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceList {
    /// The address of the store that has them.
    pub store: String,
    /// The files, by their paths in the directory, with `/` between folders.
    pub files: BTreeMap<String, ListedSource>,
}

/// A file of a [`SourceList`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "the two numbers of a line")]
pub struct ListedSource {
    /// The BLAKE3 hash of its bytes.
    pub hash: [u8; 32],
    /// Its size in bytes.
    pub size: u64,
}

impl SourceList {
    /// Returns the path of the list of the assets directory `assets`: next to it and named after it.
    pub fn path_for(assets: &Path) -> PathBuf {
        file_beside(assets, "sources")
    }

    /// Reads the list of an assets directory; `None` if it has none.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn read(assets: &Path) -> Result<Option<Self>, Diagnostic> {
        let file = Self::path_for(assets);
        let bytes = match read_file(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|e| Diagnostic::io("read it", &file, &e))?,
        };
        let text = String::from_utf8_lossy(&bytes);
        Self::parse(&text).map(Some).map_err(|(line, why)| {
            let place = Place::File(file, Some(Position { line, column: 1 }));
            Diagnostic::new(place, why).with_help("restore it from the repository".to_owned())
        })
    }

    fn parse(text: &str) -> Result<Self, (u32, &'static str)> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let (number, head) = lines.next().ok_or((1, "is empty, expected a list of sources"))?;
        let store =
            head.strip_prefix(SIGNATURE).ok_or((number, "is not a list of sources, or one of a newer version"))?;
        let mut list = Self { store: store.trim().to_owned(), ..Self::default() };
        if has_secrets(&list.store) {
            return Err((number, "has an address with a password or a query, which may be a secret"));
        }
        for (number, line) in lines {
            let (path, source) = read_line(line).ok_or((number, "is not a line of a list of sources"))?;
            if let Some(why) = Self::refuses(path, source.size) {
                return Err((number, why));
            }
            if list.files.insert(path.to_owned(), source).is_some() {
                return Err((number, "has a path that is listed twice"));
            }
        }
        Ok(list)
    }

    /// Returns why no list may have a file with this path and size; `None` if it may.
    pub fn refuses(path: &str, size: u64) -> Option<&'static str> {
        // A path that leads out of the directory would be written there. On Windows, a colon follows a drive, or precedes a stream of a file.
        let is_plain = normalize_path(path).is_ok_and(|normal| normal == path) && !path.contains([':', '\n', '\r']);
        match (is_plain, size) {
            (false, _) => Some("has a path that no asset can have"),
            (true, MAX_PACK_SIZE..) if size > MAX_PACK_SIZE => Some("has a size that no pack can hold"),
            (true, _) => None,
        }
    }

    /// Returns whether an address may stand in a list: it has no password and no query.
    pub fn may_have_store(address: &str) -> bool {
        !has_secrets(address) && !address.contains(['\n', '\r'])
    }

    /// Returns the text of the list of the directory `name`.
    pub fn text(&self, name: &str) -> String {
        let mut text = format!(
            "# Files of `{}` that are kept elsewhere. `cargo rres sources pull` fetches them; commit this list.\n{SIGNATURE}{}\n",
            name.escape_default(),
            self.store
        );
        for (path, ListedSource { hash, size }) in &self.files {
            // Writing to memory never fails.
            let _ = writeln!(text, "{} {size} {path}", blake3::Hash::from(*hash).to_hex());
        }
        text
    }
}

/// Whether an address has a part that may be a secret: a user before the host, or a query.
fn has_secrets(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.contains('?') || rest.split('/').next().is_some_and(|host| host.contains('@'))
}

fn read_line(line: &str) -> Option<(&str, ListedSource)> {
    let (hash, rest) = line.split_once(' ')?;
    let (size, path) = rest.split_once(' ')?;
    Some((path, ListedSource { hash: *blake3::Hash::from_hex(hash).ok()?.as_bytes(), size: size.parse().ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_and_what_is_none_is_an_error_with_its_line() {
        let source = |byte| ListedSource { hash: [byte; 32], size: u64::from(byte) };
        let files = [("a b.png".to_owned(), source(1)), ("levels/3/ü.txt".to_owned(), source(2))];
        let list = SourceList { store: "s3://bucket/a".to_owned(), files: files.into() };
        let text = list.text("assets");
        assert_eq!(SourceList::parse(&text), Ok(list));
        let hash = "01".repeat(32);
        for (wrong, line) in [
            (String::new(), 1),
            (text.replace("sources 1", "sources 2"), 2),
            (text.replacen("01", "x1", 1), 3),
            (text.replace(" 2 levels", " two levels"), 4),
            (format!("{text}{hash} 1 ../secret"), 5),
            (format!("{text}{hash} 1 /etc/passwd"), 5),
            (format!("{text}{hash} 1 a b.png"), 5),
            (format!("{text}{hash} 1 levels/C:evil.exe"), 5),
            (format!("{text}{hash} 18446744073709551615 c.png"), 5),
            (text.replace("s3://", "https://user:secret@"), 2),
            (text.replace("bucket/a", "bucket/a?sig=secret"), 2),
        ] {
            assert_eq!(SourceList::parse(&wrong).unwrap_err().0, line, "{wrong}");
        }
    }
}
