//! Writing a pack one resource at a time, so that it need not fit into memory.
//!
//! The sizes of the file header and the front index do not depend on offsets, so they are skipped at first and written
//! when all offsets are known.

use std::io::{self, Seek, SeekFrom, Write};

use super::{CHUNK_HEADER, Cursor, Layout, PackBuilder, StoredChunk};
use crate::fourcc::FourCc;
use crate::header::Header;
use crate::id::ResourceId;
use crate::index::IndexBuilder;
use crate::info::{ChunkInfo, headers_crc};

/// A pack being written; see [`PackBuilder::stream`].
#[derive(Debug)]
pub struct PackStream<'b, 'a, W> {
    builder: &'b PackBuilder<'a>,
    out: W,
    index: IndexBuilder,
    /// Number of resources written.
    written: usize,
    cursor: Cursor,
}

impl<'a> PackBuilder<'a> {
    /// Starts to write the pack at the start of `out`. [`PackStream::push`] then takes the chunks of each resource, in
    /// the order of [`Self::push`]. Chunks that the resources already have are ignored.
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
    /// [`io::ErrorKind::InvalidInput`] if the index cannot be built; see [`Self::to_vec`]. Errors of `out`.
    pub fn stream<W: Write + Seek>(&self, mut out: W) -> io::Result<PackStream<'_, 'a, W>> {
        let index = self.index_builder();
        let cursor = Cursor::new(&self.leading_lens(&index).map_err(invalid)?);
        out.seek(SeekFrom::Start(cursor.at))?;
        Ok(PackStream { builder: self, out, index, written: 0, cursor })
    }
}

impl<W: Write + Seek> PackStream<'_, '_, W> {
    /// Writes the chunks of the next resource.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if all resources are already written, or the pack would exceed its limits.
    /// Errors of the file.
    ///
    /// # Panics
    /// Panics if `chunks` is empty.
    pub fn push(&mut self, chunks: &[StoredChunk<'_>]) -> io::Result<()> {
        assert!(!chunks.is_empty(), "a resource has at least one chunk");
        let Some(resource) = self.builder.resources.get(self.written) else {
            let message = format!("all {} resources of the pack are already written", self.written);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        };
        let placements = chunks.iter().map(|chunk| self.cursor.place(chunk)).collect::<crate::Result<Vec<_>>>();
        let placements = placements.map_err(invalid)?;
        self.cursor.check().map_err(invalid)?;
        super::write_chunks(&mut self.out, resource.id, chunks, &placements)?;
        let entry = &mut self.index.entries[self.written];
        entry.offset = placements[0].offset;
        entry.stored_size = self.cursor.size_since(entry.offset).map_err(invalid)?;
        let base: u64 = chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum();
        entry.base_size = u32::try_from(base).unwrap_or(u32::MAX);
        entry.chunk_count = chunks.len() as u16;
        entry.headers_crc = headers_crc(&super::headers(resource.id, chunks, &placements));
        self.written += 1;
        Ok(())
    }

    /// Leaves room before the next resource, so that it starts at this offset of the file, if that is possible: NULL chunks fill the room, and the
    /// smallest one has 32 bytes. If it is not, or its first chunk needs padding there, the resource starts elsewhere.
    ///
    /// # Errors
    /// Errors of the file.
    pub fn skip_to(&mut self, offset: u32) -> io::Result<()> {
        /// The largest NULL chunk, which is in memory at once.
        const MOST: u64 = 1 << 20;
        let mut room = u64::from(offset).saturating_sub(self.cursor.at);
        if room < CHUNK_HEADER {
            return Ok(());
        }
        let zeros = vec![0; room.min(MOST) as usize];
        while room > 0 {
            // What is left is nothing, or has room for a header.
            let len = if room <= MOST { room } else { MOST.min(room - CHUNK_HEADER) };
            let zeros = &zeros[..(len - CHUNK_HEADER) as usize];
            self.out.write_all(&ChunkInfo::without_id(FourCc::NULL, zeros, zeros.len() as u32).to_bytes())?;
            self.out.write_all(zeros)?;
            self.cursor.at += len;
            self.cursor.chunk_count += 1;
            room -= len;
        }
        Ok(())
    }

    /// Lets the next resource share the chunks of one that was already written, and writes nothing.
    ///
    /// # Errors
    /// If all resources are written, or `owner` is none with chunks of its own.
    pub fn push_shared(&mut self, owner: ResourceId) -> io::Result<()> {
        if self.written == self.builder.resources.len() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "all resources of the pack are already written"));
        }
        super::share(&mut self.index.entries, self.written, owner).map_err(invalid)?;
        self.written += 1;
        Ok(())
    }

    /// Writes the directory at the end of the file, then the file header and the front index at its start.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if the chunks of a resource are missing, or the directory cannot store a name.
    /// Errors of the file.
    pub fn finish(mut self) -> io::Result<()> {
        if self.written < self.builder.resources.len() {
            let message =
                format!("expected chunks of {} resources, got {}", self.builder.resources.len(), self.written);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let (directory, directory_offset) =
            self.builder.directory_at(&self.index.entries, &mut self.cursor).map_err(invalid)?;
        self.cursor.check().map_err(invalid)?;
        let chunk_count = self.cursor.chunk_count as u16;
        let header = Header { chunk_count, directory_offset, reserved: self.builder.reserved };
        let leading = self.builder.encode_leading_chunks(&self.index).map_err(invalid)?;
        let layout = Layout { header, leading, placements: Vec::new(), resources: Vec::new(), directory };
        layout.write_end(&mut self.out)?;
        self.out.seek(SeekFrom::Start(0))?;
        layout.write_start(&mut self.out)?;
        self.out.flush()
    }
}

fn invalid(error: crate::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}
