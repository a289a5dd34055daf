//! The types of values that settings accept, and the words for them.

use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::text::CodeLanguage;
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_format::{AssetKind, Cipher, Compression};

use super::culture;
use super::fingerprint::Fingerprint;

/// A type with a word for each of its values.
pub(crate) trait Word: Copy + PartialEq + 'static {
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

words! { PixelFormat:
    "gray8" => Self::GRAY8,
    "gray_alpha8" => Self::GRAY_ALPHA8,
    "rgb565" => Self::RGB565,
    "rgb8" => Self::RGB8,
    "rgba5551" => Self::RGBA5551,
    "rgba4444" => Self::RGBA4444,
    "rgba8" => Self::RGBA8,
    "r32f" => Self::R32F,
    "rgb32f" => Self::RGB32F,
    "rgba32f" => Self::RGBA32F,
}

/// The format of the pixels of a stored image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ImageFormat {
    /// Depth and alpha of the source.
    #[default]
    Keep,
    /// The nearest format that every GPU takes: three channels become four, and fewer than 8 bits become 8. One and two
    /// channels, four channels, and blocks stay as they are.
    Gpu,
    /// Blocks in the format that suits the picture: BC5 for normal maps, BC4 for masks, BC1 or BC7 for colours, BC6H for light in
    /// floats. Pixel art, small pictures, and what blocks would spoil is stored as [`Self::Gpu`] says.
    Block,
    /// The same with the blocks of phones: EAC for normal maps and masks, ETC2 for colours. Light in floats stays uncompressed.
    BlockEtc2,
    /// The same with ASTC, which newer phones have: 6×6 where that is good enough, otherwise 4×4. Light in floats stays uncompressed.
    BlockAstc,
    /// This format. Of the block formats [`PixelFormat::DXT1_RGB`] (BC1), [`PixelFormat::DXT5_RGBA`] (BC3), and
    /// [`PixelFormat::BC4`], [`PixelFormat::BC5`], [`PixelFormat::BC6H`], [`PixelFormat::BC7`],
    /// [`PixelFormat::ETC2_RGB`], [`PixelFormat::ETC2_EAC_RGBA`], [`PixelFormat::EAC_R11`], [`PixelFormat::EAC_RG11`],
    /// [`PixelFormat::ASTC_4X4_RGBA`], [`PixelFormat::ASTC_6X6_RGBA`] and [`PixelFormat::ASTC_8X8_RGBA`].
    Exact(PixelFormat),
}

impl ImageFormat {
    /// The format that pixels of `source` are stored in, or that blocks are made from.
    pub(crate) fn of(self, source: PixelFormat) -> PixelFormat {
        match (self, source) {
            (Self::Exact(PixelFormat::BC6H), _) => PixelFormat::RGBA32F,
            (Self::Exact(format), _) if format.pixel_block().is_some() => PixelFormat::RGBA8,
            (Self::Exact(format), _) => format,
            (Self::Block | Self::BlockEtc2 | Self::BlockAstc, PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8) => {
                PixelFormat::RGBA8
            }
            (Self::Block | Self::BlockEtc2 | Self::BlockAstc, source) => Self::Gpu.of(source),
            (Self::Gpu, PixelFormat::RGB8 | PixelFormat::RGB565) => PixelFormat::RGBA8,
            (Self::Gpu, PixelFormat::RGBA5551 | PixelFormat::RGBA4444) => PixelFormat::RGBA8,
            (Self::Gpu, PixelFormat::RGB32F) => PixelFormat::RGBA32F,
            (Self::Gpu | Self::Keep, source) => source,
        }
    }

    /// Whether pixels become blocks.
    pub(crate) fn is_blocks(self) -> bool {
        matches!(self, Self::Block | Self::BlockEtc2 | Self::BlockAstc)
            || self.exact().is_some_and(|format| format.pixel_block().is_some())
    }

    /// The format, if the setting names one.
    pub(crate) fn exact(self) -> Option<PixelFormat> {
        if let Self::Exact(format) = self { Some(format) } else { None }
    }
}

/// The block formats that there is an encoder for.
const BLOCKS: &[(&str, PixelFormat)] = &[
    ("bc1", PixelFormat::DXT1_RGB),
    ("bc3", PixelFormat::DXT5_RGBA),
    ("bc4", PixelFormat::BC4),
    ("bc5", PixelFormat::BC5),
    ("bc6h", PixelFormat::BC6H),
    ("bc7", PixelFormat::BC7),
    ("etc2", PixelFormat::ETC2_RGB),
    ("etc2_rgba", PixelFormat::ETC2_EAC_RGBA),
    ("eac_r11", PixelFormat::EAC_R11),
    ("eac_rg11", PixelFormat::EAC_RG11),
    ("astc_4x4", PixelFormat::ASTC_4X4_RGBA),
    ("astc_6x6", PixelFormat::ASTC_6X6_RGBA),
    ("astc_8x8", PixelFormat::ASTC_8X8_RGBA),
];

impl Word for ImageFormat {
    fn words() -> Vec<(&'static str, Self)> {
        let formats = PixelFormat::words().into_iter().map(|(word, format)| (word, Self::Exact(format)));
        let blocks = BLOCKS.iter().map(|(word, format)| (*word, Self::Exact(*format)));
        let chosen = [
            ("keep", Self::Keep),
            ("gpu", Self::Gpu),
            ("block", Self::Block),
            ("block_etc2", Self::BlockEtc2),
            ("block_astc", Self::BlockAstc),
        ];
        chosen.into_iter().chain(blocks).chain(formats).collect()
    }
}

fingerprint_of_word!(ImageFormat);

impl From<PixelFormat> for ImageFormat {
    fn from(format: PixelFormat) -> Self {
        Self::Exact(format)
    }
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
        #[non_exhaustive]
        pub enum $name { $($(#[$value_meta])* $value,)+ }

        words! { $name: $($word => Self::$value,)+ }
    };
}

word_enum! {
    /// The stored form of an image.
    #[derive(Default)]
    ImageStorage {
        /// The file of a lossy source (JPEG) if it is smaller than the stored pixels; pixels of all others.
        #[default]
        Auto = "auto";
        /// Pixels, ready to upload.
        Pixels = "pixels";
        /// The bytes of the source file.
        Source = "source";
    }
}

word_enum! {
    /// The pictures of an animated file that are stored.
    #[derive(Default)]
    ImageFrames {
        /// The first one.
        #[default]
        First = "first";
        /// All, side by side in one image.
        All = "all";
    }
}

word_enum! {
    /// Whether an image is followed by others, which are shown one after another in its place.
    #[derive(Default)]
    ImageSequence {
        /// It is not.
        #[default]
        None = "none";
        /// Shown again and again.
        Loop = "loop";
        /// Shown once; the last one stays.
        Once = "once";
        /// Shown to the last one and back, again and again.
        PingPong = "ping-pong";
    }
}

word_enum! {
    /// Pixels that are added to an image on the right and at the bottom.
    #[derive(Default)]
    ImagePadding {
        /// None.
        #[default]
        None = "none";
        /// Up to powers of two.
        PowerOfTwo = "pow2";
        /// Up to multiples of 4, the edge of the blocks of GPU formats.
        Block = "block";
    }
}

word_enum! {
    /// The normals of primitives that have none.
    #[derive(Default)]
    NormalMode {
        /// None.
        #[default]
        Keep = "keep";
        /// Averages of the triangles around a position.
        Smooth = "smooth";
        /// Those of each triangle.
        Flat = "flat";
    }
}

word_enum! {
    /// The tangents of primitives that have none.
    #[derive(Default)]
    TangentMode {
        /// None.
        #[default]
        Keep = "keep";
        /// Those of MikkTSpace.
        Generate = "generate";
    }
}

word_enum! {
    /// The format of positions.
    #[derive(Default)]
    PositionFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// 16-bit floats.
        F16 = "f16";
        /// Parts of the box of the mesh in 16 bits.
        Unorm16 = "unorm16";
    }
}

word_enum! {
    /// The format of normals and tangents.
    #[derive(Default)]
    NormalFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// From -1 to 1 in 16 bits.
        Snorm16 = "snorm16";
        /// From -1 to 1 in 8 bits.
        Snorm8 = "snorm8";
    }
}

word_enum! {
    /// The format of texture coordinates.
    #[derive(Default)]
    TexCoordFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// 16-bit floats.
        F16 = "f16";
        /// From 0 to 1 in 16 bits.
        Unorm16 = "unorm16";
    }
}

word_enum! {
    /// The format of the weights of joints.
    #[derive(Default)]
    WeightFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// From 0 to 1 in 16 bits.
        Unorm16 = "unorm16";
        /// From 0 to 1 in 8 bits.
        Unorm8 = "unorm8";
    }
}

word_enum! {
    /// The order of the bytes of a pixel.
    PixelOrder {
        /// Red, green, blue, alpha.
        Rgba = "rgba";
        /// Blue, green, red, alpha.
        Bgra = "bgra";
    }
}

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

/// The place of a variable font that is drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Variations {
    /// The instance with this name.
    Instance(String),
    /// The axes with these tags have these values, all others those of the file.
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

word_enum! {
    /// How long the encoder of blocks searches for the best ones.
    #[derive(Default)]
    BlockEffort {
        /// A look at each block.
        #[default]
        Fast = "fast";
        /// All modes of BC7, which takes 20 to 60 times as long.
        Best = "best";
    }
}

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
    pub(crate) fn count(self) -> u32 {
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
    /// What a build does with the source of a shader.
    ShaderImport {
        /// It stores the source as it is.
        Keep = "keep";
        /// It puts included files in their place, and makes a text of each stage.
        Preprocess = "preprocess";
        /// The same, and it validates the source and stores the interface of the shader.
        Validate = "validate";
    }
}

word_enum! {
    /// The stage of a shader in GLSL, whose source does not say it.
    GlslStage {
        /// A vertex shader.
        Vertex = "vertex";
        /// A fragment shader, also called pixel shader.
        Fragment = "fragment";
        /// A compute shader.
        Compute = "compute";
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

/// Declares the sets of characters that have a name.
macro_rules! char_sets {
    ($($(#[$meta:meta])* $set:ident = $word:literal;)+) => {
        /// A set of characters of a font.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
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
            pub(crate) const NAMED: &[(&str, Self)] = &[$(($word, Self::$set)),+];
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

/// The language and region of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Culture {
    /// A tag such as `en-US` or `pt`.
    Tag(String),
    /// A Windows LCID, the number that rres stores: 0x0409 for `en-US`.
    Lcid(u32),
}

impl Culture {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixel_formats_have_one_name_which_is_written_small_in_settings() {
        for (word, format) in PixelFormat::words() {
            assert_eq!(format.to_string().to_lowercase(), word);
        }
    }
}

/// The assets that share a budget of the builder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BudgetFor {
    All,
    Glob(String),
    /// The members of a group.
    Group(String),
}
