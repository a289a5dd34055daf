//! A language for tests: texts in brackets, with accents and longer, so that a game shows what is not translated and what does not fit.

use crate::Syntax;
use crate::syntax::Place;

/// How much longer a text gets, in percent, as German is longer than English.
const GROWTH: usize = 30;

/// Translates a text into the pseudo-language. Placeholders, tags such as `<b>` and `[b]`, references such as `&amp;` and values such as `%s` stay
/// as they are. All letters are in Latin-1, which most fonts have. Equal texts become equal texts.
///
/// ```
/// use rres_translations::{Syntax, pseudo};
///
/// assert_eq!(pseudo("Hello, <b>{name}</b>!", Syntax::Braces), "[Héllö, <b>{name}</b>! ~~]");
/// ```
pub fn pseudo(text: &str, syntax: Syntax) -> String {
    if let (Syntax::Fluent, Some(plural)) = (syntax, crate::plural::split(text)) {
        let mut out = format!("{{ ${} ->\n", plural.variable);
        let last = plural.variants.len().saturating_sub(1);
        let default = plural.variants.iter().position(|(category, _)| category == "other").unwrap_or(last);
        for (at, (category, variant)) in plural.variants.iter().enumerate() {
            let mark = if at == default { "   *" } else { "    " };
            out += &format!("{mark}[{category}] {}\n", pseudo(variant, syntax));
        }
        return out + "}";
    }
    let (mut out, mut letters) = (String::from("["), 0);
    accents(text, syntax, false, &mut out, &mut letters);
    let more = (letters * GROWTH).div_ceil(100);
    // Words of four characters, so that lines can be broken between them.
    for at in 0..more {
        if at % 4 == 0 {
            out.push(' ');
        }
        out.push('~');
    }
    out.push(']');
    out
}

fn accents(text: &str, syntax: Syntax, is_choice: bool, out: &mut String, letters: &mut usize) {
    let mut rest = text;
    let mut begins_line = is_choice;
    while let Some(c) = rest.chars().next() {
        let kept = match c {
            '{' => placeholder(rest, syntax),
            '<' => tag(rest, '>', |c| c != '<' && c != '\n'),
            '[' if begins_line => tag(rest, ']', |c| c != '\n'),
            '[' => tag(rest, ']', |c| c.is_ascii_lowercase() || c.is_ascii_digit() || "/=#_-".contains(c)),
            '&' => tag(rest, ';', |c| c.is_ascii_alphanumeric() || c == '#').filter(|len| *len > 2),
            '%' => format(rest),
            _ => None,
        };
        let len = kept.unwrap_or(c.len_utf8());
        let part = &rest[..len];
        match kept {
            Some(_) if syntax == Syntax::Fluent && c == '{' && part.contains("->") => {
                let (selector, variants) = part.split_once("->").unwrap_or((part, ""));
                out.push_str(selector);
                out.push_str("->");
                accents(variants, syntax, true, out, letters);
            }
            Some(_) => out.push_str(part),
            None => {
                *letters += usize::from(c.is_alphanumeric());
                out.push(accent(c));
            }
        }
        begins_line = is_choice && (c == '\n' || (begins_line && (c.is_whitespace() || c == '*')));
        rest = &rest[len..];
    }
}

/// The length of a placeholder or a choice in braces.
fn placeholder(text: &str, syntax: Syntax) -> Option<usize> {
    if syntax == Syntax::Braces {
        let end = text.find('}')? + 1;
        return (syntax.placeholders(&text[..end]).len() == 1).then_some(end);
    }
    let mut place = Place::default();
    let is_end = |(_, c): &(usize, char)| {
        place.pass(*c);
        place.depth() == 0
    };
    text.char_indices().find(is_end).map(|(at, _)| at + 1)
}

/// The length of what ends with `end` and has no other character between.
fn tag(text: &str, end: char, is_inside: impl Fn(char) -> bool) -> Option<usize> {
    let at = text.char_indices().skip(1).find(|(_, c)| *c == end || !is_inside(*c))?;
    (at.1 == end && at.0 > 1).then(|| at.0 + end.len_utf8())
}

/// The length of a value of `printf`.
fn format(text: &str) -> Option<usize> {
    let end = text.char_indices().skip(1).find(|(_, c)| !(c.is_ascii_digit() || ".$+-#".contains(*c)))?;
    "%sdiufxXcegG@".contains(end.1).then(|| end.0 + end.1.len_utf8())
}

fn accent(c: char) -> char {
    match c {
        'a' => 'á',
        'c' => 'ç',
        'e' => 'é',
        'i' => 'î',
        'n' => 'ñ',
        'o' => 'ö',
        'u' => 'ü',
        'y' => 'ý',
        'A' => 'Å',
        'C' => 'Ç',
        'E' => 'É',
        'I' => 'Î',
        'N' => 'Ñ',
        'O' => 'Ö',
        'U' => 'Ü',
        'Y' => 'Ý',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_stays() {
        for (text, syntax, expected) in [
            (
                "Load {count} of 100% &amp; [b]go[/b] [Press]",
                Syntax::Braces,
                "[Löád {count} öf 100% &amp; [b]gö[/b] [Préss] ~~~~ ~]",
            ),
            ("{ {x", Syntax::Braces, "[{ {x ~]"),
            ("50 %d", Syntax::Braces, "[50 %d ~]"),
            (
                "a { $n ->\n    [one] one { $x }\n   *[other] many\n} b",
                Syntax::Fluent,
                "[á { $n ->\n    [one] öñé { $x }\n   *[other] máñý\n} b ~~~]",
            ),
            (
                "{ $n ->\n    [one] one\n   *[other] { $n }\n}",
                Syntax::Fluent,
                "{ $n ->\n    [one] [öñé ~]\n   *[other] [{ $n }]\n}",
            ),
            ("a { $n ->\n   *[x] 5\" { $n }\n} b", Syntax::Fluent, "[á { $n ->\n   *[x] 5\" { $n }\n} b ~]"),
        ] {
            let found = pseudo(text, syntax);
            assert_eq!(found, expected);
            let sorted = |text: &str| {
                let mut names = syntax.placeholders(text);
                names.sort();
                names
            };
            assert_eq!(sorted(&found), sorted(text));
        }
    }
}
