//! Animations of characters → the keys of translation, rotation and scale of their joints.
//!
//! A frame is a matrix by rows, which vectors are multiplied with from the left, and a translation; so its rows are the columns of the
//! matrix of a node.

use rres_format::chunk::scene::{Interpolation, Property};
use rres_import::model::ModelChannel;

use super::skeleton::Skeleton;
use crate::{Animation, Frame};

/// The most numbers that the animations of the models of one archive become. Models may share animations, so a small archive could become
/// any number of them.
pub(super) const MAX_NUMBERS: usize = 64 << 20;

/// The cosine of two axes above which a frame has shear.
const SHEAR: f32 = 1e-3;

/// Translation, rotation and scale.
struct Parts {
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
    has_shear: bool,
}

/// What was left out of an animation.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Frames whose shear was.
    pub(super) shear: usize,
    /// Joints whose times go back.
    pub(super) joints: usize,
}

/// Returns how many numbers the [`channels`] have at most.
pub(super) fn numbers(animation: &Animation<'_>, skeleton: &Skeleton) -> usize {
    animation.ranges.iter().take(skeleton.len()).map(|[_, count]| count as usize * 11).sum()
}

/// Returns the channels of an animation, and what they do not have of it.
pub(super) fn channels(animation: &Animation<'_>, skeleton: &Skeleton) -> (Vec<ModelChannel>, LeftOut) {
    let mut channels = Vec::new();
    let mut left_out = LeftOut::default();
    for (joint, node) in (0..animation.ranges.len()).map_while(|joint| Some((joint, skeleton.node(joint)?))) {
        let frames: Vec<Frame> = animation.node(joint).collect();
        if frames.is_empty() {
            continue;
        }
        if frames.windows(2).any(|pair| pair[1].time < pair[0].time) {
            left_out.joints += 1;
            continue;
        }
        let parts: Vec<Parts> = frames.iter().map(|frame| parts(&frame.transform)).collect();
        left_out.shear += parts.iter().filter(|parts| parts.has_shear).count();
        let mut channel = |property, values: Vec<f32>| {
            let times = frames.iter().map(|frame| frame.time).collect();
            channels.push(ModelChannel { node, property, interpolation: Interpolation::LINEAR, times, values });
        };
        channel(Property::TRANSLATION, parts.iter().flat_map(|parts| parts.translation).collect());
        channel(Property::ROTATION, parts.iter().flat_map(|parts| parts.rotation).collect());
        if parts.iter().any(|parts| parts.scale != [1.0; 3]) {
            channel(Property::SCALE, parts.iter().flat_map(|parts| parts.scale).collect());
        }
    }
    (channels, left_out)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.into_iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns a vector of the length 1, and its length; `None` for one that is too short to have a direction.
fn normal(vector: [f32; 3]) -> Option<([f32; 3], f32)> {
    let length = dot(vector, vector).sqrt();
    (length.is_finite() && length > 1e-12).then(|| (vector.map(|value| value / length), length))
}

/// Divides a transform into its parts. A transform that makes vectors vanish has no rotation.
fn parts(transform: &[f32; 12]) -> Parts {
    let axis = |number: usize| [transform[3 * number], transform[3 * number + 1], transform[3 * number + 2]];
    let translation = axis(3);
    let none = || Parts { translation, rotation: [0.0, 0.0, 0.0, 1.0], scale: [0.0; 3], has_shear: false };
    let [Some((mut x, mut x_length)), Some((y, y_length)), Some((z, z_length))] = [0, 1, 2].map(|i| normal(axis(i)))
    else {
        return none();
    };
    let has_shear = [dot(x, y), dot(y, z), dot(z, x)].iter().any(|cosine| cosine.abs() > SHEAR);
    // A mirror is a negative scale of the first axis.
    if dot(cross(x, y), z) < 0.0 {
        (x, x_length) = (x.map(|value| -value), -x_length);
    }
    // Without shear the axes are at right angles to each other, up to rounding.
    let along: f32 = dot(x, y);
    let Some((y, _)) = normal(std::array::from_fn(|i| y[i] - along * x[i])) else { return none() };
    let z = cross(x, y);
    let scale = [x_length, y_length, z_length].map(|length| {
        // Lengths of rotations differ from 1 by rounding.
        if (length - 1.0).abs() < 1e-5 { 1.0 } else { length }
    });
    Parts { translation, rotation: rotation([x, y, z]), scale, has_shear }
}

/// Returns the quaternion of a rotation, whose axes become these.
fn rotation([x, y, z]: [[f32; 3]; 3]) -> [f32; 4] {
    // The largest of the four numbers is computed first, since the others are divided by it.
    let squares =
        [1.0 + x[0] - y[1] - z[2], 1.0 - x[0] + y[1] - z[2], 1.0 - x[0] - y[1] + z[2], 1.0 + x[0] + y[1] + z[2]];
    let largest = (0..4).max_by(|a, b| squares[*a].total_cmp(&squares[*b])).unwrap_or(3);
    let twice = squares[largest].max(f32::MIN_POSITIVE).sqrt();
    let (xy, yz, zx) = (x[1] + y[0], y[2] + z[1], z[0] + x[2]);
    let (wx, wy, wz) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let others = match largest {
        0 => [twice * twice, xy, zx, wx],
        1 => [xy, twice * twice, yz, wy],
        2 => [zx, yz, twice * twice, wz],
        _ => [wx, wy, wz, twice * twice],
    };
    others.map(|value| value / (2.0 * twice))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The transform that a frame of these parts has, computed from the definition of quaternions.
    fn frame(parts: &Parts) -> [f32; 12] {
        let [x, y, z, w] = parts.rotation;
        let turned = |v: [f32; 3]| {
            // v + 2w(q × v) + 2 q × (q × v)
            let q = [x, y, z];
            let once = cross(q, v);
            let twice = cross(q, once);
            std::array::from_fn::<f32, 3, _>(|i| v[i] + 2.0 * w * once[i] + 2.0 * twice[i])
        };
        let mut transform = [0.0; 12];
        for axis in 0..3 {
            let unit = std::array::from_fn(|i| if i == axis { parts.scale[axis] } else { 0.0 });
            transform[3 * axis..3 * axis + 3].copy_from_slice(&turned(unit));
        }
        transform[9..].copy_from_slice(&parts.translation);
        transform
    }

    #[test]
    fn a_frame_has_translation_rotation_and_scale() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let quaternions = [
            [0.0, 0.0, 0.0, 1.0],
            [half, 0.0, 0.0, half],
            [0.0, half, 0.0, half],
            [0.0, 0.0, half, half],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.5, 0.5, 0.5, 0.5],
            [0.1, -0.7, 0.1, 0.7],
        ];
        for rotation in quaternions {
            for scale in [[1.0; 3], [2.0, 0.5, 3.0], [-1.0, 1.0, 1.0]] {
                let expected = Parts { translation: [1.0, -2.0, 3.0], rotation, scale, has_shear: false };
                let expected = frame(&expected);
                let found = parts(&expected);
                assert!(!found.has_shear);
                let again = frame(&found);
                let close = expected.iter().zip(again).all(|(a, b)| (a - b).abs() < 1e-5);
                assert!(close, "{rotation:?} {scale:?}: {expected:?} {again:?}");
            }
        }
    }

    #[test]
    fn shear_is_noticed_and_nothing_vanishes() {
        let sheared = [1.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        assert!(parts(&sheared).has_shear);
        let flat = parts(&[0.0; 12]);
        assert_eq!((flat.scale, flat.rotation), ([0.0; 3], [0.0, 0.0, 0.0, 1.0]));
    }
}
