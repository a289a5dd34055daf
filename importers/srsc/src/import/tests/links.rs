//! What records are linked with in their own and in other archives, and what is said of links that lead to nothing.

use rres_format::chunk::raw::RawView;

use super::*;
use crate::write::RecordBytes;
use crate::{ActionKind, Archive, Field, Ref, Text, Texture};

/// The example, in which a texture of `Synth.txd` is changed.
fn with_texture(files: &mut BTreeMap<String, Vec<u8>>, path: &str, id: u16, change: impl Fn(&mut Texture<'_>)) {
    let bytes = files[path].clone();
    let archive = Archive::parse(path, &bytes, &mut Checks::strict()).unwrap();
    let changed = archive.records().map(|record| {
        let mut contents = record.parse(&mut Checks::strict()).unwrap();
        if let (Record::Texture(texture), true) = (&mut contents, record.key().id == id) {
            change(texture);
        }
        RecordBytes { key: record.key(), group: record.entry().group, body: write::record(&contents) }
    });
    files.insert(path.to_owned(), write::archive(&changed.collect::<Vec<_>>()));
}

/// The texture of the example that is as large as half the texture 8.
fn small(texture: &mut Texture<'_>) {
    *texture = Texture { width: 1, height: 1, pitch: 3, level: 0, data: vec![7; 3].into(), ..texture.clone() };
}

fn paths(asset: &Asset) -> Vec<String> {
    let path = |dependency: &Dependency| match dependency {
        Dependency::SubAsset(name) => format!("#{name}"),
        Dependency::Asset(path) => path.clone(),
        other => panic!("{other:?}"),
    };
    asset.dependencies.iter().map(path).collect()
}

fn text(asset: &Asset) -> Value {
    let view = TextView::parse(PayloadView::parse(&asset.blocks[0].bytes).unwrap()).unwrap();
    serde_json::from_slice(view.bytes()).unwrap()
}

/// The entry of a record in the list of records.
fn record<'v>(list: &'v Value, kind: &str, id: &str) -> &'v Value {
    let records = list["records"].as_array().unwrap();
    records.iter().find(|record| record["type"] == kind && record["id"] == id).unwrap()
}

fn notes(assets: &[Asset]) -> Vec<String> {
    assets[0].notes.iter().map(|note| format!("{} ({})", note.topic, note.detail)).collect()
}

fn levels(asset: &Asset) -> (u32, Vec<u8>) {
    let view = ImageView::parse(PayloadView::parse(&asset.blocks[0].bytes).unwrap()).unwrap();
    (view.props().mipmaps, view.data().to_vec())
}

#[test]
fn the_material_of_a_texture_is_a_dependency() {
    let assets = import(&example(), "Synth.txd").unwrap();
    let linked = find(&assets, "8");
    assert_eq!(paths(linked), ["#3", "#4", "Synth.odb#Things/Synthetic Thing"]);
    assert_eq!(linked.meta.get(MetaKey::MATERIAL), Some(2));
    let entry = text(&assets[0]);
    let entry = record(&entry, "0x0040", "0x0008");
    let expected =
        json!({ "alternate": "Synth.txd#4", "bump": "Synth.txd#3", "material": "Synth.odb#Things/Synthetic Thing" });
    assert_eq!(entry["links"], expected);
    let found = ["smaller_level", "alternate", "bump", "material"].map(|field| entry["contents"][field].clone());
    assert_eq!(found, ["0:0x0009", "0:0x0004", "0:0x0003", "0:0x0030"]);
}

#[test]
fn textures_are_linked_with_textures_of_other_databases() {
    let mut files = example();
    with_texture(&mut files, "Synth.txd", 8, |texture| {
        let other = Ref { id: 1, database: 2 };
        (texture.bump, texture.alternate, texture.mip) = (other, other, other);
        texture.material = Ref::default();
    });
    with_texture(&mut files, "Common/Shared.txd", 1, small);
    let assets = import(&files, "Synth.txd").unwrap();
    let linked = find(&assets, "8");
    assert_eq!(paths(linked), ["Common/Shared.txd#1"; 2]);
    assert_eq!([MetaKey::BUMP, MetaKey::ALTERNATE].map(|key| linked.meta.get(key)), [Some(0), Some(1)]);
    assert_eq!(levels(linked), (2, vec![6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 7, 7, 7]));
    // The level of the archive is a level of nothing now.
    assert!(names(&assets).contains(&"9"), "{:?}", names(&assets));
    assert!(!notes(&assets).iter().any(|note| note.contains("of texture 8")), "{:?}", notes(&assets));
}

#[test]
fn levels_go_on_in_other_databases() {
    let mut files = example();
    with_texture(&mut files, "Synth.txd", 8, |texture| {
        *texture = Texture { width: 4, height: 4, pitch: 12, level: 0, data: vec![1; 48].into(), ..texture.clone() };
    });
    with_texture(&mut files, "Synth.txd", 9, |texture| {
        let data = vec![2; 12].into();
        *texture = Texture { width: 2, height: 2, pitch: 6, level: 0, data, ..texture.clone() };
        texture.mip = Ref { id: 1, database: 2 };
    });
    with_texture(&mut files, "Common/Shared.txd", 1, small);
    let assets = import(&files, "Synth.txd").unwrap();
    let (count, data) = levels(find(&assets, "8"));
    assert_eq!((count, &data[48..]), (3, &[vec![2; 12], vec![7; 3]].concat()[..]));
    // A level that leads to nothing is not the end of the archive.
    files.remove("Common/Shared.txd");
    let assets = import(&files, "Synth.txd").unwrap();
    assert_eq!(levels(find(&assets, "8")).0, 2);
    let expected = "links of textures that lead to nothing here are left out (smaller level 2:0x0001 of texture 8)";
    assert!(notes(&assets).contains(&expected.to_owned()), "{:?}", notes(&assets));
}

#[test]
fn links_to_nothing_are_in_a_note_and_in_the_list() {
    let mut files = example();
    with_texture(&mut files, "Synth.txd", 8, |texture| {
        texture.bump = Ref { id: 77, database: 2 };
        texture.material = Ref { id: 0x30, database: 9 };
    });
    let assets = import(&files, "Synth.txd").unwrap();
    assert_eq!(paths(find(&assets, "8")), ["#4"]);
    let expected = "bump 2:0x004d of texture 8; material 9:0x0030 of texture 8";
    let note = assets[0].notes.iter().find(|note| note.detail == expected);
    assert!(note.is_some_and(|note| note.help.contains(".txd and .odb")), "{:?}", notes(&assets));
    let entry = text(&assets[0]);
    let entry = record(&entry, "0x0040", "0x0008");
    assert_eq!(entry["links"], json!({ "alternate": "Synth.txd#4", "bump": null, "material": null }));
    assert_eq!(entry["contents"]["bump"], "2:0x004d");
}

/// The class refers to the model, and the model to the texture: a game that loads one would never end.
#[test]
fn links_that_lead_back_are_left_out() {
    let mut files = example();
    with_texture(&mut files, "Synth.txd", 6, |texture| texture.material = Ref::local(0x30));
    with_texture(&mut files, "Synth.txd", 4, |texture| texture.alternate = Ref::local(8));
    let assets = import(&files, "Synth.txd").unwrap();
    assert_eq!(paths(find(&assets, "6")), [""; 0]);
    // What only leads to a circle is linked.
    assert_eq!(paths(find(&assets, "8")), ["#3", "Synth.odb#Things/Synthetic Thing"]);
    let expected = "links of textures that lead back to them are left out \
                    (alternate 0:0x0008 of texture 4; material 0:0x0030 of texture 6; alternate 0:0x0004 of texture 8)";
    assert!(notes(&assets).contains(&expected.to_owned()), "{:?}", notes(&assets));
    let entry = text(&assets[0]);
    assert_eq!(record(&entry, "0x0040", "0x0006")["links"], json!({ "material": null }));
}

#[test]
fn links_through_databases_that_depend_on_each_other_are_left_out() {
    let mut files = example();
    files.insert("Common/Shared.db".to_owned(), b"version 1\ndependencies 1\n3 ..\\SYNTH\n".to_vec());
    with_texture(&mut files, "Synth.txd", 3, |texture| texture.bump = Ref { id: 1, database: 2 });
    with_texture(&mut files, "Common/Shared.txd", 1, |texture| texture.bump = Ref { id: 3, database: 3 });
    for (path, name) in [("Synth.txd", "3"), ("Common/Shared.txd", "1")] {
        let assets = import(&files, path).unwrap();
        assert_eq!(paths(find(&assets, name)), [""; 0], "{path}");
        assert!(notes(&assets).iter().any(|note| note.contains("that lead back to them")), "{:?}", notes(&assets));
    }
    // In one direction only, there is no circle.
    with_texture(&mut files, "Common/Shared.txd", 1, |texture| texture.bump = Ref { id: 2, database: 3 });
    assert_eq!(paths(find(&import(&files, "Synth.txd").unwrap(), "3")), ["Common/Shared.txd#1"]);
    assert_eq!(paths(find(&import(&files, "Common/Shared.txd").unwrap(), "1")), ["../Synth.txd#2"]);
}

#[test]
fn a_class_without_models_and_textures_may_be_the_material_of_many() {
    let mut files = example();
    let class = crate::Class {
        name: Text::new(b"Stone"),
        group: 0,
        model: Ref::default(),
        library_class: 0,
        icon: 0,
        data: [3].into_iter().collect(),
        fields: vec![Field { number: 0x05, name: Text::new(b"Step") }],
    };
    let class = RecordBytes::new(0x102, 0x30, 0, write::record(&Record::Class(class)));
    files.insert("Synth.odb".to_owned(), write::archive(&[class]));
    for id in [1, 2, 6] {
        with_texture(&mut files, "Synth.txd", id, |texture| texture.material = Ref::local(0x30));
    }
    let assets = import(&files, "Synth.txd").unwrap();
    for name in ["1", "2", "6"] {
        assert_eq!(paths(find(&assets, name)), ["Synth.odb#Stone"], "{name}");
    }
}

#[test]
fn links_that_lead_to_more_than_any_game_has_are_left_out() {
    let mut files = example();
    let model = crate::ModelName { name: Text::new(b"many"), shading: crate::Shading(0) };
    let textures = (0..=texture_links::MAX_EDGES).map(|_| Ref::local(6)).collect();
    let records = [
        RecordBytes::new(0x200, 0x10, 0, write::record(&Record::ModelName(model))),
        RecordBytes::new(0x206, 0x10, 0, write::record(&Record::TextureList(textures))),
    ];
    files.insert("Synth.mod".to_owned(), write::archive(&records));
    let assets = import(&files, "Synth.txd").unwrap();
    assert_eq!(paths(find(&assets, "8")), [""; 0]);
    assert_eq!(levels(find(&assets, "8")).0, 2);
    let topics: Vec<&str> = assets[0].notes.iter().map(|note| note.topic.as_str()).collect();
    assert!(
        topics.contains(&"links of textures are left out, because they lead to more than 1048576 others"),
        "{topics:?}"
    );
}

#[test]
fn animations_have_their_exact_rate() {
    let assets = import(&example(), "Synth.txd").unwrap();
    let animated = find(&assets, "10");
    let numbers = [MetaKey::FRAME_TIME, MetaKey::FRAME_RATE].map(|key| animated.meta.get(key));
    assert_eq!(numbers, [Some(83), Some(12)]);
}

#[test]
fn songs_keep_piece_instruments_and_volume_together() {
    let riff = |form: &[u8; 4]| [b"RIFF\x04\0\0\0", &form[..]].concat();
    let records = [
        RecordBytes::new(0x401, 4, 0, riff(b"DMSG")),
        RecordBytes::new(0x401, 0x1004, 0, (-600i32).to_le_bytes()),
        RecordBytes::new(0x401, 0x103, 0, riff(b"DLS ")),
        RecordBytes::new(0x401, 6, 0, riff(b"DMSG")),
    ];
    let files = BTreeMap::from([("Music.rrc".to_owned(), write::archive(&records))]);
    let assets = import(&files, "Music.rrc").unwrap();
    assert_eq!(names(&assets), ["", "4", "259", "6", "song/4", "song/6"]);
    assert_eq!(paths(find(&assets, "song/4")), ["#4", "#259"]);
    let gain = 10f64.powf(-0.3);
    let expected =
        json!({ "number": 4, "piece": "Music.rrc#4", "instruments": "Music.rrc#259", "volume": -600, "gain": gain });
    assert_eq!(text(find(&assets, "song/4")), expected);
    let expected = json!({ "number": 6, "piece": "Music.rrc#6", "instruments": null, "volume": null, "gain": null });
    assert_eq!(text(find(&assets, "song/6")), expected);
    let piece = RawView::parse(PayloadView::parse(&assets[1].blocks[0].bytes).unwrap()).unwrap();
    assert_eq!(piece.extension(), b".sgt");
}

/// A sequence whose first actor is of a class and has these actions.
fn sequence(actions: &[ActionKind], unread: &'static [u8]) -> Vec<u8> {
    let actions = actions.iter().map(|kind| crate::Action { time: 1.0, kind: kind.clone() }).collect();
    let actor = crate::Actor {
        name: Text::new(b"guard"),
        id: 1,
        kind: 2,
        assigned_as: 5,
        target: 0x30,
        action_count: 70_000,
        actions,
    };
    let sequence = crate::Sequence {
        name: Text::new(b"intro"),
        flags: 0,
        run_state: 0,
        unknown: 99,
        actor_count: 7,
        actors: vec![actor],
        rest: unread.into(),
    };
    write::record(&Record::Sequence(sequence))
}

fn animate(id: u16) -> ActionKind {
    let animation = Ref::local(id);
    ActionKind::Animate { channel: 0, animation, start: 0.0, transition: 0.0, speed: 1.0, flags: 0 }
}

fn play(id: u16) -> ActionKind {
    ActionKind::PlaySound { sound: Ref::local(id), duration: 1.0, volume: 100, flags: 0 }
}

#[test]
fn sequences_depend_on_animations_sounds_and_classes_and_lose_nothing() {
    let mut files = example();
    let bytes = sequence(
        &[
            animate(1),
            animate(1),
            play(3),
            play(4),
            play(77),
            ActionKind::RunAi(7),
            ActionKind::Show(u32::MAX),
            ActionKind::Message { number: 1, unknown: 55 },
            ActionKind::Unknown(2),
        ],
        &[1, 2, 0xab],
    );
    // More actors and actions than there are can be stated only if the bytes are there.
    let mut bytes = bytes;
    let stated = 2 + 6 + 12;
    bytes[stated..stated + 4].copy_from_slice(&2u32.to_le_bytes());
    let stated = stated + 4 + (2 + 6) + 16;
    bytes[stated..stated + 4].copy_from_slice(&10u32.to_le_bytes());
    files.insert("Synth.ssd".to_owned(), write::archive(&[RecordBytes::new(0x311, 2, 0, bytes)]));
    let assets = import(&files, "Synth.ssd").unwrap();
    let intro = find(&assets, "intro");
    let expected =
        ["Synth.odb#Things/Synthetic Thing", "Synth.adb#wave", "Synth.sdb#Footsteps/Stone/step", "Synth.sdb#loop!"];
    assert_eq!(paths(intro), expected);
    let value = text(intro);
    assert_eq!((&value["unknown"], &value["actor_count"]), (&json!(99), &json!(2)));
    assert_eq!((&value["unread_size"], &value["unread"]), (&json!(3), &json!("0102ab")));
    let actor = &value["actors"][0];
    let numbers = ["class", "asset", "action_count", "assigned_as"].map(|field| actor[field].clone());
    assert_eq!(numbers, [json!("0:0x0030"), json!(expected[0]), json!(10), json!(5)]);
    let actions = actor["actions"].as_array().unwrap();
    let of = |number: usize, field: &str| actions[number][field].clone();
    assert_eq!(
        [of(0, "asset"), of(1, "asset"), of(3, "asset"), of(4, "asset")],
        [json!(expected[1]), json!(expected[1]), json!(expected[3]), Value::Null]
    );
    assert_eq!([of(5, "value"), of(6, "value"), of(7, "unknown")], [json!(7), json!(u32::MAX), json!(55)]);
    let expected =
        "what sequences refer to and what is in no archive here is no dependency (sound 0:0x004d of sequence intro)";
    assert!(notes(&assets).contains(&expected.to_owned()), "{:?}", notes(&assets));
}

#[test]
fn a_warning_of_a_record_that_is_read_several_times_is_in_the_note_once() {
    let files = BTreeMap::from([(
        "a.ssd".to_owned(),
        write::archive(&[
            RecordBytes::new(0x311, 2, 0, {
                let mut bytes = sequence(&[ActionKind::Unknown(2)], &[0; 80]);
                bytes[2 + 6 + 12..][..4].copy_from_slice(&1u32.to_le_bytes());
                bytes[2 + 6 + 12 + 4 + 8 + 16..][..4].copy_from_slice(&1u32.to_le_bytes());
                bytes
            }),
            RecordBytes::new(0x313, 3, 0, [2, 0, b'a', 0]),
        ]),
    )]);
    let assets = import(&files, "a.ssd").unwrap();
    let note = notes(&assets).into_iter().find(|note| note.contains("docs/srsc.md")).unwrap();
    assert_eq!(note.matches("record 0x").count(), 2, "{note}");
    assert!(!note.contains("more"), "{note}");
}

#[test]
fn a_model_without_its_records_is_noted() {
    let mut files = example();
    let model = crate::ModelName { name: Text::new(b"empty"), shading: crate::Shading(0) };
    let model = RecordBytes::new(0x200, 0x40, 0, write::record(&Record::ModelName(model)));
    files.insert("Synth.mod".to_owned(), write::archive(&[model]));
    let assets = import(&files, "Synth.mod").unwrap();
    let notes = notes(&assets).join("\n");
    for key in ["0x0203:0x0040", "0x0204:0x0040", "0x0206:0x0040"] {
        assert!(notes.contains(&format!("refers to {key}, which Synth.mod does not have")), "{notes}");
    }
}

#[test]
fn bounding_shapes_are_in_the_text_of_a_model() {
    let value = text(find(&import(&example(), "Synth.mod").unwrap(), "Props/quad.json"));
    let expected = json!([{ "first_child": 0, "next_sibling": 0, "sphere": [0.5, 0.5, 0.0, 1.0] }]);
    assert_eq!((&value["bounds"]["tree"], &value["bounds"]["shape_count"]), (&expected, &json!(1)));
}
