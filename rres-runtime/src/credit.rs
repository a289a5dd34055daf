//! Who made the assets of a game, from the table of the generated module.

use std::fmt;

use rres_protocol::CREDIT_MARK;

/// A work that assets of the game are from: who made it, under which licence, and which assets those are.
///
/// With `credits = true` under `[pack]` in `assets.toml`, the generated module has the function `credits`, which returns all of them, for a screen
/// of credits:
///
/// ```
/// # mod assets {
/// #     use rres_runtime as rt;
/// #     pub const fn credits() -> &'static [rt::Credit] {
/// #         const { &[rt::__private::credit(Some("OFL-1.1"), &["A. Smith"], &[], Some("https://example.com"), None, &["fonts/a.ttf"])] }
/// #     }
/// # }
/// let lines: Vec<String> = assets::credits().iter().map(ToString::to_string).collect();
/// assert_eq!(lines, ["A. Smith (OFL-1.1), https://example.com"]);
/// ```
///
/// Its [`Display`](fmt::Display) form is one line: the words that the author wants to be shown, or else the authors, the licence and the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Credit {
    /// The licence, as an expression of SPDX: `CC-BY-4.0`, `MIT OR Apache-2.0`, `LicenseRef-Store`.
    pub license: Option<&'static str>,
    /// Who made the work.
    pub authors: &'static [&'static str],
    /// The notices of copyright, as they are to be repeated.
    pub copyright: &'static [&'static str],
    /// Where the work comes from, such as the address of its page.
    pub source: Option<&'static str>,
    /// The words that the author wants to be shown.
    pub attribution: Option<&'static str>,
    /// The paths of the assets, sorted; empty if the packs are without paths.
    pub assets: &'static [&'static str],
}

/// Makes a [`Credit`], for generated modules.
pub const fn credit(
    license: Option<&'static str>,
    authors: &'static [&'static str],
    copyright: &'static [&'static str],
    source: Option<&'static str>,
    attribution: Option<&'static str>,
    assets: &'static [&'static str],
) -> Credit {
    Credit { license, authors, copyright, source, attribution, assets }
}

/// The path of an asset in a [`Credit`], for generated modules.
pub const fn credited(marked: &'static str) -> &'static str {
    marked.split_at(CREDIT_MARK.len()).1
}

impl Credit {
    /// Returns whether somebody is named: an author, a notice of copyright, or words that are to be shown.
    pub const fn names_somebody(&self) -> bool {
        !self.authors.is_empty() || !self.copyright.is_empty() || self.attribution.is_some()
    }
}

impl fmt::Display for Credit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(attribution) = self.attribution {
            let mut separator = "";
            for line in attribution.lines().filter(|line| !line.is_empty()) {
                write!(f, "{separator}{line}")?;
                separator = " ";
            }
            return Ok(());
        }
        let (people, prefix) = if self.authors.is_empty() { (self.copyright, "© ") } else { (self.authors, "") };
        let mut separator = "";
        for name in people {
            // Some notices begin with the sign already.
            let has_sign = name.starts_with('©') || name.to_lowercase().starts_with("(c)");
            let prefix = if has_sign { "" } else { prefix };
            write!(f, "{separator}{prefix}{name}")?;
            separator = ", ";
        }
        match (self.license, separator) {
            (Some(license), "") => write!(f, "{license}")?,
            (Some(license), _) => write!(f, " ({license})")?,
            (None, _) => {}
        }
        match self.source {
            Some(source) if separator.is_empty() && self.license.is_none() => f.write_str(source),
            Some(source) => write!(f, ", {source}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::credit;

    #[test]
    fn a_credit_is_one_line() {
        for (of, expected) in [
            (credit(Some("CC0-1.0"), &[], &[], None, None, &[]), "CC0-1.0"),
            (credit(Some("OFL-1.1"), &["A", "B"], &["2011 A"], None, None, &[]), "A, B (OFL-1.1)"),
            (
                credit(Some("OFL-1.1"), &[], &["2011 A", "© 2012 B"], Some("x.org"), None, &[]),
                "© 2011 A, © 2012 B (OFL-1.1), x.org",
            ),
            (credit(None, &["A"], &[], None, None, &[]), "A"),
            (credit(None, &[], &[], Some("x.org"), None, &[]), "x.org"),
            (credit(Some("CC-BY-4.0"), &["A"], &[], None, Some("Music by A"), &[]), "Music by A"),
            (credit(None, &[], &[], None, Some("Music by A\nWords by B\n"), &[]), "Music by A Words by B"),
            (credit(None, &[], &[], None, None, &[]), ""),
        ] {
            assert_eq!(of.to_string(), expected);
        }
    }
}
