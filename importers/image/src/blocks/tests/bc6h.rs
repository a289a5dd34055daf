//! Light in floats → BC6H.

use super::*;

const LIGHT: Source = Source { format: PixelFormat::RGB32F, is_linear: true, is_widened: false };

/// A picture of RGBA32F whose pixels a function computes.
fn floats(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [f32; 4]) -> Decoded {
    let props = ImageProps { width, height, format: PixelFormat::RGBA32F, mipmaps: 1 };
    let mut out = Decoded::zeroed(props).unwrap();
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for ((x, y), to) in pixels.zip(out.data_mut().as_chunks_mut::<16>().0) {
        to.copy_from_slice(pixel(x, y).map(f32::to_le_bytes).as_flattened());
    }
    out
}

/// A sky that gets brighter by 2^8 from the top to the bottom, with a sun and a dark wall with edges.
fn sky(x: u32, y: u32) -> [f32; 4] {
    let (from_sun, wall) = (x.abs_diff(90).pow(2) + y.abs_diff(30).pow(2), y > 80 && (x / 8).is_multiple_of(2));
    let sun = if from_sun < 40 { 4000.0 } else { 200.0 / (1.0 + from_sun as f32) };
    let bright = (1 << (y / 16)) as f32 * (1.0 + (y % 16) as f32 / 16.0) * 0.01 + sun;
    let scale = if wall { 0.02 } else { 1.0 };
    [bright * scale, (bright * 0.8 + x as f32 * 0.001) * scale, (bright * 0.6 + 0.05) * scale, 1.0]
}

fn stored(picture: Decoded, source: Source, settings: &ImageSettings) -> (PixelFormat, Option<f64>, Vec<Note>) {
    let mut notes = Vec::new();
    let Stored { decoded, quality } = store(picture, source, settings, Meaning::Linear, &mut notes).unwrap();
    (decoded.props.format, quality.map(|quality| quality.psnr), notes)
}

fn refused(picture: Decoded, source: Source) -> String {
    let settings = settings(PixelFormat::BC6H);
    store(picture, source, &settings, Meaning::Linear, &mut Vec::new()).err().unwrap().to_string()
}

#[test]
fn light_is_near_in_bc6h_and_the_same_bytes_everywhere() {
    let pixels = floats(128, 128, sky);
    let mut hashes = Vec::new();
    for effort in [BlockEffort::Fast, BlockEffort::Best] {
        let settings = ImageSettings { effort, ..settings(PixelFormat::BC6H) };
        let (blocks, quality) = encoded(&pixels, PixelFormat::BC6H, &settings).unwrap();
        assert_eq!(blocks.data().len(), 128 * 128);
        assert!(quality.psnr >= 44.0 && quality.ssim > 0.99, "{effort:?}: {quality:?}");
        hashes.push(crc32fast::hash(blocks.data()));
        // The numbers as a decoder returns them that shares no code with the encoder. The colours of a block are on one or two
        // lines, so the error of a pixel is a part of the brightest number of its block.
        let mut worst = 0.0f32;
        for (number, block) in blocks.data().chunks_exact(16).enumerate() {
            let (left, top) = (number as u32 % 32 * 4, number as u32 / 32 * 4);
            let expected: [[f32; 4]; 16] = std::array::from_fn(|i| sky(left + i as u32 % 4, top + i as u32 / 4));
            let brightest = expected.iter().flat_map(|pixel| pixel[..3].to_vec()).fold(0.0, f32::max);
            for (found, expected) in light::decode(block).iter().zip(expected) {
                for (found, expected) in found.iter().zip(expected) {
                    worst = worst.max((found - expected).abs() / brightest);
                }
            }
        }
        assert!(worst < 0.125, "{effort:?}: off by {worst} of the brightest number");
    }
    assert_eq!(hashes, [686_394_246, 4_226_088_883]);
}

#[test]
fn the_quality_does_not_depend_on_the_exposure() {
    let quality = |exposure: f32| {
        let pixels = floats(128, 128, |x, y| {
            let [r, g, b, a] = sky(x, y);
            [r * exposure, g * exposure, b * exposure, a]
        });
        encoded(&pixels, PixelFormat::BC6H, &settings(PixelFormat::BC6H)).unwrap().1
    };
    let (normal, dark) = (quality(1.0), quality(1.0 / 16.0));
    assert!((normal.psnr - dark.psnr).abs() < 1.0 && (normal.ssim - dark.ssim).abs() < 0.001, "{normal:?} {dark:?}");
}

#[test]
fn block_chooses_bc6h_for_light_only() {
    let block = settings(ImageFormat::Block);
    let (format, quality, notes) = stored(floats(128, 128, sky), LIGHT, &block);
    assert_eq!((format, notes), (PixelFormat::BC6H, vec![]));
    assert!(quality > Some(40.0));
    let sixteen_bits = Source { is_widened: true, ..LIGHT };
    assert_eq!(stored(floats(128, 128, sky), sixteen_bits, &block).0, PixelFormat::RGBA32F);
    assert_eq!(stored(floats(128, 128, sky), sixteen_bits, &settings(PixelFormat::BC6H)).0, PixelFormat::BC6H);
    assert_eq!(stored(floats(32, 32, sky), LIGHT, &block).0, PixelFormat::RGBA32F, "little to save");
    let (format, _, notes) = stored(floats(126, 128, sky), LIGHT, &block);
    assert_eq!(format, PixelFormat::RGBA32F);
    assert!(notes[0].topic.contains("not multiples of 4"), "{notes:?}");
    let strict = ImageSettings { min_psnr: Some(90.0), ..block };
    let (format, _, notes) = stored(floats(128, 128, sky), LIGHT, &strict);
    assert_eq!(format, PixelFormat::RGBA32F);
    assert!(notes[0].detail.starts_with("bc6h has "), "{notes:?}");
}

#[test]
fn what_bc6h_has_not_is_refused_or_stays_uncompressed() {
    let glass = |x, y| [sky(x, y)[0], 0.0, 0.0, 0.5];
    let normal = |x: u32, _| [x as f32 / 64.0 - 1.0, 0.0, 1.0, 1.0];
    let (format, _, notes) = stored(floats(128, 128, glass), LIGHT, &settings(ImageFormat::Block));
    assert_eq!(format, PixelFormat::RGBA32F);
    assert!(notes[0].topic.starts_with("has transparent pixels, which BC6H has not"), "{notes:?}");
    let (format, _, notes) = stored(floats(128, 128, normal), LIGHT, &settings(ImageFormat::Block));
    assert_eq!(format, PixelFormat::RGBA32F);
    assert!(notes[0].topic.starts_with("has numbers below 0"), "{notes:?}");
    assert!(refused(floats(8, 8, glass), LIGHT).starts_with("has transparent pixels, and is stored with"));
    assert!(refused(floats(8, 8, normal), LIGHT).starts_with("has numbers below 0, and is stored with"));
    assert!(refused(floats(8, 8, sky), COLORS).starts_with("has pixels in RGBA8 with colours in sRGB, and is stored"));
}

#[test]
fn numbers_that_half_floats_have_not_are_clipped() {
    let odd = |x: u32, _| [[1e6, f32::INFINITY, f32::NAN, 3.0][x as usize % 4], 2.0, 2.0, 1.0];
    let (format, _, notes) = stored(floats(128, 128, odd), LIGHT, &settings(PixelFormat::BC6H));
    assert_eq!(format, PixelFormat::BC6H);
    assert!(notes[0].topic.starts_with("numbers above 65504"), "{notes:?}");
    assert_eq!(notes[0].detail, "pixels: 8192");
    let sun = floats(8, 8, |_, _| [1e6; 4]);
    let (blocks, _) = encoded(&sun, PixelFormat::BC6H, &settings(PixelFormat::BC6H)).unwrap();
    let decoded = light::decode(blocks.data());
    assert!(decoded.iter().flatten().all(|v| (60000.0..=65504.0).contains(v)), "{decoded:?}");
}
