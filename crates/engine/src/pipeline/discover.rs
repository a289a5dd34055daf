//! The assets directory → its source files: sorted, with normalised names, checked against each other.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rres_format::{AssetKind, normalize_path};
use unicode_normalization::UnicodeNormalization;
use walkdir::WalkDir;

use crate::asset_kinds::IMPORTERS;
use crate::asset_kinds::kind_of_extension;
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::{FileStamp, SourceFile, extension_of};
use crate::settings::{SETTINGS_FILE, file_name};

/// The contents of an assets directory.
#[derive(Debug)]
pub(super) struct Found<S = SourceFile> {
    /// The source files, sorted by asset path.
    pub(super) sources: Vec<S>,
    /// The faults of other entries. A rule may ignore those with an asset path.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<S> Default for Found<S> {
    fn default() -> Self {
        Self { sources: Vec::new(), diagnostics: Vec::new() }
    }
}

/// Finds every source file below `dir`. Hidden files, files that systems and editors leave behind, and the settings file
/// are skipped; symbolic links are followed.
pub(super) fn discover(dir: &Path) -> Found {
    let mut found = Found::default();
    if let Some(diagnostic) = missing_directory(dir) {
        found.diagnostics.push(diagnostic);
        return found;
    }
    let walk = WalkDir::new(dir).follow_links(true).min_depth(1).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(|entry| !is_clutter(entry.file_name())) {
        let entry = match entry {
            Ok(entry) => entry,
            // For example a lock of Emacs, which is a dangling link.
            Err(error)
                if error.depth() > 0 && error.path().is_some_and(|path| path.file_name().is_some_and(is_clutter)) =>
            {
                continue;
            }
            Err(error) => {
                found.diagnostics.push(walk_diagnostic(dir, &error));
                continue;
            }
        };
        if entry.file_type().is_dir() {
            continue;
        }
        let relative = entry.path().strip_prefix(dir).unwrap_or(entry.path());
        let path = match asset_path(relative) {
            Ok(path) => path,
            Err(message) => {
                let diagnostic = Diagnostic::file(entry.path(), message).with_help("rename the file".to_owned());
                found.diagnostics.push(refused(diagnostic, &spelled(relative)));
                continue;
            }
        };
        if path == SETTINGS_FILE {
            continue;
        }
        if !entry.file_type().is_file() {
            let diagnostic = Diagnostic::file(entry.path(), "is neither a file nor a directory");
            let help = "move it out of the assets directory, or ignore it with `ignore = true` in assets.toml";
            found.diagnostics.push(refused(diagnostic.with_help(help.to_owned()), &path));
            continue;
        }
        match entry.metadata() {
            Ok(metadata) => {
                let stamp = FileStamp::of(&metadata);
                let file = entry.path().to_owned();
                found.sources.push(SourceFile { path, file, size: metadata.len(), stamp });
            }
            Err(error) => found.diagnostics.push(walk_diagnostic(dir, &error)),
        }
    }
    found.sources.sort_by(|a, b| a.path.cmp(&b.path));
    leave_out_licenses(&mut found.sources);
    found.diagnostics.extend(same_on_some_systems(&found.sources));
    found
}

/// The paths of the source files of a directory, for importers that list them. Finding them takes a walk, so it is done once, and not at all
/// in most builds.
#[derive(Debug, Default)]
pub(super) struct ListedFiles(OnceLock<Vec<String>>);

impl ListedFiles {
    /// The paths below `dir`, which is the same one at each call.
    pub(super) fn paths(&self, dir: &Path) -> &[String] {
        self.0.get_or_init(|| discover(dir).sources.into_iter().map(|source| source.path).collect())
    }
}

/// Removes the files of REUSE: `REUSE.toml`, and `hero.png.license` beside `hero.png`. They are about assets, and are none.
fn leave_out_licenses(sources: &mut Vec<SourceFile>) {
    let is_license = |source: &SourceFile| {
        let described = source.path.strip_suffix(".license");
        let has = |path: &str| sources.binary_search_by(|other| other.path.as_str().cmp(path)).is_ok();
        file_name(&source.path) == "REUSE.toml" || described.is_some_and(has)
    };
    let kept: Vec<bool> = sources.iter().map(|source| !is_license(source)).collect();
    let mut kept = kept.into_iter();
    sources.retain(|_| kept.next().unwrap_or(true));
}

/// A feature of this crate that enables an importer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImporterFeature {
    /// Its name in `Cargo.toml`.
    pub name: &'static str,
    /// Whether it is one of the default features.
    pub is_default: bool,
    /// Whether a file of the directory in question is imported by it.
    pub is_needed: bool,
}

/// The features of this crate that enable importers, and whether the files of an assets directory need them by their extensions.
/// Rules can choose other kinds.
pub fn importer_features(dir: impl AsRef<Path>) -> Vec<ImporterFeature> {
    let sources = discover(dir.as_ref()).sources;
    let needs = |feature: &str| {
        let rows = IMPORTERS.iter().filter(|row| row.feature == Some(feature)).map(|row| row.describe(0));
        let takes = |importer: crate::settings::Description| {
            sources.iter().any(|source| importer.takes_file(extension_of(&source.path), &source.file))
        };
        rows.into_iter().any(takes)
    };
    let mut features: Vec<ImporterFeature> = Vec::new();
    for row in IMPORTERS {
        let Some(name) = row.feature.filter(|name| features.iter().all(|known| known.name != *name)) else {
            continue;
        };
        // The importers of a kind are enabled by default, the others are for files of other systems.
        let is_default = row.is_of_kind();
        features.push(ImporterFeature { name, is_default, is_needed: needs(name) });
    }
    features
}

/// A file of an assets directory that can be an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssetFile {
    /// The file: the assets directory as it was given, and the path below it.
    pub file: PathBuf,
    /// Its asset path.
    pub path: String,
    /// What it becomes if no rule says otherwise.
    pub kind: AssetKind,
}

/// The files of an assets directory that can be assets, sorted by path, whatever its rules say about them. Hidden files, files
/// that systems and editors leave behind, `assets.toml` and names that no asset can have are not among them.
pub fn asset_files(dir: impl AsRef<Path>) -> Vec<AssetFile> {
    let file = |SourceFile { path, file, .. }: SourceFile| {
        let kind = kind_of_extension(extension_of(&path));
        AssetFile { file, path, kind }
    };
    discover(dir.as_ref()).sources.into_iter().map(file).collect()
}

/// The error if `dir` is not a directory.
pub(crate) fn missing_directory(dir: &Path) -> Option<Diagnostic> {
    if dir.is_dir() {
        return None;
    }
    let message = if dir.exists() { "is not a directory" } else { "assets directory not found" };
    let help = "create it, or name another (in build.rs: rres_build::import(\"…\"))";
    Some(Diagnostic::file(dir, message).with_help(help.to_owned()))
}

/// The diagnostic as a diagnostic of the file `path`, which can be ignored.
fn refused(diagnostic: Diagnostic, path: &str) -> Diagnostic {
    diagnostic.with_asset(path).with_fix(path, Fix::IGNORE)
}

/// The path of a file whose name no asset can have, for rules to match.
fn spelled(relative: &Path) -> String {
    let text: String = relative.to_string_lossy().nfc().collect();
    if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}

fn asset_path(relative: &Path) -> Result<String, String> {
    let text = relative.to_str().ok_or("its name is not UTF-8")?;
    // A backslash separates folders on Windows and is part of a name elsewhere, so such a name is ambiguous.
    if std::path::MAIN_SEPARATOR == '/' && text.contains('\\') {
        return Err("its name contains a backslash".to_owned());
    }
    let text: Cow<'_, str> = if text.is_ascii() { text.into() } else { text.nfc().collect() };
    normalize_path(&text).map_err(|e| e.to_string())
}

/// The folder or file of `path` that makes it no asset, whatever the rules.
pub(crate) fn clutter_in(path: &str) -> Option<&str> {
    path.split('/').find(|name| is_clutter(name.as_ref()))
}

/// Whether a file is not an asset: hidden files, and files that operating systems and editors leave in directories.
pub(super) fn is_clutter(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let is_draft = name.starts_with('#') && name.ends_with('#');
    let is_temporary = ["~", ".tmp", ".swp", "___jb_tmp___", "___jb_old___"].iter().any(|end| name.ends_with(end));
    name.starts_with('.') || is_draft || is_temporary || matches!(&*name, "Thumbs.db" | "desktop.ini" | "__MACOSX")
}

/// Reports names that a file system without case, or with another Unicode form, cannot distinguish.
fn same_on_some_systems(files: &[SourceFile]) -> Vec<Diagnostic> {
    // Of two such names, one has a capital or a letter beyond ASCII.
    let is_plain = |source: &SourceFile| source.path.is_ascii() && !source.path.bytes().any(|c| c.is_ascii_uppercase());
    if files.iter().all(is_plain) {
        return Vec::new();
    }
    let mut seen: HashMap<String, &SourceFile> = HashMap::new();
    let mut diagnostics = Vec::new();
    for source in files {
        let Some(other) = seen.insert(source.path.to_lowercase(), source) else { continue };
        let message = format!("its name differs from \"{}\" by case or Unicode form only", other.path);
        let help = "rename one: Windows and macOS take them for the same file";
        let diagnostic = Diagnostic::file(&source.file, message).with_help(help.to_owned());
        diagnostics.push(refused(diagnostic, &source.path));
    }
    diagnostics
}

fn walk_diagnostic(dir: &Path, error: &walkdir::Error) -> Diagnostic {
    let file = error.path().unwrap_or(dir);
    let diagnostic = match (error.loop_ancestor(), error.io_error()) {
        (Some(ancestor), _) => {
            Diagnostic::file(file, format!("is a link to {}, which contains it", ancestor.display()))
                .with_help("remove the link".to_owned())
        }
        (None, Some(io)) if io.kind() == std::io::ErrorKind::NotFound => {
            let help = "restore its target, remove the link, or ignore it with `ignore = true` in assets.toml";
            Diagnostic::file(file, "is a link to a file that does not exist").with_help(help.to_owned())
        }
        (None, Some(io)) => Diagnostic::io("read it", file, io),
        (None, None) => Diagnostic::file(file, error.to_string()),
    };
    match file.strip_prefix(dir) {
        Ok(relative) if !relative.as_os_str().is_empty() => {
            refused(diagnostic, &asset_path(relative).unwrap_or_else(|_| spelled(relative)))
        }
        _ => diagnostic,
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
    fn sources_are_sorted_by_path_and_clutter_is_skipped() {
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

    /// Emacs, joe and others mark a file that is being edited with a dangling link, and save drafts beside it.
    #[cfg(unix)]
    #[test]
    fn files_that_editors_keep_beside_an_asset_are_not_assets() {
        let dir = tree(&["a.txt", "#a.txt#", "a.txt~", ".a.txt.swp", "a.txt___jb_tmp___", "a.txt___jb_old___"]);
        std::os::unix::fs::symlink("me@host.123:456", dir.path().join(".#a.txt")).unwrap();
        let Found { sources, diagnostics } = discover(dir.path());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(sources.iter().map(|source| &*source.path).collect::<Vec<_>>(), ["a.txt"]);
    }

    #[test]
    fn a_directory_is_walked_once_for_all_who_list_its_files() {
        let dir = tree(&["b.txt", "a.txt"]);
        let files = ListedFiles::default();
        assert_eq!(files.paths(dir.path()), ["a.txt", "b.txt"]);
        fs::write(dir.path().join("c.txt"), "x").unwrap();
        assert_eq!(files.paths(dir.path()), ["a.txt", "b.txt"], "it was walked again");
    }

    #[test]
    fn names_are_normalised() {
        let dir = tree(&["u\u{308}.txt"]);
        assert_eq!(paths(dir.path()), ["ü.txt"]);
    }

    #[test]
    fn the_error_of_a_missing_directory_says_what_to_do() {
        let diagnostic = &discover(Path::new("no/such/assets")).diagnostics[0];
        assert_eq!(diagnostic.message(), "assets directory not found");
        assert!(diagnostic.help().unwrap().contains("rres_build::import"));
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
        let diagnostics = discover(dir.path()).diagnostics;
        assert!(diagnostics.iter().any(|diagnostic| diagnostic.asset() == Some("dangling")), "{diagnostics:?}");
        let all = diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        for part in
            ["case or Unicode form", "backslash", "control character", "not UTF-8", "does not exist", "contains it"]
        {
            assert!(all.contains(part), "{part} in:\n{all}");
        }
        assert_eq!(diagnostics.len(), 6, "{all}");
    }
}
