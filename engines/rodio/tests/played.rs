//! What a mixer gets of a sound: its samples with the gain, the loop, and the part after a seek.

use std::time::Duration;

use rodio::Source as _;
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_rodio::Source;
use rres_runtime::{Id, PackOptions, Sound, Store};

/// The frames 0 to 3000 in stereo at 1000 Hz: the number of the frame on the left, and its negative on the right, in steps of 2⁻¹⁵.
fn source(meta: &[(MetaKey, u32)]) -> Source {
    let samples: Vec<u8> = (0..3000i16).flat_map(|i| [i, -i]).flat_map(i16::to_le_bytes).collect();
    let block = WaveProps { frames: 3000, sample_rate: 1000, sample_size: 16, channels: 2 }.block(&samples);
    let chunk = StoredChunk::encode(FourCc::WAVE, &block, Compression::NONE, &mut Compressor::default()).unwrap();
    let mut facts = Meta::default();
    meta.iter().for_each(|(key, value)| facts.set(*key, *value));
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("a.wav", vec![chunk]).with_meta(facts));
    let store = Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()]);
    Source::new(&store.load(Id::<Sound>::from_path("a.wav")).unwrap().get()).unwrap()
}

/// The numbers of the frames that a source plays.
fn frames(source: impl Iterator<Item = f32>) -> Vec<i32> {
    let samples: Vec<i32> = source.map(|sample| (sample * 32768.0).round() as i32).collect();
    samples
        .chunks(2)
        .map(|frame| (frame[0] == -frame[1]).then_some(frame[0]).expect("left and right are swapped"))
        .collect()
}

#[test]
fn a_sound_is_played_once_with_its_gain() {
    let plain = source(&[]);
    assert_eq!((plain.channels().get(), plain.sample_rate().get()), (2, 1000));
    assert_eq!(plain.total_duration(), Some(Duration::from_secs(3)));
    assert_eq!(frames(plain), (0..3000).collect::<Vec<_>>());
    let louder = source(&[(MetaKey::GAIN, 20f32.to_bits())]);
    assert_eq!(frames(louder.take(200)), (0..100).map(|i| i * 10).collect::<Vec<_>>(), "20 dB are a factor of 10");
}

#[test]
fn a_loop_is_repeated_after_what_is_before_it() {
    let looped = source(&[(MetaKey::LOOP, 1), (MetaKey::LOOP_START, 100), (MetaKey::LOOP_END, 2500)]);
    assert_eq!(looped.total_duration(), None);
    let expected: Vec<i32> = (0..2500).chain(100..2500).chain(100..200).collect();
    assert_eq!(frames(looped.take(expected.len() * 2)), expected);
    let whole = source(&[(MetaKey::LOOP, 1)]);
    assert_eq!(frames(whole.skip(5990).take(20)), [2995, 2996, 2997, 2998, 2999, 0, 1, 2, 3, 4]);
}

#[test]
fn a_seek_leads_to_a_frame_and_at_most_to_the_end() {
    let mut source = source(&[]);
    source.try_seek(Duration::from_millis(1500)).unwrap();
    assert_eq!(frames(source.by_ref().take(4)), [1500, 1501]);
    source.try_seek(Duration::from_secs(9)).unwrap();
    assert_eq!(source.next(), None);
    source.try_seek(Duration::ZERO).unwrap();
    assert_eq!(frames(source).len(), 3000);
}

#[test]
fn a_seek_between_left_and_right_goes_on_with_the_right() {
    for meta in [&[][..], &[(MetaKey::LOOP, 1)]] {
        let mut source = source(meta);
        for (seconds, expected) in [(1, 1000), (2, 2000), (9, 2999)] {
            let left = source.next().expect("it is the left of a frame");
            source.try_seek(Duration::from_secs(seconds)).unwrap();
            let right = source.next().expect("it is the right of a frame");
            assert!(left >= 0.0);
            assert_eq!(right * -32768.0, expected as f32);
            source.try_seek(Duration::ZERO).unwrap();
        }
        assert_eq!(frames(source.take(4)), [0, 1], "left comes first again");
    }
}
