//! `REUSE.toml`: what a file says of the files below its directory.

use std::path::Path;

use rres_settings::diagnostic::Diagnostic;
use rres_settings::{Entry, TomlReader, Value, entries};
use toml::de::{DeTable, DeValue};

use crate::pattern::matches;
use crate::terms::Terms;

/// The version of the format that this module reads.
const VERSION: i64 = 1;

/// What one `[[annotations]]` says of the files that it matches.
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    patterns: Vec<String>,
    pub(crate) precedence: Precedence,
    pub(crate) terms: Terms,
}

/// What counts if a file says something itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Precedence {
    /// What the file says, and otherwise the nearest `REUSE.toml`.
    #[default]
    Closest,
    /// Both.
    Aggregate,
    /// This `REUSE.toml`, and nothing below it.
    Override,
}

const PRECEDENCES: [(&str, Precedence); 3] =
    [("closest", Precedence::Closest), ("aggregate", Precedence::Aggregate), ("override", Precedence::Override)];

/// Reads the text of the `REUSE.toml` at `file`.
pub(crate) fn read(file: &Path, text: &str) -> (Vec<Annotation>, Vec<Diagnostic>) {
    let mut reader = TomlReader::new(file, text);
    let mut annotations = Vec::new();
    let (document, errors) = DeTable::parse_recoverable(text);
    errors.iter().for_each(|error| reader.toml_error(error));
    for Entry { key, value, .. } in entries(document.get_ref()) {
        match (key, value.get_ref()) {
            ("version", _) => {
                reader.integer(key, value, VERSION..=VERSION);
            }
            ("annotations", DeValue::Array(tables)) => {
                annotations.extend(tables.iter().filter_map(|table| read_annotation(&mut reader, table)));
            }
            ("annotations", _) => reader.wrong_type(key, value, "an array of tables"),
            // The format allows others to add keys.
            _ => {}
        }
    }
    (annotations, reader.into_diagnostics())
}

fn read_annotation(reader: &mut TomlReader<'_>, value: &Value<'_>) -> Option<Annotation> {
    let mut annotation =
        Annotation { patterns: Vec::new(), precedence: Precedence::default(), terms: Terms::default() };
    let terms = &mut annotation.terms;
    for Entry { key, value, .. } in entries(reader.table("annotations", value)?) {
        match key {
            "path" => annotation.patterns = strings(reader, key, value),
            "precedence" => annotation.precedence = reader.one_of(key, value, &PRECEDENCES).unwrap_or_default(),
            "SPDX-License-Identifier" => {
                let license = |license| Terms { license: Some(license), ..Terms::default() };
                strings(reader, key, value).into_iter().map(license).for_each(|license| terms.add(license));
            }
            "SPDX-FileCopyrightText" => terms.copyright = strings(reader, key, value),
            "SPDX-FileContributor" => terms.authors = strings(reader, key, value),
            "SPDX-FileAttributionText" => {
                terms.attribution = Some(strings(reader, key, value).join("\n")).filter(|text| !text.is_empty());
            }
            _ => {}
        }
    }
    if annotation.patterns.is_empty() {
        reader.error(&value.span(), "has no `path`, expected the files that the table is about".to_owned());
    }
    annotation.terms = annotation.terms.clean();
    Some(annotation)
}

/// A string, or an array of strings.
fn strings(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Vec<String> {
    let values = match value.get_ref() {
        DeValue::Array(values) => values.iter().collect(),
        _ => vec![value],
    };
    values.into_iter().filter_map(|value| reader.string(key, value).map(str::to_owned)).collect()
}

impl Annotation {
    /// Returns whether it is about the file at `path`, relative to the directory of the `REUSE.toml`.
    pub(crate) fn is_about(&self, path: &str) -> bool {
        self.patterns.iter().any(|pattern| matches(pattern, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_read_and_wrong_ones_reported_with_their_place() {
        let text = "version = 1\nother = 2\n\n[[annotations]]\npath = [\"a/**\", \"b.png\"]\nprecedence = \"override\"\n\
                    SPDX-FileCopyrightText = \"2011 A\"\nSPDX-License-Identifier = [\"MIT\", \"CC0-1.0\"]\nSPDX-FileComment = \"x\"\n";
        let (annotations, faults) = read(Path::new("REUSE.toml"), text);
        assert_eq!(faults, []);
        let [annotation] = &annotations[..] else { panic!("{annotations:?}") };
        assert_eq!(annotation.precedence, Precedence::Override);
        assert_eq!(annotation.terms.license.as_deref(), Some("MIT AND CC0-1.0"));
        assert_eq!(annotation.terms.copyright, ["2011 A"]);
        assert!(annotation.is_about("a/x/y.png") && annotation.is_about("b.png") && !annotation.is_about("c.png"));

        for (text, expected) in [
            ("version = 2", "out of range: 2 for `version`, expected 1 to 1"),
            ("annotations = 1", "wrong type for `annotations`: found an integer, expected an array of tables"),
            ("[[annotations]]", "has no `path`, expected the files that the table is about"),
            ("[[annotations]]\npath = 1", "wrong type for `path`: found an integer, expected a string"),
            ("[[annotations]]\npath = \"a\"\nprecedence = \"x\"", "unknown value \"x\" for `precedence`"),
            ("[[", "invalid TOML"),
        ] {
            let (_, faults) = read(Path::new("REUSE.toml"), text);
            assert!(faults.iter().any(|fault| fault.message().starts_with(expected)), "{text}: {faults:?}");
        }
    }
}
