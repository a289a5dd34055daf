//! The lines of a shader's source, without those inside comments.

use std::ops::Range;

/// Iterates over the lines of a part of a source.
pub(super) struct Lines<'a> {
    text: &'a str,
    rest: Range<usize>,
    /// The comments that the next line is in: `/*` nests in WGSL and not in GLSL.
    depth: usize,
    nests: bool,
}

/// One line.
pub(super) struct Line<'a> {
    /// Its place in the source, with its end.
    pub(super) range: Range<usize>,
    /// What is on it, without space around it; empty if the line begins inside a comment.
    pub(super) code: &'a str,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, part: Range<usize>, nests: bool) -> Self {
        Self { text, rest: part, depth: 0, nests }
    }

    /// The comments that are open after a line.
    fn depth_after(&self, line: &str) -> usize {
        let mut depth = self.depth;
        if depth == 0 && !line.contains("/*") {
            return 0;
        }
        let mut rest = line.as_bytes();
        while let [first, tail @ ..] = rest {
            rest = tail;
            match (first, tail.first()) {
                (b'/', Some(b'/')) if depth == 0 => break,
                (b'/', Some(b'*')) if depth == 0 || self.nests => depth += 1,
                (b'*', Some(b'/')) if depth > 0 => depth -= 1,
                _ => continue,
            }
            rest = &tail[1..];
        }
        depth
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.text.get(self.rest.clone()).filter(|rest| !rest.is_empty())?;
        let len = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line = &rest[..len];
        let range = self.rest.start..self.rest.start + len;
        let code = if self.depth == 0 { line.trim() } else { "" };
        self.depth = self.depth_after(line);
        self.rest.start = range.end;
        Some(Line { range, code })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_in_a_comment_have_no_code() {
        let text = "#a /* x\n#b\n/* y */ */ #c\n#d // /*\r\n#e";
        let code = |nests| Lines::new(text, 0..text.len(), nests).map(|line| line.code).collect::<Vec<_>>();
        assert_eq!(code(true), ["#a /* x", "", "", "#d // /*", "#e"]);
        assert_eq!(code(false), ["#a /* x", "", "", "#d // /*", "#e"]);
        let nested = "/* /* */\n#a\n*/\n#b";
        let code = |nests| Lines::new(nested, 0..nested.len(), nests).map(|line| line.code).collect::<Vec<_>>();
        assert_eq!((code(true)[1], code(false)[1]), ("", "#a"));
    }
}
