//! A set of glyphs of a font.

/// A set of glyphs of a font, by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct GlyphSet {
    members: Vec<bool>,
    len: usize,
}

impl GlyphSet {
    /// An empty set of a font with this many glyphs.
    pub(crate) fn new(glyphs: u16) -> Self {
        Self { members: vec![false; usize::from(glyphs)], len: 0 }
    }

    /// The number of glyphs in the set.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of glyphs of the font.
    pub(crate) fn of(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn contains(&self, glyph: u16) -> bool {
        self.members.get(usize::from(glyph)).is_some_and(|is_member| *is_member)
    }

    /// Adds a glyph, if the font has it. Whether it was not in the set before.
    pub(crate) fn insert(&mut self, glyph: u16) -> bool {
        match self.members.get_mut(usize::from(glyph)) {
            Some(is_member) if !*is_member => {
                *is_member = true;
                self.len += 1;
                true
            }
            _ => false,
        }
    }

    /// The glyphs in the set, ascending.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = u16> + '_ {
        self.members.iter().enumerate().filter(|(_, is_member)| **is_member).map(|(glyph, _)| glyph as u16)
    }
}
