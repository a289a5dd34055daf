//! What is known about one file.

use std::path::PathBuf;

/// Who made a file, and what they ask for. What is empty is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Terms {
    /// The licence, as an expression of SPDX. It may be wrong; see [`crate::License::parse`].
    pub license: Option<String>,
    /// Who made it.
    pub authors: Vec<String>,
    /// The notices of copyright, as they are to be repeated: `2011 The Quicksand Project Authors`.
    pub copyright: Vec<String>,
    /// Where it comes from, such as the address of its page.
    pub source: Option<String>,
    /// The words that its author wants to be shown.
    pub attribution: Option<String>,
}

/// Where the licence of a file is stated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A rule of the settings.
    Rule,
    /// The file beside it.
    Sidecar(PathBuf),
    /// A tag in its own text.
    Tag,
    /// A `REUSE.toml`.
    Reuse(PathBuf),
}

/// What is known about a file, and where its licence is stated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What is known.
    pub terms: Terms,
    /// Where the licence is stated; `None` if it is not.
    pub origin: Option<Origin>,
}

impl Terms {
    /// Returns these terms, with those of `other` for what is not known. Copyright and authors are one field: who names an author in a
    /// rule means to replace a notice.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let is_anonymous = self.authors.is_empty() && self.copyright.is_empty();
        let (authors, copyright) =
            if is_anonymous { (other.authors, other.copyright) } else { (self.authors, self.copyright) };
        Self {
            license: self.license.or(other.license),
            authors,
            copyright,
            source: self.source.or(other.source),
            attribution: self.attribution.or(other.attribution),
        }
    }

    /// Returns these terms without characters that control a terminal.
    pub(crate) fn clean(mut self) -> Self {
        let clean = |text: &mut String| text.retain(|c| c == '\n' || !c.is_control());
        self.authors.iter_mut().chain(&mut self.copyright).for_each(clean);
        self.license.iter_mut().chain(&mut self.source).chain(&mut self.attribution).for_each(clean);
        self
    }

    /// Adds what `other` says.
    pub(crate) fn add(&mut self, other: Self) {
        self.license = match (self.license.take(), other.license) {
            // Both hold.
            (Some(own), Some(other)) if own != other => {
                Some(format!("{} AND {}", in_parentheses(&own), in_parentheses(&other)))
            }
            (own, other) => own.or(other),
        };
        add_new(&mut self.authors, other.authors);
        add_new(&mut self.copyright, other.copyright);
        self.source = self.source.take().or(other.source);
        self.attribution = match (self.attribution.take(), other.attribution) {
            (Some(own), Some(other)) if own != other => Some(format!("{own}\n{other}")),
            (own, other) => own.or(other),
        };
    }
}

fn add_new(texts: &mut Vec<String>, more: Vec<String>) {
    for text in more {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
}

/// An expression as a part of another one.
fn in_parentheses(expression: &str) -> String {
    if expression.contains(char::is_whitespace) { format!("({expression})") } else { expression.to_owned() }
}
