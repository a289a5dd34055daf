//! Sounds encoded with loss: the same bytes on every machine, every frame in its place, and what is lost within bounds.

use rres_decode::{SampleForm, SoundFile, SoundStream};
use rres_format::chunk::seek::SeekView;
use rres_settings::{SoundChannels, SoundEncoding};
use rres_test_data::random::Random;
use rres_test_data::sound::{mono, riff_chunk, with_chunks};

use super::*;

/// A chord of three triangle waves, with noise that fades each quarter of a second. Integers alone, so that every machine encodes the
/// same.
fn music(frames: usize, channels: usize, rate: u32) -> Vec<i16> {
    let mut random = Random::new(7);
    let triangle = |at: u64, hertz: u64| {
        let phase = (at * hertz * 65_536 / u64::from(rate) % 65_536) as i32;
        (if phase < 32_768 { phase } else { 65_535 - phase }) - 16_384
    };
    let sample = |frame: usize, channel: usize, noise: i32| {
        let at = frame as u64;
        let fade = 256 - (at * 1024 / u64::from(rate) % 256) as i32;
        let chord = triangle(at, 220) / 4 + triangle(at, 277 + 4 * channel as u64) / 4 + triangle(at, 660) / 8;
        (chord + noise * fade / 4096) as i16
    };
    let mut samples = Vec::with_capacity(frames * channels);
    for frame in 0..frames {
        for channel in 0..channels {
            samples.push(sample(frame, channel, i32::from(random.next() as i16)));
        }
    }
    samples
}

fn bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

fn music_wav(frames: usize, channels: u16, rate: u32) -> Vec<u8> {
    wav(&bytes(&music(frames, channels.into(), rate)), 1, channels, rate, 16)
}

fn encoded_as(format: SoundEncoding) -> SoundSettings {
    SoundSettings { format: Some(format), ..Default::default() }
}

/// What is stored if it is smaller.
fn alternative(path: &str, bytes: &[u8], settings: SoundSettings) -> Asset {
    import_with(path, bytes, settings).unwrap().alternative.expect("an alternative").asset
}

fn file(asset: &Asset) -> Vec<u8> {
    assert_eq!((asset.kind, asset.blocks[0].kind), (AssetKind::Sound, FourCc::RAWD));
    RawView::parse(PayloadView::parse(&asset.blocks[0].bytes).unwrap()).unwrap().bytes().to_vec()
}

fn number(meta: &Meta, key: MetaKey) -> u32 {
    meta.get(key).unwrap_or_else(|| panic!("no {key:?}"))
}

/// The samples that the runtime makes of it.
fn loaded(asset: &Asset) -> Vec<i16> {
    let (file, meta) = (file(asset), &asset.meta);
    let opened = SoundFile::open(&file).unwrap();
    assert_eq!(number(meta, MetaKey::SOUND_FORMAT), opened.format() as u32);
    assert_eq!(number(meta, MetaKey::SAMPLE_RATE), opened.sample_rate());
    assert_eq!(number(meta, MetaKey::CHANNELS), opened.channels());
    let (skip, frames) = (number(meta, MetaKey::SKIPPED_FRAMES), number(meta, MetaKey::FRAMES_LOW));
    let mut samples = vec![0; frames as usize * opened.frame_size(SampleForm::I16)];
    opened.decode_into(skip.into(), SampleForm::I16, &mut samples).unwrap();
    samples.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect()
}

/// The signal-to-noise ratio in decibels.
fn snr(found: &[i16], expected: &[i16]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let power: f64 = expected.iter().map(|v| f64::from(*v).powi(2)).sum();
    let noise: f64 = found.iter().zip(expected).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    10.0 * (power / noise.max(1.0)).log10()
}

#[test]
fn the_bytes_are_the_same_on_every_machine() {
    let sum = |settings: SoundSettings, channels: u16, rate: u32| {
        let file = file(&alternative("a.wav", &music_wav(12_000, channels, rate), settings));
        (file.len(), crc32fast::hash(&file))
    };
    let found = [sum(encoded_as(SoundEncoding::Qoa), 1, 44_100), sum(encoded_as(SoundEncoding::Qoa), 3, 8_000)];
    assert_eq!(found, [(4880, 2_525_104_159), (14_576, 3_953_714_064)]);
    #[cfg(feature = "opus")]
    {
        let opus = |bitrate| SoundSettings { bitrate, ..encoded_as(SoundEncoding::Opus) };
        let looped = SoundSettings { is_looping: true, ..opus(Some(96)) };
        let found = [
            sum(opus(None), 1, 48_000),
            // Resampled, with a lead.
            sum(looped, 2, 44_100),
            sum(opus(None), 6, 48_000),
            // Low rates take another path through the encoder.
            sum(opus(Some(12)), 1, 48_000),
        ];
        assert_eq!(found, [(2388, 1_915_524_557), (4705, 110_868_616), (11_467, 3_410_999_680), (602, 2_691_034_884)]);
    }
}

#[test]
fn qoa_takes_a_fifth_and_stays_near_the_original() {
    for (channels, rate) in [(1, 44_100), (2, 22_050), (8, 48_000)] {
        let samples = music(22_051, channels.into(), rate);
        let asset = alternative("a.wav", &wav(&bytes(&samples), 1, channels, rate, 16), encoded_as(SoundEncoding::Qoa));
        let found = snr(&loaded(&asset), &samples);
        // The encoder of the specification makes 27.8 dB of the first.
        assert!(found > 26.5, "{found} dB of {channels} channels");
        assert!(file(&asset).len() * 100 < samples.len() * 2 * 21, "{} bytes", file(&asset).len());
        assert!(asset.summary.ends_with(", encoded as QOA"), "{}", asset.summary);
    }
}

#[test]
fn every_length_is_kept_to_the_frame() {
    for frames in [1, 2, 19, 20, 21, 647, 648, 649, 960, 5119, 5120, 5121, 10_241] {
        for format in formats() {
            let samples = music(frames, 1, 48_000);
            let asset = alternative("a.wav", &mono(48_000, &samples), encoded_as(format));
            assert_eq!(loaded(&asset).len(), frames, "{format:?}");
        }
    }
}

/// Those that this build encodes.
fn formats() -> Vec<SoundEncoding> {
    if cfg!(feature = "opus") { vec![SoundEncoding::Qoa, SoundEncoding::Opus] } else { vec![SoundEncoding::Qoa] }
}

#[test]
fn silence_and_full_scale_stay_what_they_are() {
    let silent = alternative("a.wav", &mono(44_100, &[0; 6000]), encoded_as(SoundEncoding::Qoa));
    assert!(loaded(&silent).iter().all(|sample| sample.abs() <= 1));
    let square: Vec<i16> = (0..6000).map(|i| if i / 50 % 2 == 0 { i16::MAX } else { i16::MIN }).collect();
    let loud = alternative("a.wav", &mono(44_100, &square), encoded_as(SoundEncoding::Qoa));
    // The encoder of the specification makes 11.4 and 5.0 dB.
    let ratio = snr(&loaded(&loud), &square);
    assert!(ratio > 11.0, "{ratio}");
    // Noise at full scale makes the weights grow most.
    let mut random = Random::new(3);
    let noise: Vec<i16> = (0..20_000).map(|_| random.next() as i16).collect();
    let ratio = snr(&loaded(&alternative("a.wav", &mono(44_100, &noise), encoded_as(SoundEncoding::Qoa))), &noise);
    assert!(ratio > 4.9, "{ratio}");
}

#[test]
fn loop_points_markers_and_playback_go_with_the_encoded_sound() {
    // A forward loop of the frames 1000 to 5999.
    let mut sampler = vec![0; 60];
    sampler[28] = 1;
    sampler[44..48].copy_from_slice(&1000u32.to_le_bytes());
    sampler[48..52].copy_from_slice(&5999u32.to_le_bytes());
    let file = with_chunks(&music_wav(12_000, 1, 24_000), &riff_chunk(b"smpl", &sampler));
    for format in formats() {
        let settings = SoundSettings { is_looping: true, gain: -3.0, ..encoded_as(format) };
        let sound = import_with("a.wav", &file, settings).unwrap();
        assert_eq!(sound.meta.get(MetaKey::LOOP_START), Some(1000));
        let asset = sound.alternative.unwrap().asset;
        // Opus is at twice the rate.
        let factor = if format == SoundEncoding::Opus { 2 } else { 1 };
        assert_eq!(number(&asset.meta, MetaKey::LOOP_START), 1000 * factor);
        assert_eq!(number(&asset.meta, MetaKey::LOOP_END), 6000 * factor);
        assert_eq!(number(&asset.meta, MetaKey::FRAMES_LOW), 12_000 * factor);
        assert_eq!(asset.meta.get(MetaKey::LOOP), Some(1));
        assert_eq!(asset.meta.get(MetaKey::GAIN).map(f32::from_bits), Some(-3.0));
    }
}

#[test]
fn settings_change_the_samples_before_they_are_encoded() {
    let settings =
        SoundSettings { rate: Some(22_050), channels: Some(SoundChannels::Mono), ..encoded_as(SoundEncoding::Qoa) };
    let asset = alternative("a.wav", &music_wav(44_100, 2, 44_100), settings);
    assert_eq!(loaded(&asset).len(), 22_050);
    assert_eq!(asset.summary, "1.00 s 22.05 kHz mono, encoded as QOA (from 44.1 kHz stereo)");
}

#[test]
fn what_is_encoded_with_loss_is_not_encoded_again() {
    let files: [(&str, &[u8]); 8] = [
        ("a.ogg", fixture!("stereo.ogg")),
        ("a.mp3", fixture!("mono.mp3")),
        ("a.m4a", fixture!("mono.m4a")),
        ("a.aac", fixture!("mono.aac")),
        ("a.wav", fixture!("ima.wav")),
        ("b.wav", fixture!("ms.wav")),
        ("a.caf", fixture!("ima.caf")),
        ("a.qoa", fixture!("tone.qoa")),
    ];
    for (path, bytes) in files {
        let sound = import_with(path, bytes, encoded_as(SoundEncoding::Qoa)).unwrap();
        assert!(sound.alternative.is_none(), "{path}");
        let note = sound.notes.iter().find(|note| note.topic.contains("encoded with loss already"));
        assert!(note.is_some(), "{path}: {:?}", sound.notes);
    }
    for (path, bytes) in
        [("a.flac", fixture!("stereo16.flac")), ("a.caf", fixture!("alac.caf")), ("a.m4a", fixture!("alac.m4a"))]
    {
        alternative(path, bytes, encoded_as(SoundEncoding::Qoa));
    }
    assert!(import("a.flac", fixture!("stereo16.flac")).unwrap().alternative.is_none(), "no rule asks for it");
}

#[test]
fn a_sound_that_loads_as_its_file_has_seek_points() {
    let store = SoundStorage::Source;
    for format in formats() {
        let settings = SoundSettings { store, is_seekable: true, ..encoded_as(format) };
        let asset = alternative("a.wav", &music_wav(150_000, 1, 48_000), settings);
        assert_eq!(asset.meta.get(MetaKey::SOUND_FORMAT), None);
        assert_eq!(number(&asset.meta, MetaKey::FRAMES_LOW), 150_000);
        let seek = asset.blocks.iter().find(|block| block.kind == FourCc::SEEK).unwrap();
        let view = SeekView::parse(PayloadView::parse(&seek.bytes).unwrap()).unwrap();
        let point = view.before(149_000).unwrap();
        assert!(point.frame > 48_000, "{point:?}");
        let file = file(&asset);
        let whole = SoundFile::open(&file).unwrap().decode(SampleForm::I16, false, 1 << 30).unwrap();
        let mut stream = SoundStream::open(std::sync::Arc::<[u8]>::from(file)).unwrap();
        stream.start_at(point.offset, view.head_size()).unwrap();
        let mut samples = Vec::new();
        while let Some(packet) = stream.next_packet().unwrap() {
            samples.extend_from_slice(packet);
        }
        let skip = point.skip as usize * 2;
        assert!(samples[skip..] == whole[point.frame as usize * 2..], "{format:?}");
    }
}

#[test]
fn formats_refuse_what_they_do_not_hold() {
    let settings = || encoded_as(SoundEncoding::Qoa);
    let nine = wav(&[0; 900], 1, 9, 44_100, 16);
    let error = import_with("a.wav", &nine, settings()).unwrap_err();
    assert_eq!(error.to_string(), "has 9 channels, and QOA holds at most 8");
    let fast = wav(&[0; 900], 1, 1, 1 << 24, 16);
    let error = import_with("a.wav", &fast, settings()).unwrap_err();
    assert_eq!(error.to_string(), "is at 16777216 Hz, and QOA holds rates below 16777216 Hz");
    let empty = import_with("a.wav", &wav(&[], 1, 1, 44_100, 16), settings()).unwrap();
    assert!(empty.alternative.is_none(), "nothing to encode");
    #[cfg(feature = "opus")]
    {
        let error = import_with("a.wav", &nine, encoded_as(SoundEncoding::Opus)).unwrap_err();
        assert_eq!(error.to_string(), "has 9 channels, and OGG Opus holds at most 8");
    }
    #[cfg(not(feature = "opus"))]
    {
        let error = import_with("a.wav", &mono(48_000, &[1; 900]), encoded_as(SoundEncoding::Opus)).unwrap_err();
        assert!(error.to_string().contains("the feature `opus` of rres-build is disabled"), "{error}");
    }
}

#[test]
fn samples_beyond_full_scale_are_noted() {
    let samples: Vec<u8> = [0.5f32, 1.5, -1.25, 1.0].iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let asset = alternative("a.wav", &wav(&samples, 3, 1, 44_100, 32), encoded_as(SoundEncoding::Qoa));
    let note = asset.notes.iter().find(|note| note.topic.contains("louder than full scale"));
    assert!(format!("{note:?}").contains("2 samples"), "{:?}", asset.notes);
}

#[cfg(feature = "opus")]
mod of_opus {
    use super::*;

    #[test]
    fn opus_keeps_places_and_channels() {
        // A low tone in one channel each, in the order of a WAV.
        for channels in [1usize, 2, 3, 6, 7, 8] {
            let samples: Vec<i16> = (0..9600 * channels)
                .map(|i| {
                    let (frame, channel) = ((i / channels) as i32, i % channels);
                    let period = 800 - 40 * channel as i32;
                    let phase = frame % period * 20_000 / period;
                    (if phase < 10_000 { phase } else { 20_000 - phase }) as i16 - 5_000
                })
                .collect();
            let settings = SoundSettings { bitrate: Some(510), ..encoded_as(SoundEncoding::Opus) };
            let asset = alternative("a.wav", &wav(&bytes(&samples), 1, channels as u16, 48_000, 16), settings);
            let found = loaded(&asset);
            for channel in 0..channels {
                let part =
                    |samples: &[i16]| -> Vec<i16> { samples.iter().skip(channel).step_by(channels).copied().collect() };
                let ratio = snr(&part(&found), &part(&samples));
                assert!(ratio > 15.0, "{ratio} dB in channel {channel} of {channels}");
            }
        }
    }

    #[test]
    fn a_loop_has_no_gap() {
        // A triangle wave whose end meets its start.
        let samples: Vec<i16> = (0..9600i32).map(|i| ((i % 240 - 120).abs() * 200 - 12_000) as i16).collect();
        let settings = SoundSettings { is_looping: true, ..encoded_as(SoundEncoding::Opus) };
        let asset = alternative("a.wav", &mono(48_000, &samples), settings);
        assert_eq!(number(&asset.meta, MetaKey::SKIPPED_FRAMES), 312 + 3840);
        let found = loaded(&asset);
        // Both ends are as good as the middle.
        let middle = snr(&found[4000..5000], &samples[4000..5000]);
        for part in [0..1000, 8600..9600] {
            let ratio = snr(&found[part.clone()], &samples[part.clone()]);
            assert!(ratio > middle - 3.0 && ratio > 20.0, "{ratio} dB in {part:?}, {middle} dB in the middle");
        }
    }

    #[test]
    fn bitrates_are_kept_on_average() {
        let file_of = |bitrate| {
            let settings = SoundSettings { bitrate: Some(bitrate), ..encoded_as(SoundEncoding::Opus) };
            file(&alternative("a.wav", &music_wav(192_000, 2, 48_000), settings)).len() * 8 / 4 / 1000
        };
        for bitrate in [24, 64, 128] {
            let found = file_of(bitrate);
            assert!(found.abs_diff(bitrate as usize) * 20 <= bitrate as usize, "{found} instead of {bitrate} kbit/s");
        }
    }

    #[test]
    #[ignore = "long: encodes three minutes"]
    fn three_minutes_at_64_kbits_take_less_than_one_and_a_half_megabytes() {
        let settings =
            SoundSettings { bitrate: Some(64), store: SoundStorage::Source, ..encoded_as(SoundEncoding::Opus) };
        let asset = alternative("a.wav", &music_wav(180 * 44_100, 2, 44_100), settings);
        assert_eq!(number(&asset.meta, MetaKey::FRAMES_LOW), 180 * 48_000);
        let size = file(&asset).len();
        assert!(size <= 1_500_000, "{size}");
    }
}
