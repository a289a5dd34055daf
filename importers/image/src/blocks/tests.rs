use rres_format::chunk::image::level_edge;
use rres_format::index::{ColorSpace, Filter};
use rres_settings::BlockEffort;

use super::*;

mod astc;
mod bc6h;
mod etc2;

/// A picture of RGBA8 whose pixels a function computes.
fn picture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Decoded {
    let props = ImageProps { width, height, format: PixelFormat::RGBA8, mipmaps: 1 };
    let mut out = Decoded::zeroed(props).unwrap();
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for ((x, y), to) in pixels.zip(out.data_mut().as_chunks_mut::<4>().0) {
        *to = pixel(x, y);
    }
    out
}

/// A smooth picture with an edge in it, as most textures are.
fn photo(x: u32, y: u32) -> [u8; 4] {
    let wave = |v: f32| (127.5 + 100.0 * v.sin()) as u8;
    let dark = if (x / 16).is_multiple_of(2) { 0 } else { 40 };
    [wave(x as f32 * 0.05), wave(y as f32 * 0.07), wave((x + y) as f32 * 0.03), 255].map(|v: u8| v.saturating_sub(dark))
}

fn opaque_photo(x: u32, y: u32) -> [u8; 4] {
    let [r, g, b, _] = photo(x, y);
    [r, g, b, 255]
}

/// A file with 8 bits per channel.
const COLORS: Source = Source { format: PixelFormat::RGBA8, is_linear: false, is_widened: false };

fn settings(format: impl Into<ImageFormat>) -> ImageSettings {
    ImageSettings { format: format.into(), ..ImageSettings::default() }
}

fn stored(picture: Decoded, settings: &ImageSettings, meaning: Meaning) -> (PixelFormat, Option<f64>, Vec<Note>) {
    let mut notes = Vec::new();
    let Stored { decoded, quality } = store(picture, COLORS, settings, meaning, &mut notes).unwrap();
    (decoded.props.format, quality.map(|quality| quality.psnr), notes)
}

#[test]
fn every_format_is_near_the_pixels_and_the_same_bytes_everywhere() {
    // The hashes fail if another machine or compiler makes other bytes.
    let cases = [
        (PixelFormat::DXT1_RGB, BlockEffort::Fast, 36.0),
        (PixelFormat::DXT5_RGBA, BlockEffort::Fast, 36.0),
        (PixelFormat::BC4, BlockEffort::Fast, 40.0),
        (PixelFormat::BC5, BlockEffort::Fast, 40.0),
        (PixelFormat::BC7, BlockEffort::Fast, 40.0),
        (PixelFormat::BC7, BlockEffort::Best, 43.0),
    ];
    let mut hashes = Vec::new();
    for (format, effort, least) in cases {
        let pixels =
            if format == PixelFormat::DXT1_RGB { picture(64, 64, opaque_photo) } else { picture(64, 64, photo) };
        let settings = ImageSettings { effort, ..settings(format) };
        let (blocks, Quality { psnr: quality, .. }) = encoded(&pixels, format, &settings).unwrap();
        assert!(quality >= least && quality < quality::EXACT, "{format} {effort:?}: {quality}");
        hashes.push((format, crc32fast::hash(blocks.data())));
    }
    let expected = [
        (PixelFormat::DXT1_RGB, 2_932_044_233),
        (PixelFormat::DXT5_RGBA, 841_839_833),
        (PixelFormat::BC4, 1_211_561_941),
        (PixelFormat::BC5, 4_081_349_772),
        (PixelFormat::BC7, 299_874_110),
        (PixelFormat::BC7, 3_172_038_975),
    ];
    assert_eq!(hashes, expected);
}

#[test]
fn blocks_of_one_colour_are_off_by_one_at_most() {
    let colors = picture(64, 1024, |x, y| {
        let number = y / 4 * 16 + x / 4;
        [number as u8, (number * 7) as u8, (number / 16) as u8, 255]
    });
    for format in [PixelFormat::DXT1_RGB, PixelFormat::DXT5_RGBA] {
        let (blocks, Quality { psnr: quality, .. }) = encoded(&colors, format, &settings(format)).unwrap();
        assert!(quality > 48.0, "{format}: {quality}");
        let size = format.pixel_block().unwrap().size as usize;
        for (number, block) in blocks.data().chunks_exact(size).enumerate() {
            let pixel = &colors.data()[(number / 16 * 4 * 64 + number % 16 * 4) * 4..][..3];
            let decoded = quality::decode(format, block);
            let worst = decoded.iter().flat_map(|found| (0..3).map(|i| found[i].abs_diff(pixel[i]))).max();
            assert!(worst <= Some(1), "{format} {pixel:?}: {:?}", decoded[0]);
        }
    }
}

#[test]
fn smaller_levels_and_odd_edges_have_whole_blocks() {
    let mut pixels = picture(10, 7, |x, y| [x as u8 * 4, y as u8 * 3, 9, 255]);
    let small: Vec<[u8; 4]> = (0..5 * 3 + 2 + 1).map(|i| [i * 10, 200, 3, 255]).collect();
    pixels.block.extend_from_slice(small.as_flattened());
    pixels.props.mipmaps = 4;
    let (blocks, Quality { psnr: quality, .. }) =
        encoded(&pixels, PixelFormat::BC7, &settings(PixelFormat::BC7)).unwrap();
    // 3 × 2, 2 × 1, 1 and 1 blocks.
    assert_eq!(blocks.data().len(), (6 + 2 + 1 + 1) * 16);
    assert!(quality > 40.0, "{quality}");
    let last = quality::decode(PixelFormat::BC7, &blocks.data()[9 * 16..]);
    let expected = small.last().unwrap();
    assert!((0..4).all(|i| last[0][i].abs_diff(expected[i]) <= 2), "{last:?}");
    assert_eq!((level_edge(10, 3), level_edge(7, 3)), (1, 1));
    let (_, _, notes) = stored(pixels, &settings(PixelFormat::BC7), Meaning::Srgb);
    assert!(notes[0].topic.contains("not multiples of 4"), "{notes:?}");
}

#[test]
fn cheaper_blocks_compress_better_and_are_a_little_worse() {
    use PixelFormat as F;
    for format in [F::DXT1_RGB, F::DXT5_RGBA, F::BC4, F::BC5, F::BC7, F::ETC2_RGB, F::EAC_R11, F::EAC_RG11] {
        let rough = |x: u32, y: u32| {
            let noise = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35) >> 30;
            opaque_photo(x, y).map(|v| v.saturating_add(noise as u8))
        };
        let result = |rdo| {
            let (blocks, Quality { psnr: quality, .. }) =
                encoded(&picture(128, 128, rough), format, &ImageSettings { rdo, ..settings(format) }).unwrap();
            let packed = rres_format::Compressor::default().compress(rres_format::Compression::ZSTD, blocks.data());
            (packed.unwrap().len() as f64, quality)
        };
        // What is worth a byte depends on the errors that the format makes anyway.
        let rdo = match format {
            F::DXT1_RGB | F::DXT5_RGBA | F::ETC2_RGB => 30.0,
            PixelFormat::BC7 => 3.0,
            _ => 1.0,
        };
        let (exact, cheap) = (result(0.0), result(rdo));
        assert!(cheap.0 < exact.0 * 0.97, "{format}: {exact:?} {cheap:?}");
        assert!(cheap.1 > exact.1 - 4.0 && cheap.1 < exact.1, "{format}: {exact:?} {cheap:?}");
    }
}

/// `RRES_PICTURES=folder cargo test --release -p rres-import-image --features gpu --lib measure_blocks -- --ignored --nocapture`
#[test]
#[ignore = "measures the pictures in RRES_PICTURES"]
#[expect(clippy::print_stderr, reason = "it prints a table")]
fn measure_blocks() {
    let folder = std::env::var("RRES_PICTURES").expect("RRES_PICTURES is a folder of PNGs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "png"));
    paths.sort();
    for (format, effort, rdo) in [
        (PixelFormat::DXT1_RGB, BlockEffort::Fast, 0.0),
        (PixelFormat::DXT1_RGB, BlockEffort::Fast, 5.0),
        (PixelFormat::DXT1_RGB, BlockEffort::Fast, 20.0),
        (PixelFormat::DXT1_RGB, BlockEffort::Fast, 50.0),
        (PixelFormat::DXT5_RGBA, BlockEffort::Fast, 0.0),
        (PixelFormat::DXT5_RGBA, BlockEffort::Fast, 5.0),
        (PixelFormat::ETC2_RGB, BlockEffort::Fast, 0.0),
        (PixelFormat::ETC2_RGB, BlockEffort::Best, 0.0),
        (PixelFormat::ETC2_RGB, BlockEffort::Fast, 20.0),
        (PixelFormat::ETC2_EAC_RGBA, BlockEffort::Fast, 0.0),
        (PixelFormat::ASTC_4X4_RGBA, BlockEffort::Fast, 0.0),
        (PixelFormat::ASTC_4X4_RGBA, BlockEffort::Best, 0.0),
        (PixelFormat::ASTC_6X6_RGBA, BlockEffort::Fast, 0.0),
        (PixelFormat::ASTC_6X6_RGBA, BlockEffort::Best, 0.0),
        (PixelFormat::ASTC_8X8_RGBA, BlockEffort::Fast, 0.0),
        (PixelFormat::ASTC_8X8_RGBA, BlockEffort::Best, 0.0),
        (PixelFormat::BC7, BlockEffort::Fast, 0.0),
        (PixelFormat::BC7, BlockEffort::Fast, 1.0),
        (PixelFormat::BC7, BlockEffort::Fast, 5.0),
        (PixelFormat::BC7, BlockEffort::Best, 0.0),
    ] {
        let settings = ImageSettings { effort, rdo, ..settings(format) };
        let (mut packed, mut pixels, mut errors, mut seconds, mut stored) = (0, 0.0, 0.0, 0.0, 0);
        for path in &paths {
            let source = std::fs::read(path).unwrap();
            let decoded = super::super::decode::decode(&source, rres_import::content::Content::Png).unwrap();
            let conversion =
                Conversion { source: decoded.props.format, target: PixelFormat::RGBA8, premultiply: false };
            let mut rgba = Decoded::zeroed(ImageProps { format: PixelFormat::RGBA8, ..decoded.props }).unwrap();
            conversion.convert(decoded.data(), rgba.data_mut());
            let start = std::time::Instant::now();
            let (blocks, Quality { psnr: quality, .. }) = encoded(&rgba, format, &settings).unwrap();
            seconds += start.elapsed().as_secs_f64();
            let count = f64::from(rgba.props.width) * f64::from(rgba.props.height);
            pixels += count;
            errors += count * 10.0f64.powf(-quality / 10.0);
            stored += blocks.data().len();
            let bytes = rres_format::Compressor::default().compress(rres_format::Compression::ZSTD, blocks.data());
            packed += bytes.unwrap().len();
        }
        let quality = -10.0 * (errors / pixels).log10();
        let word = ImageFormat::Exact(format).word();
        eprintln!(
            "{word} {effort:?} rdo {rdo}: {:.2} MB, zstd {:.3} MB ({:.2} bits/pixel), {quality:.2} dB, {:.2} Mpx/s",
            stored as f64 / 1e6,
            packed as f64 / 1e6,
            packed as f64 * 8.0 / pixels,
            pixels / seconds / 1e6
        );
    }
}

#[test]
fn block_chooses_by_meaning_alpha_and_quality() {
    let block = settings(ImageFormat::Block);
    let chosen = |pixel: fn(u32, u32) -> [u8; 4], meaning| stored(picture(128, 128, pixel), &block, meaning).0;
    let smooth: fn(u32, u32) -> [u8; 4] = |x, y| [x as u8 + 40, x as u8 + 50, y as u8 / 2 + 60, 255];
    assert_eq!(chosen(smooth, Meaning::Srgb), PixelFormat::DXT1_RGB);
    assert_eq!(chosen(photo, Meaning::Srgb), PixelFormat::BC7);
    let harder: fn(u32, u32) -> [u8; 4] = |x, y| [(x * 7 % 90) as u8, (y * 5 % 60) as u8, ((x ^ y) % 50) as u8, 255];
    assert_eq!(chosen(harder, Meaning::Srgb), PixelFormat::BC7, "BC1 is not good enough");
    let mask: fn(u32, u32) -> [u8; 4] = |x, y| [(x + y) as u8, (x + y) as u8, (x + y) as u8, 255];
    assert_eq!(chosen(mask, Meaning::Linear), PixelFormat::BC4);
    assert_eq!(chosen(mask, Meaning::Srgb), PixelFormat::BC7, "BC1 tints grays");
    let bumps: fn(u32, u32) -> [u8; 4] = |x, y| {
        let (x, y) = ((x as f32 * 0.1).sin() * 0.5, (y as f32 * 0.1).sin() * 0.5);
        let [x, y, z] = [x, y, (1.0 - x * x - y * y).sqrt()].map(|v| ((v + 1.0) * 127.5) as u8);
        [x, y, z, 255]
    };
    assert_eq!(chosen(bumps, Meaning::Linear), PixelFormat::BC5, "a normal map is recognised");
    assert_eq!(chosen(bumps, Meaning::Normals), PixelFormat::BC5);
    assert_ne!(chosen(bumps, Meaning::Srgb), PixelFormat::BC5, "colours are not directions");
}

#[test]
fn what_blocks_would_spoil_stays_uncompressed() {
    let noise = |x: u32, y: u32| {
        let v = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35);
        [v as u8, (v >> 8) as u8, (v >> 16) as u8, (v >> 24) as u8]
    };
    let block = settings(ImageFormat::Block);
    let (format, quality, notes) = stored(picture(128, 128, noise), &block, Meaning::Srgb);
    assert_eq!((format, quality), (PixelFormat::RGBA8, None));
    assert!(notes[0].topic.contains("not as good as asked"), "{notes:?}");
    assert!(notes[0].detail.starts_with("bc7 has ") && notes[0].detail.ends_with("the floor is 36.0"), "{notes:?}");
    let (format, _, notes) =
        stored(picture(128, 128, noise), &ImageSettings { min_psnr: Some(5.0), ..block.clone() }, Meaning::Srgb);
    assert_eq!((format, notes), (PixelFormat::BC7, vec![]), "the floor is a setting");
    let strict = ImageSettings { min_psnr: Some(60.0), ..settings(PixelFormat::BC7) };
    assert_eq!(
        stored(picture(128, 128, photo), &strict, Meaning::Srgb).0,
        PixelFormat::RGBA8,
        "of a named format, too"
    );

    let (psnr, ssim) = (Some(5.0), Some(0.9999));
    let strict = ImageSettings { min_psnr: psnr, min_ssim: ssim, ..settings(PixelFormat::BC7) };
    let (format, _, notes) = stored(picture(128, 128, noise), &strict, Meaning::Srgb);
    assert_eq!(format, PixelFormat::RGBA8);
    assert!(
        notes[0].detail.starts_with("bc7 has an SSIM of 0.") && notes[0].detail.ends_with("is 0.9999"),
        "{notes:?}"
    );
    assert!(notes[0].help.contains("image.min_ssim"), "{notes:?}");

    let pixel_art = ImageSettings { filter: Some(Filter::Nearest), ..block.clone() };
    assert_eq!(stored(picture(128, 128, photo), &pixel_art, Meaning::Srgb).0, PixelFormat::RGBA8);
    let (format, _, notes) = stored(picture(32, 32, photo), &block, Meaning::Srgb);
    assert_eq!((format, notes), (PixelFormat::RGBA8, vec![]), "icons");
    let (format, _, notes) = stored(picture(126, 128, photo), &block, Meaning::Srgb);
    assert_eq!(format, PixelFormat::RGBA8);
    assert!(notes[0].help.contains("pad = \"block\""), "{notes:?}");
}

#[test]
fn gray_stays_gray_if_it_is_not_stored_in_blocks() {
    let gray = picture(32, 32, |x, y| [(x * y) as u8, (x * y) as u8, (x * y) as u8, 255]);
    let expected: Vec<u8> = gray.data().iter().copied().step_by(4).collect();
    let block = settings(ImageFormat::Block);
    let source = Source { format: PixelFormat::GRAY8, ..COLORS };
    let Stored { decoded, .. } = store(gray, source, &block, Meaning::Srgb, &mut Vec::new()).unwrap();
    assert_eq!((decoded.props.format, decoded.data()), (PixelFormat::GRAY8, &expected[..]));
}

#[test]
fn bc1_refuses_alpha() {
    let mut notes = Vec::new();
    let error = store(picture(32, 8, photo), COLORS, &settings(PixelFormat::DXT1_RGB), Meaning::Srgb, &mut notes);
    assert!(error.err().unwrap().to_string().starts_with("has transparent pixels"));
}

#[test]
fn formats_without_srgb_are_linear() {
    let settings = |color_space| ImageSettings { color_space, ..settings(PixelFormat::BC4) };
    assert!(is_linear_only(&settings(None)) && is_linear_only(&settings(Some(ColorSpace::Linear))));
    assert!(!is_linear_only(&ImageSettings::default()));
}
