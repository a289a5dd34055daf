//! The table behind the generated `by_path`, which maps asset paths to positions in a list.
//!
//! The table is text with one line per asset, `position TAB path LF`. The lines are grouped by the CRC-32 of the path,
//! and an empty line ends each group, which nearly always contains a single path. A separate map leads from the CRC-32
//! to the offset of its group, because rustc compiles a map of integers five times faster than a map of strings.

use std::collections::BTreeMap;

use rres_format::ResourceId;

/// A table as `rres-build` generates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathTable {
    /// The CRC-32 of each path and the byte offset of its group in `lines`; ascending, each CRC-32 once.
    pub offsets: Vec<(u32, u32)>,
    /// The groups, as text.
    pub lines: String,
}

impl PathTable {
    /// Makes a table that finds the position of each path in `paths`.
    ///
    /// It omits paths with control characters, which would break the lines; asset paths never contain any.
    pub fn new<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let mut by_crc: BTreeMap<u32, Vec<(usize, &str)>> = BTreeMap::new();
        for (position, path) in paths.enumerate().filter(|(_, path)| !path.contains(char::is_control)) {
            by_crc.entry(ResourceId::from_path(path).0).or_default().push((position, path));
        }
        let mut table = Self { offsets: Vec::with_capacity(by_crc.len()), lines: String::new() };
        for (crc, paths) in by_crc {
            // rustc cannot compile a text of 4 GiB, and a wrong offset would only fail to find a path.
            table.offsets.push((crc, u32::try_from(table.lines.len()).unwrap_or(u32::MAX)));
            for (position, path) in paths {
                table.lines += &format!("{position}\t{path}\n");
            }
            table.lines.push('\n');
        }
        table
    }
}

/// Returns the position of `path` if the group that starts at byte `offset` of `lines` contains it.
pub fn find(lines: &str, offset: u32, path: &str) -> Option<usize> {
    let group = lines.get(offset as usize..)?.lines().take_while(|line| !line.is_empty());
    group.map_while(|line| line.split_once('\t')).find(|(_, found)| *found == path)?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These two have the same CRC-32.
    const SAME_CRC: [&str; 2] = ["plumless", "buckeroo"];

    #[test]
    fn every_path_leads_to_its_position_and_others_lead_nowhere() {
        assert_eq!(ResourceId::from_path(SAME_CRC[0]), ResourceId::from_path(SAME_CRC[1]));
        let paths = ["a.png", "ui/ö.png", SAME_CRC[0], "b\n.png", SAME_CRC[1]];
        let table = PathTable::new(paths.into_iter());
        let find = |path: &str| {
            let crc = ResourceId::from_path(path).0;
            let (_, offset) = table.offsets.iter().find(|(of, _)| *of == crc)?;
            find(&table.lines, *offset, path)
        };
        assert_eq!(paths.map(find), [Some(0), Some(1), Some(2), None, Some(4)]);
        assert_eq!((find("c.png"), super::find(&table.lines, u32::MAX, "a.png")), (None, None));
    }
}
