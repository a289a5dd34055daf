//! Distance fields: what a shader draws of them at four times the size, compared with what the rasteriser draws at that size.

use rres_format::index::GlyphForm;
use rres_settings::GlyphField;

use super::*;

/// How many times larger the glyphs are drawn.
const SCALE: usize = 4;

fn field(font: &[u8], form: GlyphField, size: u32, chars: &[CharSet]) -> Asset {
    let mut settings = settings(&[size], chars, 1);
    settings.font.field = form;
    import(font, &settings).unwrap()
}

/// Glyphs, width of the atlas, and its pixels as distances: the median of the first three channels, or alpha.
fn distances(part: &Asset) -> (Vec<Glyph>, usize, Vec<[f32; 3]>) {
    let [table, image, ..] = &part.blocks[..] else { panic!() };
    let glyphs = GlyphsView::parse(PayloadView::parse(&table.bytes).unwrap()).unwrap().glyphs().collect();
    let image = ImageView::parse(PayloadView::parse(&image.bytes).unwrap()).unwrap();
    let distance = |value: u8| (f32::from(value) / 255.0 - 0.5) * 4.0;
    let pixels = match image.props().format {
        PixelFormat::RGBA8 => image.data().chunks_exact(4).map(|p| [p[0], p[1], p[2]].map(distance)).collect(),
        _ => image.data().chunks_exact(2).map(|p| [distance(p[1]); 3]).collect(),
    };
    (glyphs, image.props().width as usize, pixels)
}

/// What a shader finds at a place of the atlas: pixels mixed, then the median.
fn sample(pixels: &[[f32; 3]], width: usize, x: f32, y: f32) -> f32 {
    let (left, top) = ((x - 0.5).floor(), (y - 0.5).floor());
    let (right, below) = (x - 0.5 - left, y - 0.5 - top);
    let at = |dx: usize, dy: usize| {
        let (column, row) = (left as isize + dx as isize, top as isize + dy as isize);
        let height = pixels.len() / width;
        let inside = column >= 0 && row >= 0 && (column as usize) < width && (row as usize) < height;
        if inside { pixels[row as usize * width + column as usize] } else { [-2.0; 3] }
    };
    let [r, g, b] = [0, 1, 2].map(|channel| {
        let upper = at(0, 0)[channel] * (1.0 - right) + at(1, 0)[channel] * right;
        let lower = at(0, 1)[channel] * (1.0 - right) + at(1, 1)[channel] * right;
        upper * (1.0 - below) + lower * below
    });
    r.min(g).max(r.max(g).min(b))
}

/// The mean difference of coverage in the boxes of all glyphs, and the part of pixels that differ by more than half.
fn difference(font: &[u8], form: GlyphField, size: u32, chars: &[CharSet]) -> (f64, f64) {
    let small = field(font, form, size, chars);
    let (glyphs, width, pixels) = distances(&small);
    let large = import(font, &settings(&[size * SCALE as u32], chars, 1)).unwrap();
    let (_, large_glyphs, image, coverage) = strike_of(&large, 0);
    let ascent = |part: &Asset| f32::from_bits(part.meta.get(MetaKey::ASCENT).unwrap()).round() as i32;
    let (small_baseline, large_baseline) = (ascent(&small), ascent(&large));
    let (mut sum, mut wrong, mut count) = (0.0, 0, 0);
    for (glyph, large) in glyphs.iter().zip(&large_glyphs) {
        assert_eq!(glyph.codepoint, large.codepoint);
        for row in 0..large.height {
            for column in 0..large.width {
                // From the pen on the baseline, in pixels of the field.
                let x = ((large.offset_x + column) as f32 + 0.5) / SCALE as f32;
                let y = ((large.offset_y + row - large_baseline) as f32 + 0.5) / SCALE as f32;
                let at_x = x - glyph.offset_x as f32 + glyph.x as f32;
                let at_y = y - (glyph.offset_y - small_baseline) as f32 + glyph.y as f32;
                let shown = (sample(&pixels, width, at_x, at_y) * SCALE as f32 + 0.5).clamp(0.0, 1.0);
                let at = (large.y + row) as usize * image.width as usize + (large.x + column) as usize;
                let drawn = f32::from(coverage[at][1]) / 255.0;
                let difference = f64::from((shown - drawn).abs());
                sum += difference;
                wrong += usize::from(difference > 0.5);
                count += 1;
            }
        }
    }
    (sum / f64::from(count), wrong as f64 / f64::from(count))
}

#[test]
#[expect(clippy::print_stdout, reason = "docs/fonts.md has these figures")]
fn a_field_shows_what_the_rasteriser_draws() {
    // DejaVu Sans Bold has sharp corners; the corners of the other font are curves of a fraction of a pixel.
    for (name, font, most_wrong) in [("DejaVu", BOLD, 0.000_5), ("Goudy", CFF, 0.003)] {
        let chars = [CharSet::All];
        let single = difference(font, GlyphField::Sdf, 32, &chars);
        let multi = difference(font, GlyphField::Msdf, 32, &chars);
        println!("{name}: one channel {single:?}, three channels {multi:?}");
        assert!(single.0 < 0.01 && single.1 < 0.006, "{name}, one channel: {single:?}");
        assert!(multi.0 < 0.007 && multi.1 < most_wrong, "{name}, three channels: {multi:?}");
        // Of the second font they differ by a ten thousandth part.
        assert!(multi.0 <= single.0 * 1.001, "{name}: corners are nearer with three channels: {single:?}, {multi:?}");
    }
}

#[test]
fn fields_are_stored_with_their_range_and_end_within_the_glyph() {
    for (form, stored, format) in [
        (GlyphField::Sdf, GlyphForm::Sdf, PixelFormat::GRAY_ALPHA8),
        (GlyphField::Msdf, GlyphForm::Msdf, PixelFormat::RGBA8),
    ] {
        let part = field(BOLD, form, 32, &[text("AgQ")]);
        assert_eq!(part.meta.get(MetaKey::GLYPH_FORM), Some(stored as u32));
        assert_eq!(part.meta.get(MetaKey::DISTANCE_RANGE), Some(4.0f32.to_bits()));
        let [table, image, ..] = &part.blocks[..] else { panic!() };
        let glyphs = GlyphsView::parse(PayloadView::parse(&table.bytes).unwrap()).unwrap();
        let image = ImageView::parse(PayloadView::parse(&image.bytes).unwrap()).unwrap();
        assert_eq!(image.props().format, format);
        let size = if format == PixelFormat::RGBA8 { 4 } else { 2 };
        let alpha =
            |x: i32, y: i32| image.data()[(y as usize * image.props().width as usize + x as usize + 1) * size - 1];
        for glyph in glyphs.glyphs() {
            let columns = glyph.x..glyph.x + glyph.width;
            let rows = glyph.y..glyph.y + glyph.height;
            let ends = columns.clone().flat_map(|x| [(x, glyph.y), (x, glyph.y + glyph.height - 1)]);
            let sides = rows.clone().flat_map(|y| [(glyph.x, y), (glyph.x + glyph.width - 1, y)]);
            for (x, y) in ends.chain(sides) {
                assert!(alpha(x, y) < 40, "{:#x}: {} at {x}, {y}", glyph.codepoint, alpha(x, y));
            }
            let most = rows.flat_map(|y| columns.clone().map(move |x| (x, y))).map(|(x, y)| alpha(x, y)).max();
            assert!(most > Some(200), "{most:?}");
        }
    }
}

#[test]
fn the_same_font_gives_the_same_fields() {
    let blocks = |form| {
        let part = field(CFF, form, 24, &[CharSet::Ascii]);
        part.blocks.into_iter().map(|block| block.bytes).collect::<Vec<_>>()
    };
    assert_eq!(blocks(GlyphField::Msdf), blocks(GlyphField::Msdf));
}
