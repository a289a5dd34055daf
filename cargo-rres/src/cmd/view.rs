//! `cargo rres view`: shows packs in the terminal: a tree of folders, what is known about each resource, and a preview.
//!
//! `rres-view` is the browser.

use std::ffi::OsString;

use rres_packs::pack_set::{self, packs};
use rres_view::{Options, Protocol, browse};

use crate::exit::{Failure, Outcome};
use crate::output::{Color, Output};
use crate::pack_args::{Need, PackArgs};

const EXAMPLES: &str = "\
Examples:
  cargo rres view                  what this package has built last
  cargo rres view game.rres        a pack, also of another program

Press ? in the browser for its keys. It only reads; settings are in assets.toml.";

/// Browse a pack in the terminal, with previews
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Path to the pack; packs written by other programs work, too [default: what this package has built last]
    pack: Option<OsString>,
    /// How to show pictures; `auto` takes pixels if the terminal says that it can show them, and else characters
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    graphics: GraphicsArg,
    #[command(flatten)]
    packs: PackArgs,
}

pub(crate) fn run(args: &Args, color: Color, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &[], Need::List, out)?;
    if let Some(name) = names.first() {
        return Err(Failure::Usage(format!("expected a pack, found \"{name}\"; search for it in the browser with /")));
    }
    let sets = args.packs.opener()?.read_sets(&paths)?;
    let lists = pack_set::resource_lists(&sets);
    let faults: Vec<(String, String)> = (packs(&sets).zip(&lists))
        .flat_map(|(pack, list)| list.findings.iter().map(|finding| (pack.name(), finding.to_string())))
        .chain(sets.iter().filter_map(|set| Some((set.packs[0].name(), set.missing.clone()?))))
        .collect();
    out.flush()?;
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colored = color == Color::Always || color == Color::Auto && !is_plain;
    browse(&sets, lists, Options { colored, graphics: args.graphics.into() })?;
    // They would have been gone with the other screen.
    for (pack, fault) in &faults {
        out.error(&format!("{pack}: {fault}"))?;
    }
    Ok(Outcome::of(faults.is_empty()))
}

/// How pictures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum GraphicsArg {
    // Ordinary comments, because the names need no explanation in `--help`.
    #[default]
    Auto,
    Kitty,
    Sixel,
    // Characters with two colours.
    Blocks,
}

impl From<GraphicsArg> for Protocol {
    fn from(graphics: GraphicsArg) -> Self {
        match graphics {
            GraphicsArg::Auto => Self::Auto,
            GraphicsArg::Kitty => Self::Kitty,
            GraphicsArg::Sixel => Self::Sixel,
            GraphicsArg::Blocks => Self::Blocks,
        }
    }
}
