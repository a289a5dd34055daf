//! The store: sources in order, one load per asset, handles.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rres_format::index::IndexView;
use rres_format::{AssetKind, ResourceId};

use crate::asset::{Asset, FromAsset, Link, Loaded};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{Handle, Slot};
use crate::id::{AnyId, Id};
use crate::source::loose::Loose;
use crate::source::pack::Pack;

/// The assets of a program. Share it by reference or [`Arc`]; it is `Send + Sync`.
///
/// An asset is loaded once, however many threads ask for it, and lives as long as a handle to it.
pub struct Store {
    sources: Vec<Source>,
    /// What links are relative to.
    base_dir: Option<PathBuf>,
    loads: Mutex<HashMap<(ResourceId, TypeId), Weak<dyn Any + Send + Sync>>>,
}

/// One place of chunks.
#[derive(Debug)]
pub(crate) enum Source {
    Pack(Arc<Pack>),
    Loose(Box<Loose>),
}

impl Source {
    pub(crate) fn index(&self) -> IndexView<'_> {
        match self {
            Self::Pack(pack) => pack.index(),
            Self::Loose(loose) => loose.index(),
        }
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Pack(pack) => pack.file(),
            Self::Loose(_) => None,
        }
    }

    fn load_slot(&self, slot: u32) -> Result<Loaded<'_>> {
        match self {
            Self::Pack(pack) => pack.load_slot(slot),
            Self::Loose(loose) => loose.load_slot(slot),
        }
    }
}

/// What is known of an asset without loading it.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The asset.
    pub id: AnyId,
    /// Its path.
    pub path: &'a str,
    /// What it is; `None` for a kind of a later version.
    pub kind: Option<AssetKind>,
    /// Bytes that it takes in the pack or the import cache.
    pub stored_size: u32,
    /// Bytes of its chunks before compression.
    pub base_size: u32,
}

impl Store {
    pub(crate) fn new(sources: Vec<Source>, base_dir: Option<PathBuf>) -> Self {
        Self { sources, base_dir, loads: Mutex::default() }
    }

    /// A store over packs opened by hand; where several hold an id, the last one wins.
    pub fn from_packs(packs: impl IntoIterator<Item = Pack>) -> Self {
        let mut sources: Vec<_> = packs.into_iter().map(|pack| Source::Pack(Arc::new(pack))).collect();
        sources.reverse();
        let base_dir = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
        Self::new(sources, base_dir)
    }

    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Loads an asset, or shares it where it is loaded already.
    ///
    /// # Errors
    /// Where it is not there or its bytes are damaged. A failed load is forgotten: the next call tries again.
    pub fn load<T: Asset>(&self, id: Id<T>) -> Result<Handle<T>> {
        self.load_with(id.resource(), || {
            let (source, slot) = self.locate(id.resource(), id.slot())?;
            T::from_loaded(source.load_slot(slot)?)
        })
    }

    /// Loads an asset and makes the program's own type of it; the result is shared like any asset.
    ///
    /// # Errors
    /// As [`Self::load`], and [`ErrorKind::Convert`].
    pub fn load_as<U: FromAsset>(&self, id: Id<U::Source>) -> Result<Handle<U>> {
        self.load_with(id.resource(), || {
            let source = self.load(id)?;
            U::from_asset(&source.get(), self)
                .map_err(|e| Error::new(ErrorKind::Convert(e.into())).of_asset(|| format!("\"{}\"", source.path())))
        })
    }

    fn load_with<T: Send + Sync + 'static>(
        &self,
        id: ResourceId,
        load: impl FnOnce() -> Result<T>,
    ) -> Result<Handle<T>> {
        let key = (id, TypeId::of::<T>());
        // The lock is held for the map only; loading happens in the slot, so that loads of other assets go on.
        let slot: Arc<Slot<T>> = {
            let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
            match loads.get(&key).and_then(Weak::upgrade).and_then(|slot| slot.downcast().ok()) {
                Some(slot) => slot,
                None => {
                    let slot = Arc::new(Slot::new(id, self.path(id).unwrap_or_default()));
                    let weak: Weak<Slot<T>> = Arc::downgrade(&slot);
                    loads.insert(key, weak);
                    slot
                }
            }
        };
        match slot.value.get_or_init(|| load().map(Arc::new)) {
            Ok(value) => Ok(Handle { value: Arc::clone(value), slot }),
            Err(error) => {
                let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
                let failed: Weak<Slot<T>> = Arc::downgrade(&slot);
                if loads.get(&key).is_some_and(|known| known.ptr_eq(&(failed as Weak<dyn Any + Send + Sync>))) {
                    loads.remove(&key);
                }
                Err(error.clone())
            }
        }
    }

    /// The source and the slot of an asset; the first source that has it wins.
    fn locate(&self, id: ResourceId, hint: u32) -> Result<(&Source, u32)> {
        let (pack, slot) = match self.sources.len() {
            1 => (0, hint),
            _ => (hint as usize >> 16, hint & 0xffff),
        };
        if let Some(source) = self.sources.get(pack)
            && source.index().id(slot) == Some(id)
        {
            return Ok((source, slot));
        }
        let found = self.sources.iter().find_map(|source| Some((source, source.index().find(id)?)));
        found.ok_or_else(|| Error::new(ErrorKind::NotFound(id)))
    }

    /// The path of an asset.
    pub fn path(&self, id: ResourceId) -> Option<&str> {
        let (source, slot) = self.locate(id, 0).ok()?;
        source.index().entry(slot).ok().map(|entry| entry.path)
    }

    /// The asset with exactly this path; for paths that are known at run time only.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPath`], which names the path that looks most like it.
    pub fn find(&self, path: &str) -> Result<AnyId> {
        let found = self.sources.iter().enumerate().find_map(|(i, source)| {
            let slot = source.index().find_path(path)?;
            entry(i, source.index(), slot)
        });
        found.map(|entry| entry.id).ok_or_else(|| {
            let nearest = self.entries().min_by_key(|entry| distance(entry.path, path)).map(|e| e.path.to_owned());
            let nearest = nearest.filter(|nearest| distance(nearest, path) <= path.len() / 3);
            Error::new(ErrorKind::NoSuchPath { path: path.to_owned(), nearest })
        })
    }

    /// Every asset, source by source, by id.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.sources.iter().enumerate().flat_map(|(i, source)| {
            let index = source.index();
            (0..index.len() as u32).filter_map(move |slot| entry(i, index, slot))
        })
    }

    /// What links are relative to: the assets directory in debug builds, else the executable's.
    pub fn base_dir(&self) -> Option<&Path> {
        self.base_dir.as_deref()
    }

    /// The file that a link leads to.
    ///
    /// # Errors
    /// [`ErrorKind::BadLink`] where it is not there, or the link leads out of [`Self::base_dir`].
    pub fn follow(&self, link: &Link) -> Result<PathBuf> {
        let refuse = |why: &str| Error::new(ErrorKind::BadLink(format!("link to \"{}\" {why}", link.path())));
        let path = rres_format::normalize_path(link.path()).map_err(|e| refuse(&format!("is not followed: {e}")))?;
        let base = self.base_dir().ok_or_else(|| refuse("has no directory to start from"))?;
        let file = base.join(path);
        match file.is_file() {
            true => Ok(file),
            false => Err(refuse(&format!("leads to {}, which is not there", file.display()))),
        }
    }
}

fn entry(source: usize, index: IndexView<'_>, slot: u32) -> Option<Entry<'_>> {
    let entry = index.entry(slot).ok()?;
    let kind = entry.kind.map_or(0, |kind| kind as u8);
    let hint = if source == 0 { slot } else { (source as u32) << 16 | slot };
    Some(Entry {
        id: AnyId::new(entry.id.0, hint, kind),
        path: entry.path,
        kind: entry.kind,
        stored_size: entry.stored_size,
        base_size: entry.base_size,
    })
}

/// Edit distance in bytes, for suggestions only.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("sources", &self.sources).finish_non_exhaustive()
    }
}
