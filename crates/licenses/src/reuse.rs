//! The files of REUSE around a file → what they say of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rres_settings::diagnostic::Diagnostic;

use crate::reuse_toml::{self, Annotation, Precedence};
use crate::tags;
use crate::terms::{Found, Origin, Terms};
use crate::{REUSE_FILE, SIDECAR};

/// Tags are at the beginning of a text.
const MAX_HEAD: u64 = 16 << 10;

/// A longer file does not describe another one.
const MAX_SIDECAR: u64 = 64 << 10;

/// The most bytes of a `REUSE.toml`.
const MAX_REUSE: u64 = 4 << 20;

/// Where a project ends, if it is not in a repository.
const PROJECT: &str = "Cargo.toml";

/// What older versions of REUSE had instead of `REUSE.toml`.
const OLD_FILE: &str = ".reuse/dep5";

/// What files of REUSE say of the files below a directory.
#[derive(Debug)]
pub struct Reuse {
    dir: PathBuf,
    /// The directories from the root of the project to `dir`, without it.
    above: Vec<PathBuf>,
    /// The annotations of each directory that has been asked for.
    annotations: BTreeMap<PathBuf, Vec<Annotation>>,
    faults: Vec<Diagnostic>,
}

/// Returns a directory and those above it that belong to its project, the directory first: up to the root of the repository, or of the workspace.
pub fn within_project(dir: &Path) -> Vec<PathBuf> {
    let dir = dunce::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    let is_repository = |dir: &&Path| [".git", ".hg", ".jj"].iter().any(|name| dir.join(name).exists());
    let root = dir.ancestors().find(is_repository);
    let root = root.or_else(|| dir.ancestors().filter(|dir| dir.join(PROJECT).is_file()).last()).unwrap_or(&dir);
    dir.ancestors().take_while(|dir| dir.starts_with(root)).map(Path::to_owned).collect()
}

impl Reuse {
    /// Finds the project around `dir`: the nearest repository, or else the outermost Cargo package.
    pub fn of_directory(dir: &Path) -> Self {
        let mut within = within_project(dir).into_iter();
        let dir = within.next().unwrap_or_else(|| dir.to_owned());
        let mut above: Vec<PathBuf> = within.collect();
        above.reverse();
        let root = above.first().unwrap_or(&dir);
        let mut faults = Vec::new();
        let old = root.join(OLD_FILE);
        if old.is_file() {
            let fault = Diagnostic::file(old, "is a file of an older version of REUSE, which is not read");
            faults.push(fault.with_help("run `reuse convert-dep5`".to_owned()));
        }
        Self { dir, above, annotations: BTreeMap::new(), faults }
    }

    /// Returns the files that describe the directory from above. What is said of a file depends on them, on the file itself, and on other files
    /// below the directory.
    pub fn files_above(&self) -> Vec<PathBuf> {
        self.above.iter().map(|dir| dir.join(REUSE_FILE)).filter(|file| file.is_file()).collect()
    }

    /// Returns what is wrong with the files that have been read so far.
    pub fn take_faults(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.faults)
    }

    /// Returns what is said of the file at `path` below the directory, with `/` between folders. Tags in its own text count if `is_text`.
    pub fn of(&mut self, path: &str, is_text: bool) -> Found {
        let (own, own_origin) = self.own(path, is_text);
        // From the file outwards.
        let mut outer: Vec<(Annotation, PathBuf)> = Vec::new();
        let (folders, _) = path.rsplit_once('/').unwrap_or(("", path));
        let mut dirs = vec![self.dir.clone()];
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            dirs.push(dirs[dirs.len() - 1].join(name));
        }
        let file = self.dir.join(path);
        for dir in dirs.into_iter().rev().chain(self.above.clone().into_iter().rev()) {
            let Ok(relative) = file.strip_prefix(&dir) else { continue };
            let names: Vec<_> = relative.iter().map(|name| name.to_string_lossy()).collect();
            let annotations = self.annotations(&dir);
            // The last one that matches counts.
            if let Some(annotation) = annotations.iter().rfind(|annotation| annotation.is_about(&names.join("/"))) {
                outer.push((annotation.clone(), dir.join(REUSE_FILE)));
            }
        }
        if let Some((annotation, file)) = outer.iter().rfind(|(of, _)| of.precedence == Precedence::Override) {
            return Found {
                origin: annotation.terms.license.is_some().then(|| Origin::Reuse(file.clone())),
                terms: annotation.terms.clone(),
            };
        }
        let (mut terms, mut origin) = (own, own_origin);
        let stated = |terms: &Terms, file: PathBuf| terms.license.is_some().then_some(Origin::Reuse(file));
        let (closest, aggregated): (Vec<_>, Vec<_>) =
            outer.into_iter().partition(|(of, _)| of.precedence == Precedence::Closest);
        for (annotation, file) in closest {
            origin = origin.or_else(|| stated(&annotation.terms, file));
            terms = terms.or(annotation.terms);
        }
        for (annotation, file) in aggregated {
            origin = origin.or_else(|| stated(&annotation.terms, file));
            terms.add(annotation.terms);
        }
        Found { terms, origin }
    }

    /// What the file beside it says, or else the file itself.
    fn own(&mut self, path: &str, is_text: bool) -> (Terms, Option<Origin>) {
        let file = self.dir.join(path);
        let sidecar = self.dir.join(format!("{path}{SIDECAR}"));
        let (text, origin) = match head(&sidecar, MAX_SIDECAR) {
            Ok(text) => (text, Origin::Sidecar(sidecar)),
            // A name can be too long for one that ends with `.license`.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename) => {
                // A file that cannot be read is a fault of its import.
                let text = if is_text { head(&file, MAX_HEAD).unwrap_or_default() } else { String::new() };
                (text, Origin::Tag)
            }
            Err(error) => {
                self.faults.push(Diagnostic::io("read it", &sidecar, &error));
                return (Terms::default(), None);
            }
        };
        let terms = tags::read(&text);
        let origin = terms.license.is_some().then_some(origin);
        (terms, origin)
    }

    fn annotations(&mut self, dir: &Path) -> &[Annotation] {
        if !self.annotations.contains_key(dir) {
            let file = dir.join(REUSE_FILE);
            let annotations = match read_whole(&file) {
                Ok(text) => {
                    let (annotations, faults) = reuse_toml::read(&file, &text);
                    self.faults.extend(faults);
                    annotations
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
                Err(error) => {
                    self.faults.push(Diagnostic::io("read it", &file, &error));
                    Vec::new()
                }
            };
            self.annotations.insert(dir.to_owned(), annotations);
        }
        &self.annotations[dir]
    }
}

/// The first bytes of a file, as text.
fn head(file: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(most).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == most {
        // The last line may have been cut.
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_whole(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(file)?.take(MAX_REUSE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_REUSE {
        return Err(io::Error::other(format!("it has more than {} MiB", MAX_REUSE >> 20)));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A project with files of these names and contents.
    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, contents) in files {
            let file = dir.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, contents).unwrap();
        }
        dir
    }

    fn annotation(path: &str, precedence: &str, license: &str) -> String {
        // REUSE-IgnoreStart
        format!(
            "version = 1\n[[annotations]]\npath = \"{path}\"\nprecedence = \"{precedence}\"\nSPDX-License-Identifier = \"{license}\"\n"
        )
        // REUSE-IgnoreEnd
    }

    fn license(reuse: &mut Reuse, path: &str) -> String {
        reuse.of(path, true).terms.license.unwrap_or_default()
    }

    #[test]
    fn what_is_nearest_to_a_file_counts() {
        // REUSE-IgnoreStart
        let dir = project(&[
            (".git/config", ""),
            ("REUSE.toml", &annotation("game/assets/**", "closest", "CC0-1.0")),
            ("game/Cargo.toml", ""),
            ("game/assets/ui/REUSE.toml", &annotation("*.png", "closest", "CC-BY-4.0")),
            ("game/assets/ui/a.png", "SPDX-License-Identifier: X11"),
            ("game/assets/ui/a.png.license", "SPDX-License-Identifier: MIT\nSPDX-FileCopyrightText: 2020 A"),
            ("game/assets/shader.wgsl", "// SPDX-License-Identifier: Zlib\n"),
        ]);
        // REUSE-IgnoreEnd
        let mut reuse = Reuse::of_directory(&dir.path().join("game/assets"));
        for (path, expected) in [
            ("ui/a.png", "MIT"),
            ("ui/b.png", "CC-BY-4.0"),
            ("ui/b.wav", "CC0-1.0"),
            ("shader.wgsl", "Zlib"),
            ("other/x.png", "CC0-1.0"),
        ] {
            assert_eq!(license(&mut reuse, path), expected, "{path}");
        }
        assert_eq!(reuse.of("ui/a.png", false).terms.copyright, ["2020 A"]);
        assert_eq!(reuse.of("shader.wgsl", false).terms.license.as_deref(), Some("CC0-1.0"));
        assert_eq!(reuse.files_above(), [dunce::canonicalize(dir.path()).unwrap().join("REUSE.toml")]);
        assert_eq!(reuse.take_faults(), []);
    }

    #[test]
    fn a_file_above_can_override_or_add() {
        // REUSE-IgnoreStart
        let own = "SPDX-License-Identifier: MIT";
        let dir =
            project(&[("assets/a.txt", own), ("assets/REUSE.toml", &annotation("a.txt", "aggregate", "CC0-1.0"))]);
        // REUSE-IgnoreEnd
        fs::write(dir.path().join("Cargo.toml"), "").unwrap();
        assert_eq!(license(&mut Reuse::of_directory(&dir.path().join("assets")), "a.txt"), "MIT AND CC0-1.0");
        fs::write(dir.path().join("REUSE.toml"), annotation("assets/*", "override", "Zlib")).unwrap();
        assert_eq!(license(&mut Reuse::of_directory(&dir.path().join("assets")), "a.txt"), "Zlib");
    }

    #[test]
    fn what_cannot_be_read_is_reported_once() {
        let dir =
            project(&[(".git/x", ""), (".reuse/dep5", ""), ("assets/REUSE.toml", "version = 3"), ("assets/a", "")]);
        fs::create_dir(dir.path().join("assets/a.license")).unwrap();
        let mut reuse = Reuse::of_directory(&dir.path().join("assets"));
        assert_eq!((license(&mut reuse, "a"), license(&mut reuse, "b")), (String::new(), String::new()));
        let faults = reuse.take_faults();
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert_eq!(reuse.take_faults(), []);
    }
}
