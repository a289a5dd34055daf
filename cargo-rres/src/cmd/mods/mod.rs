//! `cargo rres mods`: the load order of a folder of mods, what is wrong with them, and which asset is whose; and the kit for their authors.

mod kit;
mod list;

use std::path::{Path, PathBuf};

use rres_mods::semver::Version;
use rres_mods::{FaultKind, ModLoader, ModState, Mods, Override};
use rres_runtime::Store;
use serde_json::{Value, json};

use super::fingerprint::failure;
use crate::exit::{Failure, Outcome};
use crate::key::KeyArgs;
use crate::output::{Column, Output, Table, count, escape_terminal};

/// Show the load order, faults and conflicts of mods, or write a kit for their authors
///
/// Reads each pack in the folder as a game with rres-mods does, and mounts none.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  cargo rres mods mods --base game.rres                 with what the game has
  cargo rres mods mods --game lantern --game-version 1.4.0
                                                        leaves out mods of other games and versions
  cargo rres mods kit game.rres --game lantern -o kit   what an author of mods needs, and no assets"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: CheckArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Kit(kit::Args),
}

#[derive(Debug, clap::Args)]
struct CheckArgs {
    /// Folder with the packs of mods
    #[arg(required = true)]
    dir: Option<PathBuf>,
    /// Path to the pack of the game: finds mods that would replace an asset by one of another kind
    #[arg(long, value_name = "PACK")]
    base: Option<PathBuf>,
    /// Id of the game; mods of other games are left out [default: mods of any game]
    #[arg(long, value_name = "ID", requires = "game_version")]
    game: Option<String>,
    /// Version of the game, such as 1.4.0
    #[arg(long, value_name = "VERSION", requires = "game")]
    game_version: Option<Version>,
    /// Id of a mod that is disabled; may be repeated
    #[arg(long, value_name = "ID")]
    disable: Vec<String>,
    /// List every asset of the mods, and not only those that several have
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    key: KeyArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.command {
        Some(Command::Kit(args)) => kit::run(args, out),
        None => check(&args.check, out),
    }
}

fn check(args: &CheckArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let dir = args.dir.as_deref().unwrap_or(Path::new("."));
    if !dir.is_dir() {
        let why = if dir.exists() { "it is not a directory" } else { "no such directory" };
        return Err(Failure::Usage(format!("cannot read {}: {why}", dir.display())));
    }
    let options = args.key.opener()?.pack_options();
    let store = match &args.base {
        Some(base) => options.open_store(base).map_err(failure)?,
        None => Store::from_packs([]),
    };
    let loader = match (&args.game, &args.game_version) {
        (Some(game), Some(version)) => ModLoader::new(game, version.clone()),
        _ => ModLoader::of_any_game(),
    };
    let mods = loader.disabled(&args.disable).pack_options(options).read(dir, &store);
    if let [fault] = mods.faults()
        && let FaultKind::Folder(_) = fault.kind
    {
        return Err(Failure::Usage(fault.to_string()));
    }
    if args.json {
        out.json(to_json(&mods))?;
    } else {
        print(&mods, args.all, out)?;
    }
    Ok(Outcome::of(mods.faults().is_empty()))
}

fn print(mods: &Mods, all: bool, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[
        Column::right("ORDER"),
        Column::left("MOD"),
        Column::left("VERSION"),
        Column::left("NAME"),
        Column::left("FILE"),
    ]);
    let in_order = mods.order().enumerate().map(|(number, found)| ((number + 1).to_string(), found));
    let disabled = mods.found().iter().filter(|found| found.state() == ModState::Disabled);
    for (number, found) in in_order.chain(disabled.map(|found| ("off".to_owned(), found))) {
        let manifest = found.manifest();
        let file = escape_terminal(&found.file().display().to_string());
        table.row([number, manifest.id.clone(), manifest.version.to_string(), escape_terminal(&manifest.name), file]);
    }
    if !mods.found().is_empty() {
        table.print(out)?;
    }
    let shown: Vec<&Override> = mods.overrides().assets().iter().filter(|asset| all || asset.mods.len() > 1).collect();
    if !shown.is_empty() {
        out.line("")?;
        let mut table = Table::new(&[
            Column::left("ASSET"),
            Column::left("KIND"),
            Column::left("IN THE GAME"),
            Column::left("MODS"),
            Column::left("WINNER"),
        ]);
        for asset in shown {
            let path = if asset.path.is_empty() { asset.id.to_string() } else { escape_terminal(&asset.path) };
            let in_game = if asset.replaces_game { "yes" } else { "no" };
            let mods = asset.mods.join(", ");
            table.row([path, kind_name(asset), in_game.to_owned(), mods, asset.winner().to_owned()]);
        }
        table.print(out)?;
    }
    if !mods.found().is_empty() {
        out.line("")?;
    }
    let conflicts = count(mods.overrides().conflicts().count(), "conflict");
    let faults = count(mods.faults().len(), "fault");
    out.line(format!("{}, {conflicts}, {faults}", count(mods.order().len(), "mod")))?;
    for fault in mods.faults() {
        out.error(&escape_terminal(&fault.to_string()))?;
    }
    Ok(())
}

fn kind_name(asset: &Override) -> String {
    asset.kind.map_or_else(|| "unknown".to_owned(), |kind| kind.name().to_owned())
}

fn to_json(mods: &Mods) -> Value {
    let order: Vec<&str> = mods.order().map(|found| found.manifest().id.as_str()).collect();
    let found = mods.found().iter().map(|found| {
        let manifest = found.manifest();
        json!({
            "id": manifest.id,
            "name": manifest.name,
            "version": manifest.version.to_string(),
            "authors": manifest.authors,
            "description": manifest.description,
            "game": manifest.game,
            "game_version": manifest.game_version.as_ref().map(ToString::to_string),
            "file": found.file().display().to_string(),
            "state": match found.state() {
                ModState::Used => "used",
                ModState::Disabled => "disabled",
                ModState::LeftOut => "left-out",
            },
        })
    });
    let faults = mods.faults().iter().map(|fault| {
        json!({
            "file": fault.file.display().to_string(),
            "id": fault.id,
            "code": fault.kind.code(),
            "message": fault.kind.to_string(),
        })
    });
    let asset = |asset: &Override| {
        json!({
            "path": (!asset.path.is_empty()).then_some(&asset.path),
            "id": asset.id.to_string(),
            "kind": kind_name(asset),
            "replaces_game": asset.replaces_game,
            "mods": asset.mods,
            "winner": asset.winner(),
        })
    };
    json!({
        "order": order,
        "mods": found.collect::<Vec<_>>(),
        "assets": mods.overrides().assets().iter().map(asset).collect::<Vec<_>>(),
        "conflict_count": mods.overrides().conflicts().count(),
        "faults": faults.collect::<Vec<_>>(),
    })
}
