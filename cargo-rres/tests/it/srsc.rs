//! `cargo rres srsc`: a database that the writer of `rres-import-srsc` makes, and damaged ones.

use std::collections::BTreeSet;
use std::path::Path;

use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks, ModelName, Record, Ref, Shading, Text};
use serde_json::Value;

use crate::nbr::resources;
use crate::{Run, Sandbox};

/// A sandbox with the database in `game`.
pub(crate) fn with_database() -> Sandbox {
    let sandbox = Sandbox::new();
    write::example().into_iter().for_each(|(path, bytes)| sandbox.write(&format!("game/{path}"), &bytes));
    sandbox
}

#[track_caller]
pub(crate) fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"))
}

/// The files below a directory.
pub(crate) fn tree(dir: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![dir.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.strip_prefix(dir).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found
}

#[test]
fn a_database_is_listed_as_a_build_of_its_directory_imports_it() {
    let sandbox = with_database();
    sandbox.run(["pack", "game", "-o", "game.rres"]).success();
    let mut built = resources(&sandbox, "game.rres");
    // Music is an archive by itself, and of another database there is what is needed.
    built.retain(|[path, ..]| {
        path == "Common/Shared.txd#1" || path.starts_with("Synth.") && !path.starts_with("Synth.rrc")
    });
    let listed = resources(&sandbox, "game/Synth.db");
    assert_eq!(listed, built);
    assert_eq!(listed.len(), 29);
    let [texture] = &resources(&sandbox, "game/Common/Shared.txd")[1..] else { panic!("another texture") };
    assert_eq!(texture[0], "Shared.txd#1");
    let of_models = resources(&sandbox, "game/Synth.mod");
    assert!(of_models.iter().any(|[path, ..]| path == "Synth.txd#6"), "{of_models:?}");
    let info = json(&sandbox.run(["info", "game/Synth.db", "--json"]).success());
    assert_eq!((&info["importer"], &info["resource_count"]), (&"srsc".into(), &29.into()));
    let groups = info["index"]["groups"].as_array().unwrap();
    assert!(groups.iter().any(|group| group["name"] == "synth_sdb_footsteps_stone"), "{groups:?}");
    sandbox.run(["ls", "game/Synth.db", "Synth.sdb#Footsteps"]).success();
    sandbox.run(["ls", "game/Synth.db", "songs"]).failed(2, &["no resource matches \"songs\""]);
    sandbox.run(["ls", "game/none.db"]).failed(2, &["game/none.db: no such file"]);
    // Files of other programs are not of the engine.
    sandbox.write("list.db", b"SQLite format 3\0");
    sandbox.run(["ls", "list.db"]).failed(1, &["list.db: "]);
}

#[test]
fn extract_writes_sequences_and_animations() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let intro: Value = serde_json::from_slice(&sandbox.read("tree/Synth.ssd#Cutscenes/Intro")).unwrap();
    assert_eq!(intro["actors"][0]["actions"].as_array().unwrap().len(), 8);
    let wave: Value = serde_json::from_slice(&sandbox.read("tree/Synth.adb#wave")).unwrap();
    let frames = wave["frames"].as_array().unwrap();
    assert_eq!(frames.iter().map(|node| node.as_array().unwrap().len()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn extracted_files_build_to_the_same_paths_ids_and_links() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["extract", "game/Synth.db", "-o", "assets", "--metadata"]).code, 0);
    sandbox.run(["pack", "assets", "-o", "again.rres"]).success();
    assert_eq!(resources(&sandbox, "again.rres"), resources(&sandbox, "game/Synth.db"));
    for path in ["Synth.txd#8", "Synth.txd#10", "Synth.sdb#loop!", "Synth.mod#Props/quad"] {
        let facts = |file: &str| {
            let info = json(&sandbox.run(["info", file, path, "--json"]).success());
            ["metadata", "dependencies", "groups"].map(|name| info[name].clone())
        };
        assert_eq!(facts("again.rres"), facts("game/Synth.db"), "{path}");
    }
}

#[test]
fn raw_writes_the_bytes_of_records() {
    let sandbox = with_database();
    sandbox.run(["srsc", "raw", "game/Synth.ssd", "-o", "raw"]).success();
    let files = tree(&sandbox.path("raw"));
    let expected = ["sequence-0x0002", "sequence-counters-0x0000", "sequence-group-0x0001"];
    assert_eq!(files, expected.map(|name| format!("Synth.ssd/{name}.bin")).into());
    let bytes = sandbox.read("game/Synth.ssd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    assert_eq!(sandbox.read("raw/Synth.ssd/sequence-0x0002.bin"), archive.record(2).unwrap().body());
    let again = ["srsc", "raw", "game/Synth.ssd", "sequence:2", "-o", "raw"];
    sandbox.run(again).failed(2, &["would be replaced", "--force"]);
    sandbox.run(again.into_iter().chain(["--force"])).success();
    sandbox.run(["srsc", "raw", "game/Synth.db", "sound:9", "-o", "x"]).failed(2, &["no record is sound:9"]);
    sandbox.run(["srsc", "raw", "game/Synth.db", "songs", "-o", "x"]).failed(2, &["unknown type", "hidden-text"]);
    assert!(!sandbox.path("x").exists());
}

#[test]
fn names_of_records_do_not_lead_out_of_the_directory() {
    let sandbox = Sandbox::new();
    let text = |text: &str| {
        [&(text.len().next_multiple_of(2) as u16).to_le_bytes()[..], text.as_bytes(), &[0][..text.len() % 2]].concat()
    };
    let sound = |name: &str| {
        let mut body = text(name);
        body.extend([0, 0, 0, 0, 1, 0, 8, 0, 1, 0, 0, 0]);
        body.extend([0; 12]);
        body.extend([1, 0, 0, 0, 0, 0, 0, 0, 128]);
        body
    };
    let names = ["../../../escape", "..", "a/b\\c", "nul", "/etc/passwd", "same", "Same"];
    let records: Vec<RecordBytes> =
        (1..).zip(names).map(|(id, name)| RecordBytes::new(0x302, id, 20, sound(name))).collect();
    let groups = [RecordBytes::new(0x301, 20, 21, text("..")), RecordBytes::new(0x301, 21, 0, text("../../x"))];
    sandbox.write("in/a.sdb", &write::archive(&[&records[..], &groups].concat()));
    let before = tree(sandbox.dir.path());
    sandbox.run(["extract", "in/a.sdb", "-o", "out/deep"]).success();
    let after = tree(sandbox.dir.path());
    let new: Vec<&String> = after.difference(&before).collect();
    assert_eq!(new.len(), names.len() + 1, "{new:?}");
    assert!(new.iter().all(|file| file.starts_with("out/deep/")), "{new:?}");
}

#[test]
fn damage_is_named_and_the_other_records_are_read() {
    let sandbox = with_database();
    let mut bytes = sandbox.read("game/Synth.txd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    // The width of texture 2.
    let at = archive.record(2).unwrap().entry().offset as usize;
    bytes[at..at + 4].fill(0xff);
    sandbox.write("game/Synth.txd", &bytes);
    let place =
        format!("Synth.txd: record 0x0040:0x0002, width at offset 0x{at:x}: is 4294967295, and the limit is 16384");
    let run = sandbox.run(["ls", "game/Synth.db"]);
    assert!(run.out.contains("Synth.txd#3 ") && !run.out.contains("Synth.txd#2 "), "{}", run.out);
    run.failed(1, &[&format!("error[foreign-damaged]: game/Synth.db: {place}")]);
    let run = sandbox.run(["verify", "game/Synth.db"]);
    assert!(run.code == 1 && run.out.matches(&place).count() == 1, "{run:?}");
    sandbox.run(["extract", "game/Synth.db", "-o", "tree"]).failed(1, &[&place]);
    let files = tree(&sandbox.path("tree"));
    assert_eq!(files.iter().filter(|file| file.starts_with("Synth.txd#")).count(), 11, "{files:?}");
    // Models still have the other textures.
    let textures = json(&sandbox.run(["info", "game/Synth.db", "Synth.mod#Props/quad", "--json"]));
    assert_eq!(textures["dependencies"], serde_json::json!(["Synth.txd#6", "Common/Shared.txd#1"]));
    // A build imports all of an archive, or nothing.
    let run = sandbox.run(["pack", "game", "-o", "game.rres"]);
    assert!(run.code == 1 && !sandbox.path("game.rres").exists(), "{run:?}");
    let found = json(&sandbox.run(["verify", "game/Synth.db", "--json"]));
    let finding = &found["packs"][0]["findings"][0];
    assert_eq!((&finding["code"], &finding["message"]), (&"foreign-damaged".into(), &place.into()));
    assert_eq!(found["ok"], false);
}

#[test]
fn verify_follows_references_and_strict_refuses_what_is_unusual() {
    let sandbox = with_database();
    let run = sandbox.run(["verify", "game/Synth.db"]).success();
    assert!(
        run.out.contains("note[foreign-note]: game/Synth.db: Synth.txd: ") && run.out.contains("uncertain"),
        "{run:?}"
    );
    assert!(run.out.contains("game/Synth.db: ok; "), "{run:?}");
    sandbox.run(["srsc", "tree", "game/Synth.db", "--strict"]).success();
    std::fs::remove_file(sandbox.path("game/Common/Shared.db")).unwrap();
    sandbox.run(["srsc", "tree", "game/Synth.db", "--strict"]).failed(1, &["Synth.db: dependency at offset"]);
    let run = sandbox.run(["verify", "game/Synth.db"]);
    for text in ["error[foreign-damaged]: game/Synth.db: ", "textures at offset", "which was not found"] {
        assert!(run.code == 1 && run.out.contains(text), "{text:?} is not in {run:?}");
    }
    sandbox.write("game/Synth.db", b"version 1\ndependencies 1\n2 ..\\other\n");
    sandbox.run(["srsc", "tree", "game/Synth.db"]).failed(1, &["leads out of the directory", "--allow-outside"]);
    sandbox.write("other.db", b"version 1\ndependencies 0\n");
    sandbox.run(["srsc", "tree", "game/Synth.db", "--allow-outside"]).success();
}

#[test]
fn tree_shows_groups_and_what_is_in_them() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "tree", "game/Synth.sdb"]).success();
    assert_eq!(run.out, "Synth.sdb\n  Footsteps\n    Stone\n      sound 0x0003 step\n  sound 0x0004 loop!\n");
    let found = json(&sandbox.run(["srsc", "tree", "game/Synth.sdb", "--json"]).success());
    assert_eq!(found["archives"][0]["groups"][0]["groups"][0]["assets"][0]["name"], "step");
}

#[test]
fn songs_are_shown_as_groups_and_keep_their_volume() {
    let sandbox = Sandbox::new();
    let riff = |form: &[u8; 4]| [b"RIFF\x04\0\0\0", &form[..]].concat();
    let records = [
        RecordBytes::new(0x401, 4, 0, riff(b"DMSG")),
        RecordBytes::new(0x401, 0x103, 0, riff(b"DLS ")),
        RecordBytes::new(0x401, 0x1004, 0, (-650i32).to_le_bytes()),
        RecordBytes::new(0x401, 0x1005, 0, 0i32.to_le_bytes()),
        RecordBytes::new(0x401, 7, 0, *b"text"),
    ];
    sandbox.write("game/Music.rrc", &write::archive(&records));
    let run = sandbox.run(["srsc", "tree", "game/Music.rrc"]).success();
    let expected = "Music.rrc\n  song 4\n    piece 0x0004\n    instruments 0x0103\n    volume 0x1004 -6.50 dB\n  \
                    volume 0x1005 0.00 dB\n  plain 0x0007\n";
    assert_eq!(run.out, expected);
    let found = json(&sandbox.run(["srsc", "tree", "game/Music.rrc", "--json"]).success());
    assert_eq!(found["archives"][0]["groups"][0]["name"], "song 4");

    // In a build, an extraction, and a build of what was extracted.
    sandbox.run(["pack", "game", "-o", "game.rres"]).success();
    sandbox.run(["extract", "game/Music.rrc", "-o", "tree", "--metadata"]).success();
    sandbox.run(["pack", "tree", "-o", "again.rres"]).success();
    let song = |text: &[u8]| serde_json::from_slice::<Value>(text).unwrap();
    for file in ["game.rres", "again.rres", "game/Music.rrc"] {
        let text = sandbox.run(["cat", file, "Music.rrc#song/4"]).success().bytes;
        assert_eq!(
            (&song(&text)["volume"], &song(&text)["instruments"]),
            (&(-650).into(), &"Music.rrc#259".into()),
            "{file}"
        );
    }
    let info = json(&sandbox.run(["info", "game.rres", "Music.rrc#song/4", "--json"]).success());
    assert_eq!(info["dependencies"], serde_json::json!(["Music.rrc#4", "Music.rrc#259"]));
    assert_eq!(info["groups"], serde_json::json!(["music_rrc_song"]));
}

#[test]
fn links_to_other_databases_are_extracted_or_named() {
    let sandbox = with_database();
    let bytes = sandbox.read("game/Synth.txd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    let records = archive.records().map(|record| {
        let mut contents = record.parse(&mut Checks::strict()).unwrap();
        if let (Record::Texture(texture), 8) = (&mut contents, record.key().id) {
            (texture.bump, texture.mip) = (Ref { id: 1, database: 2 }, Ref { id: 1, database: 2 });
            texture.alternate = Ref { id: 9, database: 2 };
        }
        RecordBytes { key: record.key(), group: 0, body: write::record(&contents) }
    });
    let bytes = write::archive(&records.collect::<Vec<_>>());
    sandbox.write("game/Synth.txd", &bytes);
    let run = sandbox.run(["extract", "game/Synth.db", "-o", "tree", "--metadata"]);
    assert!(run.err.contains("lead to nothing here are left out (alternate 2:0x0009 of texture 8)"), "{run:?}");
    let settings = String::from_utf8(sandbox.read("tree/assets.toml")).unwrap();
    let links = "image = { mipmaps = true, bump = \"Common/Shared.txd#1.png\", material = \"Synth.odb#Things/Synthetic Thing\" }";
    assert!(settings.contains(links), "{settings}");
    let run = sandbox.run(["verify", "game/Synth.db"]);
    assert!(run.code == 1 && run.out.contains("alternate at offset") && !run.out.contains("bump at offset"), "{run:?}");
}

#[test]
fn a_model_without_its_records_is_an_error_of_verify() {
    let sandbox = Sandbox::new();
    let model = ModelName { name: Text::new(b"empty"), shading: Shading(0) };
    let records = [RecordBytes::new(0x200, 9, 0, write::record(&Record::ModelName(model)))];
    sandbox.write("a.mod", &write::archive(&records));
    let run = sandbox.run(["verify", "a.mod"]);
    for key in ["0x0203:0x0009", "0x0204:0x0009", "0x0206:0x0009"] {
        assert!(run.code == 1 && run.out.contains(&format!("refers to {key}, which a.mod does not have")), "{run:?}");
    }
    sandbox.run(["ls", "a.mod"]).success();
}

#[test]
fn an_archive_of_only_further_pictures_is_extracted_like_any_other() {
    let sandbox = with_database();
    let bytes = sandbox.read("game/Synth.txd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    let frame = archive.record(11).unwrap().body();
    let records: Vec<RecordBytes> = (1..300).rev().map(|id| RecordBytes::new(0x40, id, 0, frame)).collect();
    sandbox.write("a.txd", &write::archive(&records));
    sandbox.run(["extract", "a.txd", "-o", "tree"]).success();
    let files = tree(&sandbox.path("tree"));
    assert_eq!(files.iter().filter(|file| file.starts_with("a.txd#")).count(), 299, "{files:?}");
}

#[test]
fn of_records_that_share_a_key_the_first_is_meant_and_raw_writes_each() {
    let sandbox = with_database();
    let bytes = sandbox.read("game/Synth.txd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    let body = |id: u16| archive.records().find(|record| record.key().id == id).unwrap().body().to_vec();
    let sounds = sandbox.read("game/Synth.sdb");
    let sounds = Archive::parse("b", &sounds, &mut Checks::strict()).unwrap();
    let sound = |number: usize| sounds.record(number).unwrap().body().to_vec();
    let records = [
        RecordBytes::new(0x40, 7, 0, body(2)),
        RecordBytes::new(0x40, 7, 0, body(13)),
        RecordBytes::new(0x302, 3, 0, sound(2)),
        RecordBytes::new(0x302, 3, 0, sound(3)),
        RecordBytes::new(0x401, 1, 0, *b"one"),
        RecordBytes::new(0x401, 1, 0, *b"two"),
    ];
    sandbox.write("a.rrc", &write::archive(&records));

    let run = sandbox.run(["srsc", "raw", "a.rrc", "-o", "raw"]);
    assert!(run.code == 0 && run.err.contains("another record has the same type and id"), "{run:?}");
    assert_eq!(sandbox.read("raw/a.rrc/plain-0x0001.bin"), b"one");
    assert_eq!(sandbox.read("raw/a.rrc/plain-0x0001.2.bin"), b"two");
    assert_eq!(sandbox.read("raw/a.rrc/texture-0x0007.bin"), body(2));
    assert_eq!(sandbox.read("raw/a.rrc/texture-0x0007.2.bin"), body(13));

    assert_eq!(sandbox.run(["cat", "a.rrc", "a.rrc#1"]).success().bytes, b"one");
    assert_eq!(sandbox.run(["extract", "a.rrc", "a.rrc#7", "-o", "tree"]).code, 0);
    assert_eq!(tree(&sandbox.path("tree")), ["a.rrc#7.png".to_owned()].into());
    // The second is checked, too.
    let mut damaged = records;
    damaged[1] = RecordBytes::new(0x40, 7, 0, [0xff; 60]);
    sandbox.write("b.rrc", &write::archive(&damaged));
    let run = sandbox.run(["verify", "b.rrc"]);
    assert!(run.code == 1 && run.out.contains("record 0x0040:0x0007, width at offset"), "{run:?}");
}
