//! Fonts made to take endless work, and fonts that lack most of what they should have.

use ttf_parser::RawFace;

use super::*;

/// A font with these tables in the place of its own, or besides them.
pub(super) fn with_tables(font: &[u8], new: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let raw = RawFace::parse(font, 0).unwrap();
    let old = raw.table_records.into_iter().map(|record| record.tag.to_bytes());
    let mut tables: Vec<([u8; 4], Vec<u8>)> = old
        .map(|tag| {
            let own = || table(font, &tag);
            (tag, new.iter().find(|(name, _)| **name == tag).map_or_else(own, |(_, table)| table.clone()))
        })
        .collect();
    let added = new.iter().filter(|(tag, _)| !tables.iter().any(|table| table.0 == **tag));
    let added: Vec<_> = added.map(|(tag, table)| (**tag, table.clone())).collect();
    tables.extend(added);
    tables.sort();
    let mut out = font[..12].to_vec();
    out[4..6].copy_from_slice(&(tables.len() as u16).to_be_bytes());
    let mut offset = 12 + 16 * tables.len();
    for (tag, table) in &tables {
        out.extend(tag);
        out.extend([0, offset as u32, table.len() as u32].iter().flat_map(|number| number.to_be_bytes()));
        offset += table.len();
    }
    out.extend(tables.into_iter().flat_map(|(_, table)| table));
    out
}

fn table(font: &[u8], tag: &[u8; 4]) -> Vec<u8> {
    let raw = RawFace::parse(font, 0).unwrap();
    let record = raw.table_records.into_iter().find(|record| record.tag.to_bytes() == *tag).unwrap();
    font[record.offset as usize..][..record.length as usize].to_vec()
}

/// A font whose A is the last of these outlines.
pub(super) fn with_outlines(outlines: &[Vec<u8>]) -> Vec<u8> {
    let count = outlines.len() as u16;
    let (mut glyf, mut loca) = (Vec::new(), vec![0u32]);
    for outline in outlines {
        glyf.extend(outline);
        glyf.resize(glyf.len().next_multiple_of(4), 0);
        loca.push(glyf.len() as u32);
    }
    let mut head = table(BOLD, b"head");
    head[50..52].copy_from_slice(&[0, 1]);
    let mut maxp = table(BOLD, b"maxp");
    maxp[4..6].copy_from_slice(&count.to_be_bytes());
    let mut hhea = table(BOLD, b"hhea");
    hhea[34..36].copy_from_slice(&count.to_be_bytes());
    // One range of characters, which is A alone.
    let mut cmap = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 1];
    cmap.extend([u32::from('A'), u32::from('A'), u32::from(count - 1)].iter().flat_map(|number| number.to_be_bytes()));
    let tables = [
        (b"cmap", cmap),
        (b"head", head),
        (b"hhea", hhea),
        (b"maxp", maxp),
        (b"loca", loca.iter().flat_map(|offset| offset.to_be_bytes()).collect()),
        (b"glyf", glyf),
        (b"hmtx", vec![1; 4 * outlines.len()]),
    ];
    with_tables(BOLD, &tables)
}

/// The outline of a square.
pub(super) fn square() -> Vec<u8> {
    // One contour, its bounds, its last point, no instructions; four points on the curve.
    let mut out = vec![0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 3, 0, 0, 1, 1, 1, 1];
    for number in [0i16, 256, 0, -256, 0, 0, 256, 0] {
        out.extend(number.to_be_bytes());
    }
    out
}

/// An outline of `count` copies of `part`, with these flags and numbers for each.
fn copies(part: u16, count: usize, flags: u16, scale: &[u8]) -> Vec<u8> {
    let mut out = vec![0xff, 0xff, 0, 0, 0, 0, 1, 0, 1, 0];
    for i in 0..count {
        let more = if i + 1 < count { 0x20 } else { 0 };
        out.extend((flags | more | 2).to_be_bytes());
        out.extend(part.to_be_bytes());
        out.extend([0, 0]);
        out.extend(scale);
    }
    out
}

/// Refused at once; without a limit the test would not end.
fn refused(font: &[u8]) -> ImportError {
    refusal(font, &settings(&[32], &[CharSet::Auto], 2))
}

const ENDLESS: &str = "has outlines so complex that drawing them would not end";

#[test]
fn a_small_outline_of_parts_is_drawn() {
    let part = import(&with_outlines(&[square(), copies(0, 3, 0, &[])]), &settings(&[32], &[text("A")], 2)).unwrap();
    assert_eq!(part.summary, "1 glyph at 32 px");
}

#[test]
fn outlines_that_would_never_end_are_refused() {
    // With and without points at the bottom.
    for leaf in [square(), vec![0; 10]] {
        let mut outlines = vec![leaf];
        outlines.extend((0..20).map(|part| copies(part, 8, 0, &[])));
        assert_eq!(refused(&with_outlines(&outlines)).to_string(), ENDLESS);
    }
    // Each is twice as large as the one before.
    let mut outlines = vec![square()];
    outlines.extend((0..20).map(|part| copies(part, 1, 0x08, &[0x7f, 0xff])));
    assert_eq!(refused(&with_outlines(&outlines)).to_string(), ENDLESS);
    // One that is a part of itself, twice.
    assert_eq!(refused(&with_outlines(&[square(), copies(1, 2, 0, &[])])).to_string(), ENDLESS);
}

#[test]
fn a_table_of_all_numbers_as_characters_is_refused() {
    let mut cmap = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 1];
    cmap.extend([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1]);
    let error = refused(&with_tables(BOLD, &[(b"cmap", cmap)]));
    assert_eq!(error.to_string(), "is a font that lists more than 4194304 characters");
}

#[test]
fn a_descent_of_zero_is_a_descent() {
    let mut hhea = table(BOLD, b"hhea");
    hhea[6..8].copy_from_slice(&[0, 0]);
    let part = import(&with_tables(BOLD, &[(b"hhea", hhea)]), &settings(&[48], &[text("A")], 2)).unwrap();
    let ascent = f32::from_bits(part.meta.get(MetaKey::ASCENT).unwrap());
    assert!((ascent - 48.0).abs() < 1e-3, "all of the line is above the baseline: {ascent}");
}

#[test]
fn a_glyph_whose_edge_is_a_whole_pixel_is_not_a_pixel_too_low() {
    let mut hhea = table(BOLD, b"hhea");
    hhea[4..8].copy_from_slice(&[800i16.to_be_bytes(), (-562i16).to_be_bytes()].concat());
    // At 48 of 1362 units, 227 units are 8 pixels.
    for (bottom, top) in
        (1..8i16).flat_map(|i| [(227 * i, 227 * i + 145), (227 * i - 145, 227 * i), (227, 599), (-227, 10)])
    {
        let mut outline = vec![0, 1];
        let corners = [(50i16, bottom), (50, top), (539, top), (539, bottom)];
        for number in [50i16, bottom, 539, top] {
            outline.extend(number.to_be_bytes());
        }
        outline.extend([0, 3, 0, 0, 1, 1, 1, 1]);
        let mut last = (0i16, 0i16);
        outline.extend(corners.iter().flat_map(|(x, _)| (x - std::mem::replace(&mut last.0, *x)).to_be_bytes()));
        outline.extend(corners.iter().flat_map(|(_, y)| (y - std::mem::replace(&mut last.1, *y)).to_be_bytes()));
        let font = with_tables(
            &with_outlines(&[square(), outline]),
            &[(b"hhea", {
                let mut own = hhea.clone();
                own[34..36].copy_from_slice(&[0, 2]);
                own
            })],
        );
        let part = import(&font, &settings(&[48], &[text("A")], 0)).unwrap();
        let (_, glyphs, image, pixels) = strike_of(&part, 0);
        let baseline = (48.0f64 * 800.0 / 1362.0).round();
        let ink: f64 = pixels.iter().map(|pixel| f64::from(pixel[1]) / 255.0).sum();
        let middle = pixels.iter().enumerate().map(|(at, pixel)| {
            let row = (at / image.width as usize) as f64 + 0.5 - f64::from(glyphs[0].y);
            f64::from(pixel[1]) / 255.0 * (baseline - f64::from(glyphs[0].offset_y) - row)
        });
        let (middle, expected) = (middle.sum::<f64>() / ink, f64::from(bottom + top) / 2.0 * 48.0 / 1362.0);
        assert!((middle - expected).abs() < 0.05, "from {bottom} to {top} units: {middle}, expected {expected}");
    }
}

#[test]
fn few_or_none_of_the_characters_are_said_and_stop_nothing() {
    let part = import(BOLD, &settings(&[16], &[text("A★")], 1)).unwrap();
    assert_eq!(part.notes[0].topic, "the font lacks characters that are asked for");
    assert_eq!(part.notes[0].detail, "U+2605");
    let part = import(BOLD, &settings(&[16], &[text("★世")], 1)).unwrap();
    assert!(part.notes[0].topic.starts_with("the font has none of the characters"), "{:?}", part.notes);
    let (props, ..) = strike_of(&part, 0);
    assert!(props.glyph_count >= 90);
    assert_eq!(import(BOLD, &settings(&[16], &[CharSet::Auto], 1)).unwrap().notes, []);
}
