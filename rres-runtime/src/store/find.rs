//! Finding assets by path, folder or group, reading them piece by piece, and following links.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;

use rres_format::chunk::raw::raw_block;
use rres_format::{AssetKind, FourCc, PathError, ResourceId, normalize_path};
use rres_protocol::files::STRIPPED_GROUP;
use rres_protocol::nearest::{nearest, nearest_path};
use rres_protocol::packed_id::Slot;

use super::Store;
use super::request::IntoRequest;
use crate::asset::{Asset, FromResource, Link};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, ErrorKind, LinkError, Result};
use crate::group::AssetList;
use crate::id::{AnyId, Id};
use crate::resource::{Chunk, LoadedResource};
use crate::source::AssetInfo;
use crate::stream::Stream;

/// Whether the game was shipped without the assets that it does not name.
fn is_stripped(mounts: &crate::mounts::Mounts) -> bool {
    let mut is_stripped = false;
    mounts.each_group(|name, _| is_stripped |= name == STRIPPED_GROUP);
    is_stripped
}

impl Store {
    /// Returns the id of the asset with this path, for paths that are known at run time only.
    ///
    /// Paths may be typed as people do: `./ui/button.png`, `ui\button.png`, `levels/../ui/button.png`. The case of
    /// letters counts on every system.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPath`], which suggests a similar path; [`ErrorKind::Stripped`] if the game was shipped with `--strip-unused`; damage in the index of a pack, which is compared with its CRC once.
    pub fn find(&self, path: &str) -> Result<AnyId> {
        let mounts = self.mounts();
        mounts.check_indexes()?;
        mounts.find(path).map(|entry| entry.id).ok_or_else(|| {
            if is_stripped(&mounts) {
                return Error::new(ErrorKind::Stripped { path: path.to_owned() });
            }
            let paths: Vec<&str> = mounts.entries().map(|entry| entry.path).collect();
            let normal = normalize_path(path);
            let nearest = nearest_path(normal.as_deref().unwrap_or(path), paths.iter().copied()).map(str::to_owned);
            Error::new(ErrorKind::NoSuchPath { path: path.to_owned(), nearest })
        })
    }

    /// Returns the id of the asset with this path, which must be a `T`.
    ///
    /// # Errors
    /// As [`Self::find`]; [`ErrorKind::WrongKind`].
    pub fn find_typed<T: Asset>(&self, path: &str) -> Result<Id<T>> {
        let found = self.find(path)?;
        found.typed().ok_or_else(|| {
            let kind = ErrorKind::WrongKind { expected: T::KIND, found: found.kind() };
            Error::new(kind).with_asset(path, found.resource())
        })
    }

    /// Returns the assets in a folder and the folders inside it, ordered by path, for folders that are known at run
    /// time only, such as a mod's. The folder may be typed as [`Self::find`] takes paths; "" and "." are all assets.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchFolder`] if no asset is in the folder, which suggests a similar one; [`ErrorKind::Stripped`] as of [`Self::find`]; damage in the index of a pack, as of
    /// [`Self::find`]. All assets may be none.
    pub fn folder(&self, folder: &str) -> Result<Vec<AnyId>> {
        let mounts = self.mounts();
        mounts.check_indexes()?;
        let starting_with = |prefix: &str| -> Option<Vec<AssetInfo<'_>>> {
            let inside: Vec<_> = mounts.entries().filter(|entry| entry.path.starts_with(prefix)).collect();
            (!inside.is_empty() || prefix.is_empty()).then_some(inside)
        };
        let typed = folder.trim_end_matches('/');
        let inside = if folder.is_empty() { None } else { starting_with(&format!("{typed}/")) };
        let inside = inside.or_else(|| match normalize_path(folder) {
            Ok(normal) => starting_with(&format!("{normal}/")),
            Err(PathError::Empty) => starting_with(""),
            Err(_) => None,
        });
        let mut inside = inside.ok_or_else(|| {
            if is_stripped(&mounts) {
                return Error::new(ErrorKind::Stripped { path: format!("{typed}/**") });
            }
            let folders: BTreeSet<&str> = mounts.entries().flat_map(|entry| folders(entry.path)).collect();
            let nearest = nearest_path(typed, folders.iter().copied()).map(str::to_owned);
            Error::new(ErrorKind::NoSuchFolder { folder: folder.to_owned(), nearest })
        })?;
        inside.sort_by_key(|entry| entry.path);
        Ok(inside.iter().map(|entry| entry.id).collect())
    }

    /// Returns the members of a group of `assets.toml` by its name, ordered by path, for names that are known at run time only, such as one
    /// in a save. A group that the program knows is a constant, `assets::groups::LEVEL_1`: the compiler checks its name, and which assets
    /// are its members. The groups of overlays, such as mods, are not among those that are found.
    ///
    /// ```
    /// use rres_runtime::{Error, ErrorKind, Loading, Store};
    ///
    /// fn enter(store: &Store, level: u32) -> Result<Loading, Error> {
    ///     Ok(store.load_group(store.group(&format!("level_{level}"))?))
    /// }
    ///
    /// let error = enter(&Store::from_packs([]), 7).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::NoSuchGroup { name, .. } if name == "level_7"));
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchGroup`], which suggests a similar name; damage in the index of a pack, as of [`Self::find`].
    pub fn group(&self, name: &str) -> Result<AssetList> {
        let mounts = self.mounts();
        mounts.check_indexes()?;
        let mut members: BTreeMap<&str, ResourceId> = BTreeMap::new();
        let mut names: BTreeSet<String> = BTreeSet::new();
        mounts.each_group(|found, ids| {
            if found == name {
                members.extend(ids.into_iter().filter_map(|id| Some((mounts.entry(id)?.path, id))));
            }
            names.insert(found);
        });
        if !names.contains(name) {
            let nearest = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
            return Err(Error::new(ErrorKind::NoSuchGroup { name: name.to_owned(), nearest }));
        }
        Ok(AssetList::of(name.to_owned(), members.into_values().collect()))
    }

    /// Returns the ids of these assets with all of their variants, and of everything that they depend on: the page of a sprite's atlas, the images of
    /// a model. Assets that no mounted pack has are returned as they are.
    ///
    /// ```
    /// use rres_runtime::{ResourceId, Store};
    ///
    /// let logo = ResourceId::from_path("ui/logo.png");
    /// assert!(Store::from_packs([]).parts_of([logo])?.contains(&logo));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// Damage in the index of a pack.
    pub fn parts_of(&self, assets: impl IntoIterator<Item = ResourceId>) -> Result<HashSet<ResourceId>> {
        // In this order: the selection keeps the variants of the mounts that it is asked for first.
        let (selection, mounts) = (self.selection(), self.mounts());
        let variants = selection.variants(&mounts);
        let mut left: Vec<ResourceId> = assets.into_iter().collect();
        let mut parts = HashSet::new();
        while let Some(id) = left.pop() {
            if parts.insert(id)
                && let Some((source, slot)) = mounts.locate(id, Slot(0))
            {
                left.extend(source.index().dependencies(slot)?);
                left.extend(variants.of_asset(id));
            }
        }
        Ok(parts)
    }

    /// Opens a raw file or an encoded sound to read it piece by piece.
    ///
    /// Uncompressed bytes are read from the mapped pack, and `rres-build` does not compress encoded sounds. Compressed
    /// bytes are decoded first. Of an asset with variants, the one is read that the store prefers now, unless the request asks for a
    /// language. Bytes read from the map are not compared with their CRC, which would read them all; see [`Stream::verify`].
    ///
    /// # Errors
    /// If the asset does not exist, is neither a raw file nor an encoded sound, or its chunk header is damaged;
    /// [`ErrorKind::BadLocale`].
    pub fn stream(&self, request: impl IntoRequest) -> Result<Stream> {
        let (id, chosen) = self.chosen(&request.into_request())?;
        let mounts = self.mounts();
        // The variant may be of a pack that another thread has just unmounted.
        let variant = mounts.locate(chosen, Slot(0));
        let (source, slot) =
            variant.or_else(|| mounts.locate(id, Slot(0))).ok_or_else(|| self.not_found(&mounts, id, ""))?;
        let entry = source.index().entry(slot)?;
        match entry.kind {
            Some(AssetKind::Raw | AssetKind::Sound) => Stream::open(source, slot).inspect(|_| {
                #[cfg(debug_assertions)]
                super::load_order::note(entry.path);
            }),
            found => Err(Error::new(ErrorKind::WrongKind { expected: AssetKind::Raw, found })),
        }
        .map_err(|e| e.with_asset(entry.path, id))
    }

    /// Returns the file that a link leads to.
    ///
    /// # Errors
    /// [`ErrorKind::BadLink`] if the file does not exist, the link leads out of [`Self::base_dir`], or the pack was opened with
    /// `SignaturePolicy::Require`: a signature covers no files beside the pack.
    pub fn follow(&self, link: &Link) -> Result<PathBuf> {
        let refuse = |reason| Error::new(ErrorKind::BadLink { target: link.path().to_owned(), reason });
        if link.must_be_signed {
            return Err(refuse(LinkError::Unsigned));
        }
        let path = normalize_path(link.path()).map_err(|e| refuse(LinkError::Path(e)))?;
        let file = self.linked_file(&path).ok_or_else(|| refuse(LinkError::NoBaseDir))?;
        if file.is_file() { Ok(file) } else { Err(refuse(LinkError::Missing(file))) }
    }

    /// Replaces a link by the file that it leads to, as if the pack contained its bytes.
    pub(super) fn follow_to_file<'a>(&self, link: LoadedResource<'a>) -> Result<LoadedResource<'a>> {
        let file = self.follow(&Link::from_resource(&link)?)?;
        let failed = |e| Error::io(&file, e);
        let size = std::fs::metadata(&file).map_err(failed)?.len();
        link.limits.check_decoded("the size of a file that a link leads to", size)?;
        let bytes = std::fs::read(&file).map_err(failed)?;
        let extension = file.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
        let block = raw_block(&extension.unwrap_or_default(), &bytes);
        let base_size = u32::try_from(block.len()).unwrap_or(u32::MAX);
        let chunk = Chunk { kind: FourCc::RAWD, block: AssetBytes::new(Backing::Owned(block.into())) };
        let chunks = std::iter::once(chunk).collect();
        Ok(LoadedResource { kind: Some(AssetKind::Raw), base_size, chunks, ..link })
    }
}

/// The folders that a path is in, from the outermost on.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(slash, _)| &path[..slash])
}
