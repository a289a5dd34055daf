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
        &include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../rres-build/tests/fixtures/sound/", $name))[..]
    };
}

fn crc(bytes: &[u8], width: u32, polynomial: u32) -> u32 {
    let top = 1 << (width - 1);
    let step = |crc: u32, _| if crc & top == 0 { crc << 1 } else { (crc << 1) ^ polynomial };
    let crc = bytes.iter().fold(0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte) << (width - 8), step));
    if width == 32 { crc } else { crc & ((1 << width) - 1) }
}

/// A FLAC at 44.1 kHz in blocks of 4,096 frames. Each frame has one value.
fn flac(minutes: u64) -> Vec<u8> {
    let count = minutes * 60 * 44_100 / 4096 + 1;
    let mut out = b"fLaC\x80\0\0\x22\x10\0\x10\0\0\0\0\0\0\0".to_vec();
    out.extend((44_100u64 << 44 | 15 << 36 | (count * 4096)).to_be_bytes());
    out.extend([0; 16]);
    for number in 0..count as u32 {
        let mut frame = b"\xff\xf8\xc9\x08".to_vec();
        // The number of a frame is written as UTF-8 writes a character.
        let mut buffer = [0; 4];
        let number = char::from_u32(number).expect("10 minutes have fewer frames than there are characters");
        frame.extend(number.encode_utf8(&mut buffer).as_bytes());
        frame.push(crc(&frame, 8, 0x07) as u8);
        frame.push(0);
        frame.extend((number as u16 * 3).to_be_bytes());
        let check = crc(&frame, 16, 0x8005) as u16;
        frame.extend(check.to_be_bytes());
        out.extend(frame);
    }
    out
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
        page[22..26].fill(0);
        let check = crc(&page, 32, 0x04c1_1db7);
        page[22..26].copy_from_slice(&check.to_le_bytes());
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
