//! `cargo rres export`: an assets directory → a project file of rrespacker.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rres_engine::PlannedAsset;
use rres_format::AssetKind;
use rres_format::{Cipher, Compression};
use rres_packs::atomic_write;
use serde_json::json;

use crate::diagnostic::Diagnostic;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count};
use crate::plain_path::plain_absolute;
use crate::project_file::rrp::{self, Record};

/// Write an assets directory as a project of rrespacker
///
/// Lists every file that a build would import, with the path, the id and the compression that assets.toml gives it. Prints which
/// settings have no place in a project.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres export assets -o game.rrp
  cargo rres export assets -o game.rrp --absolute")]
pub(crate) struct Args {
    /// Path to the assets directory
    dir: PathBuf,
    /// Path of the project, which ends in `.rrp`
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Write absolute paths of files, as rrespacker does, instead of paths from the directory of the project
    #[arg(long)]
    absolute: bool,
    /// Replace an existing project
    #[arg(long)]
    force: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// The number of files in a project that rrespacker is known to open.
const RRESPACKER_LIMIT: usize = 4096;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    if !args.dir.is_dir() {
        let why = if args.dir.exists() { "it is not a directory" } else { "no such directory" };
        return Err(Failure::Usage(format!("cannot read {}: {why}", args.dir.display())));
    }
    if args.out.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("rrp")) {
        return Err(Failure::Usage(format!("--out {}: expected a file whose name ends in .rrp", args.out.display())));
    }
    let (dir, file) = (plain_absolute(&args.dir)?, plain_absolute(&args.out)?);
    let base = file.parent().unwrap_or(Path::new("/"));
    // Nothing is written to the output directory.
    let plan = match rres_build::import(&dir).out_dir(dir.parent().unwrap_or(&dir)).plan() {
        Ok(plan) => plan,
        Err(error) => {
            let diagnostics: Vec<Diagnostic> = error.diagnostics().iter().map(Diagnostic::from).collect();
            if args.json {
                let diagnostics: Vec<_> = diagnostics.iter().map(Diagnostic::to_json).collect();
                out.json(json!({ "ok": false, "project": null, "file_count": 0, "warnings": [], "diagnostics": diagnostics }))?;
            }
            for diagnostic in diagnostics {
                out.error(&diagnostic.to_string())?;
            }
            return Ok(Outcome::Faults);
        }
    };
    let records: Vec<Record> = plan.iter().map(|asset| record(asset, (!args.absolute).then_some(base))).collect();
    let text = rrp::write(&records);
    let result = if args.force {
        atomic_write::replace(&file, text.as_bytes())
    } else {
        atomic_write::create(&file, text.as_bytes())
    };
    result.map_err(|e| {
        let path = args.out.display();
        Failure::Usage(match e.kind() {
            io::ErrorKind::AlreadyExists => format!("{path} exists; replace it with --force"),
            _ => format!("cannot write {path}: {e}"),
        })
    })?;
    let warnings = warnings(&plan);
    if args.json {
        let project = file.display().to_string();
        let count = records.len();
        out.json(
            json!({ "ok": true, "project": project, "file_count": count, "warnings": warnings, "diagnostics": [] }),
        )?;
    } else {
        out.line(format!("{} written: {}", args.out.display(), count(records.len(), "file")))?;
    }
    for warning in warnings {
        out.warn(&warning)?;
    }
    Ok(Outcome::Success)
}

/// The record of one file, with a path that starts from `base` if there is one.
fn record(asset: &PlannedAsset, base: Option<&Path>) -> Record {
    let path = base.and_then(|base| relative(base, &asset.file)).unwrap_or_else(|| asset.file.display().to_string());
    let is_link = asset.kind == Some(AssetKind::Link);
    Record {
        line: 0,
        target: format!("{path}@{}", asset.path),
        is_link,
        is_raw: asset.kind == Some(AssetKind::Raw) && asset.has_explicit_kind,
        id: asset.id.map_or(0, |id| id.0),
        compression: match asset.compression {
            // Links are never compressed.
            _ if is_link => Compression::NONE,
            compression if compression.is_of_rres() => compression,
            _ => Compression::DEFLATE,
        },
        // Nor are they encrypted.
        cipher: if is_link { Cipher::NONE } else { asset.cipher },
    }
}

/// The path from a directory to a file, with `/` between folders; `None` if it would begin at another drive.
fn relative(base: &Path, file: &Path) -> Option<String> {
    let common = base.ancestors().find(|folder| file.starts_with(folder))?;
    let up = base.strip_prefix(common).ok()?.iter().count();
    let names = file.strip_prefix(common).ok()?.iter().map(|name| name.to_string_lossy().into_owned());
    Some(std::iter::repeat_n("..".to_owned(), up).chain(names).collect::<Vec<_>>().join("/"))
}

/// What a project cannot say, one line for each topic.
fn warnings(plan: &[PlannedAsset]) -> Vec<String> {
    let mut topics: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for asset in plan {
        let mut add = |topic: String| topics.entry(topic).or_default().push(&asset.path);
        if !asset.compression.is_of_rres() && asset.kind != Some(AssetKind::Link) {
            add(format!("{} is unknown to rrespacker; the project asks for DEFLATE", asset.compression));
        }
        match asset.kind {
            None => add(format!("rrespacker has no importer `{}`, and stores the bytes of its files", asset.importer)),
            Some(AssetKind::Model) => add("rrespacker imports no models, and stores their bytes".to_owned()),
            Some(AssetKind::Raw | AssetKind::Link) => {}
            Some(kind) if asset.has_explicit_kind => {
                add(format!("rrespacker goes by the extension and does not know of `kind = \"{kind}\"`"));
            }
            Some(_) => {}
        }
        for key in &asset.other_settings {
            add(format!("a project has no place for `{key}`"));
        }
        if asset.source.contains([',', '@']) || asset.path.contains([',', '@']) {
            add("rrespacker may misread a comma or an @ in a name".to_owned());
        }
    }
    let mut warnings: Vec<String> = topics.iter().map(|(topic, paths)| format!("{topic}: {}", named(paths))).collect();
    if plan.len() > RRESPACKER_LIMIT {
        warnings
            .push(format!("rrespacker opens projects of up to {RRESPACKER_LIMIT} files, and this has {}", plan.len()));
    }
    warnings
}

/// Up to three of some paths, and the number of the others.
fn named(paths: &[&str]) -> String {
    const NAMED: usize = 3;
    let first = paths[..paths.len().min(NAMED)].join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
