//! Files that are too large for memory: they are hashed, compressed and copied in pieces, and the pack is the same as if they were read at once.

use std::fs;
use std::path::{Path, PathBuf};

use rres_engine::cache::Cache;
use rres_format::{ChunkInfo, Compression, Compressor, FourCc, PackView, ResourceId, StoredChunk, chunk};
use rres_test_data::random::Random;

use super::{Project, files_below};

/// More than is read at once.
const SIZE: usize = (17 << 20) + 3;

const PLAIN: &str = "[\"*.bin\"]\ncompression = \"none\"\n";
const PACKED: &str = "[\"*.dat\"]\ncompression = \"zstd\"\nlevel = 1\n";

fn text(len: usize) -> Vec<u8> {
    (0..).flat_map(|line: u32| format!("{line} bottles of {}\n", line % 997).into_bytes()).take(len).collect()
}

/// The chunk of the resource at `path`: its header and the stored bytes.
fn stored_chunk<'p>(pack: &'p [u8], path: &str) -> (ChunkInfo, &'p [u8]) {
    let view = PackView::parse(pack).unwrap();
    let index = view.index().unwrap();
    let slot = index.find_path(path).unwrap();
    let chunk = view.first_chunk_of(&index.entry(slot).unwrap()).unwrap();
    chunk.verify().unwrap();
    (ChunkInfo { id: ResourceId::NONE, ..chunk.info }, chunk.stored)
}

#[test]
fn large_files_are_stored_as_if_they_were_read_at_once() {
    let noise = Random::new(3).bytes(SIZE);
    let lines = text(SIZE);
    let files = [("film.bin", &noise), ("again.bin", &noise), ("log.dat", &lines), ("noise.dat", &noise)];
    let project = Project::new(&[("assets.toml", format!("{PLAIN}{PACKED}").as_bytes()), ("small.bin", b"small")]);
    files.iter().for_each(|(path, bytes)| project.write(path, bytes));
    let report = project.run();
    assert_eq!(report.imported(), 5 - 1, "the equal files are one blob");
    let pack = fs::read(&report.packs[0]).unwrap();
    for (path, bytes) in files {
        let compression = if path.ends_with(".bin") { Compression::NONE } else { Compression::ZSTD };
        let block = chunk::raw::raw_block(&path[path.len() - 4..], bytes);
        let whole = StoredChunk::encode(FourCc::RAWD, &block, compression, &mut Compressor::with_level(1)).unwrap();
        let (info, stored) = stored_chunk(&pack, path);
        assert_eq!(&info, whole.info(), "{path}");
        assert!(Some(stored) == whole.stored(), "{path}");
    }
    assert!(pack.len() < 3 * SIZE, "the equal files share their chunk");
    assert_eq!(project.run().imported(), 0);
    assert!(files_below(&project.cache().join("tmp")).is_empty());
}

/// A way to damage a file, with its name.
type Damage = (&'static str, fn(&Path));

/// Ways to damage a large blob.
const DAMAGES: &[Damage] = &[
    ("flipped in the middle", |blob| flip(blob, SIZE / 2)),
    ("flipped in the last chunk header", |blob| {
        let pack = fs::read(blob).unwrap();
        let last = PackView::parse(&pack).unwrap().chunks().last().unwrap().unwrap();
        flip(blob, last.offset as usize + 28);
    }),
    ("cut off", |blob| {
        let file = fs::File::options().write(true).open(blob).unwrap();
        file.set_len(SIZE as u64 / 2).unwrap();
    }),
];

fn flip(file: &Path, at: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// The only large blob of a project.
fn large_blob(project: &Project) -> PathBuf {
    let is_large = |file: &PathBuf| fs::metadata(file).unwrap().len() >= SIZE as u64;
    let blobs: Vec<PathBuf> = files_below(&project.cache().join("blobs")).into_iter().filter(is_large).collect();
    let [blob] = &blobs[..] else { panic!("{} large blobs", blobs.len()) };
    blob.clone()
}

fn project() -> Project {
    let project = Project::new(&[("assets.toml", PLAIN.as_bytes()), ("a.txt", b"before"), ("z.txt", b"after")]);
    project.write("film.bin", &Random::new(4).bytes(SIZE));
    project
}

#[test]
fn a_large_blob_that_is_damaged_is_imported_again() {
    let project = project();
    let pack = fs::read(&project.run().packs[0]).unwrap();
    for (what, damage) in DAMAGES {
        damage(&large_blob(&project));
        fs::remove_dir_all(project.out()).unwrap();
        let report = project.run();
        assert_eq!(report.imported(), 1, "{what}");
        assert!(fs::read(&report.packs[0]).unwrap() == pack, "{what}");
    }
}

#[cfg(feature = "seal")]
#[test]
fn a_large_blob_is_encrypted_and_a_damaged_one_is_imported_again() {
    use rres_format::seal::{Keys, Secret};
    let project = project();
    project.write("assets.toml", format!("[pack]\ncipher = \"xchacha20-poly1305\"\n{PLAIN}").as_bytes());
    let build = || project.build().key(|| Secret::raw_key([5; 32])).build().unwrap();
    let pack = fs::read(&build().packs[0]).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let sealed = view.find(ResourceId::from_path("film.bin")).unwrap().unwrap();
    let opened = sealed.unseal(&Keys::new(Secret::raw_key([5; 32]))).unwrap();
    let block = chunk::raw::raw_block(".bin", &Random::new(4).bytes(SIZE));
    assert!(opened.view().plain_block().unwrap() == block);
    flip(&large_blob(&project), SIZE / 2);
    fs::remove_dir_all(project.out()).unwrap();
    let report = build();
    assert_eq!(report.imported(), 1);
    assert!(fs::read(&report.packs[0]).unwrap() == pack);
}

#[test]
fn cache_verify_reads_every_byte_of_a_large_blob() {
    let project = project();
    let cache = Cache::at(project.cache());
    let padding: (&str, fn(&Path)) = ("flipped in the file header", |blob| flip(blob, 9));
    for (what, damage) in DAMAGES.iter().chain([&padding]) {
        project.build().debug(true).build().unwrap();
        let verified = cache.verify().unwrap();
        assert_eq!((verified.sound, verified.removed.len()), (3, 0), "{what}");
        let blob = large_blob(&project);
        damage(&blob);
        let verified = cache.verify().unwrap();
        assert_eq!((verified.sound, verified.removed.len()), (2, 1), "{what}");
        assert_eq!(verified.removed[0].0, blob, "{what}");
    }
}
