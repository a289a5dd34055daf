//! A pack that is extracted and built again has the same chunks.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use rres_format::{AssetKind, Decompressor, FourCc, PackView, ResourceId};
use rres_test_data::picture::{png_of_chunks, tga, zlib};
use rres_test_data::sound::{riff_chunk, with_chunks};
use serde_json::Value;

use super::models::GLTF_NAME;
use crate::Sandbox;

/// A resource: its kind, its metadata, and its chunks before compression.
#[derive(PartialEq)]
struct Content {
    path: String,
    kind: Option<AssetKind>,
    metadata: Vec<(u16, u32)>,
    chunks: Vec<(FourCc, Vec<u8>)>,
}

fn contents(pack: &[u8]) -> BTreeMap<ResourceId, Content> {
    let view = PackView::parse(pack).unwrap();
    let index = view.index().unwrap();
    let mut contents = BTreeMap::new();
    for (slot, entry) in (0..).zip(index.entries()) {
        let entry = entry.unwrap();
        let first = view.first_chunk_of(&entry).unwrap();
        let chunks = view.resource_chunks(first, entry.chunk_count).map(Result::unwrap).map(|chunk| {
            (chunk.info.kind, chunk.decode(&mut Decompressor::default()).unwrap().into_bytes().into_owned())
        });
        let metadata = index.meta(slot).unwrap().records().map(|(key, value)| (key.0, value)).collect();
        let content = Content { path: entry.path.to_owned(), kind: entry.kind, metadata, chunks: chunks.collect() };
        contents.insert(entry.id, content);
    }
    contents
}

/// How the resources of one pack came back in another.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) equal: BTreeMap<String, usize>,
    /// The path and what is different.
    pub(super) different: Vec<(String, String)>,
}

pub(super) fn compare(before: &[u8], after: &[u8]) -> Comparison {
    let mut after = contents(after);
    let mut comparison = Comparison::default();
    for (id, content) in contents(before) {
        let kind = content.kind.map_or("unknown", AssetKind::name).to_owned();
        let different = match after.remove(&id) {
            None => Some(format!("{kind} is missing")),
            Some(other) if other.kind != content.kind => Some(format!("{kind} became {:?}", other.kind)),
            Some(other) if other.chunks != content.chunks => {
                let pairs = content.chunks.iter().zip(&other.chunks).enumerate();
                let first = pairs.filter(|(_, (a, b))| a != b).map(|(at, (chunk, _))| (at, chunk.0)).next();
                let counts = (content.chunks.len(), other.chunks.len());
                Some(format!("{kind} has other chunks, the first of {counts:?} is {first:?}"))
            }
            Some(other) if other.metadata != content.metadata => {
                Some(format!("{kind} has metadata {:?}, expected {:?}", other.metadata, content.metadata))
            }
            Some(_) => None,
        };
        match different {
            Some(what) => comparison.different.push((content.path, what)),
            None => *comparison.equal.entry(kind).or_default() += 1,
        }
    }
    comparison
}

/// Builds a directory, extracts the pack, builds the tree, and returns the two packs.
pub(super) fn round_trip(sandbox: &Sandbox, dir: &str) -> (Vec<u8>, Vec<u8>) {
    sandbox.run(["build", dir, "-o", "before.rres"]).success();
    sandbox.run(["extract", "before.rres", "-o", "tree", "--metadata"]).success();
    let build = sandbox.run(["build", "tree", "-o", "after.rres"]);
    assert_eq!(build.code, 0, "{build:?}");
    (sandbox.read("before.rres"), sandbox.read("after.rres"))
}

#[test]
fn every_kind_but_fonts_comes_back() {
    let sandbox = Sandbox::new();
    super::models::write_model(&sandbox, "assets/models");
    let settings = "\
        [\"*.tga\"]\nimage = { filter = \"nearest\", mipmaps = true }\n\
        [\"packed.tga\"]\nimage = { format = \"rgb565\", wrap = \"repeat\", mipmaps = false }\n\
        [\"*.csv\"]\nkind = \"raw\"\n[\"de.txt\"]\ntext = { culture = \"de-DE\" }\n\
        [\"step.wav\"]\nsound = { gain = -3.5, loop = true, priority = 7, falloff = 0 }\n[\"short.wav\"]\nsound = { store = \"source\" }\n\
        [group.menu]\ninclude = [\"*.tga\", \"de.txt\"]\n";
    sandbox.write("assets/assets.toml", settings.as_bytes());
    let tga = tga(6, 3, &(0..54).map(|i| i * 4).collect::<Vec<_>>());
    sandbox.write("assets/a.tga", &tga);
    sandbox.write("assets/packed.tga", &tga);
    sandbox.write("assets/height.png", &png16());
    sandbox.write("assets/table.csv", b"a,b");
    sandbox.write("assets/de.txt", "Grüße".as_bytes());
    sandbox.write("assets/bytes.bin", &[0, 255, 1]);
    for (name, bits, format) in [
        ("step.wav", 16, hound::SampleFormat::Int),
        ("short.wav", 8, hound::SampleFormat::Int),
        ("exact.wav", 32, hound::SampleFormat::Float),
        ("deep.wav", 24, hound::SampleFormat::Int),
    ] {
        sandbox.write(&format!("assets/{name}"), &wav(bits, format));
    }
    sandbox.write("assets/places.wav", &with_places(&wav(16, hound::SampleFormat::Int)));
    let (before, after) = round_trip(&sandbox, "assets");
    let ends = sandbox.read("tree/places.wav");
    assert!(ends.ends_with(&sandbox.read("assets/places.wav")[44 + 16..]), "{ends:?}");
    let found = compare(&before, &after);
    assert!(found.different.is_empty(), "{:?}", found.different);
    assert_eq!(found.equal["model"], 1, "{found:?}");
    // Two inside the model, one beside it, three more.
    assert_eq!(found.equal["image"], 6, "{found:?}");
    assert_eq!((found.equal["sound"], found.equal["text"], found.equal["raw"]), (5, 1, 2), "{found:?}");
    for (file, source) in [("table.csv", &b"a,b"[..]), ("de.txt", "Grüße".as_bytes()), ("bytes.bin", &[0, 255, 1])] {
        assert_eq!(sandbox.read(&format!("tree/{file}")), source);
    }
    assert_eq!(sandbox.read("tree/short.wav"), sandbox.read("assets/short.wav"), "a source file is byte-equal");
    assert!(sandbox.path(&format!("tree/models/{GLTF_NAME}")).is_file());
    let groups = |pack: &[u8]| {
        let index = PackView::parse(pack).unwrap().index().unwrap();
        let groups = index.groups().map(|group| group.unwrap());
        let ids = |slots: &mut dyn Iterator<Item = u32>| slots.map(|slot| index.id(slot).unwrap()).collect::<Vec<_>>();
        groups.map(|group| (group.name.to_owned(), ids(&mut group.slots()))).collect::<Vec<_>>()
    };
    assert_eq!(groups(&before), groups(&after));
}

/// `RRES_REAL_FOLDERS=dir:dir cargo test -p cargo-rres --test it real_folders -- --ignored --nocapture`
#[test]
#[expect(clippy::print_stderr, reason = "figures for people")]
#[ignore = "takes the directories of real assets in RRES_REAL_FOLDERS"]
fn real_folders_come_back() {
    let folders = std::env::var("RRES_REAL_FOLDERS").expect("RRES_REAL_FOLDERS names directories, separated by `:`");
    for folder in folders.split(':') {
        assert!(Path::new(folder).is_dir(), "{folder} is not a directory");
        let sandbox = Sandbox::new();
        let build = sandbox.run(["build", folder, "--keep-going", "-o", "before.rres"]);
        assert_eq!(build.code, 0, "{}", build.err);
        let start = Instant::now();
        let run = sandbox.run(["extract", "before.rres", "-o", "tree", "--metadata", "--json"]);
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(run.code, 0, "{}", run.err);
        let listing: Value = serde_json::from_str(&run.out).unwrap();
        let count = |name: &str| listing[name].as_array().unwrap().len();
        let sizes = listing["files"].as_array().unwrap().iter().map(|file| file["size"].as_u64().unwrap());
        let megabytes = sizes.sum::<u64>() as f64 / 1e6;
        let build = sandbox.run(["build", "tree", "-o", "after.rres"]);
        assert_eq!(build.code, 0, "{}", build.err);
        let found = compare(&sandbox.read("before.rres"), &sandbox.read("after.rres"));
        eprintln!(
            "{folder}: {} files, {megabytes:.1} MB in {seconds:.1} s, {} in models, {} skipped; equal {:?}, different {}",
            count("files"),
            count("embedded"),
            count("skipped"),
            found.equal,
            found.different.len()
        );
        let unexpected: Vec<_> = found.different.iter().filter(|(_, what)| what != "font is missing").collect();
        assert!(unexpected.is_empty(), "{folder}: {unexpected:#?}");
    }
}

fn png16() -> Vec<u8> {
    png_of_chunks([3, 1], [16, 0, 0], &[(b"IDAT", zlib(&[0, 0, 1, 0x80, 0, 0xff, 0xfe]))])
}

/// The WAV with frames to repeat and a marker.
fn with_places(wav: &[u8]) -> Vec<u8> {
    let numbers = [0, 0, 0, 60, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0].map(u32::to_le_bytes).concat();
    let cue = [&b"\x01\0\0\0\x01\0\0\0\0\0\0\0data"[..], &[0; 8], b"\x02\0\0\0"].concat();
    let labels = riff_chunk(b"LIST", b"adtllabl\x08\0\0\0\x01\0\0\0hit\0");
    with_chunks(wav, &[riff_chunk(b"smpl", &numbers), riff_chunk(b"cue ", &cue), labels].concat())
}

fn wav(bits_per_sample: u16, sample_format: hound::SampleFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let spec = hound::WavSpec { channels: 2, sample_rate: 8000, bits_per_sample, sample_format };
    let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
    for i in 0..100 {
        match sample_format {
            hound::SampleFormat::Float => writer.write_sample(i as f32 / 77.0 - 0.4).unwrap(),
            hound::SampleFormat::Int => writer.write_sample(i - 50).unwrap(),
        }
    }
    writer.finalize().unwrap();
    bytes.into_inner()
}

/// Their files are kept, as they are smaller than the samples. As `store = "source"`, they would load as files.
#[test]
fn sounds_that_load_as_samples_come_back_as_such() {
    let sandbox = Sandbox::new();
    let ogg = include_bytes!("../../../../assets/sound/thunder.ogg");
    let flac = include_bytes!("../../../../assets/sound/win.flac");
    let files = [("keep.ogg", &ogg[..]), ("u8.ogg", ogg), ("f32.ogg", ogg), ("keep.flac", flac), ("i16.flac", flac)];
    files.iter().for_each(|(name, bytes)| sandbox.write(&format!("assets/{name}"), bytes));
    let rules =
        ["u8", "f32", "i16"].map(|form| format!("[\"{form}.*\"]\nsound = {{ sample = \"{form}\", gain = -3 }}\n"));
    sandbox.write("assets/assets.toml", rules.concat().as_bytes());
    let (before, after) = round_trip(&sandbox, "assets");
    let found = compare(&before, &after);
    assert!(found.different.is_empty(), "{:?}", found.different);
    assert_eq!(found.equal["sound"], 5, "{found:?}");
}
