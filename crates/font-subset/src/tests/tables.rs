//! Tables that are made by hand: substitutions of each kind, layers, pictures, documents, characters of each format.

use super::fonts::{FONTS, with_tables};
use super::*;

/// A list of glyphs as a coverage.
fn coverage(glyphs: &[u16]) -> Vec<u8> {
    let mut out = vec![0, 1];
    put(&mut out, &[glyphs.len() as u16]);
    put(&mut out, glyphs);
    out
}

fn put(out: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| out.extend(number.to_be_bytes()));
}

/// A table GSUB of one lookup with one subtable.
fn substitutions_of(sort: u16, subtable: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, &[1, 0, 0, 0, 10, 1, 4, sort, 0, 1, 8]);
    out.extend(subtable);
    out
}

/// A subtable: its numbers, and its coverage after them.
fn subtable(numbers: &[u16], covered: &[u16]) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, numbers);
    out[2..4].copy_from_slice(&(2 * numbers.len() as u16).to_be_bytes());
    out.extend(coverage(covered));
    out
}

/// The glyphs that become reachable from these of a font of 100.
fn closed(table: &[u8], from: &[u16]) -> Vec<u16> {
    let mut glyphs = GlyphSet::new(100);
    from.iter().for_each(|glyph| {
        glyphs.insert(*glyph);
    });
    substitutions::close(Bytes(table, *b"GSUB"), &mut glyphs, &mut Effort::default()).unwrap();
    glyphs.iter().collect()
}

#[test]
fn every_kind_of_substitution_is_followed() {
    let single = substitutions_of(1, &subtable(&[1, 0, 10], &[5, 15]));
    assert_eq!(closed(&single, &[5, 6]), [5, 6, 15, 25], "what comes of a glyph is followed as well");
    let listed = substitutions_of(1, &subtable(&[2, 0, 2, 50, 51], &[5, 7]));
    assert_eq!(closed(&listed, &[7]), [7, 51]);
    let multiple = substitutions_of(2, &subtable(&[1, 0, 1, 8, 3, 40, 41, 99], &[5]));
    assert_eq!(closed(&multiple, &[5]), [5, 40, 41, 99]);
    assert_eq!(closed(&multiple, &[6]), [6]);
    let alternates = substitutions_of(3, &subtable(&[1, 0, 1, 8, 2, 60, 61], &[5]));
    assert_eq!(closed(&alternates, &[5]), [5, 60, 61]);
    // A set of one ligature: of the covered glyph, 6 and 7.
    let ligature = substitutions_of(4, &subtable(&[1, 0, 1, 8, 1, 4, 70, 3, 6, 7], &[5]));
    assert_eq!(closed(&ligature, &[5, 6, 7]), [5, 6, 7, 70]);
    assert_eq!(closed(&ligature, &[5, 7]), [5, 7], "a ligature needs all of its parts");
    let reverse = substitutions_of(8, &subtable(&[1, 0, 1, 0, 0, 1, 80], &[5]));
    assert_eq!(closed(&reverse, &[5]), [5, 80]);
    let mut extension = Vec::new();
    put(&mut extension, &[1, 1, 0, 8]);
    extension.extend(subtable(&[1, 0, 10], &[5]));
    assert_eq!(closed(&substitutions_of(7, &extension), &[5]), [5, 15]);
    // Contexts say where other lookups apply.
    assert_eq!(closed(&substitutions_of(6, &[0, 1]), &[5]), [5]);
    // A table without lookups has no list of them.
    assert_eq!(closed(&[0, 1, 0, 0, 0, 10, 0, 12, 0, 0, 0, 0, 0, 0], &[5]), [5]);
    // A substitute that the font does not have.
    assert_eq!(closed(&substitutions_of(1, &subtable(&[1, 0, 500], &[5])), &[5]), [5]);
    // Ranges of a coverage.
    let mut ranges = Vec::new();
    put(&mut ranges, &[2, 6, 2, 90, 91]);
    put(&mut ranges, &[2, 1, 5, 6, 0]);
    ranges[2..4].copy_from_slice(&10_u16.to_be_bytes());
    assert_eq!(closed(&substitutions_of(1, &ranges), &[6]), [6, 91]);
}

#[test]
fn layers_of_coloured_glyphs_are_kept() {
    let closed = |table: &[u8], from: u16| -> Vec<u16> {
        let mut glyphs = GlyphSet::new(100);
        glyphs.insert(from);
        layers::close(Bytes(table, *b"COLR"), &mut glyphs, &mut Effort::default()).unwrap();
        glyphs.iter().collect()
    };
    let mut flat = Vec::new();
    put(&mut flat, &[0, 1, 0, 14, 0, 20, 2, 5, 0, 2, 30, 0, 31, 0]);
    assert_eq!(closed(&flat, 5), [5, 30, 31]);
    assert_eq!(closed(&flat, 6), [6]);

    // Version 1: glyph 5 is two layers, a glyph 40 with a fill, and another coloured glyph, 6, which is a glyph 41.
    let mut graph = Vec::new();
    put(&mut graph, &[1, 0, 0, 0, 0, 0, 0, 0, 34, 0, 100, 0, 0, 0, 0, 0, 0]);
    assert_eq!(graph.len(), 34);
    // The list of coloured glyphs at 34: paints at 34 + 16 and 34 + 30.
    put(&mut graph, &[0, 2, 5, 0, 16, 6, 0, 30]);
    graph.extend([1, 2, 0, 0, 0, 0]);
    graph.resize(64, 0);
    graph.extend([10, 0, 0, 6, 0, 41, 2]);
    graph.resize(100, 0);
    // The list of layers at 100.
    put(&mut graph, &[0, 2, 0, 12, 0, 20]);
    graph.extend([10, 0, 0, 6, 0, 40, 2, 0]);
    graph.extend([12, 0, 0, 7, 0, 0, 0, 11, 0, 6]);
    assert_eq!(closed(&graph, 5), [5, 6, 40, 41]);
    assert_eq!(closed(&graph, 6), [6, 41]);
}

#[test]
fn pictures_of_other_glyphs_go() {
    let mut kept = GlyphSet::new(3);
    kept.insert(1);
    let font = |tables: &[(&[u8; 4], Vec<u8>)]| {
        let file = with_tables(FONTS[0].1, tables);
        let tables = FontTables::open(&file).unwrap();
        let mut out = file::Writer::default();
        pictures::cut(&tables, &kept, &mut out, &mut Effort::default()).unwrap();
        let file = out.finish(false);
        let all = FontTables::open(&file).unwrap();
        all.all().map(|(tag, table)| (bytes::name(tag), table.0.to_vec())).collect::<Vec<_>>()
    };
    // One strike of three pictures of 2, 3 and 4 bytes.
    let mut sbix = vec![0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 12, 0, 20, 0, 72];
    for place in [20_u32, 22, 31, 35] {
        sbix.extend(place.to_be_bytes());
    }
    sbix.extend(b"aa0000png bcccc");
    let found = font(&[(b"sbix", sbix)]);
    let mut expected = vec![0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 12, 0, 20, 0, 72];
    for place in [20_u32, 20, 29, 29] {
        expected.extend(place.to_be_bytes());
    }
    expected.extend(b"0000png b");
    assert_eq!(found, [("sbix".to_owned(), expected)]);

    // One range of glyphs 0 to 2 with places of 16 bits.
    let mut list = vec![0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 56, 0, 0, 0, 24, 0, 0, 0, 1];
    list.resize(56, 9);
    put(&mut list, &[0, 2, 0, 8, 3, 17, 0, 4, 0, 2, 5, 9]);
    let found = font(&[(b"CBLC", list.clone()), (b"CBDT", b"\0\x03\0\0aabbbcccc".to_vec())]);
    let mut expected = list;
    let places = expected.len() - 8;
    expected[places..].copy_from_slice(&[0, 0, 0, 0, 0, 3, 0, 3]);
    assert_eq!(found, [("CBDT".to_owned(), b"\0\x03\0\0bbb".to_vec()), ("CBLC".to_owned(), expected)]);
}

#[test]
fn documents_of_other_glyphs_go() {
    let mut kept = GlyphSet::new(9);
    kept.insert(3);
    let mut table = vec![0, 0, 0, 0, 0, 10, 0, 0, 0, 0];
    put(&mut table, &[2, 1, 2, 0, 26, 0, 5, 3, 4, 0, 31, 0, 6]);
    table.extend(b"<one/<two/>");
    let mut expected = vec![0, 0, 0, 0, 0, 10, 0, 0, 0, 0];
    put(&mut expected, &[1, 3, 4, 0, 14, 0, 6]);
    expected.extend(b"<two/>");
    assert_eq!(svg::cut(Bytes(&table, *b"SVG "), &kept).unwrap(), expected);
}

#[test]
fn characters_of_every_format_are_read_and_written() {
    let read = |subtable: &[u8], keys: (u16, u16)| {
        let mut table = Vec::new();
        put(&mut table, &[0, 1, keys.0, keys.1, 0, 12]);
        table.extend(subtable);
        CharacterMap::read(Bytes(&table, *b"cmap"), &mut Effort::default())
    };
    let glyphs = |map: CharacterMap, text: &str| -> Vec<u16> { map.cut(&characters(text), 100).glyphs().collect() };
    let mut bytes = vec![0, 0, 1, 6, 0, 0];
    bytes.extend((0..=255).map(|code| if code == b'b' { 7 } else { 0 }));
    assert_eq!(glyphs(read(&bytes, (0, 3)).unwrap(), "ab"), [7]);
    let mut trimmed = Vec::new();
    put(&mut trimmed, &[6, 0, 0, 97, 2, 8, 9]);
    assert_eq!(glyphs(read(&trimmed, (3, 1)).unwrap(), "b"), [9]);
    let mut long = Vec::new();
    put(&mut long, &[10, 0, 0, 0, 0, 0, 0x1, 0xf600, 0, 1, 11]);
    assert_eq!(glyphs(read(&long, (3, 10)).unwrap(), "\u{1f600}"), [11]);
    for (format, expected) in [(12, [20, 21]), (13, [20, 20])] {
        let mut groups = Vec::new();
        put(&mut groups, &[format, 0, 0, 0, 0, 0, 0, 1, 0, 97, 0, 98, 0, 20]);
        assert_eq!(glyphs(read(&groups, (3, 10)).unwrap(), "ab"), expected);
    }
    // Segments with a list of glyphs: a and b are 30 and 32.
    let mut segments = Vec::new();
    put(&mut segments, &[4, 0, 0, 4, 0, 0, 0, 98, 0xffff, 0, 97, 0xffff, 1, 1, 4, 0, 29, 31]);
    let map = read(&segments, (3, 1)).unwrap();
    let written = map.cut(&characters("ab"), 100).write();
    let again = CharacterMap::read(Bytes(&written, *b"cmap"), &mut Effort::default()).unwrap();
    assert_eq!(glyphs(again, "ab"), [30, 32]);
    // Fonts of symbols are found by codes of one byte, too.
    let mut symbols = Vec::new();
    put(&mut symbols, &[6, 0, 0, 0xf061, 1, 33]);
    let symbols = read(&symbols, (3, 0)).unwrap().cut(&characters("a"), 100);
    assert_eq!(symbols.glyphs().collect::<Vec<_>>(), [33]);
    assert_eq!(symbols.write()[4..8], [0, 3, 0, 0]);
    assert!(matches!(read(&[0, 2], (3, 1)), Err(SubsetError::Unsupported(_))));
    assert!(matches!(read(&[0, 0], (1, 0)), Err(SubsetError::Unsupported(_))));
}

#[test]
fn variations_of_characters_are_kept_with_their_selectors() {
    let mut table = Vec::new();
    put(&mut table, &[0, 2, 0, 5, 0, 20, 3, 1, 0, 62]);
    // One selector: U+FE00 with a usual form of a and b, and a special one of c.
    put(&mut table, &[14, 0, 42, 0, 1]);
    table.extend([0, 0xfe, 0, 0, 0, 0, 21, 0, 0, 0, 29]);
    table.extend([0, 0, 0, 1, 0, 0, b'a', 1]);
    table.extend([0, 0, 0, 1, 0, 0, b'c', 0, 40]);
    table.resize(62, 0);
    put(&mut table, &[6, 0, 0, 97, 3, 8, 9, 10]);
    let map = || CharacterMap::read(Bytes(&table, *b"cmap"), &mut Effort::default()).unwrap();
    let glyphs = |text: &str| -> Vec<u16> { map().cut(&characters(text), 100).glyphs().collect() };
    assert_eq!((glyphs("ac"), glyphs("ac\u{fe00}")), (vec![8, 10], vec![8, 10, 40]));
    let written = map().cut(&characters("ac\u{fe00}"), 100).write();
    let again = CharacterMap::read(Bytes(&written, *b"cmap"), &mut Effort::default()).unwrap();
    assert_eq!(again.write(), written);
    assert_eq!(again.cut(&characters("ac\u{fe00}"), 100).glyphs().collect::<Vec<_>>(), [8, 10, 40]);
}
