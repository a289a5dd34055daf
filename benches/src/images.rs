//! P5 and P6: loading real PNG files from a release pack, compared with decoding the loose files, as most games do.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use rres_build::Compression;
use rres_build::settings::{PixelFormat, Profile};
use rres_format::Decompressor;
use rres_runtime::{Image, Pack, ResourceId};

use crate::compressed::on_two_threads;
use crate::figure::{Goal, figure};
use crate::folders::find_files;
use crate::measure::{Clock, Megabytes, Seconds, Times};
use crate::{Error, Options};

/// Returns every PNG below a folder, ordered by path.
pub fn find_pngs(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let mut files = Vec::new();
    find_files(dir, &mut files)?;
    let is_png = |file: &PathBuf| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    found.extend(files.into_iter().filter(is_png));
    Ok(())
}

/// Returns `count` of the files, evenly spread over the paths, so that every part of the game is included.
fn choose(files: &[PathBuf], count: usize) -> Vec<PathBuf> {
    let count = count.min(files.len());
    let spread = (0..count).map(|i| files[i * files.len() / count].clone());
    spread.filter(|file| image::open(file).is_ok()).collect()
}

/// Loose files and what a build imports.
struct Files {
    /// The directory of everything, with the files in `assets`.
    dir: tempfile::TempDir,
    loose: Vec<PathBuf>,
    ids: Vec<ResourceId>,
    /// Bytes of the files.
    size: u64,
    /// Bytes of their pixels as RGBA8.
    pixels: u64,
}

impl Files {
    /// Copies real images.
    fn copy(goal: &str, options: &Options) -> Result<Self, Error> {
        let Some(folder) = &options.pngs else {
            return Err("needs real images: --pngs DIR, for example an unpacked supertux-data".into());
        };
        let mut all = Vec::new();
        find_pngs(folder, &mut all)?;
        let files = choose(&all, options.choose(200, 20));
        let dir = tempfile::tempdir()?;
        let assets = dir.path().join("assets");
        fs::create_dir(&assets)?;
        let (mut ids, mut loose, mut size, mut pixels) = (Vec::new(), Vec::new(), 0u64, 0u64);
        for (i, file) in files.iter().enumerate() {
            let name = format!("{i:03}.png");
            size += fs::copy(file, assets.join(&name))?;
            ids.push(ResourceId::from_path(&name));
            loose.push(assets.join(name));
            let (width, height) = image::image_dimensions(file)?;
            pixels += u64::from(width) * u64::from(height) * 4;
        }
        let (count, of) = (files.len(), all.len());
        println!("{goal}    {count} of {of} PNG files: {}, {} as RGBA8", Megabytes(size), Megabytes(pixels));
        Ok(Self { dir, loose, ids, size, pixels })
    }
}

/// One way of storing the pixels.
struct Stored {
    label: String,
    compression: Compression,
    level: Option<i32>,
    format: Option<PixelFormat>,
    /// Instead of compression and level.
    profile: Option<Profile>,
}

impl Stored {
    fn profile(name: &str, profile: Profile) -> Self {
        let (label, format) = (format!("profile {name}, RGBA8"), Some(PixelFormat::RGBA8));
        Self { label, compression: Compression::NONE, level: None, format, profile: Some(profile) }
    }
}

/// Measures P6: the profile `speed`, and in the same run the others.
pub fn profiles(options: &Options) -> Result<(), Error> {
    let files = Files::copy("P6", options)?;
    let profiles = [("speed", Profile::Speed), ("balanced", Profile::Balanced), ("size", Profile::Size)];
    profiles.into_iter().try_for_each(|(name, profile)| one_way(options, &Stored::profile(name, profile), &files))
}

/// Measures P5.
pub fn run(options: &Options) -> Result<(), Error> {
    let files = Files::copy("P5", options)?;
    let mut ways = Vec::new();
    let rgba8 = Some(PixelFormat::RGBA8);
    for (compression, levels) in [
        (Compression::FILTERED, options.choose(vec![3, 9, 13, 19], vec![3])),
        (Compression::ZSTD, options.choose(vec![9, 19], vec![3])),
    ] {
        for level in levels {
            let label = format!("{}-{level}, RGBA8", compression.name().unwrap_or_default());
            ways.push(Stored { label, compression, level: Some(level), format: rgba8, profile: None });
        }
    }
    for (label, compression, format) in [
        ("default, as decoded", Compression::FILTERED, None),
        ("lz4, RGBA8", Compression::LZ4, rgba8),
        ("plain, RGBA8", Compression::NONE, rgba8),
    ] {
        ways.push(Stored { label: label.to_owned(), compression, level: None, format, profile: None });
    }
    ways.iter().try_for_each(|way| one_way(options, way, &files))
}

fn one_way(options: &Options, way: &Stored, files: &Files) -> Result<(), Error> {
    let Files { dir, loose, ids, size: loose_size, pixels } = files;
    let Stored { label, compression, level, format, profile } = way;
    let (compression, level, format) = (*compression, *level, *format);
    let out = dir.path().join(label.replace([' ', ','], "_"));
    let report = rres_build::import(dir.path().join("assets"))
        .out_dir(&out)
        .cache_dir(out.join("cache"))
        .debug(false)
        .threads(2)
        .rule("**", |rule| {
            let rule = match profile {
                Some(profile) => rule.profile(*profile),
                None => rule.compression(compression),
            };
            let rule = match format {
                Some(format) => rule.image_format(format),
                None => rule,
            };
            match level {
                Some(level) => rule.level(level),
                None => rule,
            }
        })
        .build()?;
    let import: f64 = report.assets.iter().map(|asset| asset.elapsed.as_secs_f64()).sum();
    let pack_file = &report.packs[0];

    let as_rgba8 = format.is_some();
    let decode = |file: &PathBuf| {
        let image = image::load_from_memory(&fs::read(file).expect("it was copied")).expect("it was tried");
        black_box(if as_rgba8 { image.into_rgba8().into_raw() } else { image.into_bytes() });
    };
    let load = |pack: &Pack, id: ResourceId| {
        let image = pack.load::<Image>(id).expect("the pack contains it");
        // Uncompressed pixels have not been read yet, but a game reads them.
        black_box(crate::map::touch(image.data()));
    };
    let open = || Pack::open(pack_file).expect("it is a pack");
    let mut loose_one = || loose.iter().for_each(decode);
    let mut pack_one = || {
        let pack = open();
        ids.iter().for_each(|id| load(&pack, *id));
    };
    let mut loose_two = || on_two_threads(loose.len(), |i| decode(&loose[i]));
    let mut pack_two = || {
        let pack = open();
        on_two_threads(ids.len(), |i| load(&pack, ids[i]));
    };
    let rounds = options.choose(7, 3);
    let one = Times::take(Clock::Cpu, rounds, &mut [&mut loose_one, &mut pack_one]);
    let two = Times::take(Clock::Wall, rounds, &mut [&mut loose_two, &mut pack_two]);
    let size = report.pack_size as f64 / *loose_size as f64;
    let speed = *pixels as f64 / 1e9 / one.median(1);
    let behind = format!(
        "{:.2}× the size ({}); {speed:.2} GB/s; two threads, wall: {:.2}×; import {}, all threads",
        size,
        Megabytes(report.pack_size),
        two.ratio(0, 1),
        Seconds(import)
    );
    if *profile == Some(Profile::Speed) {
        figure("P6", format!("loose PNG / pack, {label}"), one.ratio(0, 1), "×", Goal::AtLeast(6.0), behind);
        let times = format!("{} / {}", Seconds(two.median(0)), Seconds(two.median(1)));
        figure("P6", "the same on two threads, wall", two.ratio(0, 1), "×", Goal::AtLeast(6.0), times);
        let sizes = format!("{} / {}", Megabytes(report.pack_size), Megabytes(*loose_size));
        figure("P6", "size of the pack / of the files", size, "×", Goal::AtMost(1.2), sizes);
        return ready(options, pack_file, ids);
    }
    if profile.is_some() {
        figure("P6", format!("loose PNG / pack, {label}"), one.ratio(0, 1), "×", Goal::Context, behind);
        return Ok(());
    }
    let goal = if size <= 0.85 { Goal::AtLeast(2.0) } else { Goal::Context };
    figure("P5", format!("loose PNG / pack, {label}"), one.ratio(0, 1), "×", goal, behind);
    Ok(())
}

/// Compares loading with decoding the same chunks into memory that is kept, and with writing to as much new memory.
fn ready(options: &Options, pack_file: &Path, ids: &[ResourceId]) -> Result<(), Error> {
    let pack = Pack::open(pack_file)?;
    let view = pack.view();
    let mut chunks = Vec::new();
    for id in ids {
        let chunk = view.find(*id)?.ok_or("the pack lacks an image")?;
        // The bytes of others are used in place.
        if !chunk.info.is_plain() {
            chunks.push((chunk, vec![0u8; chunk.info.base_size as usize]));
        }
    }
    let sizes: Vec<usize> = chunks.iter().map(|(_, out)| out.len()).collect();
    let mut load = || ids.iter().for_each(|id| drop(black_box(pack.load::<Image>(*id).expect("the pack contains it"))));
    let mut decompressor = Decompressor::default();
    let mut decode = || {
        for (chunk, out) in &mut chunks {
            decompressor.decompress(chunk.info.compression, chunk.stored, out).expect("it is whole");
        }
    };
    let mut new_memory = || {
        for size in &sizes {
            let mut memory = vec![0u8; *size];
            memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            black_box(memory);
        }
    };
    let times = Times::take(Clock::Cpu, options.choose(31, 3), &mut [&mut load, &mut decode, &mut new_memory]);
    let behind = |way| format!("{} / {}", Seconds(times.median(way)), Seconds(times.median(0)));
    let share = |way| times.ratio(way, 0) * 100.0;
    figure("P6", "decoding into memory that is kept / a load", share(1), "%", Goal::Context, behind(1));
    figure("P6", "writing to every page of new memory / a load", share(2), "%", Goal::Context, behind(2));
    Ok(())
}
