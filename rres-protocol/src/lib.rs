//! The contracts between `rres-build` and `rres-runtime`, apart from the bytes of packs.
//!
//! Each item here is used on both sides, in different crates, so it is defined once, in this one:
//!
//! | module | writer → reader |
//! |---|---|
//! | [`packed_id`] | generated constants → the runtime's lookup |
//! | [`path_table`] | generated `by_path` → the runtime's lookup |
//! | [`facts`] | generated `facts` → constants of a game, at compile time |
//! | [`files`] | the build's output directory and cache → the runtime and the command |
//! | [`nearest`] | error messages of either: "did you mean …?" |
//! | [`serve`], [`client`] | a serving build script ↔ the running game, or `cargo rres sync` |
//! | `network`, with the feature of this name | `cargo rres watch --network` ↔ a game on another machine |
//! | [`sub_asset`] | the paths that a build gives to parts of assets → the runtime and the command |
//! | [`CREDIT_MARK`] | generated code → the command, in the executable |
//! | [`GENERATED_CODE_VERSION`] | generated code → the runtime, at compile time |
//!
//! Games do not use this crate directly.
#![forbid(unsafe_code)]

pub mod client;
pub mod facts;
pub mod files;
pub mod nearest;
#[cfg(feature = "network")]
pub mod network;
pub mod packed_id;
pub mod path_table;
pub mod serve;
pub mod sub_asset;

use rres_format::AssetKind;

/// The version of the code that `rres-build` generates against `rres-runtime`. It increases with every change that
/// other versions of one of the two crates cannot handle.
pub const GENERATED_CODE_VERSION: u32 = 8;

/// How each path in the credits of a generated module begins, which is no name of an asset by which a program loads it: `cargo rres ship
/// --strip-unused` tells them apart in the executable.
pub const CREDIT_MARK: &str = "\u{1}@\u{1}";

/// The build script sets the variable with this prefix and the name of a generated module while the game is compiled.
/// `include_assets!` repeats the prefix, since a macro cannot read a constant.
pub const MODULE_VARIABLE_PREFIX: &str = "RRES_MODULE_";

/// Returns the name of the type in `rres_runtime` that constants of this kind have.
pub const fn runtime_type(kind: AssetKind) -> &'static str {
    match kind {
        AssetKind::Text => "Text",
        AssetKind::Image => "Image",
        AssetKind::Sound => "Sound",
        AssetKind::Font => "Font",
        AssetKind::Model => "Model",
        AssetKind::Link => "Link",
        AssetKind::Sprite => "Sprite",
        // Raw, and kinds that this version does not know: any asset loads as its bytes.
        _ => "Raw",
    }
}
