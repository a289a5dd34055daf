//! P9 and P10: the time of the next `cargo build` of a game with 10,000 assets when nothing or one asset has changed.

use std::fs;
use std::path::Path;

use crate::figure::{Goal, figure};
use crate::inputs::{png, write_tree};
use crate::measure::{Seconds, Times, median};
use crate::project::{Project, repository, workspace};
use crate::{Error, Options};

const BUILD: &str = r#"
fn main() {
    let report = rres_build::import("assets").build().unwrap_or_else(|e| panic!("{e}"));
    if let Some(file) = std::env::var_os("BENCH_PHASES") {
        let phases = report.phases;
        let took: f64 = report.assets.iter().filter(|a| !a.cached).map(|a| a.elapsed.as_secs_f64()).sum();
        let seconds = [phases.import, phases.pack, phases.generate].map(|phase| phase.as_secs_f64());
        std::fs::write(file, format!("{} {} {} {took}", seconds[0], seconds[1], seconds[2])).unwrap();
    }
}
"#;

const MAIN: &str = "#![allow(dead_code)]
rres_runtime::include_assets!();
fn main() {
    let store = assets::open().unwrap();
    println!(\"{} assets, {} constants\", store.mounts().entries().count(), assets::ALL.len());
}
";

/// The game, and two projects whose build script only watches its assets: one with the game's dependencies, one
/// without any.
struct Projects {
    game: Project,
    same_dependencies: Project,
    bare: Project,
}

fn projects(options: &Options) -> Result<Projects, Error> {
    let count = options.choose(10_000, 1_000);
    let root = repository();
    let dependencies = format!(
        "[dependencies]\nrres-runtime = {{ path = {:?} }}\n\n[build-dependencies]\n\
         rres-build = {{ path = {:?}, default-features = false, features = [\"image\", \"sound\"] }}\n",
        root.join("rres-runtime"),
        root.join("rres-build")
    );
    let game = Project::create("bench-game", &dependencies, Some(BUILD), MAIN)?;
    let assets = game.dir.join("assets");
    // Otherwise what an earlier run imported would be found in the cache.
    for old in [&assets, &workspace().join("cache")] {
        if old.exists() {
            fs::remove_dir_all(old)?;
        }
    }
    write_tree(&assets, count)?;
    let watch = format!("fn main() {{ println!(\"cargo::rerun-if-changed={{}}\", {assets:?}); }}\n");
    let idle = "fn main() {}\n";
    let same_dependencies = Project::create("bench-watch-same", &dependencies, Some(&watch), idle)?;
    let bare = Project::create("bench-watch", "", Some(&watch), idle)?;
    println!("P9    {count} assets; the first build compiles the importers, which takes a minute or two");
    for project in [&game, &same_dependencies, &bare] {
        project.build(&[])?;
    }
    Ok(Projects { game, same_dependencies, bare })
}

/// Measures P9.
pub fn no_op(options: &Options) -> Result<(), Error> {
    let Projects { game, same_dependencies, bare } = projects(options)?;
    let mut cpu = vec![Vec::new(); 3];
    let mut wall = cpu.clone();
    for _ in 0..options.choose(15, 3) {
        for (way, project) in [&bare, &same_dependencies, &game].into_iter().enumerate() {
            let used = project.build(&[])?;
            cpu[way].push(used.cpu);
            wall[way].push(used.wall);
        }
    }
    let (cpu, wall) = (Times::of(cpu), Times::of(wall));
    for (what, to) in [
        ("no-op cargo build / build script that only watches", 1),
        ("the same / build script that only watches, no dependencies", 0),
    ] {
        let behind = format!(
            "{} / {} CPU; wall {:.2}×, {} / {}",
            Seconds(cpu.median(2)),
            Seconds(cpu.median(to)),
            wall.ratio(2, to),
            Seconds(wall.median(2)),
            Seconds(wall.median(to))
        );
        figure("P9", what, cpu.ratio(2, to), "×", if to == 1 { Goal::AtMost(1.3) } else { Goal::Context }, behind);
    }
    let recompiled = game.artifacts(&[])?.iter().filter(|artifact| !artifact.fresh).count();
    figure("P9", "crates recompiled", recompiled as f64, "", Goal::AtMost(0.0), "");
    Ok(())
}

/// Measures P10.
pub fn touch_one(options: &Options) -> Result<(), Error> {
    let Projects { game, .. } = projects(options)?;
    let assets = game.dir.join("assets");
    let phases_file = workspace().join("phases.txt");
    let mut columns: [Vec<f64>; 9] = Default::default();
    for round in 0..options.choose(9, 3) {
        let no_op = game.build(&[])?.cpu;
        let started = cpu_time::ProcessTime::now();
        stat_all(&assets)?;
        let stat = started.elapsed().as_secs_f64();
        touch_source(&game.dir.join("src/main.rs"))?;
        let rustc = game.build(&[])?.cpu - no_op;
        fs::write(assets.join("area_000/asset_00000.png"), png(32, 1_000_000 + round)?)?;
        let used = crate::measure::run(game.cargo(&["build", "--quiet"]).env("BENCH_PHASES", &phases_file))?;
        let said = fs::read_to_string(&phases_file)?;
        let phases = said.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        let [import, pack, generate, took] = phases[..] else { return Err("a phase is missing".into()) };
        let bound = no_op + 2.0 * stat + took + rustc;
        for (column, value) in
            columns.iter_mut().zip([used.cpu / bound, used.cpu, no_op, stat, took, rustc, import, pack, generate])
        {
            column.push(value);
        }
    }
    let [ratio, used, no_op, stat, took, rustc, import, pack, generate] = columns.map(median);
    let s = Seconds;
    let behind = format!(
        "{} / {} (no-op {} + 2 × stat {} + import {} + rustc {}), CPU",
        s(used),
        s(no_op + 2.0 * stat + took + rustc),
        s(no_op),
        s(stat),
        s(took),
        s(rustc)
    );
    figure("P10", "one asset of many changed / the sum it may cost", ratio, "×", Goal::AtMost(1.0), behind);
    let own = import + pack + generate;
    let behind = format!("find and import {}, dev index {}, module {}; wall", s(import), s(pack), s(generate));
    figure(
        "P10",
        "the build script itself / 2 × stat + import of one",
        own / (2.0 * stat + took),
        "×",
        Goal::Context,
        behind,
    );
    Ok(())
}

fn touch_source(file: &Path) -> Result<(), Error> {
    fs::write(file, fs::read(file)?)?;
    Ok(())
}

/// Reads the size and time of every file below a directory with nothing but the standard library.
pub fn stat_all(dir: &Path) -> Result<usize, Error> {
    let mut files = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files += stat_all(&entry.path())?;
        } else {
            std::hint::black_box(entry.metadata()?.modified()?);
            files += 1;
        }
    }
    Ok(files)
}
