//! Finds the assets of a program, or returns an error that lists the places searched.
//!
//! A program searches, in this order: the variable `RRES_PATH`; the dev index (debug builds); its own executable; beside the
//! executable; `../Resources` from there (macOS bundles); the directory where Cargo's last build left the pack. That directory is
//! known from the variable `OUT_DIR`, which `cargo run` and `cargo test` set, or from its place relative to the
//! executable, if Cargo builds there. A release program contains no absolute path of the machine that built it.
//!
//! The patches `game.patch1.rres`, `game.patch2.rres`, … beside the pack are mounted over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_protocol::files::{local_path, patch_pack};

use crate::error::{Error, ErrorKind, Result, SearchedPlace};
use crate::inspect;
use crate::reload;
use crate::source::{Dev, OwnExecutable, Pack, PackOptions, Source, check_set, open_set};
use crate::store::{ALL_TYPES, AssetType, Store};

/// The variable that names a pack, or a directory that contains it.
const VARIABLE: &str = "RRES_PATH";

/// What generated code knows of its assets.
#[derive(Debug)]
pub struct Location {
    /// The name of the pack, without extension.
    pub pack: &'static str,
    /// The loose assets of a debug build.
    pub dev: Option<Dev>,
    /// The path of the pack from a directory of build output that also contains the executable.
    pub pack_path_tail: Option<&'static str>,
    /// Hash of the set of paths, ids and kinds that the constants were generated from.
    pub set_hash: [u8; 16],
    /// The types of the assets, apart from custom ones.
    pub types: &'static [AssetType],
}

/// Opens the assets of a program.
///
/// # Errors
/// [`ErrorKind::NoAssets`], which lists the places that were searched; [`ErrorKind::BuildMismatch`]; damage that is
/// found on opening.
pub fn open(location: &Location) -> Result<Store> {
    open_with(location, PackOptions::default())
}

/// Opens the assets of a program. `options` apply to its packs and to the patches beside them, and have no effect on the loose
/// files of a debug build.
///
/// # Errors
/// As [`open`], and the errors of opening a pack with these options.
pub fn open_with(location: &Location, options: PackOptions) -> Result<Store> {
    let store = find(location, &options)?;
    check_build(&store, location).map_err(|error| match variable() {
        Some(_) => error.with_variable(VARIABLE),
        None => error,
    })?;
    if let (Some(dev), [Source::DevIndex(_)]) = (&location.dev, store.mounts().base()) {
        reload::start(&store, dev, location.pack);
    }
    inspect::start(&store, location.pack);
    Ok(store)
}

/// Opens the assets of a program from packs that it has opened: one, or all of a set in order.
///
/// # Errors
/// [`ErrorKind::IncompleteSet`]; [`ErrorKind::BuildMismatch`]; and if the packs were not signed together.
pub fn from_packs(location: &Location, packs: Vec<Pack>) -> Result<Store> {
    let packs = check_set(packs)?;
    let store = Store::new(packs.into_iter().map(Source::Pack).collect(), exe_dir(), location.types);
    check_build(&store, location)?;
    inspect::start(&store, location.pack);
    Ok(store)
}

/// Checks that the packs of a store belong to the program.
fn check_build(store: &Store, location: &Location) -> Result<()> {
    match store.mounts().other_set(location.set_hash) {
        Some(other) => Err(Error::new(ErrorKind::BuildMismatch).with_file(other.file())),
        None => Ok(()),
    }
}

/// Returns the directory of the executable, if it is known.
fn exe_dir() -> Option<PathBuf> {
    std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()))
}

fn find(location: &Location, options: &PackOptions) -> Result<Store> {
    let mut searched = Vec::new();
    let exe_dir = exe_dir();
    let file_name = format!("{}.rres", location.pack);
    // Patches are beside the pack, also if the pack is in the executable.
    let store = |packs: Vec<Arc<Pack>>, place: &Path| -> Result<Store> {
        let store = Store::new(packs.into_iter().map(Source::Pack).collect(), exe_dir.clone(), location.types);
        mount_patches(&store, place, options)?;
        Ok(store)
    };
    let open_packs = |path: &Path| store(open_set(path, options)?, path);

    match variable() {
        // If the pack that the user names cannot be opened, opening another one would be a surprise.
        Some(path) => {
            let path = if path.is_dir() { path.join(&file_name) } else { path };
            return open_packs(&path).map_err(|error| error.with_variable(VARIABLE));
        }
        None => searched.push(SearchedPlace::Variable(VARIABLE)),
    }
    if let Some(dev) = &location.dev {
        if Path::new(dev.index).exists() {
            let index = dev.reader.open(Path::new(dev.index), Path::new(dev.blobs))?;
            let store = Store::new(vec![Source::DevIndex(index)], Some(PathBuf::from(dev.assets)), location.types);
            store.set_library_dirs(dev.libraries);
            return Ok(store);
        }
        searched.push(SearchedPlace::DevIndex(dev.index.into()));
    }
    match OwnExecutable::open() {
        Ok(exe) => match exe.open_set(location.pack, options)? {
            Some(packs) => return store(packs, &exe.path().with_file_name(&file_name)),
            None => searched.push(SearchedPlace::Executable { file: exe.path().to_owned(), packs: exe.names() }),
        },
        // A program need not be readable to run.
        Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => {
            let (file, why) = (error.file().map(Path::to_owned), error.to_string());
            searched.push(SearchedPlace::UnreadableExecutable { file, why });
        }
        Err(error) => return Err(error),
    }
    for place in places(location, exe_dir.as_deref(), &file_name) {
        if place.is_file() {
            return open_packs(&place);
        }
        searched.push(match other_case(&place) {
            Some(found) => SearchedPlace::OtherCase { file: place, found },
            None => SearchedPlace::Pack(place),
        });
    }
    Err(Error::new(ErrorKind::NoAssets { pack: location.pack.to_owned(), searched }))
}

impl PackOptions {
    /// Opens a pack, the additional packs of its set and the patches beside it, as `assets::open()` does: for a program that knows the path.
    /// Links lead to files beside the pack.
    ///
    /// ```no_run
    /// let store = rres_runtime::PackOptions::default().open_store("/usr/share/games/lantern/lantern.rres")?;
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`], and if a pack of the set is missing, or a patch is for another pack.
    pub fn open_store(&self, first: impl AsRef<Path>) -> Result<Store> {
        let first = first.as_ref();
        let packs = open_set(first, self)?;
        let sources = packs.into_iter().map(Source::Pack).collect();
        let store = Store::new(sources, first.parent().map(Path::to_owned), &ALL_TYPES);
        mount_patches(&store, first, self)?;
        inspect::start(&store, &first.file_stem().unwrap_or_default().to_string_lossy());
        Ok(store)
    }
}

/// Mounts the patches beside the pack `first`, by number.
fn mount_patches(store: &Store, first: &Path, options: &PackOptions) -> Result<()> {
    for number in 1.. {
        let file = patch_pack(first, number);
        if !file.is_file() {
            break;
        }
        let patch = options.open(&file)?;
        patch.check_end()?;
        if !patch.is_patch() {
            return Err(Error::new(ErrorKind::NotAPatch).with_file(Some(&file)));
        }
        store.mount_own([patch])?;
    }
    Ok(())
}

/// Returns the path in [`VARIABLE`], unless that is empty.
fn variable() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Returns the places where the pack may be, in the order of the search.
fn places(location: &Location, exe_dir: Option<&Path>, file_name: &str) -> Vec<PathBuf> {
    let mut places = Vec::new();
    if let Some(dir) = exe_dir {
        places.push(dir.join(file_name));
        if let Some(parent) = dir.parent() {
            places.push(parent.join("Resources").join(file_name));
        }
    }
    if let Some(out_dir) = std::env::var_os("OUT_DIR") {
        places.push(PathBuf::from(out_dir).join(file_name));
    }
    if let (Some(dir), Some(tail)) = (exe_dir, location.pack_path_tail) {
        places.extend(dir.ancestors().take(3).filter(|dir| is_build_output(dir)).map(|dir| dir.join(local_path(tail))));
    }
    places
}

/// Whether Cargo builds into the directory. A player has none, and a program does not read packs from `/build` there.
fn is_build_output(dir: &Path) -> bool {
    [".cargo-lock", ".cargo-build-lock", ".fingerprint"].iter().any(|name| dir.join(name).exists())
}

/// The name of the file beside `missing` that differs from it in the case of letters only, as systems that ignore case leave behind.
fn other_case(missing: &Path) -> Option<String> {
    let wanted = missing.file_name()?.to_str()?;
    let names = missing.parent()?.read_dir().ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.eq_ignore_ascii_case(wanted)).min()
}
