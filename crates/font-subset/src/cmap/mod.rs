//! The table `cmap`: characters and the glyphs that they have.

mod read;
mod write;

use std::collections::{BTreeMap, BTreeSet};

/// Characters of a font, with their glyphs.
#[derive(Debug, Default)]
pub(crate) struct CharacterMap {
    /// By code: of Unicode, or of a font of symbols from 0xf000 on.
    glyphs: BTreeMap<u32, u16>,
    is_symbols: bool,
    /// Glyphs of characters before a selector of variations; `None` for the glyph that the character has anyway.
    variations: BTreeMap<u32, BTreeMap<u32, Option<u16>>>,
}

impl CharacterMap {
    /// The same of these characters and of glyphs that a font of so many has.
    pub(crate) fn cut(mut self, wanted: &BTreeSet<char>, glyphs: u16) -> Self {
        let is_symbols = self.is_symbols;
        let is_wanted = |code: u32| {
            let is = |code: u32| char::from_u32(code).is_some_and(|c| wanted.contains(&c));
            // Programs find the symbols at U+F000 by codes of one byte, too.
            is(code) || is_symbols && (0xf000..0xf100).contains(&code) && is(code - 0xf000)
        };
        self.glyphs.retain(|code, glyph| is_wanted(*code) && *glyph < glyphs);
        self.variations.retain(|selector, _| is_wanted(*selector));
        for of in self.variations.values_mut() {
            of.retain(|code, glyph| is_wanted(*code) && glyph.is_none_or(|glyph| glyph < glyphs));
        }
        self
    }

    /// Every glyph that a character has.
    pub(crate) fn glyphs(&self) -> impl Iterator<Item = u16> + '_ {
        let variations = self.variations.values().flat_map(|of| of.values().flatten());
        self.glyphs.values().chain(variations).copied()
    }
}
