//! Records that are written are read again as they were, for every type; bodies that are read are written as they were.

use proptest::prelude::*;
use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{
    Action, ActionKind, Actor, AnimationInfo, Archive, Bounds, BoxShape, Cap, Channel, Character, Checks, Class,
    Corner, Element, Field, Frame, Items, Joint, Lod, LodMesh, ModelCounters, ModelName, Node, Polygon, Record,
    RecordType, Ref, Sequence, Shading, Shapes, Sound, SoundFlags, Text, Texture, TextureFlags, Volume, Weight,
};

use crate::golden;

#[test]
fn every_body_of_another_program_is_written_as_it_was() {
    let mut kinds = std::collections::BTreeSet::new();
    for file in ["Synth.txd", "Synth.sdb", "Synth.mod", "Synth.odb", "Synth.adb", "Synth.ssd", "Synth.rrc"] {
        let bytes = golden(file);
        let archive = Archive::parse(file, &bytes, &mut Checks::strict()).unwrap();
        for record in archive.records() {
            kinds.insert(record.key().kind);
            assert_eq!(
                write::record(&record.parse(&mut Checks::strict()).unwrap()),
                record.body(),
                "{file} {}",
                record.key()
            );
        }
    }
    // All types but those that are bytes, aliases or have a test of their own below.
    assert_eq!(kinds.len(), RecordType::ALL.len() - 3);
}

#[track_caller]
fn check(kind: RecordType, id: u16, record: &Record<'_>) {
    let bytes = write::archive(&[RecordBytes { group: 0, ..RecordBytes::new(kind.0, id, 0, write::record(record)) }]);
    let mut checks = Checks::default();
    let archive = Archive::parse("a", &bytes, &mut checks).unwrap();
    let read = archive.record(0).unwrap().parse(&mut checks).unwrap_or_else(|e| panic!("{e}\n{record:?}"));
    assert_eq!(&read, record);
}

#[test]
fn characters_come_back() {
    check(RecordType::CHARACTER, 1, &Record::Character(Box::new(write::character())));
}

fn text() -> impl Strategy<Value = Text<'static>> {
    // A text that ends with a zero byte would lose it, as padding.
    "[ -~äöüß€]{0,20}".prop_map(|text| Text::encode(&text).unwrap())
}

fn number() -> impl Strategy<Value = f32> {
    -1000.0f32..1000.0
}

fn numbers<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    proptest::collection::vec(number(), N).prop_map(|list| list.try_into().unwrap())
}

fn reference() -> impl Strategy<Value = Ref> {
    any::<(u16, u16)>().prop_map(|(id, database)| Ref { id, database })
}

fn items<T: Element + 'static>(element: impl Strategy<Value = T>) -> impl Strategy<Value = Items<'static, T>> {
    proptest::collection::vec(element, 0..6).prop_map(|list| list.into_iter().collect())
}

fn list<T: std::fmt::Debug>(element: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    proptest::collection::vec(element, 0..5)
}

fn weights() -> impl Strategy<Value = Items<'static, Weight>> {
    items((any::<u32>(), number()).prop_map(|(vertex, weight)| Weight { vertex, weight }))
}

fn volume() -> impl Strategy<Value = Volume> {
    (numbers(), numbers()).prop_map(|(sphere, oriented_box)| Volume { sphere, oriented_box })
}

fn texture() -> impl Strategy<Value = Texture<'static>> {
    let head = (
        1u32..9,
        1u32..9,
        0u32..4,
        prop::sample::select(vec![8u16, 16, 24, 32]),
        prop::sample::select(vec![0u32, 1, 4, 8]),
    );
    let links = (reference(), reference(), reference(), reference());
    (head, links, any::<(u32, u8, u8, u16, u32)>(), 0u32..10, list(any::<u8>())).prop_map(
        |((width, height, gap, bits, alpha_bits), (mip, alternate, bump, material), rest, level, map)| {
            let (color_key, fps, flags, mip_number, reference_count) = rest;
            let pitch = width * u32::from(bits) / 8 + gap;
            let pixels: Vec<u8> = (0..pitch * height).map(|i| i as u8).collect();
            let data = if level == 0 { pixels } else { write::zlib(&pixels, level) };
            let flags = TextureFlags(flags);
            let alpha_map = flags.contains(TextureFlags::ALPHA_MAP).then(|| map.into());
            Texture {
                width,
                height,
                pitch,
                bits,
                alpha_bits,
                color_key,
                mip,
                alternate,
                bump,
                fps,
                flags,
                mip_number,
                material,
                reference_count,
                level,
                data: data.into(),
                alpha_map,
            }
        },
    )
}

fn sound() -> impl Strategy<Value = Sound<'static>> {
    let form = (1u16..3, prop::sample::select(vec![8u16, 16]), 1u32..96_000);
    (text(), form, any::<(u32, i32, u32)>(), number(), 0u32..10, 0usize..40).prop_map(
        |(name, (channels, bits, rate), (flags, volume, priority), drop_off, level, frames)| {
            let samples: Vec<u8> = (0..frames * usize::from(channels * bits / 8)).map(|i| i as u8).collect();
            let size = samples.len() as u32;
            let data = if level == 0 { samples } else { write::zlib(&samples, level) }.into();
            Sound {
                name,
                flags: SoundFlags(flags),
                channels,
                bits,
                rate,
                volume,
                drop_off,
                priority,
                size,
                level,
                data,
            }
        },
    )
}

fn class() -> impl Strategy<Value = Class<'static>> {
    // Numbers, arrays and texts; floats that are not finite are errors, which another test has.
    let field = (prop::sample::select(vec![1u32, 3, 5, 6, 7, 0x0a, 0x0d, 0x0f, 0x1005, 0x1001, 0x2003]), text());
    (text(), any::<(u16, u16, u16)>(), reference(), list(field)).prop_map(
        |(name, (group, library_class, icon), model, list)| {
            let fields: Vec<Field<'static>> = list.into_iter().map(|(number, name)| Field { number, name }).collect();
            let count = fields.len() as u32;
            let has_words = |field: &Field<'_>| field.is_array() || field.number == 0x0a;
            let word = |(i, field): (u32, &Field<'_>)| if has_words(field) { 1 << 16 | (count + i) } else { i * 77 };
            let head: Vec<u32> = (0..).zip(&fields).map(word).collect();
            let data = head.into_iter().chain((0..count).map(|i| i * 0x0101)).collect();
            Class { name, group, model, library_class, icon, data, fields }
        },
    )
}

fn polygon() -> impl Strategy<Value = Polygon> {
    let corner = (any::<u16>(), numbers()).prop_map(|(vertex, uv)| Corner { vertex, uv });
    (any::<(u16, u16)>(), proptest::collection::vec(corner, 3..5))
        .prop_map(|((flags, texture), corners)| Polygon::new(flags, texture, &corners).unwrap())
}

fn bounds() -> impl Strategy<Value = Bounds<'static>> {
    let boxes = list((numbers(), items(any::<u16>()))).prop_map(|list| {
        list.into_iter().map(|(oriented_box, polygons)| BoxShape { oriented_box, polygons }).collect()
    });
    let shapes = prop_oneof![boxes.prop_map(Shapes::Boxes), items(numbers::<4>()).prop_map(Shapes::Spheres)];
    (volume(), shapes).prop_map(|(volume, shapes)| {
        let count = match &shapes {
            Shapes::Spheres(spheres) => spheres.len(),
            Shapes::Boxes(boxes) => boxes.len(),
        };
        // A chain of siblings.
        let tree = (1..=count as u16).map(|next| [0, if usize::from(next) < count { next } else { 0 }]).collect();
        Bounds { volume, tree, shapes }
    })
}

fn character() -> impl Strategy<Value = Character<'static>> {
    let mesh = (number(), any::<(u32, u32, u32, u32, u32, u32)>()).prop_map(|(distance, numbers)| {
        let (usage, node, first_vertex, vertices, first_polygon, polygons) = numbers;
        LodMesh { distance, usage, node, first_vertex, vertices, first_polygon, polygons }
    });
    let cap = (any::<[u32; 5]>(), weights()).prop_map(|(numbers, weights)| Cap { numbers, weights });
    let channel = (any::<i32>(), numbers(), numbers(), list(cap))
        .prop_map(|(node, transform, inverse, caps)| Channel { node, transform, inverse, caps });
    let joint = (numbers(), any::<i32>(), proptest::collection::vec(weights(), 2));
    let meshes = proptest::collection::vec(items(mesh), 2);
    (
        volume(),
        text(),
        list("[a-z]{0,32}"),
        proptest::collection::vec(joint, 1..4),
        meshes,
        items(reference()),
        list(channel),
    )
        .prop_map(|(volume, lod_name, names, joints, lods, animations, channels)| {
            let node = |name: String| Node {
                name: Text::encode(&name).unwrap(),
                joint: name.len().is_multiple_of(2).then_some(0),
            };
            let joint = |(inverse, mesh, weights)| Joint { inverse, mesh, first_child: 0, next_sibling: 0, weights };
            Character {
                volume,
                lod_names: vec![lod_name],
                nodes: names.into_iter().map(node).collect(),
                joints: joints.into_iter().map(joint).collect(),
                lods,
                animations,
                channels,
                spheres: write::character().spheres,
            }
        })
}

fn action() -> impl Strategy<Value = Action> {
    let kind = prop_oneof![
        (numbers(), numbers(), any::<(u32, u32)>()).prop_map(|(rotation, position, (relative_to, options))| {
            ActionKind::Move { rotation, position, relative_to, options }
        }),
        (any::<(u32, u32)>(), reference(), numbers()).prop_map(
            |((channel, flags), animation, [start, transition, speed])| {
                ActionKind::Animate { channel, animation, start, transition, speed, flags }
            }
        ),
        (reference(), number(), any::<(u16, u16)>())
            .prop_map(|(sound, duration, (volume, flags))| ActionKind::PlaySound { sound, duration, volume, flags }),
        any::<(u32, u32)>().prop_map(|(actor, channel)| ActionKind::Attach { actor, channel }),
        any::<u32>().prop_map(ActionKind::RunAi),
        any::<u32>().prop_map(ActionKind::Show),
        any::<(u32, u32)>().prop_map(|(number, unknown)| ActionKind::Message { number, unknown }),
        (any::<(u32, u32)>(), numbers()).prop_map(|((music, instruments), [fade_in, fade_out])| {
            ActionKind::Music { music, instruments, fade_in, fade_out }
        }),
    ];
    (number(), kind).prop_map(|(time, kind)| Action { time, kind })
}

fn sequence() -> impl Strategy<Value = Sequence<'static>> {
    let actor = (text(), any::<(u32, u32, u32)>(), 0u32..3, list(action())).prop_map(
        |(name, (id, assigned_as, target), kind, actions)| Actor {
            name,
            id,
            kind,
            assigned_as,
            target,
            action_count: actions.len() as u32,
            actions,
        },
    );
    (text(), any::<(u32, u32, u32)>(), list(actor)).prop_map(|(name, (flags, run_state, unknown), actors)| Sequence {
        name,
        flags,
        run_state,
        unknown,
        actor_count: actors.len() as u32,
        actors,
        rest: Default::default(),
    })
}

fn info() -> impl Strategy<Value = AnimationInfo<'static>> {
    (text(), number(), any::<(u32, u32, u32, u32, u32, u32, u32)>(), numbers()).prop_map(
        |(name, duration, counts, thresholds)| {
            let (source_frames, frames, flags, nodes, channels, unknown, reference_count) = counts;
            AnimationInfo {
                name,
                duration,
                source_frames,
                frames,
                flags,
                nodes,
                channels,
                unknown,
                reference_count,
                thresholds,
            }
        },
    )
}

/// A record of every type but those that are bytes.
fn any_record() -> impl Strategy<Value = (RecordType, Record<'static>)> {
    let of = |kind: RecordType| move |record: Record<'static>| (kind, record);
    let groups = vec![
        RecordType::CLASS_GROUP,
        RecordType::MODEL_GROUP,
        RecordType::SOUND_GROUP,
        RecordType::SEQUENCE_GROUP,
        RecordType::SEQUENCE_GROUP_ALIAS,
    ];
    let frame = (number(), numbers()).prop_map(|(time, transform)| Frame { time, transform });
    let bytes = list(any::<u8>());
    prop_oneof![
        items(any::<[u8; 4]>()).prop_map(Record::Palette).prop_map(of(RecordType::PALETTE)),
        texture().prop_map(Record::Texture).prop_map(of(RecordType::TEXTURE)),
        (any::<[u8; 8]>(), text())
            .prop_map(|(unknown, path)| Record::Library { unknown, path })
            .prop_map(of(RecordType::LIBRARY)),
        (prop::sample::select(groups), text()).prop_map(|(kind, name)| (kind, Record::Group(name))),
        class().prop_map(Record::Class).prop_map(of(RecordType::CLASS)),
        (text(), any::<u32>())
            .prop_map(|(name, shading)| Record::ModelName(ModelName { name, shading: Shading(shading) }))
            .prop_map(of(RecordType::MODEL)),
        any::<(u16, u16, u16)>()
            .prop_map(|(groups, last_group, last_model)| Record::ModelCounters(ModelCounters {
                groups,
                last_group,
                last_model
            }))
            .prop_map(of(RecordType::MODEL_COUNTERS)),
        items(numbers()).prop_map(Record::Vertices).prop_map(of(RecordType::VERTICES)),
        list(polygon()).prop_map(Record::Polygons).prop_map(of(RecordType::POLYGONS)),
        bytes.prop_map(|bytes| Record::Raw(bytes.into())).prop_map(of(RecordType::BSP)),
        items(reference()).prop_map(Record::TextureList).prop_map(of(RecordType::TEXTURE_LIST)),
        bounds().prop_map(Record::Bounds).prop_map(of(RecordType::BOUNDS)),
        character().prop_map(|character| Record::Character(Box::new(character))).prop_map(of(RecordType::CHARACTER)),
        (any::<u16>(), number())
            .prop_map(|(model, distance)| Record::Lod(Lod { model, distance }))
            .prop_map(of(RecordType::LOD)),
        sound().prop_map(Record::Sound).prop_map(of(RecordType::SOUND)),
        sequence().prop_map(Record::Sequence).prop_map(of(RecordType::SEQUENCE)),
        text().prop_map(Record::HiddenText).prop_map(of(RecordType::HIDDEN_TEXT)),
        text().prop_map(Record::Text).prop_map(of(RecordType::PLAIN)),
        any::<u32>().prop_map(Record::Version).prop_map(of(RecordType::VERSION)),
        info().prop_map(Record::Animation).prop_map(of(RecordType::ANIMATION)),
        items(frame).prop_map(Record::Frames).prop_map(of(RecordType::FRAMES)),
        items(any::<[u32; 2]>()).prop_map(Record::FrameRanges).prop_map(of(RecordType::FRAME_RANGES)),
    ]
}

proptest! {
    #![proptest_config(rres_test_support::cases(2000))]

    #[test]
    fn records_of_every_type_come_back((kind, record) in any_record()) {
        check(kind, 7, &record);
    }

    #[test]
    fn archives_come_back(records in proptest::collection::vec((any::<(u16, u16, u16)>(), list(any::<u8>())), 0..20)) {
        let records: Vec<RecordBytes> =
            records.into_iter().map(|((kind, id, group), body)| RecordBytes::new(kind, id, group, body)).collect();
        let bytes = write::archive(&records);
        let archive = Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
        let read: Vec<RecordBytes> = archive
            .records()
            .map(|record| RecordBytes { key: record.key(), group: record.entry().group, body: record.body().to_vec() })
            .collect();
        prop_assert_eq!(read, records);
    }
}
