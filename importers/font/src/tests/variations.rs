//! Variable fonts at named instances and axis values, and fonts whose outlines the rasteriser does not read by itself. The expected
//! numbers come from the instance that fontTools makes.

use rres_format::chunk::kerning::Kerning;
use rres_settings::{GlyphField, Variations};

use super::*;

const INTER: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/font/Inter-subset.var.ttf");
/// A quarter of a disc with a radius of 500 of 1000 units, in cubic outlines of a CFF2 table.
const QUARTER: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/font/Quarter.cff2.otf");

fn at(place: impl Into<Variations>) -> Settings {
    let mut settings = settings(&[64], &[CharSet::All], 1);
    settings.font.variations = Some(place.into());
    settings
}

fn kerning(part: &Asset) -> Kerning {
    let block = part.blocks.iter().find(|block| block.kind == FourCc::KERN).unwrap();
    Kerning::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap()
}

fn ink(part: &Asset, character: char) -> u32 {
    let (_, glyphs, image, pixels) = strike_of(part, 0);
    let glyph = glyphs.iter().find(|glyph| glyph.codepoint == character as i32).unwrap();
    let rows = glyph.y..glyph.y + glyph.height;
    let row = |y: i32| y as usize * image.width as usize + glyph.x as usize;
    rows.flat_map(|y| &pixels[row(y)..row(y) + glyph.width as usize]).map(|pixel| u32::from(pixel[1])).sum()
}

#[test]
fn axis_values_change_outlines_advances_and_kerning() {
    let regular = import(INTER, &settings(&[64], &[CharSet::All], 1)).unwrap();
    let bold = import(INTER, &at([("wght", 700.0)])).unwrap();
    let table = kerning(&regular);
    assert_eq!((table.advance('A'), table.between('A', 'V'), table.between('T', 'o')), (Some(1904.0), -192, -224));
    let table = kerning(&bold);
    assert_eq!(
        (table.advance('A'), table.advance('o'), table.advance('T')),
        (Some(2106.0), Some(1728.0), Some(1882.0))
    );
    assert_eq!((table.between('A', 'V'), table.between('V', 'A'), table.between('O', 'T')), (-254, -272, -91));
    // The stems are thicker.
    for character in "AOVTo".chars() {
        assert!(ink(&bold, character) * 10 > ink(&regular, character) * 13, "{character}");
    }
    // 2728 + 680 units are 64 pixels: the O reaches from 142 to 2060.
    let (props, glyphs, ..) = strike_of(&bold, 0);
    assert_eq!((props.style, strike_of(&regular, 0).0.style), (FontStyle::BOLD, FontStyle::REGULAR));
    let o = glyphs.iter().find(|glyph| glyph.codepoint == 'O' as i32).unwrap();
    let pixels = |units: f32| units * 64.0 / 3408.0;
    let expected = (pixels(142.0).floor() as i32, (pixels(2060.0).ceil() - pixels(142.0).floor()) as i32);
    assert_eq!((o.offset_x, o.width), expected);
}

#[test]
fn an_instance_is_chosen_by_its_name() {
    let blocks = |settings| -> Vec<Vec<u8>> {
        import(INTER, &settings).unwrap().blocks.into_iter().map(|block| block.bytes).collect()
    };
    assert_eq!(blocks(at("Bold")), blocks(at([("wght", 700.0)])));
    // The outlines of the file are the default ones: whole units, only written anew.
    let (_, glyphs, _, pixels) = strike_of(&import(INTER, &at("Regular")).unwrap(), 0);
    let (_, plain_glyphs, _, plain) = strike_of(&import(INTER, &settings(&[64], &[CharSet::All], 1)).unwrap(), 0);
    assert_eq!(glyphs, plain_glyphs);
    // Curves are divided into lines elsewhere.
    let most = pixels.iter().zip(&plain).map(|(a, b)| a[1].abs_diff(b[1])).max();
    assert!(most < Some(16), "{most:?}");
}

#[test]
fn unknown_axes_and_instances_are_errors_that_list_the_known_ones() {
    for (font, place, message) in [
        (
            INTER,
            Variations::from("Bald"),
            "has no instance \"Bald\": \"Thin\", \"Extra Light\", \"Light\", \"Regular\", \"Medium\", \"Semi Bold\", \"Bold\", \"Extra Bold\", \"Black\"",
        ),
        (INTER, [("wdth", 75.0)].into(), "has no axis `wdth`: it has wght from 100 to 900"),
        (INTER, [("wght", 1000.0)].into(), "has an axis `wght` from 100 to 900, found 1000"),
        (BOLD, "Bold".into(), "is not a variable font, and `font.variations` is set for it"),
    ] {
        let error = refusal(font, &at(place));
        assert_eq!(error.to_string(), message);
        assert!(error.help().is_some());
    }
}

#[test]
fn fields_are_drawn_of_variable_outlines_too() {
    let mut settings = at([("wght", 700.0)]);
    settings.font.field = GlyphField::Sdf;
    let bold = import(INTER, &settings).unwrap();
    settings.font.variations = None;
    let regular = import(INTER, &settings).unwrap();
    assert!(ink(&bold, 'V') > ink(&regular, 'V'));
}

#[test]
fn outlines_of_cff2_are_drawn() {
    let part = import(QUARTER, &settings(&[200], &[text("A")], 1)).unwrap();
    let (_, glyphs, ..) = strike_of(&part, 0);
    assert_eq!((glyphs[0].width, glyphs[0].height, glyphs[0].offset_x, glyphs[0].advance_x), (100, 100, 10, 120));
    // A quarter of π × 100².
    let area = f64::from(ink(&part, 'A')) / 255.0;
    assert!((area - 7854.0).abs() < 15.0, "{area}");

    let mut settings = settings(&[200], &[text("A")], 1);
    settings.font.variations = Some([("wght", 550.0)].into());
    let (_, glyphs, ..) = strike_of(&import(QUARTER, &settings).unwrap(), 0);
    assert_eq!((glyphs[0].width, glyphs[0].height), (110, 100), "half of the way to 600 units");
}
