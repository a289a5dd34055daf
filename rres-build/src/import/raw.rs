//! Any file → RAWD: its bytes as they are, and its extension.

use rres_format::limits::MAX_EXTENSION_LEN;
use rres_format::{AssetKind, FourCc, chunk};

use super::{Asset, Block, ImportError, Importer, Source, describe_own};
use crate::model::extension_of;
use crate::settings::Description;

pub(super) struct RawImporter;

impl Importer for RawImporter {
    fn describe(&self) -> Description {
        describe_own("raw", 2)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        Ok(vec![Asset::new(AssetKind::Raw, vec![raw_block(source.path, source.bytes)], "raw")])
    }
}

/// A RAWD block of a whole file. An extension that does not fit the chunk is left out.
pub(super) fn raw_block(path: &str, bytes: &[u8]) -> Block {
    let extension = match extension_of(path) {
        "" => String::new(),
        extension if extension.len() < MAX_EXTENSION_LEN => format!(".{extension}"),
        _ => String::new(),
    };
    Block::new(FourCc::RAWD, chunk::raw::raw_block(&extension, bytes))
}

#[cfg(test)]
mod tests {
    use super::super::testing::import;
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn bytes_and_extension_are_kept() {
        for (path, extension) in
            [("a/b.Dat", ".Dat"), ("a.b/c", ""), (".hidden", ""), ("x.config", ".config"), ("x.toolong7", "")]
        {
            let parts = import(&RawImporter, path, b"\0\xff", &Settings::default()).unwrap();
            let payload = chunk::PayloadView::parse(&parts[0].blocks[0].bytes).unwrap();
            let view = chunk::raw::RawView::parse(payload).unwrap();
            assert_eq!((view.bytes(), view.extension()), (&b"\0\xff"[..], extension.as_bytes()), "{path}");
        }
    }
}
