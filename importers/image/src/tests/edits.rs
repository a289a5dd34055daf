//! Images that rules change: colour keys, sizes, bleeding, padding, normal maps.

use rres_settings::ImagePadding;

use super::*;

fn png(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let color = match pixels.len() / (width * height) as usize {
        1 => Ext::L8,
        3 => Ext::Rgb8,
        _ => Ext::Rgba8,
    };
    encode_png(pixels, width, height, color)
}

/// The stored size, format, pixels of all levels and the resource.
fn edited(file: &[u8], settings: &ImageSettings) -> (ImageProps, Vec<u8>, Asset) {
    let part = import(file, "png", settings).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    (props, pixels, part)
}

#[test]
fn a_colour_becomes_transparent() {
    let file = png(&[255, 0, 255, 1, 2, 3, 254, 0, 255, 255, 0, 255], 4, 1);
    let settings = ImageSettings { color_key: Some([255, 0, 255]), ..Default::default() };
    let (props, pixels, _) = edited(&file, &settings);
    assert_eq!(props.format, PixelFormat::RGBA8);
    assert_eq!(pixels, [0, 0, 0, 0, 1, 2, 3, 255, 254, 0, 255, 255, 0, 0, 0, 0]);
    // Grey gets alpha, too.
    let settings = ImageSettings { color_key: Some([9, 9, 9]), ..Default::default() };
    let (props, pixels, _) = edited(&png(&[9, 8], 2, 1), &settings);
    assert_eq!((props.format, pixels), (PixelFormat::GRAY_ALPHA8, vec![0, 0, 8, 255]));
}

#[test]
fn invisible_pixels_take_the_colours_around_them() {
    let (red, blue, none) = ([200, 0, 0, 255], [0, 0, 100, 1], [0; 4]);
    let file = png(&[red, none, none, blue].concat(), 4, 1);
    let settings = ImageSettings { alpha_bleed: true, ..Default::default() };
    let (_, pixels, _) = edited(&file, &settings);
    assert_eq!(pixels, [red, [200, 0, 0, 0], [0, 0, 100, 0], blue].concat());
    // Opposite edges of a tile are neighbours; between both colours is their average.
    let settings = ImageSettings { wrap: Some(Wrap::Repeat), ..settings };
    let (_, pixels, _) = edited(&png(&[red, none, blue, none].concat(), 4, 1), &settings);
    assert_eq!(pixels, [red, [100, 0, 50, 0], blue, [100, 0, 50, 0]].concat());
    // Without a visible pixel no colour can be taken.
    let (_, pixels, _) = edited(&png(&[none, [7, 8, 9, 0]].concat(), 2, 1), &settings);
    assert_eq!(pixels, [none, [7, 8, 9, 0]].concat());
}

#[test]
fn colours_reach_every_invisible_pixel() {
    let mut pixels = vec![0; 33 * 17 * 4];
    pixels[..4].copy_from_slice(&[10, 20, 30, 255]);
    let settings = ImageSettings { alpha_bleed: true, ..Default::default() };
    let (_, stored, _) = edited(&png(&pixels, 33, 17), &settings);
    assert!(stored.chunks_exact(4).all(|pixel| pixel[..3] == [10, 20, 30]));
    assert_eq!(stored.chunks_exact(4).filter(|pixel| pixel[3] == 255).count(), 1);
}

#[test]
fn a_large_image_is_scaled_down_and_a_small_one_is_not() {
    let file = png(&noise(40 * 20 * 3), 40, 20);
    for (fit, size) in [(10, (10, 5)), (1, (1, 1)), (39, (39, 20)), (40, (40, 20)), (1000, (40, 20))] {
        let (props, ..) = edited(&file, &ImageSettings { fit: Some(fit), ..Default::default() });
        assert_eq!((props.width, props.height), size, "{fit}");
    }
    for (scale, size) in [(0.5, (20, 10)), (2.0, (80, 40)), (0.01, (1, 1))] {
        let (props, ..) = edited(&file, &ImageSettings { scale, ..Default::default() });
        assert_eq!((props.width, props.height), size, "{scale}");
    }
    // What is not scaled keeps its pixels.
    let (_, untouched, _) = edited(&file, &ImageSettings::default());
    assert_eq!(edited(&file, &ImageSettings { fit: Some(40), ..Default::default() }).1, untouched);
}

#[test]
fn black_and_white_are_averaged_as_light() {
    let checkers: Vec<u8> = (0..64 * 64).map(|i| if (i % 64 + i / 64) % 2 == 0 { 255 } else { 0 }).collect();
    let file = png(&checkers, 64, 64);
    let middle = |settings| {
        let (props, pixels, _) = edited(&file, &settings);
        pixels[(props.width * props.height / 2 + props.width / 2) as usize]
    };
    // Half of the light is 188 of 255 in sRGB.
    assert_eq!(middle(ImageSettings { fit: Some(16), ..Default::default() }), 188);
    let linear = ImageSettings { fit: Some(16), color_space: Some(ColorSpace::Linear), ..Default::default() };
    assert_eq!(middle(linear), 128);
    // Pixel art is not blended.
    let nearest = ImageSettings { fit: Some(16), filter: Some(Filter::Nearest), ..Default::default() };
    let (_, pixels, _) = edited(&file, &nearest);
    assert!(pixels.iter().all(|v| *v == 0 || *v == 255));
    let twice = ImageSettings { scale: 2.0, ..nearest };
    let (props, pixels, _) = edited(&png(&[1, 2, 3, 4], 2, 2), &ImageSettings { fit: None, ..twice });
    assert_eq!((props.width, pixels), (4, vec![1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]));
}

#[test]
fn one_colour_stays_that_colour_and_the_colour_of_invisible_pixels_stays_away() {
    let even = png(&[77, 130, 200].repeat(30 * 20), 30, 20);
    for scale in [0.3, 0.5, 1.7] {
        let (_, pixels, _) = edited(&even, &ImageSettings { scale, ..Default::default() });
        assert!(pixels.chunks_exact(3).all(|pixel| pixel == [77, 130, 200]), "{scale}");
    }
    // Left half visible red, right half invisible green.
    let row = [[200, 0, 0, 255].repeat(8), [0, 255, 0, 0].repeat(8)].concat();
    let (_, pixels, _) = edited(&png(&row.repeat(16), 16, 16), &ImageSettings { scale: 0.4, ..Default::default() });
    let visible: Vec<_> = pixels.chunks_exact(4).filter(|pixel| pixel[3] > 0).collect();
    assert!(visible.len() >= 12 && visible.iter().all(|pixel| pixel[1] == 0), "{visible:?}");
}

#[test]
fn padding_repeats_the_edge_and_tells_the_size_of_the_picture() {
    let file = png(&[1, 2, 3, 4, 5, 6], 3, 2);
    let block = ImageSettings { pad: ImagePadding::Block, ..Default::default() };
    let (props, pixels, part) = edited(&file, &block);
    assert_eq!((props.width, props.height), (4, 4));
    assert_eq!(pixels, [1, 2, 3, 3, 4, 5, 6, 6, 4, 5, 6, 6, 4, 5, 6, 6]);
    assert_eq!(part.meta.get(MetaKey::CONTENT_WIDTH), Some(3));
    assert_eq!(part.meta.get(MetaKey::CONTENT_HEIGHT), Some(2));
    assert_eq!(part.summary, "4×4 GRAY8 with 3×2 content");
    let pow2 = ImageSettings { pad: ImagePadding::PowerOfTwo, ..Default::default() };
    let (props, ..) = edited(&png(&noise(5 * 9), 5, 9), &pow2);
    assert_eq!((props.width, props.height), (8, 16));
    // What fits is not changed.
    let (_, _, part) = edited(&png(&noise(8 * 16), 8, 16), &pow2);
    assert_eq!(part.meta.get(MetaKey::CONTENT_WIDTH), None);
}

#[test]
fn smaller_normal_maps_hold_directions_of_length_1() {
    let tilted = |x: f32| {
        let z = (1.0 - x * x).sqrt();
        [x, 0.0, z].map(|v| ((v * 0.5 + 0.5) * 255.0 + 0.5) as u8)
    };
    let row: Vec<u8> = (0..8).flat_map(|i| tilted(if i % 2 == 0 { 0.8 } else { -0.8 })).collect();
    let file = png(&row.repeat(8), 8, 8);
    let length = |pixel: &[u8]| pixel.iter().map(|v| (f32::from(*v) / 127.5 - 1.0).powi(2)).sum::<f32>().sqrt();
    let settings = ImageSettings { mipmaps: true, normal_map: Some(true), ..Default::default() };
    let (props, pixels, part) = edited(&file, &settings);
    assert_eq!((props.mipmaps, part.meta.get(MetaKey::COLOR_SPACE)), (4, Some(ColorSpace::Linear as u32)));
    assert_eq!(pixels[..8 * 8 * 3], row.repeat(8), "level 0 is the file's");
    assert!(pixels[8 * 8 * 3..].chunks_exact(3).all(|pixel| (length(pixel) - 1.0).abs() < 0.02));
    // Plain averages are shorter: that is what the setting is for.
    let plain = ImageSettings { normal_map: None, color_space: Some(ColorSpace::Linear), ..settings.clone() };
    let (_, pixels, _) = edited(&file, &plain);
    assert!(pixels[8 * 8 * 3..].chunks_exact(3).all(|pixel| length(pixel) < 0.7));
    let (_, pixels, _) = edited(&file, &ImageSettings { fit: Some(2), ..settings });
    assert!(pixels.chunks_exact(3).all(|pixel| (length(pixel) - 1.0).abs() < 0.02));
}

#[test]
fn a_grey_image_is_no_normal_map_and_says_so() {
    let settings = ImageSettings { mipmaps: true, normal_map: Some(true), ..Default::default() };
    let (_, _, part) = edited(&png(&noise(16), 4, 4), &settings);
    assert_eq!(part.notes.len(), 1);
    assert_eq!(part.notes[0].topic, "grey images are not normal maps");
}

#[test]
fn blocks_are_not_edited() {
    let file = textures::dxt1_with_levels();
    let settings = ImageSettings { alpha_bleed: true, fit: Some(1), ..Default::default() };
    let error = import(&file, "dds", &settings).unwrap_err();
    assert_eq!(error.to_string(), "is block-compressed (DXT1_RGB), and `image.fit` needs pixels");
    // A limit that the image keeps asks for nothing.
    import(&file, "dds", &ImageSettings { fit: Some(4096), ..Default::default() }).unwrap();
}

#[test]
fn edits_come_before_formats_and_levels() {
    let file = png(&[[255, 0, 0], [0, 0, 255]].concat().repeat(8), 4, 4);
    let settings = ImageSettings {
        color_key: Some([0, 0, 255]),
        alpha_bleed: true,
        mipmaps: true,
        format: PixelFormat::RGBA5551.into(),
        ..Default::default()
    };
    let (props, pixels, _) = edited(&file, &settings);
    assert_eq!((props.format, props.mipmaps), (PixelFormat::RGBA5551, 3));
    let words: Vec<u16> = pixels.chunks_exact(2).map(|v| u16::from_le_bytes([v[0], v[1]])).collect();
    assert!(words.iter().all(|word| word >> 11 == 31 && word & 0x7fe == 0), "red everywhere: {words:x?}");
    assert_eq!(words[..2], [0xf801, 0xf800]);
}

#[test]
fn an_image_for_an_atlas_loses_its_transparent_edges_and_its_levels() {
    let mut pixels = vec![0; 6 * 5 * 4];
    for (x, y) in [(2, 1), (3, 3)] {
        pixels[4 * (y * 6 + x)..][..4].copy_from_slice(&[9, 8, 7, 255]);
    }
    let file = png(&pixels, 6, 5);
    let atlas = ImageSettings { atlas: Some("ui".to_owned()), mipmaps: true, ..Default::default() };
    let (props, ..) = edited(&file, &atlas);
    assert_eq!((props.width, props.height, props.mipmaps), (6, 5, 1));
    let trim = ImageSettings { atlas_trim: true, ..atlas };
    let (props, stored, part) = edited(&file, &trim);
    assert_eq!((props.width, props.height), (2, 3));
    assert_eq!(stored, [[9, 8, 7, 255], [0; 4], [0; 4], [0; 4], [0; 4], [9, 8, 7, 255]].concat());
    let meta = [MetaKey::TRIM_LEFT, MetaKey::TRIM_TOP, MetaKey::FULL_WIDTH, MetaKey::FULL_HEIGHT];
    assert_eq!(meta.map(|key| part.meta.get(key)), [2, 1, 6, 5].map(Some));
    // Of nothing, a pixel is left.
    let (props, ..) = edited(&png(&[0; 4 * 4 * 4], 4, 4), &trim);
    assert_eq!((props.width, props.height), (1, 1));
    // What has no transparent edge is not touched.
    let (_, _, part) = edited(&png(&[255; 4 * 4], 2, 2), &trim);
    assert_eq!(part.meta.get(MetaKey::FULL_WIDTH), None);
    let error = import(&textures::dxt1_with_levels(), "dds", &trim).unwrap_err();
    assert_eq!(error.to_string(), "is block-compressed (DXT1_RGB), and `image.atlas` needs pixels");
}
