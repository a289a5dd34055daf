//! FNTG: where each glyph stands in the atlas, the IMGE chunk linked after this one.
//!
//! Properties: size of the font in pixels, glyph count, padding around each glyph in pixels, style. Data: 32 bytes
//! per glyph, eight `i32`: x, y, width and height in the atlas without padding, codepoint, x and y offset from the
//! pen to the glyph's top left corner, advance of the pen.

use super::{PayloadView, block};
use crate::error::Result;
use crate::open_enum::open_enum;
use crate::wire::u32_at;

open_enum! {
    /// `rresFontStyle`.
    pub struct FontStyle(u32);
    /// Not said.
    UNDEFINED = 0, "undefined";
    /// Regular.
    REGULAR = 1, "regular";
    /// Bold.
    BOLD = 2, "bold";
    /// Italic.
    ITALIC = 3, "italic";
}

/// One glyph; all lengths in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Glyph {
    /// Left edge in the atlas.
    pub x: i32,
    /// Top edge in the atlas.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
    /// Unicode codepoint.
    pub codepoint: i32,
    /// From the pen to the left edge.
    pub offset_x: i32,
    /// From the top of the line to the top edge.
    pub offset_y: i32,
    /// From this pen position to the next.
    pub advance_x: i32,
}

impl Glyph {
    /// Size in the chunk.
    pub const SIZE: usize = 32;

    fn from_bytes(raw: &[u8]) -> Self {
        let field = |i: usize| u32_at(raw, i * 4).cast_signed();
        Self {
            x: field(0),
            y: field(1),
            width: field(2),
            height: field(3),
            codepoint: field(4),
            offset_x: field(5),
            offset_y: field(6),
            advance_x: field(7),
        }
    }

    fn to_bytes(self) -> [u8; Self::SIZE] {
        let fields =
            [self.x, self.y, self.width, self.height, self.codepoint, self.offset_x, self.offset_y, self.advance_x];
        let mut out = [0; Self::SIZE];
        for (slot, field) in out.chunks_exact_mut(4).zip(fields) {
            slot.copy_from_slice(&field.to_le_bytes());
        }
        out
    }
}

/// The properties of a glyph table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlyphsProps {
    /// Size that the font was rasterised at, in pixels.
    pub base_size: u32,
    /// Number of glyphs.
    pub glyph_count: u32,
    /// Empty pixels around each glyph in the atlas.
    pub padding: u32,
    /// Style of the font.
    pub style: FontStyle,
}

/// The block of a glyph table.
pub fn glyphs_block(base_size: u32, padding: u32, style: FontStyle, glyphs: &[Glyph]) -> Vec<u8> {
    let data: Vec<u8> = glyphs.iter().flat_map(|glyph| glyph.to_bytes()).collect();
    block(&[base_size, glyphs.len() as u32, padding, style.0], &data)
}

/// A borrowed FNTG payload.
#[derive(Clone, Copy, Debug)]
pub struct GlyphsView<'a> {
    props: GlyphsProps,
    data: &'a [u8],
}

impl<'a> GlyphsView<'a> {
    /// Checks the payload.
    ///
    /// # Errors
    /// [`crate::Error::Truncated`] where glyphs are missing.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [base_size, glyph_count, padding, style] = payload.first_props()?;
        let data = payload.data_of("glyphs", u64::from(glyph_count) * Glyph::SIZE as u64)?;
        Ok(Self { props: GlyphsProps { base_size, glyph_count, padding, style: FontStyle(style) }, data })
    }

    /// The properties as stored.
    pub fn props(&self) -> GlyphsProps {
        self.props
    }

    /// The glyphs in stored order.
    pub fn glyphs(&self) -> impl ExactSizeIterator<Item = Glyph> + use<'a> {
        self.data.chunks_exact(Glyph::SIZE).map(Glyph::from_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let glyphs = [
            Glyph { x: 1, y: 2, width: 3, height: 4, codepoint: 65, offset_x: -1, offset_y: 7, advance_x: 8 },
            Glyph { codepoint: 0x4e2d, ..Glyph::default() },
        ];
        let block = glyphs_block(32, 2, FontStyle::BOLD, &glyphs);
        let view = GlyphsView::parse(PayloadView::parse(&block).unwrap()).unwrap();
        assert_eq!(view.glyphs().collect::<Vec<_>>(), glyphs);
        assert_eq!(view.props(), GlyphsProps { base_size: 32, glyph_count: 2, padding: 2, style: FontStyle::BOLD });
        assert!(GlyphsView::parse(PayloadView::parse(&block[..block.len() - 1]).unwrap()).is_err());
    }
}
