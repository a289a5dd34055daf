//! Files of the pack, and what Bevy's loaders for sounds and fonts make of them.

use bevy_app::App;
use bevy_asset::{AssetApp, Handle};
use bevy_audio::{AudioLoader, AudioSource, Decodable, Source};
use bevy_text::{Font, FontLoader};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::wave::WaveProps;
use rres_format::{AssetKind, FourCc, Resource};
use rres_runtime::{Id, Raw, Sound, Store};

use super::{app, chunk, loaded, pack, with};

/// Two seconds of a triangle wave in stereo, which `oggenc` made.
const OGG: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/sound/stereo.ogg");
const TTF: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");
const SAMPLES: [i16; 6] = [0, -1, 1, i16::MIN, i16::MAX, 256];

/// An app with the loaders that `DefaultPlugins` adds, without a sound card.
fn with_loaders() -> App {
    let samples: Vec<u8> = SAMPLES.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let wave = WaveProps { frames: 3, sample_rate: 8000, sample_size: 16, channels: 2 }.block(&samples);
    let file = |path, extension, bytes| Resource::new(path, vec![chunk(FourCc::RAWD, &raw_block(extension, bytes))]);
    let mut app = app(&Store::from_packs([pack(vec![
        Resource::new("hit.wav", vec![chunk(FourCc::WAVE, &wave)]),
        // A short sound that the pack has as samples, whatever file it was.
        Resource::new("step.mp3", vec![chunk(FourCc::WAVE, &wave)]),
        file("music.ogg", ".ogg", OGG).with_kind(AssetKind::Sound),
        file("ui.ttf", ".ttf", TTF),
    ])]));
    app.init_asset::<AudioSource>().init_asset_loader::<AudioLoader>();
    app.init_asset::<Font>().init_asset_loader::<FontLoader>();
    app
}

#[test]
fn sounds_are_files_that_bevy_decodes() {
    let mut app = with_loaders();
    for path in ["hit.wav", "step.mp3"] {
        let hit: Handle<AudioSource> = with(&mut app, |rres| rres.load_file(Id::<Sound>::from_path(path)));
        let decoder = loaded(&mut app, &hit).decoder();
        assert_eq!((decoder.channels().get(), decoder.sample_rate().get()), (2, 8000), "{path}");
        let samples: Vec<i16> = decoder.map(|sample| (sample * 32768.0).round() as i16).collect();
        assert_eq!(samples, SAMPLES, "{path}");
    }
    let music: Handle<AudioSource> = with(&mut app, |rres| rres.load_file(Id::<Sound>::from_path("music.ogg")));
    let music = loaded(&mut app, &music);
    assert_eq!(&*music.bytes, OGG, "the file of the pack");
    let decoder = music.decoder();
    assert_eq!((decoder.channels().get(), decoder.sample_rate().get()), (2, 22050));
    assert!(decoder.count() > 2 * 4000);
}

#[test]
fn fonts_are_files_that_bevy_loads() {
    let mut app = with_loaders();
    let font: Handle<Font> = with(&mut app, |rres| rres.load_file(Id::<Raw>::from_path("ui.ttf")));
    assert_eq!(loaded(&mut app, &font).data.data(), TTF);
}
