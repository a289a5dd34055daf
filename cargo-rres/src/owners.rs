//! Who owns a file: the file CODEOWNERS of a repository, which GitHub and GitLab read.
//!
//! Each line has a pattern, as in `.gitignore`, and the owners of what it matches. The last line that matches counts; in GitLab's files with
//! sections, the last one of each section.

use std::fs;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

/// Where the services look for the file, in this order.
const PLACES: [&str; 4] = [".github/CODEOWNERS", "CODEOWNERS", ".gitlab/CODEOWNERS", "docs/CODEOWNERS"];

/// `*` does not go beyond a folder.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// The owners of files below a directory.
#[derive(Debug)]
pub(crate) struct Owners {
    /// The path of the directory within the repository, `/`-separated, empty or with a `/` at its end.
    prefix: String,
    lines: Vec<Line>,
}

/// A line with a pattern.
#[derive(Debug)]
struct Line {
    /// The number of its section.
    section: usize,
    patterns: Vec<Pattern>,
    owners: Vec<String>,
}

impl Owners {
    /// Finds the owners of the files in `dir`: in the repository around it. Returns `None` if there is no repository, or it names no owners.
    pub(crate) fn of_directory(dir: &Path) -> Option<Self> {
        let dir = fs::canonicalize(dir).ok()?;
        // A worktree has a file of that name.
        let root = dir.ancestors().find(|dir| dir.join(".git").exists())?;
        let file = PLACES.iter().map(|place| root.join(place)).find(|file| file.is_file())?;
        let text = String::from_utf8_lossy(&fs::read(file).ok()?).into_owned();
        let folders = dir.strip_prefix(root).ok()?.iter().map(|name| format!("{}/", name.to_string_lossy()));
        Some(Self { prefix: folders.collect(), lines: lines(&text) })
    }

    /// Returns the owners of the file at a path below the directory; empty for nobody.
    pub(crate) fn of(&self, path: &str) -> Vec<&str> {
        let path = PathBuf::from(format!("{}{path}", self.prefix));
        let matches = |line: &&Line| line.patterns.iter().any(|pattern| pattern.matches_path_with(&path, OPTIONS));
        let mut owners = Vec::new();
        let last = self.lines.last().map_or(0, |line| line.section);
        for section in 0..=last {
            let line = self.lines.iter().filter(|line| line.section == section).rfind(matches);
            owners.extend(line.iter().flat_map(|line| &line.owners).map(String::as_str));
        }
        owners.sort_unstable();
        owners.dedup();
        owners
    }
}

/// The lines of a file that have patterns.
fn lines(text: &str) -> Vec<Line> {
    let (mut lines, mut section, mut of_section) = (Vec::new(), 0, Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(owners) = section_owners(line) {
            section += 1;
            of_section = owners;
            continue;
        }
        let mut words = words(line).into_iter();
        let Some(pattern) = words.next() else { continue };
        let mut owners: Vec<String> = words.collect();
        if owners.is_empty() {
            owners.clone_from(&of_section);
        }
        lines.push(Line { section, patterns: patterns(&pattern), owners });
    }
    lines
}

/// The owners of a section of GitLab, if the line begins one: `[Art]`, `^[Art][2] @artists`.
fn section_owners(line: &str) -> Option<Vec<String>> {
    let (name, mut rest) = line.strip_prefix('^').unwrap_or(line).strip_prefix('[')?.split_once(']')?;
    if let Some((_, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        rest = after;
    }
    // In GitHub's files, a pattern may begin with a set of characters.
    let is_section = !name.is_empty() && (rest.is_empty() || rest.starts_with(char::is_whitespace));
    is_section.then(|| rest.split_whitespace().map(str::to_owned).collect())
}

/// The words of a line up to a comment. A backslash makes the next character, such as a space, a part of the word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let is_new = words.last().is_some_and(String::is_empty);
        match character {
            '\\' => words.last_mut().into_iter().for_each(|word| word.extend(characters.next())),
            '#' if is_new => break,
            character if character.is_whitespace() => words.extend((!is_new).then(String::new)),
            character => words.last_mut().into_iter().for_each(|word| word.push(character)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The globs of a pattern; none if it cannot be read.
fn patterns(pattern: &str) -> Vec<Pattern> {
    let (folder, is_folder) = pattern.strip_suffix('/').map_or((pattern, false), |folder| (folder, true));
    let anchored = match folder.strip_prefix('/') {
        Some(path) => path.to_owned(),
        None if folder.contains('/') => folder.to_owned(),
        // A name alone may be in any folder.
        None => format!("**/{folder}"),
    };
    let below = format!("{anchored}/**/*");
    let globs = match (is_folder, anchored.ends_with("/*")) {
        (true, _) => vec![below],
        // The files of a folder, and not those below it.
        (false, true) => vec![anchored],
        (false, false) => vec![anchored, below],
    };
    globs.iter().filter_map(|glob| Pattern::new(glob).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners_of(text: &str, path: &str) -> String {
        Owners { prefix: String::new(), lines: lines(text) }.of(path).join(" ")
    }

    #[test]
    fn patterns_match_as_those_of_the_services() {
        for (pattern, path, is_matched) in [
            ("*", "assets/ui/a.png", true),
            ("*.png", "assets/ui/a.png", true),
            ("*.png", "a.wav", false),
            ("/assets/", "assets/ui/a.png", true),
            ("/assets/", "game/assets/a.png", false),
            ("assets/", "game/assets/a.png", true),
            ("assets", "game/assets/a.png", true),
            ("/assets/*", "assets/a.png", true),
            ("/assets/*", "assets/ui/a.png", false),
            ("assets/ui", "assets/ui/a.png", true),
            ("assets/ui", "game/assets/ui/a.png", false),
            ("**/music", "game/assets/music/b/a.ogg", true),
            ("/assets/**/*.ogg", "assets/music/a.ogg", true),
            ("/assets/**/*.ogg", "assets/a.ogg", true),
            ("my\\ art/", "my art/a.png", true),
        ] {
            let expected = if is_matched { "@a" } else { "" };
            assert_eq!(owners_of(&format!("{pattern} @a"), path), expected, "{pattern} and {path}");
        }
    }

    #[test]
    fn the_last_line_counts_and_may_name_nobody() {
        let text = "# all\n* @lead someone@example.com # a comment\n/assets/ @art @ui\n/assets/ui/draft/\n";
        assert_eq!(owners_of(text, "src/main.rs"), "@lead someone@example.com");
        assert_eq!(owners_of(text, "assets/a.png"), "@art @ui");
        assert_eq!(owners_of(text, "assets/ui/draft/a.png"), "");
    }

    #[test]
    fn sections_of_gitlab_each_have_owners() {
        let text = "* @lead\n[Art] @artists\n*.png\n*.wav @sound\n^[Legal][2]\n/assets/bought/ @legal\n";
        assert_eq!(owners_of(text, "assets/bought/a.png"), "@artists @lead @legal");
        assert_eq!(owners_of(text, "a.wav"), "@lead @sound");
    }

    #[test]
    fn the_file_is_found_in_the_repository_around_a_directory() {
        let dir = tempfile::tempdir().unwrap();
        let assets = dir.path().join("game/assets");
        fs::create_dir_all(&assets).unwrap();
        assert!(Owners::of_directory(&assets).is_none());
        fs::create_dir_all(dir.path().join(".git")).unwrap();
        assert!(Owners::of_directory(&assets).is_none());
        fs::create_dir_all(dir.path().join(".github")).unwrap();
        fs::write(dir.path().join(".github/CODEOWNERS"), "/game/assets/music/ @audio\n").unwrap();
        let owners = Owners::of_directory(&assets).unwrap();
        assert_eq!((owners.of("music/a.ogg"), owners.of("a.png").len()), (vec!["@audio"], 0));
    }
}
