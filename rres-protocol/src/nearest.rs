//! Finds the word that was probably meant by a misspelt one, for "did you mean …?" in error messages.
//!
//! Candidates may come from a damaged or hostile pack, so the work of a search is bounded: a few milliseconds, however
//! many candidates there are and however long they are.

/// The length in bytes above which words and candidates are not compared. Asset paths have at most 1,022 bytes.
const MAX_LEN: usize = 1024;

/// The number of letters and pairs of letters that one search examines before it stops.
const MAX_WORK: usize = 1 << 20;

/// Returns the candidate nearest to `word`, if it is near enough that it was probably meant. If several are equally
/// near, returns the first one.
///
/// The case of letters is ignored. A third of the letters may be wrong, but at most three.
///
/// ```
/// use rres_protocol::nearest::nearest;
///
/// assert_eq!(nearest("fitler", ["format", "filter"]), Some("filter"));
/// assert_eq!(nearest("colour", ["format", "filter"]), None);
/// ```
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > MAX_LEN {
        return None;
    }
    let word: Vec<char> = letters(word).collect();
    let mut limit = (word.len() / 3).clamp(1, 3);
    let mut best = None;
    let mut work = 0;
    let mut buffer = Vec::new();
    for candidate in candidates {
        if work > MAX_WORK {
            break;
        }
        work += 1;
        // A letter takes one to four bytes, so most candidates of another length are recognised without decoding them.
        let (min, max) = (word.len().saturating_sub(limit), (word.len() + limit) * 4);
        if candidate.len() > MAX_LEN || !(min..=max).contains(&candidate.len()) {
            continue;
        }
        buffer.clear();
        buffer.extend(letters(candidate));
        let (found, pairs) = edits(&word, &buffer, limit);
        work += buffer.len() + pairs;
        if let Some(edits) = found {
            best = Some(candidate);
            match edits.checked_sub(1) {
                Some(fewer) => limit = fewer,
                None => break,
            }
        }
    }
    best
}

/// Returns the candidate nearest to an asset path that does not exist: one with nearly the same spelling, or else one
/// with the same file name in another folder.
///
/// ```
/// use rres_protocol::nearest::nearest_path;
///
/// let paths = ["ui/button.png", "levels/1.txt"];
/// assert_eq!(nearest_path("ui/buton.png", paths), Some("ui/button.png"));
/// assert_eq!(nearest_path("button.png", paths), Some("ui/button.png"));
/// assert_eq!(nearest_path("ui/icon.png", paths), None);
/// ```
pub fn nearest_path<'c>(path: &str, candidates: impl IntoIterator<Item = &'c str> + Clone) -> Option<&'c str> {
    nearest(path, candidates.clone()).or_else(|| {
        let wanted = file_name(path);
        let is_wanted = |path: &&str| path.len() <= MAX_LEN && file_name(path).eq_ignore_ascii_case(wanted);
        candidates.into_iter().take(MAX_WORK).find(is_wanted).filter(|_| !wanted.is_empty())
    })
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Returns how many letters must be added, removed, replaced or swapped with their neighbour to turn `a` into `b`, or
/// `None` if there are more than `limit`. The case of letters is ignored.
///
/// ```
/// use rres_protocol::nearest::distance;
///
/// assert_eq!(distance("fitler", "Filter", 2), Some(1));
/// assert_eq!(distance("colour", "filter", 2), None);
/// ```
pub fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    edits(&letters(a).collect::<Vec<_>>(), &letters(b).collect::<Vec<_>>(), limit).0
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// Returns the number of edits if it is at most `limit`, and how many pairs of letters were compared.
///
/// With at most `limit` edits, letter `i` of `a` corresponds to one of the letters `i - limit` to `i + limit` of `b`;
/// only this band of the usual table is computed.
fn edits(a: &[char], b: &[char], limit: usize) -> (Option<usize>, usize) {
    if a.len().abs_diff(b.len()) > limit {
        return (None, 0);
    }
    const NEVER: usize = usize::MAX / 2;
    // Rows of the band: column `k` of row `i` is for the first `i` letters of `a` and `i + k - limit` letters of `b`.
    let width = 2 * limit + 1;
    let mut two_before = vec![NEVER; width];
    let mut before: Vec<usize> = (0..width).map(|k| k.checked_sub(limit).unwrap_or(NEVER)).collect();
    let mut row = vec![NEVER; width];
    let mut pairs = 0;
    for i in 1..=a.len() {
        row.fill(NEVER);
        for k in 0..width {
            let Some(j) = (i + k).checked_sub(limit).filter(|j| *j <= b.len()) else { continue };
            pairs += 1;
            let removed = before.get(k + 1).map_or(NEVER, |edits| edits + 1);
            let added = if k > 0 { row[k - 1] + 1 } else { NEVER };
            let mut edits = removed.min(added);
            if j > 0 {
                edits = edits.min(before[k] + usize::from(a[i - 1] != b[j - 1]));
            }
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                edits = edits.min(two_before[k] + 1);
            }
            row[k] = edits;
        }
        if row.iter().all(|edits| *edits > limit) {
            return (None, pairs);
        }
        std::mem::swap(&mut two_before, &mut before);
        std::mem::swap(&mut before, &mut row);
    }
    (Some(before[b.len() + limit - a.len()]).filter(|edits| *edits <= limit), pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        for (a, b, edits) in [
            ("", "abc", 3),
            ("abc", "", 3),
            ("same", "Same", 0),
            ("fitler", "filter", 1),
            ("mipmap", "mipmaps", 1),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
            ("höhe", "hohe", 1),
        ] {
            for limit in 0..8 {
                assert_eq!(distance(a, b, limit), (edits <= limit).then_some(edits), "{a} {b} {limit}");
            }
        }
    }

    #[test]
    fn agrees_with_the_whole_table_on_all_short_words() {
        let words: Vec<String> = (0..4u32.pow(4))
            .map(|n| (0..4).map(|at| ["", "a", "b", "c"][(n >> (2 * at) & 3) as usize]).collect())
            .collect();
        for a in words.iter().step_by(3) {
            for b in &words {
                let whole = whole_table(a.as_bytes(), b.as_bytes());
                assert_eq!(distance(a, b, 2), Some(whole).filter(|edits| *edits <= 2), "{a} {b}");
            }
        }
    }

    fn whole_table(a: &[u8], b: &[u8]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = match (i, j) {
                    (0, _) => j,
                    (_, 0) => i,
                    _ => (table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]))
                        .min(table[i - 1][j] + 1)
                        .min(table[i][j - 1] + 1),
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                }
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn suggests_only_what_is_near() {
        let keys = ["format", "filter", "mipmaps"];
        assert_eq!(nearest("fitler", keys), Some("filter"));
        assert_eq!(nearest("Mipmap", keys), Some("mipmaps"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("", keys), None);
        assert_eq!(nearest("ab", ["abx", "aby", "ab"]), Some("ab"));
        assert_eq!(nearest("ab", ["abx", "aby"]), Some("abx"), "the first of two that are equally near");
        let path = "ui/a/rather/long/path/button.png";
        assert_eq!(nearest(path, ["ui/a/rather/lnog/pat/buton.png"]), Some("ui/a/rather/lnog/pat/buton.png"));
        assert_eq!(nearest(path, ["ui/some/other/path/button.png"]), None);
    }

    #[test]
    fn a_search_takes_bounded_work() {
        let long = "x".repeat(65_535);
        let mut asked = 0;
        let many = std::iter::repeat_n(long.as_str(), 2_000).inspect(|_| asked += 1);
        assert_eq!(nearest(&long, many), None, "too long to compare");
        let many = std::iter::repeat_n(long.as_str(), 2_000).inspect(|_| asked += 1);
        assert_eq!((nearest("xx", many), asked), (None, 2_000), "skipped by their length");

        // The costliest candidates: as long as is compared, and different only at their end.
        let word = format!("{}abcdef", "x".repeat(1000));
        let near = format!("{}uvwxyz", "x".repeat(1000));
        let mut asked = 0;
        let many = std::iter::repeat_n(near.as_str(), 1_000_000).inspect(|_| asked += 1);
        assert_eq!(nearest(&word, many), None);
        assert!((10..1_000).contains(&asked), "{asked}");
        let mut asked = 0;
        let many = std::iter::repeat_n("", 1 << 30).inspect(|_| asked += 1);
        assert_eq!(nearest(&word, many), None);
        assert_eq!(asked, MAX_WORK + 2);
    }
}
