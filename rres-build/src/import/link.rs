//! A file that stays outside the pack → LINK: its path. Chosen by `kind = "link"` only.

use rres_format::{AssetKind, FourCc, chunk};

use super::{Asset, Block, ImportError, Importer, Source, describe_own};
use crate::settings::Description;

pub(super) struct LinkImporter;

impl Importer for LinkImporter {
    fn describe(&self) -> Description {
        describe_own("link", 2)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        // Never compressed: C readers skip exactly five numbers in packed chunks, but links have two.
        let block = Block { compressible: false, ..Block::new(FourCc::LINK, chunk::link::link_block(source.path)) };
        Ok(vec![Asset::new(AssetKind::Link, vec![block], "link")])
    }
}
