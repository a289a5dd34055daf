//! Pixels → ETC2 and EAC.

use super::*;

const FORMATS: [PixelFormat; 4] =
    [PixelFormat::ETC2_RGB, PixelFormat::ETC2_EAC_RGBA, PixelFormat::EAC_R11, PixelFormat::EAC_RG11];

/// The pixels of a block as another decoder sees them, whose code is independent of this project.
fn foreign(format: PixelFormat, block: &[u8]) -> Texels {
    let decode = |format: PixelFormat, block: &[u8]| {
        let mut pixels = [0u32; 16];
        let decode = if format == PixelFormat::ETC2_RGB {
            texture2ddecoder::decode_etc2_rgb
        } else {
            texture2ddecoder::decode_etc2_rgba8
        };
        decode(block, 4, 4, &mut pixels).unwrap();
        // Blue is in the lowest byte.
        pixels.map(|pixel| {
            let [b, g, r, a] = pixel.to_le_bytes();
            [r, g, b, a]
        })
    };
    if !matches!(format, PixelFormat::EAC_R11 | PixelFormat::EAC_RG11) {
        return decode(format, block);
    }
    // It reads the bytes of channels with 11 bits in the wrong order. The upper 8 bits of such a channel are the alpha of the same
    // block.
    let mut texels = [[0, 0, 0, 255]; 16];
    for (number, part) in block.chunks_exact(8).enumerate() {
        let alpha = decode(PixelFormat::ETC2_EAC_RGBA, &[part, &[0; 8]].concat());
        texels.iter_mut().zip(alpha).for_each(|(texel, [.., alpha])| texel[number] = alpha);
    }
    texels
}

#[test]
fn blocks_are_near_the_pixels_and_the_same_bytes_everywhere() {
    let mut found = Vec::new();
    for (format, effort, least) in [
        (PixelFormat::ETC2_RGB, BlockEffort::Fast, 34.0),
        (PixelFormat::ETC2_RGB, BlockEffort::Best, 34.5),
        (PixelFormat::ETC2_EAC_RGBA, BlockEffort::Fast, 34.0),
        (PixelFormat::EAC_R11, BlockEffort::Fast, 42.0),
        (PixelFormat::EAC_RG11, BlockEffort::Fast, 42.0),
    ] {
        let pixels =
            if format == PixelFormat::ETC2_RGB { picture(64, 64, opaque_photo) } else { picture(64, 64, photo) };
        let settings = ImageSettings { effort, ..settings(format) };
        let (blocks, Quality { psnr, .. }) = encoded(&pixels, format, &settings).unwrap();
        assert!(psnr >= least, "{format} {effort:?}: {psnr}");
        found.push(crc32fast::hash(blocks.data()));
    }
    assert_eq!(found, [1_190_818_058, 2_756_724_311, 4_244_863_079, 2_572_945_443, 233_800_349]);
}

#[test]
fn another_decoder_sees_what_this_one_sees() {
    // Smooth, flat and noisy blocks. Each mode has some of them.
    let noise = |x: u32, y: u32| {
        let v = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35);
        [v as u8, (v >> 8) as u8, (v >> 16) as u8, (v >> 24) as u8]
    };
    let smooth = |x: u32, y: u32| [x as u8, (255 - y) as u8, (x / 2 + y / 2) as u8, (x + y) as u8];
    let mut modes = [0; 3];
    for pixels in
        [picture(64, 64, photo), picture(64, 64, noise), picture(256, 256, smooth), picture(8, 8, |_, _| [255; 4])]
    {
        for format in FORMATS {
            let (blocks, _) = encoded(&pixels, format, &settings(format)).unwrap();
            for block in blocks.data().chunks_exact(format.pixel_block().unwrap().size as usize) {
                let (own, other) = (quality::decode(format, block), foreign(format, block));
                let channels = match format {
                    PixelFormat::EAC_R11 => 0..1,
                    PixelFormat::EAC_RG11 => 0..2,
                    _ => 0..4,
                };
                // The lower 3 of 11 bits, which are all that the modifiers change if the multiplier is 0.
                let allowed = if channels.end < 4 { 2 } else { 0 };
                for (own, other) in own.iter().zip(&other) {
                    let is_near = channels.clone().all(|c| own[c].abs_diff(other[c]) <= allowed);
                    assert!(is_near, "{format} {block:x?}: {own:?} {other:?}");
                }
                if format == PixelFormat::ETC2_RGB {
                    let is_difference = block[3] & 2 == 2;
                    let blue = i32::from(block[2] >> 3) + ((i32::from(block[2]) & 7) ^ 4) - 4;
                    modes[if is_difference { 1 + usize::from(!(0..32).contains(&blue)) } else { 0 }] += 1;
                }
            }
        }
    }
    assert!(modes.iter().all(|count| *count > 20), "{modes:?}");
}

#[test]
fn block_etc2_chooses_by_meaning_and_alpha() {
    let block = settings(ImageFormat::BlockEtc2);
    let chosen = |pixel: fn(u32, u32) -> [u8; 4], meaning| stored(picture(128, 128, pixel), &block, meaning).0;
    let smooth: fn(u32, u32) -> [u8; 4] = |x, y| [x as u8 + 40, x as u8 + 50, y as u8 / 2 + 60, 255];
    assert_eq!(chosen(smooth, Meaning::Srgb), PixelFormat::ETC2_RGB);
    let glass: fn(u32, u32) -> [u8; 4] = |x, y| [x as u8 + 40, x as u8 + 50, y as u8 / 2 + 60, x as u8 + y as u8 / 2];
    assert_eq!(chosen(glass, Meaning::Srgb), PixelFormat::ETC2_EAC_RGBA);
    let mask: fn(u32, u32) -> [u8; 4] = |x, y| [(x + y) as u8, (x + y) as u8, (x + y) as u8, 255];
    assert_eq!(chosen(mask, Meaning::Linear), PixelFormat::EAC_R11);
    assert_eq!(chosen(smooth, Meaning::Normals), PixelFormat::EAC_RG11);
    let error = store(picture(32, 8, glass), COLORS, &settings(PixelFormat::ETC2_RGB), Meaning::Srgb, &mut Vec::new());
    assert!(error.err().unwrap().to_string().starts_with("has transparent pixels"));
}

#[test]
fn invisible_colours_cost_visible_ones_nothing() {
    let cut = |x: u32, _: u32| if x.is_multiple_of(2) { [200, 100, 50, 255] } else { [0, 255, 255, 0] };
    let (_, quality) =
        encoded(&picture(16, 16, cut), PixelFormat::ETC2_EAC_RGBA, &settings(PixelFormat::ETC2_EAC_RGBA)).unwrap();
    assert!(quality.psnr > 40.0, "{quality:?}");
}
