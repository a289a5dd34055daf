//! One blob: a pack whose first chunk (kind DESC) describes the resources in it.
//!
//! DESC has one property, its version. Its data contains the key of the blob, then per resource: name, kind, summary, offset of the
//! first chunk, stored size, base size, number of chunks, CRC-32 of their headers, compression, facts, video memory, metadata, dependencies, notes;
//! `record.rs` has the layout. The CRC of DESC covers all of that. The headers contain the CRCs of the stored bytes, so no
//! resource can be damaged without a difference.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

use rres_codegen::Facts;
use rres_format::chunk::{self, PayloadView};
use rres_format::index::Meta;
use rres_format::{
    AssetKind, ChunkInfo, ChunkView, Compression, FourCc, Header, PackBuilder, PackView, Resource, ResourceId,
    StoredChunk,
};
use rres_import::Note;

use super::large_blob::LargeBlob;
use super::record::{Input, Output};
use crate::file_range::is_of_source;
use crate::key::{Key, KeyBuilder};
use crate::model::{ChunkRun, Dependency, NamedPart, ResourceInfo};
use crate::read_file::open_file;

const VERSION: u32 = 7;

/// Largest size of a description: a model with thousands of images has a megabyte.
const MAX_DESCRIPTION: u64 = 64 << 20;

/// The kind of the first chunk of a blob. It does not occur in packs.
const DESC: FourCc = FourCc(*b"DESC");

/// Begins the key of a blob. Versions of `rres-build` that write blobs in another way share caches, and must not replace each other's
/// blobs: the index of a debug build says where a resource is in its blob.
pub(crate) fn begin_key(purpose: &str) -> KeyBuilder {
    let mut key = KeyBuilder::new(purpose);
    key.number(VERSION);
    key
}

/// One resource, encoded.
pub(crate) struct EncodedResource {
    pub(crate) name: String,
    pub(crate) kind: AssetKind,
    pub(crate) chunks: Vec<StoredChunk<'static>>,
    pub(crate) facts: Facts,
    pub(crate) video_memory: u64,
    pub(crate) meta: Meta,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) summary: String,
    pub(crate) notes: Vec<Note>,
    pub(crate) parts: Vec<NamedPart>,
}

/// The bytes of the blob with this key, and the description of its resources.
pub(crate) fn write_blob(
    key: &Key,
    resources: Vec<EncodedResource>,
) -> Result<(Vec<u8>, Vec<ResourceInfo>), rres_format::Error> {
    let (pack, infos) = build_blob(key, resources)?;
    Ok((pack.to_vec()?, infos))
}

/// The blob with this key, which is not written yet, and the description of its resources.
pub(crate) fn build_blob(
    key: &Key,
    resources: Vec<EncodedResource>,
) -> Result<(PackBuilder<'static>, Vec<ResourceInfo>), rres_format::Error> {
    let mut infos: Vec<ResourceInfo> = resources.iter().map(info).collect();
    let pack = blob(key, &infos, resources.into_iter().map(|resource| resource.chunks).collect());
    for (info, place) in infos.iter_mut().zip(pack.places()?) {
        (info.chunks.offset, info.stored_size) = (place.range.offset, place.range.size);
        info.chunks.headers_crc = place.headers_crc;
    }
    // The same length as before: these numbers have a fixed size.
    Ok((pack.leading_chunk(DESC, encode(key, &infos)), infos))
}

/// The blob of these resources with these chunks.
fn blob<'a>(key: &Key, infos: &[ResourceInfo], chunks: Vec<Vec<StoredChunk<'a>>>) -> PackBuilder<'a> {
    let mut pack = PackBuilder::new().directory(false).leading_chunk(DESC, encode(key, infos));
    // Ids depend on the path of the source, so resources are numbered instead.
    for ((number, info), chunks) in (1..).zip(infos).zip(chunks) {
        pack.push(Resource::new(info.name.clone(), chunks).with_id(ResourceId(number)));
    }
    pack
}

fn info(resource: &EncodedResource) -> ResourceInfo {
    let base: u64 = resource.chunks.iter().map(|chunk| u64::from(chunk.info().base_size)).sum();
    let largest = resource.chunks.iter().max_by_key(|chunk| chunk.info().base_size);
    ResourceInfo {
        name: resource.name.clone(),
        kind: resource.kind,
        summary: resource.summary.clone(),
        chunks: ChunkRun { offset: 0, count: resource.chunks.len() as u16, headers_crc: 0 },
        stored_size: 0,
        base_size: u32::try_from(base).unwrap_or(u32::MAX),
        compression: largest.map_or(Compression::NONE, |chunk| chunk.info().compression),
        facts: resource.facts,
        video_memory: resource.video_memory,
        meta: resource.meta.clone(),
        dependencies: resource.dependencies.clone(),
        notes: resource.notes.clone(),
        parts: resource.parts.clone(),
    }
}

/// The description of the blob of `key` in `file`, which has `len` bytes; `None` if it is damaged, of another version or the blob
/// of another key, or the file is cut off.
pub(crate) fn read_description(file: &mut File, len: u64, key: &Key) -> io::Result<Option<Vec<ResourceInfo>>> {
    const HEADERS: usize = Header::SIZE + ChunkInfo::SIZE;
    // One read suffices for all but sources with very many resources.
    let mut start = vec![0; len.min(4096) as usize];
    file.read_exact(&mut start)?;
    let Some(header) = start.get(Header::SIZE..HEADERS).and_then(|header| header.try_into().ok()) else {
        return Ok(None);
    };
    let info = ChunkInfo::from_bytes(header);
    let needed = HEADERS as u64 + u64::from(info.packed_size);
    if needed > len.min(MAX_DESCRIPTION) {
        return Ok(None);
    }
    let read = start.len();
    if needed > read as u64 {
        start.resize(needed as usize, 0);
        file.read_exact(&mut start[read..])?;
    }
    let described = description(&start).filter(|(of, resources)| of == key && length(resources) == Some(len));
    Ok(described.map(|(_, resources)| resources))
}

/// The key and the resources that the start of a blob describes.
fn description(start: &[u8]) -> Option<(Key, Vec<ResourceInfo>)> {
    let chunk = PackView::parse(start).ok()?.chunk_at(Header::SIZE as u32).ok()?;
    chunk.verify().ok()?;
    decode_description(chunk.plain_block().ok()?)
}

/// The key that a blob says it has.
pub(crate) fn key_of(blob: &[u8]) -> Option<Key> {
    description(blob).map(|(key, _)| key)
}

/// Reads any bytes as a description; one that is whole is the same after it is written and read.
pub(super) fn fuzz_description(bytes: &[u8]) {
    let _ = description(bytes);
    if let Some(resources) = Input(bytes).resources() {
        let mut out = Output::default();
        out.resources(&resources);
        assert_eq!(Input(&out.0).resources(), Some(resources));
    }
}

/// Whether a build takes the same from a blob that was `stored` and has `changed`, by the description that it knows and by the one in
/// the blob; `None` if it takes nothing.
pub(crate) fn fuzz_change(stored: &[u8], changed: &[u8]) -> Option<bool> {
    let (key, known) = description(stored).expect("a whole blob has a description");
    let contents = |blob: &[u8], infos: &[ResourceInfo]| -> Option<Vec<(ChunkInfo, Vec<u8>)>> {
        let view = PackView::parse(blob).ok().filter(|_| length(infos) == Some(blob.len() as u64))?;
        let chunks: Vec<_> = infos.iter().map(|info| info.chunks.sound(&view).ok()).collect::<Option<_>>()?;
        Some(chunks.concat().iter().map(|chunk| (chunk.info, chunk.stored.to_vec())).collect())
    };
    let right = contents(stored, &known).expect("a whole blob has its resources");
    let is_whole = check(changed, &key).is_ok();
    let by_manifest = contents(changed, &known);
    let found =
        description(changed).filter(|(found, infos)| *found == key && length(infos) == Some(changed.len() as u64));
    let is_other = |taken: &Option<Vec<_>>| taken.as_ref().is_some_and(|taken| *taken != right);
    let differs = found.as_ref().is_some_and(|(_, infos)| *infos != known);
    if is_whole != (stored == changed) || differs || is_other(&by_manifest) {
        return Some(false);
    }
    (by_manifest.is_some() && found.is_some()).then_some(true)
}

/// The length of a blob with these resources.
pub(super) fn length(resources: &[ResourceInfo]) -> Option<u64> {
    resources.iter().map(|resource| u64::from(resource.chunks.offset) + u64::from(resource.stored_size)).max()
}

/// Checks every byte of the blob of `key`. The error describes what is wrong with it.
pub(crate) fn check(bytes: &[u8], key: &Key) -> Result<(), String> {
    let (found, resources) = description(bytes).ok_or("its description is damaged")?;
    if found != *key {
        return Err(format!("contains the blob {}", found.hex()));
    }
    match length(&resources) {
        Some(expected) if expected == bytes.len() as u64 => {}
        expected => return Err(format!("has {} bytes, expected {}", bytes.len(), expected.unwrap_or_default())),
    }
    let view = PackView::parse(bytes).map_err(|e| e.to_string())?;
    let mut chunks = Vec::with_capacity(resources.len());
    for resource in &resources {
        let found = resource.chunks.sound(&view).map_err(|e| e.to_string())?;
        chunks.push(found.into_iter().map(StoredChunk::copied).collect());
    }
    check_rest(key, &resources, chunks, bytes)
}

/// [`check`] of a large blob, whose bytes are read in pieces.
pub(super) fn check_large(large: &LargeBlob, key: &Key) -> Result<(), String> {
    let described = open_file(large.path()).and_then(|mut file| read_description(&mut file, large.len(), key));
    let resources = described.ok().flatten().ok_or("its description or its length is damaged")?;
    let chunks = resources.iter().map(|resource| large.chunks(resource.chunks)).collect::<io::Result<_>>();
    let chunks = chunks.map_err(|e| e.to_string())?;
    let expected = open_file(large.path()).map_err(|e| e.to_string())?;
    check_rest(key, &resources, chunks, BufReader::with_capacity(1 << 20, expected))
}

/// Checks that a blob consists of these resources with these chunks. What other checks leave are the file header, the header of the description,
/// and padding.
fn check_rest(
    key: &Key,
    resources: &[ResourceInfo],
    chunks: Vec<Vec<StoredChunk<'_>>>,
    found: impl BufRead,
) -> Result<(), String> {
    let mut expected = Expected(found);
    let written = blob(key, resources, chunks).write_to(&mut expected);
    match written {
        Err(error) if is_of_source(&error) => Err(error.to_string()),
        Ok(()) if expected.0.fill_buf().is_ok_and(<[u8]>::is_empty) => Ok(()),
        _ => Err("its file header or its padding is damaged".to_owned()),
    }
}

/// The bytes that are expected to be written. Others are an error.
struct Expected<R>(R);

impl<R: BufRead> Write for Expected<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let expected = self.0.fill_buf()?;
        let len = expected.len().min(bytes.len());
        if len == 0 || expected[..len] != bytes[..len] {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.0.consume(len);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ChunkRun {
    /// The chunks in a blob.
    pub(crate) fn of<'b>(self, blob: &PackView<'b>) -> rres_format::Result<Vec<ChunkView<'b>>> {
        blob.resource_chunks(blob.chunk_at(self.offset)?, self.count).collect()
    }

    /// The chunks in a blob, if their headers and stored bytes are those that were written.
    pub(crate) fn sound<'b>(self, blob: &PackView<'b>) -> rres_format::Result<Vec<ChunkView<'b>>> {
        let found = blob.headers_crc(blob.chunk_at(self.offset)?, self.count)?;
        if found != self.headers_crc {
            return Err(self.wrong_headers(found));
        }
        let chunks = self.of(blob)?;
        chunks.iter().try_for_each(ChunkView::verify)?;
        Ok(chunks)
    }

    /// The error for chunk headers with this CRC-32.
    pub(super) fn wrong_headers(self, found: u32) -> rres_format::Error {
        let detail = format!("the CRC-32 of chunk headers is {found:08x}, expected {:08x}", self.headers_crc);
        rres_format::Error::Inconsistent { what: "blob", detail }
    }
}

/// The key and the resources in the block of a DESC chunk.
fn decode_description(block: &[u8]) -> Option<(Key, Vec<ResourceInfo>)> {
    let payload = PayloadView::parse(block).ok()?;
    if payload.prop(0) != Ok(VERSION) {
        return None;
    }
    let mut input = Input(payload.data());
    let described = (Key(input.bytes()?), input.resources()?);
    input.0.is_empty().then_some(described)
}

fn encode(key: &Key, resources: &[ResourceInfo]) -> Vec<u8> {
    let mut out = Output::default();
    out.bytes(&key.0);
    out.resources(resources);
    chunk::block(&[VERSION], &out.0)
}

#[cfg(test)]
pub(super) mod tests {
    use rres_codegen::SoundFacts;
    use rres_format::index::MetaKey;

    use super::*;

    pub(in crate::cache) fn resource(name: &str) -> EncodedResource {
        let block = chunk::raw::raw_block(".bin", &[7; 100]);
        let encode = |kind| StoredChunk::encode(kind, &block, Compression::NONE, &mut Default::default()).unwrap();
        let mut meta = Meta::default();
        meta.set(MetaKey::GAIN, 5);
        EncodedResource {
            name: name.to_owned(),
            kind: AssetKind::Model,
            chunks: vec![encode(FourCc::RAWD), encode(FourCc::VRTX).unlinked()],
            facts: Facts::Sound(SoundFacts { frames: 1 << 33, rate: 8000, channels: 2 }),
            video_memory: 5 << 32 | 7,
            meta,
            dependencies: vec![
                Dependency::SubAsset("image/0".into()),
                Dependency::Asset("../a.png".into()),
                Dependency::Typed("b.png".into(), Some(AssetKind::Image)),
                Dependency::Quantities("c.png".into()),
            ],
            summary: "größer".to_owned(),
            notes: vec![Note::new("only the first frame is stored").with_detail("2 frames")],
            parts: vec![NamedPart { sort: rres_import::PartSort::Mesh, index: 3, name: "head".to_owned() }],
        }
    }

    const KEY: Key = Key([0x5a; 32]);

    fn described(file: &std::path::Path) -> Option<Vec<ResourceInfo>> {
        let mut file = File::open(file).unwrap();
        let len = file.metadata().unwrap().len();
        read_description(&mut file, len, &KEY).unwrap()
    }

    /// The page has the versions of the files in a cache.
    #[test]
    fn the_page_has_the_versions() {
        let page = include_str!("../../../../docs/caching.md");
        assert!(page.contains(&format!("A `DESC` chunk has one property, its version ({VERSION}).")));
        assert!(page.contains(&format!("\"rresmani\", version ({}),", super::super::manifest::VERSION)));
    }

    #[test]
    fn a_blob_describes_where_its_resources_are() {
        let (bytes, infos) = write_blob(&KEY, vec![resource(""), resource("image/0")]).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.rres");
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(described(&file).unwrap(), infos);
        assert_eq!(check(&bytes, &KEY), Ok(()));
        assert!(check(&bytes, &Key([0; 32])).is_err(), "of another key");
        let view = PackView::parse(&bytes).unwrap();
        for (number, info) in (1..).zip(&infos) {
            let first = view.first_chunk(info.chunks.offset, ResourceId(number)).unwrap();
            let chunks = info.chunks.sound(&view).unwrap();
            assert_eq!((chunks.len(), chunks[0].offset), (2, first.offset));
            assert_eq!(chunks[1].end(), u64::from(info.chunks.offset + info.stored_size));
            assert_eq!(info.chunks.offset % 16, 12, "plain data is aligned in blobs too");
        }
    }

    #[test]
    fn every_truncated_blob_is_damaged() {
        let (bytes, _) = write_blob(&KEY, (0..60).map(|i| resource(&format!("image/{i}"))).collect()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.rres");
        let desc = PackView::parse(&bytes).unwrap().chunk_at(16).unwrap().end() as usize;
        for len in (0..desc).step_by(7).chain([bytes.len() - 1]) {
            std::fs::write(&file, &bytes[..len]).unwrap();
            assert_eq!(described(&file), None, "truncated to {len}");
            assert!(check(&bytes[..len], &KEY).is_err(), "truncated to {len}");
        }
        let mut flipped = bytes.clone();
        flipped[desc / 2] ^= 1;
        std::fs::write(&file, &flipped).unwrap();
        assert_eq!(described(&file), None);
        let mut flipped = bytes.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert!(check(&flipped, &KEY).is_err(), "the contents of chunks are checked as well");
    }

    #[test]
    fn every_flipped_bit_of_a_blob_is_found() {
        let mut odd = resource("image/0");
        // After a chunk that does not end at a multiple of 16, there is padding.
        let odd_end = StoredChunk::encode(
            FourCc::TEXT,
            &chunk::raw::raw_block(".txt", &[b'a'; 301]),
            Compression::LZ4,
            &mut Default::default(),
        );
        odd.chunks.insert(0, odd_end.unwrap());
        let (bytes, infos) = write_blob(&KEY, vec![resource(""), odd]).unwrap();
        let padding = PackView::parse(&bytes).unwrap().chunks().flatten().any(|chunk| chunk.info.kind == FourCc::NULL);
        assert!(padding && check(&bytes, &KEY).is_ok());
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert!(check(&flipped, &KEY).is_err(), "bit {bit} of byte {at}");
                // What a pack takes from the blob is never something else, also if the description is known already.
                for info in &infos {
                    let taken = PackView::parse(&flipped).and_then(|blob| Ok(contents(&info.chunks.sound(&blob)?)));
                    let right = contents(&info.chunks.sound(&PackView::parse(&bytes).unwrap()).unwrap());
                    assert!(taken.is_err() || taken == Ok(right), "bit {bit} of byte {at} in {:?}", info.name);
                }
            }
        }
    }

    fn contents(chunks: &[ChunkView<'_>]) -> Vec<(ChunkInfo, Vec<u8>)> {
        chunks.iter().map(|chunk| (chunk.info, chunk.stored.to_vec())).collect()
    }
}
