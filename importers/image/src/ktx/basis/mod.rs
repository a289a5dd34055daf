//! Basis Universal in a KTX2 → RGBA8: ETC1S and UASTC, level by level.
//!
//! Both are decoded exactly as the reference transcoder decodes them to RGBA32. Blocks of a GPU format are made of these
//! pixels like of any others.

mod bits;
mod codebooks;
mod huffman;
mod modes;
mod slice;
mod uastc;

use ::ktx2::{Reader, SupercompressionScheme};
use rres_format::chunk::image::{ImageProps, level_edge};

use self::codebooks::{Codebooks, Streams};
use super::{Decoded, ImportError, fill};

/// What is wrong with the data of a file, as the rest of a sentence that begins with it.
type Damage = &'static str;

/// The pixels of a block, row by row.
type Texels = [[u8; 4]; 16];

/// Width and height of a block.
const EDGE: usize = 4;

/// The size of the head of the global data of ETC1S, and of the description of an image in it.
const HEAD: usize = 20;
const IMAGE: usize = 20;

/// The flag of an image that is the difference from the one before.
const IS_DIFFERENCE: u32 = 2;

/// What the second channel of a file with two is, by the numbers of its descriptor: green instead of alpha.
const ETC1S_GREEN: u8 = 4;
const UASTC_RED_GREEN: u8 = 5;

/// Decodes all levels of ETC1S.
pub(super) fn read_etc1s(file: &Reader<&[u8]>, mut out: Decoded) -> Result<Decoded, ImportError> {
    if file.header().supercompression_scheme != Some(SupercompressionScheme::BasisLZ) {
        return Err(damaged("has ETC1S without the compression of Basis Universal"));
    }
    let samples = file.basic_dfd().map(|descriptor| &*descriptor.sample_information).unwrap_or_default();
    let global = file.supercompression_global_data();
    let (books, images) = read_global(global, file.levels().len()).map_err(damaged)?;
    let mut images = images.chunks_exact(IMAGE);
    for_each_level(&mut out, |level, size, pixels| {
        let image = images.next().ok_or(SHORT)?;
        let data = file.levels().nth(level).map(|level| level.data).unwrap_or_default();
        if word(image, 0)? & IS_DIFFERENCE != 0 {
            return Err("is a part of a video");
        }
        let blocks = (size.0.div_ceil(EDGE), size.1.div_ceil(EDGE));
        // The second slice has the alpha, as a gray of its own.
        for channel in 0..samples.len().clamp(1, 2) {
            let (start, len) = (word(image, 4 + 8 * channel)? as usize, word(image, 8 + 8 * channel)? as usize);
            let stream = data.get(start..).and_then(|rest| rest.get(..len)).ok_or("has a slice beyond its end")?;
            slice::decode(&books, stream, blocks, |x, y, colors, pattern| {
                draw(pixels, size, (x, y), |texel, pixel| {
                    let [red, green, blue] = colors[usize::from(pattern[texel / EDGE] >> (2 * (texel % EDGE)) & 3)];
                    *pixel =
                        if channel == 0 { [red, green, blue, u8::MAX] } else { [pixel[0], pixel[1], pixel[2], green] };
                });
            })?;
        }
        Ok(())
    })?;
    if samples.get(1).is_some_and(|sample| sample.channel_type == ETC1S_GREEN) {
        alpha_to_green(&mut out);
    }
    Ok(out)
}

/// Decodes all levels of UASTC.
pub(super) fn read_uastc(file: &Reader<&[u8]>, mut out: Decoded) -> Result<Decoded, ImportError> {
    let scheme = file.header().supercompression_scheme;
    let mut failure = None;
    let mut levels = file.levels();
    let decoded = for_each_level(&mut out, |level, size, pixels| {
        let (across, down) = (size.0.div_ceil(EDGE), size.1.div_ceil(EDGE));
        let mut blocks = vec![0; across * down * 16];
        let stored = levels.next().ok_or(SHORT)?;
        if let Err(what) = fill(&mut blocks, stored.data, scheme) {
            failure = Some(ImportError::damaged(format!("is a KTX2 whose level {level} {what}")));
            return Err(SHORT);
        }
        for (number, block) in blocks.as_chunks().0.iter().enumerate() {
            let texels = uastc::decode(*block)?;
            draw(pixels, size, (number % across, number / across), |texel, pixel| *pixel = texels[texel]);
        }
        Ok(())
    });
    failure.map_or(decoded, Err)?;
    let samples = file.basic_dfd().map(|descriptor| &*descriptor.sample_information).unwrap_or_default();
    if samples.first().is_some_and(|sample| sample.channel_type == UASTC_RED_GREEN) {
        alpha_to_green(&mut out);
    }
    Ok(out)
}

/// Calls `decode` with the number, the size and the pixels of each level.
fn for_each_level(
    out: &mut Decoded,
    mut decode: impl FnMut(usize, (usize, usize), &mut [[u8; 4]]) -> Result<(), Damage>,
) -> Result<(), ImportError> {
    let ImageProps { width, height, mipmaps, .. } = out.props;
    let (mut rest, _) = out.data_mut().as_chunks_mut::<4>();
    for level in 0..mipmaps {
        let size = (level_edge(width, level) as usize, level_edge(height, level) as usize);
        let (own, smaller) = rest.split_at_mut(size.0 * size.1);
        decode(level as usize, size, own)
            .map_err(|what| ImportError::damaged(format!("is a KTX2 in Basis Universal whose level {level} {what}")))?;
        rest = smaller;
    }
    Ok(())
}

/// Calls `set` with each pixel of a block that is within the level.
fn draw(
    pixels: &mut [[u8; 4]],
    (width, height): (usize, usize),
    (x, y): (usize, usize),
    mut set: impl FnMut(usize, &mut [u8; 4]),
) {
    for row in 0..EDGE.min(height - y * EDGE) {
        let start = (y * EDGE + row) * width + x * EDGE;
        let columns = EDGE.min(width - x * EDGE);
        for (column, pixel) in pixels[start..start + columns].iter_mut().enumerate() {
            set(row * EDGE + column, pixel);
        }
    }
}

/// The codebooks in the global data, and the descriptions of the images.
fn read_global(global: &[u8], levels: usize) -> Result<(Codebooks, &[u8]), Damage> {
    let (head, rest) = global.split_at_checked(HEAD).ok_or(SHORT)?;
    let (images, mut rest) = rest.split_at_checked(IMAGE * levels).ok_or(SHORT)?;
    let counts = word(head, 0)?;
    let mut stream = |at| -> Result<_, Damage> {
        let (stream, behind) = rest.split_at_checked(word(head, at)? as usize).ok_or(SHORT)?;
        rest = behind;
        Ok(stream)
    };
    let streams = Streams {
        colors: (counts as u16, stream(4)?),
        patterns: ((counts >> 16) as u16, stream(8)?),
        codes: stream(12)?,
    };
    Ok((Codebooks::read(&streams)?, images))
}

const SHORT: Damage = "has global data that ends early";

fn word(bytes: &[u8], at: usize) -> Result<u32, Damage> {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
    word.map(|word| u32::from_le_bytes(*word)).ok_or(SHORT)
}

/// Moves the second channel of a file with two to its place. Blue becomes 0 and alpha 255, as GPUs read such textures.
fn alpha_to_green(out: &mut Decoded) {
    for pixel in out.data_mut().as_chunks_mut::<4>().0 {
        *pixel = [pixel[0], pixel[3], 0, u8::MAX];
    }
}

fn damaged(what: Damage) -> ImportError {
    ImportError::damaged(format!("is a KTX2 in Basis Universal that {what}"))
}
