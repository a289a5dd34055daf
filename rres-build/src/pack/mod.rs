//! Imported assets → what the runtime opens: a pack, a set of packs, or a dev index.

mod blobs;
mod set;
mod write;

pub(crate) use set::{AssetSet, Member, Rejected};
pub(crate) use write::{PackError, WrittenPacks, dev_index, write_dev_index, write_packs};
