//! The values of settings of fonts.

use super::fingerprint::Fingerprint;
use super::values::{Word, fingerprint_of_word, word_enum, words};

word_enum! {
    /// What the pixels of a font's atlas mean.
    #[derive(Default)]
    GlyphField {
        /// How much of a pixel the glyph covers.
        #[default]
        None = "none";
        /// How far the outline is.
        Sdf = "sdf";
        /// How far the outline is, in several channels that keep corners.
        Msdf = "msdf";
    }
}

word_enum! {
    /// The stored form of a font.
    #[derive(Default)]
    FontStorage {
        /// Glyphs in atlases, which the game draws one by one.
        #[default]
        Glyphs = "glyphs";
        /// A font file with what its characters need, as raw bytes: for engines that shape text and draw glyphs themselves.
        Subset = "subset";
    }
}

/// The place of a variable font that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Variations {
    /// The instance with this name.
    Instance(String),
    /// The axes with these tags have these values, all others have the file's.
    Axes(Vec<(String, f32)>),
}

/// The instance with this name.
impl From<&str> for Variations {
    fn from(name: &str) -> Self {
        Self::Instance(name.to_owned())
    }
}

/// These axes.
impl<const N: usize> From<[(&str, f32); N]> for Variations {
    fn from(axes: [(&str, f32); N]) -> Self {
        Self::Axes(axes.into_iter().map(|(tag, value)| (tag.to_owned(), value)).collect())
    }
}

impl Fingerprint for Variations {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        match self {
            Self::Instance(name) => Some(name.clone()).fingerprint(out),
            Self::Axes(axes) => {
                None::<String>.fingerprint(out);
                u32::try_from(axes.len()).unwrap_or(u32::MAX).fingerprint(out);
                for (tag, value) in axes {
                    tag.fingerprint(out);
                    value.fingerprint(out);
                }
            }
        }
    }
}

/// Declares the sets of characters that have a name.
macro_rules! char_sets {
    ($($(#[$meta:meta])* $set:ident = $word:literal;)+) => {
        /// A set of characters of a font.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CharSet {
            $($(#[$meta])* $set,)+
            /// The characters of this string.
            Text(String),
            /// The characters from the first one to the last one, both included.
            Range(char, char),
            /// The characters of a text file, by a path relative to the font.
            File(String),
            /// The characters of all files that this glob matches, which is relative to the assets directory: the texts of a game.
            Texts(String),
        }

        impl CharSet {
            /// The sets that have a name.
            pub const NAMED: &[(&str, Self)] = &[$(($word, Self::$set)),+];
        }
    };
}

char_sets! {
    /// Chosen by the font: ASCII if it has that and is not made for another script; else all of its characters, if they
    /// are at most 1,500. Of a larger font ASCII, or the first 1,500 if it lacks that.
    Auto = "auto";
    /// Every character of the font.
    All = "all";
    /// U+0020 to U+007E.
    Ascii = "ascii";
    /// ASCII, the accented letters of European languages, and typographic punctuation.
    Latin = "latin";
    /// `Latin`, and the letters of all other languages that are written with Latin letters.
    LatinExt = "latin-ext";
    /// Greek letters with accents.
    Greek = "greek";
    /// Cyrillic letters.
    Cyrillic = "cyrillic";
    /// The letters of Vietnamese that `Latin` does not have.
    Vietnamese = "vietnamese";
    /// Armenian letters.
    Armenian = "armenian";
    /// Georgian letters.
    Georgian = "georgian";
    /// Hebrew letters and points.
    Hebrew = "hebrew";
    /// Arabic letters and their shapes.
    Arabic = "arabic";
    /// Devanagari, as for Hindi.
    Devanagari = "devanagari";
    /// Thai letters.
    Thai = "thai";
    /// Hiragana.
    Hiragana = "hiragana";
    /// Katakana.
    Katakana = "katakana";
    /// Hangul syllables and letters.
    Hangul = "hangul";
    /// Typographic punctuation.
    Punctuation = "punctuation";
    /// Signs of currencies.
    Currency = "currency";
    /// Arrows.
    Arrows = "arrows";
    /// Signs of mathematics.
    Math = "math";
    /// Lines and blocks to draw boxes with.
    BoxDrawing = "box-drawing";
    /// Squares, circles, stars and other shapes.
    Shapes = "shapes";
    /// ASCII, kana, and all kanji of the font.
    Japanese = "japanese";
    /// ASCII, bopomofo, and all Chinese characters of the font.
    Chinese = "chinese";
    /// ASCII and Hangul.
    Korean = "korean";
    /// `Japanese`, `Chinese` and `Korean`.
    Cjk = "cjk";
}

/// The set with this name, a range such as `U+4E00-9FFF`, or else the characters of the string.
impl From<&str> for CharSet {
    fn from(text: &str) -> Self {
        let named = Self::NAMED.iter().find(|(word, _)| *word == text).map(|(_, set)| set.clone());
        named.or_else(|| Self::range(text)).unwrap_or_else(|| Self::Text(text.to_owned()))
    }
}

impl CharSet {
    /// The range that a text such as `U+4E00-9FFF` or `U+2605` means.
    fn range(text: &str) -> Option<Self> {
        let code = |digits: &str| {
            let is_number = (4..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?)
        };
        let codes = text.strip_prefix("U+")?;
        let (first, last) = codes.split_once('-').unwrap_or((codes, codes));
        let (first, last) = (code(first)?, code(last.strip_prefix("U+").unwrap_or(last))?);
        (first <= last).then_some(Self::Range(first, last))
    }
}

impl Fingerprint for CharSet {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        let named = CharSet::NAMED.iter().find(|(_, set)| set == self);
        let sort = match self {
            CharSet::Range(..) => Some("+range"),
            CharSet::File(_) => Some("+file"),
            CharSet::Texts(_) => Some("+texts"),
            _ => named.map(|(word, _)| *word),
        };
        sort.map(str::to_owned).fingerprint(out);
        match self {
            CharSet::Text(text) => text.fingerprint(out),
            CharSet::Range(first, last) => {
                u32::from(*first).fingerprint(out);
                u32::from(*last).fingerprint(out);
            }
            CharSet::File(path) => path.fingerprint(out),
            CharSet::Texts(glob) => glob.fingerprint(out),
            _ => {}
        }
    }
}
