//! Writes any resources as a pack. If the builder accepts them, the pack must contain the same blocks, and plain data
//! must be aligned.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rres_format::{
    Compression, Compressor, Decompressor, FourCc, PackBuilder, PackView, Resource, ResourceId, StoredChunk, chunk,
};

#[derive(Arbitrary, Debug)]
struct Pack<'a> {
    index: bool,
    directory: bool,
    resources: Vec<(u32, &'a str, Vec<Chunk<'a>>)>,
}

#[derive(Arbitrary, Debug)]
struct Chunk<'a> {
    kind: Kind,
    compression: u8,
    linked: bool,
    props: [u32; 4],
    data: &'a [u8],
    repeated: u8,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Kind {
    Raw,
    Image,
    Link,
    Other([u8; 4]),
}

impl Kind {
    fn code(self) -> FourCc {
        match self {
            Self::Raw => FourCc::RAWD,
            Self::Image => FourCc::IMGE,
            Self::Link => FourCc::LINK,
            Self::Other(code) => FourCc(code),
        }
    }
}

fuzz_target!(|pack: Pack<'_>| {
    let mut compressor = Compressor::with_level(1);
    let mut builder = PackBuilder::new().index(pack.index).directory(pack.directory);
    let mut written = Vec::new();
    for (id, path, chunks) in &pack.resources {
        let mut stored = Vec::new();
        let mut blocks = Vec::new();
        for chunk in chunks {
            let block = chunk::block(&chunk.props, &chunk.data.repeat(chunk.repeated.into()));
            let compression = [0, 10, 20, 40, 50, 30][usize::from(chunk.compression) % 6];
            let encoded = StoredChunk::encode(chunk.kind.code(), &block, Compression(compression), &mut compressor);
            let Ok(encoded) = encoded else { continue };
            stored.push(if chunk.linked { encoded } else { encoded.unlinked() });
            blocks.push(block);
        }
        builder.push(Resource::new(*path, stored).with_id(ResourceId(*id)));
        written.push((*id, *path, blocks));
    }
    let Ok(bytes) = builder.to_vec() else { return };
    let view = PackView::parse(&bytes).unwrap();
    let mut decompressor = Decompressor::default();
    for (id, path, blocks) in written {
        let first = view.find(ResourceId(id)).unwrap().unwrap();
        let found: Vec<_> = view.resource_chunks(first, blocks.len() as u16).map(|chunk| chunk.unwrap()).collect();
        assert_eq!(found.len(), blocks.len());
        for (chunk, block) in found.iter().zip(&blocks) {
            chunk.verify().unwrap();
            assert!(chunk.decode(&mut decompressor).unwrap().into_bytes() == *block);
            let is_aligned = (chunk.offset + 52) % 16 == 0;
            assert!(is_aligned || !chunk.info.is_plain() || chunk.info.kind == FourCc::LINK);
        }
        assert!(view.chain(first).all(|chunk| chunk.is_ok()));
        if let Some(directory) = view.directory().unwrap() {
            assert!(directory.find(path).unwrap().is_some());
        }
    }
});
