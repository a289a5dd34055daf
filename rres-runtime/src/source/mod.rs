//! Where chunks come from: packs in release builds, blobs of the import cache in debug builds.

pub(crate) mod decode;
pub(crate) mod locate;
pub(crate) mod loose;
pub(crate) mod pack;
