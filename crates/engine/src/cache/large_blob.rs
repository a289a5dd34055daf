//! Blobs that are too large for memory: the headers of their chunks are read, and the stored bytes are copied by ranges.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rres_format::{ChunkHeaders, StoredChunk};

use crate::file_range::{FileRange, LARGE, RangedFile};
use crate::model::ChunkRun;
use crate::read_file::open_file;

/// A large blob.
#[derive(Clone, Debug)]
pub(crate) struct LargeBlob {
    file: Arc<RangedFile>,
}

impl LargeBlob {
    /// Opens a blob if it is large; `None` if it is read at once.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        let file = RangedFile::open(path)?;
        Ok((file.len() >= LARGE).then(|| Self { file: Arc::new(file) }))
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// The length of the file in bytes.
    pub(super) fn len(&self) -> u64 {
        self.file.len()
    }

    /// The chunks of a run, if their headers are those that were written. Their stored bytes are compared with the headers while they are
    /// copied.
    ///
    /// # Errors
    /// If headers are damaged or cannot be read; [`is_of_source`](crate::file_range::is_of_source) is true for it.
    pub(crate) fn chunks(&self, run: ChunkRun) -> io::Result<Vec<StoredChunk<'static>>> {
        let mut file = open_file(self.file.path()).map_err(|e| self.file.unreadable(e))?;
        let headers = ChunkHeaders::read(&mut file, run.offset, run.count).map_err(|e| self.file.unreadable(e))?;
        if headers.crc32 != run.headers_crc {
            return Err(io::Error::new(io::ErrorKind::InvalidData, run.wrong_headers(headers.crc32)));
        }
        let chunk = |place: &rres_format::ChunkPlace| {
            let range = FileRange::new(&self.file, place.stored, place.info.packed_size.into());
            StoredChunk::elsewhere(place.info, Arc::new(range)).with_link(place.info.next_offset != 0)
        };
        Ok(headers.chunks.iter().map(chunk).collect())
    }
}
