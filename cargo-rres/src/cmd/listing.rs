//! `cargo rres listing`: writes the listing of constants that builds without the assets read.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use rres_engine::Listing;
use rres_packs::atomic_write;

use crate::asset_builds::{AssetBuild, BuildArgs};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Write the constants of a package, for builds without its assets
///
/// A build whose script calls `.allow_missing()` takes from it the constants of assets whose files are not on this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres listing                         writes assets.listing
  cargo rres listing --check                 for CI")]
pub(crate) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    /// Write nothing, and exit with code 1 if the listing is out of date
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut is_ok = true;
    for AssetBuild { build, .. } in args.builds.find(out)?.builds {
        let listing = build.listing().map_err(|error| Failure::Fault(error.to_string()))?;
        refuse_sparse(&listing)?;
        is_ok &= update(&listing, args.check, out)?;
    }
    Ok(Outcome::of(is_ok))
}

/// Refuses to take assets out of the listing that are merely not checked out.
fn refuse_sparse(Listing { file, absent, .. }: &Listing) -> Result<(), Failure> {
    let dir = file.parent().unwrap_or(Path::new("."));
    let mut git = Command::new("git");
    git.args(["config", "--type=bool", "core.sparseCheckout"]).current_dir(dir).stderr(Stdio::null());
    let mut is_sparse = || git.output().is_ok_and(|output| output.stdout.starts_with(b"true"));
    match absent.first() {
        Some(first) if is_sparse() => Err(Failure::Usage(format!(
            "cannot say what belongs in {}: {} of it, such as {}, are not in this sparse checkout; run `git sparse-checkout disable` first",
            file.display(),
            count(absent.len(), "file"),
            escape_terminal(first)
        ))),
        _ => Ok(()),
    }
}

/// Writes a listing if it is out of date. Returns whether it is up to date.
fn update(Listing { file, text, count: assets, .. }: &Listing, check: bool, out: &mut Output) -> Result<bool, Failure> {
    let here = env::current_dir().unwrap_or_default();
    let name = escape_terminal(&file.strip_prefix(&here).unwrap_or(file).display().to_string());
    let assets = count(*assets, "asset");
    match fs::read(file) {
        // Git may have given the lines other ends.
        Ok(old) if String::from_utf8(old.clone()).is_ok_and(|old| old.replace("\r\n", "\n") == *text) => {
            out.line(format!("{name} is up to date: {assets}"))?;
            return Ok(true);
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Failure::Usage(format!("cannot read {name}: {error}")));
        }
        _ => {}
    }
    if check {
        out.error(&format!("{name} is out of date; run `cargo rres listing` and commit it"))?;
        return Ok(false);
    }
    atomic_write::replace(file, text.as_bytes()).map_err(|e| Failure::Usage(format!("cannot write {name}: {e}")))?;
    out.line(format!("{name} updated: {assets}; commit it"))?;
    Ok(true)
}
