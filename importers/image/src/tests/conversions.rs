//! Every target format compared with integer arithmetic, premultiplication, and mip levels.

use rres_settings::Word;

use super::*;

/// `v` in the range 0 to `max`, scaled to the range 0 to `to` and rounded.
fn scale(v: u32, max: u32, to: u32) -> u32 {
    (2 * v * to + max) / (2 * max)
}

fn with_format(format: PixelFormat) -> ImageSettings {
    ImageSettings { format: format.into(), ..Default::default() }
}

/// A few hundred colours, including greys.
fn colours() -> Vec<[u8; 4]> {
    let mut pixels: Vec<[u8; 4]> = noise(4 * 3840).chunks_exact(4).map(|p| p.try_into().unwrap()).collect();
    pixels.extend((0..=255).map(|v| [v, v, v, 255 - v]));
    pixels
}

#[test]
fn every_format_is_rounded_exactly() {
    let pixels = colours();
    let file = encode_png(&pixels.concat(), 64, 64, Ext::Rgba8);
    for (_, choice) in PixelFormat::words() {
        let (format, found) = pixels_of(&file, "png", &with_format(choice));
        assert_eq!(format, choice);
        let size = format.bytes_per_pixel().unwrap() as usize;
        for (pixel, found) in pixels.iter().zip(found.chunks_exact(size)) {
            let [r, g, b, a] = pixel.map(u32::from);
            let level = |v, max| scale(v, 255, max) as u16;
            let gray = if r == g && g == b { r } else { (2 * (299 * r + 587 * g + 114 * b) + 1000) / 2000 };
            let unit = |v: u8| f32::from(v) / 255.0;
            let expected = match choice {
                PixelFormat::GRAY8 => vec![gray as u8],
                PixelFormat::GRAY_ALPHA8 => vec![gray as u8, a as u8],
                PixelFormat::RGB565 => (level(r, 31) << 11 | level(g, 63) << 5 | level(b, 31)).to_le_bytes().to_vec(),
                PixelFormat::RGBA5551 => {
                    (level(r, 31) << 11 | level(g, 31) << 6 | level(b, 31) << 1 | level(a, 1)).to_le_bytes().to_vec()
                }
                PixelFormat::RGBA4444 => {
                    (level(r, 15) << 12 | level(g, 15) << 8 | level(b, 15) << 4 | level(a, 15)).to_le_bytes().to_vec()
                }
                PixelFormat::RGB8 => pixel[..3].to_vec(),
                PixelFormat::RGBA8 => pixel.to_vec(),
                PixelFormat::R32F => {
                    let found = f32::from_le_bytes(found.try_into().unwrap());
                    let gray = (0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b)) / 255.0;
                    assert!((f64::from(found) - gray).abs() < 1e-6);
                    found.to_le_bytes().to_vec()
                }
                PixelFormat::RGB32F => pixel[..3].iter().flat_map(|v| unit(*v).to_le_bytes()).collect(),
                PixelFormat::RGBA32F => pixel.iter().flat_map(|v| unit(*v).to_le_bytes()).collect(),
                other => panic!("no expectation for {other}"),
            };
            // A weighted grey that lies half-way may go either way.
            let halfway = (299 * r + 587 * g + 114 * b) % 1000 == 500;
            if !(halfway && matches!(choice, PixelFormat::GRAY8 | PixelFormat::GRAY_ALPHA8)) {
                assert_eq!(found, expected, "{choice:?} {pixel:?}");
            }
        }
    }
}

#[test]
fn sixteen_bits_are_rounded_to_eight_once() {
    let words: Vec<u16> = (0..=65535).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let file = encode_png(&bytes, 256, 256, Ext::L16);
    let (_, found) = pixels_of(&file, "png", &with_format(PixelFormat::GRAY8));
    let expected: Vec<u8> = words.iter().map(|v| ((u64::from(*v) * 510 + 65535) / 131_070) as u8).collect();
    assert!(found == expected);
}

#[test]
fn alpha_is_one_if_the_source_has_none() {
    let file = encode_png(&[10, 20, 30], 1, 1, Ext::Rgb8);
    assert_eq!(pixels_of(&file, "png", &with_format(PixelFormat::RGBA8)).1, [10, 20, 30, 255]);
    let file = encode_png(&[77], 1, 1, Ext::L8);
    assert_eq!(pixels_of(&file, "png", &with_format(PixelFormat::RGBA8)).1, [77, 77, 77, 255]);
    assert_eq!(pixels_of(&file, "png", &with_format(PixelFormat::GRAY_ALPHA8)).1, [77, 255]);
}

#[test]
fn premultiplying_is_rounded_exactly() {
    let mut pixels: Vec<[u8; 4]> = Vec::new();
    for a in 0..=255u8 {
        pixels.extend((0..=255u8).map(|v| [v, 255 - v, v / 2, a]));
    }
    let file = encode_png(&pixels.concat(), 256, 256, Ext::Rgba8);
    let settings = ImageSettings { premultiply: true, ..Default::default() };
    let expected: Vec<u8> = pixels
        .iter()
        .flat_map(|[r, g, b, a]| {
            let by = |v: u8| scale(u32::from(v) * u32::from(*a), 255, 1) as u8;
            [by(*r), by(*g), by(*b), *a]
        })
        .collect();
    assert!(pixels_of(&file, "png", &settings).1 == expected);
    // The format then drops alpha, so the result is the colour over black.
    let file = encode_png(&[200, 100, 50, 51], 1, 1, Ext::Rgba8);
    let settings = ImageSettings { premultiply: true, ..with_format(PixelFormat::RGB8) };
    assert_eq!(pixels_of(&file, "png", &settings).1, [40, 20, 10]);
    // An image without alpha is premultiplied already.
    let file = encode_png(&[200, 100, 50], 1, 1, Ext::Rgb8);
    let part = import(&file, "png", &ImageSettings { premultiply: true, ..Default::default() }).unwrap();
    assert_eq!((props_and_pixels(&part).1, part.meta.get(MetaKey::PREMULTIPLIED)), (vec![200, 100, 50], Some(1)));
}

fn levels(pixels: &[u8], width: u32, height: u32, color: Ext, settings: ImageSettings) -> Vec<Vec<u8>> {
    let file = encode_png(pixels, width, height, color);
    let part = import(&file, "png", &ImageSettings { mipmaps: true, ..settings }).unwrap();
    let view = ImageView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
    (0..view.props().mipmaps).map(|level| view.level(level).unwrap().to_vec()).collect()
}

fn linear() -> ImageSettings {
    ImageSettings { color_space: Some(ColorSpace::Linear), ..Default::default() }
}

#[test]
fn levels_end_at_one_pixel_and_keep_one_colour() {
    for (width, height, count) in [(1, 1, 1), (2, 2, 2), (5, 3, 3), (1, 9, 4), (64, 64, 7), (33, 7, 6)] {
        for value in [1u8, 77, 128, 254] {
            for settings in [linear(), ImageSettings::default()] {
                let pixels = [value, 255 - value, 3, value].repeat(width as usize * height as usize);
                let levels = levels(&pixels, width, height, Ext::Rgba8, settings);
                assert_eq!(levels.len(), count);
                assert_eq!(levels[0], pixels);
                for (i, level) in levels.iter().enumerate() {
                    let expected = (width >> i).max(1) as usize * (height >> i).max(1) as usize;
                    assert_eq!(level.len(), expected * 4);
                    assert!(level.chunks_exact(4).all(|p| p == &pixels[..4]), "{width}×{height} level {i}");
                }
            }
        }
    }
}

#[test]
fn even_edges_average_two_and_odd_edges_three() {
    assert_eq!(levels(&[10, 20, 30, 44], 2, 2, Ext::L8, linear())[1], [26]);
    assert_eq!(levels(&[0, 100, 200, 60], 4, 1, Ext::L8, linear())[1], [50, 130]);
    // Five to two: (2a + 2b + c) / 5 and (c + 2d + 2e) / 5.
    assert_eq!(levels(&[10, 20, 30, 40, 150], 5, 1, Ext::L8, linear())[1], [18, 82]);
    assert_eq!(levels(&[0, 30, 90], 1, 3, Ext::L8, linear())[1], [40]);
}

#[test]
fn colours_are_averaged_as_light() {
    // Half the light of white is 188 in sRGB.
    assert_eq!(levels(&[0, 255, 255, 0], 2, 2, Ext::L8, ImageSettings::default())[1], [188]);
    assert_eq!(levels(&[0, 255, 255, 0], 2, 2, Ext::L8, linear())[1], [128]);
    let level = &levels(&[255, 0, 0, 0, 255, 0], 2, 1, Ext::Rgb8, ImageSettings::default())[1];
    assert_eq!(level, &[188, 188, 0]);
    // 16-bit numbers go through the same curve without a table.
    let words: Vec<u8> = [0u16, 65535].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let level = floats(&levels(&words, 2, 1, Ext::L16, ImageSettings::default())[1]);
    assert!((level[0] - 0.735_356_9).abs() < 1e-5, "{level:?}");
}

#[test]
fn invisible_colours_do_not_bleed() {
    let pixels = [[200, 100, 0, 255], [0, 255, 255, 0], [200, 100, 0, 255], [0, 255, 255, 0]].concat();
    for settings in [linear(), ImageSettings::default()] {
        assert_eq!(levels(&pixels, 2, 2, Ext::Rgba8, settings.clone())[1], [200, 100, 0, 128]);
        // Premultiplied after averaging: half of the colour.
        let settings = ImageSettings { premultiply: true, ..settings };
        assert_eq!(levels(&pixels, 2, 2, Ext::Rgba8, settings.clone())[1], [100, 50, 0, 128]);
        let settings = ImageSettings { format: PixelFormat::RGB8.into(), premultiply: false, ..settings };
        assert_ne!(levels(&pixels, 2, 2, Ext::Rgba8, settings)[1], [200, 100, 0], "alpha that is dropped has no say");
    }
    // If all pixels are invisible, the colours are still averaged.
    let pixels = [[10, 20, 30, 0], [30, 40, 50, 0]].concat();
    assert_eq!(levels(&pixels, 2, 1, Ext::Rgba8, linear())[1], [20, 30, 40, 0]);
}

#[test]
fn levels_are_stored_in_the_requested_format() {
    let pixels = noise(16 * 8 * 4);
    for (_, choice) in PixelFormat::words() {
        let settings = ImageSettings { format: choice.into(), mipmaps: true, ..Default::default() };
        let part = import(&encode_png(&pixels, 16, 8, Ext::Rgba8), "png", &settings).unwrap();
        let (props, data) = props_and_pixels(&part);
        assert_eq!((props.mipmaps, props.format.0), (5, choice.0));
        assert_eq!(data.len() as u64, props.data_size().unwrap());
        let single = pixels_of(&encode_png(&pixels, 16, 8, Ext::Rgba8), "png", &with_format(choice)).1;
        assert_eq!(data[..single.len()], single, "level 0 is the image itself");
    }
}
