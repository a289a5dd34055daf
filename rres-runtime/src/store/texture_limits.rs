//! How large the textures are that the store loads: limits for all, for groups, and by a budget of video memory.
//!
//! A limit leaves out the largest levels of images; a new limit gives loaded images new values, as a reload does.

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use rres_format::index::{ColorSpace, ImageShape, MetaKey};
use rres_format::{AssetKind, ResourceId};
use rres_protocol::packed_id::Slot;

use super::Store;
use super::change::{Changes, drop_later};
use super::fetching::with_dependencies;
use super::refresh::settled;
use super::renewal::renew;
use super::texture_fit::{Picture, Texture, TextureFit};
use crate::asset::Image;
use crate::error::{Error, ErrorKind, Result};
use crate::group::AssetList;
use crate::handle::{Choice, Key};
use crate::id::AnyId;
use crate::mounts::Mounts;

/// The limits of a store, in pixels of the longest edge.
#[derive(Default)]
pub(super) struct TextureLimits {
    limits: RwLock<Arc<Limits>>,
    /// The images that sprites are parts of, in the packs that were mounted when they were asked for. Positions in them are in pixels.
    pages: RwLock<Option<Pages>>,
}

/// The images that sprites are parts of, and the packs that these are in.
type Pages = (Weak<Mounts>, Arc<HashSet<ResourceId>>);

#[derive(Clone, Default)]
struct Limits {
    all: Option<u32>,
    /// For the assets of groups, instead of `all`; `None` for no limit.
    of: HashMap<ResourceId, Option<u32>>,
    /// By a budget: a lower limit than the others.
    fitted: HashMap<ResourceId, u32>,
}

impl Limits {
    fn is_empty(&self) -> bool {
        self.all.is_none() && self.of.is_empty() && self.fitted.is_empty()
    }

    /// The limit that was set for an asset, whatever the budget.
    fn chosen(&self, id: ResourceId) -> Option<u32> {
        self.of.get(&id).copied().unwrap_or(self.all)
    }

    fn of(&self, id: ResourceId) -> Option<u32> {
        self.chosen(id).into_iter().chain(self.fitted.get(&id).copied()).min()
    }
}

impl Store {
    /// Limits textures to this many pixels at their longest edge, such as by a setting of the player: of images with mip levels, the levels above the limit are neither
    /// decoded nor in memory. Loaded images get new values, with the events of a reload, so adapters of engines upload them again. `None` ends the
    /// limit, and more levels are loaded. Returns how many loaded assets have a new value. Packs that are read in parts are as for [`Self::set_locale`].
    ///
    /// What a limit does not apply to stays whole: images without mip levels, images with [frames](Image::frames), the pages of atlases, and fonts. Blocks stay
    /// whole blocks: of an image whose edges are multiples of the block's, so are the edges of the first level that is loaded.
    ///
    /// ```
    /// use rres_runtime::{Result, Store};
    ///
    /// fn set_quality(store: &Store, is_high: bool) -> Result<()> {
    ///     store.set_texture_limit(if is_high { None } else { Some(1024) })?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::MountWhileLoading`] within [`crate::FromAsset::from_asset`]. Nothing changes then.
    pub fn set_texture_limit(&self, edge: impl Into<Option<u32>>) -> Result<usize> {
        let edge = edge.into();
        self.change_limits(|limits| limits.all = edge)
    }

    /// Limits the textures of a group and what its members need, instead of the limit of the store. `None` ends that: the limit of the store applies
    /// again. [`u32::MAX`] loads them whole. An asset of several groups has the limit that was set last.
    ///
    /// ```
    /// use rres_runtime::{Group, Result, Store};
    ///
    /// fn set_quality(store: &Store, characters: Group) -> Result<()> {
    ///     store.set_texture_limit(512)?;
    ///     store.set_texture_limit_for(characters, 2048)?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Self::set_texture_limit`].
    pub fn set_texture_limit_for<G>(
        &self,
        assets: impl Into<AssetList<G>>,
        edge: impl Into<Option<u32>>,
    ) -> Result<usize> {
        let (ids, edge) = (self.textures(&assets.into()), edge.into());
        self.change_limits(|limits| {
            for id in ids {
                match edge {
                    Some(edge) => drop(limits.of.insert(id, Some(edge))),
                    None => drop(limits.of.remove(&id)),
                }
            }
        })
    }

    /// Returns the longest edge of the textures of an asset, by its own limit and a budget; `None` if there is no limit.
    pub fn texture_limit(&self, id: impl Into<AnyId>) -> Option<u32> {
        self.shared.texture_limits.get().of(id.into().resource())
    }

    /// Fits textures into a budget of video memory: the images of a group and of what its members need, whether they are loaded or not. As long as they take more than `bytes`,
    /// the largest of them loses its largest level; of equal ones, that with the smallest id. Images without further levels stay as they are, and so do vertices, which
    /// do not count. Of variants, those count that the store loads now: after another language, another density or a pack that is mounted, call this again. The result
    /// does not depend on what is loaded, and a second call starts anew: with more bytes, levels come back.
    ///
    /// [`Image::video_memory`] is the size of an image. For all assets of a game, list [`crate::Mounts::entries`]. Images of a pack that arrives in parts have to be
    /// here: fetch the group before.
    ///
    /// ```
    /// use rres_runtime::{Group, Result, Store};
    ///
    /// fn enter(store: &Store, level: Group) -> Result<()> {
    ///     let fit = store.fit_textures(level, 256 << 20)?;
    ///     println!("{fit}"); // 61.2 MB of 268.4 MB of video memory
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Self::set_texture_limit`], and if the start of an image cannot be read: [`ErrorKind::NotHere`] in a browser, if it has not been fetched.
    pub fn fit_textures<G>(&self, assets: impl Into<AssetList<G>>, bytes: u64) -> Result<TextureFit> {
        let ids = self.textures(&assets.into());
        let limits = self.shared.texture_limits.get();
        let (mounts, selection) = (self.mounts(), self.selection());
        let mut textures = Vec::with_capacity(ids.len());
        for id in &ids {
            let picture = self.picture(&mounts, *id, selection.of(*id))?;
            textures.extend(picture.map(|picture| Texture::new(*id, picture, limits.chosen(*id))));
        }
        let before = textures.iter().map(Texture::bytes).fold(0, u64::saturating_add);
        let mut after = before;
        let mut by_size: BinaryHeap<_> = textures
            .iter()
            .enumerate()
            .map(|(at, texture)| (texture.bytes(), std::cmp::Reverse(texture.id.0), at))
            .collect();
        while after > bytes
            && let Some((size, id, at)) = by_size.pop()
        {
            let texture = &mut textures[at];
            if texture.lower() {
                after -= size - texture.bytes();
                by_size.push((texture.bytes(), id, at));
            }
        }
        let lowered: Vec<&Texture> = textures.iter().filter(|texture| texture.is_lowered()).collect();
        let renewed = self.change_limits(|limits| {
            limits.fitted.retain(|id, _| ids.binary_search_by_key(&id.0, |id| id.0).is_err());
            limits.fitted.extend(lowered.iter().map(|texture| (texture.id, texture.edge())));
        })?;
        let mut lowered: Vec<_> = lowered.iter().map(|texture| texture.report(&mounts)).collect();
        lowered.sort_by(|a, b| (b.before - b.after).cmp(&(a.before - a.after)).then_with(|| a.path.cmp(&b.path)));
        Ok(TextureFit { budget: bytes, before, after, lowered, renewed })
    }

    /// The limit for an asset that is loaded now.
    pub(super) fn limit_of(&self, mounts: &Arc<Mounts>, id: ResourceId) -> Option<u32> {
        let limits = self.shared.texture_limits.get();
        let edge = if limits.is_empty() { None } else { limits.of(asset_of(mounts, id)) };
        edge.filter(|_| !self.shared.texture_limits.pages(mounts).contains(&id))
    }

    /// The images of a list and of what its assets need, ascending.
    fn textures<G>(&self, assets: &AssetList<G>) -> Vec<ResourceId> {
        let (mounts, selection) = (self.mounts(), self.selection());
        let mut ids = HashSet::new();
        for id in assets.ids() {
            for (id, source, slot) in with_dependencies(&mounts, &selection, id, Choice::Preferred) {
                if source.index().entry(slot).is_ok_and(|entry| entry.kind == Some(AssetKind::Image)) {
                    ids.insert(asset_of(&mounts, id));
                }
            }
        }
        let mut ids: Vec<_> = ids.into_iter().collect();
        ids.sort_unstable_by_key(|id| id.0);
        ids
    }

    /// What limits depend on of an asset of which the store loads the resource `loaded`; `None` if there is no such image any more.
    fn picture(&self, mounts: &Arc<Mounts>, asset: ResourceId, loaded: ResourceId) -> Result<Option<Picture>> {
        let Some((source, slot)) = mounts.locate(loaded, Slot(0)) else { return Ok(None) };
        let Some(props) = source.image_props(slot)? else { return Ok(None) };
        props.data_size()?;
        let (entry, meta) = (source.index().entry(slot)?, source.index().meta(slot)?);
        Ok(Some(Picture {
            props,
            color_space: meta.get(MetaKey::COLOR_SPACE).and_then(ColorSpace::from_number).unwrap_or_default(),
            layers: ImageShape::of(|key| meta.get(key)).layers(),
            is_whole: entry.chunk_count != 1 || self.shared.texture_limits.pages(mounts).contains(&asset),
        }))
    }

    /// Changes the limits, and gives loaded images new values.
    fn change_limits(&self, change: impl FnOnce(&mut Limits)) -> Result<usize> {
        let _change = self.begin_change().ok_or_else(|| Error::new(ErrorKind::MountWhileLoading))?;
        let before = self.shared.texture_limits.get();
        let mut after = (*before).clone();
        change(&mut after);
        let after = Arc::new(after);
        self.shared.texture_limits.set(Arc::clone(&after));
        let changed = self.affected(&before, &after);
        let renewed =
            renew(self, &Changes { contents: &changed, choices: &HashSet::new(), is_summed_up: true }).renewed;
        if self.shared.watchers.are_there() {
            self.shared.watchers.add(self.differing(&before, &after).into_iter());
        }
        Ok(renewed)
    }

    /// The images of the packs that have other levels by other limits, whether they are loaded or not: engines keep what they made of them.
    fn differing(&self, before: &Limits, after: &Limits) -> Vec<ResourceId> {
        let (mounts, selection) = (self.mounts(), self.selection());
        let (mut seen, mut differing) = (HashSet::new(), Vec::new());
        for source in mounts.sources() {
            let images = source.index().entries().flatten().filter(|entry| entry.kind == Some(AssetKind::Image));
            for asset in images.map(|entry| asset_of(&mounts, entry.id)) {
                if seen.insert(asset) && self.has_other_levels(&mounts, asset, selection.of(asset), before, after) {
                    differing.push(asset);
                }
            }
        }
        differing
    }

    /// Whether an asset of which the store loads the resource `loaded` has other levels by other limits.
    fn has_other_levels(
        &self,
        mounts: &Arc<Mounts>,
        asset: ResourceId,
        loaded: ResourceId,
        before: &Limits,
        after: &Limits,
    ) -> bool {
        let [before, after] = [before, after].map(|limits| limits.of(asset));
        if before == after {
            return false;
        }
        // What would have to be fetched to know, or cannot be read, counts as other.
        let is_away = mounts.locate(loaded, Slot(0)).is_some_and(|(source, _)| source.parts().is_some());
        let is_other = |picture: Picture| picture.level_within(before) != picture.level_within(after);
        is_away || self.picture(mounts, asset, loaded).map_or(true, |picture| picture.is_some_and(is_other))
    }

    /// The images that have other levels by other limits: those that are loaded, and those that values of the program were made from.
    fn affected(&self, before: &Limits, after: &Limits) -> HashSet<ResourceId> {
        let (mounts, selection) = (self.mounts(), self.selection());
        let pages = self.shared.texture_limits.pages(&mounts);
        let alive = settled(self);
        let loaded: HashSet<Key> = alive.iter().map(|entry| entry.meta().key).collect();
        let mut affected = HashSet::new();
        for entry in &alive {
            let id = entry.meta().id();
            if let Some(image) = entry.downcast_ref::<Image>() {
                let wanted = after.of(asset_of(&mounts, id)).filter(|_| !pages.contains(&id));
                if image.value().is_some_and(|image| image.is_changed_by(wanted)) {
                    affected.insert(id);
                }
            }
            let provenance = entry.provenance();
            let sources = provenance.iter().flat_map(|provenance| &provenance.sources);
            for freed in sources.filter(|key| !loaded.contains(key)) {
                let resource = match [Choice::Preferred, Choice::Fixed]
                    .map(|choice| *freed == Key::new::<Image>(freed.id, choice))
                {
                    [true, _] => selection.of(freed.id),
                    [_, true] => freed.id,
                    _ => continue,
                };
                if self.has_other_levels(&mounts, asset_of(&mounts, freed.id), resource, before, after) {
                    affected.insert(freed.id);
                }
            }
        }
        drop_later(alive);
        affected
    }
}

/// The asset that a resource is a variant of, or is itself: limits are those of assets.
fn asset_of(mounts: &Mounts, id: ResourceId) -> ResourceId {
    let base = mounts.meta(id).and_then(|(meta, _)| meta.get(MetaKey::VARIANT_OF)).map(ResourceId);
    base.filter(|base| mounts.locate(*base, Slot(0)).is_some()).unwrap_or(id)
}

impl TextureLimits {
    fn get(&self) -> Arc<Limits> {
        Arc::clone(&self.limits.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn set(&self, limits: Arc<Limits>) {
        *self.limits.write().unwrap_or_else(PoisonError::into_inner) = limits;
    }

    /// The images that sprites are parts of.
    fn pages(&self, mounts: &Arc<Mounts>) -> Arc<HashSet<ResourceId>> {
        let known = self.pages.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((of, pages)) = known
            && std::ptr::eq(of.as_ptr(), Arc::as_ptr(mounts))
        {
            return pages;
        }
        let mut pages = HashSet::new();
        for source in mounts.sources() {
            let index = source.index();
            let entries = (0..).zip(index.entries()).filter_map(|(slot, entry)| Some((slot, entry.ok()?)));
            for (slot, _) in entries.filter(|(_, entry)| entry.kind == Some(AssetKind::Sprite)) {
                pages.extend(index.dependencies(slot).into_iter().flatten());
            }
        }
        let pages = Arc::new(pages);
        *self.pages.write().unwrap_or_else(PoisonError::into_inner) =
            Some((Arc::downgrade(mounts), Arc::clone(&pages)));
        pages
    }
}
