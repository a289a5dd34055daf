//! Asset paths → a table that finds them, as data that rustc reads at the cost of integers and one string.
//!
//! The table is lines, `place TAB path LF`, and for the CRC-32 of each path the offset of its lines; an empty line ends
//! those of one checksum, of which there is nearly always one. A perfect hash of integers costs rustc a fifth of one of
//! strings. The runtime's `__private::Paths` is the reader of what is written here.

use std::collections::BTreeMap;

use rres_format::ResourceId;

/// What the generated text says of paths.
pub(super) struct PathTable {
    /// Checksum and offset in `lines`, ascending.
    pub(super) offsets: Vec<(u32, u32)>,
    pub(super) lines: String,
}

impl PathTable {
    /// The table that finds for each path its place in `paths`.
    ///
    /// A path with a control character, which no asset path may hold, would break the lines, and is left out.
    pub(super) fn new<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut by_checksum: BTreeMap<u32, Vec<(usize, &str)>> = BTreeMap::new();
        for (place, path) in paths.enumerate().filter(|(_, path)| !path.contains(char::is_control)) {
            by_checksum.entry(ResourceId::from_path(path).0).or_default().push((place, path));
        }
        let mut table = Self { offsets: Vec::with_capacity(by_checksum.len()), lines: String::new() };
        for (checksum, paths) in by_checksum {
            // Text of 4 GiB is beyond what rustc reads; a wrong offset would merely not find a path.
            table.offsets.push((checksum, u32::try_from(table.lines.len()).unwrap_or(u32::MAX)));
            for (place, path) in paths {
                table.lines += &format!("{place}\t{path}\n");
            }
            table.lines.push('\n');
        }
        table
    }
}
