//! P15: the time and memory that rustc needs per constant of the generated module, compared with bare integers of the
//! same names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::figure::{Goal, figure};
use crate::measure::{Megabytes, Seconds, Usage, median, run as run_command};
use crate::project::{Project, repository};
use crate::{Error, Options};

/// Measures P15.
pub fn run(options: &Options) -> Result<(), Error> {
    let dependencies = format!("[dependencies]\nrres-runtime = {{ path = {:?} }}\n", repository().join("rres-runtime"));
    let main = "fn main() { let _ = rres_runtime::Pack::open(\"\"); }\n";
    let project = Project::create("bench-constants", &dependencies, None, main)?;
    let artifacts = project.artifacts(&[])?;
    let runtime =
        artifacts.iter().find(|artifact| artifact.name == "rres_runtime").ok_or("no rres_runtime was built")?;
    let runtime = runtime.files.iter().find(|file| file.extension().is_some_and(|e| e == "rlib"));
    let runtime = runtime.ok_or("rres_runtime was not built as a library")?;
    for count in options.choose(vec![10_000, 65_000], vec![1_000]) {
        one_size(options, runtime, count)?;
    }
    Ok(())
}

fn one_size(options: &Options, runtime: &Path, count: usize) -> Result<(), Error> {
    let dir = tempfile::tempdir()?;
    let assets = dir.path().join("assets");
    for i in 0..count {
        let folder = assets.join(format!("area_{:03}", i / 100));
        if i % 100 == 0 {
            fs::create_dir_all(&folder)?;
        }
        fs::write(folder.join(format!("line_{i:05}.txt")), format!("line {i}"))?;
    }
    let out = dir.path().join("out");
    let report =
        rres_build::import(&assets).out_dir(&out).cache_dir(dir.path().join("cache")).debug(true).threads(2).build()?;
    let text = fs::read_to_string(&report.module)?;
    let integers = as_integers(&text);
    let found = integers.matches(" const ").count();
    if found != count {
        return Err(format!("{found} constants in the generated module, expected {count}").into());
    }
    let mut rustc = Vec::new();
    for (name, body) in [("empty", String::new()), ("integers", integers), ("module", text)] {
        let file = dir.path().join(format!("{name}.rs"));
        fs::write(&file, format!("#![allow(dead_code)]\nextern crate rres_runtime;\npub mod assets {{\n{body}\n}}\n"))?;
        rustc.push(file);
    }
    let mut used: Vec<Vec<Usage>> = vec![Vec::new(); 3];
    for _ in 0..options.choose(if count > 20_000 { 3 } else { 7 }, 3) {
        for (file, used) in rustc.iter().zip(&mut used) {
            used.push(compile(file, runtime, dir.path())?);
        }
    }
    let cpu = |way: usize| median(used[way].iter().map(|used| used.cpu).collect());
    let wall = |way: usize| median(used[way].iter().map(|used| used.wall).collect());
    let peak = |way: usize| median(used[way].iter().map(|used| used.peak as f64).collect());
    let per = |way: usize| Seconds((cpu(way) - cpu(0)) / count as f64);
    let ratios = (used[0].iter().zip(&used[1]).zip(&used[2]))
        .map(|((empty, integers), module)| (module.cpu - empty.cpu) / (integers.cpu - empty.cpu));
    let behind = format!("{} / {} each; an empty crate: {}", per(2), per(1), Seconds(cpu(0)));
    let what = format!("{count} generated constants / `pub const X: u32`, rustc CPU");
    figure("P15", what, median(ratios.collect()), "×", Goal::AtMost(2.0), behind);
    let goals = if count == 65_000 { (Goal::AtMost(4.0), Goal::AtMost(500.0)) } else { (Goal::Context, Goal::Context) };
    let behind = format!("CPU {}; integers {} wall", Seconds(cpu(2)), Seconds(wall(1)));
    figure("P15", format!("{count} generated constants, seconds of rustc, wall"), wall(2), " s", goals.0, behind);
    let behind = format!("integers {}, an empty crate {}", Megabytes(peak(1) as u64), Megabytes(peak(0) as u64));
    figure("P15", format!("{count} generated constants, peak memory"), peak(2) / 1e6, " MB", goals.1, behind);
    Ok(())
}

fn compile(file: &Path, runtime: &Path, out: &Path) -> Result<Usage, Error> {
    let dependencies: PathBuf = match runtime.parent() {
        Some(dir) if dir.ends_with("deps") => dir.to_owned(),
        Some(dir) => dir.join("deps"),
        None => return Err("the path of rres_runtime has no directory".into()),
    };
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "--crate-type=lib", "--emit=link,metadata", "-Cdebuginfo=2"]);
    rustc.arg(format!("-Ldependency={}", dependencies.display()));
    rustc.arg(format!("--extern=rres_runtime={}", runtime.display()));
    run_command(rustc.arg("--out-dir").arg(out).arg(file))
}

/// Returns the same modules and names with integers instead of ids, and nothing else.
fn as_integers(module: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for line in module.lines().map(str::trim) {
        if line.starts_with("pub mod ") {
            depth += 1;
            out += line;
            out.push('\n');
        } else if line == "}" && depth > 0 {
            depth -= 1;
            out += "}\n";
        } else if let Some(rest) = line.strip_prefix("pub const ")
            && let Some((name, value)) = rest.split_once(": ")
            && let Some((_, id)) = value.split_once("{ id: ")
            && let Some((number, _)) = id.split_once(',')
            && let Some((_, id)) = number.split_once('_')
        {
            out += &format!("pub const {name}: u32 = 0x{id};\n");
        }
    }
    out
}
