//! RGBA8 → BC7: every block in the modes that are found fast, then in more modes those that are not good enough.
//!
//! Most blocks lie near a line of colours, and the mode for them takes a tenth of the time of all modes. The others decide how good a picture
//! looks.

use block_compression::encode::compress_rgba8;
use block_compression::{BC7Settings, CompressionVariant};
use rres_format::chunk::image::PixelFormat;
use rres_settings::BlockEffort;

use super::Texels;
use super::quality::squared_error;

const SIZE: usize = 16;

/// The settings of a round, of blocks that are opaque and of the others.
struct Round {
    opaque: BC7Settings,
    alpha: BC7Settings,
    /// A block whose squared errors have a larger sum than this takes part. A sum of 256 is 41 dB, one of 40 is 49 dB.
    above: u64,
}

/// The rounds of an effort.
fn rounds(effort: BlockEffort) -> Vec<Round> {
    let first = Round { opaque: BC7Settings::opaque_ultra_fast(), alpha: BC7Settings::alpha_ultrafast(), above: 0 };
    match effort {
        BlockEffort::Fast => vec![
            first,
            Round { opaque: BC7Settings::opaque_very_fast(), alpha: BC7Settings::alpha_very_fast(), above: 256 },
        ],
        BlockEffort::Best => {
            vec![first, Round { opaque: BC7Settings::opaque_basic(), alpha: BC7Settings::alpha_basic(), above: 40 }]
        }
    }
}

/// Encodes the blocks whose pixels `texels` returns by their number.
pub(super) fn encode(out: &mut [u8], effort: BlockEffort, texels: impl Fn(usize) -> Texels) {
    let (blocks, _) = out.as_chunks_mut::<SIZE>();
    let mut errors = vec![u64::MAX; blocks.len()];
    for Round { opaque, alpha, above } in rounds(effort) {
        for (settings, is_opaque) in [(opaque, true), (alpha, false)] {
            let takes_part = |number: &usize| {
                errors[*number] > above && texels(*number).iter().all(|texel| texel[3] == u8::MAX) == is_opaque
            };
            let numbers: Vec<usize> = (0..blocks.len()).filter(takes_part).collect();
            let sources: Vec<Texels> = numbers.iter().map(|number| texels(*number)).collect();
            for ((number, texels), block) in numbers.iter().zip(&sources).zip(strip(&sources, settings)) {
                let error = squared_error(PixelFormat::BC7, &block, texels);
                if error < errors[*number] {
                    (errors[*number], blocks[*number]) = (error, block);
                }
            }
        }
    }
}

/// Blocks beside one another.
fn strip(blocks: &[Texels], settings: BC7Settings) -> Vec<[u8; SIZE]> {
    let width = blocks.len() * 4;
    let mut pixels = vec![[0; 4]; width * 4];
    for (number, texels) in blocks.iter().enumerate() {
        for (row, of_block) in texels.as_chunks::<4>().0.iter().enumerate() {
            pixels[row * width + number * 4..][..4].copy_from_slice(of_block);
        }
    }
    let mut out = vec![[0; SIZE]; blocks.len()];
    if width > 0 {
        let variant = CompressionVariant::BC7(settings);
        compress_rgba8(variant, pixels.as_flattened(), out.as_flattened_mut(), width as u32, 4, width as u32 * 4);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_with_two_lines_of_colours_are_encoded_in_the_modes_for_them() {
        // Shades of red beside shades of green.
        let texels: Texels = std::array::from_fn(|at| {
            let shade = (at as u8) * 16;
            if at % 4 < 2 { [shade, 0, 40, 255] } else { [0, 255 - shade, 40, 255] }
        });
        let error = |block: &[u8; SIZE]| squared_error(PixelFormat::BC7, block, &texels);
        let [one_line] = strip(&[texels], BC7Settings::opaque_ultra_fast()).try_into().unwrap();
        for effort in [BlockEffort::Fast, BlockEffort::Best] {
            let mut block = [0; SIZE];
            encode(&mut block, effort, |_| texels);
            assert!(error(&block) * 10 < error(&one_line), "{effort:?}: {} {}", error(&block), error(&one_line));
        }
    }
}
