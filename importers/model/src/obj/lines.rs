//! Bytes of an OBJ or MTL file → statements: a word, and the rest of its line. Lines end with LF, CR or both, and a `\` at the end of a line
//! joins the next one to it.

use std::borrow::Cow;

use rres_import::ImportError;

/// One statement.
pub(super) struct Statement<'a> {
    /// The line that it begins in, counted from 1.
    pub(super) line: u32,
    /// Its first word.
    pub(super) word: Cow<'a, str>,
    /// What follows the word, without spaces at both ends.
    pub(super) rest: Cow<'a, str>,
}

impl Statement<'_> {
    /// The words of the rest, up to a comment.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.rest.split_ascii_whitespace().take_while(|word| !word.starts_with('#'))
    }

    /// Returns the numbers of the rest, with zeros behind, and how many the rest has. `counts` limits how many it may have.
    pub(super) fn numbers<const N: usize>(
        &self,
        counts: std::ops::RangeInclusive<usize>,
    ) -> Result<([f32; N], usize), ImportError> {
        let mut numbers = [0.0; N];
        let mut found = 0;
        for word in self.words() {
            let number = word.parse::<f32>().ok().filter(|number| number.is_finite());
            let number = number.ok_or_else(|| self.error(format!("has \"{}\", expected a number", shown(word))))?;
            if let Some(slot) = numbers.get_mut(found) {
                *slot = number;
            }
            found += 1;
        }
        if counts.contains(&found) {
            return Ok((numbers, found));
        }
        let expected = match (counts.start(), counts.end()) {
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least} to {most}"),
        };
        Err(self.error(format!("has {found} numbers, expected {expected}")))
    }

    /// An error about the statement.
    pub(super) fn error(&self, found: impl AsRef<str>) -> ImportError {
        ImportError::new(format!("`{}` {}", shown(&self.word), found.as_ref()))
            .with_damage_help("export it again")
            .at(self.line, 1)
    }
}

/// The beginning of a text, for messages.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The statements of a file. Empty lines and comments are left out.
pub(super) struct Statements<'a> {
    rest: &'a [u8],
    line: u32,
}

impl<'a> Statements<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), line: 1 }
    }

    /// The next line with those that are joined to it.
    fn next_line(&mut self) -> Option<(u32, Cow<'a, [u8]>)> {
        if self.rest.is_empty() {
            return None;
        }
        let first = self.line;
        let mut joined = Vec::new();
        loop {
            let end = self.rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(self.rest.len());
            let (line, rest) = self.rest.split_at(end);
            self.rest = rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default();
            self.line = self.line.saturating_add(1);
            match line.strip_suffix(b"\\") {
                Some(part) if !self.rest.is_empty() => {
                    joined.extend_from_slice(part);
                    joined.push(b' ');
                }
                _ if joined.is_empty() => return Some((first, Cow::Borrowed(line))),
                _ => {
                    joined.extend_from_slice(line);
                    return Some((first, Cow::Owned(joined)));
                }
            }
        }
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        loop {
            let (line, bytes) = self.next_line()?;
            // Names may be in any encoding; numbers and words are ASCII.
            let text = match bytes {
                Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes.trim_ascii()),
                Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(bytes.trim_ascii()).into_owned()),
            };
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
            let (word, rest) = match text {
                Cow::Borrowed(text) => (Cow::Borrowed(&text[..end]), Cow::Borrowed(text[end..].trim_ascii())),
                Cow::Owned(text) => {
                    (Cow::Owned(text[..end].to_owned()), Cow::Owned(text[end..].trim_ascii().to_owned()))
                }
            };
            return Some(Statement { line, word, rest });
        }
    }
}
