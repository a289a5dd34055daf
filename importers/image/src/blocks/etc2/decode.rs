//! The blocks that this encoder writes → pixels, to measure how good they are.

use rres_format::chunk::image::PixelFormat;

use super::super::Texels;
use super::by_columns;
use super::color::{Plane, brightness, expand};
use super::eac::{MODIFIERS, Scale};

/// The 16 pixels of a block as RGBA. One channel is in red, two are in red and green.
pub(in super::super) fn decode(format: PixelFormat, block: &[u8]) -> Texels {
    let mut texels = [[0, 0, 0, 255]; 16];
    let mut parts = block.as_chunks::<8>().0.iter().map(|part| u64::from_be_bytes(*part));
    let mut next = || parts.next().unwrap_or_default();
    match format {
        PixelFormat::EAC_R11 => channel(next(), Scale::Eleven, 0, &mut texels),
        PixelFormat::EAC_RG11 => (0..2).for_each(|number| channel(next(), Scale::Eleven, number, &mut texels)),
        PixelFormat::ETC2_EAC_RGBA => {
            channel(next(), Scale::Eight, 3, &mut texels);
            colors(next(), &mut texels);
        }
        _ => colors(next(), &mut texels),
    }
    texels
}

fn channel(block: u64, scale: Scale, number: usize, texels: &mut Texels) {
    let (base, multiplier, table) = ((block >> 56) as i32, (block >> 52 & 15) as i32, (block >> 48 & 15) as usize);
    for (texel, to) in texels.iter_mut().enumerate() {
        let index = block >> (45 - 3 * by_columns(texel)) & 7;
        let value = scale.value(base, multiplier, MODIFIERS[table][index as usize]);
        to[number] = match scale {
            Scale::Eight => value,
            Scale::Eleven => (value * 255 * 2 + 2047) / (2 * 2047),
        } as u8;
    }
}

fn colors(block: u64, texels: &mut Texels) {
    let bytes = [56, 48, 40].map(|at| (block >> at & 255) as i32);
    let is_difference = block >> 33 & 1 == 1;
    let (bits, halves) = if is_difference {
        let first = bytes.map(|byte| byte >> 3);
        let second: [i32; 3] = std::array::from_fn(|c| first[c] + ((bytes[c] & 7) ^ 4) - 4);
        if !(0..32).contains(&second[2]) {
            return plane(block, texels);
        }
        (5, [first, second])
    } else {
        (4, [bytes.map(|byte| byte >> 4), bytes.map(|byte| byte & 15)])
    };
    let tables = [block >> 37 & 7, block >> 34 & 7];
    let flip = block >> 32 & 1 == 1;
    for (texel, to) in texels.iter_mut().enumerate() {
        let half = usize::from(if flip { texel >= 8 } else { texel % 4 >= 2 });
        let at = by_columns(texel);
        let index = (block >> at & 1) | (block >> (16 + at) & 1) << 1;
        let added = brightness(tables[half] as usize, index);
        let color = expand(halves[half], bits).map(|v| (v + added).clamp(0, 255) as u8);
        to[..3].copy_from_slice(&color);
    }
}

fn plane(block: u64, texels: &mut Texels) {
    let bits = |at: u32, count: u32| (block >> at) as i32 & ((1 << count) - 1);
    let blue = bits(48, 1) << 5 | bits(43, 2) << 3 | bits(39, 3);
    let origin = [bits(57, 6), bits(56, 1) << 6 | bits(49, 6), blue];
    let right = [bits(34, 5) << 1 | bits(32, 1), bits(25, 7), bits(19, 6)];
    let plane = Plane { corners: [origin, right, [bits(13, 6), bits(6, 7), bits(0, 6)]] };
    for (texel, to) in texels.iter_mut().enumerate() {
        to[..3].copy_from_slice(&plane.color(texel).map(|v| v as u8));
    }
}
