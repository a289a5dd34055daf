//! Sounds → sounds and music of raylib.

use std::sync::Arc;

use raylib::prelude::*;
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{FourCc, Resource};
use rres_raylib::{ErrorKind, Played, StoreExt, music, sound};
use rres_runtime::asset::Samples;
use rres_runtime::{Id, Sound as Asset, Store};

use crate::packs::{chunk, loaded, store};

/// A sound of `frames` at 8000 Hz, in two channels.
fn pack(frames: u32, sample_size: u32, meta: &[(MetaKey, u32)]) -> Store {
    let samples = vec![100; (frames * 2 * sample_size / 8) as usize];
    let block = WaveProps { frames, sample_rate: 8000, sample_size, channels: 2 }.block(&samples);
    let mut facts = Meta::default();
    meta.iter().for_each(|(key, value)| facts.set(*key, *value));
    store([Resource::new("a.wav", vec![chunk(FourCc::WAVE, &block)]).with_meta(facts)])
}

fn asset(frames: u32, sample_size: u32, meta: &[(MetaKey, u32)]) -> Arc<Asset> {
    loaded(&pack(frames, sample_size, meta), "a.wav")
}

pub(crate) fn run(audio: &RaylibAudio) {
    for sample_size in [8, 16, 32] {
        let asset = asset(4000, sample_size, &[]);
        let playable = sound(audio, &asset).unwrap();
        // raylib has changed the rate into that of the device.
        let seconds = playable.frame_count() as f32 / playable.stream.sampleRate as f32;
        assert!((seconds - 0.5).abs() < 0.01, "{sample_size} bits: {seconds} s");
        let streamed = music(audio, &asset).unwrap();
        assert_eq!((streamed.frameCount, streamed.stream.sampleRate), (4000, 8000));
        assert_eq!(streamed.stream.sampleSize, sample_size.max(16), "raylib streams no 8 bits");
        assert!((streamed.get_time_length() - 0.5).abs() < 0.001);
        assert!(!streamed.looping);
    }
    let looped = asset(4000, 16, &[(MetaKey::LOOP, 1)]);
    let mut streamed = music(audio, &looped).unwrap();
    drop(looped);
    assert!(streamed.looping);
    streamed.play_stream();
    (0..10).for_each(|_| streamed.update_stream());
    assert!(streamed.is_stream_playing());
    streamed.set_looping(false);
    assert!(!streamed.looping);

    assert!(matches!(sound(audio, &asset(0, 16, &[])).unwrap_err().kind(), ErrorKind::Empty | ErrorKind::Sound(_)));
    assert!(matches!(music(audio, &asset(0, 16, &[])).unwrap_err().kind(), ErrorKind::Empty | ErrorKind::Sound(_)));
    files(audio);
    changes(audio);
}

/// Files that the program has no decoder for, so that raylib decodes them.
fn files(audio: &RaylibAudio) {
    let file = |name: &str| {
        let path = format!("{}/../../crates/test-data/fixtures/sound/{name}", env!("CARGO_MANIFEST_DIR"));
        let block =
            rres_format::chunk::raw::raw_block(&name[name.rfind('.').unwrap()..], &std::fs::read(path).unwrap());
        loaded::<Asset>(&store([Resource::new(name.to_owned(), vec![chunk(FourCc::RAWD, &block)])]), name)
    };
    for name in ["stereo.ogg", "mono.mp3"] {
        let asset = file(name);
        assert!(sound(audio, &asset).unwrap().frame_count() > 0, "{name}");
        let streamed = music(audio, &asset).unwrap();
        drop(asset);
        streamed.play_stream();
        streamed.update_stream();
        assert!(streamed.get_time_length() > 0.0, "{name}");
    }
    // A `.wav` that stays a file. raylib streams no 8 bits.
    let wav = |bits: u16| {
        let file = rres_test_data::sound::wav(&[1; 800], 1, 1, 8000, bits);
        let block = rres_format::chunk::raw::raw_block(".wav", &file);
        loaded::<Asset>(&store([Resource::new("a.wav", vec![chunk(FourCc::RAWD, &block)])]), "a.wav")
    };
    assert!(matches!(wav(16).samples(), Samples::Encoded { extension: ".wav", .. }));
    assert_eq!(music(audio, &wav(16)).unwrap().frameCount, 400);
    assert!(sound(audio, &wav(8)).is_ok());
    assert!(matches!(music(audio, &wav(8)).unwrap_err().kind(), ErrorKind::Encoded(_)));
    // raylib has no decoder of Opus. The error names the feature.
    for error in [sound(audio, &file("tone.opus")).unwrap_err(), music(audio, &file("tone.opus")).unwrap_err()] {
        assert!(matches!(error.kind(), ErrorKind::Encoded(_)), "{error}");
        assert!(error.to_string().contains("opus"), "{error}");
    }
}

fn changes(audio: &RaylibAudio) {
    let pack = pack(4000, 16, &[]);
    let id = Id::<Asset>::from_path("a.wav");
    assert!(!pack.sound(audio, id).unwrap().update() && !pack.music(audio, id).unwrap().update());

    let store = store([]);
    let handle = store.insert("b.wav", Asset::clone(&asset(4000, 16, &[]))).unwrap();
    let mut step = Played::new(&handle, |asset| sound(audio, asset)).unwrap();
    let mut theme = Played::new(&handle, |asset| music(audio, asset)).unwrap();
    store.insert("b.wav", Asset::clone(&asset(8000, 16, &[]))).unwrap();
    assert!(theme.update() && !theme.update());
    assert_eq!(theme.last().frameCount, 8000);
    let seconds = step.get().frame_count() as f32 / step.last().stream.sampleRate as f32;
    assert!((seconds - 1.0).abs() < 0.01, "{seconds} s");
    // It cannot be played, so the previous one stays. raylib prints the error here.
    store.insert("b.wav", Asset::clone(&asset(0, 16, &[]))).unwrap();
    assert!(!theme.update());
    assert_eq!(theme.last().frameCount, 8000);
}
