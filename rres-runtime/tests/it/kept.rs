//! Images whose file a pack keeps: decoded by the runtime, or refused by name.

use rres_format::chunk::raw::raw_block;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Compression, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Image, Store};

use super::{assert_message, id, store};

/// 61×43 pixels in three channels.
const JPEG: &[u8] = include_bytes!("../../../crates/test-data/fixtures/image/baseline.jpg");

/// A pack that keeps this file, with this width in its index.
fn kept(file: &[u8], width: u32) -> PackBuilder<'static> {
    let block = raw_block(".jpg", file);
    let chunk = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut Default::default()).unwrap();
    let mut meta = Meta::default();
    let numbers = [(MetaKey::WIDTH, width), (MetaKey::HEIGHT, 43), (MetaKey::PIXEL_FORMAT, 4), (MetaKey::FILTER, 1)];
    numbers.into_iter().for_each(|(key, value)| meta.set(key, value));
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("photo.jpg", vec![chunk]).with_kind(AssetKind::Image).with_meta(meta));
    pack
}

fn load(store: &Store) -> Result<rres_runtime::Handle<Image>, rres_runtime::Error> {
    store.load(id::<Image>("photo.jpg"))
}

#[cfg(not(feature = "jpeg"))]
#[test]
fn a_program_without_the_decoder_says_which_feature_it_lacks() {
    let store = store(&kept(JPEG, 61));
    assert_message(load(&store), &["photo.jpg", "is a JPEG file", "compiled without the feature \"jpeg\""]);
}

#[cfg(feature = "jpeg")]
mod decoded {
    use rres_runtime::asset::{Filter, PixelFormat};
    use rres_runtime::{Limits, PackOptions};
    use rres_test_data::damage::{cuts, flipped};

    use super::*;

    #[test]
    fn its_pixels_are_counted_as_memory_and_freed() {
        let store = store(&kept(JPEG, 61));
        let image = load(&store).unwrap();
        let size = 61 * 43 * 3;
        assert_eq!((image.get().width(), image.get().height(), image.get().format()), (61, 43, PixelFormat::RGB8));
        assert_eq!((image.get().data().len(), image.get().filter()), (size, Filter::Nearest));
        assert!(!image.get().data().is_borrowed());
        assert_eq!(store.stats().bytes, size as u64);
        drop(image);
        assert_eq!(store.stats().bytes, 0);
    }

    #[test]
    fn an_index_that_says_another_size_is_refused() {
        assert_message(load(&store(&kept(JPEG, 62))), &["its source has 61×43 RGB8, expected 62×43 RGB8"]);
    }

    #[test]
    fn the_limit_of_the_pack_holds_for_decoded_pixels() {
        let pack = kept(JPEG, 61).to_vec().unwrap();
        let size = 61 * 43 * 3;
        let open =
            |limit| PackOptions::default().limits(Limits::DEFAULT.with_max_decoded(limit)).from_bytes(pack.clone());
        let found = open(size).unwrap().load::<Image>(id::<Image>("photo.jpg"));
        assert_eq!(found.unwrap().data().len() as u64, size);
        let found = open(size - 1).unwrap().load::<Image>(id::<Image>("photo.jpg"));
        assert_message(found, &["photo.jpg", "the size of the decoded image in bytes is 7869, expected at most 7868"]);
    }

    #[test]
    fn damaged_files_are_errors_and_never_pictures_of_another_size() {
        let load = |file: &[u8]| {
            let pack = PackOptions::default().from_bytes(kept(file, 61).to_vec().unwrap()).unwrap();
            pack.load::<Image>(id::<Image>("photo.jpg"))
        };
        cuts(JPEG).for_each(|cut| assert!(load(cut).is_err(), "cut to {} bytes", cut.len()));
        for (place, file) in flipped(JPEG, 0..JPEG.len(), &[0x55]) {
            // Most changes of the pixels' bits cannot be noticed here. The CRC of the chunk tells them.
            if let Ok(image) = load(&file) {
                assert_eq!(image.data().len(), 61 * 43 * 3, "{place}");
            }
        }
    }
}

#[cfg(all(feature = "flac", feature = "mp3", feature = "ogg"))]
mod sounds {
    use rres_format::SoundFormat;
    use rres_runtime::{Error, Pack, Sound};

    use super::*;

    const FILES: [&[u8]; 3] = [
        include_bytes!("../../../crates/test-data/fixtures/sound/stereo.ogg"),
        include_bytes!("../../../crates/test-data/fixtures/sound/mono.mp3"),
        include_bytes!("../../../crates/test-data/fixtures/sound/stereo16.flac"),
    ];

    /// Loads a sound whose file a pack keeps, with this number of frames after the first 100 in its index.
    fn load(format: SoundFormat, file: &[u8], channels: u32, frames: u32) -> Result<Sound, Error> {
        let block = raw_block(".snd", file);
        let chunk = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut Default::default()).unwrap();
        let mut meta = Meta::default();
        for (key, value) in [
            (MetaKey::SAMPLE_RATE, 22_050),
            (MetaKey::CHANNELS, channels),
            (MetaKey::FRAMES_LOW, frames),
            (MetaKey::SOUND_FORMAT, format as u32),
            (MetaKey::SAMPLE_SIZE, 16),
            (MetaKey::SKIPPED_FRAMES, 100),
        ] {
            meta.set(key, value);
        }
        let mut pack = PackBuilder::new();
        pack.push(Resource::new("a.snd", vec![chunk]).with_kind(AssetKind::Sound).with_meta(meta));
        rres_runtime::PackOptions::default().from_bytes(pack.to_vec().unwrap())?.load(id::<Sound>("a.snd"))
    }

    #[test]
    fn a_file_that_is_not_what_the_index_says_is_refused() {
        for file in FILES {
            let format = SoundFormat::of(file).unwrap();
            let channels = if format == SoundFormat::Mp3 { 1 } else { 2 };
            let sound = load(format, file, channels, 1500).unwrap();
            assert_eq!((sound.frames(), sound.data().len()), (1500, 1500 * 2 * channels as usize), "{format}");
            assert_message(load(format, file, channels + 1, 1500), &["which is not what the index records"]);
            assert_message(load(format, file, channels, 100_000), &["that ends early"]);
            assert_message(load(format, file, channels, u32::MAX), &["the size of the decoded sound in bytes is "]);
        }
    }

    /// A pack that keeps a file as the sound, with this number of frames in its index, and this number before them.
    fn kept(file: &[u8], channels: u32, frames: u64, skipped: u32) -> Pack {
        let plain =
            |kind, block: &[u8]| StoredChunk::encode(kind, block, Compression::NONE, &mut Default::default()).unwrap();
        let seek = rres_format::chunk::seek::seek_block(&[], skipped, 0).unwrap();
        let chunks = vec![plain(FourCc::RAWD, &raw_block(".snd", file)), plain(FourCc::SEEK, &seek)];
        let mut meta = Meta::default();
        for (key, value) in [
            // Seconds do not fit into a `Duration` at this rate.
            (MetaKey::SAMPLE_RATE, if frames == u64::MAX { 1 } else { 22_050 }),
            (MetaKey::CHANNELS, channels),
            (MetaKey::FRAMES_LOW, frames as u32),
            (MetaKey::FRAMES_HIGH, (frames >> 32) as u32),
        ] {
            meta.set(key, value);
        }
        let mut pack = PackBuilder::new();
        pack.push(Resource::new("a.snd", chunks).with_kind(AssetKind::Sound).with_meta(meta));
        rres_runtime::PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()
    }

    #[test]
    fn a_kept_file_decodes_to_the_frames_of_the_index_or_not_at_all() {
        for file in FILES {
            let format = SoundFormat::of(file).unwrap();
            let channels = if format == SoundFormat::Mp3 { 1 } else { 2 };
            let decoded = |frames, skipped| {
                kept(file, channels, frames, skipped).load::<Sound>(id::<Sound>("a.snd")).unwrap().decoded()
            };
            let whole = rres_decode::SoundFile::open(file).unwrap().count_frames().unwrap();
            assert_eq!(decoded(whole, 0).unwrap().frames(), whole, "{format}");
            assert_eq!(decoded(whole - 100, 100).unwrap().frames(), whole - 100, "{format}");
            for (frames, skipped) in [(whole + 1, 0), (whole, 1), (whole, u32::MAX), (1_000_000, 0)] {
                assert_message(decoded(frames, skipped), &["that ends early"]);
            }
            // An encoder may have added the rest, but not to a FLAC.
            if format == SoundFormat::Flac {
                assert_message(decoded(whole - 1, 0), &["they are more than 1999 frames"]);
            } else {
                assert_eq!(decoded(whole - 1, 0).unwrap().frames(), whole - 1, "{format}");
            }
        }
    }

    #[test]
    fn a_number_of_frames_that_the_file_cannot_have_is_refused_before_a_game_makes_a_buffer_for_it() {
        for frames in [u64::MAX, 1 << 48, 68_719_476_688] {
            let pack = kept(FILES[2], 2, frames, 0);
            assert_message(pack.load::<Sound>(id::<Sound>("a.snd")), &["the index records", "frames for a file of"]);
            let store = rres_runtime::Store::from_packs([pack]);
            let stream = store.stream(id::<Sound>("a.snd")).unwrap();
            assert_message(stream.samples(), &["the index records", "frames for a file of"]);
        }
    }

    #[test]
    fn damaged_files_are_errors_and_never_sounds_of_another_length() {
        for file in FILES {
            let format = SoundFormat::of(file).unwrap();
            let channels = if format == SoundFormat::Mp3 { 1 } else { 2 };
            let check = |damaged: &[u8]| {
                if let Ok(sound) = load(format, damaged, channels, 1500) {
                    assert_eq!(sound.data().len(), 1500 * 2 * channels as usize, "{format}");
                }
            };
            (0..file.len()).step_by(file.len() / 60).for_each(|len| check(&file[..len]));
            let places = (0..file.len()).step_by(file.len() / 150);
            rres_test_data::damage::flipped(file, places, &[0x55]).for_each(|(_, damaged)| check(&damaged));
        }
    }
}
