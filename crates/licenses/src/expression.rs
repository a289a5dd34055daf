//! Expressions of SPDX: `CC-BY-4.0`, `MIT OR Apache-2.0`, `LicenseRef-Asset-Store`.

use std::error::Error;
use std::fmt;

use spdx::identifiers::LICENSES;
use spdx::{Expression, ParseError, ParseMode};

/// A licence, as an expression of SPDX.
#[derive(Clone, Debug)]
pub struct License {
    text: String,
    expression: Expression,
}

/// Why a text is no expression of SPDX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LicenseError {
    text: String,
    why: String,
    /// The licence that the text seems to mean.
    meant: Option<&'static str>,
}

impl License {
    /// Reads an expression. Ids have the case that SPDX gives them.
    ///
    /// # Errors
    /// The text is no expression, or names a licence that SPDX does not list. Others are called `LicenseRef-NAME`.
    pub fn parse(text: &str) -> Result<Self, LicenseError> {
        let mode = ParseMode { allow_deprecated: true, ..ParseMode::STRICT };
        let text = text.trim();
        match Expression::parse_mode(text, mode) {
            Ok(expression) => Ok(Self { text: text.to_owned(), expression }),
            Err(ParseError { reason, span, .. }) => {
                let part = text.get(span).unwrap_or_default().trim();
                let why = if part.is_empty() { reason.to_string() } else { format!("{reason}: `{part}`") };
                Err(LicenseError { text: text.to_owned(), why, meant: meant_by(text) })
            }
        }
    }

    /// Returns the expression.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the names of the licences in the expression, sorted: `Apache-2.0` and `MIT` of `MIT OR Apache-2.0`.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.expression.requirements().map(|part| part.req.license.to_string()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Returns whether the expression can be met with these licences alone. Each is a name such as `MIT`, which allows the
    /// licence with every exception, too.
    pub fn is_met_by(&self, allowed: &[String]) -> bool {
        self.expression.evaluate(|part| allowed.contains(&part.license.to_string()))
    }

    /// Returns whether SPDX lists a licence of this name, so that it is known under `https://spdx.org/licenses/NAME`.
    pub fn is_listed(name: &str) -> bool {
        spdx::license_id(name.trim_end_matches('+')).is_some()
    }

    /// Returns the names of the licences that forbid commercial use, or changes, as far as that is known by their names: those of Creative
    /// Commons with `NC` or `ND`.
    pub fn restricted(&self) -> Vec<String> {
        let parts =
            |name: &String| name.starts_with("CC-BY-") && name.split('-').any(|part| matches!(part, "NC" | "ND"));
        self.names().into_iter().filter(parts).collect()
    }
}

impl fmt::Display for License {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for License {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl LicenseError {
    /// Returns what to do about it.
    pub fn help(&self) -> String {
        match self.meant {
            Some(id) => format!("write \"{id}\""),
            None => "write an id of https://spdx.org/licenses such as \"CC-BY-4.0\", or \"LicenseRef-NAME\" for a licence that is not listed".to_owned(),
        }
    }
}

impl fmt::Display for LicenseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no licence expression of SPDX: {}", self.text, self.why)
    }
}

impl Error for LicenseError {}

/// The licence that a text in other words means: `CC BY 4.0`, `cc0`, `Apache License 2.0`.
fn meant_by(text: &str) -> Option<&'static str> {
    let plain = plain(text);
    let mut ids = LICENSES.iter().filter(|license| !license.name.ends_with('+')).map(|license| license.name);
    let without_version = |id: &&str| {
        let rest = self::plain(id).strip_prefix(&plain).map(str::to_owned);
        rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
    };
    if plain.is_empty() {
        return None;
    }
    ids.clone().find(|id| self::plain(id) == plain).or_else(|| {
        // Of several versions, nobody knows which one is meant.
        let first = ids.find(without_version)?;
        ids.find(without_version).is_none().then_some(first)
    })
}

/// A text without what people write differently.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase().replace("licence", "").replace("license", "").replace("version", "");
    lower.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_name_their_licences() {
        for (text, names) in [
            ("CC0-1.0", "CC0-1.0"),
            (" MIT OR Apache-2.0 ", "Apache-2.0 MIT"),
            ("(CC-BY-4.0 AND MIT) OR LicenseRef-Store", "CC-BY-4.0 LicenseRef-Store MIT"),
            ("GPL-2.0-or-later WITH Bison-exception-2.2", "GPL-2.0-or-later"),
            ("GPL-3.0", "GPL-3.0"),
        ] {
            assert_eq!(License::parse(text).unwrap().names().join(" "), names, "{text}");
        }
    }

    #[test]
    fn what_is_none_is_an_error_with_the_licence_that_was_meant() {
        for (text, meant) in [
            ("Apache License 2.0", Some("Apache-2.0")),
            ("mit", Some("MIT")),
            ("CC BY 4.0", Some("CC-BY-4.0")),
            ("CC-BY-SA 3.0", Some("CC-BY-SA-3.0")),
            ("cc0", Some("CC0-1.0")),
            ("OFL", None),
            ("SIL", None),
            ("", None),
            ("public domain", None),
            ("MIT OR", None),
            ("MIT/Apache-2.0", None),
        ] {
            let error = License::parse(text).unwrap_err();
            assert_eq!(error.meant, meant, "{error}");
        }
    }

    #[test]
    fn an_expression_is_met_by_one_side_of_an_or() {
        let allowed = ["MIT".to_owned(), "LicenseRef-Store".to_owned()];
        for (text, is_met) in [
            ("MIT", true),
            ("MIT OR GPL-3.0-only", true),
            ("MIT AND GPL-3.0-only", false),
            ("LicenseRef-Store", true),
            ("LicenseRef-Other", false),
            ("CC-BY-NC-4.0", false),
        ] {
            assert_eq!(License::parse(text).unwrap().is_met_by(&allowed), is_met, "{text}");
        }
    }

    #[test]
    fn licences_of_creative_commons_that_restrict_use_are_known() {
        let restricted = |text| License::parse(text).unwrap().restricted();
        assert_eq!(restricted("CC-BY-NC-SA-4.0 OR MIT"), ["CC-BY-NC-SA-4.0"]);
        assert_eq!(restricted("CC-BY-4.0").len(), 0);
    }
}
