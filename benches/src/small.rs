//! 10,000 small assets from one pack, compared with as many loose files: texts, JSON and images of 16×16 pixels. With a warm
//! page cache, and with one that has been told to forget every file.

use std::fs::{self, File};
use std::hint::black_box;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rres_runtime::{Image, Pack, ResourceId, Text};
use rustix::fs::{Advice, fadvise};

use crate::compressed::on_two_threads;
use crate::figure::{Goal, figure};
use crate::inputs::{Random, png, prose, text};
use crate::measure::{Clock, Megabytes, Seconds, Times, time};
use crate::{Error, Options};

/// One asset: what the game loads, and the file that it would load without a pack.
struct Small {
    file: PathBuf,
    id: ResourceId,
    is_image: bool,
}

impl Small {
    /// Reads and decodes the file.
    fn read(&self) {
        let bytes = fs::read(&self.file).expect("it was written");
        if self.is_image {
            black_box(image::load_from_memory(&bytes).expect("it is a PNG").into_bytes());
        } else {
            black_box(String::from_utf8(bytes).expect("it is a text"));
        }
    }

    fn load(&self, pack: &Pack) {
        if self.is_image {
            let image = pack.load::<Image>(self.id).expect("the pack contains it");
            black_box(crate::map::touch(image.data()));
        } else {
            black_box(pack.load::<Text>(self.id).expect("the pack contains it"));
        }
    }
}

/// Writes `count` files, and returns them in a random order, because a game does not ask for them in the order of the disk.
fn write(dir: &Path, count: usize) -> Result<Vec<Small>, Error> {
    let mut all = Vec::with_capacity(count);
    for i in 0..count {
        let seed = i as u64 + 1;
        let folder = format!("area_{:03}", i / 100);
        if i % 100 == 0 {
            fs::create_dir_all(dir.join(&folder))?;
        }
        let (extension, bytes) = match i % 10 {
            0..4 => ("png", png(16, seed)?),
            4..7 => ("txt", prose(2 + seed % 12, seed)),
            _ => ("json", text(4 + seed % 24, seed)),
        };
        let name = format!("{folder}/asset_{i:05}.{extension}");
        let file = dir.join(&name);
        fs::write(&file, bytes)?;
        all.push(Small { file, id: ResourceId::from_path(&name), is_image: extension == "png" });
    }
    Random::new(0).shuffle(&mut all);
    Ok(all)
}

/// Asks the system to forget the pages of a file. It keeps those that are mapped or not yet on disk.
fn forget(file: &Path) -> Result<(), Error> {
    fadvise(File::open(file)?, 0, None, Advice::DontNeed)?;
    Ok(())
}

/// The bytes that this process has made the system read from storage. `None` if the system does not count them.
fn bytes_from_storage() -> Option<u64> {
    let counters = fs::read_to_string("/proc/self/io").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("read_bytes: "))?.parse().ok()
}

/// Measures loading all assets once.
pub fn run(options: &Options) -> Result<(), Error> {
    let dir = tempfile::tempdir()?;
    let assets = dir.path().join("assets");
    let all = write(&assets, options.choose(10_000, 500))?;
    let out = dir.path().join("out");
    let build = rres_build::import(&assets).out_dir(&out).cache_dir(out.join("cache")).name("small").debug(false);
    let report = build.threads(2).build()?;
    let pack_file = report.packs.first().ok_or("no pack was written")?;

    let (mut size, mut on_disk) = (0, 0);
    for small in &all {
        let metadata = fs::metadata(&small.file)?;
        size += metadata.len();
        on_disk += metadata.blocks() * 512;
    }
    let count = all.len();
    let packed = report.pack_size as f64;
    let behind = |of| format!("{} / {}", Megabytes(report.pack_size), Megabytes(of));
    figure(
        "small",
        format!("size of the pack / of {count} files"),
        packed / size as f64,
        "×",
        Goal::Context,
        behind(size),
    );
    let what = "the same / the disk space of the files";
    figure("small", what, packed / on_disk as f64, "×", Goal::Context, behind(on_disk));

    let open = || Pack::open(pack_file).expect("it is a pack");
    let mut files_one = || all.iter().for_each(Small::read);
    let mut pack_one = || {
        let pack = open();
        all.iter().for_each(|small| small.load(&pack));
    };
    let mut files_two = || on_two_threads(count, |i| all[i].read());
    let mut pack_two = || {
        let pack = open();
        on_two_threads(count, |i| all[i].load(&pack));
    };
    let rounds = options.choose(15, 3);
    let one = Times::take(Clock::Cpu, rounds, &mut [&mut files_one, &mut pack_one]);
    let two = Times::take(Clock::Wall, rounds, &mut [&mut files_two, &mut pack_two]);
    print("warm, one thread, CPU", &one);
    print("warm, two threads, wall", &two);

    // Only what is on disk can be forgotten.
    rustix::fs::sync();
    let forget_all = || all.iter().try_for_each(|small| forget(&small.file)).and_then(|()| forget(pack_file));
    forget_all()?;
    let before = bytes_from_storage();
    files_one();
    let from_storage = bytes_from_storage().zip(before).map(|(after, before)| after - before);
    if from_storage.is_none_or(|bytes| bytes < size) {
        let read = from_storage.map_or("an unknown number of".to_owned(), |bytes| bytes.to_string());
        println!(
            "small cold: skipped. The system was asked to forget {size} bytes of files, and then read {read} bytes from storage."
        );
        return Ok(());
    }
    let mut cold = vec![Vec::new(); 4];
    for _ in 0..options.choose(7, 2) {
        let ways: [&mut dyn FnMut(); 4] = [&mut files_one, &mut pack_one, &mut files_two, &mut pack_two];
        for (way, times) in ways.into_iter().zip(&mut cold) {
            forget_all()?;
            times.push(time(Clock::Wall, way));
        }
    }
    let two = cold.split_off(2);
    print("cold, one thread, wall", &Times::of(cold));
    print("cold, two threads, wall", &Times::of(two));
    Ok(())
}

/// Prints the figure of files and pack.
fn print(how: &str, times: &Times) {
    let behind = format!("{} / {}", Seconds(times.median(0)), Seconds(times.median(1)));
    figure("small", format!("loose files / pack, {how}"), times.ratio(0, 1), "×", Goal::AtLeast(1.0), behind);
}
