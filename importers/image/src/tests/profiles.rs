//! Colours with a profile become sRGB.
//!
//! The pictures in `fixtures/image/profiles` have a profile, and the `.rgb` beside each is what LittleCMS 2.19 makes of it (Pillow 13,
//! `ImageCms.profileToProfile` with the intent "relative colorimetric" and without optimisation). The profiles were written for this test from
//! the published colorants and curves.

use rres_settings::ColorProfile;

use super::facts::{with_chunk, zlib};
use super::*;

/// A picture, and what LittleCMS makes of it as RGB.
struct Fixture(&'static str, &'static [u8], &'static [u8]);

macro_rules! fixtures {
    ($($name:literal),*) => {
        &[$(Fixture(
            $name,
            include_bytes!(concat!("../../../../crates/test-data/fixtures/image/profiles/", $name, ".png")),
            include_bytes!(concat!("../../../../crates/test-data/fixtures/image/profiles/", $name, ".rgb")),
        )),*]
    };
}

const FIXTURES: &[Fixture] = fixtures!["display-p3", "adobe-rgb", "prophoto", "table", "linear-srgb", "gray"];

fn settings() -> ImageSettings {
    ImageSettings { format: PixelFormat::RGB8.into(), ..Default::default() }
}

fn pixels(file: &[u8], extension: &str, settings: &ImageSettings) -> Vec<u8> {
    props_and_pixels(&import(file, extension, settings).unwrap()).1
}

/// L, a and b of a colour in sRGB, relative to D65.
fn lab(color: &[u8]) -> [f64; 3] {
    let [r, g, b] = [color[0], color[1], color[2]].map(|v| f64::from(srgb::to_linear(f32::from(v) / 255.0)));
    let xyz = [
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    ];
    let [x, y, z] = xyz.map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(one: &[u8], other: &[u8]) -> f64 {
    lab(one).iter().zip(lab(other)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn colours_are_those_of_another_colour_manager() {
    for Fixture(name, file, expected) in FIXTURES {
        let found = pixels(file, "png", &settings());
        assert_eq!(found.len(), expected.len(), "{name}");
        for (i, (found, expected)) in found.chunks_exact(3).zip(expected.chunks_exact(3)).enumerate() {
            assert!(distance(found, expected) < 1.0, "{name} {i}: {found:?}, expected {expected:?}");
            assert!(found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 1), "{name} {i}: {found:?} {expected:?}");
        }
        // The test would see if nothing was done.
        let kept = pixels(file, "png", &ImageSettings { color_profile: ColorProfile::Ignore, ..settings() });
        let far =
            kept.chunks_exact(3).zip(expected.chunks_exact(3)).any(|(kept, expected)| distance(kept, expected) > 5.0);
        assert!(far, "{name}");
    }
}

#[test]
fn the_bytes_are_these_on_every_machine() {
    let hashes = FIXTURES.iter().map(|Fixture(_, file, _)| crc32fast::hash(&pixels(file, "png", &settings())));
    let expected = [1_420_295_832, 2_565_118_826, 231_282_181, 3_357_602_296, 1_511_486_167, 3_668_620_513];
    assert_eq!(hashes.collect::<Vec<_>>(), expected);
}

#[test]
fn a_conversion_is_said_and_can_be_switched_off() {
    let Fixture(_, file, _) = FIXTURES[0];
    let notes = |settings: &ImageSettings| import(file, "png", settings).unwrap().notes;
    let note = &notes(&settings())[0];
    assert_eq!(note.topic, "colours are converted to sRGB");
    assert_eq!(note.detail, "Display P3, 79 % of the pixels are outside of sRGB and were clipped");
    assert!(notes(&ImageSettings { color_profile: ColorProfile::Ignore, ..settings() }).is_empty());
    // Numbers that are not colours stay.
    let linear = ImageSettings { color_space: Some(ColorSpace::Linear), ..settings() };
    assert_eq!(notes(&linear)[0].topic, "colour profiles are not applied to numbers that are not colours");
    let ignored = ImageSettings { color_profile: ColorProfile::Ignore, ..settings() };
    assert_eq!(pixels(file, "png", &linear), pixels(file, "png", &ignored));
}

#[test]
fn greys_alpha_and_sixteen_bits_are_converted_alike() {
    let Fixture(_, file, expected) = FIXTURES[5];
    let plain = ImageSettings::default();
    let (props, grey) = props_and_pixels(&import(file, "png", &plain).unwrap());
    assert_eq!(props.format, PixelFormat::GRAY8);
    assert!(grey.iter().zip(expected.chunks_exact(3)).all(|(found, expected)| found.abs_diff(expected[0]) <= 1));

    // A gamma of 1 is linear light: 188 of 255 is the half of it.
    let gamma = |png: &[u8]| with_chunk(png, b"gAMA", &100_000u32.to_be_bytes());
    let png = encode_png(&[128, 128, 128, 7], 1, 1, Ext::Rgba8);
    assert_eq!(pixels(&gamma(&png), "png", &plain), [188, 188, 188, 7]);
    let words: Vec<u8> = [32896u16, 32896, 32896, 1799].into_iter().flat_map(u16::to_ne_bytes).collect();
    let png = encode_png(&words, 1, 1, Ext::Rgba16);
    let found = pixels(&gamma(&png), "png", &plain);
    let number = |at: usize| f32::from_le_bytes(*found[at * 4..].first_chunk().unwrap());
    let light = srgb::from_linear(32896.0 / 65535.0);
    assert!((0..3).all(|at| (number(at) - light).abs() < 1e-6), "{} {light}", number(0));
    assert!((number(3) - 1799.0 / 65535.0).abs() < 1e-7);
}

#[test]
fn the_codes_and_the_primaries_of_png_mean_the_same_as_the_profile() {
    let Fixture(_, file, expected) = FIXTURES[0];
    let plain = pixels(file, "png", &ImageSettings { color_profile: ColorProfile::Ignore, ..settings() });
    let png = encode_png(&plain, 8, 8, Ext::Rgb8);
    let found = pixels(&with_chunk(&png, b"cICP", &[12, 13, 0, 1]), "png", &settings());
    assert!(found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 1));
    let chromaticities = [31_270u32, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000];
    let chromaticities: Vec<u8> = chromaticities.into_iter().flat_map(u32::to_be_bytes).collect();
    let file = with_chunk(&with_chunk(&png, b"cHRM", &chromaticities), b"gAMA", &45_455u32.to_be_bytes());
    let found = pixels(&file, "png", &settings());
    assert!(found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 1));
    assert_ne!(found, plain);
}

/// Programs that leave out the chunk of sRGB write what the specification has beside it.
#[test]
fn the_gamma_and_the_primaries_of_srgb_are_srgb() {
    let dark: Vec<u8> = (0..48).collect();
    let png = encode_png(&dark, 16, 1, Ext::Rgb8);
    let chromaticities = [31_270u32, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
    let chromaticities: Vec<u8> = chromaticities.into_iter().flat_map(u32::to_be_bytes).collect();
    let file = with_chunk(&with_chunk(&png, b"cHRM", &chromaticities), b"gAMA", &45_455u32.to_be_bytes());
    assert_eq!(pixels(&file, "png", &settings()), pixels(&png, "png", &settings()));
}

#[test]
fn a_jpeg_with_a_profile_is_stored_as_converted_pixels() {
    let mut jpeg = Vec::new();
    jpeg::JpegEncoder::new(&mut jpeg).encode(&noise(192), 8, 8, Ext::Rgb8).unwrap();
    let mut icc = Vec::new();
    let Fixture(_, file, _) = FIXTURES[0];
    let (_, chunk) = crate::png::chunks(file).find(|(name, _)| *name == b"iCCP").unwrap();
    let stream = chunk.iter().position(|byte| *byte == 0).unwrap() + 2;
    std::io::Read::read_to_end(&mut flate2::read::ZlibDecoder::new(&chunk[stream..]), &mut icc).unwrap();
    // In two segments, the second one first.
    let part = |number: u8, bytes: &[u8]| {
        let segment = [&b"ICC_PROFILE\0"[..], &[number, 2], bytes].concat();
        [&[0xff, 0xe2][..], &(segment.len() as u16 + 2).to_be_bytes(), &segment].concat()
    };
    let file = [&jpeg[..2], &part(2, &icc[200..]), &part(1, &icc[..200]), &jpeg[2..]].concat();
    let plain = ImageSettings::default();
    let image = import(&file, "jpg", &plain).unwrap();
    assert!(image.source_form.is_none());
    assert_eq!(image.notes[1].topic, "JPEGs whose colours are converted are stored as pixels, which take more bytes");
    assert_ne!(props_and_pixels(&image).1, pixels(&jpeg, "jpg", &plain));
    // As the file, it has the numbers of the file.
    let source = ImageSettings { store: rres_settings::ImageStorage::Source, ..Default::default() };
    let image = import(&file, "jpg", &source).unwrap();
    assert_eq!(image.blocks[0].kind, FourCc::RAWD);
    assert!(image.notes[0].topic.starts_with("colour profiles are not applied to JPEGs that are stored as files"));
    let ignored = ImageSettings { color_profile: ColorProfile::Ignore, ..Default::default() };
    assert!(import(&file, "jpg", &ignored).unwrap().source_form.is_some());
}

#[test]
fn profiles_that_cannot_be_applied_are_named() {
    let png = encode_png(&noise(12), 2, 2, Ext::Rgb8);
    let detail = |name: &[u8; 4], data: &[u8]| {
        let image = import(&with_chunk(&png, name, data), "png", &ImageSettings::default()).unwrap();
        assert_eq!(props_and_pixels(&image).1, noise(12));
        image.notes.first().map(|note| (note.topic.clone(), note.detail.clone()))
    };
    let topic = "colour profiles that cannot be applied: colours are read as sRGB".to_owned();
    assert_eq!(detail(b"cICP", &[9, 16, 0, 1]), Some((topic.clone(), "CICP 9/16, which is HDR".to_owned())));
    let mut cmyk = vec![0; 132];
    cmyk[16..24].copy_from_slice(b"CMYKLab ");
    cmyk[36..40].copy_from_slice(b"acsp");
    let icc = [b"a\0\0", &zlib(&cmyk)[..]].concat();
    assert_eq!(detail(b"iCCP", &icc), Some((topic.clone(), "unnamed profile, which is for CMYK".to_owned())));
    // A profile for greys says nothing of colours.
    let Fixture(_, grey, _) = FIXTURES[5];
    let (_, icc) = crate::png::chunks(grey).find(|(name, _)| *name == b"iCCP").unwrap();
    assert_eq!(detail(b"iCCP", icc), Some((topic, "Dot Gain 20%, which is for grey pictures".to_owned())));
}

#[test]
fn damaged_profiles_change_nothing_or_are_applied() {
    for Fixture(name, file, _) in FIXTURES {
        let (_, chunk) = crate::png::chunks(file).find(|(name, _)| *name == b"iCCP").unwrap();
        let stream = chunk.iter().position(|byte| *byte == 0).unwrap() + 2;
        let mut icc = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::ZlibDecoder::new(&chunk[stream..]), &mut icc).unwrap();
        let head = icc.len().min(600);
        let damaged = replaced(&icc, 0..head, &[0, 0x80, 0xff]);
        for bytes in damaged.chain(cuts(&icc[..head]).map(<[u8]>::to_vec)) {
            if let Ok(profile) = profile::Profile::of_icc(&bytes) {
                let props = ImageProps { width: 4, height: 1, format: PixelFormat::RGB8, mipmaps: 1 };
                let mut picture = Decoded::zeroed(props).unwrap();
                picture.data_mut().copy_from_slice(&[0, 0, 0, 255, 255, 255, 255, 0, 0, 1, 128, 254]);
                profile.is_srgb();
                let applied = profile.apply(&mut picture);
                assert_eq!(applied.all, 4, "{name}");
            }
            profile::description(&bytes);
        }
    }
}
