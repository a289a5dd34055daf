//! What ggez plays of a sound, and how it samples an image. It needs neither a window nor a device.

use ggez::GameError;
use ggez::graphics::{ClampMode, FilterMode};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_ggez::{sampler, sound_data};
use rres_runtime::{Id, Image, PackOptions, Sound, Store};

/// What an index says of a file that stays one.
const FACTS: [(MetaKey, u32); 3] = [(MetaKey::SAMPLE_RATE, 8000), (MetaKey::CHANNELS, 2), (MetaKey::FRAMES_LOW, 4)];

fn store(path: &str, kind: FourCc, block: &[u8], meta: &[(MetaKey, u32)]) -> Store {
    let chunk = StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap();
    let mut facts = Meta::default();
    meta.iter().for_each(|(key, value)| facts.set(*key, *value));
    let mut pack = PackBuilder::new();
    pack.push(Resource::new(path, vec![chunk]).with_meta(facts));
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

fn sound(path: &str, kind: FourCc, block: &[u8], meta: &[(MetaKey, u32)]) -> std::sync::Arc<Sound> {
    store(path, kind, block, meta).load(Id::<Sound>::from_path(path)).unwrap().get()
}

#[test]
fn samples_become_a_wav_file_and_files_that_ggez_decodes_stay_as_they_are() {
    let samples: Vec<u8> = [1_i16, -2, 3, -4].into_iter().flat_map(i16::to_le_bytes).collect();
    let block = WaveProps { frames: 2, sample_rate: 8000, sample_size: 16, channels: 2 }.block(&samples);
    let data = sound_data(&sound("a.wav", FourCc::WAVE, &block, &[])).unwrap();
    let file: &[u8] = data.as_ref();
    assert_eq!((&file[..4], &file[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
    assert!(file.ends_with(&samples), "{file:?}");

    let ogg = include_bytes!("../../../crates/test-data/fixtures/sound/stereo.ogg");
    let data = sound_data(&sound("a.ogg", FourCc::RAWD, &raw_block(".ogg", ogg), &FACTS)).unwrap();
    let file: &[u8] = data.as_ref();
    assert_eq!(file, ogg);
}

#[test]
fn a_file_that_nothing_decodes_is_an_error_that_tells_what_to_do() {
    let opus = include_bytes!("../../../crates/test-data/fixtures/sound/opus.ogg");
    let error = sound_data(&sound("a.ogg", FourCc::RAWD, &raw_block(".ogg", opus), &FACTS)).unwrap_err();
    let GameError::ResourceLoadError(text) = error else { panic!("{error:?}") };
    assert!(text.contains("feature"), "{text}");
}

#[test]
fn an_image_is_sampled_as_its_asset_says() {
    let block = ImageProps { width: 1, height: 1, format: PixelFormat::RGBA8, mipmaps: 1 }.block(&[0; 4]);
    let sampler_of = |meta: &[(MetaKey, u32)]| {
        sampler(&store("a.png", FourCc::IMGE, &block, meta).load(Id::<Image>::from_path("a.png")).unwrap().get())
    };
    let plain = sampler_of(&[]);
    assert_eq!((plain.clamp_u, plain.min), (ClampMode::Clamp, FilterMode::Linear));
    let other = sampler_of(&[(MetaKey::FILTER, 1), (MetaKey::WRAP, 2)]);
    assert_eq!((other.clamp_v, other.mag), (ClampMode::MirrorRepeat, FilterMode::Nearest));
}
