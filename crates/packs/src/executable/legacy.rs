//! The layout that tutorials teach for games in a single file, so that such games can move over:
//!
//! ```text
//! [program][marker: u64][size of the index: u32][index: {name hash, offset, size: u32}…][files]
//! ```
//!
//! The marker is the ELF hash of a string, and so are the hashes of names. Copies of the tutorial differ in what offsets are
//! counted from, but the first file always follows the index, which tells.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The string whose hash is the marker in the tutorial.
pub const MARKER: &str = "game data";

/// The files that were appended to an executable in this layout.
#[derive(Debug)]
pub struct LegacyPackage {
    /// The offset of the marker: the size of the program.
    pub start: u64,
    /// The files, in the order of their index.
    pub files: Vec<LegacyFile>,
}

/// One file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegacyFile {
    /// The ELF hash of its name.
    pub name_hash: u32,
    /// From the start of the executable.
    pub offset: u64,
    /// Its size in bytes.
    pub len: u64,
}

/// The hash of the System V ABI for names in ELF files: 28 bits.
pub(super) fn elf_hash(name: &str) -> u32 {
    name.bytes().fold(0, |hash: u32, byte| {
        let hash = (hash << 4).wrapping_add(byte.into());
        let high = hash & 0xf000_0000;
        (hash ^ (high >> 24)) & !high
    })
}

impl LegacyPackage {
    /// Finds the package with this marker: the last marker that an index follows. The program may contain the marker, too, and
    /// so may a file.
    pub fn find(file: &mut File, marker: &str) -> io::Result<Option<Self>> {
        const PIECE: u64 = 1 << 20;
        let marker = u64::from(elf_hash(marker)).to_le_bytes();
        let len = file.seek(SeekFrom::End(0))?;
        let mut end = len;
        while end > 0 {
            let start = end.saturating_sub(PIECE);
            // A marker may lie across the start of the piece that was read before.
            let piece = read(file, start, (end + 7).min(len) - start)?;
            for at in (0..piece.len().saturating_sub(7)).rev() {
                if piece[at..at + 8] == marker
                    && let Some(package) = Self::at(file, start + at as u64, len)?
                {
                    return Ok(Some(package));
                }
            }
            end = start;
        }
        Ok(None)
    }

    /// Reads the package whose marker is at `start`; `None` if no index follows.
    fn at(file: &mut File, start: u64, file_len: u64) -> io::Result<Option<Self>> {
        /// A million files.
        const MAX_INDEX: u64 = 12 << 20;
        let index_at = start + 12;
        if index_at > file_len {
            return Ok(None);
        }
        let index_len = u64::from(u32_at(&read(file, start + 8, 4)?, 0));
        let first_file = index_at + index_len;
        if index_len == 0 || !index_len.is_multiple_of(12) || index_len > MAX_INDEX || first_file > file_len {
            return Ok(None);
        }
        let index = read(file, index_at, index_len)?;
        let entries = index.chunks_exact(12).map(|entry| (u32_at(entry, 0), u32_at(entry, 4), u32_at(entry, 8)));
        let lowest = entries.clone().map(|(_, offset, _)| u64::from(offset)).min().unwrap_or(0);
        // From the start of the executable, from the marker, from the index size, or from the first file.
        let bases = [0, start, start + 8, first_file];
        let Some(base) = bases.into_iter().find(|base| base + lowest == first_file) else { return Ok(None) };
        let files = entries.map(|(name_hash, offset, len)| LegacyFile {
            name_hash,
            offset: base + u64::from(offset),
            len: len.into(),
        });
        let files: Vec<LegacyFile> = files.collect();
        let fits = files.iter().all(|entry| entry.offset + entry.len <= file_len);
        Ok(fits.then_some(Self { start, files }))
    }
}

/// Names by their hash, for files that an index knows only by the hash.
#[derive(Debug, Default)]
pub struct KnownNames {
    by_hash: BTreeMap<u32, String>,
    /// Names that have the hash of another one.
    pub ambiguous: Vec<(String, String)>,
}

impl KnownNames {
    /// Reads names: the lines of a file, or the paths of files below a directory, with and without the directory's own name.
    pub fn read(source: &Path) -> io::Result<Self> {
        let mut names = Vec::new();
        if source.is_dir() {
            let own = source.canonicalize()?.file_name().map(|name| name.to_string_lossy().into_owned());
            let mut paths = Vec::new();
            walk(source, "", &mut paths)?;
            names.extend(
                paths.iter().flat_map(|path| [Some(path.clone()), own.as_ref().map(|own| format!("{own}/{path}"))]),
            );
        } else {
            let text = std::fs::read_to_string(source)?;
            names.extend(text.lines().filter(|line| !line.is_empty()).map(|line| Some(line.to_owned())));
        }
        let mut known = Self::default();
        for name in names.into_iter().flatten() {
            match known.by_hash.get(&elf_hash(&name)) {
                Some(other) if *other != name => known.ambiguous.push((other.clone(), name)),
                _ => drop(known.by_hash.insert(elf_hash(&name), name)),
            }
        }
        Ok(known)
    }

    /// Returns the name with this hash.
    pub fn get(&self, hash: u32) -> Option<&str> {
        self.by_hash.get(&hash).map(String::as_str)
    }
}

fn walk(dir: &Path, prefix: &str, paths: &mut Vec<String>) -> io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(dir)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), paths)?;
        } else if kind.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}

fn read(file: &mut File, offset: u64, len: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = vec![0; len as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_tutorial() {
        assert_eq!(elf_hash(MARKER), 0x0376_c521);
        assert_eq!([elf_hash("tex/a141.png"), elf_hash("sfx/a110.png")], [0x3e0_e407; 2]);
    }
}
