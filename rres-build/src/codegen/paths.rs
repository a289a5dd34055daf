//! Asset paths → a table that finds them, as data that rustc reads at the cost of integers and one string.
//!
//! The runtime's `__private::Paths` is the reader of what is written here.

use rres_format::ResourceId;

/// What the generated text says of paths.
pub(super) struct PathTable {
    /// For each path its CRC-32 in the high half and the offset of its line in the low; ascending.
    pub(super) lines_by_checksum: Vec<u64>,
    /// `place TAB path LF`.
    pub(super) lines: String,
}

impl PathTable {
    /// The table that finds for each path its place in `paths`.
    ///
    /// A path with a control character, which no asset path may hold, would break the lines, and is left out.
    pub(super) fn new<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut table = Self { lines_by_checksum: Vec::new(), lines: String::new() };
        for (place, path) in paths.enumerate().filter(|(_, path)| !path.contains(char::is_control)) {
            // Text of 4 GiB is beyond what rustc reads; a wrong offset would merely not find a path.
            let offset = u32::try_from(table.lines.len()).unwrap_or(u32::MAX);
            table.lines_by_checksum.push(u64::from(ResourceId::from_path(path).0) << 32 | u64::from(offset));
            table.lines += &format!("{place}\t{path}\n");
        }
        table.lines_by_checksum.sort_unstable();
        table
    }
}
