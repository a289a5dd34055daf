//! A folder of packs → the mods in it: which are mounted, in which order, and what is wrong with the others.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use rres_runtime::{AssetKind, MountId, Mounts, Pack, PackOptions, ResourceId, Store, Text, packs_in};
use semver::Version;

use crate::fault::{Fault, FaultKind};
use crate::manifest::{MANIFEST_PATH, MAX_MANIFEST, Manifest, ManifestError, too_long};
use crate::order::order;
use crate::overrides::{Overrides, clash};
use crate::policy::Policy;

/// Reads folders of mods, for one game. See the [crate](crate) for an example.
#[derive(Clone, Debug, Default)]
pub struct ModLoader {
    game: Option<(String, Version)>,
    policy: Policy,
    disabled: BTreeSet<String>,
    options: PackOptions,
}

impl ModLoader {
    /// Creates a loader for the game with this id and version. Mods for other games and versions are left out.
    pub fn new(game: impl Into<String>, version: Version) -> Self {
        Self { game: Some((game.into(), version)), ..Self::default() }
    }

    /// Creates a loader that takes mods of any game and version: for tools.
    pub fn of_any_game() -> Self {
        Self::default()
    }

    /// Returns the same loader with what mods may change. Default: everything.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Returns the same loader with the ids of mods that the player has disabled. How the game stores them is up to the game; ids of mods
    /// that are not in the folder do no harm.
    #[must_use]
    pub fn disabled(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.disabled = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Returns the same loader with options for the packs, such as keys that they must be signed with.
    #[must_use]
    pub fn pack_options(mut self, options: PackOptions) -> Self {
        self.options = options;
        self
    }

    /// Reads the mods in `folder`, which need not exist. `store` has the assets of the game, and no mods yet.
    ///
    /// Nothing is mounted. Everything that is wrong is in [`Mods::faults`]: this never fails.
    ///
    /// The packs are mapped, so a file must not be changed in place while the game runs; replacing it by a rename is fine.
    pub fn read(&self, folder: impl AsRef<Path>, store: &Store) -> Mods {
        let (found, mut faults) = self.find(folder.as_ref());
        let mut mods = Mods { found, order: Vec::new(), faults: Vec::new(), overrides: Overrides::default() };
        let mut left_out = vec![false; mods.found.len()];
        mods.leave_out_duplicates(&mut left_out, &mut faults);
        let game = store.mounts();
        self.check(&mods.found, store, &game, &mut left_out, &mut faults);
        let disabled: BTreeSet<&str> = self.disabled.iter().map(String::as_str).collect();
        for (found, is_out) in mods.found.iter_mut().zip(&mut left_out).filter(|(found, _)| self.is_disabled(found)) {
            found.state = ModState::Disabled;
            *is_out = true;
        }
        mods.order = mods.ordered(&mut left_out, &disabled, &game, &mut faults);
        for (found, is_out) in mods.found.iter_mut().zip(left_out) {
            if is_out && found.state == ModState::Used {
                found.state = ModState::LeftOut;
            }
        }
        faults.sort_by(|a, b| a.file.cmp(&b.file));
        mods.faults = faults;
        mods.overrides = Overrides::of(mods.order().map(|found| (found.manifest.id.as_str(), &found.packs[..])), &game);
        mods
    }

    fn is_disabled(&self, found: &FoundMod) -> bool {
        self.disabled.contains(&found.manifest.id)
    }

    /// Opens every pack in a folder that is a mod.
    fn find(&self, folder: &Path) -> (Vec<FoundMod>, Vec<Fault>) {
        let (mut found, mut faults) = (Vec::new(), Vec::new());
        let files = packs_in(folder).unwrap_or_else(|error| {
            faults.push(Fault { file: folder.to_owned(), id: None, kind: FaultKind::Folder(error) });
            Vec::new()
        });
        // The packs of a set after the first one are not mods of their own.
        let mut additional = HashSet::new();
        for file in &files {
            let count = self.options.open(file).ok().and_then(|pack| Some(pack.view().index()?.additional_packs()));
            // At most as many as there are files: the number may be anything.
            let numbers = (1..=count.unwrap_or(0)).take(files.len());
            additional.extend(numbers.map(|number| file.with_extension(format!("{number}.rres"))));
        }
        for file in files.into_iter().filter(|file| !additional.contains(file)) {
            match self.open(&file) {
                Ok((manifest, packs)) => {
                    found.push(FoundMod { manifest, file, packs, state: ModState::Used });
                }
                Err(kind) => faults.push(Fault { file, id: None, kind }),
            }
        }
        // One after the other by id, whatever their files are called.
        found.sort_by(|a, b| (&a.manifest.id, &a.file).cmp(&(&b.manifest.id, &b.file)));
        (found, faults)
    }

    fn open(&self, file: &Path) -> Result<(Manifest, Vec<Pack>), FaultKind> {
        let packs = self.options.open_set(file).map_err(FaultKind::Unreadable)?;
        packs.iter().try_for_each(Pack::check_index).map_err(FaultKind::Unreadable)?;
        if packs.iter().any(Pack::is_patch) {
            return Err(FaultKind::IsPatch);
        }
        Ok((manifest(&packs)?, packs))
    }

    /// Leaves out mods that are for another game, or change what they may not.
    fn check(&self, found: &[FoundMod], store: &Store, game: &Mounts, left_out: &mut [bool], faults: &mut Vec<Fault>) {
        let policy = self.policy.over(store, game);
        for (found, is_out) in
            found.iter().zip(left_out).filter(|(found, is_out)| !**is_out && !self.is_disabled(found))
        {
            let mut kinds = Vec::new();
            if let Some((id, version)) = &self.game {
                if found.manifest.game != *id {
                    kinds.push(FaultKind::OtherGame { found: found.manifest.game.clone(), expected: id.clone() });
                } else if let Some(expected) = found.manifest.game_version.as_ref().filter(|it| !it.matches(version)) {
                    kinds.push(FaultKind::OtherGameVersion { found: version.clone(), expected: expected.clone() });
                }
            }
            kinds.extend(policy.check(&found.packs).map(FaultKind::Forbidden));
            *is_out = !kinds.is_empty();
            faults.extend(kinds.into_iter().map(|kind| found.fault(kind)));
        }
    }
}

/// Returns the manifest in the packs of a mod.
fn manifest(packs: &[Pack]) -> Result<Manifest, FaultKind> {
    let id = ResourceId::from_path(MANIFEST_PATH);
    let found = packs.iter().find_map(|pack| Some((pack, pack.entries().find(|entry| entry.path == MANIFEST_PATH)?)));
    let (pack, entry) = found.ok_or(FaultKind::NoManifest)?;
    let too_large = entry.base_size > 2 * MAX_MANIFEST;
    if too_large {
        return Err(FaultKind::BadManifest(too_long(entry.base_size.into())));
    }
    // The store mounts no two mods whose manifests are of different kinds.
    if entry.kind == Some(AssetKind::Raw) {
        let problem = "it is stored as bytes; remove `kind = \"raw\"` for it, and pack the mod again".to_owned();
        return Err(FaultKind::BadManifest(ManifestError { problems: vec![problem] }));
    }
    let text = pack.load::<Text>(id).map_err(FaultKind::Unreadable)?;
    Manifest::parse(text.as_str()).map_err(FaultKind::BadManifest)
}

/// What becomes of a mod in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModState {
    /// It is in the load order.
    Used,
    /// The player has disabled it.
    Disabled,
    /// Something is wrong with it; see [`Mods::faults`].
    LeftOut,
}

/// A mod in the folder whose manifest could be read.
#[derive(Debug)]
pub struct FoundMod {
    manifest: Manifest,
    file: PathBuf,
    /// The pack and the additional ones of its set; empty once it is mounted.
    packs: Vec<Pack>,
    state: ModState,
}

impl FoundMod {
    /// Returns what it says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns what becomes of it.
    pub fn state(&self) -> ModState {
        self.state
    }

    fn fault(&self, kind: FaultKind) -> Fault {
        Fault { file: self.file.clone(), id: Some(self.manifest.id.clone()), kind }
    }
}

/// The mods of a folder. Prints the load order and the conflicts, and what is wrong:
///
/// ```text
/// 1. snow 2.0.1
/// 2. winter 1.2.0
/// levels/grass.png: snow, winter; winter wins
/// mods/old.rres: has no mod.toml; put one into the directory of the mod, and pack it again
/// ```
#[derive(Debug)]
pub struct Mods {
    /// Ascending by id.
    found: Vec<FoundMod>,
    order: Vec<usize>,
    faults: Vec<Fault>,
    overrides: Overrides,
}

/// A mod that was mounted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MountedMod {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: Version,
    /// For [`Store::unmount`].
    pub mount: MountId,
}

impl Mods {
    /// Returns every mod whose manifest could be read, ascending by id: for a menu in which players enable and disable them.
    pub fn found(&self) -> &[FoundMod] {
        &self.found
    }

    /// Returns the mods in the order in which they are mounted: the last one wins.
    pub fn order(&self) -> impl ExactSizeIterator<Item = &FoundMod> {
        self.order.iter().map(|at| &self.found[*at])
    }

    /// Returns what is wrong, ordered by file. Each mod in it is left out.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Returns which mods change which assets, and which one wins.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// Mounts the mods over the game, in their order. If the store refuses one, that is another fault, and the mods that need it are left
    /// out. A second call mounts nothing.
    pub fn mount(&mut self, store: &Store) -> Vec<MountedMod> {
        let (mut mounted, mut refused) = (Vec::new(), BTreeSet::new());
        for at in self.order.clone() {
            let found = &mut self.found[at];
            let packs = std::mem::take(&mut found.packs);
            if packs.is_empty() {
                continue;
            }
            let (id, version) = (found.manifest.id.clone(), found.manifest.version.clone());
            let missing = found.manifest.dependencies.keys().find(|id| refused.contains(*id)).cloned();
            let result = match missing {
                Some(id) => Err(FaultKind::DependencyLeftOut { id }),
                None => store.mount_set(packs).map_err(FaultKind::NotMounted),
            };
            match result {
                Ok(mount) => mounted.push(MountedMod { id, version, mount }),
                Err(kind) => {
                    found.state = ModState::LeftOut;
                    self.faults.push(self.found[at].fault(kind));
                    refused.insert(id);
                }
            }
        }
        if !refused.is_empty() {
            let found = &self.found;
            self.order.retain(|at| found[*at].state == ModState::Used);
            self.overrides.leave_out(&refused);
            self.faults.sort_by(|a, b| a.file.cmp(&b.file));
        }
        mounted
    }

    /// Leaves out all mods of an id that several have: which of them the player wants is not known.
    fn leave_out_duplicates(&self, left_out: &mut [bool], faults: &mut Vec<Fault>) {
        let mut by_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        (self.found.iter().enumerate()).for_each(|(at, found)| by_id.entry(&found.manifest.id).or_default().push(at));
        for several in by_id.into_values().filter(|several| several.len() > 1) {
            for at in &several {
                left_out[*at] = true;
                let others = several.iter().filter(|other| *other != at).map(|other| self.found[*other].file.clone());
                faults.push(self.found[*at].fault(FaultKind::DuplicateId { others: others.collect() }));
            }
        }
    }

    /// Orders the mods that are not left out, and leaves out those that cannot be mounted in that order.
    fn ordered(
        &self,
        left_out: &mut [bool],
        disabled: &BTreeSet<&str>,
        game: &Mounts,
        faults: &mut Vec<Fault>,
    ) -> Vec<usize> {
        // Of several mods with an id, all are left out, so it does not matter which of them is found by its id.
        let manifests: Vec<&Manifest> = self.found.iter().map(|found| &found.manifest).collect();
        loop {
            let ordered = order(&manifests, left_out, disabled);
            faults.extend(ordered.faults.into_iter().map(|(at, kind)| self.found[at].fault(kind)));
            let mods = ordered.mods.iter().map(|at| {
                let found = &self.found[*at];
                (*at, found.manifest.id.as_str(), &found.packs[..])
            });
            let Some((at, kind)) = clash(mods, game) else { return ordered.mods };
            left_out[at] = true;
            faults.push(self.found[at].fault(kind));
        }
    }
}

impl fmt::Display for Mods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, found) in self.order().enumerate() {
            writeln!(f, "{}. {} {}", number + 1, found.manifest.id, found.manifest.version)?;
        }
        self.overrides.fmt(f)?;
        self.faults.iter().try_for_each(|fault| writeln!(f, "{fault}"))
    }
}
