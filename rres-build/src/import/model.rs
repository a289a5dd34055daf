//! (being written)
use super::*;
pub(super) struct ModelImporter;
impl Importer for ModelImporter {
    fn kind(&self) -> AssetKind {
        AssetKind::Model
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
