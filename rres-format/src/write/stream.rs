//! A pack written front to back, one resource at a time, so that it need not fit into memory.
//!
//! Where chunks stand decides no length: head and index are left out first, and written when everything else stands.

use std::io::{self, Seek, SeekFrom, Write};

use super::{HEAD, Layout, Lead, PackBuilder, StoredChunk, filler, in_phase, too_large, too_many};
use crate::header::Header;
use crate::index::IndexBuilder;
use crate::limits::{MAX_CHUNKS, MAX_PACK_SIZE};

/// A pack being written; see [`PackBuilder::stream`].
#[derive(Debug)]
pub struct PackStream<'b, 'a, W> {
    builder: &'b PackBuilder<'a>,
    out: W,
    index: IndexBuilder,
    /// Resources written.
    done: usize,
    /// Chunks written, that before the first resource included.
    chunk_count: u64,
    at: u64,
}

impl<'a> PackBuilder<'a> {
    /// Begins to write the pack to `out`, at its start. The resources of the builder say everything but their chunks,
    /// which follow through [`PackStream::push`], resource by resource; those that they have already do not count.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use rres_format::{Compression, FourCc, PackBuilder, PackView, Resource, StoredChunk, chunk};
    ///
    /// let block = chunk::raw::raw_block(".bin", b"bytes");
    /// let stored = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut Default::default())?;
    /// let mut pack = PackBuilder::new();
    /// pack.push(Resource::new("a.bin", Vec::new()));
    /// let mut file = Cursor::new(Vec::new());
    /// let mut stream = pack.stream(&mut file)?;
    /// stream.push(&[stored])?;
    /// stream.finish()?;
    /// assert!(PackView::parse(file.get_ref())?.index().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Self::to_vec`] that need no chunks, wrapped as [`io::ErrorKind::InvalidInput`]; those of `out`.
    pub fn stream<W: Write + Seek>(&self, mut out: W) -> io::Result<PackStream<'_, 'a, W>> {
        let index = self.index_builder();
        let lead_len = match &self.lead {
            Lead::Nothing => None,
            Lead::Index => Some(index.block().map_err(invalid)?.len() as u64),
            Lead::Chunk(_, block) => Some(block.len() as u64),
        };
        let mut at = Header::SIZE as u64;
        if let Some(len) = lead_len {
            at += HEAD + in_phase(at + HEAD, len);
        }
        out.seek(SeekFrom::Start(at))?;
        Ok(PackStream { builder: self, out, index, done: 0, chunk_count: u64::from(lead_len.is_some()), at })
    }
}

impl<W: Write + Seek> PackStream<'_, '_, W> {
    /// Writes the chunks of the next resource.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] where the pack has no further resource, or grows beyond its limits; those of
    /// the file.
    ///
    /// # Panics
    /// Where there are no chunks.
    pub fn push(&mut self, chunks: &[StoredChunk<'_>]) -> io::Result<()> {
        assert!(!chunks.is_empty(), "a resource has at least one chunk");
        let Some(resource) = self.builder.resources.get(self.done) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the pack has no further resource"));
        };
        let mut places = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let filler = filler(self.at, chunk);
            self.chunk_count += 1 + u64::from(filler > 0);
            self.at += filler;
            places.push((filler, u32::try_from(self.at).map_err(|_| invalid(too_large(self.at)))?));
            self.at += HEAD + chunk.stored.len() as u64;
        }
        self.check_size()?;
        super::write_chunks(&mut self.out, resource.id, chunks, &places)?;
        let entry = &mut self.index.entries[self.done];
        entry.offset = places[0].1;
        // Checked above.
        entry.stored_size = (self.at - u64::from(entry.offset)) as u32;
        let base: u64 = chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum();
        entry.base_size = u32::try_from(base).unwrap_or(u32::MAX);
        entry.chunk_count = chunks.len() as u16;
        self.done += 1;
        Ok(())
    }

    /// Writes the directory, then what stands in front.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] where resources are missing, or a name does not fit the directory; those of the
    /// file.
    pub fn finish(mut self) -> io::Result<()> {
        if self.done < self.builder.resources.len() {
            let message = format!("{} of {} resources have chunks", self.done, self.builder.resources.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let (directory, directory_offset) =
            self.builder.directory_at(&self.index.entries, &mut self.at).map_err(invalid)?;
        self.check_size()?;
        let header = Header { chunk_count: self.chunk_count as u16, directory_offset, reserved: self.builder.reserved };
        let lead = self.builder.lead_chunk(&self.index).map_err(invalid)?;
        let layout = Layout { header, lead, places: Vec::new(), resources: Vec::new(), directory };
        layout.write_end(&mut self.out)?;
        self.out.seek(SeekFrom::Start(0))?;
        layout.write_start(&mut self.out)?;
        self.out.flush()
    }

    fn check_size(&self) -> io::Result<()> {
        match (self.chunk_count, self.at) {
            (count, _) if count > MAX_CHUNKS as u64 => Err(invalid(too_many(count))),
            (_, at) if at > MAX_PACK_SIZE => Err(invalid(too_large(at))),
            _ => Ok(()),
        }
    }
}

fn invalid(error: crate::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}
