//! The asset source `rres://`: what Bevy reads by path comes from the store.
//!
//! Bevy asks for a meta file first, which names the loader. Images, texts and raw files have loaders here that take the asset from the
//! store, so their meta files exist, and their contents are empty. Everything else has no meta file: Bevy finds a loader by the extension,
//! and gets the bytes of a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy_asset::AssetLoader;
use bevy_asset::io::{AssetReader, AssetReaderError, PathStream, Reader, VecReader};
use bevy_asset::meta::{AssetAction, AssetMeta, AssetMetaDyn};
use bevy_reflect::TypePath;
use futures_lite::stream;
use rres_runtime::{AnyId, AssetKind, Raw, Sound, Store, Text};

use crate::image::ImageLoader;

#[derive(Debug)]
pub(crate) struct StoreReader {
    pub(crate) store: Store,
}

impl StoreReader {
    fn id(&self, path: &Path) -> Result<AnyId, AssetReaderError> {
        let found = path.to_str().and_then(|path| self.store.find(&path.replace('\\', "/")).ok());
        found.ok_or_else(|| AssetReaderError::NotFound(path.to_owned()))
    }

    /// The bytes of the file that Bevy's loaders take.
    fn file(&self, id: AnyId) -> rres_runtime::Result<Vec<u8>> {
        if let Some(text) = id.typed::<Text>() {
            return Ok(self.store.load(text)?.get().as_str().as_bytes().to_vec());
        }
        if let Some(raw) = id.typed::<Raw>() {
            return Ok(self.store.load(raw)?.get().bytes().to_vec());
        }
        let Some(sound) = id.typed::<Sound>() else { return Ok(Vec::new()) };
        let sound = self.store.load(sound)?.get();
        match (sound.samples(), sound.to_wav()) {
            (rres_runtime::asset::Samples::Encoded { bytes, .. }, _) => Ok(bytes.to_vec()),
            (_, Some(file)) => Ok(file.into_owned()),
            (_, None) => Ok(Vec::new()),
        }
    }
}

/// The meta file that has Bevy load an asset with `L`.
fn meta<L: AssetLoader + TypePath>() -> Vec<u8> {
    let load = AssetAction::Load { loader: L::type_path().to_owned(), settings: L::Settings::default() };
    AssetMeta::<L, ()>::new(load).serialize()
}

impl AssetReader for StoreReader {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        let bytes =
            self.file(self.id(path)?).map_err(|error| AssetReaderError::Io(Arc::new(std::io::Error::other(error))))?;
        Ok(VecReader::new(bytes))
    }

    async fn read_meta<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        match self.id(path)?.kind() {
            Some(AssetKind::Image) => Ok(VecReader::new(meta::<ImageLoader>())),
            _ => Err(AssetReaderError::NotFound(path.to_owned())),
        }
    }

    async fn read_directory<'a>(&'a self, path: &'a Path) -> Result<Box<PathStream>, AssetReaderError> {
        let name = path.to_str().unwrap_or_default();
        let inside = self.store.folder(name).map_err(|_| AssetReaderError::NotFound(path.to_owned()))?;
        let mut entries: Vec<PathBuf> = Vec::new();
        for id in inside {
            let Some(file) = self.store.path(id).filter(|file| !file.contains('#')) else { continue };
            let Ok(rest) = Path::new(&file).strip_prefix(path) else { continue };
            let Some(first) = rest.components().next() else { continue };
            let entry = path.join(first);
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        Ok(Box::new(stream::iter(entries)))
    }

    async fn is_directory<'a>(&'a self, path: &'a Path) -> Result<bool, AssetReaderError> {
        Ok(self.id(path).is_err() && path.to_str().is_some_and(|name| self.store.folder(name).is_ok()))
    }
}
