//! The command `cargo rres`: build packs, look into them, check them, take them apart; keep locks in step.
//!
//! Thin: `rres-build` builds, `rres-format` reads, `rres-runtime` makes typed assets. One file per subcommand in `cmd`;
//! what they share is the listing of a pack (`listing`), its check (`check`), and how things are printed (`output`).
#![forbid(unsafe_code)]

mod check;
mod cli;
mod cmd;
mod describe;
mod exit;
mod listing;
mod output;
mod pack_file;
mod script;
mod temporary;
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
