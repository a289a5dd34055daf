//! Mods in their order → which of them has which asset, and which one wins.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use rres_runtime::{AssetInfo, AssetKind, Mounts, Pack, ResourceId};

use crate::fault::FaultKind;
use crate::manifest::MANIFEST_PATH;

/// An asset that mods change or add.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Override {
    /// Its path; empty if the packs do not record paths.
    pub path: String,
    /// Its id.
    pub id: ResourceId,
    /// Its kind; `None` if this version does not know it.
    pub kind: Option<AssetKind>,
    /// Whether the game has it, too.
    pub replaces_game: bool,
    /// The ids of the mods that have it, at least one, in the order in which they are mounted.
    pub mods: Vec<String>,
}

impl Override {
    /// Returns the id of the mod whose asset the game loads: the last one.
    pub fn winner(&self) -> &str {
        self.mods.last().map_or("", String::as_str)
    }
}

/// Which mods change which assets, ascending by path. Prints the assets that several mods have, and the winner of each:
///
/// ```text
/// levels/grass.png: winter, autumn; autumn wins
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    assets: Vec<Override>,
}

impl Overrides {
    /// Returns every asset of the mods, apart from their manifests.
    pub fn assets(&self) -> &[Override] {
        &self.assets
    }

    /// Returns the assets that several mods have.
    pub fn conflicts(&self) -> impl Iterator<Item = &Override> {
        self.assets.iter().filter(|asset| asset.mods.len() > 1)
    }

    /// Collects the assets of mods, in the order in which they are mounted over the game.
    pub(crate) fn of<'a>(mods: impl Iterator<Item = (&'a str, &'a [Pack])>, game: &Mounts) -> Self {
        let mut by_id: BTreeMap<(&str, ResourceId), Override> = BTreeMap::new();
        for (mod_id, packs) in mods {
            for asset in assets(packs) {
                let id = asset.id.resource();
                let entry = by_id.entry((asset.path, id)).or_insert_with(|| Override {
                    path: asset.path.to_owned(),
                    id,
                    kind: asset.kind,
                    replaces_game: game.entry(id).is_some(),
                    mods: Vec::new(),
                });
                entry.mods.push(mod_id.to_owned());
            }
        }
        Self { assets: by_id.into_values().collect() }
    }
}

impl Overrides {
    /// Forgets mods, and the assets that only they have.
    pub(crate) fn leave_out(&mut self, mods: &BTreeSet<String>) {
        self.assets.iter_mut().for_each(|asset| asset.mods.retain(|id| !mods.contains(id)));
        self.assets.retain(|asset| !asset.mods.is_empty());
    }
}

impl fmt::Display for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.conflicts().try_for_each(|asset| {
            let path = if asset.path.is_empty() { asset.id.to_string() } else { asset.path.escape_debug().to_string() };
            writeln!(f, "{path}: {}; {} wins", asset.mods.join(", "), asset.winner())
        })
    }
}

/// Returns the assets of a mod once each, apart from its manifest.
pub(crate) fn assets(packs: &[Pack]) -> impl Iterator<Item = AssetInfo<'_>> {
    let mut seen = HashSet::new();
    let manifest = ResourceId::from_path(MANIFEST_PATH);
    let is_manifest = move |asset: &AssetInfo<'_>| asset.path == MANIFEST_PATH && asset.id.resource() == manifest;
    let assets = packs.iter().flat_map(Pack::entries).filter(move |asset| !is_manifest(asset));
    assets.filter(move |asset| seen.insert(asset.id.resource()))
}

/// Returns the first mod that the store would refuse, because an asset has the id of another one but not its path and kind.
pub(crate) fn clash<'a>(
    mods: impl Iterator<Item = (usize, &'a str, &'a [Pack])>,
    game: &'a Mounts,
) -> Option<(usize, FaultKind)> {
    let mut known: HashMap<ResourceId, (&str, Option<AssetKind>, &str)> = HashMap::new();
    for (at, mod_id, packs) in mods {
        for asset in assets(packs) {
            let id = asset.id.resource();
            let of_game = || game.entry(id).map(|info| (info.path, info.kind, ""));
            let existing = known.get(&id).copied().or_else(of_game);
            let is_same = |(path, kind, _): (&str, Option<AssetKind>, &str)| {
                kind == asset.kind && (path == asset.path || path.is_empty() || asset.path.is_empty())
            };
            if let Some((path, kind, owner)) = existing.filter(|existing| !is_same(*existing)) {
                let owner = if owner.is_empty() { "the game".to_owned() } else { format!("the mod {owner}") };
                let existing = format!("{} of {owner}", described(path, kind));
                return Some((at, FaultKind::Clash { path: described(asset.path, asset.kind), existing }));
            }
            known.insert(id, (asset.path, asset.kind, mod_id));
        }
    }
    None
}

fn described(path: &str, kind: Option<AssetKind>) -> String {
    format!("{path} ({})", kind.map_or_else(|| "unknown kind".to_owned(), |kind| kind.to_string()))
}
