//! Tests of whole fonts: what is kept is the same, what is not kept is gone, and damaged fonts end in an error or a font.

mod fonts;
mod hostile;
mod tables;

use std::collections::BTreeSet;

use fonts::{FONTS, TEXT, VARIABLE, has_outline, outline};
use ttf_parser::{Face, GlyphId, Tag};

use super::*;

fn characters(text: &str) -> BTreeSet<char> {
    text.chars().collect()
}

/// The tables of a font that shape text, and others that stay as they are.
const SAME: [&[u8; 4]; 14] = [
    b"GSUB", b"GPOS", b"GDEF", b"BASE", b"kern", b"name", b"OS/2", b"fpgm", b"prep", b"cvt ", b"fvar", b"avar",
    b"STAT", b"HVAR",
];

#[test]
fn characters_have_the_same_glyphs_outlines_and_advances_and_others_have_none() {
    for (name, file) in FONTS {
        let cut = subset(file, &characters(TEXT)).unwrap();
        let (whole, cut_face) = (Face::parse(file, 0).unwrap(), Face::parse(&cut.file, 0).unwrap());
        assert_eq!(cut_face.number_of_glyphs(), whole.number_of_glyphs(), "{name}");
        let mut kept = 0;
        for code in (0..0x3000).filter_map(char::from_u32) {
            let Some(glyph) = whole.glyph_index(code) else { continue };
            if TEXT.contains(code) {
                assert_eq!(cut_face.glyph_index(code), Some(glyph), "{name} {code:?}");
                assert_eq!(outline(&cut_face, glyph), outline(&whole, glyph), "{name} {code:?}");
                assert_eq!(cut_face.glyph_hor_advance(glyph), whole.glyph_hor_advance(glyph), "{name} {code:?}");
                assert_eq!(
                    cut_face.glyph_hor_side_bearing(glyph),
                    whole.glyph_hor_side_bearing(glyph),
                    "{name} {code:?}"
                );
                kept += 1;
            } else if !text::reachable(&characters(TEXT)).contains(&code) {
                assert_eq!(cut_face.glyph_index(code), None, "{name} {code:?}");
            }
        }
        assert!(kept > 0, "{name}");
        let outlines =
            |face: &Face<'_>| (0..face.number_of_glyphs()).filter(|g| has_outline(face, GlyphId(*g))).count();
        assert!(outlines(&cut_face) <= cut.kept && outlines(&whole) >= outlines(&cut_face), "{name}");
    }
}

#[test]
fn tables_that_shape_text_are_the_same_bytes() {
    let mut shaping = 0;
    for (name, file) in FONTS {
        let cut = subset(file, &characters(TEXT)).unwrap();
        let (before, after) = (FontTables::open(file).unwrap(), FontTables::open(&cut.file).unwrap());
        for tag in SAME {
            assert_eq!(after.table(tag).map(|table| table.0), before.table(tag).map(|table| table.0), "{name}");
            shaping += u32::from(tag == b"GSUB" && after.table(tag).is_some());
        }
        assert!(after.table(b"DSIG").is_none());
    }
    assert!(shaping >= 3, "some of the fonts substitute glyphs");
}

#[test]
fn a_variable_font_is_the_same_at_every_place() {
    let cut = subset(VARIABLE, &characters(TEXT)).unwrap();
    let (mut whole, mut own) = (Face::parse(VARIABLE, 0).unwrap(), Face::parse(&cut.file, 0).unwrap());
    let axes: Vec<_> = whole.variation_axes().into_iter().collect();
    assert!(!axes.is_empty());
    let mut drawn = BTreeSet::new();
    for axis in axes {
        for value in [axis.min_value, axis.def_value, axis.max_value] {
            for face in [&mut whole, &mut own] {
                face.set_variation(Tag(axis.tag.0), value).unwrap();
            }
            for glyph in TEXT.chars().filter_map(|c| whole.glyph_index(c)) {
                assert_eq!(outline(&own, glyph), outline(&whole, glyph));
                drawn.insert(outline(&own, glyph));
            }
        }
    }
    let glyphs: BTreeSet<GlyphId> = TEXT.chars().filter_map(|c| whole.glyph_index(c)).collect();
    assert!(drawn.len() > glyphs.len(), "the axes move something");
}

#[test]
fn a_cut_font_is_smaller_and_cutting_it_again_changes_nothing() {
    for (name, file) in FONTS {
        let once = subset(file, &characters(TEXT)).unwrap();
        let twice = subset(&once.file, &characters(TEXT)).unwrap();
        assert_eq!(once.file, twice.file, "{name}");
        assert_eq!(once.file, subset(file, &characters(TEXT)).unwrap().file, "{name}");
        if file.len() > 10_000 {
            assert!(once.file.len() < file.len() / 2, "{name}: {} of {}", once.file.len(), file.len());
        }
    }
}

#[test]
fn the_checksums_are_right() {
    for (name, file) in FONTS {
        let cut = subset(file, &characters(TEXT)).unwrap().file;
        let sum = |bytes: &[u8]| {
            let numbers = bytes.chunks_exact(4).map(|number| u32::from_be_bytes(number.try_into().unwrap()));
            numbers.fold(0_u32, u32::wrapping_add)
        };
        assert_eq!(cut.len() % 4, 0);
        assert_eq!(sum(&cut), 0xb1b0_afba, "{name}");
        let count = usize::from(u16::from_be_bytes([cut[4], cut[5]]));
        for record in cut[12..].chunks_exact(16).take(count).filter(|record| record[..4] != *b"head") {
            let number = |at: usize| u32::from_be_bytes(record[at..at + 4].try_into().unwrap());
            let (start, len) = (number(8) as usize, number(12) as usize);
            assert_eq!(sum(&cut[start..start + len.next_multiple_of(4)]), number(4), "{name}");
        }
    }
}

#[test]
fn the_first_font_of_a_collection_is_cut() {
    let (_, file) = FONTS[0];
    let mut collection = b"ttcf\0\x01\0\0\0\0\0\x01\0\0\0\x10".to_vec();
    let mut moved = file.to_vec();
    let count = usize::from(u16::from_be_bytes([file[4], file[5]]));
    for record in moved[12..].chunks_exact_mut(16).take(count) {
        let place = u32::from_be_bytes(record[8..12].try_into().unwrap()) + 16;
        record[8..12].copy_from_slice(&place.to_be_bytes());
    }
    collection.extend(moved);
    assert_eq!(subset(&collection, &characters(TEXT)), subset(file, &characters(TEXT)));
}
