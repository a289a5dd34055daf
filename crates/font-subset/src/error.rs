//! Why a font cannot be cut.

use std::fmt;

/// Why a font cannot be cut. The text continues the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubsetError {
    /// It begins otherwise than a font.
    NotAFont,
    /// It lacks a table that it needs.
    Missing(&'static str),
    /// A table contradicts itself, or ends before what it lists: its name and what is wrong.
    Damaged(String, &'static str),
    /// Its maker does not allow it.
    NotAllowed(&'static str),
    /// It shapes text by this table of Apple.
    Apple(String),
    /// It has something that cannot be followed.
    Unsupported(&'static str),
    /// Following its tables would take minutes.
    Endless,
}

impl fmt::Display for SubsetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFont => f.write_str("is not a TTF or OTF font"),
            Self::Missing(table) => write!(f, "is a damaged font: it has no table `{table}`"),
            Self::Damaged(table, what) => write!(f, "is a damaged font: its table `{table}` {what}"),
            Self::NotAllowed(why) | Self::Unsupported(why) => f.write_str(why),
            Self::Apple(table) => write!(
                f,
                "shapes text by Apple's table `{table}`, and which glyphs that needs for a text cannot be told"
            ),
            Self::Endless => f.write_str("has tables so tangled that following them would take minutes"),
        }
    }
}

impl std::error::Error for SubsetError {}
