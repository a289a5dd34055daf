//! The source of debug builds: the dev index that the build wrote, and the blobs of the import cache that it refers to.
//!
//! A blob is a pack that contains what one source file was imported as. Small blobs are read and larger ones mapped,
//! because mapping costs more than copying a few pages.
//!
//! The other modules know it as a [`DevSource`], and only [`DevReader::LOOSE`], which the generated code of debug builds names, makes one. So
//! release builds contain nothing of it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_format::chunk::image::ImageProps;
use rres_format::index::{Entry, IndexView};
use rres_format::{ChunkView, FourCc, Limits, PackView};
use rres_protocol::files::blob_path;

use super::chunks::{find_chunk, read_chunk};
use super::levels::{self, LevelLimit};
use super::options::PackOptions;
use super::pack::Pack;
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, ErrorKind, Result};
use crate::map::Map;
use crate::resource::{Chunk, LoadedResource};

/// Blobs of this size or larger are mapped.
const MAP_FROM: u64 = 64 * 1024;

/// The places of the assets of a debug build: absolute paths in generated code.
#[derive(Clone, Copy, Debug)]
pub struct Dev {
    /// The dev index.
    pub index: &'static str,
    /// The directory of blobs.
    pub blobs: &'static str,
    /// The assets directory.
    pub assets: &'static str,
    /// The libraries whose assets are added: the folder of each, and its assets directory.
    pub libraries: &'static [(&'static str, &'static str)],
    /// The script manifest, which hot reload starts the build script with; empty if there is none.
    pub serve: &'static str,
    /// What opens the dev index.
    pub reader: DevReader,
}

/// Opens a dev index, and the directory of its blobs.
#[derive(Clone, Copy, Debug)]
pub struct DevReader(fn(&Path, &Path) -> Result<Arc<dyn DevSource>>);

impl DevReader {
    /// Reads the loose assets of a debug build.
    pub const LOOSE: Self = Self(|index, blobs| Ok(Arc::new(DevIndex::open(index, blobs)?)));

    pub(crate) fn open(self, index: &Path, blobs: &Path) -> Result<Arc<dyn DevSource>> {
        self.0(index, blobs)
    }
}

/// The loose assets of a debug build. The functions are those of [`super::Source`].
pub(crate) trait DevSource: fmt::Debug + Send + Sync {
    fn index(&self) -> IndexView<'_>;
    fn check_index(&self) -> Result<()>;
    fn file(&self) -> Option<&Path>;
    fn load_slot(&self, slot: u32, edge: Option<u32>) -> Result<LoadedResource<'_>>;
    fn image_props(&self, slot: u32) -> Result<Option<ImageProps>>;
    fn open_slot(&self, slot: u32, kind: FourCc) -> Result<Chunk>;
    fn verify_slot(&self, slot: u32) -> Result<()>;

    /// Reads chunk `number` of the resource at `slot`, if there is one.
    fn read_nth(&self, slot: u32, number: u16) -> Result<Option<Chunk>>;
}

#[derive(Debug)]
struct DevIndex {
    index: Pack,
    /// The directory of blobs.
    blobs: PathBuf,
}

impl DevIndex {
    /// Opens a dev index whose blobs are in the directory `blobs`.
    fn open(index: &Path, blobs: &Path) -> Result<Self> {
        // Read, not mapped: it is small, and the next build may replace it at any time.
        let index = PackOptions::default().read(index)?;
        Ok(Self { index, blobs: blobs.to_owned() })
    }

    /// Opens the blob of the entry at `slot`, compares the entry and the headers of its chunks with their CRC, and passes the chunks to
    /// `work`.
    fn with_blob<'s, T>(
        &'s self,
        slot: u32,
        work: impl FnOnce(
            &AssetBytes,
            &Entry<'s>,
            &mut dyn Iterator<Item = rres_format::Result<ChunkView<'_>>>,
        ) -> Result<T>,
    ) -> Result<T> {
        let entry = self.index().entry(slot)?;
        let hash = self.index().blob(entry.blob).ok_or_else(|| Error::new(ErrorKind::MissingBlob))?;
        let file = self.blobs.join(blob_path(&hash));
        let open = || -> Result<T> {
            let data = read_blob(&file)?;
            let view = PackView::parse(&data)?;
            let first = view.chunk_at(entry.offset)?;
            self.index().check(slot, view.headers_crc(first, entry.chunk_count)?)?;
            work(&data, &entry, &mut view.resource_chunks(first, entry.chunk_count))
        };
        open().map_err(|e| e.with_asset(entry.path, entry.id).with_file(Some(&file)))
    }
}

impl DevSource for DevIndex {
    fn index(&self) -> IndexView<'_> {
        self.index.index()
    }

    fn check_index(&self) -> Result<()> {
        self.index.check_index()
    }

    fn file(&self) -> Option<&Path> {
        self.index.file()
    }

    fn load_slot(&self, slot: u32, edge: Option<u32>) -> Result<LoadedResource<'_>> {
        self.with_blob(slot, |data, entry, chunks| {
            let meta = self.index().meta(slot)?.to_meta();
            let limit = LevelLimit::of(edge, entry, &meta);
            let mut whole_image = None;
            let read = chunks.map(|chunk| {
                let chunk = chunk?;
                chunk.verify()?;
                let whole = || read_chunk(data, chunk, &[]);
                let Some(limit) = limit else { return whole() };
                let (read, props) = levels::read(chunk, limit, whole)?;
                whole_image = props;
                Ok(read)
            });
            let chunks = read.collect::<Result<_>>()?;
            Ok(LoadedResource {
                id: entry.id,
                path: entry.path,
                kind: entry.kind,
                base_size: if whole_image.is_some() { 0 } else { entry.base_size },
                chunks,
                whole_image,
                meta,
                dependencies: self.index().dependencies(slot)?.collect(),
                limits: Limits::DEFAULT,
                must_be_signed: false,
            })
        })
    }

    fn image_props(&self, slot: u32) -> Result<Option<ImageProps>> {
        let meta = self.index().meta(slot)?.to_meta();
        self.with_blob(slot, |data, _, chunks| {
            levels::image_props(chunks.next().transpose()?, &meta, |chunk| read_chunk(data, chunk, &[]))
        })
    }

    fn open_slot(&self, slot: u32, kind: FourCc) -> Result<Chunk> {
        self.with_blob(slot, |data, _, chunks| read_chunk(data, find_chunk(chunks, kind)?.1, &[]))
    }

    fn read_nth(&self, slot: u32, number: u16) -> Result<Option<Chunk>> {
        self.with_blob(slot, |data, _, chunks| {
            let Some(chunk) = chunks.nth(number.into()).transpose()? else { return Ok(None) };
            chunk.verify()?;
            read_chunk(data, chunk, &[]).map(Some)
        })
    }

    fn verify_slot(&self, slot: u32) -> Result<()> {
        self.with_blob(slot, |_, _, chunks| {
            for chunk in chunks {
                chunk?.verify()?;
            }
            Ok(())
        })
    }
}

fn read_blob(file: &Path) -> Result<AssetBytes> {
    let failed = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => Error::new(ErrorKind::MissingBlob),
        _ => Error::io(file, e),
    };
    let size = std::fs::metadata(file).map_err(failed)?.len();
    let backing = match size < MAP_FROM {
        true => Backing::Owned(std::fs::read(file).map_err(failed)?.into()),
        false => Backing::Map(Map::open(file).map_err(failed)?),
    };
    Ok(AssetBytes::new(backing))
}
