//! Texts and files as they are, as assets of Bevy.

use std::ops::Deref;

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;

use crate::error::LoadError;

/// A text.
#[derive(Asset, TypePath, Clone, Debug, PartialEq, Eq)]
pub struct TextAsset(pub String);

impl Deref for TextAsset {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// The bytes of a file that the pack keeps as it is.
#[derive(Asset, TypePath, Clone, Debug, PartialEq, Eq)]
pub struct RawAsset(pub Vec<u8>);

impl Deref for RawAsset {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

#[derive(Default, TypePath)]
pub(crate) struct TextLoader;

impl AssetLoader for TextLoader {
    type Asset = TextAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(&self, reader: &mut dyn Reader, (): &(), _: &mut LoadContext<'_>) -> Result<TextAsset, LoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        String::from_utf8(bytes).map(TextAsset).map_err(|_| LoadError::NotText)
    }
}

#[derive(Default, TypePath)]
pub(crate) struct RawLoader;

impl AssetLoader for RawLoader {
    type Asset = RawAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(&self, reader: &mut dyn Reader, (): &(), _: &mut LoadContext<'_>) -> Result<RawAsset, LoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(RawAsset(bytes))
    }
}
