//! Real PNG files as images of Bevy, in every way that Bevy has, and from packs. Each program is an app without a window and a renderer;
//! what is measured is its process, from its start until all images are there.

use std::path::PathBuf;
use std::process::Command;

use rres_build::settings::Profile;

use crate::loaders::{Way, compare, compile};
use crate::measure::{Megabytes, Seconds, run as run_command};
use crate::sets::{Set, Stored, find_files, pictures};
use crate::{Error, Options};

/// Runs Bevy's asset processor.
const PROCESSOR: &str = "bevy-process";

/// Measures every way.
pub fn run(options: &Options) -> Result<(), Error> {
    let set = pictures(options)?;
    let ways = ways(&set)?;
    let loaded = compare(options, &set, &ways, 1)?;
    let count = set.sources.len();
    println!("bevy  {count} PNG files: {}, {} as RGBA8\n", Megabytes(set.size()), Megabytes(loaded[0].decoded));
    println!("| way | time | times as fast | CPU | times as fast | bytes, of the PNGs | peak memory |");
    println!("|---|---|---|---|---|---|---|");
    for (way, loaded) in ways.iter().zip(&loaded) {
        let (time, cpu, peak) = (Seconds(loaded.process), Seconds(loaded.process_cpu), Megabytes(loaded.peak));
        let size = way.size as f64 / set.size() as f64;
        let (faster, faster_cpu) = (loaded.faster_process, loaded.faster_process_cpu);
        println!("| {} | {time} | {faster:.2} | {cpu} | {faster_cpu:.2} | {size:.3} | {peak} |", way.label);
    }
    Ok(())
}

/// Every way to load the set.
fn ways(set: &Set) -> Result<Vec<Way>, Error> {
    let processed = process(set)?;
    let mut files = Vec::new();
    find_files(&processed, &mut files)?;
    let sizes = files.iter().map(|file| Ok(file.metadata()?.len())).collect::<Result<Vec<_>, Error>>()?;
    let folder = |label: &str, loader| Way { label: label.to_owned(), loader, store: set.folder(), size: set.size() };
    let pack = |label: &str, name: &str, stored| Way::of_file(label, "loader-bevy-rres", &set.pack(name, stored)?);
    Ok(vec![
        folder("loose files, `AssetServer`", "loader-bevy-files"),
        folder("loose files, `bevy_asset_loader`", "loader-bevy-asset-loader"),
        Way {
            label: "`AssetMode::Processed`, which copies PNGs".to_owned(),
            loader: "loader-bevy-processed",
            store: processed,
            size: sizes.iter().sum(),
        },
        folder("`bevy_embedded_assets`", "loader-bevy-embedded"),
        pack("rres, default", "balanced", Stored::Profile(Profile::Balanced))?,
        pack("rres, size", "size", Stored::Profile(Profile::Size))?,
        pack("rres, speed", "speed", Stored::Profile(Profile::Speed))?,
        pack("rres, plain", "plain", Stored::Plain)?,
    ])
}

/// Has Bevy's asset processor process the set, and returns the folder of the results.
fn process(set: &Set) -> Result<PathBuf, Error> {
    let programs = compile(&[PROCESSOR], set)?;
    // Bevy keeps its log beside the folder.
    let results = set.dir.path().join("imported_assets/Default");
    run_command(Command::new(&programs[PROCESSOR]).arg(set.folder()).arg(&results).current_dir(set.dir.path()))?;
    Ok(results)
}
