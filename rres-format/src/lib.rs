//! The bytes of rres packs.
mod asset_kind;
mod id;
pub mod limits;

pub use asset_kind::AssetKind;
pub use id::{PathError, ResourceId, normalize_path};
pub use limits::Limits;
