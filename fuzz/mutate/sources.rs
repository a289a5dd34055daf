//! The packs that are damaged: built from files of the example game and of the tests.

use std::fs;
use std::path::{Path, PathBuf};

use rres_format::delta::{DeltaSpec, DeltaTarget};
use rres_format::patch::{PackIdentity, PatchSpec, TargetPack};
use rres_format::seal::Secret;
use rres_format::signature::{SecretKey, sign_set};
use rres_format::{Decompressor, Header, PackBuilder, PackView, Resource, ResourceId, StoredChunk};

/// Source files below the repository: small ones of every kind.
const FILES: &[(&str, &str)] = &[
    ("data/gusts.dat", "assets/data/gusts.dat"),
    ("data/palette.json", "assets/data/palette.json"),
    ("fonts/goudy.otf", "crates/test-data/fixtures/font/Goudy-subset.otf"),
    ("levels/1.level", "assets/levels/level_1.level"),
    ("models/crystal.bin", "assets/models/crystal.bin"),
    ("models/crystal.gltf", "assets/models/crystal.gltf"),
    ("models/crystal.png", "assets/models/crystal.png"),
    ("shaders/light.fs", "assets/shaders/light.fs"),
    ("sound/click.wav", "assets/sound/click.wav"),
    ("sound/loop.ogg", "crates/test-data/fixtures/sound/loop.ogg"),
    ("text/de.txt", "assets/text/de.txt"),
    ("text/fr.txt", "assets/text/fr.txt"),
    ("ui/button.png", "assets/ui/button.png"),
    ("ui/flag_de.png", "assets/ui/flag_de.png"),
    ("ui/flag_fr.png", "assets/ui/flag_fr.png"),
    ("ui/heart.png", "assets/ui/heart.png"),
    ("world/spark.png", "assets/world/spark.png"),
];

const RULES: &str = "
[\"fonts/*\"]
font = { size = 12 }
[\"ui/heart.png\"]
image = { filter = \"nearest\", wrap = \"repeat\" }
[\"sound/*\"]
sound = { gain = -3 }
[group.interface]
include = [\"ui/*\", \"text/*\"]
";

/// What only packs for this project can have.
const OWN_RULES: &str = "
[\"ui/flag_*\"]
image = { atlas = \"ui/flags\" }
[\"sound/loop.ogg\"]
sound = { store = \"source\", loop = true }
";

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A directory that is removed in the end.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        let dir = std::env::temp_dir().join(format!("rres-mutate-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("the temporary directory can be written");
        Self(dir)
    }

    /// The pack of the sources with these settings of the pack, and a key for the encrypted ones.
    pub(crate) fn pack(&self, settings: &str, secret: Option<fn() -> Secret>) -> Vec<u8> {
        self.pack_with(settings, secret, &[])
    }

    /// The same pack with some files changed, added or, without contents, left out.
    fn pack_with(&self, settings: &str, secret: Option<fn() -> Secret>, changes: &[(&str, Option<&[u8]>)]) -> Vec<u8> {
        let (assets, out) = (self.0.join("assets"), self.0.join("out"));
        for dir in [&assets, &out] {
            let _ = fs::remove_dir_all(dir);
        }
        let write = |path: &str, bytes: &[u8]| {
            let file = assets.join(path);
            fs::create_dir_all(file.parent().expect("it is in the directory")).unwrap();
            fs::write(file, bytes).unwrap();
        };
        for (path, file) in FILES {
            write(path, &fs::read(repository().join(file)).unwrap_or_else(|e| panic!("{file}: {e}")));
        }
        for (path, contents) in changes {
            match contents {
                Some(contents) => write(path, contents),
                None => fs::remove_file(assets.join(path)).unwrap(),
            }
        }
        let own = if settings.contains("compat") { "" } else { OWN_RULES };
        write("assets.toml", format!("[pack]\n{settings}\n{RULES}{own}").as_bytes());
        let build = rres_build::import(&assets).out_dir(out).cache_dir(self.0.join("cache")).name("game").debug(false);
        let build = match secret {
            Some(secret) => build.key(secret),
            None => build,
        };
        let report = build.build().unwrap_or_else(|error| panic!("{settings}: {error}"));
        fs::read(&report.packs[0]).unwrap()
    }

    /// The next version of the game: two assets are changed, one is added, and one is gone.
    pub(crate) fn next_version(&self, settings: &str) -> Vec<u8> {
        let level = fs::read(repository().join("assets/levels/level_2.level")).unwrap();
        let mut text = fs::read(repository().join("assets/text/de.txt")).unwrap();
        text.extend(b"\nNeu.\n");
        let changes: [(&str, Option<&[u8]>); 4] = [
            ("levels/1.level", Some(&level)),
            ("text/de.txt", Some(&text)),
            ("text/new.txt", Some(b"new")),
            ("data/palette.json", None),
        ];
        self.pack_with(settings, None, &changes)
    }

    /// The blobs in the import cache, by size.
    pub(crate) fn blobs(&self) -> Vec<Vec<u8>> {
        let mut blobs = Vec::new();
        for shard in fs::read_dir(self.0.join("cache/blobs")).unwrap() {
            for file in fs::read_dir(shard.unwrap().path()).unwrap() {
                blobs.push(fs::read(file.unwrap().path()).unwrap());
            }
        }
        blobs.sort_by_key(|blob| (blob.len(), crc32fast::hash(blob)));
        blobs
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A patch from one pack to another one, with a delta for each changed asset that has one chunk.
pub(crate) fn patch(old: &[u8], new: &[u8]) -> Vec<u8> {
    let (before, after) = (PackView::parse(old).unwrap(), PackView::parse(new).unwrap());
    let identity = |pack: &[u8]| PackIdentity {
        index_crc: PackView::parse(pack).unwrap().chunk_at(Header::SIZE as u32).unwrap().info.crc32,
        size: pack.len() as u64,
        hash: *blake3::hash(pack).as_bytes(),
    };
    let (old_index, new_index) = (before.index().unwrap(), after.index().unwrap());
    let mut removed: Vec<ResourceId> = old_index.entries().map(|entry| entry.unwrap().id).collect();
    removed.retain(|id| new_index.find(*id).is_none());
    let target = TargetPack {
        identity: identity(new),
        reserved: 0,
        additional_packs: 0,
        has_directory: true,
        shares_equal: true,
        steps: Vec::new(),
    };
    let spec = PatchSpec { base: vec![identity(old)], targets: vec![target], removed, ..PatchSpec::default() };
    let mut pack = PackBuilder::new().set_hash(new_index.set_hash()).patch(spec.block());
    for slot in 0..new_index.len() as u32 {
        let entry = new_index.entry(slot).unwrap();
        let chunks_of = |view: PackView<'_>, id| -> Option<Vec<(u32, u32, u32)>> {
            let entry = view.index()?.entry(view.index()?.find(id)?).unwrap();
            let chunks = view.resource_chunks(view.first_chunk_of(&entry).unwrap(), entry.chunk_count);
            Some(
                chunks
                    .map(|chunk| chunk.unwrap())
                    .map(|chunk| (chunk.offset, chunk.info.crc32, chunk.info.base_size))
                    .collect(),
            )
        };
        let (is, was) = (chunks_of(after, entry.id).unwrap(), chunks_of(before, entry.id));
        let contents =
            |chunks: &[(u32, u32, u32)]| chunks.iter().map(|(_, crc, size)| (*crc, *size)).collect::<Vec<_>>();
        if was.as_ref().is_some_and(|was| contents(was) == contents(&is)) {
            continue;
        }
        let chunks = match (&is[..], was.as_deref()) {
            ([(is, ..)], Some([(was, ..)])) => {
                vec![delta(before.chunk_at(*was).unwrap(), after.chunk_at(*is).unwrap(), entry.id)]
            }
            _ => is.iter().map(|(offset, ..)| StoredChunk::copied(after.chunk_at(*offset).unwrap())).collect(),
        };
        let mut resource = Resource::new(entry.path, chunks)
            .with_id(entry.id)
            .with_kind(entry.kind.unwrap())
            .with_meta(new_index.meta(slot).unwrap().to_meta());
        resource.dependencies = new_index.dependencies(slot).unwrap().collect();
        pack.push(resource);
    }
    pack.to_vec().unwrap()
}

fn delta<'a>(
    before: rres_format::ChunkView<'a>,
    after: rres_format::ChunkView<'a>,
    base: ResourceId,
) -> StoredChunk<'a> {
    let block = |chunk: rres_format::ChunkView<'_>| {
        chunk.decode(&mut Decompressor::default()).unwrap().into_bytes().into_owned()
    };
    let target = DeltaTarget {
        compression: after.info.compression,
        level: 0,
        packed_size: after.info.packed_size,
        packed_crc: after.info.crc32,
    };
    let spec = DeltaSpec { base, base_chunk: 0, base_block: &block(before), target };
    StoredChunk::delta(after, spec.encode(&block(after), 19).unwrap()).unwrap()
}

/// The pack, signed.
pub(crate) fn signed(pack: &[u8], key: &SecretKey) -> Vec<u8> {
    let new = sign_set(&[pack], key).unwrap().remove(0);
    [&pack[..new.content_len], &new.chunk].concat()
}
