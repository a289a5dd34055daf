//! The sets of characters that `font = { chars = [...] }` can name, and which characters a font gets.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::font_values::CharSet;
use super::table::FontSettings;

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

/// Latin Extended-B, C, D and E, the letters of phonetics, and Latin Extended Additional.
const LATIN_EXT: Ranges = &[
    '\u{180}'..='\u{2af}',
    '\u{1d00}'..='\u{1dbf}',
    '\u{1e00}'..='\u{1eff}',
    '\u{2c60}'..='\u{2c7f}',
    '\u{a720}'..='\u{a7ff}',
    '\u{ab30}'..='\u{ab6f}',
];
const HIRAGANA: Ranges = &['\u{3041}'..='\u{309f}'];
const KATAKANA: Ranges = &['\u{30a0}'..='\u{30ff}', '\u{31f0}'..='\u{31ff}'];
const PUNCTUATION: Ranges = &['\u{2010}'..='\u{2027}', '\u{2030}'..='\u{205e}'];
const CURRENCY: Ranges = &['\u{a2}'..='\u{a5}', '\u{20a0}'..='\u{20cf}'];
const ARROWS: Ranges = &['\u{2190}'..='\u{21ff}'];
const MATH: Ranges = &['\u{2200}'..='\u{22ff}', '±'..='±', '×'..='×', '÷'..='÷'];
const BOX_DRAWING: Ranges = &['\u{2500}'..='\u{259f}'];
const SHAPES: Ranges = &['\u{25a0}'..='\u{26ff}'];

const VIETNAMESE: Ranges = &['\u{1a0}'..='\u{1a1}', '\u{1af}'..='\u{1b0}', '\u{1ea0}'..='\u{1ef9}', '₫'..='₫'];
const ARMENIAN: Ranges = &['\u{530}'..='\u{58f}'];
const GEORGIAN: Ranges = &['\u{10a0}'..='\u{10ff}', '\u{1c90}'..='\u{1cbf}'];
const HEBREW: Ranges = &['\u{590}'..='\u{5ff}', '\u{fb1d}'..='\u{fb4f}'];
const ARABIC: Ranges = &[
    '\u{600}'..='\u{6ff}',
    '\u{750}'..='\u{77f}',
    '\u{8a0}'..='\u{8ff}',
    '\u{fb50}'..='\u{fdff}',
    '\u{fe70}'..='\u{fefc}',
];
const DEVANAGARI: Ranges = &['\u{900}'..='\u{97f}', '\u{a8e0}'..='\u{a8ff}'];
const THAI: Ranges = &['\u{e00}'..='\u{e7f}'];
/// Punctuation of East Asia, and forms as wide as its characters.
const WIDE: Ranges = &['\u{3000}'..='\u{303f}', '\u{ff00}'..='\u{ffef}'];
const KANA: Ranges = &['\u{3041}'..='\u{30ff}', '\u{31f0}'..='\u{31ff}'];
const BOPOMOFO: Ranges = &['\u{3100}'..='\u{312f}', '\u{31a0}'..='\u{31bf}'];
const HAN: Ranges =
    &['\u{3400}'..='\u{4dbf}', '\u{4e00}'..='\u{9fff}', '\u{f900}'..='\u{faff}', '\u{20000}'..='\u{323af}'];
const HANGUL: Ranges = &['\u{1100}'..='\u{11ff}', '\u{3130}'..='\u{318f}', '\u{ac00}'..='\u{d7a3}'];

/// The scripts other than Latin, Greek and Cyrillic, without symbols.
const OTHER_SCRIPTS: Ranges = &[
    '\u{530}'..='\u{1cff}',
    '\u{2c80}'..='\u{2ddf}',
    '\u{2e80}'..='\u{a63f}',
    '\u{a6a0}'..='\u{a6ff}',
    '\u{a800}'..='\u{ab2f}',
    '\u{ab70}'..='\u{d7ff}',
    '\u{f900}'..='\u{faff}',
    '\u{fb1d}'..='\u{fdff}',
    '\u{fe70}'..='\u{feff}',
    '\u{10000}'..='\u{1bfff}',
    '\u{1e000}'..='\u{1efff}',
    '\u{20000}'..='\u{3ffff}',
];

/// Most characters of a font that it gets glyphs of by itself.
const MAX_AUTO: usize = 1500;

/// The characters that the texts of a game may have, to estimate the memory that they take.
const MAX_OF_TEXTS: usize = 8000;

/// A font has ASCII if it has so many of the 95 characters.
const MOST_OF_ASCII: usize = 90;

/// What the characters of a set are compared with.
enum Members<'a> {
    /// These were written down one by one.
    Written(Cow<'a, str>),
    /// A font for the set has all of them.
    Expected(&'static [Ranges]),
    /// A font for the script has some of them.
    Possible(&'static [Ranges]),
    /// Not every number in between is a character.
    Between(RangeInclusive<char>),
    Font,
    Auto,
}

impl CharSet {
    fn members(&self) -> Members<'_> {
        match self {
            Self::Auto => Members::Auto,
            Self::Text(text) => Members::Written(Cow::Borrowed(text)),
            Self::All => Members::Font,
            Self::Ascii => Members::Expected(&[ASCII]),
            Self::Latin => Members::Expected(&[ASCII, LATIN]),
            Self::Range(first, last) if first == last => Members::Written(Cow::Owned(first.to_string())),
            Self::Range(first, last) => Members::Between(*first..=*last),
            // An importer reads the files before it asks.
            Self::File(_) | Self::Texts(_) => Members::Written(Cow::Borrowed("")),
            Self::LatinExt => Members::Possible(&[ASCII, LATIN, LATIN_EXT]),
            Self::Hiragana => Members::Possible(&[HIRAGANA]),
            Self::Katakana => Members::Possible(&[KATAKANA]),
            Self::Hangul => Members::Possible(&[HANGUL]),
            Self::Punctuation => Members::Possible(&[PUNCTUATION]),
            Self::Currency => Members::Possible(&[CURRENCY]),
            Self::Arrows => Members::Possible(&[ARROWS]),
            Self::Math => Members::Possible(&[MATH]),
            Self::BoxDrawing => Members::Possible(&[BOX_DRAWING]),
            Self::Shapes => Members::Possible(&[SHAPES]),
            Self::Greek => Members::Expected(&[GREEK]),
            Self::Cyrillic => Members::Expected(&[CYRILLIC]),
            Self::Vietnamese => Members::Expected(&[VIETNAMESE]),
            Self::Armenian => Members::Possible(&[ARMENIAN]),
            Self::Georgian => Members::Possible(&[GEORGIAN]),
            Self::Hebrew => Members::Possible(&[HEBREW]),
            Self::Arabic => Members::Possible(&[ARABIC]),
            Self::Devanagari => Members::Possible(&[DEVANAGARI]),
            Self::Thai => Members::Possible(&[THAI]),
            Self::Japanese => Members::Possible(&[ASCII, WIDE, KANA, HAN]),
            Self::Chinese => Members::Possible(&[ASCII, WIDE, BOPOMOFO, HAN]),
            Self::Korean => Members::Possible(&[ASCII, WIDE, HANGUL]),
            Self::Cjk => Members::Possible(&[ASCII, WIDE, KANA, BOPOMOFO, HAN, HANGUL]),
        }
    }
}

/// The characters of a font that get glyphs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    pub characters: BTreeSet<char>,
    /// The characters that are asked for and not in the font.
    pub missing: BTreeSet<char>,
    /// Whether that is worth a word: a character that was written down is, and a tenth of a set.
    pub misses_much: bool,
    /// Whether the font has none of those asked for, so that others were chosen.
    pub is_fallback: bool,
    /// Whether a script has too many characters to be chosen without being asked for.
    pub is_partial: bool,
}

impl FontSettings {
    /// The characters that get glyphs, of those that the font has. Never none if it has any.
    pub fn choose(&self, of_font: &BTreeSet<char>) -> Chosen {
        let mut chosen = Chosen::default();
        let mut expected = BTreeSet::new();
        let mut missing_written = false;
        for set in &self.chars {
            match set.members() {
                Members::Written(text) => {
                    // Control characters in a text are not characters of a font.
                    let written: BTreeSet<char> =
                        text.chars().filter(|c| !c.is_control() && *c != '\u{feff}').collect();
                    missing_written |= !written.is_subset(of_font);
                    expected.extend(written);
                }
                Members::Expected(ranges) => expected.extend(ranges.iter().flat_map(|r| r.iter().cloned()).flatten()),
                Members::Possible(ranges) => {
                    let is_member = |c: &&char| ranges.iter().any(|ranges| contains(ranges, **c));
                    chosen.characters.extend(of_font.iter().filter(is_member));
                }
                Members::Between(range) => chosen.characters.extend(of_font.range(range)),
                Members::Font => chosen.characters.extend(of_font),
                Members::Auto => {
                    let (characters, is_partial) = auto(of_font);
                    chosen.characters.extend(characters);
                    chosen.is_partial = is_partial;
                }
            }
        }
        chosen.missing = expected.difference(of_font).copied().collect();
        chosen.misses_much = missing_written || chosen.missing.len() * 10 > expected.len();
        chosen.characters.extend(expected.intersection(of_font));
        if chosen.characters.is_empty() && !of_font.is_empty() {
            chosen.characters = auto(of_font).0;
            chosen.is_fallback = true;
        }
        chosen
    }

    /// An upper limit of the number of characters, whatever the font.
    pub fn most_characters(&self) -> u64 {
        let most = |set: &CharSet| match set.members() {
            Members::Written(text) => match set {
                CharSet::File(_) | CharSet::Texts(_) => MAX_OF_TEXTS,
                _ => text.len(),
            },
            Members::Auto => MAX_AUTO,
            Members::Between(range) => (*range.end() as usize).saturating_sub(*range.start() as usize) + 1,
            Members::Font => usize::from(u16::MAX),
            Members::Expected(ranges) | Members::Possible(ranges) => {
                ranges.iter().flat_map(|ranges| ranges.iter()).map(|r| r.clone().count()).sum()
            }
        };
        self.chars.iter().map(|set| most(set) as u64).sum::<u64>().max(MAX_AUTO as u64)
    }
}

/// The characters of [`CharSet::Auto`], and whether most of another script are not among them.
fn auto(of_font: &BTreeSet<char>) -> (BTreeSet<char>, bool) {
    let ascii: BTreeSet<char> = of_font.iter().copied().filter(|c| contains(ASCII, *c)).collect();
    let others = of_font.iter().filter(|c| contains(OTHER_SCRIPTS, **c)).count();
    if ascii.len() >= MOST_OF_ASCII && others * 2 <= of_font.len() {
        return (ascii, false);
    }
    if of_font.len() <= MAX_AUTO {
        return (of_font.clone(), false);
    }
    let first = || of_font.iter().copied().take(MAX_AUTO).collect();
    (if ascii.len() >= MOST_OF_ASCII { ascii } else { first() }, true)
}

fn contains(ranges: Ranges, character: char) -> bool {
    ranges.iter().any(|range| range.contains(&character))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(chars: &[CharSet], of_font: &str) -> Chosen {
        let settings = FontSettings { chars: chars.to_vec(), ..Default::default() };
        settings.choose(&of_font.chars().collect())
    }

    fn ranges(ranges: &[std::ops::RangeInclusive<char>]) -> String {
        ranges.iter().cloned().flatten().collect()
    }

    #[test]
    fn sets_contain_what_their_names_promise() {
        let everything = ranges(&[' '..='\u{ffff}']);
        for (set, text) in [
            (CharSet::Ascii, "Az09 ~"),
            (CharSet::Latin, "Az09 äßÆøčłğŐșțẞ–—‘’‚“”„…€™«»"),
            (CharSet::Greek, "ΑΩαωςάΐΰώ"),
            (CharSet::Cyrillic, "АЯаяёЁіїєґҐўџ"),
            (CharSet::Vietnamese, "ơưạỹ₫"),
            (CharSet::Georgian, "აჰ"),
            (CharSet::Hebrew, "את"),
            (CharSet::Arabic, "ابجﻻ"),
            (CharSet::Devanagari, "अक"),
            (CharSet::Thai, "กฮ๙"),
            (CharSet::Japanese, "Aあンー。日本"),
            (CharSet::Chinese, "Aㄅ中文，"),
            (CharSet::Korean, "A한글ㄱ"),
            (CharSet::Cjk, "あ中한ㄅ"),
        ] {
            let chosen = choose(std::slice::from_ref(&set), &everything).characters;
            assert_eq!(text.chars().find(|c| !chosen.contains(c)), None, "{set:?}");
            assert!(!chosen.contains(&'\u{ad}') && !chosen.contains(&'\n'), "no soft hyphen, no control characters");
        }
        assert_eq!(choose(&[CharSet::Ascii], &everything).characters.len(), 95);
        assert_eq!(choose(&[CharSet::All], "a世").characters.len(), 2);
    }

    #[test]
    fn sets_add_up_in_order() {
        let chosen = choose(&[CharSet::Text("★b\na".into()), CharSet::Text("a".into())], "ab★c");
        assert_eq!(chosen.characters.iter().collect::<String>(), "ab★");
        assert_eq!((chosen.missing.len(), chosen.misses_much), (0, false));
    }

    #[test]
    fn missing_characters_count_if_they_were_written_down_or_are_many() {
        let chosen = choose(&[CharSet::Text("ab★".into())], "ab");
        assert_eq!((chosen.missing.len(), chosen.misses_much, chosen.is_fallback), (1, true, false));
        let chosen = choose(&[CharSet::Ascii], &ranges(&[' '..='z']));
        assert_eq!((chosen.missing.len(), chosen.misses_much), (4, false));
        let chosen = choose(&[CharSet::Ascii], "0123456789");
        assert_eq!((chosen.missing.len(), chosen.misses_much), (85, true));
        // Which of all kanji a font should have, nobody knows.
        let chosen = choose(&[CharSet::Japanese], "あ日");
        assert_eq!((chosen.missing.len(), chosen.misses_much), (0, false));
        let chosen = choose(&[CharSet::Thai], "あ日");
        assert_eq!((chosen.characters.len(), chosen.is_fallback), (2, true));
    }

    #[test]
    fn a_font_gets_ascii_or_its_own_script_but_not_thousands_of_characters() {
        let auto = |of_font: &[std::ops::RangeInclusive<char>]| {
            let chosen = choose(&[CharSet::Auto], &ranges(of_font));
            (chosen.characters.len(), chosen.is_partial)
        };
        let (ascii, latin, thai, han) = (' '..='~', '\u{a0}'..='\u{24f}', 'ก'..='\u{e3a}', '一'..='\u{5fff}');
        assert_eq!(auto(&[ascii.clone(), latin.clone()]), (95, false));
        assert_eq!(auto(std::slice::from_ref(&thai)), (58, false));
        assert_eq!(auto(&[ascii.clone(), thai.clone(), '\u{900}'..='\u{97f}']), (95 + 58 + 128, false));
        assert_eq!(auto(&[ascii, han.clone()]), (95, true));
        assert_eq!(auto(&[han]), (MAX_AUTO, true));
        assert_eq!(auto(&['0'..='9']), (10, false), "a font of digits");
    }
}
