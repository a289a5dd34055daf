//! The characters of a text → those that a shaper may look up for it.
//!
//! Shapers compose and decompose letters, mirror brackets from right to left, and put characters where others are missing. A character that
//! the font lacks costs nothing here, so the sets are generous.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Canonical decompositions, a line each: the character, and what it is made of. Without Hangul.
const DECOMPOSITIONS: &str = include_str!("decompositions.txt");

/// Pairs of characters that are mirror images.
const MIRRORED: &str = include_str!("mirrored.txt");

/// What shapers put where no character of the text is: a space for what is invisible, and a circle below marks that have no base.
const ALWAYS: [char; 2] = [' ', '\u{25cc}'];

/// Characters that shapers take for others: for any of a range, each of another range.
const IN_PLACE: [([u32; 2], [u32; 2]); 13] = [
    // Hyphens that do not break or are soft.
    ([0x2011, 0x2011], [0x2010, 0x2010]),
    ([0xad, 0xad], [0x2010, 0x2010]),
    ([0x2010, 0x2011], [0x2d, 0x2d]),
    // Arabic letters in fonts without tables for them.
    ([0x600, 0x6ff], [0xfe70, 0xfefc]),
    ([0x671, 0x6d3], [0xfb50, 0xfbff]),
    ([0x64b, 0x652], [0xfc5e, 0xfc63]),
    // A space as wide as a digit.
    ([0x2007, 0x2007], [0x30, 0x39]),
    // Vowels of Thai, Lao and Khmer that are of two parts.
    ([0xe33, 0xe33], [0xe4d, 0xe4d]),
    ([0xe33, 0xe33], [0xe32, 0xe32]),
    ([0xeb3, 0xeb3], [0xeb2, 0xecd]),
    ([0x17be, 0x17c5], [0x17c1, 0x17c1]),
    // Thai marks in fonts without tables for them, as Windows and the Mac have them.
    ([0xe01, 0xe5b], [0xf700, 0xf71a]),
    ([0xe01, 0xe5b], [0xf880, 0xf89f]),
];

/// The characters that a shaper may look up for texts of these.
pub(crate) fn reachable(of_text: &BTreeSet<char>) -> BTreeSet<char> {
    let mut all: BTreeSet<u32> = of_text.iter().chain(&ALWAYS).map(|c| u32::from(*c)).collect();
    for ([first, last], [from, to]) in IN_PLACE {
        if all.range(first..=last).next().is_some() {
            all.extend(from..=to);
        }
    }
    static PAIRS: LazyLock<Vec<Line>> = LazyLock::new(|| lines(MIRRORED));
    for [one, other, _] in PAIRS.iter() {
        if all.contains(one) || all.contains(other) {
            all.extend([one, other]);
        }
    }
    normalize(of_text, &mut all);
    all.into_iter().filter_map(char::from_u32).collect()
}

/// Two or three numbers; 0 for none.
type Line = [u32; 3];

/// The numbers of each line.
fn lines(list: &str) -> Vec<Line> {
    let numbers = |line: &str| -> Line {
        let mut digits = line.split(' ');
        std::array::from_fn(|_| digits.next().and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0))
    };
    list.lines().map(numbers).collect()
}

/// Adds what the characters are composed of, and what they can compose.
fn normalize(of_text: &BTreeSet<char>, all: &mut BTreeSet<u32>) {
    // In order of the composed characters, as in the file.
    static TABLE: LazyLock<Vec<Line>> = LazyLock::new(|| lines(DECOMPOSITIONS));
    let mut queue: Vec<u32> = all.iter().copied().collect();
    while let Some(code) = queue.pop() {
        let parts = match TABLE.binary_search_by_key(&code, |line| line[0]) {
            Ok(at) => TABLE[at][1..].iter().copied().filter(|part| *part > 0).collect(),
            Err(_) => hangul_parts(code),
        };
        queue.extend(parts.into_iter().filter(|part| all.insert(*part)));
    }
    // Letters are composed again of the parts of one character, which is in the set, or with a mark of the text. Marks of a composed
    // character can only follow those of the text.
    let mut composed: BTreeSet<u32> = BTreeSet::new();
    let is_of_text = |code: u32| char::from_u32(code).is_some_and(|c| of_text.contains(&c));
    loop {
        let before = all.len();
        for [code, first, second] in TABLE.iter().filter(|line| line[2] > 0) {
            let meet = is_of_text(*second) || composed.contains(first);
            if meet && all.contains(first) && all.contains(second) {
                composed.insert(*code);
                all.insert(*code);
            }
        }
        if all.len() == before {
            break;
        }
    }
    compose_hangul(&is_of_text, all);
}

/// Syllables of Hangul are numbered by their letters: 19 first, 21 vowels, 27 last or none.
const SYLLABLES: u32 = 0xac00;
const FIRST: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
/// The number of no last letter.
const LAST: u32 = 0x11a7;
const COUNTS: [u32; 3] = [19, 21, 28];

fn hangul_parts(code: u32) -> Vec<u32> {
    let [first, vowels, last] = COUNTS;
    match code.checked_sub(SYLLABLES) {
        Some(number) if number < first * vowels * last => {
            let letter = number % last;
            let open = code - letter;
            let mut parts = vec![FIRST + number / last / vowels, VOWELS + number / last % vowels];
            if letter > 0 {
                parts.extend([open, LAST + letter]);
            }
            parts
        }
        _ => Vec::new(),
    }
}

/// Adds the syllables of letters that the text has one by one.
fn compose_hangul(is_of_text: &dyn Fn(u32) -> bool, all: &mut BTreeSet<u32>) {
    let [first, vowels, last] = COUNTS;
    let letters = |start: u32, count: u32| (0..count).filter(move |number| is_of_text(start + number));
    let open: Vec<u32> = (0..first)
        .flat_map(|one| letters(VOWELS, vowels).map(move |vowel| (one, vowel)))
        .filter(|(one, _)| all.contains(&(FIRST + one)))
        .map(|(one, vowel)| SYLLABLES + (one * vowels + vowel) * last)
        .collect();
    all.extend(open);
    let closing: Vec<u32> = letters(LAST, last).filter(|letter| *letter > 0).collect();
    let of_font: Vec<u32> = all.range(SYLLABLES..SYLLABLES + first * vowels * last).copied().collect();
    for syllable in of_font.into_iter().filter(|code| (code - SYLLABLES).is_multiple_of(last)) {
        all.extend(closing.iter().map(|letter| syllable + letter));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> BTreeSet<char> {
        reachable(&text.chars().collect())
    }

    fn has(text: &str, wanted: &str) -> bool {
        let found = of(text);
        wanted.chars().all(|c| found.contains(&c))
    }

    #[test]
    fn letters_bring_their_parts_and_marks_what_they_compose() {
        assert!(has("ế", "eê\u{301}\u{302}") && has("e\u{301}", "é") && has("â\u{323}", "ậạ"));
        // Nothing composes letters of parts that never meet.
        assert_eq!(of("éñ"), "éñen\u{301}\u{303} \u{25cc}´`".chars().filter(|c| !"´`".contains(*c)).collect());
        assert!(has("Å", "Å") && has("Ω", "Ω"));
    }

    #[test]
    fn syllables_bring_their_letters_and_letters_their_syllables() {
        assert_eq!(of("한"), "한하\u{1112}\u{1161}\u{11ab} \u{25cc}".chars().collect());
        assert_eq!(of("가"), "가\u{1100}\u{1161} \u{25cc}".chars().collect());
        assert!(has("\u{1112}\u{1161}\u{11ab}", "한하"));
        assert!(has("하\u{11ab}", "한"));
        assert!(of(&('\u{1100}'..='\u{11ff}').collect::<String>()).len() > 11_172);
    }

    #[test]
    fn what_shapers_put_in_place_is_kept() {
        assert!(has("(«", ")»") && has("\u{2011}", "\u{2010}-") && has("ب", "\u{fe8f}\u{fe92}"));
        assert!(has("ำ", "ํา") && has("ើ", "េ") && has("", " \u{25cc}"));
        assert!(!has("a", "-"));
    }

    #[test]
    fn every_line_of_the_lists_is_read() {
        let known = lines(DECOMPOSITIONS);
        assert_eq!((known.len(), lines(MIRRORED).len()), (2061, 214));
        assert!(known.is_sorted() && known.iter().all(|line| line[0] > 0 && line[1] > 0));
    }
}
