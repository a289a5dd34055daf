//! Packs that are written, read and compared.

use std::ops::Range;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{MetaKey, PlacedResource, StoredRange};
use rres_format::{
    AssetKind, ChunkView, Compression, Compressor, Decompressor, FourCc, Header, PackBuilder, PackView, Resource,
    ResourceId, StoredChunk,
};
use rres_test_data::random::noise;

use crate::{probe, sample};

const EVERY_COMPRESSION: [Compression; 5] =
    [Compression::NONE, Compression::DEFLATE, Compression::LZ4, Compression::QOI, Compression::ZSTD];

fn block_of(chunk: ChunkView<'_>) -> Vec<u8> {
    chunk.verify().unwrap();
    chunk.decode(&mut Decompressor::default()).unwrap().into_bytes().into_owned()
}

/// Asserts that the data of plain chunks with four properties starts at a multiple of 16.
fn assert_aligned(view: &PackView<'_>) {
    for chunk in view.chunks().map(|chunk| chunk.unwrap()) {
        if chunk.info.is_plain() && chunk.stored.starts_with(&[4, 0, 0, 0]) {
            assert_eq!((chunk.offset + 32 + 20) % 16, 0, "{} at {}", chunk.info.kind, chunk.offset);
        }
    }
}

#[test]
fn every_kind_survives_every_compression_with_and_without_index_and_directory() {
    for compression in EVERY_COMPRESSION {
        for (index, directory) in [(true, true), (true, false), (false, true), (false, false)] {
            let mut builder = PackBuilder::new().index(index).directory(directory);
            for (kind, path, block) in sample::every_kind() {
                builder.push(Resource::new(path, vec![sample::encode(kind, &block, compression)]));
            }
            let bytes = builder.to_vec().unwrap();
            let mut file = std::io::Cursor::new(Vec::new());
            let mut stream = builder.stream(&mut file).unwrap();
            for (kind, _, block) in sample::every_kind() {
                stream.push(&[sample::encode(kind, &block, compression)]).unwrap();
            }
            stream.finish().unwrap();
            assert!(file.into_inner() == bytes, "written at once and as a stream");
            let view = PackView::parse(&bytes).unwrap();
            assert_eq!(view.index().is_some(), index);
            assert_eq!(view.header().directory_offset != 0, directory);
            assert_eq!(view.directory().unwrap().is_some(), directory);
            for (kind, path, block) in sample::every_kind() {
                let id = ResourceId::from_path(path);
                let chunk = view.find(id).unwrap().unwrap();
                assert_eq!(chunk.info.kind, kind);
                let compresses = sample::supports(compression, kind) && kind != FourCc::LINK;
                let expected = if compresses { compression } else { Compression::NONE };
                assert_eq!(chunk.info.compression, expected, "{kind}");
                assert_eq!(block_of(chunk), block, "{kind} {compression}");
                assert_eq!(chunk.info.base_size as usize, block.len());
                if let Some(directory) = view.directory().unwrap() {
                    assert_eq!(directory.find(path), Ok(Some(id)));
                    assert_eq!(directory.find(&path[..path.len() - 1]), Ok(None), "a prefix is another name");
                    assert_eq!(directory.len(), sample::every_kind().len());
                }
                if let Some(index) = view.index() {
                    assert_eq!(index.entry(index.find_path(path).unwrap()).unwrap().offset, chunk.offset);
                }
            }
            assert_aligned(&view);
            probe::pack(&bytes, &mut Decompressor::default());
        }
    }
}

/// Blocks in several frames, and blocks without frames.
#[test]
fn a_part_of_a_block_is_that_part_of_it() {
    let pixels: Vec<u8> = (0..3u32 << 20).map(|i| (i / 4096) as u8 ^ (i % 4) as u8).collect();
    let props = ImageProps { width: 1024, height: 768, format: PixelFormat::RGBA8, mipmaps: 1 };
    let block = props.block(&pixels);
    let all = [
        Compression::NONE,
        Compression::DEFLATE,
        Compression::LZ4,
        Compression::QOI,
        Compression::ZSTD,
        Compression::FILTERED,
    ];
    for compression in all {
        let mut builder = PackBuilder::new();
        builder.push(Resource::new("a", vec![sample::encode(FourCc::IMGE, &block, compression)]));
        let bytes = builder.to_vec().unwrap();
        let chunk = PackView::parse(&bytes).unwrap().find(ResourceId::from_path("a")).unwrap().unwrap();
        assert_eq!(chunk.info.compression, compression);
        let has_frames = matches!(compression, Compression::ZSTD | Compression::FILTERED);
        assert_eq!(chunk.frames().unwrap().len() > 1, has_frames, "{compression}");
        let (mut decompressor, len) = (Decompressor::default(), block.len());
        for range in [0..0, 0..20, 0..len, 19..21, 5..len - 1, len - 1..len, len..len, 1 << 20..2 << 20, 100..300_000] {
            let part = chunk.decode_range(&mut decompressor, range.clone()).unwrap();
            assert!(*part == block[range.clone()], "{compression} {range:?}");
        }
        for range in [0..len + 1, len + 1..len + 2, usize::MAX - 1..usize::MAX, Range { start: 2, end: 1 }] {
            assert!(chunk.decode_range(&mut decompressor, range.clone()).is_err(), "{compression} {range:?}");
        }
    }
}

#[test]
fn plain_data_is_aligned_between_chunks_of_any_length() {
    for compression in [Compression::NONE, Compression::DEFLATE, Compression::LZ4, Compression::ZSTD] {
        let mut builder = PackBuilder::new();
        let payloads: Vec<Vec<u8>> = (0..70).map(|i| vec![i as u8; if i % 2 == 0 { i } else { 300 + i }]).collect();
        for (i, payload) in payloads.iter().enumerate() {
            builder.push(sample::raw(&format!("{i:02}"), payload, compression));
        }
        let bytes = builder.to_vec().unwrap();
        let view = PackView::parse(&bytes).unwrap();
        assert_aligned(&view);
        for (i, payload) in payloads.iter().enumerate() {
            let chunk = view.find(ResourceId::from_path(&format!("{i:02}"))).unwrap().unwrap();
            assert_eq!(&block_of(chunk)[20..], payload);
            if chunk.info.compression == Compression::ZSTD {
                assert_eq!(chunk.offset % 16, 12, "zstd chunks stay aligned without padding chunks");
            }
        }
        let padding = view.chunks().filter(|chunk| chunk.as_ref().unwrap().info.kind == FourCc::NULL).count();
        assert_eq!(padding > 0, matches!(compression, Compression::DEFLATE | Compression::LZ4), "{compression}");
    }
}

#[test]
fn a_chain_has_the_linked_chunks_and_a_resource_has_all_chunks() {
    let mut builder = PackBuilder::new();
    builder.push(sample::raw("before", b"x", Compression::NONE));
    let blocks: Vec<_> = (1..=7u8).map(|i| sample::positions_block(20, &[i; 240])).collect();
    let mut chunks = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        // Compressed and plain chunks alternate, so padding chunks are between linked ones.
        let compression = if i % 2 == 0 { Compression::LZ4 } else { Compression::NONE };
        let chunk = sample::encode(FourCc::VRTX, block, compression);
        chunks.push(if i == 4 { chunk.unlinked() } else { chunk });
    }
    builder.push(Resource::new("mesh", chunks));
    builder.push(sample::raw("zafter", b"y", Compression::NONE));
    let bytes = builder.to_vec().unwrap();
    let view = PackView::parse(&bytes).unwrap();
    let id = ResourceId::from_path("mesh");
    let first = view.find(id).unwrap().unwrap();
    let chain: Vec<_> = view.chain(first).map(|chunk| block_of(chunk.unwrap())).collect();
    assert_eq!(chain, blocks[..5]);
    let all: Vec<_> = view.resource_chunks(first, 7).map(|chunk| block_of(chunk.unwrap())).collect();
    assert_eq!(all, blocks);
    assert!(view.resource_chunks(first, 7).all(|chunk| chunk.unwrap().info.id == id));
    let index = view.index().unwrap();
    let entry = index.entry(index.find(id).unwrap()).unwrap();
    assert_eq!((entry.chunk_count, entry.kind), (7, Some(AssetKind::Model)));
    let last = view.resource_chunks(first, 7).last().unwrap().unwrap();
    assert_eq!(u64::from(entry.offset + entry.stored_size), last.end());
}

#[test]
fn the_same_input_gives_the_same_bytes_in_input_order() {
    let builder = || {
        let mut builder = PackBuilder::new();
        for path in ["z", "a", "m"] {
            builder.push(sample::raw(path, path.repeat(500).as_bytes(), Compression::ZSTD));
        }
        builder
    };
    let bytes = builder().to_vec().unwrap();
    let mut written = Vec::new();
    builder().write_to(&mut written).unwrap();
    assert!(bytes == written, "to_vec and write_to differ");
    assert_eq!(sample::pack(), sample::pack());
    let view = PackView::parse(&bytes).unwrap();
    let chunks: Vec<_> = view.chunks().map(|c| c.unwrap()).filter(|c| c.is_resource()).collect();
    let ids: Vec<_> = chunks.iter().map(|chunk| chunk.info.id).collect();
    assert_eq!(ids, ["z", "a", "m"].map(ResourceId::from_path));
    let place = |c: &ChunkView<'_>| PlacedResource {
        range: StoredRange { offset: c.offset, size: (c.end() - u64::from(c.offset)) as u32 },
        headers_crc: view.headers_crc(*c, 1).unwrap(),
    };
    assert_eq!(builder().places().unwrap(), chunks.iter().map(place).collect::<Vec<_>>());
}

#[test]
fn copied_chunks_preserve_every_field_for_any_kind_compression_and_cipher() {
    // A hand-made pack of 256 chunks that no program can decode, with every field set.
    let mut bytes = Header { chunk_count: 256, directory_offset: 0, reserved: 0xdead_beef }.to_bytes().to_vec();
    for n in 0..=255u8 {
        let info = rres_format::ChunkInfo {
            kind: FourCc([n, b'K', b'I', b'N']),
            id: ResourceId(1000 + u32::from(n)),
            compression: Compression(n),
            cipher: rres_format::Cipher(255 - n),
            flags: 0xf00 + u16::from(n),
            packed_size: 5,
            base_size: 77,
            next_offset: 0,
            reserved: u32::from(n) << 16,
            crc32: crc32fast::hash(&[n; 5]),
        };
        bytes.extend(info.to_bytes());
        bytes.extend([n; 5]);
    }
    let view = PackView::parse(&bytes).unwrap();
    assert_eq!(view.header().reserved, 0xdead_beef);
    let mut builder = PackBuilder::new().reserved(view.header().reserved);
    for chunk in view.chunks() {
        let chunk = chunk.unwrap();
        let resource = Resource::new(format!("{}", chunk.info.id), vec![StoredChunk::copied(chunk)]);
        builder.push(resource.with_id(chunk.info.id));
    }
    let again = builder.to_vec().unwrap();
    let again = PackView::parse(&again).unwrap();
    assert_eq!(again.header().reserved, 0xdead_beef);
    for chunk in view.chunks() {
        let chunk = chunk.unwrap();
        let copy = again.find(chunk.info.id).unwrap().unwrap();
        assert_eq!((copy.info, copy.stored), (chunk.info, chunk.stored));
        let (plain, mut d) = (chunk.info.compression.0 == 0 && chunk.info.cipher.0 == 0, Decompressor::default());
        assert!(plain || copy.decode(&mut d).is_err(), "{:?}", copy.info);
    }
}

#[test]
fn compression_is_used_only_if_it_saves_enough() {
    let noise = noise(4000);
    for compression in [Compression::DEFLATE, Compression::LZ4, Compression::ZSTD] {
        let chunk = sample::encode(FourCc::RAWD, &noise, compression);
        assert_eq!(chunk.info().compression, Compression::NONE, "{compression}");
        assert_eq!(&chunk.stored().unwrap()[..noise.len()], noise);
        let tiny = sample::encode(FourCc::RAWD, &[0; 36], compression);
        assert_eq!(tiny.info().compression, Compression::NONE, "saving less than 32 bytes is not enough");
    }
}

#[test]
fn zstd_chunks_are_frames_of_1_mib_with_content_size_and_skippable_padding() {
    use zstd::zstd_safe;
    for extra in 0..20 {
        let block = sample::positions_block(0, &[b"pattern ".repeat(400_000), vec![1; extra]].concat());
        let chunk = sample::encode(FourCc::VRTX, &block, Compression::ZSTD);
        assert_eq!(chunk.stored().unwrap().len() % 16, 0);
        let (mut rest, mut contents) = (chunk.stored().unwrap(), Vec::new());
        while !rest.is_empty() {
            let size = zstd_safe::find_frame_compressed_size(rest).unwrap();
            if rest[..4] == [0x50, 0x2a, 0x4d, 0x18] {
                assert_eq!(size, rest.len(), "padding is last");
            } else {
                contents.push(zstd_safe::get_frame_content_size(rest).unwrap().unwrap());
            }
            rest = &rest[size..];
        }
        let total = block.len() as u64;
        assert_eq!(contents, [1 << 20, 1 << 20, 1 << 20, total - (3 << 20)]);
        let mut out = vec![0; block.len()];
        Decompressor::default().decompress(Compression::ZSTD, chunk.stored().unwrap(), &mut out).unwrap();
        assert!(out == block);
    }
}

#[test]
fn compressor_and_decompressor_can_be_reused() {
    let (mut compressor, mut decompressor) = (Compressor::with_level(3), Decompressor::default());
    for n in [0usize, 1, 100, 1 << 20, (1 << 20) + 1, 50] {
        for compression in [Compression::DEFLATE, Compression::LZ4, Compression::ZSTD] {
            let block: Vec<u8> = (0..n).map(|i| (i / 7 % 251) as u8).collect();
            let packed = compressor.compress(compression, &block).unwrap();
            let mut out = vec![9; n];
            decompressor.decompress(compression, &packed, &mut out).unwrap();
            assert!(out == block, "{compression} {n}");
        }
    }
}

#[test]
fn the_index_of_a_pack_contains_groups_dependencies_and_metadata() {
    let bytes = sample::pack();
    let view = PackView::parse(&bytes).unwrap();
    let index = view.index().unwrap();
    assert_eq!(index.set_hash(), *b"sixteen bytes ok");
    let slot = index.find(ResourceId(0x1234)).unwrap();
    assert_eq!(
        index.find_path("models/linked.obj"),
        Some(slot),
        "found by its path although its id is not the CRC-32 of the path"
    );
    let meta = index.meta(slot).unwrap();
    assert_eq!((meta.get(MetaKey::FILTER), meta.get_f32(MetaKey::GAIN)), (Some(1), Some(-6.5)));
    assert_eq!(meta.get(MetaKey::WRAP), None);
    let dependencies: Vec<_> = index.dependencies(slot).unwrap().collect();
    assert_eq!(dependencies, [ResourceId::from_path("images/rgba.png")]);
    let group = index.groups().next().unwrap().unwrap();
    let members: Vec<_> = group.slots().map(|slot| index.entry(slot).unwrap().path).collect();
    assert_eq!((group.name, members), ("level 1", vec!["models/linked.obj", "audio/stereo.wav"]));
}
