//! What one asset is imported with: plain data, one struct per kind of asset, every field with its default.
//!
//! The rules file and the rules of `build.rs` both end here, and importers read nothing else.

use rres_format::{AssetKind, ResourceId};

/// What one asset is imported with, after all rules that match it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// What the file becomes. `None`: by extension and content.
    pub kind: Option<AssetKind>,
    /// The id instead of the one that follows from the path. Never [`ResourceId::NONE`] when it comes from a file.
    pub id: Option<ResourceId>,
    /// The name of the constant instead of the one that follows from the path.
    pub rename: Option<String>,
    /// The file is not an asset at all. Default: `false`.
    pub ignore: bool,
    /// How the stored form is compressed, where that pays. `None`: as the pack.
    pub compression: Option<Compression>,
    /// The level of the compressor. `None`: the pack's if it uses the same compressor, else the compressor's default.
    pub level: Option<i32>,
    /// Used when the asset is an image, or holds images.
    pub image: ImageSettings,
    /// Used when the asset is a sound.
    pub sound: SoundSettings,
    /// Used when the asset is a font.
    pub font: FontSettings,
    /// Used when the asset is text.
    pub text: TextSettings,
}

/// How images are stored and sampled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageSettings {
    /// The format of the stored pixels. `None`: the format that keeps the depth and the alpha of the source.
    pub format: Option<PixelFormatChoice>,
    /// Store smaller copies down to one pixel. Default: `false`.
    pub mipmaps: bool,
    /// Multiply colour by alpha. Default: `false`.
    pub premultiply: bool,
    /// How the image is sampled between pixels.
    pub filter: Filter,
    /// How the image is sampled outside its edges.
    pub wrap: Wrap,
    /// What the numbers of the colour channels mean.
    pub color_space: ColorSpace,
}

/// How sounds are stored and played.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SoundSettings {
    /// Samples, or the source file as it is.
    pub store: SoundStore,
    /// The format of the stored samples. `None`: the depth of the source.
    pub sample: Option<SampleFormat>,
    /// Volume change in decibels, for the player; the samples stay as they are. Default: 0.
    pub gain: f32,
    /// The sound is meant to start again at its end. Key `loop`. Default: `false`.
    pub looped: bool,
}

/// Which glyphs of a font are drawn, and how large.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FontSettings {
    /// Heights in pixels, one atlas each. Default: `[32]`.
    pub size: Vec<u32>,
    /// The characters that get glyphs. Default: ASCII.
    pub chars: Vec<CharSet>,
    /// Empty pixels around each glyph of the atlas. Default: 2.
    pub padding: u32,
}

impl Default for FontSettings {
    fn default() -> Self {
        Self { size: vec![32], chars: vec![CharSet::Ascii], padding: 2 }
    }
}

/// What the bytes of a text are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextSettings {
    /// The language and region as a Windows LCID, the way rres stores it: `en-US` is 0x0409. `None`: any.
    pub culture: Option<u32>,
    /// The encoding of the file, which is stored as it is. `None`: by its byte order mark, else UTF-8.
    pub encoding: Option<TextEncoding>,
    /// The programming language. `None`: by extension.
    pub lang: Option<CodeLang>,
}

/// A setting with a fixed list of words.
pub(super) trait Choice: Copy + 'static {
    const VALUES: &'static [Self];
    fn word(self) -> &'static str;
}

impl Choice for AssetKind {
    const VALUES: &'static [Self] = Self::ALL;
    fn word(self) -> &'static str {
        self.name()
    }
}

/// Declares an enum whose values have one word each, and a number that is stable in cache keys.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $number:literal, $word:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum $name { $($(#[$doc])* $value = $number,)+ }

        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The word used in settings and messages.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $word,)+ }
            }

            /// The value with the name `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl Choice for $name {
            const VALUES: &'static [Self] = Self::ALL;
            fn word(self) -> &'static str {
                self.name()
            }
        }
    };
}

choice! {
    /// A compressor, or none.
    Compression {
        /// Stored as it is.
        None = 0, "none";
        /// zlib's, read by every rres reader.
        Deflate = 10, "deflate";
        /// Fastest to read.
        Lz4 = 20, "lz4";
        /// Lossless, for 8-bit images only.
        Qoi = 40, "qoi";
        /// Smallest; readers other than ours do not know it.
        Zstd = 50, "zstd";
    }
}

choice! {
    /// A format of stored pixels. The number is the one rres uses.
    PixelFormatChoice {
        /// 8 bits of grey.
        Gray8 = 1, "gray8";
        /// 8 bits of grey, 8 of alpha.
        GrayAlpha8 = 2, "gray_alpha8";
        /// 16 bits, no alpha.
        Rgb565 = 3, "rgb565";
        /// 24 bits, no alpha.
        Rgb8 = 4, "rgb8";
        /// 16 bits, 1 of them alpha.
        Rgba5551 = 5, "rgba5551";
        /// 16 bits, 4 of them alpha.
        Rgba4444 = 6, "rgba4444";
        /// 32 bits, 8 of them alpha.
        Rgba8 = 7, "rgba8";
        /// One 32-bit float.
        R32F = 8, "r32f";
        /// Three 32-bit floats.
        Rgb32F = 9, "rgb32f";
        /// Four 32-bit floats.
        Rgba32F = 10, "rgba32f";
    }
}

choice! {
    /// How an image is sampled between pixels.
    #[derive(Default)]
    Filter {
        /// Blend neighbours.
        #[default]
        Linear = 0, "linear";
        /// Take the nearest pixel, for pixel art.
        Nearest = 1, "nearest";
    }
}

choice! {
    /// How an image is sampled outside its edges.
    #[derive(Default)]
    Wrap {
        /// The pixel at the edge goes on.
        #[default]
        Clamp = 0, "clamp";
        /// The image starts again.
        Repeat = 1, "repeat";
        /// The image goes back and forth.
        Mirror = 2, "mirror";
    }
}

choice! {
    /// What the numbers of the colour channels mean.
    #[derive(Default)]
    ColorSpace {
        /// Colours for the eye: sprites, albedo.
        #[default]
        Srgb = 0, "srgb";
        /// Quantities: normals, masks, heights.
        Linear = 1, "linear";
    }
}

choice! {
    /// The stored form of a sound.
    #[derive(Default)]
    SoundStore {
        /// Long encoded sounds keep their source, the rest become samples.
        #[default]
        Auto = 0, "auto";
        /// Samples, ready to play.
        Pcm = 1, "pcm";
        /// The bytes of the file.
        Source = 2, "source";
    }
}

choice! {
    /// The format of stored samples.
    SampleFormat {
        /// 8 bits, unsigned.
        U8 = 1, "u8";
        /// 16 bits, signed.
        I16 = 2, "i16";
        /// 32-bit float.
        F32 = 3, "f32";
    }
}

choice! {
    /// The encoding of a text. The number is the one rres uses.
    TextEncoding {
        /// UTF-8 without a byte order mark.
        Utf8 = 1, "utf8";
        /// UTF-8 with a byte order mark.
        Utf8Bom = 2, "utf8_bom";
        /// UTF-16, low byte first.
        Utf16Le = 10, "utf16_le";
        /// UTF-16, high byte first.
        Utf16Be = 11, "utf16_be";
    }
}

choice! {
    /// A programming language. The number is the one rres uses.
    CodeLang {
        /// None: plain text.
        Undefined = 0, "none";
        /// C.
        C = 1, "c";
        /// C++.
        Cpp = 2, "cpp";
        /// C#.
        Cs = 3, "cs";
        /// Lua.
        Lua = 4, "lua";
        /// JavaScript.
        Js = 5, "js";
        /// Python.
        Python = 6, "python";
        /// Rust.
        Rust = 7, "rust";
        /// Zig.
        Zig = 8, "zig";
        /// Odin.
        Odin = 9, "odin";
        /// Jai.
        Jai = 10, "jai";
        /// GDScript.
        GdScript = 11, "gdscript";
        /// GLSL.
        Glsl = 12, "glsl";
    }
}

choice! {
    /// Readers that a pack is restricted to.
    Compat {
        /// What `rres-raylib.h` implements.
        Raylib = 1, "raylib";
    }
}

/// A set of characters of a font.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CharSet {
    /// U+0020 to U+007E.
    Ascii,
    /// ASCII, the accented letters of European languages, and typographic punctuation.
    Latin,
    /// Greek letters with accents.
    Greek,
    /// Cyrillic letters.
    Cyrillic,
    /// The characters of this string.
    Text(String),
}
