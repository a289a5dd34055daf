//! KTX of version 1 → pixels: blocks, among them ETC1 and PVRTC, which version 2 has no numbers of its own for, and pixels of 8 bits or
//! floats, with their mip levels.
//!
//! The file has numbers of OpenGL and of its writer's byte order. Each level begins with its size, and rows of pixels and faces of a cube
//! begin at multiples of 4 bytes.

use rres_format::chunk::image::{ImageProps, PixelFormat, level_edge};
use rres_import::Note;

use super::{Decoded, ImportError, checked_size, cubemap, refused, store_raw};

pub(super) const SIGNATURE: &[u8; 12] = b"\xabKTX 11\xbb\r\n\x1a\n";

/// The edge below which levels of PVRTC take the bytes of this edge, since its decoders blend neighbouring blocks.
const PVRTC_EDGE: u32 = 8;

/// Reads a file that begins with [`SIGNATURE`].
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Decoded, ImportError> {
    let mut file = File { rest: bytes.get(SIGNATURE.len()..).unwrap_or_default(), is_big_endian: false };
    file.is_big_endian = match file.word()? {
        0x0403_0201 => false,
        0x0102_0304 => true,
        _ => return Err(damaged("has no mark of its byte order")),
    };
    let [data_type, type_size, data_format, internal_format] = file.words()?;
    let [_, width, height, depth] = file.words()?;
    let [layers, faces, levels, pairs] = file.words()?;
    let pairs = file.take(pairs as usize, "its keys and values")?;
    refuse_shapes(depth, layers, is_upside_down(pairs, file.is_big_endian), name)?;
    let (format, is_srgb) = pixel_format(data_type, data_format, internal_format).ok_or_else(|| {
        let what =
            format!("is a KTX with the format {internal_format:#06x} of OpenGL, which rres has no pixel format for");
        let help = format!(
            "export it as BC1 to BC7, ETC, ASTC, PVRTC of 4 bits, floats or 8-bit RGBA, or {}",
            store_raw(name)
        );
        ImportError::new(what).with_help(help)
    })?;
    let faces = match faces {
        0 | 1 => 1,
        6 => 6,
        other => return Err(damaged(format!("has {other} faces, expected 1 or 6"))),
    };
    let mut props = ImageProps { width, height, format, mipmaps: levels.max(1) };
    checked_size(&props)?;
    let mut read = vec![Vec::new(); faces];
    for level in 0..props.mipmaps {
        let (width, height) = (level_edge(width, level), level_edge(height, level));
        let stored = file.word()? as usize;
        if level > 0 && is_padded(format, width, height, stored) {
            props.mipmaps = level;
            break;
        }
        for face in &mut read {
            let pixels = file.take(stored, format_args!("level {level}"))?;
            let (row, rows) = (format.bytes_per_row(width).unwrap_or_default() as usize, format.rows(height) as usize);
            // Blocks have 8 or 16 bytes, so they need no padding.
            let padded = row.next_multiple_of(4);
            if stored != padded * rows {
                return Err(damaged(format!("has a level {level} of {stored} bytes, expected {}", padded * rows)));
            }
            pixels.chunks_exact(padded).for_each(|pixels| face.extend_from_slice(&pixels[..row]));
            file.skip_padding(stored);
        }
    }
    let faces = read.iter_mut().map(|pixels| -> Result<_, ImportError> {
        if file.is_big_endian && type_size == 4 {
            pixels.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        }
        let mut face = Decoded::zeroed(props)?;
        face.data_mut().copy_from_slice(pixels);
        Ok(face)
    });
    let mut faces = faces.collect::<Result<Vec<_>, _>>()?;
    let mut out = if faces.len() == 1 { faces.remove(0) } else { cubemap::of_texture_faces(&faces)? };
    // The file does not say whether the colours of formats without sRGB are linear. They are not for most pictures.
    out.linear = !is_srgb && format.is_always_linear();
    if props.mipmaps < levels {
        let left_out = levels - props.mipmaps;
        out.notes.push(
            Note::new(
                "levels of PVRTC smaller than 8×8 pixels are left out, since packs have them in whole blocks only",
            )
            .with_detail(format!("{left_out} of {levels}")),
        );
    }
    Ok(out)
}

/// The rest of a file, read in its byte order.
struct File<'a> {
    rest: &'a [u8],
    is_big_endian: bool,
}

impl<'a> File<'a> {
    fn word(&mut self) -> Result<u32, ImportError> {
        let (word, rest) = self.rest.split_first_chunk().ok_or_else(|| damaged("ends within its header or a size"))?;
        self.rest = rest;
        Ok(if self.is_big_endian { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) })
    }

    fn words<const N: usize>(&mut self) -> Result<[u32; N], ImportError> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.word()?;
        }
        Ok(words)
    }

    fn take(&mut self, size: usize, what: impl std::fmt::Display) -> Result<&'a [u8], ImportError> {
        let found = self.rest.len();
        let ends = || damaged(format!("ends within {what}: {found} bytes are left, expected {size}"));
        let (taken, rest) = self.rest.split_at_checked(size).ok_or_else(ends)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Skips to the next multiple of 4 after `size` bytes. Writers may leave the last padding out.
    fn skip_padding(&mut self, size: usize) {
        let padding = size.next_multiple_of(4) - size;
        self.rest = self.rest.get(padding..).unwrap_or_default();
    }
}

/// Whether a level of PVRTC has the size of 8×8 pixels, as drivers expect, in place of the whole blocks that packs have.
fn is_padded(format: PixelFormat, width: u32, height: u32, stored: usize) -> bool {
    let is_pvrtc = matches!(format, PixelFormat::PVRT_RGB | PixelFormat::PVRT_RGBA);
    let padded = format.level_size(width.max(PVRTC_EDGE), height.max(PVRTC_EDGE));
    is_pvrtc && format.level_size(width, height) != padded && padded == Some(stored as u64)
}

/// The pixel format of a file, and whether its numbers are in sRGB.
fn pixel_format(data_type: u32, data_format: u32, internal_format: u32) -> Option<(PixelFormat, bool)> {
    const BYTES: u32 = 0x1401;
    const FLOATS: u32 = 0x1406;
    const SRGB: [u32; 2] = [0x8c41, 0x8c43];
    let format = match (data_type, data_format) {
        // Blocks.
        (0, 0) => {
            let known = PixelFormat::from_gl_internal_format(internal_format);
            return known.filter(|(format, _)| format.pixel_block().is_some());
        }
        // Red, or luminance.
        (BYTES, 0x1903 | 0x1909) => PixelFormat::GRAY8,
        (BYTES, 0x190a) => PixelFormat::GRAY_ALPHA8,
        (BYTES, 0x1907) => PixelFormat::RGB8,
        (BYTES, 0x1908) => PixelFormat::RGBA8,
        (FLOATS, 0x1903 | 0x1909) => PixelFormat::R32F,
        (FLOATS, 0x1907) => PixelFormat::RGB32F,
        (FLOATS, 0x1908) => PixelFormat::RGBA32F,
        _ => return None,
    };
    Some((format, SRGB.contains(&internal_format)))
}

/// Refuses what is more than one picture, or upside down.
fn refuse_shapes(depth: u32, layers: u32, is_upside_down: bool, name: &str) -> Result<(), ImportError> {
    let what = match () {
        () if depth > 1 => "a volume, which is read of a KTX2 or a DDS only",
        () if layers > 0 => "an array of images, which is read of a KTX2 or a DDS only",
        () if is_upside_down => "rows from the bottom to the top, and rres has them from the top",
        () => return Ok(()),
    };
    Err(refused("KTX", what, name))
}

/// Whether the pairs of keys and values say that the first row is the lowest one. Without a word the first row is the highest one, as readers
/// of Khronos take it.
fn is_upside_down(pairs: &[u8], is_big_endian: bool) -> bool {
    let mut file = File { rest: pairs, is_big_endian };
    while let Ok(size) = file.word() {
        let Ok(pair) = file.take(size as usize, "") else { break };
        if let Some(value) = pair.strip_prefix(b"KTXorientation\0") {
            return value.windows(3).any(|part| part == b"T=u");
        }
        file.skip_padding(size as usize);
    }
    false
}

fn damaged(what: impl std::fmt::Display) -> ImportError {
    ImportError::damaged(format!("is a damaged KTX: it {what}"))
}
