//! Where a program finds its assets, and what it says when it does not.
//!
//! In order: the variable `RRES_PATH`; the dev index (debug builds); beside the executable; `../Resources` from
//! there (macOS bundles); the directory in which Cargo's last build left the pack, found through the variable
//! `OUT_DIR`, which `cargo run` and `cargo test` set, or by its place relative to the executable. No absolute path of
//! the building machine is part of a release program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::loose::Loose;
use super::pack::{PackOptions, open_set};
use crate::error::{Error, ErrorKind, Result};
use crate::store::{Source, Store};

/// What generated code knows of its assets.
#[derive(Debug)]
pub struct Location {
    /// The name of the pack, without extension.
    pub pack: &'static str,
    /// Debug builds: the dev index, the directory of blobs, the assets directory; absolute.
    pub dev: Option<Dev>,
    /// The pack's path from the directory of build output that contains the executable, too.
    pub pack_path_tail: Option<&'static str>,
    /// Hash of the set of paths, ids and kinds that the constants were made from.
    pub set_hash: [u8; 16],
}

/// Where a debug build left its assets.
#[derive(Clone, Copy, Debug)]
pub struct Dev {
    /// The dev index.
    pub index: &'static str,
    /// The directory of blobs.
    pub blobs: &'static str,
    /// The assets directory.
    pub assets: &'static str,
    /// The file that says how to start the build script as a server; empty where there is none.
    pub serve: &'static str,
}

/// Opens the assets of a program.
///
/// # Errors
/// [`ErrorKind::NoAssets`], which lists the places tried; [`ErrorKind::OtherSet`]; damage found on opening.
pub fn open(location: &Location) -> Result<Store> {
    let store = find(location)?;
    let mounts = store.mounts();
    if let Some(other) = mounts.base().iter().find(|source| source.index().set_hash() != location.set_hash) {
        return Err(Error::new(ErrorKind::OtherSet).in_file(|| other.file().map(Path::to_owned)));
    }
    if let (Some(dev), [Source::Loose(_)]) = (&location.dev, mounts.base()) {
        crate::reload::start(&store, dev, location.pack);
    }
    Ok(store)
}

fn find(location: &Location) -> Result<Store> {
    let mut tried = Vec::new();
    let exe_dir = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    let file_name = format!("{}.rres", location.pack);
    let packs = |path: &Path| -> Result<Store> {
        let packs = open_set(path, PackOptions::default())?;
        Ok(Store::new(packs.into_iter().map(Source::Pack).collect(), exe_dir.clone()))
    };

    match std::env::var_os("RRES_PATH") {
        // Whoever names a place wants that one: no falling back from it.
        Some(path) if !path.is_empty() => {
            let path = PathBuf::from(path);
            let path = if path.is_dir() { path.join(&file_name) } else { path };
            return packs(&path);
        }
        _ => tried.push("the variable RRES_PATH: not set".to_owned()),
    }
    if let Some(dev) = &location.dev {
        if Path::new(dev.index).exists() {
            let loose = Loose::open(Path::new(dev.index), Path::new(dev.blobs))?;
            return Ok(Store::new(vec![Source::Loose(Arc::new(loose))], Some(PathBuf::from(dev.assets))));
        }
        tried.push(format!("{}: not there (debug builds keep their index of loose files here)", dev.index));
    }
    let mut places = Vec::new();
    if let Some(dir) = &exe_dir {
        places.push(dir.join(&file_name));
        if let Some(parent) = dir.parent() {
            places.push(parent.join("Resources").join(&file_name));
        }
    }
    if let Some(out_dir) = std::env::var_os("OUT_DIR") {
        places.push(PathBuf::from(out_dir).join(&file_name));
    }
    if let (Some(dir), Some(tail)) = (&exe_dir, location.pack_path_tail) {
        places.extend(dir.ancestors().take(3).map(|dir| dir.join(tail)));
    }
    for place in places {
        if place.is_file() {
            return packs(&place);
        }
        tried.push(format!("{}: not there", place.display()));
    }
    Err(Error::new(ErrorKind::NoAssets { pack: location.pack.to_owned(), tried }))
}
