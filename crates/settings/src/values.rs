//! The types of values that settings accept, and the words for them.

use rres_format::chunk::text::CodeLanguage;
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_format::{AssetKind, Cipher, Compression, LanguageTag};

use super::culture;
use super::fingerprint::Fingerprint;

/// A type with a word for each of its values.
pub trait Word: Copy + PartialEq + 'static {
    /// The words, in the order of the manual.
    fn words() -> Vec<(&'static str, Self)>;

    /// The word for this value.
    fn word(self) -> &'static str {
        Self::words().into_iter().find(|(_, value)| *value == self).map_or("another value", |(word, _)| word)
    }
}

/// Declares the words of a type, one per value.
macro_rules! words {
    ($name:ty: $($word:literal => $value:expr,)+) => {
        impl Word for $name {
            fn words() -> Vec<(&'static str, Self)> {
                vec![$(($word, $value)),+]
            }
        }

        fingerprint_of_word!($name);
    };
}

/// Keys of blobs contain the word, which is documented; numbers may be assigned to other values one day.
macro_rules! fingerprint_of_word {
    ($($name:ty),+) => {$(
        impl Fingerprint for $name {
            fn fingerprint(&self, out: &mut Vec<u8>) {
                self.word().fingerprint(out);
            }
        }
    )+};
}

/// Uses the names that values have in packs and reports.
macro_rules! words_are_names {
    ($($name:ty),+) => {$(
        impl Word for $name {
            fn words() -> Vec<(&'static str, Self)> {
                Self::ALL.iter().map(|value| (value.name(), *value)).collect()
            }
        }

        fingerprint_of_word!($name);
    )+};
}

words_are_names!(Filter, Wrap, ColorSpace);

impl Word for AssetKind {
    /// The kinds that a file can have. Sprites follow from `image.atlas`, custom assets from an importer of the build script.
    fn words() -> Vec<(&'static str, Self)> {
        let kinds = Self::ALL.iter().filter(|kind| !matches!(kind, Self::Sprite | Self::Custom));
        kinds.map(|kind| (kind.name(), *kind)).collect()
    }
}

fingerprint_of_word!(AssetKind);

words! { Compression:
    "none" => Self::NONE,
    "deflate" => Self::DEFLATE,
    "lz4" => Self::LZ4,
    "qoi" => Self::QOI,
    "zstd" => Self::ZSTD,
    "filtered" => Self::FILTERED,
}

words! { Cipher:
    "none" => Self::NONE,
    "xchacha20-poly1305" => Self::XCHACHA20_POLY1305,
    "aes" => Self::AES,
}

/// A width and a height.
impl Fingerprint for (u32, u32) {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.0.fingerprint(out);
        self.1.fingerprint(out);
    }
}

/// A colour, by its red, green and blue.
impl Fingerprint for [u8; 3] {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend(self);
    }
}

words! { CodeLanguage:
    "none" => Self::UNDEFINED,
    "c" => Self::C,
    "cpp" => Self::CPP,
    "cs" => Self::CS,
    "lua" => Self::LUA,
    "js" => Self::JS,
    "python" => Self::PYTHON,
    "rust" => Self::RUST,
    "zig" => Self::ZIG,
    "odin" => Self::ODIN,
    "jai" => Self::JAI,
    "gdscript" => Self::GDSCRIPT,
    "glsl" => Self::GLSL,
}

/// Declares an enum of this crate with a word for each value.
macro_rules! word_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident = $word:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$value_meta])* $value,)+ }

        words! { $name: $($word => Self::$value,)+ }
    };
}

pub(super) use {fingerprint_of_word, word_enum, words};

word_enum! {
    /// The stored form of a sound.
    #[derive(Default)]
    SoundStorage {
        /// Encoded sounds keep their source if they are of more than ten seconds, or smaller than their samples; all others become
        /// samples.
        #[default]
        Auto = "auto";
        /// Samples, ready to play.
        Pcm = "pcm";
        /// The bytes of the source file.
        Source = "source";
    }
}

word_enum! {
    /// The format of stored samples.
    SampleFormat {
        /// 8 bits, unsigned.
        U8 = "u8";
        /// 16 bits, signed.
        I16 = "i16";
        /// 32-bit float.
        F32 = "f32";
    }
}

word_enum! {
    /// What a sound is encoded as, with loss.
    SoundEncoding {
        /// Opus in Ogg.
        Opus = "opus";
        /// QOA: 3.2 bits a sample.
        Qoa = "qoa";
    }
}

word_enum! {
    /// The channels of a stored sound.
    SoundChannels {
        /// One.
        Mono = "mono";
        /// Two.
        Stereo = "stereo";
    }
}

impl SoundChannels {
    /// The number of channels.
    pub fn count(self) -> u32 {
        match self {
            Self::Mono => 1,
            Self::Stereo => 2,
        }
    }
}

word_enum! {
    /// What the stored form of assets is made for. It has nothing to do with Cargo's profiles.
    #[derive(Default)]
    Profile {
        /// A small pack. Building takes ten times as long.
        Size = "size";
        /// A pack that is smaller than the files and loads faster than they do.
        #[default]
        Balanced = "balanced";
        /// Fast loading.
        Speed = "speed";
    }
}

word_enum! {
    /// The filters of compression "filtered", and what compresses after them.
    Filters {
        /// All filters, and zstd.
        All = "all";
        /// Those that cost little time to undo, and LZ4.
        Fast = "fast";
    }
}

word_enum! {
    /// A reader that must be able to load the pack.
    Compat {
        /// The C implementation, `rres-raylib.h`.
        Raylib = "raylib";
    }
}

word_enum! {
    /// What the compiler or a build does about something that it finds.
    #[derive(Default)]
    LintLevel {
        /// Nothing.
        #[default]
        Allow = "allow";
        /// It warns.
        Warn = "warn";
        /// It reports an error and fails.
        Deny = "deny";
    }
}

word_enum! {
    /// The encoding of a text file.
    SourceEncoding {
        /// UTF-8.
        Utf8 = "utf8";
        /// UTF-8 that starts with a byte order mark.
        Utf8Bom = "utf8_bom";
        /// UTF-16, little-endian.
        Utf16Le = "utf16_le";
        /// UTF-16, big-endian.
        Utf16Be = "utf16_be";
        /// ISO 8859-1: each byte is the character of its number. Stored as UTF-8.
        Latin1 = "latin1";
        /// Windows code page 1252: Latin-1 with letters and punctuation in place of control characters. Stored as UTF-8.
        Windows1252 = "windows-1252";
    }
}

word_enum! {
    /// What a build does about files that it refuses: broken ones, links to nowhere, names that clash.
    ///
    /// A refused file that a build goes on without is not in the pack and has no constant, so a game that names it does not
    /// compile. The same holds for models that depend on it. Faults of the settings, budgets and the lock file fail every
    /// build.
    #[derive(Default)]
    RefusedFiles {
        /// The build fails.
        #[default]
        Deny = "deny";
        /// A debug build goes on without them and warns; a release build fails.
        DenyInRelease = "deny_in_release";
        /// The build goes on without them and warns.
        Warn = "warn";
    }
}

/// The language and region of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Culture {
    /// A tag such as `en-US` or `pt`.
    Tag(String),
    /// A Windows LCID, the number that rres stores: 0x0409 for `en-US`.
    Lcid(u32),
}

impl Culture {
    /// The language that a column of a table is for, by its name; `None` if that is not the tag of a known language, nor of a private one such as
    /// `x-pseudo`. `comment` and `context` are well-formed tags, too.
    pub fn of_column(name: &str) -> Option<LanguageTag> {
        let tag: LanguageTag = name.trim().replace('_', "-").parse().ok()?;
        let is_known = tag.as_str().starts_with("x-")
            || culture::is_language(tag.language())
            || Self::from(tag.language()).lcid().is_some();
        is_known.then_some(tag)
    }

    /// The Windows LCID; `None` for an unknown tag.
    pub fn lcid(&self) -> Option<u32> {
        match self {
            Self::Tag(tag) => culture::lcid(tag),
            Self::Lcid(code) => Some(*code),
        }
    }
}

impl From<&str> for Culture {
    fn from(tag: &str) -> Self {
        Self::Tag(tag.to_owned())
    }
}

impl Fingerprint for Culture {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.lcid().fingerprint(out);
    }
}

/// What a budget limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Bytes in the pack.
    #[default]
    Stored,
    /// Bytes that a graphics card allocates for the asset.
    VideoMemory,
}

/// An asset, as budgets count it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssetSize<'p> {
    /// Its path.
    pub path: &'p str,
    /// Bytes in the pack.
    pub stored: u64,
    /// Bytes that a graphics card allocates for it.
    pub video_memory: u64,
    /// The groups with a member that needs it, such as a sprite of the atlas that it is a page of.
    pub needed_by: Vec<&'p str>,
}

impl AssetSize<'_> {
    /// Returns the bytes that count.
    pub(crate) fn by(&self, measure: Measure) -> u64 {
        match measure {
            Measure::Stored => self.stored,
            Measure::VideoMemory => self.video_memory,
        }
    }
}

/// The assets that share a budget of the builder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BudgetFor {
    All,
    Glob(String),
    /// The members of a group.
    Group(String),
}
