//! Errors of decoding the files that packs keep.

use core::fmt;

use rres_format::SoundFormat;

/// Why a file that a pack keeps could not be decoded. `Display` writes it as the end of a sentence about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// No format that is decoded starts with these bytes.
    UnknownFormat {
        /// The first four bytes, or fewer if the file is shorter.
        start: Box<[u8]>,
    },
    /// The feature of the format is disabled.
    NoDecoder {
        /// The name of the format.
        format: &'static str,
        /// The feature of `rres-decode` and `rres-runtime`.
        feature: &'static str,
    },
    /// The file uses a part of the format that is not decoded.
    Unsupported {
        /// The name of the format.
        format: &'static str,
        /// The message of the decoder.
        detail: String,
    },
    /// The picture has more pixels than the decoder can address.
    TooLarge {
        /// The name of the format.
        format: &'static str,
    },
    /// The end of the file is missing.
    EndsEarly {
        /// The name of the format.
        format: &'static str,
    },
    /// A part of the file cannot be decoded.
    Damaged {
        /// The name of the format.
        format: &'static str,
        /// The part.
        part: &'static str,
        /// The message of the decoder.
        detail: String,
    },
    /// Glyphs of the font cannot be drawn.
    Font(FontError),
}

/// Why the glyphs of a font file cannot be drawn. `Display` writes it as the end of a sentence about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FontError {
    /// The file is damaged, or made to take endless work. The text says how.
    Damaged(Box<str>),
    /// The glyphs of a size do not fit one atlas. The text says how many, and what the limit is.
    TooLarge(Box<str>),
    /// It has characters, but no outlines that are read. The text names the tables that it has instead.
    NoOutlines(Box<str>),
}

impl DecodeError {
    pub(crate) fn no_decoder(format: SoundFormat) -> Self {
        Self::NoDecoder { format: format.name(), feature: format.feature() }
    }
}

impl fmt::Display for FontError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(how) => f.write_str(how),
            Self::TooLarge(detail) => write!(f, "does not fit: {detail}"),
            Self::NoOutlines(tables) => write!(f, "has characters but no outlines that can be drawn: it has {tables}"),
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFormat { start } => {
                write!(f, "is a file of an unknown format, which starts with \"{}\"", start.escape_ascii())
            }
            Self::NoDecoder { format, feature } => {
                let format = article(format);
                write!(f, "is {format} file, and this program was compiled without the feature \"{feature}\"")
            }
            Self::Unsupported { format, detail } => {
                write!(f, "is {} of a kind that is not supported ({detail})", article(format))
            }
            Self::TooLarge { format } => write!(f, "is {} with more pixels than fit", article(format)),
            Self::EndsEarly { format } => write!(f, "is {} that ends early", article(format)),
            Self::Damaged { format, part, detail } => {
                write!(f, "is a damaged {format}: {part} cannot be decoded ({detail})")
            }
            Self::Font(error) => error.fmt(f),
        }
    }
}

/// The name of a format with the article that people say: "an OGG Opus", "a JPEG".
fn article(format: &str) -> String {
    let is_vowel = format == "MP3" || format.starts_with(['A', 'E', 'I', 'O']);
    format!("{} {format}", if is_vowel { "an" } else { "a" })
}

impl std::error::Error for DecodeError {}
