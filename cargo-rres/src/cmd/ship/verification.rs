//! Loads every asset from what will be shipped, with the reader that the game has.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rres_format::embedded;
use rres_runtime::{Pack, Store};

use super::staging::{Role, Staging};
use crate::check::{Report, check};
use crate::exit::Failure;
use crate::pack_set::PackSet;
use crate::progress_bar::ProgressBar;

/// Checks the packs of a result, in files and in programs, loads all of their assets, and returns the number of assets.
///
/// # Errors
/// [`Failure::Fault`] with all faults.
pub(super) fn verify(staging: &Staging) -> Result<usize, Failure> {
    let dir = staging.dir();
    let files = |role| staging.parts.iter().filter(move |part| part.role == role).map(|part| dir.join(&part.path));
    let beside = verify_sets(&files(Role::Pack).collect::<Vec<_>>())?;
    // Several programs can contain the same packs.
    let mut inside = 0;
    for program in files(Role::Program) {
        let temporary = tempfile::tempdir_in(dir.parent().unwrap_or(&dir));
        let temporary = temporary.map_err(|e| cannot_read(&program, &e))?;
        let packs = take_packs_out(&program, temporary.path()).map_err(|e| cannot_read(&program, &e))?;
        inside = inside.max(verify_sets(&packs)?);
    }
    Ok(beside + inside)
}

fn cannot_read(file: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot read the packs of {}: {error}", file.display()))
}

/// Copies the packs that are in a program to files in `dir`.
fn take_packs_out(program: &Path, dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut file = File::open(program)?;
    let appended = embedded::appended(&mut file).map_err(io::Error::other)?;
    let linked = embedded::linked(&mut file).map_err(io::Error::other)?;
    let mut packs = Vec::new();
    for pack in appended.into_iter().chain(linked).flat_map(|payload| payload.packs) {
        file.seek(SeekFrom::Start(pack.offset))?;
        let out = dir.join(&pack.name);
        io::copy(&mut (&mut file).take(pack.len), &mut File::create(&out)?)?;
        packs.push(out);
    }
    Ok(packs)
}

/// Checks pack sets, and returns the number of their assets. `files` are all packs of all sets.
fn verify_sets(files: &[PathBuf]) -> Result<usize, Failure> {
    let mut sets: Vec<PackSet> = files.iter().map(|file| PackSet::open(file)).collect::<Result<_, _>>()?;
    // An additional pack is checked with the first one of its set.
    let additional: Vec<String> =
        sets.iter().flat_map(|set| set.packs.iter().skip(1)).map(|pack| pack.name()).collect();
    sets.retain(|set| !additional.contains(&set.packs[0].name()));
    let mut assets = 0;
    let mut faults = Vec::new();
    for set in &sets {
        let bar = ProgressBar::start();
        let reports = check(set, &[], None, &bar.meter());
        bar.stop();
        faults.extend(reports.iter().zip(&set.packs).flat_map(|(report, pack)| errors(report, &pack.name())));
        let files: Vec<PathBuf> = set.packs.iter().map(|pack| PathBuf::from(pack.name())).collect();
        match load(&files) {
            Ok(count) => assets += count,
            Err(error) => faults.push(error),
        }
    }
    if faults.is_empty() { Ok(assets) } else { Err(Failure::Fault(faults.join("\n"))) }
}

fn errors(report: &Report, pack: &str) -> Vec<String> {
    report.findings.iter().filter(|finding| finding.is_error()).map(|finding| format!("{pack}: {finding}")).collect()
}

/// Loads every asset of a pack set, and returns their number.
fn load(files: &[PathBuf]) -> Result<usize, String> {
    let open = |file: &PathBuf| Pack::open(Path::new(file)).map_err(|error| error.to_string());
    let store = Store::from_packs(files.iter().map(open).collect::<Result<Vec<_>, _>>()?);
    let ids = store.folder("");
    let count = ids.len();
    store.load_group(ids).wait().map(|_| count).map_err(|error| error.to_string())
}
