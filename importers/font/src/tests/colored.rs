//! Coloured glyphs: pictures of CBDT and sbix, layers of COLR, and what is refused.

use rres_format::chunk::PayloadView;
use rres_format::chunk::glyphs::GlyphsView;
use rres_format::chunk::image::ImageView;
use rres_format::index::{GlyphForm, MetaKey};
use rres_import::PictureFile;
use rres_settings::{GlyphField, ImageSettings};
use rres_test_data::bytes::be;
use ttf_parser::Face;

use super::hostile::with_tables;
use super::*;

/// 8 × 8 pixels: red to the right, green down, half visible at the sides and invisible at the corners.
const PICTURE: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/font/colors.png");
const EM: f32 = 2048.0;
/// Units from ascent to descent.
const LINE: f32 = 2384.0;
const ASCENT: f32 = 1901.0;

fn glyph(character: char) -> u16 {
    Face::parse(BOLD, 0).unwrap().glyph_index(character).unwrap().0
}

/// The picture in another size, as a PNG.
fn png(width: u32, height: u32) -> Vec<u8> {
    let picture = image::RgbaImage::from_fn(width, height, |x, y| image::Rgba([(x * 7) as u8, (y * 5) as u8, 99, 255]));
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

fn rgba(png: &[u8]) -> Vec<[u8; 4]> {
    image::load_from_memory(png).unwrap().to_rgba8().pixels().map(|pixel| pixel.0).collect()
}

/// A font with a PNG for a glyph in a strike of CBDT: the pen is `left` pixels before it and `top` below its top.
fn with_cbdt(of: char, png: &[u8], ppem: u8, (width, height): (u8, u8), (left, top): (i8, i8)) -> Vec<u8> {
    let number = glyph(of);
    let mut cblc = be::<u32>(&[0x0003_0000, 1, 56, 20, 1, 0]);
    cblc.extend([0; 24]);
    cblc.extend(be::<u16>(&[number, number]));
    cblc.extend([ppem, ppem, 32, 1]);
    // One table of offsets of 32 bits, of small metrics and PNG.
    cblc.extend(be::<u16>(&[number, number]));
    cblc.extend(be::<u32>(&[8]));
    cblc.extend(be::<u16>(&[1, 17]));
    cblc.extend(be::<u32>(&[4, 0, 9 + png.len() as u32]));
    let mut cbdt = be::<u32>(&[0x0003_0000]);
    cbdt.extend([height, width, left.cast_unsigned(), top.cast_unsigned(), 9]);
    cbdt.extend(be::<u32>(&[png.len() as u32]));
    cbdt.extend(png);
    with_tables(BOLD, &[(b"CBLC", cblc), (b"CBDT", cbdt)])
}

/// A font with a picture for a glyph in each of these strikes of sbix.
fn with_sbix(of: char, strikes: &[(u16, &[u8; 4], &[u8])]) -> Vec<u8> {
    let count = u32::from(Face::parse(BOLD, 0).unwrap().number_of_glyphs());
    let (mut heads, mut data) = (be::<u16>(&[1, 1]), Vec::new());
    heads.extend(be::<u32>(&[strikes.len() as u32]));
    for (ppem, format, picture) in strikes {
        heads.extend(be::<u32>(&[8 + 4 * strikes.len() as u32 + data.len() as u32]));
        let first = 4 + 4 * (count + 1);
        data.extend(be::<u16>(&[*ppem, 72]));
        let offset = |i| if i <= u32::from(glyph(of)) { first } else { first + 8 + picture.len() as u32 };
        data.extend(be::<u32>(&(0..=count).map(offset).collect::<Vec<_>>()));
        // One pixel to the right, two up.
        data.extend(be::<u16>(&[1, 2]));
        data.extend(*format);
        data.extend(*picture);
    }
    with_tables(BOLD, &[(b"sbix", [heads, data].concat())])
}

/// A font whose glyph of `of` is made of layers: the outline of a character, and a number in the palette of transparent blue and red.
fn with_colr(of: char, layers: &[(char, u16)]) -> Vec<u8> {
    let mut colr = be::<u16>(&[0, 1]);
    colr.extend(be::<u32>(&[14, 20]));
    colr.extend(be::<u16>(&[layers.len() as u16, glyph(of), 0, layers.len() as u16]));
    layers.iter().for_each(|(character, color)| colr.extend(be::<u16>(&[glyph(*character), *color])));
    let mut cpal = be::<u16>(&[0, 2, 1, 2]);
    cpal.extend(be::<u32>(&[14]));
    cpal.extend(be::<u16>(&[0]));
    cpal.extend([255, 0, 0, 128, 0, 0, 255, 255]);
    with_tables(BOLD, &[(b"COLR", colr), (b"CPAL", cpal)])
}

/// The glyphs of the first strike, and the pixels of each.
fn drawn(part: &Asset) -> Vec<(Glyph, Vec<[u8; 4]>)> {
    let glyphs = GlyphsView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
    let image = ImageView::parse(PayloadView::parse(&part.blocks[1].bytes).unwrap()).unwrap();
    assert_eq!(image.props().format, PixelFormat::RGBA8);
    assert_eq!(part.meta.get(MetaKey::GLYPH_FORM), Some(GlyphForm::Picture as u32));
    let pixel = |x: i32, y: i32| {
        let at = (y as usize * image.props().width as usize + x as usize) * 4;
        *image.data()[at..].first_chunk().unwrap()
    };
    let of = |glyph: Glyph| {
        let rows = (0..glyph.height).flat_map(|y| (0..glyph.width).map(move |x| (x, y)));
        (glyph, rows.map(|(x, y)| pixel(glyph.x + x, glyph.y + y)).collect())
    };
    glyphs.glyphs().map(of).collect()
}

fn is_equal(a: &[[u8; 4]], b: &[[u8; 4]]) -> bool {
    // Invisible pixels have the colours of the pixels beside them.
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a[3] == b[3] && (a[3] == 0 || a == b))
}

/// The size at which a strike is drawn pixel by pixel.
fn size_of(ppem: f32) -> u32 {
    (ppem * LINE / EM).round() as u32
}

#[test]
fn pictures_of_a_strike_are_drawn_pixel_by_pixel_at_its_size() {
    let size = size_of(20.0);
    let scale = size as f32 / LINE;
    let font = with_cbdt('A', PICTURE, 20, (8, 8), (-1, 6));
    let part = import(&font, &settings(&[size], &[text("AB")], 2)).unwrap();
    assert_eq!(part.summary, format!("2 glyphs at {size} px in colours"));
    let glyphs = drawn(&part);
    let (a, pixels) = &glyphs[0];
    assert!(is_equal(pixels, &rgba(PICTURE)));
    let baseline = (ASCENT * scale).round() as i32;
    assert_eq!((a.width, a.height, a.offset_x, a.offset_y), (8, 8, -1, baseline - 6));
    let face = Face::parse(BOLD, 0).unwrap();
    let advance = f32::from(face.glyph_hor_advance(ttf_parser::GlyphId(glyph('A'))).unwrap()) * scale;
    assert_eq!(a.advance_x, advance.round() as i32);
    // B has no picture: its outline in white, as it is drawn without colours.
    let (b, pixels) = &glyphs[1];
    let plain = import(BOLD, &settings(&[size], &[text("B")], 2)).unwrap();
    let (_, expected, image, alpha) = strike_of(&plain, 0);
    assert_eq!(Glyph { x: 0, y: 0, ..expected[0] }, Glyph { x: 0, y: 0, ..*b });
    for (i, pixel) in pixels.iter().enumerate() {
        let (x, y) = (i as i32 % b.width + expected[0].x, i as i32 / b.width + expected[0].y);
        assert_eq!(pixel[3], alpha[(y * image.width as i32 + x) as usize][1]);
        assert!(pixel[3] == 0 || pixel[..3] == [255; 3]);
    }
}

#[test]
fn invisible_pixels_have_the_colour_of_those_beside_them() {
    let font = with_cbdt('A', PICTURE, 20, (8, 8), (0, 8));
    let part = import(&font, &settings(&[size_of(20.0)], &[text("A")], 2)).unwrap();
    let (a, pixels) = &drawn(&part)[0];
    // The corner, from the three pixels beside it: red 32, 0, 32, green 0, 32, 32.
    assert_eq!(pixels[0], [21, 21, 128, 0]);
    let image = ImageView::parse(PayloadView::parse(&part.blocks[1].bytes).unwrap()).unwrap();
    let at = |x: i32, y: i32| &image.data()[(y as usize * image.props().width as usize + x as usize) * 4..][..4];
    // Left of the picture, and one further.
    assert_eq!(at(a.x - 1, a.y + 3), [0, 96, 128, 0]);
    assert_eq!(at(a.x - 2, a.y + 3), [0; 4]);
}

#[test]
fn the_smallest_strike_that_is_as_large_is_scaled_as_images_are() {
    let (small, large) = (png(10, 10), png(40, 20));
    let font = with_sbix('A', &[(40, b"png ", &large), (20, b"png ", &small)]);
    let of_size = |size: u32| drawn(&import(&font, &settings(&[size], &[text("A")], 2)).unwrap()).remove(0);
    // At its own size.
    assert!(is_equal(&of_size(size_of(20.0)).1, &rgba(&small)));
    // At 20 of 40.
    let half = of_size(size_of(20.0) + 4);
    let scale = (size_of(20.0) + 4) as f32 * EM / LINE / 40.0;
    assert_eq!((half.0.width, half.0.height), ((40.0 * scale).round() as i32, (20.0 * scale).round() as i32));
    // Above the largest: twice as large, and the place with it.
    let size = size_of(80.0);
    let (twice, pixels) = of_size(size);
    assert_eq!((twice.width, twice.height, twice.offset_x), (80, 40, 2));
    assert_eq!(twice.offset_y, (ASCENT / LINE * size as f32).round() as i32 - 4 - 40);
    let by_image = ImageSettings { scale: 2.0, ..ImageSettings::default() };
    let image = ENCODERS
        .images()
        .and_then(|images| images.of_file(PictureFile { bytes: &large, path: "a.png", extension: "png" }, &by_image))
        .unwrap();
    let image = ImageView::parse(PayloadView::parse(&image.blocks[0].bytes).unwrap()).unwrap();
    let expected: Vec<[u8; 4]> = image.data().chunks_exact(4).map(|pixel| *pixel.first_chunk().unwrap()).collect();
    assert!(is_equal(&pixels, &expected));
}

#[test]
fn layers_are_outlines_in_their_colours() {
    // A red O, a half transparent blue H over it, and a dot in the colour of the text.
    let size = 60;
    let part =
        import(&with_colr('A', &[('O', 1), ('H', 0), ('.', 0xffff)]), &settings(&[size], &[text("A")], 2)).unwrap();
    let (a, pixels) = &drawn(&part)[0];
    let plain = import(BOLD, &settings(&[size], &[text("OH.")], 2)).unwrap();
    let (_, glyphs, image, alpha) = strike_of(&plain, 0);
    let coverage = |character: char, x: i32, y: i32| {
        let glyph = glyphs.iter().find(|glyph| glyph.codepoint == character as i32).unwrap();
        let (x, y) = (x - glyph.offset_x, y - glyph.offset_y);
        let is_inside = (0..glyph.width).contains(&x) && (0..glyph.height).contains(&y);
        let at = (glyph.y + y) * image.width as i32 + glyph.x + x;
        if is_inside { f64::from(alpha[at as usize][1]) / 255.0 } else { 0.0 }
    };
    let mut seen = [0; 3];
    for (i, pixel) in pixels.iter().enumerate() {
        let (x, y) = (i as i32 % a.width + a.offset_x, i as i32 / a.width + a.offset_y);
        let mut mixed = [0.0; 4];
        for (layer, (character, color)) in
            [('O', [1.0, 0.0, 0.0, 1.0]), ('H', [0.0, 0.0, 1.0, 128.0 / 255.0]), ('.', [1.0; 4])]
                .into_iter()
                .enumerate()
        {
            let alpha = coverage(character, x, y) * color[3];
            let above = [color[0] * alpha, color[1] * alpha, color[2] * alpha, alpha];
            mixed = std::array::from_fn(|i| above[i] + mixed[i] * (1.0 - alpha));
            seen[layer] += usize::from(alpha > 0.4);
        }
        assert!((f64::from(pixel[3]) - mixed[3] * 255.0).abs() < 0.6, "{pixel:?} {mixed:?}");
        let near = |i: usize| (f64::from(pixel[i]) * mixed[3] - mixed[i] * 255.0).abs() < 0.6;
        assert!((0..3).all(near) || pixel[3] == 0, "{pixel:?} {mixed:?} at {x}, {y}");
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

#[test]
fn a_font_is_drawn_in_one_colour_if_it_is_asked_for_or_no_character_has_others() {
    let font = with_colr('A', &[('O', 1)]);
    let mut plain = settings(&[30], &[text("A")], 2);
    plain.font.color = false;
    let mut field = settings(&[30], &[text("A")], 2);
    field.font.field = GlyphField::Sdf;
    for settings in [plain, field, settings(&[30], &[text("B")], 2)] {
        let [colored, expected] = [&font[..], BOLD].map(|font| import(font, &settings).unwrap());
        assert_eq!(colored.blocks[1].bytes, expected.blocks[1].bytes);
        assert_eq!(colored.meta.get(MetaKey::GLYPH_FORM), expected.meta.get(MetaKey::GLYPH_FORM));
    }
}

#[test]
fn colours_are_the_same_each_time() {
    let fonts = [with_colr('A', &[('O', 0), ('H', 1)]), with_sbix('A', &[(33, b"png ", &png(30, 30))])];
    for font in fonts {
        let settings = settings(&[13, 40], &[CharSet::Ascii], 2);
        let [first, second] = [(); 2].map(|()| import(&font, &settings).unwrap());
        assert!(first.blocks.iter().zip(&second.blocks).all(|(a, b)| a.bytes == b.bytes));
    }
}

#[test]
fn glyphs_that_would_be_blank_are_refused_with_their_table() {
    // A space has no outline.
    let space = settings(&[20], &[text(" B")], 2);
    let (mut plain, mut field) = (space.clone(), space.clone());
    plain.font.color = false;
    field.font.field = GlyphField::Msdf;
    let picture = with_cbdt(' ', PICTURE, 20, (8, 8), (0, 8));
    assert_eq!(import(&picture, &space).unwrap().summary, "2 glyphs at 20 px in colours");
    // Version 1 with one glyph, of one colour.
    let mut gradients = be::<u16>(&[1, 0, 0, 0, 0, 0, 0]);
    gradients.extend(be::<u32>(&[34, 0, 0, 0, 0, 1]));
    gradients.extend(be::<u16>(&[glyph(' '), 0, 10]));
    gradients.extend([2, 0, 0, 0x40, 0]);
    let gradients = with_tables(&with_colr('A', &[('O', 1)]), &[(b"COLR", gradients)]);
    let mut drawings = be::<u16>(&[0]);
    drawings.extend(be::<u32>(&[10, 0]));
    drawings.extend(be::<u16>(&[1, glyph(' '), glyph(' ')]));
    drawings.extend(be::<u32>(&[14, 6]));
    drawings.extend(b"<svg/>");
    let drawings = with_tables(BOLD, &[(b"SVG ", drawings)]);
    let photo = with_sbix(' ', &[(20, b"jpg ", &[0xff, 0xd8, 0xff])]);
    for (font, settings, table) in [
        (&picture, &plain, "colours are turned off, and its table CBDT has no others"),
        (&picture, &field, "pictures of its table CBDT have no outline"),
        (&gradients, &space, "its table COLR version 1 (gradients) is not read"),
        (&drawings, &space, "its table SVG (drawings) is not read"),
        (&photo, &space, "its table sbix with pictures that are not PNG is not read"),
    ] {
        let error = refusal(font, settings);
        let message = error.to_string();
        assert!(message.starts_with("has coloured glyphs without outlines for U+0020: "), "{message}");
        assert!(message.contains(table), "{message}");
        assert!(error.help().is_some());
    }
}

#[test]
fn pictures_made_to_take_endless_work_are_errors() {
    let asked = settings(&[20], &[text("A")], 2);
    let message = |font: &[u8]| refusal(font, &asked).to_string();
    // A head of a gigapixel, behind a table that states 8 × 8, and one that states what it is.
    let mut bomb = PICTURE.to_vec();
    bomb[16..24].copy_from_slice(&[0, 0, 0x80, 0, 0, 0, 0x80, 0]);
    let found = message(&with_cbdt('A', &bomb, 20, (8, 8), (0, 8)));
    assert!(found.contains("32768×32768 pixels, expected 8×8"), "{found}");
    let found = message(&with_sbix('A', &[(20, b"png ", &bomb)]));
    assert!(found.contains("wider or higher than 1024"), "{found}");
    // Cut off, and not a PNG.
    for (picture, expected) in
        [(&PICTURE[..60], "the picture of glyph"), (&b"a text that is long enough"[..], "is not a PNG")]
    {
        let found = message(&with_cbdt('A', picture, 20, (8, 8), (0, 8)));
        assert!(found.contains(expected), "{found}");
    }
    // A strike of one pixel, drawn at the largest size.
    let found = refusal(&with_cbdt('A', &png(100, 100), 1, (100, 100), (0, 8)), &settings(&[1024], &[text("A")], 2));
    assert!(found.to_string().contains("alone is more than"), "{found}");
    // More strikes than any font has.
    let strikes: Vec<(u16, &[u8; 4], &[u8])> = (1..=65).map(|ppem| (ppem, b"png ", PICTURE)).collect();
    let found = message(&with_sbix('A', &strikes));
    assert!(found.contains("65 strikes of pictures, 64 are read"), "{found}");
    // Layers of layers are none: one glyph over and over.
    let many: Vec<(char, u16)> = vec![('O', 0); 60_000];
    let mut large = settings(&[1024], &[text("A")], 2);
    large.font.atlas_size = 8192;
    let found = refusal(&with_colr('A', &many), &large);
    assert!(found.to_string().contains("coloured layers of"), "{found}");
}

#[test]
fn damage_in_tables_of_colours_is_an_error_or_harmless() {
    let asked = settings(&[20], &[text("A")], 1);
    let fonts = [
        with_cbdt('A', PICTURE, 20, (8, 8), (0, 8)),
        with_colr('A', &[('O', 1), ('H', 0)]),
        with_sbix('A', &[(20, b"png ", PICTURE)]),
    ];
    let mut errors = 0;
    for font in fonts {
        let tables = font.len() - BOLD.len();
        for at in (12..300).chain(font.len() - tables..font.len()) {
            let mut bad = font.clone();
            bad[at] = if at % 3 == 0 { 0x7f } else { 0xff };
            // The parser asserts that numbers are small, if it is compiled so. A build makes that an error.
            let result = std::panic::catch_unwind(|| import(&bad, &asked).is_err());
            errors += usize::from(result.unwrap_or(true));
        }
    }
    assert!(errors > 50, "{errors}");
}
