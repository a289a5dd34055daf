//! Files of an assets directory, and how they stand to the list.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rres_engine::{ListedSource, SourceList};
use rres_packs::progress::Progress;
use rres_protocol::files::local_path;

use crate::exit::Failure;
use crate::progress_bar::ProgressBar;

/// How a listed file stands on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is as listed.
    Same,
    Missing,
    /// It has other bytes.
    Changed(ListedSource),
}

/// The files of an assets directory.
#[derive(Debug)]
pub(super) struct Files {
    assets: PathBuf,
    /// Those that exist, by their asset paths. A name may be written in another form of Unicode than the path.
    existing: HashMap<String, PathBuf>,
}

impl Files {
    pub(super) fn of(assets: &Path) -> Self {
        let existing = rres_engine::asset_files(assets).into_iter().map(|of| (of.path, of.file)).collect();
        Self { assets: assets.to_owned(), existing }
    }

    /// The file with this asset path, which need not exist.
    pub(super) fn file(&self, path: &str) -> PathBuf {
        self.existing.get(path).cloned().unwrap_or_else(|| self.assets.join(local_path(path)))
    }

    /// The same, to be written: a link must not lead out of the directory.
    pub(super) fn file_to_write(&self, path: &str) -> Result<PathBuf, Failure> {
        let file = self.file(path);
        let real = |path: &Path| fs::canonicalize(path).ok();
        let parent = file.ancestors().skip(1).find_map(real);
        match (parent, real(&self.assets)) {
            (Some(parent), Some(assets)) if parent.starts_with(&assets) => Ok(file),
            _ => Err(Failure::Fault(format!("{}: a link leads out of the assets directory", file.display()))),
        }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.existing.contains_key(path)
    }
}

/// What a change of a file changes: its length and its time; `None` if there is no file.
pub(super) type Stamp = Option<(u64, Option<SystemTime>)>;

pub(super) fn stamp(file: &Path) -> Stamp {
    fs::metadata(file).ok().map(|metadata| (metadata.len(), metadata.modified().ok()))
}

/// A listed file, as it is on this machine.
pub(super) struct Listed<'l> {
    pub(super) path: &'l str,
    pub(super) source: ListedSource,
    pub(super) standing: Standing,
    /// Of the time before it was looked at.
    pub(super) stamp: Stamp,
}

/// Looks at files of the list, with a bar on terminals.
pub(super) fn standings<'l>(
    files: &Files,
    list: &'l SourceList,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Listed<'l>>, Failure> {
    let wanted: Vec<_> = list.files.iter().filter(|(path, _)| is_wanted(path)).collect();
    let bar = ProgressBar::start();
    let meter = bar.meter();
    let bytes = wanted.iter().map(|(_, source)| source.size).sum();
    meter.set(Progress { noun: "files", count: wanted.len(), bytes, ..Progress::default() });
    let mut standings = Vec::with_capacity(wanted.len());
    let mut done = None;
    for (path, source) in wanted {
        meter.next(done, path);
        done = Some(source.size);
        let file = files.file(path);
        let stamp = stamp(&file);
        standings.push(Listed { path, source: *source, standing: standing(&file, source)?, stamp });
    }
    bar.stop();
    Ok(standings)
}

fn standing(file: &Path, source: &ListedSource) -> Result<Standing, Failure> {
    match hash(file) {
        Ok(found) if found == *source => Ok(Standing::Same),
        Ok(found) => Ok(Standing::Changed(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Standing::Missing),
        Err(error) => Err(unreadable(file, &error)),
    }
}

/// The hash and the size of a file.
pub(super) fn hash(file: &Path) -> io::Result<ListedSource> {
    let open = File::open(file)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(&open)?;
    Ok(ListedSource { hash: *hasher.finalize().as_bytes(), size: hasher.count() })
}

pub(super) fn unreadable(file: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot read {}: {error}", file.display()))
}

/// Returns the asset paths of the files that the user has named: files, and folders with all below them.
pub(super) fn named(assets: &Path, names: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let real = |path: &Path| fs::canonicalize(path);
    let dir = real(assets).map_err(|e| unreadable(assets, &e))?;
    let mut wanted = Vec::new();
    for name in names {
        // A path below the assets directory, or one below the current directory.
        let found = real(&assets.join(name)).or_else(|_| real(name)).map_err(|e| unreadable(name, &e))?;
        if !found.starts_with(&dir) {
            let text = format!("{} is not in the assets directory {}", name.display(), assets.display());
            return Err(Failure::Usage(text));
        }
        wanted.push(found);
    }
    let files = rres_engine::asset_files(&dir);
    let is_named = |file: &Path| wanted.iter().any(|wanted| file.starts_with(wanted));
    let paths: Vec<String> = files.into_iter().filter(|of| is_named(&of.file)).map(|of| of.path).collect();
    match names.first() {
        Some(first) if paths.is_empty() => {
            Err(Failure::Usage(format!("{}: no file that can be an asset", first.display())))
        }
        _ => Ok(paths),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_does_not_lead_out() {
        let dir = tempfile::tempdir().unwrap();
        let assets = dir.path().join("assets");
        fs::create_dir_all(assets.join("levels")).unwrap();
        fs::create_dir(dir.path().join("secrets")).unwrap();
        std::os::unix::fs::symlink("../secrets", assets.join("out")).unwrap();
        std::os::unix::fs::symlink("levels", assets.join("in")).unwrap();
        let files = Files::of(&assets);
        for (path, is_good) in
            [("levels/a", true), ("new/folder/a", true), ("in/a", true), ("out/a", false), ("out/b/c", false)]
        {
            assert_eq!(files.file_to_write(path).is_ok(), is_good, "{path}");
        }
    }
}
