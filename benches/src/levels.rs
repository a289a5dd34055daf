//! The time for importing in a build script that is compiled without optimisation, as Cargo does by default, and with
//! it.

use std::collections::BTreeMap;
use std::fs;

use crate::figure::{Goal, figure};
use crate::measure::Seconds;
use crate::project::{Project, repository};
use crate::{Error, Options};

/// Imports everything without a cache on one thread, and writes a line per asset: kind, seconds, bytes of the source.
const BUILD: &str = r#"
use std::fmt::Write;

fn main() {
    println!("cargo::rerun-if-env-changed=BENCH_REPORT");
    let (report, assets) = (std::env::var("BENCH_REPORT").unwrap(), std::env::var("BENCH_ASSETS").unwrap());
    let cache = std::path::PathBuf::from(std::env::var("OUT_DIR").unwrap()).join("cold");
    let _ = std::fs::remove_dir_all(&cache);
    let built = rres_build::import(assets).cache_dir(cache).threads(1).build().unwrap();
    let mut lines = String::new();
    for asset in &built.assets {
        writeln!(lines, "{} {} {}", asset.kind, asset.elapsed.as_secs_f64(), asset.source_size).unwrap();
    }
    std::fs::write(report, lines).unwrap();
}
"#;

/// Measures the levels 0 and 3 on the assets of the example game.
pub fn run(_: &Options) -> Result<(), Error> {
    let root = repository();
    let dependencies = format!("[build-dependencies]\nrres-build = {{ path = {:?} }}\n", root.join("rres-build"));
    let mut times: BTreeMap<String, [(f64, u64); 2]> = BTreeMap::new();
    for (at, level) in ["0", "3"].into_iter().enumerate() {
        let name = format!("bench-level-{level}");
        let project = Project::create(&name, &dependencies, Some(BUILD), "fn main() {}\n")?;
        let manifest = fs::read_to_string(project.dir.join("Cargo.toml"))?;
        fs::write(project.dir.join("Cargo.toml"), manifest.replace("opt-level = 3", &format!("opt-level = {level}")))?;
        let report = tempfile::NamedTempFile::new()?;
        let mut cargo = project.cargo(&["build", "--quiet"]);
        cargo.env("BENCH_REPORT", report.path()).env("BENCH_ASSETS", root.canonicalize()?.join("assets"));
        crate::measure::run(&mut cargo)?;
        for line in fs::read_to_string(report.path())?.lines() {
            let [kind, seconds, bytes] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
            for kind in [kind, "all"] {
                let sum = &mut times.entry(kind.to_owned()).or_default()[at];
                *sum = (sum.0 + seconds.parse::<f64>()?, sum.1 + bytes.parse::<u64>()?);
            }
        }
    }
    for (kind, [(unoptimised, bytes), (optimised, _)]) in times {
        let behind =
            format!("{} / {}, {:.2} MB of sources", Seconds(unoptimised), Seconds(optimised), bytes as f64 / 1e6);
        figure(
            "opt",
            format!("{kind}: import at opt-level 0 / 3"),
            unoptimised / optimised,
            "×",
            Goal::Context,
            behind,
        );
    }
    Ok(())
}
