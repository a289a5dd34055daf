//! `cargo rres cache`: shows, prunes, checks and fills the import cache.

mod check;
mod directories;
mod fill;

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use rres_engine::cache::{Cache, CacheStats, MIN_AGE, PruneReport, VerifyReport, size_limit};
use rres_settings::ByteSize;
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};

/// Show, prune, check or fill the import cache that all projects share
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres cache stat                      how large it is, and who uses it
  cargo rres cache prune --size 2GB          removes what was used least recently
  cargo rres cache verify                    removes what is damaged
  cargo rres cache check --sample 1%         imports some assets again, and compares them with the cache
  cargo rres cache fill --shard 3/16         imports a share of the assets, without a pack
  cargo rres cache remote                    what is in the cache that machines share")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show the size of the cache, how much of it is unused, and which debug builds use it
    Stat {
        /// Print the output as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove the least recently used files until the cache is small enough
    ///
    /// Builds do this, too: once a day, if the cache exceeds its limit.
    Prune {
        /// Size of the files that may stay, such as 2GB [default: the variable RRES_CACHE_SIZE, or else 10 GB]
        #[arg(long, value_name = "SIZE", value_parser = parse_size)]
        size: Option<u64>,
        /// Keep files that were used within this many days
        #[arg(long, value_name = "DAYS", default_value_t = MIN_AGE.as_secs() / DAY)]
        spare: u64,
        /// Print the output as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove damaged files, which the next build imports again
    Verify {
        /// Print the output as JSON
        #[arg(long)]
        json: bool,
    },
    Check(check::Args),
    Fill(fill::Args),
    /// Show what is in the cache that machines share, and whether it can be reached
    Remote {
        /// Print the output as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the directory of the cache
    Path {
        /// Print the output as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Seconds of a day.
const DAY: u64 = 24 * 3600;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.command {
        Command::Stat { json } => stat(&cache()?, *json, out),
        Command::Prune { size, spare, json } => prune(&cache()?, *size, *spare, *json, out),
        Command::Verify { json } => verify(&cache()?, *json, out),
        Command::Check(args) => check::run(args, out),
        Command::Fill(args) => fill::run(args, out),
        Command::Remote { json } => remote(*json, out),
        Command::Path { json } => path(&cache()?, *json, out),
    }
}

fn cache() -> Result<Cache, Failure> {
    Cache::default_location().ok_or_else(|| {
        let why = "the variable RRES_CACHE_DIR is \"off\", or this user has no home directory";
        Failure::Usage(format!("the import cache is disabled: {why}"))
    })
}

/// A directory that is removed with this value.
fn temporary() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))
}

fn remote(json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let importers = rres_build::importers();
    if !importers.has_remote_cache() {
        let install = "cargo install cargo-rres --features remote-cache";
        return Err(Failure::Usage(format!("this command is compiled without the feature `remote-cache`: {install}")));
    }
    let found = importers.remote_cache().map_err(|diagnostic| Failure::Usage(diagnostic.to_string()))?;
    let remote = found.ok_or_else(|| {
        Failure::Usage(
            "no remote cache: set the variable RRES_REMOTE_CACHE, or `remote` under [cache] in rres/config.toml"
                .to_owned(),
        )
    })?;
    let (place, writes) = (remote.place(), remote.is_written());
    let contents =
        remote.contents().map_err(|e| Failure::Usage(format!("cannot read the remote cache {place}: {e}")))?;
    if json {
        out.json(json!({ "place": place, "writes": writes, "asset_count": contents.assets, "size": contents.bytes }))?;
        return Ok(Outcome::Success);
    }
    out.styled_line(Style::Bold, &escape_terminal(&place))?;
    out.line(format!("  {}, {}", count(contents.assets, "imported asset"), ByteSize(contents.bytes)))?;
    out.line(format!("  this machine {}", if writes { "adds what it imports" } else { "only reads" }))?;
    Ok(Outcome::Success)
}

fn stat(cache: &Cache, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let stats = cache.stats().map_err(|e| failed("read", cache, &e))?;
    let limit = Some(limit()?).filter(|limit| *limit != u64::MAX);
    if json {
        out.json(stats_json(cache, &stats, limit))?;
    } else {
        print_stats(cache, &stats, limit, out)?;
    }
    Ok(Outcome::Success)
}

fn stats_json(cache: &Cache, stats: &CacheStats, limit: Option<u64>) -> Value {
    json!({
        "dir": cache.dir().display().to_string(),
        "blob_count": stats.blobs,
        "size": stats.bytes,
        "size_limit": limit,
        "prunable_size": stats.prunable,
        "oldest_use": stats.oldest_use.map(unix_time),
        "last_pruning": stats.pruned.map(unix_time),
        "dev_indexes": stats.dev_indexes.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
    })
}

fn print_stats(cache: &Cache, stats: &CacheStats, limit: Option<u64>, out: &mut Output) -> Result<(), Failure> {
    let limit = limit.map_or_else(|| "no limit".to_owned(), |limit| format!("limit {}", ByteSize(limit)));
    let days = MIN_AGE.as_secs() / DAY;
    out.styled_line(Style::Bold, &escape_terminal(&cache.dir().display().to_string()))?;
    out.line(format!("  {}, {} ({limit})", count(stats.blobs, "imported source"), ByteSize(stats.bytes)))?;
    out.line(format!("  unused for {days} days: {}", ByteSize(stats.prunable)))?;
    if let Some(used) = stats.oldest_use {
        out.line(format!("  least recent use: {}", ago(used)))?;
    }
    if let Some(pruned) = stats.pruned {
        out.line(format!("  last check of the size: {}", ago(pruned)))?;
    }
    for file in &stats.dev_indexes {
        out.line(format!("  used by {}", escape_terminal(&file.display().to_string())))?;
    }
    Ok(())
}

fn prune(cache: &Cache, size: Option<u64>, spare: u64, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let limit = size.map_or_else(limit, Ok)?;
    let spared = Duration::from_secs(spare.saturating_mul(DAY));
    let pruned = cache.prune(limit, spared).map_err(|e| failed("prune", cache, &e))?;
    if json {
        let PruneReport { files, bytes, left, .. } = pruned;
        out.json(json!({ "removed_count": files, "removed_size": bytes, "size": left }))?;
        return Ok(Outcome::Success);
    }
    let files = count(pruned.files, "file");
    out.line(format!("removed {files}, {}; {} left", ByteSize(pruned.bytes), ByteSize(pruned.left)))?;
    if pruned.left > limit {
        let days = count(usize::try_from(spare).unwrap_or(usize::MAX), "day");
        out.line(format!("the files that are left were used within {days}; pass --spare 0 to remove them, too"))?;
    }
    Ok(Outcome::Success)
}

fn verify(cache: &Cache, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let VerifyReport { sound: intact, bytes, removed, .. } = cache.verify().map_err(|e| failed("verify", cache, &e))?;
    let is_ok = removed.is_empty();
    if json {
        let entry =
            |(file, message): &(PathBuf, String)| json!({ "file": file.display().to_string(), "message": message });
        let removed: Vec<Value> = removed.iter().map(entry).collect();
        out.json(json!({ "ok": is_ok, "intact_count": intact, "size": bytes, "removed": removed }))?;
        return Ok(Outcome::of(is_ok));
    }
    for (file, message) in &removed {
        let label = out.style(Style::Bad, "error:");
        let file = escape_terminal(&file.display().to_string());
        out.line(format!("{label} removed {file}: {}", escape_terminal(message)))?;
    }
    let verdict = match removed.len() {
        0 => out.style(Style::Good, "ok"),
        damaged => out.style(Style::Bad, &format!("{damaged} damaged")),
    };
    out.line(format!("{verdict}; {intact} intact, {} read", ByteSize(bytes)))?;
    Ok(Outcome::of(is_ok))
}

fn path(cache: &Cache, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    if json {
        out.json(json!({ "dir": cache.dir().display().to_string() }))?;
    } else {
        // The bytes as they are, because scripts use them as a path.
        out.bytes(cache.dir().as_os_str().as_encoded_bytes())?;
        out.line("")?;
    }
    Ok(Outcome::Success)
}

/// Returns the limit of the cache's size in bytes; [`u64::MAX`] for no limit.
fn limit() -> Result<u64, Failure> {
    size_limit().map_err(|diagnostic| Failure::Usage(diagnostic.to_string()))
}

fn parse_size(text: &str) -> Result<u64, String> {
    ByteSize::parse(text).map(|size| size.0).ok_or_else(|| "expected a size such as 500 MB or 2 GB".to_owned())
}

fn failed(operation: &str, cache: &Cache, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("cannot {operation} the import cache {}: {error}", cache.dir().display()))
}

/// Returns the number of seconds since 1970-01-01 UTC.
fn unix_time(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Returns how long ago a time is, in days: the cache records uses to the day.
fn ago(time: SystemTime) -> String {
    match time.elapsed().map_or(0, |age| age.as_secs()) / DAY {
        0 => "within a day".to_owned(),
        1 => "a day ago".to_owned(),
        days => format!("{days} days ago"),
    }
}
