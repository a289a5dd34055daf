//! The ends of what the format can hold.

use rres_format::{
    ChunkInfo, Compression, Error, FourCc, Header, Limits, PackBuilder, PackView, Resource, ResourceId, StoredChunk,
    limits,
};

use crate::sample;

/// A pack of `count` raw resources of one chunk each, with ids from 1 on.
fn numbered(count: u32) -> PackBuilder<'static> {
    let chunk = sample::encode(FourCc::RAWD, &rres_format::chunk::raw::raw_block("", b"12345678"), Compression::NONE);
    let mut builder = PackBuilder::new();
    for id in 1..=count {
        builder.push(Resource::new(format!("{id}"), vec![chunk.clone()]).with_id(ResourceId(id)));
    }
    builder
}

#[test]
fn a_pack_of_65535_chunks_is_written_and_every_chunk_is_found() {
    // One chunk is the index.
    let bytes = numbered(65_534).to_vec().unwrap();
    let view = PackView::parse(&bytes).unwrap();
    assert_eq!(view.header().chunk_count, 65_535);
    assert_eq!(view.chunks().count(), 65_535);
    let mut offsets = Vec::new();
    for id in 1..=65_534 {
        let chunk = view.find(ResourceId(id)).unwrap().unwrap();
        assert_eq!(chunk.info.id, ResourceId(id));
        offsets.push(chunk.offset);
    }
    assert!(offsets.is_sorted_by(|a, b| a < b));
    assert!(view.find(ResourceId(65_535)).unwrap().is_none());
    let index = view.index().unwrap();
    assert_eq!(index.find_path("65534"), Some(65_533));

    let bytes = numbered(65_534).index(false).to_vec().unwrap();
    let view = PackView::parse(&bytes).unwrap();
    assert_eq!(view.header().chunk_count, 65_535, "a padding chunk stands in the place of the index");
    assert_eq!(view.find(ResourceId(65_534)).unwrap().unwrap().info.id, ResourceId(65_534));
}

#[test]
fn one_chunk_more_is_an_error_that_says_what_to_do() {
    let error = numbered(65_535).to_vec().unwrap_err();
    let text = "the number of chunks in the pack is 65536, at most 65535 is possible; split the pack";
    assert_eq!(error.to_string(), text);
    assert!(matches!(error, Error::LimitExceeded { value: 65_536, limit: 65_535, .. }));
    let refused = numbered(65_535).write_to(std::io::sink()).unwrap_err();
    assert_eq!((refused.kind(), refused.to_string()), (std::io::ErrorKind::InvalidInput, text.to_owned()));
}

/// A writer that must not be written to.
struct Untouched;

impl std::io::Write for Untouched {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        panic!("{} bytes were written of a pack that cannot be laid out", bytes.len());
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn four_gibibytes_are_refused_before_anything_is_written() {
    // One chunk of 64 MiB of zeros, which the allocator maps without touching them, borrowed by each resource.
    const SIZE: usize = 64 << 20;
    let mut source = vec![0; Header::SIZE + ChunkInfo::SIZE + SIZE];
    source[..16].copy_from_slice(&Header { chunk_count: 1, directory_offset: 0, reserved: 0 }.to_bytes());
    source[16..20].copy_from_slice(b"RAWD");
    source[28..32].copy_from_slice(&(SIZE as u32).to_le_bytes());
    source[32..36].copy_from_slice(&(SIZE as u32).to_le_bytes());
    let view = PackView::parse(&source).unwrap();
    let chunk = view.chunk_at(16).unwrap();
    let of = |count: u32| {
        let mut builder = PackBuilder::new().directory(false);
        for id in 1..=count {
            builder.push(Resource::new("zeros", vec![StoredChunk::copied(chunk)]).with_id(ResourceId(id)));
        }
        builder
    };
    let places = of(63).places().unwrap();
    assert!(u64::from(places[62].0) + u64::from(places[62].1) > 63 * SIZE as u64);
    for count in [64, 65, 200] {
        let error = of(count).places().unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("the size of the pack in bytes is "), "{text}");
        assert!(text.ends_with(", at most 4294967295 is possible; split the pack"), "{text}");
        assert!(matches!(error, Error::LimitExceeded { value, .. } if value > u32::MAX.into()), "{error}");
        let refused = of(count).write_to(Untouched).unwrap_err();
        assert_eq!(refused.to_string(), text);
    }
}

#[test]
fn names_have_1_to_1022_bytes() {
    let named = |name: &str| {
        let mut builder = PackBuilder::new();
        builder.push(sample::raw(name, b"x", Compression::NONE).with_id(ResourceId(7)));
        builder.to_vec()
    };
    let longest = "é".repeat(511);
    assert_eq!(longest.len(), limits::MAX_NAME_LEN);
    let bytes = named(&longest).unwrap();
    let directory = PackView::parse(&bytes).unwrap().directory().unwrap().unwrap();
    assert_eq!(directory.find(&longest), Ok(Some(ResourceId(7))));
    for name in ["x".repeat(1023), String::new(), "a\0b".to_owned()] {
        let text = named(&name).unwrap_err().to_string();
        assert!(text.ends_with(&format!("has {} bytes, expected 1 to 1022 without NUL", name.len())), "{text}");
    }
}

#[test]
fn ids_are_not_0_and_not_shared() {
    let pack = |resources: Vec<Resource<'static>>| {
        let mut builder = PackBuilder::new();
        resources.into_iter().for_each(|resource| builder.push(resource));
        builder.to_vec().unwrap_err()
    };
    let raw = |path| sample::raw(path, b"x", Compression::NONE);
    let zero = pack(vec![raw("zero.bin").with_id(ResourceId::NONE)]);
    assert_eq!(zero.to_string(), "zero.bin has the id 0, which means \"not found\"; give it another");
    let shared = pack(vec![raw("a.bin"), raw("b.bin").with_id(ResourceId::from_path("a.bin"))]);
    assert!(matches!(&shared, Error::DuplicateId { first, second, .. } if first == "a.bin" && second == "b.bin"));
    assert_eq!(
        pack(vec![Resource::new("nothing", Vec::new())]).to_string(),
        "pack: nothing has no chunks, expected at least one"
    );
}

#[test]
fn decoded_sizes_are_capped_by_the_readers_limit() {
    let mut builder = PackBuilder::new();
    builder.push(sample::raw("big", &[0; 5000], Compression::ZSTD));
    let bytes = builder.to_vec().unwrap();
    let id = ResourceId::from_path("big");
    let size = |limit| {
        let view = PackView::parse_with(&bytes, Limits::DEFAULT.with_max_decoded(limit)).unwrap();
        view.find(id).unwrap().unwrap().block_size()
    };
    assert_eq!(size(5020), Ok(5020));
    assert_eq!(
        size(5019).unwrap_err().to_string(),
        "the decoded size of a chunk is 5020, at most 5019 is possible; raise the reader's limit if the pack is trusted"
    );
}
