//! Fonts of the repository, and what they draw.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

macro_rules! fixture {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../test-data/fixtures/font/", $name)).as_slice())
    };
}
macro_rules! asset {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../../assets/fonts/", $name)).as_slice())
    };
}

/// Fonts of every sort of outlines.
pub(super) const FONTS: [(&str, &[u8]); 7] = [
    fixture!("DejaVuSans-Bold-subset.ttf"),
    fixture!("Goudy-subset.otf"),
    fixture!("Inter-subset.var.ttf"),
    fixture!("Quarter.cff2.otf"),
    asset!("Quicksand-Medium.ttf"),
    asset!("GoudyBookletter1911.otf"),
    asset!("GFSNeohellenic.otf"),
];

pub(super) const VARIABLE: &[u8] = FONTS[2].1;

/// Characters of each of them.
pub(super) const TEXT: &str = "Aé fi ffl Å Ωά Я office";

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Outline(Vec<(char, Vec<u32>)>);

impl Outline {
    fn add(&mut self, sort: char, numbers: &[f32]) {
        self.0.push((sort, numbers.iter().map(|number| number.to_bits()).collect()));
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add('m', &[x, y]);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.add('l', &[x, y]);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.add('q', &[x1, y1, x, y]);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.add('c', &[x1, y1, x2, y2, x, y]);
    }
    fn close(&mut self) {
        self.add('z', &[]);
    }
}

/// The lines and curves of a glyph.
pub(super) fn outline(face: &Face<'_>, glyph: GlyphId) -> Outline {
    let mut outline = Outline::default();
    face.outline_glyph(glyph, &mut outline);
    outline
}

pub(super) fn has_outline(face: &Face<'_>, glyph: GlyphId) -> bool {
    outline(face, glyph) != Outline::default()
}

/// A font with these tables in the place of its own, or besides them.
pub(super) fn with_tables(file: &[u8], new: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let font = crate::FontTables::open(file).unwrap();
    let mut out = crate::file::Writer::default();
    font.all().for_each(|(tag, table)| out.add(*tag, table.0.to_vec()));
    new.iter().for_each(|(tag, table)| out.add(**tag, table.clone()));
    out.finish(font.is_cff())
}
