use ::image::codecs::{gif, hdr, jpeg, png, qoi, webp};
use ::image::{ExtendedColorType as Ext, ImageEncoder};
use rres_test_data::damage::{cuts, replaced, scattered};
use rres_test_data::picture::{self, bmp, png_chunk, png_of_chunks, tga};
use rres_test_data::random::noise;

use super::*;

mod aseprite;
#[cfg(feature = "gpu")]
mod basis;
#[cfg(feature = "gpu")]
mod blocks;
mod channels;
mod containers;
mod conversions;
mod cubemap;
mod edits;
mod exr;
mod facts;
mod frames;
mod ktx;
mod ktx1;
mod layers;
mod lut;
mod profiles;
mod sloppy;
mod textures;

fn encode_png(pixels: &[u8], width: u32, height: u32, color: Ext) -> Vec<u8> {
    let mut out = Vec::new();
    png::PngEncoder::new(&mut out).write_image(pixels, width, height, color).unwrap();
    out
}

/// A file of each format, 5×3 pixels, by its extension.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let rgb = noise(45);
    let rgba = noise(60);
    let mut files = vec![("png", encode_png(&rgba, 5, 3, Ext::Rgba8))];
    let mut out = Vec::new();
    jpeg::JpegEncoder::new_with_quality(&mut out, 95).write_image(&rgb, 5, 3, Ext::Rgb8).unwrap();
    files.push(("jpg", std::mem::take(&mut out)));
    gif::GifEncoder::new(&mut out).encode(&rgba, 5, 3, Ext::Rgba8).unwrap();
    files.push(("gif", std::mem::take(&mut out)));
    qoi::QoiEncoder::new(&mut out).write_image(&rgba, 5, 3, Ext::Rgba8).unwrap();
    files.push(("qoi", std::mem::take(&mut out)));
    let light: Vec<_> = rgb.chunks_exact(3).map(|p| ::image::Rgb([p[0], p[1], p[2]].map(f32::from))).collect();
    hdr::HdrEncoder::new(&mut out).encode(&light, 5, 3).unwrap();
    files.push(("hdr", std::mem::take(&mut out)));
    files.push(("bmp", bmp(5, 3, &rgb)));
    files.push(("tga", tga(5, 3, &rgba)));
    files.push(("dds", textures::masked(5, 3, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], &rgba)));
    webp::WebPEncoder::new_lossless(&mut out).encode(&rgba, 5, 3, Ext::Rgba8).unwrap();
    files.push(("webp", std::mem::take(&mut out)));
    files
}

fn import(bytes: &[u8], extension: &str, settings: &ImageSettings) -> Result<Asset, ImportError> {
    import_image(bytes, &format!("a.{extension}"), extension, settings)
}

fn props_and_pixels(part: &Asset) -> (ImageProps, Vec<u8>) {
    let view = ImageView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
    // Nothing may follow the pixels.
    assert_eq!(part.blocks[0].bytes.len(), HEAD + view.data().len());
    (view.props(), view.data().to_vec())
}

fn pixels_of(bytes: &[u8], extension: &str, settings: &ImageSettings) -> (PixelFormat, Vec<u8>) {
    let part = import(bytes, extension, settings).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    (props.format, pixels)
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|v| f32::from_le_bytes(v.try_into().unwrap())).collect()
}

#[cfg(not(feature = "gpu"))]
#[test]
fn blocks_need_a_feature() {
    let file = encode_png(&noise(128 * 128 * 4), 128, 128, Ext::Rgba8);
    for format in [rres_settings::ImageFormat::Block, PixelFormat::BC7.into()] {
        let error = import(&file, "png", &ImageSettings { format, ..Default::default() }).unwrap_err();
        assert_eq!(error.to_string(), "would be stored as bc7, but the feature `gpu` of rres-build is disabled");
        assert!(error.help().unwrap().contains("cargo add --build rres-build --features gpu"));
    }
}

#[test]
fn the_summary_lists_settings_that_are_not_defaults() {
    let file = encode_png(&noise(64 * 64 * 4), 64, 64, Ext::Rgba8);
    let part = import(&file, "png", &ImageSettings::default()).unwrap();
    assert_eq!((part.summary.as_str(), part.meta.is_empty(), part.name.as_str()), ("64×64 RGBA8", true, ""));
    assert_eq!(part.kind, AssetKind::Image);
    let settings = ImageSettings {
        mipmaps: true,
        premultiply: true,
        filter: Some(Filter::Nearest),
        wrap: Some(Wrap::Repeat),
        color_space: Some(ColorSpace::Linear),
        ..Default::default()
    };
    let part = import(&file, "png", &settings).unwrap();
    assert_eq!(part.summary, "64×64 RGBA8 7 mips nearest repeat linear premultiplied");
    for (key, value) in
        [(MetaKey::FILTER, 1), (MetaKey::WRAP, 1), (MetaKey::COLOR_SPACE, 1), (MetaKey::PREMULTIPLIED, 1)]
    {
        assert_eq!(part.meta.get(key), Some(value), "{key}");
    }
}

#[test]
fn an_image_of_16_bits_says_that_it_becomes_floats() {
    let file = encode_png(&noise(4 * 4 * 8), 4, 4, Ext::Rgba16);
    let part = import(&file, "png", &ImageSettings::default()).unwrap();
    assert_eq!(part.summary, "4×4 RGBA32F");
    let [note] = &part.notes[..] else { panic!("{:?}", part.notes) };
    assert_eq!(
        (note.topic.as_str(), note.detail.as_str()),
        ("16-bit channels are stored as 32-bit floats", "16 bytes a pixel")
    );
    // A format that a rule asks for needs no note.
    let settings = ImageSettings { format: PixelFormat::RGBA32F.into(), ..Default::default() };
    assert_eq!(import(&file, "png", &settings).unwrap().notes, []);
}

#[test]
fn a_wrong_extension_is_an_error_that_names_the_content() {
    let files = samples();
    let (_, gif) = &files[2];
    let error = import(gif, "png", &ImageSettings::default()).unwrap_err();
    assert_eq!(error.to_string(), "is a GIF, not a PNG");
    assert!(error.help().unwrap().starts_with("rename it to .gif"), "{error:?}");
    for (extension, bytes) in &files {
        for (other, _) in files.iter().filter(|(other, _)| other != extension) {
            assert!(import(bytes, other, &ImageSettings::default()).is_err(), "{extension} as {other}");
        }
        // Without an extension, the content decides.
        assert_eq!(import(bytes, "", &ImageSettings::default()).is_ok(), *extension != "tga", "{extension}");
    }
    for (bytes, message) in [
        (&b""[..], "is empty (0 bytes)"),
        (b"hello world", "is not a PNG: it starts with \"hello wo\""),
        (b"\0\x01\x02", "is not a PNG: it starts with 00 01 02"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "is a WebP, not a PNG"),
    ] {
        let error = import(bytes, "png", &ImageSettings::default()).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(error.help().is_some());
    }
}

#[test]
fn truncated_files_are_errors_and_never_panic() {
    for (extension, bytes) in samples() {
        let whole = import(&bytes, extension, &ImageSettings::default()).unwrap();
        for cut in cuts(&bytes) {
            let len = cut.len();
            match import(cut, extension, &ImageSettings::default()) {
                Err(error) => assert!(error.help().is_some(), "{extension} {len}: {error}"),
                // Only what follows the pixels may be missing.
                Ok(part) => assert_eq!(part.blocks[0].bytes, whole.blocks[0].bytes, "{extension} cut at {len}"),
            }
        }
    }
}

#[test]
fn corrupt_files_never_panic() {
    let settings = ImageSettings { mipmaps: true, premultiply: true, ..Default::default() };
    for (extension, bytes) in samples() {
        let head = 0..bytes.len().min(160);
        for bytes in scattered(&bytes, 400).chain(replaced(&bytes, head, &[0, 0xff])) {
            let _ = import(&bytes, extension, &settings);
        }
    }
}

#[test]
fn absurd_sizes_are_refused_before_memory_is_allocated() {
    for (width, height, message) in [
        (0u32, 5u32, "has 0×5 pixels"),
        (65535, 65535, "is too large: 65535×65535 RGBA8 with 1 level is 16383 MiB"),
        (0x7fff_ffff, 1, "cannot be stored: "),
        (1 << 20, 257, "is too large: 1048576×257 RGBA8"),
    ] {
        let file = textures::masked(width, height, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], &[]);
        let error = import(&file, "dds", &ImageSettings::default()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    // A PNG of a few bytes that claims a width of 2^31 - 1 pixels, and one whose pixels would fit but are missing.
    for (width, height) in [(0x7fff_ffff, 0x7fff_ffff), (16384, 16384), (0, 1)] {
        let file = png_of_chunks::<&[u8]>([width, height], [8, 6, 0], &[]);
        assert!(import(&file, "png", &ImageSettings::default()).is_err(), "{width}×{height}");
    }
    // An image that fits as it is decoded, but not with 16 bytes per pixel.
    let settings = ImageSettings { format: PixelFormat::RGBA32F.into(), ..Default::default() };
    let props = ImageProps { width: 12000, height: 12000, format: PixelFormat::GRAY8, mipmaps: 1 };
    let error = finish(Decoded::zeroed(props).unwrap(), &settings).unwrap_err().to_string();
    assert!(error.starts_with("is too large: 12000×12000 RGBA32F"), "{error}");
}
