//! The acceptance checks of reading databases of the Riot engine, by their numbers. What the reader finds in each record is checked in
//! `rres-import-srsc/tests/it/acceptance.rs`, and a pack is compared with another reader by `interop/check_srsc.py`.

use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks, RecordView, hide};
use rres_runtime::{Image, Pack, Sound};
use serde_json::{Value, json};

use crate::Sandbox;
use crate::extract::glb;
use crate::srsc::{json as json_of, png, tree, with_database};

#[test]
fn check_1_12_1_ls_lists_type_id_group_offset_and_size() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "ls", "game/Synth.rrc", "--json"]).success();
    let records = json_of(&run)["records"].as_array().unwrap().clone();
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
}

/// The pixels of each texture in the order of the archive, which has the bottom row first.
const TEXTURES: [(&str, u32, &str); 13] = [
    (
        "1",
        4,
        "00ff00ff 01fe07ff 02fd0e00 03fc15ff 04fb1cff 05fa23ff 06f92aff 07f831ff 08f738ff 09f63fff 0af546ff 0bf44dff 0cf354ff 0df25bff 0ef162ff 0ff069ff",
    ),
    ("2", 4, "ff0000ff 00ff00ff 0000ffff ffffffff 000000ff 838183ff ff00ffff 00ffffff"),
    ("3", 4, "ff0000ff ff000000 00ff00ff 0000ffff"),
    ("4", 4, "ff0000ff ff000088 00ff0000 0000ffff"),
    ("5", 4, "ff0000ff ff000080 00ff0000 0000ffff"),
    ("6", 2, "ff0000ff 00ff00ff 0000ffff ff00ff00"),
    ("7", 2, "03020104 07060508"),
    ("8", 2, "000102ff 030405ff 060708ff 090a0bff"),
    ("9", 1, "090909ff"),
    ("animation_10/10", 2, "0a0a0aff 0a0a0aff"),
    ("animation_10/11", 2, "0b0b0bff 0b0b0bff"),
    ("animation_10/12", 2, "0c0c0cff 0c0c0cff"),
    ("13", 2, "0d0d0dff 0d0d0dff"),
];

/// The pixels of a texture from the top to the bottom.
fn turned(width: u32, pixels: &str) -> Vec<u8> {
    let pixels: Vec<[u8; 4]> =
        pixels.split(' ').map(|pixel| u32::from_str_radix(pixel, 16).unwrap().to_be_bytes()).collect();
    pixels.chunks(width as usize).rev().flatten().flatten().copied().collect()
}

#[test]
fn check_1_12_2_textures_have_the_known_pixels_after_one_vertical_flip() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("pixels of 32 bits with alpha are taken as blue"), "{}", run.err);
    let files = tree(&sandbox.path("tree"));
    assert_eq!(files.iter().filter(|file| file.starts_with("textures/")).count(), TEXTURES.len(), "{files:?}");
    for (name, width, pixels) in TEXTURES {
        let expected = turned(width, pixels);
        let height = expected.len() as u32 / 4 / width;
        assert_eq!(png(&sandbox.read(&format!("tree/textures/{name}.png"))), (width, height, expected), "{name}");
    }
    let list: Value = serde_json::from_slice(&sandbox.read("tree/database.json")).unwrap();
    let animation = record(&list, "texture", "0x000a");
    assert_eq!(animation["contents"]["fps"], 12);
    assert_eq!(animation["links"]["frames"].as_array().unwrap().len(), 3);
}

/// A record of `database.json`.
fn record<'l>(list: &'l Value, kind: &str, id: &str) -> &'l Value {
    let records = list["records"].as_array().unwrap();
    records.iter().find(|record| record["kind"] == kind && record["id"] == id).unwrap()
}

#[test]
fn check_1_12_2_the_order_of_32_bits_is_an_option() {
    let sandbox = with_database();
    let args = ["srsc", "extract", "game/Synth.txd", "texture:7", "-o", "tree", "--order-32", "rgba"];
    sandbox.run(args).success();
    assert_eq!(png(&sandbox.read("tree/textures/7.png")).2, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn check_1_12_3_sounds_have_the_known_samples_and_metadata() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let list: Value = serde_json::from_slice(&sandbox.read("tree/database.json")).unwrap();
    let looped = record(&list, "sound", "0x0004");
    assert!((looped["contents"]["gain"].as_f64().unwrap() - 0.501_187).abs() < 1e-6);
    assert_eq!(looped["contents"]["loop"], true);
    assert_eq!((&looped["contents"]["drop_off"], &looped["contents"]["priority"]), (&15.5.into(), &10.into()));
    assert_eq!(looped["files"], json!(["sounds/loop!.wav"]));
    let wav = |file: &str| hound::WavReader::new(std::io::Cursor::new(sandbox.read(file))).unwrap();
    let shape = |spec: hound::WavSpec| (spec.channels, spec.bits_per_sample, spec.sample_rate);
    let stereo = wav("tree/sounds/loop!.wav");
    assert_eq!(shape(stereo.spec()), (2, 16, 22_050));
    let samples: Vec<i16> = stereo.into_samples().map(Result::unwrap).collect();
    assert_eq!(samples, (0..32).flat_map(|i| [i * 100, -i * 100]).collect::<Vec<i16>>());
    assert_eq!(shape(wav("tree/sounds/Footsteps/Stone/step.wav").spec()), (1, 8, 11_025));
    let step = sandbox.read("tree/sounds/Footsteps/Stone/step.wav");
    assert_eq!(step[44..], (0..64u8).map(|i| 128 + i % 16 * 4).collect::<Vec<u8>>());
}

#[test]
fn check_1_12_4_models_have_vertices_textures_of_two_databases_both_sides_and_levels() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let (quad, data) = glb(&sandbox.read("tree/models/Props/quad.glb"));
    // The values of an accessor. The importer writes floats and indices only.
    let values = |accessor: &Value| -> Vec<f32> {
        let accessor = &quad["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &quad["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let at = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
        let numbers = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            _ => 3,
        };
        let count = accessor["count"].as_u64().unwrap() as usize * numbers;
        let bytes = &data[at as usize..];
        match accessor["componentType"].as_u64().unwrap() {
            5126 => bytes.as_chunks::<4>().0[..count].iter().map(|value| f32::from_le_bytes(*value)).collect(),
            5125 => bytes.as_chunks::<4>().0[..count].iter().map(|value| u32::from_le_bytes(*value) as f32).collect(),
            5123 => bytes.as_chunks::<2>().0[..count].iter().map(|value| u16::from_le_bytes(*value).into()).collect(),
            other => panic!("{other}"),
        }
    };
    let first = &quad["meshes"][0]["primitives"][0];
    let positions = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]].concat();
    assert_eq!(values(&first["attributes"]["POSITION"]), positions.iter().map(|v| *v as f32).collect::<Vec<_>>());
    // v is 1 minus what is stored, since the rows of the picture are turned.
    let uvs = [[0, 1], [1, 1], [1, 0], [0, 0]].concat();
    assert_eq!(values(&first["attributes"]["TEXCOORD_0"]), uvs.iter().map(|v| *v as f32).collect::<Vec<_>>());
    assert_eq!(values(&first["indices"]), [0.0, 1.0, 2.0, 0.0, 2.0, 3.0]);
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
    let model: Value = serde_json::from_slice(&sandbox.read("tree/models/Props/quad.json")).unwrap();
    let levels = json!([{ "model": "0x0010", "distance": 0.0 }, { "model": "0x0011", "distance": 25.0 }]);
    assert_eq!(model["levels_of_detail"], levels);
}

#[test]
fn check_1_12_5_a_pack_of_an_import_has_the_pixels_and_samples_of_the_archives() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "import", "game/Synth.db", "-o", "assets", "--order-32", "bgra"]).success();
    assert!(run.out.contains("assets written: 22 files and assets.toml"), "{}", run.out);
    sandbox.run(["pack", "assets", "-o", "synth.rres"]).success();
    let pack = Pack::open(sandbox.path("synth.rres")).unwrap();
    let image = |path: &str| pack.load::<Image>(pack.find(path).unwrap()).unwrap();
    for (name, width, pixels) in TEXTURES.into_iter().filter(|(name, ..)| *name != "9") {
        let image = image(&format!("textures/{name}.png"));
        let expected = turned(width, pixels);
        assert_eq!((image.width(), &image.to_rgba8().unwrap()[..expected.len()]), (width, &expected[..]), "{name}");
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
    // The ids follow from the paths, and the command lists them.
    let list = json_of(&sandbox.run(["ls", "synth.rres", "--json"]).success());
    let listed = list["resources"].as_array().unwrap();
    assert_eq!(listed.len(), 22);
    for asset in listed {
        let path = asset["path"].as_str().unwrap();
        assert_eq!(asset["id"], format!("0x{:08x}", crc32fast::hash(path.as_bytes())), "{path}");
    }
    // The directory is not written twice.
    let again = ["srsc", "import", "game/Synth.db", "-o", "assets", "--order-32", "bgra"];
    sandbox.run(again).failed(2, &["would be replaced", "--force"]);
    sandbox.run(again.into_iter().chain(["--force"])).success();
}

#[test]
fn check_1_12_6_hidden_texts_are_shown_and_hiding_them_gives_the_same_bytes() {
    let sandbox = with_database();
    let cat = |args: &[&str]| sandbox.run([&["srsc", "cat", "game/Synth.rrc"], args].concat()).success();
    // The second is longer than the 32 bytes after which the state comes back, and is Windows-1252 in the archive.
    let long = "Grüße ä long enough to wrap the 32-byte keystream";
    for (record, text) in [("hidden-text:1", "Dragon"), ("0x0400:3", long)] {
        assert_eq!(cat(&[record]).out, text);
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        assert_eq!(cat(&[record, "--raw"]).bytes, hide(&latin));
    }
    assert_eq!(cat(&["hidden-text:1", "--raw"]).bytes, [0x49, 0x18, 0x36, 0xd8, 0x92, 0x80]);
}

#[test]
fn check_1_12_7_a_class_is_typed_json() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let class: Value = serde_json::from_slice(&sandbox.read("tree/classes/Things/Synthetic Thing.json")).unwrap();
    let expected = json!({
        "Hit points": -7,
        "Speed": 1.5,
        "Label": "Hello, riot",
        "Sounds": ["0:0x0003", "0:0x0004"],
        "Tint": "#ff7f0180",
        "Solid": true,
        "Skin": "2:0x0001",
    });
    assert_eq!(class["values"], expected);
    let fields = class["fields"].as_array().unwrap();
    let types: Vec<&str> = fields.iter().map(|field| field["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["integer", "float", "text", "sound", "color", "boolean", "texture"]);
    assert!(fields.iter().all(|field| field["value"] == expected[field["name"].as_str().unwrap()]));
}

#[path = "../../../examples/examples/srsc/classes.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is written for programs that export it")]
mod classes;

#[test]
fn check_1_12_7_the_schema_is_rust_that_compiles_and_reads_the_class() {
    let sandbox = with_database();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/examples/srsc/classes.rs");
    let found = sandbox.run(["srsc", "schema", "game/Synth.odb"]).success().out;
    let expected = std::fs::read_to_string(file).unwrap().replace("\r\n", "\n");
    assert_eq!(found, expected, "write it again: cargo rres srsc schema examples/srsc/Synth.odb > {file}");

    assert_eq!(sandbox.run(["srsc", "extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let class = sandbox.read("tree/classes/Things/Synthetic Thing.json");
    let class: classes::Class<classes::SyntheticThing> = serde_json::from_slice(&class).unwrap();
    assert_eq!(
        (class.name.as_str(), class.model.as_deref(), class.library_class),
        ("Synthetic Thing", Some("0:0x0010"), 7)
    );
    let expected = classes::SyntheticThing {
        hit_points: -7,
        speed: 1.5,
        label: "Hello, riot".to_owned(),
        sounds: vec![Some("0:0x0003".to_owned()), Some("0:0x0004".to_owned())],
        tint: "#ff7f0180".to_owned(),
        solid: true,
        skin: Some("2:0x0001".to_owned()),
    };
    assert_eq!(class.values, expected);
    // A wrong type is an error with its line.
    let text = String::from_utf8(sandbox.read("tree/classes/Things/Synthetic Thing.json")).unwrap();
    let line = text.lines().position(|line| line.contains("\"Hit points\": -7")).unwrap() + 1;
    let wrong = text.replacen("\"Hit points\": -7", "\"Hit points\": true", 1);
    let error = serde_json::from_str::<classes::Class<classes::SyntheticThing>>(&wrong).unwrap_err();
    assert!(error.to_string().contains(&format!("expected i32 at line {line}")), "{error}");
}

/// Files of the database with a change.
type Mutant = Vec<(String, Vec<u8>)>;

/// Changes the body of a record.
fn changed(file: &str, kind: u16, id: u16, change: impl Fn(&mut Vec<u8>)) -> Mutant {
    let mut files = write::example();
    let bytes = &mut files.iter_mut().find(|(path, _)| path == file).unwrap().1;
    let archive = Archive::parse(file, bytes, &mut Checks::default()).unwrap();
    let one = |record: RecordView<'_>| {
        let (entry, mut body) = (record.entry(), record.body().to_vec());
        if (entry.key.kind.0, entry.key.id) == (kind, id) {
            change(&mut body);
        }
        RecordBytes::new(entry.key.kind.0, entry.key.id, entry.group, body)
    };
    *bytes = write::archive(&archive.records().map(one).collect::<Vec<_>>());
    files
}

/// Changes the bytes of a file.
fn changed_file(file: &str, change: impl Fn(&mut Vec<u8>)) -> Mutant {
    let mut files = write::example();
    change(&mut files.iter_mut().find(|(path, _)| path == file).unwrap().1);
    files
}

fn put(body: &mut [u8], at: usize, bytes: &[u8]) {
    body[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Damaged databases, and what the error about each says.
fn mutants() -> Vec<(&'static str, Mutant, &'static [&'static str])> {
    let text = |text: &'static str| changed_file("Synth.db", move |bytes| *bytes = text.as_bytes().to_vec());
    let mut circle = text("version 1\ndependencies 1\n2 Common\\Shared\n");
    circle.retain(|(path, _)| path != "Common/Shared.db");
    circle.push(("Common/Shared.db".to_owned(), b"version 1\ndependencies 1\n2 Back\n".to_vec()));
    circle.push(("Common/Back.db".to_owned(), b"version 1\ndependencies 1\n2 Shared\n".to_vec()));
    vec![
        (
            "a texture index beyond the textures",
            changed("Synth.mod", 0x204, 0x10, |body| put(body, 6, &60_000u16.to_le_bytes())),
            &["Synth.mod: record 0x0204:0x0010, texture index at offset 0x", "is 60000"],
        ),
        (
            "a directory that is cut",
            changed_file("Synth.txd", |bytes| bytes.truncate(bytes.len() - 5)),
            &["Synth.txd: directory at offset 0x"],
        ),
        (
            "a sound of 4 GiB",
            changed("Synth.sdb", 0x302, 3, |body| put(body, 34, &u32::MAX.to_le_bytes())),
            &["Synth.sdb: record 0x0302:0x0003, ", "at offset 0x"],
        ),
        (
            "a sound that is longer than its record",
            changed("Synth.sdb", 0x302, 3, |body| body.truncate(body.len() - 10)),
            &["Synth.sdb: record 0x0302:0x0003, ", "at offset 0x"],
        ),
        (
            "rows that are shorter than the pixels",
            changed("Synth.txd", 0x40, 6, |body| put(body, 8, &1u32.to_le_bytes())),
            &["Synth.txd: record 0x0040:0x0006, pitch at offset 0x"],
        ),
        (
            "databases that depend on each other",
            circle,
            &["Common/Back.db: dependency at offset 0x", "Common/Shared.db"],
        ),
        (
            "a reference to a database that is not named",
            changed("Synth.mod", 0x206, 0x10, |body| put(body, 10, &9u16.to_le_bytes())),
            &[
                "Synth.mod: record 0x0206:0x0010, textures at offset 0x",
                "the database 9, which the .db file does not name",
            ],
        ),
        (
            "compressed data that becomes more than expected",
            changed("Synth.txd", 0x40, 6, |body| put(body, 4, &1u32.to_le_bytes())),
            &["Synth.txd: record 0x0040:0x0006, data at offset 0x", "more than 6 bytes"],
        ),
        (
            "compressed data that is cut",
            changed("Synth.txd", 0x40, 6, |body| {
                let size = body.len() as u32 - 54 - 3;
                body.truncate(body.len() - 3);
                put(body, 50, &size.to_le_bytes());
            }),
            &["Synth.txd: record 0x0040:0x0006, data at offset 0x"],
        ),
        (
            "a later version",
            changed_file("Synth.txd", |bytes| put(bytes, 4, &0x102u16.to_le_bytes())),
            &["Synth.txd: version at offset 0x4", "0x0102"],
        ),
        (
            "a record within the header",
            changed_file("Synth.rrc", |bytes| {
                let directory = u32::from_le_bytes(bytes[6..10].try_into().unwrap()) as usize;
                put(bytes, directory + 6, &4u32.to_le_bytes());
            }),
            &["Synth.rrc: record 0x0400:0x0001, body at offset 0x"],
        ),
        (
            "a text that is longer than its record",
            changed("Synth.sdb", 0x301, 1, |body| put(body, 0, &500u16.to_le_bytes())),
            &["Synth.sdb: record 0x0301:0x0001, ", "at offset 0x"],
        ),
        (
            "a value of a class beyond the values",
            changed("Synth.odb", 0x102, 0x30, |body| put(body, 44, &0xffffu16.to_le_bytes())),
            &["Synth.odb: record 0x0102:0x0030, value at offset 0x"],
        ),
        (
            "frames beyond the frames",
            changed("Synth.adb", 0x503, 1, |body| put(body, 2, &1000u32.to_le_bytes())),
            &["Synth.adb: record 0x0503:0x0001, ranges at offset 0x"],
        ),
        (
            "shapes that are in each other",
            changed("Synth.mod", 0x207, 0x11, |body| {
                put(body, 64, &2u16.to_le_bytes());
                let shape = body[body.len() - 16..].to_vec();
                body.truncate(68);
                body.extend([1, 0, 0, 0, 0, 0, 1, 0]);
                body.extend([&shape[..], &shape].concat());
            }),
            &["Synth.mod: record 0x0207:0x0011, ", "at offset 0x"],
        ),
        (
            "a path out of the directory",
            text("version 1\ndependencies 1\n2 ..\\..\\etc\\passwd\n"),
            &["Synth.db: dependency at offset 0x", "leads out of the directory"],
        ),
        (
            "65535 empty records",
            changed_file("Synth.txd", |bytes| {
                let records: Vec<RecordBytes> =
                    (0..=u16::MAX - 1).map(|id| RecordBytes::new(0x40, id, 0, [])).collect();
                *bytes = write::archive(&records);
            }),
            &["Synth.txd: record 0x0040:0x0000, ", "at offset 0x"],
        ),
    ]
}

#[test]
fn check_1_12_8_damage_is_named_with_file_record_and_offset_and_nothing_is_written() {
    for (name, files, texts) in mutants() {
        let sandbox = Sandbox::new();
        files.iter().for_each(|(path, bytes)| sandbox.write(&format!("game/{path}"), bytes));
        let file = if texts[0].starts_with("Synth.rrc") { "game/Synth.rrc" } else { "game/Synth.db" };
        let before = tree(sandbox.dir.path());
        for args in [&["check", file][..], &["extract", file, "-o", "out"], &["import", file, "-o", "out"]] {
            let run = sandbox.run([&["srsc"], args].concat());
            assert_eq!(run.code, 1, "{name}: {run:?}");
            texts.iter().for_each(|text| assert!(run.err.contains(text), "{name}: {text:?} is not in {}", run.err));
        }
        assert_eq!(tree(sandbox.dir.path()), before, "{name}");
    }
}

/// The limit covers what a process allocates and the stacks of its threads, whether or not it is in memory: so it is stricter than one of
/// the resident set. A process that needs more ends with a signal, which is a failure here.
#[cfg(target_os = "linux")]
#[test]
fn check_1_12_8_damaged_databases_take_at_most_64_mib() {
    for (name, files, texts) in mutants() {
        let sandbox = Sandbox::new();
        let mut size = 0;
        for (path, bytes) in &files {
            sandbox.write(&format!("game/{path}"), bytes);
            size += bytes.len();
        }
        let file = if texts[0].starts_with("Synth.rrc") { "game/Synth.rrc" } else { "game/Synth.db" };
        for command in ["check", "extract", "import"] {
            let limited = format!("ulimit -d {} && exec \"$0\" \"$@\"", 64 * 1024 + size / 1024);
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &limited, env!("CARGO_BIN_EXE_cargo-rres"), "srsc", command, file]);
            shell.args((command != "check").then_some(["-o", "out"]).into_iter().flatten());
            let output = shell.current_dir(sandbox.dir.path()).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// Prints the most processor time that `ls` and each command that reads contents take with damage. `RRES_COMMAND` is another program than that of the
/// tests, such as one of a release build.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "a measurement: cargo test -p cargo-rres --test it -- --ignored --nocapture times_of_damaged"]
#[expect(clippy::print_stdout, reason = "a measurement is printed")]
fn times_of_damaged_databases() {
    let program = std::env::var("RRES_COMMAND").unwrap_or_else(|_| env!("CARGO_BIN_EXE_cargo-rres").to_owned());
    let seconds = |text: &str| -> f64 {
        let (minutes, rest) = text.split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + rest.trim_end_matches('s').parse::<f64>().unwrap()
    };
    let mutants = mutants();
    for command in ["ls", "check", "extract", "import"] {
        let mut longest = (0.0, "");
        for (name, files, texts) in &mutants {
            let sandbox = Sandbox::new();
            files.iter().for_each(|(path, bytes)| sandbox.write(&format!("game/{path}"), bytes));
            let file = if texts[0].starts_with("Synth.rrc") { "game/Synth.rrc" } else { "game/Synth.db" };
            let mut shell = std::process::Command::new("bash");
            shell.args(["-c", "\"$@\" > log 2>&1; times", "-", &program, "srsc", command, file]);
            shell.args(matches!(command, "extract" | "import").then_some(["-o", "out"]).into_iter().flatten());
            let output = shell.current_dir(sandbox.dir.path()).output().unwrap();
            // The second line is user and system time of the processes that ended.
            let times = String::from_utf8(output.stdout).unwrap();
            let user = seconds(times.lines().nth(1).unwrap().split(' ').next().unwrap());
            if user >= longest.0 {
                longest = (user, name);
            }
        }
        println!("{command}: at most {} s of user time, for {} of {} mutants", longest.0, longest.1, mutants.len());
    }
}

#[test]
fn flags_of_textures_are_listed() {
    let sandbox = Sandbox::new();
    let files = changed("Synth.txd", 0x40, 13, |body| body[35] = 0xc0);
    files.iter().for_each(|(path, bytes)| sandbox.write(&format!("game/{path}"), bytes));
    let record = json_of(&sandbox.run(["srsc", "info", "game/Synth.db", "texture:13", "--json"]).success());
    assert_eq!(record["contents"]["flags"], json!(["keep-quality", "dynamic"]));
}

#[test]
fn links_of_textures_models_and_classes_are_dependencies() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["pack", "game", "-o", "game.rres"]).code, 0);
    let needs = |path: &str| {
        let found = json_of(&sandbox.run(["deps", "game.rres", path, "--json"]).success());
        let resources = found["resources"].as_array().unwrap();
        resources.iter().find(|resource| resource["path"] == path).unwrap()["needs"].clone()
    };
    assert_eq!(needs("Synth.txd#8"), json!(["Synth.txd#3", "Synth.txd#4"]));
    assert_eq!(needs("Synth.mod#Props/quad"), json!(["Synth.txd#6", "Common/Shared.txd#1"]));
    let of_class = ["Synth.mod#Props/quad", "Synth.sdb#Footsteps/Stone/step", "Synth.sdb#loop!", "Common/Shared.txd#1"];
    assert_eq!(needs("Synth.odb#Things/Synthetic Thing"), json!(of_class));
}
