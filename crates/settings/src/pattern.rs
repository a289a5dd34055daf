//! Globs over asset paths: `*` and `?` stay within one folder, `**` matches any number of folders, `{a,b}` is either.
//!
//! Each segment of the path is matched by itself, so that the cost of a hostile glob is bounded by the product of two
//! lengths.

use unicode_normalization::UnicodeNormalization;

use super::braces::{BadBraces, MOST_ALTERNATIVES, expand};
use super::toml_string::toml_string;

/// One glob, ready to match.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: String,
    /// The globs without braces that it means: one, unless it has braces.
    pub(super) alternatives: Vec<Alternative>,
}

/// A glob without braces.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) text: String,
    pub(super) segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
pub(super) enum Segment {
    /// `**`
    Folders,
    /// A name without wildcards.
    Name(String),
    /// Wildcards within a name.
    Glob(glob::Pattern),
}

/// The reason why a string is not a valid glob, and what to write instead.
pub(super) struct BadGlob {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Pattern {
    /// Compiles `glob`, which is relative to the assets directory.
    pub(super) fn new(glob: &str) -> Result<Self, BadGlob> {
        let bad = |why: &str, help: Option<String>| BadGlob { message: format!("bad glob \"{glob}\": {why}"), help };
        // Asset paths are normalised in the same way, however the editor and the file system encode an accent.
        let text: String = glob.strip_prefix("./").unwrap_or(glob).nfc().collect();
        if text.is_empty() {
            return Err(bad("it is empty", Some("`**` is every file".into())));
        }
        if text.contains('\\') {
            let help = format!("folders are separated by `/` on every system: \"{}\"", text.replace('\\', "/"));
            return Err(bad("it contains a backslash", Some(help)));
        }
        if text.chars().any(char::is_control) {
            return Err(bad("it contains a control character", None));
        }
        let globs = expand(&text).map_err(|why| {
            let (why, help) = match why {
                BadBraces::Unclosed => ("a `{` is never closed", "`[{]` is a literal brace".to_owned()),
                BadBraces::Unopened => ("a `}` is never opened", "`[}]` is a literal brace".to_owned()),
                BadBraces::TooMany => (
                    "its braces mean too many globs",
                    format!("write several rules of at most {MOST_ALTERNATIVES} each"),
                ),
            };
            bad(why, Some(help))
        })?;
        let alternatives = globs.into_iter().map(|text| Alternative::new(text, &bad)).collect::<Result<_, _>>()?;
        Ok(Self { text, alternatives })
    }

    /// The glob as it was written, normalised.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The globs without braces that it means.
    pub(super) fn globs(&self) -> impl Iterator<Item = &str> {
        self.alternatives.iter().map(|one| one.text.as_str())
    }

    /// Whether the pattern can match only one path.
    pub(super) fn is_literal(&self) -> bool {
        self.file().is_some()
    }

    /// The only path that the pattern can match; `None` if there are several.
    pub(super) fn file(&self) -> Option<String> {
        let name = |segment: &Segment| match segment {
            Segment::Name(name) => Some(name.clone()),
            _ => None,
        };
        let [one] = &self.alternatives[..] else { return None };
        Some(one.segments.iter().map(name).collect::<Option<Vec<_>>>()?.join("/"))
    }

    /// The same pattern below `folder`, which has no wildcards.
    pub(super) fn moved_into(&self, folder: &str) -> Self {
        let first = || std::iter::once(Segment::Name(folder.to_owned()));
        let moved = |one: &Alternative| Alternative {
            text: format!("{folder}/{}", one.text),
            segments: first().chain(one.segments.iter().cloned()).collect(),
        };
        Self { text: format!("{folder}/{}", self.text), alternatives: self.alternatives.iter().map(moved).collect() }
    }

    /// Whether the pattern names `folder` as the first one of all paths that it matches.
    pub(super) fn begins_with(&self, folder: &str) -> bool {
        self.alternatives.iter().all(|one| one.literal_folders().next() == Some(folder))
    }

    /// The names of the folders before the first wildcard, and before braces.
    pub(super) fn literal_folders(&self) -> impl Iterator<Item = &str> {
        let only = (self.alternatives.len() == 1).then(|| &self.alternatives[0]);
        only.into_iter().flat_map(Alternative::literal_folders)
    }

    /// Whether the path made of `names` matches.
    pub(super) fn matches(&self, names: &[&str]) -> bool {
        self.matches_with(names, true)
    }

    /// Like [`Self::matches`], but ignores the case of ASCII letters if `case_sensitive` is false.
    pub(super) fn matches_with(&self, names: &[&str], case_sensitive: bool) -> bool {
        self.alternatives.iter().any(|one| one.matches(names, case_sensitive))
    }
}

impl Alternative {
    /// Compiles a glob without braces. `bad` makes an error from a reason and what to write instead.
    fn new(text: String, bad: &impl Fn(&str, Option<String>) -> BadGlob) -> Result<Self, BadGlob> {
        if let Some(rest) = text.strip_prefix('/') {
            let help = format!("globs are relative to the assets directory: \"{rest}\"");
            return Err(bad("it starts with `/`", Some(help)));
        }
        if text.starts_with('!') {
            let help = "later rules win: a later rule can override an earlier one, field by field".into();
            return Err(bad("negated globs are not supported", Some(help)));
        }
        if let Some(folder) = text.strip_suffix('/') {
            return Err(bad("it ends with `/`", Some(format!("for everything in a folder: \"{folder}/**\""))));
        }
        let mut segments = Vec::new();
        for segment in text.split('/') {
            segments.push(match segment {
                "**" => Segment::Folders,
                "" | "." | ".." => {
                    let help = "a glob is the path below the assets directory, such as \"ui/*.png\"".into();
                    return Err(bad(&format!("\"{segment}\" is not a name"), Some(help)));
                }
                name => match without_wildcards(name) {
                    Some(name) => Segment::Name(name),
                    None => Segment::Glob(glob::Pattern::new(name).map_err(|error| match error.msg {
                        message if message.contains("range") => {
                            let help = "`[abc]` is one of these characters, `[[]` is a literal bracket".into();
                            bad("a `[` is never closed or empty", Some(help))
                        }
                        _ => {
                            let help =
                                "`*` is any part of a name, `**` between slashes is any number of folders".into();
                            bad("`**` must be alone between slashes", Some(help))
                        }
                    })?),
                },
            });
        }
        Ok(Self { text, segments })
    }

    fn literal_folders(&self) -> impl Iterator<Item = &str> {
        self.segments[..self.segments.len() - 1].iter().map_while(|segment| match segment {
            Segment::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }

    pub(super) fn matches(&self, names: &[&str], case_sensitive: bool) -> bool {
        let (mut segment, mut name) = (0, 0);
        // The place to continue if a name does not match: after the last `**`, which then matches one more folder.
        let mut retry = None;
        while name < names.len() {
            match self.segments.get(segment) {
                // A `**` at the end matches the rest, which is not empty.
                Some(Segment::Folders) if segment + 1 == self.segments.len() => return true,
                Some(Segment::Folders) => {
                    segment += 1;
                    retry = Some((segment, name));
                }
                Some(one) if one.matches(names[name], case_sensitive) => {
                    segment += 1;
                    name += 1;
                }
                _ => match &mut retry {
                    Some((after_folders, from)) => {
                        *from += 1;
                        (segment, name) = (*after_folders, *from);
                    }
                    None => return false,
                },
            }
        }
        segment == self.segments.len()
    }
}

/// The only name that a part of a glob can match, such as `a[1]` for `a[[]1]`; `None` if there are several.
fn without_wildcards(mut part: &str) -> Option<String> {
    let mut name = String::new();
    while let Some(at) = part.find(['*', '?', '[']) {
        name += &part[..at];
        let mut class = part[at..].strip_prefix('[')?.chars();
        let (escaped, end) = (class.next()?, class.next()?);
        if end != ']' || escaped == '!' {
            return None;
        }
        name.push(escaped);
        part = class.as_str();
    }
    Some(name + part)
}

impl Segment {
    pub(super) fn matches(&self, name: &str, case_sensitive: bool) -> bool {
        match self {
            Self::Folders => false,
            Self::Name(own) if case_sensitive => own == name,
            Self::Name(own) => own.eq_ignore_ascii_case(name),
            Self::Glob(glob) => {
                let options = glob::MatchOptions { case_sensitive, ..glob::MatchOptions::new() };
                glob.matches_with(name, options)
            }
        }
    }
}

/// Returns the paths that a glob matches.
///
/// # Errors
/// What is wrong with the glob.
pub fn glob_matches<'p>(glob: &str, paths: impl Iterator<Item = &'p str>) -> Result<Vec<&'p str>, String> {
    let pattern = Pattern::new(glob).map_err(|bad| bad.message)?;
    Ok(paths.filter(|path| pattern.matches(&split_path(path))).collect())
}

/// Returns a glob for rules and groups that matches the path, and as few others as possible: a character that no glob can contain
/// becomes `?`.
pub fn glob_of(path: &str) -> String {
    let mut glob = String::with_capacity(path.len());
    for (at, c) in path.char_indices() {
        match c {
            '*' | '?' | '[' | ']' | '{' | '}' => glob.extend(['[', c, ']']),
            '!' if at == 0 => glob.push('?'),
            '\\' | char::REPLACEMENT_CHARACTER => glob.push('?'),
            c if c.is_control() => glob.push('?'),
            c => glob.push(c),
        }
    }
    glob
}

/// Whether the name of a table could be the name of a section.
pub(super) fn is_section_word(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '/', '.'])
}

/// Returns the header of the rule for one file in `assets.toml`, such as `["a[[]1[]].png"]` for `a[1].png`; `None` if no glob
/// means this file alone.
pub fn rule_header(path: &str) -> Option<String> {
    let glob = glob_of(path);
    if Pattern::new(&glob).ok()?.file()? != path {
        return None;
    }
    let start = if is_section_word(&glob) { "./" } else { "" };
    Some(format!("[{}]", toml_string(&format!("{start}{glob}"))))
}

/// The names of a path, for [`Pattern::matches`].
pub(super) fn split_path(path: &str) -> Vec<&str> {
    path.split('/').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(glob: &str, path: &str) -> bool {
        Pattern::new(glob).unwrap_or_else(|bad| panic!("{}", bad.message)).matches(&split_path(path))
    }

    #[test]
    fn stars_stay_in_their_folder() {
        for (glob, yes, no) in [
            ("*.png", &["a.png", ".png"][..], &["ui/a.png", "a.png/b", "a.pngx"][..]),
            ("ui/*.png", &["ui/a.png"], &["ui/x/a.png", "a.png", "UI/a.png"]),
            ("ui/**/*.png", &["ui/a.png", "ui/x/a.png", "ui/x/y/a.png"], &["a.png", "ui/a.jpg", "x/ui/a.png"]),
            ("ui/**", &["ui/a", "ui/x/y"], &["ui", "uis/a"]),
            ("**", &["a", "a/b/c"], &[]),
            ("**/a/**/b", &["a/b", "x/a/b", "a/x/b", "a/a/x/b/b"], &["a", "b", "a/b/c"]),
            ("?[0-9].wav", &["a1.wav", "ä1.wav"], &["1.wav", "aa.wav"]),
            ("a[[]1].png", &["a[1].png"], &["a1.png"]),
            ("./a", &["a"], &["b"]),
            ("{ui,hud}/*.{png,jpg}", &["ui/a.png", "hud/a.jpg"], &["a.png", "ui/a.gif", "{ui,hud}/a.png"]),
            ("x{y".replace('{', "[{]").as_str(), &["x{y"], &["xy"]),
        ] {
            yes.iter().for_each(|path| assert!(matches(glob, path), "{glob} must match {path}"));
            no.iter().for_each(|path| assert!(!matches(glob, path), "{glob} must not match {path}"));
        }
    }

    #[test]
    fn the_header_of_a_rule_for_one_file_matches_only_that_file() {
        for (path, header) in [
            ("ui/a.png", "[\"ui/a.png\"]"),
            ("a[1]{2}*?.png", "[\"a[[]1[]][{]2[}][*][?].png\"]"),
            ("pack", "[\"./pack\"]"),
            ("say \"hi\", now.txt", r#"["say \"hi\", now.txt"]"#),
        ] {
            assert_eq!(rule_header(path).as_deref(), Some(header));
        }
        assert_eq!((rule_header("!a.txt"), rule_header("back\\slash")), (None, None));
    }

    #[test]
    fn accents_match_in_either_form() {
        assert!(matches("ho\u{308}he/*.png", "h\u{f6}he/a.png"));
    }

    #[test]
    fn hostile_globs_do_not_hang() {
        let deep = vec!["a".repeat(200); 4].join("/");
        assert!(!matches(&format!("{}b/**/{}b/x", "*a".repeat(40), "*a".repeat(40)), &deep));
        assert!(!matches(&format!("{}b", "**/a/".repeat(60)), &"a/".repeat(500)));
    }
}
