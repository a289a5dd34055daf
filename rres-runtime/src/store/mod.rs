//! The store: finds assets in the mounted packs, loads each once, and hands out handles.
//!
//! This file is the store itself. Each of the others adds what one feature needs, and knows the store, not the other
//! way round:
//!
//! | file | feature |
//! |---|---|
//! | `request.rs` | what to load: which asset, as which type, in which language |
//! | `load.rs`, `recorder.rs` | making the value of one asset, also as a type of the program |
//! | `types.rs` | the types of assets that are asked for without one |
//! | `pending.rs`, `batch.rs` | loading on another thread |
//! | `owned.rs` | making values that the program keeps itself |
//! | `fetching.rs` | which parts of packs a load needs |
//! | `loading.rs`, `loaded_group.rs` | loading and freeing a group |
//! | `values.rs` | sharing values that the program makes |
//! | `find.rs`, `elsewhere.rs` | finding assets by path, streams, links; ids of other stores |
//! | `locale.rs` | choosing among the variants of assets |
//! | `texture_limits.rs` | how large the textures are that are loaded |
//! | `change.rs`, `mounting.rs`, `refresh.rs` | replacing the values of assets that change |
//! | `watcher.rs` | collecting which assets have changed |
//! | `dump.rs`, `holders.rs` | what is loaded, and what keeps it alive |
//! | `unload.rs` | freeing an asset that only the store keeps |
//! | `load_order.rs` | in which order assets were loaded |

mod ahead;
mod batch;
mod change;
mod dump;
mod effects;
mod elsewhere;
mod fetching;
mod find;
mod holders;
mod load;
#[cfg(debug_assertions)]
mod load_order;
mod loaded_group;
mod loading;
mod locale;
mod mounting;
mod needs;
mod owned;
mod pending;
mod recorder;
mod refresh;
mod renewal;
mod request;
mod residency;
mod table;
mod texture_fit;
mod texture_limits;
mod types;
mod unload;
mod values;
mod watcher;

pub use batch::Progress;
pub use dump::{Dump, DumpRow, Stats};
pub use fetching::StoredBytes;
pub use loaded_group::{HeldAsset, LoadedGroup, StillInUse};
pub use loading::{GroupError, Loading};
pub use owned::Fetched;
pub use pending::{LoadState, PendingAsset};
pub use request::{IntoRequest, Request};
pub use residency::Residency;
pub use texture_fit::{LoweredTexture, TextureFit};
pub use types::{ALL_TYPES, AssetType};
pub use watcher::StoreWatcher;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};

use rres_format::FourCc;
use rres_protocol::files::local_path;

use crate::asset::Asset;
use crate::error::Result;
#[cfg(all(feature = "hot-reload", debug_assertions))]
use crate::events::Unheard;
use crate::events::{Event, Events, Listeners};
use crate::handle::{AnyEntry, AssetMeta, EntryOwner, Handle, WaitGraph};
use crate::id::AnyId;
use crate::mounts::Mounts;
use crate::pool::Pool;
use crate::source::{Pack, Source, decode_on_this_thread_only};
use crate::timeline::Asker;
use crate::variants::Selection;
use residency::ResidencyManager;
use table::Table;
use texture_limits::TextureLimits;

#[cfg(all(feature = "hot-reload", debug_assertions))]
pub(crate) use refresh::Refreshed;

/// The assets of a program. Cloning shares the store; it is `Send + Sync`, and a program may have several.
///
/// An asset is loaded once, however many threads ask for it, and lives as long as a handle to it.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

/// What the clones of a store share.
struct Shared {
    mounts: RwLock<Arc<Mounts>>,
    /// Which variants of assets are loaded.
    selection: RwLock<Arc<Selection>>,
    /// What the paths in links are relative to.
    base_dir: RwLock<Option<Arc<Path>>>,
    /// The folders of libraries and their assets directories, to which the links in them are relative.
    library_dirs: OnceLock<&'static [(&'static str, &'static str)]>,
    /// The entries, each with the function that makes its value; `None` for a value that the program inserts.
    table: Table<Option<Loader>>,
    /// The types of custom assets, by the kind of their chunks.
    custom_types: RwLock<BTreeMap<FourCc, types::Entry>>,
    /// The types of other assets.
    types: RwLock<&'static [AssetType]>,
    waits: WaitGraph,
    residency: ResidencyManager,
    texture_limits: TextureLimits,
    pool: Pool,
    listeners: Listeners,
    watchers: watcher::Watchers,
    /// Held while a list of all entries exists, which owns them like a handle.
    counting: Mutex<()>,
    /// Held while the mounts change and values are made again; see [`Store::begin_change`].
    refreshing: Mutex<()>,
    /// In a browser, the change whose values wait for what is fetched.
    put_off: Mutex<Option<Arc<renewal::PutOff>>>,
    /// What reloads the assets; see [`Store::set_companion`].
    #[cfg(all(feature = "hot-reload", debug_assertions))]
    companion: OnceLock<Box<dyn Companion>>,
}

/// A type that a program makes from an asset: a level from a text, a tile set from an image.
///
/// ```
/// use rres_runtime::{FromAsset, Store, Text};
///
/// struct Level { rows: Vec<String> }
///
/// impl FromAsset for Level {
///     type Source = Text;
///     type Error = std::io::Error;
///
///     fn from_asset(text: &Text, _: &Store) -> Result<Self, Self::Error> {
///         Ok(Level { rows: text.as_str().lines().map(str::to_owned).collect() })
///     }
/// }
/// // let level: Handle<Level> = store.load(assets::levels::_1_TXT.into_type())?;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from an asset",
    note = "implement `rres_runtime::FromAsset` for `{Self}`, or load the asset itself, without `into_type`"
)]
pub trait FromAsset: Sized + Send + Sync + 'static {
    /// The asset that it is made from.
    type Source: Asset;
    /// Why it could not be made; a `String` or `Box<dyn Error + Send + Sync>` will do.
    type Error: Into<Box<dyn std::error::Error + Send + Sync>>;

    /// Makes a value. It may load other assets from `store`.
    ///
    /// The store records what it loads. When the source or one of those assets changes, the store calls this function
    /// again and replaces the value. Loading the value itself, directly or through others, fails with
    /// [`crate::ErrorKind::DependencyCycle`].
    ///
    /// # Errors
    /// Whatever the program reports. The store adds the asset's path and returns it as
    /// [`crate::ErrorKind::Conversion`].
    fn from_asset(source: &Self::Source, store: &Store) -> Result<Self, Self::Error>;

    /// Returns the number of bytes that the value counts for in [`crate::Stats`] and the budget. The default is the
    /// size of the value itself, without what it points to.
    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// A thread that gives a store new values as long as it lives.
#[cfg(all(feature = "hot-reload", debug_assertions))]
pub(crate) trait Companion: Send + Sync {
    /// Called when the store is dropped, with whether values of it are still in use.
    fn stop(&self, in_use: bool);

    /// Looks for changed files at once, and waits until their values are new.
    #[cfg_attr(not(all(feature = "inspect", not(target_family = "wasm"))), expect(dead_code))]
    fn look(&self);
}

/// Makes the value of an entry, whose type it knows, and publishes it.
type Loader = fn(&Store, &dyn AnyEntry) -> Result<()>;

impl EntryOwner for Shared {
    fn resized(&self, old: u64, new: u64) {
        self.residency.resize(old, new);
    }

    fn dropped(&self, meta: &AssetMeta) {
        self.table.forget(meta.key, meta.slot);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.pool.close();
        self.residency.clear();
        #[cfg(all(feature = "hot-reload", debug_assertions))]
        if let Some(companion) = self.companion.get() {
            companion.stop(!self.table.alive().is_empty());
        }
    }
}

/// A store that may be gone: what threads hold, so that they do not keep it alive.
pub(crate) struct WeakStore(Weak<Shared>);

impl WeakStore {
    pub(crate) fn upgrade(&self) -> Option<Store> {
        self.0.upgrade().map(|shared| Store { shared })
    }
}

impl Store {
    /// Creates a store over the game's own sources, whose assets have these types. Links are relative to `base_dir`.
    pub(crate) fn new(sources: Vec<Source>, base_dir: Option<PathBuf>, types: &'static [AssetType]) -> Self {
        let shared = Shared {
            mounts: RwLock::new(Arc::new(Mounts::new(sources))),
            selection: RwLock::default(),
            base_dir: RwLock::new(base_dir.map(Arc::from)),
            library_dirs: OnceLock::new(),
            table: Table::new(),
            custom_types: RwLock::default(),
            types: RwLock::new(types),
            waits: WaitGraph::new(),
            residency: ResidencyManager::default(),
            texture_limits: TextureLimits::default(),
            // The threads of the pool keep all processors busy by themselves.
            pool: Pool::new(decode_on_this_thread_only),
            listeners: Listeners::default(),
            watchers: watcher::Watchers::default(),
            counting: Mutex::default(),
            refreshing: Mutex::default(),
            put_off: Mutex::default(),
            #[cfg(all(feature = "hot-reload", debug_assertions))]
            companion: OnceLock::new(),
        };
        let shared = Arc::new(shared);
        elsewhere::register(&shared);
        Self { shared }
    }

    /// Creates a store over packs that the program opened. If several contain an asset, the last one wins.
    ///
    /// Links are relative to the directory of the executable.
    pub fn from_packs(packs: impl IntoIterator<Item = Pack>) -> Self {
        let mut sources: Vec<_> = packs.into_iter().map(|pack| Source::Pack(Arc::new(pack))).collect();
        sources.reverse();
        let base_dir = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
        Self::new(sources, base_dir, &ALL_TYPES)
    }

    /// Loads an asset, or shares it if it is loaded already.
    ///
    /// The request is an id, `id.into_type::<Level>()` for the program's own type made from an asset, or either of them with
    /// `.in_locale("fr")`; see [`Request`].
    ///
    /// # Errors
    /// If the asset does not exist or its bytes are damaged; [`crate::ErrorKind::Conversion`] and [`crate::ErrorKind::BadLocale`]. The
    /// next call tries again.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn load<T: Send + Sync + 'static>(&self, request: impl IntoRequest<Value = T>) -> Result<Handle<T>> {
        let _asking = Asker::here().asks();
        self.load_typed(self.requested(&request.into_request())?)
    }

    /// Returns an asset if it is loaded already, without loading it.
    pub fn loaded<T: Send + Sync + 'static>(&self, request: impl IntoRequest<Value = T>) -> Option<Handle<T>> {
        let (key, slot) = self.key(&request.into_request()).ok()?;
        Handle::new(self.shared.table.get(key, slot)?)
    }

    /// Identifies the store among those that are open.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    pub(crate) fn downgrade(&self) -> WeakStore {
        WeakStore(Arc::downgrade(&self.shared))
    }

    /// Gives the store a companion, which lives as long as it. A store has at most one.
    #[cfg(all(feature = "hot-reload", debug_assertions))]
    pub(crate) fn set_companion(&self, companion: impl Companion + 'static) {
        let _ = self.shared.companion.set(Box::new(companion));
    }

    /// Has changed files imported at once, and waits for that. Returns whether anything imports files of this store.
    #[cfg(all(feature = "inspect", debug_assertions, not(target_family = "wasm")))]
    pub(crate) fn import_changes(&self) -> bool {
        #[cfg(feature = "hot-reload")]
        if let Some(companion) = self.shared.companion.get() {
            companion.look();
        }
        self.imports()
    }

    /// Returns whether anything imports files of this store when they change.
    #[cfg(all(feature = "inspect", debug_assertions, not(target_family = "wasm")))]
    pub(crate) fn imports(&self) -> bool {
        #[cfg(feature = "hot-reload")]
        return self.shared.companion.get().is_some();
        #[cfg(not(feature = "hot-reload"))]
        false
    }

    /// Returns the mounted packs in search order, as they are now. Later changes do not affect the result.
    pub fn mounts(&self) -> Arc<Mounts> {
        Arc::clone(&self.shared.mounts.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the directory that links are relative to: the assets directory in debug builds, else the executable's.
    /// `None` if the executable's is not known. [`Self::set_base_dir`] chooses another.
    pub fn base_dir(&self) -> Option<Arc<Path>> {
        self.shared.base_dir.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Chooses the directory that links are relative to, from now on; what was loaded through a link stays as it is.
    ///
    /// No link leads out of this directory: a pack may come from a stranger, and its paths with it. To reach a file that is
    /// elsewhere, choose a directory that contains both.
    pub fn set_base_dir(&self, dir: impl Into<PathBuf>) {
        let dir: PathBuf = dir.into();
        *self.shared.base_dir.write().unwrap_or_else(PoisonError::into_inner) = Some(dir.into());
    }

    /// Sets where the files of libraries are, whose assets a debug build has loose.
    pub(crate) fn set_library_dirs(&self, dirs: &'static [(&'static str, &'static str)]) {
        let _ = self.shared.library_dirs.set(dirs);
    }

    /// The file that a link to `path` leads to.
    fn linked_file(&self, path: &str) -> Option<PathBuf> {
        let file = self.base_dir()?.join(local_path(path));
        let dirs = self.shared.library_dirs.get().copied().unwrap_or_default();
        let of_library = dirs.iter().find_map(|(folder, dir)| {
            Some(Path::new(dir).join(local_path(path.strip_prefix(folder)?.strip_prefix('/')?)))
        });
        // A file of the game replaces the file of a library.
        Some(of_library.filter(|_| !file.is_file()).unwrap_or(file))
    }

    /// Returns the events of this store from now on.
    pub fn events(&self) -> Events {
        self.shared.listeners.listen()
    }

    /// Sends an event about changed assets to all listeners; see [`Listeners::publish`].
    pub(crate) fn publish(&self, event: Event) {
        self.shared.listeners.publish(event);
    }

    /// Publishes an event of several that belong together; see [`Listeners::publish_all`].
    #[cfg(all(feature = "hot-reload", debug_assertions))]
    pub(crate) fn publish_all(&self, unheard: &mut Unheard, event: Event) {
        self.shared.listeners.publish_all(unheard, event);
    }

    /// Returns the path of an asset, such as `ui/player.png`; `None` if the store does not have it, or its pack has no paths.
    ///
    /// A constant does not contain its path: a program has thousands of them, and the pack has the paths already.
    pub fn path(&self, id: impl Into<AnyId>) -> Option<String> {
        self.mounts().entry(id.into().resource()).map(|entry| entry.path.to_string()).filter(|path| !path.is_empty())
    }

    /// Sets when an asset is loaded and how long it stays loaded.
    pub fn set_residency(&self, id: impl Into<AnyId>, residency: Residency) {
        let id = id.into().resource();
        self.shared.residency.set_residency(id, residency, self.shared.table.alive());
    }

    /// Sets how many bytes of assets, decoded, stay loaded although nothing holds them. The least recently used ones
    /// are freed first. With 0, the default, an asset is freed with its last handle.
    ///
    /// Assets with handles count, but are never freed. The budget is enforced whenever an asset is loaded, and by
    /// [`Self::trim`].
    pub fn set_budget(&self, bytes: u64) {
        self.shared.residency.set_budget(bytes);
    }

    /// Frees assets that nothing holds until the rest is within the budget.
    pub fn trim(&self) {
        self.shared.residency.trim();
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("mounts", &self.mounts()).finish_non_exhaustive()
    }
}
