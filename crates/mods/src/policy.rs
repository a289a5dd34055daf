//! What mods may change → the assets of a mod that break it.

use std::collections::{HashMap, HashSet};

use rres_runtime::format::index::MetaKey;
use rres_runtime::{AssetInfo, AssetKind, Mounts, Pack, ResourceId, Store};

use crate::fault::{Forbidden, ForbiddenAsset};
use crate::overrides::assets;

/// What mods may change. The default is everything. A mod that breaks the policy is left out as a whole.
///
/// ```
/// use rres_mods::Policy;
/// use rres_runtime::AssetKind;
///
/// let policy = Policy::default()
///     .only_kinds([AssetKind::Image, AssetKind::Sound]) // looks and sounds, and no rules
///     .protect_group("credits")
///     .protect_folder("ui/logo");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Policy {
    kinds: Option<Vec<AssetKind>>,
    groups: Vec<String>,
    folders: Vec<String>,
    replaces_only: bool,
}

impl Policy {
    /// Lets mods have assets of these kinds only.
    #[must_use]
    pub fn only_kinds(mut self, kinds: impl IntoIterator<Item = AssetKind>) -> Self {
        self.kinds = Some(kinds.into_iter().collect());
        self
    }

    /// Protects the assets of a group, their variants, and what they depend on, such as the atlas of a sprite. A group that the game does not have
    /// protects nothing.
    #[must_use]
    pub fn protect_group(mut self, name: impl Into<String>) -> Self {
        self.groups.push(name.into());
        self
    }

    /// Protects a folder: mods may neither change nor add assets in it, nor change what these depend on.
    #[must_use]
    pub fn protect_folder(mut self, folder: impl AsRef<str>) -> Self {
        self.folders.push(format!("{}/", folder.as_ref().trim_end_matches('/')));
        self
    }

    /// Lets mods replace assets and not add any.
    #[must_use]
    pub fn replace_only(mut self) -> Self {
        self.replaces_only = true;
        self
    }

    /// Returns the policy over the assets of the game.
    pub(crate) fn over<'a>(&'a self, store: &Store, game: &'a Mounts) -> Applied<'a> {
        let groups = self.groups.iter().filter_map(|name| {
            let members = store.group(name).ok()?.ids().collect();
            Some((format!("the group {name} is protected"), Protected::of(store, members)))
        });
        let folders = self.folders.iter().map(|folder| {
            let inside = game.entries().filter(|entry| entry.path.starts_with(folder.as_str()));
            let inside = inside.map(|entry| entry.id.resource()).collect();
            (format!("the folder {folder} is protected"), Protected::of(store, inside))
        });
        Applied { policy: self, game, protected: groups.chain(folders).collect() }
    }
}

/// Assets that mods may not change.
struct Protected {
    assets: HashSet<ResourceId>,
    /// Their variants, and what they depend on: who changes the atlas of a sprite changes the sprite.
    parts: HashSet<ResourceId>,
}

impl Protected {
    fn of(store: &Store, assets: HashSet<ResourceId>) -> Self {
        // From a game whose index is damaged nothing is loaded.
        let parts = store.parts_of(assets.iter().copied()).unwrap_or_else(|_| assets.clone());
        Self { assets, parts }
    }
}

/// A policy over the assets of a game.
pub(crate) struct Applied<'a> {
    policy: &'a Policy,
    game: &'a Mounts,
    /// What is protected, each with the reason that users read.
    protected: Vec<(String, Protected)>,
}

impl Applied<'_> {
    /// Returns which of these assets of a mod break the policy.
    pub(crate) fn check(&self, packs: &[Pack]) -> Option<Forbidden> {
        let bases = bases_of_variants(packs);
        let forbidden = |asset: AssetInfo<'_>| {
            let reason = self.reason(&asset, bases.get(&asset.id.resource()).map_or(&[], Vec::as_slice))?;
            Some(ForbiddenAsset { path: asset.path.to_owned(), reason })
        };
        let mut assets: Vec<ForbiddenAsset> = assets(packs).filter_map(forbidden).collect();
        assets.sort_by(|a, b| a.path.cmp(&b.path));
        (!assets.is_empty()).then_some(Forbidden { assets })
    }

    fn reason(&self, asset: &AssetInfo<'_>, bases: &[ResourceId]) -> Option<String> {
        let id = asset.id.resource();
        let allowed = self.policy.kinds.as_ref();
        if allowed.is_some_and(|kinds| asset.kind.is_none_or(|kind| !kinds.contains(&kind))) {
            let kind = asset.kind.map_or_else(|| "unknown".to_owned(), |kind| kind.to_string());
            return Some(format!("mods may not have assets of the kind {kind}"));
        }
        // A variant takes the place of the asset that it is one of.
        for id in [id].iter().chain(bases).copied() {
            if let Some((reason, _)) = self.protected.iter().find(|(_, protected)| protected.assets.contains(&id)) {
                return Some(reason.clone());
            }
            let of_game = self.game.entry(id).map_or("", |entry| entry.path);
            let is_in = |folder: &&String| [asset.path, of_game].iter().any(|path| path.starts_with(folder.as_str()));
            if let Some(folder) = self.policy.folders.iter().find(is_in) {
                return Some(format!("the folder {folder} is protected"));
            }
            // The game may not have recorded the path.
            if asset.path.is_empty() && of_game.is_empty() && !self.policy.folders.is_empty() {
                return Some("folders are protected, and it has no path".to_owned());
            }
            if let Some((reason, _)) = self.protected.iter().find(|(_, protected)| protected.parts.contains(&id)) {
                return Some(format!("{reason}, and this is a variant or a part of an asset in it"));
            }
        }
        (self.policy.replaces_only && self.game.entry(id).is_none()).then(|| "mods may not add assets".to_owned())
    }
}

/// The assets that variants in these packs are variants of, by the id of the variant. Packs of a set may say different things of one id: each
/// counts.
fn bases_of_variants(packs: &[Pack]) -> HashMap<ResourceId, Vec<ResourceId>> {
    let mut bases: HashMap<_, Vec<_>> = HashMap::new();
    for index in packs.iter().filter_map(|pack| pack.view().index()) {
        for (slot, entry) in (0..).zip(index.entries()) {
            let base = index.meta(slot).ok().and_then(|meta| meta.get(MetaKey::VARIANT_OF));
            if let Some((entry, base)) = entry.ok().zip(base) {
                bases.entry(entry.id).or_default().push(ResourceId(base));
            }
        }
    }
    bases
}

#[cfg(test)]
mod tests {
    use rres_format::chunk::text::TextProps;
    use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
    use rres_runtime::PackOptions;

    use super::*;

    /// A pack with a variant.
    fn variant_of(path: &str) -> Pack {
        let block = TextProps::utf8(2).block(b"99");
        let chunk = StoredChunk::encode(FourCc::TEXT, &block, Compression::NONE, &mut Compressor::default()).unwrap();
        let mut variant = Resource::new("x.txt", vec![chunk]);
        variant.meta.set(MetaKey::VARIANT_OF, ResourceId::from_path(path).0);
        let mut pack = PackBuilder::new();
        pack.push(variant);
        PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()
    }

    #[test]
    fn a_policy_cannot_be_evaded_by_two_packs_that_say_different_things_of_an_asset() {
        let store = Store::from_packs([]);
        let game = store.mounts();
        let policy = Policy::default().protect_group("rules");
        let rules = Protected::of(&store, HashSet::from([ResourceId::from_path("rules/speed.txt")]));
        let applied = Applied { policy: &policy, game: &game, protected: vec![(String::new(), rules)] };
        for order in [["rules/speed.txt", "a.txt"], ["a.txt", "rules/speed.txt"]] {
            assert!(applied.check(&order.map(variant_of)).is_some(), "{order:?}");
        }
        assert!(applied.check(&["a.txt", "b.txt"].map(variant_of)).is_none());
    }
}
