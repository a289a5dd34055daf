//! Damaged and hostile packs cause errors that name what is wrong, but no panics, endless loops or huge allocations.

use rres_format::chunk::PayloadView;
use rres_format::{
    ChunkInfo, Cipher, Compression, Compressor, Decompressor, Error, FourCc, Header, PackView, ResourceId,
};
use rres_test_data::damage::{BITS, flipped};
use rres_test_data::random::noise;

use crate::{probe, sample};

const CHUNK_HEADER: usize = ChunkInfo::SIZE;

/// Returns a pack of plain chunks, each given by its kind, id, next offset and block.
fn by_hand(chunk_count: u16, directory_offset: u32, chunks: &[(FourCc, u32, u32, &[u8])]) -> Vec<u8> {
    let mut bytes = Header { chunk_count, directory_offset, reserved: 0 }.to_bytes().to_vec();
    for (kind, id, next_offset, block) in chunks {
        let info = ChunkInfo {
            kind: *kind,
            id: ResourceId(*id),
            compression: Compression::NONE,
            cipher: Cipher::NONE,
            flags: 0,
            packed_size: block.len() as u32,
            base_size: block.len() as u32,
            next_offset: *next_offset,
            reserved: 0,
            crc32: crc32fast::hash(block),
        };
        bytes.extend(info.to_bytes());
        bytes.extend(*block);
    }
    bytes
}

/// Returns a pack with one chunk of these stored bytes, whose header claims `base_size`.
fn claiming(compression: Compression, stored: &[u8], base_size: u32) -> Vec<u8> {
    let mut bytes = by_hand(1, 0, &[(FourCc::RAWD, 1, 0, stored)]);
    bytes[24] = compression.0;
    bytes[32..36].copy_from_slice(&base_size.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let view = PackView::parse(bytes)?;
    let chunk = view.find(ResourceId(1))?.expect("the pack has the resource");
    chunk.decode(&mut Decompressor::default()).map(|block| block.into_bytes().into_owned())
}

#[test]
fn other_files_are_rejected_by_their_signature() {
    let error = |bytes: &[u8]| PackView::parse(bytes).unwrap_err().to_string();
    let good = by_hand(0, 0, &[]);
    assert_eq!(good[..4], [0x72, 0x72, 0x65, 0x73]);
    assert_eq!(error(b""), "not an rres pack: the file is empty");
    assert_eq!(error(b"rre"), r#"not an rres pack: starts with "rre\x00", expected "rres""#);
    assert_eq!(error(b"\x89PNG\r\n\x1a\n"), r#"not an rres pack: starts with "\x89PNG", expected "rres""#);
    let prototype = [b"rRES", &good[4..]].concat();
    assert_eq!(error(&prototype), r#"not an rres pack: starts with "rRES", expected "rres""#);
    assert_eq!(error(&good[..15]), "truncated file header at offset 0: expected 16 bytes, found 15");
    for version in [0u16, 99, 101, 0x6400] {
        let mut bad = good.clone();
        bad[4..6].copy_from_slice(&version.to_le_bytes());
        assert_eq!(PackView::parse(&bad).unwrap_err(), Error::UnsupportedVersion(version));
    }
}

#[test]
fn truncation_neither_causes_panics_nor_changes_chunks() {
    let bytes = sample::pack();
    let whole = PackView::parse(&bytes).unwrap();
    let mut decompressor = Decompressor::default();
    for len in 0..bytes.len() {
        let cut = &bytes[..len];
        probe::pack(cut, &mut decompressor);
        let Ok(view) = PackView::parse(cut) else { continue };
        assert!(view.directory().is_err(), "the directory is last, so it is truncated at {len}");
        for chunk in view.chunks().flatten() {
            assert_eq!(chunk.stored, whole.chunk_at(chunk.offset).unwrap().stored);
        }
    }
}

#[test]
fn flipped_bits_do_not_cause_panics() {
    let bytes = sample::pack();
    let mut decompressor = Decompressor::default();
    flipped(&bytes, 0..bytes.len(), &[0x01, 0x80, 0xff]).for_each(|(_, bad)| probe::pack(&bad, &mut decompressor));
}

#[test]
fn every_flipped_bit_of_stored_bytes_fails_the_crc_of_its_chunk() {
    let bytes = sample::pack();
    let chunks: Vec<_> = PackView::parse(&bytes)
        .unwrap()
        .chunks()
        .map(|c| c.unwrap())
        .map(|c| (c.offset, c.info.id, c.stored.len()))
        .collect();
    assert!(chunks.len() > 12);
    let mut bad = bytes.clone();
    for (offset, id, len) in chunks {
        let start = offset as usize + CHUNK_HEADER;
        for at in start..start + len {
            bad[at] ^= 1 << (at % 8);
            let header = bad[offset as usize..][..CHUNK_HEADER].try_into().unwrap();
            let stored = &bad[start..start + len];
            // The chunk in a pack of its own, because parsing fails if the index is damaged.
            let mut alone = by_hand(1, 0, &[(FourCc::RAWD, 0, 0, stored)]);
            alone[16..16 + CHUNK_HEADER].copy_from_slice(&ChunkInfo::from_bytes(header).to_bytes());
            let result = PackView::parse_without_index(&alone).unwrap().chunk_at(16).unwrap().verify();
            assert!(matches!(result, Err(Error::CrcMismatch { id: of, offset: 16, .. }) if of == id), "{at}");
            bad[at] = bytes[at];
        }
    }
}

#[test]
fn chains_end_whatever_their_links_are() {
    const BLOCK: &[u8] = &[0; 16];
    const STEP: u32 = 48;
    let chain = |links: &[u32], chunk_count: u16| {
        let chunks: Vec<_> = links.iter().map(|next| (FourCc::RAWD, 5, *next, BLOCK)).collect();
        let bytes = by_hand(chunk_count, 0, &chunks);
        let view = PackView::parse(&bytes).unwrap();
        let first = view.chunk_at(16).unwrap();
        let found: Vec<_> = view.chain(first).collect();
        let offsets: Vec<_> = found.iter().flatten().map(|chunk| chunk.offset).collect();
        (offsets, found.iter().find_map(|chunk| chunk.clone().err().map(|e| e.to_string())))
    };
    assert_eq!(chain(&[0], 1), (vec![16], None));
    assert_eq!(chain(&[64, 0], 2), (vec![16, 64], None));
    let third = 16 + 2 * STEP;
    assert_eq!(chain(&[third, 0, 64], 3), (vec![16, third, 64], None), "links may lead backwards");
    let loops = |why| Some(format!("chunk at offset {why}, which closes a loop"));
    assert_eq!(chain(&[16], 1), (vec![16], loops("16 links to offset 16")));
    let (found, error) = chain(&[64, 16], u16::MAX);
    assert_eq!((found.len() <= 6, error), (true, loops("16 links to offset 64")));
    // Many chunks before a small loop, in a file whose header claims more chunks than it has.
    let mut links: Vec<u32> = (1..100).map(|i| 16 + i * STEP).collect();
    links.push(16 + 97 * STEP);
    let (found, error) = chain(&links, u16::MAX);
    assert!(found.len() < 300 && error.unwrap().ends_with("closes a loop"), "{}", found.len());
    let bad = |why| (vec![16], Some(format!("chunk at offset 16 links to offset {why}")));
    assert_eq!(chain(&[4], 1), bad("4, which is inside the file header"));
    assert_eq!(chain(&[u32::MAX], 1), bad("4294967295, which is not the start of a complete chunk"));
    let end_of_file = bad("64, which is not the start of a complete chunk");
    assert_eq!(chain(&[64], 1), end_of_file);
    let (found, error) = chain(&[64, 112, 160, 0], 1);
    assert_eq!(found, [16, 64], "a chain has at most one chunk more than the header counts");
    assert_eq!(error.unwrap(), "chunk at offset 64 links to offset 112, which makes the chain longer than the pack");
}

#[test]
fn the_chunks_of_a_resource_end_with_the_resource() {
    const BLOCK: &[u8] = &[0; 16];
    let chunk = |kind, id| (kind, id, 0, BLOCK);
    let bytes = by_hand(
        5,
        0,
        &[
            chunk(FourCc::VRTX, 5),
            chunk(FourCc::NULL, 0),
            chunk(FourCc::VRTX, 5),
            chunk(FourCc::VRTX, 6),
            chunk(FourCc::VRTX, 6),
        ],
    );
    let view = PackView::parse(&bytes).unwrap();
    let chunks = |at, count| {
        let found: Vec<_> = view.resource_chunks(view.chunk_at(at).unwrap(), count).collect();
        (found.iter().flatten().count(), found.last().and_then(|last| last.clone().err()).map(|e| e.to_string()))
    };
    assert_eq!(chunks(16, 0), (0, None));
    assert_eq!(chunks(16, 2), (2, None));
    let error =
        |expected: &str, found: &str| Some(format!("chunks of a resource: expected chunk {expected}, found {found}"));
    let neighbour = error("3 of 4 of 0x00000005", "a chunk of 0x00000006 at offset 160");
    assert_eq!(chunks(16, 4), (2, neighbour));
    assert_eq!(chunks(160, u16::MAX), (2, error("3 of 65535 of 0x00000006", "the end of the pack")));
}

#[test]
fn a_chunk_count_that_is_too_large_ends_at_the_end_of_the_file() {
    const BLOCK: &[u8] = &[0; 16];
    for claimed in [2, 3, 1000, u16::MAX] {
        let bytes = by_hand(claimed, 0, &[(FourCc::RAWD, 5, 0, BLOCK), (FourCc::RAWD, 6, 0, BLOCK)]);
        let view = PackView::parse(&bytes).unwrap();
        assert_eq!(view.chunks().map(|chunk| chunk.unwrap().offset).collect::<Vec<_>>(), [16, 64]);
        assert_eq!(view.find(ResourceId(6)).unwrap().unwrap().offset, 64);
        assert!(view.find(ResourceId(7)).unwrap().is_none());
    }
    let bytes = by_hand(1, 0, &[(FourCc::RAWD, 5, 0, BLOCK), (FourCc::RAWD, 6, 0, BLOCK)]);
    assert_eq!(PackView::parse(&bytes).unwrap().chunks().count(), 1, "chunks beyond the count are ignored");
    let mut ragged = by_hand(9, 0, &[(FourCc::RAWD, 5, 0, BLOCK)]);
    ragged.extend([1, 2, 3]);
    let view = PackView::parse(&ragged).unwrap();
    let walk: Vec<_> = view.chunks().collect();
    assert_eq!(walk.len(), 2);
    assert_eq!(
        walk[1].clone().unwrap_err().to_string(),
        "truncated chunk header at offset 64: expected 32 bytes, found 3"
    );
}

#[test]
fn the_directory_is_found_by_either_offset() {
    let entry = [&[5, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0][..], b"a.txt\0\0\0"].concat();
    let directory = rres_format::chunk::block(&[1], &entry);
    let chunks = [(FourCc::RAWD, 5, 0, &[0; 16][..]), (FourCc::CDIR, 0, 0, &directory[..])];
    for (count, offset) in [(1, 48), (1, 64), (2, 48), (2, 64)] {
        let bytes = by_hand(count, offset, &chunks);
        let directory = PackView::parse(&bytes).unwrap().directory().unwrap().unwrap();
        assert_eq!(directory.find("a.txt"), Ok(Some(ResourceId(5))), "{count} {offset}");
        assert_eq!((directory.find("a"), directory.find(""), directory.find("A.txt")), (Ok(None), Ok(None), Ok(None)));
    }
    let missing = |offset| {
        let bytes = by_hand(1, offset, &chunks);
        PackView::parse(&bytes).unwrap().directory().unwrap_err().to_string()
    };
    assert_eq!(missing(7), "central directory: expected a CDIR chunk at offset 23 or 7, found none");
    assert_eq!(
        missing(u32::MAX),
        "central directory: expected a CDIR chunk at offset 4294967311 or 4294967295, found none"
    );
    let mut cut = by_hand(1, 48, &chunks);
    cut.truncate(cut.len() - 1);
    assert!(PackView::parse(&cut).unwrap().directory().is_err());
    let mut damaged = by_hand(1, 48, &chunks);
    *damaged.last_mut().unwrap() = 1;
    assert!(matches!(PackView::parse(&damaged).unwrap().directory(), Err(Error::CrcMismatch { offset: 64, .. })));
}

#[test]
fn impossible_sizes_are_rejected_before_anything_is_allocated() {
    // `block_size` fails, so `decode` allocates nothing.
    for (compression, claim) in [
        (Compression::NONE, u32::MAX),
        (Compression::DEFLATE, 1032 * 32 + 1),
        (Compression::LZ4, 256 * 32 + 1),
        (Compression::QOI, 248 * 32 + 1),
        (Compression::ZSTD, 32_768 * 32 + 1),
    ] {
        let bytes = claiming(compression, &[0; 32], claim);
        let view = PackView::parse(&bytes).unwrap();
        let error = view.chunk_at(16).unwrap().block_size().unwrap_err();
        let expected = match compression {
            Compression::NONE => {
                "truncated block of a plain chunk at offset 0: expected 4294967295 bytes, found 32".to_owned()
            }
            other => format!("{other} data is damaged: 32 bytes cannot decompress to {claim}"),
        };
        assert_eq!(error.to_string(), expected);
        let bytes = claiming(compression, &[0; 32], u32::MAX);
        assert!(decode(&bytes).is_err());
    }
}

#[test]
fn every_codec_checks_the_base_size() {
    let block = sample::image(rres_format::chunk::image::PixelFormat::RGBA8, 40, 40);
    for compression in [Compression::DEFLATE, Compression::LZ4, Compression::QOI, Compression::ZSTD] {
        let packed = Compressor::default().compress(compression, &block).unwrap();
        let size = block.len() as u32;
        assert_eq!(decode(&claiming(compression, &packed, size)).as_ref(), Ok(&block), "{compression}");
        // The last row of a QOI image extends beyond the block, so only a difference of a whole row is detected.
        let row = if compression == Compression::QOI { 200 } else { 1 };
        for wrong in [size - row, size + row, 0] {
            let result = decode(&claiming(compression, &packed, wrong));
            assert!(matches!(result, Err(Error::Decompress { .. })), "{compression} {wrong} for {size}: {result:?}");
        }
        for cut in 1..packed.len().min(60) {
            let cut = &packed[..packed.len() - cut];
            // The last 8 bytes of QOI are a marker without content, which may be missing.
            let result = decode(&claiming(compression, cut, size));
            assert!(result.is_err() || result.as_ref() == Ok(&block), "{compression}: {} bytes", cut.len());
        }
        assert!(decode(&claiming(compression, &noise(400), size)).is_err(), "{compression}");
    }
}

#[test]
fn a_deflate_stream_must_end_and_bytes_after_its_end_are_padding() {
    let block = vec![7; 5000];
    let packed = Compressor::default().compress(Compression::DEFLATE, &block).unwrap();
    let mut open = packed.clone();
    open[0] &= !1; // The first block is not marked as the last any more.
    assert!(decode(&claiming(Compression::DEFLATE, &open, 5000)).is_err());
    let padded = [&packed[..], &[0xaa; 9]].concat();
    assert_eq!(decode(&claiming(Compression::DEFLATE, &padded, 5000)), Ok(block));
}

#[test]
fn qoi_images_of_another_size_are_rejected_before_they_are_decoded() {
    // One row of 100 million pixels in a chunk of 80,020 bytes: run-length operations that would decode to 400 MB.
    let mut file = b"qoif".to_vec();
    file.extend(100_000_000u32.to_be_bytes());
    file.extend(1u32.to_be_bytes());
    file.extend([4, 0]);
    file.resize(1_700_000, 0xfd);
    let error = decode(&claiming(Compression::QOI, &file, 80_020)).unwrap_err().to_string();
    assert!(error.contains("declares 400000000 bytes of pixels"), "{error}");
}

#[test]
fn encrypted_chunks_are_not_decoded() {
    let mut bytes = by_hand(1, 0, &[(FourCc::RAWD, 1, 0, &[0; 64])]);
    for (cipher, name) in [(30, "AES"), (73, "XChaCha20-Poly1305"), (1, "XOR")] {
        bytes[25] = cipher;
        let error = decode(&bytes).unwrap_err();
        let cipher = Cipher(cipher);
        let refused = if cipher.is_enabled() { Error::NeedsKey(cipher) } else { Error::UnsupportedCipher(cipher) };
        assert_eq!(error, refused);
        assert!(error.to_string().contains(name), "{error}");
        let view = PackView::parse(&bytes).unwrap();
        assert!(view.chunk_at(16).unwrap().plain_block().is_err());
    }
}

#[test]
fn property_counts_are_checked_against_the_block() {
    let parse = |count: u32, len: usize| {
        let mut block = count.to_le_bytes().to_vec();
        block.resize(4 + len, 0);
        PayloadView::parse(&block).map(|view| (view.prop_count(), view.data().len()))
    };
    assert_eq!(parse(0, 0), Ok((0, 0)));
    assert_eq!(parse(0, 5), Ok((0, 5)));
    assert_eq!(parse(3, 13), Ok((3, 1)));
    assert_eq!(parse(4, 15).unwrap_err().to_string(), "truncated properties at offset 4: expected 16 bytes, found 15");
    assert_eq!(parse(1024, 4096), Ok((1024, 0)));
    assert!(matches!(parse(1025, 4100), Err(Error::LimitExceeded { value: 1025, limit: 1024, .. })));
}

#[test]
fn a_buffer_of_another_size_is_an_error() {
    let bytes = by_hand(1, 0, &[(FourCc::RAWD, 1, 0, &[0; 64])]);
    let view = PackView::parse(&bytes).unwrap();
    let error = view.chunk_at(16).unwrap().decode_into(&mut Decompressor::default(), &mut [0; 63]).unwrap_err();
    assert_eq!(error.to_string(), "output buffer: expected 64 bytes, the size of the block, found 63");
}

#[test]
fn an_index_entry_with_the_offset_of_another_resource_is_an_error() {
    let mut bytes = sample::pack();
    let view = PackView::parse(&bytes).unwrap();
    let index = view.index().unwrap();
    let (slot, other) = (0, index.entry(1).unwrap().offset);
    let id = index.entry(slot).unwrap().id;
    let entry = index_entry_at(&bytes, slot);
    bytes[entry + OFFSET..entry + OFFSET + 4].copy_from_slice(&other.to_le_bytes());
    let error = PackView::parse(&bytes).unwrap().find(id).unwrap_err().to_string();
    let expected = format!("front index: expected a chunk of {id} at offset {other}, found a chunk of 0x");
    assert!(error.starts_with(&expected), "{error}");
}

/// A pack of two resources, where "b" shares the chunks of "a".
fn shared() -> Vec<u8> {
    let chunk = sample::encode(FourCc::RAWD, &rres_format::chunk::raw::raw_block(".bin", &[7; 50]), Compression::NONE);
    let mut pack = rres_format::PackBuilder::new();
    pack.push(rres_format::Resource::new("a", vec![chunk.clone()]));
    pack.push(rres_format::Resource::new("b", Vec::new()).sharing(ResourceId::from_path("a")));
    pack.push(rres_format::Resource::new("c", vec![chunk]));
    pack.to_vec().unwrap()
}

/// The offset of the index entry of a resource in a pack.
fn index_entry(pack: &[u8], path: &str) -> usize {
    let view = PackView::parse(pack).unwrap();
    index_entry_at(pack, view.index().unwrap().find_path(path).unwrap())
}

fn index_entry_at(pack: &[u8], slot: u32) -> usize {
    // After the headers of the file and the index chunk, and its properties: the third number is the place of the entries.
    let data = 16 + 32 + 16;
    data + u32::from_le_bytes(pack[data + 8..data + 12].try_into().unwrap()) as usize + slot as usize * ENTRY
}

/// The size of an entry of the index, and where some of its fields are.
const ENTRY: usize = 44;
const OFFSET: usize = 4;
const STORED_SIZE: usize = 8;
const CHUNK_COUNT: usize = 34;
const FLAGS: usize = 37;

#[test]
fn shared_chunks_are_those_of_an_entry_that_has_them() {
    let pack = shared();
    let view = PackView::parse(&pack).unwrap();
    let find = |path: &str| PackView::parse(&pack).unwrap().find(ResourceId::from_path(path)).unwrap().unwrap();
    assert_eq!((find("a").offset, find("a").info.id), (find("b").offset, ResourceId::from_path("a")));
    assert_ne!(find("a").offset, find("c").offset, "sharing is asked for");
    assert_eq!(view.chunks().filter(|chunk| chunk.as_ref().unwrap().is_resource()).count(), 2);
    // C programs look the name up, then walk the chunks for the id.
    assert_eq!(view.directory().unwrap().unwrap().find("b"), Ok(Some(ResourceId::from_path("a"))));

    let fails = |change: &dyn Fn(&mut [u8]), path: &str| {
        let mut pack = pack.clone();
        change(&mut pack);
        let error = PackView::parse(&pack).unwrap().find(ResourceId::from_path(path)).unwrap_err();
        assert!(matches!(error, Error::Inconsistent { what: "front index", .. }), "{error}");
        probe::pack(&pack, &mut Decompressor::default());
    };
    let (a, b, c) = (index_entry(&pack, "a"), index_entry(&pack, "b"), index_entry(&pack, "c"));
    let flag = |at: usize| pack[at + FLAGS];
    assert_eq!([flag(a), flag(b), flag(c)], [0, 1, 0]);
    // A reader that does not know the flag, or knows fewer than there are.
    fails(&|pack| pack[b + FLAGS] = 0, "b");
    fails(&|pack| pack[b + FLAGS] = 3, "b");
    fails(&|pack| pack[a + FLAGS] = 0x80, "a");
    // Nobody has the chunks.
    fails(&|pack| pack[a + FLAGS] = 1, "b");
    fails(&|pack| pack[a + FLAGS] = 1, "a");
    // Another size, number of chunks or place.
    fails(&|pack| pack[b + STORED_SIZE] ^= 1, "b");
    fails(&|pack| pack[b + CHUNK_COUNT] += 1, "b");
    let second = pack[c + OFFSET..c + OFFSET + 4].to_vec();
    fails(&|pack| pack[b + OFFSET..b + OFFSET + 4].copy_from_slice(&16u32.to_le_bytes()), "b");
    // The chunks of an entry with the same size are its own, and may be shared as well.
    let mut other = pack.clone();
    other[b + OFFSET..b + OFFSET + 4].copy_from_slice(&second);
    let other = PackView::parse(&other).unwrap();
    let found = other.find(ResourceId::from_path("b")).unwrap().unwrap();
    assert_eq!(found.info.id, ResourceId::from_path("c"));
}

#[test]
fn only_an_earlier_resource_with_chunks_can_be_shared() {
    let chunk = sample::encode(FourCc::RAWD, &rres_format::chunk::raw::raw_block("", b"x"), Compression::NONE);
    let own = |path: &str| rres_format::Resource::new(path, vec![chunk.clone()]);
    let sharing = |path: &str, of: &str| own(path).sharing(ResourceId::from_path(of));
    for resources in [
        vec![sharing("a", "b"), own("b")],
        vec![own("a"), sharing("b", "b")],
        vec![own("a"), sharing("b", "a"), sharing("c", "b")],
        vec![own("a"), sharing("b", "z")],
    ] {
        let mut pack = rres_format::PackBuilder::new();
        resources.into_iter().for_each(|resource| pack.push(resource));
        assert!(pack.to_vec().unwrap_err().to_string().contains("which is not an earlier resource with chunks"));
    }
}

/// No CRC of a chunk covers its header or the index.
#[test]
fn every_flipped_bit_of_the_index_or_of_a_chunk_header_is_found() {
    let pack = sample::pack();
    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let check_all = |bytes: &[u8]| -> Result<(), Error> {
        let view = PackView::parse(bytes)?;
        // A flipped bit of the first header may hide the index.
        let index =
            view.index().ok_or(Error::Inconsistent { what: "front index", detail: "it is hidden".to_owned() })?;
        view.check_index()?;
        (0..index.len() as u32).try_for_each(|slot| view.check_entry(slot))
    };
    check_all(&pack).unwrap();
    let mut places: Vec<usize> = (16..16 + 32 + index_chunk_size(&pack)).collect();
    for chunk in view.chunks().map(Result::unwrap).filter(|chunk| chunk.is_resource()) {
        places.extend(chunk.offset as usize..chunk.offset as usize + 32);
    }
    for (place, damaged) in flipped(&pack, places, &BITS) {
        assert!(check_all(&damaged).is_err(), "{place}");
    }
    // The entry alone, as loading checks it.
    for slot in 0..index.len() as u32 {
        let at = index_entry_at(&pack, slot);
        for (place, damaged) in flipped(&pack, at..at + ENTRY, &[1]) {
            assert!(PackView::parse(&damaged).unwrap().check_entry(slot).is_err(), "entry {slot} at {at}: {place}");
        }
    }
}

/// The stored size of the chunk of the index.
fn index_chunk_size(pack: &[u8]) -> usize {
    PackView::parse(pack).unwrap().chunk_at(16).unwrap().info.packed_size as usize
}
