//! A small database with a character that moves: three joints, two levels of detail, and an animation that bends it.

use super::{RecordBytes, archive, record};
use crate::body::{Items, Ref, Weight};
use crate::records::{
    AnimationInfo, Character, Corner, Frame, Joint, LodMesh, ModelName, Node, Polygon, Record, Shading, Volume,
};
use crate::text::Text;

/// Returns the files of the database `Hero.db` by their paths.
///
/// The model has a square with two triangles, and one triangle as its second level of detail, whose third vertex has no weights. Of the
/// joints `hip`, `arm` and `hand`, each is the child of the one before it. In the animation `bend`, which takes a second, the arm turns by
/// 90 degrees round the third axis and moves by 1 along the first; the hand is moved by 2 along the third. No texture is in it.
pub fn hero() -> Vec<(String, Vec<u8>)> {
    [
        ("Hero.db", b"version 1\r\ndependencies 0\r\n".to_vec()),
        ("Hero.mod", archive(&model())),
        ("Hero.adb", archive(&animation())),
    ]
    .map(|(path, bytes)| (path.to_owned(), bytes))
    .into()
}

const STILL: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

fn text(text: &'static str) -> Text<'static> {
    Text::encode(text).unwrap_or_default()
}

fn bytes(id: u16, group: u16, kind: u16, contents: Record<'_>) -> RecordBytes {
    RecordBytes::new(kind, id, group, record(&contents))
}

fn model() -> Vec<RecordBytes> {
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let vertices: Items<'_, [f32; 3]> = square.into_iter().chain(square.into_iter().take(3)).collect();
    let polygon = |corners: u16| {
        let corner = |vertex| Corner { vertex, uv: [0.0, 0.0] };
        Polygon::new(0, 0, &(0..corners).map(corner).collect::<Vec<_>>())
    };
    let weights = |list: &[(u32, f32)]| -> Items<'static, Weight> {
        list.iter().map(|(vertex, weight)| Weight { vertex: *vertex, weight: *weight }).collect()
    };
    let joint = |mesh, first_child, near: &[(u32, f32)], far: &[(u32, f32)]| Joint {
        inverse: STILL,
        mesh,
        first_child,
        next_sibling: 0,
        weights: vec![weights(near), weights(far)],
    };
    let mesh = |distance, first_vertex, vertices, first_polygon| LodMesh {
        distance,
        usage: 1,
        node: 0,
        first_vertex,
        vertices,
        first_polygon,
        polygons: 1,
    };
    let node = |name, joint| Node { name: text(name), joint: Some(joint) };
    let character = Character {
        volume: Volume { sphere: [0.5, 0.5, 0.0, 1.0], oriented_box: STILL },
        lod_names: vec![text("far")],
        nodes: vec![node("hip", 0), Node { name: text("chain"), joint: None }, node("arm", 1), node("hand", 2)],
        joints: vec![
            joint(0, 1, &[(0, 1.0), (1, 0.5), (3, 3.0)], &[(0, 1.0)]),
            joint(0, 2, &[(1, 0.5)], &[(1, 1.0)]),
            joint(-1, 0, &[(2, 1.0)], &[]),
        ],
        lods: vec![[mesh(0.0, 0, 4, 0)].into_iter().collect(), [mesh(20.0, 4, 3, 1)].into_iter().collect()],
        animations: [Ref::local(1), Ref::local(1)].into_iter().collect(),
        channels: Vec::new(),
        spheres: vec![Items::default(), Items::default()],
    };
    vec![
        bytes(1, 0, 0x201, Record::Group(text("People"))),
        bytes(0x10, 1, 0x200, Record::ModelName(ModelName { name: text("hero"), shading: Shading::SMOOTH })),
        bytes(0x10, 1, 0x203, Record::Vertices(vertices)),
        bytes(0x10, 1, 0x204, Record::Polygons([polygon(4), polygon(3)].into_iter().flatten().collect())),
        bytes(0x10, 1, 0x206, Record::TextureList([Ref::default()].into_iter().collect())),
        bytes(0x10, 1, 0x208, Record::Character(Box::new(character))),
    ]
}

fn animation() -> Vec<RecordBytes> {
    let mut turned = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    turned[9] = 1.0;
    let mut lifted = STILL;
    lifted[11] = 2.0;
    let frame = |time, transform| Frame { time, transform };
    let frames = [frame(0.0, STILL), frame(0.0, STILL), frame(1.0, turned), frame(0.0, lifted)];
    let info = AnimationInfo {
        name: text("bend"),
        duration: 1.0,
        source_frames: 30,
        frames: 4,
        flags: 0,
        nodes: 3,
        channels: 0,
        unknown: 0,
        reference_count: 1,
        thresholds: [0.0; 3],
    };
    vec![
        bytes(1, 0, 0x501, Record::Animation(info)),
        bytes(1, 0, 0x502, Record::Frames(frames.into_iter().collect())),
        bytes(1, 0, 0x503, Record::FrameRanges([[0, 1], [1, 2], [3, 1]].into_iter().collect())),
    ]
}
