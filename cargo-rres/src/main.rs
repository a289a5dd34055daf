//! The command `cargo rres`, which builds, inspects, verifies and extracts packs, ships games and updates lock files.
//!
//! `rres-build` builds packs, `rres-packs` opens, checks, compares and patches them, and `rres-export` writes files of common formats; this
//! crate is the arguments and the print-out. Each subcommand is a file or a folder in `cmd`. They share the choice of packs (`pack_args`),
//! the key of encrypted packs (`key`), the project files of other tools (`project_file`), private keys (`signing_key`), and the output
//! (`output`). `docs/command.md` documents the command for its users.
#![forbid(unsafe_code)]

mod asset_builds;
mod built_packs;
mod cargo;
mod cli;
mod cmd;
mod diagnostic;
mod exit;
mod farm;
mod fresh_packs;
mod key;
mod loading;
mod output;
mod owners;
mod pack_args;
mod plain_path;
mod progress_bar;
mod project_file;
mod rust_sources;
mod serving_script;
mod signing_key;
mod source_date;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
