//! `cargo rres sources pull`: fetches listed files.

use std::collections::HashSet;
use std::path::PathBuf;

use glob::Pattern;
use rres_engine::ListedSource;
use rres_packs::progress::Progress;
use rres_settings::ByteSize;
use serde_json::json;

use super::files::{Standing, file, standings};
use super::{DirectoryArgs, store};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};
use crate::progress_bar::ProgressBar;

/// Fetch listed files that are missing, or that others have changed
///
/// A file that was changed on this machine is replaced only if the store has it as it is, so that nothing is lost.
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
    let (list, assets) = (args.directory.list()?, args.directory.dir()?);
    let chosen = Chosen::new(&args.paths)?;
    let standings = standings(&assets, &list, |path| chosen.has(path))?;
    if let (true, Some(first)) = (standings.is_empty(), args.paths.first()) {
        return Err(Failure::Usage(format!("no listed file matches {}", escape_terminal(first))));
    }
    let store = store::open(&list.store)?;
    let changed: Vec<ListedSource> = standings
        .iter()
        .filter_map(|(.., standing)| match standing {
            Standing::Changed(found) if !args.force => Some(*found),
            _ => None,
        })
        .collect();
    let has = store.has(&changed).map_err(|e| store::failed("read", &store, &e))?;
    let unsaved: HashSet<[u8; 32]> = changed.iter().zip(has).filter(|(_, has)| !has).map(|(of, _)| of.hash).collect();
    let is_kept = |standing: &Standing| matches!(standing, Standing::Changed(found) if unsaved.contains(&found.hash));
    let kept: Vec<&str> = standings.iter().filter(|(.., standing)| is_kept(standing)).map(|(path, ..)| *path).collect();
    let wanted: Vec<_> =
        standings.iter().filter(|(.., standing)| *standing != Standing::Same && !is_kept(standing)).collect();
    let files: Vec<(ListedSource, PathBuf)> =
        wanted.iter().map(|(path, source, _)| (*source, file(&assets, path))).collect();
    let bytes: u64 = files.iter().map(|(source, _)| source.size).sum();
    let bar = ProgressBar::start();
    let meter = bar.meter();
    meter.set(Progress { noun: "files", count: files.len(), bytes, ..Progress::default() });
    let mut done = None;
    let pulled = store.pull(&files, &mut |number| {
        meter.next(done, wanted[number].0);
        done = Some(files[number].0.size);
    });
    bar.stop();
    let lost = pulled.map_err(|e| store::failed("fetch from", &store, &e))?;
    let bytes = bytes - lost.iter().map(|number| files[*number].0.size).sum::<u64>();
    let lost: Vec<&str> = lost.into_iter().map(|number| wanted[number].0).collect();
    let fetched = files.len() - lost.len();
    let is_ok = lost.is_empty() && kept.is_empty();
    if args.json {
        out.json(json!({ "ok": is_ok, "store": store.place(), "file_count": standings.len(), "fetched_count": fetched, "fetched_size": bytes, "kept": kept, "lost": lost }))?;
    }
    for path in &kept {
        let why = "has changed on this machine, and the store lacks it: push it, or replace it with --force";
        out.error(&format!("{} {why}", escape_terminal(path)))?;
    }
    for path in &lost {
        let why = "is not in the store, or is damaged there: who has it must push it again";
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
