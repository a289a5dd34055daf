//! `cargo rres fingerprint`: the number that a running game computes of the assets that it has mounted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rres_format::AssetKind;
use rres_runtime::fingerprint::{AssetFingerprint, Coverage, FingerprintDetails};
use rres_runtime::{Error, ErrorKind, PackOptions, Store};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::{Column, Output, Table, count, escape_terminal};
use crate::pack_args::{Need, PackArgs};

/// Print the fingerprint of packs, as the running game computes it
///
/// Two games with equal fingerprints have the same assets, however their packs store them. Opens the pack with the additional packs of its set and the
/// patches beside it, and mounts the other packs over it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres fingerprint                               of what this package has built last
  cargo rres fingerprint game.rres mods/winter.rres    with a mod
  cargo rres fingerprint game.rres --kind text,data    what decides a match, and not how it looks
  cargo rres fingerprint game.rres --details           with a hash of each asset")]
pub(crate) struct Args {
    /// Path to the pack of the game [default: what this package has built last]
    pack: Option<OsString>,
    /// Packs that are mounted over it, such as mods; the last one wins
    #[arg(value_name = "MOD")]
    mods: Vec<PathBuf>,
    #[command(flatten)]
    packs: PackArgs,
    /// Cover only the assets of this group, and what they need
    #[arg(long, value_name = "NAME")]
    group: Option<String>,
    /// Cover only assets of these kinds, such as text or image; separate several by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    kind: Vec<AssetKind>,
    /// Cover only the assets that the packs mounted over the game bring
    #[arg(long)]
    mods_only: bool,
    /// Print each asset with a hash of its contents, too
    #[arg(long)]
    details: bool,
    /// Print the output as JSON, with the details
    #[arg(long)]
    json: bool,
}

fn kind(name: &str) -> Result<AssetKind, String> {
    AssetKind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = AssetKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("expected a kind of asset: {}", names.join(", "))
    })
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &[], Need::Bytes, out)?;
    let game = match (&paths[..], &names[..]) {
        ([game], []) => game,
        (_, [name, ..]) => return Err(Failure::Usage(format!("{} is not a pack", escape_terminal(name)))),
        _ => {
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            let text = format!("this package has several packs; name one of them: {}", names.join(", "));
            return Err(Failure::Usage(text));
        }
    };
    let options = args.packs.opener()?.pack_options();
    let store = open(game, &args.mods, &options)?;
    let mut coverage = if args.mods_only { Coverage::mods() } else { Coverage::all() };
    if let Some(group) = &args.group {
        coverage = coverage.group(group.as_str());
    }
    if !args.kind.is_empty() {
        coverage = coverage.kinds(args.kind.iter().copied());
    }
    let details = store.fingerprint_details(&coverage).map_err(failure)?;
    if args.json {
        out.json(to_json(game, &args.mods, &details))?;
        return Ok(Outcome::Success);
    }
    // As the checksums of files are printed, for scripts that take the first word.
    out.line(format!("{}  {}", details.fingerprint(), count(details.assets().len(), "asset")))?;
    if args.details {
        out.line("")?;
        let mut table =
            Table::new(&[Column::left("PATH"), Column::left("ID"), Column::left("KIND"), Column::left("CONTENTS")]);
        for asset in details.assets() {
            let path = if asset.path().is_empty() { "-".to_owned() } else { escape_terminal(asset.path()) };
            table.row([path, asset.id().to_string(), kind_name(asset), hex(asset.contents())]);
        }
        table.print(out)?;
    }
    Ok(Outcome::Success)
}

/// Opens the game as it opens itself, with these mods.
fn open(game: &Path, mods: &[PathBuf], options: &PackOptions) -> Result<Store, Failure> {
    let store = options.open_store(game).map_err(failure)?;
    for file in mods {
        let packs = options.open_set(file).map_err(failure)?;
        store.mount_set(packs).map_err(failure)?;
    }
    Ok(store)
}

/// What does not exist, or cannot be read, is an error of usage; the rest is a fault of a pack.
pub(super) fn failure(error: Error) -> Failure {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Io(_) | ErrorKind::NoSuchGroup { .. } | ErrorKind::Format(rres_format::Error::WrongKey { .. }) => {
            Failure::Usage(text)
        }
        _ => Failure::Fault(text),
    }
}

fn kind_name(asset: &AssetFingerprint) -> String {
    asset.kind().map_or_else(|| "unknown".to_owned(), |kind| kind.name().to_owned())
}

fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn to_json(game: &Path, mods: &[PathBuf], details: &FingerprintDetails) -> Value {
    let asset = |asset: &AssetFingerprint| {
        json!({
            "path": (!asset.path().is_empty()).then_some(asset.path()),
            "id": asset.id().to_string(),
            "kind": kind_name(asset),
            "contents": hex(asset.contents()),
        })
    };
    let packs = [game].into_iter().chain(mods.iter().map(PathBuf::as_path));
    json!({
        "fingerprint": details.fingerprint().to_string(),
        "packs": packs.map(|pack| pack.display().to_string()).collect::<Vec<_>>(),
        "asset_count": details.assets().len(),
        "assets": details.assets().iter().map(asset).collect::<Vec<_>>(),
    })
}
