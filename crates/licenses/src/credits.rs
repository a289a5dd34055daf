//! What is known of many files → one credit for each work: the files with equal authors, licence, source and words.

use std::collections::BTreeMap;

use crate::terms::Terms;

/// Files that have the same terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// What is known of each of them.
    pub terms: Terms,
    /// Their paths, sorted.
    pub files: Vec<String>,
}

/// Puts the files with equal terms together. The result is sorted by the first path of each; what nothing is known of comes last.
pub fn credits(files: impl IntoIterator<Item = (String, Terms)>) -> Vec<Credit> {
    let mut by_terms: BTreeMap<Terms, Vec<String>> = BTreeMap::new();
    for (path, terms) in files {
        by_terms.entry(terms).or_default().push(path);
    }
    let credit = |(terms, mut files): (Terms, Vec<String>)| {
        files.sort();
        files.dedup();
        Credit { terms, files }
    };
    let mut credits: Vec<Credit> = by_terms.into_iter().map(credit).collect();
    credits.sort_by(|a, b| {
        let is_unknown = |credit: &Credit| credit.terms == Terms::default();
        is_unknown(a).cmp(&is_unknown(b)).then_with(|| a.files.cmp(&b.files))
    });
    credits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_work_are_one_credit() {
        let of = |license: &str| Terms { license: Some(license.to_owned()), ..Terms::default() };
        let credits = credits([
            ("b".to_owned(), of("MIT")),
            ("a".to_owned(), Terms::default()),
            ("d".to_owned(), of("CC0-1.0")),
            ("c".to_owned(), of("MIT")),
        ]);
        let files: Vec<String> = credits.iter().map(|credit| credit.files.join(" ")).collect();
        assert_eq!(files, ["b c", "d", "a"]);
    }
}
