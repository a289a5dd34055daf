//! Asset paths → a table that finds them, as data that rustc reads at the cost of a string.
//!
//! The table is lines, `place TAB path LF`, sorted into buckets by the CRC-32 of the path, and the offset at which each
//! bucket begins. Finding a path is one checksum, one offset and a look at four lines or so. The runtime's
//! `__private::Paths` is the reader of what is written here.

use rres_format::ResourceId;

/// How many paths share a bucket, on average: offsets cost rustc more than the lines that a search passes over.
const PATHS_PER_BUCKET: usize = 4;

/// What the generated text says of paths.
pub(super) struct PathTable {
    /// Where in `lines` each bucket begins, and where the last one ends.
    pub(super) starts: Vec<u32>,
    /// The lines, bucket by bucket.
    pub(super) lines: String,
}

impl PathTable {
    /// The table that finds for each path its place in `paths`.
    ///
    /// A path with a control character, which no asset path may hold, would break the lines, and is left out.
    pub(super) fn new<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut entries: Vec<(u32, &str, usize)> = paths
            .enumerate()
            .filter(|(_, path)| !path.contains(char::is_control))
            .map(|(place, path)| (ResourceId::from_path(path).0, path, place))
            .collect();
        entries.sort_unstable();
        let buckets = entries.len().div_ceil(PATHS_PER_BUCKET).max(1);
        let mut table = Self { starts: Vec::with_capacity(buckets + 1), lines: String::new() };
        let mut rest = entries.as_slice();
        for bucket in 0..buckets {
            table.mark();
            // As `entries` are in the order of checksums, so are they in the order of buckets.
            let (inside, after) = rest.split_at(rest.partition_point(|entry| bucket_of(entry.0, buckets) <= bucket));
            for (_, path, place) in inside {
                table.lines += &format!("{place}\t{path}\n");
            }
            rest = after;
        }
        table.mark();
        table
    }

    fn mark(&mut self) {
        // Text of 4 GiB is beyond what rustc reads; a wrong offset would merely not find a path.
        self.starts.push(u32::try_from(self.lines.len()).unwrap_or(u32::MAX));
    }
}

/// The bucket of a checksum: its place among all checksums, scaled.
fn bucket_of(checksum: u32, buckets: usize) -> usize {
    ((u64::from(checksum) * buckets as u64) >> 32) as usize
}
