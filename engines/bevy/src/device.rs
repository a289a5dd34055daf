//! Images in blocks that no graphics card takes, or not this one: they fail, because Bevy would quit the app. Which sizes and filters a card takes is known to
//! the renderer alone, on which this crate does not depend.

use std::sync::{Arc, OnceLock};

use bevy_ecs::prelude::Resource;
use bevy_image::{CompressedImageFormats, Image};

use crate::error::LoadError;

/// The blocks that the graphics card takes. Bevy's renderer knows them when all plugins are finished, after the loaders were made. An app
/// without a renderer does not say, and loads all.
#[derive(Clone, Debug, Default, Resource)]
pub(crate) struct Device(Arc<OnceLock<CompressedImageFormats>>);

impl Device {
    pub(crate) fn set(&self, formats: CompressedImageFormats) {
        // An app is finished once.
        let _ = self.0.set(formats);
    }

    /// Returns the blocks that the graphics card takes, as far as that is known.
    pub(crate) fn formats(&self) -> CompressedImageFormats {
        self.0.get().copied().unwrap_or(CompressedImageFormats::NONE)
    }

    /// Says whether a texture can be made of an image.
    pub(crate) fn check(&self, image: &Image) -> Result<(), LoadError> {
        let (format, size) = (image.texture_descriptor.format, image.texture_descriptor.size);
        let block = format.block_dimensions();
        let (width, height) = (size.width, size.height);
        if !width.is_multiple_of(block.0) || !height.is_multiple_of(block.1) {
            return Err(LoadError::Blocks { width, height, block });
        }
        match self.0.get() {
            Some(formats) if !formats.supports(format) => Err(LoadError::Device(format)),
            _ => Ok(()),
        }
    }
}
