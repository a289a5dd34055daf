//! Mods: a folder of `.rres` files → which of them are mounted, in which order, what is wrong with the others, and which mod wins where two
//! change the same asset.
//!
//! A mod is one pack with a text `mod.toml` in it, its [`Manifest`]. This crate uses the public interface of `rres-runtime` alone.
//!
//! | module | turns |
//! |---|---|
//! | `loader` | a folder into [`Mods`] |
//! | `manifest` | a text into a [`Manifest`] |
//! | `order` | manifests into a load order, and faults |
//! | `policy` | what mods may change into faults |
//! | `overrides` | mods in their order into [`Overrides`]: which asset is whose |
//! | `fault` | what is wrong with a mod |
//!
//! ```
//! use rres_mods::ModLoader;
//! use rres_mods::semver::Version;
//! # let store = rres_runtime::Store::from_packs([]);
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//!
//! let game_version = Version::parse(env!("CARGO_PKG_VERSION"))?;
//! let mut mods = ModLoader::new("lantern", game_version).read(folder, &store);
//! for mounted in mods.mount(&store) {
//!     println!("{} {}", mounted.id, mounted.version);
//! }
//! for fault in mods.faults() {
//!     eprintln!("{fault}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod fault;
mod loader;
mod manifest;
mod order;
mod overrides;
mod policy;

pub use fault::{Fault, FaultKind, Forbidden, ForbiddenAsset};
pub use loader::{FoundMod, ModLoader, ModState, Mods, MountedMod};
pub use manifest::{MANIFEST_PATH, MAX_MANIFEST, Manifest, ManifestError};
pub use overrides::{Override, Overrides};
pub use policy::Policy;
#[doc(no_inline)]
pub use semver;
