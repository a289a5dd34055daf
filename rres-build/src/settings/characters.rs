//! The sets of characters that `font = { chars = [...] }` can name.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::table::FontSettings;
use super::values::CharSet;

type Ranges = &'static [RangeInclusive<char>];

const ASCII: Ranges = &[' '..='~'];
/// Latin-1, Latin Extended-A, the comma letters of Romanian, capital sharp s, and typographic punctuation.
const LATIN: Ranges = &[
    '\u{a0}'..='\u{ac}',
    '\u{ae}'..='\u{17f}',
    '\u{218}'..='\u{21b}',
    '\u{1e9e}'..='\u{1e9e}',
    '\u{2013}'..='\u{2014}',
    '\u{2018}'..='\u{201a}',
    '\u{201c}'..='\u{201e}',
    '\u{2020}'..='\u{2022}',
    '\u{2026}'..='\u{2026}',
    '\u{2030}'..='\u{2030}',
    '\u{2039}'..='\u{203a}',
    '\u{20ac}'..='\u{20ac}',
    '\u{2122}'..='\u{2122}',
];
/// Assigned characters of the Greek block, without Coptic.
const GREEK: Ranges = &[
    '\u{370}'..='\u{377}',
    '\u{37a}'..='\u{37f}',
    '\u{384}'..='\u{38a}',
    '\u{38c}'..='\u{38c}',
    '\u{38e}'..='\u{3a1}',
    '\u{3a3}'..='\u{3e1}',
    '\u{3f0}'..='\u{3ff}',
];
/// The block that contains every living Cyrillic alphabet, without combining marks.
const CYRILLIC: Ranges = &['\u{400}'..='\u{482}', '\u{48a}'..='\u{4ff}'];

impl CharSet {
    /// The characters of the set, without control characters.
    pub fn characters(&self) -> BTreeSet<char> {
        let ranges: &[Ranges] = match self {
            Self::Ascii => &[ASCII],
            Self::Latin => &[ASCII, LATIN],
            Self::Greek => &[GREEK],
            Self::Cyrillic => &[CYRILLIC],
            Self::Text(text) => return text.chars().filter(|c| !c.is_control()).collect(),
        };
        ranges.iter().flat_map(|ranges| ranges.iter().cloned()).flatten().collect()
    }
}

impl FontSettings {
    /// The characters of all sets, in order.
    pub(crate) fn characters(&self) -> BTreeSet<char> {
        self.chars.iter().flat_map(CharSet::characters).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_contain_what_their_names_promise() {
        let holds =
            |set: CharSet, text: &str| text.chars().filter(|c| !set.characters().contains(c)).collect::<String>();
        assert_eq!(CharSet::Ascii.characters().len(), 95);
        assert_eq!(holds(CharSet::Latin, "Az09 äßÆøčłğŐșțẞ–—‘’‚“”„…€™«»"), "");
        assert_eq!(holds(CharSet::Latin, "\u{ad}\n"), "\u{ad}\n", "no soft hyphen, no control characters");
        assert_eq!(holds(CharSet::Greek, "ΑΩαωςάΐΰώ"), "");
        assert_eq!(holds(CharSet::Cyrillic, "АЯаяёЁіїєґҐўџ"), "");
    }

    #[test]
    fn sets_add_up_in_order() {
        let font = FontSettings {
            chars: vec![CharSet::Text("★b\na".into()), CharSet::Text("a".into())],
            ..Default::default()
        };
        assert_eq!(font.characters().into_iter().collect::<String>(), "ab★");
    }
}
