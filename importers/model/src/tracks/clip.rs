//! One animation within a bound: each channel gets a tolerance, the result is compared with the file, and the tolerances are lowered where it
//! is too far.

use rres_format::chunk::scene::{Interpolation, Property};

use super::curve::Curve;
use super::reduce::{Reduced, reduce};
use super::rig::Joint;
use super::transform::{Transform, distance};

/// How often tolerances are lowered before the channels above a node stay as they are.
const ROUNDS: usize = 24;

/// How many parts the time between two keys is divided into while tolerances are looked for, and in the comparison that decides.
const PARTS: usize = 2;
const FINAL_PARTS: usize = 5;

/// What remains of the bound for the rounding of a game, which computes in 32 bits.
const MARGIN: f64 = 0.99;

/// The steps of one comparison. An animation of a minute with 200 joints and 60 keys a second takes a fifth of them.
const MAX_STEPS: usize = 400_000_000;

/// A channel of an animation.
pub(super) struct Channel<'n> {
    pub(super) node: usize,
    /// `None` for weights of morph targets.
    pub(super) curve: Option<Curve<'n>>,
}

/// Returns the channels that are stored in another way. No corner of a box of the joints is further than `bound` from where it was. `None` if
/// there is too much to compare.
pub(super) fn within(joints: &[Joint], channels: &[Channel<'_>], bound: f64) -> Option<Vec<Option<Reduced>>> {
    let bound = bound * MARGIN;
    let mut times: Vec<f64> = channels
        .iter()
        .filter_map(|channel| channel.curve.as_ref())
        .flat_map(|curve| &*curve.times)
        .map(|t| f64::from(*t))
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    // Every node is compared at every time. What a file with few bytes can ask for would take hours.
    let of_a_time = (2 * channels.len()).saturating_add(16 * joints.len());
    if times.len().saturating_mul(FINAL_PARTS).saturating_mul(of_a_time) > MAX_STEPS {
        return None;
    }
    let extent = extent(joints, channels, &times);
    let mut factors = vec![1.0; channels.len()];
    let make = |number: usize, factor: f64| -> Option<Reduced> {
        let channel = &channels[number];
        let curve = channel.curve.as_ref().filter(|curve| is_reducible(curve))?;
        reduce(curve, extent.tolerance(channel.node, curve, bound * factor)?)
    };
    let mut reduced: Vec<Option<Reduced>> = (0..channels.len()).map(|number| make(number, 1.0)).collect();
    let mut parts = PARTS;
    for round in 0.. {
        let errors = errors(joints, channels, &reduced, &samples(&times, parts));
        // What the channels above each node may have of their tolerance. A sum that is no number is too far, too.
        let mut shares = vec![1.0f64; joints.len()];
        for (node, error) in errors.iter().enumerate().filter(|(_, error)| is_more(**error, bound)) {
            // Errors of several channels seldom add up, so less than the whole excess is taken back at a time.
            let share = (bound / error).sqrt();
            shares[node] = if share.is_finite() { share.clamp(0.4, 0.96) } else { 0.4 };
        }
        if shares.iter().all(|share| *share == 1.0) {
            if parts == FINAL_PARTS {
                return Some(reduced);
            }
            parts = FINAL_PARTS;
            continue;
        }
        for node in (0..joints.len()).rev() {
            if let Some(parent) = joints[node].parent {
                shares[parent] = shares[parent].min(shares[node]);
            }
        }
        for (number, channel) in channels.iter().enumerate() {
            let share = shares.get(channel.node).copied().unwrap_or(1.0);
            if share < 1.0 && reduced[number].is_some() {
                factors[number] *= share;
                reduced[number] = if round < ROUNDS { make(number, factors[number]) } else { None };
            }
        }
    }
    Some(reduced)
}

/// Whether a channel may be stored in another way at all.
pub(super) fn is_reducible(curve: &Curve<'_>) -> bool {
    curve.interpolation != Interpolation::CUBIC && curve.times.len() > 1
}

/// Times with what lies between them, in `parts` parts.
fn samples(times: &[f64], parts: usize) -> Vec<f64> {
    let between = times
        .windows(2)
        .flat_map(|pair| (0..parts).map(move |part| pair[0] + (pair[1] - pair[0]) * part as f64 / parts as f64));
    between.chain(times.last().copied()).collect()
}

/// The pose of all nodes at a time, in the space of the model.
fn pose<'c>(
    joints: &[Joint],
    curves: impl Iterator<Item = (usize, &'c Curve<'c>)>,
    time: f64,
    world: &mut Vec<Transform>,
) {
    let mut moved: Vec<Option<super::transform::Parts>> = vec![None; joints.len()];
    for (node, curve) in curves {
        let Some(slot) = moved.get_mut(node) else { continue };
        let parts = slot.get_or_insert(joints[node].parts);
        let value @ [x, y, z, _] = curve.at(time);
        match curve.property {
            Property::TRANSLATION => parts.translation = [x, y, z],
            Property::ROTATION => parts.rotation = value,
            _ => parts.scale = [x, y, z],
        }
    }
    world.clear();
    for (joint, moved) in joints.iter().zip(moved) {
        let own = moved.map_or(joint.rest, |parts| parts.transform());
        // Parents come before their children.
        let own = joint.parent.map_or(own, |parent| world[parent].then(&own));
        world.push(own);
    }
}

/// How far any corner of the box of each node is from where it was, at most at these times.
fn errors(joints: &[Joint], channels: &[Channel<'_>], reduced: &[Option<Reduced>], times: &[f64]) -> Vec<f64> {
    // What no changed channel moves is where it was.
    let mut is_changed = vec![false; joints.len()];
    for (channel, _) in channels.iter().zip(reduced).filter(|(_, reduced)| reduced.is_some()) {
        is_changed[channel.node] = true;
    }
    for node in 0..joints.len() {
        is_changed[node] |= joints[node].parent.is_some_and(|parent| is_changed[parent]);
    }
    let mut errors = vec![0.0f64; joints.len()];
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for time in times {
        let own = channels.iter().filter_map(|channel| Some((channel.node, channel.curve.as_ref()?)));
        pose(joints, own, *time, &mut before);
        let new = channels.iter().zip(reduced).filter_map(|(channel, reduced)| {
            let curve = reduced.as_ref().map(|reduced| &reduced.curve).or(channel.curve.as_ref())?;
            Some((channel.node, curve))
        });
        pose(joints, new, *time, &mut after);
        for node in (0..joints.len()).filter(|node| is_changed[*node]) {
            for corner in joints[node].corners {
                let error = distance(before[node].apply(corner), after[node].apply(corner));
                if is_more(error, errors[node]) {
                    errors[node] = error;
                }
            }
        }
    }
    errors
}

/// Whether an error is larger; what is no number is larger than any.
fn is_more(error: f64, than: f64) -> bool {
    error > than || error.is_nan()
}

/// How large the changes of an animation are that a change of one node makes.
struct Extent {
    /// How far the farthest point that a node moves is from its origin, in the space of the model.
    reach: Vec<f64>,
    /// How much the space of the parent of a node is stretched in that of the model.
    stretch: Vec<f64>,
}

fn extent(joints: &[Joint], channels: &[Channel<'_>], times: &[f64]) -> Extent {
    let mut extent = Extent { reach: vec![0.0; joints.len()], stretch: vec![0.0; joints.len()] };
    let (mut world, mut reach) = (Vec::new(), vec![0.0f64; joints.len()]);
    for time in times {
        let own = channels.iter().filter_map(|channel| Some((channel.node, channel.curve.as_ref()?)));
        pose(joints, own, *time, &mut world);
        for (node, joint) in joints.iter().enumerate() {
            let origin = world[node].origin();
            let corners = joint.corners.iter().map(|corner| distance(world[node].apply(*corner), origin));
            reach[node] = corners.fold(0.0, f64::max);
            let stretch = joint.parent.map_or(1.0, |parent| world[parent].stretch());
            extent.stretch[node] = extent.stretch[node].max(stretch);
        }
        for node in (0..joints.len()).rev() {
            extent.reach[node] = extent.reach[node].max(reach[node]);
            if let Some(parent) = joints[node].parent {
                let whole = distance(world[node].origin(), world[parent].origin()) + reach[node];
                reach[parent] = reach[parent].max(whole);
            }
        }
    }
    extent
}

impl Extent {
    /// By how much a value of a channel may differ so that no point moves further than `bound`, about.
    fn tolerance(&self, node: usize, curve: &Curve<'_>, bound: f64) -> Option<f64> {
        let tolerance = match curve.property {
            Property::TRANSLATION => bound / self.stretch[node],
            Property::ROTATION => (bound / self.reach[node]).min(0.5),
            _ => {
                let least = curve.values.iter().map(|scale| f64::from(scale.abs())).fold(f64::INFINITY, f64::min);
                bound / self.reach[node] * least
            }
        };
        (tolerance.is_finite() && tolerance > 0.0).then_some(tolerance)
    }
}
