//! `cargo rres watch`: builds the pack again whenever the assets change.
//!
//! Sizes and times are compared at intervals instead of asking the system for events: that costs no dependency, and works on
//! network file systems, in containers and however an editor saves. The interval grows with the time of a comparison, so that
//! watching takes at most a twentieth of one processor.

mod network;

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rres_engine::{AssetDirectory, Build, SourceStamps};

use self::network::{Network, NetworkArgs};
use crate::asset_builds::{AssetBuild, AssetBuilds, BuildArgs};
use crate::cmd::build::{self, BuildOptions};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, escape_terminal};

/// Build the pack again whenever the assets change, until Ctrl-C
///
/// For programs that read packs and are not written in Rust, and for mods of a running game. A game in Rust needs none of this: its debug
/// builds reload assets by themselves. The pack is replaced as a whole, and stays as it is while an asset is broken.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres watch assets -o out             builds out/assets.rres, then again after every change
  cargo rres watch winter -o mods/winter.rres
  cargo rres watch -o out                    the assets of this package, by the rules of its build script
  cargo rres watch -o out --network          and sends what changes to games on phones and in browsers")]
pub(crate) struct Args {
    /// Path to the assets directory [default: what the package's build script builds]
    dir: Option<PathBuf>,
    #[command(flatten)]
    builds: BuildArgs,
    #[command(flatten)]
    options: BuildOptions,
    #[command(flatten)]
    network: NetworkArgs,
}

/// The shortest time between two comparisons.
const INTERVAL: Duration = Duration::from_millis(200);

/// The time between two comparisons, as a multiple of the time that one takes.
const PAUSE: u32 = 20;

/// How long the directory must rest after a change: editors and exporters write several files.
const REST: Duration = Duration::from_millis(60);

/// The longest wait for rest, however busy the directory is.
const LIMIT: Duration = Duration::from_secs(3);

/// How many changes are listed.
const MAX_CHANGES: usize = 10;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let builds = match &args.dir {
        Some(dir) => AssetBuilds::of_directory(dir, Vec::new())?,
        None => args.builds.find(out)?,
    };
    let [AssetBuild { dir, build }] = &builds.builds[..] else {
        let dirs: Vec<String> = builds.builds.iter().map(|build| build.dir.display().to_string()).collect();
        let text = format!("the build script builds several packs; name one directory: {}", dirs.join(", "));
        return Err(Failure::Usage(text));
    };
    if args.options.has_several_targets() {
        return Err(Failure::Usage("cannot watch for several targets, expected one --target".to_owned()));
    }
    let build = args.options.configure(build.clone())?.trust_stamps(true);
    let dirs = build.clone().directories().map_err(|error| Failure::Fault(error.to_string()))?;
    let mut stamps = SourceStamps::read_all(&dirs);
    let network = args.network.start(dir, &args.options.existing_packs(), out)?;
    rebuild(&build, network.as_ref(), out)?;
    out.message(Style::Dim, "watching", &format!("{}; Ctrl-C ends it", dir.display()))?;
    loop {
        if let Some(network) = &network {
            network.print(out)?;
        }
        let (after, took) = timed(&dirs);
        if after == stamps {
            thread::sleep(INTERVAL.max(took * PAUSE));
            continue;
        }
        let after = at_rest(&dirs, after);
        let changes = stamps.changes(&after);
        stamps = after;
        if changes.is_empty() {
            continue;
        }
        for change in changes.iter().take(MAX_CHANGES) {
            out.line(escape_terminal(&change.to_string()))?;
        }
        if changes.len() > MAX_CHANGES {
            out.line(format!("and {} more", changes.len() - MAX_CHANGES))?;
        }
        rebuild(&build, network.as_ref(), out)?;
        if out.is_closed() {
            return Ok(Outcome::Success);
        }
    }
}

/// Builds, prints the result or what is wrong, and tells the games.
fn rebuild(build: &Build, network: Option<&Network>, out: &mut Output) -> Result<(), Failure> {
    let (result, counts) = build::build_with_bar(build.clone());
    match result {
        Ok(report) => {
            build::print(&report, Some(&report.module), false, out)?;
            if let (Some(network), Some(pack)) = (network, report.packs.first())
                && let Err(failure) = network.publish(pack)
            {
                out.warn(&format!("games are not sent this pack: {failure}"))?;
            }
        }
        Err(error) => {
            if let Some(network) = network {
                network.fault(&error.to_string());
            }
            build::print_error(&error, counts, out)?;
            out.message(Style::Dim, "the pack", "stays as it was, until the next change")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Waits until nothing changes any more, and returns the state then.
fn at_rest(dirs: &[AssetDirectory], mut stamps: SourceStamps) -> SourceStamps {
    let started = Instant::now();
    loop {
        thread::sleep(REST);
        let (after, _) = timed(dirs);
        if after == stamps || started.elapsed() > LIMIT {
            return after;
        }
        stamps = after;
    }
}

/// The state of the directories, and the time that it took to read it.
fn timed(dirs: &[AssetDirectory]) -> (SourceStamps, Duration) {
    let started = Instant::now();
    (SourceStamps::read_all(dirs), started.elapsed())
}
