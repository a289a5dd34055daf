//! Stores of small packs.

use std::sync::Arc;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Id, Image, IntoRequest, PackOptions, Store};

pub(crate) fn chunk(kind: FourCc, block: &[u8]) -> StoredChunk<'static> {
    StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap()
}

pub(crate) fn store(resources: impl IntoIterator<Item = Resource<'static>>) -> Store {
    let mut pack = PackBuilder::new();
    resources.into_iter().for_each(|resource| pack.push(resource));
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

pub(crate) fn loaded<T: Send + Sync + 'static>(store: &Store, path: &str) -> Arc<T>
where
    Id<T>: IntoRequest<Value = T>,
{
    store.load(Id::<T>::from_path(path)).unwrap().get()
}

/// An image of a pack. The filter is the nearest pixel, unless `meta` has another one.
pub(crate) fn image(props: ImageProps, data: &[u8], meta: &[(MetaKey, u32)]) -> Arc<Image> {
    let mut facts = Meta::default();
    facts.set(MetaKey::FILTER, 1);
    meta.iter().for_each(|(key, value)| facts.set(*key, *value));
    let resource = Resource::new("a.dds", vec![chunk(FourCc::IMGE, &props.block(data))]).with_meta(facts);
    loaded(&store([resource]), "a.dds")
}

/// An image of one level.
pub(crate) fn plain(format: PixelFormat, width: u32, height: u32, data: &[u8]) -> Arc<Image> {
    image(ImageProps { width, height, format, mipmaps: 1 }, data, &[])
}
