//! KTX → pixels: blocks and their mip levels are kept, and so are uncompressed pixels that rres has a format for. Other floats of KTX2
//! become floats of 32 bits, and Basis Universal is decoded to RGBA8.

#[cfg(feature = "gpu")]
mod basis;
mod floats;
mod version1;

use std::io::Read;

use ::ktx2::{Format, Reader, SupercompressionScheme, TransferFunction};
use rres_format::chunk::image::{ImageProps, PixelFormat, level_edge};
use rres_format::index::ImageShape;
use rres_format::{Compression, Decompressor};

use self::floats::Floats;
use super::{Decoded, ImportError, checked_size, cubemap, layers};

/// Reads a KTX file of either version.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Decoded, ImportError> {
    if bytes.starts_with(version1::SIGNATURE) {
        return version1::read(bytes, name);
    }
    let file = open(bytes)?;
    let header = file.header();
    refuse_shapes(&file, name)?;
    if let Some(codec) = Basis::of(&file) {
        return read_basis(&file, codec, name);
    }
    let unknown = || {
        let format = header.format.map_or("a format without a number".to_owned(), |format| format!("{format:?}"));
        ImportError::new(format!("is a KTX2 with {format}, which rres has no pixel format for"))
            .with_help(format!("export it as BC1 to BC7, ETC2, ASTC, floats or 8-bit RGBA, or {}", store_raw(name)))
    };
    let floats = header.format.and_then(|format| Floats::of(format.value()));
    let of_floats = floats.map(|floats| (floats.format(), false));
    let (format, is_srgb) = of_floats.or_else(|| header.format.and_then(pixel_format)).ok_or_else(unknown)?;
    let props = ImageProps {
        width: header.pixel_width,
        height: header.pixel_height,
        format,
        mipmaps: header.level_count.max(1),
    };
    let shape = shape_of(&file);
    let count = layers::check_count(shape.layers().into())?;
    checked_size(&props)?;
    // All together must fit, too.
    layers::checked_stack(props, count)?;
    let levels = props.mipmaps;
    let props = ImageProps { mipmaps: if matches!(shape, ImageShape::Volume(_)) { 1 } else { levels }, ..props };
    let count = count as usize;
    let mut faces = (0..count).map(|_| Decoded::zeroed(props)).collect::<Result<Vec<_>, _>>()?;
    let mut start = 0;
    let mut level_of_all = Vec::new();
    for (level, stored) in (0..props.mipmaps).zip(file.levels()) {
        let size = format.level_size(level_edge(props.width, level), level_edge(props.height, level));
        // The sum of the sizes was checked.
        let size = size.unwrap_or(0) as usize;
        let failed = |what| ImportError::damaged(format!("is a KTX2 whose level {level} {what}"));
        if let Some(floats) = floats {
            let pixels = size / format.bytes_per_pixel().unwrap_or(1) as usize;
            let stored_size = pixels * floats.bytes_per_pixel();
            level_of_all.resize(stored_size * count, 0);
            fill(&mut level_of_all, stored.data, header.supercompression_scheme).map_err(failed)?;
            for (face, from) in faces.iter_mut().zip(level_of_all.chunks_exact(stored_size)) {
                floats.widen(from, &mut face.data_mut()[start..][..size]);
            }
        } else if let [picture] = &mut faces[..] {
            let to = &mut picture.data_mut()[start..][..size];
            fill(to, stored.data, header.supercompression_scheme).map_err(failed)?;
        } else {
            // A level has its faces, layers or slices one after another.
            level_of_all.resize(size * count, 0);
            fill(&mut level_of_all, stored.data, header.supercompression_scheme).map_err(failed)?;
            for (face, from) in faces.iter_mut().zip(level_of_all.chunks_exact(size)) {
                face.data_mut()[start..][..size].copy_from_slice(from);
            }
        }
        start += size;
    }
    let mut out = match shape {
        _ if count == 1 => faces.remove(0),
        ImageShape::Cube => cubemap::of_texture_faces(&faces)?,
        _ => layers::of_texture_layers(&faces, shape)?,
    };
    if matches!(shape, ImageShape::Volume(_)) {
        out.notes.extend(layers::left_out_levels(levels));
    }
    out.linear = !is_srgb && (format.is_always_linear() || file.transfer_function() == Some(TransferFunction::Linear));
    out.premultiplied = file.is_alpha_premultiplied() == Some(true);
    Ok(out)
}

/// Parses all but the levels.
fn open(bytes: &[u8]) -> Result<Reader<&[u8]>, ImportError> {
    if has_huge_blocks(bytes) {
        return Err(ImportError::damaged("is a damaged KTX2: its descriptor has blocks that are 256 pixels wide"));
    }
    Reader::new(bytes).map_err(|e| ImportError::damaged(format!("is a damaged KTX2: {e}")))
}

/// Whether a descriptor has blocks with an edge of 256, for which the reader panics. No format has such blocks.
fn has_huge_blocks(bytes: &[u8]) -> bool {
    let word = |bytes: &[u8], at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let find = || {
        let (start, len) = (word(bytes, 48)? as usize, word(bytes, 52)? as usize);
        // The size of all descriptors comes first.
        let mut rest = bytes.get(start..)?.get(4..len)?;
        loop {
            // Who defined it and its kind, then its version and its size. The basic one of Khronos has 0.
            let (kind, size) = (word(rest, 0)?, (word(rest, 4)? >> 16) as usize);
            if kind == 0 && rest.get(12..16)?.contains(&u8::MAX) {
                return Some(());
            }
            rest = rest.get(size.max(8)..)?;
        }
    };
    find().is_some()
}

/// Copies or decompresses a level.
fn fill(to: &mut [u8], stored: &[u8], scheme: Option<SupercompressionScheme>) -> Result<(), String> {
    match scheme {
        None if stored.len() == to.len() => to.copy_from_slice(stored),
        None => return Err(format!("has {} bytes, expected {}", stored.len(), to.len())),
        Some(SupercompressionScheme::Zstandard) => Decompressor::default()
            .decompress(Compression::ZSTD, stored, to)
            .map_err(|e| format!("cannot be decompressed: {e}"))?,
        Some(SupercompressionScheme::ZLIB) => inflate(to, stored)?,
        Some(scheme) => return Err(format!("is compressed with {scheme:?}, expected nothing, Zstandard or zlib")),
    }
    Ok(())
}

/// Decompresses a stream of zlib that must have as many bytes as `to`.
fn inflate(to: &mut [u8], stored: &[u8]) -> Result<(), String> {
    let mut stream = flate2::read::ZlibDecoder::new(stored);
    stream.read_exact(to).map_err(|e| format!("cannot be decompressed to {} bytes: {e}", to.len()))?;
    match stream.read(&mut [0]) {
        Ok(0) => Ok(()),
        Ok(_) => Err(format!("has more than the expected {} bytes", to.len())),
        Err(e) => Err(format!("cannot be decompressed: {e}")),
    }
}

/// A codec of Basis Universal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    Etc1s,
    Uastc,
    /// What no reader has to know, by its name.
    Other(&'static str),
}

impl Basis {
    /// The codec of a file, by the colour model of its descriptor.
    fn of(file: &Reader<&[u8]>) -> Option<Self> {
        Some(match file.color_model().map(|model| model.value()) {
            Some(163) => Self::Etc1s,
            Some(166) => Self::Uastc,
            Some(167) => Self::Other("UASTC HDR 4×4"),
            Some(168) => Self::Other("UASTC HDR 6×6"),
            Some(169) => Self::Other("XUASTC"),
            Some(170) => Self::Other("XUBC7"),
            _ if file.header().supercompression_scheme == Some(SupercompressionScheme::BasisLZ) => {
                Self::Other("BasisLZ without a codec")
            }
            _ => return None,
        })
    }
}

/// Reads a file of Basis Universal.
fn read_basis(file: &Reader<&[u8]>, codec: Basis, name: &str) -> Result<Decoded, ImportError> {
    if let Basis::Other(what) = codec {
        let error = ImportError::new(format!("is a KTX2 in {what}, expected ETC1S or UASTC of Basis Universal"));
        return Err(error.with_help(format!("use the picture that it was made from, or {}", store_raw(name))));
    }
    if file.key_value_data().any(|(key, _)| key == "KTXanimData") {
        let error = ImportError::new("is a KTX2 with a video, and an rres image is one picture");
        return Err(error.with_help(format!("export single pictures, or {}", store_raw(name))));
    }
    let header = file.header();
    let props = ImageProps {
        width: header.pixel_width,
        height: header.pixel_height,
        format: PixelFormat::RGBA8,
        mipmaps: header.level_count.max(1),
    };
    let mut out = decode_basis(file, codec, Decoded::zeroed(props)?)?;
    out.linear = file.transfer_function() == Some(TransferFunction::Linear);
    out.premultiplied = file.is_alpha_premultiplied() == Some(true);
    Ok(out)
}

#[cfg(feature = "gpu")]
fn decode_basis(file: &Reader<&[u8]>, codec: Basis, out: Decoded) -> Result<Decoded, ImportError> {
    if codec == Basis::Etc1s { basis::read_etc1s(file, out) } else { basis::read_uastc(file, out) }
}

#[cfg(not(feature = "gpu"))]
fn decode_basis(_: &Reader<&[u8]>, _: Basis, _: Decoded) -> Result<Decoded, ImportError> {
    let error = ImportError::new("is a KTX2 in Basis Universal, and the feature `gpu` of rres-build is disabled");
    Err(error.with_help(
        "enable it with `cargo add --build rres-build --features gpu`, or use the PNG that it was made from",
    ))
}

/// The size of the pixels of a file of Basis Universal in bytes, according to its header; `None` for other files.
pub(super) fn decoded_size(bytes: &[u8]) -> Option<u64> {
    let file = open(bytes).ok()?;
    Basis::of(&file)?;
    let header = file.header();
    // All levels have up to a third more than the first one.
    Some((u64::from(header.pixel_width) * u64::from(header.pixel_height)).saturating_mul(6))
}

/// What the pictures of a file are.
fn shape_of(file: &Reader<&[u8]>) -> ImageShape {
    let header = file.header();
    if header.face_count == 6 {
        ImageShape::Cube
    } else if header.pixel_depth > 1 {
        ImageShape::Volume(header.pixel_depth)
    } else if header.layer_count > 1 {
        ImageShape::Array(header.layer_count)
    } else {
        ImageShape::Flat
    }
}

/// Refuses several cubemaps, what is in Basis Universal and more than one picture, and what is upside down.
fn refuse_shapes(file: &Reader<&[u8]>, name: &str) -> Result<(), ImportError> {
    let header = file.header();
    let is_upside_down = || {
        let orientation = file.key_value_data().find(|(key, _)| *key == "KTXorientation");
        orientation.is_some_and(|(_, value)| !value.starts_with(b"rd"))
    };
    let is_basis = Basis::of(file).is_some();
    let what = if header.face_count > 1 && is_basis {
        "a cubemap in Basis Universal, which is not decoded"
    } else if header.pixel_depth > 1 && is_basis {
        "a volume in Basis Universal, which is not decoded"
    } else if header.layer_count > 1 && is_basis {
        "an array in Basis Universal, which is not decoded"
    } else if header.layer_count > 1 && (header.face_count > 1 || header.pixel_depth > 1) {
        "several cubemaps or volumes, and an rres image is one of them"
    } else if is_upside_down() {
        "rows from the bottom to the top, and rres has them from the top"
    } else {
        return Ok(());
    };
    Err(refused("KTX2", what, name))
}

/// The error for files that are not one picture from its top to its bottom.
fn refused(file: &str, what: &str, name: &str) -> ImportError {
    let help = format!("export single pictures with the first row at the top, or {}", store_raw(name));
    ImportError::new(format!("is a {file} with {what}")).with_help(help)
}

fn store_raw(name: &str) -> String {
    format!("store it as it is with kind = \"raw\" under [\"{name}\"] in assets.toml")
}

/// The format with this number in Vulkan, and whether it is in sRGB.
fn pixel_format(format: Format) -> Option<(PixelFormat, bool)> {
    let number = format.value();
    // Formats with both have the one in sRGB second.
    let (linear, is_srgb) = match number {
        15 | 29 | 43 => (number - 6, true),
        132 | 134 | 136 | 138 | 146 | 148 | 150 | 152 => (number - 1, true),
        157..=184 => (number - (number + 1) % 2, number.is_multiple_of(2)),
        1_000_054_005 => (number - 4, true),
        _ => (number, false),
    };
    let format = match linear {
        9 => PixelFormat::GRAY8,
        23 => PixelFormat::RGB8,
        37 => PixelFormat::RGBA8,
        100 => PixelFormat::R32F,
        106 => PixelFormat::RGB32F,
        109 => PixelFormat::RGBA32F,
        131 => PixelFormat::DXT1_RGB,
        133 => PixelFormat::DXT1_RGBA,
        135 => PixelFormat::DXT3_RGBA,
        137 => PixelFormat::DXT5_RGBA,
        147 => PixelFormat::ETC2_RGB,
        151 => PixelFormat::ETC2_EAC_RGBA,
        157 => PixelFormat::ASTC_4X4_RGBA,
        171 => PixelFormat::ASTC_8X8_RGBA,
        // PVRTC of 4 bits, whose number does not say whether it has alpha. The one in sRGB is 4 higher.
        1_000_054_001 => PixelFormat::PVRT_RGBA,
        // The numbers of ours follow from the numbers of Vulkan.
        _ => PixelFormat(linear.saturating_add(1000)),
    };
    format.name().map(|_| (format, is_srgb))
}
