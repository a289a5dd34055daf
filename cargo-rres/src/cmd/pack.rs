//! `cargo rres pack`: packs a directory to one file. `rres-build` does the work, as for `build`.

use std::path::PathBuf;

use rres_engine::{Build, PackMode};
use rres_packs::starts_like_a_pack;

use super::build::{ImportOptions, ShownOptions, absolute, assets_directory, check_writable, run_builds};
use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Pack a directory to one file
///
/// Settings come from assets.toml in the directory, as for `build`. If one file cannot hold everything, or `split` in
/// assets.toml limits its size, the additional packs of the set are beside it: game.1.rres, game.2.rres, and so on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres pack assets -o game.rres
  cargo rres pack winter -o mods/winter.rres --json
  cargo rres pack assets -o packs/game.rres --target x86_64-pc-windows-msvc --target aarch64-linux-android
                                             packs/x86_64-pc-windows-msvc/game.rres and packs/aarch64-linux-android/game.rres")]
pub(crate) struct Args {
    /// Path to the assets directory
    dir: PathBuf,
    /// Path of the pack, which ends in .rres; missing directories are created, and an older pack is replaced
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Store placeholders instead of images, sounds and fonts, for servers
    #[arg(long)]
    placeholders: bool,
    #[command(flatten)]
    options: ImportOptions,
    #[command(flatten)]
    shown: ShownOptions,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    run_builds(configure(args)?, args.options.several_targets(), &args.shown, false, out)
}

fn configure(args: &Args) -> Result<Build, Failure> {
    let dir = assets_directory("pack", &args.dir)?;
    let out = absolute(&args.out)?;
    let refuse = |why: &str| Failure::Usage(format!("cannot write {}: {why}", args.out.display()));
    if out.extension().is_none_or(|extension| extension != "rres") {
        return Err(refuse("expected the path of a file that ends in .rres"));
    }
    let (Some(name), Some(parent)) = (out.file_stem().and_then(|name| name.to_str()), out.parent()) else {
        return Err(refuse("its name is not valid UTF-8"));
    };
    for dir in args.options.directories(parent)? {
        let file = dir.join(out.file_name().unwrap_or_default());
        let shown = if args.options.several_targets().is_empty() { &args.out } else { &file };
        let refuse = |why: &str| Failure::Usage(format!("cannot write {}: {why}", shown.display()));
        if file.is_dir() {
            return Err(refuse("it is a directory, expected the path of a file"));
        }
        if file.exists() && !starts_like_a_pack(&file) {
            return Err(refuse("it exists and is not a pack, so it is not replaced"));
        }
        check_writable(&args.out, &file)?;
    }
    let build = rres_build::import(dir).out_dir(parent).keeps_foreign_files().name(name).debug(false);
    let build = if args.placeholders { build.rule("**", |rule| rule.placeholder(true)) } else { build };
    args.options.configure(build.pack_mode(PackMode::Release).packs_only())
}
