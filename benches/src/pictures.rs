//! P5 and P6: loading the pixels of real PNG files, in every way that games do it, from programs of their own. The first way, which the
//! others are compared with, is what most games do: loose files and the crate `image`.

use std::fmt::Write as _;
use std::fs;

use rres_build::settings::Profile;

use crate::archives::{Blob, blob, pixels, zip_of_pixels, zip_of_sources};
use crate::figure::{Goal, figure};
use crate::frontier::{self, Point};
use crate::loaders::{Loaded, Way, compare};
use crate::measure::{Megabytes, Seconds};
use crate::sets::{Set, Stored, pictures};
use crate::{Error, Options};

/// The label of the pack of the default profile.
const DEFAULT: &str = "rres, default";

/// Measures P5 and P6.
pub fn run(options: &Options) -> Result<(), Error> {
    let set = pictures(options)?;
    let ways = ways(&set)?;
    let one = compare(options, &set, &ways, 1)?;
    let two = compare(
        options,
        &set,
        &ways[..1].iter().chain(ways.iter().filter(|way| way.loader == "loader-rres")).cloned().collect::<Vec<_>>(),
        2,
    )?;
    let count = set.sources.len();
    println!("P5    {count} PNG files: {}, {} as RGBA8", Megabytes(set.size()), Megabytes(one[0].decoded));
    table(&set, &ways, &one);
    goals(&set, &ways, &one);
    let default = 1 + ways
        .iter()
        .filter(|way| way.loader == "loader-rres")
        .position(|way| way.label == DEFAULT)
        .unwrap_or_default();
    let behind = format!("{} / {}", Seconds(two[0].process), Seconds(two[default].process));
    figure(
        "P5",
        "default as a group on two threads, from process start, wall",
        two[default].faster_process,
        "×",
        Goal::Context,
        behind,
    );
    if let Some(file) = &options.plot {
        let point = |(way, loaded): (&Way, &Loaded)| Point {
            label: way.label.clone(),
            size: way.size as f64 / set.size() as f64,
            speed: loaded.faster,
            ours: way.loader.starts_with("loader-rres"),
        };
        fs::write(file, frontier::draw(&ways.iter().zip(&one).map(point).collect::<Vec<_>>()))?;
    }
    Ok(())
}

/// Every way to load the set.
fn ways(set: &Set) -> Result<Vec<Way>, Error> {
    let images = pixels(set)?;
    let folder = |label: &str, loader| Way { label: label.to_owned(), loader, store: set.folder(), size: set.size() };
    let sources = zip_of_sources(set)?;
    let mut ways = vec![
        folder("loose PNG, image", "loader-files"),
        folder("rust-embed, image", "loader-embed"),
        Way::of_file("assets_manager, zip of PNG", "loader-assets-manager", &sources)?,
        Way::of_file("zip of PNG, image", "loader-zip", &sources)?,
        Way::of_file("zip of RGBA, zstd-19", "loader-zip", &zip_of_pixels(set, &images)?)?,
    ];
    let blobs =
        [("zstd-19 (C)", Blob::Zstd(19)), ("zstd-9 (C)", Blob::Zstd(9)), ("LZ4", Blob::Lz4), ("QOI", Blob::Qoi)];
    for (label, how) in blobs {
        ways.push(Way::of_file(format!("one blob, {label}"), "loader-blobs", &blob(set, &images, how)?)?);
    }
    let profile = |profile| Stored::Profile(profile);
    let default = set.pack("balanced", profile(Profile::Balanced))?;
    ways.push(Way::of_file(DEFAULT, "loader-rres", &default)?);
    ways.push(Way::of_file("rres, default, feature zstd-c", "loader-rres-zstd-c", &default)?);
    ways.push(Way::of_file("rres, size", "loader-rres", &set.pack("size", profile(Profile::Size))?)?);
    ways.push(Way::of_file("rres, speed", "loader-rres", &set.pack("speed", profile(Profile::Speed))?)?);
    ways.push(Way::of_file("rres, plain", "loader-rres", &set.pack("plain", Stored::Plain)?)?);
    Ok(ways)
}

/// Prints all ways as a table in Markdown.
fn table(set: &Set, ways: &[Way], loaded: &[Loaded]) {
    let mut text = String::from(
        "\n| way | times as fast | bytes, of the PNGs | CPU | CPU, file not in the page cache | peak memory |\n|---|---|---|---|---|---|\n",
    );
    for (way, loaded) in ways.iter().zip(loaded) {
        let size = way.size as f64 / set.size() as f64;
        let (cpu, cold, peak) = (Seconds(loaded.cpu), Seconds(loaded.cold), Megabytes(loaded.peak));
        let cold = if way.store.is_file() { cold.to_string() } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} | {:.2} | {size:.3} | {cpu} | {cold} | {peak} |", way.label, loaded.faster);
    }
    println!("{text}");
}

/// Prints the figures that have goals.
fn goals(set: &Set, ways: &[Way], loaded: &[Loaded]) {
    let say = |id: &str, label: &str, speed: f64, size: Option<f64>| {
        let Some(at) = ways.iter().position(|way| way.label == label) else { return };
        let behind = format!("{} / {}", Seconds(loaded[0].cpu), Seconds(loaded[at].cpu));
        figure(id, format!("loose PNG / {label}"), loaded[at].faster, "×", Goal::AtLeast(speed), behind);
        if let Some(most) = size {
            let behind = format!("{} / {}", Megabytes(ways[at].size), Megabytes(set.size()));
            figure(
                id,
                format!("{label}: size / size of the files"),
                ways[at].size as f64 / set.size() as f64,
                "×",
                Goal::AtMost(most),
                behind,
            );
        }
    };
    say("P5", DEFAULT, 2.2, Some(0.8));
    say("P6", "rres, speed", 5.0, Some(1.15));
    say("P6", "rres, plain", 20.0, None);
}
