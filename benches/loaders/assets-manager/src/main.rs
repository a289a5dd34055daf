//! Loads images from a zip archive by `assets_manager`, whose cache keeps them.

use std::borrow::Cow;
use std::process::ExitCode;

use assets_manager::source::Zip;
use assets_manager::{AssetCache, BoxedError, FileAsset};

struct Image(Vec<u8>);

impl FileAsset for Image {
    const EXTENSION: &'static str = "png";

    fn from_bytes(bytes: Cow<[u8]>) -> Result<Self, BoxedError> {
        Ok(Self(image::load_from_memory(&bytes)?.into_rgba8().into_raw()))
    }
}

fn main() -> ExitCode {
    loader::run(|job, sink| {
        let cache = AssetCache::with_source(Zip::open(&job.store)?);
        let load = |(): &mut (), item: &loader::Item| {
            // An id has no extension, and a dot where a path has a slash.
            let id = item.path.strip_suffix(".png").ok_or("not a PNG")?.replace('/', ".");
            sink.keep(item, cache.load::<Image>(&id)?.read(), |image| &image.0);
            Ok(())
        };
        loader::each(job, || Ok(()), load)?;
        std::mem::forget(cache);
        Ok(())
    })
}
