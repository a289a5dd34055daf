//! Fonts → fonts of raylib.

use raylib::prelude::*;
use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::{FourCc, Resource, StoredChunk};
use rres_raylib::{ErrorKind, StoreExt};
use rres_runtime::{Font as Asset, Id};

use crate::Stage;
use crate::packs::{chunk, store};

/// A page of an atlas with a glyph of 3 × 4 opaque pixels at 2, 1 for each of the characters.
fn page(size: u32, characters: &[char]) -> Vec<StoredChunk<'static>> {
    let glyph = |character: &char| Glyph {
        x: 2,
        y: 1,
        width: if *character == ' ' { 0 } else { 3 },
        height: if *character == ' ' { 0 } else { 4 },
        codepoint: *character as i32,
        offset_x: 1,
        offset_y: 2,
        advance_x: 6,
    };
    let glyphs: Vec<Glyph> = characters.iter().map(glyph).collect();
    let pixels: Vec<u8> = (0..8 * 8)
        .flat_map(|i| [255, if (2..5).contains(&(i % 8)) && (1..5).contains(&(i / 8)) { 255 } else { 0 }])
        .collect();
    let props = ImageProps { width: 8, height: 8, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
    vec![
        chunk(FourCc::FNTG, &glyphs_block(size, 1, FontStyle::REGULAR, &glyphs)),
        chunk(FourCc::IMGE, &props.block(&pixels)),
    ]
}

pub(crate) fn texts(stage: &mut Stage) {
    let chunks = [page(10, &[' ', '?', 'a']), page(20, &[' ', 'a'])].concat();
    let store = store([Resource::new("a.ttf", chunks)]);
    let mut font = store.font(&stage.thread, Id::<Asset>::from_path("a.ttf"), 12).unwrap();
    let font = font.get();
    assert_eq!((font.base_size(), font.measure_text("a a", 10.0, 0.0).x), (10, 18.0), "the nearest size");
    // An `é` becomes a question mark, and a space that may not break a space.
    let picture = stage.picture(|draw| {
        draw.draw_text_ex(font, "a é\u{a0}a", Vector2::new(10.0, 10.0), 10.0, 0.0, Color::new(0, 255, 0, 255));
    });
    let drawn: Vec<(i32, i32)> =
        (0..40).flat_map(|y| (0..60).map(move |x| (x, y))).filter(|(x, y)| picture.at(*x, *y)[1] > 128).collect();
    let expected: Vec<(i32, i32)> =
        (12..16).flat_map(|y| [0, 2, 4].map(|cell| (0..3).map(move |x| (11 + cell * 6 + x, y)))).flatten().collect();
    assert_eq!(drawn, expected);
}

pub(crate) fn pages(stage: &mut Stage) {
    let chunks = [page(10, &['a']), page(10, &['b'])].concat();
    let store = store([Resource::new("fonts/big.ttf", chunks)]);
    let error = store.font(&stage.thread, Id::<Asset>::from_path("fonts/big.ttf"), 10).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Pages(2)), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("asset \"fonts/big.ttf\": ") && text.contains("font.atlas_size"), "{text}");
}
