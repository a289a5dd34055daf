//! Assets as the types that other code takes: text, bytes, levels of a texture, floats.

use std::sync::Arc;

use rres_format::chunk::image::ImageProps;
use rres_format::chunk::link::link_block;
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{FourCc, Resource};
use rres_runtime::asset::{PixelFormat, Samples};
use rres_runtime::{AnyId, AssetBytes, AssetKind, Image, Link, PackOptions, Raw, Slot, Sound, Text};

use super::assets::{pack, plain, raw, text};

fn load<T: rres_runtime::Asset>(resource: Resource<'static>) -> T {
    let id = resource.id;
    PackOptions::default().from_bytes(pack([resource]).to_vec().unwrap()).unwrap().load(id).unwrap()
}

#[test]
fn texts_files_and_links_are_what_they_contain() {
    let text: Text = load(text("a.txt", "one\ntwo"));
    assert_eq!((text.lines().count(), &*text, text.as_ref() as &str), (2, "one\ntwo", "one\ntwo"));
    assert_eq!((text.to_string(), format!("{text:>8}|")), ("one\ntwo".to_owned(), " one\ntwo|".to_owned()));
    assert_eq!(String::from(text.clone()), "one\ntwo");
    let shared: Arc<str> = text.clone().into();
    assert_eq!(shared.as_ptr(), text.as_ptr(), "nothing is copied");

    let raw: Raw = load(raw("a.bin", b"RIFF"));
    assert!(raw.starts_with(b"RI") && raw.len() == 4);
    let bytes: AssetBytes = raw.clone().into();
    assert_eq!((bytes.as_ptr(), raw.as_ref()), (raw.as_ptr(), &b"RIFF"[..]));

    let link: Link = load(Resource::new("movie", vec![plain(FourCc::LINK, &link_block("data/movie.mp4"))]));
    assert_eq!((link.to_string(), link.as_ref()), ("data/movie.mp4".to_owned(), "data/movie.mp4"));
}

#[test]
fn ids_of_any_type_are_printed_in_hexadecimal() {
    let id = AnyId::new(rres_runtime::ResourceId(3_751_856_104), Slot(7), AssetKind::Text);
    assert_eq!((format!("{id:?}"), id.to_string()), ("AnyId<text>(0xdfa0c7e8)".to_owned(), "0xdfa0c7e8".to_owned()));
}

fn image(format: PixelFormat, width: u32, height: u32, mipmaps: u32, linear: bool) -> Image {
    let props = ImageProps { width, height, format, mipmaps };
    let pixels: Vec<u8> = (0..props.data_size().unwrap()).map(|i| i as u8).collect();
    let mut meta = Meta::default();
    meta.set(MetaKey::COLOR_SPACE, linear.into());
    load(Resource::new("a.png", vec![plain(FourCc::IMGE, &props.block(&pixels))]).with_meta(meta))
}

#[test]
fn levels_have_the_numbers_that_an_upload_asks_for() {
    let numbers = |image: &Image| -> Vec<_> {
        let levels =
            image.levels().inspect(|level| assert_eq!(level.pixels.len() as u32, level.bytes_per_row * level.rows));
        levels.map(|level| (level.width, level.height, level.bytes_per_row, level.rows, level.pixels[0])).collect()
    };
    assert_eq!(
        numbers(&image(PixelFormat::RGB8, 5, 2, 3, false)),
        [(5, 2, 15, 2, 0), (2, 1, 6, 1, 30), (1, 1, 3, 1, 36)]
    );
    // 2 × 2 blocks of 16 bytes, then one block with one pixel that counts, twice.
    assert_eq!(
        numbers(&image(PixelFormat::DXT5_RGBA, 8, 5, 4, false)),
        [(8, 5, 32, 2, 0), (4, 2, 16, 1, 64), (2, 1, 16, 1, 80), (1, 1, 16, 1, 96)]
    );
    assert_eq!(numbers(&image(PixelFormat::DXT1_RGB, 4, 4, 1, false)), [(4, 4, 8, 1, 0)]);
    assert_eq!(numbers(&image(PixelFormat::ASTC_8X8_RGBA, 9, 8, 1, false)), [(9, 8, 32, 1, 0)]);
}

#[test]
fn wgpu_formats_are_those_of_the_colour_space() {
    let name = |format, linear| image(format, 8, 8, 1, linear).wgpu_format();
    assert_eq!(name(PixelFormat::RGBA8, false), Some("rgba8unorm-srgb"));
    assert_eq!(name(PixelFormat::RGBA8, true), Some("rgba8unorm"));
    assert_eq!(name(PixelFormat::DXT5_RGBA, false), Some("bc3-rgba-unorm-srgb"));
    assert_eq!((name(PixelFormat::R32F, true), name(PixelFormat::R32F, false)), (Some("r32float"), None));
    assert_eq!((name(PixelFormat::GRAY8, true), name(PixelFormat::GRAY8, false)), (Some("r8unorm"), None));
    assert_eq!((name(PixelFormat::RGB8, true), name(PixelFormat::RGB8, false)), (None, None));
    // A format with a variant in sRGB is named after the linear one.
    for format in PixelFormat::NAMED.iter().filter(|format| **format != PixelFormat::UNDEFINED) {
        if let Some(srgb) = name(*format, false) {
            assert_eq!(name(*format, true).map(|linear| format!("{linear}-srgb")).as_deref(), Some(srgb), "{format}");
        } else if name(*format, true).is_none() {
            let rgba8 = image(*format, 8, 8, 1, false).to_rgba8().is_some();
            assert!(rgba8 || format.name().unwrap().starts_with("PVRT"), "{format}: there is another way");
        }
    }
}

#[test]
fn video_memory_is_what_is_uploaded() {
    for format in PixelFormat::NAMED.iter().filter(|format| **format != PixelFormat::UNDEFINED) {
        for is_linear in [false, true] {
            let image = image(*format, 24, 8, 4, is_linear);
            // Blocks that WebGPU lacks are uploaded to other graphics libraries as they are.
            let uploaded = image.to_wgpu().map_or(image.data().len(), |(_, pixels)| pixels.len());
            assert_eq!(image.video_memory(), uploaded as u64, "{format} {is_linear}");
        }
    }
}

#[test]
fn gl_formats_are_those_of_the_colour_space() {
    let number = |format, linear| image(format, 8, 8, 1, linear).gl_internal_format();
    assert_eq!((number(PixelFormat::BC7, true), number(PixelFormat::BC7, false)), (Some(0x8e8c), Some(0x8e8d)));
    assert_eq!((number(PixelFormat::BC4, true), number(PixelFormat::BC4, false)), (Some(0x8dbb), None));
    assert_eq!(number(PixelFormat::ASTC_12X12_RGBA, false), Some(0x93dd));
    let mut all: Vec<_> = PixelFormat::NAMED.iter().skip(1).map(|format| number(*format, true)).collect();
    assert!(all.iter().all(Option::is_some));
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "no number occurs twice");
}

fn sound(sample_size: u32, channels: u32, bytes: &[u8]) -> Sound {
    let frames = bytes.len() as u32 * 8 / sample_size / channels;
    let props = WaveProps { frames, sample_rate: 22_050, sample_size, channels };
    let mut meta = Meta::default();
    meta.set_f32(MetaKey::GAIN, -20.0);
    load(Resource::new("a.wav", vec![plain(FourCc::WAVE, &props.block(bytes))]).with_meta(meta))
}

#[test]
fn samples_become_floats_in_every_way() {
    let bytes_of = |samples: &[i16]| -> Vec<u8> { samples.iter().flat_map(|sample| sample.to_le_bytes()).collect() };
    let floats = [0.0, -1.0, 0.5, 0.25];
    let float_bytes: Vec<u8> = floats.iter().flat_map(|sample: &f32| sample.to_le_bytes()).collect();
    for (sound, copies) in [
        (sound(8, 2, &[128, 0, 192, 160]), true),
        (sound(16, 2, &bytes_of(&[0, i16::MIN, 16_384, 8_192])), true),
        (sound(32, 2, &float_bytes), false),
    ] {
        assert_eq!(matches!(sound.samples().to_f32(), Some(std::borrow::Cow::Owned(_))), copies);
        assert_eq!(*sound.samples().to_f32().unwrap(), floats);
        let mut reader = sound.reader().unwrap();
        assert_eq!((reader.sample_rate(), reader.channels(), reader.len()), (22_050, 2, 4));
        assert_eq!(reader.clone().collect::<Vec<_>>(), floats);
        assert_eq!(
            (reader.clone().nth(2), reader.clone().nth(4), reader.clone().nth(usize::MAX)),
            (Some(0.5), None, None)
        );

        let mut block = [9.0; 3];
        assert_eq!((reader.read_f32(&mut block), block), (3, [0.0, -1.0, 0.5]));
        assert_eq!((reader.read_f32(&mut block), block[0], reader.len()), (1, 0.25, 0));
        assert_eq!((reader.read_f32(&mut block), reader.next()), (0, None));
        reader.seek(1);
        assert_eq!(reader.next(), Some(0.5));
        reader.seek(u64::MAX);
        assert_eq!(reader.next(), None);
        assert_eq!(sound.linear_gain(), 0.1);
    }
    let encoded: Sound = load(raw("music.ogg", b"OggS").with_kind(AssetKind::Sound));
    assert!(encoded.reader().is_none() && encoded.samples().to_f32().is_none());
    assert_eq!(
        (encoded.linear_gain(), encoded.samples()),
        (1.0, Samples::Encoded { extension: ".ogg", bytes: b"OggS" })
    );
}

#[test]
fn a_sound_is_a_wav_file_for_players_that_take_files_only() {
    for (sample_size, bytes) in [(8, &[128, 255, 0][..]), (16, &[0, 0, 1, 128]), (32, &[0, 0, 128, 63])] {
        let sound = sound(sample_size, 1, bytes);
        let file = sound.to_wav().unwrap();
        let field = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        assert_eq!((&file[..4], &file[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
        assert_eq!((field(4) as usize, field(24)), (file.len() - 8, sound.sample_rate()));
        let data = file.windows(4).position(|name| name == b"data").unwrap();
        assert_eq!((field(data + 4) as usize, &file[data + 8..][..bytes.len()]), (bytes.len(), bytes));
        assert_eq!(file.len() % 2, 0);
    }
}

#[test]
fn a_reader_outlives_its_sound_without_a_copy() {
    let sound = sound(16, 1, &[0; 64]);
    let bytes = sound.data().clone();
    let reader = sound.reader().unwrap();
    drop(sound);
    assert_eq!((reader.len(), bytes.len()), (32, 64));
    std::thread::spawn(move || assert!(reader.into_iter().all(|sample| sample == 0.0))).join().unwrap();
}

#[cfg(feature = "image")]
mod image_crate {
    use super::*;
    use ::image::{ColorType, DynamicImage, GenericImageView, Rgba, RgbaImage};

    #[test]
    fn every_uncompressed_format_becomes_an_image_of_the_crate_image() {
        for (format, color) in [
            (PixelFormat::GRAY8, ColorType::L8),
            (PixelFormat::GRAY_ALPHA8, ColorType::La8),
            (PixelFormat::RGB565, ColorType::Rgba8),
            (PixelFormat::RGB8, ColorType::Rgb8),
            (PixelFormat::RGBA5551, ColorType::Rgba8),
            (PixelFormat::RGBA4444, ColorType::Rgba8),
            (PixelFormat::RGBA8, ColorType::Rgba8),
            (PixelFormat::R32F, ColorType::Rgb32F),
            (PixelFormat::RGB32F, ColorType::Rgb32F),
            (PixelFormat::RGBA32F, ColorType::Rgba32F),
        ] {
            let ours = image(format, 4, 3, 2, false);
            let dynamic = DynamicImage::try_from(&ours).unwrap();
            assert_eq!((dynamic.color(), dynamic.dimensions()), (color, (4, 3)), "{format}");
            let rgba = RgbaImage::try_from(&ours).unwrap();
            assert_eq!(Some(rgba.as_raw().as_slice()), ours.to_rgba8().as_deref(), "{format}");
            if format.bytes_per_pixel() < Some(4) {
                assert_eq!(dynamic.to_rgba8(), rgba, "{format}");
            }
        }
    }

    #[test]
    fn blocks_are_refused_with_their_format() {
        let blocks = image(PixelFormat::DXT5_RGBA, 8, 8, 1, false);
        let expected = "image: its format is DXT5_RGBA, expected one that is not block-compressed";
        assert_eq!(RgbaImage::try_from(&blocks).unwrap_err().to_string(), expected);
        assert_eq!(DynamicImage::try_from(&blocks).unwrap_err().to_string(), expected);
    }

    #[test]
    fn an_image_of_the_crate_image_becomes_ours_even_if_its_buffer_is_too_long() {
        let theirs = RgbaImage::from_raw(2, 1, vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).unwrap();
        assert_eq!(theirs.get_pixel(1, 0), &Rgba([5, 6, 7, 8]));
        let ours: Image = theirs.into();
        assert_eq!((ours.width(), ours.height(), &**ours.data()), (2, 1, &[1, 2, 3, 4, 5, 6, 7, 8][..]));
    }
}
