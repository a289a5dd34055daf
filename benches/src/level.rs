//! P7: from the start of a process to a level of real images, sounds, fonts and models, on two threads and a warm page cache.

use rres_build::settings::Profile;

use crate::archives::zip_of_sources;
use crate::figure::{Goal, figure};
use crate::loaders::{Way, compare};
use crate::measure::{Megabytes, Seconds};
use crate::sets::{Stored, level};
use crate::{Error, Options};

/// Measures P7.
pub fn run(options: &Options) -> Result<(), Error> {
    if options.folders.is_empty() {
        return Err("needs real files: --folder DIR, for example an unpacked supertux-data; may be repeated".into());
    }
    let set = level(options)?;
    let ways = [
        Way { label: "loose files".to_owned(), loader: "loader-files", store: set.folder(), size: set.size() },
        Way::of_file("zip -9", "loader-zip", &zip_of_sources(&set)?)?,
        Way::of_file("default", "loader-rres", &set.pack("balanced", Stored::Profile(Profile::Balanced))?)?,
        Way::of_file("speed", "loader-rres", &set.pack("speed", Stored::Profile(Profile::Speed))?)?,
    ];
    println!("P7    {} files, {}", set.sources.len(), Megabytes(set.size()));
    let loaded = compare(options, &set, &ways, 2)?;
    for (way, loaded) in ways.iter().zip(&loaded).skip(1) {
        let goal = if way.label == "default" { Goal::AtLeast(4.0) } else { Goal::Context };
        let behind = format!("{}, wall, two threads; CPU {}", Seconds(loaded.process), Seconds(loaded.cpu));
        figure(
            "P7",
            format!("process start to a level: loose files / {}", way.label),
            loaded.faster_process,
            "×",
            goal,
            behind,
        );
    }
    let (way, default) = (&ways[2], &loaded[2]);
    let behind = format!("{} / {}", Megabytes(way.size), Megabytes(set.size()));
    figure(
        "P7",
        "size of the pack / of the files",
        way.size as f64 / set.size() as f64,
        "×",
        Goal::AtMost(0.7),
        behind,
    );
    let behind = format!("{} peak, {} decoded", Megabytes(default.peak), Megabytes(default.decoded));
    let beyond = default.peak.saturating_sub(default.decoded) as f64 / 1e6;
    figure("P7", "memory beyond what is decoded", beyond, " MB", Goal::AtMost(16.0), behind);
    Ok(())
}
