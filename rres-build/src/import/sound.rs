//! (being written)
use super::*;
pub(super) struct SoundImporter;
impl Importer for SoundImporter {
    fn kind(&self) -> AssetKind {
        AssetKind::Sound
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
