//! Fonts whose tables state more than they have, and outlines that call themselves.
//!
//! Composite glyphs without end are in the tests of the importer.

use super::bombs::{Bomb, defuse};

const OTF: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/font/Goudy-subset.otf");
const TTF: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The start and the end of the table with this name.
fn table(font: &[u8], tag: &[u8; 4]) -> std::ops::Range<usize> {
    let record = (0..u16_at(font, 4)).map(|i| 12 + 16 * i).find(|at| font[*at..*at + 4] == *tag).unwrap();
    let start = u32_at(font, record + 8);
    start..start + u32_at(font, record + 12)
}

/// The font with these bytes at this offset of a table.
fn patched(font: &[u8], tag: &[u8; 4], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut out = font.to_vec();
    let start = table(font, tag).start + at;
    out[start..start + bytes.len()].copy_from_slice(bytes);
    out
}

/// An index of CFF.
fn index(items: &[Vec<u8>]) -> Vec<u8> {
    let mut out = (items.len() as u16).to_be_bytes().to_vec();
    if items.is_empty() {
        return out;
    }
    out.push(4);
    let mut offset = 1u32;
    out.extend(offset.to_be_bytes());
    for item in items {
        offset += item.len() as u32;
        out.extend(offset.to_be_bytes());
    }
    out.extend(items.concat());
    out
}

/// The font with another CFF table: these global subroutines, and each glyph is `glyph`.
fn cff(glyph: &[u8], subroutines: &[Vec<u8>]) -> Vec<u8> {
    let glyphs = u16_at(OTF, table(OTF, b"maxp").start + 4);
    let name = index(&[b"a".to_vec()]);
    let strings = index(&[]);
    let subroutines = index(subroutines);
    // Offset of the glyphs as a number of five bytes; its length does not depend on it.
    let top = |at: u32| index(&[[&[29][..], &at.to_be_bytes(), &[17]].concat()]);
    let at = 4 + name.len() + top(0).len() + strings.len() + subroutines.len();
    let glyphs = index(&vec![glyph.to_vec(); glyphs]);
    let new = [vec![1, 0, 4, 4], name, top(at as u32), strings, subroutines, glyphs].concat();
    let mut out = OTF.to_vec();
    let record = (0..u16_at(OTF, 4)).map(|i| 12 + 16 * i).find(|at| OTF[*at..*at + 4] == *b"CFF ").unwrap();
    out[record + 8..record + 12].copy_from_slice(&(OTF.len() as u32).to_be_bytes());
    out[record + 12..record + 16].copy_from_slice(&(new.len() as u32).to_be_bytes());
    out.extend(new);
    out
}

#[test]
fn font_files() {
    // A subroutine's number is biased by 107. `call` is 29, `return` 11, `endchar` 14.
    let call = |number: u8| vec![139 + number - 107, 29];
    let twice = |number: u8, count: usize| [call(number).repeat(count), vec![11]].concat();
    // Each calls the next one many times, and the last draws a line.
    let tree: Vec<Vec<u8>> = (0..9).map(|i| twice(i + 1, 200)).chain([vec![140, 140, 5, 11]]).collect();
    // Every glyph is 2,000 lines.
    let lines: Vec<u8> = [140, 140, 5].repeat(2_000);
    defuse(
        "",
        vec![
            Bomb::harmless("glyphs.ttf", patched(TTF, b"maxp", 4, &[0xff, 0xff])),
            Bomb::harmless("metrics.ttf", patched(TTF, b"hhea", 34, &[0xff, 0xff])),
            Bomb::harmless("units.ttf", patched(TTF, b"head", 18, &[0, 1])),
            Bomb::harmless("map.ttf", patched(TTF, b"cmap", 2, &[0xff, 0xff])),
            Bomb::harmless("recursion.otf", cff(&[call(0), vec![14]].concat(), &[twice(0, 2)])),
            Bomb::harmless("tree.otf", cff(&[call(0), vec![14]].concat(), &tree)),
            Bomb::harmless("lines.otf", cff(&[vec![139, 139, 21], lines, vec![14]].concat(), &[])),
            Bomb::refused("tables.ttf", [&TTF[..4], &[0xff, 0xff], &TTF[6..]].concat(), ""),
            Bomb::refused(
                "collection.ttc",
                [&b"ttcf\0\x01\0\0\xff\xff\xff\xff\xff\xff\xff\xff"[..], &[0; 32]].concat(),
                "",
            ),
        ],
    );
}

#[test]
fn the_largest_sizes() {
    for size in ["[1024]", "[1024, 1023, 1022]"] {
        let settings = format!("[\"*.ttf\"]\nfont = {{ size = {size}, chars = \"A\" }}\n");
        defuse(&settings, vec![Bomb { memory: 200, ..Bomb::harmless("large.ttf", TTF) }]);
    }
}
