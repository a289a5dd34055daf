//! A file that stays outside the pack → LINK: its path. Chosen by `kind = "link"` only.

use rres_format::{AssetKind, FourCc, chunk};
use rres_import::{Asset, Block, ImportError, Importer, Source};

use crate::asset_kinds;
use crate::settings::Description;

pub(super) struct LinkImporter;

impl Importer for LinkImporter {
    fn describe(&self) -> Description {
        asset_kinds::describe("link", 2)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        // Never compressed: C readers skip exactly five numbers in packed chunks, but links have two.
        let block = Block { compressible: false, ..Block::new(FourCc::LINK, chunk::link::link_block(source.path)) };
        Ok(vec![Asset::new(AssetKind::Link, vec![block], "link")])
    }
}
