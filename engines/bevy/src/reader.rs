//! The asset source `rres://`: what Bevy reads by path comes from the store.
//!
//! Bevy asks for a meta file first, which names the loader. Images and other kinds with a conversion have one: their loader takes them from
//! the store, and nothing is read. All other assets have none: Bevy finds a loader by the type or the extension, and gets the bytes of a file.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy_asset::io::{AssetReader, AssetReaderError, PathStream, Reader, VecReader};
use futures_lite::stream;
use rres_runtime::{AnyId, Asset, AssetKind, Raw, Store, Text};

use crate::arriving::Turns;
use crate::convert::Conversions;
use crate::ready::Ready;
use crate::sound::sound_file;

#[derive(Clone, Debug)]
pub(crate) struct StoreReader {
    pub(crate) store: Store,
    pub(crate) conversions: Conversions,
    pub(crate) turns: Turns,
    pub(crate) ready: Ready,
}

impl StoreReader {
    fn id(&self, path: &Path) -> rres_runtime::Result<AnyId> {
        self.store.find(&path.to_string_lossy().replace('\\', "/"))
    }

    async fn load<T: Asset>(&self, id: AnyId) -> Result<T, Error> {
        let id = id.typed::<T>().expect("it is of this kind");
        self.turns.load(&self.store, id).await.map_err(Error::other)
    }

    /// The bytes of the file that Bevy's loaders take.
    async fn file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let id = self.id(path).map_err(|error| Error::new(ErrorKind::NotFound, error))?;
        let bytes = match id.kind() {
            Some(AssetKind::Sound) => sound_file(&self.load(id).await?)?,
            Some(AssetKind::Text) => Some(self.load::<Text>(id).await?.as_str().as_bytes().to_vec()),
            Some(AssetKind::Raw) => Some(self.load::<Raw>(id).await?.bytes().to_vec()),
            kind => self.conversions.of(kind).map(|_| Vec::new()), // see above
        };
        bytes.ok_or_else(|| {
            let kind = id.kind().map_or_else(|| "of an unknown kind".to_owned(), |kind| format!("a {kind}"));
            let advice = "to load it with a loader of Bevy, keep the file: set kind = \"raw\" in its rule";
            Error::new(
                ErrorKind::Unsupported,
                format!("asset \"{}\" is {kind}, which is no file; {advice}", path.display()),
            )
        })
    }
}

impl AssetReader for StoreReader {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        self.ready.wait().await;
        self.file(path).await.map(VecReader::new).map_err(|error| AssetReaderError::Io(Arc::new(error)))
    }

    async fn read_meta<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        self.ready.wait().await;
        let conversion = self.conversions.of(self.id(path).ok().and_then(AnyId::kind));
        conversion.map(|found| VecReader::new(found.meta)).ok_or_else(|| AssetReaderError::NotFound(path.to_owned()))
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
