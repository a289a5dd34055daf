//! `cargo rres cache`: what the import cache holds, and keeping it small and sound.

use std::time::{Duration, SystemTime};

use rres_build::cache::{Cache, SPARED, cache_size_limit};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, shown, size};

/// Look after the import cache, which all projects share: what it holds, pruning, checking
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Say how much it holds, of which how much has not been used for a week, and which builds use it
    Stat {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove what has not been used for longest; builds do so once a day where the cache is too large
    Prune {
        /// How much may stay, such as `2 GB`; default: the variable RRES_CACHE_SIZE, else 10 GB
        #[arg(long, value_name = "SIZE", value_parser = parse_size)]
        size: Option<u64>,
        /// Leave alone what was used within this many days
        #[arg(long, value_name = "DAYS", default_value_t = SPARED.as_secs() / DAY)]
        spare: u64,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Read everything and remove what is damaged, which the next build imports again; code 1 where anything was
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print its directory
    Path {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Seconds of a day.
const DAY: u64 = 24 * 3600;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let cache = Cache::of_user().ok_or_else(|| {
        let why = "the variable RRES_CACHE_DIR is \"off\", or this user has no home directory";
        Failure::Call(format!("there is no import cache: {why}"))
    })?;
    match &args.command {
        Command::Stat { json } => stat(&cache, *json, out),
        Command::Prune { size, spare, json } => prune(&cache, *size, *spare, *json, out),
        Command::Verify { json } => verify(&cache, *json, out),
        Command::Path { json } => path(&cache, *json, out),
    }
}

fn stat(cache: &Cache, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let stat = cache.stat().map_err(|e| failed("read", cache, &e))?;
    let limit = limit()?;
    if json {
        out.json(&json!({
            "dir": cache.dir().display().to_string(),
            "blobs": stat.blobs,
            "bytes": stat.bytes,
            "limit": (limit != u64::MAX).then_some(limit),
            "prunable": stat.prunable,
            "oldest_use": stat.oldest_use.map(unix_time),
            "pruned": stat.pruned.map(unix_time),
            "dev_indexes": stat.dev_indexes.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        }))?;
        return Ok(Outcome::Fine);
    }
    let of_limit = if limit == u64::MAX { "no limit".to_owned() } else { format!("of {}", size(limit)) };
    out.line(out.style(Style::Bold, &cache.dir().display().to_string()))?;
    out.line(format!("  {} imported sources, {} ({of_limit})", stat.blobs, size(stat.bytes)))?;
    out.line(format!("  not used for {} days: {}", SPARED.as_secs() / DAY, size(stat.prunable)))?;
    if let Some(used) = stat.oldest_use {
        out.line(format!("  least recent use: {}", ago(used)))?;
    }
    if let Some(pruned) = stat.pruned {
        out.line(format!("  last looked at for pruning: {}", ago(pruned)))?;
    }
    for file in &stat.dev_indexes {
        out.line(format!("  used by {}", shown(&file.display().to_string())))?;
    }
    Ok(Outcome::Fine)
}

fn prune(cache: &Cache, most: Option<u64>, spare: u64, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let most = most.map_or_else(limit, Ok)?;
    let spared = Duration::from_secs(spare.saturating_mul(DAY));
    let pruned = cache.prune(most, spared).map_err(|e| failed("prune", cache, &e))?;
    if json {
        out.json(&json!({ "removed": pruned.files, "bytes": pruned.bytes, "left": pruned.left }))?;
        return Ok(Outcome::Fine);
    }
    let files = if pruned.files == 1 { "file" } else { "files" };
    out.line(format!("removed {} {files}, {}; {} left", pruned.files, size(pruned.bytes), size(pruned.left)))?;
    if pruned.left > most {
        out.line(format!("what is left was used within {spare} days; --spare 0 removes that, too"))?;
    }
    Ok(Outcome::Fine)
}

fn verify(cache: &Cache, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let verified = cache.verify().map_err(|e| failed("verify", cache, &e))?;
    let is_sound = verified.removed.is_empty();
    if json {
        let removed = |(file, what): &(std::path::PathBuf, String)| -> Value {
            json!({ "file": file.display().to_string(), "problem": what })
        };
        let removed: Vec<_> = verified.removed.iter().map(removed).collect();
        out.json(&json!({ "ok": is_sound, "sound": verified.sound, "bytes": verified.bytes, "removed": removed }))?;
    } else {
        for (file, what) in &verified.removed {
            let line = format!("{} {}: {what}; removed", out.style(Style::Bad, "problem:"), file.display());
            out.line(line)?;
        }
        let verdict = match verified.removed.len() {
            0 => out.style(Style::Good, "ok"),
            n => out.style(Style::Bad, &format!("{n} damaged")),
        };
        out.line(format!("{verdict}; {} sound, {} read", verified.sound, size(verified.bytes)))?;
    }
    Ok(if is_sound { Outcome::Fine } else { Outcome::Problems })
}

fn path(cache: &Cache, json: bool, out: &mut Output) -> Result<Outcome, Failure> {
    let dir = cache.dir().display().to_string();
    if json {
        out.json(&json!({ "dir": dir }))?
    } else {
        out.line(dir)?
    }
    Ok(Outcome::Fine)
}

fn limit() -> Result<u64, Failure> {
    cache_size_limit().map_err(|message| Failure::Call(format!("the variable RRES_CACHE_SIZE {message}")))
}

fn parse_size(text: &str) -> Result<u64, String> {
    rres_build::cache::parse_size(text).ok_or_else(|| "expected a size such as 500 MB or 2 GB".to_owned())
}

fn failed(what: &str, cache: &Cache, error: &std::io::Error) -> Failure {
    Failure::Call(format!("cannot {what} the import cache {}: {error}", cache.dir().display()))
}

/// Seconds since 1970.
fn unix_time(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn ago(time: SystemTime) -> String {
    match time.elapsed().map_or(0, |age| age.as_secs()) / DAY {
        0 => "within a day".to_owned(),
        1 => "a day ago".to_owned(),
        days => format!("{days} days ago"),
    }
}
