//! What was imported → the text of the game's `assets` module.
//!
//! The text is what `rres_runtime::include_assets!` includes from `OUT_DIR`: a module per folder, a typed constant per
//! asset, one table of all ids, a way from paths into that table, and `open`. It depends on nothing but [`Module`]: the
//! same input, in any order, gives the same bytes. Nothing here opens a file.

mod clash;
mod names;
mod paths;
mod text;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use clash::NameClash;
pub(crate) use names::{constant_name, module_name};

use rres_format::{AssetKind, ResourceId};

/// Everything the generated text depends on.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// The path of the runtime crate as the game sees it.
    pub(crate) crate_path: String,
    /// The name of the pack, without extension.
    pub(crate) pack: String,
    /// Where the loose files are; debug builds only, for a shipped game must not know the build machine.
    pub(crate) dev: Option<Dev>,
    /// Where `cargo run` finds the pack, relative to the directory of the executable's profile.
    pub(crate) pack_path_tail: Option<String>,
    /// The hash of the set of ids, kinds and paths: the runtime compares it with the index it opens.
    pub(crate) set_hash: [u8; 16],
    /// Whether debug builds are made without a look at the contents.
    pub(crate) locks: bool,
    /// The assets, in any order.
    pub(crate) constants: Vec<Constant>,
    /// The groups, in any order.
    pub(crate) groups: Vec<Group>,
}

impl Module {
    /// The module of a pack without assets, for the runtime under its usual name.
    pub(crate) fn new(pack: impl Into<String>) -> Self {
        Self {
            crate_path: "::rres_runtime".to_owned(),
            pack: pack.into(),
            dev: None,
            pack_path_tail: None,
            set_hash: [0; 16],
            locks: false,
            constants: Vec::new(),
            groups: Vec::new(),
        }
    }
}

/// Where a debug build left its assets; absolute paths.
#[derive(Clone, Debug)]
pub(crate) struct Dev {
    /// The dev index.
    pub(crate) index: String,
    /// The directory of blobs.
    pub(crate) blobs: String,
    /// The assets directory.
    pub(crate) assets: String,
    /// The file that says how to start the build script as a server; empty where there is none.
    pub(crate) serve: String,
}

/// One asset that the game can name.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    /// The asset path; what a file brings along follows a `#`, as in `models/fox.glb#image/0`.
    pub(crate) path: String,
    /// Its id.
    pub(crate) id: ResourceId,
    /// Its place in the pack's index, where the runtime looks first.
    pub(crate) slot: u32,
    /// Its kind, which decides the constant's type.
    pub(crate) kind: AssetKind,
    /// One line for hovering: dimensions or duration, format, stored size.
    pub(crate) doc: String,
    /// Other assets need it: a game that never names it uses it all the same.
    pub(crate) needed: bool,
    /// The name to use instead of the file's. It goes through [`constant_name`] like any other.
    pub(crate) rename: Option<String>,
}

/// Assets that are loaded and dropped together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The name, as in `[group.level_1]`.
    pub(crate) name: String,
    /// Its members, in loading order.
    pub(crate) members: Vec<ResourceId>,
    /// One line for hovering: how many assets, how many bytes.
    pub(crate) doc: String,
}

/// Writes the text of the module.
///
/// # Errors
/// Every pair of sources that would have the same Rust name, not only the first.
pub(crate) fn generate(module: &Module) -> Result<String, Vec<NameClash>> {
    Ok(text::write(module, &tree::build(module)?))
}
