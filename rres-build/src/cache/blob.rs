//! One blob: a pack whose first chunk (kind DESC) describes the parts in it.
//!
//! DESC has one property, its version; its data are, per part: name, kind, summary, first chunk's offset, stored
//! size, base size, number of chunks, compression, records, dependencies, as `record.rs` lays them out.

use std::fs::File;
use std::io::{self, Read};

use rres_format::chunk::{self, PayloadView};
use rres_format::index::Meta;
use rres_format::{
    AssetKind, ChunkInfo, Compression, FourCc, Header, PackBuilder, PackView, Resource, ResourceId, StoredChunk,
};

use super::record::{Input, Output};
use crate::import::Dependency;

const VERSION: u32 = 1;

/// One part, encoded.
pub(crate) struct StoredPart {
    pub(crate) name: String,
    pub(crate) kind: AssetKind,
    pub(crate) chunks: Vec<StoredChunk<'static>>,
    pub(crate) meta: Meta,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) summary: String,
}

/// What a blob says of one of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartInfo {
    pub(crate) name: String,
    pub(crate) kind: AssetKind,
    pub(crate) summary: String,
    /// Offset of the first chunk's head in the blob.
    pub(crate) offset: u32,
    /// Bytes from there to the end of the last chunk.
    pub(crate) stored_size: u32,
    pub(crate) base_size: u32,
    pub(crate) chunk_count: u16,
    /// Of the largest chunk.
    pub(crate) compression: Compression,
    pub(crate) meta: Meta,
    pub(crate) dependencies: Vec<Dependency>,
}

/// The bytes of a blob, and what it says of its parts.
pub(crate) fn write_blob(parts: Vec<StoredPart>) -> Result<(Vec<u8>, Vec<PartInfo>), rres_format::Error> {
    let mut infos: Vec<PartInfo> = parts.iter().map(info).collect();
    // Part numbers stand in for ids, which depend on where the source lies.
    let mut pack = PackBuilder::new().directory(false).lead(FourCc::DESC, encode(&infos));
    for (number, part) in (1..).zip(parts) {
        pack.push(Resource::new(part.name, part.chunks).with_id(ResourceId(number)));
    }
    for (info, (offset, stored_size)) in infos.iter_mut().zip(pack.places()?) {
        (info.offset, info.stored_size) = (offset, stored_size);
    }
    // The same length as before: offsets have a fixed size.
    let pack = pack.lead(FourCc::DESC, encode(&infos));
    Ok((pack.to_vec()?, infos))
}

fn info(part: &StoredPart) -> PartInfo {
    let base: u64 = part.chunks.iter().map(|chunk| u64::from(chunk.info().base_size)).sum();
    let largest = part.chunks.iter().max_by_key(|chunk| chunk.info().base_size);
    PartInfo {
        name: part.name.clone(),
        kind: part.kind,
        summary: part.summary.clone(),
        offset: 0,
        stored_size: 0,
        base_size: u32::try_from(base).unwrap_or(u32::MAX),
        chunk_count: part.chunks.len() as u16,
        compression: largest.map_or(Compression::NONE, |chunk| chunk.info().compression),
        meta: part.meta.clone(),
        dependencies: part.dependencies.clone(),
    }
}

/// What the blob in `file`, which has `len` bytes, holds; `None` where its description is damaged or of another
/// version, or the file is cut.
pub(crate) fn read_description(file: &mut File, len: u64) -> io::Result<Option<Vec<PartInfo>>> {
    const HEADS: usize = Header::SIZE + ChunkInfo::SIZE;
    // One read suffices for all but sources of very many parts.
    let mut start = vec![0; len.min(4096) as usize];
    file.read_exact(&mut start)?;
    let Some(head) = start.get(Header::SIZE..HEADS).and_then(|head| head.try_into().ok()) else { return Ok(None) };
    let info = ChunkInfo::from_bytes(head);
    let needed = HEADS as u64 + u64::from(info.packed_size);
    if needed > len {
        return Ok(None);
    }
    let read = start.len();
    if needed > read as u64 {
        start.resize(needed as usize, 0);
        file.read_exact(&mut start[read..])?;
    }
    Ok(description(&start).filter(|parts| length(parts) == Some(len)))
}

/// The description at the start of a blob.
fn description(start: &[u8]) -> Option<Vec<PartInfo>> {
    let chunk = PackView::parse(start).ok()?.chunk_at(Header::SIZE as u32).ok()?;
    chunk.verify().ok()?;
    decode_description(chunk.plain_block().ok()?)
}

/// Bytes of a blob with these parts.
pub(super) fn length(parts: &[PartInfo]) -> Option<u64> {
    parts.iter().map(|part| u64::from(part.offset) + u64::from(part.stored_size)).max()
}

/// Reads a whole blob and says what is wrong with it.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    let parts = description(bytes).ok_or("its description does not read back")?;
    match length(&parts) {
        Some(expected) if expected == bytes.len() as u64 => {}
        expected => return Err(format!("has {} bytes, expected {}", bytes.len(), expected.unwrap_or_default())),
    }
    let view = PackView::parse(bytes).map_err(|e| e.to_string())?;
    for part in parts {
        let first = view.chunk_at(part.offset).map_err(|e| e.to_string())?;
        for chunk in view.run(first, part.chunk_count) {
            chunk.and_then(|chunk| chunk.verify()).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

/// The parts that the block of a DESC chunk describes.
fn decode_description(block: &[u8]) -> Option<Vec<PartInfo>> {
    let payload = PayloadView::parse(block).ok()?;
    if payload.prop(0) != Ok(VERSION) {
        return None;
    }
    Input(payload.data()).parts()
}

fn encode(parts: &[PartInfo]) -> Vec<u8> {
    let mut out = Output::default();
    out.parts(parts);
    chunk::block(&[VERSION], &out.0)
}

#[cfg(test)]
mod tests {
    use rres_format::index::MetaKey;

    use super::*;

    fn part(name: &str) -> StoredPart {
        let block = chunk::raw::raw_block(".bin", &[7; 100]);
        let encode = |kind| StoredChunk::encode(kind, &block, Compression::NONE, &mut Default::default()).unwrap();
        let mut meta = Meta::default();
        meta.set(MetaKey::GAIN, 5);
        StoredPart {
            name: name.to_owned(),
            kind: AssetKind::Model,
            chunks: vec![encode(FourCc::RAWD), encode(FourCc::VRTX).unlinked()],
            meta,
            dependencies: vec![Dependency::Part("image/0".into()), Dependency::Asset("../a.png".into())],
            summary: "größer".to_owned(),
        }
    }

    fn described(file: &std::path::Path) -> Option<Vec<PartInfo>> {
        let mut file = File::open(file).unwrap();
        let len = file.metadata().unwrap().len();
        read_description(&mut file, len).unwrap()
    }

    #[test]
    fn a_blob_says_where_its_parts_are() {
        let (bytes, infos) = write_blob(vec![part(""), part("image/0")]).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.rres");
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(described(&file).unwrap(), infos);
        assert_eq!(check(&bytes), Ok(()));
        let view = PackView::parse(&bytes).unwrap();
        for (number, info) in (1..).zip(&infos) {
            let first = view.first_chunk(info.offset, ResourceId(number)).unwrap();
            let chunks: Vec<_> = view.run(first, info.chunk_count).map(|chunk| chunk.unwrap()).collect();
            assert_eq!(chunks.len(), 2);
            assert_eq!(chunks[1].end(), u64::from(info.offset + info.stored_size));
            assert_eq!(info.offset % 16, 12, "plain data is aligned in blobs too");
        }
    }

    #[test]
    fn every_cut_reads_as_damaged() {
        let (bytes, _) = write_blob((0..60).map(|i| part(&format!("image/{i}"))).collect()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.rres");
        let desc = PackView::parse(&bytes).unwrap().chunk_at(16).unwrap().end() as usize;
        for len in (0..desc).step_by(7).chain([bytes.len() - 1]) {
            std::fs::write(&file, &bytes[..len]).unwrap();
            assert_eq!(described(&file), None, "cut to {len}");
            assert!(check(&bytes[..len]).is_err(), "cut to {len}");
        }
        let mut flipped = bytes.clone();
        flipped[desc / 2] ^= 1;
        std::fs::write(&file, &flipped).unwrap();
        assert_eq!(described(&file), None);
        let mut flipped = bytes.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert!(check(&flipped).is_err(), "what chunks hold is checked as well");
    }
}
