//! The asset source `rres://`: what Bevy reads by path comes from the store.
//!
//! Bevy asks for a meta file first, which names the loader. Images have one: their loader takes them from the store, and nothing is read. All
//! other assets have none: Bevy finds a loader by the type or the extension, and gets the bytes of a file.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy_asset::AssetLoader;
use bevy_asset::io::{AssetReader, AssetReaderError, PathStream, Reader, SliceReader, VecReader};
use bevy_asset::meta::{AssetAction, AssetMeta, AssetMetaDyn};
use bevy_reflect::TypePath;
use futures_lite::stream;
use rres_runtime::asset::Samples;
use rres_runtime::{AnyId, AssetKind, Raw, Sound, Store, Text};

use crate::image::ImageLoader;

#[derive(Debug)]
pub(crate) struct StoreReader {
    store: Store,
    /// The meta file of every image.
    image_meta: Vec<u8>,
}

impl StoreReader {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, image_meta: meta::<ImageLoader>() }
    }

    fn id(&self, path: &Path) -> rres_runtime::Result<AnyId> {
        self.store.find(&path.to_string_lossy().replace('\\', "/"))
    }

    /// The bytes of the file that Bevy's loaders take.
    fn file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let id = self.id(path).map_err(|error| Error::new(ErrorKind::NotFound, error))?;
        let bytes = match id.kind() {
            Some(AssetKind::Image) => Some(Vec::new()), // see above
            Some(AssetKind::Sound) => {
                let sound = self.store.load(id.typed::<Sound>().expect("it is a sound")).map_err(Error::other)?;
                sound_file(&sound.get())
            }
            Some(AssetKind::Text) => {
                let text = self.store.load(id.typed::<Text>().expect("it is a text")).map_err(Error::other)?;
                Some(text.get().as_str().as_bytes().to_vec())
            }
            Some(AssetKind::Raw) => {
                let raw = self.store.load(id.typed::<Raw>().expect("it is raw")).map_err(Error::other)?;
                Some(raw.get().bytes().to_vec())
            }
            _ => None,
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

/// The file of a sound: the one that the pack keeps, or a WAV file of the samples. `None` if no WAV file can hold them.
fn sound_file(sound: &Sound) -> Option<Vec<u8>> {
    match sound.samples() {
        Samples::Encoded { bytes, .. } => Some(bytes.to_vec()),
        _ => Some(sound.to_wav()?.into_owned()),
    }
}

/// The meta file that has Bevy load an asset with `L`.
fn meta<L: AssetLoader + TypePath>() -> Vec<u8> {
    let load = AssetAction::Load { loader: L::type_path().to_owned(), settings: L::Settings::default() };
    AssetMeta::<L, ()>::new(load).serialize()
}

impl AssetReader for StoreReader {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        self.file(path).map(VecReader::new).map_err(|error| AssetReaderError::Io(Arc::new(error)))
    }

    async fn read_meta<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        match self.id(path).ok().and_then(AnyId::kind) {
            Some(AssetKind::Image) => Ok(SliceReader::new(&self.image_meta)),
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
