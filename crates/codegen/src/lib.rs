//! Resolved assets → the text of the game's `assets` module.
//!
//! `rres_runtime::include_assets!` includes the text from `OUT_DIR`. It contains a module per folder, a typed constant
//! per asset, one table of all ids, a function that finds a path in that table, and `open`. It depends on nothing but
//! [`Module`]: the same input, in any order, gives the same bytes. This crate does not access the file system.

#![forbid(unsafe_code)]

mod clash;
mod credits;
mod emit;
mod facts;
mod languages;
mod module_tree;
mod names;
pub mod unused;

#[cfg(test)]
mod tests;

pub use clash::NameClash;
pub use credits::Credit;
pub use facts::{Facts, FontFacts, ImageFacts, ModelFacts, SoundFacts};
pub use languages::{HeaderEntry, LANGUAGES, Language};
pub use names::{constant_name, is_module_file, module_name, root_module_name};

use std::collections::{BTreeMap, BTreeSet};

use rres_format::{AssetKind, FourCc, ResourceId};
use rres_import::NamedPart;
use rres_protocol::packed_id::Slot;
use rres_settings::LintLevel;

/// Everything the generated text depends on.
#[derive(Clone, Debug)]
pub struct Module {
    /// The path of the runtime crate in the game.
    pub crate_path: String,
    /// The name of the pack, without extension.
    pub pack: String,
    /// The folder that all assets are in, and that is not a module: the name of a library. Empty in a game.
    pub folder: String,
    /// The paths of the loose files; debug builds only, because a shipped game must not contain paths of the build
    /// machine.
    pub dev: Option<Dev>,
    /// The path that `cargo run` uses to find the pack, relative to a directory above the executable.
    pub pack_path_tail: Option<String>,
    /// The hash of the set of ids, kinds and paths. The runtime compares it with the hash in the index that it opens.
    pub set_hash: [u8; 16],
    /// What rustc does about constants that no code names.
    pub unused: LintLevel,
    /// Whether the debug build is in lock mode.
    pub is_locked: bool,
    /// The paths of assets that packs encrypt, in order.
    pub encrypted: Vec<String>,
    /// The assets, in any order.
    pub constants: Vec<Constant>,
    /// The kinds that the assets of the pack have, with those of libraries.
    pub kinds: BTreeSet<AssetKind>,
    /// The groups, in any order.
    pub groups: Vec<Group>,
    /// The types of custom assets: the path of each, by the kind of its chunk.
    pub custom_types: BTreeMap<FourCc, String>,
    /// The custom types that serde reads.
    pub data_types: BTreeMap<FourCc, String>,
    /// Who made the assets, if programs want to know.
    pub credits: Option<Vec<Credit>>,
}

impl Module {
    /// The module of a pack without assets, for the runtime under its usual name.
    pub fn new(pack: impl Into<String>) -> Self {
        Self {
            crate_path: "::rres_runtime".to_owned(),
            pack: pack.into(),
            folder: String::new(),
            dev: None,
            pack_path_tail: None,
            set_hash: [0; 16],
            unused: LintLevel::Allow,
            is_locked: false,
            encrypted: Vec::new(),
            constants: Vec::new(),
            kinds: BTreeSet::new(),
            groups: Vec::new(),
            custom_types: BTreeMap::new(),
            data_types: BTreeMap::new(),
            credits: None,
        }
    }
}

/// The absolute paths of the files of a debug build.
#[derive(Clone, Debug)]
pub struct Dev {
    /// The dev index.
    pub index: String,
    /// The directory of blobs.
    pub blobs: String,
    /// The assets directory.
    pub assets: String,
    /// The folders and the assets directories of libraries.
    pub libraries: Vec<(String, String)>,
    /// The script manifest; empty if there is none.
    pub serve: String,
}

/// One asset that the game can name.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The path of the asset, or of a sub-asset: `models/fox.glb#image/0`.
    pub path: String,
    /// Its id.
    pub id: ResourceId,
    /// Its slot in the index, which the runtime tries first.
    pub slot: Slot,
    /// Its kind, which decides the constant's type.
    pub kind: AssetKind,
    /// The kind of the chunk of a custom asset, which decides which of the game's types the constant has.
    pub custom: Option<FourCc>,
    /// One line of documentation: dimensions or duration, format, stored size.
    pub doc: String,
    /// What a program can know of it while it is compiled.
    pub facts: Facts,
    /// Bytes that it takes in the pack.
    pub stored_size: u64,
    /// Whether other assets depend on it, so that the game uses it even if no code names it.
    pub is_needed: bool,
    /// The feature of the runtime, of those that are off by default, that decodes what the pack stores of it.
    pub needs: Option<&'static str>,
    /// The name to use instead of the file's. It goes through [`constant_name`] like any other.
    pub rename: Option<String>,
    /// The parts of a model that have constants in the module beside its own.
    pub parts: Vec<NamedPart>,
}

/// Assets that are loaded and dropped together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name, as in `[group.level_1]`.
    pub name: String,
    /// Its members, in loading order.
    pub members: Vec<ResourceId>,
    /// One line of documentation: number of assets, number of bytes.
    pub doc: String,
}

/// Writes the text of the module.
///
/// # Errors
/// Every pair of sources that would have the same Rust name, not only the first.
pub fn generate(module: &Module) -> Result<String, Vec<NameClash>> {
    match module_tree::build(module.constants.iter().collect(), module.groups.iter().collect(), &module.folder) {
        (tree, clashes) if clashes.is_empty() => Ok(emit::write(module, &tree)),
        (_, clashes) => Err(clashes),
    }
}

/// An asset or a sub-asset, reduced to its names.
#[derive(Clone, Copy, Debug)]
pub struct NamedAsset<'n> {
    /// The path of its source, or `source#name`, for messages.
    pub source: &'n str,
    /// Its path in the pack. Modules and name follow from it.
    pub path: &'n str,
    /// The name to use instead of the file's.
    pub rename: Option<&'n str>,
}

/// Returns the path of the constant of an asset in the generated module: `ui::BUTTON_PNG`. `rename` is the name that a rule gives to
/// the asset, or to the file of a sub-asset.
pub fn constant_path(path: &str, rename: Option<&str>) -> String {
    module_tree::constant_path(path, rename, "")
}

/// The same in the module of a library, whose assets are in `folder`.
pub fn constant_path_in(folder: &str, path: &str, rename: Option<&str>) -> String {
    module_tree::constant_path(path, rename, folder)
}

/// Every pair of assets and groups that would have the same Rust name.
pub fn check_names<'n>(
    assets: impl Iterator<Item = NamedAsset<'n>>,
    groups: impl Iterator<Item = &'n str>,
    folder: &str,
) -> Vec<NameClash> {
    module_tree::build(assets.collect(), groups.collect(), folder).1
}

/// The rest of a path after the folder that it is in; the path itself if the folder is empty.
pub fn in_folder<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}
