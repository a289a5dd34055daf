//! `cargo rres sources pull`: fetches listed files.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;

use glob::Pattern;
use rres_engine::ListedSource;
use rres_packs::progress::Progress;
use rres_settings::ByteSize;
use serde_json::json;

use super::files::{Files, Listed, Standing, stamp, standings};
use super::store::SourceStore;
use super::{DirectoryArgs, store};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};
use crate::progress_bar::ProgressBar;

/// Fetch listed files that are missing, or that others have changed
///
/// A file that was changed on this machine is replaced only if the store already has your version, so that nothing is lost.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Asset paths, folders or globs [default: all listed files]
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    directory: DirectoryArgs,
    /// Replace files that were changed on this machine, too
    #[arg(long)]
    force: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (list, files) = (args.directory.list()?, Files::of(&args.directory.dir()?));
    let chosen = Chosen::new(&args.paths)?;
    let standings = standings(&files, &list, |path| chosen.has(path))?;
    if let (true, Some(first)) = (standings.is_empty(), args.paths.first()) {
        return Err(Failure::Usage(format!("no listed file matches {}", escape_terminal(first))));
    }
    let store = store::open(&list.store)?;
    let unsaved = if args.force { HashSet::new() } else { unsaved(&store, &standings)? };
    let is_kept = |of: &&Listed<'_>| matches!(&of.standing, Standing::Changed(found) if unsaved.contains(&found.hash));
    let mut kept: Vec<&str> = standings.iter().filter(is_kept).map(|of| of.path).collect();
    let wanted: Vec<&Listed<'_>> =
        standings.iter().filter(|of| of.standing != Standing::Same && !is_kept(of)).collect();
    let targets: Vec<(ListedSource, PathBuf)> =
        wanted.iter().map(|of| Ok((of.source, files.file_to_write(of.path)?))).collect::<Result<_, Failure>>()?;
    let bar = ProgressBar::start();
    let meter = bar.meter();
    let bytes = targets.iter().map(|(source, _)| source.size).sum();
    meter.set(Progress { noun: "files", count: targets.len(), bytes, ..Progress::default() });
    let mut done = None;
    // Large files take long to arrive, and meanwhile somebody may save one.
    let saved = RefCell::new(Vec::new());
    let may_replace = |number: usize| {
        let is_same = stamp(&targets[number].1) == wanted[number].stamp;
        if !is_same {
            saved.borrow_mut().push(number);
        }
        is_same
    };
    let pulled = store.pull(&targets, &may_replace, &mut |number| {
        meter.next(done, wanted[number].path);
        done = Some(targets[number].0.size);
    });
    bar.stop();
    let lost = pulled.map_err(|e| store::failed("fetch from", &store, &e))?;
    let saved = saved.into_inner();
    let is_fetched = |number: &usize| !lost.contains(number) && !saved.contains(number);
    let fetched: Vec<usize> = (0..targets.len()).filter(is_fetched).collect();
    let bytes: u64 = fetched.iter().map(|number| targets[*number].0.size).sum();
    let fetched = fetched.len();
    let lost: Vec<&str> = lost.into_iter().map(|number| wanted[number].path).collect();
    kept.extend(saved.into_iter().map(|number| wanted[number].path));
    let is_ok = lost.is_empty() && kept.is_empty();
    if args.json {
        out.json(json!({ "ok": is_ok, "store": store.place(), "file_count": standings.len(), "fetched_count": fetched, "fetched_size": bytes, "kept": kept, "lost": lost }))?;
    }
    for path in &kept {
        let why = "has changed on this machine, and the store lacks it: push it, or replace it with --force";
        out.error(&format!("{} {why}", escape_terminal(path)))?;
    }
    for path in &lost {
        let why = "is not in the store, or is damaged there: who has it must run `cargo rres sources push --force`";
        out.error(&format!("{} {why}", escape_terminal(path)))?;
    }
    if !args.json {
        let place = escape_terminal(store.place());
        out.line(format!(
            "{} of {} fetched from {place}, {}",
            count(fetched, "file"),
            standings.len(),
            ByteSize(bytes)
        ))?;
    }
    Ok(Outcome::of(is_ok))
}

/// The hashes of files that were changed on this machine, and that the store lacks as they are.
fn unsaved(store: &SourceStore, standings: &[Listed<'_>]) -> Result<HashSet<[u8; 32]>, Failure> {
    let changed = standings.iter().filter_map(|of| match of.standing {
        Standing::Changed(found) => Some(found),
        _ => None,
    });
    let changed: Vec<ListedSource> = changed.collect();
    let has = store.has(&changed).map_err(|e| store::failed("read", store, &e))?;
    Ok(changed.iter().zip(has).filter(|(_, has)| !has).map(|(of, _)| of.hash).collect())
}

/// The files that the user has chosen.
struct Chosen(Vec<(String, Pattern)>);

impl Chosen {
    fn new(paths: &[String]) -> Result<Self, Failure> {
        let pattern = |path: &String| {
            let path = path.trim_end_matches('/');
            let pattern = Pattern::new(path);
            pattern
                .map(|pattern| (path.to_owned(), pattern))
                .map_err(|e| Failure::Usage(format!("\"{}\": {e}", escape_terminal(path))))
        };
        Ok(Self(paths.iter().map(pattern).collect::<Result<_, _>>()?))
    }

    fn has(&self, path: &str) -> bool {
        let is_below =
            |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.0.is_empty() || self.0.iter().any(|(folder, pattern)| is_below(folder) || pattern.matches(path))
    }
}
