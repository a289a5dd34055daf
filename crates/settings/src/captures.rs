//! What the wildcards of a glob have matched, and another path with the same parts in their places: the asset that a file is a variant of.

use super::pattern::{Alternative, Pattern, Segment};

/// What the wildcards of a glob have matched in one path, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Captures {
    /// For each `*` a part of a name.
    names: Vec<String>,
    /// For each `**` the names of folders, or of folders and the file at the end of a glob; there may be none.
    folders: Vec<Vec<String>>,
}

/// How many wildcards of each sort a path has: `*` and `**`.
pub(super) fn wildcards(path: &str) -> (usize, usize) {
    let folders = path.split('/').filter(|name| *name == "**").count();
    let names = path.split('/').filter(|name| *name != "**").map(|name| name.matches('*').count()).sum();
    (names, folders)
}

impl Captures {
    /// Puts what was matched into the places of `*` and `**` in `path`. If the glob had more of them, the last ones count: the ones
    /// before stand for the folder of a language. `None` if it had fewer.
    pub(super) fn fill(&self, path: &str) -> Option<String> {
        let (names, folders) = wildcards(path);
        let mut names = self.names.get(self.names.len().checked_sub(names)?..)?.iter();
        let mut folders = self.folders.get(self.folders.len().checked_sub(folders)?..)?.iter();
        let mut filled: Vec<String> = Vec::new();
        for part in path.split('/') {
            if part == "**" {
                filled.extend(folders.next()?.iter().cloned());
                continue;
            }
            let mut pieces = part.split('*');
            let mut name = pieces.next()?.to_owned();
            for piece in pieces {
                name.push_str(names.next()?);
                name.push_str(piece);
            }
            filled.push(name);
        }
        Some(filled.join("/"))
    }
}

impl Pattern {
    /// Returns what the wildcards match in the path made of `names`; `None` if it does not match. Each wildcard but the last one of its
    /// sort takes as little as possible, and the first alternative of braces that matches counts.
    pub(super) fn captures(&self, names: &[&str]) -> Option<Captures> {
        self.alternatives.iter().find_map(|one| one.captures(names))
    }

    /// How many wildcards of each sort stand for something in every path that the pattern matches.
    pub(super) fn wildcards(&self) -> (usize, usize) {
        let all = self.globs().map(wildcards);
        all.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1))).unwrap_or_default()
    }
}

impl Alternative {
    fn captures(&self, names: &[&str]) -> Option<Captures> {
        if !self.matches(names, true) {
            return None;
        }
        let mut captures = Captures::default();
        let (mut segment, mut name) = (0, 0);
        // Where to continue if a name does not match: the segment after the last `**`, the name that it takes next, and how many
        // captures of names there were.
        let mut retry: Option<(usize, usize, usize)> = None;
        while name < names.len() {
            match self.segments.get(segment) {
                Some(Segment::Folders) => {
                    captures.folders.push(Vec::new());
                    if segment + 1 == self.segments.len() {
                        let rest = names[name..].iter().map(|name| (*name).to_owned());
                        captures.folders.last_mut()?.extend(rest);
                        return Some(captures);
                    }
                    segment += 1;
                    retry = Some((segment, name, captures.names.len()));
                }
                Some(one) if one.matches(names[name], true) => {
                    if matches!(one, Segment::Glob(_)) {
                        captures.names.extend(capture_name(self.text.split('/').nth(segment)?, names[name])?);
                    }
                    segment += 1;
                    name += 1;
                }
                _ => {
                    let (after, from, count) = retry?;
                    captures.names.truncate(count);
                    captures.folders.last_mut()?.push(names[from].to_owned());
                    retry = Some((after, from + 1, count));
                    (segment, name) = (after, from + 1);
                }
            }
        }
        Some(captures)
    }
}

/// One part of a glob for a name.
enum Token {
    Star,
    /// One character that this glob matches.
    One(glob::Pattern),
}

/// Returns what each `*` of a glob without `/` matches in a name.
fn capture_name(glob: &str, name: &str) -> Option<Vec<String>> {
    let tokens = tokens(glob)?;
    let name: Vec<char> = name.chars().collect();
    let is_one = |token: &Token, c: char| matches!(token, Token::One(glob) if glob.matches(c.encode_utf8(&mut [0; 4])));
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let (mut token, mut at) = (0, 0);
    // The token after the last `*`.
    let mut retry = None;
    loop {
        match tokens.get(token) {
            Some(Token::Star) => {
                ranges.push((at, at));
                token += 1;
                retry = Some(token);
            }
            Some(one) if name.get(at).is_some_and(|c| is_one(one, *c)) => {
                token += 1;
                at += 1;
            }
            None if at == name.len() => break,
            _ => {
                token = retry?;
                let last = ranges.last_mut()?;
                if last.1 == name.len() {
                    return None;
                }
                last.1 += 1;
                at = last.1;
            }
        }
    }
    Some(ranges.into_iter().map(|(from, to)| name[from..to].iter().collect()).collect())
}

fn tokens(glob: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = glob;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            // A bracket right after the opening one, or after `!`, is one of the characters.
            '[' => {
                let inner = rest[1..].strip_prefix('!').unwrap_or(&rest[1..]);
                let before = rest.len() - inner.len();
                let skip = inner.chars().next()?.len_utf8();
                before + skip + inner[skip..].find(']')? + 1
            }
            first => first.len_utf8(),
        };
        let (one, after) = rest.split_at(len);
        tokens.push(if one == "*" { Token::Star } else { Token::One(glob::Pattern::new(one).ok()?) });
        rest = after;
    }
    Some(tokens)
}

#[cfg(test)]
mod tests {
    use super::super::pattern::split_path;
    use super::*;

    fn filled(glob: &str, path: &str, template: &str) -> Option<String> {
        let Ok(pattern) = Pattern::new(glob) else { panic!("{glob}") };
        pattern.captures(&split_path(path))?.fill(template)
    }

    #[test]
    fn wildcards_stand_for_what_they_have_matched() {
        for (glob, path, template, expected) in [
            ("voice/fr/*.ogg", "voice/fr/hello.ogg", "voice/*.ogg", "voice/hello.ogg"),
            ("voice/fr/**", "voice/fr/act 1/hello.ogg", "voice/en/**", "voice/en/act 1/hello.ogg"),
            ("voice/*/**", "voice/fr/hello.ogg", "voice/en/**", "voice/en/hello.ogg"),
            ("voice/*/*.ogg", "voice/fr/hello.ogg", "voice/en/*.ogg", "voice/en/hello.ogg"),
            ("**/fr/*.txt", "fr/a.txt", "**/en/*.txt", "en/a.txt"),
            ("**/fr/*.txt", "x/y/fr/a.txt", "**/en/*.txt", "x/y/en/a.txt"),
            ("**/fr/**", "a/fr/b/fr/c.txt", "**/en/**", "a/en/b/fr/c.txt"),
            ("**/a*/b/*.txt", "ab/x/ac/b/t.txt", "*/*.txt", "c/t.txt"),
            ("*_fr.*", "a_fr_fr.txt", "*.*", "a_fr.txt"),
            ("*-?[0-9]*.ogg", "hello-x7y.ogg", "*/*.ogg", "hello/y.ogg"),
            ("[[]fr] *.txt", "[fr] é.txt", "*.txt", "é.txt"),
            ("fr.txt", "fr.txt", "en.txt", "en.txt"),
            ("**", "fr.txt", "x/**", "x/fr.txt"),
            ("{fr,de}/*.{txt,md}", "de/a.md", "en/*", "en/a"),
        ] {
            assert_eq!(filled(glob, path, template).as_deref(), Some(expected), "{glob} of {path}");
        }
        assert_eq!(filled("fr/*", "en/a", "*"), None);
        assert_eq!(filled("fr/*", "fr/a", "**"), None, "there is no `**` to put there");
        assert_eq!(Pattern::new("{*,a}/**/*.txt").map_err(|bad| bad.message).unwrap().wildcards(), (1, 1));
        assert_eq!((wildcards("**/a*b*/**"), wildcards("a/b")), ((2, 2), (0, 0)));
    }

    #[test]
    fn many_wildcards_take_no_longer() {
        let (glob, name) = (format!("{}b", "*a".repeat(200)), "a".repeat(4000));
        assert_eq!(capture_name(&glob, &name), None);
        assert_eq!(capture_name(&"*".repeat(200), &name).map(|captures| captures.len()), Some(200));
    }
}
