//! What filters need of zstd.

/// Compresses bytes to a frame of zstd.
pub(in crate::codec) trait Frames {
    /// Compresses quickly, to compare sizes.
    fn estimate(&mut self, bytes: &[u8]) -> Result<usize, String>;
    /// Compresses at the wanted level. `residuals`: the bytes are what predictions left. Short matches in them are accidents.
    fn frame(&mut self, bytes: &[u8], residuals: bool) -> Result<Vec<u8>, String>;
}
