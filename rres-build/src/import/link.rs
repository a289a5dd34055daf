//! A file that stays outside the pack → LINK: its path. Chosen by `kind = "link"` only.

use rres_format::{AssetKind, FourCc, chunk};

use super::{Block, ImportError, ImportedResource, Importer, Source};
use crate::settings::AssetType;

pub(super) struct LinkImporter;

impl Importer for LinkImporter {
    fn name(&self) -> &str {
        AssetKind::Link.name()
    }

    fn types(&self) -> Vec<AssetType> {
        vec![AssetKind::Link.into()]
    }

    fn version(&self) -> u32 {
        2
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<ImportedResource>, ImportError> {
        // Never compressed: C readers skip exactly five numbers in packed chunks, but links have two.
        let block = Block { compressible: false, ..Block::new(FourCc::LINK, chunk::link::link_block(source.path)) };
        Ok(vec![ImportedResource::new(AssetKind::Link, vec![block], "link")])
    }
}
