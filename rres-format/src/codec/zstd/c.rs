//! The decoder of the C library.

use zstd::bulk::Decompressor;

/// Decodes frames. It keeps its context.
#[derive(Default)]
pub(crate) struct Decoder {
    context: Option<Decompressor<'static>>,
}

impl Decoder {
    /// Decodes `packed` into `out` and returns the number of bytes written.
    pub(crate) fn decode_into(&mut self, packed: &[u8], out: &mut [u8]) -> Result<usize, String> {
        self.context()?.decompress_to_buffer(packed, out).map_err(|e| e.to_string())
    }

    /// Decodes `packed` into a new vector of at most `len` bytes.
    pub(crate) fn decode(&mut self, packed: &[u8], len: usize) -> Result<Vec<u8>, String> {
        let mut out = Vec::with_capacity(len);
        self.context()?.decompress_to_buffer(packed, &mut out).map_err(|e| e.to_string())?;
        Ok(out)
    }

    fn context(&mut self) -> Result<&mut Decompressor<'static>, String> {
        match &mut self.context {
            Some(context) => Ok(context),
            slot => Ok(slot.insert(Decompressor::new().map_err(|e| e.to_string())?)),
        }
    }
}
