//! Opus in Ogg: exact to the frame, channels in the order of a WAV, and every damaged byte an error.

use rres_test_data::damage::flipped;
use rres_test_data::sound::sum_ogg_page;

use super::*;

const TONE: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/sound/tone.opus");
const SIX: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/sound/six.opus");

/// The channel of interleaved samples.
fn channel(samples: &[i16], channels: usize, number: usize) -> Vec<f64> {
    samples.iter().skip(number).step_by(channels).map(|v| f64::from(*v)).collect()
}

/// How much of a sine of `hertz` is in samples at 48 kHz, as the amplitude of that sine.
fn amplitude(samples: &[f64], hertz: f64) -> f64 {
    let part = |shift: f64| -> f64 {
        let wave = |i: usize| (i as f64 * hertz / 48_000.0).mul_add(std::f64::consts::TAU, shift).sin();
        samples.iter().enumerate().map(|(i, v)| v * wave(i)).sum::<f64>() * 2.0 / samples.len() as f64
    };
    part(0.0).hypot(part(std::f64::consts::FRAC_PI_2))
}

#[test]
fn an_opus_file_has_the_frames_that_were_encoded() {
    let part = import_with("a.opus", TONE, stored_as(SoundStorage::Pcm)).unwrap();
    let (props, samples) = wave(&part);
    assert_eq!(props, [4801, 48_000, 16, 2]);
    let samples = i16s(&samples);
    // In place: a tone that begins one frame late is off by a sixteenth of its height.
    let expected = (0..4801).map(|i| 12_000.0 * (f64::from(i) * 480.0 / 48_000.0 * std::f64::consts::TAU).sin());
    let left = channel(&samples, 2, 0);
    let error: f64 = left.iter().zip(expected).map(|(found, expected)| (found - expected).powi(2)).sum::<f64>();
    let ratio = error / left.iter().map(|v| v * v).sum::<f64>();
    assert!(ratio < 0.002, "{ratio}");
    assert!((amplitude(&channel(&samples, 2, 1), 960.0) - 6000.0).abs() < 200.0);
    // Kept, it has as many.
    let kept = import_with("a.opus", TONE, stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(kept.meta.get(MetaKey::FRAMES_LOW), Some(4801));
    let auto = import("a.opus", TONE).unwrap().source_form.unwrap();
    assert_eq!(auto.meta.get(MetaKey::SKIPPED_FRAMES), Some(312));
    assert_eq!(auto.format, "OGG Opus");
}

#[test]
fn six_channels_are_in_the_order_of_a_wav() {
    let (props, samples) = wave(&import_with("a.opus", SIX, stored_as(SoundStorage::Pcm)).unwrap());
    assert_eq!(props, [4800, 48_000, 16, 6]);
    let samples = i16s(&samples);
    for (number, hertz) in [500.0, 750.0, 1000.0, 60.0, 1500.0, 2000.0].into_iter().enumerate() {
        let found = amplitude(&channel(&samples, 6, number), hertz);
        assert!(found > 6000.0, "channel {number} has {found} of {hertz} Hz");
    }
}

#[test]
fn the_gain_in_the_head_is_applied() {
    let gained = |decibels: i16| {
        let mut file = TONE.to_vec();
        file[28 + 16..28 + 18].copy_from_slice(&(decibels * 256).to_le_bytes());
        // The first page has one packet of 19 bytes.
        sum_ogg_page(&mut file[..28 + 19]);
        let (_, samples) = wave(&import_with("a.opus", &file, stored_as(SoundStorage::Pcm)).unwrap());
        amplitude(&channel(&i16s(&samples), 2, 0), 480.0)
    };
    assert!((gained(-6) / gained(0) - 0.5012).abs() < 0.001);
    assert!(gained(60) > 32_000.0, "what is too loud is clamped");
}

#[test]
fn an_opus_file_without_its_end_says_how_to_keep_what_players_play() {
    let error = import("a.opus", &TONE[..TONE.len() - 100]).unwrap_err();
    assert_eq!(error.to_string(), "is an Ogg stream that ends early");
    assert!(error.help().is_some_and(|help| help.contains("`ffmpeg -i FILE -c copy NEW.ogg`")), "{:?}", error.help());
}

#[test]
fn damage_anywhere_in_an_opus_file_is_an_error() {
    for (place, file) in flipped(TONE, (0..TONE.len()).step_by(7), &[0x55]) {
        assert!(import("a.opus", &file).is_err(), "{place}");
        assert!(import("a.opus", &TONE[..place.at]).is_err(), "cut at {place}");
    }
    let two = [TONE, TONE].concat();
    let error = import("a.opus", &two).unwrap_err().to_string();
    assert!(error.contains("several streams"), "{error}");
    import("a.opus", &[TONE, b"TAG and so on"].concat()).unwrap();
    // Numbers of channels and streams that do not fit each other.
    for (at, value) in [(9, 0), (9, 3), (18, 9), (8, 16)] {
        let mut file = TONE.to_vec();
        file[28 + at] = value;
        sum_ogg_page(&mut file[..28 + 19]);
        assert!(import("a.opus", &file).is_err(), "byte {at} of the head is {value}");
    }
}
