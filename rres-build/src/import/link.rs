//! A file that stays outside the pack → LINK: its path. Chosen by `kind = "link"` only.

use rres_format::{AssetKind, FourCc, chunk};

use super::{Block, ImportError, Importer, Part, Source};

pub(super) struct LinkImporter;

impl Importer for LinkImporter {
    fn kind(&self) -> AssetKind {
        AssetKind::Link
    }

    fn version(&self) -> u32 {
        1
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Part>, ImportError> {
        // C readers skip a fixed five numbers in packed chunks and links have two: never compress.
        let block = Block { compressible: false, ..Block::new(FourCc::LINK, chunk::link::link_block(source.path)) };
        Ok(vec![Part::new(AssetKind::Link, vec![block], "link")])
    }
}
