//! Packs made with `rres-format` → assets in the runtime.

mod assets;
mod conversions;
mod damage;
#[cfg(any(feature = "json", feature = "ron", feature = "toml"))]
mod data;
mod events;
mod executable;
mod fetched;
#[cfg(feature = "fingerprint-c")]
mod fingerprint;
mod foreign;
mod groups;
#[cfg(all(feature = "inspect", debug_assertions))]
mod inspector;
mod kept;
mod kinds;
mod lifetime;
mod load_order;
mod locales;
mod loose;
#[cfg(target_os = "linux")]
mod memory;
mod meshes;
mod model_formats;
mod model_scenes;
mod mounts;
mod open;
mod patches;
#[cfg(feature = "seal")]
mod sealed;
mod sets;
mod siblings;
#[cfg(feature = "signed")]
mod signed;
#[cfg(all(target_os = "linux", feature = "flac", feature = "mp3", feature = "ogg"))]
mod sound_memory;
mod store;
mod stream;
mod texture_limits;
mod threads;
mod tidy;
#[cfg(feature = "tracing")]
mod traced;
mod ui;
mod unload;
mod zero_copy;

use std::path::PathBuf;

use rres_format::PackBuilder;
use rres_runtime::__private::{ALL_TYPES, AssetType, Location, open_with};
use rres_runtime::{Error, Id, Pack, PackOptions, Store};
use rres_test_support::wait;

/// A pack in a file of its own.
struct File {
    dir: tempfile::TempDir,
}

impl File {
    fn new(pack: &PackBuilder<'_>) -> Self {
        Self::with_bytes(&pack.to_vec().unwrap())
    }

    fn with_bytes(bytes: &[u8]) -> Self {
        let file = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("game.rres")
    }

    fn open(&self) -> Pack {
        Pack::open(self.path()).unwrap()
    }
}

/// A store over one pack in memory.
fn store(pack: &PackBuilder<'_>) -> Store {
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

/// The id that the build would generate for a path, without the hint.
fn id<T>(path: &str) -> Id<T> {
    Id::from_path(path)
}

/// Opens the assets of a program whose pack is in a file, as generated code does.
fn open_file(dir: &std::path::Path, options: PackOptions) -> Result<Store, Error> {
    open_with_types(dir, options, &ALL_TYPES)
}

/// Opens them as a module does whose assets have these types.
fn open_with_types(dir: &std::path::Path, options: PackOptions, types: &'static [AssetType]) -> Result<Store, Error> {
    // The place of the pack relative to the directory of the executable: from the root of the file system.
    let tail: &'static str = dir.join("game.rres").to_str().unwrap().to_owned().leak();
    open_with(&Location { pack: "game", dev: None, pack_path_tail: Some(tail), set_hash: [3; 16], types }, options)
}

/// Waits until nothing is loaded: a thread of the pool may still be finishing an asset that was cancelled.
#[track_caller]
fn until_empty(store: &Store) {
    wait::until("nothing is loaded", || (store.stats().assets, store.stats().bytes) == (0, 0));
}

/// Asserts that the message of an error contains each of `texts`.
#[track_caller]
fn assert_message<T>(result: Result<T, Error>, texts: &[&str]) {
    let text = result.err().expect("this should fail").to_string();
    texts.iter().for_each(|part| assert!(text.contains(part), "{part:?} is not in {text:?}"));
}
