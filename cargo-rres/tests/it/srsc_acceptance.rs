//! The acceptance checks of reading databases of the Riot engine, by their numbers. What the reader finds in each record is checked in
//! `rres-import-srsc/tests/it/acceptance.rs`, and a pack is compared with another reader by `interop/check_srsc.py`.

use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks, RecordView, hide};
use rres_runtime::{Image, Pack, Sound, Text};
use serde_json::{Value, json};

use crate::Sandbox;
use crate::extract::glb;
use crate::srsc::{json as json_of, tree, with_database};

#[test]
fn check_1_12_1_records_are_listed_with_type_id_group_offset_and_size() {
    let sandbox = with_database();
    let run = sandbox.run(["srsc", "tree", "game/Synth.rrc", "--json"]).success();
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
const TEXTURES: [(&str, u32, &str); 12] = [
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
    ("10", 2, "0a0a0aff 0a0a0aff"),
    ("11", 2, "0b0b0bff 0b0b0bff"),
    ("12", 2, "0c0c0cff 0c0c0cff"),
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
    let run = sandbox.run(["extract", "game/Synth.db", "-o", "tree", "--mips"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("pixels of 32 bits with alpha are taken as blue"), "{}", run.err);
    let files = tree(&sandbox.path("tree"));
    // And the smaller level of texture 8, which is texture 9.
    let pictures = files.iter().filter(|file| file.starts_with("Synth.txd#"));
    assert_eq!(pictures.count(), TEXTURES.len() + 1, "{files:?}");
    for (name, width, pixels) in TEXTURES {
        let expected = turned(width, pixels);
        let height = expected.len() as u32 / 4 / width;
        assert_eq!(rgba(&sandbox.read(&format!("tree/Synth.txd#{name}.png"))), (width, height, expected), "{name}");
    }
    assert_eq!(rgba(&sandbox.read("tree/Synth.txd#8.mip1.png")), (1, 1, vec![9, 9, 9, 255]));
    let list = records(&sandbox, "Synth.txd");
    let animation = record(&list, "texture", "0x000a");
    assert_eq!(animation["contents"]["fps"], 12);
    let info = json_of(&sandbox.run(["info", "game/Synth.txd", "Synth.txd#10", "--json"]).success());
    assert_eq!(info["metadata"]["sequence_length"], 3);
}

/// Decodes a picture: width, height and pixels.
fn rgba(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let image = image::load_from_memory(bytes).unwrap().into_rgba8();
    (image.width(), image.height(), image.into_raw())
}

/// The list of records that an archive becomes.
fn records(sandbox: &Sandbox, archive: &str) -> Value {
    json_of(&sandbox.run(["cat", &format!("game/{archive}"), archive]).success())
}

/// A record of the list.
fn record<'l>(list: &'l Value, kind: &str, id: &str) -> &'l Value {
    let records = list["records"].as_array().unwrap();
    records.iter().find(|record| record["kind"] == kind && record["id"] == id).unwrap()
}

#[test]
fn check_1_12_2_the_order_of_32_bits_is_a_setting() {
    let sandbox = with_database();
    sandbox.write("game/assets.toml", b"[\"*.txd\"]\nsrsc = { order_32 = \"rgba\" }\n");
    sandbox.run(["pack", "game", "-o", "game.rres"]).success();
    sandbox.run(["extract", "game.rres", "Synth.txd#7", "-o", "tree"]).success();
    assert_eq!(rgba(&sandbox.read("tree/Synth.txd#7.png")).2, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn check_1_12_3_sounds_have_the_known_samples_and_metadata() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let list = records(&sandbox, "Synth.sdb");
    let looped = record(&list, "sound", "0x0004");
    assert!((looped["contents"]["gain"].as_f64().unwrap() - 0.501_187).abs() < 1e-6);
    assert_eq!(looped["contents"]["loop"], true);
    assert_eq!((&looped["contents"]["drop_off"], &looped["contents"]["priority"]), (&15.5.into(), &10.into()));
    assert_eq!(looped["assets"], json!(["loop!"]));
    let wav = |file: &str| hound::WavReader::new(std::io::Cursor::new(sandbox.read(file))).unwrap();
    let shape = |spec: hound::WavSpec| (spec.channels, spec.bits_per_sample, spec.sample_rate);
    let stereo = wav("tree/Synth.sdb#loop!.wav");
    assert_eq!(shape(stereo.spec()), (2, 16, 22_050));
    let samples: Vec<i16> = stereo.into_samples().map(Result::unwrap).collect();
    assert_eq!(samples, (0..32).flat_map(|i| [i * 100, -i * 100]).collect::<Vec<i16>>());
    // Samples of 8 bits are the upper halves of 16.
    let step = wav("tree/Synth.sdb#Footsteps/Stone/step.wav");
    assert_eq!((step.spec().channels, step.spec().sample_rate), (1, 11_025));
    let samples: Vec<i16> = step.into_samples().map(Result::unwrap).collect();
    assert_eq!(samples, (0..64).map(|i| i % 16 * 4 * 256).collect::<Vec<i16>>());
}

#[test]
fn check_1_12_4_models_have_vertices_textures_of_two_databases_both_sides_and_levels() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let (quad, data) = glb(&sandbox.read("tree/Synth.mod#Props/quad.glb"));
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
    assert_eq!(images, ["../Synth.txd%236.png", "../Common/Shared.txd%231.png"]);
    assert!(images.iter().all(|image| sandbox.path("tree/Synth.mod#Props").join(image.replace("%23", "#")).exists()));
    assert_eq!(
        (&quad["materials"][0]["doubleSided"], &quad["materials"][1]["doubleSided"]),
        (&Value::Null, &true.into())
    );
    let model: Value = serde_json::from_slice(&sandbox.read("tree/Synth.mod#Props/quad.json")).unwrap();
    let levels = json!([{ "model": "0x0010", "distance": 0.0 }, { "model": "0x0011", "distance": 25.0 }]);
    assert_eq!(model["levels_of_detail"], levels);
}

#[test]
fn check_1_12_5_a_pack_of_an_import_has_the_pixels_and_samples_of_the_archives() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["extract", "game/Synth.db", "-o", "assets", "--metadata"]).code, 0);
    sandbox.run(["pack", "assets", "-o", "synth.rres"]).success();
    let pack = Pack::open(sandbox.path("synth.rres")).unwrap();
    let image = |path: &str| pack.load::<Image>(pack.find(path).unwrap()).unwrap();
    for (name, width, pixels) in TEXTURES {
        let image = image(&format!("Synth.txd#{name}"));
        let expected = turned(width, pixels);
        assert_eq!((image.width(), &image.to_rgba8().unwrap()[..expected.len()]), (width, &expected[..]), "{name}");
    }
    let linked = image("Synth.txd#8");
    assert_eq!(linked.bump().map(|id| id.resource()), pack.find("Synth.txd#3"));
    assert_eq!(linked.alternate().map(|id| id.resource()), pack.find("Synth.txd#4"));
    let material = linked.material::<Text>().unwrap();
    assert_eq!(Some(material.resource()), pack.find("Synth.odb#Things/Synthetic Thing"));
    assert!(pack.load::<Text>(material).unwrap().as_str().contains("Hit points"));
    assert_eq!(linked.mipmaps(), 2);
    assert!(pack.find("Synth.txd#9").is_none(), "the smaller level of another texture");
    let fire = image("Synth.txd#10");
    let sequence = fire.sequence().unwrap();
    assert_eq!((sequence.images().len(), sequence.frame_time().as_nanos()), (3, 83_333_333));
    // Ten minutes later, the picture is still the right one.
    assert_eq!(sequence.index_at(std::time::Duration::from_millis(600_000)), 7200 % 3);
    assert_eq!(sequence.index_at(std::time::Duration::from_millis(100)), 1);
    let sound: Sound = pack.load(pack.find("Synth.sdb#loop!").unwrap()).unwrap();
    assert!(sound.is_looped());
    assert!((sound.linear_gain() - 0.501_187).abs() < 1e-6);
    assert_eq!((sound.channels(), sound.sample_rate(), sound.frames()), (2, 22_050, 32));
    let samples: Vec<u8> = (0..32i16).flat_map(|i| [i * 100, -i * 100]).flat_map(i16::to_le_bytes).collect();
    assert_eq!(&sound.data()[..], samples);
    // The ids follow from the paths, and the command lists them.
    let list = json_of(&sandbox.run(["ls", "synth.rres", "--json"]).success());
    let listed = list["resources"].as_array().unwrap();
    assert_eq!(listed.len(), 29);
    for asset in listed {
        let path = asset["path"].as_str().unwrap();
        assert_eq!(asset["id"], format!("0x{:08x}", crc32fast::hash(path.as_bytes())), "{path}");
    }
    // The directory is not written twice.
    let again = ["extract", "game/Synth.db", "-o", "assets", "--metadata"];
    sandbox.run(again).failed(2, &["would be replaced", "--force"]);
    assert_eq!(sandbox.run(again.into_iter().chain(["--force"])).code, 0);
}

#[test]
fn check_1_12_6_hidden_texts_are_shown_and_hiding_them_gives_the_same_bytes() {
    let sandbox = with_database();
    sandbox.run(["srsc", "raw", "game/Synth.rrc", "-o", "raw"]).success();
    // The second is longer than the 32 bytes after which the state comes back, and is Windows-1252 in the archive.
    let long = "Grüße ä long enough to wrap the 32-byte keystream";
    for (id, text) in [(1, "Dragon"), (3, long)] {
        assert_eq!(sandbox.run(["cat", "game/Synth.rrc", &format!("Synth.rrc#{id}")]).success().out, text);
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        assert_eq!(sandbox.read(&format!("raw/Synth.rrc/hidden-text-0x000{id}.bin")), hide(&latin));
    }
    assert_eq!(sandbox.read("raw/Synth.rrc/hidden-text-0x0001.bin"), [0x49, 0x18, 0x36, 0xd8, 0x92, 0x80]);
}

#[test]
fn check_1_12_7_a_class_is_typed_json() {
    let sandbox = with_database();
    assert_eq!(sandbox.run(["extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let class: Value = serde_json::from_slice(&sandbox.read("tree/Synth.odb#Things/Synthetic Thing")).unwrap();
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

    assert_eq!(sandbox.run(["extract", "game/Synth.db", "-o", "tree"]).code, 0);
    let class = sandbox.read("tree/Synth.odb#Things/Synthetic Thing");
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
    let text = String::from_utf8(sandbox.read("tree/Synth.odb#Things/Synthetic Thing")).unwrap();
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

/// The file of a mutant that is read.
fn read_file_of(texts: &[&str]) -> &'static str {
    if texts[0].starts_with("Synth.rrc") { "game/Synth.rrc" } else { "game/Synth.db" }
}

#[test]
fn check_1_12_8_damage_is_named_with_file_record_and_offset_and_builds_write_nothing() {
    for (name, files, texts) in mutants() {
        let sandbox = Sandbox::new();
        files.iter().for_each(|(path, bytes)| sandbox.write(&format!("game/{path}"), bytes));
        let run = sandbox.run(["verify", read_file_of(texts)]);
        assert_eq!(run.code, 1, "{name}: {run:?}");
        texts.iter().for_each(|text| assert!(run.out.contains(text), "{name}: {text:?} is not in {}", run.out));
        // Builds go on without references to other databases that lead to nothing.
        if texts[0].contains("dependency at") || texts.iter().any(|text| text.contains("does not name")) {
            continue;
        }
        let run = sandbox.run(["extract", read_file_of(texts), "-o", "out"]);
        assert_eq!(run.code, 1, "{name}: {run:?}");
        texts.iter().for_each(|text| assert!(run.err.contains(text), "{name}: {text:?} is not in {}", run.err));
        let run = sandbox.run(["pack", "game", "-o", "game.rres"]);
        assert!(run.code == 1 && !sandbox.path("game.rres").exists(), "{name}: {run:?}");
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
        for command in ["ls", "verify", "extract"] {
            let limited = format!("ulimit -d {} && exec \"$0\" \"$@\"", 64 * 1024 + size / 1024);
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &limited, env!("CARGO_BIN_EXE_cargo-rres"), command, read_file_of(texts)]);
            shell.args((command == "extract").then_some(["-o", "out"]).into_iter().flatten());
            let output = shell.current_dir(sandbox.dir.path()).output().unwrap();
            let code = output.status.code();
            assert!(code == Some(1) || code == Some(0) && command != "verify", "{name}, {command}: {output:?}");
        }
    }
}

#[test]
fn flags_of_textures_are_listed() {
    let sandbox = Sandbox::new();
    let files = changed("Synth.txd", 0x40, 13, |body| body[35] = 0xc0);
    files.iter().for_each(|(path, bytes)| sandbox.write(&format!("game/{path}"), bytes));
    let list = records(&sandbox, "Synth.txd");
    assert_eq!(record(&list, "texture", "0x000d")["contents"]["flags"], json!(["keep-quality", "dynamic"]));
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
    assert_eq!(needs("Synth.txd#8"), json!(["Synth.txd#3", "Synth.txd#4", "Synth.odb#Things/Synthetic Thing"]));
    assert_eq!(needs("Synth.ssd#Cutscenes/Intro"), json!(["Synth.adb#wave", "Synth.sdb#Footsteps/Stone/step"]));
    assert_eq!(needs("Synth.mod#Props/quad"), json!(["Synth.txd#6", "Common/Shared.txd#1"]));
    let of_class = ["Synth.mod#Props/quad", "Synth.sdb#Footsteps/Stone/step", "Synth.sdb#loop!", "Common/Shared.txd#1"];
    assert_eq!(needs("Synth.odb#Things/Synthetic Thing"), json!(of_class));
}
