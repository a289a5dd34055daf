//! Imports fonts: any bytes as tables of a font that is right otherwise, and any bytes as a description of BMFont whose picture exists. Tables of
//! coloured glyphs are among them, with PNG files in the place of the bytes `PNG`.
#![no_main]

#[path = "../font_tables.rs"]
mod font_tables;
#[path = "../panics.rs"]
mod panics;

use std::panic;

use libfuzzer_sys::fuzz_target;
use rres_engine::fuzz;
use rres_format::AssetKind;

use font_tables::{CUBIC, FONT, PICTURE, with_tables};

const RULES: &[&str] = &[
    "",
    "[\"*\"]\nfont = { size = [8, 20], chars = \"all\" }\n",
    "[\"*\"]\nfont = { size = 9, chars = \"all\", field = \"msdf\", atlas_size = 64 }\n",
    "[\"*\"]\nfont = { size = 12, chars = \"ABC\", color = false }\n",
];

// The first byte chooses the font, or a description, and the rule.
fuzz_target!(|bytes: &[u8]| {
    panics::ignore_those_of_others();
    let Some((choice, rest)) = bytes.split_first() else { return };
    let rules = RULES[usize::from(choice >> 2) % RULES.len()];
    let _ = panic::catch_unwind(|| match choice & 3 {
        3 => {
            fuzz::import_with(&rres_build::importers(), AssetKind::Font, "fuzz.fnt", rules, &[("a.png", PICTURE)], rest)
        }
        font => {
            let font = with_tables(if font == 0 { CUBIC } else { FONT }, rest);
            fuzz::import_with(&rres_build::importers(), AssetKind::Font, "fuzz.ttf", rules, &[], &font)
        }
    });
});
