//! `cargo rres report`: a page that shows what a pack is made of, in one HTML file that opens without a network.
//!
//! `input` finds packs and sources, `decisions` says what the settings decided, `facts` measures each asset, `summary`,
//! `shares` and `changes` compare them, `preview` makes pictures of them, and `page` puts everything into one file.

mod changes;
mod decisions;
mod facts;
mod input;
mod page;
mod preview;
mod shares;
mod summary;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use changes::{Changes, Earlier};
use facts::Asset;
use input::Input;
use page::Detail;
use preview::{Atlases, Preview, Previews};
use rres_engine::NoteGroup;
use rres_packs::progress::Progress;
use rres_packs::{PackSet, ResourceList, atomic_write, group_totals, pack_set};
use rres_settings::ByteSize;
use serde_json::{Value, json};
use shares::Shares;
use summary::Summary;

use crate::cmd::build::note_json;
use crate::cmd::info::ResourceInfo;
use crate::cmd::ls::{AssetCount, group_json};
use crate::cmd::unused;
use crate::diagnostic::Diagnostic;
use crate::exit::{Failure, Outcome};
use crate::key;
use crate::output::{Output, count, escape_terminal};
use crate::pack_args::PackArgs;
use crate::progress_bar::ProgressBar;

/// Make a page that shows what is in a pack
///
/// The page is one HTML file: a map of what takes the space, a table to sort and to search, and each asset to look at. It
/// opens without a network. A folder of assets is built for the report.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Path to the pack, or to a folder of assets [default: what this package has built last]
    pack: Option<OsString>,
    #[command(flatten)]
    packs: PackArgs,
    /// File to write; a file that is not a report is not replaced [default: report.html]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long, conflicts_with = "json")]
    open: bool,
    /// Size of the previews: `small` for about 16 MB in all, `full` for up to 256 MB, or `none`
    #[arg(long, value_enum, default_value_t, value_name = "SIZE")]
    previews: Previews,
    /// Show what has changed since an earlier report, its JSON or a pack
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// Directory of the source files [default: the one that the package builds from]
    #[arg(long, value_name = "DIR")]
    sources: Option<PathBuf>,
    /// Import every source again, to measure how long it takes
    #[arg(long)]
    import_times: bool,
    /// Show which assets the programs of the package do not use; compiles them
    #[arg(long)]
    unused: bool,
    /// Print the data of the page as JSON; writes the page only with --out
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  cargo rres report --open                       the last build of this package, in the browser
  cargo rres report assets -o assets.html        a folder of assets
  cargo rres report game.rres --since old.html   what has changed since an earlier report";

/// The page, unless `--out` names another file.
const DEFAULT_FILE: &str = "report.html";

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let file = match &args.out {
        None if args.json => None,
        file => Some(file.clone().unwrap_or_else(|| DEFAULT_FILE.into())),
    };
    file.as_deref().map_or(Ok(()), check_replaceable)?;
    let keys = args.packs.key().load()?;
    let opener = key::opener().keys(keys.clone());
    let earlier = args.since.as_deref().map(|file| Earlier::read(file, &opener)).transpose()?;
    let input = Input::choose(args, keys.as_ref(), out)?;
    let unused = args.unused.then(|| unused::unused_paths(args.packs.package(), out)).transpose()?;
    let sets = opener.open_sets(&input.packs)?;
    let lists = pack_set::resource_lists(&sets);
    let findings = pack_set::findings(&sets, &lists);
    let groups = group_totals(&sets, &lists);
    let assets = assets(&sets, lists, &input);
    let summary = Summary::new(&assets);
    let changes = earlier.map(|earlier| earlier.changes(&assets));
    let decisions = &input.decisions;
    let faults = decisions.diagnostics(input.build.iter().flat_map(|build| &build.refused));
    let denied = decisions.denied();
    let notes: Vec<&NoteGroup> = input.build.iter().flat_map(|build| &build.notes).collect();
    let mut data = json!({
        "title": input.title,
        "pack_size": pack_set::packs(&sets).map(|pack| pack.view().bytes().len() as u64).sum::<u64>(),
        "previews": args.previews.name(),
        "assets": assets.iter().map(|asset| asset.to_json(decisions)).collect::<Vec<_>>(),
        "groups": groups.iter().map(group_json).collect::<Vec<_>>(),
        "unused": unused,
        "changes": changes.as_ref().map(Changes::to_json),
        "findings": findings.iter().map(|(_, finding)| finding.to_json()).collect::<Vec<_>>(),
        "lints": decisions.lints_json(),
        "budgets": decisions.budgets_json(),
        "diagnostics": faults.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
        "notes": notes.iter().copied().map(note_json).collect::<Vec<_>>(),
    });
    summary.add_to(&mut data);
    let owners = Shares::of_owners(&assets, &input);
    let licenses = Shares::of_licenses(&assets, &input.licenses);
    (data["owners"], data["licenses"]) = (Value::Null, Value::Null);
    owners.iter().chain(&licenses).for_each(|shares| shares.add_to(&mut data));
    let is_intact = summary.broken.is_empty() && findings.is_empty() && faults.is_empty() && denied.is_empty();
    let mut size = 0;
    if let Some(file) = &file {
        let page = page::html(data.clone(), &details(&assets, args.previews));
        atomic_write::replace(file, page.as_bytes())
            .map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
        size = page.len();
    }
    for (pack, finding) in &findings {
        out.finding(&pack.name(), finding)?;
    }
    for diagnostic in &faults {
        out.error(&diagnostic.to_string())?;
    }
    denied.iter().try_for_each(|line| out.error(line))?;
    if args.json {
        out.json(data)?;
    } else if let Some(file) = &file {
        print(&assets, &summary, changes.as_ref(), out)?;
        if let Some(owners) = &owners {
            out.line(escape_terminal(&owners.line("nobody")))?;
        }
        if let Some(licenses) = &licenses {
            out.line(escape_terminal(&licenses.line("no licence")))?;
        }
        if decisions.lint_count() > 0 {
            out.line(format!("{} exceeded", count(decisions.lint_count(), "limit")))?;
        }
        out.line(format!("{} ({})", escape_terminal(&file.display().to_string()), ByteSize(size as u64)))?;
        if args.open {
            open(file)?;
        }
    }
    Ok(Outcome::of(is_intact))
}

/// Refuses to replace a file that is not a report.
fn check_replaceable(file: &Path) -> Result<(), Failure> {
    let refused = |why: &str| Err(Failure::Usage(format!("cannot write {}: {why}", file.display())));
    if file.is_dir() {
        return refused("it is a directory; name a file");
    }
    match fs::metadata(file) {
        Ok(metadata) if !metadata.is_file() => return refused("it is no ordinary file; name another one"),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return refused(&error.to_string()),
    }
    match fs::read(file) {
        Ok(bytes) if bytes.is_empty() => Ok(()),
        Ok(bytes) => {
            let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
            let why = "the file exists and is not a report; remove it, or name another file with --out";
            if start.contains(page::MARK) { Ok(()) } else { refused(why) }
        }
        Err(error) => refused(&error.to_string()),
    }
}

/// Returns every asset of the packs, by path, with what can be measured.
fn assets<'a>(sets: &'a [PackSet], lists: Vec<ResourceList<'a>>, input: &Input) -> Vec<Asset<'a>> {
    let lists: Vec<_> = pack_set::packs(sets).zip(lists).collect();
    let resources = || lists.iter().flat_map(|(_, list)| &list.resources);
    let (count, bytes) = (resources().count(), resources().map(|resource| resource.stored_size).sum());
    let bar = ProgressBar::start();
    let meter = bar.meter();
    meter.set(Progress { noun: "assets", count, bytes, ..Progress::default() });
    let mut assets = Vec::with_capacity(count);
    let mut done = None;
    for (pack, list) in lists {
        for resource in list.resources {
            meter.next(done, &resource.name());
            done = Some(resource.stored_size);
            let file = resource.path.as_deref().map(|path| input.decisions.file_of(path));
            let source = file.and_then(|file| input.sources.of(file));
            assets.push(Asset::new(pack, resource, source));
        }
    }
    bar.stop();
    assets.sort_by(|a, b| a.resource.path_order().cmp(&b.resource.path_order()));
    assets
}

/// Makes the details of all assets, on all processors.
fn details(assets: &[Asset<'_>], previews: Previews) -> Vec<Detail> {
    let budget = previews.budget(assets.iter().map(|asset| asset.resource.kind));
    let atlases = Atlases::default();
    let detail = |asset: &Asset<'_>| {
        let resource = &asset.resource;
        let preview = match (&budget, asset.pack.runtime_pack(), resource.kind) {
            (None, ..) => Preview::nothing("the page was made with --previews none"),
            (Some(_), Some(_), Some(_)) if resource.sealed_with().is_some() => Preview::nothing("it is encrypted"),
            (Some(budget), Some(pack), Some(kind)) => Preview::new(pack, resource.id, kind, budget, &atlases),
            _ => Preview::nothing("the pack is damaged, or its kind is not known"),
        };
        Detail { info: ResourceInfo::new(asset.pack, resource).to_json(), preview }
    };
    let bar = ProgressBar::start();
    let meter = bar.meter();
    let bytes = assets.iter().map(|asset| asset.resource.stored_size).sum();
    meter.set(Progress { noun: "previews", count: assets.len(), bytes, ..Progress::default() });
    let next = AtomicUsize::new(0);
    let (sender, made) = mpsc::channel();
    let threads = thread::available_parallelism().map_or(1, |number| number.get()).min(assets.len().max(1));
    let mut details: Vec<(usize, Detail)> = thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, detail) = (sender.clone(), &next, &detail);
            scope.spawn(move || {
                while let number = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(asset) = assets.get(number)
                {
                    if sender.send((number, detail(asset))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let report = |(number, _): &(usize, Detail)| {
            let resource = &assets[*number].resource;
            meter.next(Some(resource.stored_size), &resource.name());
        };
        made.into_iter().inspect(report).collect()
    });
    bar.stop();
    details.sort_by_key(|(number, _)| *number);
    details.into_iter().map(|(_, detail)| detail).collect()
}

fn print(assets: &[Asset<'_>], summary: &Summary, changes: Option<&Changes>, out: &mut Output) -> Result<(), Failure> {
    let [stored, decoded] = [summary.stored_size, summary.decoded_size].map(ByteSize);
    let sources = summary.source_size.map(|size| format!("{} of sources, ", ByteSize(size))).unwrap_or_default();
    let number = AssetCount::of(assets.iter().map(|asset| &asset.resource));
    let uploaded = match summary.video_memory {
        0 => String::new(),
        bytes => format!(", {} of video memory", ByteSize(bytes)),
    };
    out.line(format!("{number}: {sources}{stored} stored, {decoded} decoded{uploaded}"))?;
    if !summary.duplicates.is_empty() {
        let wasted: u64 = summary.duplicates.iter().map(|group| group.wasted_size).sum();
        let copies: usize = summary.duplicates.iter().map(|group| group.paths.len() - 1).sum();
        out.line(format!("{} of others, {}", count(copies, "copy").replace("copys", "copies"), ByteSize(wasted)))?;
    }
    if !summary.grown.is_empty() {
        let more: u64 = summary.grown.iter().map(|asset| asset.stored_size - asset.source_size).sum();
        let number = count(summary.grown.len(), "asset");
        out.line(format!("{number} larger than the source, by {} together", ByteSize(more)))?;
    }
    if let Some(changes) = changes {
        out.line(escape_terminal(&changes.summary()))?;
    }
    for name in &summary.broken {
        out.error(&format!("{name} cannot be loaded; run `cargo rres verify`"))?;
    }
    Ok(())
}

/// Opens a file with the program that the system has for it.
fn open(file: &Path) -> Result<(), Failure> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        // Not `cmd /C start`, which would read `&` and `%` of a path as its own.
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let started = command.arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match started {
        // Explorer ends with 1 when it has opened a file.
        Ok(status) if status.success() || cfg!(windows) => Ok(()),
        _ => Err(Failure::Usage(format!(
            "the page is written, but no browser could be started; open {}",
            file.display()
        ))),
    }
}
