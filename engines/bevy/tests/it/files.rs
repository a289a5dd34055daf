//! Files of the pack, and what Bevy's loaders for sounds and fonts make of them.

use std::any::TypeId;

use bevy_app::App;
use bevy_asset::{AssetApp, AssetServer, Handle, LoadState};
use bevy_audio::{AudioLoader, AudioSource, Decodable, Source};
use bevy_text::{Font, FontLoader};
use rres_bevy::RawAsset;
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::wave::WaveProps;
use rres_format::{AssetKind, FourCc, Resource};
use rres_runtime::{Group, Id, Raw, Sound, Store};

use super::{app, chunk, loaded, pack, until, wait, with};

/// Two seconds of a triangle wave in stereo, which `oggenc` made.
const OGG: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/sound/stereo.ogg");
const TTF: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");
const OPUS: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/sound/tone.opus");
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
        file("voice.opus", ".opus", OPUS).with_kind(AssetKind::Sound),
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

/// Bevy would panic when it plays it. With the feature `opus` of `rres-runtime`, it would be a WAV file.
#[test]
fn a_sound_that_bevy_does_not_decode_fails() {
    let mut app = with_loaders();
    let voice: Handle<AudioSource> = with(&mut app, |rres| rres.load_file(Id::<Sound>::from_path("voice.opus")));
    let LoadState::Failed(error) = wait(&mut app, voice.id()) else { panic!("nothing decodes it") };
    assert!(error.to_string().contains("opus"), "{error}");
}

#[test]
fn a_group_has_what_bevy_makes_of_its_files() {
    let mut app = with_loaders();
    let ids: &'static [u32] = vec![Id::<Raw>::from_path("ui.ttf").resource().0].leak();
    let group = with(&mut app, |rres| rres.load_group(Group::<()>::new("ui", ids)));
    let font: Handle<Font> = with(&mut app, |rres| rres.load_file(Id::<Raw>::from_path("ui.ttf")));
    loaded(&mut app, &font);
    // What `load_untyped` gives leads to it.
    let server = app.world().resource::<AssetServer>().clone();
    until(&mut app, "the group is loaded", |_| group.progress(&server).is_done());
    assert!(
        server.get_handles_untyped("rres://ui.ttf").iter().all(|handle| handle.type_id() != TypeId::of::<RawAsset>())
    );
}
