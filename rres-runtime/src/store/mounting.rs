//! Mounting and unmounting overlays; any change of where assets come from.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use rres_format::ResourceId;

use super::Store;
use super::change::Changes;
use super::refresh::Refreshed;
use super::renewal::renew;
use crate::error::{Error, ErrorKind, Result};
use crate::id::AnyId;
use crate::mounts::{MountId, Mounts};
use crate::source::Pack;

impl Store {
    /// Mounts a pack over everything else: a mod, an addition. Its assets replace those with the same ids, also in existing
    /// handles. A pack that is read in parts gives them their values as [`Self::set_locale`] does.
    ///
    /// A patch, which `cargo rres patch` writes, is mounted directly over the game's own packs and earlier patches, under all
    /// other overlays. It can also remove assets: handles to them keep their values, and loading them fails.
    ///
    /// The whole index of the pack is compared with its CRC: damage there would show the assets below.
    ///
    /// # Errors
    /// If the index is damaged; [`ErrorKind::OverlayConflict`] if an asset would replace one of another path or kind,
    /// [`ErrorKind::PatchMismatch`] if a patch was made for other packs than the mounted ones, and
    /// [`ErrorKind::MountWhileLoading`] within [`crate::FromAsset::from_asset`]. Nothing is mounted then.
    pub fn mount(&self, pack: Pack) -> Result<MountId> {
        self.mount_set([pack])
    }

    /// Mounts an overlay of several packs, like [`Self::mount`]. If several contain an asset, the first one wins. Patches are
    /// applied in this order.
    ///
    /// # Errors
    /// As [`Self::mount`].
    pub fn mount_set(&self, packs: impl IntoIterator<Item = Pack>) -> Result<MountId> {
        self.know_all_types();
        self.mount_own(packs)
    }

    /// Mounts a pack in the place of an overlay, in one step: what both contain alike is not loaded again, and nothing is for a moment what
    /// is below. If `id` is not mounted any more, this is [`Self::mount`].
    ///
    /// ```
    /// # let pack = |text: &str| {
    /// #     use rres_format::{chunk::text::TextProps, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
    /// #     let block = TextProps::utf8(text.len() as u32).block(text.as_bytes());
    /// #     let chunk = StoredChunk::encode(FourCc::TEXT, &block, Compression::NONE, &mut Compressor::default()).unwrap();
    /// #     let mut pack = PackBuilder::new();
    /// #     pack.push(Resource::new("motto.txt", vec![chunk]));
    /// #     rres_runtime::PackOptions::default().from_bytes(pack.to_vec().unwrap())
    /// # };
    /// use rres_runtime::{Id, Store, Text};
    ///
    /// let store = Store::from_packs([pack("as shipped")?]);
    /// let motto = store.load(Id::<Text>::from_path("motto.txt"))?;
    /// let draft = store.mount(pack("a draft")?)?;
    /// let draft = store.replace(draft, pack("a better draft")?)?;
    /// assert_eq!(motto.get().as_str(), "a better draft");
    /// assert!(store.unmount(draft));
    /// assert_eq!(motto.get().as_str(), "as shipped");
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::mount`]. The overlay stays then.
    pub fn replace(&self, id: MountId, pack: Pack) -> Result<MountId> {
        self.know_all_types();
        let (new, _) = self.replace_mounts(|mounts| {
            let (mounts, new, changed) = mounts.replaced(id, vec![pack])?;
            Ok((mounts, changed, new))
        })?;
        Ok(new)
    }

    /// Mounts packs of the game itself, which have the types of assets that the store knows already.
    pub(crate) fn mount_own(&self, packs: impl IntoIterator<Item = Pack>) -> Result<MountId> {
        let packs: Vec<Pack> = packs.into_iter().collect();
        let (id, _) = self.replace_mounts(|mounts| {
            let (mounts, id) = mounts.with(packs)?;
            let changed = mounts.ids_of(id);
            Ok((mounts, changed, id))
        })?;
        Ok(id)
    }

    /// Unmounts an overlay, which restores what it replaced, also in existing handles. Returns `false` if it is not
    /// mounted, and within [`crate::FromAsset::from_asset`], which may not change the mounts. A patch stays as long as
    /// another patch that was made for it is mounted.
    ///
    /// Assets that only the overlay contains stay loaded as long as something holds them.
    pub fn unmount(&self, id: MountId) -> bool {
        let outcome = self.replace_mounts(|mounts| {
            let Some(without) = mounts.without(id) else { return Ok((mounts.clone(), HashSet::new(), false)) };
            let mut changed = mounts.ids_of(id);
            changed.retain(|id| without.entry(*id).is_some());
            Ok((without, changed, true))
        });
        outcome.is_ok_and(|(removed, _)| removed)
    }

    /// Makes the values of a loaded asset again, and of everything that was made from it; existing handles get the new ones. Returns how many assets
    /// have a new value. This does not import a source: the value is made from the mounted packs, or from what a link leads to.
    ///
    /// A value that cannot be made again stays, and [`crate::Event::ReloadFailed`] says why.
    ///
    /// ```
    /// # use rres_runtime::{Id, Raw, Store};
    /// // The file that a link in the pack leads to was downloaded anew.
    /// fn downloaded(store: &Store, news: Id<Raw>) -> usize {
    ///     store.reload(news)
    /// }
    /// ```
    ///
    /// Within [`crate::FromAsset::from_asset`] nothing happens, as for [`Self::unmount`].
    pub fn reload(&self, id: impl Into<AnyId>) -> usize {
        let Some(_change) = self.begin_change() else { return 0 };
        let contents = HashSet::from([id.into().resource()]);
        renew(self, &Changes { contents: &contents, choices: &contents, is_summed_up: false }).renewed
    }

    /// Replaces the mounts by the result of `next` for the current ones, and loads changed assets again if they are
    /// loaded. Returns the third result of `next`, and what has become of them.
    pub(crate) fn replace_mounts<R>(
        &self,
        next: impl FnOnce(&Mounts) -> Result<(Mounts, HashSet<ResourceId>, R)>,
    ) -> Result<(R, Refreshed)> {
        // One change at a time, so that the values of the last one are the last to be published.
        let _change = self.begin_change().ok_or_else(|| Error::new(ErrorKind::MountWhileLoading))?;
        let (mounts, changed, result) = next(&self.mounts())?;
        *self.shared.mounts.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(mounts);
        let choices = self.select(self.selection().preferences.clone(), &changed);
        Ok((result, renew(self, &Changes { contents: &changed, choices: &choices, is_summed_up: false })))
    }
}
