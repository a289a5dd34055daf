//! What `rres.h` and `rres-raylib.h` cannot load, and why. A build follows these rules when it writes packs for C programs, and a
//! check of a pack for such programs uses the same rules.
//!
//! The rules come from [raysan5/rres](https://github.com/raysan5/rres) at commit `a81e2da` (2026-01-23) with raylib 6.0 as it is
//! configured by default. A fault that makes a pack unreadable for every program, such as a wrong CRC, is not a rule here.
//!
//! | function | checks |
//! |---|---|
//! | [`check_header`] | a chunk header |
//! | [`check_block`] | a decoded block by itself |
//! | [`check_resource`] | the chunks of a resource against each other |
//! | [`check_deflate`], [`check_qoi`] | compressed bytes |
//! | [`check_pack`] | the file and its directory |

#![forbid(unsafe_code)]

mod deflate;
mod pack;
mod payload;
mod resource;

use std::fmt;

use rres_format::ChunkInfo;
use rres_format::{Cipher, Compression};

pub use deflate::check_deflate;
pub use pack::check_pack;
pub use payload::{check_block, image_size};
pub use resource::{ResourceBlock, check_resource};

/// The largest size that the C code can hold, because it is an `int`: of a chunk, and on Windows of a file.
pub const MAX_SIZE: u64 = i32::MAX as u64;

/// The largest block that raylib's inflate can unpack, in bytes: with larger ones it writes beyond its buffer.
pub const MAX_INFLATED: u64 = 64 << 20;

/// The largest number of pixels that the QOI decoder accepts.
const MAX_QOI_PIXELS: u64 = 400_000_000;

/// Declares the reasons from a table.
macro_rules! reasons {
    ($( $reason:ident = $name:literal, $effect:literal, $build:literal, $help:literal; )*) => {
        /// Why the C readers cannot load something.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $( #[doc = $effect] $reason, )*
        }

        impl Reason {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$( Self::$reason ),*];

            /// Returns the name, on which scripts can rely.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$reason => $name, )*
                }
            }

            /// Returns what the C readers do, as a sentence without a full stop.
            pub const fn effect(self) -> &'static str {
                match self {
                    $( Self::$reason => $effect, )*
                }
            }

            /// Returns what a build with `compat = "raylib"` does instead.
            pub const fn build(self) -> &'static str {
                match self {
                    $( Self::$reason => $build, )*
                }
            }

            /// Returns what to do about it, as advice to the developer who builds the pack.
            pub const fn help(self) -> &'static str {
                match self {
                    $( Self::$reason => $help, )*
                }
            }
        }
    };
}

reasons! {
    FileSize = "file-size",
        "`rres.h` finds nothing beyond 2 GiB on Windows, where a `long` has 32 bits",
        "splits the packs",
        "lower `split` under [pack]";
    DirectoryOffset = "directory-offset",
        "`rres.h` counts the offset of the directory from the end of the file header, and finds none",
        "writes that offset",
        "write the pack again";
    DirectoryName = "directory-name",
        "`rres.h` copies the name into a buffer of 1,024 bytes, and beyond it",
        "refuses the path",
        "shorten the path, or set `paths = false` under [pack]";
    DirectoryOrder = "directory-order",
        "`rresGetResourceId` compares only the beginning of names, and returns the id of another resource",
        "sorts the names",
        "write the pack again";
    SharedChunks = "shared-chunks",
        "`rres.h` finds the resource by its name in the directory, and not by its id",
        "stores each copy",
        "build with `compat = \"raylib\"`";
    ChunkSize = "chunk-size",
        "`rres.h` reads sizes as `int`, and loads nothing",
        "refuses the asset",
        "split the file, or store its path with `kind = \"link\"`";
    ChunkKind = "chunk-kind",
        "`rres.h` does not know the kind of chunk, and loads nothing",
        "refuses the asset",
        "store the file as it is with `kind = \"raw\"`";
    Sprite = "sprite",
        "`rres.h` does not know sprites, and loads nothing",
        "refuses `image.atlas`",
        "remove `image.atlas`";
    Compression = "compression",
        "`rres-raylib.h` does not know the compression",
        "compresses with DEFLATE, or as the rules say",
        "set `compression` to \"deflate\", \"lz4\", \"qoi\" or \"none\"";
    Cipher = "cipher",
        "`rres-raylib.h` does not know the cipher",
        "refuses the value",
        "set `cipher` to \"xchacha20-poly1305\", \"aes\" or \"none\"";
    RawKey = "raw-key",
        "`rres-raylib.h` derives keys from passwords only",
        "refuses the key",
        "use a password, best of 16 bytes";
    PropertyCount = "property-count",
        "`rres-raylib.h` looks for compressed or encrypted data behind exactly 4 properties",
        "stores the chunk plain",
        "set `compression = \"none\"` and `cipher = \"none\"`";
    DeflateSize = "deflate-size",
        "raylib writes more than 64 MiB of decompressed data beyond its buffer",
        "compresses with LZ4 instead",
        "set `compression` to \"lz4\" or \"none\"";
    DeflateStream = "deflate-stream",
        "raylib decompresses the stream to something else",
        "writes no such stream",
        "compress the data with zlib";
    QoiTail = "qoi-tail",
        "`rres-raylib.h` fills the last 20 bytes of the image with what is in memory",
        "writes additional rows",
        "write the pack again";
    QoiSize = "qoi-size",
        "`rres-raylib.h` decodes no QOI image of more than 400 million pixels",
        "stores the image uncompressed",
        "set `compression` to \"lz4\" or \"none\"";
    MipLevels = "mip-levels",
        "`rres-raylib.h` returns an image without pixels",
        "refuses `image.mipmaps`; stores the first level of files that have several",
        "set `image.mipmaps = false`";
    PixelFormat = "pixel-format",
        "`rres-raylib.h` does not know the pixel format, and returns an image without pixels",
        "refuses the image",
        "set `image.format` to \"bc1\", \"bc3\" or an uncompressed format";
    ImageSize = "image-size",
        "`rres-raylib.h` expects another number of bytes, and returns an image without pixels",
        "refuses the image",
        "set `image.pad = \"block\"`, or `image.format` to an uncompressed format";
    ImageFile = "image-file",
        "raylib is compiled without a decoder for the file",
        "stores the pixels; refuses `image.store = \"source\"`",
        "set `image.store = \"pixels\"`, or `kind = \"raw\"` if your raylib decodes it";
    SoundFile = "sound-file",
        "raylib is compiled without a decoder for the file, or has none for the extension",
        "refuses the sound",
        "set `sound.store = \"pcm\"`, or `kind = \"raw\"` if your raylib decodes it";
    SampleFormat = "sample-format",
        "raylib plays samples of 8, 16 and 32 bits only",
        "stores such samples",
        "set `sound.sample` to \"u8\", \"i16\" or \"f32\"";
    SoundSize = "sound-size",
        "`rres-raylib.h` computes the size in bits in 32 bits, and returns less",
        "refuses the sound",
        "set `sound.store = \"source\"`, `sound.sample` or `sound.rate`, or split the sound";
    TextEncoding = "text-encoding",
        "`rres-raylib.h` returns the text up to the first zero byte",
        "converts the text to UTF-8",
        "write the pack again";
    TextZero = "text-zero",
        "C programs see the end of the text at the first zero byte",
        "refuses the text",
        "store the file with `kind = \"raw\"`";
    Extension = "extension",
        "`rres-raylib.h` reads the extension without an end",
        "leaves out an extension of more than 7 characters",
        "write the pack again";
    LinkEnd = "link-end",
        "`rres-raylib.h` reads the path without an end",
        "ends the path with a zero byte",
        "write the pack again";
    LinkLength = "link-length",
        "`rres-raylib.h` copies the path into a buffer of 2,048 bytes, behind the directory of the program",
        "refuses the link",
        "shorten the path";
    FontChunks = "font-chunks",
        "`LoadFontFromResource` expects a glyph table with its image linked to it",
        "writes these",
        "write the pack again";
    FontSizes = "font-sizes",
        "`LoadFontFromResource` loads the first size only",
        "refuses several sizes",
        "set `font.size` to one size";
    Primitives = "primitives",
        "`LoadMeshFromResource` loads the first primitive only",
        "refuses the model",
        "join the meshes of the model into one with one material, or store the file with `kind = \"raw\"`";
    Topology = "topology",
        "raylib draws meshes as triangles",
        "refuses the model",
        "export the model as triangles, or store the file with `kind = \"raw\"`";
    VertexFormat = "vertex-format",
        "`LoadMeshFromResource` leaves out the attribute",
        "leaves out the attribute",
        "build with `compat = \"raylib\"`";
    VertexCount = "vertex-count",
        "`LoadMeshFromResource` takes the number of vertices from the first chunk, and leaves out the attribute",
        "writes as many of each",
        "write the pack again";
    IndexFormat = "index-format",
        "`LoadMeshFromResource` leaves out indices that are not 16-bit numbers",
        "stores the vertices of each triangle",
        "build with `compat = \"raylib\"`";
    IndexFirst = "index-first",
        "`LoadMeshFromResource` takes the number of indices for the number of vertices",
        "puts the indices last",
        "write the pack again";
}

/// Something that the C readers cannot load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Why.
    pub reason: Reason,
    /// What was found, as the end of a sentence about the asset: `has 3 mip levels`.
    pub found: String,
}

impl Unreadable {
    fn new(reason: Reason, found: impl Into<String>) -> Self {
        Self { reason, found: found.into() }
    }
}

/// Formats what was found and what the C readers do about it.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.found, self.reason.effect())
    }
}

/// Checks the numbers in a chunk header.
pub fn check_header(info: &ChunkInfo) -> Option<Unreadable> {
    let largest = u64::from(info.packed_size.max(info.base_size));
    if largest > MAX_SIZE {
        return Some(Unreadable::new(Reason::ChunkSize, format!("has {largest} bytes")));
    }
    if !matches!(info.cipher, Cipher::NONE | Cipher::AES | Cipher::XCHACHA20_POLY1305) {
        return Some(Unreadable::new(Reason::Cipher, format!("is encrypted with {}", info.cipher)));
    }
    match info.compression {
        Compression::NONE | Compression::LZ4 | Compression::QOI => None,
        Compression::DEFLATE if u64::from(info.base_size) > MAX_INFLATED => {
            let found = format!("is a DEFLATE stream of {} bytes", info.base_size);
            Some(Unreadable::new(Reason::DeflateSize, found))
        }
        Compression::DEFLATE => None,
        other => Some(Unreadable::new(Reason::Compression, format!("is compressed with {other}"))),
    }
}

/// Checks the header of a QOI file that contains a block of `base_size` bytes.
pub fn check_qoi(file: &[u8], base_size: u32) -> Option<Unreadable> {
    let number = |at: usize| file.get(at..).and_then(|rest| rest.first_chunk().copied()).map(u32::from_be_bytes);
    let (Some(width), Some(height), Some(channels)) = (number(4), number(8), file.get(12)) else { return None };
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_QOI_PIXELS {
        return Some(Unreadable::new(Reason::QoiSize, format!("is a QOI image of {pixels} pixels")));
    }
    let missing = u64::from(base_size).saturating_sub(pixels * u64::from(*channels));
    (missing > 0)
        .then(|| Unreadable::new(Reason::QoiTail, format!("is a QOI image that lacks its last {missing} bytes")))
}

#[cfg(test)]
mod page;
#[cfg(test)]
mod tests;
