//! Loudness against the cases of EBU Tech 3341 and ITU-R BS.2217, whose results are known.

use super::processing::{floats, placed, sine};
use super::*;

/// The sound as loud as `target`: its gain, the measured loudness in the summary, and notes.
fn normalised(file: &[u8], target: f32) -> (f32, String, Vec<String>) {
    let settings = SoundSettings { loudness: Some(target), ..Default::default() };
    let part = import_with("a.wav", file, settings).unwrap();
    let gain = part.meta.get(MetaKey::GAIN).map_or(0.0, f32::from_bits);
    (gain, part.summary, part.notes.into_iter().map(|note| note.topic + &note.detail).collect())
}

/// A tone of 1 kHz of these decibels, each for so many seconds, on both sides.
fn tones(rate: u32, levels: &[(f64, f64)]) -> Vec<u8> {
    let tone = |(level, seconds): &(f64, f64)| {
        sine(1000.0, 10f64.powf(level / 20.0), rate, (seconds * f64::from(rate)) as usize)
    };
    let plane: Vec<f32> = levels.iter().flat_map(tone).collect();
    floats(rate, &[plane.clone(), plane])
}

/// Asserts the measured loudness, which the gain tells in hundredths.
fn assert_loudness(file: &[u8], lufs: f32) {
    let (gain, ..) = normalised(file, -60.0);
    assert!((-60.0 - gain - lufs).abs() < 0.1, "{} instead of {lufs} LUFS", -60.0 - gain);
}

#[test]
fn the_cases_of_the_standard_have_their_loudness() {
    for rate in [44_100, 48_000, 22_050, 11_025] {
        assert_loudness(&tones(rate, &[(-23.0, 3.0)]), -23.0);
        assert_loudness(&tones(rate, &[(-33.0, 3.0)]), -33.0);
    }
    // Quiet parts do not count, and silence even less. A third of the seconds of the standard.
    assert_loudness(&tones(16_000, &[(-36.0, 3.0), (-23.0, 20.0), (-36.0, 3.0)]), -23.0);
    let parts = [(-72.0, 3.0), (-36.0, 3.0), (-23.0, 20.0), (-36.0, 3.0), (-72.0, 3.0)];
    assert_loudness(&tones(16_000, &parts), -23.0);
    assert_loudness(&tones(16_000, &[(-26.0, 20.0), (-20.0, 20.1), (-26.0, 20.0)]), -23.0);
    // One channel of full scale.
    assert_loudness(&floats(48_000, &[sine(997.0, 1.0, 48_000, 96_000)]), -3.01);
    // 5.1: -28 dB in front, -24 in the middle, -30 behind. Deep tones do not count.
    let plane = |level: f64| sine(1000.0, 10f64.powf(level / 20.0), 48_000, 48_000);
    let planes = [-28.0, -28.0, -24.0, -3.0, -30.0, -30.0].map(plane);
    assert_loudness(&placed(&planes, 0x3f), -23.0);
}

#[test]
fn sounds_shorter_than_a_block_count_as_if_they_went_on() {
    for frames in [24_000, 19_200, 12_000, 2400] {
        let plane = sine(1000.0, 10f64.powf(-20.0 / 20.0), 48_000, frames);
        assert_loudness(&floats(48_000, &[plane.clone(), plane]), -20.0);
    }
}

#[test]
fn the_gain_reaches_the_target_unless_peaks_would_clip() {
    let (gain, summary, notes) = normalised(&tones(48_000, &[(-23.0, 5.0)]), -16.0);
    assert!((6.9..7.0).contains(&gain), "{gain}");
    assert_eq!((summary, notes.len()), (format!("5.00 s 48 kHz stereo f32 -23.0 LUFS +{gain} dB"), 0));
    let (gain, _, notes) = normalised(&tones(48_000, &[(-3.0, 5.0)]), -16.0);
    assert!((-13.1..-12.9).contains(&gain), "{gain}");
    assert!(notes.is_empty());
    // One click at half scale may grow by 5 dB, so that it stays 1 dB below full scale.
    let mut plane = sine(1000.0, 0.01, 48_000, 96_000);
    plane[50_000] = 0.5;
    let (gain, _, notes) = normalised(&floats(48_000, &[plane]), -16.0);
    assert!((4.9..=5.03).contains(&gain), "{gain}");
    assert!(notes[0].starts_with("quieter than sound.loudness, because its peaks would clip+5.0 dB instead of +2"));
    // A peak between two samples: at a quarter of the rate, 45 degrees apart.
    let between: Vec<f32> = (0..96_000).map(|i| if i % 4 < 2 { 0.5 } else { -0.5 }).collect();
    let (gain, ..) = normalised(&floats(48_000, &[between]), 0.0);
    assert!((gain - (6.02 - 3.01 - 1.0)).abs() < 0.2, "{gain}");
}

#[test]
fn the_gain_of_a_rule_is_added_and_the_samples_stay() {
    let file = tones(48_000, &[(-23.0, 1.0)]);
    let (alone, ..) = normalised(&file, -20.0);
    let settings = SoundSettings { loudness: Some(-20.0), gain: -6.0, ..Default::default() };
    let part = import_with("a.wav", &file, settings).unwrap();
    assert_eq!(part.meta.get(MetaKey::GAIN), Some((alone - 6.0).to_bits()));
    assert_eq!(wave(&part), wave(&import("a.wav", &file).unwrap()));
}

#[test]
fn silence_and_sounds_that_keep_their_source() {
    let (gain, _, notes) = normalised(&floats(8000, &[vec![0.0; 8000]]), -16.0);
    assert_eq!((gain, notes), (0.0, vec!["silent, so sound.loudness has no effect".to_owned()]));
    assert_eq!(normalised(&floats(8000, &[vec![]]), -16.0).0, 0.0);
    let of = |store| {
        let settings = SoundSettings { loudness: Some(-16.0), store, ..Default::default() };
        import_with("a.ogg", fixture!("stereo.ogg"), settings).unwrap().meta.get(MetaKey::GAIN).map(f32::from_bits)
    };
    let (kept, decoded) = (of(SoundStorage::Source).unwrap(), of(SoundStorage::Pcm).unwrap());
    assert!((kept - decoded).abs() < 0.02 && kept != 0.0, "{kept} {decoded}");
}
