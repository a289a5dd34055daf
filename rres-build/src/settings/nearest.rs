//! A misspelt word to the one that was meant.

/// The candidate nearest to `word`, if it is near enough to be what was meant; the first of equals.
pub(super) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    // A third of the word may be wrong, but no more than three letters of a long path.
    let mut best_distance = (word.len() / 3).clamp(1, 3) + 1;
    let mut best = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        if word.len().abs_diff(letters.len()) >= best_distance {
            continue;
        }
        let distance = distance(&word, &letters);
        if distance < best_distance {
            best_distance = distance;
            best = Some(candidate);
        }
    }
    best
}

/// How many letters must be added, removed, replaced or swapped with their neighbour.
pub(super) fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut cost = (last[j] + usize::from(a[i] != b[j])).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        let count = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("fitler", "filter"), 1);
        assert_eq!(count("mipmap", "mipmaps"), 1);
        assert_eq!(count("kitten", "sitting"), 3);
    }

    #[test]
    fn suggests_only_what_is_near() {
        let keys = ["format", "filter", "mipmaps"];
        assert_eq!(nearest("fitler", keys), Some("filter"));
        assert_eq!(nearest("Mipmap", keys), Some("mipmaps"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("", keys), None);
    }
}
