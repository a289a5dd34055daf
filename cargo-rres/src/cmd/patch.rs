//! `cargo rres patch`: writes what an old pack lacks of a new one as a pack, or rebuilds the new pack from the two.

use std::path::PathBuf;

use rres_format::signature::PublicKey;
use rres_packs::compare::Side;
use rres_packs::progress::Progress;
use rres_packs::{atomic_write, patching};
use rres_settings::ByteSize;
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::key::KeyArgs;
use crate::output::{Output, count, escape_terminal};
use crate::progress_bar::ProgressBar;
use crate::signing_key;

/// Write a patch that leads from one pack to another, or apply one
///
/// The patch is a pack that contains only what changed. Beside the old pack, under the name game.patch1.rres, it gives the
/// assets of the new pack to a program that opens game.rres. With --apply, it rebuilds the new pack byte for byte.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres patch 1.0/game.rres 1.1/game.rres -o game.patch1.rres
  cargo rres patch --apply game.rres game.patch1.rres -o new/game.rres")]
pub(crate) struct Args {
    /// Path to the old pack
    old: PathBuf,
    /// Path to the new pack; with --apply, to the patch
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Path of the patch, which ends in .rres; with --apply, of the new pack
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Rebuild the new pack from the old one and the patch
    #[arg(long)]
    apply: bool,
    /// Store every changed asset as a whole, so that it loads without the old one
    #[arg(long, conflicts_with = "apply")]
    no_deltas: bool,
    /// Public key that the patch must be signed with, as `keygen` prints it, or the file that `keygen` has written; name several to
    /// accept each
    #[arg(long = "key", value_name = "PUBLIC", requires = "apply", value_parser = signing_key::public)]
    signed_with: Vec<PublicKey>,
    #[command(flatten)]
    key: KeyArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let opener = args.key.opener()?;
    let sets = [opener.open_set(&args.old)?, opener.open_set(&args.new)?];
    let [old, new] = [Side::new(&sets[0])?, Side::new(&sets[1])?];
    for side in [&old, &new] {
        check_usable(side)?;
    }
    check_out(args, &[&old, &new])?;
    let bar = ProgressBar::start();
    let result = match args.apply {
        true => apply(args, &old, &new, &bar),
        false => make(args, &old, &new, &bar),
    };
    bar.stop();
    let (json, lines) = result?;
    match args.json {
        true => out.json(json)?,
        false => lines.iter().try_for_each(|line| out.line(line))?,
    }
    Ok(Outcome::Success)
}

/// Checks that patches can be made from a side, or for it.
fn check_usable(side: &Side<'_>) -> Result<(), Failure> {
    let name = side.packs[0].name();
    if side.is_dev_index {
        let text = format!("{name} is the dev index of a debug build, which has no packs to patch; name a pack");
        return Err(Failure::Usage(text));
    }
    if !side.has_index {
        let text = format!(
            "{name} was not written by rres-build: patches need the front index of its packs; compare packs of other \
             programs with `cargo rres diff`"
        );
        return Err(Failure::Usage(text));
    }
    Ok(())
}

/// Checks that the output is the name of a pack, and that nothing is lost by writing it.
fn check_out(args: &Args, sides: &[&Side<'_>]) -> Result<(), Failure> {
    if args.out.extension().is_none_or(|extension| extension != "rres") {
        let out = args.out.display();
        return Err(Failure::Usage(format!("cannot write {out}: expected the path of a file that ends in .rres")));
    }
    Ok(patching::check_output(&args.out, sides)?)
}

/// Writes a patch. Returns the output as JSON and as lines.
fn make(args: &Args, old: &Side<'_>, new: &Side<'_>, bar: &ProgressBar) -> Result<(Value, Vec<String>), Failure> {
    let bytes = new.items.iter().map(|item| item.resource.decoded_size).sum();
    bar.meter().set(Progress { noun: "assets", count: new.items.len(), bytes, ..Progress::default() });
    old.check_chunks().and_then(|()| new.check_chunks())?;
    let patch = patching::make(old, new, !args.no_deltas, &bar.meter())?;
    let name = args.out.display().to_string();
    let cannot_write = |e: std::io::Error| Failure::Usage(format!("cannot write {name}: {e}"));
    let temporary = atomic_write::temporary_beside(&args.out).map_err(cannot_write)?;
    patch.write(std::io::BufWriter::with_capacity(1 << 20, temporary.as_file())).map_err(cannot_write)?;
    let size =
        temporary.as_file().sync_all().and_then(|()| temporary.as_file().metadata()).map_err(cannot_write)?.len();
    temporary.persist(&args.out).map_err(|e| cannot_write(e.error))?;
    let patching::Summary { added, changed, removed, deltas, can_rebuild } = patch.summary;
    let json = json!({
        "patch": name,
        "size": size,
        "old_size": old.size(),
        "new_size": new.size(),
        "added_count": added,
        "changed_count": changed,
        "removed_count": removed,
        "delta_count": deltas,
        "can_apply": can_rebuild,
    });
    let share = size as f64 / new.size().max(1) as f64 * 100.0;
    let mut lines = vec![
        format!("{added} added, {changed} changed, {removed} removed; {}", count(deltas, "delta")),
        format!("  {}  {}, {share:.1} % of the new pack", escape_terminal(&name), ByteSize(size)),
    ];
    if !can_rebuild {
        let text = "the patch can be mounted, but not applied: nobody can make the new pack from it, for example because another \
                    version of rres-build wrote that";
        lines.push(format!("note: {text}"));
    }
    Ok((json, lines))
}

/// Applies a patch. Returns the output as JSON and as lines.
fn apply(args: &Args, old: &Side<'_>, patch: &Side<'_>, bar: &ProgressBar) -> Result<(Value, Vec<String>), Failure> {
    let files = patching::apply(old, patch, &args.out, &args.signed_with, &bar.meter())?;
    let packs: Vec<Value> =
        files.iter().map(|(file, size)| json!({ "pack": file.display().to_string(), "size": size })).collect();
    let line = |(file, size): &(PathBuf, u64)| {
        format!("  {}  {}", escape_terminal(&file.display().to_string()), ByteSize(*size))
    };
    let mut lines = vec!["the result is the new pack, byte for byte".to_owned()];
    lines.extend(files.iter().map(line));
    Ok((json!({ "packs": packs }), lines))
}
