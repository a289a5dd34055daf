//! Decodes any bytes as a sound file that a pack keeps, packet by packet and in parts: with any seek points, and without them. Then each part
//! is what it is in the whole.
#![no_main]

#[path = "../panics.rs"]
mod panics;

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use rres_decode::{SampleForm, SoundFile, SoundStream};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::seek::{SeekPoint, seek_block};
use rres_format::index::MetaKey;
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Id, PackOptions, Sound};

/// The largest result that is decoded. Heads can state any size.
const LIMIT: u64 = 16 << 20;

/// What a game does with a sound, from the last bytes of the input.
#[derive(Debug, arbitrary::Arbitrary)]
struct Plan {
    /// Steps from point to point: frames, bytes, and frames to skip.
    points: Vec<(u16, u16, u16)>,
    skipped: u8,
    head_size: u16,
    /// Places to read at, as a part of the sound, and how much.
    reads: Vec<(u8, u16)>,
    file: Vec<u8>,
}

fuzz_target!(|plan: Plan| {
    panics::ignore_those_of_others();
    let _ = std::panic::catch_unwind(|| run(&plan));
});

fn run(plan: &Plan) {
    let Ok(file) = SoundFile::open(&plan.file) else { return };
    let (form, channels) = (file.natural_form(), file.channels() as usize);
    let whole = file.decode(form, false, LIMIT);
    let mut stream =
        SoundStream::open(Arc::<[u8]>::from(&plan.file[..])).expect("a file that can be opened can be streamed");
    if let Ok(whole) = &whole {
        assert!(packets(&mut stream, whole.len()) == *whole, "the packets are the whole");
    }
    // Starts anywhere are errors or other samples, and leave nothing behind.
    for (_, offset, _) in &plan.points {
        if stream.start_at((*offset).into(), plan.head_size.into()).is_ok() {
            packets(&mut stream, 1 << 16);
        }
    }
    if let Ok(whole) = &whole {
        stream.start_at(0, 0).expect("the start was good before");
        assert!(packets(&mut stream, whole.len()) == *whole, "the packets are the whole, after others");
    }
    if let Ok(whole) = whole {
        parts(&plan, &floats(form, &whole), channels);
    }
}

/// The samples of packets, up to this many bytes and a packet.
fn packets(stream: &mut SoundStream<Arc<[u8]>>, limit: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() <= limit
        && let Ok(Some(samples)) = stream.next_packet()
    {
        all.extend_from_slice(samples);
    }
    all
}

/// The samples as the runtime hands them out.
fn floats(form: SampleForm, samples: &[u8]) -> Vec<f32> {
    let samples = samples.chunks_exact(form.size());
    samples
        .map(|sample| match *sample {
            [v] => (f32::from(v) - 128.0) / 128.0,
            [a, b] => f32::from(i16::from_le_bytes([a, b])) / 32_768.0,
            [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
            _ => unreachable!(),
        })
        .collect()
}

/// Reads parts of the sound that a pack keeps.
fn parts(plan: &Plan, whole: &[f32], channels: usize) {
    let (mut last, mut points) = (SeekPoint { frame: 0, offset: 0, skip: 0 }, Vec::new());
    for (frames, bytes, skip) in &plan.points {
        let offset = last.offset.saturating_add(u32::from(*bytes) + 1);
        last = SeekPoint { frame: last.frame + u64::from(*frames) + 1, offset, skip: (*skip).into() };
        points.push(last);
    }
    for (points, is_right) in [(&[][..], true), (&points[..], false)] {
        let Ok(table) = seek_block(points, plan.skipped.into(), plan.head_size.into()) else { continue };
        let skipped = usize::from(plan.skipped) * channels;
        let expected = whole.get(skipped..).unwrap_or_default();
        let sound = sound(plan, &table, expected.len() / channels, channels as u32);
        let Some(mut reader) = sound.reader() else { continue };
        let frames = expected.len() / channels;
        for (place, count) in &plan.reads {
            let start = frames * usize::from(*place) / 255;
            let mut out = vec![0.0; usize::from(*count)];
            reader.seek(start as u64);
            let read = reader.read_f32(&mut out);
            let rest = &expected[start * channels..];
            assert!(read <= rest.len().min(out.len()));
            if is_right {
                assert_eq!(read, rest.len().min(out.len()), "{:?}", reader.error());
                let is_equal = out[..read].iter().zip(rest).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(is_equal, "a part is what it is in the whole");
            }
        }
    }
}

/// The sound in a pack that keeps its file.
fn sound(plan: &Plan, table: &[u8], frames: usize, channels: u32) -> Sound {
    let block = raw_block(".snd", &plan.file);
    let chunks = [(FourCc::RAWD, &block[..]), (FourCc::SEEK, table)].map(|(kind, block)| {
        let stored = StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default());
        stored.expect("it is not compressed")
    });
    let mut resource = Resource::new("a.snd", chunks.into()).with_kind(AssetKind::Sound);
    resource.meta.set(MetaKey::CHANNELS, channels);
    resource.meta.set(MetaKey::SAMPLE_RATE, 8000);
    resource.meta.set(MetaKey::FRAMES_LOW, frames as u32);
    let mut pack = PackBuilder::new();
    pack.push(resource);
    let pack =
        PackOptions::default().from_bytes(pack.to_vec().expect("the pack is small")).expect("it was just written");
    pack.load(Id::<Sound>::from_path("a.snd").resource()).expect("it is a sound")
}
