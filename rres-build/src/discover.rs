//! The assets directory → its source files: sorted, named in one spelling, checked against each other.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rres_format::normalize_path;
use unicode_normalization::UnicodeNormalization;
use walkdir::WalkDir;

use crate::cache::Stamp;
use crate::error::Problem;

/// The settings file of an assets directory; never an asset.
pub(crate) const SETTINGS_FILE: &str = "assets.toml";

/// One source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// The asset path: `/`-separated, NFC, relative to the assets directory.
    pub(crate) path: String,
    /// Where it is.
    pub(crate) file: PathBuf,
    /// Its length in bytes.
    pub(crate) size: u64,
    /// What tells whether it has changed.
    pub(crate) stamp: Stamp,
}

/// What an assets directory holds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The source files, sorted by asset path.
    pub(crate) sources: Vec<SourceFile>,
    /// What is wrong with the others, and their asset paths where they have one: a rule may say to ignore them.
    pub(crate) problems: Vec<(Option<String>, Problem)>,
}

/// Finds every source file below `dir`. Hidden files, those that systems and editors leave behind, and the settings
/// file are passed over; symbolic links are followed.
pub(crate) fn discover(dir: &Path) -> Found {
    let mut found = Found::default();
    if let Some(problem) = no_directory(dir) {
        found.problems.push((None, problem));
        return found;
    }
    let walk = WalkDir::new(dir).follow_links(true).min_depth(1).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(|entry| !is_left_behind(entry.file_name())) {
        let entry = match entry {
            Ok(entry) => entry,
            // Such as a link of Emacs, which leads nowhere.
            Err(error)
                if error.depth() > 0
                    && error.path().is_some_and(|path| path.file_name().is_some_and(is_left_behind)) =>
            {
                continue;
            }
            Err(error) => {
                let path = error.path().and_then(|path| asset_path(path.strip_prefix(dir).ok()?).ok());
                found.problems.push((path, walk_problem(dir, &error)));
                continue;
            }
        };
        if entry.file_type().is_dir() {
            continue;
        }
        let relative = entry.path().strip_prefix(dir).unwrap_or(entry.path());
        let place = || entry.path().display().to_string();
        let path = match asset_path(relative) {
            Ok(path) => path,
            Err(message) => {
                found.problems.push((None, Problem::new(place(), message).help("rename the file")));
                continue;
            }
        };
        if path == SETTINGS_FILE {
            continue;
        }
        if !entry.file_type().is_file() {
            let problem = Problem::new(place(), "is neither file nor directory").help("remove it from the assets");
            found.problems.push((Some(path), problem));
            continue;
        }
        match entry.metadata() {
            Ok(metadata) => {
                found.sources.push(SourceFile {
                    path,
                    file: entry.path().to_owned(),
                    size: metadata.len(),
                    stamp: Stamp::of(&metadata),
                });
            }
            Err(error) => found.problems.push((Some(path), walk_problem(dir, &error))),
        }
    }
    found.sources.sort_by(|a, b| a.path.cmp(&b.path));
    found.problems.extend(same_on_some_systems(&found.sources));
    found
}

/// What to say where `dir` is no directory.
pub(crate) fn no_directory(dir: &Path) -> Option<Problem> {
    if dir.is_dir() {
        return None;
    }
    let message = if dir.exists() { "is not a directory" } else { "the assets directory is not there" };
    let help = "create it, or name another in build.rs: rres_build::import(\"…\")";
    Some(Problem::new(dir.display().to_string(), message).help(help))
}

fn asset_path(relative: &Path) -> Result<String, String> {
    let text = relative.to_str().ok_or("its name is not UTF-8")?;
    // A backslash separates on Windows and is part of the name elsewhere: such a name means two things.
    if std::path::MAIN_SEPARATOR == '/' && text.contains('\\') {
        return Err("its name holds a backslash".to_owned());
    }
    let text: Cow<'_, str> = if text.is_ascii() { text.into() } else { text.nfc().collect() };
    normalize_path(&text).map_err(|e| e.to_string())
}

/// Files that no game means: hidden ones, and what systems and editors drop into directories.
fn is_left_behind(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let is_draft = name.starts_with('#') && name.ends_with('#');
    let is_temporary = ["~", ".tmp", ".swp", "___jb_tmp___", "___jb_old___"].iter().any(|end| name.ends_with(end));
    name.starts_with('.') || is_draft || is_temporary || matches!(&*name, "Thumbs.db" | "desktop.ini" | "__MACOSX")
}

/// Names that a file system without case, or with another Unicode form, cannot tell apart.
fn same_on_some_systems(files: &[SourceFile]) -> Vec<(Option<String>, Problem)> {
    let mut seen: HashMap<String, &SourceFile> = HashMap::new();
    let mut problems = Vec::new();
    for source in files {
        let Some(other) = seen.insert(source.path.to_lowercase(), source) else { continue };
        let (place, other) = (source.file.display().to_string(), other.file.display());
        let message = format!("its name differs from {other} by case or Unicode form only");
        let problem = Problem::new(place, message).help("rename one: Windows and macOS take them for the same file");
        problems.push((Some(source.path.clone()), problem));
    }
    problems
}

fn walk_problem(dir: &Path, error: &walkdir::Error) -> Problem {
    let place = error.path().unwrap_or(dir).display().to_string();
    match (error.loop_ancestor(), error.io_error()) {
        (Some(ancestor), _) => Problem::new(place, format!("is a link to {}, which contains it", ancestor.display()))
            .help("remove the link"),
        (None, Some(io)) if io.kind() == std::io::ErrorKind::NotFound => {
            Problem::new(place, "is a link to a file that is not there")
                .help("restore its target, remove the link, or ignore it with `ignore = true` in assets.toml")
        }
        (None, Some(io)) => Problem::new(place, format!("cannot read it: {io}")),
        (None, None) => Problem::new(place, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x").unwrap();
        }
        dir
    }

    fn paths(dir: &Path) -> Vec<String> {
        discover(dir).sources.into_iter().map(|source| source.path).collect()
    }

    #[test]
    fn sources_are_sorted_by_path_and_clutter_is_passed_over() {
        let dir = tree(&[
            "b.png",
            "a/z.txt",
            "a.txt",
            ".git/config",
            "a/.DS_Store",
            "a/x.txt~",
            "Thumbs.db",
            "assets.toml",
            "a/assets.toml",
        ]);
        assert_eq!(paths(dir.path()), ["a.txt", "a/assets.toml", "a/z.txt", "b.png"]);
    }

    /// Emacs, joe and others mark a file that is being edited by a link to nowhere, and save drafts beside it.
    #[cfg(unix)]
    #[test]
    fn what_editors_keep_beside_a_file_is_no_asset() {
        let dir = tree(&["a.txt", "#a.txt#", "a.txt~", ".a.txt.swp", "a.txt___jb_tmp___", "a.txt___jb_old___"]);
        std::os::unix::fs::symlink("me@host.123:456", dir.path().join(".#a.txt")).unwrap();
        let Found { sources, problems } = discover(dir.path());
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(sources.iter().map(|source| &*source.path).collect::<Vec<_>>(), ["a.txt"]);
    }

    #[test]
    fn names_are_composed() {
        let dir = tree(&["u\u{308}.txt"]);
        assert_eq!(paths(dir.path()), ["ü.txt"]);
    }

    #[test]
    fn a_missing_directory_says_what_to_do() {
        let (_, problem) = &discover(Path::new("no/such/assets")).problems[0];
        assert_eq!(problem.message(), "the assets directory is not there");
        assert!(problem.help_text().unwrap().contains("rres_build::import"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn every_bad_name_is_reported_in_one_run() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;

        let dir = tree(&["A.txt", "a.txt", "back\\slash.txt", "ctrl\u{1}.txt", "real/x.txt"]);
        fs::write(dir.path().join(OsStr::from_bytes(b"lat\xedn.txt")), "x").unwrap();
        symlink("nowhere", dir.path().join("dangling")).unwrap();
        symlink("..", dir.path().join("real/loop")).unwrap();
        let problems = discover(dir.path()).problems;
        assert!(problems.iter().any(|(path, _)| path.as_deref() == Some("dangling")), "{problems:?}");
        let all = problems.iter().map(|(_, problem)| problem.to_string()).collect::<Vec<_>>().join("\n");
        for part in
            ["case or Unicode form", "backslash", "control character", "not UTF-8", "is not there", "contains it"]
        {
            assert!(all.contains(part), "{part} in:\n{all}");
        }
        assert_eq!(problems.len(), 6, "{all}");
    }
}
