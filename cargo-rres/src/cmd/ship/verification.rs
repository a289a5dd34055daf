//! Loads every asset from what will be shipped, with the reader that the game has.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rres_format::embedded;
use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc, ResourceId};
use rres_packs::check::CheckOptions;
use rres_packs::check::{Report, check};
use rres_packs::{OpenedPack, PackOpener, PackSet, ResourceList};
use rres_runtime::__private::register_unpacked;
use rres_runtime::Store;

use super::staging::{Role, Staging};
use crate::exit::Failure;
use crate::progress_bar::ProgressBar;

/// The assets of a result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loaded {
    /// The assets that load.
    pub(super) asset_count: usize,
    /// The assets of types that only the game has. Their chunks decode, and nobody has made the types from them.
    pub(super) unpacked: usize,
    /// The assets that were not loaded, because they are encrypted and the command has no key.
    pub(super) sealed: usize,
}

impl Loaded {
    fn add(&mut self, other: Self) {
        self.asset_count += other.asset_count;
        self.unpacked += other.unpacked;
        self.sealed += other.sealed;
    }

    fn total(self) -> usize {
        self.asset_count + self.unpacked + self.sealed
    }
}

/// Checks the packs of a result, in files and in programs, and loads all of their assets.
///
/// # Errors
/// [`Failure::Fault`] with all faults.
pub(super) fn verify(staging: &Staging, opener: &PackOpener) -> Result<Loaded, Failure> {
    let dir = staging.dir();
    let files = |role| staging.parts.iter().filter(move |part| part.role == role).map(|part| dir.join(&part.path));
    let mut all = verify_sets(&files(Role::Pack).collect::<Vec<_>>(), opener)?;
    // Several programs can contain the same packs.
    let mut inside = Loaded::default();
    for program in files(Role::Program) {
        let temporary = tempfile::tempdir_in(dir.parent().unwrap_or(&dir));
        let temporary = temporary.map_err(|e| cannot_read(&program, &e))?;
        let packs = take_packs_out(&program, temporary.path()).map_err(|e| cannot_read(&program, &e))?;
        let found = verify_sets(&packs, opener)?;
        if found.total() > inside.total() {
            inside = found;
        }
    }
    all.add(inside);
    Ok(all)
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

/// Checks pack sets, and loads their assets. `files` are all packs of all sets.
fn verify_sets(files: &[PathBuf], opener: &PackOpener) -> Result<Loaded, Failure> {
    let mut sets: Vec<PackSet> = files.iter().map(|file| opener.open_set(file)).collect::<Result<_, _>>()?;
    // An additional pack is checked with the first one of its set.
    let additional: Vec<String> =
        sets.iter().flat_map(|set| set.packs.iter().skip(1)).map(|pack| pack.name()).collect();
    sets.retain(|set| !additional.contains(&set.packs[0].name()));
    let mut assets = Loaded::default();
    let mut faults = Vec::new();
    for set in &sets {
        let bar = ProgressBar::start();
        let reports = check(set, CheckOptions::default(), &bar.meter());
        bar.stop();
        faults.extend(reports.iter().zip(&set.packs).flat_map(|(report, pack)| errors(report, &pack.name())));
        match load(set, opener) {
            Ok(loaded) => assets.add(loaded),
            Err(error) => faults.push(error),
        }
    }
    if faults.is_empty() { Ok(assets) } else { Err(Failure::Fault(faults.join("\n"))) }
}

fn errors(report: &Report, pack: &str) -> Vec<String> {
    report.findings.iter().filter(|finding| finding.is_error()).map(|finding| format!("{pack}: {finding}")).collect()
}

/// Loads every asset of a pack set, except for encrypted ones without a key. Assets of types that only the game has are loaded as
/// their data.
fn load(set: &PackSet, opener: &PackOpener) -> Result<Loaded, String> {
    let open =
        |pack: &OpenedPack| opener.pack_options().open(Path::new(&pack.name())).map_err(|error| error.to_string());
    let sealed: HashSet<ResourceId> = set
        .packs
        .iter()
        .flat_map(|pack| ResourceList::new(pack).resources)
        .filter(|resource| resource.sealed_with().is_some())
        .map(|resource| resource.id)
        .collect();
    let store = Store::from_packs(set.packs.iter().map(open).collect::<Result<Vec<_>, _>>()?);
    set.packs.iter().flat_map(custom_kinds).for_each(|kind| register_unpacked(&store, kind));
    let mut ids = store.folder("").map_err(|error| error.to_string())?;
    ids.retain(|id| !sealed.contains(&id.resource()));
    let unpacked = ids.iter().filter(|id| id.kind() == Some(AssetKind::Custom)).count();
    let asset_count = ids.len() - unpacked;
    let loaded = store.load_group(ids).wait().map_err(|error| error.to_string());
    loaded.map(|_| Loaded { asset_count, unpacked, sealed: sealed.len() })
}

/// Returns the kinds of chunk of the custom assets of a pack.
fn custom_kinds(pack: &OpenedPack) -> BTreeSet<FourCc> {
    let index = pack.view().index();
    let slots = index.iter().flat_map(|index| (0..).take(index.len()).map(move |slot| (index, slot)));
    let kinds = slots.filter_map(|(index, slot)| index.meta(slot).ok()?.get(MetaKey::CUSTOM_KIND));
    kinds.map(|kind| FourCc(kind.to_le_bytes())).collect()
}
