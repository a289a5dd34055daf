//! Kept sounds that are decoded while they are read.

use rres_runtime::asset::SampleReader;
use rres_runtime::{CrcPolicy, Pack, PackOptions, ResourceId, Sound, Store};

use super::Sandbox;

/// Each has 16,000 Hz and one channel, and lasts five seconds, the FLAC half of that. The Opus is decoded at 48,000 Hz.
const FILES: [(&str, &[u8]); 4] = [
    ("seek.flac", include_bytes!("../../../crates/test-data/fixtures/sound/seek.flac")),
    ("seek.mp3", include_bytes!("../../../crates/test-data/fixtures/sound/seek.mp3")),
    ("seek.ogg", include_bytes!("../../../crates/test-data/fixtures/sound/seek.ogg")),
    ("seek.opus", include_bytes!("../../../crates/test-data/fixtures/sound/seek.opus")),
];

/// A pack of the sounds, built with these settings.
fn built(settings: &str) -> Vec<u8> {
    let sandbox = Sandbox::new();
    sandbox.write("assets/assets.toml", settings.as_bytes());
    FILES.iter().for_each(|(name, bytes)| sandbox.write(&format!("assets/{name}"), bytes));
    sandbox.run(["build", "assets", "-o", "out", "--name", "game"]).success();
    sandbox.run(["verify", "out/game.rres"]).success();
    sandbox.read("out/game.rres")
}

fn kept() -> Vec<u8> {
    built("[\"**/*\"]\nsound = { store = \"source\", seek = true }")
}

fn open(pack: &[u8]) -> Pack {
    PackOptions::default().crc_policy(CrcPolicy::Off).from_bytes(pack.to_vec()).unwrap()
}

fn sound(pack: &Pack, path: &str) -> Sound {
    pack.load(ResourceId::from_path(path)).unwrap()
}

/// The samples that the build makes of each file.
fn expected() -> Vec<(&'static str, Vec<f32>)> {
    let pack = open(&built("[\"**/*\"]\nsound.store = \"pcm\""));
    FILES.iter().map(|(path, _)| (*path, sound(&pack, path).samples().to_f32().unwrap().into_owned())).collect()
}

/// What is left, read in blocks of a size that divides no packet.
fn rest(reader: &mut SampleReader) -> Vec<f32> {
    let (mut out, mut block) = (Vec::new(), [0.0; 777]);
    loop {
        let read = reader.read_f32(&mut block);
        out.extend(&block[..read]);
        if read < block.len() {
            return out;
        }
    }
}

#[test]
fn a_reader_makes_the_samples_that_the_build_makes() {
    let pack = kept();
    let (store, pack) = (Store::from_packs([open(&pack)]), open(&pack));
    for (path, samples) in expected() {
        let sound = sound(&pack, path);
        let mut reader = sound.reader().unwrap();
        assert_eq!((reader.len(), sound.frames()), (samples.len(), samples.len() as u64), "{path}");
        assert!(reader.clone().eq(samples.iter().copied()), "{path}, one by one");
        assert!(rest(&mut reader) == samples, "{path}, in blocks");
        assert_eq!((reader.len(), reader.next(), reader.error()), (0, None, None), "{path}");
        assert!(sound.decoded().unwrap().samples().to_f32().unwrap() == samples, "{path}, decoded at once");
        let mut stream = store.stream(store.find_typed::<Sound>(path).unwrap()).unwrap().samples().unwrap();
        assert_eq!((stream.sample_rate(), stream.channels()), (sound.sample_rate(), 1), "{path}");
        assert!(rest(&mut stream) == samples, "{path}, from a stream");
    }
    assert_eq!(store.stats().loads, 0);
}

#[test]
fn a_reader_seeks_to_the_frame() {
    let pack = open(&kept());
    for (path, samples) in expected() {
        let mut reader = sound(&pack, path).reader().unwrap();
        // Forwards, then back to front; each time to the end, or for some blocks.
        let forwards = (0..samples.len()).step_by(1000);
        for (i, frame) in forwards.clone().chain(forwards.rev()).chain([samples.len() - 1, 1]).enumerate() {
            reader.seek(frame as u64);
            assert_eq!(reader.len(), samples.len() - frame);
            if i % 10 == 0 {
                assert!(rest(&mut reader.clone()) == samples[frame..], "{path} from {frame} to the end");
            }
            let mut block = vec![0.0; 1500.min(samples.len() - frame)];
            assert_eq!(reader.read_f32(&mut block), block.len());
            assert!(block == samples[frame..frame + block.len()], "{path} from {frame}");
        }
        reader.seek(u64::MAX);
        assert_eq!((reader.len(), reader.next()), (0, None), "{path}");
        reader.seek(0);
        assert!(reader.nth(1234) == Some(samples[1234]) && reader.next() == Some(samples[1235]), "{path}");
    }
}

#[test]
fn there_is_a_point_for_each_second_in_which_decoding_can_start() {
    let pack = kept();
    let tables = pack.windows(4).enumerate().filter(|(_, kind)| *kind == b"SEEK").map(|(at, _)| &pack[at..]);
    // After the 32 bytes of the header of an uncompressed chunk: 4, the layout version, the number of points.
    let counts: Vec<u8> =
        tables.filter(|table| table[32..40] == [4, 0, 0, 0, 1, 0, 0, 0]).map(|table| table[40]).collect();
    // The OGG has two seconds in a page. The Opus is a little longer before it is trimmed.
    assert_eq!(counts, [2, 4, 2, 5]);
}

#[test]
fn damaged_files_and_tables_end_the_sound() {
    let pack = kept();
    for (path, samples) in expected() {
        let count = |pack: &[u8]| {
            // A table that contradicts itself is refused.
            let Ok(sound) = open(pack).load::<Sound>(ResourceId::from_path(path)) else { return };
            let Some(mut reader) = sound.reader() else { return };
            for frame in [samples.len() as u64 * 3 / 4, 0] {
                reader.seek(frame);
                let read = rest(&mut reader);
                assert!(read.len() <= samples.len());
                assert_eq!(read.len() < samples.len() - frame as usize, reader.error().is_some(), "{path}");
                assert_eq!(reader.len(), 0);
            }
        };
        let file = FILES.iter().find(|(name, _)| *name == path).unwrap().1;
        let at = pack.windows(file.len()).position(|part| part == file).unwrap();
        let table = (at + file.len()..pack.len()).find(|i| pack[*i..].starts_with(b"SEEK")).unwrap();
        let places = (at..at + file.len()).step_by(file.len() / 30).chain((table + 32..table + 100).step_by(3));
        for place in places {
            for value in [0x55, 0xff] {
                let mut damaged = pack.clone();
                damaged[place] ^= value;
                count(&damaged);
            }
        }
    }
}

#[test]
fn packs_for_raylib_have_no_seek_points() {
    // raylib decodes neither FLAC nor Opus.
    let pack = built(
        "[pack]\ncompat = \"raylib\"\n\n[\"**/*\"]\nsound = { store = \"source\", seek = true }\n\
         [\"*.flac\"]\nsound = { store = \"pcm\", seek = false }\n[\"*.opus\"]\nsound = { store = \"pcm\", seek = false }\n",
    );
    assert!(!pack.windows(4).any(|kind| kind == b"SEEK"));
    let pack = open(&pack);
    ["seek.mp3", "seek.ogg"].iter().for_each(|path| assert!(sound(&pack, path).reader().is_none(), "{path}"));
    let store = Store::from_packs([pack]);
    let stream = store.stream(store.find_typed::<Sound>("seek.ogg").unwrap()).unwrap();
    let error = stream.samples().unwrap_err().to_string();
    assert!(error.contains("SEEK"), "{error}");
}
