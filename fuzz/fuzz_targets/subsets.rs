//! Cuts fonts to characters: any bytes as tables of a font that is right otherwise.
#![no_main]

#[path = "../font_tables.rs"]
mod font_tables;

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use rres_font_subset::subset;

use font_tables::{CUBIC, FONT, with_tables};

const TEXTS: &[&str] = &["", "A", "AVo fi", "\u{e9}\u{1f600}\u{0661}\u{200d}"];

// The first byte chooses the font and the characters.
fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let font = with_tables(if choice & 1 == 0 { CUBIC } else { FONT }, rest);
    let characters: BTreeSet<char> = TEXTS[usize::from(choice >> 1) % TEXTS.len()].chars().collect();
    let Ok(cut) = subset(&font, &characters) else { return };
    assert!(cut.kept <= cut.glyphs);
    // The largest number of glyphs has places and advances of some bytes each, also if the font ends before them.
    assert!(cut.file.len() <= 2 * font.len() + 600_000, "{} of {} bytes", cut.file.len(), font.len());
    // What is written is a font as well, and has nothing more to cut.
    let again = subset(&cut.file, &characters).expect("a font that was cut should be one");
    assert_eq!((again.kept, again.glyphs), (cut.kept, cut.glyphs));
});
