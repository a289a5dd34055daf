use rres_format::chunk::PayloadView;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::wave::WaveView;
use rres_import::MemoryFiles;
use rres_settings::Settings;
use rres_test_data::sound::wav;

use super::*;

mod aiff;
mod apple;
mod containers;
mod cues;
mod damage;
mod ends;
mod lossy;
mod loudness;
mod opus;
mod processing;
mod sloppy;

/// A file in `tests/fixtures/sound`; its README describes the files.
macro_rules! fixture {
    ($name:literal) => {
        &include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/test-data/fixtures/sound/", $name))[..]
    };
}
use fixture;

/// The triangle wave of the fixtures.
fn triangle(i: i32) -> i16 {
    let p = i % 100;
    ((if p < 50 { 4 * p - 100 } else { 300 - 4 * p }) * 200) as i16
}

fn sound(settings: SoundSettings) -> Settings {
    Settings { sound: settings, ..Default::default() }
}

fn import_with(path: &str, bytes: &[u8], settings: SoundSettings) -> Result<Asset, ImportError> {
    MemoryFiles::new([(path, bytes)]).with_settings(&sound(settings)).import(&SoundImporter, path).map(|mut parts| {
        assert_eq!(parts.len(), 1);
        parts.remove(0)
    })
}

fn import(path: &str, bytes: &[u8]) -> Result<Asset, ImportError> {
    import_with(path, bytes, SoundSettings::default())
}

fn as_format(sample: SampleFormat) -> SoundSettings {
    SoundSettings { sample: Some(sample), ..Default::default() }
}

fn stored_as(store: SoundStorage) -> SoundSettings {
    SoundSettings { store, ..Default::default() }
}

/// Frames, rate, bits, channels and samples.
fn wave(part: &Asset) -> ([u32; 4], Vec<u8>) {
    assert_eq!((part.kind, part.blocks[0].kind), (AssetKind::Sound, FourCc::WAVE));
    let view = WaveView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
    assert_eq!(part.blocks[0].bytes.len(), samples::HEAD + view.samples().len());
    let props = view.props();
    ([props.frames, props.sample_rate, props.sample_size, props.channels], view.samples().to_vec())
}

fn i16s(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks_exact(2).map(|v| i16::from_le_bytes([v[0], v[1]])).collect()
}

fn f32s(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|v| f32::from_le_bytes(v.try_into().unwrap())).collect()
}

/// Noise power over signal power.
fn error_ratio(found: &[i16], expected: impl Iterator<Item = i16>) -> f64 {
    let (mut noise, mut power) = (0.0, 0.0);
    for (found, expected) in found.iter().zip(expected) {
        noise += (f64::from(*found) - f64::from(expected)).powi(2);
        power += f64::from(expected).powi(2);
    }
    noise / power
}

#[test]
fn playback_settings_are_metadata() {
    let file = wav(&[0; 400], 1, 2, 44100, 16);
    let part = import("a.wav", &file).unwrap();
    assert_eq!((part.summary.as_str(), part.meta.is_empty()), ("0.00 s 44.1 kHz stereo i16", true));
    let part =
        import_with("a.wav", &file, SoundSettings { gain: -3.5, is_looping: true, ..Default::default() }).unwrap();
    assert_eq!(part.meta.get(MetaKey::GAIN), Some((-3.5f32).to_bits()));
    assert_eq!(part.meta.get(MetaKey::LOOP), Some(1));
    assert_eq!(part.summary, "0.00 s 44.1 kHz stereo i16 -3.5 dB loop");
}

#[test]
fn long_encoded_sounds_keep_their_source() {
    let long = fixture!("long.ogg");
    let part = import("m/a.ogg", long).unwrap();
    assert_eq!((part.kind, part.blocks[0].kind, part.blocks[0].compressible), (AssetKind::Sound, FourCc::RAWD, false));
    let raw = RawView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap();
    assert_eq!((raw.bytes(), raw.extension()), (long, &b".ogg"[..]));
    assert_eq!(part.summary, "10.5 s 8 kHz mono, OGG kept");
    for (key, value) in
        [(MetaKey::SAMPLE_RATE, 8000), (MetaKey::CHANNELS, 1), (MetaKey::FRAMES_LOW, 84_001), (MetaKey::FRAMES_HIGH, 0)]
    {
        assert_eq!(part.meta.get(key), Some(value), "{key}");
    }
    let part = import_with("a.ogg", long, stored_as(SoundStorage::Pcm)).unwrap();
    assert_eq!(wave(&part), ([84_001, 8000, 16, 1], vec![0; 168_002]));
    // WAV is not encoded: it becomes samples, however long it is.
    let file = wav(&vec![0; 8000 * 11], 1, 1, 8000, 8);
    assert_eq!(wave(&import("a.wav", &file).unwrap()).0, [88_000, 8000, 8, 1]);
    let part = import_with("a.wav", &file, stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(part.summary, "11.0 s 8 kHz mono, WAV kept");
}

#[test]
fn sources_are_kept_on_request_with_their_properties() {
    for (path, bytes, summary, frames) in [
        ("a.ogg", fixture!("stereo.ogg"), "0.23 s 22.05 kHz stereo, OGG kept", 5000),
        ("a.flac", fixture!("mono24.flac"), "0.05 s 22.05 kHz mono, FLAC kept", 1000),
        ("a.mp3", fixture!("mono.mp3"), "0.23 s 22.05 kHz mono, MP3 kept", 5000),
    ] {
        let part = import_with(path, bytes, stored_as(SoundStorage::Source)).unwrap();
        assert_eq!((part.summary.as_str(), part.meta.get(MetaKey::FRAMES_LOW)), (summary, Some(frames)), "{path}");
    }
    // Frames are counted if no header states their number: whole packets of 576 here.
    let part = import_with("a.mp3", fixture!("no_count.mp3"), stored_as(SoundStorage::Source)).unwrap();
    let counted = part.meta.get(MetaKey::FRAMES_LOW).unwrap();
    let decoded = wave(&import("a.mp3", fixture!("no_count.mp3")).unwrap()).0[0];
    assert_eq!((counted, counted % 576), (decoded, 0));
    assert!(counted >= 5000, "{counted}");
    // Speex cannot be decoded here.
    let part = import_with("a.ogg", &speex(), stored_as(SoundStorage::Source)).unwrap();
    assert_eq!((part.summary.as_str(), part.meta.is_empty()), ("OGG Speex kept", true));
}

/// An Ogg file that says it is of a codec without a decoder.
fn speex() -> Vec<u8> {
    let mut file = fixture!("opus.ogg").to_vec();
    let mark = file.windows(8).position(|bytes| bytes == b"OpusHead").unwrap();
    file[mark..mark + 8].copy_from_slice(b"Speex   ");
    file
}

#[test]
fn content_of_another_format_is_an_error_that_names_it() {
    let other = import("a.ogg", &speex()).unwrap_err();
    assert_eq!(other.to_string(), "is OGG Speex, which cannot be decoded here");
    assert!(other.help().unwrap().contains("store = \"source\""), "{other:?}");
    for (path, bytes, message) in [
        ("a.wav", fixture!("mono.mp3"), "is an MP3, not a WAV"),
        ("a.mp3", fixture!("stereo.ogg"), "is an Ogg stream, not an MP3"),
        ("a.wav", &b""[..], "is empty (0 bytes)"),
        ("a.wav", b"hello", "is not a WAV: it starts with \"hello\""),
        ("a.ogg", b"\x89PNG\r\n\x1a\n", "is a PNG, not an Ogg stream"),
        ("a.x", b"\x89PNG\r\n\x1a\n", "is a PNG, not a sound in a supported format"),
        ("a.flac", b"\xff\xf1\x50\x80", "is an AAC stream, not a FLAC"),
        ("a.caf", b"RIFF\0\0\0\0WAVE", "is a WAV, not a CAF"),
    ] {
        let error = import(path, bytes).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(error.help().is_some(), "{message}");
    }
    let webm = import("a.x", b"\x1aE\xdf\xa3").unwrap_err();
    assert_eq!(webm.to_string(), "is Matroska or WebM container, which cannot be decoded here");
}

#[test]
fn samples_of_an_impossible_rate_are_said_to_be_so() {
    let error =
        SoundImporter.of_samples(u32::MAX, 2, Samples::F32(&[0.0; 4]), "a.wav", &Settings::default()).unwrap_err();
    let expected = "became a sound of 2 channels at 4294967295 Hz, and it or a second of it has 4 GiB or more";
    assert_eq!(error.to_string(), expected);
}
