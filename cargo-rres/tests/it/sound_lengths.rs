//! A sound has one length: in the index, and by every way of decoding it.

use rres_runtime::asset::{SampleReader, Samples};
use rres_runtime::{Pack, PackOptions, ResourceId, Sound, Store};
use rres_test_data::sound::ogg_page;

/// The fixtures of the importer, whose README describes them.
const FIXTURES: [(&str, &[u8]); 22] = [
    ("alac.caf", include_bytes!("../../../crates/test-data/fixtures/sound/alac.caf")),
    ("alac.m4a", include_bytes!("../../../crates/test-data/fixtures/sound/alac.m4a")),
    ("cut.ogg", include_bytes!("../../../crates/test-data/fixtures/sound/cut.ogg")),
    ("ima.caf", include_bytes!("../../../crates/test-data/fixtures/sound/ima.caf")),
    ("ima.wav", include_bytes!("../../../crates/test-data/fixtures/sound/ima.wav")),
    ("long.ogg", include_bytes!("../../../crates/test-data/fixtures/sound/long.ogg")),
    ("loop.ogg", LOOP),
    ("mono.aac", include_bytes!("../../../crates/test-data/fixtures/sound/mono.aac")),
    ("mono.m4a", include_bytes!("../../../crates/test-data/fixtures/sound/mono.m4a")),
    ("mono.mp3", include_bytes!("../../../crates/test-data/fixtures/sound/mono.mp3")),
    ("mono24.flac", include_bytes!("../../../crates/test-data/fixtures/sound/mono24.flac")),
    ("ms.wav", include_bytes!("../../../crates/test-data/fixtures/sound/ms.wav")),
    ("no_count.mp3", include_bytes!("../../../crates/test-data/fixtures/sound/no_count.mp3")),
    ("opus.ogg", include_bytes!("../../../crates/test-data/fixtures/sound/opus.ogg")),
    ("seek.flac", include_bytes!("../../../crates/test-data/fixtures/sound/seek.flac")),
    ("seek.mp3", include_bytes!("../../../crates/test-data/fixtures/sound/seek.mp3")),
    ("seek.ogg", SEEK),
    ("seek.opus", include_bytes!("../../../crates/test-data/fixtures/sound/seek.opus")),
    ("six.opus", include_bytes!("../../../crates/test-data/fixtures/sound/six.opus")),
    ("stereo.ogg", include_bytes!("../../../crates/test-data/fixtures/sound/stereo.ogg")),
    ("stereo16.flac", include_bytes!("../../../crates/test-data/fixtures/sound/stereo16.flac")),
    ("tone.opus", include_bytes!("../../../crates/test-data/fixtures/sound/tone.opus")),
];

const LOOP: &[u8] = include_bytes!("../../../crates/test-data/fixtures/sound/loop.ogg");
const SEEK: &[u8] = include_bytes!("../../../crates/test-data/fixtures/sound/seek.ogg");

/// Frames of a packet of the fixture `SEEK`, whose blocks have the same size, after the first one, which has none.
const PACKET: u64 = 512;

/// A pack of these sounds, stored as a rule says.
fn built(files: &[(&str, &[u8])], rule: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let assets = dir.path().join("assets");
    std::fs::create_dir(&assets).unwrap();
    std::fs::write(assets.join("assets.toml"), format!("[\"**/*\"]\nsound = {{ {rule} }}\n")).unwrap();
    files.iter().for_each(|(path, bytes)| std::fs::write(assets.join(path), bytes).unwrap());
    let build = rres_build::import(&assets).out_dir(dir.path().join("out")).cache_dir(dir.path().join("cache"));
    build.name("game").debug(false).build().unwrap_or_else(|e| panic!("{e}"));
    std::fs::read(dir.path().join("out/game.rres")).unwrap()
}

fn open(pack: &[u8]) -> Pack {
    PackOptions::default().from_bytes(pack.to_vec()).unwrap()
}

fn sound(pack: &Pack, path: &str) -> Sound {
    pack.load(ResourceId::from_path(path)).unwrap()
}

/// Checks each way of decoding sounds, and returns their lengths.
#[track_caller]
fn lengths(files: &[(&str, &[u8])]) -> Vec<u64> {
    let [pcm, source, seekable] =
        ["store = \"pcm\"", "store = \"source\"", "store = \"source\", seek = true"].map(|rule| built(files, rule));
    // Streams load nothing, so the pack is in the store and beside it.
    let (store, seekable) = (Store::from_packs([open(&seekable)]), open(&seekable));
    let (pcm, source) = (open(&pcm), open(&source));
    let mut lengths = Vec::new();
    for (path, _) in files {
        let expected = sound(&pcm, path);
        let samples = expected.samples().to_f32().unwrap();
        let frames = samples.len() as u64 / u64::from(expected.channels());
        assert!(frames > 0 && expected.frames() == frames, "{path}");
        let kept = sound(&source, path);
        assert!(matches!(kept.samples(), Samples::Encoded { .. }), "{path}");
        assert_eq!((kept.frames(), kept.channels()), (frames, expected.channels()), "{path}: in the index");
        lengths.push(frames);
        // The audio library of the game decodes the others.
        if [".aac", ".caf", ".m4a", ".wav"].iter().any(|extension| path.ends_with(extension)) {
            continue;
        }
        let decoded = kept.decoded().unwrap();
        assert_eq!(decoded.frames(), frames, "{path}: decoded");
        assert!(decoded.samples().to_f32().unwrap() == samples, "{path}: decoded");
        let kept = sound(&seekable, path);
        assert!(kept.decoded().unwrap().samples().to_f32().unwrap() == samples, "{path}: decoded, with seek points");
        let stream = store.stream(store.find_typed::<Sound>(path).unwrap()).unwrap().samples().unwrap();
        for (reader, what) in [(kept.reader().unwrap(), "read"), (stream, "streamed")] {
            assert!(all(reader) == *samples, "{path}: {what}");
        }
    }
    lengths
}

fn all(mut reader: SampleReader) -> Vec<f32> {
    let mut out = vec![0.0; reader.len() + 1];
    let read = reader.read_f32(&mut out);
    assert!(reader.error().is_none(), "{:?}", reader.error());
    out.truncate(read);
    out
}

#[test]
fn every_way_of_decoding_makes_the_frames_of_the_index() {
    lengths(&FIXTURES);
}

/// The packets of an Ogg file.
fn packets(file: &[u8]) -> Vec<Vec<u8>> {
    let (mut packets, mut started, mut rest) = (Vec::new(), Vec::new(), file);
    while !rest.is_empty() {
        let (lengths, mut data) = rest[27..].split_at(rest[26].into());
        for len in lengths {
            let (part, after) = data.split_at(usize::from(*len));
            started.extend(part);
            data = after;
            if *len < 255 {
                packets.push(std::mem::take(&mut started));
            }
        }
        rest = data;
    }
    packets
}

/// The sound of [`SEEK`] in pages of 20 packets, the last one with the mark of the end; `position` changes the positions of the pages.
fn paged(position: impl Fn(usize, u64) -> u64) -> Vec<u8> {
    let packets = packets(SEEK);
    let (heads, sound) = packets.split_at(3);
    let mut out = [ogg_page(0, 2, 0, &heads[..1]), ogg_page(1, 0, 0, &heads[1..])].concat();
    let count = sound.chunks(20).count();
    for (i, packets) in sound.chunks(20).enumerate() {
        let end = (i * 20 + packets.len() - 1) as u64 * PACKET;
        out.extend(ogg_page(i as u32 + 2, if i + 1 == count { 4 } else { 0 }, position(i, end), packets));
    }
    out
}

#[test]
fn a_page_in_the_middle_with_a_position_that_is_too_high_loses_no_frames() {
    let whole = 157 * PACKET;
    // Decoders that trim each page to its position lose frames of the page after it.
    let shifted = paged(|page, end| if page == 3 { end + 448 } else { end.min(whole - 384) });
    let files: [(&str, &[u8]); 2] = [("good.ogg", SEEK), ("shifted.ogg", &shifted)];
    assert_eq!(lengths(&files), [80_000, whole - 384]);
    let pack = open(&built(&files, "store = \"pcm\""));
    assert!(sound(&pack, "good.ogg").samples() == sound(&pack, "shifted.ogg").samples());
}

#[test]
fn a_last_position_that_counts_frames_of_the_first_packet_gives_the_length_that_can_be_decoded() {
    let whole = 157 * PACKET;
    for surplus in [128, PACKET, 1023] {
        let file = paged(|page, end| end + if page == 7 { surplus } else { 0 });
        assert_eq!(lengths(&[("a.ogg", &file)]), [whole], "{surplus}");
    }
}
