//! Images whose channels come from several pictures.

use rres_import::MemoryFiles as Files;
use rres_settings::Settings;

use super::*;

fn import(description: &str, files: &[(&str, Vec<u8>)], settings: &ImageSettings) -> Result<Asset, String> {
    let mut files = Files::new(files.iter().map(|(name, bytes)| (format!("materials/{name}"), bytes.clone())));
    let settings = Settings { image: settings.clone(), ..Settings::default() };
    let mut source = Source::new("materials/stone.channels", description.as_bytes(), &settings, &mut files);
    ImageImporter.import(&mut source).map(|mut images| images.remove(0)).map_err(|error| error.to_string())
}

fn pixels(image: &Asset) -> (PixelFormat, Vec<u8>) {
    let view = ImageView::parse(PayloadView::parse(&image.blocks[0].bytes).unwrap()).unwrap();
    assert_eq!((view.props().width, view.props().height), (2, 1));
    (view.props().format, view.data().to_vec())
}

fn gray(values: [u8; 2]) -> Vec<u8> {
    encode_png(&values, 2, 1, Ext::L8)
}

/// Three greys and a picture in colour, each two pixels.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("stone_ao.png", gray([10, 20])),
        ("stone_rough.png", gray([30, 40])),
        ("stone_metal.png", gray([0, 255])),
        ("color.png", encode_png(&[1, 2, 3, 4, 5, 6, 7, 8], 2, 1, Ext::Rgba8)),
    ]
}

#[test]
fn channels_come_from_several_pictures() {
    for (description, format, expected) in [
        ("r = '*_ao.png'\ng = '*_rough.png'\nb = '*_metal.png'", PixelFormat::RGB8, vec![10, 30, 0, 20, 40, 255]),
        ("r = 'stone_ao.png'", PixelFormat::GRAY8, vec![10, 20]),
        ("r = '*_ao.png'\na = '*_rough.png'", PixelFormat::GRAY_ALPHA8, vec![10, 30, 20, 40]),
        ("g = '*_ao.png'", PixelFormat::RGB8, vec![0, 10, 0, 0, 20, 0]),
        ("rgb = 'color.png'\na = '*_ao.png'", PixelFormat::RGBA8, vec![1, 2, 3, 10, 5, 6, 7, 20]),
        ("rgb = { file = 'color.png', from = 'bgr' }", PixelFormat::RGB8, vec![3, 2, 1, 7, 6, 5]),
        ("rgba = 'color.png'", PixelFormat::RGBA8, vec![1, 2, 3, 4, 5, 6, 7, 8]),
        (
            "r = { file = '*_rough.png', invert = true }\ngb = 1.0",
            PixelFormat::RGB8,
            vec![225, 255, 255, 215, 255, 255],
        ),
        ("r = { file = 'color.png', from = 'a' }\ng = 0.5\nb = 0", PixelFormat::RGB8, vec![4, 128, 0, 8, 128, 0]),
    ] {
        let image =
            import(description, &files(), &ImageSettings::default()).unwrap_or_else(|e| panic!("{description}: {e}"));
        assert_eq!(pixels(&image), (format, expected), "{description}");
        assert_eq!(image.meta.get(MetaKey::COLOR_SPACE), Some(ColorSpace::Linear as u32), "{description}");
    }
    let settings = ImageSettings { color_space: Some(ColorSpace::Srgb), mipmaps: true, ..ImageSettings::default() };
    let image = import("rgb = 'color.png'", &files(), &settings).unwrap();
    assert_eq!(image.meta.get(MetaKey::COLOR_SPACE).unwrap_or_default(), ColorSpace::Srgb as u32);
    assert!(image.summary.contains("2 mips"), "{}", image.summary);
}

#[test]
fn pictures_of_more_than_8_bits_keep_them() {
    let mut files = files();
    files[0].1 = encode_png(&[0x12, 0x34, 0xff, 0xff].map(|byte: u8| byte), 2, 1, Ext::L16);
    let image = import("r = '*_ao.png'\ng = '*_rough.png'", &files, &ImageSettings::default()).unwrap();
    let (format, data) = pixels(&image);
    assert_eq!(format, PixelFormat::RGB32F);
    let number = |at: usize| f32::from_le_bytes(data[at * 4..][..4].try_into().unwrap());
    assert_eq!((number(1), number(3)), (30.0 / 255.0, 1.0));
    assert!(image.notes.iter().any(|note| note.topic.contains("16-bit")), "{:?}", image.notes);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let mut files = files();
    files.push(("large.png", encode_png(&[1, 2, 3], 3, 1, Ext::L8)));
    for (description, expected) in [
        ("", "names no picture"),
        ("r = 0.5", "names no picture"),
        ("x = 'a.png'", "unknown key `x` in a .channels file"),
        ("rr = 'a.png'", "unknown key `rr`"),
        ("r = 'stone_ao.png'\nrg = 'color.png'", "the channel r is set twice"),
        ("r = 2.0", "out of range: 2.0 for `r`"),
        ("r = true", "wrong type for `r`"),
        ("r = { invert = true }", "`r` has no `file`"),
        ("r = { file = 'a.png', flip = true }", "unknown key `flip` in `r`"),
        ("rg = { file = 'color.png', from = 'r' }", "`from` is \"r\", expected 2 of the letters"),
        ("r = { file = 'color.png', from = 'x' }", "`from` is \"x\", expected 1 of the letters"),
        ("r = 'color.png'", "\"color.png\", which is not grey"),
        ("a = { file = 'stone_ao.png', from = 'a' }", "\"stone_ao.png\", which has no alpha"),
        ("r = 'stone_ao.png'\ng = 'large.png'", "\"large.png\" with 3×1 pixels and of \"stone_ao.png\" with 2×1"),
        ("r = 'gone.png'", "gone.png"),
    ] {
        let error = import(description, &files, &ImageSettings::default()).unwrap_err();
        assert!(error.contains(expected), "{description}: {error}");
    }
    let settings = ImageSettings { sheet: true, ..ImageSettings::default() };
    let error = import("r = 'stone_ao.png'", &files, &settings).unwrap_err();
    assert!(error.contains("image.sheet"), "{error}");
}
