//! Any file → RAWD: its bytes as they are, and its extension.

use rres_format::AssetKind;
use rres_import::{Asset, Block, ImportError, Importer, Source};

use crate::asset_kinds;
use crate::settings::Description;

pub(super) struct RawImporter;

impl Importer for RawImporter {
    fn describe(&self) -> Description {
        asset_kinds::describe("raw", 2)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        Ok(vec![Asset::new(AssetKind::Raw, vec![Block::raw_file(source.path, source.bytes)], "raw")])
    }
}

#[cfg(test)]
mod tests {
    use rres_format::chunk;
    use rres_import::MemoryFiles;

    use super::*;

    #[test]
    fn bytes_and_extension_are_kept() {
        for (path, extension) in
            [("a/b.Dat", ".Dat"), ("a.b/c", ""), (".hidden", ""), ("x.config", ".config"), ("x.toolong7", "")]
        {
            let parts = MemoryFiles::new([(path, b"\0\xff")]).import(&RawImporter, path).unwrap();
            let payload = chunk::PayloadView::parse(&parts[0].blocks[0].bytes).unwrap();
            let view = chunk::raw::RawView::parse(payload).unwrap();
            assert_eq!((view.bytes(), view.extension()), (&b"\0\xff"[..], extension.as_bytes()), "{path}");
        }
    }
}
