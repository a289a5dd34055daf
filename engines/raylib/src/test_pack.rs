//! Stores of one asset, for unit tests.

use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{PackOptions, Store};

/// A store of an asset that is one block.
pub(crate) fn store(path: &str, kind: FourCc, block: &[u8]) -> Store {
    let chunk = StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap();
    let mut pack = PackBuilder::new();
    pack.push(Resource::new(path, vec![chunk]));
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}
