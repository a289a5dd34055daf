//! Other rates, other channels, and no silence at the ends.

use rres_settings::SoundChannels;

use super::*;

/// A 32-bit float WAV of these channels.
pub(super) fn floats(rate: u32, planes: &[Vec<f32>]) -> Vec<u8> {
    let samples = (0..planes[0].len()).flat_map(|i| planes.iter().flat_map(move |plane| plane[i].to_le_bytes()));
    wav(&samples.collect::<Vec<u8>>(), 3, planes.len() as u16, rate, 32)
}

pub(super) fn sine(hertz: f64, amplitude: f64, rate: u32, frames: usize) -> Vec<f32> {
    let angle = |i: usize| hertz * i as f64 / f64::from(rate) * std::f64::consts::TAU;
    (0..frames).map(|i| (amplitude * angle(i).sin()) as f32).collect()
}

/// The channels of a sound of floats, and its rate.
fn planes(part: &Asset) -> (u32, Vec<Vec<f32>>) {
    let ([frames, rate, _, channels], samples) = wave(part);
    let samples = f32s(&samples);
    assert_eq!(samples.len(), (frames * channels) as usize);
    let plane = |channel: u32| samples.iter().skip(channel as usize).step_by(channels as usize).copied().collect();
    (rate, (0..channels).map(plane).collect())
}

fn resampled(plane: Vec<f32>, from: u32, to: u32, is_looping: bool) -> Vec<f32> {
    let settings = SoundSettings { rate: Some(to), is_looping, ..Default::default() };
    let (rate, mut planes) = planes(&import_with("a.wav", &floats(from, &[plane]), settings).unwrap());
    assert_eq!(rate, to);
    planes.remove(0)
}

/// The largest difference, without the frames at the ends, in decibels of full scale.
fn difference(found: &[f32], expected: &[f32], ends: usize) -> f64 {
    assert_eq!(found.len(), expected.len());
    let inside = ends..found.len() - ends;
    let largest = found[inside.clone()].iter().zip(&expected[inside]).map(|(a, b)| f64::from((a - b).abs()));
    20.0 * largest.fold(1e-9, f64::max).log10()
}

const RATES: [u32; 8] = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000];

#[test]
fn a_tone_stays_the_same_at_every_rate() {
    for from in RATES {
        for to in RATES.into_iter().filter(|to| *to != from) {
            let frames = from as usize / 10 + 7;
            let hertz = 0.4 * f64::from(from.min(to));
            let found = resampled(sine(hertz, 0.5, from, frames), from, to, false);
            let exact = frames as f64 * f64::from(to) / f64::from(from);
            assert!((found.len() as f64 - exact).abs() <= 0.5, "{from} to {to}: {} frames", found.len());
            let expected = sine(hertz, 0.5, to, found.len());
            let ends = 100 * to.max(from) as usize / from as usize;
            let error = difference(&found, &expected, ends.min(found.len() / 4));
            assert!(error < -130.0, "{from} to {to}: {error} dB");
        }
    }
}

#[test]
fn what_a_lower_rate_cannot_hold_is_removed() {
    for (from, to, hertz) in [(48_000, 22_050, 11_100.0), (44_100, 8000, 4100.0), (96_000, 44_100, 30_000.0)] {
        let found = resampled(sine(hertz, 0.9, from, 20_000), from, to, false);
        let silence = vec![0.0; found.len()];
        let rest = difference(&found, &silence, 200);
        assert!(rest < -130.0, "{hertz} Hz from {from} to {to}: {rest} dB");
    }
}

#[test]
fn a_constant_stays_constant_and_short_sounds_stay_sounds() {
    let found = resampled(vec![0.25; 3000], 44_100, 48_000, false);
    assert!(found[100..3000].iter().all(|v| (v - 0.25).abs() < 1e-7));
    for frames in [0, 1, 2, 50] {
        assert_eq!(resampled(vec![0.5; frames], 22_050, 44_100, false).len(), 2 * frames);
    }
}

#[test]
fn a_sound_that_is_played_in_a_cycle_has_no_seam() {
    for (from, to) in [(44_100u32, 22_050u32), (32_000, 48_000), (44_100, 48_000)] {
        // A tenth of a second holds whole periods.
        let found = resampled(sine(440.0, 0.5, from, from as usize / 10), from, to, true);
        let error = difference(&found, &sine(440.0, 0.5, to, to as usize / 10), 0);
        assert!(error < -130.0, "{from} to {to}: {error} dB");
    }
    // Shorter than the filter.
    assert_eq!(resampled(vec![0.5; 3], 44_100, 88_200, true), [0.5; 6]);
}

/// The bytes come from the machine on which this number was found. It must not differ between systems.
#[test]
fn resampling_gives_the_same_bits_everywhere() {
    let mut state = 1u32;
    let noise = (0..5000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    });
    let noise: Vec<f32> = noise.collect();
    let crcs = [(44_100, 48_000), (48_000, 44_100), (96_000, 22_050)].map(|(from, to)| {
        let bytes: Vec<u8> = resampled(noise.clone(), from, to, false).iter().flat_map(|v| v.to_le_bytes()).collect();
        crc32fast::hash(&bytes)
    });
    assert_eq!(crcs, [2_527_787_386, 3_720_648_125, 1_375_082_957]);
}

#[test]
fn samples_are_rounded_to_the_depth_of_the_source() {
    let data: Vec<u8> = (0..2000).flat_map(|i| triangle(i).to_le_bytes()).collect();
    let settings = SoundSettings { rate: Some(4000), channels: Some(SoundChannels::Stereo), ..Default::default() };
    let part = import_with("a.wav", &wav(&data, 1, 1, 8000, 16), settings.clone()).unwrap();
    assert_eq!(wave(&part).0, [1000, 4000, 16, 2]);
    assert_eq!(part.summary, "0.25 s 4 kHz stereo i16 (from 8 kHz mono)");
    let part = import_with("a.ogg", fixture!("stereo.ogg"), settings).unwrap();
    assert_eq!(wave(&part).0, [907, 4000, 16, 2]);
    // A rule that asks for the form of the file changes nothing, to the bit.
    let file = wav(&data, 1, 1, 8000, 16);
    let same = SoundSettings { rate: Some(8000), channels: Some(SoundChannels::Mono), ..Default::default() };
    assert_eq!(wave(&import_with("a.wav", &file, same).unwrap()).1, data);
}

/// A WAV that says where its channels are heard.
pub(super) fn placed(planes: &[Vec<f32>], mask: u32) -> Vec<u8> {
    let mut file = floats(48_000, planes);
    file[16..20].copy_from_slice(&40u32.to_le_bytes());
    file[20..22].copy_from_slice(&0xfffeu16.to_le_bytes());
    let mut more = vec![22, 0, 32, 0];
    more.extend(mask.to_le_bytes());
    more.extend(b"\x03\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71");
    file.splice(36..36, more);
    let size = (file.len() - 8) as u32;
    file[4..8].copy_from_slice(&size.to_le_bytes());
    file
}

#[test]
fn channels_are_mixed_with_the_usual_coefficients() {
    let mixed = |file: &[u8], channels: SoundChannels| {
        let settings = SoundSettings { channels: Some(channels), ..Default::default() };
        import_with("a.wav", file, settings).map(|part| planes(&part).1)
    };
    let [stereo, mono] = [SoundChannels::Stereo, SoundChannels::Mono];
    let one = vec![0.5, -0.25];
    assert_eq!(mixed(&floats(8000, std::slice::from_ref(&one)), stereo).unwrap(), [one.clone(), one.clone()]);
    assert_eq!(mixed(&floats(8000, &[one, vec![0.25, 1.0]]), mono).unwrap(), [vec![0.375, 0.375]]);
    // Left, right, centre, deep tones, surround left and right: each by itself.
    let each: Vec<Vec<f32>> = (0..6).map(|i| (0..6).map(|j| f32::from(u8::from(i == j))).collect()).collect();
    for mask in [0x3f, 0x60f] {
        let file = placed(&each, mask);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let expected = [[1.0, 0.0, half, 0.0, half, 0.0], [0.0, 1.0, half, 0.0, 0.0, half]];
        let [left, right] = expected.map(|side| side.map(|gain| (gain / (1.0 + 2.0 * half)) as f32).to_vec());
        assert_eq!(mixed(&file, stereo).unwrap(), [left, right]);
        let whole = 2.0 + 4.0 * half;
        let middle = [1.0, 1.0, 2.0 * half, 0.0, half, half].map(|gain: f64| (gain / whole) as f32);
        assert_eq!(mixed(&file, mono).unwrap(), [middle]);
    }
    // However loud the channels are, their mix is not louder.
    let loud = vec![vec![1.0; 4]; 6];
    let mix = mixed(&placed(&loud, 0x3f), stereo).unwrap();
    assert!(mix.iter().flatten().all(|v| (0.9..=1.0 + 1e-6).contains(v)), "{mix:?}");
    // A speaker above, a mask without bits, one with too many, no mask.
    let three = vec![vec![0.5]; 3];
    for file in [placed(&three, 0x5001), placed(&three, 0), placed(&three, 0xf), floats(48_000, &three)] {
        let error = mixed(&file, mono).unwrap_err();
        assert_eq!(error.to_string(), "has 3 channels without the places of their speakers");
        assert!(error.help().unwrap().contains("sound.channels"));
    }
}

#[test]
fn silence_is_trimmed_at_both_ends_only() {
    let trimmed = |samples: &[f32], threshold: f32| {
        let settings = SoundSettings { trim_silence: Some(threshold), ..Default::default() };
        import_with("a.wav", &floats(8000, &[samples.to_vec(), vec![0.0; samples.len()]]), settings).unwrap()
    };
    let sound = [0.0, 0.0005, 0.5, 0.0, 0.0, -0.002, 0.0005, 0.0];
    assert_eq!(planes(&trimmed(&sound, -60.0)).1[0], sound[2..6]);
    assert_eq!(planes(&trimmed(&sound, -70.0)).1[0], sound[1..7]);
    assert_eq!(planes(&trimmed(&sound, -20.0)).1[0], sound[2..3]);
    // Nothing would be left.
    let part = trimmed(&[0.0; 5], -60.0);
    assert_eq!(
        (planes(&part).1[0].len(), part.notes[0].topic.as_str()),
        (5, "silent throughout, so nothing is trimmed")
    );
    assert_eq!(planes(&trimmed(&[], -60.0)).1[0].len(), 0);
}

#[test]
fn a_sound_that_keeps_its_source_says_that_it_is_not_changed() {
    let settings = SoundSettings { rate: Some(4000), ..Default::default() };
    let part = import_with("a.ogg", fixture!("long.ogg"), settings.clone()).unwrap();
    assert_eq!(part.blocks[0].kind, FourCc::RAWD);
    assert!(part.notes[0].topic.starts_with("keeps its source, without what sound.rate"), "{:?}", part.notes);
    let part = import_with("a.ogg", fixture!("long.ogg"), SoundSettings { store: SoundStorage::Pcm, ..settings });
    assert_eq!(wave(&part.unwrap()).0, [42_001, 4000, 16, 1]);
}
