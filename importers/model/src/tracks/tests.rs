//! What is stored moves no point further than the bound, whatever the skeleton: measured by code that shares nothing with the importer's.

use rres_format::chunk::PayloadView;
use rres_format::chunk::model::Node;
use rres_format::chunk::scene::{AnimationRecord, FurtherNode, MorphRecord, NONE, NodeExtra, SceneView};
use rres_format::chunk::vertex::VertexAttribute;
use rres_test_data::random::Random;

use super::*;

const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// A skeleton in the making: nodes that are all outside the default scene, which needs no MODL chunk.
struct Skeleton {
    scene: SceneBlock,
    first: u32,
}

impl Skeleton {
    fn new() -> Self {
        Self { scene: SceneBlock::default(), first: 0 }
    }

    fn bone(&mut self, parent: Option<u32>, translation: [f32; 3], scale: f32) -> u32 {
        let extra = NodeExtra {
            has_parts: 1,
            skin: NONE,
            camera: NONE,
            light: NONE,
            weights: Span::default(),
            translation,
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [scale; 3],
        };
        let mut transform = IDENTITY.map(|number| number * scale);
        transform[12..15].copy_from_slice(&translation);
        transform[15] = 1.0;
        self.scene.nodes.push(extra);
        self.scene.further_nodes.push(FurtherNode {
            parent: parent.unwrap_or(NONE),
            mesh: NONE,
            name: Span::default(),
            transform,
        });
        self.scene.nodes.len() as u32 - 1
    }

    fn channel(&mut self, node: u32, property: Property, interpolation: Interpolation, times: Span, values: &[f32]) {
        let values = self.scene.push_numbers(values.iter().copied()).unwrap();
        let components = if property == Property::ROTATION { 4 } else { 3 };
        self.scene.channels.push(ChannelRecord { node, property, interpolation, components, times, values });
    }

    fn times(&mut self, times: impl IntoIterator<Item = f32>) -> Span {
        self.scene.push_numbers(times).unwrap()
    }

    fn end_animation(&mut self) {
        let count = self.scene.channels.len() as u32 - self.first;
        self.scene
            .animations
            .push(AnimationRecord { name: Span::default(), channels: Span { first: self.first, count } });
        self.first += count;
    }

    /// What is stored with a bound in metres, read back, and the note.
    fn packed(&self, bound: f64) -> (SceneBlock, Option<Note>) {
        let mut scene = self.scene.clone();
        let none: [Node<'_>; 0] = [];
        let note = pack(&mut scene, &none, &[], &[], Some(Length::metres(bound))).unwrap();
        (scene, note)
    }
}

fn size(scene: &SceneBlock) -> usize {
    scene.block().unwrap().len()
}

/// The part of the size that tracks and channels take, of what it was: without the records that do not change.
fn part(before: &SceneBlock, after: &SceneBlock) -> f64 {
    let fixed = before.block().unwrap().len() - before.numbers.len() * 4;
    (size(after) - fixed) as f64 / (before.numbers.len() * 4) as f64
}

type Vector = [f64; 3];

fn rotate([x, y, z, w]: [f64; 4], v: Vector) -> Vector {
    // Rodrigues: v + 2w (q × v) + 2 q × (q × v), of a quaternion of length 1.
    let cross =
        |a: Vector, b: Vector| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let once = cross([x, y, z], v);
    let twice = cross([x, y, z], once);
    std::array::from_fn(|i| v[i] + 2.0 * (w * once[i] + twice[i]))
}

/// The value of a channel at a time, by the text of the glTF specification.
fn value(scene: &SceneBlock, channel: &ChannelRecord, time: f64) -> [f64; 4] {
    let numbers = |span: Span| &scene.numbers[span.first as usize..][..span.count as usize];
    let (times, values) = (numbers(channel.times), numbers(channel.values));
    let width = channel.components as usize;
    let key = |i: usize| -> [f64; 4] {
        std::array::from_fn(|n| if n < width { f64::from(values[i * width + n]) } else { 0.0 })
    };
    let next = times.iter().position(|key| f64::from(*key) > time);
    let (before, next) = match next {
        Some(0) => return key(0),
        Some(next) => (next - 1, next),
        None => return key(times.len() - 1),
    };
    if channel.interpolation == Interpolation::STEP {
        return key(before);
    }
    let (a, mut b) = (key(before), key(next));
    let t = (time - f64::from(times[before])) / (f64::from(times[next]) - f64::from(times[before]));
    if channel.property != Property::ROTATION {
        return std::array::from_fn(|i| a[i] * (1.0 - t) + b[i] * t);
    }
    let mut dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    if dot < 0.0 {
        (b, dot) = (b.map(|x| -x), -dot);
    }
    let angle = dot.min(1.0).acos();
    let mixed: [f64; 4] = if angle < 1e-6 {
        std::array::from_fn(|i| a[i] * (1.0 - t) + b[i] * t)
    } else {
        std::array::from_fn(|i| (a[i] * ((1.0 - t) * angle).sin() + b[i] * (t * angle).sin()) / angle.sin())
    };
    let length = mixed.iter().map(|x| x * x).sum::<f64>().sqrt();
    mixed.map(|x| x / length)
}

/// Where a point in the space of a node is in that of the model, from the node up to its root.
fn place(scene: &SceneBlock, channels: &[ChannelRecord], node: u32, time: f64, mut point: Vector) -> Vector {
    let mut at = node;
    while at != NONE {
        let extra = scene.nodes[at as usize];
        let find = |property| channels.iter().rfind(|channel| channel.node == at && channel.property == property);
        let sample = |property, rest: [f64; 4]| find(property).map_or(rest, |channel| value(scene, channel, time));
        let wide = |[x, y, z]: [f32; 3]| [x, y, z, 0.0].map(f64::from);
        let scale = sample(Property::SCALE, wide(extra.scale));
        let turn = sample(Property::ROTATION, extra.rotation.map(f64::from));
        let shift = sample(Property::TRANSLATION, wide(extra.translation));
        point = rotate(turn, std::array::from_fn(|i| point[i] * scale[i]));
        point = std::array::from_fn(|i| point[i] + shift[i]);
        at = scene.further_nodes[at as usize].parent;
    }
    point
}

/// The largest distance between the points of both scenes: the origins of all nodes and points beside them, at times that fall on no grid.
fn error(before: &SceneBlock, after: &SceneBlock, beside: f64, steps: usize) -> f64 {
    let mut after = after.clone();
    after.unpack_tracks().unwrap();
    let mut most = 0.0f64;
    for animation in &before.animations {
        let range = animation.channels.first as usize..(animation.channels.first + animation.channels.count) as usize;
        let (own, new) = (&before.channels[range.clone()], &after.channels[range]);
        let end = |channel: &ChannelRecord| {
            f64::from(before.numbers[(channel.times.first + channel.times.count) as usize - 1])
        };
        let end = own.iter().map(end).fold(0.0, f64::max);
        for step in 0..=steps {
            let time = end * step as f64 / steps as f64;
            for node in 0..before.nodes.len() as u32 {
                for point in [[0.0; 3], [beside, 0.0, 0.0], [0.0, beside, 0.0], [0.0, 0.0, -beside]] {
                    let (a, b) = (place(before, own, node, time, point), place(&after, new, node, time, point));
                    most = most.max((0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt());
                }
            }
        }
    }
    most
}

/// A quaternion around an axis.
fn turned(axis: [f32; 3], angle: f32) -> [f32; 4] {
    let length = axis.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
    let (sin, cos) = (libm::sinf(angle / 2.0), libm::cosf(angle / 2.0));
    [axis[0] / length * sin, axis[1] / length * sin, axis[2] / length * sin, cos]
}

/// A random skeleton with an animation whose keys are smooth, noisy, jumping or still.
fn random_skeleton(seed: u64) -> Skeleton {
    let mut random = Random::new(seed);
    let mut skeleton = Skeleton::new();
    let around = |random: &mut Random, most: f32| (random.fraction() - 0.5) * 2.0 * most;
    let bones = 2 + random.below(10) as u32;
    for bone in 0..bones {
        let parent = (bone > 0).then(|| random.below(bone as usize) as u32);
        let at = [0; 3].map(|_| around(&mut random, 0.5));
        let scale = [1.0, 1.0, 0.5, 2.0][random.below(4)];
        skeleton.bone(parent, at, scale);
    }
    let keys = 2 + random.below(60);
    let mut seconds = 0.0f32;
    let times: Vec<f32> = (0..keys)
        .map(|_| {
            let time = seconds;
            // Sometimes two keys at one time.
            seconds += if random.below(20) == 0 { 0.0 } else { [1.0 / 30.0, 0.1, 0.0417][random.below(3)] };
            time
        })
        .collect();
    let times = skeleton.times(times);
    for bone in 0..bones {
        for property in [Property::TRANSLATION, Property::ROTATION, Property::SCALE] {
            if random.below(3) == 0 {
                continue;
            }
            let interpolation = if random.below(5) == 0 { Interpolation::STEP } else { Interpolation::LINEAR };
            let sort = random.below(5);
            let axis = [0; 3].map(|_| around(&mut random, 1.0));
            let speed = around(&mut random, 0.4);
            let mut values = Vec::new();
            for key in 0..keys {
                let phase = match sort {
                    0 => 0.3,
                    1 => libm::sinf(key as f32 * speed),
                    2 => around(&mut random, 1.0),
                    3 => f32::from(key > keys / 2),
                    _ => key as f32 * speed * 4.0,
                };
                match property {
                    Property::ROTATION => values.extend(turned(axis, phase * 2.0)),
                    Property::TRANSLATION => values.extend(axis.map(|x| x * phase)),
                    _ => values.extend(axis.map(|x| 1.0 + x * 0.3 * phase.clamp(-1.0, 1.0))),
                }
            }
            skeleton.channel(bone, property, interpolation, times, &values);
        }
    }
    skeleton.end_animation();
    skeleton
}

#[test]
fn no_point_moves_further_than_the_bound() {
    for seed in 0..24 {
        let skeleton = random_skeleton(seed);
        for bound in [1e-2, 1e-4] {
            let (scene, _) = skeleton.packed(bound);
            let found = error(&skeleton.scene, &scene, 0.02, 97);
            assert!(found <= bound, "seed {seed}: {found} m, bound {bound} m");
            assert!(size(&scene) <= size(&skeleton.scene), "seed {seed}");
            assert_eq!(scene.animations, skeleton.scene.animations);
        }
    }
}

/// Twenty bones in four chains, three seconds of smooth motion at 30 keys a second, as exporters write it: all three properties of every bone.
fn walker() -> Skeleton {
    let mut skeleton = Skeleton::new();
    let root = skeleton.bone(None, [0.0, 1.0, 0.0], 1.0);
    let mut bones = vec![root];
    for chain in 0..4u8 {
        let mut parent = root;
        for link in 0..5u8 {
            parent = skeleton.bone(Some(parent), [0.02 * f32::from(chain), 0.15 + 0.01 * f32::from(link), 0.05], 1.0);
            bones.push(parent);
        }
    }
    let times = skeleton.times((0..91u8).map(|key| f32::from(key) / 30.0));
    for (number, bone) in (0u8..).zip(bones) {
        let phase = f32::from(number);
        let at = |key: u8| libm::sinf(f32::from(key) / 30.0 * 4.0 + phase);
        let turns: Vec<f32> =
            (0..91).flat_map(|key| turned([1.0, 0.3 * at(key), 0.2 * phase], 0.5 * at(key) + 0.1)).collect();
        let rest = skeleton.scene.nodes[bone as usize].translation;
        let moves: Vec<f32> = (0..91)
            .flat_map(|key| if number == 0 { [0.0, 1.0 + 0.05 * at(key), 0.02 * at(key)] } else { rest })
            .collect();
        skeleton.channel(bone, Property::TRANSLATION, Interpolation::LINEAR, times, &moves);
        skeleton.channel(bone, Property::ROTATION, Interpolation::LINEAR, times, &turns);
        skeleton.channel(bone, Property::SCALE, Interpolation::LINEAR, times, &[1.0; 273]);
    }
    skeleton.end_animation();
    skeleton
}

#[test]
fn smooth_motion_takes_a_small_part_of_its_bytes_and_the_same_ones_again() {
    let skeleton = walker();
    let (scene, note) = skeleton.packed(1e-4);
    let found = error(&skeleton.scene, &scene, 0.02, 101);
    assert!(found <= 1e-4, "{found}");
    let part = part(&skeleton.scene, &scene);
    assert!(part < 0.15, "{part}");
    assert_eq!(note, None);
    let bytes = scene.block().unwrap();
    // The same bytes on every machine, and in every run.
    assert_eq!(crc32fast::hash(&bytes), 0xc8f9_aa7b);
    assert_eq!(bytes, skeleton.packed(1e-4).0.block().unwrap());
    // A game reads the same channels, with fewer keys, up to the same time.
    let view = SceneView::parse(PayloadView::parse(&bytes).unwrap()).unwrap();
    let mut unpacked = view.to_block();
    unpacked.unpack_tracks().unwrap();
    for (old, new) in skeleton.scene.channels.iter().zip(&unpacked.channels) {
        assert_eq!((old.node, old.property, old.components), (new.node, new.property, new.components));
        assert!(new.times.count <= old.times.count);
        let expected = if new.times.count == 1 { 0.0 } else { 3.0 };
        assert_eq!(unpacked.numbers[(new.times.first + new.times.count) as usize - 1], expected);
    }
}

#[test]
fn a_smaller_bound_takes_more_bytes() {
    let skeleton = walker();
    let sizes = [1e-1, 1e-3, 1e-5].map(|bound| size(&skeleton.packed(bound).0));
    assert!(sizes[0] < sizes[1] && sizes[1] < sizes[2] && sizes[2] < size(&skeleton.scene), "{sizes:?}");
}

#[test]
fn an_animation_of_still_channels_keeps_its_length() {
    let mut skeleton = Skeleton::new();
    let bone = skeleton.bone(None, [0.0; 3], 1.0);
    let times = skeleton.times([0.0, 0.5, 2.5]);
    skeleton.channel(bone, Property::TRANSLATION, Interpolation::LINEAR, times, &[1.0; 9]);
    skeleton.channel(bone, Property::SCALE, Interpolation::LINEAR, times, &[1.0; 9]);
    skeleton.end_animation();
    let (scene, note) = skeleton.packed(1e-3);
    let numbers = |span: Span| &scene.numbers[span.first as usize..][..span.count as usize];
    assert_eq!((numbers(scene.channels[0].times), numbers(scene.channels[0].values)), (&[0.0, 2.5][..], &[1.0; 6][..]));
    assert_eq!((numbers(scene.channels[1].times), numbers(scene.channels[1].values)), (&[0.0][..], &[1.0; 3][..]));
    assert_eq!((note, scene.tracks.len()), (None, 0));
}

#[test]
fn what_stays_as_it_is_is_named() {
    let mut skeleton = walker();
    let bone = skeleton.bone(None, [0.0; 3], 1.0);
    let times = skeleton.times([0.0, 1.0]);
    let cubic: Vec<f32> = (0..18u8).map(f32::from).collect();
    skeleton.channel(bone, Property::TRANSLATION, Interpolation::CUBIC, times, &cubic);
    // A node without extent: no scale is near enough to zero.
    skeleton.channel(bone, Property::SCALE, Interpolation::LINEAR, times, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    skeleton.end_animation();
    let (scene, note) = skeleton.packed(1e-4);
    assert!(!scene.tracks.is_empty());
    let kept = scene.channels[scene.channels.len() - 2];
    assert_eq!(scene.numbers[kept.values.first as usize..][..kept.values.count as usize], cubic);
    let note = note.unwrap();
    assert_eq!(note.topic, "channels of animations that `model.animation_error` leaves as they are");
    let detail = "1 channel with cubic interpolation, 1 channel that shorter numbers would move too far";
    assert_eq!(note.detail, detail);
}

#[test]
fn an_animation_that_is_too_long_to_compare_stays_as_it_is_and_is_named() {
    let mut skeleton = Skeleton::new();
    let mut parent = None;
    for _ in 0..2_000 {
        parent = Some(skeleton.bone(parent, [0.1, 0.0, 0.0], 1.0));
    }
    let count = 4_000u16;
    let times = skeleton.times((0..count).map(|at| f32::from(at) / 60.0));
    let values: Vec<f32> = (0..count).flat_map(|at| [f32::from(at), 0.0, 0.0]).collect();
    skeleton.channel(0, Property::TRANSLATION, Interpolation::LINEAR, times, &values);
    skeleton.end_animation();
    let (scene, note) = skeleton.packed(1e-4);
    assert_eq!((scene.tracks.len(), scene.channels[0].times.count), (0, u32::from(count)));
    assert_eq!(note.unwrap().detail, "1 channel of animations that are too long to compare (split them)");
}

/// Each target moves the vertex by a metre, and both by two.
#[test]
fn morph_targets_add_up() {
    let scene = SceneBlock { numbers: vec![1.0, 0.0, 0.0, 1.0, -0.5, 0.0], ..SceneBlock::default() };
    let morph = |target, first| MorphRecord {
        primitive: 0,
        target,
        attribute: VertexAttribute::POSITION,
        components: 3,
        deltas: Span { first, count: 3 },
    };
    let scene = SceneBlock { morphs: vec![morph(0, 0), morph(1, 3)], ..scene };
    assert_eq!(rig::morph_reach(&scene, 0), [2.0, 0.5, 0.0]);
    assert_eq!(rig::morph_reach(&scene, 1), [0.0; 3]);
}

#[test]
fn without_the_setting_nothing_changes() {
    let skeleton = walker();
    let mut scene = skeleton.scene.clone();
    assert_eq!(pack(&mut scene, &[], &[], &[], None).unwrap(), None);
    assert_eq!(scene, skeleton.scene);
}
