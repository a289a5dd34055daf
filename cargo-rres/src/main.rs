//! The command `cargo rres`, which builds, inspects, verifies and extracts packs, ships games and updates lock files.
//!
//! `rres-build` builds packs, `rres-format` reads them, and `rres-runtime` loads typed assets from them; this crate prints
//! the results. Each subcommand is a file or a folder in `cmd`. They share the opened packs (`opened_pack`, `pack_set`),
//! their resources (`resource_list`), the check of packs (`check`), what is found in them (`finding`), the comparison of packs
//! (`compare`) and patches (`patching`), packs in executables (`executable`), files of common formats (`export`), the project
//! files of other tools (`project_file`), private keys (`signing_key`), and the output (`output`). `docs/command.md` documents the command for its users.
#![forbid(unsafe_code)]

mod asset_builds;
mod atomic_write;
mod built_packs;
mod cargo;
mod check;
mod cli;
mod cmd;
mod compare;
mod describe;
mod diagnostic;
mod executable;
mod exit;
mod finding;
mod fresh_packs;
mod key;
mod opened_pack;
mod output;
mod pack_args;
mod pack_difference;
mod pack_set;
mod patching;
mod progress_bar;
mod project_file;
mod resource_list;
mod rust_sources;
mod selection;
mod serving_script;
mod signing_key;
mod truncation;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
