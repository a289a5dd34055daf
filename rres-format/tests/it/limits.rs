//! Packs at the limits of the format, and beyond them.

use std::io::{self, Seek, SeekFrom, Write};

use rres_format::{
    ChunkInfo, Compression, Error, FourCc, Header, Limits, PackBuilder, PackView, Resource, ResourceId, StoredChunk,
    limits,
};

use crate::sample;

/// Returns a pack of `count` raw resources of one chunk each, with ids from 1 on.
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
    assert_eq!(view.header().chunk_count, 65_535, "a padding chunk replaces the index");
    assert_eq!(view.find(ResourceId(65_534)).unwrap().unwrap().info.id, ResourceId(65_534));
}

#[test]
fn a_pack_of_65536_chunks_is_an_error() {
    let error = numbered(65_535).to_vec().unwrap_err();
    let text = "the number of chunks in the pack is 65536, expected at most 65535; split the pack";
    assert_eq!(error.to_string(), text);
    assert!(matches!(error, Error::LimitExceeded { value: 65_536, limit: 65_535, .. }));
    let refused = numbered(65_535).write_to(std::io::sink()).unwrap_err();
    assert_eq!((refused.kind(), refused.to_string()), (std::io::ErrorKind::InvalidInput, text.to_owned()));
}

/// A writer that panics when it is used.
struct Untouched;

impl std::io::Write for Untouched {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        panic!("{} bytes of an invalid pack were written", bytes.len());
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns a pack whose only chunk has 64 MiB of zeros, which the allocator maps without touching them.
fn zeros() -> Vec<u8> {
    const SIZE: u32 = 64 << 20;
    let mut source = vec![0; Header::SIZE + ChunkInfo::SIZE + SIZE as usize];
    source[..16].copy_from_slice(&Header { chunk_count: 1, directory_offset: 0, reserved: 0 }.to_bytes());
    source[16..20].copy_from_slice(b"RAWD");
    source[28..32].copy_from_slice(&SIZE.to_le_bytes());
    source[32..36].copy_from_slice(&SIZE.to_le_bytes());
    source
}

#[test]
fn a_pack_of_4_gib_is_rejected_before_anything_is_written() {
    let source = zeros();
    let view = PackView::parse(&source).unwrap();
    let chunk = view.chunk_at(16).unwrap();
    let pack_of = |count: u32| {
        let mut builder = PackBuilder::new().directory(false);
        for id in 1..=count {
            builder.push(Resource::new("zeros", vec![StoredChunk::copied(chunk)]).with_id(ResourceId(id)));
        }
        builder
    };
    let last = pack_of(63).places().unwrap()[62].range;
    assert!(u64::from(last.offset) + u64::from(last.size) > 63 * (64 << 20));
    for count in [64, 65, 200] {
        let error = pack_of(count).places().unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("the size of the pack in bytes is "), "{text}");
        assert!(text.ends_with(", expected at most 4294967295; split the pack"), "{text}");
        assert!(matches!(error, Error::LimitExceeded { value, .. } if value > u32::MAX.into()), "{error}");
        let refused = pack_of(count).write_to(Untouched).unwrap_err();
        assert_eq!(refused.to_string(), text);
    }
}

/// A file that counts what is written and discards it.
#[derive(Default)]
struct Discard {
    at: u64,
    len: u64,
}

impl Write for Discard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.at += bytes.len() as u64;
        self.len = self.len.max(self.at);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Discard {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(at) = to else { panic!("expected a position from the start, found {to:?}") };
        self.at = at;
        Ok(at)
    }
}

/// Returns a builder of `count` resources without chunks, for a stream.
fn without_chunks(count: u32) -> PackBuilder<'static> {
    let mut builder = PackBuilder::new().directory(false);
    (1..=count).for_each(|id| builder.push(Resource::new("", Vec::new()).with_id(ResourceId(id))));
    builder
}

#[test]
fn a_stream_stops_at_4_gib() {
    let source = zeros();
    let view = PackView::parse(&source).unwrap();
    let chunk = StoredChunk::copied(view.chunk_at(16).unwrap());
    let (builder, mut file) = (without_chunks(64), Discard::default());
    let mut stream = builder.stream(&mut file).unwrap();
    for number in 1..=63 {
        stream.push(std::slice::from_ref(&chunk)).unwrap_or_else(|e| panic!("resource {number}: {e}"));
    }
    let error = stream.push(std::slice::from_ref(&chunk)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert!(error.to_string().starts_with("the size of the pack in bytes is "), "{error}");
    assert!(file.len < u32::MAX.into(), "{} bytes were written", file.len);
}

#[test]
fn a_stream_stops_at_65535_chunks() {
    let chunk = sample::encode(FourCc::RAWD, &rres_format::chunk::raw::raw_block("", b"12345678"), Compression::NONE);
    let (builder, mut file) = (without_chunks(2), Discard::default());
    let mut stream = builder.stream(&mut file).unwrap();
    // One chunk is the index.
    stream.push(&vec![chunk.clone(); 65_534]).unwrap();
    let error = stream.push(&[chunk]).unwrap_err();
    assert_eq!(error.to_string(), "the number of chunks in the pack is 65536, expected at most 65535; split the pack");
}

#[test]
fn a_stream_writes_exactly_the_resources_of_its_builder() {
    let chunk = sample::encode(FourCc::RAWD, &rres_format::chunk::raw::raw_block("", b"x"), Compression::NONE);
    let builder = without_chunks(2);
    let mut file = Discard::default();
    let mut stream = builder.stream(&mut file).unwrap();
    stream.push(std::slice::from_ref(&chunk)).unwrap();
    assert_eq!(stream.finish().unwrap_err().to_string(), "expected chunks of 2 resources, got 1");

    let mut stream = builder.stream(&mut file).unwrap();
    (0..2).for_each(|_| stream.push(std::slice::from_ref(&chunk)).unwrap());
    let error = stream.push(&[chunk]).unwrap_err();
    assert_eq!(error.to_string(), "all 2 resources of the pack are already written");
    stream.finish().unwrap();
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
        assert!(text.ends_with(&format!("has {} bytes, expected 1 to 1022 bytes without a NUL", name.len())), "{text}");
    }
}

#[test]
fn zero_and_duplicate_ids_are_errors() {
    let pack = |resources: Vec<Resource<'static>>| {
        let mut builder = PackBuilder::new();
        resources.into_iter().for_each(|resource| builder.push(resource));
        builder.to_vec().unwrap_err()
    };
    let raw = |path| sample::raw(path, b"x", Compression::NONE);
    let zero = pack(vec![raw("zero.bin").with_id(ResourceId::NONE)]);
    assert_eq!(zero.to_string(), "zero.bin has the id 0, which means \"not found\"; give it another id");
    let shared = pack(vec![raw("a.bin"), raw("b.bin").with_id(ResourceId::from_path("a.bin"))]);
    assert!(matches!(&shared, Error::DuplicateId { first, second, .. } if first == "a.bin" && second == "b.bin"));
    assert_eq!(
        pack(vec![Resource::new("nothing", Vec::new())]).to_string(),
        "pack: nothing has no chunks, expected at least one"
    );
}

#[test]
fn the_reader_limits_decoded_sizes() {
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
        "the decoded size of a chunk in bytes is 5020, expected at most 5019; raise `Limits::max_decoded` if you \
         trust the pack"
    );
}
