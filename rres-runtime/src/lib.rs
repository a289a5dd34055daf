//! Loads typed assets by the constants that `rres-build` generates.
//!
//! ```ignore
//! rres_runtime::include_assets!();                       // mod assets { … }
//!
//! let store = assets::open()?;                            // debug: loose files; release: the pack
//! let player = store.load(assets::PLAYER_PNG)?;           // Handle<Image>, inferred from Id<Image>
//! draw(player.get().width(), player.get().data());
//! ```
//!
//! A misspelt constant and a wrong type do not compile. An uncompressed image, sound or file is a view of the mapped
//! pack, without a copy; a compressed one is decoded once, straight into its final allocation. Nothing here parses PNG,
//! TTF or glTF: that happened during the build.
//!
//! | to | use |
//! |---|---|
//! | load by constant | [`Store::load`], [`Request`], [`Handle`] |
//! | load your own type | [`FromAsset`], [`Id::into_type`]; `Json<T>`, `Ron<T>`, `Toml<T>` |
//! | load one language, whatever the store prefers | [`Id::in_locale`] |
//! | load what an importer of your own writes | [`CustomAsset`] |
//! | load in the background, show a placeholder, await | [`Store::load_async`], [`Store::reserve`], [`PendingAsset`] |
//! | load and free a level as a unit | [`Store::load_group`], [`Loading`], [`LoadedGroup`], [`Group::member`] |
//! | notice a new value | [`Handle::watch`], [`Store::events`]; [`Store::watch`] also for what is not loaded |
//! | refer to an asset without keeping it | [`Handle::downgrade`], [`WeakHandle`] |
//! | share a value made in code | [`Store::insert`], [`Store::value`], [`Store::reserve_value`] |
//! | see and limit memory | [`Store::stats`], [`Store::dump`], [`Store::set_budget`], [`Residency`], [`Store::unload`] |
//! | load textures in a lower resolution, and more later | [`Store::set_texture_limit`], [`Store::fit_textures`] |
//! | play music without loading it | [`Store::stream`] |
//! | mount patches and mods | [`Store::mount`], [`packs_in`], [`Store::mounts`] |
//! | find out whether two programs have the same assets | `Store::fingerprint`, in the module `fingerprint`; needs the feature `fingerprint` |
//! | list assets, or find them by path | [`Mounts::entries`] of [`Store::mounts`], [`Store::find`], [`Store::folder`] |
//! | read one pack | [`Pack`], [`PackOptions`] |
//! | open an encrypted pack | [`PackOptions`], and the generated `assets::open_with`; needs the feature `seal` |
//! | read a pack on a server, in memory or in a part of a file | [`PackOptions::open_from`], [`ByteSource`] |
//! | read a pack in the program's own executable | [`PackOptions::open_self`], [`packs_in_executable`] |
//!
//! `docs/runtime.md` in the repository has a complete program for each row.
//!
//! # Features
//!
//! `lz4` and `zstd` (on by default) and `deflate` and `qoi` (off by default) add one decompressor each. A chunk whose decompressor is off
//! is refused with an error that names it. The generated module asks for `deflate` and `qoi` if rules choose them.
//!
//! `zstd-c` (off by default) decompresses zstd with its C library instead of the decoder in Rust. It decodes up to 1.35
//! times as fast, takes twenty times as long to compile, and needs a C compiler for the target.
//!
//! `jpeg` (off by default) decodes the images that packs keep as JPEG files, because those are smaller. The generated module
//! asks for it if it is needed. `ogg`, `opus`, `mp3`, `flac` and `qoa` (off by default) do so for sounds.
//! `png` and `wav` (off by default) decode such files in packs of other programs; there, `qoi` decodes QOI files, and `font`
//! draws the glyphs of TTF and OTF files.
//!
//! `seal` (off by default) decrypts packs; see [`PackOptions`]. The generated module asks for it if the settings encrypt assets.
//!
//! `hot-reload` (off by default) shows edits of assets in the running debug build. It is compiled out of release
//! builds, so you can leave it on.
//!
//! `inspect` (off by default, and part of `hot-reload`) lets debug builds serve a page on this machine that shows what is loaded, if the variable
//! `RRES_INSPECT` asks for it. It is compiled out of release builds, too.
//!
//! These are off by default, too:
//!
//! | feature | adds | depends on |
//! |---|---|---|
//! | `json`, `ron`, `toml` | `Json<T>`, `Ron<T>`, `Toml<T>`: data of your own types | serde, and the crate of that name |
//! | `tracing` | spans round opening and loading, and events of stores, with the target `rres` | `tracing` |
//! | `signed` | `SignaturePolicy`: packs that must be signed with your key | `ed25519-compact`, `blake3` |
//! | `fingerprint` | `Store::fingerprint`: a number that programs with the same assets have in common | `blake3` |
//! | `fingerprint-c` | the same with the parts of BLAKE3 in C and assembly, which is faster and needs a C compiler | `blake3` |
//! | `data` | types of the program that the build checks data against, and stores; see `docs/typed-data.md` | `postcard`, `serde_core` |
//! | `image` | conversions between [`Image`] and `image::RgbaImage`, `image::DynamicImage` | `image`, without decoders |
#![deny(unsafe_code)]

// Samples and vertices are handed out as slices of the pack, whose numbers are little-endian.
#[cfg(target_endian = "big")]
compile_error!("rres-runtime needs a little-endian machine; rres-format reads packs on any");

#[doc(hidden)]
pub mod __private;
pub mod asset;
mod bytes;
mod credit;
#[cfg(any(feature = "json", feature = "ron", feature = "toml"))]
mod data;
mod error;
mod events;
mod facts;
mod fetch;
#[cfg(feature = "fingerprint-c")]
pub mod fingerprint;
mod group;
mod handle;
mod id;
#[cfg_attr(not(all(feature = "inspect", debug_assertions, not(target_family = "wasm"))), path = "inspect/disabled.rs")]
mod inspect;
#[allow(unsafe_code, reason = "mapping files and sharing pages need it; the module argues why it is sound")]
mod map;
mod mounts;
mod open;
mod pool;
#[cfg_attr(not(all(feature = "hot-reload", debug_assertions)), path = "reload/disabled.rs")]
mod reload;
mod resource;
mod source;
mod store;
mod stream;
mod strings;
mod sync;
#[cfg_attr(not(all(feature = "inspect", debug_assertions, not(target_family = "wasm"))), path = "timeline/disabled.rs")]
mod timeline;
mod trace;
#[cfg(any(feature = "data", feature = "json", feature = "ron", feature = "toml"))]
mod typed_data;
mod variants;

pub use asset::types::{Asset, CustomAsset, CustomChunk, Font, Image, Link, Model, Raw, Sound, Sprite, Text};
pub use bytes::AssetBytes;
pub use credit::Credit;
#[cfg(any(feature = "json", feature = "ron", feature = "toml"))]
pub use data::DataError;
#[cfg(feature = "json")]
pub use data::Json;
#[cfg(feature = "ron")]
pub use data::Ron;
#[cfg(feature = "toml")]
pub use data::Toml;
pub use error::{AssetRef, Error, ErrorKind, LinkError, OtherAsset, Result, SearchedPlace};
pub use events::{Event, Events};
pub use facts::{Facts, HasFacts};
pub use fetch::{ByteSource, Contents, FilePart, OpeningPack, Reply, front_len};
pub use group::{AssetList, Group, GroupMember};
pub use handle::{AnyHandle, ChangeWatcher, Handle, Live, WeakHandle};
pub use id::{AnyId, Id, Ids, IdsIter};
pub use mounts::{MountId, Mounts, packs_in};
pub use pool::Priority;
/// Why files that packs keep cannot be decoded: the types of [`ErrorKind::Source`] and [`asset::SampleReader::error`].
#[doc(no_inline)]
pub use rres_decode::{DecodeError, FontError};
/// The bytes of packs: the types of [`Pack::view`] and [`ErrorKind::Format`].
#[doc(no_inline)]
pub use rres_format as format;
#[cfg(feature = "seal")]
pub use rres_format::seal;
#[cfg(feature = "signed")]
pub use rres_format::signature::{PublicKey, SignatureError};
pub use rres_format::{AssetKind, FourCc, LanguageTag, LanguageTagError, Limits, ResourceId};
pub use rres_protocol::packed_id::Slot;
#[cfg(feature = "signed")]
pub use source::SignaturePolicy;
pub use source::{AssetInfo, CrcPolicy, Pack, PackOptions, packs_in_executable};
pub use store::{
    Dump, DumpRow, Fetched, FromAsset, GroupError, HeldAsset, IntoRequest, LoadState, LoadedGroup, Loading,
    LoweredTexture, PendingAsset, Progress, Request, Residency, Stats, StillInUse, Store, StoreWatcher, StoredBytes,
    TextureFit,
};
pub use stream::Stream;
pub use strings::{Strings, StringsError};

/// Includes a module that `rres-build` generated, as `mod assets`.
///
/// | | includes |
/// |---|---|
/// | `include_assets!()` | the module of the directory `assets`, as a private module of that name |
/// | `include_assets!(pub mod assets)` | the same, for a library whose assets other crates, binaries and tests use |
/// | `include_assets!(mod dlc)` | the module of the directory `dlc`, or the one that `build.rs` calls so with `.module("dlc")` |
/// | `include_assets!(mod art, "assets.rs")` | the file `assets.rs` of `OUT_DIR` under another name |
///
/// Attributes may precede the visibility. A package without a build script, and a name that no build has, do not compile,
/// and the message says what to do.
#[macro_export]
macro_rules! include_assets {
    () => {
        $crate::include_assets!(mod assets);
    };
    ($(#[$attribute:meta])* $vis:vis mod $name:ident) => {
        $crate::include_assets!(@include $(#[$attribute])* $vis mod $name, env!(
            concat!("RRES_MODULE_", stringify!($name)),
            "rres-build generated no module of this name. In build.rs, `import(\"assets\")` generates the module `assets` and \
             `import(\"dlc\")` the module `dlc`; `.module(\"name\")` chooses another name. If the package has no build.rs, \
             create one: `fn main() { rres_build::import(\"assets\").build_or_exit(); }`"
        ));
    };
    ($(#[$attribute:meta])* $vis:vis mod $name:ident, $file:literal) => {
        $crate::include_assets!(@include $(#[$attribute])* $vis mod $name, concat!(
            env!(
                "OUT_DIR",
                "the package has no build script that generates the assets module; create build.rs with \
                 `fn main() { rres_build::import(\"assets\").build_or_exit(); }` and add rres-build to [build-dependencies]"
            ),
            "/",
            $file
        ));
    };
    (@include $(#[$attribute:meta])* $vis:vis mod $name:ident, $path:expr) => {
        /// Constants of every asset, generated by `rres-build`.
        #[allow(clippy::all, clippy::pedantic, dead_code, unreachable_pub)]
        $(#[$attribute])*
        $vis mod $name {
            include!($path);
        }
    };
}
