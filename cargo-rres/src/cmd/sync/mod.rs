//! `cargo rres sync`: updates the lock file to fit the assets, by the rules of `build.rs` if a debug build exists.

mod lock;

use std::path::{Path, PathBuf};

use lock::{Lock, Locks};
use serde_json::{Value, json};

use crate::cargo;
use crate::diagnostic::Diagnostic;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Update the lock file to fit the assets
///
/// Uses the rules of the build script of the last debug build. Without one, only assets.toml counts.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres sync                            updates assets.lock
  cargo rres sync --check                    for CI")]
pub(crate) struct Args {
    /// Path to the assets directory in the package, for a package without a debug build
    #[arg(default_value = "assets")]
    dir: PathBuf,
    /// Path to Cargo.toml [default: the nearest one in the current directory or above it]
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Write nothing, and exit with code 1 if the lock file is out of date
    #[arg(long)]
    check: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let root = cargo::root(args.manifest_path.as_deref())?;
    let Locks { locks, diagnostics } = Locks::read(&root, &args.dir, out)?;
    if !args.check {
        locks.iter().filter(|lock| !lock.is_up_to_date()).try_for_each(Lock::write)?;
    }
    let is_ok = diagnostics.is_empty() && (!args.check || locks.iter().all(Lock::is_up_to_date));
    if args.json {
        out.json(to_json(is_ok, &locks, &diagnostics))?;
    } else {
        locks.iter().try_for_each(|lock| print(lock, &root, args.check, out))?;
    }
    diagnostics.iter().try_for_each(|diagnostic| out.error(&diagnostic.to_string()))?;
    Ok(Outcome::of(is_ok))
}

fn to_json(is_ok: bool, locks: &[Lock], diagnostics: &[Diagnostic]) -> Value {
    json!({
        "ok": is_ok,
        "lock_files": locks.iter().map(Lock::to_json).collect::<Vec<_>>(),
        "diagnostics": diagnostics.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
    })
}

fn print(lock: &Lock, root: &Path, check: bool, out: &mut Output) -> Result<(), Failure> {
    if lock.has_conflict() {
        out.line("merged   both sides of a conflict")?;
    }
    for change in &lock.changes {
        out.line(escape_terminal(&change.to_string()))?;
    }
    let file = escape_terminal(&lock.file.strip_prefix(root).unwrap_or(&lock.file).display().to_string());
    let assets = count(lock.asset_count, "asset");
    if lock.is_up_to_date() {
        out.line(format!("{file} is up to date: {assets}"))?;
    } else if check {
        out.error(&format!("{file} is out of date; run `cargo rres sync` and commit it"))?;
    } else {
        let changes = count(lock.changes.len(), "change");
        out.line(format!("{file} updated: {assets}, {changes}; commit it"))?;
    }
    Ok(())
}
