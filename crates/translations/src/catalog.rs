//! One table in two languages.

use std::collections::HashMap;

use crate::fault::Faults;
use crate::plural::{self, Forms};
use crate::{Fault, Syntax};

/// A text of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The key, such as `quit` or `login.title`.
    pub key: String,
    /// The text, as the table writes it apart from quotation marks and indentation.
    pub text: String,
    /// The line of the key, counted from 1.
    pub line: u32,
    /// What the table says about the text, for translators.
    pub comment: String,
}

/// A text and its translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The key; empty if the file does not have it. [`Catalog::find_keys`] finds it by the source.
    pub key: String,
    /// The text in the first language; of a plural, the one for a single thing.
    pub source: String,
    /// Of a plural, the text for several things.
    pub plural: Option<String>,
    /// The translation; of a plural, one for each form of the language in the order of gettext. Empty, or with an empty text, if there is none.
    pub targets: Vec<String>,
    /// Whether somebody has to look at the translation before it may be used.
    pub is_fuzzy: bool,
    /// What translators should know.
    pub comment: String,
    /// The table, if the file names one for each text.
    pub table: Option<String>,
    /// The line in the table, counted from 1; 0 if it is not known.
    pub table_line: u32,
    /// The line in the file of translators, counted from 1.
    pub line: u32,
}

impl Unit {
    /// Whether every form has a text. Of a source that is more than spaces, spaces are none.
    pub fn is_translated(&self) -> bool {
        let is_text =
            |target: &String| !target.trim().is_empty() || !target.is_empty() && self.source.trim().is_empty();
        !self.targets.is_empty() && self.targets.iter().all(is_text)
    }

    /// Adds a part of the translation.
    #[cfg(feature = "xliff")]
    pub(crate) fn add_to_target(&mut self, text: &str) {
        match self.targets.first_mut() {
            Some(target) => *target += text,
            None => self.targets.push(text.to_owned()),
        }
    }

    /// The translation of a text without plural forms, fuzzy or not; `None` if it has none.
    pub fn target(&self) -> Option<&str> {
        let [target] = &self.targets[..] else { return None };
        Some(target.as_str()).filter(|target| !target.is_empty() && self.plural.is_none())
    }

    /// Compares the placeholders of a translation with those of its source. Returns what is wrong, in words.
    pub fn other_placeholders(&self, syntax: Syntax) -> Option<String> {
        let all = |texts: &mut dyn Iterator<Item = &String>| {
            let mut names: Vec<String> = texts.flat_map(|text| syntax.placeholders(text)).collect();
            names.sort();
            names.dedup();
            names
        };
        let expected = all(&mut std::iter::once(&self.source).chain(&self.plural));
        let found = all(&mut self.targets.iter());
        let without = |a: &[String], b: &[String]| {
            a.iter().filter(|name| !b.contains(name)).map(|name| syntax.show(name)).collect::<Vec<_>>().join(", ")
        };
        let (missing, unknown) = (without(&expected, &found), without(&found, &expected));
        match (missing.is_empty(), unknown.is_empty()) {
            (true, true) => None,
            (false, true) => Some(format!("lacks {missing}")),
            (true, false) => Some(format!("has {unknown}, which the source does not have")),
            (false, false) => Some(format!("lacks {missing}, and has {unknown}, which the source does not have")),
        }
    }

    /// Compares each plural form of a Fluent text with what both texts of its source have. `number` is the variable of the choice: a form for a
    /// single number may say it in words. Returns what is wrong, in words.
    pub fn lost_in_a_form(&self, number: &str, forms: Forms) -> Option<String> {
        let syntax = Syntax::Fluent;
        let of_plural = syntax.placeholders(self.plural.as_deref()?);
        let of_both: Vec<String> =
            syntax.placeholders(&self.source).into_iter().filter(|name| of_plural.contains(name)).collect();
        self.targets.iter().zip(forms.categories).find_map(|(target, category)| {
            let found = syntax.placeholders(target);
            let may_lack = |name: &str| name.strip_prefix('$') == Some(number) && forms.is_for_one_number(category);
            let lost = of_both.iter().find(|name| !found.contains(name) && !may_lack(name))?;
            Some(format!("lacks {} for \"{category}\"", syntax.show(lost)))
        })
    }
}

/// A table in its first language and in another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// The path of the table; empty if the file does not name it.
    pub table: String,
    /// The first language, as a tag of BCP 47; empty if the file does not name it.
    pub source_language: String,
    /// The other language; empty in a template.
    pub language: String,
    /// The texts, in the order of the table.
    pub units: Vec<Unit>,
}

impl Catalog {
    /// Gives units without a key, or with a number that a converter has made up, the key of the only text of the table that is equal. What a
    /// program writes that does not know keys can be read by that.
    ///
    /// # Errors
    /// With a fault for each unit whose text several keys have, and for each key that occurs twice. Units that the table does not have keep
    /// what they have.
    pub fn find_keys(&mut self, table: &[Message], syntax: Syntax) -> Result<(), Vec<Fault>> {
        let by_key: HashMap<&str, &Message> = table.iter().map(|message| (message.key.as_str(), message)).collect();
        let mut by_source: HashMap<String, Vec<&str>> = HashMap::new();
        for message in table {
            let source = match syntax {
                Syntax::Fluent => plural::split(&message.text).and_then(|of| of.one_and_other()).map(|(one, _)| one),
                Syntax::Braces => None,
            };
            by_source.entry(source.unwrap_or_else(|| message.text.clone())).or_default().push(&message.key);
        }
        let mut faults = Faults::default();
        let mut seen: HashMap<String, u32> = HashMap::new();
        for unit in &mut self.units {
            // Any other key that the table lacks has been removed or renamed.
            let is_made_up = unit.key.bytes().all(|byte| byte.is_ascii_digit());
            if is_made_up && !by_key.contains_key(unit.key.as_str()) {
                match by_source.get(&unit.source).map(Vec::as_slice) {
                    Some([key]) => unit.key = (*key).to_owned(),
                    Some(keys) => {
                        let keys = keys.join(", ");
                        faults.add(
                            unit.line,
                            format!("has a text without a key that {keys} have"),
                            "export the table again, or write the key: msgctxt in PO, `resname` in XLIFF",
                        );
                        continue;
                    }
                    None => {}
                }
            }
            if unit.key.is_empty() {
                continue;
            }
            if let Some(first) = seen.insert(unit.key.clone(), unit.line) {
                faults.add(
                    unit.line,
                    format!("has the key \"{}\" twice, first in line {first}", unit.key),
                    "remove one of them",
                );
            }
        }
        faults.or(())
    }
}
