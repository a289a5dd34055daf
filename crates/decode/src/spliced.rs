//! The head of a file, then the file from some byte on, as one file for a decoder to read once.

use std::io::{self, Read, Seek, SeekFrom};

use symphonia::core::io::MediaSource;

pub(crate) struct Spliced<B> {
    head: Box<[u8]>,
    file: B,
    /// The byte of `file` that follows the head.
    start: usize,
    /// Bytes that were read.
    position: usize,
}

impl<B: AsRef<[u8]>> Spliced<B> {
    pub(crate) fn new(head: Box<[u8]>, file: B, start: usize) -> Self {
        Self { head, file, start, position: 0 }
    }
}

impl<B: AsRef<[u8]>> Read for Spliced<B> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut part = match self.head.get(self.position..) {
            Some(head) if !head.is_empty() => head,
            _ => {
                let start = self.start.saturating_add(self.position - self.head.len());
                self.file.as_ref().get(start..).unwrap_or_default()
            }
        };
        let read = part.read(out)?;
        self.position += read;
        Ok(read)
    }
}

impl<B> Seek for Spliced<B> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl<B: AsRef<[u8]> + Send + Sync> MediaSource for Spliced<B> {
    /// A demuxer that could seek would look for the end, and each start would read that, too.
    fn is_seekable(&self) -> bool {
        false
    }

    fn byte_len(&self) -> Option<u64> {
        None
    }
}
