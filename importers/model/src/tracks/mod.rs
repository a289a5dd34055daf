//! The setting `model.animation_error`: the animations of a scene with fewer keys and shorter numbers, within a bound on the error.
//!
//! The error is the distance of points of the model from where they were, after all transforms above them, as a player sees it. Tolerances of channels
//! only say what to try: [`clip`] compares the result with the file at many times, and what exceeds the bound is made again.
//!
//! Everything is computed with operations whose results IEEE 754 determines or with the crate `libm`, in an order that the file determines: so a
//! build gives the same bytes on every machine.

mod clip;
mod curve;
pub(crate) mod finished;
mod reduce;
mod rig;
#[cfg(test)]
mod tests;
mod transform;

use std::borrow::Cow;
use std::collections::HashMap;

use rres_format::chunk::model::{Node, Primitive};
use rres_format::chunk::scene::{ChannelRecord, Interpolation, Property, SceneBlock, Span, TrackKey, TrackRecord};
use rres_import::{Block, ImportError, Note};
use rres_settings::Length;

use self::clip::Channel;
use self::curve::Curve;
use self::reduce::Reduced;

/// Stores the animations of a scene within `bound` of what they were. `nodes` are those of the MODL chunk, and `blocks` the vertices of the
/// primitives. The note names the channels that stay as they are.
pub(super) fn pack(
    scene: &mut SceneBlock,
    nodes: &[Node<'_>],
    blocks: &[Block],
    primitives: &[Primitive],
    bound: Option<Length>,
) -> Result<Option<Note>, ImportError> {
    let Some(bound) = bound.filter(|_| !scene.channels.is_empty()) else { return Ok(None) };
    let not_stored = |error: rres_format::Error| ImportError::new(error.to_string());
    let joints = rig::read(nodes, scene, blocks, primitives);
    let mut packed = SceneBlock { numbers: scene.numbers.clone(), ..scene.clone() };
    let mut kept = Kept::default();
    for animation in &scene.animations {
        let range = animation.channels.first as usize..(animation.channels.first + animation.channels.count) as usize;
        let own = scene.channels.get(range.clone()).unwrap_or_default();
        let channels: Vec<Channel<'_>> = own.iter().map(|channel| channel_of(scene, channel)).collect();
        let Some(mut reduced) = clip::within(&joints, &channels, bound.as_metres()) else {
            kept.too_long += channels.len() as u64;
            continue;
        };
        keep_duration(own, scene, &mut reduced);
        kept.count(&channels, &reduced);
        write(&mut packed, range.start, &reduced).map_err(not_stored)?;
    }
    compact(&mut packed).map_err(not_stored)?;
    // Never more bytes than before.
    if packed.block().map_err(not_stored)?.len() < scene.block().map_err(not_stored)?.len() {
        *scene = packed;
    }
    Ok(kept.note())
}

fn channel_of<'n>(scene: &'n SceneBlock, channel: &ChannelRecord) -> Channel<'n> {
    let numbers = |span: Span| scene.numbers.get(span.first as usize..(span.first + span.count) as usize);
    let curve = || -> Option<Curve<'n>> {
        let (times, values) = (numbers(channel.times)?, numbers(channel.values)?);
        (channel.property != Property::WEIGHTS && !times.is_empty()).then_some(Curve {
            property: channel.property,
            interpolation: channel.interpolation,
            times: Cow::Borrowed(times),
            values: Cow::Borrowed(values),
            components: channel.components as usize,
        })
    };
    Channel { node: channel.node as usize, curve: curve() }
}

/// Gives the animation its length again if the channels that lasted longest have a single key now.
fn keep_duration(own: &[ChannelRecord], scene: &SceneBlock, reduced: &mut [Option<Reduced>]) {
    let last = |channel: &ChannelRecord| {
        let times = scene.numbers.get(channel.times.first as usize..).unwrap_or_default();
        times.get((channel.times.count as usize).saturating_sub(1)).copied().unwrap_or_default()
    };
    let end = own.iter().map(last).fold(f32::NEG_INFINITY, f32::max);
    let still_lasts = own.iter().zip(reduced.iter()).any(|(channel, reduced)| match reduced {
        Some(reduced) => reduced.curve.times.last() == Some(&end),
        None => last(channel) == end,
    });
    if still_lasts {
        return;
    }
    let longest = own.iter().position(|channel| last(channel) == end);
    if let Some(Some(Reduced { curve, .. })) = longest.map(|at| &mut reduced[at]) {
        let value = curve.values.to_vec();
        curve.times.to_mut().push(end);
        curve.values.to_mut().extend(value);
    }
}

/// Stores the channels from `first` on, as tracks where these are smaller.
fn write(scene: &mut SceneBlock, first: usize, reduced: &[Option<Reduced>]) -> Result<(), rres_format::Error> {
    let is_packed = |reduced: &&Reduced| match &reduced.track {
        Some((record, keys)) => {
            let plain = (reduced.curve.times.len() + reduced.curve.values.len()) * 4;
            // Keys at one time have one place in the table, and a track has each place once.
            reduced.curve.times.windows(2).all(|pair| pair[0] < pair[1]) && record.packed_size(keys) < plain as u64
        }
        None => false,
    };
    let mut table: Vec<f32> =
        reduced.iter().flatten().filter(is_packed).flat_map(|reduced| reduced.curve.times.iter().copied()).collect();
    table.sort_by(f32::total_cmp);
    // Also 0 and -0 are one time.
    table.dedup();
    let times = Span { first: scene.track_times.len() as u32, count: table.len() as u32 };
    scene.track_times.extend(&table);
    let mut known: HashMap<Vec<u32>, Span> = HashMap::new();
    for (number, reduced) in reduced.iter().enumerate().filter_map(|(i, reduced)| Some((i, reduced.as_ref()?))) {
        let channel = first + number;
        let spans = if let Some((record, keys)) = reduced.track.as_ref().filter(|_| is_packed(&reduced)) {
            push_track(scene, channel, (record, keys), &reduced.curve, (&table, times))?;
            [Span::default(); 2]
        } else {
            let bits = reduced.curve.times.iter().map(|time| time.to_bits()).collect();
            let own = match known.get(&bits) {
                Some(known) => *known,
                None => scene.push_numbers(reduced.curve.times.iter().copied())?,
            };
            known.insert(bits, own);
            [own, scene.push_numbers(reduced.curve.values.iter().copied())?]
        };
        if let Some(channel) = scene.channels.get_mut(channel) {
            [channel.times, channel.values] = spans;
        }
    }
    Ok(())
}

fn push_track(
    scene: &mut SceneBlock,
    channel: usize,
    (record, keys): (&TrackRecord, &[TrackKey]),
    curve: &Curve<'_>,
    (table, times): (&[f32], Span),
) -> Result<(), rres_format::Error> {
    let positions = curve.times.iter().map(|time| table.partition_point(|other| other < time) as u32);
    let keys: Vec<TrackKey> = keys.iter().zip(positions).map(|(key, time)| TrackKey { time, ..*key }).collect();
    scene.push_track(TrackRecord { channel: channel as u32, times, ..*record }, &keys)
}

/// Leaves out the numbers that no record refers to any more.
fn compact(scene: &mut SceneBlock) -> Result<(), rres_format::Error> {
    let numbers = std::mem::take(&mut scene.numbers);
    let mut known: HashMap<(u32, u32), Span> = HashMap::new();
    let mut kept = Vec::new();
    let mut keep = |span: &mut Span| {
        let new = known.entry((span.first, span.count)).or_insert_with(|| {
            let first = kept.len() as u32;
            kept.extend(numbers.iter().skip(span.first as usize).take(span.count as usize));
            Span { first, count: span.count }
        });
        *span = if span.count == 0 { Span::default() } else { *new };
    };
    scene.nodes.iter_mut().for_each(|node| keep(&mut node.weights));
    scene.meshes.iter_mut().for_each(|mesh| keep(&mut mesh.weights));
    scene.morphs.iter_mut().for_each(|morph| keep(&mut morph.deltas));
    scene.skins.iter_mut().for_each(|skin| keep(&mut skin.inverse_bind_matrices));
    for channel in &mut scene.channels {
        keep(&mut channel.times);
        keep(&mut channel.values);
    }
    scene.push_numbers(kept).map(drop)
}

/// The channels that stay as they are, by reason.
#[derive(Default)]
struct Kept {
    cubic: u64,
    weights: u64,
    inexact: u64,
    too_long: u64,
}

impl Kept {
    fn count(&mut self, channels: &[Channel<'_>], reduced: &[Option<Reduced>]) {
        for (channel, _) in channels.iter().zip(reduced).filter(|(_, reduced)| reduced.is_none()) {
            match &channel.curve {
                None => self.weights += 1,
                Some(curve) if curve.interpolation == Interpolation::CUBIC => self.cubic += 1,
                Some(curve) => self.inexact += u64::from(clip::is_reducible(curve)),
            }
        }
    }

    fn note(self) -> Option<Note> {
        let parts: Vec<String> = [
            (self.cubic, "with cubic interpolation"),
            (self.weights, "of weights of morph targets"),
            (self.inexact, "that shorter numbers would move too far"),
            (self.too_long, "of animations that are too long to compare (split them)"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", super::counted(count, "channel", "channels")))
        .collect();
        let topic = "channels of animations that `model.animation_error` leaves as they are";
        (!parts.is_empty()).then(|| Note::new(topic).with_detail(parts.join(", ")))
    }
}
