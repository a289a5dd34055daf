//! A large file that is kept as it is → its chunk, without having the file in memory.
//!
//! What becomes of the file is the same as if it were read at once (`encode.rs`). It is read once for its hash, which is the key to look up
//! in the cache, and again to compress it and to copy it. Everything that is read again is compared with the first time.

use std::io::{self, BufWriter, Read, Write};
use std::sync::Arc;

use rres_format::{AssetKind, Compression, Compressor, FourCc, LargeBlock, StoredChunk};
use rres_import::{Asset, Block};

use super::encode::{choose_for_raw, compressor, with_chunks};
use super::plan::PlannedSource;
use crate::cache::EncodedResource;
use crate::file_range::{FileRange, LARGE, RangedFile};
use crate::settings::{Compat, Filters, Settings};
use crate::temp_file::TempFile;

/// The memory that importing a large source takes, in bytes: a piece of the file, its compressed form, the contexts of zstd at its highest level, and
/// buffers.
pub(super) const MEMORY: u64 = 64 << 20;

/// A file that has been read once.
pub(super) struct LargeSource {
    file: Arc<RangedFile>,
    /// The properties before the bytes of the file.
    head: Vec<u8>,
    block: LargeBlock,
    compression: Compression,
}

impl LargeSource {
    /// Whether a source is kept as it is, is large, and can be encoded in pieces.
    pub(super) fn suits(planned: &PlannedSource, compat: Option<Compat>) -> bool {
        let is_kept = planned.importer.own_kind() == Some(AssetKind::Raw);
        is_kept
            && planned.source.size >= LARGE
            && compression_of(planned.source.size, &planned.settings, compat).is_some()
    }

    /// Reads the file, and returns the hash of its bytes, too.
    ///
    /// # Errors
    /// Errors of the file, also if it becomes shorter meanwhile; and if it has about 4 GiB or more.
    pub(super) fn open(planned: &PlannedSource) -> io::Result<(Self, [u8; 32])> {
        let file = RangedFile::open(&planned.source.file)?;
        Self::scan(file, &planned.source.path, &planned.settings)
    }

    fn scan(file: RangedFile, path: &str, settings: &Settings) -> io::Result<(Self, [u8; 32])> {
        // Of more than 4 GiB, the error comes from the block.
        let head = Block::raw_file_head(path, file.len() as u32);
        let mut bytes = Hashed { reader: file.reader(0, file.len())?, hash: blake3::Hasher::new() };
        let block = LargeBlock::scan(FourCc::RAWD, &mut head.chain(&mut bytes))?;
        let hash = bytes.hash.finalize().into();
        drop(bytes);
        let Some(compression) = compression_of(file.len(), settings, None) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "its size has changed meanwhile: build again"));
        };
        Ok((Self { file: Arc::new(file), head, block, compression }, hash))
    }

    /// Encodes the file. Its compressed form is written to a temporary file, which exists as long as the chunk.
    ///
    /// # Errors
    /// Errors of the source, which [`is_of_source`](crate::file_range::is_of_source) tells, and of the temporary file.
    pub(super) fn encode(
        self,
        settings: &Settings,
        temp: impl FnOnce() -> io::Result<TempFile>,
    ) -> io::Result<EncodedResource> {
        let chunk = self.encode_block(settings, temp)?;
        Ok(with_chunks(Asset::new(AssetKind::Raw, Vec::new(), "raw"), vec![chunk]))
    }

    fn encode_block(
        self,
        settings: &Settings,
        temp: impl FnOnce() -> io::Result<TempFile>,
    ) -> io::Result<StoredChunk<'static>> {
        if self.compression != Compression::NONE {
            let mut packed = temp()?;
            let mut out = BufWriter::with_capacity(1 << 20, &mut packed.file);
            let bytes = self.file.reader(0, self.file.len())?;
            let mut compressor: Compressor = compressor(settings);
            let info = self.block.compress(&mut self.head.chain(bytes), self.compression, &mut compressor, &mut out)?;
            if let Some(info) = info {
                out.flush()?;
                drop(out);
                let packed = Arc::new(RangedFile::of_temp(packed)?);
                let range = FileRange::new(&packed, 0, info.packed_size.into());
                return Ok(StoredChunk::elsewhere(info, Arc::new(range)));
            }
        }
        let after = self.block.padding();
        let range = FileRange { before: self.head, after, ..FileRange::new(&self.file, 0, self.file.len()) };
        Ok(StoredChunk::elsewhere(self.block.plain(), Arc::new(range)))
    }
}

/// The compression to try for a raw file of `len` bytes; `None` if it needs the whole file in memory.
fn compression_of(len: u64, settings: &Settings, compat: Option<Compat>) -> Option<Compression> {
    // The head makes the block a little longer than the file.
    let block = len + Block::raw_file_head("", 0).len() as u64;
    if compat.is_some() {
        return None;
    }
    match choose_for_raw(block, settings.asset.compression) {
        Compression::NONE => Some(Compression::NONE),
        Compression::FILTERED if settings.asset.filters == Some(Filters::Fast) => None,
        compression => Some(compression).filter(|it| LargeBlock::can_compress(FourCc::RAWD, *it)),
    }
}

/// Hashes the bytes that are read.
struct Hashed<R> {
    reader: R,
    hash: blake3::Hasher,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.hash.update(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use rres_test_data::random::Random;

    use super::*;
    use crate::cache::{build_blob, write_blob};
    use crate::file_range::is_of_source;
    use crate::key::Key;
    use crate::pipeline::encode::encode;

    const KEY: Key = Key([7; 32]);

    fn settings(compression: Option<Compression>, level: Option<i32>) -> Settings {
        let mut settings = Settings::default();
        (settings.asset.compression, settings.asset.level) = (compression, level);
        settings
    }

    /// The blob of a file that is read at once.
    fn at_once(path: &str, bytes: &[u8], settings: &Settings) -> Vec<u8> {
        let asset = Asset::new(AssetKind::Raw, vec![Block::raw_file(path, bytes)], "raw");
        let encoded = encode(vec![asset], settings, None).unwrap();
        write_blob(&KEY, encoded).unwrap().0
    }

    fn scan(file: &Path, settings: &Settings) -> io::Result<(LargeSource, [u8; 32])> {
        LargeSource::scan(RangedFile::open(file)?, "a/film.bin", settings)
    }

    /// The blob of a file that is read in pieces.
    fn in_pieces(source: LargeSource, settings: &Settings, dir: &Path) -> io::Result<Vec<u8>> {
        let encoded = source.encode(settings, || TempFile::create(dir))?;
        let mut blob = Vec::new();
        build_blob(&KEY, vec![encoded]).unwrap().0.write_to(&mut blob)?;
        Ok(blob)
    }

    fn text(len: usize) -> Vec<u8> {
        (0..).flat_map(|line: u32| format!("{line} bottles of {}\n", line % 997).into_bytes()).take(len).collect()
    }

    #[test]
    fn the_blob_is_the_same_as_of_a_file_that_is_read_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("film.bin");
        let noise = Random::new(5).bytes((2 << 20) + 11);
        let mixed = [&noise[..1 << 20], &text(3 << 20)].concat();
        for bytes in [noise, text((3 << 20) + 1), text(1 << 20), mixed] {
            fs::write(&file, &bytes).unwrap();
            for (compression, level) in
                [(None, None), (None, Some(3)), (Some(Compression::NONE), None), (Some(Compression::ZSTD), None)]
            {
                let settings = settings(compression, level);
                let temp = tempfile::tempdir().unwrap();
                let (source, hash) = scan(&file, &settings).unwrap();
                assert_eq!(hash, *blake3::hash(&bytes).as_bytes());
                let blob = in_pieces(source, &settings, temp.path()).unwrap();
                assert!(blob == at_once("a/film.bin", &bytes, &settings), "{} bytes, {compression:?}", bytes.len());
                assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0, "a temporary file is left");
            }
        }
    }

    #[test]
    fn a_file_that_changes_between_two_readings_is_an_error_of_the_source_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("film.bin");
        let temp = dir.path().join("tmp");
        fs::create_dir(&temp).unwrap();
        for (compression, bytes) in [
            (Compression::NONE, text(2 << 20)),
            (Compression::ZSTD, text(2 << 20)),
            (Compression::ZSTD, Random::new(9).bytes(2 << 20)),
        ] {
            let settings = settings(Some(compression), None);
            let changed: [&dyn Fn(); 2] =
                [&|| fs::File::options().write(true).open(&file).unwrap().set_len(1 << 20).unwrap(), &|| {
                    fs::write(&file, [&bytes[..bytes.len() - 1], b"\xff"].concat()).unwrap()
                }];
            for change in changed {
                fs::write(&file, &bytes).unwrap();
                let (source, _) = scan(&file, &settings).unwrap();
                change();
                let error = in_pieces(source, &settings, &temp).unwrap_err();
                assert!(is_of_source(&error), "{error}");
                assert_eq!(fs::read_dir(&temp).unwrap().count(), 0, "a temporary file is left");
            }
        }
    }

    #[test]
    fn a_file_that_ends_before_the_length_it_had_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text(1 << 20)).unwrap();
        let opened = RangedFile::open(file.path()).unwrap();
        file.as_file().set_len(12_345).unwrap();
        let Err(error) = LargeSource::scan(opened, "a.bin", &Settings::default()) else { panic!("it is shorter") };
        assert!(error.to_string().contains("12345 bytes, expected 1048576"), "{error}");
    }

    #[test]
    fn what_needs_the_whole_file_is_not_read_in_pieces() {
        let of = |compression, filters| {
            let mut settings = settings(compression, None);
            settings.asset.filters = filters;
            compression_of(LARGE, &settings, None)
        };
        assert_eq!(of(None, None), Some(Compression::FILTERED));
        assert_eq!(of(Some(Compression::NONE), Some(Filters::Fast)), Some(Compression::NONE));
        assert_eq!(of(Some(Compression::ZSTD), None), Some(Compression::ZSTD));
        assert_eq!(of(None, Some(Filters::Fast)), None);
        assert_eq!(of(Some(Compression::LZ4), None), None);
        assert_eq!(of(Some(Compression::DEFLATE), None), None);
        assert_eq!(compression_of(LARGE, &Settings::default(), Some(Compat::Raylib)), None);
        // More than a reader decompresses is stored as it is, whatever the settings say.
        let fast = settings(Some(Compression::LZ4), None);
        assert_eq!(compression_of(2 << 30, &fast, None), Some(Compression::NONE));
    }
}
