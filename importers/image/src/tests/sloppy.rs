//! Files that are a little wrong, or hold more than one picture.

use rres_settings::ImageFormat;

use super::*;

fn plain(bytes: &[u8], extension: &str) -> Result<Asset, ImportError> {
    import(bytes, extension, &ImageSettings::default())
}

/// A JPEG of noise; `quality` 95.
fn jpeg_file(width: u32, height: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let rgb = noise(width as usize * height as usize * 3);
    jpeg::JpegEncoder::new_with_quality(&mut out, 95).write_image(&rgb, width, height, Ext::Rgb8).unwrap();
    out
}

#[test]
fn stray_bytes_between_the_segments_of_a_jpeg_do_not_matter() {
    let file = jpeg_file(20, 20);
    let whole = plain(&file, "jpg").unwrap();
    // Behind the first segment, whose length is in bytes 4 and 5.
    let at = 4 + usize::from(u16::from_be_bytes([file[4], file[5]]));
    for stray in [&b"\0"[..], b"\0\0\0", b"\xff", b"junk"] {
        let sloppy = [&file[..at], stray, &file[at..]].concat();
        assert_eq!(plain(&sloppy, "jpg").unwrap().blocks[0].bytes, whole.blocks[0].bytes, "{stray:?}");
    }
}

#[test]
fn damaged_pixels_of_a_jpeg_are_an_error() {
    let file = jpeg_file(64, 64);
    let start = file.windows(2).position(|mark| mark == [0xff, 0xda]).unwrap() + 14;
    let mut errors = 0;
    let places: Vec<usize> = (start..file.len() - 40).step_by(37).collect();
    for &at in &places {
        let mut damaged = file.clone();
        // A code that no table has, over and over.
        damaged[at..at + 12].copy_from_slice(&[0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0]);
        errors += usize::from(plain(&damaged, "jpg").is_err());
    }
    assert!(errors * 10 > places.len() * 9, "{errors} of {}", places.len());
    let mut damaged = file.clone();
    damaged[places[3]..places[3] + 2].copy_from_slice(&[0xff, 0xc4]);
    let error = plain(&damaged, "jpg").unwrap_err();
    assert!(error.to_string().starts_with("is a damaged JPEG: its pixels cannot be decoded ("), "{error}");
}

#[test]
fn the_first_picture_of_an_animation_is_said_to_be_the_first() {
    let mut file = Vec::new();
    let mut encoder = gif::GifEncoder::new(&mut file);
    for shade in [0, 100, 200] {
        encoder.encode(&[shade; 5 * 3 * 4], 5, 3, Ext::Rgba8).unwrap();
    }
    drop(encoder);
    let part = plain(&file, "gif").unwrap();
    assert_eq!(part.notes[0].topic, "only the first picture of an animation is stored");
    assert_eq!(part.notes[0].detail, "3 pictures");
    for (extension, file) in samples() {
        assert_eq!(plain(&file, extension).unwrap().notes, [], "{extension}");
    }

    let control = (b"acTL", vec![0, 0, 0, 2, 0, 0, 0, 0]);
    let data = (b"IDAT", picture::zlib(&[0, 10, 20]));
    let apng = png_of_chunks([2, 1], [8, 0, 0], &[control, data]);
    let part = plain(&apng, "png").unwrap();
    assert_eq!(part.notes[0].detail, "2 pictures");
    assert_eq!(props_and_pixels(&part).1, [10, 20]);
}

/// Some programs write 32 bits a pixel and mean 24.
#[test]
fn a_tga_without_any_visible_pixel_is_a_note() {
    let notes = |alpha: u8| {
        let pixels: Vec<u8> = (0..6).flat_map(|n| [n, 2, 3, if n == 4 { alpha } else { 0 }]).collect();
        import(&rres_test_data::picture::tga(3, 2, &pixels), "tga", &ImageSettings::default()).unwrap().notes
    };
    assert_eq!(notes(1), []);
    let [note] = &notes(0)[..] else { panic!("one note") };
    assert!(note.topic.contains("every pixel of a TGA is transparent"), "{}", note.topic);
}

#[test]
fn a_tga_of_16_bits_keeps_its_alpha() {
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 16, 0x21];
    let word = |r: u16, g: u16, b: u16, a: u16| (a << 15 | r << 10 | g << 5 | b).to_le_bytes();
    for pixel in [word(31, 0, 0, 1), word(0, 31, 0, 0), word(3, 15, 31, 1), word(0, 0, 0, 0)] {
        tga.extend(pixel);
    }
    let pixels = vec![255, 0, 0, 255, 0, 255, 0, 0, 25, 123, 255, 255, 0, 0, 0, 0];
    assert_eq!(pixels_of(&tga, "tga", &ImageSettings::default()), (PixelFormat::RGBA8, pixels));
    // Nothing is visible: the bit means nothing.
    for at in (19..tga.len()).step_by(2) {
        tga[at] &= 0x7f;
    }
    let opaque = vec![255, 0, 0, 0, 255, 0, 25, 123, 255, 0, 0, 0];
    assert_eq!(pixels_of(&tga, "tga", &ImageSettings::default()), (PixelFormat::RGB8, opaque.clone()));
    tga[17] = 0x20;
    assert_eq!(pixels_of(&tga, "tga", &ImageSettings::default()), (PixelFormat::RGB8, opaque));
}

#[test]
fn only_the_bits_of_a_transparent_grey_count_that_its_pixels_have() {
    let data = (b"IDAT", picture::zlib(&[0, 0b1010_0000]));
    let file = png_of_chunks([4, 1], [1, 0, 0], &[(b"tRNS", vec![0x00, 0xff]), data.clone()]);
    let expected = (PixelFormat::GRAY_ALPHA8, vec![255, 0, 0, 255, 255, 0, 0, 255]);
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), expected);
    let file = png_of_chunks([4, 1], [1, 0, 0], &[(b"tRNS", vec![0x00, 0x01]), data]);
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), expected);
}

#[test]
fn profiles_and_texts_of_a_png_are_not_unpacked() {
    let data = (b"IDAT", picture::zlib(&[0, 10, 20]));
    let bare = png_of_chunks([2, 1], [8, 0, 0], std::slice::from_ref(&data));
    // What they hold would be an error if anybody unpacked it.
    let bomb = [b"profile\0\0", &[0xaa; 600_000][..]].concat();
    let file = png_of_chunks([2, 1], [8, 0, 0], &[(b"iCCP", bomb.clone()), (b"zTXt", bomb), data]);
    let essence = super::super::png::essence(&file);
    assert_eq!((&*essence.bytes, essence.frames), (&bare[..], 1));
    assert_eq!(super::super::png::decoded_size(&file), Some(2));
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (PixelFormat::GRAY8, vec![10, 20]));
}

#[test]
fn gpu_formats_have_one_two_or_four_channels() {
    let gpu = ImageSettings { format: ImageFormat::Gpu, ..Default::default() };
    for (color, channels, format) in [
        (Ext::L8, 1, PixelFormat::GRAY8),
        (Ext::La8, 2, PixelFormat::GRAY_ALPHA8),
        (Ext::Rgb8, 3, PixelFormat::RGBA8),
        (Ext::Rgba8, 4, PixelFormat::RGBA8),
        (Ext::L16, 2, PixelFormat::R32F),
        (Ext::Rgb16, 6, PixelFormat::RGBA32F),
    ] {
        let file = encode_png(&noise(4 * 4 * channels), 4, 4, color);
        assert_eq!(pixels_of(&file, "png", &gpu).0, format, "{color:?}");
    }
    let rgb = noise(48);
    let rgba: Vec<u8> = rgb.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    assert_eq!(pixels_of(&encode_png(&rgb, 4, 4, Ext::Rgb8), "png", &gpu).1, rgba);
}
