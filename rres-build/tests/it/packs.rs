//! The contents of packs, read back by the format crate.

use std::collections::BTreeMap;
use std::fs;

use rres_format::AssetKind;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::text::TextView;
use rres_format::{FourCc, PackView, ResourceId};

use super::{Project, sources};

/// The contents of one pack, by path.
fn contents(pack: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let view = PackView::parse(pack).unwrap();
    let index = view.index().unwrap();
    let mut out = BTreeMap::new();
    for entry in index.entries() {
        let entry = entry.unwrap();
        let chunk = view.find(entry.id).unwrap().unwrap();
        chunk.verify().unwrap();
        let decoded = chunk.decode(&mut Default::default()).unwrap();
        let payload = decoded.view().unwrap();
        let bytes = match chunk.info.kind {
            FourCc::RAWD => RawView::parse(payload).unwrap().bytes().to_vec(),
            FourCc::TEXT => TextView::parse(payload).unwrap().bytes().to_vec(),
            other => panic!("{other}"),
        };
        let directory = view.directory().unwrap().unwrap();
        assert_eq!(directory.find(entry.path).unwrap(), Some(entry.id));
        out.insert(entry.path.to_owned(), bytes);
    }
    out
}

#[test]
fn a_pack_contains_every_source_byte_for_byte() {
    let project = Project::new(&sources());
    let report = project.run();
    let found = contents(&fs::read(&report.packs[0]).unwrap());
    let expected: BTreeMap<_, _> = sources().into_iter().map(|(p, b)| (p.to_owned(), b.to_vec())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_set_of_packs_contains_everything_if_one_would_exceed_the_limit() {
    let files: Vec<(String, Vec<u8>)> =
        (0..40u32).map(|i| (format!("f{i}.bin"), blake(i).repeat(if i % 2 == 0 { 40 } else { 1 }))).collect();
    let project = Project::new(&[]);
    files.iter().for_each(|(path, bytes)| project.write(path, bytes));
    project.write("assets.toml", b"[pack]\ncompression = \"none\"\nsplit = \"8 KiB\"\n");
    let report = project.run();
    assert!(report.packs.len() > 2, "{:?}", report.packs);
    let mut union = BTreeMap::new();
    for (number, file) in report.packs.iter().enumerate() {
        let pack = fs::read(file).unwrap();
        assert!(pack.len() <= 8 << 10, "{}: {}", file.display(), pack.len());
        let further = PackView::parse(&pack).unwrap().index().unwrap().additional_packs() as usize;
        assert_eq!(further, if number == 0 { report.packs.len() - 1 } else { 0 });
        let part = contents(&pack);
        assert!(part.keys().all(|path| !union.contains_key(path)));
        union.extend(part);
    }
    assert_eq!(union, files.into_iter().collect());
    // Without the limit, the packs that no longer belong to the set are removed.
    project.write("assets.toml", b"[pack]\ncompression = \"none\"\n");
    let report = project.run();
    assert_eq!(report.packs.len(), 1);
    assert_eq!(super::files_below(&project.out()).iter().filter(|f| f.extension().unwrap() == "rres").count(), 1);
}

/// The id of each path in the packs of a report, and the additional packs of the first one.
fn ids(report: &rres_engine::Report) -> (BTreeMap<String, ResourceId>, usize) {
    let mut ids = BTreeMap::new();
    for (number, file) in report.packs.iter().enumerate() {
        let pack = fs::read(file).unwrap();
        let view = PackView::parse(&pack).unwrap();
        let index = view.index().unwrap();
        assert_eq!(index.additional_packs() as usize, if number == 0 { report.packs.len() - 1 } else { 0 });
        for entry in index.entries().map(|entry| entry.unwrap()) {
            assert_eq!(ids.insert(entry.path.to_owned(), entry.id), None, "{} is in two packs", entry.path);
        }
    }
    (ids, report.packs.len())
}

#[test]
fn ids_do_not_depend_on_how_a_set_is_split() {
    let project = Project::new(&[]);
    (0..40u32).for_each(|i| project.write(&format!("f{i}.bin"), &blake(i).repeat(20)));
    let build = |split: &str| {
        project.write("assets.toml", format!("[pack]\ncompression = \"none\"\n{split}").as_bytes());
        ids(&project.run())
    };
    let (whole, one) = build("");
    let (small, many) = build("split = \"8 KiB\"\n");
    let (other, fewer) = build("split = \"20 KiB\"\n");
    assert!(one == 1 && many > fewer && fewer > 1, "{one} {many} {fewer}");
    assert_eq!((&whole, &whole), (&small, &other));
    assert!(whole.iter().all(|(path, id)| *id == ResourceId::from_path(path)));
}

/// `cargo test --release -p rres-build --test it -- --ignored more_`
#[test]
#[ignore = "takes minutes"]
fn more_chunks_than_a_pack_holds_become_a_set() {
    const COUNT: usize = 70_000;
    let project = Project::new(&[]);
    (0..COUNT).for_each(|i| project.write(&format!("{:02}/{i}.txt", i / 1000), format!("text {i}").as_bytes()));
    let report = project.run();
    let (found, packs) = ids(&report);
    assert!((2..=3).contains(&packs), "{packs}");
    assert_eq!(found.len(), COUNT);
    for pack in &report.packs {
        let pack = fs::read(pack).unwrap();
        let view = PackView::parse(&pack).unwrap();
        assert_eq!(view.chunks().filter(|chunk| chunk.is_ok()).count(), usize::from(view.header().chunk_count));
    }
}

/// As [`more_chunks_than_a_pack_holds_become_a_set`]; takes 5 GB of disk for the pack and as many for the cache.
#[test]
#[ignore = "takes minutes and 10 GB of disk"]
fn more_bytes_than_a_pack_holds_become_a_set() {
    let project = Project::new(&[("assets.toml", b"[pack]\ncompression = \"none\"\n")]);
    for i in 0..5u8 {
        // The first byte keeps them from sharing their chunks.
        project.write(&format!("{i}.bin"), &[i]);
        let file = fs::File::options().write(true).open(project.assets().join(format!("{i}.bin"))).unwrap();
        file.set_len(900 << 20).unwrap();
    }
    let report = project.run();
    let sizes: Vec<u64> = report.packs.iter().map(|pack| fs::metadata(pack).unwrap().len()).collect();
    assert!(sizes.len() == 2 && sizes.iter().all(|size| *size < 1 << 32), "{sizes:?}");
    assert!(sizes.iter().sum::<u64>() > 1 << 32, "{sizes:?}");
    assert_eq!(ids(&report).0.len(), 5);
}

fn blake(i: u32) -> Vec<u8> {
    // Bytes that cannot be compressed.
    (0..64u32).map(|j| (i.wrapping_mul(2_654_435_761).rotate_left(j) >> 7) as u8).collect()
}

#[test]
fn ids_kinds_and_groups_follow_the_settings() {
    let project = Project::new(&sources());
    let rules = "[\"readme.txt\"]\nid = 0x1234\n[\"levels/2.txt\"]\nkind = \"raw\"\n[\"data/noise.bin\"]\nkind = \"link\"\n\
                 [\"shaders/**\"]\nignore = true\n[group.levels]\ninclude = [\"levels/**\"]\n";
    project.write("assets.toml", rules.as_bytes());
    let report = project.run();
    let pack = fs::read(&report.packs[0]).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let kind = |path: &str| index.find_path(path).map(|slot| index.entry(slot).unwrap().kind.unwrap());
    assert_eq!(index.find(ResourceId(0x1234)), index.find_path("readme.txt"));
    assert_eq!(kind("levels/2.txt"), Some(AssetKind::Raw));
    assert_eq!(kind("data/noise.bin"), Some(AssetKind::Link));
    assert_eq!(kind("shaders/glow.fs"), None);
    let group = index.groups().next().unwrap().unwrap();
    let members: Vec<_> = group.slots().map(|slot| index.entry(slot).unwrap().path.to_owned()).collect();
    assert_eq!((group.name, members), ("levels", vec!["levels/1.txt".to_owned(), "levels/2.txt".to_owned()]));
    assert!(project.module().contains("LEVELS"));
}

#[test]
fn packs_for_raylib_use_what_it_reads() {
    let project = Project::new(&[("a.txt", &[b'a'; 4000]), ("b.bin", &[7; 4000])]);
    project.write("assets.toml", b"[pack]\ncompat = \"raylib\"\n");
    let pack = fs::read(&project.run().packs[0]).unwrap();
    for chunk in PackView::parse(&pack).unwrap().chunks().map(|chunk| chunk.unwrap()) {
        let ours = matches!(chunk.info.kind, FourCc::INDX | FourCc::CDIR | FourCc::NULL);
        let compression = chunk.info.compression;
        assert!(ours || compression == rres_format::Compression::DEFLATE, "{compression}");
    }
}

#[test]
fn a_pack_that_was_damaged_is_written_again() {
    let project = Project::new(&sources());
    project.run();
    let file = project.out().join("game.rres");
    let (good, modified) = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap());
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 1;
    fs::write(&file, &bad).unwrap();
    // Other systems have no time of the last change that a program cannot set.
    if cfg!(unix) {
        fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    }
    project.run();
    assert!(fs::read(&file).unwrap() == good);
}

#[test]
fn the_setting_name_names_the_file_and_build_rs_comes_before_it() {
    let project = Project::new(&[("a.txt", b"a"), ("assets.toml", b"[pack]\nname = \"treasure\"\n")]);
    let build = || rres_build::import(project.assets()).out_dir(project.out()).cache_dir(project.cache()).debug(false);
    build().build().unwrap();
    assert!(project.out().join("treasure.rres").is_file() && !project.out().join("assets.rres").exists());
    build().name("chest").build().unwrap();
    assert!(project.out().join("chest.rres").is_file());
}

#[test]
fn the_module_asks_for_the_decompressor_that_a_rule_chooses() {
    let project = Project::new(&[("a.bin", &[7; 4000]), ("b.bin", &[8; 4000]), ("c.txt", b"text")]);
    project.write("assets.toml", b"[\"*.bin\"]\ncompression = \"deflate\"\n");
    project.build().build().unwrap();
    let module = project.module();
    assert!(module.contains("::rres_runtime::__require_deflate!(\"a.bin and 1 more\");"), "{module}");
    project.write("assets.toml", b"");
    project.build().build().unwrap();
    assert!(!project.module().contains("__require"), "zstd is on by default");
}
