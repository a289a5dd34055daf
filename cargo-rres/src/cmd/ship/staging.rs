//! The results of a run, which appear in the output directory together or not at all.
//!
//! Everything is written to a temporary directory inside the output directory, and renamed at the end. A record beside the
//! result lists what was written, `.NAME.ship`. The next run only replaces what still is as the record says, so files that the
//! user has put there, such as saved games, are never lost.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::archive::{self, Entry, Kind};
use crate::exit::Failure;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Program,
    Pack,
    /// A file that a link asset leads to.
    Linked,
    Licence,
    /// The bill of materials.
    Sbom,
    /// The description of a bundle.
    Bundle,
    /// The page that starts a program in a browser, and its scripts.
    Page,
    /// A compressed copy of another file, for web servers.
    Compressed,
    /// A file that the user has asked for.
    Included,
}

impl Role {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Pack => "pack",
            Self::Linked => "linked",
            Self::Licence => "licence",
            Self::Sbom => "sbom",
            Self::Bundle => "bundle",
            Self::Page => "page",
            Self::Compressed => "compressed",
            Self::Included => "included",
        }
    }
}

/// A file of the result.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its path in the result, `/`-separated.
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) role: Role,
    /// What it contains, for people.
    pub(super) contents: String,
    /// Whether it is a program, or a file that its owner may execute.
    is_executable: bool,
}

/// A result that is not in place yet. Dropping the value removes it.
#[derive(Debug)]
pub(super) struct Staging {
    /// The output directory.
    out: PathBuf,
    /// The name of the result in it.
    name: String,
    /// Locked as long as the result is not in place; closed before the directory that it is in is removed.
    _lock: fs::File,
    temporary: TempDir,
    pub(super) parts: Vec<Part>,
    /// The file names of the archives.
    archives: Vec<String>,
}

/// A result is made in a directory whose name starts with this.
const PREFIX: &str = ".ship-";

/// The file in that directory that is locked by the run that makes it.
const LOCK: &str = ".lock";

/// Removes the directories of runs that were killed. What cannot be removed stays.
fn remove_abandoned(out: &Path) {
    for entry in fs::read_dir(out).into_iter().flatten().flatten() {
        let is_own = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let lock = fs::File::open(entry.path().join(LOCK)).ok().filter(|_| is_own);
        if lock.is_some_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Staging {
    /// Starts a result, if the user has no files in its place.
    pub(super) fn start(out: &Path, name: &str) -> Result<Self, Failure> {
        check_owned(out, name, &[])?;
        let failed = |e: io::Error| Failure::Usage(format!("cannot create {}: {e}", out.display()));
        if !out.exists() {
            fs::create_dir_all(out).map_err(failed)?;
            // As Cargo does it for its own results, so that nobody commits a game by accident.
            fs::write(out.join(".gitignore"), "*\n").map_err(failed)?;
        }
        remove_abandoned(out);
        let temporary = tempfile::Builder::new().prefix(PREFIX).tempdir_in(out).map_err(failed)?;
        let lock = fs::File::create(temporary.path().join(LOCK)).map_err(failed)?;
        // If the file system locks nothing, abandoned directories stay.
        let _ = lock.try_lock();
        fs::create_dir(temporary.path().join(name)).map_err(failed)?;
        let (out, name) = (out.to_owned(), name.to_owned());
        Ok(Self { out, name, temporary, _lock: lock, parts: Vec::new(), archives: Vec::new() })
    }

    /// Returns the directory with the files so far.
    pub(super) fn dir(&self) -> PathBuf {
        self.temporary.path().join(&self.name)
    }

    /// Returns the place of the file `path` of the result, for [`Self::add_written`].
    pub(super) fn place(&self, path: &str) -> Result<PathBuf, Failure> {
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) || path.is_empty() {
            return Err(Failure::Usage(format!("{path} would be a file outside of {}", self.name)));
        }
        let file = self.dir().join(path);
        // Two names that differ in case are one file on Windows and macOS.
        if self.parts.iter().any(|part| part.path.to_lowercase() == path.to_lowercase()) {
            let text = format!("two files of {} would be called {path}; rename one of them", self.name);
            return Err(Failure::Usage(text));
        }
        let parent = file.parent().unwrap_or(&file);
        fs::create_dir_all(parent).map_err(|e| cannot("create", parent, &e))?;
        Ok(file)
    }

    /// Adds the file at [`Self::place`].
    pub(super) fn add_written(&mut self, path: &str, role: Role, contents: String) -> Result<(), Failure> {
        self.add_file(path, role, contents, role == Role::Program)
    }

    fn add_file(&mut self, path: &str, role: Role, contents: String, is_executable: bool) -> Result<(), Failure> {
        let file = self.dir().join(path);
        let set = set_mode(&file, is_executable).and_then(|()| Ok(fs::metadata(&file)?.len()));
        let size = set.map_err(|e| cannot("write", &file, &e))?;
        self.parts.push(Part { path: path.to_owned(), size, role, contents, is_executable });
        Ok(())
    }

    /// Adds a copy of a file.
    pub(super) fn add_copy(&mut self, path: &str, from: &Path, role: Role, contents: String) -> Result<(), Failure> {
        let place = self.place(path)?;
        // Only the bytes: a source that nobody may write would make a copy that the next run could not replace.
        let copied = fs::File::open(from).and_then(|mut from| {
            io::copy(&mut from, &mut fs::File::create(&place)?)?;
            from.metadata()
        });
        let metadata = copied.map_err(|e| cannot("copy", from, &e))?;
        // Packs and licences may lie on a disk where every file may be executed.
        let may_execute = matches!(role, Role::Included | Role::Linked) && is_executable(&metadata);
        self.add_file(path, role, contents, role == Role::Program || may_execute)
    }

    /// Adds a file with these contents.
    pub(super) fn add_text(&mut self, path: &str, text: &str, role: Role, contents: String) -> Result<(), Failure> {
        self.add_bytes(path, text.as_bytes(), role, contents)
    }

    /// Adds a file with these bytes.
    pub(super) fn add_bytes(&mut self, path: &str, bytes: &[u8], role: Role, contents: String) -> Result<(), Failure> {
        let place = self.place(path)?;
        fs::write(&place, bytes).map_err(|e| cannot("write", &place, &e))?;
        self.add_written(path, role, contents)
    }

    /// Renames the file with this number.
    pub(super) fn rename(&mut self, at: usize, path: &str) -> Result<(), Failure> {
        let (from, to) = (self.dir().join(&self.parts[at].path), self.place(path)?);
        fs::rename(&from, &to).map_err(|e| cannot("rename", &from, &e))?;
        // Directories that have become empty.
        let top = self.dir();
        let above = from.ancestors().skip(1).take_while(|dir| *dir != top);
        above.take_while(|dir| fs::remove_dir(dir).is_ok()).for_each(drop);
        path.clone_into(&mut self.parts[at].path);
        Ok(())
    }

    /// Makes an archive of the files so far, `stem` with the extension of its kind. They are in a directory, unless the archive is for a
    /// web server: sites such as itch.io look for `index.html` at the top, and compress files themselves.
    pub(super) fn add_archive(&mut self, kind: Kind, stem: &str, time: u64) -> Result<(), Failure> {
        let name = format!("{stem}.{}", kind.extension());
        check_owned(&self.out, &self.name, std::slice::from_ref(&name))?;
        let is_for_web = self.parts.iter().any(|part| part.role == Role::Page);
        let mut entries: Vec<Entry> = self
            .parts
            .iter()
            .filter(|part| part.role != Role::Compressed)
            .map(|part| Entry {
                name: if is_for_web { part.path.clone() } else { format!("{}/{}", self.name, part.path) },
                file: self.dir().join(&part.path),
                is_executable: part.is_executable,
            })
            .collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let file = self.temporary.path().join(&name);
        archive::write(kind, &file, &entries, time).map_err(|e| cannot("write", &self.out.join(&name), &e))?;
        self.archives.push(name);
        Ok(())
    }

    /// Puts everything in place. Archives with the name `stem` of an earlier run are removed, because they contain something
    /// else. Returns the archives with their sizes, and those that were removed.
    pub(super) fn commit(self, stem: &str) -> Result<Committed, Failure> {
        let Self { out, name, temporary, archives, .. } = &self;
        let old: Vec<String> = [Kind::Zip, Kind::Tar].map(|kind| format!("{stem}.{}", kind.extension())).into();
        check_owned(out, name, &old)?;
        let earlier = Record::read(out, name);
        let old = old.into_iter().filter(|file| earlier.files.iter().any(|known| known.path == *file));
        let mut record = Record::default();
        let mut names = vec![name.clone()];
        names.extend(archives.iter().cloned());
        names.iter().try_for_each(|name| record.add(temporary.path(), name))?;
        let record_name = record_name(name);
        let record_file = temporary.path().join(&record_name);
        fs::write(&record_file, record.text()).map_err(|e| cannot("write", &record_file, &e))?;
        names.push(record_name);
        let mut replacement = Replacement { out, temporary: temporary.path(), moved: Vec::new() };
        let removed = old.filter(|file| !archives.contains(file)).collect::<Vec<_>>();
        let result = removed
            .iter()
            .try_for_each(|name| replacement.take_away(name))
            .and_then(|()| names.iter().try_for_each(|name| replacement.put(name)));
        if let Err((file, error)) = result {
            replacement.undo();
            return Err(cannot("replace", &file, &error));
        }
        let size = |name: &String| {
            let file = out.join(name);
            let size = fs::metadata(&file).map(|metadata| metadata.len()).unwrap_or_default();
            (file, size)
        };
        Ok(Committed {
            archives: archives.iter().map(size).collect(),
            removed: removed.iter().map(|name| out.join(name)).collect(),
        })
    }
}

/// What is in place.
pub(super) struct Committed {
    /// The archives with their sizes.
    pub(super) archives: Vec<(PathBuf, u64)>,
    /// Archives of an earlier run that no longer exist.
    pub(super) removed: Vec<PathBuf>,
}

/// Renames of the commit, which can be undone.
struct Replacement<'a> {
    out: &'a Path,
    temporary: &'a Path,
    /// The names that were moved, and whether it was into the output directory.
    moved: Vec<(String, bool)>,
}

impl Replacement<'_> {
    fn old(&self, name: &str) -> PathBuf {
        self.temporary.join(format!("old {name}"))
    }

    /// Moves a name out of the output directory, if it exists.
    fn take_away(&mut self, name: &str) -> Result<(), (PathBuf, io::Error)> {
        let place = self.out.join(name);
        if place.symlink_metadata().is_ok() {
            fs::rename(&place, self.old(name)).map_err(|e| (place, e))?;
            self.moved.push((name.to_owned(), false));
        }
        Ok(())
    }

    fn put(&mut self, name: &str) -> Result<(), (PathBuf, io::Error)> {
        self.take_away(name)?;
        let place = self.out.join(name);
        fs::rename(self.temporary.join(name), &place).map_err(|e| (place, e))?;
        self.moved.push((name.to_owned(), true));
        Ok(())
    }

    /// If a rename back fails, what it would move stays in the temporary directory and is lost, which ends with an error anyway.
    fn undo(&self) {
        for (name, is_put) in self.moved.iter().rev() {
            let (from, to) = match is_put {
                true => (self.out.join(name), self.temporary.join(name)),
                false => (self.old(name), self.out.join(name)),
            };
            let _ = fs::rename(from, to);
        }
    }
}

/// The files that a run has written.
#[derive(Debug, Default)]
struct Record {
    files: Vec<RecordedFile>,
}

#[derive(Debug, PartialEq, Eq)]
struct RecordedFile {
    /// The path in the output directory, `/`-separated.
    path: String,
    blake3: String,
}

fn record_name(name: &str) -> String {
    format!(".{name}.ship")
}

impl Record {
    fn read(out: &Path, name: &str) -> Self {
        let text = fs::read(out.join(record_name(name))).unwrap_or_default();
        let value: Value = serde_json::from_slice(&text).unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let file = |file: &Value| Some(RecordedFile { path: text(&file["path"])?, blake3: text(&file["blake3"])? });
        Self { files: value["files"].as_array().into_iter().flatten().filter_map(file).collect() }
    }

    fn text(&self) -> String {
        let files = self.files.iter().map(|file| json!({ "path": file.path, "blake3": file.blake3 }));
        let value = json!({
            "what": "files that `cargo rres ship` has written and may replace",
            "files": files.collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }

    /// Adds a file, or every file in a directory.
    fn add(&mut self, dir: &Path, name: &str) -> Result<(), Failure> {
        for path in files_below(dir, name).map_err(|e| cannot("read", &dir.join(name), &e))? {
            let file = dir.join(&path);
            let blake3 = hash(&file).map_err(|e| cannot("read", &file, &e))?;
            self.files.push(RecordedFile { path, blake3 });
        }
        Ok(())
    }
}

/// Checks that an earlier run has written the files with the names `name` and `others` in the output directory.
fn check_owned(out: &Path, name: &str, others: &[String]) -> Result<(), Failure> {
    let record = Record::read(out, name);
    for top in std::iter::once(name).chain(others.iter().map(String::as_str)) {
        if out.join(top).symlink_metadata().is_err() {
            continue;
        }
        for path in files_below(out, top).map_err(|e| cannot("read", &out.join(top), &e))? {
            let file = out.join(&path);
            let is_known = || record.files.iter().find(|known| known.path == path);
            if file.is_symlink() || !is_known().is_some_and(|known| hash(&file).is_ok_and(|hash| hash == known.blake3))
            {
                let why = if is_known().is_some() { "was changed since" } else { "was not written by" };
                return Err(Failure::Usage(format!(
                    "{} {why} `cargo rres ship`, so {} is not replaced; move it away, or choose another --out or --name",
                    file.display(),
                    out.join(top).display()
                )));
            }
        }
    }
    Ok(())
}

/// Returns the paths of a file, or of all files in a directory, relative to `dir`, sorted. Links are not followed.
pub(super) fn files_below(dir: &Path, name: &str) -> io::Result<Vec<String>> {
    if !dir.join(name).symlink_metadata()?.is_dir() {
        return Ok(vec![name.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(dir.join(name))? {
        files.extend(files_below(dir, &format!("{name}/{}", entry?.file_name().to_string_lossy()))?);
    }
    files.sort();
    Ok(files)
}

fn hash(file: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut fs::File::open(file)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Whether the owner of a file may execute it.
#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    false
}

/// Gives a file the permissions that it has on every machine: for everyone to read, and to execute if it is a program.
#[cfg(unix)]
fn set_mode(file: &Path, is_executable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(if is_executable { 0o755 } else { 0o644 }))
}

#[cfg(not(unix))]
fn set_mode(_file: &Path, _is_executable: bool) -> io::Result<()> {
    Ok(())
}

fn cannot(what: &str, file: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot {what} {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_has_left_is_removed_and_what_another_run_makes_is_not() {
        let out = tempfile::tempdir().unwrap();
        for name in [".ship-killed", ".ship-runs", ".shipping"] {
            fs::create_dir(out.path().join(name)).unwrap();
            fs::write(out.path().join(name).join(LOCK), "").unwrap();
        }
        let lock = fs::File::open(out.path().join(".ship-runs").join(LOCK)).unwrap();
        lock.lock().unwrap();
        remove_abandoned(out.path());
        let exists = [".ship-killed", ".ship-runs", ".shipping"].map(|name| out.path().join(name).exists());
        assert_eq!(exists, [false, true, true]);
    }

    fn ship(out: &Path, text: &str, archives: &[Kind]) -> Result<Committed, Failure> {
        let mut staging = Staging::start(out, "game")?;
        staging.add_text("sub/a.txt", text, Role::Included, String::new())?;
        archives.iter().try_for_each(|kind| staging.add_archive(*kind, "game-1", 315_532_800))?;
        staging.commit("game-1")
    }

    fn names(out: &Path) -> Vec<String> {
        let names = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn results_replace_earlier_ones_and_leave_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("dist");
        let first = ship(&out, "one", &[Kind::Zip, Kind::Tar]).unwrap();
        assert_eq!((first.archives.len(), first.removed.len()), (2, 0));
        assert_eq!(names(&out), [".game.ship", ".gitignore", "game", "game-1.tar.gz", "game-1.zip"]);
        assert_eq!(ship(&out, "two", &[Kind::Tar]).unwrap().removed, [out.join("game-1.zip")]);
        assert_eq!(fs::read_to_string(out.join("game/sub/a.txt")).unwrap(), "two");
        assert_eq!(
            names(&out),
            [".game.ship", ".gitignore", "game", "game-1.tar.gz"],
            "the archive would be an old one"
        );
    }

    #[test]
    fn files_of_the_user_are_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("dist");
        ship(&out, "one", &[Kind::Zip]).unwrap();
        let refused = |file: &str, text: &str| {
            let file = out.join(file);
            let before = fs::read(&file).ok();
            fs::write(&file, text).unwrap();
            let error = ship(&out, "two", &[Kind::Zip]).err().unwrap();
            assert!(matches!(&error, Failure::Usage(text) if text.contains(&file.display().to_string())), "{error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert_eq!(names(&out), [".game.ship", ".gitignore", "game", "game-1.zip"]);
            match before {
                Some(before) => fs::write(&file, before).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
        };
        refused("game/save.dat", "mine");
        refused("game/sub/a.txt", "edited");
        refused("game-1.zip", "mine");
        ship(&out, "two", &[Kind::Zip]).unwrap();
        fs::remove_file(out.join(".game.ship")).unwrap();
        assert!(ship(&out, "three", &[]).is_err());
    }
}
