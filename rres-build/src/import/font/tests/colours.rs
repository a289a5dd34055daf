//! Glyphs in colours, which are not drawn.

use super::hostile::{square, with_outlines, with_tables};
use super::*;

/// A `COLR` table of version 0, in which glyph 1 is glyph 0 in the only colour of its palette, which is in a `CPAL` table.
fn color_tables() -> [(&'static [u8; 4], Vec<u8>); 2] {
    let colr = [0u16, 1, 0, 14, 0, 20, 1, 1, 0, 1, 0, 0];
    let cpal = [0u16, 1, 1, 1, 0, 14, 0, 0x0102, 0x03ff];
    let bytes = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
    [(b"COLR", bytes(&colr)), (b"CPAL", bytes(&cpal))]
}

#[test]
fn a_character_that_only_has_a_coloured_glyph_is_refused_with_its_table() {
    let wanted = settings(&[32], &[text("A")], 2);
    let font = with_tables(&with_outlines(&[square(), vec![]]), &color_tables());
    let error = refusal(&font, &wanted);
    assert!(error.to_string().starts_with("has coloured glyphs without outlines for "), "{error}");
    assert!(error.to_string().ends_with("its table COLR is not read"), "{error}");
    // One that has an outline as well is drawn in one colour.
    let font = with_tables(&with_outlines(&[square(), square()]), &color_tables());
    assert_eq!(import(&font, &wanted).unwrap().summary, "1 glyph at 32 px");
}
