//! One blob: a pack whose first chunk (kind DESC) describes the resources in it.
//!
//! DESC has one property, its version. Its data contains, per resource: name, kind, summary, offset of the first chunk,
//! stored size, base size, number of chunks, compression, facts, metadata, dependencies, notes; `record.rs` has the layout.

use std::fs::File;
use std::io::{self, Read};

use rres_format::chunk::{self, PayloadView};
use rres_format::index::Meta;
use rres_format::{
    AssetKind, ChunkInfo, Compression, FourCc, Header, PackBuilder, PackView, Resource, ResourceId, StoredChunk,
};

use super::record::{Input, Output};
use crate::facts::Facts;
use crate::model::{Dependency, NamedPart, ResourceInfo};
use crate::note::Note;

const VERSION: u32 = 5;

/// Largest size of a description: a model with thousands of images has a megabyte.
const MAX_DESCRIPTION: u64 = 64 << 20;

/// The kind of the first chunk of a blob. It does not occur in packs.
const DESC: FourCc = FourCc(*b"DESC");

/// One resource, encoded.
pub(crate) struct EncodedResource {
    pub(crate) name: String,
    pub(crate) kind: AssetKind,
    pub(crate) chunks: Vec<StoredChunk<'static>>,
    pub(crate) facts: Facts,
    pub(crate) meta: Meta,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) summary: String,
    pub(crate) notes: Vec<Note>,
    pub(crate) parts: Vec<NamedPart>,
}

/// The bytes of a blob, and the description of its resources.
pub(crate) fn write_blob(resources: Vec<EncodedResource>) -> Result<(Vec<u8>, Vec<ResourceInfo>), rres_format::Error> {
    let mut infos: Vec<ResourceInfo> = resources.iter().map(info).collect();
    // Ids depend on the path of the source, so resources are numbered instead.
    let mut pack = PackBuilder::new().directory(false).leading_chunk(DESC, encode(&infos));
    for (number, resource) in (1..).zip(resources) {
        pack.push(Resource::new(resource.name, resource.chunks).with_id(ResourceId(number)));
    }
    for (info, range) in infos.iter_mut().zip(pack.resource_ranges()?) {
        (info.offset, info.stored_size) = (range.offset, range.size);
    }
    // The same length as before: offsets have a fixed size.
    let pack = pack.leading_chunk(DESC, encode(&infos));
    Ok((pack.to_vec()?, infos))
}

fn info(resource: &EncodedResource) -> ResourceInfo {
    let base: u64 = resource.chunks.iter().map(|chunk| u64::from(chunk.info().base_size)).sum();
    let largest = resource.chunks.iter().max_by_key(|chunk| chunk.info().base_size);
    ResourceInfo {
        name: resource.name.clone(),
        kind: resource.kind,
        summary: resource.summary.clone(),
        offset: 0,
        stored_size: 0,
        base_size: u32::try_from(base).unwrap_or(u32::MAX),
        chunk_count: resource.chunks.len() as u16,
        compression: largest.map_or(Compression::NONE, |chunk| chunk.info().compression),
        facts: resource.facts,
        meta: resource.meta.clone(),
        dependencies: resource.dependencies.clone(),
        notes: resource.notes.clone(),
        parts: resource.parts.clone(),
    }
}

/// The description of the blob in `file`, which has `len` bytes; `None` if it is damaged or of another version, or the file
/// is cut off.
pub(crate) fn read_description(file: &mut File, len: u64) -> io::Result<Option<Vec<ResourceInfo>>> {
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
    Ok(description(&start).filter(|resources| length(resources) == Some(len)))
}

/// The description at the start of a blob.
fn description(start: &[u8]) -> Option<Vec<ResourceInfo>> {
    let chunk = PackView::parse(start).ok()?.chunk_at(Header::SIZE as u32).ok()?;
    chunk.verify().ok()?;
    decode_description(chunk.plain_block().ok()?)
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

/// The length of a blob with these resources.
pub(super) fn length(resources: &[ResourceInfo]) -> Option<u64> {
    resources.iter().map(|resource| u64::from(resource.offset) + u64::from(resource.stored_size)).max()
}

/// Checks a whole blob. The error describes what is wrong with it.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    let resources = description(bytes).ok_or("its description is damaged")?;
    match length(&resources) {
        Some(expected) if expected == bytes.len() as u64 => {}
        expected => return Err(format!("has {} bytes, expected {}", bytes.len(), expected.unwrap_or_default())),
    }
    let view = PackView::parse(bytes).map_err(|e| e.to_string())?;
    for resource in resources {
        let first = view.chunk_at(resource.offset).map_err(|e| e.to_string())?;
        for chunk in view.resource_chunks(first, resource.chunk_count) {
            chunk.and_then(|chunk| chunk.verify()).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

/// The resources described in the block of a DESC chunk.
fn decode_description(block: &[u8]) -> Option<Vec<ResourceInfo>> {
    let payload = PayloadView::parse(block).ok()?;
    if payload.prop(0) != Ok(VERSION) {
        return None;
    }
    Input(payload.data()).resources()
}

fn encode(resources: &[ResourceInfo]) -> Vec<u8> {
    let mut out = Output::default();
    out.resources(resources);
    chunk::block(&[VERSION], &out.0)
}

#[cfg(test)]
mod tests {
    use rres_format::index::MetaKey;

    use super::*;
    use crate::facts::SoundFacts;

    fn resource(name: &str) -> EncodedResource {
        let block = chunk::raw::raw_block(".bin", &[7; 100]);
        let encode = |kind| StoredChunk::encode(kind, &block, Compression::NONE, &mut Default::default()).unwrap();
        let mut meta = Meta::default();
        meta.set(MetaKey::GAIN, 5);
        EncodedResource {
            name: name.to_owned(),
            kind: AssetKind::Model,
            chunks: vec![encode(FourCc::RAWD), encode(FourCc::VRTX).unlinked()],
            facts: Facts::Sound(SoundFacts { frames: 1 << 33, rate: 8000, channels: 2 }),
            meta,
            dependencies: vec![
                Dependency::SubAsset("image/0".into()),
                Dependency::Asset("../a.png".into()),
                Dependency::Typed("b.png".into(), Some(AssetKind::Image)),
            ],
            summary: "größer".to_owned(),
            notes: vec![Note::new("only the first frame is stored").with_detail("2 frames")],
            parts: vec![NamedPart { sort: crate::model::PartSort::Mesh, index: 3, name: "head".to_owned() }],
        }
    }

    fn described(file: &std::path::Path) -> Option<Vec<ResourceInfo>> {
        let mut file = File::open(file).unwrap();
        let len = file.metadata().unwrap().len();
        read_description(&mut file, len).unwrap()
    }

    #[test]
    fn a_blob_describes_where_its_resources_are() {
        let (bytes, infos) = write_blob(vec![resource(""), resource("image/0")]).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.rres");
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(described(&file).unwrap(), infos);
        assert_eq!(check(&bytes), Ok(()));
        let view = PackView::parse(&bytes).unwrap();
        for (number, info) in (1..).zip(&infos) {
            let first = view.first_chunk(info.offset, ResourceId(number)).unwrap();
            let chunks: Vec<_> = view.resource_chunks(first, info.chunk_count).map(|chunk| chunk.unwrap()).collect();
            assert_eq!(chunks.len(), 2);
            assert_eq!(chunks[1].end(), u64::from(info.offset + info.stored_size));
            assert_eq!(info.offset % 16, 12, "plain data is aligned in blobs too");
        }
    }

    #[test]
    fn every_truncated_blob_is_damaged() {
        let (bytes, _) = write_blob((0..60).map(|i| resource(&format!("image/{i}"))).collect()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.rres");
        let desc = PackView::parse(&bytes).unwrap().chunk_at(16).unwrap().end() as usize;
        for len in (0..desc).step_by(7).chain([bytes.len() - 1]) {
            std::fs::write(&file, &bytes[..len]).unwrap();
            assert_eq!(described(&file), None, "truncated to {len}");
            assert!(check(&bytes[..len]).is_err(), "truncated to {len}");
        }
        let mut flipped = bytes.clone();
        flipped[desc / 2] ^= 1;
        std::fs::write(&file, &flipped).unwrap();
        assert_eq!(described(&file), None);
        let mut flipped = bytes.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert!(check(&flipped).is_err(), "the contents of chunks are checked as well");
    }
}
