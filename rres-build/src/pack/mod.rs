//! Imported assets → what the runtime opens: a pack, a set of packs, or a dev index.

mod set;
mod write;

pub(crate) use set::{AssetSet, Member};
pub(crate) use write::{write_dev_index, write_packs};
