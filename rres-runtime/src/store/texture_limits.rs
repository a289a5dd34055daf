//! How large the textures are that the store loads: limits for all, for groups, and by a budget of video memory.
//!
//! A limit leaves out the largest levels of images; a new limit gives loaded images new values, as a reload does.

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use rres_format::chunk::image::ImageProps;
use rres_format::index::{ColorSpace, ImageShape, MetaKey, MetaView};
use rres_format::video_memory::of_image;
use rres_format::{AssetKind, ResourceId};

use super::Store;
use super::fetching::with_dependencies;
use super::recorder::is_recording;
use super::refresh::{Changes, refresh, settled};
use crate::asset::Image;
use crate::error::{Error, ErrorKind, Result};
use crate::group::AssetList;
use crate::handle::{Choice, Key};
use crate::id::AnyId;
use crate::mounts::Mounts;
use crate::sync::lock;

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
    /// limit, and more levels are loaded. Returns how many loaded assets have a new value.
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
    /// do not count. The result does not depend on what is loaded, and a second call starts anew: with more bytes, levels come back.
    ///
    /// [`Image::video_memory`] is the size of an image. For all assets of a game, list [`crate::Mounts::entries`].
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
    /// As [`Self::set_texture_limit`], and if the start of an image cannot be read.
    pub fn fit_textures<G>(&self, assets: impl Into<AssetList<G>>, bytes: u64) -> Result<TextureFit> {
        let ids = self.textures(&assets.into());
        let limits = self.shared.texture_limits.get();
        let mut textures = Vec::with_capacity(ids.len());
        for id in &ids {
            textures.extend(self.texture(*id, limits.chosen(*id))?);
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
            if let Some(level) = texture.next_level() {
                texture.level = level;
                after -= size - texture.bytes();
                by_size.push((texture.bytes(), id, at));
            }
        }
        let lowered: Vec<&Texture> = textures.iter().filter(|texture| texture.level > texture.chosen).collect();
        let renewed = self.change_limits(|limits| {
            limits.fitted.retain(|id, _| ids.binary_search_by_key(&id.0, |id| id.0).is_err());
            limits.fitted.extend(lowered.iter().map(|texture| (texture.id, texture.edge(texture.level))));
        })?;
        let mounts = self.mounts();
        let mut lowered: Vec<_> = lowered.iter().map(|texture| texture.report(&mounts)).collect();
        lowered.sort_by(|a, b| (b.before - b.after).cmp(&(a.before - a.after)).then_with(|| a.path.cmp(&b.path)));
        Ok(TextureFit { budget: bytes, before, after, lowered, renewed })
    }

    /// The limit for an asset that is loaded now.
    pub(super) fn limit_of(&self, mounts: &Arc<Mounts>, id: ResourceId) -> Option<u32> {
        let limits = self.shared.texture_limits.get();
        let edge = if limits.is_empty() { None } else { limits.of(id) };
        edge.filter(|_| !self.shared.texture_limits.pages(mounts).contains(&id))
    }

    /// The images of a list and of what its assets need, ascending.
    fn textures<G>(&self, assets: &AssetList<G>) -> Vec<ResourceId> {
        let (mounts, selection) = (self.mounts(), self.selection());
        let mut ids = HashSet::new();
        for id in assets.ids() {
            for (id, source, slot) in with_dependencies(&mounts, &selection, id) {
                if source.index().entry(slot).is_ok_and(|entry| entry.kind == Some(AssetKind::Image)) {
                    ids.insert(id);
                }
            }
        }
        let mut ids: Vec<_> = ids.into_iter().collect();
        ids.sort_unstable_by_key(|id| id.0);
        ids
    }

    /// What can be lowered of an image; `None` if it does not exist any more.
    fn texture(&self, id: ResourceId, limit: Option<u32>) -> Result<Option<Texture>> {
        let mounts = self.mounts();
        let Some((source, slot)) = mounts.locate(self.selection().of(id), rres_protocol::packed_id::Slot(0)) else {
            return Ok(None);
        };
        let Some(props) = source.image_props(slot)? else { return Ok(None) };
        props.data_size()?;
        let (entry, meta) = (source.index().entry(slot)?, source.index().meta(slot)?);
        let color_space = meta.get(MetaKey::COLOR_SPACE).and_then(ColorSpace::from_number).unwrap_or_default();
        let layers = layers(meta);
        let is_whole = entry.chunk_count != 1 || self.shared.texture_limits.pages(&mounts).contains(&id);
        let chosen = match limit {
            Some(edge) if !is_whole => props.first_level_within(edge, layers),
            _ => 0,
        };
        Ok(Some(Texture { id, props, color_space, layers, is_whole, chosen, level: chosen }))
    }

    /// Changes the limits, and gives loaded images new values.
    fn change_limits(&self, change: impl FnOnce(&mut Limits)) -> Result<usize> {
        if is_recording() {
            return Err(Error::new(ErrorKind::MountWhileLoading));
        }
        let _refreshing = lock(&self.shared.refreshing);
        let before = self.shared.texture_limits.get();
        let mut after = (*before).clone();
        change(&mut after);
        let after = Arc::new(after);
        self.shared.texture_limits.set(Arc::clone(&after));
        let changed = self.affected(&before, &after);
        let renewed =
            refresh(self, &Changes { contents: &changed, choices: &HashSet::new(), is_summed_up: true }).renewed;
        if self.shared.watchers.are_there() {
            self.shared.watchers.add(self.differing(&before, &after).into_iter());
        }
        Ok(renewed)
    }

    /// The images of the packs that have other levels by other limits, whether they are loaded or not: engines keep what they made of them.
    fn differing(&self, before: &Limits, after: &Limits) -> Vec<ResourceId> {
        let mounts = self.mounts();
        let pages = self.shared.texture_limits.pages(&mounts);
        let mut differing = Vec::new();
        for source in mounts.sources() {
            for (slot, entry) in (0..).zip(source.index().entries()) {
                let Some(id) = entry.ok().filter(|entry| entry.kind == Some(AssetKind::Image)).map(|entry| entry.id)
                else {
                    continue;
                };
                if before.of(id) == after.of(id) || pages.contains(&id) {
                    continue;
                }
                // What would have to be fetched counts as other.
                let props = if source.parts().is_some() { None } else { source.image_props(slot).ok().flatten() };
                let props = props.filter(|props| props.data_size().is_ok());
                let is_equal = props.is_some_and(|props| {
                    let layers = source.index().meta(slot).map_or(1, layers);
                    let level =
                        |limits: &Limits| limits.of(id).map_or(0, |edge| props.first_level_within(edge, layers));
                    level(before) == level(after)
                });
                differing.extend((!is_equal).then_some(id));
            }
        }
        differing
    }

    /// The images that have other levels by other limits: those that are loaded, and those that values of the program were made from.
    fn affected(&self, before: &Limits, after: &Limits) -> HashSet<ResourceId> {
        let mounts = self.mounts();
        let pages = self.shared.texture_limits.pages(&mounts);
        let alive = settled(self);
        let loaded: HashSet<Key> = alive.iter().map(|entry| entry.meta().key).collect();
        let is_image = |key: &Key| {
            [Choice::Preferred, Choice::Fixed].into_iter().any(|choice| *key == Key::new::<Image>(key.id, choice))
        };
        let mut affected = HashSet::new();
        for entry in &alive {
            let id = entry.meta().id();
            if let Some(image) = entry.downcast_ref::<Image>() {
                let wanted = after.of(id).filter(|_| !pages.contains(&id));
                if image.value().is_some_and(|image| image.is_changed_by(wanted)) {
                    affected.insert(id);
                }
            }
            let provenance = entry.provenance();
            let freed = provenance.iter().flat_map(|provenance| &provenance.sources);
            let freed =
                freed.filter(|key| is_image(key) && !loaded.contains(key) && before.of(key.id) != after.of(key.id));
            affected.extend(freed.map(|key| key.id));
        }
        affected
    }
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

/// How many pictures one above the other an image is.
fn layers(meta: MetaView<'_>) -> u32 {
    ImageShape::of(|key| meta.get(key)).layers()
}

/// An image that is fitted.
struct Texture {
    id: ResourceId,
    props: ImageProps,
    color_space: ColorSpace,
    layers: u32,
    /// Whether no limit applies to it.
    is_whole: bool,
    /// The first level by the limits that were set.
    chosen: u32,
    /// The first level that is loaded.
    level: u32,
}

impl Texture {
    fn bytes(&self) -> u64 {
        self.bytes_from(self.level)
    }

    fn bytes_from(&self, level: u32) -> u64 {
        self.props.from_level(level).and_then(|props| of_image(props, self.color_space).ok()).unwrap_or(0)
    }

    /// The longest edge of a level.
    fn edge(&self, level: u32) -> u32 {
        self.props.from_level(level).map_or(1, |props| props.longest_edge(self.layers))
    }

    /// The next level that an image can begin with.
    fn next_level(&self) -> Option<u32> {
        let below = |level| self.edge(level).checked_sub(1).filter(|edge| *edge > 0);
        let next = self.props.first_level_within(below(self.level)?, self.layers);
        (!self.is_whole && next > self.level).then_some(next)
    }

    fn report(&self, mounts: &Mounts) -> LoweredTexture {
        let size = |level| self.props.from_level(level).map_or((0, 0), |props| (props.width, props.height));
        LoweredTexture {
            id: self.id,
            path: mounts.entry(self.id).map(|entry| entry.path.to_string()).unwrap_or_default(),
            size: size(self.level),
            full_size: size(0),
            before: self.bytes_from(self.chosen),
            after: self.bytes(),
        }
    }
}

/// What [`Store::fit_textures`] has done. Printed as a line, and one for each image that has lost levels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextureFit {
    /// The bytes that the images may take.
    pub budget: u64,
    /// The bytes that they took by the limits alone.
    pub before: u64,
    /// The bytes that they take. More than the budget if no image has a level that it can lose.
    pub after: u64,
    /// The images that have lost levels, those that saved most first.
    pub lowered: Vec<LoweredTexture>,
    /// How many loaded assets have a new value.
    pub renewed: usize,
}

/// An image that a budget has made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoweredTexture {
    /// Its id.
    pub id: ResourceId,
    /// Its path; empty if the pack does not have it.
    pub path: String,
    /// Width and height of the first level that is loaded, in pixels.
    pub size: (u32, u32),
    /// Width and height in the pack.
    pub full_size: (u32, u32),
    /// Bytes that it took by the limits alone.
    pub before: u64,
    /// Bytes that it takes.
    pub after: u64,
}

impl TextureFit {
    /// Returns whether the images are within the budget.
    pub fn is_within(&self) -> bool {
        self.after <= self.budget
    }
}

impl fmt::Display for TextureFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { budget, before, after, lowered, .. } = self;
        write!(f, "{} of {} of video memory", Bytes(*after), Bytes(*budget))?;
        if after < before {
            write!(f, ", {} before", Bytes(*before))?;
        }
        for LoweredTexture { path, size, full_size, before, after, .. } in lowered {
            let (width, height) = size;
            write!(f, "\n{path}: {width} × {height} instead of {} × {}, ", full_size.0, full_size.1)?;
            write!(f, "{} instead of {}", Bytes(*after), Bytes(*before))?;
        }
        Ok(())
    }
}

/// A number of bytes, in the unit that suits it.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0..1_000 => write!(f, "{} B", self.0),
            1_000..1_000_000 => write!(f, "{:.1} kB", self.0 as f64 / 1e3),
            _ => write!(f, "{:.1} MB", self.0 as f64 / 1e6),
        }
    }
}
