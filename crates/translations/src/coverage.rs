//! How much of a table a language has.

use std::collections::HashMap;

use crate::Message;

/// How much of a table a language has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The number of texts in the first language.
    pub all: usize,
    /// How many of them have a translation.
    pub translated: usize,
    /// The keys without a translation, in the order of the table.
    pub missing: Vec<String>,
    /// The keys that the first language does not have.
    pub extra: Vec<String>,
    /// The keys whose translation somebody has to look at. They are not used, and count as missing.
    pub fuzzy: Vec<String>,
    /// The keys whose translation is equal to the text in the first language: names, or texts that nobody has translated.
    pub same: Vec<String>,
}

impl Coverage {
    /// Compares a language with the first one. `fuzzy` are the keys whose translation is not used.
    pub fn of(first: &[Message], other: &[Message], fuzzy: &[String]) -> Self {
        let texts: HashMap<&str, &str> = other.iter().map(|of| (of.key.as_str(), of.text.as_str())).collect();
        let mut coverage = Self { all: first.len(), ..Self::default() };
        for Message { key, text, .. } in first {
            match texts.get(key.as_str()) {
                Some(_) if fuzzy.contains(key) => {
                    coverage.fuzzy.push(key.clone());
                    coverage.missing.push(key.clone());
                }
                Some(translation) => {
                    coverage.translated += 1;
                    if translation == text {
                        coverage.same.push(key.clone());
                    }
                }
                None => coverage.missing.push(key.clone()),
            }
        }
        let keys: std::collections::HashSet<&str> = first.iter().map(|of| of.key.as_str()).collect();
        coverage.extra = other.iter().map(|of| of.key.clone()).filter(|key| !keys.contains(key.as_str())).collect();
        coverage
    }

    /// The translated share in percent, rounded down: 100 means all. An empty table is complete.
    pub fn percent(&self) -> usize {
        (self.translated * 100).checked_div(self.all).unwrap_or(100)
    }

    /// Adds the counts and keys of another table.
    pub fn add(&mut self, other: Self) {
        self.all += other.all;
        self.translated += other.translated;
        self.missing.extend(other.missing);
        self.extra.extend(other.extra);
        self.fuzzy.extend(other.fuzzy);
        self.same.extend(other.same);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_once() {
        let table = |texts: &[(&str, &str)]| -> Vec<Message> {
            texts.iter().map(|(k, t)| Message { key: (*k).into(), text: (*t).into(), ..Message::default() }).collect()
        };
        let first = table(&[("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")]);
        let other = table(&[("a", "X"), ("b", "B"), ("c", "Y"), ("z", "Z")]);
        let coverage = Coverage::of(&first, &other, &["c".to_owned()]);
        assert_eq!((coverage.all, coverage.translated, coverage.percent()), (4, 2, 50));
        assert_eq!((coverage.missing, coverage.extra), (vec!["c".into(), "d".into()], vec!["z".to_owned()]));
        assert_eq!((coverage.fuzzy, coverage.same), (vec!["c".to_owned()], vec!["b".to_owned()]));
        assert_eq!(Coverage::default().percent(), 100);
    }
}
