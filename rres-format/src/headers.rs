//! The chunks of a resource in a file that is not in memory: their headers are read, and their stored bytes are left where they are.

use std::io::{self, Read, Seek, SeekFrom};

use crate::error::Error;
use crate::fourcc::FourCc;
use crate::info::{ChunkInfo, headers_crc};

/// The headers of the chunks of a resource.
///
/// ```
/// use std::io::Cursor;
/// use rres_format::{ChunkHeaders, Compression, FourCc, PackBuilder, PackView, Resource, StoredChunk, chunk};
///
/// let block = chunk::raw::raw_block(".bin", b"bytes");
/// let stored = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut Default::default())?;
/// let mut pack = PackBuilder::new();
/// pack.push(Resource::new("a.bin", vec![stored]));
/// let place = pack.places()?[0];
/// let pack = pack.to_vec()?;
///
/// let headers = ChunkHeaders::read(&mut Cursor::new(&pack), place.range.offset, 1)?;
/// assert_eq!(headers.crc32, place.headers_crc);
/// let stored = &pack[headers.chunks[0].stored as usize..][..headers.chunks[0].info.packed_size as usize];
/// assert!(stored.starts_with(&block));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChunkHeaders {
    /// The chunks in order, without padding.
    pub chunks: Vec<ChunkPlace>,
    /// The CRC-32 of their headers; see [`PackView::headers_crc`](crate::PackView::headers_crc).
    pub crc32: u32,
}

/// A chunk in a file.
#[derive(Clone, Copy, Debug)]
pub struct ChunkPlace {
    /// Its header.
    pub info: ChunkInfo,
    /// File offset of its stored bytes. The file may end before them.
    pub stored: u64,
}

impl ChunkHeaders {
    /// Reads the headers of the `count` chunks of the resource whose first chunk header is at `offset`, as
    /// [`PackView::resource_chunks`](crate::PackView::resource_chunks) does in memory.
    ///
    /// # Errors
    /// Errors of the file, such as [`io::ErrorKind::UnexpectedEof`] if it ends before a header; [`Error::Inconsistent`] in
    /// [`io::ErrorKind::InvalidData`] if a chunk of another resource is among them.
    pub fn read(file: &mut (impl Read + Seek), offset: u32, count: u16) -> io::Result<Self> {
        let mut chunks: Vec<ChunkPlace> = Vec::with_capacity(count.into());
        let mut at = u64::from(offset);
        while chunks.len() < count.into() {
            file.seek(SeekFrom::Start(at))?;
            let mut header = [0; ChunkInfo::SIZE];
            file.read_exact(&mut header)?;
            let info = ChunkInfo::from_bytes(&header);
            let stored = at + ChunkInfo::SIZE as u64;
            if info.kind != FourCc::NULL || chunks.is_empty() {
                let id = chunks.first().map_or(info.id, |first| first.info.id);
                if info.id != id {
                    let number = chunks.len();
                    let detail = format!(
                        "expected chunk {number} of {count} of {id}, found a chunk of {} at offset {at}",
                        info.id
                    );
                    let error = Error::inconsistent("chunks of a resource", detail);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, error));
                }
                chunks.push(ChunkPlace { info, stored });
            }
            at = stored + u64::from(info.packed_size);
        }
        let headers: Vec<ChunkInfo> = chunks.iter().map(|chunk| chunk.info).collect();
        Ok(Self { chunks, crc32: headers_crc(&headers) })
    }
}
