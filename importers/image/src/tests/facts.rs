//! Orientation, colour profiles and gamma.

use std::io::Write;

use ::image::metadata::Orientation;
use ::image::{DynamicImage, RgbImage};

use super::*;

/// A PNG with this chunk after its head.
pub(super) fn with_chunk(png: &[u8], name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let head = 8 + 25;
    [&png[..head], &png_chunk(name, data), &png[head..]].concat()
}

/// A WebP with this chunk at its end. Decoders read it only if the head has a flag for it; the importer needs none.
fn with_webp_chunk(webp: &[u8], name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut out = [webp, name, &(data.len() as u32).to_le_bytes(), data].concat();
    out.extend(std::iter::repeat_n(0, data.len() % 2));
    let len = out.len() as u32 - 8;
    out[4..8].copy_from_slice(&len.to_le_bytes());
    out
}

/// An Exif block with an orientation.
fn exif(orientation: u8) -> Vec<u8> {
    [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[orientation], &[0; 6]].concat()
}

pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A profile with this description, in the form of version 2 or 4.
fn profile(name: &str, is_v4: bool) -> Vec<u8> {
    let text = if is_v4 {
        let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let head = [b"mluc\0\0\0\0\0\0\0\x01\0\0\0\x0cenUS", &(units.len() as u32).to_be_bytes()[..], &[0, 0, 0, 28]];
        [head.concat(), units].concat()
    } else {
        [b"desc\0\0\0\0", &(name.len() as u32 + 1).to_be_bytes()[..], name.as_bytes(), b"\0"].concat()
    };
    let table = [&[0, 0, 0, 1][..], b"desc", &144u32.to_be_bytes(), &(text.len() as u32).to_be_bytes()].concat();
    [vec![0; 128], table, text].concat()
}

/// The detail of the note about colours.
fn note(file: &[u8], extension: &str, settings: &ImageSettings) -> Option<String> {
    let notes = import(file, extension, settings).unwrap().notes;
    let mut about = notes.into_iter().filter(|note| note.topic.contains("profiles") || note.topic.contains("sRGB"));
    about.next().map(|note| note.detail)
}

#[test]
fn pixels_are_turned_upright_as_another_program_does() {
    let pixels = noise(5 * 3 * 3);
    let png = encode_png(&pixels, 5, 3, Ext::Rgb8);
    let mut webp = Vec::new();
    ::image::codecs::webp::WebPEncoder::new_lossless(&mut webp).encode(&pixels, 5, 3, Ext::Rgb8).unwrap();
    for number in 0..=9 {
        let mut expected = DynamicImage::from(RgbImage::from_raw(5, 3, pixels.clone()).unwrap());
        expected.apply_orientation(Orientation::from_exif(number).unwrap_or(Orientation::NoTransforms));
        for (file, extension) in [
            (with_chunk(&png, b"eXIf", &exif(number)), "png"),
            (with_webp_chunk(&webp, b"EXIF", &exif(number)), "webp"),
            (with_webp_chunk(&webp, b"EXIF", &[b"Exif\0\0", &exif(number)[..]].concat()), "webp"),
        ] {
            let (props, found) = props_and_pixels(&import(&file, extension, &ImageSettings::default()).unwrap());
            assert_eq!((props.width, props.height), (expected.width(), expected.height()), "{extension}: {number}");
            assert_eq!(found, expected.as_bytes(), "{extension}: {number}");
        }
    }
}

#[test]
fn a_profile_that_is_not_srgb_is_named() {
    let png = encode_png(&noise(12), 2, 2, Ext::Rgb8);
    let plain = ImageSettings::default();
    let icc = |name: &str, is_v4| [b"ICC Profile\0\0", &zlib(&profile(name, is_v4))[..]].concat();
    for is_v4 in [false, true] {
        let file = with_chunk(&png, b"iCCP", &icc("Display P3", is_v4));
        assert_eq!(note(&file, "png", &plain).as_deref(), Some("Display P3, which is damaged"));
        let file = with_chunk(&png, b"iCCP", &icc("sRGB IEC61966-2.1", is_v4));
        assert_eq!(note(&file, "png", &plain), None);
    }
    let file = with_chunk(&png, b"iCCP", &icc("Adobe RGB (1998)", false));
    let linear = ImageSettings { color_space: Some(ColorSpace::Linear), ..Default::default() };
    assert_eq!(note(&file, "png", &linear).as_deref(), Some("Adobe RGB (1998)"));
    // A profile without colorants changes no numbers.
    let pixels = props_and_pixels(&import(&file, "png", &plain).unwrap()).1;
    assert_eq!(pixels, noise(12));

    let mut webp = Vec::new();
    ::image::codecs::webp::WebPEncoder::new_lossless(&mut webp).encode(&noise(12), 2, 2, Ext::Rgb8).unwrap();
    let file = with_webp_chunk(&webp, b"ICCP", &profile("Display P3", true));
    assert_eq!(note(&file, "webp", &plain).as_deref(), Some("Display P3, which is damaged"));

    let mut jpeg = Vec::new();
    jpeg::JpegEncoder::new(&mut jpeg).encode(&noise(192), 8, 8, Ext::Rgb8).unwrap();
    let icc = [b"ICC_PROFILE\0\x01\x01", &profile("Display P3", false)[..]].concat();
    let segment = [&[0xff, 0xe2][..], &(icc.len() as u16 + 2).to_be_bytes(), &icc].concat();
    let file = [&jpeg[..2], &segment, &jpeg[2..]].concat();
    assert_eq!(note(&file, "jpg", &plain).as_deref(), Some("Display P3, which is damaged"));
    assert_eq!(note(&jpeg, "jpg", &plain), None);
}

#[test]
fn a_gamma_that_is_not_that_of_srgb_is_named() {
    let png = encode_png(&noise(12), 2, 2, Ext::Rgb8);
    let gamma = |gamma: u32| with_chunk(&png, b"gAMA", &gamma.to_be_bytes());
    let plain = ImageSettings::default();
    assert_eq!(note(&gamma(45_455), "png", &plain), None);
    assert_eq!(note(&gamma(100_000), "png", &plain).as_deref(), Some("gamma 1.00"));
    assert_eq!(note(&gamma(0), "png", &plain), None);
    // The chunk for sRGB wins, wherever it is.
    assert_eq!(note(&with_chunk(&gamma(100_000), b"sRGB", &[0]), "png", &plain), None);
    assert_eq!(
        note(&with_chunk(&png, b"cICP", &[12, 13, 0, 1]), "png", &plain).as_deref(),
        Some("CICP 12/13, 50 % of the pixels are outside of sRGB and were clipped")
    );
    assert_eq!(note(&with_chunk(&png, b"cICP", &[1, 13, 0, 1]), "png", &plain), None);
}

#[test]
fn damaged_facts_are_no_facts() {
    let png = encode_png(&noise(12), 2, 2, Ext::Rgb8);
    let whole = [b"a\0\0", &zlib(&profile("Display P3", true))[..]].concat();
    for cut in cuts(&whole) {
        import(&with_chunk(&png, b"iCCP", cut), "png", &ImageSettings::default()).unwrap();
    }
    // A profile that unpacks to gigabytes is not unpacked to its end.
    let bomb = [b"a\0\0", &zlib(&vec![0; 64 << 20])[..]].concat();
    assert!(note(&with_chunk(&png, b"iCCP", &bomb), "png", &ImageSettings::default()).is_some());
    let whole = profile("Display P3", true);
    for damaged in replaced(&whole, 128..whole.len(), &[0xff]) {
        let icc = [b"a\0\0", &zlib(&damaged)[..]].concat();
        import(&with_chunk(&png, b"iCCP", &icc), "png", &ImageSettings::default()).unwrap();
    }
    for cut in cuts(&exif(6)) {
        import(&with_chunk(&png, b"eXIf", cut), "png", &ImageSettings::default()).unwrap();
    }
}

/// `lossy.rgb` is what ffmpeg decodes of `lossy.webp`.
#[test]
fn a_lossy_webp_is_what_another_decoder_makes_of_it() {
    let file = include_bytes!("../../../../crates/test-data/fixtures/image/lossy.webp");
    let expected = include_bytes!("../../../../crates/test-data/fixtures/image/lossy.rgb");
    let settings = ImageSettings { format: PixelFormat::RGB8.into(), ..Default::default() };
    let (props, pixels) = props_and_pixels(&import(file, "webp", &settings).unwrap());
    assert_eq!((props.width, props.height, pixels.len()), (32, 24, expected.len()));
    let error: u64 = pixels.iter().zip(expected).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum();
    // Decoders interpolate colours of fewer pixels in different ways.
    assert!(error / (pixels.len() as u64) < 100, "mean squared error {}", error / pixels.len() as u64);
}

#[test]
fn of_an_animated_webp_the_first_picture_is_stored_and_a_note_says_so() {
    let file = include_bytes!("../../../../crates/test-data/fixtures/image/anim.webp");
    let part = import(file, "webp", &ImageSettings::default()).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.width, props.height), (24, 16));
    let size = props.format.bytes_per_pixel().unwrap() as usize;
    let (first, last) = (&pixels[..3], &pixels[pixels.len() - size..][..3]);
    assert!(first[2] > 200 && first[0] < 50 && last[0] > 200 && last[2] < 50, "{first:?} {last:?}");
    assert_eq!(part.notes[0].topic, "only the first picture of an animation is stored");
}
