//! Any bytes → tables of a font that is right otherwise. Each table is its number, its length in two bytes, and its bytes. A fuzzer finds no PNG, so
//! the word `PNG` stands for one.

pub const FONT: &[u8] = include_bytes!("../crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");
pub const CUBIC: &[u8] = include_bytes!("../crates/test-data/fixtures/font/Goudy-subset.otf");
pub const PICTURE: &[u8] = include_bytes!("../crates/test-data/fixtures/font/colors.png");

const TAGS: &[&[u8; 4]] = &[
    b"CBLC", b"CBDT", b"sbix", b"COLR", b"CPAL", b"SVG ", b"kern", b"GPOS", b"GDEF", b"cmap", b"glyf", b"loca",
    b"head", b"hhea", b"hmtx", b"maxp", b"OS/2", b"post", b"name", b"fvar", b"gvar", b"avar", b"HVAR", b"CFF ",
    b"CFF2", b"EBLC", b"EBDT",
];

fn tables(mut bytes: &[u8]) -> Vec<([u8; 4], Vec<u8>)> {
    let mut tables = Vec::new();
    while let [tag, high, low, rest @ ..] = bytes {
        let (table, after) = rest.split_at(rest.len().min(usize::from(u16::from_be_bytes([*high, *low]))));
        tables.push((*TAGS[usize::from(*tag) % TAGS.len()], with_pictures(table)));
        bytes = after;
    }
    tables
}

fn with_pictures(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(3).position(|word| word == b"PNG") {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(PICTURE);
        rest = &rest[at + 3..];
    }
    out.extend_from_slice(rest);
    out
}

/// The font with the tables that `bytes` say, in the place of its own or besides them.
pub fn with_tables(font: &[u8], bytes: &[u8]) -> Vec<u8> {
    let new = tables(bytes);
    let number = |at: usize| u32::from_be_bytes(font[at..at + 4].try_into().expect("four bytes")) as usize;
    let count = usize::from(u16::from_be_bytes([font[4], font[5]]));
    let mut tables: Vec<([u8; 4], &[u8])> = (0..count)
        .map(|i| 12 + i * 16)
        .map(|at| (font[at..at + 4].try_into().expect("four bytes"), &font[number(at + 8)..][..number(at + 12)]))
        .collect();
    for (tag, bytes) in &new {
        tables.retain(|table| table.0 != *tag);
        tables.push((*tag, bytes));
    }
    tables.sort();
    let mut out = font[..12].to_vec();
    out[4..6].copy_from_slice(&(tables.len() as u16).to_be_bytes());
    let mut offset = 12 + 16 * tables.len();
    for (tag, table) in &tables {
        out.extend(tag);
        out.extend([0, offset as u32, table.len() as u32].iter().flat_map(|number| number.to_be_bytes()));
        offset += table.len();
    }
    tables.iter().for_each(|(_, table)| out.extend_from_slice(table));
    out
}
