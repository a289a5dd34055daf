//! P13 and P14: a build whose cache contains everything, compared with hashing the sources and with copying the pack.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use rres_build::Report;

use crate::figure::{Goal, figure};
use crate::inputs::write_tree;
use crate::measure::{Clock, Megabytes, Seconds, Times};
use crate::rebuild::stat_all;
use crate::{Error, Options};

fn build(dir: &Path, out: &str, debug: bool) -> Result<Report, Error> {
    let (assets, cache) = (dir.join("assets"), dir.join("cache"));
    Ok(rres_build::import(assets).out_dir(dir.join(out)).cache_dir(cache).debug(debug).threads(2).build()?)
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().ok_or("a file without a name")?);
        if path.is_dir() {
            copy_tree(&path, &to)?;
        } else {
            fs::copy(&path, to)?;
        }
    }
    Ok(())
}

fn files_of(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { files_of(&entry.path(), found)? } else { found.push(entry.path()) }
    }
    Ok(())
}

/// Measures P13.
pub fn second_profile(options: &Options) -> Result<(), Error> {
    let dir = tempfile::tempdir()?;
    let count = options.choose(10_000, 500);
    write_tree(&dir.path().join("assets"), count)?;
    build(dir.path(), "first", true)?;
    let mut files = Vec::new();
    files_of(&dir.path().join("assets"), &mut files)?;

    // Another checkout of the same files has other file stamps, so each file is read and hashed.
    let worktree = dir.path().join("worktree");
    copy_tree(&dir.path().join("assets"), &worktree.join("assets"))?;
    let cache = dir.path().join("cache");
    let (manifests, saved) = (cache.join("manifests"), dir.path().join("saved"));
    copy_tree(&manifests, &saved)?;
    let mut number = 0;
    let mut elsewhere = |assets: PathBuf| {
        number += 1;
        // Restores the manifest of the first build. Each of these builds adds a manifest of its own.
        copy_tree(&saved, &manifests).expect("it was copied before");
        let build = rres_build::import(assets).out_dir(worktree.join(number.to_string())).cache_dir(&cache);
        let report = build.debug(true).threads(2).build().expect("it was built before");
        assert_eq!(report.imported(), 0, "the cache contains everything");
    };
    let elsewhere = std::cell::RefCell::new(&mut elsewhere);
    let mut second = || elsewhere.borrow_mut()(dir.path().join("assets"));
    let mut other_checkout = || elsewhere.borrow_mut()(worktree.join("assets"));
    let mut again = || drop(build(dir.path(), "first", true).expect("it was built before"));
    let mut stat_and_hash = || {
        black_box(stat_all(&dir.path().join("assets")).expect("the files exist"));
        for file in &files {
            black_box(blake3::hash(&fs::read(file).expect("it was written")));
        }
    };
    let mut stat = || {
        black_box(stat_all(&dir.path().join("assets")).expect("the files exist"));
    };
    let rounds = options.choose(9, 3);
    let times = Times::take(
        Clock::Cpu,
        rounds,
        &mut [&mut stat_and_hash, &mut second, &mut again, &mut stat, &mut other_checkout],
    );
    let behind = |way, to| format!("{} / {}, {count} assets", Seconds(times.median(way)), Seconds(times.median(to)));
    let what = "new output directory, warm cache / stat, read and hash all";
    figure("P13", what, times.ratio(1, 0), "×", Goal::AtMost(1.5), behind(1, 0));
    let what = "new worktree, warm cache / stat, read and hash all";
    figure("P13", what, times.ratio(4, 0), "×", Goal::AtMost(1.5), behind(4, 0));
    figure(
        "P13",
        "same output directory, nothing changed / bare stat",
        times.ratio(2, 3),
        "×",
        Goal::Context,
        behind(2, 3),
    );
    Ok(())
}

/// Measures P14.
pub fn pack(options: &Options) -> Result<(), Error> {
    let dir = tempfile::tempdir()?;
    let assets = dir.path().join("assets");
    write_tree(&assets, options.choose(2_000, 200))?;
    // 64 MB that do not compress, so that copying takes most of the time.
    let mut random = crate::inputs::Random::new(3);
    for i in 0..options.choose(64, 8) {
        let bytes: Vec<u8> = (0..1 << 17).flat_map(|_| random.next().to_le_bytes()).collect();
        fs::write(assets.join(format!("large_{i}.dat")), bytes)?;
    }
    let first = build(dir.path(), "first", false)?;
    let (mut packing, mut copying, mut copying_synced) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..options.choose(7, 3) {
        let out = dir.path().join("again");
        let report = build(dir.path(), "again", false)?;
        packing.push(report.phases.pack.as_secs_f64());
        fs::remove_dir_all(out)?;
        let copy = dir.path().join(format!("copy_{round}.rres"));
        copying.push(crate::measure::time(Clock::Wall, &mut || {
            fs::copy(&first.packs[0], &copy).expect("the disk has space");
        }));
        fs::remove_file(&copy)?;
        copying_synced.push(crate::measure::time(Clock::Wall, &mut || {
            fs::copy(&first.packs[0], &copy).expect("the disk has space");
            fs::File::open(&copy).and_then(|file| file.sync_all()).expect("it can be synced");
        }));
        fs::remove_file(&copy)?;
    }
    let times = Times::of(vec![packing, copying, copying_synced]);
    let behind =
        |to| format!("{} / {}, {}", Seconds(times.median(0)), Seconds(times.median(to)), Megabytes(first.pack_size));
    figure(
        "P14",
        "write the pack from warm blobs / copy the pack, wall",
        times.ratio(0, 1),
        "×",
        Goal::AtMost(1.2),
        behind(1),
    );
    figure("P14", "the same / copy and sync, which neither does", times.ratio(0, 2), "×", Goal::Context, behind(2));
    Ok(())
}
