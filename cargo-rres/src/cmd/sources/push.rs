//! `cargo rres sources push`: sends files to the store, and lists them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rres_engine::{ListedSource, SourceList};
use rres_packs::atomic_write;
use rres_packs::progress::Progress;
use rres_settings::ByteSize;
use serde_json::json;

use super::files::{Files, hash, named, unreadable};
use super::{DirectoryArgs, read, store};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};
use crate::progress_bar::ProgressBar;

/// Send files to the store, and list them
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files and folders [default: the listed files]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    directory: DirectoryArgs,
    /// Address of the store, such as s3://bucket/sources; the list keeps it
    #[arg(long, value_name = "ADDRESS")]
    store: Option<String>,
    /// Send files that the store has, too, because it has damaged one
    #[arg(long)]
    force: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let assets = args.directory.dir()?;
    let mut list = match read(&assets)? {
        Some(list) => list,
        None if args.store.is_some() => SourceList::default(),
        None => args.directory.list()?,
    };
    let is_moved = args.store.as_ref().is_some_and(|store| *store != list.store);
    if let Some(store) = &args.store {
        if !SourceList::may_have_store(store) {
            let text = "--store: the list is in the repository, so its address must have no password and no query; use variables";
            return Err(Failure::Usage(text.to_owned()));
        }
        list.store.clone_from(store);
    }
    let files = Files::of(&assets);
    let mut paths: BTreeSet<String> = match args.paths.is_empty() {
        true => list.files.keys().filter(|path| files.has(path)).cloned().collect(),
        false => named(&assets, &args.paths)?.into_iter().collect(),
    };
    let store = store::open(&list.store)?;
    if is_moved {
        // The new store must have what others will ask it for.
        let absent: Vec<&String> = list.files.keys().filter(|path| !files.has(path)).collect();
        let of_absent: Vec<ListedSource> = absent.iter().map(|path| list.files[*path]).collect();
        let has = store.has(&of_absent).map_err(|e| store::failed("read", &store, &e))?;
        if let Some((path, _)) = absent.iter().zip(has).find(|(_, has)| !has) {
            let why = "is neither on this machine nor in the new store; run `cargo rres sources pull` first";
            return Err(Failure::Usage(format!("{} {why}", escape_terminal(path))));
        }
        paths.extend(list.files.keys().filter(|path| files.has(path)).cloned());
    }
    let mut sources: Vec<(String, ListedSource)> = Vec::with_capacity(paths.len());
    for path in paths {
        let file = files.file(&path);
        let source = hash(&file).map_err(|e| unreadable(&file, &e))?;
        sources.push((path, source));
    }
    let refused = sources.iter().filter_map(|(path, source)| Some((path, SourceList::refuses(path, source.size)?)));
    let refused: Vec<String> = refused.map(|(path, why)| format!("{} {why}", escape_terminal(path))).collect();
    if !refused.is_empty() {
        // A list with them could not be read any more.
        return Err(Failure::Fault(refused.join("\n")));
    }
    let known: Vec<ListedSource> = sources.iter().map(|(_, source)| *source).collect();
    let has = match args.force {
        true => vec![false; known.len()],
        false => store.has(&known).map_err(|e| store::failed("read", &store, &e))?,
    };
    let lacking: Vec<&(String, ListedSource)> =
        sources.iter().zip(has).filter(|(_, has)| !has).map(|(of, _)| of).collect();
    let bytes: u64 = lacking.iter().map(|(_, source)| source.size).sum();
    let bar = ProgressBar::start();
    let meter = bar.meter();
    meter.set(Progress { noun: "files", count: lacking.len(), bytes, ..Progress::default() });
    let mut done = None;
    for (path, source) in &lacking {
        meter.next(done, path);
        done = Some(source.size);
        let sent = store.push(source, &files.file(path));
        sent.map_err(|e| store::failed(&format!("send {} to", escape_terminal(path)), &store, &e))?;
    }
    bar.stop();
    let (sent, of) = (lacking.len(), sources.len());
    let new = sources.iter().map(|(path, _)| path).find(|path| !list.files.contains_key(*path)).cloned();
    list.files.extend(sources.iter().cloned());
    // It never names what the store lacks.
    let is_updated = write(&list, &assets)?;
    let name = SourceList::path_for(&assets).display().to_string();
    if args.json {
        out.json(json!({ "ok": true, "store": store.place(), "file_count": of, "sent_count": sent, "sent_size": bytes, "list": name, "is_updated": is_updated }))?;
        return Ok(Outcome::Success);
    }
    let place = escape_terminal(store.place());
    out.line(format!("{} of {of} sent to {place}, {}", count(sent, "file"), ByteSize(bytes)))?;
    if is_updated {
        out.line(format!("{} updated; commit it", escape_terminal(&name)))?;
    }
    if let Some(new) = new.filter(|new| is_seen_by_git(&files.file(new))) {
        let help = format!(
            "list {} and the others in .gitignore, so that they stay out of the repository",
            escape_terminal(&new)
        );
        out.message(Style::Bold, "help:", &help)?;
    }
    Ok(Outcome::Success)
}

/// Writes the list if it has changed. Returns whether it has.
fn write(list: &SourceList, assets: &Path) -> Result<bool, Failure> {
    let file = SourceList::path_for(assets);
    let absolute = std::path::absolute(assets).unwrap_or_else(|_| assets.to_owned());
    let text = list.text(&absolute.file_name().unwrap_or_default().to_string_lossy());
    if std::fs::read(&file).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    let written = atomic_write::edit(&file, text.as_bytes());
    written.map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
    Ok(true)
}

/// Whether a file is in a repository that does not ignore it.
fn is_seen_by_git(file: &Path) -> bool {
    let (Some(dir), Some(name)) = (file.parent(), file.file_name()) else { return false };
    let mut git = Command::new("git");
    git.args(["check-ignore", "--quiet", "--"]).arg(name).current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null());
    git.status().is_ok_and(|status| status.code() == Some(1))
}
