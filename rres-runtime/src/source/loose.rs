//! Debug builds: the dev index that the build wrote, and the blobs of the import cache that it leads to.
//!
//! A blob is a pack that holds what one source file became. Small ones are read, larger ones mapped: a map costs more
//! than copying a few pages.

use std::path::{Path, PathBuf};

use rres_format::index::{Entry, IndexView};
use rres_format::{ChunkView, FourCc, PackView};

use super::pack::{Pack, open_chunk, read_chunk};
use crate::asset::{Chunk, Loaded};
use crate::data::{Backing, Data};
use crate::error::{Error, ErrorKind, Result};
use crate::map::Map;

/// Blobs from this size on are mapped.
const MAP_FROM: u64 = 64 * 1024;

/// The assets of a debug build.
#[derive(Debug)]
pub(crate) struct Loose {
    index: Pack,
    blobs: PathBuf,
}

impl Loose {
    /// Opens a dev index; `blobs` is the directory that holds what it leads to.
    pub(crate) fn open(index: &Path, blobs: &Path) -> Result<Self> {
        // Read, not mapped: small, and the next build may replace it at any time.
        let index = Pack::read(index)?;
        Ok(Self { index, blobs: blobs.to_owned() })
    }

    pub(crate) fn index(&self) -> IndexView<'_> {
        self.index.index()
    }

    /// The index file.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.index.file()
    }

    pub(crate) fn load_slot(&self, slot: u32) -> Result<Loaded<'_>> {
        self.with_blob(slot, |data, entry, chunks| {
            let read = chunks.map(|chunk| {
                let chunk = chunk?;
                chunk.verify()?;
                read_chunk(data, chunk)
            });
            Ok(Loaded {
                id: entry.id,
                path: entry.path,
                kind: entry.kind,
                base_size: entry.base_size,
                chunks: read.collect::<Result<_>>()?,
                meta: self.index().meta(slot)?.to_meta(),
                dependencies: self.index().dependencies(slot)?.collect(),
            })
        })
    }

    /// As [`Pack::open_slot`].
    pub(crate) fn open_slot(&self, slot: u32, kind: FourCc) -> Result<Chunk> {
        self.with_blob(slot, |data, _, chunks| open_chunk(data, chunks, kind))
    }

    /// As [`Pack::verify_slot`].
    pub(crate) fn verify_slot(&self, slot: u32) -> Result<()> {
        self.with_blob(slot, |_, _, chunks| {
            for chunk in chunks {
                chunk?.verify()?;
            }
            Ok(())
        })
    }

    /// Opens the blob of the entry at `slot` and hands its chunks to `work`.
    fn with_blob<'s, T>(
        &'s self,
        slot: u32,
        work: impl FnOnce(&Data, &Entry<'s>, &mut dyn Iterator<Item = rres_format::Result<ChunkView<'_>>>) -> Result<T>,
    ) -> Result<T> {
        let entry = self.index().entry(slot)?;
        let hash = self.index().blob(entry.blob).ok_or_else(|| Error::new(ErrorKind::NotFound(entry.id)))?;
        let file = self.blobs.join(blob_path(&hash));
        let open = || -> Result<T> {
            let data = read_blob(&file)?;
            let view = PackView::parse(&data)?;
            let first = view.chunk_at(entry.offset)?;
            work(&data, &entry, &mut view.run(first, entry.chunk_count))
        };
        open().map_err(|e| e.of_asset(|| format!("\"{}\" ({})", entry.path, entry.id)).in_file(|| Some(file.clone())))
    }
}

fn read_blob(file: &Path) -> Result<Data> {
    let io = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => Error::io(
            file,
            std::io::Error::new(e.kind(), "its imported form is no longer in the import cache; run cargo build again"),
        ),
        _ => Error::io(file, e),
    };
    let size = std::fs::metadata(file).map_err(io)?.len();
    let backing = match size < MAP_FROM {
        true => Backing::Owned(std::fs::read(file).map_err(io)?.into()),
        false => Backing::Map(Map::open(file).map_err(io)?),
    };
    Ok(Data::new(backing))
}

/// Where a blob stands in its directory: two hexadecimal digits, the rest, `.rres`.
fn blob_path(hash: &[u8; 32]) -> PathBuf {
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Path::new(&hex[..2]).join(format!("{}.rres", &hex[2..]))
}
