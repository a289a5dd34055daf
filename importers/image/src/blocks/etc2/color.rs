//! 16 colours → a block of ETC2 without alpha.

use rres_settings::BlockEffort;

use super::super::Texels;
use super::by_columns;

/// For each table the small and the large brightness that is added or subtracted.
pub(super) const BRIGHTNESS: [[i32; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];

/// How often a colour is computed anew from the brightnesses that were chosen with it.
const REFINEMENTS: usize = 3;

type Color = [i32; 3];

/// Half of a block with its best colour and table.
#[derive(Clone, Copy)]
struct Half {
    error: u32,
    /// In 4 or 5 bits per channel.
    stored: Color,
    table: usize,
}

/// Encodes a block; its bytes are in big-endian order.
pub(super) fn encode(texels: &Texels, effort: BlockEffort) -> u64 {
    let (mut error, mut block) = planar(texels);
    for flip in [false, true] {
        let halves = [false, true].map(|second| half_of(texels, flip, second));
        for bits in [5, 4] {
            let [mut first, mut second] = halves.map(|half| best(&half, bits, effort, None));
            if bits == 5 && !is_near(first.stored, second.stored) {
                // The second colour is stored as a small difference.
                let other_second = best(&halves[1], 5, effort, Some(first.stored));
                let other_first = best(&halves[0], 5, effort, Some(second.stored));
                if first.error + other_second.error <= other_first.error + second.error {
                    second = other_second;
                } else {
                    first = other_first;
                }
                if !is_near(first.stored, second.stored) {
                    continue;
                }
            }
            if first.error + second.error < error {
                error = first.error + second.error;
                block = pack(texels, flip, bits, [first, second]);
            }
        }
    }
    block
}

/// Whether the second colour is one that a difference of 3 bits reaches from the first.
fn is_near(first: Color, second: Color) -> bool {
    (0..3).all(|c| (-4..=3).contains(&(second[c] - first[c])))
}

/// The colours of a half: the left or the right one or, with `flip`, the upper or the lower one.
fn half_of(texels: &Texels, flip: bool, second: bool) -> [Color; 8] {
    let mut all = texels.iter().enumerate();
    std::array::from_fn(|_| {
        let found = all.find(|(texel, _)| is_second(*texel, flip) == second);
        found.map_or([0; 3], |(_, texel)| [0, 1, 2].map(|c| i32::from(texel[c])))
    })
}

fn is_second(texel: usize, flip: bool) -> bool {
    if flip { texel >= 8 } else { texel % 4 >= 2 }
}

/// A colour of `bits` per channel in 8.
pub(super) fn expand(stored: Color, bits: u32) -> Color {
    stored.map(|v| if bits == 5 { v << 3 | v >> 2 } else { v << 4 | v })
}

/// The best colour and table of a half. With `near`, the colour is one that the difference from or to it can reach.
fn best(half: &[Color; 8], bits: u32, effort: BlockEffort, near: Option<Color>) -> Half {
    let most = (1 << bits) - 1;
    let clamp = |stored: Color| {
        std::array::from_fn(|c| match near {
            // The range of differences that works in both directions.
            Some(near) => stored[c].clamp((near[c] - 3).max(0), (near[c] + 3).min(most)),
            None => stored[c].clamp(0, most),
        })
    };
    // The sum of 8 numbers → the nearest stored number.
    let quantise = |sum: Color| clamp(sum.map(|sum| (sum.max(0) * most * 2 + 8 * 255) / (2 * 8 * 255)));
    let sum: Color = std::array::from_fn(|c| half.iter().map(|pixel| pixel[c]).sum());
    let mean = quantise(sum);
    let mut best = Half { error: u32::MAX, stored: mean, table: 0 };
    for table in 0..BRIGHTNESS.len() {
        let mut stored = mean;
        for _ in 0..REFINEMENTS {
            let (error, added) = measure(half, expand(stored, bits), table);
            if error < best.error {
                best = Half { error, stored, table };
            }
            let next = quantise(sum.map(|sum| sum - added));
            if next == stored {
                break;
            }
            stored = next;
        }
    }
    if effort == BlockEffort::Best {
        // The colours around, with all tables.
        let centre = best.stored;
        for number in 0..27 {
            let step = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
            let stored = clamp(std::array::from_fn(|c| centre[c] + step[c]));
            for table in 0..BRIGHTNESS.len() {
                let (error, _) = measure(half, expand(stored, bits), table);
                if error < best.error {
                    best = Half { error, stored, table };
                }
            }
        }
    }
    best
}

/// The squared error of a half with this colour and table, and the sum of the brightnesses that are added.
fn measure(half: &[Color; 8], color: Color, table: usize) -> (u32, i32) {
    half.iter().fold((0, 0), |(sum, added), pixel| {
        let (error, index) = nearest(*pixel, color, table);
        (sum + error, added + brightness(table, index))
    })
}

/// What an index adds to a colour.
pub(super) fn brightness(table: usize, index: u64) -> i32 {
    let size = BRIGHTNESS[table][index as usize & 1];
    if index & 2 == 0 { size } else { -size }
}

/// The squared error of the nearest of the four colours, and its index.
fn nearest(pixel: Color, color: Color, table: usize) -> (u32, u64) {
    let difference: i32 = (0..3).map(|c| pixel[c] - color[c]).sum();
    let sign = if difference < 0 { 2 } else { 0 };
    let error = |index| {
        let added = brightness(table, index);
        let error: i32 = (0..3).map(|c| ((color[c] + added).clamp(0, 255) - pixel[c]).pow(2)).sum();
        (error as u32, index)
    };
    let (small, large) = (error(sign), error(sign | 1));
    if small.0 <= large.0 { small } else { large }
}

fn pack(texels: &Texels, flip: bool, bits: u32, halves: [Half; 2]) -> u64 {
    let [first, second] = halves;
    let mut block = 0;
    for c in 0..3 {
        let byte = if bits == 5 {
            first.stored[c] << 3 | (second.stored[c] - first.stored[c]) & 7
        } else {
            first.stored[c] << 4 | second.stored[c]
        };
        block |= (byte as u64) << (56 - 8 * c);
    }
    block |=
        (first.table as u64) << 37 | (second.table as u64) << 34 | u64::from(bits == 5) << 33 | u64::from(flip) << 32;
    for (texel, pixel) in texels.iter().enumerate() {
        let half = halves[usize::from(is_second(texel, flip))];
        let pixel = [0, 1, 2].map(|c| i32::from(pixel[c]));
        let (_, index) = nearest(pixel, expand(half.stored, bits), half.table);
        block |= (index & 1) << by_columns(texel) | (index >> 1) << (16 + by_columns(texel));
    }
    block
}

/// The plane of colours nearest to the pixels: its squared error and its block.
fn planar(texels: &Texels) -> (u32, u64) {
    let value = |texel: usize, c: usize| i32::from(texels[texel][c]);
    // For each channel the numbers at the first pixel, four pixels to the right of it, and four below.
    let channels: [[i32; 3]; 3] = std::array::from_fn(|c| {
        let most = if c == 1 { 127 } else { 63 };
        let sum: i32 = (0..16).map(|texel| value(texel, c)).sum();
        let slope_x: i32 = (0..16).map(|texel| (texel as i32 % 4 * 2 - 3) * value(texel, c)).sum();
        let slope_y: i32 = (0..16).map(|texel| (texel as i32 / 4 * 2 - 3) * value(texel, c)).sum();
        // 80 times the numbers of the plane with the least squares.
        let origin = 5 * sum - 3 * (slope_x + slope_y);
        [origin, origin + 8 * slope_x, origin + 8 * slope_y]
            .map(|value| ((value.max(0) * most * 2 + 80 * 255) / (2 * 80 * 255)).min(most))
    });
    let corners = std::array::from_fn(|corner| channels.map(|channel| channel[corner]));
    let plane = Plane { corners };
    let error = (0..16).map(|texel| {
        let found = plane.color(texel);
        (0..3).map(|c| (found[c] - value(texel, c)).pow(2) as u32).sum::<u32>()
    });
    (error.sum(), plane.pack())
}

/// A plane of colours: those at its corners, red and blue in 6 bits, green in 7.
pub(super) struct Plane {
    pub(super) corners: [Color; 3],
}

impl Plane {
    /// The colour of a pixel, by its position in the rows.
    pub(super) fn color(&self, texel: usize) -> Color {
        let (x, y) = (texel as i32 % 4, texel as i32 / 4);
        let [origin, right, below] = self.corners.map(|[r, g, b]| [r << 2 | r >> 4, g << 1 | g >> 6, b << 2 | b >> 4]);
        std::array::from_fn(|c| {
            ((x * (right[c] - origin[c]) + y * (below[c] - origin[c]) + 4 * origin[c] + 2) >> 2).clamp(0, 255)
        })
    }

    fn pack(&self) -> u64 {
        let [[ro, go, bo], [rh, gh, bh], [rv, gv, bv]] = self.corners.map(|corner| corner.map(|v| v as u64));
        let mut block = ro << 57 | (go >> 6) << 56 | (go & 63) << 49 | (bo >> 5) << 48 | (bo >> 3 & 3) << 43;
        block |= (bo & 7) << 39 | (rh >> 1) << 34 | 1 << 33 | (rh & 1) << 32;
        block |= gh << 25 | bh << 19 | rv << 13 | gv << 6 | bv;
        // A block is a plane if red and green of the second colour are in range and blue is not. The free bits see to it.
        for top in [63, 55] {
            let (stored, step) = (block >> (top - 4) & 15, block >> (top - 7) & 7);
            if stored < 4 && step >= 4 && stored + step < 8 {
                block |= 1 << top;
            }
        }
        let (stored, step) = (block >> 43 & 3, block >> 40 & 3);
        block |= if stored + step >= 4 { 7 << 45 } else { 1 << 42 };
        block
    }
}
