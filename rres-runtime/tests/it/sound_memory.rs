//! The memory that a long sound takes while it plays does not depend on its length.
//!
//! The system records the peak of a process, so the sounds are played in one of their own: this test program, which runs one test.

use std::process::Command;

use rres_decode::SoundStream;
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::seek::seek_block;
use rres_format::index::MetaKey;
use rres_format::{AssetKind, FourCc, Resource};
use rres_runtime::asset::SampleReader;
use rres_runtime::{Sound, Store};
use rres_test_data::sound::{self, flac_packet, sum_ogg_page};

use super::assets::{pack, plain};
use super::{File, id};

const MINUTES: u64 = 10;

/// In bytes. The samples of each sound are at least 19 MB. A game that decoded it whole would need all of them.
const LIMIT: u64 = 4 << 20;

/// The name of the variable that makes this program play the pack at a path.
const PLAY: &str = "RRES_TEST_PLAY";

/// A fixture of the importer.
macro_rules! fixture {
    ($name:literal) => {
        &include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/test-data/fixtures/sound/", $name))[..]
    };
}

/// A FLAC at 44.1 kHz in blocks of 4,096 frames. Each frame has one value.
fn flac(minutes: u64) -> Vec<u8> {
    let count = minutes * 60 * 44_100 / 4096 + 1;
    let packet = |number: u32| {
        // The number of a frame is written as UTF-8 writes a character.
        let character = char::from_u32(number).expect("10 minutes have fewer frames than there are characters");
        let head = [b"\xff\xf8\xc9\x08", character.to_string().as_bytes()].concat();
        flac_packet(&head, &[&[0][..], &(number as u16 * 3).to_be_bytes()].concat())
    };
    sound::flac(4096, count * 4096, &(0..count as u32).map(packet).collect::<Vec<_>>())
}

/// An Ogg file that repeats the pages of sound, which follow `heads` other pages.
fn repeated_pages(file: &[u8], heads: usize, times: u64) -> Vec<u8> {
    let (mut pages, mut rest) = (Vec::new(), file);
    while !rest.is_empty() {
        let segments = usize::from(rest[26]);
        let len = 27 + segments + rest[27..27 + segments].iter().map(|len| usize::from(*len)).sum::<usize>();
        pages.push(&rest[..len]);
        rest = &rest[len..];
    }
    let position = |page: &[u8]| u64::from_le_bytes(page[6..14].try_into().unwrap());
    let length = position(pages[pages.len() - 1]);
    let (heads, sound) = pages.split_at(heads);
    let mut out = heads.concat();
    for (number, (turn, page)) in (0..times).flat_map(|turn| sound.iter().map(move |page| (turn, page))).enumerate() {
        let mut page = page.to_vec();
        page[5] &= !4;
        let position = position(&page) + turn * length;
        page[6..14].copy_from_slice(&position.to_le_bytes());
        page[18..22].copy_from_slice(&((heads.len() + number) as u32).to_le_bytes());
        sum_ogg_page(&mut page);
        out.extend(page);
    }
    out
}

/// A sound that keeps its file, with seek points: none, since they would be found by a build.
fn music(path: &str, file: &[u8]) -> Resource<'static> {
    let stream = SoundStream::open(std::sync::Arc::<[u8]>::from(file)).unwrap();
    let chunks =
        vec![plain(FourCc::RAWD, &raw_block(&path[1..], file)), plain(FourCc::SEEK, &seek_block(&[], 0, 0).unwrap())];
    let mut resource = Resource::new(path, chunks).with_kind(AssetKind::Sound);
    resource.meta.set(MetaKey::CHANNELS, stream.channels());
    resource.meta.set(MetaKey::SAMPLE_RATE, stream.sample_rate());
    resource.meta.set(MetaKey::FRAMES_LOW, stream.sample_rate() * 60 * MINUTES as u32);
    resource
}

const PATHS: [&str; 3] = ["a.flac", "b.mp3", "c.ogg"];

#[test]
#[ignore = "measures memory"]
fn a_long_sound_plays_in_little_memory() {
    if let Some(pack) = std::env::var_os(PLAY) {
        return play(&Store::from_packs([rres_runtime::Pack::open(pack).unwrap()]));
    }
    // The fixtures last five seconds.
    let times = MINUTES * 60 / 5 + 1;
    let mp3 = fixture!("seek.mp3").repeat(times as usize);
    let files = [flac(MINUTES), mp3, repeated_pages(fixture!("seek.ogg"), 2, times)];
    let file = File::new(&pack(PATHS.iter().zip(&files).map(|(path, file)| music(path, file))));
    let mut player = Command::new(std::env::current_exe().unwrap());
    player.args(["--exact", "sound_memory::a_long_sound_plays_in_little_memory", "--ignored", "--nocapture"]);
    let output = player.env(PLAY, file.path()).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    let grown: Vec<u64> = out.lines().filter_map(|line| line.split_once("grown by ")?.1.parse().ok()).collect();
    assert_eq!(grown.len(), PATHS.len(), "{out}");
    assert!(grown.iter().all(|bytes| *bytes < LIMIT), "{out}");
}

#[expect(clippy::print_stdout, reason = "the test that started this process reads it")]
fn play(store: &Store) {
    for path in PATHS {
        // Reading the bytes maps them, which is not memory of its own.
        store.stream(id::<Sound>(path)).unwrap().verify().unwrap();
        let before = peak();
        let sound = store.load(id::<Sound>(path)).unwrap().get();
        let frames = sound.frames();
        assert_eq!(frames, u64::from(sound.sample_rate()) * 60 * MINUTES);
        read(sound.reader().unwrap(), frames / 10);
        read(store.stream(id::<Sound>(path)).unwrap().samples().unwrap(), frames);
        println!("\n{path} has grown by {}", peak() - before);
    }
}

/// Reads as many frames, as a mixer does.
fn read(mut reader: SampleReader, frames: u64) {
    let mut left = frames * u64::from(reader.channels());
    let mut out = [0.0; 1024];
    while left > 0 {
        let wanted = out.len().min(left as usize);
        let read = reader.read_f32(&mut out[..wanted]);
        assert_eq!(read, wanted, "{:?}", reader.error());
        left -= read as u64;
    }
}

/// The most memory that this process has had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}
