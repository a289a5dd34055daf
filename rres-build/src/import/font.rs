//! (being written)
use super::*;
pub(super) struct FontImporter;
impl Importer for FontImporter {
    fn kind(&self) -> AssetKind {
        AssetKind::Font
    }
    fn version(&self) -> u32 {
        1
    }
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }
    fn import(&self, _: &mut Source<'_>) -> Result<Vec<Part>, ImportError> {
        Err(ImportError::new("not yet"))
    }
}
