//! Archives of the Riot engine in an assets directory: ids, contents, the cache, and files that are not such archives.

use std::fs;

use rres_format::AssetKind;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::ImageView;
use rres_format::chunk::text::TextView;
use rres_format::chunk::wave::WaveView;
use rres_format::index::GroupView;
use rres_format::{PackView, ResourceId};
use rres_import_srsc::write;

use super::Project;

fn project() -> Project {
    let project = Project::new(&[]);
    write::example().iter().for_each(|(path, bytes)| project.write(path, bytes));
    project
}

/// The paths that were imported, and not taken from the cache.
fn imported(project: &Project) -> Vec<String> {
    let report = project.run();
    report.assets.iter().filter(|asset| !asset.cached).map(|asset| asset.path.clone()).collect()
}

/// Reads the first chunk of an asset of the pack.
fn read<T>(pack: &[u8], path: &str, read: impl Fn(PayloadView<'_>) -> T) -> T {
    let view = PackView::parse(pack).unwrap();
    let chunk = view.find(ResourceId::from_path(path)).unwrap().unwrap_or_else(|| panic!("no {path}"));
    read(chunk.decode(&mut Default::default()).unwrap().view().unwrap())
}

#[test]
fn records_are_sub_assets_with_ids_contents_constants_and_dependencies() {
    let project = project();
    let pack = fs::read(&project.run().packs[0]).unwrap();
    let pixels = |path| read(&pack, path, |payload| ImageView::parse(payload).unwrap().data().to_vec());
    let text = |path| read(&pack, path, |payload| TextView::parse(payload).unwrap().bytes().to_vec());
    let samples = |path| read(&pack, path, |payload| WaveView::parse(payload).unwrap().samples().to_vec());
    assert_eq!(pixels("Synth.txd#13"), [13; 6]);
    assert_eq!(pixels("Synth.txd#3")[..8], [255, 0, 0, 255, 255, 0, 0, 0]);
    assert_eq!(pixels("Common/Shared.txd#1"), [1, 2, 3]);
    assert_eq!(text("Synth.rrc#3"), "Grüße ä long enough to wrap the 32-byte keystream".as_bytes());
    let wave: Vec<u8> = (0..32i16).flat_map(|i| [i * 100, -i * 100]).flat_map(i16::to_le_bytes).collect();
    assert_eq!(samples("Synth.sdb#loop!"), wave);
    let class = String::from_utf8(text("Synth.odb#Things/Synthetic Thing")).unwrap();
    assert!(class.contains("\"Hit points\"") && class.contains("-7"), "{class}");
    let list = String::from_utf8(text("Synth.sdb")).unwrap();
    assert!(list.contains("\"Footsteps/Stone/step\""), "{list}");
    assert!(String::from_utf8(text("Synth.db")).unwrap().contains("common\\\\SHARED"));

    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let slot = index.find(ResourceId::from_path("Synth.mod#Props/quad")).unwrap();
    assert_eq!(index.entry(slot).unwrap().kind, Some(AssetKind::Model));
    let expected = ["Synth.txd#6", "Common/Shared.txd#1"].map(ResourceId::from_path);
    assert_eq!(index.dependencies(slot).unwrap().collect::<Vec<_>>(), expected);

    let module = project.module();
    for part in ["pub mod synth_sdb {", "pub mod stone {", "pub const STEP: SoundId = ", "pub const QUAD: ModelId = "] {
        assert!(module.contains(part), "{part}: {module}");
    }
}

/// The groups of the pack, each with the paths of its members.
fn groups(project: &Project) -> Vec<(String, Vec<String>)> {
    let pack = fs::read(&project.run().packs[0]).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let path = |slot| index.entry(slot).unwrap().path.to_owned();
    let group = |group: GroupView<'_>| (group.name.to_owned(), group.slots().map(path).collect());
    index.groups().map(|found| group(found.unwrap())).collect()
}

#[test]
fn groups_of_records_are_groups_of_the_pack() {
    let project = project();
    let found = groups(&project);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "synth_mod_props",
        "synth_odb_things",
        "synth_rrc_song",
        "synth_sdb_footsteps",
        "synth_sdb_footsteps_stone",
        "synth_ssd_cutscenes",
    ];
    assert_eq!(names, expected);
    assert_eq!(found[2].1, ["Synth.rrc#song/4"]);
    assert_eq!(found[4].1, ["Synth.sdb#Footsteps/Stone/step"]);
    let props = [
        "Synth.mod#Props/quad",
        "Synth.mod#Props/quad.json",
        "Synth.mod#Props/quad_lo",
        "Synth.mod#Props/quad_lo.json",
    ];
    let mut members = found[0].1.clone();
    members.sort();
    assert_eq!(members, props);
    let module = project.module();
    assert!(module.contains("pub const SYNTH_SDB_FOOTSTEPS_STONE: "), "{module}");

    // A group of the rules comes before one with the same constant.
    project.write("assets.toml", b"[group.Synth-mod-Props]\ninclude = [\"Synth.db\"]\n");
    let found = groups(&project);
    assert_eq!(found[0], ("Synth-mod-Props".to_owned(), vec!["Synth.db".to_owned()]));
    assert_eq!(found.len(), names.len());
}

#[test]
fn models_follow_the_databases_of_their_textures() {
    let project = project();
    assert_eq!(imported(&project).len(), 10);
    assert_eq!(imported(&project), [""; 0]);
    let dependencies = |project: &Project| {
        let pack = fs::read(&project.run().packs[0]).unwrap();
        let view = PackView::parse(&pack).unwrap();
        let index = view.index().unwrap();
        index.dependencies(index.find(ResourceId::from_path("Synth.mod#Props/quad")).unwrap()).unwrap().count()
    };
    // An input that changes.
    let database = fs::read(project.assets().join("Synth.db")).unwrap();
    project.write("Synth.db", &[&database[..], b"\r\n"].concat());
    // The material of a texture is a class, which leads to other textures.
    assert_eq!(imported(&project), ["Synth.db", "Synth.mod", "Synth.odb", "Synth.txd"]);
    // One that goes, and one that appears in another case.
    let shared = fs::read(project.assets().join("Common/Shared.txd")).unwrap();
    fs::remove_file(project.assets().join("Common/Shared.txd")).unwrap();
    assert_eq!(imported(&project), ["Synth.mod", "Synth.odb", "Synth.txd"]);
    assert_eq!(dependencies(&project), 1);
    project.write("Common/SHARED.TXD", &shared);
    assert!(imported(&project).contains(&"Synth.mod".to_owned()));
    assert_eq!(dependencies(&project), 2);
    assert_eq!(imported(&project), [""; 0]);
}

#[test]
fn files_of_other_programs_stay_what_they_are() {
    let files: [(&str, &[u8]); 3] = [("a.lvl", b"LEVEL"), ("data.db", b"SQLite format 3\0"), ("song.mod", b"song")];
    let project = Project::new(&files);
    let report = project.run();
    let kinds: Vec<_> = report.assets.iter().map(|asset| (asset.path.as_str(), asset.kind)).collect();
    assert_eq!(kinds, ["a.lvl", "data.db", "song.mod"].map(|path| (path, AssetKind::Raw)));
    // The contents decide, also later.
    let archive = write::example().into_iter().find(|(path, _)| path == "Synth.mod").unwrap().1;
    project.write("song.mod", &archive);
    let report = project.run();
    let song = report.assets.iter().find(|asset| asset.path == "song.mod").unwrap();
    assert_eq!(song.kind, AssetKind::Text);
    project.write("assets.toml", b"[\"song.mod\"]\nkind = \"raw\"\n");
    let report = project.run();
    assert_eq!(report.assets.iter().find(|asset| asset.path == "song.mod").unwrap().kind, AssetKind::Raw);
}

#[test]
fn a_damaged_archive_is_one_error_with_file_record_and_offset() {
    let project = project();
    let mut bytes = fs::read(project.assets().join("Synth.txd")).unwrap();
    // The width of the first texture, after the palette.
    let at = bytes.windows(8).position(|window| window == [4, 0, 0, 0, 4, 0, 0, 0]).unwrap();
    bytes[at + 3] = 0xff;
    project.write("Synth.txd", &bytes);
    let error = project.fail().to_string();
    let expected =
        format!("Synth.txd: is not an SRSC archive that can be read: record 0x0040:0x0001, width at offset 0x{at:x}: ");
    assert!(error.contains(&expected), "{error}");
    // Models that need it say nothing.
    assert!(!error.contains("Synth.mod"), "{error}");
}
