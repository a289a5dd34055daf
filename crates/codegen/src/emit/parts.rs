//! Parts of lines of the generated module: aliases, statements, expressions, documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use rres_format::{AssetKind, FourCc};
use rres_protocol::runtime_type;

use crate::Constant;

/// The name of the type of constants. No file can take it: constants have no small letters, modules no capitals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Alias {
    /// Of a kind that has a type in the runtime.
    Kind(AssetKind),
    /// Of custom assets with this kind of chunk, which is four letters or digits.
    Custom(FourCc),
}

impl Alias {
    pub(super) fn of(asset: &Constant) -> Self {
        asset.custom.map_or(Self::Kind(asset.kind), Self::Custom)
    }
}

impl fmt::Display for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "{}Id", runtime_type(*kind)),
            Self::Custom(kind) => write!(f, "Custom{kind}Id"),
        }
    }
}

/// The list of the types that assets have.
pub(super) struct AssetTypes<'a> {
    pub(super) crate_path: &'a str,
    /// The kinds of the assets; `None` if an edit may add others.
    pub(super) kinds: Option<&'a BTreeSet<AssetKind>>,
}

impl fmt::Display for AssetTypes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rt = self.crate_path;
        let Some(kinds) = self.kinds else { return write!(f, "&{rt}::__private::ALL_TYPES") };
        f.write_str("const { &[")?;
        // Custom assets have a type each, which is registered.
        for (at, kind) in kinds.iter().filter(|kind| **kind != AssetKind::Custom).enumerate() {
            let separator = if at > 0 { ", " } else { "" };
            write!(f, "{separator}{rt}::__private::AssetType::of::<{rt}::{}>()", runtime_type(*kind))?;
        }
        f.write_str("] }")
    }
}

/// What makes the types of custom assets known to a store that was opened.
pub(super) struct Registered<'a>(pub(super) &'a BTreeMap<FourCc, String>);

impl fmt::Display for Registered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, "\n    .inspect(|store| {{\n{}    }})", RegisterTypes(self.0))
    }
}

/// The statements that register types of custom assets.
pub(super) struct RegisterTypes<'a>(pub(super) &'a BTreeMap<FourCc, String>);

impl fmt::Display for RegisterTypes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.values().try_for_each(|path| writeln!(f, "        store.register::<{path}>();"))
    }
}

/// An `Option` of an expression, as an expression.
pub(super) struct OptionalExpr(pub(super) Option<String>);

impl fmt::Display for OptionalExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(expression) => write!(f, "::core::option::Option::Some({expression})"),
            None => f.write_str("::core::option::Option::None"),
        }
    }
}

/// One line of documentation: `code` in a code span, then `text` with its Markdown escaped.
pub(super) struct Doc<'a> {
    pub(super) code: &'a str,
    pub(super) text: &'a str,
}

impl fmt::Display for Doc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A code span ends at as many backticks as it began with, so use more than the text has in a row.
        let runs = self.code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let (fence, gap) = ("`".repeat(runs + 1), if runs > 0 { " " } else { "" });
        write!(f, "{fence}{gap}")?;
        self.code.chars().try_for_each(|c| visible(f, c))?;
        write!(f, "{gap}{fence}")?;
        if !self.text.is_empty() {
            f.write_str(": ")?;
        }
        self.text.chars().try_for_each(|c| {
            if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '&' | '|' | '~' | '$') {
                f.write_char('\\')?;
            }
            visible(f, c)
        })
    }
}

/// Writes `c`, or its code point if it would end the line or change the direction of the text, which rustc refuses in
/// comments.
fn visible(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    if c.is_control() || turns { write!(f, "{}", c.escape_unicode()) } else { f.write_char(c) }
}
