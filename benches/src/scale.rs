//! How the cost of a debug build grows with the number of sources, from a thousand to a million.
//!
//! The sources are small texts, so that their number matters and not their bytes. The build script is this program, started once more as Cargo
//! starts a build script, but optimised. Cargo's own work and rustc's are not in it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::figure::{Goal, figure};
use crate::measure::{Seconds, Usage, median, run};
use crate::project::workspace;
use crate::{Error, Options};

/// The argument with which this program is the build script.
pub const SCRIPT: &str = "scale-script";

/// Sources in one folder.
const FOLDER: usize = 1000;

/// A build says nothing about times of files that are as recent as this.
const TICK: Duration = Duration::from_millis(2100);

/// The build script of a directory of sources, or with `stat` a look at each file of it.
pub fn script(arguments: &[String]) -> Result<(), Error> {
    match arguments {
        [dir] => rres_build::import(dir).name("scale").build_or_exit(),
        [dir, _] => {
            println!("{}", stat(Path::new(dir))?);
        }
        _ => return Err("expected a directory".into()),
    }
    Ok(())
}

/// The bytes of all files below a directory, as `find -size` looks at them.
fn stat(dir: &Path) -> Result<u64, Error> {
    let mut bytes = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        bytes += match entry.file_type()?.is_dir() {
            true => stat(&entry.path())?,
            false => entry.metadata()?.len(),
        };
    }
    Ok(bytes)
}

/// What a number of sources costs: seconds and bytes of memory.
struct Row {
    sources: usize,
    stat: f64,
    nothing: f64,
    edit: f64,
    first: f64,
    memory: [f64; 2],
}

/// Measures builds of more and more sources.
pub fn curves(options: &Options) -> Result<(), Error> {
    let most = options.sources.unwrap_or_else(|| options.choose(1_000_000, 10_000));
    let mut rows = Vec::new();
    for sources in (3..).map(|power| 10_usize.pow(power)).take_while(|sources| *sources <= most) {
        rows.push(measure(sources, options)?);
    }
    for Row { sources, stat, nothing, edit, first, memory } in &rows {
        let id = "scale";
        let behind = format!("{} / {}", Seconds(*nothing), Seconds(*stat));
        figure(
            id,
            format!("{sources} sources: nothing changed / a stat of each"),
            nothing / stat,
            "×",
            Goal::AtMost(2.0),
            behind,
        );
        let behind = format!("{} / {}", Seconds(*edit), Seconds(*stat));
        figure(id, format!("{sources} sources: one changed / a stat of each"), edit / stat, "×", Goal::Context, behind);
        figure(
            id,
            format!("{sources} sources: first build, a source"),
            first / *sources as f64 * 1e6,
            " µs",
            Goal::Context,
            Seconds(*first),
        );
        for (what, bytes) in ["nothing changed", "one changed"].iter().zip(memory) {
            figure(id, format!("{sources} sources: memory, {what}"), bytes / 1e6, " MB", Goal::AtMost(1000.0), "");
        }
    }
    if let Some(file) = &options.plot {
        fs::write(file, plot(&rows))?;
    }
    Ok(())
}

fn measure(sources: usize, options: &Options) -> Result<Row, Error> {
    let base = workspace().join(format!("scale-{sources}"));
    let (assets, out, cache) = (base.join("assets"), base.join("out"), base.join("cache"));
    if base.exists() {
        fs::remove_dir_all(&base)?;
    }
    fs::create_dir_all(&out)?;
    for number in 0..sources {
        let folder = assets.join(format!("area_{:04}", number / FOLDER));
        if number % FOLDER == 0 {
            fs::create_dir_all(&folder)?;
        }
        fs::write(folder.join(format!("asset_{number:07}.txt")), format!("the text of asset {number}\n"))?;
    }
    let program = std::env::current_exe()?;
    let start = |arguments: &[&std::ffi::OsStr]| {
        let mut command = Command::new(&program);
        command.arg(SCRIPT).args(arguments).env("OUT_DIR", &out).env("PROFILE", "debug").env("RRES_CACHE_DIR", &cache);
        command.env("CARGO_MANIFEST_DIR", &base).env("RRES_CACHE_SIZE", "off").env_remove("RRES_SERVE");
        run(&mut command)
    };
    let build = || start(&[assets.as_os_str()]);
    let first = build()?;
    std::thread::sleep(TICK);
    // Records that the files are old enough.
    build()?;
    let rounds = options.rounds.unwrap_or_else(|| options.choose(5, 1));
    let (mut stats, mut nothings, mut edits, mut memory) = (Vec::new(), Vec::new(), Vec::new(), [0.0_f64; 2]);
    for round in 0..rounds {
        stats.push(start(&[assets.as_os_str(), "stat".as_ref()])?.wall);
        let Usage { wall, peak, .. } = build()?;
        nothings.push(wall);
        memory[0] = memory[0].max(peak as f64);
        fs::write(assets.join("area_0000/asset_0000000.txt"), format!("another text, {round}\n"))?;
        let Usage { wall, peak, .. } = build()?;
        edits.push(wall);
        memory[1] = memory[1].max(peak as f64);
        std::thread::sleep(TICK);
        build()?;
    }
    fs::remove_dir_all(&base)?;
    Ok(Row { sources, stat: median(stats), nothing: median(nothings), edit: median(edits), first: first.wall, memory })
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;

/// The name, the colour and the seconds of a curve.
type Curve = (&'static str, &'static str, fn(&Row) -> f64);

const CURVES: [Curve; 4] = [
    ("first build", "#888", |row| row.first),
    ("one source changed", "#c60", |row| row.edit),
    ("nothing changed", "#06c", |row| row.nothing),
    ("a stat of each", "#393", |row| row.stat),
];

/// Draws the curves, with logarithmic axes.
fn plot(rows: &[Row]) -> String {
    let sources: Vec<f64> = rows.iter().map(|row| row.sources as f64).collect();
    let seconds: Vec<f64> = CURVES.iter().flat_map(|(.., of)| rows.iter().map(of)).collect();
    let ends = |values: &[f64]| {
        let logs = values.iter().map(|value| value.log10());
        (logs.clone().fold(f64::INFINITY, f64::min).floor(), logs.fold(f64::NEG_INFINITY, f64::max).ceil())
    };
    let ((from, to), (low, high)) = (ends(&sources), ends(&seconds));
    let x = |value: f64| LEFT + (value.log10() - from) / (to - from).max(1.0) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - (value.log10() - low) / (high - low).max(1.0) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"18\">Seconds of a debug build by number of sources</text>\n"
    );
    // Writing to memory never fails.
    for power in low as i32..=high as i32 {
        let (value, right) = (10_f64.powi(power), WIDTH - RIGHT);
        let at = y(value);
        _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value} s</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    for power in from as i32..=to as i32 {
        let at = x(10_f64.powi(power));
        _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">10{}</text>",
            HEIGHT - BOTTOM + 18.0,
            superscript(power)
        );
    }
    let mut names = Vec::new();
    for (name, colour, of) in CURVES {
        let points: Vec<String> =
            rows.iter().map(|row| format!("{:.1},{:.1}", x(row.sources as f64), y(of(row)))).collect();
        _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        names.extend(rows.last().map(|last| (y(of(last)) + 4.0, name, colour)));
    }
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut above = 0.0_f64;
    for (at, name, colour) in names {
        // Lines of text do not overlap.
        above = at.max(above + 14.0);
        _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{above:.1}\" fill=\"{colour}\">{name}</text>", WIDTH - RIGHT + 8.0);
    }
    svg.push_str("</svg>\n");
    svg
}

fn superscript(power: i32) -> String {
    let digit = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10).unwrap_or_default() as usize);
    power.to_string().chars().filter_map(digit).collect()
}
