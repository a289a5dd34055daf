//! `cargo rres sync`: brings `assets.lock` into step with the assets, by the rules of `build.rs` where it can.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::{Output, shown};
use crate::script::Script;
use crate::temporary;

/// Bring assets.lock into step with the assets, and say what changed
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The assets directory, where no build has told; relative to the package
    #[arg(default_value = "assets")]
    dir: PathBuf,
    /// The package; default: the one around this directory
    #[arg(long, value_name = "CARGO_TOML")]
    manifest_path: Option<PathBuf>,
    /// Write nothing, and end with code 1 where the lock is out of step: for CI
    #[arg(long)]
    check: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A lock, as it is and as it should be.
struct Lock {
    file: PathBuf,
    before: String,
    wanted: String,
    problems: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let root = package_root(args)?;
    let scripts = Script::of_package(&root, &cargo_directories(&root)?);
    let build_rs = fs::metadata(root.join("build.rs")).and_then(|metadata| metadata.modified()).ok();
    let (mut locks, mut problems) = (Vec::new(), Vec::new());
    for script in &scripts {
        let compiled = fs::metadata(&script.file).and_then(|metadata| metadata.modified()).ok();
        if build_rs > compiled {
            out.warn("build.rs has changed since the last `cargo build`; the rules that it had then count")?;
        }
        let locked = script.lock()?;
        match locked.files {
            Some((file, wanted)) => {
                let wanted = read(&wanted)?;
                locks.push(Lock { before: read(&file)?, file, wanted, problems: locked.problems });
            }
            None => problems.extend(locked.problems),
        }
    }
    if scripts.is_empty() {
        out.warn(
            "no debug build of this package was found: rules of build.rs do not count, and what was moved gets a new id; \
             run `cargo build` once before you move assets",
        )?;
        locks.push(from_settings(&root.join(&args.dir))?);
    }
    // Of the packs of a package some may do without a lock.
    if !locks.is_empty() {
        problems.clear();
    }

    let mut is_fine = true;
    let mut report = Vec::new();
    for Lock { file, before, wanted, problems: bad } in locks {
        let changes = changes(&before, &wanted);
        let is_in_step = before == wanted;
        if !is_in_step && !args.check {
            write(&file, &wanted)?;
        }
        is_fine &= bad.is_empty() && (is_in_step || !args.check);
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        match args.json {
            true => report.push(json!({
                "file": file.display().to_string(),
                "in_step": is_in_step,
                "conflict": has_conflict(&before),
                "changes": changes.iter().map(Change::json).collect::<Vec<_>>(),
                "problems": bad,
            })),
            false => {
                if has_conflict(&before) {
                    out.line("merged   both sides of a conflict")?;
                }
                print(&name, &changes, is_in_step, args.check, lines(&wanted).len(), out)?;
            }
        }
        problems.extend(bad);
    }
    if args.json {
        out.json(&Value::Array(report))?;
    }
    problems.iter().try_for_each(|problem| out.problem(problem))?;
    Ok(if is_fine && problems.is_empty() { Outcome::Fine } else { Outcome::Problems })
}

fn print(
    file: &str,
    changes: &[Change<'_>],
    is_in_step: bool,
    check: bool,
    count: usize,
    out: &mut Output,
) -> Result<(), Failure> {
    for change in changes {
        out.line(shown(&change.to_string()))?;
    }
    match (is_in_step, check) {
        (true, _) => out.line(format!("{file} is in step: {count} assets"))?,
        (false, false) => out.line(format!("{file} written: {count} assets, {} changed; commit it", changes.len()))?,
        (false, true) => out.problem(&format!("{file} is out of step; run `cargo rres sync` and commit it"))?,
    }
    Ok(())
}

/// The lock as `assets.toml` alone asks for it.
fn from_settings(assets: &Path) -> Result<Lock, Failure> {
    let out_dir = tempfile::tempdir().map_err(|e| Failure::Call(format!("cannot make a temporary directory: {e}")))?;
    let build = rres_build::import(assets).out_dir(out_dir.path()).debug(true);
    let state = build.lock_state().map_err(|errors| Failure::Pack(errors.to_string()))?;
    let problems = state.problems.iter().map(ToString::to_string).collect();
    Ok(Lock { before: read(&state.file)?, file: state.file, wanted: state.wanted, problems })
}

/// One difference between two locks.
enum Change<'l> {
    Added(&'l str),
    Removed(&'l str),
    Moved { from: &'l str, to: &'l str },
    Other { path: &'l str, before: &'l str, after: &'l str },
}

impl std::fmt::Display for Change<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Added(path) => write!(f, "added    {path}"),
            Self::Removed(path) => write!(f, "removed  {path}"),
            Self::Moved { from, to } => write!(f, "moved    {from} → {to}"),
            Self::Other { path, before, after } => write!(f, "changed  {path}: {before} → {after}"),
        }
    }
}

impl Change<'_> {
    fn json(&self) -> Value {
        match self {
            Self::Added(path) => json!({ "change": "added", "path": path }),
            Self::Removed(path) => json!({ "change": "removed", "path": path }),
            Self::Moved { from, to } => json!({ "change": "moved", "path": to, "from": from }),
            Self::Other { path, before, after } => {
                json!({ "change": "changed", "path": path, "before": before, "after": after })
            }
        }
    }
}

/// Whether a merge has left its marks, which the lock as it should be never has.
fn has_conflict(lock: &str) -> bool {
    lock.lines().any(|line| line.starts_with("<<<<<<<"))
}

/// By path, what stands before it: id and kind.
fn lines(lock: &str) -> BTreeMap<&str, &str> {
    let assets = lock.lines().filter(|line| line.starts_with("0x"));
    let halves = assets.filter_map(|line| {
        let at = line.match_indices(' ').nth(1)?.0;
        Some((&line[at + 1..], &line[..at]))
    });
    halves.collect()
}

fn changes<'l>(before: &'l str, after: &'l str) -> Vec<Change<'l>> {
    let (before, after) = (lines(before), lines(after));
    let id = |half: &'l str| half.split(' ').next().unwrap_or(half);
    let mut gone: BTreeMap<&str, &str> =
        before.iter().filter(|(path, _)| !after.contains_key(*path)).map(|(path, half)| (id(half), *path)).collect();
    let mut changes = Vec::new();
    for (path, now) in &after {
        match before.get(path) {
            Some(was) if was == now => {}
            Some(was) => changes.push(Change::Other { path, before: was, after: now }),
            None => changes.push(match gone.remove(id(now)) {
                Some(from) => Change::Moved { from, to: path },
                None => Change::Added(path),
            }),
        }
    }
    changes.extend(gone.into_values().map(Change::Removed));
    changes
}

/// The directory of the package: that of the manifest, or the nearest one that has any.
fn package_root(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(manifest) = &args.manifest_path {
        let dir = manifest.parent().filter(|_| manifest.is_file());
        let dir = dir.ok_or_else(|| Failure::Call(format!("no such manifest: {}", manifest.display())))?;
        return std::path::absolute(if dir.as_os_str().is_empty() { Path::new(".") } else { dir })
            .map_err(|e| Failure::Call(format!("cannot find {}: {e}", dir.display())));
    }
    let here = env::current_dir().map_err(|e| Failure::Call(format!("cannot find the current directory: {e}")))?;
    let root = here.ancestors().find(|dir| dir.join("Cargo.toml").is_file());
    root.map(Path::to_owned).ok_or_else(|| {
        Failure::Call(format!(
            "no Cargo.toml in {} or above it; go into a package or name it with --manifest-path",
            here.display()
        ))
    })
}

/// Where Cargo puts what it builds for the package in `root`.
fn cargo_directories(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version=1"]).current_dir(root);
    let output = command.output().map_err(|e| Failure::Call(format!("cannot run `cargo metadata`: {e}")))?;
    let metadata: Value = match serde_json::from_slice(&output.stdout) {
        Ok(metadata) if output.status.success() => metadata,
        _ => return Err(Failure::Call(format!("`cargo metadata`: {}", String::from_utf8_lossy(&output.stderr)))),
    };
    // With `build.build-dir` what build scripts write is not below the target directory.
    let mut directories: Vec<PathBuf> = ["build_directory", "target_directory"]
        .iter()
        .filter_map(|key| Some(PathBuf::from(metadata[*key].as_str()?)))
        .collect();
    directories.dedup();
    Ok(directories)
}

/// The text of a file; empty where it is not there.
fn read(file: &Path) -> Result<String, Failure> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|e| Failure::Call(format!("cannot read {}: {e}", file.display()))),
    }
}

/// Replaces a file: under another name, synced, then renamed.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let replace = || {
        let mut new = temporary::beside(file)?;
        new.write_all(text.as_bytes())?;
        new.as_file().sync_all()?;
        new.persist(file).map_err(|e| e.error)?;
        Ok(())
    };
    replace().map_err(|e: std::io::Error| Failure::Call(format!("cannot write {}: {e}", file.display())))
}
