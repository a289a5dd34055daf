//! P7: the time from the start of a process until every asset of a level is ready. Compares a group from a release pack
//! with the loose files, decoded with the crates that the importers use. Both sides have two threads and a warm page
//! cache.

use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use rres_runtime::{AnyId, Pack, Store};

use crate::compressed::on_two_threads;
use crate::figure::{Goal, figure};
use crate::inputs::{png, wav};
use crate::measure::{Megabytes, Seconds, Times};
use crate::project::repository;
use crate::{Error, Options};

/// The first argument of a process that loads everything once: `--load pack FILE` or `--load loose DIR`.
pub const LOADER: &str = "--load";

/// The height of glyphs: the default of the settings, like the ASCII characters that are rasterised.
const FONT_SIZE: f32 = 32.0;

/// Loads everything from the pack or the directory, and prints how many bytes it takes in memory.
pub fn load(arguments: &[String]) -> Result<(), Error> {
    let [what, path] = arguments else { return Err("expected what to load (`pack` or `loose`) and its path".into()) };
    let bytes = if what == "pack" { load_pack(Path::new(path))? } else { load_loose(Path::new(path))? };
    println!("{bytes}");
    Ok(())
}

fn load_pack(file: &Path) -> Result<u64, Error> {
    let store = Store::from_packs([Pack::open(file)?]);
    let ids: Vec<AnyId> = store.mounts().entries().map(|entry| entry.id).collect();
    let group = store.load_group(ids).wait()?;
    Ok(group.bytes())
}

fn load_loose(dir: &Path) -> Result<u64, Error> {
    let files = fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>, Error>>()?;
    let bytes = std::sync::atomic::AtomicU64::new(0);
    on_two_threads(files.len(), |at| {
        let loaded = decode(&files[at]).unwrap_or_else(|e| panic!("{}: {e}", files[at].display()));
        bytes.fetch_add(loaded as u64, std::sync::atomic::Ordering::Relaxed);
    });
    Ok(bytes.into_inner())
}

/// Decodes one file, keeps the result, as a game does, and returns its size in memory.
fn decode(file: &Path) -> Result<usize, Error> {
    let bytes = fs::read(file)?;
    let keep = |bytes: Vec<u8>| black_box(Box::leak(bytes.into_boxed_slice())).len();
    Ok(match file.extension().and_then(|extension| extension.to_str()) {
        Some("png") => keep(image::load_from_memory(&bytes)?.into_bytes()),
        // Only the header is dropped.
        Some("wav") => keep(bytes[44..].to_vec()),
        Some("ttf") => {
            let font = fontdue::Font::from_bytes(bytes, fontdue::FontSettings::default())?;
            (' '..='~').map(|glyph| keep(font.rasterize(glyph, FONT_SIZE).1)).sum()
        }
        Some("glb") => {
            let model = gltf::Gltf::from_slice(&bytes)?;
            let binary = model.blob.as_deref().ok_or("has no binary chunk")?;
            let mut size = 0;
            for primitive in model.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
                let reader = primitive.reader(|_| Some(binary));
                let vectors = |of: Vec<[f32; 3]>| keep(of.into_iter().flatten().flat_map(f32::to_le_bytes).collect());
                size += reader.read_positions().map_or(0, |all| vectors(all.collect()));
                size += reader.read_normals().map_or(0, |all| vectors(all.collect()));
                let indices = reader.read_indices().map(|all| all.into_u32().flat_map(u32::to_le_bytes).collect());
                size += indices.map_or(0, keep);
            }
            size
        }
        _ => keep(bytes),
    })
}

/// Measures P7.
pub fn run(options: &Options) -> Result<(), Error> {
    let dir = tempfile::tempdir()?;
    let assets = dir.path().join("assets");
    fs::create_dir(&assets)?;
    let share = options.choose(1, 10);
    // Most images of a game are small, but half of the bytes are in the few large ones.
    let edges = [32, 32, 64, 64, 64, 128, 128, 128, 256, 512];
    for i in 0..200 / share {
        fs::write(assets.join(format!("{i}.png")), png(edges[i % edges.len()], i as u64)?)?;
    }
    for i in 0..100 / share {
        fs::write(assets.join(format!("{i}.wav")), wav(11_025 + 331 * i as u32, i as u64))?;
    }
    let real = repository().join("assets");
    for i in 0..20 / share {
        fs::copy(real.join("fonts/Quicksand-Medium.ttf"), assets.join(format!("{i}.ttf")))?;
        fs::copy(real.join("models/lighthouse.glb"), assets.join(format!("{i}.glb")))?;
    }
    let out = dir.path().join("out");
    let build = rres_build::import(&assets).out_dir(&out).cache_dir(out.join("cache")).name("level").debug(false);
    let report = build.threads(2).build()?;
    let pack = report.packs.first().ok_or("no pack was written")?;

    let start =
        |what: &str, path: &Path| crate::measure::run(Command::new(env::current_exe()?).args([LOADER, what]).arg(path));
    let (mut loose, mut packed, mut peak, mut decoded) = (Vec::new(), Vec::new(), 0, 0);
    for round in 0..=options.choose(15, 3) {
        let (from_files, from_pack) = (start("loose", &assets)?, start("pack", pack)?);
        // The first run of each side fills the page cache.
        if round > 0 {
            loose.push(from_files.wall);
            packed.push(from_pack.wall);
        }
        peak = peak.max(from_pack.peak);
        decoded = from_pack.stdout.trim().parse()?;
    }
    let times = Times::of(vec![loose, packed]);
    let behind = format!("{} / {}, wall, two threads", Seconds(times.median(0)), Seconds(times.median(1)));
    let count = report.assets.len();
    figure(
        "P7",
        format!("{count} loose files decoded / as a group from the pack"),
        times.ratio(0, 1),
        "×",
        Goal::AtLeast(10.0),
        behind,
    );
    let behind = format!("{} peak, {} decoded", Megabytes(peak), Megabytes(decoded));
    let beyond = peak.saturating_sub(decoded) as f64 / 1e6;
    figure("P7", "memory beyond what is decoded", beyond, " MB", Goal::AtMost(16.0), behind);
    Ok(())
}
