//! Loads whole folders of real files: from packs of each profile, and as programs without a pack do it, which decode loose files,
//! files in the executable and files of a zip archive.
//!
//! Every way ends with the same: pixels, samples, texts and bytes in memory, and the glyphs of ASCII at 32 pixels. Short
//! sounds that packs keep as files are decoded, too; sounds of over 10 s are left encoded on all sides, because games decode music
//! while it plays.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use loader::Kind;
use rres_build::settings::Profile;

use crate::archives::zip_of_sources;
use crate::loaders::{Way, compare};
use crate::measure::Megabytes;
use crate::sets::{Stored, folder};
use crate::{Error, Options};

/// Larger folders are thinned out evenly, so that decoding their music does not take minutes a round.
const MOST_BYTES: u64 = 24 << 20;

/// The sides that packs are compared with, and the profiles. The first one is the measure.
const SIDES: [&str; 6] = ["loose files", "in the executable", "zip -9", "size", "balanced", "speed"];
const PROFILES: [Profile; 3] = [Profile::Size, Profile::Balanced, Profile::Speed];

/// What was measured of one folder, by side.
struct Row {
    name: String,
    files: usize,
    bytes: u64,
    sizes: Vec<u64>,
    /// CPU time, as parts of the time of loose files.
    one_thread: Vec<f64>,
    /// Elapsed time of the process, likewise.
    two_threads: Vec<f64>,
}

/// Measures every folder of `--folder`, and draws `--plot`.
pub fn run(options: &Options) -> Result<(), Error> {
    if options.folders.is_empty() {
        return Err("needs real files: --folder DIR, for example an unpacked minetest-data; may be repeated".into());
    }
    let rows = options.folders.iter().map(|folder| measure(options, folder)).collect::<Result<Vec<_>, _>>()?;
    println!("\n| folder | files | sources | {} |", SIDES[1..].join(" | "));
    println!("|---|---|---|{}", "---|".repeat(SIDES.len() - 1));
    for row in &rows {
        let cell = |side: usize| {
            let size = row.sizes[side] as f64 / row.bytes as f64;
            format!("{:.1}×, {:.1}×; {size:.2}", 1.0 / row.one_thread[side], 1.0 / row.two_threads[side])
        };
        let cells: Vec<String> = (1..SIDES.len()).map(cell).collect();
        println!("| {} | {} | {} | {} |", row.name, row.files, Megabytes(row.bytes), cells.join(" | "));
    }
    if let Some(file) = &options.plot {
        fs::write(file, plot(&rows))?;
    }
    Ok(())
}

fn measure(options: &Options, path: &Path) -> Result<Row, Error> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = if name == "assets" { "the example".to_owned() } else { name };
    let set = folder(options, path, options.choose(MOST_BYTES, 1 << 20))?;
    let loose = |label: &str, loader| Way { label: label.to_owned(), loader, store: set.folder(), size: set.size() };
    let mut ways = vec![
        loose(SIDES[0], "loader-files"),
        loose(SIDES[1], "loader-embed"),
        Way::of_file(SIDES[2], "loader-zip", &zip_of_sources(&set)?)?,
    ];
    for (label, profile) in SIDES[3..].iter().zip(PROFILES) {
        ways.push(Way::of_file(*label, "loader-rres", &set.pack(label, Stored::Profile(profile))?)?);
    }
    let one = compare(options, &set, &ways, 1)?;
    let two = compare(options, &set, &ways, 2)?;
    let share = |kind: Kind| {
        let files = set.sources.iter().filter(|source| source.kind == kind);
        let bytes: usize = files.map(|source| source.bytes.len()).sum();
        (bytes > 0).then(|| format!("{} {:.0} %", kind.name(), bytes as f64 / set.size() as f64 * 100.0))
    };
    let shares: Vec<String> = Kind::ALL.iter().filter_map(|(kind, _)| share(*kind)).collect();
    println!("{name}: {} files, {}: {}", set.sources.len(), Megabytes(set.size()), shares.join(", "));
    Ok(Row {
        name,
        files: set.sources.len(),
        bytes: set.size(),
        sizes: ways.iter().map(|way| way.size).collect(),
        one_thread: one.iter().map(|loaded| 1.0 / loaded.faster).collect(),
        two_threads: two.iter().map(|loaded| 1.0 / loaded.faster_process).collect(),
    })
}

/// Draws the times of all sides as bars, on one thread, as parts of the time that loose files take.
fn plot(rows: &[Row]) -> String {
    const BAR: usize = 18;
    const WIDTH: f64 = 340.0;
    let group = SIDES.len() * BAR + 46;
    let height = rows.len() * group + 40;
    let longest = rows.iter().flat_map(|row| &row.one_thread).fold(1.0, |most: f64, time| most.max(*time));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"680\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"15\">Time to load a folder; loose files are 1. Shorter is better.</text>\n"
    );
    for (number, row) in rows.iter().enumerate() {
        let top = 40 + number * group;
        let _ = writeln!(
            svg,
            "<text x=\"16\" y=\"{}\" font-weight=\"bold\">{}: {} files, {}</text>",
            top + 16,
            row.name,
            row.files,
            Megabytes(row.bytes)
        );
        for (side, time) in row.one_thread.iter().enumerate() {
            let y = top + 24 + side * BAR;
            let length = time / longest * WIDTH;
            let color = if side < 3 { "#b4b9c1" } else { "#2f7d5b" };
            let size = row.sizes[side] as f64 / row.bytes as f64;
            let name = if side < 3 { SIDES[side].to_owned() } else { format!("pack, {}", SIDES[side]) };
            let _ = writeln!(
                svg,
                "<text x=\"140\" y=\"{0}\" text-anchor=\"end\">{name}</text><rect x=\"148\" y=\"{1}\" width=\"{length:.1}\" height=\"{2}\" fill=\"{color}\"/>\
                 <text x=\"{3:.1}\" y=\"{0}\">{time:.2} <tspan fill=\"#777\">({size:.2} of the bytes)</tspan></text>",
                y + 13,
                y + 2,
                BAR - 4,
                154.0 + length,
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}
