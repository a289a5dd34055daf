//! The decoder in Rust.

use zrip_decode::context::DecompressContext;

/// The decoder copies up to this many bytes beyond the content; with them reserved, the vector never moves.
const OVERLENGTH: usize = 64;

/// Decodes frames. It keeps its tables.
#[derive(Default)]
pub(crate) struct Decoder {
    context: Option<DecompressContext>,
    /// The content of one frame on its way into a slice.
    frame: Vec<u8>,
}

impl Decoder {
    /// Decodes `packed` into `out` and returns the number of bytes written.
    ///
    /// The decoder writes into vectors, so each frame is copied; frames fit into the cache of a processor.
    pub(crate) fn decode_into(&mut self, packed: &[u8], out: &mut [u8]) -> Result<usize, String> {
        let frames = super::frames(packed, out.len()).unwrap_or_else(|| vec![(packed, out.len())]);
        let mut at = 0;
        for (frame, len) in frames {
            let mut content = std::mem::take(&mut self.frame);
            content.clear();
            let result = self.append(frame, len, &mut content);
            let decoded = content.len();
            if let Some(out) = out.get_mut(at..at + decoded).filter(|_| result.is_ok()) {
                out.copy_from_slice(&content);
            }
            self.frame = content;
            result?;
            at += decoded;
        }
        Ok(at)
    }

    /// Decodes `packed` into a new vector of at most `len` bytes.
    pub(crate) fn decode(&mut self, packed: &[u8], len: usize) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        self.append(packed, len, &mut out)?;
        Ok(out)
    }

    /// Appends the content of `packed`, at most `len` bytes, to `out`.
    fn append(&mut self, packed: &[u8], len: usize, out: &mut Vec<u8>) -> Result<(), String> {
        out.try_reserve(len.saturating_add(OVERLENGTH)).map_err(|e| e.to_string())?;
        let context = self.context.get_or_insert_default();
        context.decompress_into_with_limit(packed, out, len).map_err(|e| e.to_string())?;
        Ok(())
    }
}
