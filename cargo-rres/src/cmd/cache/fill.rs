//! `cargo rres cache fill`: imports sources into the cache, without a pack.

use std::path::{Path, PathBuf};

use rres_engine::cache::Cache;
use rres_engine::{ImportedOnly, Portion, RecordedBuild};
use rres_settings::diagnostic::{BuildError, Diagnostic};
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
    judge(recorded.build.out_dir(scratch.path()).import_only(&Portion::All))?;
    // A build takes another directory if it cannot write to this one.
    let cache = Cache::default_location().filter(|cache| cache.dir().join("blobs").is_dir());
    let lost = "the import cache cannot be written, so nothing that was imported is kept; set RRES_CACHE_DIR to a directory that can be";
    cache.map(|_| Outcome::Success).ok_or_else(|| Failure::Fault(lost.to_owned()))
}

/// Whether what a job has done may be kept. A farm keeps the results of jobs that succeed and gives them to all who ask for the same again. So a source may be
/// missing only because of a fault of its own, which another machine would find as well.
fn judge(imported: Result<ImportedOnly, BuildError>) -> Result<(), Failure> {
    let faults = imported.err().map(Vec::<Diagnostic>::from).unwrap_or_default();
    match faults.iter().find(|fault| fault.is_of_machine()) {
        Some(fault) => Err(Failure::Fault(fault.to_string())),
        None => Ok(()),
    }
}

fn show(done: &ImportedOnly, shard: Option<Shard>, shown: &mut Shown<'_>) -> Result<(bool, Value), Failure> {
    let ImportedOnly { sources, cached, all, of_script, remote_cache, .. } = done;
    let share = shard.map(|Shard { number, of }| format!(" of {all} are share {number} of {of}")).unwrap_or_default();
    let imported = sources - cached;
    shown.line(&format!("{}{share}: {imported} imported, {cached} in the cache before", count(*sources, "source")))?;
    shown.left_to_script(*of_script)?;
    match remote_cache {
        Some(used) => {
            shown.line(&escape_terminal(&used.to_string()))?;
            if shard.is_some() && imported > 0 && used.stored.assets == 0 && used.fault.is_none() {
                let text = "nothing was added to the remote cache: this machine only reads it. Adding needs RRES_REMOTE_CACHE_WRITE=1, and \
                            RRES_REMOTE_CACHE_KEY if keys are trusted";
                shown.out.warn(text)?;
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farm_keeps_faults_of_files_and_none_of_a_machine() {
        let of_file = || Diagnostic::file("a.png", "is not a PNG");
        let full =
            || Diagnostic::io("write to the import cache", Path::new("cache"), &std::io::ErrorKind::StorageFull.into());
        let judged = |faults: Vec<Diagnostic>| judge(Err(BuildError::new(faults)));
        // Such as a list of assets that no job has.
        let missing = Diagnostic::io("read it", Path::new("listing.txt"), &std::io::ErrorKind::NotFound.into());
        assert!(judged(vec![of_file(), missing]).is_ok());
        assert!(judged(vec![of_file(), full()]).unwrap_err().to_string().contains("cannot write to the import cache"));
        assert!(judged(vec![of_file().of_machine()]).is_err());
    }
}
