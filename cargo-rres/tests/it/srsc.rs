//! `cargo rres srsc`: a database that the writer of `rres-import-srsc` makes, and damaged ones.

use std::collections::BTreeSet;
use std::path::Path;

use rres_build::ByteSize;
use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks};
use serde_json::Value;

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

/// Decodes a `.png` of 8 bits with alpha: width, height and pixels.
pub(crate) fn png(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    (info.width, info.height, pixels)
}

#[test]
fn ls_lists_what_is_chosen_and_names_what_is_not_there() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "ls", "game/Synth.db", "sound"]).success();
    assert!(run.out.contains("Synth.sdb  0x0302  0x0003  0x0002  102 B  sound  step"), "{}", run.out);
    assert!(run.out.contains("2 records, "), "{}", run.out);
    sandbox.run(["srsc", "ls", "game/Synth.db", "sound:9"]).failed(2, &["no record is sound:9"]);
    sandbox.run(["srsc", "ls", "game/Synth.db", "songs"]).failed(2, &["unknown type", "hidden-text"]);
    sandbox.run(["srsc", "ls", "game/none.db"]).failed(2, &["game/none.db: no such file"]);
}

#[test]
fn cat_prints_one_text() {
    let sandbox = with_database();
    let cat = |record: &str| sandbox.run(["srsc", "cat", "game/Synth.rrc", record]);
    cat("hidden-text").failed(2, &["2 records are hidden-text", "hidden-text:0x0001"]);
    cat("plain:0x1001").failed(2, &["is not a text", "--raw"]);
}

#[test]
fn extract_writes_sequences_and_animations() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let intro: Value = serde_json::from_slice(&sandbox.read("tree/sequences/Cutscenes/Intro.json")).unwrap();
    assert_eq!(intro["actors"][0]["actions"].as_array().unwrap().len(), 8);
    let wave: Value = serde_json::from_slice(&sandbox.read("tree/animations/wave.json")).unwrap();
    let frames = wave["frames"].as_array().unwrap();
    assert_eq!(frames.iter().map(|node| node.as_array().unwrap().len()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn raw_writes_the_bytes_of_records() {
    let sandbox = with_database();
    sandbox.run(["srsc", "extract", "game/Synth.ssd", "-o", "raw", "--raw"]).success();
    let files = tree(&sandbox.path("raw"));
    let expected = ["sequence-0x0002", "sequence-counters-0x0000", "sequence-group-0x0001"];
    assert_eq!(files, expected.map(|name| format!("Synth.ssd/{name}.bin")).into());
    let bytes = sandbox.read("game/Synth.ssd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    assert_eq!(sandbox.read("raw/Synth.ssd/sequence-0x0002.bin"), archive.record(2).unwrap().body());
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
    sandbox.run(["srsc", "extract", "in/a.sdb", "-o", "out/deep"]).success();
    let after = tree(sandbox.dir.path());
    let new: Vec<&String> = after.difference(&before).collect();
    assert_eq!(new.len(), names.len() + 1, "{new:?}");
    assert!(new.iter().all(|file| file.starts_with("out/deep/")), "{new:?}");
}

#[test]
fn damage_is_named_and_nothing_is_written_unless_asked_for() {
    let sandbox = with_database();
    let mut bytes = sandbox.read("game/Synth.txd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    // The width of texture 2.
    let at = archive.record(2).unwrap().entry().offset as usize;
    bytes[at..at + 4].fill(0xff);
    sandbox.write("game/Synth.txd", &bytes);
    let place =
        format!("Synth.txd: record 0x0040:0x0002, width at offset 0x{at:x}: is 4294967295, and the limit is 16384");
    sandbox.run(["srsc", "check", "game/Synth.db"]).failed(1, &[&place]);
    let run = sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]).failed(1, &[&place]);
    assert!(run.out.contains("nothing is written"), "{}", run.out);
    assert!(!sandbox.path("tree").exists());
    sandbox.run(["srsc", "import", "game/Synth.db", "-o", "assets"]).failed(1, &[&place]);
    assert!(!sandbox.path("assets").exists());
    sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree", "--keep-going"]).failed(1, &[&place]);
    assert_eq!(tree(&sandbox.path("tree/textures")).len(), 12);
    let found = json(&sandbox.run(["srsc", "check", "game/Synth.db", "--json"]));
    let error = &found["errors"][0];
    assert_eq!((&error["type"], &error["id"], &error["field"]), (&"0x0040".into(), &"0x0002".into(), &"width".into()));
    assert_eq!(found["ok"], false);
}

#[test]
fn check_follows_references_and_strict_refuses_what_is_unusual() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "check", "game/Synth.db"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("game/Synth.db: ok; 41 records read"), "{}", run.out);
    sandbox.run(["srsc", "check", "game/Synth.db", "--strict"]).failed(1, &["which is uncertain"]);
    std::fs::remove_file(sandbox.path("game/Common/Shared.db")).unwrap();
    let texts = ["warning: Synth.db: dependency at offset", "textures at offset", "which was not found"];
    sandbox.run(["srsc", "check", "game/Synth.db"]).failed(1, &texts);
    sandbox.write("game/Synth.db", b"version 1\ndependencies 1\n2 ..\\other\n");
    sandbox.run(["srsc", "ls", "game/Synth.db"]).failed(1, &["leads out of the directory", "--allow-outside"]);
    sandbox.write("other.db", b"version 1\ndependencies 0\n");
    sandbox.run(["srsc", "ls", "game/Synth.db", "--allow-outside"]).success();
}

#[test]
fn tree_and_info_show_groups_fields_and_links() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "tree", "game/Synth.sdb"]).success();
    assert_eq!(run.out, "Synth.sdb\n  Footsteps\n    Stone\n      sound 0x0003 step\n  sound 0x0004 loop!\n");
    let found = json(&sandbox.run(["srsc", "tree", "game/Synth.sdb", "--json"]).success());
    assert_eq!(found["archives"][0]["groups"][0]["groups"][0]["assets"][0]["name"], "step");
    let class = sandbox.run(["srsc", "info", "game/Synth.db", "class:0x30"]).success().out;
    for line in ["contents.fields[0].value: -7", "links.Sounds[1].id: 0x0004", "links.Skin.database: Common/Shared.db"]
    {
        assert!(class.contains(line), "{line:?} is not in {class}");
    }
    let summary = json(&sandbox.run(["srsc", "info", "game/Synth.db", "--json"]).success());
    assert_eq!(summary["dependencies"][0]["path"], r"common\SHARED");
    assert_eq!(summary["types"].as_array().unwrap().len(), 22);
    let size: u64 = summary["types"].as_array().unwrap().iter().map(|kind| kind["size"].as_u64().unwrap()).sum();
    assert!(sandbox.run(["srsc", "ls", "game/Synth.db"]).success().out.contains(&ByteSize(size).to_string()));
}

#[test]
fn an_archive_of_only_further_pictures_is_extracted_like_any_other() {
    let sandbox = with_database();
    let bytes = sandbox.read("game/Synth.txd");
    let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    let frame = archive.record(11).unwrap().body();
    let records: Vec<RecordBytes> = (1..300).rev().map(|id| RecordBytes::new(0x40, id, 0, frame)).collect();
    sandbox.write("a.txd", &write::archive(&records));
    sandbox.run(["srsc", "extract", "a.txd", "-o", "tree"]).success();
    let files = tree(&sandbox.path("tree"));
    // Their first picture would have the id 0, and is missing.
    assert_eq!(files.iter().filter(|file| file.starts_with("textures/animation_0/")).count(), 299, "{files:?}");
}

#[test]
fn records_that_share_a_key_are_written_each_with_its_own_contents() {
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

    let run = sandbox.run(["srsc", "extract", "a.rrc", "-o", "raw", "--raw"]);
    assert!(run.code == 0 && run.err.contains("another record has the same type and id"), "{run:?}");
    assert_eq!(sandbox.read("raw/a.rrc/plain-0x0001.bin"), b"one");
    assert_eq!(sandbox.read("raw/a.rrc/plain-0x0001.1.bin"), b"two");
    assert_eq!(sandbox.read("raw/a.rrc/texture-0x0007.bin"), body(2));
    assert_eq!(sandbox.read("raw/a.rrc/texture-0x0007.7.bin"), body(13));

    assert_eq!(sandbox.run(["srsc", "extract", "a.rrc", "-o", "tree"]).code, 0);
    assert_eq!(sandbox.read("tree/texts/1.txt"), b"one");
    assert_eq!(sandbox.read("tree/texts/1.1.txt"), b"two");
    assert_eq!(png(&sandbox.read("tree/textures/7.7.png")).2[..4], [13, 13, 13, 255]);
    assert!(sandbox.path("tree/sounds/step.wav").exists() && sandbox.path("tree/sounds/loop!.wav").exists());
    let list: Value = serde_json::from_slice(&sandbox.read("tree/database.json")).unwrap();
    let files: Vec<&Value> = list["records"].as_array().unwrap().iter().map(|record| &record["files"]).collect();
    assert_eq!(files[4..], [&serde_json::json!(["texts/1.txt"]), &serde_json::json!(["texts/1.1.txt"])]);

    // A single one cannot be meant.
    sandbox.run(["srsc", "cat", "a.rrc", "plain:1"]).failed(2, &["2 records are plain:1", "extract --raw"]);
    // The second is checked, too.
    let mut damaged = records;
    damaged[1] = RecordBytes::new(0x40, 7, 0, [0xff; 60]);
    sandbox.write("b.rrc", &write::archive(&damaged));
    sandbox.run(["srsc", "check", "b.rrc"]).failed(1, &["record 0x0040:0x0007, width at offset"]);
}
