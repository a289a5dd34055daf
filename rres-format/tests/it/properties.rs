//! Properties that hold for all packs, tested with generated ones.

use proptest::prelude::*;
use rres_format::{
    Compression, Compressor, Decompressor, FourCc, PackBuilder, PackView, Resource, ResourceId, StoredChunk, chunk,
    index::IndexView, normalize_path,
};
use rres_test_data::random::noise;

use crate::{probe, sample};

#[derive(Clone, Debug)]
struct Chunk {
    kind: FourCc,
    props: Vec<u32>,
    data: Vec<u8>,
    compression: Compression,
    linked: bool,
}

fn any_chunk() -> impl Strategy<Value = Chunk> {
    let kind = prop_oneof![Just(*b"RAWD"), Just(*b"TEXT"), Just(*b"VRTX"), Just(*b"WAVE"), any::<[u8; 4]>()];
    let kind = kind.prop_filter("kinds that cannot be encoded or compressed", |kind| {
        ![*b"NULL", *b"CDIR", *b"INDX", *b"PFNT", *b"PMSH", *b"LINK"].contains(kind)
    });
    let data = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        (any::<u8>(), 0..5000usize).prop_map(|(byte, len)| vec![byte; len]),
        (prop::collection::vec(any::<u8>(), 1..30), 0..60usize).prop_map(|(part, times)| part.repeat(times)),
    ];
    let compression =
        prop::sample::select(vec![Compression::NONE, Compression::DEFLATE, Compression::LZ4, Compression::ZSTD]);
    let props =
        prop_oneof![3 => prop::collection::vec(any::<u32>(), 4), 1 => prop::collection::vec(any::<u32>(), 0..9)];
    (kind, props, data, compression, any::<bool>()).prop_map(|(kind, props, data, compression, linked)| Chunk {
        kind: FourCc(kind),
        props,
        data,
        compression,
        linked,
    })
}

proptest! {
    #![proptest_config(rres_test_support::cases(128))]

    #[test]
    fn packs_contain_what_was_written(
        resources in prop::collection::btree_map(1u32.., prop::collection::vec(any_chunk(), 1..4), 0..12),
        index: bool,
        directory: bool,
    ) {
        let mut compressor = Compressor::with_level(1);
        let mut builder = PackBuilder::new().index(index).directory(directory);
        let mut stored_chunks = Vec::new();
        for (id, chunks) in &resources {
            let chunks = chunks.iter().map(|c| {
                let block = chunk::block(&c.props, &c.data);
                let stored = StoredChunk::encode(c.kind, &block, c.compression, &mut compressor).unwrap();
                if c.linked { stored } else { stored.unlinked() }
            });
            stored_chunks.push(chunks.collect::<Vec<_>>());
            let chunks = stored_chunks.last().unwrap().clone();
            builder.push(Resource::new(format!("n{id}"), chunks).with_id(ResourceId(*id)));
        }
        let bytes = builder.to_vec().unwrap();
        let mut file = std::io::Cursor::new(Vec::new());
        let mut stream = builder.stream(&mut file).unwrap();
        stored_chunks.iter().for_each(|chunks| stream.push(chunks).unwrap());
        stream.finish().unwrap();
        prop_assert!(file.into_inner() == bytes, "written at once and as a stream");
        let view = PackView::parse(&bytes).unwrap();
        let mut decompressor = Decompressor::default();
        for (id, chunks) in &resources {
            let first = view.find(ResourceId(*id)).unwrap().unwrap();
            let found: Vec<_> = view.resource_chunks(first, chunks.len() as u16).map(|chunk| chunk.unwrap()).collect();
            prop_assert_eq!(found.len(), chunks.len());
            let linked = chunks[..chunks.len() - 1].iter().take_while(|c| c.linked).count();
            prop_assert_eq!(view.chain(first).filter(|chunk| chunk.is_ok()).count(), linked + 1);
            for (found, written) in found.iter().zip(chunks) {
                found.verify().unwrap();
                prop_assert_eq!(found.info.kind, written.kind);
                let block = found.decode(&mut decompressor).unwrap();
                let payload = block.view().unwrap();
                prop_assert_eq!(payload.props().collect::<Vec<_>>(), &written.props[..]);
                prop_assert_eq!(payload.data(), &written.data[..]);
                if found.info.is_plain() && written.props.len() == 4 {
                    prop_assert_eq!((found.offset + 52) % 16, 0);
                }
            }
            if let Some(names) = view.directory().unwrap() {
                prop_assert_eq!(names.find(&format!("n{id}")), Ok(Some(ResourceId(*id))));
            }
        }
        probe::pack(&bytes, &mut decompressor);
    }

    #[test]
    fn every_codec_restores_any_block(block in prop_oneof![
        prop::collection::vec(any::<u8>(), 0..3000),
        (0..9000usize).prop_map(noise),
        prop::collection::vec(0..3u8, 0..3000),
    ]) {
        for compression in [Compression::NONE, Compression::DEFLATE, Compression::LZ4, Compression::ZSTD] {
            let packed = Compressor::with_level(1).compress(compression, &block).unwrap();
            let mut out = vec![0; block.len()];
            Decompressor::default().decompress(compression, &packed, &mut out).unwrap();
            prop_assert!(out == block, "{}", compression);
        }
    }

    #[test]
    fn random_bytes_do_not_cause_panics(bytes in prop::collection::vec(any::<u8>(), 0..600), count: u16) {
        let mut decompressor = Decompressor::default();
        probe::pack(&bytes, &mut decompressor);
        let mut pack = b"rres\x64\0".to_vec();
        pack.extend(count.to_le_bytes());
        pack.extend(&bytes);
        probe::pack(&pack, &mut decompressor);
        if let Ok(index) = IndexView::parse(&bytes) {
            probe::index(&index);
        }
        for (kind, _, _) in sample::every_kind() {
            if let Ok(payload) = chunk::PayloadView::parse(&bytes) {
                probe::payload(kind, payload);
            }
        }
        for compression in [Compression::DEFLATE, Compression::LZ4, Compression::QOI, Compression::ZSTD] {
            let _ = decompressor.decompress(compression, &bytes, &mut vec![0; 1000]);
        }
    }

    #[test]
    fn mutated_packs_do_not_cause_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        moved in any::<prop::sample::Index>(),
        cut in prop::option::weighted(0.3, any::<prop::sample::Index>()),
    ) {
        thread_local!(static PACK: Vec<u8> = sample::pack());
        let mut bytes = PACK.with(|pack| pack.clone());
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        // Copies four bytes from elsewhere, which are often a valid offset or size.
        let (from, to) = (moved.index(bytes.len() - 4), moved.index(bytes.len() / 2));
        let number: [u8; 4] = bytes[from..from + 4].try_into().unwrap();
        bytes[to..to + 4].copy_from_slice(&number);
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        probe::pack(&bytes, &mut Decompressor::default());
    }

    #[test]
    fn normalised_paths_do_not_change_again(path in "[a-c./\\\\ :世]{0,24}") {
        if let Ok(normal) = normalize_path(&path) {
            prop_assert_eq!(normalize_path(&normal), Ok(normal.clone()));
            prop_assert!(!normal.starts_with('/') && !normal.contains('\\'));
            prop_assert!(normal.split('/').all(|part| !matches!(part, "" | "." | "..")));
        }
    }
}
