//! Tables of texts, which `rres-build` made of CSV files: keys, and the texts of one language.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Display, Write as _};

use crate::asset::Text;
use crate::store::{FromAsset, Store};

/// The texts of one language by their keys, from a CSV file with `text.strings`. Load it with `id.into_type::<Strings>()`; the handle has the texts of
/// the language that [`Store::set_locale`] sets.
///
/// The build has made sure that every key has a text: the text of the first language if it has no other. The generated module has the
/// keys as constants.
///
/// ```
/// use rres_runtime::{Id, Result, Store, Strings, Text};
///
/// # mod assets {
/// #     use rres_runtime::{Id, Text};
/// #     pub const STRINGS_CSV: Id<Text> = Id::new(rres_runtime::ResourceId(1), rres_runtime::Slot(0));
/// #     pub mod strings_csv { pub mod key { pub const GREETING: &str = "greeting"; } }
/// # }
/// fn greet(store: &Store, name: &str) -> Result<String> {
///     let strings = store.load(assets::STRINGS_CSV.into_type::<Strings>())?.get();
///     Ok(strings.format(assets::strings_csv::key::GREETING, &[("name", &name)]))
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings(HashMap<Box<str>, Box<str>>);

impl Strings {
    /// Returns the text of a key; `None` if the key does not exist.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(AsRef::as_ref)
    }

    /// Returns the text of a key, or the key itself if it does not exist: something that can be shown, and found.
    pub fn text<'s>(&'s self, key: &'s str) -> &'s str {
        self.get(key).unwrap_or(key)
    }

    /// Returns the text of a key, like [`Self::text`], with values in the place of `{name}`. A placeholder without a value stays.
    pub fn format(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut rest = self.text(key);
        let mut out = String::with_capacity(rest.len());
        while let Some(start) = rest.find('{') {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let name = rest.find('}').map(|end| (&rest[1..end], end + 1));
            let value = name.and_then(|(name, end)| Some((values.iter().find(|value| value.0 == name)?.1, end)));
            // Writing to a string cannot fail, and a value that refuses to be shown is left out.
            let end = value.map_or(1, |(value, end)| {
                let _ = write!(out, "{value}");
                end
            });
            if value.is_none() {
                out.push('{');
            }
            rest = &rest[end..];
        }
        out + rest
    }

    /// Returns keys and texts, in no particular order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, text)| (key.as_ref(), text.as_ref()))
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the table has no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Why a text is not a table of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringsError {
    line: usize,
}

impl Display for StringsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {} has no tab between key and text; a CSV file needs `text.strings = true` in assets.toml",
            self.line
        )
    }
}

impl std::error::Error for StringsError {}

impl FromAsset for Strings {
    type Source = Text;
    type Error = StringsError;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, StringsError> {
        let line = |(line, text): (usize, &str)| {
            let (key, text) = text.split_once('\t').ok_or(StringsError { line })?;
            Ok((unescape(key).into(), unescape(text).into()))
        };
        (1..).zip(text.lines()).map(line).collect::<Result<_, _>>().map(Self)
    }

    fn size(&self) -> usize {
        self.0.iter().map(|(key, text)| key.len() + text.len() + 2 * size_of::<Box<str>>()).sum()
    }
}

/// Undoes what the build did to backslashes, tabs and line breaks.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push(match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            }),
            c => out.push(c),
        }
    }
    out.into()
}
