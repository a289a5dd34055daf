//! P5 and P6: loading real PNG files from a release pack, compared with decoding the loose files, as most games do.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use rres_build::{Compression, PixelFormat, Profile};
use rres_runtime::{Image, Pack, ResourceId};

use crate::compressed::on_two_threads;
use crate::figure::{Goal, figure};
use crate::measure::{Clock, Megabytes, Seconds, Times};
use crate::{Error, Options};

/// Returns every PNG below a folder that `image` can read, ordered by path.
pub fn find_pngs(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let mut entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            find_pngs(&path, found)?;
        } else if kind.is_file() && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns `count` of the files, evenly spread over the paths, so that every part of the game is included.
fn choose(files: &[PathBuf], count: usize) -> Vec<PathBuf> {
    let count = count.min(files.len());
    let spread = (0..count).map(|i| files[i * files.len() / count].clone());
    spread.filter(|file| image::open(file).is_ok()).collect()
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

/// Measures P5.
pub fn run(options: &Options) -> Result<(), Error> {
    let Some(folder) = &options.pngs else {
        return Err("needs real images: --pngs DIR, for example an unpacked supertux-data".into());
    };
    let mut all = Vec::new();
    find_pngs(folder, &mut all)?;
    let files = choose(&all, options.choose(200, 20));
    let dir = tempfile::tempdir()?;
    let assets = dir.path().join("assets");
    fs::create_dir(&assets)?;
    let (mut ids, mut loose, mut loose_size, mut pixels) = (Vec::new(), Vec::new(), 0u64, 0u64);
    for (i, file) in files.iter().enumerate() {
        let name = format!("{i:03}.png");
        loose_size += fs::copy(file, assets.join(&name))?;
        ids.push(ResourceId::from_path(&name));
        loose.push(assets.join(name));
        let (width, height) = image::image_dimensions(file)?;
        pixels += u64::from(width) * u64::from(height) * 4;
    }
    println!(
        "P5    {} of {} PNG files: {}, {} as RGBA8",
        files.len(),
        all.len(),
        Megabytes(loose_size),
        Megabytes(pixels)
    );

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
    for (label, profile) in [("speed", Profile::Speed), ("size", Profile::Size)] {
        let label = format!("profile {label}, RGBA8");
        ways.push(Stored { label, compression: Compression::NONE, level: None, format: rgba8, profile: Some(profile) });
    }
    for way in ways {
        one_way(options, &way, dir.path(), &loose, &ids, loose_size, pixels)?;
    }
    Ok(())
}

fn one_way(
    options: &Options,
    way: &Stored,
    dir: &Path,
    loose: &[PathBuf],
    ids: &[ResourceId],
    loose_size: u64,
    pixels: u64,
) -> Result<(), Error> {
    let Stored { label, compression, level, format, profile } = way;
    let (compression, level, format) = (*compression, *level, *format);
    let out = dir.join(label.replace([' ', ','], "_"));
    let report = rres_build::import(dir.join("assets"))
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
    let size = report.pack_size as f64 / loose_size as f64;
    let speed = pixels as f64 / 1e9 / one.median(1);
    let behind = format!(
        "{:.2}× the size ({}); {speed:.2} GB/s; two threads, wall: {:.2}×; import {} CPU",
        size,
        Megabytes(report.pack_size),
        two.ratio(0, 1),
        Seconds(import)
    );
    let goal = if *profile == Some(Profile::Speed) {
        // P6, which needs at most 1.2 of the size.
        Goal::AtLeast(6.0)
    } else if size <= 0.85 {
        Goal::AtLeast(2.0)
    } else {
        Goal::Context
    };
    let id = if *profile == Some(Profile::Speed) { "P6" } else { "P5" };
    figure(id, format!("loose PNG / pack, {label}"), one.ratio(0, 1), "×", goal, behind);
    Ok(())
}
