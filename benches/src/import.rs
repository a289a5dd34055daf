//! P12: importing everything for the first time, compared with the bare decoders and encoders on as many threads.

use std::cell::RefCell;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use rres_format::Compressor;

use crate::compressed::on_two_threads;
use crate::figure::{Goal, figure};
use crate::inputs::{Random, png, text, wav};
use crate::measure::{Clock, Megabytes, Seconds, Times, run as run_command};
use crate::sets::find_pngs;
use crate::{Error, Options};

/// The argument with which this program starts itself as a process that only imports one directory.
pub const WORKER: &str = "--import-worker";

/// The largest content of a frame in the zstd chunks of packs.
const FRAME: usize = 1 << 20;

fn import(assets: &Path, out: &Path) -> Result<rres_build::Report, Error> {
    Ok(rres_build::import(assets).out_dir(out).cache_dir(out.join("cache")).debug(true).threads(2).build()?)
}

/// Imports the directories `[assets, out, cache]`, while the parent process measures its time and memory.
pub fn worker(arguments: &[String]) -> Result<(), Error> {
    let [assets, out, cache] = arguments else { return Err("needs three directories".into()) };
    rres_build::import(assets).out_dir(out).cache_dir(cache).debug(true).threads(2).build()?;
    Ok(())
}

thread_local! {
    static COMPRESSOR: RefCell<zstd::bulk::Compressor<'static>> = RefCell::new(
        zstd::bulk::Compressor::new(Compressor::DEFAULT_ZSTD_LEVEL).expect("the level is one of zstd's"),
    );
}

/// Reads, decodes and compresses one file with the crates that the importers use, and keeps nothing.
pub fn bare(file: &Path) -> Result<(), Error> {
    let bytes = fs::read(file)?;
    let decoded = match file.extension().and_then(|e| e.to_str()) {
        Some("png") => image::load_from_memory(&bytes)?.into_bytes(),
        // 16-bit PCM is stored as it is: only the header is dropped.
        Some("wav") => bytes[44..].to_vec(),
        _ => bytes,
    };
    COMPRESSOR.with_borrow_mut(|compressor| {
        for frame in decoded.chunks(FRAME) {
            black_box(compressor.compress(frame)?);
        }
        Ok(())
    })
}

/// Measures P12.
pub fn run(options: &Options) -> Result<(), Error> {
    let dir = tempfile::tempdir()?;
    let assets = dir.path().join("assets");
    fs::create_dir(&assets)?;
    let mut files: Vec<(u64, PathBuf)> = Vec::new();
    let mut write = |name: String, bytes: Vec<u8>| -> Result<(), Error> {
        let file = assets.join(name);
        fs::write(&file, &bytes)?;
        files.push((bytes.len() as u64, file));
        Ok(())
    };
    for i in 0..options.choose(240, 24) {
        if options.pngs.is_empty() {
            write(format!("image_{i}.png"), png([64, 128, 256, 512][i % 4], i as u64)?)?;
        }
        // The bare way takes the samples as they are, but the importer reads every chunk and frame.
        if i % 4 == 0 {
            write(format!("sound_{i}.wav"), wav(22_050, i as u64))?;
        }
        write(format!("text_{i}.json"), text(200, i as u64))?;
    }
    if let Some((folder, _)) = options.pngs.first() {
        let mut pngs = Vec::new();
        find_pngs(folder, &mut pngs)?;
        pngs.retain(|file| image::image_dimensions(file).is_ok());
        let count = options.choose(400, 24).min(pngs.len());
        for i in 0..count {
            write(format!("image_{i}.png"), fs::read(&pngs[i * pngs.len() / count])?)?;
        }
    }
    files.sort_by(|a, b| b.cmp(a));
    let total: u64 = files.iter().map(|(size, _)| size).sum();

    let mut number = 0;
    let mut ours = || {
        number += 1;
        // Each output is removed with the whole directory at the end, because removing it takes as long as the import.
        import(&assets, &dir.path().join(format!("out_{number}"))).expect("every file is valid");
    };
    let mut theirs = || on_two_threads(files.len(), |i| bare(&files[i].1).expect("every file is valid"));
    let rounds = options.choose(5, 3);
    let wall = Times::take(Clock::Wall, rounds, &mut [&mut theirs, &mut ours]);
    let cpu = Times::take(Clock::Cpu, rounds, &mut [&mut theirs, &mut ours]);
    let behind = format!(
        "{} / {}; CPU {:.2}×; {} files, {}",
        Seconds(wall.median(1)),
        Seconds(wall.median(0)),
        cpu.ratio(1, 0),
        files.len(),
        Megabytes(total)
    );
    let what = "cold import / bare decoders and encoders, two threads, wall";
    figure("P12", what, wall.ratio(1, 0), "×", Goal::AtMost(1.15), behind);
    two_at_once(options, &assets, dir.path())?;
    memory(options, dir.path())
}

/// Compares two cold builds that share a cache with one: neither should import what the other one has imported.
fn two_at_once(options: &Options, assets: &Path, dir: &Path) -> Result<(), Error> {
    let exe = std::env::current_exe()?;
    let mut number = 0;
    let (mut one, mut two) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
    for _ in 0..options.choose(5, 2) {
        for (count, times) in [(1, &mut one), (2, &mut two)] {
            number += 1;
            let cache = dir.join(format!("shared_{number}"));
            let builds = (0..count).map(|build| {
                let mut worker = Command::new(&exe);
                worker.arg(WORKER).arg(assets).arg(dir.join(format!("at_once_{number}_{build}"))).arg(&cache);
                std::thread::spawn(move || run_command(&mut worker))
            });
            let started = std::time::Instant::now();
            let builds: Vec<_> = builds.collect();
            let mut cpu = 0.0;
            for build in builds {
                cpu += build.join().expect("the thread does not panic")?.cpu;
            }
            times[0].push(started.elapsed().as_secs_f64());
            times[1].push(cpu);
        }
    }
    let [wall, cpu] = [0, 1].map(|clock| Times::of(vec![one[clock].clone(), two[clock].clone()]));
    let behind = format!(
        "{} / {}; CPU {:.2}×, {} / {}",
        Seconds(wall.median(1)),
        Seconds(wall.median(0)),
        cpu.ratio(1, 0),
        Seconds(cpu.median(1)),
        Seconds(cpu.median(0))
    );
    let what = "two cold builds at once that share a cache / one, wall";
    figure("P12", what, wall.ratio(1, 0), "×", Goal::Context, behind);
    Ok(())
}

fn memory(options: &Options, dir: &Path) -> Result<(), Error> {
    let assets = dir.join("large");
    fs::create_dir(&assets)?;
    // Blocks that repeat now and then: like art, they compress quickly, but only a little.
    let mut random = Random::new(5);
    let blocks: Vec<Vec<u8>> = (0..64).map(|_| (0..512).flat_map(|_| random.next().to_le_bytes()).collect()).collect();
    let count = options.choose(512, 32);
    for i in 0..count {
        let mut bytes = Vec::with_capacity(4 << 20);
        while bytes.len() < 4 << 20 {
            bytes.extend_from_slice(&blocks[random.below(64) as usize]);
        }
        fs::write(assets.join(format!("{i}.dat")), bytes)?;
    }
    let mut worker = Command::new(std::env::current_exe()?);
    let used = run_command(worker.arg(WORKER).arg(&assets).arg(dir.join("large_out")).arg(dir.join("large_cache")))?;
    let sources = count as u64 * (4 << 20);
    let what = "peak memory of an import of 2 GB, in GB (as a share of the sources)";
    let what = if options.quick { "peak memory of an import of 128 MB, in GB" } else { what };
    let behind = format!("{} of {}; {} CPU", Megabytes(used.peak), Megabytes(sources), Seconds(used.cpu));
    figure("P12", what, used.peak as f64 / 1e9, " GB", Goal::AtMost(1.0), behind);
    Ok(())
}
