//! Values between keys, compared with the formulas of the glTF specification worked out by hand.

use rres_format::chunk::scene::{Interpolation, Property};

use super::super::numbers::Numbers;
use super::*;
use crate::bytes::{AssetBytes, Backing};

fn numbers(values: &[f32]) -> Numbers {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Numbers::new(AssetBytes::new(Backing::Owned(bytes.into())))
}

fn channel(property: Property, interpolation: Interpolation, components: usize, values: &[f32]) -> Channel {
    let (times, values) = (numbers(&[1.0, 2.0, 4.0]), numbers(values));
    Channel { node: 0, property, interpolation, components, times, values }
}

#[test]
fn steps_and_lines() {
    let values = [0.0, 0.0, 0.0, 2.0, 4.0, 6.0, 2.0, 0.0, 10.0];
    let at = |interpolation, time| {
        let Sample::Translation(value) = channel(Property::TRANSLATION, interpolation, 3, &values).sample(time) else {
            panic!("not a translation")
        };
        value
    };
    for interpolation in [Interpolation::STEP, Interpolation::LINEAR] {
        for (time, expected) in
            [(f32::NEG_INFINITY, 0), (0.0, 0), (1.0, 0), (2.0, 1), (4.0, 2), (9.0, 2), (f32::NAN, 0)]
        {
            assert_eq!(at(interpolation, time)[..], values[expected * 3..][..3], "{interpolation} at {time}");
        }
    }
    assert_eq!(at(Interpolation::STEP, 3.9), [2.0, 4.0, 6.0]);
    assert_eq!(at(Interpolation::LINEAR, 1.5), [1.0, 2.0, 3.0]);
    assert_eq!(at(Interpolation::LINEAR, 3.0), [2.0, 2.0, 8.0]);
}

#[test]
fn rotations_take_the_shortest_arc_at_constant_speed() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // Nothing, 90° about z, and that again with the opposite sign, which is the same rotation.
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, -half, -half];
    let channel = channel(Property::ROTATION, Interpolation::LINEAR, 4, &values);
    let angle = |time| {
        let Sample::Rotation([x, y, z, w]) = channel.sample(time) else { panic!("not a rotation") };
        assert_eq!((x, y), (0.0, 0.0));
        assert!((z * z + w * w - 1.0).abs() < 1e-6);
        2.0 * z.atan2(w).to_degrees()
    };
    for (time, expected) in [(1.0, 0.0), (1.25, 22.5), (1.5, 45.0), (1.75, 67.5), (2.0, 90.0), (3.0, 90.0)] {
        assert!((angle(time) - expected).abs() < 1e-3, "{} at {time}", angle(time));
    }
}

#[test]
fn cubic_splines_pass_through_their_values_with_their_tangents() {
    // One weight: tangent in, value, tangent out for each key.
    let values = [9.0, 1.0, 2.0, -1.0, 3.0, 0.0, 4.0, 5.0, 7.0];
    let channel = channel(Property::WEIGHTS, Interpolation::CUBIC, 1, &values);
    let at = |time| match channel.sample(time) {
        Sample::Weights(weights) => weights[0],
        other => panic!("{other:?}"),
    };
    assert_eq!([at(0.0), at(1.0), at(2.0), at(4.0), at(5.0)], [1.0, 1.0, 3.0, 5.0, 5.0]);
    // At the middle of the first second: 0.5·1 + 0.125·2 + 0.5·3 − 0.125·(−1).
    assert!((at(1.5) - 2.375).abs() < 1e-6, "{}", at(1.5));
    // At the middle of the next two: 0.5·3 + 2·0.125·0 + 0.5·5 − 2·0.125·4.
    assert!((at(3.0) - 3.0).abs() < 1e-6, "{}", at(3.0));
    let slope = (at(1.001) - at(1.0)) / 0.001;
    assert!((slope - 2.0).abs() < 0.02, "{slope}");
}

#[test]
fn keys_at_one_time_and_single_keys_have_a_value() {
    let same = Channel {
        node: 0,
        property: Property::SCALE,
        interpolation: Interpolation::LINEAR,
        components: 3,
        times: numbers(&[1.0, 1.0]),
        values: numbers(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]),
    };
    assert_eq!(same.sample(1.0), Sample::Scale([2.0; 3]));
    assert_eq!(same.sample(0.5), Sample::Scale([1.0; 3]));
    let single = Channel { times: numbers(&[5.0]), values: numbers(&[3.0; 3]), ..same };
    assert_eq!([single.sample(0.0), single.sample(6.0)], [Sample::Scale([3.0; 3]), Sample::Scale([3.0; 3])]);
}
