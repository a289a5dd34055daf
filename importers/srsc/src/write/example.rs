//! A small database with every sort of record, and one that it depends on. Nothing of a game is in it.

use super::{RecordBytes, archive, record, zlib};
use crate::body::{Items, Ref, Weight};
use crate::records::{
    Action, ActionKind, Actor, AnimationInfo, Bounds, Cap, Channel, Character, CharacterSphere, Class, Corner, Field,
    Frame, Joint, Lod, LodMesh, ModelCounters, ModelName, Node, Polygon, Record, Sequence, Shading, Shapes, Sound,
    SoundFlags, Texture, TextureFlags, Volume,
};
use crate::text::Text;

/// Returns the files of the database `Synth.db`, which depends on `Common/Shared.db`, by their paths.
///
/// Its records have known contents, which the tests of this crate list. The bytes of compressed textures and sounds depend on the
/// compressor; all others are always the same.
pub fn example() -> Vec<(String, Vec<u8>)> {
    let shared = Texture { width: 1, height: 1, pitch: 3, ..texture(24, &[1, 2, 3]) };
    [
        ("Synth.db", b"version 1\r\ndependencies 1\r\n2 common\\SHARED\r\n".to_vec()),
        ("Synth.txd", archive(&textures())),
        ("Synth.sdb", archive(&sounds())),
        ("Synth.mod", archive(&models())),
        ("Synth.odb", archive(&classes())),
        ("Synth.adb", archive(&animations())),
        ("Synth.ssd", archive(&sequences())),
        ("Synth.rrc", archive(&texts())),
        ("Common/Shared.db", b"version 1\r\ndependencies 0\r\n".to_vec()),
        ("Common/Shared.txd", archive(&[bytes(1, 0, 0x40, Record::Texture(shared))])),
    ]
    .map(|(path, bytes)| (path.to_owned(), bytes))
    .into()
}

fn bytes(id: u16, group: u16, kind: u16, contents: Record<'_>) -> RecordBytes {
    RecordBytes::new(kind, id, group, record(&contents))
}

fn text(text: &'static str) -> Text<'static> {
    Text::encode(text).unwrap_or_default()
}

/// The level of compression of the textures.
const LEVEL: u32 = 6;

/// A texture whose size has yet to be set.
fn texture(bits: u16, pixels: &[u8]) -> Texture<'static> {
    Texture {
        width: 0,
        height: 0,
        pitch: 0,
        bits,
        alpha_bits: 0,
        color_key: Texture::NO_KEY,
        mip: Ref::default(),
        alternate: Ref::default(),
        bump: Ref::default(),
        fps: 0,
        flags: TextureFlags::default(),
        mip_number: 0,
        material: Ref::default(),
        reference_count: 1,
        level: LEVEL,
        data: zlib(pixels, LEVEL).into(),
        alpha_map: None,
    }
}

fn textures() -> Vec<RecordBytes> {
    let palette = (0..=255u8).map(|i| [i, 255 - i, i.wrapping_mul(7), 0]).collect();
    let halves = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let sized = |width: u32, height: u32, texture: Texture<'static>| Texture {
        width,
        height,
        pitch: width * u32::from(texture.bits) / 8,
        ..texture
    };
    let alpha = |alpha_bits, values: &[u16]| Texture {
        alpha_bits,
        flags: TextureFlags::ALPHA,
        ..sized(4, 1, texture(16, &halves(values)))
    };
    let flags = |flags, texture| Texture { flags, ..texture };
    let pixels = |value: u8| sized(2, 1, texture(24, &[value; 6]));
    let linked = Texture {
        mip: Ref::local(9),
        bump: Ref::local(3),
        alternate: Ref::local(4),
        material: Ref::local(0x30),
        ..sized(2, 2, texture(24, &(0..12).collect::<Vec<u8>>()))
    };
    let list = [
        Texture { color_key: 0x02_fd_0e, ..sized(4, 4, texture(8, &(0..16).collect::<Vec<u8>>())) },
        sized(4, 2, texture(16, &halves(&[0xf800, 0x07e0, 0x001f, 0xffff, 0, 0x8410, 0xf81f, 0x07ff]))),
        alpha(1, &[0xfc00, 0x7c00, 0x83e0, 0x801f]),
        alpha(4, &[0xff00, 0x8f00, 0x00f0, 0xf00f]),
        alpha(8, &[0xffe0, 0x80e0, 0x001c, 0xff03]),
        Texture { color_key: 0xff_00_ff, ..sized(2, 2, texture(24, &[255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 0, 255])) },
        Texture { alpha_bits: 8, ..sized(2, 1, texture(32, &[1, 2, 3, 4, 5, 6, 7, 8])) },
        linked,
        Texture { mip_number: 1, ..flags(TextureFlags::MIP, sized(1, 1, texture(24, &[9; 3]))) },
        Texture { fps: 12, ..pixels(10) },
        flags(TextureFlags::NEXT_FRAME, pixels(11)),
        flags(TextureFlags::NEXT_FRAME, pixels(12)),
        Texture { level: 0, data: vec![13; 6].into(), ..pixels(13) },
    ];
    let list = (1..).zip(list).map(|(id, texture)| bytes(id, 0, 0x40, Record::Texture(texture)));
    std::iter::once(bytes(0, 0, 0x30, Record::Palette(palette))).chain(list).collect()
}

fn sounds() -> Vec<RecordBytes> {
    let step: Vec<u8> = (0..64u8).map(|i| 128 + i % 16 * 4).collect();
    let wave: Vec<u8> = (0..32i16).flat_map(|i| [i * 100, -i * 100]).flat_map(i16::to_le_bytes).collect();
    let step = Sound {
        name: text("step"),
        flags: SoundFlags::default(),
        channels: 1,
        bits: 8,
        rate: 11_025,
        volume: 0,
        drop_off: 0.0,
        priority: 5,
        size: 64,
        level: 0,
        data: step.into(),
    };
    let looped = Sound {
        name: text("loop!"),
        flags: SoundFlags::LOOP,
        channels: 2,
        bits: 16,
        rate: 22_050,
        volume: -600,
        drop_off: 15.5,
        priority: 10,
        size: 128,
        level: 9,
        data: zlib(&wave, 9).into(),
    };
    vec![
        bytes(1, 0, 0x301, Record::Group(text("Footsteps"))),
        bytes(2, 1, 0x301, Record::Group(text("Stone"))),
        bytes(3, 2, 0x302, Record::Sound(step)),
        bytes(4, 0, 0x302, Record::Sound(looped)),
    ]
}

const IDENTITY: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

fn volume() -> Volume {
    let mut oriented_box = [0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    oriented_box[3..].copy_from_slice(&IDENTITY);
    Volume { sphere: [0.5, 0.5, 0.0, 1.0], oriented_box }
}

fn models() -> Vec<RecordBytes> {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    let corner = |(vertex, u, v): (u16, u8, u8)| Corner { vertex, uv: [u.into(), v.into()] };
    let polygon = |flags, texture, corners: &[(u16, u8, u8)]| {
        Polygon::new(flags, texture, &corners.iter().copied().map(corner).collect::<Vec<_>>())
    };
    let quad = polygon(0, 0, &[(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 0, 1)]);
    let fin = polygon(2, 1, &[(1, 0, 0), (4, 1, 0), (2, 0, 1)]);
    let low = polygon(0, 0, &[(0, 0, 0), (1, 1, 0), (2, 1, 1)]);
    let bounds = Bounds {
        volume: volume(),
        tree: [[0, 0]].into_iter().collect(),
        shapes: Shapes::Spheres([[0.5, 0.5, 0.0, 1.0]].into_iter().collect()),
    };
    let name = |name, shading| Record::ModelName(ModelName { name: text(name), shading: Shading(shading) });
    let list = |list: &[Ref]| Record::TextureList(list.iter().copied().collect());
    vec![
        bytes(0, 0, 0x202, Record::ModelCounters(ModelCounters { groups: 1, last_group: 1, last_model: 0x11 })),
        bytes(1, 0, 0x201, Record::Group(text("Props"))),
        bytes(0x10, 1, 0x200, name("quad", 0x8002)),
        bytes(0x10, 1, 0x203, Record::Vertices(vertices.into_iter().collect())),
        bytes(0x10, 1, 0x204, Record::Polygons([quad, fin].into_iter().flatten().collect())),
        bytes(0x10, 1, 0x206, list(&[Ref::local(6), Ref { id: 1, database: 2 }])),
        bytes(0x10, 1, 0x207, Record::Bounds(bounds.clone())),
        bytes(0x10, 1, 0x209, Record::Lod(Lod { model: 0x11, distance: 25.0 })),
        bytes(0x11, 1, 0x200, name("quad_lo", 0x8001)),
        bytes(0x11, 1, 0x203, Record::Vertices(vertices.into_iter().take(3).collect())),
        bytes(0x11, 1, 0x204, Record::Polygons(low.into_iter().collect())),
        bytes(0x11, 1, 0x206, list(&[Ref::local(6)])),
        bytes(0x11, 1, 0x207, Record::Bounds(bounds)),
    ]
}

fn classes() -> Vec<RecordBytes> {
    let fields = [
        (0x01, "Hit points"),
        (0x02, "Speed"),
        (0x0a, "Label"),
        (0x1005, "Sounds"),
        (0x0f, "Tint"),
        (0x06, "Solid"),
        (0x0e, "Skin"),
    ];
    let fields = fields.map(|(number, name)| Field { number, name: text(name) });
    let label = [*b"Hell", *b"o, r", *b"iot\0"].map(u32::from_le_bytes);
    let span = |offset: u32, len: u32| len << 16 | offset;
    let skin = 2 << 16 | 1;
    let head = [(-7i32).cast_unsigned(), 1.5f32.to_bits(), span(7, 3), span(10, 2), 0x80ff_7f01, 1, skin];
    let class = Class {
        name: text("Synthetic Thing"),
        group: 0x2f,
        model: Ref::local(0x10),
        library_class: 7,
        icon: 3,
        data: head.into_iter().chain(label).chain([3, 4]).collect(),
        fields: fields.into(),
    };
    vec![
        bytes(0, 0, 0x100, Record::Library { unknown: [0; 8], path: text("Synth.rfl") }),
        bytes(0, 0, 0x402, Record::Version(0x102)),
        bytes(0x2f, 0, 0x101, Record::Group(text("Things"))),
        bytes(0x30, 0x2f, 0x102, Record::Class(class)),
    ]
}

fn animations() -> Vec<RecordBytes> {
    let frame = |time, x| {
        let mut transform = [0.0; 12];
        transform[..9].copy_from_slice(&IDENTITY);
        transform[9] = x;
        Frame { time, transform }
    };
    let info = AnimationInfo {
        name: text("wave"),
        duration: 0.5,
        source_frames: 2,
        frames: 3,
        flags: 1,
        nodes: 2,
        channels: 1,
        unknown: 0,
        reference_count: 1,
        thresholds: [0.1, 0.2, 0.3],
    };
    let frames: Items<'_, Frame> = [frame(0.0, 0.0), frame(0.5, 1.0), frame(0.0, 0.0)].into_iter().collect();
    vec![
        bytes(1, 0, 0x501, Record::Animation(info)),
        bytes(1, 0, 0x502, Record::Frames(frames)),
        bytes(1, 0, 0x503, Record::FrameRanges([[0, 2], [2, 1]].into_iter().collect())),
    ]
}

fn sequences() -> Vec<RecordBytes> {
    let kinds = [
        ActionKind::Move { rotation: [0.0, 0.0, 0.0, 1.0], position: [1.0, 2.0, 3.0], relative_to: 0, options: 0x10 },
        ActionKind::Animate { channel: 0, animation: Ref::local(1), start: 0.0, transition: 0.1, speed: 1.0, flags: 0 },
        ActionKind::PlaySound { sound: Ref::local(3), duration: 1.0, volume: 10_000, flags: 8 },
        ActionKind::Attach { actor: 0, channel: 0 },
        ActionKind::RunAi(1),
        ActionKind::Show(0),
        ActionKind::Message { number: 4097, unknown: 0 },
        ActionKind::Music { music: 1, instruments: 256, fade_in: 0.5, fade_out: 0.5 },
    ];
    let actions: Vec<Action> = (0u8..).zip(kinds).map(|(i, kind)| Action { time: f32::from(i) / 2.0, kind }).collect();
    let hero = Actor { name: text("Hero"), id: 1, kind: 1, assigned_as: 0, target: 42, action_count: 8, actions };
    let intro = Sequence {
        name: text("Intro"),
        flags: 0x41,
        run_state: 3,
        unknown: 0,
        actor_count: 1,
        actors: vec![hero],
        rest: Default::default(),
    };
    vec![
        bytes(0, 0, 0x310, Record::Raw((&[1, 0, 0, 0, 2, 0, 0, 0]).into())),
        bytes(1, 0, 0x312, Record::Group(text("Cutscenes"))),
        bytes(2, 1, 0x311, Record::Sequence(intro)),
    ]
}

fn texts() -> Vec<RecordBytes> {
    let riff = |form: &[u8; 4]| Record::Riff([b"RIFF\x04\0\0\0", &form[..]].concat().into());
    let long = "Grüße ä long enough to wrap the 32-byte keystream";
    vec![
        bytes(1, 0, 0x400, Record::HiddenText(text("Dragon"))),
        bytes(2, 0, 0x401, Record::Text(text("Plain text"))),
        bytes(0x101, 0, 0x401, riff(b"DLS ")),
        bytes(0x1001, 0, 0x401, Record::Volume(-600)),
        bytes(3, 0, 0x400, Record::HiddenText(text(long))),
        bytes(4, 0, 0x401, riff(b"DMSG")),
    ]
}

/// Returns a character of two levels of detail, with nodes, joints, weights, channels and bounding spheres, for five vertices and two
/// polygons. The example has none.
pub fn character() -> Character<'static> {
    let weights = |list: &[(u32, f32)]| -> Items<'static, Weight> {
        list.iter().map(|(vertex, weight)| Weight { vertex: *vertex, weight: *weight }).collect()
    };
    let mut transform = [0.0; 12];
    transform[..9].copy_from_slice(&IDENTITY);
    let joint = |mesh, first_child, next_sibling, of_levels: [&[(u32, f32)]; 2]| Joint {
        inverse: transform,
        mesh,
        first_child,
        next_sibling,
        weights: of_levels.map(weights).into(),
    };
    let mesh = |distance, first_vertex, vertices, first_polygon, polygons| LodMesh {
        distance,
        usage: 1,
        node: 0,
        first_vertex,
        vertices,
        first_polygon,
        polygons,
    };
    let sphere = |first_child, next_sibling, vertex| CharacterSphere {
        first_child,
        next_sibling,
        vertex,
        radius: 0.5,
        channel: 0,
        unknown: 0,
    };
    let cap = Cap { numbers: [0, 1, 1, 1, 0], weights: weights(&[(2, 1.0)]) };
    Character {
        volume: volume(),
        lod_names: vec![text("far")],
        nodes: vec![
            Node { name: text("hip"), joint: Some(0) },
            Node { name: text("effector"), joint: None },
            Node { name: text("knee"), joint: Some(1) },
        ],
        joints: vec![
            joint(0, 1, 0, [&[(0, 1.0), (1, 0.5)], &[(0, 1.0)]]),
            joint(-1, 0, 2, [&[(1, 0.5)], &[]]),
            joint(0, 0, 0, [&[], &[]]),
        ],
        lods: vec![[mesh(0.0, 0, 4, 0, 1)].into_iter().collect(), [mesh(20.0, 2, 3, 1, 1)].into_iter().collect()],
        animations: [Ref::local(1)].into_iter().collect(),
        channels: vec![Channel { node: 0, transform, inverse: transform, caps: vec![cap] }],
        spheres: vec![[sphere(1, 0, 0), sphere(0, 0, 1)].into_iter().collect(), Items::default()],
    }
}
