//! Files of each format, written here or by the encoders of `image`, are read back pixel by pixel.

use super::*;

/// An uncompressed BMP of 24 bits: rows from the bottom, blue first, rows padded to four bytes.
pub(super) fn bmp(rgb: &[u8], width: u32, height: u32) -> Vec<u8> {
    let row = width as usize * 3;
    let padded = row.div_ceil(4) * 4;
    let size = 54 + padded * height as usize;
    let mut out = b"BM".to_vec();
    for v in [size as u32, 0, 54, 40, width, height, 24 << 16 | 1, 0, 0, 0, 0, 0, 0] {
        out.extend(v.to_le_bytes());
    }
    for line in rgb.chunks_exact(row).rev() {
        out.extend(line.chunks_exact(3).flat_map(|p| [p[2], p[1], p[0]]));
        out.resize(out.len() + padded - row, 0);
    }
    out
}

/// An uncompressed TGA of 32 bits, rows from the top.
pub(super) fn tga(rgba: &[u8], width: u16, height: u16) -> Vec<u8> {
    let mut out = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    out.extend(width.to_le_bytes());
    out.extend(height.to_le_bytes());
    out.extend([32, 0x28]);
    out.extend(rgba.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], p[3]]));
    out
}

/// A PNG that consists of the header and `chunks`.
pub(super) fn png_chunks(width: u32, height: u32, depth: u8, color: u8, chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([depth, color, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", head)].iter().chain(chunks).chain(&[(b"IEND", Vec::new())]) {
        out.extend((data.len() as u32).to_be_bytes());
        let body = [&name[..], data].concat();
        out.extend(&body);
        out.extend(crc32fast::hash(&body).to_be_bytes());
    }
    out
}

/// A zlib stream of one stored block.
pub(super) fn stored(data: &[u8]) -> Vec<u8> {
    let len = data.len() as u16;
    let mut out = vec![0x78, 1, 1];
    out.extend(len.to_le_bytes());
    out.extend((!len).to_le_bytes());
    out.extend(data);
    let (mut a, mut b) = (1u32, 0u32);
    for v in data {
        a = (a + u32::from(*v)) % 65521;
        b = (b + a) % 65521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

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
    let data = (b"IDAT", stored(&[0, 0b0001_0000, 0, 0b1000_0000]));
    let file = png_chunks(2, 2, 2, 3, &[palette.clone(), data.clone()]);
    let opaque = vec![255, 0, 0, 0, 255, 0, 1, 2, 3, 255, 0, 0];
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (PixelFormat::RGB8, opaque));
    let file = png_chunks(2, 2, 2, 3, &[palette, (b"tRNS", vec![255, 128]), data]);
    let clear = vec![255, 0, 0, 255, 0, 255, 0, 128, 1, 2, 3, 255, 255, 0, 0, 255];
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (PixelFormat::RGBA8, clear));
    let file = png_chunks(4, 1, 2, 0, &[(b"IDAT", stored(&[0, 0b0001_1011]))]);
    assert_eq!(pixels_of(&file, "png", &ImageSettings::default()), (PixelFormat::GRAY8, vec![0, 85, 170, 255]));
}

#[test]
fn lossless_formats_are_exact() {
    let (rgb, rgba) = (noise(45), noise(60));
    let mut qoi_file = Vec::new();
    qoi::QoiEncoder::new(&mut qoi_file).write_image(&rgb, 5, 3, Ext::Rgb8).unwrap();
    for (extension, file, format, pixels) in [
        ("bmp", bmp(&rgb, 5, 3), PixelFormat::RGB8, &rgb),
        ("tga", tga(&rgba, 5, 3), PixelFormat::RGBA8, &rgba),
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
