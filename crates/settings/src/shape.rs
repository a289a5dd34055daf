//! The TOML that settings accept, as data: what a tool needs to describe `assets.toml` to an editor.
//!
//! Each setting has the shape of its values beside the code that reads them, and [`super::file_shape()`] is the shape of the whole file. A
//! shape accepts all that the reader accepts. What depends on other values, or on the target, it does not know.

use std::ops::RangeInclusive;

/// The values that a key accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `true` or `false`.
    Flag,
    /// This one of the two only.
    Only(bool),
    /// A whole number.
    Integer(RangeInclusive<i64>),
    /// A number with or without decimal point.
    Number(RangeInclusive<f64>),
    /// A string. All that are accepted match the regular expression, which tools of any language understand; a string that matches may still be
    /// refused by the reader.
    Text(String),
    /// One of these strings.
    OneOf(Vec<String>),
    /// An array with these numbers of items.
    Array { item: Box<Self>, length: RangeInclusive<usize>, is_distinct: bool },
    /// A table.
    Table(Table),
    /// A value of any of these shapes.
    AnyOf(Vec<Self>),
}

/// The keys that a table accepts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Under which a tool can keep the description of the table, if the table occurs in several places; tables of one name are equal.
    pub name: Option<&'static str>,
    /// What the table is for.
    pub doc: String,
    pub keys: Vec<Key>,
    /// The keys with names that follow from the game; `None` if all others are unknown.
    pub others: Option<Box<Others>>,
}

/// A key with a fixed name.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub name: String,
    /// Its meaning, in sentences.
    pub doc: String,
    /// The default in words; empty if that is nothing to speak of.
    pub default_in_words: String,
    /// The default in TOML, if a value means it.
    pub default: Option<String>,
    pub is_required: bool,
    pub shape: Shape,
}

/// The keys of a table whose names follow from the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Others {
    /// The regular expression that all names match.
    pub names: String,
    /// Names that match and are refused.
    pub refused: Vec<String>,
    pub shape: Shape,
}

impl Shape {
    /// Any string that is not empty.
    pub(crate) fn some_text() -> Self {
        Self::text(r"^[\s\S]+$")
    }

    /// A string that matches a regular expression.
    pub(crate) fn text(pattern: &str) -> Self {
        Self::Text(pattern.to_owned())
    }

    /// One of these strings.
    pub(crate) fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Self::OneOf(words.into_iter().map(str::to_owned).collect())
    }

    /// This value or one of the other shape.
    pub(crate) fn or(self, other: Self) -> Self {
        let mut all = Vec::new();
        for shape in [self, other] {
            match shape {
                Self::AnyOf(shapes) => all.extend(shapes),
                one => all.push(one),
            }
        }
        Self::AnyOf(all)
    }

    /// One value of this shape, or an array of at least one.
    pub(crate) fn one_or_more(self, is_distinct: bool) -> Self {
        let array = Self::Array { item: Box::new(self.clone()), length: 1..=usize::MAX, is_distinct };
        self.or(array)
    }

    /// A number of bytes in a range: an integer, or a string with a unit.
    pub(crate) fn size(range: RangeInclusive<u64>) -> Self {
        let bound = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
        let integer = Self::Integer(bound(*range.start())..=bound(*range.end()));
        Self::text(r"^\s*[0-9]+(\.[0-9]{1,12})?\s*([kKmMgG][iI]?)?[bB]\s*$").or(integer)
    }
}

impl Table {
    /// A table with these keys and no others.
    pub(crate) fn of(doc: &str, keys: Vec<Key>) -> Self {
        Self { doc: doc.to_owned(), keys, ..Self::default() }
    }

    /// A table with keys whose names match a regular expression.
    pub(crate) fn of_any(doc: &str, names: &str, shape: Shape) -> Self {
        let others = Others { names: names.to_owned(), refused: Vec::new(), shape };
        Self { doc: doc.to_owned(), others: Some(Box::new(others)), ..Self::default() }
    }
}

impl Key {
    /// A key that need not be there and has no default.
    pub(crate) fn new(name: &str, doc: &str, shape: Shape) -> Self {
        let (name, doc) = (name.to_owned(), doc.to_owned());
        Self { name, doc, default_in_words: String::new(), default: None, is_required: false, shape }
    }
}
