//! Simple models and images that need no artist: a `.generate` file says which shape or pattern, and how large.
//!
//! Shapes have the coordinates of glTF: Y is up, fronts are counterclockwise, texture coordinates begin at the top left. The same
//! description gives the same bytes on every machine.
#![forbid(unsafe_code)]

mod description;
mod fields;
mod mesh;
mod patterns;
mod shapes;

use rres_import::{Asset, ImportError, Importer, Source};
use rres_settings::Description as ImporterDescription;

use self::description::Description;

/// The extension of the descriptions, and the name of the importer.
const NAME: &str = "generate";

/// The importer of `.generate` files.
#[derive(Clone, Copy, Debug)]
pub struct GeneratedImporter;

impl Importer for GeneratedImporter {
    fn describe(&self) -> ImporterDescription {
        rres_settings::asset_kinds::describe("generate", 3)
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        match description::read(source) {
            Ok(Description::Pattern(pattern)) => pattern.memory(),
            // The largest shape, in numbers and in bytes.
            _ => 64 << 20,
        }
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let asset = match description::read(source)? {
            Description::Shape(shape) => shape.mesh().into_model(shape.word())?,
            Description::Pattern(pattern) => pattern.image(source)?,
        };
        let mut assets = vec![asset];
        source.encoders.apply_model_settings(&mut assets, &source.settings.model)?;
        Ok(assets)
    }
}

#[cfg(test)]
mod tests;
