//! FNTG: the glyphs of a font and their rectangles in the atlas, the IMGE chunk that is linked to this one.
//!
//! Properties: size of the font in pixels, number of glyphs, padding around each glyph in pixels, style. Data: one
//! [`Glyph`] record of 32 bytes per glyph.

use super::{PayloadView, block};
use crate::error::Result;
use crate::open_enum::open_enum;
use crate::wire::{Wire, wire_record};

open_enum! {
    /// The style of a font (`rresFontStyle`).
    pub struct FontStyle(u32);
    /// Not specified.
    UNDEFINED = 0, "undefined";
    /// Regular.
    REGULAR = 1, "regular";
    /// Bold.
    BOLD = 2, "bold";
    /// Italic.
    ITALIC = 3, "italic";
}

wire_record! {
    /// One glyph, as stored: eight little-endian `i32`. All lengths are in pixels; the rectangle excludes the padding.
    #[derive(Eq, Default)]
    pub struct Glyph[32] {
        /// Left edge of the rectangle in the atlas.
        pub x: i32,
        /// Top edge of the rectangle in the atlas.
        pub y: i32,
        /// Width of the rectangle.
        pub width: i32,
        /// Height of the rectangle.
        pub height: i32,
        /// Unicode codepoint.
        pub codepoint: i32,
        /// Horizontal distance from the pen to the left edge of the rectangle.
        pub offset_x: i32,
        /// Vertical distance from the top of the line to the top edge of the rectangle.
        pub offset_y: i32,
        /// Horizontal distance from this pen position to the next.
        pub advance_x: i32,
    }
}

impl Glyph {
    /// Size of the record in bytes.
    pub const SIZE: usize = <Self as Wire>::SIZE;
}

/// The properties of a glyph table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlyphsProps {
    /// Size at which the font was rasterised, in pixels.
    pub base_size: u32,
    /// Number of glyphs.
    pub glyph_count: u32,
    /// Number of empty pixels around each glyph in the atlas.
    pub padding: u32,
    /// Style of the font.
    pub style: FontStyle,
}

/// Returns the block of a glyph table.
pub fn glyphs_block(base_size: u32, padding: u32, style: FontStyle, glyphs: &[Glyph]) -> Vec<u8> {
    let mut data = Vec::with_capacity(glyphs.len() * Glyph::SIZE);
    glyphs.iter().for_each(|glyph| glyph.put(&mut data));
    block(&[base_size, glyphs.len() as u32, padding, style.0], &data)
}

/// A borrowed FNTG payload.
#[derive(Clone, Copy, Debug)]
pub struct GlyphsView<'a> {
    props: GlyphsProps,
    data: &'a [u8],
}

impl<'a> GlyphsView<'a> {
    /// Checks that the data contains all glyphs.
    ///
    /// # Errors
    /// [`crate::Error::Truncated`] if it does not.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [base_size, glyph_count, padding, style] = payload.first_props()?;
        let data = payload.data_of("glyphs", u64::from(glyph_count) * Glyph::SIZE as u64)?;
        Ok(Self { props: GlyphsProps { base_size, glyph_count, padding, style: FontStyle(style) }, data })
    }

    /// Returns the properties as stored.
    pub fn props(&self) -> GlyphsProps {
        self.props
    }

    /// Returns the glyphs in stored order.
    pub fn glyphs(&self) -> impl ExactSizeIterator<Item = Glyph> + use<'a> {
        self.data.chunks_exact(Glyph::SIZE).map(Glyph::get)
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
