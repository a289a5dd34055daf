//! What each sort of record contains, read from the files of another program.

use rres_import_srsc::{
    ActionKind, Archive, ByteOrder, Checks, Limits, Record, RecordType, Ref, SoundFlags, Value, frame_at, hide,
    select_level,
};

use crate::{golden, opened, root};

/// Rows as they are stored, from the bottom to the top.
fn stored_rows(rgba: &[u8], width: usize) -> Vec<String> {
    let hex = |pixel: &[u8]| pixel.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    rgba.chunks_exact(width * 4).rev().map(|row| row.chunks_exact(4).map(hex).collect::<Vec<_>>().join(" ")).collect()
}

#[track_caller]
fn texture(id: u16, order: Option<ByteOrder>) -> Vec<String> {
    let picture = opened().picture(root(RecordType::TEXTURE, id), order, &mut Checks::default()).unwrap();
    assert_eq!(picture.rgba.len(), (picture.width * picture.height * 4) as usize);
    stored_rows(&picture.rgba, picture.width as usize)
}

#[test]
fn a_palette_has_colors_and_its_key_is_transparent() {
    let rows = texture(1, None);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0], "00ff00ff 01fe07ff 02fd0e00 03fc15ff");
    assert_eq!(rows[3], "0cf354ff 0df25bff 0ef162ff 0ff069ff");
}

#[test]
fn pixels_of_16_bits_have_four_layouts() {
    assert_eq!(texture(2, None), ["ff0000ff 00ff00ff 0000ffff ffffffff", "000000ff 838183ff ff00ffff 00ffffff"]);
    assert_eq!(texture(3, None), ["ff0000ff ff000000 00ff00ff 0000ffff"]);
    assert_eq!(texture(4, None), ["ff0000ff ff000088 00ff0000 0000ffff"]);
    assert_eq!(texture(5, None), ["ff0000ff ff000080 00ff0000 0000ffff"]);
}

#[test]
fn pixels_of_24_bits_are_red_green_blue_and_may_have_a_key() {
    assert_eq!(texture(6, None), ["ff0000ff 00ff00ff", "0000ffff ff00ff00"]);
}

#[test]
fn the_order_of_32_bits_is_a_choice_and_the_default_is_a_warning() {
    let mut checks = Checks::default();
    let picture = opened().picture(root(RecordType::TEXTURE, 7), None, &mut checks).unwrap();
    assert_eq!(picture.rgba, [3, 2, 1, 4, 7, 6, 5, 8]);
    assert!(checks.warnings()[0].to_string().contains("Synth.txd: record 0x0040:0x0007, bits per pixel at offset"));
    assert_eq!(texture(7, Some(ByteOrder::Rgba)), ["01020304 05060708"]);
    assert_eq!(texture(7, Some(ByteOrder::Bgra)), ["03020104 07060508"]);
    let mut strict = Checks::strict();
    assert!(opened().picture(root(RecordType::TEXTURE, 7), None, &mut strict).is_err());
    assert!(opened().picture(root(RecordType::TEXTURE, 7), Some(ByteOrder::Rgba), &mut strict).is_ok());
}

#[test]
fn links_of_textures_lead_to_records() {
    let (databases, mut checks) = (opened(), Checks::strict());
    let links = databases.texture_links(root(RecordType::TEXTURE, 8), &mut checks).unwrap();
    assert_eq!(links.levels, [root(RecordType::TEXTURE, 9)]);
    assert_eq!(links.alternate, Some(root(RecordType::TEXTURE, 4)));
    assert_eq!(links.bump, Some(root(RecordType::TEXTURE, 3)));
    assert_eq!(links.material, Some(root(RecordType::CLASS, 0x30)));
    assert_eq!(links.frames, []);
    let frames = databases.texture_links(root(RecordType::TEXTURE, 10), &mut checks).unwrap().frames;
    assert_eq!(frames, [10, 11, 12].map(|id| root(RecordType::TEXTURE, id)));
    let Record::Texture(first) = databases.record(frames[0]).unwrap().parse(&mut checks).unwrap() else { panic!() };
    assert_eq!(first.fps, 12);
    assert_eq!([0.0, 0.1, 0.17, 0.25].map(|seconds| frame_at(frames.len(), first.fps, seconds)), [0, 1, 2, 0]);
    // A picture of an animation has no animation of its own.
    assert_eq!(databases.texture_links(root(RecordType::TEXTURE, 11), &mut checks).unwrap().frames, []);
}

#[test]
fn level_0_has_a_size_and_is_not_compressed() {
    assert_eq!(texture(13, None), ["0d0d0dff 0d0d0dff"]);
}

#[test]
fn sounds_have_samples_volume_drop_off_priority_and_loop() {
    let (databases, mut checks) = (opened(), Checks::strict());
    let sound = |id, checks: &mut Checks| match databases.root().record(RecordType::SOUND, id).unwrap().parse(checks) {
        Ok(Record::Sound(sound)) => sound,
        other => panic!("{other:?}"),
    };
    let step = sound(3, &mut checks);
    assert_eq!(
        (step.name.decode().as_ref(), step.channels, step.bits, step.rate, step.frames()),
        ("step", 1, 8, 11_025, 64)
    );
    let expected: Vec<u8> = (0..64).map(|i| 128 + i % 16 * 4).collect();
    assert_eq!(step.pcm(&Limits::default()).unwrap(), expected);
    let looped = sound(4, &mut checks);
    assert_eq!((looped.channels, looped.bits, looped.rate, looped.frames(), looped.level), (2, 16, 22_050, 32, 9));
    assert!(looped.is_looped() && !looped.flags.contains(SoundFlags::FLUSH));
    assert!((looped.gain() - 0.501_187).abs() < 1e-6);
    assert_eq!((looped.decibels(), looped.drop_off, looped.priority), (-6.0, 15.5, 10));
    let expected: Vec<u8> = (0..32i16).flat_map(|i| [i * 100, -i * 100]).flat_map(i16::to_le_bytes).collect();
    assert_eq!(looped.pcm(&Limits::default()).unwrap(), expected);
}

#[test]
fn groups_have_groups() {
    let (databases, mut checks) = (opened(), Checks::strict());
    let path = |kind, id, checks: &mut Checks| databases.group_path(root(kind, id), checks).unwrap();
    assert_eq!(path(RecordType::SOUND, 3, &mut checks), ["Footsteps", "Stone"]);
    assert_eq!(path(RecordType::SOUND_GROUP, 2, &mut checks), ["Footsteps"]);
    assert_eq!(path(RecordType::SOUND, 4, &mut checks), Vec::<String>::new());
    assert_eq!(path(RecordType::SEQUENCE, 2, &mut checks), ["Cutscenes"]);
    assert_eq!(path(RecordType::MODEL, 0x10, &mut checks), ["Props"]);
}

#[test]
fn models_have_triangles_textures_and_levels_of_detail() {
    let (databases, mut checks) = (opened(), Checks::strict());
    let at = root(RecordType::MODEL, 0x10);
    let model = databases.model(at, &mut checks).unwrap();
    assert_eq!(model.name.decode(), "quad");
    let surfaces = model.surfaces(&model.meshes()[0]);
    assert_eq!(surfaces.iter().map(|surface| surface.indices.len()).collect::<Vec<_>>(), [6, 3]);
    assert_eq!(surfaces.iter().map(|surface| surface.is_double_sided).collect::<Vec<_>>(), [false, true]);
    assert_eq!(surfaces[0].positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(surfaces[0].indices, [0, 1, 2, 0, 2, 3]);
    // Pictures are top-down, so v points down.
    assert_eq!(surfaces[0].uvs, [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    assert_eq!(surfaces[1].positions[1], [2.0, 0.0, 0.0]);
    let view = databases.root().record(RecordType::TEXTURE_LIST, 0x10).unwrap();
    let resolve =
        |texture| databases.resolve(0, &view, texture, RecordType::TEXTURE, ("textures", 4)).unwrap().unwrap();
    assert_eq!(resolve(surfaces[0].texture), root(RecordType::TEXTURE, 6));
    let shared = resolve(surfaces[1].texture);
    // Through `common\SHARED`, on a disk that tells cases apart.
    assert_eq!((databases.all()[shared.database].file(), shared.key.id), ("Common/Shared.db", 1));
    let levels = databases.levels_of_detail(at, &mut checks).unwrap();
    let of = |distance| select_level(&levels, distance).unwrap().model.key.id;
    assert_eq!((of(0.0), of(24.9), of(25.1)), (0x10, 0x10, 0x11));
}

#[test]
fn the_texel_at_a_vertex_is_the_stored_one() {
    // In the file, u and v count from the first stored row; pictures and v are both turned upside down.
    let (databases, mut checks) = (opened(), Checks::strict());
    let picture = databases.picture(root(RecordType::TEXTURE, 6), None, &mut checks).unwrap();
    let model = databases.model(root(RecordType::MODEL, 0x10), &mut checks).unwrap();
    let surface = &model.surfaces(&model.meshes()[0])[0];
    let stored = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 0, 255]];
    for (corner, uv) in model.polygons[0].corners().iter().zip(&surface.uvs) {
        let texel = |u: f32, v: f32| (v.min(0.9) * 2.0) as usize * 2 + (u.min(0.9) * 2.0) as usize;
        let at = texel(uv[0], uv[1]) * 4;
        assert_eq!(picture.rgba[at..at + 3], stored[texel(corner.uv[0], corner.uv[1])]);
    }
}

#[test]
fn null_textures_of_a_model_count() {
    use rres_import_srsc::write::{RecordBytes, archive, record};
    let list: rres_import_srsc::Items<'_, Ref> =
        [Ref::default(), Ref::local(6), Ref { id: 1, database: 2 }].into_iter().collect();
    let bytes = archive(&[RecordBytes::new(0x206, 1, 0, record(&Record::TextureList(list)))]);
    let archive = Archive::parse("a.mod", &bytes, &mut Checks::strict()).unwrap();
    let Record::TextureList(list) = archive.records().next().unwrap().parse(&mut Checks::strict()).unwrap() else {
        panic!()
    };
    assert_eq!(list.get(1), Some(Ref::local(6)));
}

#[test]
fn classes_have_typed_values() {
    let databases = opened();
    let view = databases.root().record(RecordType::CLASS, 0x30).unwrap();
    let Record::Class(class) = view.parse(&mut Checks::strict()).unwrap() else { panic!() };
    assert_eq!((class.name.decode().as_ref(), class.group, class.model), ("Synthetic Thing", 0x2f, Ref::local(0x10)));
    let values: Vec<(String, Value)> = class.values().map(|(field, value)| (field.name.to_string(), value)).collect();
    let sounds = [3, 4].map(|id| Value::Reference(Ref::local(id)));
    let expected = [
        ("Hit points", Value::Integer(-7)),
        ("Speed", Value::Float(1.5)),
        ("Label", Value::Text("Hello, riot".to_owned())),
        ("Sounds", Value::Array(sounds.into())),
        ("Tint", Value::Color([0x80, 0xff, 0x7f, 0x01])),
        ("Solid", Value::Boolean(true)),
        ("Skin", Value::Reference(Ref { id: 1, database: 2 })),
    ];
    assert_eq!(values, expected.map(|(name, value)| (name.to_owned(), value)));
}

#[test]
fn small_records_are_read_and_unknown_ones_kept() {
    let databases = opened();
    let parse = |kind, id| databases.root().record(kind, id).unwrap().parse(&mut Checks::strict()).unwrap();
    assert!(matches!(parse(RecordType::LIBRARY, 0), Record::Library { path, .. } if path.decode() == "Synth.rfl"));
    assert!(matches!(parse(RecordType::CLASS_GROUP, 0x2f), Record::Group(name) if name.decode() == "Things"));
    assert_eq!(parse(RecordType::VERSION, 0), Record::Version(0x102));
    let Record::ModelCounters(counters) = parse(RecordType::MODEL_COUNTERS, 0) else { panic!() };
    assert_eq!((counters.groups, counters.last_group, counters.last_model), (1, 1, 0x11));
    assert_eq!(parse(RecordType::SEQUENCE_COUNTERS, 0), Record::Raw((&[1, 0, 0, 0, 2, 0, 0, 0]).into()));
}

#[test]
fn sequences_have_actors_and_all_known_actions() {
    let databases = opened();
    let view = databases.root().record(RecordType::SEQUENCE, 2).unwrap();
    let Record::Sequence(intro) = view.parse(&mut Checks::strict()).unwrap() else { panic!() };
    assert_eq!(
        (intro.name.decode().as_ref(), intro.flags, intro.run_state, intro.is_whole()),
        ("Intro", 0x41, 3, true)
    );
    let hero = &intro.actors[0];
    assert_eq!((hero.name.decode().as_ref(), hero.id, hero.kind, hero.target), ("Hero", 1, 1, 42));
    let kinds: Vec<u16> = hero.actions.iter().map(|action| action.kind.number()).collect();
    assert_eq!(kinds, [0, 1, 3, 4, 5, 6, 7, 8]);
    assert_eq!(hero.actions[7].time, 3.5);
    assert!(matches!(hero.actions[2].kind, ActionKind::PlaySound { sound, duration, volume: 10_000, flags: 8 }
        if sound == Ref::local(3) && duration == 1.0));
    assert!(matches!(hero.actions[6].kind, ActionKind::Message { number: 4097, unknown: 0 }));
}

#[test]
fn what_follows_an_unknown_action_is_kept() {
    let archive_bytes = golden("Synth.ssd");
    let archive = Archive::parse("Synth.ssd", &archive_bytes, &mut Checks::strict()).unwrap();
    let mut body = archive.record(2).unwrap().body().to_vec();
    // The second action of the actor, after the sequence, the actor, and an action of 42 bytes.
    let second = 2 + 6 + 16 + (2 + 4 + 20) + 42;
    assert_eq!(body[second], 1);
    body[second] = 2;
    let changed =
        rres_import_srsc::write::archive(&[rres_import_srsc::write::RecordBytes::new(0x311, 2, 0, body.clone())]);
    let mut checks = Checks::default();
    let archive = Archive::parse("a.ssd", &changed, &mut checks).unwrap();
    let record = archive.record(0).unwrap().parse(&mut checks).unwrap();
    let Record::Sequence(sequence) = &record else { panic!() };
    assert!(!sequence.is_whole());
    assert_eq!((sequence.actors[0].actions.len(), sequence.actors[0].action_count), (2, 8));
    assert_eq!(sequence.rest, &body[second + 6..]);
    assert!(checks.warnings()[0].to_string().contains("action type"), "{:?}", checks.warnings());
    assert_eq!(rres_import_srsc::write::record(&record), body);
}

#[test]
fn animations_have_frames_for_each_node() {
    let animation = opened();
    let animation = animation.animation(root(RecordType::ANIMATION, 1), &mut Checks::strict()).unwrap();
    assert_eq!(
        (animation.info.name.decode().as_ref(), animation.info.duration, animation.info.is_looped()),
        ("wave", 0.5, false)
    );
    let times = |node| animation.node(node).map(|frame| (frame.time, frame.transform[9])).collect::<Vec<_>>();
    assert_eq!(times(0), [(0.0, 0.0), (0.5, 1.0)]);
    assert_eq!(times(1), [(0.0, 0.0)]);
    assert_eq!(times(2), []);
}

#[test]
fn check_1_12_6_hidden_texts_are_shown_and_hidden_again() {
    let bytes = golden("Synth.rrc");
    let archive = Archive::parse("Synth.rrc", &bytes, &mut Checks::strict()).unwrap();
    let text = |number| match archive.record(number).unwrap().parse(&mut Checks::strict()) {
        Ok(Record::HiddenText(text)) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(text(0).decode(), "Dragon");
    assert_eq!(text(4).decode(), "Grüße ä long enough to wrap the 32-byte keystream");
    for number in [0, 4] {
        assert_eq!(hide(text(number).bytes()), archive.record(number).unwrap().body());
    }
}

#[test]
fn plain_records_are_texts_files_or_volumes() {
    let bytes = golden("Synth.rrc");
    let archive = Archive::parse("Synth.rrc", &bytes, &mut Checks::strict()).unwrap();
    let parse = |number| archive.record(number).unwrap().parse(&mut Checks::strict()).unwrap();
    assert!(matches!(parse(1), Record::Text(text) if text.decode() == "Plain text"));
    assert!(matches!(parse(2), Record::Riff(bytes) if bytes.ends_with(b"DLS ")));
    assert_eq!(parse(3), Record::Volume(-600));
}

#[test]
fn a_song_has_a_piece_instruments_and_a_volume() {
    use rres_import_srsc::{MemoryFiles, OpenOptions, write};
    let riff = |form: &[u8; 4]| [b"RIFF\x04\0\0\0", &form[..]].concat();
    let records = [
        write::RecordBytes::new(0x401, 4, 0, riff(b"DMSG")),
        write::RecordBytes::new(0x401, 0x103, 0, riff(b"DLS ")),
        write::RecordBytes::new(0x401, 0x1004, 0, (-600i32).to_le_bytes()),
        write::RecordBytes::new(0x401, 5, 0, *b"not a piece"),
        write::RecordBytes::new(0x401, 6, 0, riff(b"DMSG")),
    ];
    let mut files = MemoryFiles([("Music.rrc".to_owned(), write::archive(&records))].into());
    let music = OpenOptions::new().open("music.RRC", &mut files, &mut Checks::strict()).unwrap();
    let songs: Vec<_> = music.root().songs().collect();
    assert_eq!(songs.iter().map(|song| song.number).collect::<Vec<_>>(), [4, 6]);
    assert_eq!(songs[0].instruments.unwrap().key().id, 0x103);
    assert_eq!(songs[0].volume.unwrap().key().id, 0x1004);
    assert!(songs[1].instruments.is_none() && songs[1].volume.is_none());
}

#[test]
fn a_separate_alpha_map_is_kept_and_a_warning() {
    use rres_import_srsc::TextureFlags;
    use rres_import_srsc::write::{RecordBytes, archive, record};
    let databases = opened();
    let Record::Texture(mut texture) =
        databases.root().record(RecordType::TEXTURE, 13).unwrap().parse(&mut Checks::strict()).unwrap()
    else {
        panic!()
    };
    texture.flags = TextureFlags(texture.flags.0 | 0x80 | 0x40 | 0x01);
    texture.alpha_map = Some(b"map".into());
    let bytes = archive(&[RecordBytes::new(0x40, 1, 0, record(&Record::Texture(texture)))]);
    let mut checks = Checks::default();
    let archive = Archive::parse("a.txd", &bytes, &mut checks).unwrap();
    let Record::Texture(texture) = archive.record(0).unwrap().parse(&mut checks).unwrap() else { panic!() };
    assert_eq!(texture.alpha_map.as_deref(), Some(&b"map"[..]));
    assert!(texture.flags.contains(TextureFlags::KEEP_QUALITY) && texture.flags.contains(TextureFlags::DYNAMIC));
    assert!(checks.warnings()[0].to_string().contains("alpha map at offset"));
}
