//! P1: opening a pack with as many chunks as the format allows, compared with mapping the file, and with a zip file of
//! as many entries.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Write};

use rres_format::chunk::raw::raw_block;
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_runtime::{Pack, Raw};

use crate::figure::{Goal, figure};
use crate::measure::{Clock, Seconds, Times};
use crate::{Error, Options, map};

/// The largest number of resources of one chunk: the front index is a chunk, too.
pub const MOST_RESOURCES: usize = 65_534;

/// Returns paths as games have them. No two of them share an id.
pub fn paths(count: usize) -> Vec<String> {
    let mut seen = rustc_hash::FxHashSet::default();
    let kinds = ["png", "ogg", "json", "glb"];
    let path =
        |i: usize| format!("levels/area_{:03}/{}_{i:05}.{}", i / 500, ["tile", "step", "talk"][i % 3], kinds[i % 4]);
    (0..).map(path).filter(|path| seen.insert(ResourceId::from_path(path))).take(count).collect()
}

/// Returns a pack of small uncompressed files.
pub fn pack_of(paths: &[String]) -> Result<Vec<u8>, Error> {
    let mut compressor = Compressor::default();
    let mut pack = PackBuilder::new();
    for path in paths {
        let block = raw_block(".dat", path.as_bytes());
        let chunk = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut compressor)?;
        pack.push(Resource::new(path.clone(), vec![chunk]));
    }
    Ok(pack.to_vec()?)
}

fn write_zip(file: &std::path::Path, paths: &[String]) -> Result<(), Error> {
    let mut zip = zip::ZipWriter::new(std::io::BufWriter::new(File::create(file)?));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for path in paths {
        zip.start_file(path, options)?;
        zip.write_all(path.as_bytes())?;
    }
    zip.finish()?.flush()?;
    Ok(())
}

/// Measures P1.
pub fn run(options: &Options) -> Result<(), Error> {
    let paths = paths(MOST_RESOURCES);
    let dir = tempfile::tempdir()?;
    let (pack, archive) = (dir.path().join("most.rres"), dir.path().join("most.zip"));
    std::fs::write(&pack, pack_of(&paths)?)?;
    write_zip(&archive, &paths)?;
    let wanted = ResourceId::from_path(&paths[40_000]);
    let times_each = options.choose(200, 20);

    let mut bare = || {
        for _ in 0..times_each {
            black_box(&map::map(&pack).expect("the file exists")[..]);
        }
    };
    let mut open = || {
        for _ in 0..times_each {
            black_box(Pack::open(&pack).expect("it is a pack"));
        }
    };
    let mut first_load = || {
        for _ in 0..times_each {
            let pack = Pack::open(&pack).expect("it is a pack");
            black_box(pack.load::<Raw>(wanted).expect("the pack contains it"));
        }
    };
    // The least that any first load must touch: one page of the index, one of the chunk.
    let len = std::fs::metadata(&pack)?.len() as usize;
    let mut two_pages = || {
        for _ in 0..times_each {
            let map = map::map(&pack).expect("the file exists");
            black_box((map[64], map[len / 2]));
        }
    };
    let mut zip = || {
        let file = File::open(&archive).expect("the file exists");
        black_box(zip::ZipArchive::new(BufReader::new(file)).expect("it is a zip"));
    };
    let rounds = options.choose(31, 5);
    let times = Times::take(Clock::Cpu, rounds, &mut [&mut bare, &mut open, &mut first_load, &mut two_pages, &mut zip]);
    let each = |way: usize| Seconds(times.median(way) / f64::from(times_each));
    let zip = Seconds(times.median(4));
    let bare = each(0);
    figure(
        "P1",
        "open / open + map + close",
        times.ratio(1, 0),
        "×",
        Goal::AtMost(2.0),
        format!("{} / {bare}", each(1)),
    );
    figure(
        "P1",
        "open + first load / open + map + close, no page touched",
        times.ratio(2, 0),
        "×",
        Goal::AtMost(2.0),
        format!("{} / {bare}", each(2)),
    );
    figure(
        "P1",
        "open + first load / the same and two pages touched",
        times.ratio(2, 3),
        "×",
        Goal::Context,
        format!("{} / {}", each(2), each(3)),
    );
    let faster = times.ratio(4, 2) * f64::from(times_each);
    figure(
        "P1",
        "zip crate's open / open + first load",
        faster,
        "×",
        Goal::AtLeast(500.0),
        format!("{zip} / {}", each(2)),
    );
    Ok(())
}
