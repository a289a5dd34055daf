//! Blocks of one colour in BC1: the two stored colours between which it lies best.
//!
//! An encoder that rounds the colour to 5, 6 and 5 bits is off by up to 4 of 255, which shows as bands in skies. A colour
//! between two stored ones is off by at most 1.

use std::sync::LazyLock;

use rres_format::chunk::image::PixelFormat;

/// For each number of 8 bits the two numbers of 5 or 6 bits with the least error of two thirds of the first and one
/// third of the second.
type Ends = [[u16; 2]; 256];

static ENDS_5: LazyLock<Ends> = LazyLock::new(|| ends(5));
static ENDS_6: LazyLock<Ends> = LazyLock::new(|| ends(6));

/// Replaces the colours of blocks whose pixels all have one colour. They start at `start` in each block.
pub(super) fn improve(pixels: &[u8], width: usize, blocks: &mut [u8], format: PixelFormat, start: usize) {
    let size = format.pixel_block().map_or(16, |block| block.size as usize);
    let across = width / 4;
    for (number, block) in blocks.chunks_exact_mut(size).enumerate() {
        let first = (number / across * 4 * width + number % across * 4) * 4;
        let color = [pixels[first], pixels[first + 1], pixels[first + 2]];
        let is_flat = (0..4).all(|y| {
            let row = &pixels[first + y * width * 4..][..16];
            row.chunks_exact(4).all(|pixel| pixel[..3] == color)
        });
        if is_flat {
            block[start..start + 8].copy_from_slice(&colors(color));
        }
    }
}

/// A block of four colours whose pixels are all equal.
fn colors([r, g, b]: [u8; 3]) -> [u8; 8] {
    let [r, g, b] = [ENDS_5[usize::from(r)], ENDS_6[usize::from(g)], ENDS_5[usize::from(b)]];
    let [near, far] = [0, 1].map(|end| r[end] << 11 | g[end] << 5 | b[end]);
    // In a block of four colours the first one is larger. Index 2 means a third of the way from the first to the second
    // colour, index 3 two thirds.
    let (first, second, indices) = match near.cmp(&far) {
        std::cmp::Ordering::Greater => (near, far, 0xaa),
        std::cmp::Ordering::Less => (far, near, 0xff),
        std::cmp::Ordering::Equal => (near, far, 0x00),
    };
    let [[a, b], [c, d]] = [first, second].map(u16::to_le_bytes);
    [a, b, c, d, indices, indices, indices, indices]
}

fn ends(bits: u32) -> Ends {
    let count = 1u16 << bits;
    let most = i32::from(count - 1);
    let mut ends = [[0; 2]; 256];
    for (value, best) in (0i32..).zip(&mut ends) {
        let pairs = (0..count).flat_map(|near| (0..count).map(move |far| [near, far]));
        // Of equal ones the nearest pair, since decoders round thirds in different ways.
        let cost = |&[near, far]: &[u16; 2]| {
            let [near, far] = [i32::from(near), i32::from(far)];
            (((near * 2 + far) * 255 - value * 3 * most).abs(), (near - far).abs())
        };
        *best = pairs.min_by_key(cost).unwrap_or_default();
    }
    ends
}
