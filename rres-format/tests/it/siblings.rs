//! Chunks that are stored as what distinguishes them from a similar chunk of their pack.

use rres_format::chunk::raw::raw_block;
use rres_format::sibling::{MAX_DEPTH, SiblingPlace};
use rres_format::{
    Compression, Compressor, Decompressor, Error, FourCc, PackBuilder, PackView, Resource, ResourceId, StoredChunk,
};
use rres_test_data::random::noise;

/// Offset of the stored bytes of a chunk from its header.
const STORED: usize = 32;

/// Returns blocks that differ in a few bytes each.
fn blocks(count: u8) -> Vec<Vec<u8>> {
    let common = noise(20_000);
    let block = |i: u8| {
        let mut bytes = common.clone();
        bytes[usize::from(i) * 1000..][..20].fill(i);
        raw_block(".dat", &bytes)
    };
    (0..count).map(block).collect()
}

fn name(i: usize) -> String {
    format!("frame{i}.dat")
}

/// Returns the chunk of `block` stored by itself, in a pack of its own.
fn alone(block: &[u8]) -> Vec<u8> {
    let chunk = StoredChunk::encode(FourCc::RAWD, block, Compression::ZSTD, &mut Compressor::default()).unwrap();
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("alone", vec![chunk]));
    pack.to_vec().unwrap()
}

fn with_sibling(block: &[u8], sibling: &[u8], place: SiblingPlace) -> Result<StoredChunk<'static>, Error> {
    let alone = alone(block);
    let chunk = PackView::parse(&alone)?.find(ResourceId::from_path("alone"))?.expect("the pack has it");
    StoredChunk::with_sibling(chunk, block, place, sibling, 9)
}

/// Returns a pack of these blocks. The first one is stored by itself, and each other one has the one before as its sibling.
fn chain(blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut pack = PackBuilder::new();
    for (i, block) in blocks.iter().enumerate() {
        let chunk = match i {
            0 => StoredChunk::encode(FourCc::RAWD, block, Compression::ZSTD, &mut Compressor::default()).unwrap(),
            _ => {
                let resource = ResourceId::from_path(&name(i - 1));
                let place = SiblingPlace { resource, chunk: 0, depth: i as u8 - 1 };
                with_sibling(block, &blocks[i - 1], place).unwrap()
            }
        };
        pack.push(Resource::new(name(i), vec![chunk]));
    }
    pack.to_vec().unwrap()
}

fn decode(pack: &[u8], i: usize) -> Result<Vec<u8>, Error> {
    let chunk = PackView::parse(pack)?.find(ResourceId::from_path(&name(i)))?.expect("the pack has it");
    chunk.decode(&mut Decompressor::default()).map(|block| block.into_bytes().into_owned())
}

/// Returns the offset of the header of the chunk of frame `i`.
fn offset(pack: &[u8], i: usize) -> usize {
    PackView::parse(pack).unwrap().find(ResourceId::from_path(&name(i))).unwrap().unwrap().offset as usize
}

#[test]
fn a_chain_decodes_to_its_blocks() {
    let blocks = blocks(MAX_DEPTH + 1);
    let pack = chain(&blocks);
    for (i, block) in blocks.iter().enumerate() {
        assert!(decode(&pack, i).unwrap() == *block, "frame {i}");
    }
    assert!(pack.len() < 22_000, "the noise of the frames is stored once: {} bytes", pack.len());
    let last = PackView::parse(&pack).unwrap().find(ResourceId::from_path(&name(3))).unwrap().unwrap();
    let sibling = last.sibling().unwrap().unwrap();
    assert_eq!(last.info.compression, Compression::SIBLING);
    assert_eq!((sibling.depth(), sibling.resource(), sibling.chunk()), (3, ResourceId::from_path(&name(2)), 0));
    assert_eq!(last.stored.len() % 16, 0, "stored bytes are aligned");
}

#[test]
fn a_pack_without_an_index_has_siblings_too() {
    let blocks = blocks(2);
    let pack = chain(&blocks);
    let view = PackView::parse_without_index(&pack).unwrap();
    let chunk = view.find(ResourceId::from_path(&name(1))).unwrap().unwrap();
    assert!(*chunk.decode(&mut Decompressor::default()).unwrap().into_bytes() == *blocks[1]);
}

#[test]
fn a_chain_has_an_end() {
    let blocks = blocks(2);
    let place = SiblingPlace { resource: ResourceId(1), chunk: 0, depth: MAX_DEPTH };
    assert!(matches!(with_sibling(&blocks[1], &blocks[0], place), Err(Error::Inconsistent { .. })));

    // A chunk that names itself, and depths that no writer gives.
    let mut pack = chain(&blocks);
    let stored = offset(&pack, 1) + STORED;
    let itself = ResourceId::from_path(&name(1)).0.to_le_bytes();
    let first = pack[stored..][..4].to_vec();
    pack[stored..][..4].copy_from_slice(&itself);
    let message = "header of a chunk with a sibling: expected a sibling of a smaller depth than 1, found 1";
    assert_eq!(decode(&pack, 1).unwrap_err().to_string(), message);
    pack[stored..][..4].copy_from_slice(&first);
    for depth in [0, MAX_DEPTH + 1, 255] {
        pack[stored + 6] = depth;
        let message = format!("expected a depth of 1 to 3 and a zero, found {depth} and 0");
        let found = decode(&pack, 1).unwrap_err().to_string();
        assert_eq!(found, format!("header of a chunk with a sibling: {message}"));
    }
}

#[test]
fn another_sibling_is_an_error() {
    let blocks = blocks(2);
    let mut pack = chain(&blocks);
    let stored = offset(&pack, 1) + STORED;
    pack[stored] ^= 1;
    let missing = u32::from_le_bytes(pack[stored..][..4].try_into().unwrap());
    assert!(matches!(decode(&pack, 1), Err(Error::NeedsSibling(id)) if id.0 == missing));
    pack[stored] ^= 1;
    pack[stored + 4] = 1;
    assert!(matches!(decode(&pack, 1), Err(Error::NeedsSibling(_))), "the resource has one chunk");
    pack[stored + 4] = 0;
    // Damage in the sibling is found by the CRC of the block.
    let raw = offset(&pack, 0) + STORED + 12_000;
    pack[raw] ^= 1;
    let message = decode(&pack, 1).unwrap_err().to_string();
    assert!(message.starts_with("sibling data is damaged: the block has crc32 "), "{message}");
}

#[test]
fn a_frame_that_is_cut_off_is_an_error() {
    let mut pack = chain(&blocks(2));
    let size = offset(&pack, 1) + STORED + 12;
    pack[size..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(decode(&pack, 1), Err(Error::Truncated { .. })));
}
