//! `cargo rres nbr`: the files of the Nikola engine.

mod cat;
mod check;
mod companions;
mod describe;
mod extract;
mod files;
mod import;
mod info;
mod ls;

use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// List, check and convert .nbr files, the resources of the Nikola engine
///
/// Each file has one texture, cubemap, shader, model, skeleton, animation, font or sound, of version 0.5, 0.6 or 0.8. docs/nbr.md has the
/// layouts, and tells how to bring a project of Nikola over.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres nbr ls res                          every .nbr file in a directory
  cargo rres nbr check res                       exits with 1 if a file is damaged
  cargo rres nbr cat shaders/blur.nbr vert       the vertex shader
  cargo rres nbr extract res -o tree             .png, .wav, .glb, .vert, .frag, ...
  cargo rres nbr import res -o assets            the same, with assets.toml for a build")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Ls(ls::Args),
    Info(info::Args),
    Cat(cat::Args),
    Extract(extract::Args),
    Check(check::Args),
    Import(import::Args),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.action {
        Action::Ls(args) => ls::run(args, out),
        Action::Info(args) => info::run(args, out),
        Action::Cat(args) => cat::run(args, out),
        Action::Extract(args) => extract::run(args, out),
        Action::Check(args) => check::run(args, out),
        Action::Import(args) => import::run(args, out),
    }
}
