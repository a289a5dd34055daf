//! `cargo rres srsc`: a database that the writer of `rres-import-srsc` makes, and damaged ones.

use std::collections::BTreeSet;
use std::path::Path;

use rres_build::ByteSize;
use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks};
use rres_runtime::{Image, Pack, Sound};
use serde_json::Value;

use crate::{Run, Sandbox};

/// A sandbox with the database in `game`.
pub(crate) fn with_database() -> Sandbox {
    let sandbox = Sandbox::new();
    write::example().into_iter().for_each(|(path, bytes)| sandbox.write(&format!("game/{path}"), &bytes));
    sandbox
}

#[track_caller]
fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"))
}

/// The files below a directory.
fn tree(dir: &Path) -> BTreeSet<String> {
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
fn png(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    (info.width, info.height, pixels)
}

#[test]
fn ls_lists_type_id_group_offset_and_size() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "ls", "game/Synth.rrc", "--json"]).success();
    let records = json(&run)["records"].as_array().unwrap().clone();
    let list: Vec<_> = records
        .iter()
        .map(|record| {
            let text = |name: &str| record[name].as_str().unwrap().to_owned();
            (
                text("type"),
                text("id"),
                text("group"),
                record["offset"].as_u64().unwrap(),
                record["size"].as_u64().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("0x0400", "0x0001", 12, 6),
        ("0x0401", "0x0002", 18, 10),
        ("0x0401", "0x0101", 28, 12),
        ("0x0401", "0x1001", 40, 4),
        ("0x0400", "0x0003", 44, 49),
        ("0x0401", "0x0004", 93, 12),
    ];
    let expected =
        expected.map(|(kind, id, offset, size)| (kind.to_owned(), id.to_owned(), "0x0000".to_owned(), offset, size));
    assert_eq!(list, expected);
    let run = sandbox.run(["srsc", "ls", "game/Synth.db", "sound"]).success();
    assert!(run.out.contains("Synth.sdb  0x0302  0x0003  0x0002  102 B  sound  step"), "{}", run.out);
    assert!(run.out.contains("2 records, "), "{}", run.out);
    sandbox.run(["srsc", "ls", "game/Synth.db", "sound:9"]).failed(2, &["no record is sound:9"]);
    sandbox.run(["srsc", "ls", "game/Synth.db", "songs"]).failed(2, &["unknown type", "hidden-text"]);
    sandbox.run(["srsc", "ls", "game/none.db"]).failed(2, &["game/none.db: no such file"]);
}

#[test]
fn cat_prints_hidden_texts_and_the_bytes_of_records() {
    let sandbox = with_database();
    let cat = |args: &[&str]| sandbox.run([&["srsc", "cat", "game/Synth.rrc"], args].concat());
    assert_eq!(cat(&["hidden-text:1"]).success().out, "Dragon");
    assert_eq!(cat(&["0x0400:3"]).success().out, "Grüße ä long enough to wrap the 32-byte keystream");
    assert_eq!(cat(&["hidden-text:1", "--raw"]).success().bytes, [0x49, 0x18, 0x36, 0xd8, 0x92, 0x80]);
    cat(&["hidden-text"]).failed(2, &["2 records are hidden-text", "hidden-text:0x0001"]);
    cat(&["plain:0x1001"]).failed(2, &["is not a text", "--raw"]);
}

#[test]
fn extract_writes_pictures_sounds_models_and_data() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("pixels of 32 bits with alpha are taken as blue"), "{}", run.err);
    let files = tree(&sandbox.path("tree"));
    assert_eq!(files.iter().filter(|file| file.starts_with("textures/")).count(), 13, "{files:?}");
    let (width, height, pixels) = png(&sandbox.read("tree/textures/6.png"));
    assert_eq!((width, height), (2, 2));
    // From the top to the bottom, so the stored rows are turned.
    let expected = [[0, 0, 255, 255], [255, 0, 255, 0], [255, 0, 0, 255], [0, 255, 0, 255]].concat();
    assert_eq!(pixels, expected);
    assert_eq!(png(&sandbox.read("tree/textures/7.png")).2, [3, 2, 1, 4, 7, 6, 5, 8]);

    let list: Value = serde_json::from_slice(&sandbox.read("tree/database.json")).unwrap();
    let records = list["records"].as_array().unwrap();
    let of = |kind: &str, id: &str| records.iter().find(|record| record["kind"] == kind && record["id"] == id).unwrap();
    let animation = of("texture", "0x000a");
    assert_eq!(animation["contents"]["fps"], 12);
    assert_eq!(animation["links"]["frames"].as_array().unwrap().len(), 3);
    let looped = of("sound", "0x0004");
    assert!((looped["contents"]["gain"].as_f64().unwrap() - 0.501_187).abs() < 1e-6);
    assert_eq!(looped["contents"]["loop"], true);
    assert_eq!((&looped["contents"]["drop_off"], &looped["contents"]["priority"]), (&15.5.into(), &10.into()));
    assert_eq!(looped["files"][0], "sounds/loop!.wav");

    let wav = hound::WavReader::new(std::io::Cursor::new(sandbox.read("tree/sounds/loop!.wav"))).unwrap();
    let spec = wav.spec();
    assert_eq!((spec.channels, spec.bits_per_sample, spec.sample_rate), (2, 16, 22_050));
    let samples: Vec<i16> = wav.into_samples().map(Result::unwrap).collect();
    assert_eq!(samples, (0..32).flat_map(|i| [i * 100, -i * 100]).collect::<Vec<i16>>());
    let step = sandbox.read("tree/sounds/Footsteps/Stone/step.wav");
    assert_eq!(step[44..], (0..64u8).map(|i| 128 + i % 16 * 4).collect::<Vec<u8>>());

    let class: Value = serde_json::from_slice(&sandbox.read("tree/classes/Things/Synthetic Thing.json")).unwrap();
    let values: Vec<String> =
        class["fields"].as_array().unwrap().iter().map(|field| field["value"].to_string()).collect();
    let expected =
        ["-7", "1.5", "\"Hello, riot\"", "[\"0:0x0003\",\"0:0x0004\"]", "\"#ff7f0180\"", "true", "\"2:0x0001\""];
    assert_eq!(values, expected);
    let intro: Value = serde_json::from_slice(&sandbox.read("tree/sequences/Cutscenes/Intro.json")).unwrap();
    assert_eq!(intro["actors"][0]["actions"].as_array().unwrap().len(), 8);
    let wave: Value = serde_json::from_slice(&sandbox.read("tree/animations/wave.json")).unwrap();
    assert_eq!(
        wave["frames"].as_array().unwrap().iter().map(|node| node.as_array().unwrap().len()).collect::<Vec<_>>(),
        [2, 1]
    );
    let model: Value = serde_json::from_slice(&sandbox.read("tree/models/Props/quad.json")).unwrap();
    assert_eq!(model["levels_of_detail"][1]["distance"], 25.0);
}

/// The document of a `.glb`.
fn document(glb: &[u8]) -> Value {
    let size = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + size]).unwrap()
}

#[test]
fn models_refer_to_their_textures_and_keep_both_sides() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let quad = document(&sandbox.read("tree/models/Props/quad.glb"));
    let indices: u64 = quad["meshes"][0]["primitives"]
        .as_array()
        .unwrap()
        .iter()
        .map(|primitive| quad["accessors"][primitive["indices"].as_u64().unwrap() as usize]["count"].as_u64().unwrap())
        .sum();
    assert_eq!(indices, 9);
    let images: Vec<&str> =
        quad["images"].as_array().unwrap().iter().map(|image| image["uri"].as_str().unwrap()).collect();
    assert_eq!(images, ["../../textures/6.png", "../../dependencies/Common_Shared/textures/1.png"]);
    assert!(images.iter().all(|image| sandbox.path("tree/models/Props").join(image).exists()));
    assert_eq!(
        (&quad["materials"][0]["doubleSided"], &quad["materials"][1]["doubleSided"]),
        (&Value::Null, &true.into())
    );
}

#[test]
fn import_gives_a_pack_with_the_same_pixels_and_samples() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "import", "game/Synth.db", "-o", "assets", "--order-32", "bgra"]).success();
    assert!(run.out.contains("assets written: 22 files and assets.toml"), "{}", run.out);
    sandbox.run(["pack", "assets", "-o", "synth.rres"]).success();
    let pack = Pack::open(sandbox.path("synth.rres")).unwrap();
    let image = |path: &str| pack.load::<Image>(pack.find(path).unwrap()).unwrap();
    for id in [1, 2, 3, 4, 5, 6, 7, 13] {
        let path = format!("textures/{id}.png");
        let image = image(&path);
        assert_eq!(image.to_rgba8().unwrap(), png(&sandbox.read(&format!("assets/{path}"))).2, "{path}");
    }
    let linked = image("textures/8.png");
    assert_eq!(linked.bump().map(|id| id.resource()), pack.find("textures/3.png"));
    assert_eq!(linked.alternate().map(|id| id.resource()), pack.find("textures/4.png"));
    assert_eq!(linked.mipmaps(), 2);
    assert!(pack.find("textures/9.png").is_none(), "the smaller level of another texture");
    let fire = image("textures/animation_10/10.png");
    let sequence = fire.sequence().unwrap();
    assert_eq!((sequence.images().len(), sequence.frame_time().as_millis()), (3, 83));
    assert_eq!(sequence.index_at(std::time::Duration::from_millis(100)), 1);
    let sound: Sound = pack.load(pack.find("sounds/loop!.wav").unwrap()).unwrap();
    assert!(sound.is_looped());
    assert!((sound.linear_gain() - 0.501_187).abs() < 1e-6);
    assert_eq!((sound.channels(), sound.sample_rate(), sound.frames()), (2, 22_050, 32));
    let samples: Vec<u8> = (0..32i16).flat_map(|i| [i * 100, -i * 100]).flat_map(i16::to_le_bytes).collect();
    assert_eq!(&sound.data()[..], samples);
    // The directory is not written twice.
    let again = ["srsc", "import", "game/Synth.db", "-o", "assets", "--order-32", "bgra"];
    sandbox.run(again).failed(2, &["would be replaced", "--force"]);
    sandbox.run(again.into_iter().chain(["--force"])).success();
}

#[test]
fn the_order_of_32_bits_is_an_option() {
    let sandbox = with_database();
    let args = ["srsc", "extract", "game/Synth.txd", "texture:7", "-o", "tree", "--order-32", "rgba"];
    sandbox.run(args).success();
    assert_eq!(png(&sandbox.read("tree/textures/7.png")).2, [1, 2, 3, 4, 5, 6, 7, 8]);
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
