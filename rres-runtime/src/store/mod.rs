//! The store: sources in order, one load per asset, handles.

mod dump;
mod events;
mod make;
mod mounts;
mod refresh;
pub(crate) mod residency;
mod table;

use std::any::TypeId;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rres_format::{AssetKind, ResourceId};

use crate::asset::{Asset, FromAsset, Link};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::cell::{AnyCell, Cell, Head, Made};
use crate::handle::gate::Waits;
use crate::handle::{Handle, Pending};
use crate::id::{AnyId, Id};
use crate::loading::{Batch, Pool, Priority};
use crate::source::pack::Pack;
use crate::stream::Stream;
pub use dump::{Dump, Row, Stats};
use events::Listeners;
pub use events::{Event, Events};
use make::{make_asset, make_own};
pub(crate) use mounts::Source;
pub use mounts::{Entry, MountId, Mounts, packs_in};
use residency::Residence;
pub use residency::Residency;
use table::Table;

/// The assets of a program. Cloning shares it; it is `Send + Sync`, and there may be several.
///
/// An asset is loaded once, however many threads ask for it, and lives as long as a handle to it.
#[derive(Clone)]
pub struct Store {
    pub(crate) shared: Arc<Shared>,
}

/// What the clones of a store, its handles and its threads share.
pub(crate) struct Shared {
    mounts: RwLock<Arc<Mounts>>,
    /// What links are relative to.
    base_dir: Option<PathBuf>,
    pub(crate) table: Table,
    pub(crate) waits: Waits,
    pub(crate) residence: Residence,
    pub(crate) pool: Pool,
    pub(crate) listeners: Listeners,
    /// Held while assets are made again.
    refreshing: Mutex<()>,
    /// What watches the assets directory, and stops when the store is gone.
    #[cfg(all(feature = "hot-reload", debug_assertions))]
    pub(crate) reload: std::sync::OnceLock<crate::reload::Watching>,
}

impl Shared {
    pub(crate) fn set_mounts(&self, mounts: Mounts) {
        *self.mounts.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(mounts);
    }

    /// An asset has its first value.
    pub(crate) fn loaded<T: Send + Sync + 'static>(&self, cell: &Arc<Cell<T>>) {
        let cell: Arc<dyn AnyCell> = Arc::clone(cell) as _;
        self.residence.loaded(&cell);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.pool.close();
        self.residence.clear();
    }
}

impl Store {
    pub(crate) fn new(sources: Vec<Source>, base_dir: Option<PathBuf>) -> Self {
        let shared = Shared {
            mounts: RwLock::new(Arc::new(Mounts::new(sources))),
            base_dir,
            table: Table::default(),
            waits: Waits::new(),
            residence: Residence::default(),
            pool: Pool::default(),
            listeners: Listeners::default(),
            refreshing: Mutex::default(),
            #[cfg(all(feature = "hot-reload", debug_assertions))]
            reload: std::sync::OnceLock::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// A store over packs opened by hand; where several hold an id, the last one wins.
    pub fn from_packs(packs: impl IntoIterator<Item = Pack>) -> Self {
        let mut sources: Vec<_> = packs.into_iter().map(|pack| Source::Pack(Arc::new(pack))).collect();
        sources.reverse();
        let base_dir = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
        Self::new(sources, base_dir)
    }

    /// Loads an asset, or shares it where it is loaded already.
    ///
    /// # Errors
    /// Where it is not there or its bytes are damaged. A failed load is forgotten: the next call tries again.
    pub fn load<T: Asset>(&self, id: Id<T>) -> Result<Handle<T>> {
        self.asset_cell(id).load(self).inspect(|handle| self.shared.residence.used(&*handle.cell))
    }

    /// Loads an asset and makes the program's own type of it; the result is shared like any asset.
    ///
    /// # Errors
    /// As [`Self::load`], and [`ErrorKind::Convert`].
    pub fn load_as<U: FromAsset>(&self, id: Id<U::Source>) -> Result<Handle<U>> {
        let cell = self.cell(id.resource(), id.slot(), make_own::<U>);
        cell.load(self).inspect(|handle| self.shared.residence.used(&*handle.cell))
    }

    /// The asset where it is loaded already, without loading it.
    pub fn get<T: Send + Sync + 'static>(&self, id: Id<T>) -> Option<Handle<T>> {
        self.shared.table.get((id.resource(), TypeId::of::<T>()))?.handle()
    }

    /// A place for an asset that is loaded later: by [`Pending::start`], by awaiting it, or by whoever loads the asset. Where
    /// its residency is a threshold that is reached with this one, the load starts.
    pub fn reserve<T: Asset>(&self, id: Id<T>) -> Pending<T> {
        Pending::new(self.asset_cell(id), self.clone())
    }

    /// As [`Self::reserve`], for the program's own types.
    pub fn reserve_as<U: FromAsset>(&self, id: Id<U::Source>) -> Pending<U> {
        Pending::new(self.cell(id.resource(), id.slot(), make_own::<U>), self.clone())
    }

    /// Loads an asset on another thread: [`Self::reserve`] and [`Pending::start`].
    pub fn load_later<T: Asset>(&self, id: Id<T>) -> Pending<T> {
        let pending = self.reserve(id);
        pending.start();
        pending
    }

    /// Shares a value made by the program under a path of its own: a procedural texture, a placeholder. Where that path has
    /// a value made by the program already, this one replaces it.
    ///
    /// It lives as long as a handle to it; find it with [`Self::get`] and [`Id::from_path`].
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyThere`] where an asset of a pack has this path.
    pub fn insert<T: Send + Sync + 'static>(&self, path: &str, value: T) -> Result<Handle<T>> {
        let cell = self.value_cell(path)?;
        if let Some(handle) = cell.handle() {
            let bytes = size_of::<T>() as u64;
            cell.set(Made { value, bytes, needs: Vec::new(), sources: Vec::new() });
            self.shared.listeners.send(&Event::Changed(handle.clone().into()));
            return Ok(handle);
        }
        cell.fill(self, value)
    }

    /// A place for a value that the program makes later, on another thread maybe: whoever finds it with [`Self::get`] or waits
    /// for it gets what [`Pending::insert`] puts there.
    ///
    /// # Errors
    /// As [`Self::insert`].
    pub fn reserve_value<T: Send + Sync + 'static>(&self, path: &str) -> Result<Pending<T>> {
        Ok(Pending::new(self.value_cell(path)?, self.clone()))
    }

    /// The cell of a value made by the program.
    fn value_cell<T: Send + Sync + 'static>(&self, path: &str) -> Result<Arc<Cell<T>>> {
        let id = ResourceId::from_path(path);
        let there = |path: String| Error::new(ErrorKind::AlreadyThere).of_asset(|| path);
        if let Some(entry) = self.mounts().entry(id) {
            return Err(there(match entry.path {
                other if other == path => format!("\"{path}\""),
                other => format!("\"{path}\", whose id is that of \"{other}\","),
            }));
        }
        let new = || Cell::new(Head::new::<T>(id, 0, path), None, Arc::downgrade(&self.shared));
        let cell = self.shared.table.get_or_insert((id, TypeId::of::<T>()), new);
        match &*cell.head.path {
            known if known == path => Ok(cell),
            other => Err(there(format!("\"{path}\", whose id is that of \"{other}\","))),
        }
    }

    fn asset_cell<T: Asset>(&self, id: Id<T>) -> Arc<Cell<T>> {
        self.cell(id.resource(), id.slot(), make_asset::<T>)
    }

    /// Has the pool load one asset. Where there are no threads, this one does: nobody else would.
    pub(crate) fn start(&self, cell: Arc<dyn AnyCell>, priority: Priority) {
        let batch = Arc::new(Batch::of_one(self, cell, priority));
        self.shared.pool.push(Arc::clone(&batch));
        if self.shared.pool.has_no_threads() {
            batch.run_one();
            self.shared.pool.forget(&batch);
        }
    }

    /// When an asset is loaded and how long it stays.
    pub fn set_residency(&self, id: impl Into<AnyId>, residency: Residency) {
        let id = id.into().resource();
        self.shared.residence.set_residency(id, residency, self.shared.table.alive());
    }

    /// Up to how many bytes of assets stay loaded, decoded, when nobody holds them; the least recently used go first. 0,
    /// the default, frees an asset with its last handle.
    ///
    /// What is held counts, but is never freed. The budget is looked at whenever an asset is loaded, and by [`Self::trim`].
    pub fn set_budget(&self, bytes: u64) {
        self.shared.residence.set_budget(bytes);
    }

    /// Frees what nobody holds and the budget does not allow.
    pub fn trim(&self) {
        self.shared.residence.trim();
    }

    /// What happens to assets from now on.
    pub fn events(&self) -> Events {
        self.shared.listeners.listen()
    }

    /// Where assets come from, in order, as it is now: what is mounted later does not show in it.
    pub fn mounts(&self) -> Arc<Mounts> {
        Arc::clone(&self.shared.mounts.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Mounts an overlay over everything else: a patch, a mod, an addition. Its assets replace those with the same ids, in
    /// handles that exist already, too.
    ///
    /// # Errors
    /// [`ErrorKind::Overlay`] where an asset would replace one of another path or kind, and within
    /// [`FromAsset::from_asset`]; nothing is mounted then.
    pub fn mount(&self, pack: Pack) -> Result<MountId> {
        self.mount_set([pack])
    }

    /// As [`Self::mount`], for an overlay of several packs; the first that has an asset wins.
    ///
    /// # Errors
    /// As [`Self::mount`].
    pub fn mount_set(&self, packs: impl IntoIterator<Item = Pack>) -> Result<MountId> {
        let packs: Vec<Pack> = packs.into_iter().collect();
        let mut mounted = None;
        self.replace_mounts(|mounts| {
            let (mounts, id) = mounts.with(packs)?;
            mounted = Some(id);
            let changed = mounts.ids_of(id);
            Ok((mounts, changed))
        })?;
        mounted.ok_or_else(|| Error::new(ErrorKind::Overlay("has no packs".to_owned())))
    }

    /// Removes an overlay; what it replaced is back, in handles too. `false` where it is not mounted, and within
    /// [`FromAsset::from_asset`], which may not change the order.
    ///
    /// Assets that only the overlay had stay with those who hold them.
    pub fn unmount(&self, id: MountId) -> bool {
        let mut removed = false;
        let outcome = self.replace_mounts(|mounts| {
            let Some(without) = mounts.without(id) else { return Ok((mounts.clone(), HashSet::new())) };
            removed = true;
            let mut changed = mounts.ids_of(id);
            changed.retain(|id| without.entry(*id).is_some());
            Ok((without, changed))
        });
        outcome.is_ok() && removed
    }

    /// The path of an asset.
    pub fn path(&self, id: ResourceId) -> Option<String> {
        self.mounts().entry(id).map(|entry| entry.path.to_owned())
    }

    /// The asset with exactly this path; for paths that are known at run time only.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPath`], which names the path that looks most like it.
    pub fn find(&self, path: &str) -> Result<AnyId> {
        let mounts = self.mounts();
        mounts.find(path).map(|entry| entry.id).ok_or_else(|| {
            let nearest = mounts.entries().min_by_key(|entry| distance(entry.path, path)).map(|e| e.path.to_owned());
            let nearest = nearest.filter(|nearest| distance(nearest, path) <= path.len() / 3);
            Error::new(ErrorKind::NoSuchPath { path: path.to_owned(), nearest })
        })
    }

    /// The asset with exactly this path, which has to be a `T`.
    ///
    /// # Errors
    /// As [`Store::find`]; [`ErrorKind::WrongKind`].
    pub fn find_as<T: Asset>(&self, path: &str) -> Result<Id<T>> {
        let found = self.find(path)?;
        found.typed().ok_or_else(|| {
            let kind = ErrorKind::WrongKind { expected: T::KIND, found: found.kind() };
            Error::new(kind).of_asset(|| format!("\"{path}\""))
        })
    }

    /// The assets whose paths begin with `folder`, by path; for folders that are known at run time only, like a mod's.
    pub fn folder(&self, folder: &str) -> Vec<AnyId> {
        let mounts = self.mounts();
        let prefix = format!("{}/", folder.trim_end_matches('/'));
        let mut inside: Vec<Entry<'_>> = mounts.entries().filter(|entry| entry.path.starts_with(&prefix)).collect();
        inside.sort_by_key(|entry| entry.path);
        inside.iter().map(|entry| entry.id).collect()
    }

    /// Reads a raw file or an encoded sound piece by piece, without loading it whole.
    ///
    /// What stands in the pack as it is, as sources of sounds do, is read from the map; what is compressed is decoded
    /// first. Bytes read from the map are not compared with their CRC: that would read them all. [`Stream::verify`] does.
    ///
    /// # Errors
    /// Where it is not there, is neither a raw file nor an encoded sound, or its head is damaged.
    pub fn stream(&self, id: impl Into<AnyId>) -> Result<Stream> {
        let id = id.into().resource();
        let mounts = self.mounts();
        let (source, slot) = mounts.locate(id, 0).ok_or_else(|| Error::new(ErrorKind::NotFound(id)))?;
        let entry = source.index().entry(slot)?;
        match entry.kind {
            Some(AssetKind::Raw | AssetKind::Sound) => Stream::open(source, slot),
            found => Err(Error::new(ErrorKind::WrongKind { expected: AssetKind::Raw, found })),
        }
        .map_err(|e| e.of_asset(|| format!("\"{}\"", entry.path)))
    }

    /// What links are relative to: the assets directory in debug builds, else the executable's.
    pub fn base_dir(&self) -> Option<&Path> {
        self.shared.base_dir.as_deref()
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
        f.debug_struct("Store").field("mounts", &self.mounts()).finish_non_exhaustive()
    }
}
