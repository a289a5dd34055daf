//! Tables as Fluent files, one for each language.
//!
//! A text is the pattern of a message or of an attribute, without its indentation. Texts are changed in place: comments, terms, the order and
//! the form of all other texts stay as they are. Whoever reads the file afterwards checks its syntax.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::ops::Range;

use crate::fault::Faults;
use crate::syntax::Place;
use crate::{Fault, Message};

/// A Fluent file.
#[derive(Debug)]
pub struct Fluent<'t> {
    text: &'t str,
    entries: Vec<Entry>,
    by_key: HashMap<String, usize>,
    changes: BTreeMap<usize, String>,
    added: Vec<(String, String)>,
}

#[derive(Debug)]
struct Entry {
    message: Message,
    /// What follows the `=`, up to the end of the last line.
    pattern: Range<usize>,
    is_attribute: bool,
}

impl<'t> Fluent<'t> {
    /// Reads a file.
    ///
    /// # Errors
    /// If a key occurs twice, or a brace is not closed.
    pub fn read(text: &'t str) -> Result<Self, Vec<Fault>> {
        Faults::check_size(text)?;
        let mut scanner = Scanner { text, entries: Vec::new(), faults: Faults::default(), current: None };
        scanner.run();
        let Scanner { entries, mut faults, .. } = scanner;
        let mut by_key = HashMap::new();
        for (at, Entry { message, .. }) in entries.iter().enumerate() {
            if let Some(first) = by_key.insert(message.key.clone(), at) {
                let first = entries[first].message.line;
                let text = format!("has the key \"{}\" twice, first in line {first}", message.key);
                faults.add(message.line, text, "remove or rename one of them");
            }
        }
        faults.or(Self { text, entries, by_key, changes: BTreeMap::new(), added: Vec::new() })
    }

    /// The texts, in the order of the file.
    pub fn messages(&self) -> Vec<Message> {
        self.entries.iter().map(|entry| &entry.message).filter(|message| !message.text.is_empty()).cloned().collect()
    }

    /// Writes a text. One that the file does not have is added at its end.
    pub fn set(&mut self, key: &str, text: &str) {
        match self.by_key.get(key) {
            Some(at) if self.entries[*at].message.text == text => _ = self.changes.remove(at),
            Some(at) => _ = self.changes.insert(*at, text.to_owned()),
            None => match self.added.iter_mut().find(|(added, _)| added == key) {
                Some((_, old)) => text.clone_into(old),
                None => self.added.push((key.to_owned(), text.to_owned())),
            },
        }
    }

    /// The file with the new texts.
    pub fn finish(self) -> String {
        let line_end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let write = |text: &str, is_attribute: bool| pattern(text, indent(is_attribute)).replace('\n', line_end);
        // An attribute is added after its message, whether that is there or new.
        let mut of_message: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
        for (key, text) in &self.added {
            if let Some((message, attribute)) = key.split_once('.') {
                of_message.entry(message).or_default().push((attribute, text));
            }
        }
        let (mut out, mut copied) = (String::with_capacity(self.text.len()), 0);
        let mut attributes = |message: &str, out: &mut String| {
            for (attribute, text) in of_message.remove(message).into_iter().flatten() {
                let _ = write!(out, "{line_end}    .{attribute} ={}", write(text, true));
            }
        };
        for (at, entry) in self.entries.iter().enumerate() {
            if let Some(text) = self.changes.get(&at) {
                out.push_str(&self.text[copied..entry.pattern.start]);
                out.push_str(&write(text, entry.is_attribute));
                copied = entry.pattern.end;
            }
            let message = entry.message.key.split('.').next().unwrap_or_default();
            let next = self.entries.get(at + 1).and_then(|next| next.message.key.split('.').next());
            if next != Some(message) {
                let end = entry.pattern.end.max(copied);
                out.push_str(&self.text[copied..end]);
                copied = end;
                attributes(message, &mut out);
            }
        }
        out.push_str(&self.text[copied..]);
        if !self.added.is_empty() && !out.is_empty() && !out.ends_with('\n') {
            out.push_str(line_end);
        }
        for (key, text) in &self.added {
            let (message, attribute) = key.split_once('.').map_or((key.as_str(), None), |(m, a)| (m, Some(a)));
            if attribute.is_none() {
                let _ = write!(out, "{message} ={}", write(text, false));
                attributes(message, &mut out);
                out.push_str(line_end);
            }
        }
        // Attributes of messages that have no text of their own.
        let mut heads: Vec<&str> = self.added.iter().filter_map(|(key, _)| Some(key.split_once('.')?.0)).collect();
        heads.dedup();
        for head in heads {
            let mut lines = String::new();
            attributes(head, &mut lines);
            if !lines.is_empty() {
                let _ = write!(out, "{head} ={lines}{line_end}");
            }
        }
        out
    }
}

/// Returns a text as a file has it after [`Fluent::set`]: spaces at its ends are in braces, for example.
///
/// ```
/// use rres_translations::fluent::stored;
///
/// assert_eq!(stored("quit", "Quit "), "Quit{ \" \" }");
/// ```
pub fn stored(key: &str, text: &str) -> String {
    dedent(&pattern(text, indent(key.contains('.'))))
}

/// Checks that a text can be a pattern: its braces are closed, and none is empty.
///
/// # Errors
/// With what is wrong, as the rest of a sentence about the text.
pub fn check_pattern(text: &str) -> Result<(), String> {
    let (mut place, mut is_empty) = (Place::default(), false);
    for c in text.chars() {
        match c {
            '\n' if place.in_string() => return Err("has a quotation mark within braces that is not closed".to_owned()),
            _ if place.in_string() => {}
            '{' => is_empty = true,
            '}' if place.depth() == 0 => return Err("has a brace } without the brace { before it".to_owned()),
            '}' if is_empty => return Err("has braces without anything in them".to_owned()),
            c if !c.is_whitespace() => is_empty = false,
            _ => {}
        }
        place.pass(c);
    }
    if place.depth() > 0 { Err("has a brace { that is not closed".to_owned()) } else { Ok(()) }
}

/// How far the lines of a text are indented.
fn indent(is_attribute: bool) -> usize {
    if is_attribute { 8 } else { 4 }
}

/// Writes a text after the `=`: in the same line, or in lines of their own.
fn pattern(text: &str, indent: usize) -> String {
    if !text.contains('\n') {
        return format!(" {}", ends(text));
    }
    let is_choice = text.starts_with('{');
    let (mut out, mut place) = (String::new(), Place::default());
    for (number, line) in text.lines().enumerate() {
        let depth = place.depth();
        if number == 0 && is_choice {
            out.push(' ');
        } else {
            out.push('\n');
            // A choice keeps its own indentation, which is between braces.
            let is_within_choice = is_choice && depth > 0;
            if !(line.is_empty() || is_within_choice) {
                out.push_str(&" ".repeat(indent));
            }
        }
        // These would begin an attribute or a variant.
        match line.chars().next().filter(|first| depth == 0 && matches!(first, '[' | '*' | '.')) {
            Some(first) => _ = write!(out, "{{ \"{first}\" }}{}", &line[1..]),
            None if depth == 0 => out.push_str(&ends(line)),
            None => out.push_str(line),
        }
        place.pass_line(line);
    }
    out
}

/// A line whose spaces at both ends are not lost.
fn ends(line: &str) -> String {
    let quoted = |spaces: usize| if spaces > 0 { format!("{{ \"{}\" }}", " ".repeat(spaces)) } else { String::new() };
    let inner = line.trim_matches(' ');
    let start = line.len() - line.trim_start_matches(' ').len();
    let end = if inner.is_empty() { 0 } else { line.len() - line.trim_end_matches(' ').len() };
    format!("{}{inner}{}", quoted(start), quoted(end))
}

struct Scanner<'t> {
    text: &'t str,
    entries: Vec<Entry>,
    faults: Faults,
    /// The message that attributes belong to.
    current: Option<String>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let (mut comment, mut place) = (Vec::<String>::new(), Place::default());
        // Whether the last entry of the list is the one that goes on.
        let mut is_open = false;
        let mut opened = 0;
        let mut at = if self.text.starts_with('\u{feff}') { 3 } else { 0 };
        for (number, whole) in (1..).zip(self.text[at..].split_inclusive('\n')) {
            let line = whole.trim_end_matches(['\n', '\r']);
            let (start, trimmed) = (at, line.trim_start_matches(' '));
            at += whole.len();
            let before = place.depth();
            if before > 0 {
                self.extend(is_open, start + line.len());
            } else if let Some(text) = line.strip_prefix('#') {
                (is_open, self.current) = (false, None);
                // Comments of groups and of the file are not about one message.
                match text.strip_prefix('#') {
                    Some(_) => comment.clear(),
                    None => comment.push(text.trim().to_owned()),
                }
                continue;
            } else if trimmed.is_empty() {
                comment.clear();
                continue;
            } else if let Some((name, equals)) = begins(line) {
                is_open = !name.starts_with('-');
                self.current = is_open.then(|| name.to_owned());
                if is_open {
                    self.open(name.to_owned(), start + equals..start + line.len(), number, &comment, false);
                }
                comment.clear();
            } else if line.starts_with(' ') {
                let attribute = trimmed.strip_prefix('.').and_then(begins).filter(|(name, _)| !name.starts_with('-'));
                match (attribute, self.current.clone()) {
                    (Some((name, equals)), Some(message)) => {
                        let equals = line.len() - trimmed.len() + 1 + equals;
                        is_open = true;
                        self.open(format!("{message}.{name}"), start + equals..start + line.len(), number, &[], true);
                    }
                    (Some(_), None) => is_open = false,
                    (None, _) => self.extend(is_open, start + line.len()),
                }
            } else {
                (is_open, self.current) = (false, None);
            }
            place.pass_line(line);
            if place.depth() > 0 && before == 0 {
                opened = number;
            }
        }
        if place.depth() > 0 {
            self.faults.add(opened, "has a brace { that is not closed", "close it");
        }
        for entry in &mut self.entries {
            entry.message.text = dedent(&self.text[entry.pattern.clone()]);
        }
    }

    fn open(&mut self, key: String, pattern: Range<usize>, line: u32, comment: &[String], is_attribute: bool) {
        let message = Message { key, text: String::new(), line, comment: comment.join("\n") };
        self.entries.push(Entry { message, pattern, is_attribute });
    }

    fn extend(&mut self, is_open: bool, end: usize) {
        if let Some(entry) = self.entries.last_mut().filter(|_| is_open) {
            entry.pattern.end = end;
        }
    }
}

/// The name of a line such as `name = text`, and where the text begins.
fn begins(line: &str) -> Option<(&str, usize)> {
    let name = line.strip_prefix('-').unwrap_or(line);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))?;
    let end = end + (line.len() - name.len());
    let rest = line[end..].trim_start_matches(' ').strip_prefix('=')?;
    Some((&line[..end], line.len() - rest.len()))
}

/// A pattern without the indentation that its lines have in common.
fn dedent(pattern: &str) -> String {
    let mut lines = pattern.lines();
    // Other spaces are text.
    const BLANK: [char; 2] = [' ', '\r'];
    let first = lines.next().unwrap_or_default().trim_matches(BLANK);
    let rest: Vec<&str> = lines.map(|line| line.trim_end_matches(BLANK)).collect();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut place = Place::default();
    place.pass_line(first);
    let (mut of_text, mut of_all) = (None, None);
    for line in rest.iter().filter(|line| !line.is_empty()) {
        let own = Some(indent(line));
        of_all = own.min(of_all.or(own));
        if place.depth() == 0 {
            of_text = own.min(of_text.or(own));
        }
        place.pass_line(line);
    }
    let common = of_text.or(of_all).unwrap_or(0);
    let mut out: Vec<&str> = rest.iter().map(|line| &line[common.min(indent(line))..]).collect();
    if !first.is_empty() {
        out.insert(0, first);
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "### The game\n-brand = Lantern\n\n# the button\nquit = Quit\n    .title = Leave\n\n## Menu\n\nlong =\n    one { $a }\n      two\n\n    three\nphotos = { $count ->\n    [one] one\n   *[other] { $count }\n}\nlast= { \"}\" } x\n";

    #[test]
    fn texts_have_key_line_and_comment() {
        let messages = Fluent::read(TEXT).unwrap().messages();
        let found: Vec<_> =
            messages.iter().map(|m| (m.line, m.key.as_str(), m.text.as_str(), m.comment.as_str())).collect();
        let expected = [
            (5, "quit", "Quit", "the button"),
            (6, "quit.title", "Leave", ""),
            (10, "long", "one { $a }\n  two\n\nthree", ""),
            (15, "photos", "{ $count ->\n    [one] one\n   *[other] { $count }\n}", ""),
            (19, "last", "{ \"}\" } x", ""),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn spaces_that_are_not_of_the_syntax_are_text() {
        let text = "intro = \u{3000}one\nprice = Price\u{a0}\nlast =  x \r\n";
        let messages = Fluent::read(text).unwrap().messages();
        let found: Vec<_> = messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(found, ["\u{3000}one", "Price\u{a0}", "x"]);
    }

    #[test]
    fn only_the_texts_change() {
        let mut fluent = Fluent::read(TEXT).unwrap();
        fluent.messages().iter().for_each(|message| fluent.set(&message.key, &message.text));
        assert_eq!(fluent.finish(), TEXT);
        let mut fluent = Fluent::read(TEXT).unwrap();
        fluent.set("quit", "Beenden ");
        fluent.set("long", "eins\n.zwei { $a }");
        fluent.set("quit.hint", "Alt+F4");
        fluent.set("new", "Neu");
        fluent.set("login.title", "Anmelden");
        let expected = TEXT
            .replace(
                "quit = Quit\n    .title = Leave",
                "quit = Beenden{ \" \" }\n    .title = Leave\n    .hint = Alt+F4",
            )
            .replace("one { $a }\n      two\n\n    three", "eins\n    { \".\" }zwei { $a }")
            + "new = Neu\nlogin =\n    .title = Anmelden\n";
        let out = fluent.finish();
        assert_eq!(out, expected);
        let again = Fluent::read(&out).unwrap().messages();
        assert_eq!(again.iter().find(|message| message.key == "login.title").unwrap().text, "Anmelden");
    }

    #[test]
    fn mistakes_have_a_line() {
        for (text, fault) in [
            ("a = 1\nb = 2\na = 3\n", "3: has the key \"a\" twice, first in line 1"),
            ("a = 1\nb = { $x\n", "2: has a brace { that is not closed"),
        ] {
            assert_eq!(Fluent::read(text).unwrap_err()[0].to_string(), fault);
        }
        for text in ["{", "}", "{ }", "a { \"b }", "{ { $a }"] {
            assert!(check_pattern(text).is_err(), "{text}");
        }
        assert_eq!(check_pattern("a { \"{\" } { $b ->\n *[other] { $c }\n}"), Ok(()));
    }

    #[test]
    fn a_text_is_stored_as_it_is_read_again() {
        let choice = "{ $n ->\n      [one] a\n   *[other] b\n}";
        for text in ["a ", " ", "  a\n b", ".a\n[b", "a\n", "\n a", choice, &format!("{choice} c\nd"), "a\r\nb", "[a"] {
            for key in ["quit", "quit.title"] {
                let mut fluent = Fluent::read(TEXT).unwrap();
                fluent.set(key, text);
                let out = fluent.finish();
                let again = Fluent::read(&out).unwrap().messages();
                let found = again.iter().find(|message| message.key == key).map_or("", |message| &message.text);
                assert_eq!(found, stored(key, text), "{out}");
            }
        }
    }

    /// The text of a variant is text, in which a quotation mark begins no string.
    #[test]
    fn quotation_marks_in_variants_are_text() {
        let choice = "{ $n ->\n    [one] 5\" { $n }\n   *[other] They said \"{ $what }\"\n        [x] and \"\n}";
        assert_eq!(check_pattern(choice), Ok(()));
        assert!(check_pattern("{ $n ->\n *[other] \"{ $what \"\n}").is_err());
        assert!(check_pattern("{ $n ->\n *[other] a\n} { \"b\n}").is_err());
        let text = format!("said = {choice}\nnext = 1\n");
        let mut fluent = Fluent::read(&text).unwrap();
        let found: Vec<_> = fluent.messages().into_iter().map(|message| (message.key, message.text)).collect();
        assert_eq!(found, [("said".to_owned(), choice.to_owned()), ("next".to_owned(), "1".to_owned())]);
        fluent.set("next", &choice.replace('5', "6"));
        assert_eq!(fluent.finish(), format!("said = {choice}\nnext = {}\n", choice.replace('5', "6")));
    }
}
