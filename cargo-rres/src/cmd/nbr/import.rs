//! `cargo rres nbr import`: a directory of `.nbr` files → an assets directory with `assets.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::extract::{self, Extraction, extract};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count};

/// The name of the settings file in an assets directory.
const SETTINGS_FILE: &str = "assets.toml";

/// Turn a directory of .nbr files into an assets directory
///
/// Writes what `nbr extract` writes, and an assets.toml with a group for each folder: Nikola's tool puts the files of a list into
/// such folders. Sources that are still there are better than what becomes of .nbr files; `cargo rres import LIST.nbrlist` takes those.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory with .nbr files
    dir: PathBuf,
    /// Assets directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    if !args.dir.is_dir() {
        let message =
            format!("{} is not a directory; for single files, use `cargo rres nbr extract`", args.dir.display());
        return Err(Failure::Usage(message));
    }
    let extraction = extract(std::slice::from_ref(&args.dir), &args.out, args.force, &[SETTINGS_FILE])?;
    let settings = args.out.join(SETTINGS_FILE);
    let text = text(&extraction, &args.dir);
    extract::write(&settings, text.as_bytes(), args.force)?;
    if args.json {
        let mut value = extraction.to_json();
        value["settings"] = json!(settings.display().to_string());
        out.json(value)?;
    } else {
        let dir = args.out.display();
        let files = count(extraction.written.len(), "file");
        out.line(format!(
            "{} written, with {files}; build them with `cargo rres build {dir} -o OUT.rres`",
            settings.display()
        ))?;
    }
    let outcome = extraction.report(out)?;
    if check(&args.out, out)? { Ok(outcome) } else { Ok(Outcome::Faults) }
}

/// Returns the text of `assets.toml`.
fn text(extraction: &Extraction, dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let mut text = format!("# Written by `cargo rres nbr import` from {}.\n", name.escape_debug());
    // Groups whose constants are the same are one group.
    let mut groups: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for file in &extraction.written {
        let Some((folder, _)) = file.name.split_once('/') else { continue };
        let words = folder.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let group = words.collect::<Vec<_>>().join("_").to_ascii_lowercase();
        // Constants do not begin with a digit.
        let is_cubemap_of_the_top =
            file.of == rres_import_nbr::ResourceType::Cubemap && file.name.matches('/').count() == 1;
        if group.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_cubemap_of_the_top {
            groups.entry(group).or_default().insert(folder);
        }
    }
    for (group, folders) in groups {
        let globs = folders.into_iter().map(|folder| json!(format!("{}/**", rres_build::glob_of(folder))).to_string());
        let globs: Vec<String> = globs.collect();
        // Writing to a string never fails.
        let _ = write!(text, "\n[group.{group}]\ninclude = [{}]\n", globs.join(", "));
    }
    text
}

/// Checks that a build can make constants for the files, and prints what keeps it from that.
fn check(assets: &Path, out: &mut Output) -> Result<bool, Failure> {
    let absolute = |e| Failure::Usage(format!("cannot find {}: {e}", assets.display()));
    let assets = std::path::absolute(assets).map_err(absolute)?;
    // Nothing is written to the output directory.
    match rres_build::import(&assets).out_dir(assets.parent().unwrap_or(&assets)).plan() {
        Ok(_) => Ok(true),
        Err(error) => {
            for diagnostic in error.diagnostics() {
                out.error(&diagnostic.to_string())?;
            }
            Ok(false)
        }
    }
}
