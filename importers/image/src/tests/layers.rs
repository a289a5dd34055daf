//! Texture arrays and 3D textures: sheets that are cut, and textures for graphics cards that have them.

use super::*;

/// A sheet of 4×2 tiles of 8×4 pixels in this many channels; each tile has one colour, its number.
fn sheet() -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..8 {
        for x in 0..32 {
            let tile = (y / 4 * 4 + x / 8) as u8;
            pixels.extend([tile * 10, 255 - tile, 7]);
        }
    }
    encode_png(&pixels, 32, 8, Ext::Rgb8)
}

fn shape(image: &Asset) -> ImageShape {
    ImageShape::of(|key| image.meta.get(key))
}

fn layers(width: u32, height: u32) -> ImageSettings {
    ImageSettings { layers: Some((width, height)), ..Default::default() }
}

/// The metadata of the shape is what a reader of C ignores: what is left is an ordinary picture.
#[test]
fn tiles_of_a_sheet_become_layers_in_rows() {
    let image = import(&sheet(), "png", &layers(8, 4)).unwrap();
    assert_eq!((shape(&image), image.summary.as_str()), (ImageShape::Array(8), "array of 8 8×4 RGB8"));
    let (props, pixels) = props_and_pixels(&image);
    assert_eq!((props.width, props.height, props.mipmaps), (8, 32, 1));
    for (tile, layer) in (0..).zip(pixels.chunks_exact(8 * 4 * 3)) {
        assert!(layer.chunks_exact(3).all(|pixel| pixel == [tile * 10, 255 - tile, 7]), "{tile}");
    }
    let slices = ImageSettings { slices: Some((8, 4)), ..Default::default() };
    let volume = import(&sheet(), "png", &slices).unwrap();
    assert_eq!((shape(&volume), volume.summary.as_str()), (ImageShape::Volume(8), "volume 8×4×8 RGB8"));
    assert_eq!(props_and_pixels(&volume).1, pixels);
}

#[test]
fn each_layer_has_levels_of_its_own() {
    let settings = ImageSettings { mipmaps: true, ..layers(8, 4) };
    let image = import(&sheet(), "png", &settings).unwrap();
    let (props, pixels) = props_and_pixels(&image);
    // 8×4, 4×2 and 2×1 pixels; 1×1 would be half as high as a row.
    assert_eq!((props.mipmaps, pixels.len()), (3, 8 * 3 * (32 + 8 + 2)));
    assert_eq!(image.notes[0].detail, "3 of 4 levels");
    let mut rest = &pixels[..];
    for size in [32, 8, 2] {
        let (level, below) = rest.split_at(8 * 3 * size);
        for (tile, layer) in (0u8..).zip(level.chunks_exact(3 * size)) {
            // A level of the whole column would mix two layers.
            assert!(layer.chunks_exact(3).all(|pixel| pixel == [tile * 10, 255 - tile, 7]), "{tile} {size}");
        }
        rest = below;
    }
    let square = import(&sheet(), "png", &ImageSettings { mipmaps: true, ..layers(8, 8) }).unwrap();
    assert_eq!((props_and_pixels(&square).0.mipmaps, square.notes.len()), (4, 0));
}

#[test]
#[cfg(feature = "gpu")]
fn layers_become_blocks() {
    let format = rres_settings::ImageFormat::Exact(PixelFormat::BC7);
    let image = import(&sheet(), "png", &ImageSettings { mipmaps: true, format, ..layers(8, 8) }).unwrap();
    let (props, pixels) = props_and_pixels(&image);
    // Levels of 8×8 and 4×4 pixels have whole blocks of 16 bytes.
    assert_eq!((props.format, props.mipmaps, pixels.len()), (PixelFormat::BC7, 2, 4 * 16 * (4 + 1)));
    let error = import(&sheet(), "png", &ImageSettings { format, ..layers(2, 2) }).unwrap_err();
    assert_eq!(error.to_string(), "has layers of 2×2 pixels, and BC7 has blocks of 4×4");
}

#[test]
fn rules_that_do_not_fit_are_errors() {
    for (settings, expected) in [
        (layers(5, 4), "has 32×8 pixels, expected multiples of `image.layers` = [5, 4]"),
        (layers(64, 8), "has 32×8 pixels, expected multiples of `image.layers` = [64, 8]"),
        (
            ImageSettings { slices: Some((8, 8)), mipmaps: true, ..Default::default() },
            "is a 3D texture, which cannot be stored with `image.mipmaps`",
        ),
        (
            ImageSettings { grid: Some((8, 8)), ..layers(8, 8) },
            "is a texture array, which cannot be stored with `image.grid`",
        ),
        (
            ImageSettings { frames: rres_settings::ImageFrames::All, ..layers(8, 8) },
            "is a texture array, which cannot be stored with `image.frames`",
        ),
        (ImageSettings { slices: Some((8, 8)), ..layers(8, 8) }, "cannot have both `image.layers` and `image.slices`"),
    ] {
        assert_eq!(import(&sheet(), "png", &settings).unwrap_err().to_string(), expected);
    }
    let many = encode_png(&vec![0; 64 * 33], 64, 33, Ext::L8);
    let error = import(&many, "png", &layers(1, 1)).unwrap_err().to_string();
    assert_eq!(error, "has 2112 layers or slices, and a texture can have at most 2048");
}

#[test]
fn settings_change_each_layer() {
    let image = import(&sheet(), "png", &ImageSettings { scale: 0.5, ..layers(8, 4) }).unwrap();
    let (props, pixels) = props_and_pixels(&image);
    assert_eq!((props.width, props.height), (4, 16));
    for (tile, layer) in (0u8..).zip(pixels.chunks_exact(4 * 2 * 3)) {
        assert!(layer.chunks_exact(3).all(|pixel| pixel == [tile * 10, 255 - tile, 7]), "{tile}");
    }
}

/// A DDS with the header of Direct3D 10: format, dimension, depth, layers, levels.
fn dds(format: u32, (width, height, depth): (u32, u32, u32), layers: u32, levels: u32, data: &[u8]) -> Vec<u8> {
    let is_volume = depth > 0;
    let mut words = vec![0x2053_4444, 124, 0x2_1007 | u32::from(is_volume) << 23, height, width, 0, depth, levels];
    words.extend([0; 11]);
    words.extend([32, 4, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0]);
    words.extend([0x40_1008, u32::from(is_volume) << 21, 0, 0, 0]);
    words.extend([format, if is_volume { 4 } else { 3 }, 0, layers, 0]);
    let mut out: Vec<u8> = words.iter().flat_map(|v: &u32| v.to_le_bytes()).collect();
    out.extend(data);
    out
}

const DXGI_RGBA8: u32 = 28;
const DXGI_BC7: u32 = 98;

#[test]
fn a_dds_has_its_layers_one_after_another_each_with_its_levels() {
    // 4×2 pixels and 2×1 pixels; 1×1 is left out.
    let data = noise(3 * 4 * (8 + 2 + 1));
    let image = import(&dds(DXGI_RGBA8, (4, 2, 0), 3, 3, &data), "dds", &ImageSettings::default()).unwrap();
    assert_eq!((shape(&image), image.summary.as_str()), (ImageShape::Array(3), "array of 3 4×2 RGBA8 2 mips"));
    let layer = |number: usize| &data[number * 44..][..44];
    let mut expected: Vec<u8> = (0..3).flat_map(|number| layer(number)[..32].to_vec()).collect();
    expected.extend((0..3).flat_map(|number| layer(number)[32..40].to_vec()));
    assert_eq!(props_and_pixels(&image).1, expected);
    assert_eq!(image.notes[0].detail, "1 of 3");

    // Settings that change nothing leave the levels: the limit is for each layer, not for the column.
    let idle = ImageSettings { fit: Some(5), alpha_bleed: false, ..Default::default() };
    let same = import(&dds(DXGI_RGBA8, (4, 2, 0), 3, 3, &data), "dds", &idle).unwrap();
    assert_eq!((props_and_pixels(&same).1, same.notes.len()), (expected, 1));

    let blocks = noise(2 * 16 * (4 + 1 + 1));
    let fits = ImageSettings { fit: Some(8), ..Default::default() };
    assert!(import(&dds(DXGI_BC7, (8, 8, 0), 2, 3, &blocks), "dds", &fits).is_ok(), "blocks as well");
    let image = import(&dds(DXGI_BC7, (8, 8, 0), 2, 3, &blocks), "dds", &ImageSettings::default()).unwrap();
    assert_eq!(image.summary, "array of 2 8×8 BC7 2 mips");
    assert_eq!(image.notes[0].detail, "1 of 3");
}

#[test]
fn a_volume_has_its_first_level_and_a_note_about_the_others() {
    let data = noise(4 * (4 * 4 * 4 + 2 * 2 * 2 + 1));
    let file = dds(DXGI_RGBA8, (4, 4, 4), 1, 3, &data);
    let image = import(&file, "dds", &ImageSettings::default()).unwrap();
    assert_eq!((shape(&image), image.summary.as_str()), (ImageShape::Volume(4), "volume 4×4×4 RGBA8"));
    assert_eq!(props_and_pixels(&image).1, data[..256]);
    assert_eq!((image.notes.len(), image.notes[0].detail.as_str()), (1, "2 of 3"));
    // Sizes that are too large are refused before memory is allocated.
    for (size, layers) in
        [((4, 4, u32::MAX), 1), ((4, 4, 0), u32::MAX), ((16_384, 16_384, 2048), 1), ((16_384, 16_384, 0), 2048)]
    {
        assert!(import(&dds(DXGI_RGBA8, size, layers, 1, &data), "dds", &ImageSettings::default()).is_err());
    }
}

#[test]
fn damaged_arrays_are_errors_and_never_panic() {
    let data = noise(3 * 4 * (8 + 2 + 1));
    for file in [dds(DXGI_RGBA8, (4, 2, 0), 3, 3, &data), dds(DXGI_RGBA8, (4, 2, 3), 1, 1, &data)] {
        for cut in cuts(&file) {
            let _ = import(cut, "dds", &ImageSettings::default());
        }
        for damaged in replaced(&file, 0..148, &[0, 1, 0x7f, 0xff]) {
            let _ = import(&damaged, "dds", &ImageSettings::default());
        }
    }
}
