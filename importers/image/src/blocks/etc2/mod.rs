//! RGBA8 → ETC2 and EAC, the block formats of phones.
//!
//! A block of ETC2 is two halves or a plane of colours. A half has a colour, and every pixel adds one of four brightnesses to it. (The two
//! modes with two free colours are not used.) A block of EAC is one channel: a value, and every pixel adds one of eight multiples to it. All
//! arithmetic is of whole numbers, so the bytes are the same everywhere.

mod color;
mod decode;
mod eac;

use rres_format::chunk::image::PixelFormat;

pub(super) use self::decode::decode;
use rres_settings::BlockEffort;

use super::Texels;

/// Whether this encoder writes a format.
pub(super) fn writes(format: PixelFormat) -> bool {
    matches!(format, PixelFormat::ETC2_RGB | PixelFormat::ETC2_EAC_RGBA | PixelFormat::EAC_R11 | PixelFormat::EAC_RG11)
}

/// Encodes a block of a format that [`writes`] names.
pub(super) fn encode(format: PixelFormat, texels: &Texels, effort: BlockEffort, out: &mut [u8]) {
    let channel = |channel: usize| texels.map(|texel| texel[channel]);
    let mut parts = out.as_chunks_mut::<8>().0.iter_mut();
    let mut put = |block: u64| parts.next().map_or((), |part| *part = block.to_be_bytes());
    match format {
        PixelFormat::ETC2_EAC_RGBA => {
            put(eac::encode(eac::Scale::Eight, channel(3)));
            put(color::encode(&visible(texels), effort));
        }
        PixelFormat::EAC_R11 => put(eac::encode(eac::Scale::Eleven, channel(0))),
        PixelFormat::EAC_RG11 => (0..2).for_each(|number| put(eac::encode(eac::Scale::Eleven, channel(number)))),
        _ => put(color::encode(texels, effort)),
    }
}

/// The texels with the mean of the visible colours in place of invisible ones, which then cost the others no quality.
fn visible(texels: &Texels) -> Texels {
    let seen = texels.iter().filter(|texel| texel[3] > 0);
    let count = seen.clone().count() as u32;
    if count == 0 || count == 16 {
        return *texels;
    }
    let mean = [0, 1, 2].map(|c| (seen.clone().map(|texel| u32::from(texel[c])).sum::<u32>() / count) as u8);
    texels.map(|texel| if texel[3] > 0 { texel } else { [mean[0], mean[1], mean[2], 0] })
}

/// The bit of a pixel, by its position in the rows: blocks number pixels by columns.
fn by_columns(texel: usize) -> usize {
    texel % 4 * 4 + texel / 4
}
