//! What kira gets of a sound: its frames, its gain and its loop.

use kira::Decibels;
use kira::sound::{EndPosition, PlaybackPosition, Region};
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_kira::{static_sound, streaming_sound};
use rres_runtime::{Id, PackOptions, Sound, Store};

fn loaded(resource: Resource<'static>) -> std::sync::Arc<Sound> {
    let mut pack = PackBuilder::new();
    pack.push(resource);
    let store = Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()]);
    store.load(Id::<Sound>::from_path("a.wav")).unwrap().get()
}

/// A sound of `frames` × `channels` samples at 1000 Hz. Samples are numbered, in steps of 2⁻¹⁵.
fn sound(frames: u32, channels: u32, meta: &[(MetaKey, u32)]) -> std::sync::Arc<Sound> {
    let samples: Vec<u8> = (0..(frames * channels) as i16).flat_map(i16::to_le_bytes).collect();
    let block = WaveProps { frames, sample_rate: 1000, sample_size: 16, channels }.block(&samples);
    let chunk = StoredChunk::encode(FourCc::WAVE, &block, Compression::NONE, &mut Compressor::default()).unwrap();
    let mut facts = Meta::default();
    meta.iter().for_each(|(key, value)| facts.set(*key, *value));
    loaded(Resource::new("a.wav", vec![chunk]).with_meta(facts))
}

fn at(frame: usize) -> PlaybackPosition {
    PlaybackPosition::Samples(frame)
}

#[test]
fn frames_have_two_sides() {
    let sides = |channels| -> Vec<[i32; 2]> {
        let data = static_sound(&sound(2, channels, &[])).unwrap();
        data.frames.iter().map(|frame| [frame.left, frame.right].map(|side| (side * 32768.0) as i32)).collect()
    };
    assert_eq!(sides(1), [[0, 0], [1, 1]]);
    assert_eq!(sides(2), [[0, 1], [2, 3]]);
    assert_eq!(sides(6), [[0, 1], [6, 7]], "the front of 5.1");
}

#[test]
fn gain_and_loop_are_those_of_the_asset() {
    let facts =
        [(MetaKey::GAIN, (-6f32).to_bits()), (MetaKey::LOOP, 1), (MetaKey::LOOP_START, 1), (MetaKey::LOOP_END, 3)];
    let looped = sound(4, 1, &facts);
    let region = Some(Region { start: at(1), end: EndPosition::Custom(at(3)) });
    let data = static_sound(&looped).unwrap();
    assert_eq!((data.sample_rate, data.settings.loop_region), (1000, region));
    assert_eq!(data.settings.volume, Decibels(-6.0).into());
    let stream = streaming_sound(&looped).unwrap();
    assert_eq!((stream.num_frames(), stream.settings.loop_region), (4, region));

    let whole = static_sound(&sound(4, 1, &[(MetaKey::LOOP, 1)])).unwrap();
    assert_eq!(whole.settings.loop_region, Some(Region { start: at(0), end: EndPosition::EndOfAudio }));
    assert_eq!(static_sound(&sound(4, 1, &[])).unwrap().settings.loop_region, None);
}

#[test]
fn a_file_that_the_program_cannot_decode_is_an_error_of_the_runtime() {
    let block = rres_format::chunk::raw::raw_block(".ogg", b"OggS");
    let chunk = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut Compressor::default()).unwrap();
    let kept = loaded(Resource::new("a.wav", vec![chunk]).with_kind(AssetKind::Sound));
    assert!(static_sound(&kept).is_err());
    assert!(streaming_sound(&kept).is_err());
}
