//! `cargo rres build`: does what `build.rs` does, without Cargo. `rres-build` does the work.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rres_engine::cache::RemoteUse;
use rres_engine::{
    AssetReport, Build, FarmUse, NoteGroup, PackMode, Phases, Report, TargetBuild, TargetFile, target_directory,
};
use rres_format::AssetKind;
use rres_packs::atomic_write;
use rres_packs::progress::{Progress, ProgressMeter};
use rres_settings::diagnostic::{BuildError, SUGGESTION};
use rres_settings::{ByteSize, RefusedFiles};
use serde_json::{Value, json};

use crate::cargo::TargetsArgs;
use crate::diagnostic::{Diagnostic, lint_json};
use crate::exit::{Failure, Outcome};
use crate::farm::FarmArgs;
use crate::key::{self, KeyArgs};
use crate::output::{Column, Output, Style, Table, escape_terminal};
use crate::progress_bar::ProgressBar;

/// Build the pack of an assets directory and its Rust module
///
/// To write the pack alone, as for a mod or a program in another language, use `cargo rres pack`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres build assets -o out             out/assets.rres and the module out/assets.rs
  cargo rres build winter -o mods/winter.rres
  cargo rres build assets -o out --json      what was built, for scripts")]
pub(crate) struct Args {
    /// Path to the assets directory
    dir: PathBuf,
    #[command(flatten)]
    options: BuildOptions,
    #[command(flatten)]
    shown: ShownOptions,
}

/// How `build` and `pack` say what they made.
#[derive(Debug, clap::Args)]
pub(crate) struct ShownOptions {
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
    /// List the ten assets that took the longest
    #[arg(short, long)]
    verbose: bool,
}

/// The options that `build` and `watch` have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct BuildOptions {
    /// Directory for the pack and the module, created if it does not exist; or path of the pack, if it ends in .rres
    #[arg(short, long, value_name = "PATH")]
    out: PathBuf,
    /// Write the dev index of a debug build instead of a pack
    #[arg(long)]
    debug: bool,
    /// Name of the pack without extension [default: the name in assets.toml, or else assets]
    #[arg(long, value_parser = parse_name)]
    name: Option<String>,
    #[command(flatten)]
    import: ImportOptions,
}

/// The options that all subcommands that build have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportOptions {
    /// Number of assets to import in parallel [default: number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Build assets of these kinds only, and what they need: image, sound, font, model, text, raw, link
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = parse_kind)]
    only: Vec<AssetKind>,
    /// Leave out files that are refused, and warn, instead of failing
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    targets: TargetsArgs,
    #[command(flatten)]
    farm: FarmArgs,
    #[command(flatten)]
    key: KeyArgs,
}

/// The number of slowest assets that are listed.
const SLOWEST: usize = 10;

/// The numbers of assets so far, which a failed build reports.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    assets: usize,
    cached: usize,
    imported: usize,
    failed: usize,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let dir = assets_directory("build", &args.dir)?;
    let build = args.options.configure(rres_build::import(dir))?;
    run_builds(build, args.options.import.several_targets(), &args.shown, true, out)
}

/// Runs a build, or one for each of several targets, and prints what they have made.
pub(super) fn run_builds(
    build: Build,
    targets: &[String],
    shown: &ShownOptions,
    has_module: bool,
    out: &mut Output,
) -> Result<Outcome, Failure> {
    if targets.is_empty() {
        return run_build(build, shown, has_module, out);
    }
    let builds = build.for_targets(targets).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut outcome = Outcome::Success;
    let mut all = Vec::new();
    for TargetBuild { target, build, .. } in builds {
        let (result, counts) = build_with_bar(build);
        if !shown.json {
            out.styled_line(Style::Bold, &escape_terminal(&target))?;
        }
        let mut json = match &result {
            Ok(report) => {
                let module = Some(report.module.as_path()).filter(|_| has_module);
                if !shown.json {
                    print(report, module, shown.verbose, out)?;
                    out.line(format!("  {} of video memory", ByteSize(report.video_memory())))?;
                }
                report_json(report, module)
            }
            Err(error) => {
                print_error(error, counts, out)?;
                outcome = Outcome::Faults;
                error_json(error, counts)
            }
        };
        json["target"] = target.into();
        all.push(json);
    }
    if shown.json {
        out.json(json!({ "ok": outcome == Outcome::Success, "targets": all }))?;
    }
    Ok(outcome)
}

/// Runs a build and prints what it has made. `has_module` is whether it writes a module.
fn run_build(build: Build, shown: &ShownOptions, has_module: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let (result, counts) = build_with_bar(build);
    match result {
        Ok(report) => {
            let module = Some(report.module.as_path()).filter(|_| has_module);
            match shown.json {
                true => out.json(report_json(&report, module))?,
                false => print(&report, module, shown.verbose, out)?,
            }
        }
        Err(error) => {
            if shown.json {
                out.json(error_json(&error, counts))?;
            }
            print_error(&error, counts, out)?;
            return Ok(Outcome::Faults);
        }
    }
    Ok(Outcome::Success)
}

/// Runs a build, with a bar on terminals.
pub(crate) fn build_with_bar(build: Build) -> (Result<Report, BuildError>, Counts) {
    with_bar(build, Build::build)
}

/// Runs what imports the assets of a build, with a bar on terminals.
pub(crate) fn with_bar<T>(
    build: Build,
    run: impl FnOnce(Build) -> Result<T, BuildError>,
) -> (Result<T, BuildError>, Counts) {
    let bar = ProgressBar::start();
    let counts = Arc::new(Mutex::new(Counts::default()));
    let result = run(build.progress(report_progress(bar.meter(), Arc::clone(&counts))));
    bar.stop();
    let counts = *counts.lock().unwrap_or_else(PoisonError::into_inner);
    (result, counts)
}

/// Returns the callback that passes the progress of a build to the bar, and keeps its numbers.
fn report_progress(
    meter: ProgressMeter,
    counts: Arc<Mutex<Counts>>,
) -> impl Fn(&rres_engine::Progress<'_>) + Send + Sync {
    move |progress| {
        let rres_engine::Progress { assets, cached, imported, failed, bytes, bytes_done, path, running, .. } =
            *progress;
        *counts.lock().unwrap_or_else(PoisonError::into_inner) = Counts { assets, cached, imported, failed };
        let done = progress.done();
        let item = match running {
            "" if done == assets => "writing packs and module",
            "" => path,
            running => running,
        };
        let item = item.to_owned();
        meter.set(Progress { noun: "assets", count: assets, done, failed, bytes, bytes_done, item });
    }
}

/// Returns the absolute path of an assets directory, which must exist. `verb` is for the error: "build".
pub(super) fn assets_directory(verb: &str, dir: &Path) -> Result<PathBuf, Failure> {
    if !dir.is_dir() {
        let why = if dir.exists() { "it is not a directory" } else { "no such directory" };
        return Err(Failure::Usage(format!("cannot {verb} {}: {why}", dir.display())));
    }
    absolute(dir)
}

impl BuildOptions {
    /// Whether the build is for several targets.
    pub(crate) fn has_several_targets(&self) -> bool {
        !self.import.several_targets().is_empty()
    }

    /// Returns the packs that are where this build would put its own.
    pub(crate) fn existing_packs(&self) -> Vec<PathBuf> {
        let is_pack = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "rres") && file.is_file();
        let inside = std::fs::read_dir(&self.out).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut packs: Vec<PathBuf> = inside.chain([self.out.clone()]).filter(is_pack).collect();
        packs.sort();
        packs
    }

    /// Returns `build` with these options.
    pub(crate) fn configure(&self, build: Build) -> Result<Build, Failure> {
        let target = Target::new(self)?;
        for dir in self.import.directories(&target.dir)? {
            check_writable(&self.out, &dir.join(target.name.as_deref().unwrap_or("assets.rres")))?;
        }
        let mut build = build.out_dir(target.dir).keeps_foreign_files().debug(self.debug).pack_mode(PackMode::Release);
        if let Some(name) = target.name {
            build = build.name(name);
        }
        self.import.configure(build)
    }
}

impl ImportOptions {
    /// The targets, if there are several.
    pub(super) fn several_targets(&self) -> &[String] {
        self.targets.several()
    }

    /// Returns the directories that packs are written to: one for each target below `dir` if there are several.
    pub(super) fn directories(&self, dir: &Path) -> Result<Vec<PathBuf>, Failure> {
        let of_target = |target: &String| match target_directory(target) {
            Some(name) => Ok(dir.join(name)),
            None => Err(Failure::Usage(format!("\"{target}\" is not the name of a target"))),
        };
        match self.several_targets() {
            [] => Ok(vec![dir.to_owned()]),
            several => several.iter().map(of_target).collect(),
        }
    }

    /// Returns `build` with these options.
    pub(crate) fn configure(&self, build: Build) -> Result<Build, Failure> {
        let keys = self.key.load()?;
        let mut build = key::for_build(self.targets.configure(build)?, keys.as_ref()).only(self.only.iter().copied());
        if self.keep_going {
            build = build.refused(RefusedFiles::Warn);
        }
        if let Some(jobs) = self.jobs {
            build = build.threads(jobs.into());
        }
        self.farm.configure(build)
    }
}

/// Accepts the name of a file without a directory. `rres-build` checks the rest.
fn parse_name(name: &str) -> Result<String, String> {
    if Path::new(name).file_name().is_some_and(|file| file == name) {
        Ok(name.to_owned())
    } else {
        Err("expected a file name without a directory".to_owned())
    }
}

/// Accepts the name of a kind, as in `assets.toml`.
fn parse_kind(name: &str) -> Result<AssetKind, String> {
    AssetKind::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = AssetKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("expected one of {}", known.join(", "))
    })
}

/// The directory and the name of the pack.
struct Target {
    dir: PathBuf,
    /// `None` for the name in the settings.
    name: Option<String>,
}

impl Target {
    fn new(args: &BuildOptions) -> Result<Self, Failure> {
        let out = absolute(&args.out)?;
        let is_pack = out.extension().is_some_and(|extension| extension == "rres") && !out.is_dir();
        let (Some(stem), Some(dir), true) = (out.file_stem(), out.parent(), is_pack) else {
            return Ok(Self { dir: out, name: args.name.clone() });
        };
        if args.name.is_some() {
            let text = format!("cannot use --name together with --out {}, which names the pack", args.out.display());
            return Err(Failure::Usage(text));
        }
        let name = stem.to_str().ok_or_else(|| Failure::Usage(format!("{} is not valid UTF-8", args.out.display())))?;
        Ok(Self { dir: dir.to_owned(), name: Some(name.to_owned()) })
    }
}

/// Checks that `file` can be written, before everything is imported for it. `out` is the path as the user gave it.
pub(super) fn check_writable(out: &Path, file: &Path) -> Result<(), Failure> {
    let cannot_write = |e| Failure::Usage(format!("cannot write {}: {e}", out.display()));
    atomic_write::check_writable(file).map_err(cannot_write)
}

pub(super) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|e| Failure::Usage(format!("cannot find {}: {e}", path.display())))
}

pub(crate) fn print(report: &Report, module: Option<&Path>, verbose: bool, out: &mut Output) -> Result<(), Failure> {
    if verbose {
        print_slowest(report, out)?;
        out.line("")?;
    }
    let lines = [report.target_file_lines(), report.refusal_lines(), report.lint_lines(), report.note_lines()];
    for line in lines.concat() {
        out.line(line)?;
    }
    for line in report.growth_lines() {
        out.line(escape_terminal(&line))?;
    }
    if let Some(used) = &report.remote_cache {
        out.line(escape_terminal(&used.to_string()))?;
    }
    if let Some(used) = &report.farm {
        out.line(escape_terminal(&used.to_string()))?;
    }
    out.line(report.to_string())?;
    let current = env::current_dir().unwrap_or_default();
    let written = report.packs.iter().chain(&report.dev_index).map(PathBuf::as_path);
    for file in written.chain(module).chain(report.header.as_deref()) {
        let file = file.strip_prefix(&current).unwrap_or(file);
        out.line(format!("  {}", escape_terminal(&file.display().to_string())))?;
    }
    Ok(())
}

fn print_slowest(report: &Report, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[
        Column::left("SLOWEST"),
        Column::left("KIND"),
        Column::right("TIME"),
        Column::right("SOURCE"),
        Column::right("STORED"),
        Column::left("CONTENTS"),
    ]);
    for asset in report.slowest(SLOWEST) {
        let cached = if asset.cached { ", cached" } else { "" };
        let time = format!("{:.1} ms{cached}", asset.elapsed.as_secs_f64() * 1e3);
        let [source, stored] = [asset.source_size, asset.stored_size].map(|size| ByteSize(size).to_string());
        table.row([asset.path.clone(), asset.kind.to_string(), time, source, stored, asset.summary.clone()]);
    }
    table.print(out)?;
    Ok(())
}

pub(crate) fn print_error(error: &BuildError, counts: Counts, out: &mut Output) -> Result<(), Failure> {
    for diagnostic in error.diagnostics() {
        out.error(&Diagnostic::from(diagnostic).to_string())?;
    }
    if let Some(rules) = error.suggested_rules() {
        out.message(Style::Bold, "help:", &format!("{SUGGESTION}\n\n{rules}"))?;
    }
    let Counts { assets, cached, imported, failed } = counts;
    if failed > 0 {
        out.error(&format!("{failed} of {assets} assets failed; {cached} cached, {imported} imported"))?;
    }
    Ok(())
}

fn report_json(report: &Report, module: Option<&Path>) -> Value {
    let asset = |asset: &AssetReport| {
        json!({
            "path": asset.path,
            "kind": asset.kind.name(),
            "summary": asset.summary,
            "cached": asset.cached,
            "source_size": asset.source_size,
            "stored_size": asset.stored_size,
            "video_memory": asset.video_memory,
            "growth": asset.growth,
            "seconds": seconds(asset.elapsed),
        })
    };
    let target_file = |of: &TargetFile| json!({ "path": of.path, "file": of.file, "left_out": of.left_out });
    let Phases { import, pack, generate, .. } = report.phases;
    json!({
        "ok": true,
        "diagnostics": report.refused.iter().map(|refused| Diagnostic::from(refused).to_json()).collect::<Vec<_>>(),
        "suggested_rules": report.suggested_rules,
        "lints": report.lints.iter().map(lint_json).collect::<Vec<_>>(),
        "target_files": report.target_files.iter().map(target_file).collect::<Vec<_>>(),
        "asset_count": report.assets.len(),
        "cached_count": report.cached(),
        "imported_count": report.imported(),
        "failed_count": 0,
        "assets": report.assets.iter().map(asset).collect::<Vec<_>>(),
        "slowest": report.slowest(SLOWEST).iter().map(|asset| &asset.path).collect::<Vec<_>>(),
        "source_size": report.source_size(),
        "pack_size": report.pack_size,
        "video_memory": report.video_memory(),
        "packs": report.packs.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        "dev_index": report.dev_index.as_ref().map(|file| file.display().to_string()),
        "module": module.map(|file| file.display().to_string()),
        "header": report.header.as_ref().map(|file| file.display().to_string()),
        "notes": report.notes.iter().map(note_json).collect::<Vec<_>>(),
        "remote_cache": report.remote_cache.as_ref().map(remote_cache_json),
        "farm": report.farm.as_ref().map(farm_json),
        "seconds": { "import": seconds(import), "pack": seconds(pack), "generate": seconds(generate) },
    })
}

/// Returns what a build has had from a remote cache, as JSON.
pub(super) fn remote_cache_json(used: &RemoteUse) -> Value {
    json!({
        "place": used.place,
        "wanted_count": used.wanted,
        "fetched_count": used.fetched,
        "fetched_size": used.fetched_bytes,
        "saved_seconds": seconds(used.saved),
        "damaged_count": used.damaged,
        "added_count": used.stored.assets,
        "added_size": used.stored.bytes,
        "seconds": seconds(used.elapsed),
        "fault": used.fault,
    })
}

/// Returns what machines of a farm have imported, as JSON.
fn farm_json(used: &FarmUse) -> Value {
    json!({
        "place": used.place,
        "wanted_count": used.wanted,
        "imported_count": used.imported,
        "unusable_count": used.unusable,
        "failed_job_count": used.failed_jobs,
        "seconds": seconds(used.elapsed),
        "fault": used.fault,
    })
}

/// Returns the JSON fields of notes that `build` and `report` have in common.
pub(crate) fn note_json(group: &NoteGroup) -> Value {
    let asset = |(path, detail): &(String, String)| json!({ "path": path, "detail": detail });
    let help = Some(&group.help).filter(|help| !help.is_empty());
    json!({ "topic": group.topic, "help": help, "assets": group.assets.iter().map(asset).collect::<Vec<_>>() })
}

/// Returns a time in seconds, to a tenth of a millisecond. More digits would be noise, and print as `9.816e-6`.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e4).round() / 1e4
}

fn error_json(error: &BuildError, counts: Counts) -> Value {
    let diagnostics = error.diagnostics().iter().map(|diagnostic| Diagnostic::from(diagnostic).to_json());
    json!({
        "ok": false,
        "diagnostics": diagnostics.collect::<Vec<_>>(),
        "suggested_rules": error.suggested_rules(),
        "asset_count": counts.assets,
        "cached_count": counts.cached,
        "imported_count": counts.imported,
        "failed_count": counts.failed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_remote_cache_is_documented() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/command.md")).unwrap();
        for field in remote_cache_json(&RemoteUse::default()).as_object().unwrap().keys() {
            assert!(page.contains(&format!("| `remote_cache.{field}` |")), "{field}");
        }
        for field in farm_json(&FarmUse::default()).as_object().unwrap().keys() {
            assert!(page.contains(&format!("| `farm.{field}` |")), "{field}");
        }
    }
}
