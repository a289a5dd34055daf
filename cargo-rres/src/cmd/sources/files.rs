//! Files of an assets directory, and how they stand to the list.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rres_engine::{ListedSource, SourceList};
use rres_packs::progress::Progress;

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

/// Returns the path of the file with this asset path.
pub(super) fn file(assets: &Path, path: &str) -> PathBuf {
    path.split('/').fold(assets.to_owned(), |file, name| file.join(name))
}

/// Looks at files of the list, with a bar on terminals.
pub(super) fn standings<'l>(
    assets: &Path,
    list: &'l SourceList,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<(&'l str, ListedSource, Standing)>, Failure> {
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
        standings.push((path.as_str(), *source, standing(&file(assets, path), source)?));
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
