//! `cargo rres cache fill`: imports sources into the cache, without a pack.

use std::path::{Path, PathBuf};

use rres_engine::{ImportedOnly, Portion, RecordedBuild};
use serde_json::{Value, json};

use super::directories::{DirectoryArgs, Shown};
use crate::cmd::build::remote_cache_json;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Import assets into the cache, and into the cache that machines share, without a pack
///
/// With --shard, each of several machines imports its share: the largest files first, so that all take about the same time. The build that
/// comes after them finds everything in the cache that they share.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres cache fill                      imports what the caches lack
  cargo rres cache fill --shard 3/16         … the third of sixteen shares, on one of sixteen machines
  cargo rres cache fill --assets mods/winter")]
pub(super) struct Args {
    #[command(flatten)]
    directories: DirectoryArgs,
    /// Import by the record of a build, relative to the current directory, whatever is wrong with some files: on the machines of a farm
    #[arg(long, value_name = "FILE", hide = true)]
    record: Option<PathBuf>,
    /// Import one of N shares, numbered from 1
    #[arg(long, value_name = "NUMBER/N", value_parser = parse_shard)]
    shard: Option<Shard>,
}

/// The number of a share, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Shard {
    number: usize,
    of: usize,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    if let Some(record) = &args.record {
        return fill_by_record(record);
    }
    let portion = match args.shard {
        Some(Shard { number, of }) => Portion::Share { number, of },
        None => Portion::All,
    };
    args.directories.run(out, |build| build.import_only(&portion), |done, shown| show(done, args.shard, shown))
}

/// Imports what another machine has sent. That machine finds the faults, if it imports the same files.
fn fill_by_record(record: &Path) -> Result<Outcome, Failure> {
    let unreadable = |why: String| Failure::Usage(format!("cannot read the record {}: {why}", record.display()));
    let read = RecordedBuild::read(record, Path::new("."), &rres_build::importers());
    let recorded = read.map_err(|error| unreadable(error.to_string()))?;
    let recorded = recorded.ok_or_else(|| unreadable("it is not one of this directory".to_owned()))?;
    let scratch = super::temporary()?;
    // The others of the job are in the cache all the same.
    let _ = recorded.build.out_dir(scratch.path()).import_only(&Portion::All);
    Ok(Outcome::Success)
}

fn show(done: &ImportedOnly, shard: Option<Shard>, shown: &mut Shown<'_>) -> Result<(bool, Value), Failure> {
    let ImportedOnly { sources, cached, all, of_script, remote_cache, .. } = done;
    let share = shard.map(|Shard { number, of }| format!(" of {all} are share {number} of {of}")).unwrap_or_default();
    let imported = sources - cached;
    shown.line(&format!("{}{share}: {imported} imported, {cached} in the cache before", count(*sources, "source")))?;
    shown.left_to_script(*of_script)?;
    match remote_cache {
        Some(used) => shown.line(&escape_terminal(&used.to_string()))?,
        None if shard.is_some() && imported > 0 => {
            let text =
                "no remote cache is set, so only builds of this machine find what was imported: docs/remote-cache.md";
            shown.out.warn(text)?;
        }
        None => {}
    }
    let result = json!({
        "source_count": all,
        "share_count": sources,
        "cached_count": cached,
        "imported_count": imported,
        "left_to_script_count": of_script,
        "remote_cache": remote_cache.as_ref().map(remote_cache_json),
    });
    Ok((true, result))
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=of).contains(&number) && of <= 10_000 => Ok(Shard { number, of }),
        _ => Err("expected a number from 1 to N and N, such as 3/16".to_owned()),
    }
}
