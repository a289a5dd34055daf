//! Texts, drawn with the glyphs that a build has rasterised: each is a rectangle of the strike's atlas.

use macroquad::color::Color;
use macroquad::math::Rect;
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};
use rres_runtime::Font;
use rres_runtime::asset::{Glyph, GlyphForm, Strike};

use crate::error::{Error, ErrorKind};
use crate::texture::texture;

/// A font in one size, ready to draw texts with.
///
/// macroquad's own fonts take font files, and rasterise glyphs while the game runs. To use those, keep the file with `kind = "raw"` in its rule
/// and pass its bytes to `load_ttf_font_from_bytes`.
#[derive(Clone, Debug)]
pub struct TextFont {
    font: Font,
    size: u32,
    pages: Vec<Texture2D>,
}

impl TextFont {
    /// Uses the size of the font that is nearest to `pixels`.
    ///
    /// # Errors
    /// If a page of the atlas cannot be drawn, or its pixels are distances to outlines (`font.field`).
    pub fn new(font: &Font, pixels: u32) -> Result<Self, Error> {
        let strike = font.strike(pixels);
        check(strike)?;
        let pages = strike.pages().iter().map(texture).collect::<Result<_, _>>()?;
        Ok(Self { size: strike.size(), pages, font: font.clone() })
    }

    /// Returns the distance from one line to the next, in pixels.
    pub fn line_height(&self) -> f32 {
        self.strike().line_height()
    }

    /// Returns the width of a line, in pixels.
    pub fn width(&self, line: &str) -> f32 {
        let last = lay_out(self.strike(), line).last();
        last.map_or(0.0, |last| last.pen + last.glyph.advance_x as f32)
    }

    /// Draws one line with its top left corner at the given position, in pixels. Whole numbers keep it sharp: the glyphs were rasterised
    /// for them.
    pub fn draw(&self, line: &str, x: f32, y: f32, color: Color) {
        for Placed { glyph, page, pen } in lay_out(self.strike(), line) {
            let Some(page) = self.pages.get(page) else { continue };
            let source = Rect::new(glyph.x as f32, glyph.y as f32, glyph.width as f32, glyph.height as f32);
            let params = DrawTextureParams { source: Some(source), ..Default::default() };
            draw_texture_ex(page, x + pen + glyph.offset_x as f32, y + glyph.offset_y as f32, color, params);
        }
    }

    fn strike(&self) -> &Strike {
        self.font.strike(self.size)
    }
}

/// A glyph of a line.
struct Placed<'a> {
    glyph: &'a Glyph,
    /// The number of its page.
    page: usize,
    /// How far it is from the start of the line, in pixels.
    pen: f32,
}

/// Returns the glyphs of a line. Characters that the font lacks become question marks, and spaces that may not break become spaces.
fn lay_out<'a>(strike: &'a Strike, line: &'a str) -> impl Iterator<Item = Placed<'a>> {
    let plain = |c| if matches!(c, '\u{a0}' | '\u{202f}') { ' ' } else { c };
    let find = move |c| Some((c, strike.glyph(c)?, strike.page(c)?));
    let mut pen = 0.0;
    let mut before = None;
    line.chars().filter_map(move |c| find(plain(c)).or_else(|| find('?'))).map(move |(c, glyph, page)| {
        // The advances are whole pixels as well.
        pen += before.map_or(0.0, |before| strike.kerning(before, c).round());
        let placed = Placed { glyph, page, pen };
        pen += glyph.advance_x as f32;
        before = Some(c);
        placed
    })
}

fn check(strike: &Strike) -> Result<(), Error> {
    match strike.form() {
        form @ (GlyphForm::Sdf | GlyphForm::Msdf) => Err(Error::new(ErrorKind::Distances(form))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use rres_format::chunk::glyphs::{FontStyle, glyphs_block};
    use rres_format::chunk::image::{ImageProps, PixelFormat};
    use rres_format::chunk::kerning::Kerning;
    use rres_format::index::{Meta, MetaKey};
    use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
    use rres_runtime::{Id, PackOptions, Store};

    /// A font of 10 pixels with A and the question mark on its first page, and V on the second.
    fn font(form: GlyphForm) -> Arc<Font> {
        let chunk = |kind, block: &[u8]| {
            StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap().unlinked()
        };
        let glyph = |c: char, x, advance_x| Glyph {
            codepoint: c as i32,
            x,
            width: 1,
            height: 1,
            advance_x,
            ..Glyph::default()
        };
        let atlas = || {
            let props = ImageProps { width: 2, height: 1, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
            chunk(FourCc::IMGE, &props.block(&[255; 4]))
        };
        let table = |glyphs: &[Glyph]| chunk(FourCc::FNTG, &glyphs_block(10, 0, FontStyle::REGULAR, glyphs));
        let kerning = Kerning::new(1000.0, [('A' as u32, 1, 700.0), ('V' as u32, 2, 700.0)], [(1, 2, -160)]);
        let chunks = vec![
            table(&[glyph('?', 0, 5), glyph('A', 1, 7)]),
            atlas(),
            table(&[glyph('V', 0, 7)]),
            atlas(),
            chunk(FourCc::KERN, &kerning.block()),
        ];
        let mut meta = Meta::default();
        meta.set(MetaKey::GLYPH_FORM, form as u32);
        let mut pack = PackBuilder::new();
        pack.push(Resource::new("a.ttf", chunks).with_meta(meta));
        let store = Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()]);
        store.load(Id::<Font>::from_path("a.ttf")).unwrap().get()
    }

    #[test]
    fn glyphs_are_of_their_page_and_kerned_by_whole_pixels() {
        let font = font(GlyphForm::Coverage);
        let placed: Vec<_> = lay_out(font.strike(10), "AVA~").map(|it| (it.glyph.x, it.page, it.pen)).collect();
        assert_eq!(placed, [(1, 0, 0.0), (0, 1, 5.0), (1, 0, 12.0), (0, 0, 19.0)]);
    }

    #[test]
    fn fonts_of_distances_are_an_error() {
        assert!(check(font(GlyphForm::Coverage).strike(10)).is_ok());
        for form in [GlyphForm::Sdf, GlyphForm::Msdf] {
            let error = check(font(form).strike(10)).unwrap_err();
            assert!(error.to_string().contains("font.field"), "{error}");
        }
    }
}
