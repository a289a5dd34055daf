//! The patterns of `REUSE.toml`: `*` is any part of one name, `**` any part of a path, and a backslash makes the next character a
//! plain one.

/// Returns whether `path`, with `/` between folders, matches `pattern` as a whole.
///
/// It takes time in proportion to the product of both lengths, whatever they contain.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let parts = parts(pattern);
    // `reached[n]`: the parts so far match the first `n` bytes of the path.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for part in parts {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            next[at] |= match part {
                Part::Byte(byte) => at > 0 && reached[at - 1] && path.as_bytes()[at - 1] == byte,
                Part::Name => reached[at] || at > 0 && next[at - 1] && path.as_bytes()[at - 1] != b'/',
                Part::Path => reached[at] || at > 0 && next[at - 1],
            };
        }
        reached = next;
    }
    reached[path.len()]
}

#[derive(Clone, Copy)]
enum Part {
    Byte(u8),
    /// `*`
    Name,
    /// `**`
    Path,
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::with_capacity(pattern.len());
    let mut bytes = pattern.bytes().peekable();
    while let Some(byte) = bytes.next() {
        parts.push(match byte {
            b'*' if bytes.next_if_eq(&b'*').is_some() => Part::Path,
            b'*' => Part::Name,
            b'\\' => Part::Byte(bytes.next().unwrap_or(b'\\')),
            byte => Part::Byte(byte),
        });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_as_the_specification_says() {
        for (pattern, path, is_matched) in [
            ("a.png", "a.png", true),
            ("a.png", "ui/a.png", false),
            ("*.png", "a.png", true),
            ("*.png", "ui/a.png", false),
            ("**.png", "ui/a.png", true),
            ("**/a.png", "ui/x/a.png", true),
            ("**/a.png", "a.png", false),
            ("ui/**", "ui/x/a.png", true),
            ("ui/*", "ui/x/a.png", false),
            ("ui/*/a.png", "ui/x/a.png", true),
            ("*", "a", true),
            ("**", "a/b", true),
            ("\\*.png", "*.png", true),
            ("\\*.png", "a.png", false),
            ("\\\\a", "\\a", true),
            ("ü*", "über", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, path), is_matched, "{pattern} and {path}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        assert!(!matches(&"*a".repeat(200), &"a".repeat(190)));
    }
}
