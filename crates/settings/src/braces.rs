//! Braces in globs: `*.{png,jpg}` is `*.png` and `*.jpg`.

/// The most globs that one with braces may mean.
pub(super) const MOST_ALTERNATIVES: usize = 64;

/// Why braces cannot be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadBraces {
    /// A `{` without its `}`.
    Unclosed,
    /// A `}` without its `{`.
    Unopened,
    /// More than [`MOST_ALTERNATIVES`].
    TooMany,
}

/// Returns the globs without braces that a glob means, in the order of the text. A brace in brackets, as in `[{]`, is a character.
pub(super) fn expand(glob: &str) -> Result<Vec<String>, BadBraces> {
    let mut done = Vec::new();
    let mut left = vec![glob.to_owned()];
    while let Some(glob) = left.pop() {
        match first_braces(&glob)? {
            None => done.push(glob),
            Some(Braces { open, commas, close }) => {
                let ends = commas.iter().chain([&close]);
                let starts = std::iter::once(open).chain(commas.iter().copied()).map(|at| at + 1);
                let parts: Vec<&str> = starts.zip(ends).map(|(start, end)| &glob[start..*end]).collect();
                let whole = |part: &&str| format!("{}{part}{}", &glob[..open], &glob[close + 1..]);
                // The last one is taken first.
                left.extend(parts.iter().rev().map(whole));
            }
        }
        if done.len() + left.len() > MOST_ALTERNATIVES {
            return Err(BadBraces::TooMany);
        }
    }
    Ok(done)
}

/// The places of the first braces of a glob that are in no others, and of the commas directly in them.
struct Braces {
    open: usize,
    commas: Vec<usize>,
    close: usize,
}

fn first_braces(glob: &str) -> Result<Option<Braces>, BadBraces> {
    let (mut open, mut commas, mut depth) = (None, Vec::new(), 0_usize);
    let mut in_brackets = false;
    for (at, c) in glob.char_indices() {
        match c {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            _ if in_brackets => {}
            '{' => {
                open = open.or(Some(at));
                depth += 1;
            }
            ',' if depth == 1 => commas.push(at),
            '}' if depth == 0 => return Err(BadBraces::Unopened),
            '}' => {
                depth -= 1;
                if let (0, Some(open)) = (depth, open) {
                    return Ok(Some(Braces { open, commas, close: at }));
                }
            }
            _ => {}
        }
    }
    if open.is_some() { Err(BadBraces::Unclosed) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_alternative_is_a_glob_in_order() {
        for (glob, expected) in [
            ("a.png", &["a.png"][..]),
            ("*.{png,jpg}", &["*.png", "*.jpg"]),
            ("{ui,hud}/**/*.{png,ktx2}", &["ui/**/*.png", "ui/**/*.ktx2", "hud/**/*.png", "hud/**/*.ktx2"]),
            ("{a,{b,c}d}.x", &["a.x", "bd.x", "cd.x"]),
            ("hero{,@2x}.png", &["hero.png", "hero@2x.png"]),
            ("{one}", &["one"]),
            ("a[{]1,2[}].png", &["a[{]1,2[}].png"]),
            ("a, b.txt", &["a, b.txt"]),
            ("é{é,ü}", &["éé", "éü"]),
        ] {
            assert_eq!(expand(glob).unwrap(), expected, "{glob}");
        }
    }

    #[test]
    fn braces_that_do_not_match_and_too_many_are_refused() {
        assert_eq!(expand("a{b"), Err(BadBraces::Unclosed));
        assert_eq!(expand("a}"), Err(BadBraces::Unopened));
        assert_eq!(expand(&"{a,b}".repeat(6)).map(|globs| globs.len()), Ok(64));
        assert_eq!(expand(&"{a,b}".repeat(7)), Err(BadBraces::TooMany));
        assert_eq!(expand(&"{a,b}".repeat(10_000)), Err(BadBraces::TooMany));
        assert_eq!(expand(&format!("{}{}", "{".repeat(5000), "}".repeat(5000))).map(|globs| globs.len()), Ok(1));
    }
}
