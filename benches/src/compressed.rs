//! P4: loading compressed images, compared with the bare codec, which reuses its context and decodes into a ready
//! buffer.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use rres_format::{Compression, PackView, ResourceId};
use rres_runtime::{CrcPolicy, Image, Pack, PackOptions};

use crate::figure::{Goal, figure};
use crate::inputs::sprite;
use crate::measure::{Clock, Times};
use crate::plain::pack_of_images;
use crate::{Error, Options};

/// Decodes the bytes of a chunk into a buffer of the right size.
type Bare = Box<dyn FnMut(&[u8], &mut [u8]) + Send>;

fn bare(compression: Compression) -> Result<Bare, Error> {
    Ok(match compression {
        Compression::ZSTD => {
            let mut context = zstd::bulk::Decompressor::new()?;
            Box::new(move |packed, out| {
                context.decompress_to_buffer(packed, out).expect("it is whole");
            })
        }
        _ => Box::new(|packed, out| {
            lz4_flex::block::decompress_into(packed, out).expect("it is whole");
        }),
    })
}

/// Runs `job(i)` for every `i` on two threads.
pub fn on_two_threads(count: usize, job: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || loop {
        match next.fetch_add(1, Ordering::Relaxed) {
            i if i < count => job(i),
            _ => break,
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

/// Measures P4.
pub fn run(options: &Options) -> Result<(), Error> {
    // 16 KiB to 1 MiB of pixels: the most common sizes in games, by number and by bytes.
    let edges = [64, 64, 64, 128, 128, 256, 256, 512];
    let images: Vec<_> = (0..options.choose(96, 16)).map(|i| (edges[i % 8], sprite(edges[i % 8], i as u64))).collect();
    let large = options.choose(4096, 1024);
    let large_image = [(large, sprite(large, 99))];
    for compression in [Compression::ZSTD, Compression::LZ4] {
        let (bytes, ids) = pack_of_images(&images, compression)?;
        if compression == Compression::ZSTD {
            decoders(options, &bytes, &ids)?;
        }
        small(options, compression, bytes, &ids)?;
        let (bytes, ids) = pack_of_images(&large_image, compression)?;
        single(options, compression, bytes, ids[0])?;
    }
    Ok(())
}

/// Compares the two decoders of zstd. `rres-bench` compresses, so the other figures are from the C library; games that only
/// load have the decoder in Rust.
fn decoders(options: &Options, bytes: &[u8], ids: &[ResourceId]) -> Result<(), Error> {
    let view = PackView::parse(bytes)?;
    let chunks = ids.iter().map(|id| view.find(*id)?.ok_or("the pack lacks an image").map_err(Error::from));
    let chunks = chunks.collect::<Result<Vec<_>, _>>()?;
    let pixels: usize = chunks.iter().map(|chunk| chunk.info.base_size as usize).sum();
    let mut in_c = zstd::bulk::Decompressor::new()?;
    let mut c_out = Vec::with_capacity(1 << 21);
    let mut c = || {
        for chunk in &chunks {
            c_out.clear();
            in_c.decompress_to_buffer(chunk.stored, &mut c_out).expect("it is whole");
        }
    };
    let mut in_rust = zrip_decode::context::DecompressContext::new();
    let mut rust_out = Vec::with_capacity(1 << 21);
    let mut rust = || {
        for chunk in &chunks {
            rust_out.clear();
            in_rust.decompress_into(chunk.stored, &mut rust_out).expect("it is whole");
        }
    };
    let times = Times::take(Clock::Cpu, options.choose(31, 5), &mut [&mut c, &mut rust]);
    let speed = |way| pixels as f64 / 1e9 / times.median(way);
    let behind = format!("{:.2} / {:.2} GB/s", speed(1), speed(0));
    figure("P4", "zstd: speed, decoder in Rust / in C", 100.0 / times.ratio(1, 0), "%", Goal::Context, behind);
    Ok(())
}

fn small(options: &Options, compression: Compression, bytes: Vec<u8>, ids: &[ResourceId]) -> Result<(), Error> {
    let view = PackView::parse(&bytes)?;
    let mut chunks = Vec::new();
    for id in ids {
        let chunk = view.find(*id)?.ok_or("the pack lacks an image")?;
        chunks.push((chunk.stored, vec![0u8; chunk.info.base_size as usize]));
    }
    let mut decode = bare(compression)?;
    let mut codec = || chunks.iter_mut().for_each(|(packed, out)| decode(packed, out));
    // At the speed of LZ4 and zstd a CRC takes a noticeable part of the time, so its cost is a figure of its own.
    let checked = PackOptions::default().from_bytes(bytes.clone())?;
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), &bytes)?;
    let open = |policy| PackOptions::default().crc_policy(policy).open(file.path()).expect("it is a pack");
    let load = |pack: &Pack, i: usize| drop(black_box(pack.load::<Image>(ids[i]).expect("the pack contains it")));
    let mut loads = || (0..ids.len()).for_each(|i| load(&checked, i));
    let mut first = || {
        let pack = open(CrcPolicy::Once);
        (0..ids.len()).for_each(|i| load(&pack, i));
    };
    let rounds = options.choose(31, 5);
    let times = Times::take(Clock::Cpu, rounds, &mut [&mut codec, &mut loads, &mut first]);
    let pixels: usize = view.chunks().filter_map(Result::ok).map(|c| c.info.base_size as usize).sum();
    let speed = |way| pixels as f64 / 1e9 / times.median(way);
    let say = |what: &str, way, goal| {
        let behind = format!("{:.2} / {:.2} GB/s", speed(way), speed(0));
        figure("P4", format!("{compression}: speed, {what}"), 100.0 / times.ratio(way, 0), "%", goal, behind);
    };
    say("load / bare codec, ready buffer", 1, Goal::AtLeast(95.0));
    say("open and first load with its CRC / bare codec", 2, Goal::Context);

    let mut one = || (0..ids.len()).for_each(|i| load(&checked, i));
    let mut two = || on_two_threads(ids.len(), |i| load(&checked, i));
    let mut bare_two = || {
        let halves = chunks.len() / 2;
        let (left, right) = chunks.split_at_mut(halves);
        std::thread::scope(|scope| {
            for half in [left, right] {
                let mut decode = bare(compression).expect("the codec was used before");
                scope.spawn(move || half.iter_mut().for_each(|(packed, out)| decode(packed, out)));
            }
        });
    };
    let times = Times::take(Clock::Wall, rounds, &mut [&mut one, &mut two, &mut bare_two]);
    let (ours, theirs) = (times.ratio(0, 1), times.ratio(0, 2));
    let what = format!("{compression}: two threads / one, wall");
    figure("P4", what, ours, "×", Goal::AtLeast(1.8), format!("bare codec on two threads: {theirs:.2}×"));
    let what = format!("{compression}: two threads, speed / bare codec on two threads, wall");
    figure("P4", what, 100.0 * times.ratio(2, 1), "%", Goal::Context, "what counts while the machine is shared");
    Ok(())
}

fn single(options: &Options, compression: Compression, bytes: Vec<u8>, id: ResourceId) -> Result<(), Error> {
    let view = PackView::parse(&bytes)?;
    let chunk = view.find(id)?.ok_or("the pack lacks an image")?;
    let mut out = vec![0u8; chunk.info.base_size as usize];
    let mut decode = bare(compression)?;
    let mut codec = || decode(chunk.stored, &mut out);
    let pack = PackOptions::default().from_bytes(bytes.clone())?;
    let mut load = || drop(black_box(pack.load::<Image>(id).expect("the pack contains it")));
    // Every page of new memory is a page fault. Measuring these shows how much of the difference is our own cost.
    let mut decode_new = bare(compression)?;
    let mut fresh = || {
        let mut out = vec![0u8; chunk.info.base_size as usize];
        decode_new(chunk.stored, &mut out);
        black_box(out);
    };
    let times = Times::take(Clock::Wall, options.choose(15, 3), &mut [&mut codec, &mut load, &mut fresh]);
    let speed = |way| chunk.info.base_size as f64 / 1e9 / times.median(way);
    let size = chunk.info.base_size / 1_000_000;
    let say = |what, to, goal| {
        let behind = format!("{:.2} / {:.2} GB/s", speed(1), speed(to));
        let what = format!("{compression}: one image of {size} MB, load / bare codec, {what}, wall");
        figure("P4", what, times.ratio(to, 1), "×", goal, behind);
    };
    say("ready buffer", 0, Goal::AtLeast(1.8));
    say("fresh buffer", 2, Goal::Context);
    Ok(())
}
