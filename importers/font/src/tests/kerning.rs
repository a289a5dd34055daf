//! Kerning by GPOS and by the `kern` table, and what fonts say about lines.

use std::collections::BTreeMap;

use rres_format::chunk::kerning::Kerning;
use rres_test_data::bytes::be;
use rres_test_data::damage::{cuts, replaced};
use ttf_parser::Face;

use super::hostile::with_tables;
use super::*;

/// The glyphs of these characters in the test font.
fn glyphs(characters: &str) -> Vec<u16> {
    let face = Face::parse(BOLD, 0).unwrap();
    characters.chars().map(|c| face.glyph_index(c).unwrap().0).collect()
}

/// A GPOS table whose feature `kern` has these lookups, each a type and its subtables.
fn gpos(lookups: &[(u16, Vec<Vec<u8>>)]) -> Vec<u8> {
    // Head, one script with a default language, one feature.
    let count = lookups.len() as u16;
    let mut out = be::<u16>(&[1, 0, 10, 30, 44 + 2 * count]);
    out.extend([be::<u16>(&[1]), b"DFLT".to_vec(), be::<u16>(&[8, 4, 0, 0, 0xffff, 1, 0])].concat());
    out.resize(30, 0);
    out.extend([be::<u16>(&[1]), b"kern".to_vec(), be::<u16>(&[8, 0, count])].concat());
    out.extend(be::<u16>(&(0..count).collect::<Vec<_>>()));
    out.resize(44 + 2 * usize::from(count), 0);
    let mut list = be::<u16>(&[count]);
    let mut bodies = Vec::new();
    for (kind, subtables) in lookups {
        list.extend(be::<u16>(&[2 + 2 * count + bodies.len() as u16]));
        let head = 6 + 2 * subtables.len();
        let mut body = be::<u16>(&[*kind, 0, subtables.len() as u16]);
        let mut at = head;
        for subtable in subtables {
            body.extend(be::<u16>(&[at as u16]));
            at += subtable.len();
        }
        subtables.iter().for_each(|subtable| body.extend(subtable));
        bodies.extend(body);
    }
    out.extend([list, bodies].concat());
    out
}

/// Pairs one by one: of the first glyph with each of the others.
fn by_pair(left: u16, pairs: &[(u16, i16)]) -> Vec<u8> {
    let count = pairs.len() as u16;
    // The left glyph has a placement and an advance, the right one an advance: only the advance in the middle counts.
    let mut out = be::<u16>(&[1, 12, 5, 4, 1, 18, 1, 1, left, count]);
    for (right, value) in pairs {
        out.extend(be::<u16>(&[*right, 7, value.cast_unsigned(), 9]));
    }
    out
}

/// Pairs by class: of each of `lefts` with each of `rights`.
fn by_class(lefts: &[u16], rights: &[u16], value: i16) -> Vec<u8> {
    let class = |glyphs: &[u16]| {
        let mut sorted = glyphs.to_vec();
        sorted.sort_unstable();
        let mut out = be::<u16>(&[2, sorted.len() as u16]);
        sorted.iter().for_each(|glyph| out.extend(be::<u16>(&[*glyph, *glyph, 1])));
        out
    };
    let mut covered = lefts.to_vec();
    covered.sort_unstable();
    let coverage = [be::<u16>(&[1, covered.len() as u16]), be::<u16>(&covered)].concat();
    let (first, second) = (class(lefts), class(rights));
    let values = be::<u16>(&[0, 0, 0, value.cast_unsigned()]);
    let start = 16 + values.len();
    let offsets = [start, start + coverage.len(), start + coverage.len() + first.len()];
    let [coverage_at, first_at, second_at] = offsets.map(|at| at as u16);
    [be::<u16>(&[2, coverage_at, 4, 0, first_at, second_at, 2, 2]), values, coverage, first, second].concat()
}

/// A subtable of the type for distant ones.
fn extension(subtable: &[u8]) -> Vec<u8> {
    [be::<u16>(&[1, 2, 0, 8]), subtable.to_vec()].concat()
}

fn kerning(font: &[u8], chars: CharSet) -> Kerning {
    let part = import(font, &settings(&[8], &[chars], 1)).unwrap();
    let block = part.blocks.iter().find(|block| block.kind == FourCc::KERN).unwrap();
    Kerning::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap()
}

fn pairs(font: &[u8]) -> BTreeMap<String, i16> {
    kerning(font, CharSet::Ascii).pairs().map(|(left, right, value)| (format!("{left}{right}"), value)).collect()
}

fn expected(pairs: &[(&str, i16)]) -> BTreeMap<String, i16> {
    pairs.iter().map(|(pair, value)| ((*pair).to_owned(), *value)).collect()
}

#[test]
fn pairs_of_gpos_are_kerned_by_the_first_subtable_and_the_sum_of_lookups() {
    let [a, v, w, t] = glyphs("AVWT")[..] else { panic!() };
    let listed = by_pair(a, &[(v, -100), (w, 0)]);
    let classes = by_class(&[a, t], &[v, w], -50);
    let lookups = [(2, vec![listed.clone(), classes.clone()]), (9, vec![extension(&by_pair(t, &[(v, -7)]))])];
    let font = with_tables(BOLD, &[(b"GPOS", gpos(&lookups))]);
    // A before V and W is decided by the list, also that W is at 0; T by classes, and by both lookups before V.
    assert_eq!(pairs(&font), expected(&[("AV", -100), ("TV", -57), ("TW", -50)]));
    // If classes come first, they decide.
    let font = with_tables(BOLD, &[(b"GPOS", gpos(&[(2, vec![classes, listed])]))]);
    assert_eq!(pairs(&font), expected(&[("AV", -50), ("AW", -50), ("TV", -50), ("TW", -50)]));
}

#[test]
fn the_kern_table_counts_if_gpos_does_not_kern() {
    let [a, v] = glyphs("AV")[..] else { panic!() };
    let (first, second) = if a < v { ((a, v, -80), (v, a, -60)) } else { ((v, a, -60), (a, v, -80)) };
    let pair = |(left, right, value): (u16, u16, i16)| be::<u16>(&[left, right, value.cast_unsigned()]);
    let table = [be::<u16>(&[0, 1, 0, 26, 1, 2, 12, 1, 0]), pair(first), pair(second)].concat();
    let font = with_tables(BOLD, &[(b"kern", table.clone())]);
    assert_eq!(pairs(&font), expected(&[("AV", -80), ("VA", -60)]));
    let font = with_tables(BOLD, &[(b"kern", table), (b"GPOS", gpos(&[(2, vec![by_pair(a, &[(v, -5)])])]))]);
    assert_eq!(pairs(&font), expected(&[("AV", -5)]));
}

#[test]
fn advances_are_exact_and_the_same_for_every_size() {
    let table = kerning(BOLD, CharSet::Ascii);
    let face = Face::parse(BOLD, 0).unwrap();
    assert!((table.units() - 2384.0).abs() < 1e-3);
    for character in ' '..='~' {
        let advance = face.glyph_hor_advance(face.glyph_index(character).unwrap()).unwrap();
        assert_eq!(table.advance(character), Some(f32::from(advance)), "{character:?}");
    }
    assert!(table.is_empty() && table.advance('é').is_none());
}

#[test]
fn lines_are_described_in_pixels_of_the_first_size() {
    let part = import(BOLD, &settings(&[48], &[CharSet::Ascii], 2)).unwrap();
    let face = Face::parse(BOLD, 0).unwrap();
    let value = |key| f32::from_bits(part.meta.get(key).unwrap());
    let pixels = |units: i16| f32::from(units) * 48.0 / 2384.0;
    let near = |key, expected: f32| assert!((value(key) - expected).abs() < 1e-3, "{key}: {}", value(key));
    near(MetaKey::DESCENT, pixels(483));
    near(MetaKey::CAP_HEIGHT, pixels(1493));
    near(MetaKey::X_HEIGHT, pixels(1120));
    let underline = face.underline_metrics().unwrap();
    near(MetaKey::UNDERLINE, -pixels(underline.position));
    near(MetaKey::UNDERLINE_THICKNESS, pixels(underline.thickness));
}

#[test]
fn any_damage_of_kerning_is_harmless_and_endless_tables_are_left_out() {
    let [a, v, w, t] = glyphs("AVWT")[..] else { panic!() };
    let lookups = [(2, vec![by_pair(a, &[(v, -100), (w, 5)]), by_class(&[a, t], &[v, w], -50)])];
    let table = gpos(&lookups);
    let damaged = replaced(&table, 0..table.len(), &[0, 1, 0x7f, 0xff]);
    for bad in damaged.chain(cuts(&table).map(<[u8]>::to_vec)) {
        kerning(&with_tables(BOLD, &[(b"GPOS", bad)]), text("AVWT"));
    }
    // 16,383 lookups that are one and the same, with 30,000 subtables that are one and the same.
    let count = 16_383u16;
    let mut endless = be::<u16>(&[1, 0, 10, 30, 44]);
    endless.extend([be::<u16>(&[1]), b"DFLT".to_vec(), be::<u16>(&[8, 4, 0, 0, 0xffff, 1, 0])].concat());
    endless.resize(30, 0);
    endless.extend([be::<u16>(&[1]), b"kern".to_vec(), be::<u16>(&[8, 0, count])].concat());
    endless.resize(44, 0);
    endless.extend(be::<u16>(&[count]));
    // The feature's list of lookups are the bytes of the lookup list.
    endless.extend((0..count).flat_map(|i| (2 + 2 * count + (i & 1)).to_be_bytes()));
    let subtable = by_class(&[a, t], &[v, w], -50);
    endless.extend(be::<u16>(&[2, 0, 30_000]));
    endless.extend((0..30_000u16).flat_map(|_| 60_006u16.to_be_bytes()));
    endless.extend(subtable);
    let font = with_tables(BOLD, &[(b"GPOS", endless)]);
    let part = import(&font, &settings(&[16], &[CharSet::Ascii], 1)).unwrap();
    assert_eq!(part.notes[0].topic, "the font has millions of kerned pairs, which are not stored");
}
