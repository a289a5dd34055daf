//! Language files to what the game says: `key = text` lines, with `|` for a new line.

use std::collections::BTreeMap;

use rres_runtime::{FromAsset, Store, Text};

use crate::error::Fault;

/// Every text of one language.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    texts: BTreeMap<String, String>,
}

impl FromAsset for Words {
    type Source = Text;
    type Error = Fault;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, Fault> {
        Self::parse(text.as_str())
    }
}

impl Words {
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let mut texts = BTreeMap::new();
        for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let Some((key, value)) = content.split_once('=') else {
                return Err(Fault::new(line, format!("\"{content}\" is no line of the form key = text")));
            };
            texts.insert(key.trim().to_owned(), value.trim().to_owned());
        }
        Ok(Self { texts })
    }

    /// The text for a key; the key itself where a translation lacks it.
    pub(crate) fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts.get(key).map_or(key, String::as_str)
    }

    /// Keys, for comparing languages.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.texts.keys().map(String::as_str).collect()
    }
}

/// Which of `languages` the variables of the environment ask for; the first where none of them is wanted.
pub(crate) fn preferred(languages: &[&str]) -> usize {
    let wanted = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| {
        let value = std::env::var(name).ok()?;
        (!value.is_empty()).then_some(value)
    });
    let wanted = wanted.unwrap_or_default();
    languages.iter().position(|code| wanted.starts_with(code)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_to_texts() {
        let words = Words::parse("\u{feff}# c\na = Größe = gut\n\nb=x|y\n").unwrap();
        assert_eq!((words.get("a"), words.get("b"), words.get("c")), ("Größe = gut", "x|y", "c"));
        assert!(Words::parse("a\n").unwrap_err().to_string().contains("line 1"));
    }
}
