//! Files of each format, written here or by the encoders of `image`, are read back pixel by pixel.

use super::*;

#[test]
fn png_keeps_depth_and_alpha() {
    for (color, channels, format) in [
        (Ext::L8, 1, PixelFormat::GRAY8),
        (Ext::La8, 2, PixelFormat::GRAY_ALPHA8),
        (Ext::Rgb8, 3, PixelFormat::RGB8),
        (Ext::Rgba8, 4, PixelFormat::RGBA8),
    ] {
        let pixels = noise(7 * 5 * channels);
        let file = encode_png(&pixels, 7, 5, color);
        assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (format, pixels), "{color:?}");
    }
}

#[test]
fn sixteen_bits_are_exact_as_floats() {
    for (color, channels, stored_channels, format) in [
        (Ext::L16, 1, 1, PixelFormat::R32F),
        (Ext::La16, 2, 4, PixelFormat::RGBA32F),
        (Ext::Rgb16, 3, 3, PixelFormat::RGB32F),
        (Ext::Rgba16, 4, 4, PixelFormat::RGBA32F),
    ] {
        // All 16-bit numbers.
        let words: Vec<u16> = (0..65536u32 * channels).map(|i| (i / channels).wrapping_mul(40503) as u16).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|v| v.to_ne_bytes()).collect();
        let file = encode_png(&bytes, 256, 256, color);
        let (found, pixels) = pixels_of(&file, "png", &ImageSettings::default());
        assert_eq!(found, format);
        let back: Vec<u16> = floats(&pixels)
            .chunks_exact(stored_channels)
            .flat_map(|p| if channels == 2 { vec![p[0], p[3]] } else { p.to_vec() })
            .map(|v| (v * 65535.0).round() as u16)
            .collect();
        assert!(back == words, "{color:?}");
    }
}

#[test]
fn palettes_and_narrow_greys_are_expanded() {
    let palette = (b"PLTE", vec![255, 0, 0, 0, 255, 0, 1, 2, 3]);
    // Two rows of two pixels, 2 bits each, after the number of the filter.
    let data = (b"IDAT", picture::zlib(&[0, 0b0001_0000, 0, 0b1000_0000]));
    let file = png_of_chunks([2, 2], [2, 3, 0], &[palette.clone(), data.clone()]);
    let opaque = vec![255, 0, 0, 0, 255, 0, 1, 2, 3, 255, 0, 0];
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (PixelFormat::RGB8, opaque));
    let file = png_of_chunks([2, 2], [2, 3, 0], &[palette, (b"tRNS", vec![255, 128]), data]);
    let clear = vec![255, 0, 0, 255, 0, 255, 0, 128, 1, 2, 3, 255, 255, 0, 0, 255];
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (PixelFormat::RGBA8, clear));
    let file = png_of_chunks([4, 1], [2, 0, 0], &[(b"IDAT", picture::zlib(&[0, 0b0001_1011]))]);
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (PixelFormat::GRAY8, vec![0, 85, 170, 255]));
}

#[test]
fn lossless_formats_are_exact() {
    let (rgb, rgba) = (noise(45), noise(60));
    let mut qoi_file = Vec::new();
    qoi::QoiEncoder::new(&mut qoi_file).write_image(&rgb, 5, 3, Ext::Rgb8).unwrap();
    for (extension, file, format, pixels) in [
        ("bmp", bmp(5, 3, &rgb), PixelFormat::RGB8, &rgb),
        ("tga", tga(5, 3, &rgba), PixelFormat::RGBA8, &rgba),
        ("qoi", qoi_file, PixelFormat::RGB8, &rgb),
    ] {
        let found = pixels_of(&file, extension, &ImageSettings::default());
        assert_eq!(found, (format, pixels.clone()), "{extension}");
    }
}

#[test]
fn gif_is_its_first_frame() {
    let first: Vec<u8> = [[9, 8, 7, 255], [200, 100, 50, 255], [0, 0, 0, 0], [9, 8, 7, 255]].concat();
    let mut file = Vec::new();
    {
        let mut encoder = gif::GifEncoder::new(&mut file);
        encoder.encode(&first, 2, 2, Ext::Rgba8).unwrap();
        encoder.encode(&[1; 16], 2, 2, Ext::Rgba8).unwrap();
    }
    let (format, pixels) = pixels_of(&file, "gif", &ImageSettings::default());
    assert_eq!(format, PixelFormat::RGBA8);
    assert_eq!((&pixels[..8], pixels[11], &pixels[12..]), (&first[..8], 0, &first[12..]));
}

#[test]
fn jpeg_is_close_and_grey_stays_grey() {
    let gray: Vec<u8> = (0..64 * 64u32).map(|i| (i % 64 * 2 + i / 64) as u8).collect();
    let rgb: Vec<u8> = gray.iter().flat_map(|v| [*v, 255 - *v, 128]).collect();
    for (color, pixels, format) in [(Ext::L8, &gray, PixelFormat::GRAY8), (Ext::Rgb8, &rgb, PixelFormat::RGB8)] {
        let mut file = Vec::new();
        jpeg::JpegEncoder::new_with_quality(&mut file, 95).write_image(pixels, 64, 64, color).unwrap();
        let (found, decoded) = pixels_of(&file, "jpg", &ImageSettings::default());
        assert_eq!((found, decoded.len()), (format, pixels.len()));
        let worst = pixels.iter().zip(&decoded).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(worst < Some(12), "{worst:?}");
    }
}

#[test]
fn radiance_is_linear_floats() {
    let part = import(&samples()[4].1, "hdr", &ImageSettings::default()).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.format, part.summary.as_str()), (PixelFormat::RGB32F, "5×3 RGB32F linear"));
    assert_eq!(part.meta.get(MetaKey::COLOR_SPACE), Some(1));
    // Three numbers share an exponent: each is within 1/128 of the largest.
    for (expected, found) in noise(45).chunks_exact(3).zip(floats(&pixels).chunks_exact(3)) {
        let largest = f32::from(*expected.iter().max().unwrap());
        for (e, f) in expected.iter().zip(found) {
            assert!((f32::from(*e) - f).abs() <= largest / 128.0, "{expected:?} {found:?}");
        }
    }
}
