//! `cargo rres schema`: a JSON Schema of `assets.toml`, with which editors complete and check it.

mod document;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rres_packs::atomic_write;
use rres_settings::{Description, SETTINGS_FILE, file_shape};

use crate::asset_builds::{AssetBuild, AssetBuilds, BuildArgs};
use crate::cargo;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};
use crate::plain_path::{plain_absolute, without_dots};

/// Write a JSON Schema of assets.toml, for editors
///
/// Editors that know TOML complete, explain and check assets.toml by it. The schema contains the settings of the importers that the package's
/// build script registers, if the package has been built. Outside of a package, it is the schema of a package without any.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres schema -o assets.schema.json            the schema, and the line that turns it on
  cargo rres schema -o assets.schema.json --check    for CI")]
pub(crate) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    /// File to write, outside of the assets directory [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write nothing, and exit with code 1 if the file is out of date
    #[arg(long, requires = "out")]
    check: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let builds = match args.builds.is_default() && cargo::root(None).is_err() {
        true => None,
        false => Some(args.builds.find(out)?),
    };
    let builds = builds.as_ref().map_or(&[][..], |AssetBuilds { builds, .. }| builds);
    let text = text(&importers(builds));
    let Some(file) = &args.out else {
        out.bytes(text.as_bytes())?;
        return Ok(Outcome::Success);
    };
    let absolute = plain_absolute(file)?;
    if let Some(AssetBuild { dir, .. }) = builds.iter().find(|build| absolute.starts_with(without_dots(&build.dir))) {
        let (file, dir) = (file.display(), dir.display());
        return Err(Failure::Usage(format!("{file} would be an asset, in {dir}: write it beside the directory")));
    }
    let name = escape_terminal(&file.display().to_string());
    match fs::read(file) {
        // Git may have given the lines other ends.
        Ok(old) if String::from_utf8(old.clone()).is_ok_and(|old| old.replace("\r\n", "\n") == text) => {
            out.line(format!("{name} is up to date"))?
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Failure::Usage(format!("cannot read {name}: {error}")));
        }
        _ if args.check => {
            out.error(&format!("{name} is out of date; run `cargo rres schema -o {name}` and commit it"))?;
            return Ok(Outcome::Faults);
        }
        _ => {
            atomic_write::replace(file, text.as_bytes())
                .map_err(|e| Failure::Usage(format!("cannot write {name}: {e}")))?;
            out.line(format!("{name} written"))?;
        }
    }
    for AssetBuild { dir, .. } in builds.iter().filter(|_| !args.check) {
        let settings = dir.join(SETTINGS_FILE);
        let line = format!("#:schema {}", relative(&absolute, &without_dots(dir)));
        let text = fs::read_to_string(&settings).unwrap_or_default();
        if !text.lines().any(|found| found.trim_end() == line) {
            let here = std::env::current_dir().unwrap_or_default();
            let settings = settings.strip_prefix(&here).unwrap_or(&settings).display().to_string();
            out.line(format!("write at the top of {}: {}", escape_terminal(&settings), escape_terminal(&line)))?;
        }
    }
    Ok(Outcome::Success)
}

/// The text of the schema for a build script with these importers.
fn text(importers: &[Description]) -> String {
    format!("{:#}\n", document::document(&file_shape(importers)))
}

/// The importers that the builds register; of those with one name, the first.
fn importers(builds: &[AssetBuild]) -> Vec<Description> {
    let mut all: Vec<Description> = Vec::new();
    for importer in builds.iter().flat_map(|build| build.build.importer_descriptions()) {
        if all.iter().all(|other| other.name != importer.name) {
            all.push(importer);
        }
    }
    all
}

/// The path of a file from a directory, with `/` between folders, if the file is in one of the folders above; its whole path otherwise.
fn relative(file: &Path, dir: &Path) -> String {
    let steps = dir.ancestors().position(|above| file.starts_with(above));
    let below = steps.and_then(|steps| Some((steps, file.strip_prefix(dir.ancestors().nth(steps)?).ok()?)));
    match below {
        // A common root of two drives or of everything is not worth a chain of dots.
        Some((steps, rest)) if steps <= 4 => {
            format!("{}{}", "../".repeat(steps), rest.display().to_string().replace('\\', "/"))
        }
        _ => file.display().to_string(),
    }
}
