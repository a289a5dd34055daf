//! Options → which of the mounted assets a fingerprint covers.

use std::borrow::Cow;
use std::fmt;

use rres_format::AssetKind;

use crate::error::Result;
use crate::mounts::Mounts;
use crate::source::AssetInfo;
use crate::store::Store;

/// Which assets a fingerprint covers: all, those of a group, of some kinds, those that mods bring, or any that the program chooses. Options
/// add up: an asset is covered if each of them covers it.
///
/// Both sides must ask for the same coverage.
///
/// ```
/// use rres_runtime::AssetKind;
/// use rres_runtime::fingerprint::Coverage;
///
/// // What decides the course of a match, and not how it looks and sounds.
/// let rules = Coverage::all().kinds([AssetKind::Text, AssetKind::Raw, AssetKind::Custom]);
/// let level = Coverage::all().group("level_1");
/// let data = Coverage::all().matching(|asset| asset.path.starts_with("data/"));
/// let mods = Coverage::mods();
/// ```
#[derive(Default)]
pub struct Coverage<'a> {
    mods_only: bool,
    group: Option<Cow<'a, str>>,
    kinds: Option<Vec<AssetKind>>,
    matching: Vec<Predicate<'a>>,
}

type Predicate<'a> = Box<dyn Fn(&AssetInfo<'_>) -> bool + 'a>;

impl<'a> Coverage<'a> {
    /// Covers every mounted asset: of assets with the same id, the one that the store would load.
    pub fn all() -> Self {
        Self::default()
    }

    /// Covers the assets that the store would load from a pack that is mounted over the game's own ones and their patches, such as a mod.
    pub fn mods() -> Self {
        Self { mods_only: true, ..Self::default() }
    }

    /// Covers only the assets of this group, their variants in all languages, and the assets that they need, such as the images of a model. For a group of the generated
    /// module: `assets::groups::LEVEL_1.name()`.
    #[must_use]
    pub fn group(mut self, name: impl Into<Cow<'a, str>>) -> Self {
        self.group = Some(name.into());
        self
    }

    /// Covers only assets of these kinds.
    #[must_use]
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = AssetKind>) -> Self {
        self.kinds = Some(kinds.into_iter().collect());
        self
    }

    /// Covers only assets for which `matches` is true. It must not depend on [`AssetInfo::stored_size`], which differs
    /// between packs of the same assets.
    #[must_use]
    pub fn matching(mut self, matches: impl Fn(&AssetInfo<'_>) -> bool + 'a) -> Self {
        self.matching.push(Box::new(matches));
        self
    }

    /// Returns the assets that are covered.
    ///
    /// # Errors
    /// If no group has the name.
    pub(super) fn of<'m>(&self, store: &Store, mounts: &'m Mounts) -> Result<Vec<AssetInfo<'m>>> {
        let members = self.group.as_ref().map(|name| store.parts_of(store.group(name)?.ids())).transpose()?;
        let covers = |asset: &AssetInfo<'_>| {
            let id = asset.id.resource();
            members.as_ref().is_none_or(|members| members.contains(&id))
                && self.kinds.as_ref().is_none_or(|kinds| asset.kind.is_some_and(|kind| kinds.contains(&kind)))
                && (!self.mods_only || mounts.is_from_overlay(id))
                && self.matching.iter().all(|matches| matches(asset))
        };
        Ok(mounts.entries().filter(covers).collect())
    }
}

impl fmt::Debug for Coverage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coverage")
            .field("mods_only", &self.mods_only)
            .field("group", &self.group)
            .field("kinds", &self.kinds)
            .field("matching", &self.matching.len())
            .finish()
    }
}
