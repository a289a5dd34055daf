//! Decodes QOA frame by frame, from any frame.

use std::ops::Range;

use super::{DecodeError, FORMAT, FrameHead, HEAD_SIZE, QoaFile, SampleForm, append_i16, decode_frame};

/// The place of the next frame. A frame needs nothing of those before it.
pub(crate) struct QoaReader {
    first: FrameHead,
    next: usize,
    last: Range<usize>,
    samples: Vec<i16>,
}

impl QoaReader {
    /// Starts at the frame at `start`, or with the first one if that is 0.
    pub(crate) fn open(file: &[u8], start: usize) -> Result<Self, DecodeError> {
        let QoaFile { first, .. } = QoaFile::open(file)?;
        let next = if start == 0 { HEAD_SIZE } else { start };
        if first.next(file, next)?.is_none() {
            return Err(DecodeError::EndsEarly { format: FORMAT });
        }
        Ok(Self { first, next, last: 0..0, samples: Vec::new() })
    }

    /// Appends the samples of the next frame to `out`; `false` at the end.
    pub(crate) fn next(&mut self, file: &[u8], form: SampleForm, out: &mut Vec<u8>) -> Result<bool, DecodeError> {
        let Some(head) = self.first.next(file, self.next)? else { return Ok(false) };
        self.last = self.next..self.next + head.size;
        self.next = self.last.end;
        decode_frame(&file[self.last.clone()], head, &mut self.samples);
        append_i16(&self.samples, form, out);
        Ok(true)
    }

    /// The bytes of the last frame.
    pub(crate) fn packet<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        file.get(self.last.clone()).unwrap_or_default()
    }
}
