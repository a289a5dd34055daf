//! Keys are read as they were written, and what is wrong in tracks is refused with their number.

use rres_test_data::random::Random;

use super::super::super::{PayloadView, assert_damage_never_panics};
use super::super::tests::sample;
use super::super::{AnimationRecord, NONE};
use super::*;

/// A scene whose second animation has a translation, a rotation that leaves out w, and one that leaves out what its keys say.
fn packed() -> SceneBlock {
    let mut block = sample();
    let name = block.push_name("packed").unwrap();
    let channel = |property, interpolation, components| ChannelRecord {
        node: 1,
        property,
        interpolation,
        components,
        times: Span::default(),
        values: Span::default(),
    };
    block.channels.push(channel(Property::TRANSLATION, Interpolation::LINEAR, 3));
    block.channels.push(channel(Property::ROTATION, Interpolation::STEP, 4));
    block.channels.push(channel(Property::ROTATION, Interpolation::LINEAR, 4));
    block.animations.push(AnimationRecord { name, channels: Span { first: 1, count: 3 } });
    block.track_times = vec![0.0, 0.25, 0.5, 0.5, 9.0, 0.25, 0.5];
    let record = TrackRecord { channel: 1, times: Span { first: 0, count: 5 }, ..TrackRecord::default() };
    let key = |time, left_out, steps| TrackKey { time, left_out, steps };
    let moves = TrackRecord { step: 0.5, base: [1.0, -1.0, 7.0, 0.0], left_out: NOTHING, ..record };
    block.push_track(moves, &[key(0, 5, [7, MAX_STEPS, 0, 0]), key(4, 5, [0, -1, 0, 0])]).unwrap();
    let turns = TrackRecord { channel: 2, step: 0.125, left_out: 3, ..record };
    block.push_track(turns, &[key(1, 3, [3, 1, 0, 0]), key(2, 3, [0, 0, 3, 0]), key(3, 3, [0; 4])]).unwrap();
    let spins = TrackRecord {
        channel: 3,
        times: Span { first: 5, count: 2 },
        step: 0.25,
        base: [-0.5, 0.0, 0.0, -0.25],
        left_out: OF_KEY,
        ..record
    };
    block.push_track(spins, &[key(0, 0, [0, 1, 0, 1]), key(1, 3, [3, 0, 0, 0])]).unwrap();
    block
}

fn unpacked(block: &SceneBlock) -> UnpackedTracks {
    let bytes = block.block().unwrap();
    SceneView::parse(PayloadView::parse(&bytes).unwrap()).unwrap().unpack_tracks()
}

#[test]
fn keys_are_read_as_they_were_written() {
    let block = packed();
    let bytes = block.block().unwrap();
    assert_eq!((bytes[4], sample().block().unwrap()[4]), (5, 1), "without tracks older readers know the layout");
    let view = SceneView::parse(PayloadView::parse(&bytes).unwrap()).unwrap();
    assert_eq!(view.to_block(), block);
    let UnpackedTracks { channels, numbers } = view.unpack_tracks();
    assert_eq!(channels.iter().map(|(number, ..)| *number).collect::<Vec<_>>(), [1, 2, 3]);
    let of = |span: Span| &numbers[span.first as usize..(span.first + span.count) as usize];
    let large = -1.0 + MAX_STEPS as f32 * 0.5;
    assert_eq!((of(channels[0].1), of(channels[0].2)), (&[0.0, 9.0][..], &[4.5, large, 7.0, 1.0, -1.5, 7.0][..]));
    assert_eq!(of(channels[1].1), [0.25, 0.5, 0.5]);
    let turned = (1.0f32 - 0.375 * 0.375 - 0.125 * 0.125).sqrt();
    let bent = (1.0f32 - 0.375 * 0.375).sqrt();
    assert_eq!(of(channels[1].2), [0.375, 0.125, 0.0, turned, 0.0, 0.0, 0.375, bent, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(of(channels[2].1), [0.25, 0.5]);
    let first = (1.0f32 - 0.25 * 0.25).sqrt();
    assert_eq!(of(channels[2].2), [first, 0.25, 0.0, 0.0, 0.25, 0.0, 0.0, (1.0f32 - 0.25 * 0.25).sqrt()]);
}

#[test]
fn the_bytes_are_those_of_the_documented_layout() {
    let record = TrackRecord { left_out: NOTHING, step: 1.0, ..TrackRecord::default() };
    let mut block = sample();
    let key = |time, x, y| TrackKey { time, left_out: NOTHING, steps: [x, y, 0, 0] };
    // X falls by 2 each time, which is the difference from the key before; y rises on a line but for its last key. Nothing is between the times but once.
    let keys = [key(0, 0, 0), key(1, -2, 100), key(2, -4, 200), key(4, -6, 300), key(5, -8, 399)];
    block.push_track(record, &keys).unwrap();
    let TrackRecord { keys: count, codes, time_code, predictors, .. } = block.tracks[0];
    assert_eq!((count, predictors, time_code, codes), (5, [2, 2, 0, 0], 1, [1, 6, 0, 0]));
    // Each number is its bits, the lowest one first. Of x the differences are 0, -2, 0, 0, 0, as 0, 3, 0, 0, 0; of y 0, 100, 0, 0, -1, as 0, 200, 0, 0, 1.
    let expected = ["0 0 000000", "0 1110 1111110 00010", "0 0 000000", "10 0 000000", "0 0 010000"];
    let expected: Vec<u8> = expected.concat().bytes().filter(|byte| *byte != b' ').map(|byte| byte - b'0').collect();
    let bits = block.track_bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    assert_eq!(bits.take(expected.len()).collect::<Vec<u8>>(), expected);
    assert_eq!(block.track_bytes.len(), expected.len().div_ceil(8));
    assert_eq!((record.packed_size(&keys), record.packed_size(&keys[..1])), (48 + 7, 48));
}

#[test]
fn programs_that_read_keys_get_them() {
    let mut block = packed();
    let UnpackedTracks { channels, numbers } = unpacked(&block);
    let before = block.numbers.clone();
    block.unpack_tracks().unwrap();
    assert_eq!(block.block().unwrap()[4], 1);
    assert_eq!(block.numbers, [before, numbers.clone()].concat());
    let of = |span: Span| block.numbers[span.first as usize..(span.first + span.count) as usize].to_vec();
    for (number, times, values) in channels {
        let channel = block.channels[number as usize];
        let expected = |span: Span| numbers[span.first as usize..(span.first + span.count) as usize].to_vec();
        assert_eq!((of(channel.times), of(channel.values)), (expected(times), expected(values)));
    }
}

#[test]
fn keys_that_do_not_fit_are_not_written() {
    let mut block = sample();
    let record = TrackRecord { left_out: NOTHING, ..TrackRecord::default() };
    let key = |time, step| TrackKey { time, left_out: NOTHING, steps: [step, 0, 0, 0] };
    let wrong =
        [vec![key(1, 0), key(0, 0)], vec![key(1, 0), key(1, 0)], vec![key(0, MAX_STEPS + 1)], vec![key(0, i32::MIN)]];
    for keys in wrong.into_iter().chain([vec![key(u32::MAX, 0)]]) {
        let error = block.push_track(record, &keys).unwrap_err().to_string();
        assert!(error.contains("does not fit"), "{error}");
        assert_eq!(record.packed_size(&keys), u64::MAX);
    }
    assert!(block.tracks.is_empty());
}

#[test]
fn every_wrong_track_is_refused() {
    type Change = fn(&mut SceneBlock);
    let changes: &[(Change, &str)] = &[
        (|b| b.tracks[0].channel = 2, "track 0 is of channel 2, which is not the next one without keys"),
        (|b| b.tracks.truncate(b.tracks.len() - 1), "channel 3 has no keys and no track"),
        (|b| b.tracks[0].keys = 0, "track 0 has 0 keys"),
        (|b| b.tracks[0].time_code = 26, "and 26, predictors"),
        (|b| b.tracks[0].codes[2] = 26, "track 0 has 2 keys in codes ["),
        (|b| b.tracks[0].predictors[1] = 4, ", 4, 0, 0] and [0, 0]"),
        (|b| b.tracks[0].reserved[1] = 1, "and [0, 1]"),
        (|b| b.tracks[0].left_out = 4, "track 0 leaves out number 4 of its translation"),
        (|b| b.tracks[1].left_out = 5, "track 1 leaves out number 5 of its rotation"),
        (|b| b.tracks[1].left_out = 6, "track 1 leaves out number 6 of its rotation"),
        (|b| b.tracks[0].step = f32::NAN, "in steps of NaN"),
        (|b| b.tracks[0].step = -1.0, "in steps of -1"),
        (|b| b.tracks[0].step = f32::MAX, "track 0 has numbers around"),
        (|b| b.tracks[0].base[2] = f32::INFINITY, "track 0 has numbers around [1.0, -1.0, inf, 0.0]"),
        (|b| b.tracks[0].times.count = 8, "track 0 has 8 times from 0 on, of 7"),
        (|b| b.tracks[2].times = Span { first: 0, count: 4 }, "track 2 shares a part of the times of another one"),
        (|b| b.tracks[2].times.count = 1, "track 2 has key 1 at time 1, but only 1 times"),
        (|b| b.track_times[1] = 3.0, "track 0 has time 2 at 0.5 s, after 3 s"),
        (|b| b.track_times[4] = f32::NAN, "track 0 has time 4 at NaN s"),
        (|b| b.tracks[0].keys = 3, "track 0 has key 2 at time 5, but only 5 times"),
        (|b| b.tracks[2].keys = 99, "track 2 ends in key"),
        (|b| b.tracks[2].keys = 1 << 27, "numbers in tracks of a model"),
        (|b| b.track_bytes.push(0), "1 bytes after the last track"),
        (|b| b.channels[1].property = Property::WEIGHTS, "track 0 is of a channel of weights"),
        (|b| b.channels[1].interpolation = Interpolation::CUBIC, "track 0 is of a channel of translation, cubic"),
        (|b| b.channels[1].node = NONE, "node of channel 1 refers to"),
        (|b| b.channels[0].times.count = 0, "channel 0 has no keys"),
        (|b| b.tracks.clear(), "channel 1 has no keys"),
    ];
    for (i, (change, message)) in changes.iter().enumerate() {
        let mut block = packed();
        change(&mut block);
        let error = block.block().map(drop).expect_err(message).to_string();
        assert!(error.contains(message), "{i}: {error}, expected {message}");
    }
}

#[test]
fn damage_never_panics() {
    let bytes = packed().block().unwrap();
    assert_damage_never_panics(&bytes, |bytes| {
        let view = SceneView::parse(PayloadView::parse(bytes)?)?;
        view.unpack_tracks();
        view.to_block().unpack_tracks()
    });
}

/// What the coding makes of any keys: noise, jumps, lines, and the largest numbers.
#[test]
fn any_keys_are_read_as_they_were_written() {
    let mut random = Random::new(1);
    for case in 0..400 {
        let count = 1 + random.below(40);
        let range = 1usize << random.below(25);
        let mut number = |last: i32| match case % 4 {
            0 => random.below(2 * range + 1) as i32 - range as i32,
            1 => last + random.below(9) as i32 - 4,
            2 => last + 7,
            _ => [0, MAX_STEPS, -MAX_STEPS][random.below(3)],
        };
        let mut keys: Vec<TrackKey> = Vec::new();
        for _ in 0..count {
            let last = keys.last().copied().unwrap_or_default();
            let steps = last.steps.map(|last| number(last).clamp(-MAX_STEPS, MAX_STEPS));
            let left_out = number(0).rem_euclid(4) as u8;
            let gap = if case % 3 == 0 { 1 } else { number(0).unsigned_abs() + 1 };
            keys.push(TrackKey { time: last.time.saturating_add(gap), left_out, steps });
        }
        for left_out in [0, 3, OF_KEY, NOTHING] {
            let record = TrackRecord { left_out, ..TrackRecord::default() };
            let expected: Vec<TrackKey> = keys.iter().map(|key| without_what_is_left_out(left_out, *key)).collect();
            let (record, bits) = TrackRecord { keys: keys.len() as u32, ..record }.with_codes(&keys);
            let bytes = record.write(&keys);
            assert_eq!(bytes.len() as u64, bits.div_ceil(8), "{record:?}");
            let mut read = Keys::new(record, &bytes);
            assert_eq!(read.by_ref().collect::<Option<Vec<_>>>(), Some(expected), "{record:?}");
            assert_eq!(read.bytes(), bytes.len());
            if let Some(cut) = bytes.len().checked_sub(1) {
                assert!(Keys::new(record, &bytes[..cut]).any(|key| key.is_none()), "{record:?}");
            }
        }
    }
}

#[test]
fn numbers_beyond_the_range_are_refused() {
    let record = TrackRecord { keys: 1, codes: [1, 0, 0, 0], left_out: NOTHING, ..TrackRecord::default() };
    // Sixteen ones, then the number as it is in 32 bits. The largest one stands for the least `i32`.
    for number in [u32::MAX, u32::MAX - 1, (1 << 25) + 1, (1 << 25) + 2] {
        let bytes = [&[0xff; 2][..], &number.to_le_bytes()].concat();
        assert_eq!(Keys::new(record, &bytes).collect::<Vec<_>>(), [None], "{number}");
    }
    let largest = [&[0xff; 2][..], &(1u32 << 25).to_le_bytes()].concat();
    let key = Keys::new(record, &largest).next().flatten().unwrap();
    assert_eq!(key.steps[0], MAX_STEPS);
}

fn without_what_is_left_out(left_out: u8, key: TrackKey) -> TrackKey {
    let left_out = if left_out == OF_KEY { key.left_out } else { left_out };
    let stored = |i: usize| i != usize::from(left_out) && (left_out != NOTHING || i < 3);
    TrackKey { left_out, steps: std::array::from_fn(|i| if stored(i) { key.steps[i] } else { 0 }), ..key }
}
