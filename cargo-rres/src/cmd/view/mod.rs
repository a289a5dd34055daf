//! `cargo rres view`: shows packs in the terminal: a tree of folders, what is known about each resource, and a preview.
//!
//! `browser` knows where the user is and what keys change, `draw` makes a `screen` of it, and `terminal` shows the screen.
//! Nothing is written to the pack.

mod browser;
mod draw;
mod graphics;
mod items;
mod preview;
mod screen;
mod terminal;
mod tree;

use std::ffi::OsString;
use std::time::Duration;

use browser::{Browser, Next};
use crossterm::event;
use graphics::{Graphics, GraphicsArg};
use rres_packs::pack_set::{self, packs};
use screen::Palette;
use terminal::Terminal;

use crate::exit::{Failure, Outcome};
use crate::output::{Color, Output};
use crate::pack_args::{Need, PackArgs};

/// How long a selection rests before its preview is made, so that moving on is not delayed by large pictures.
const REST: Duration = Duration::from_millis(40);

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(250);

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
    let title = packs(&sets).map(|pack| pack.name()).collect::<Vec<_>>().join(", ");
    let mut browser = Browser::new(items::items(&sets, lists));
    out.flush()?;
    let palette = graphics::palette(color);
    let mut terminal = Terminal::open(palette)?;
    let mut graphics = Graphics::detect(args.graphics);
    let result = browse(&mut browser, &title, &mut terminal, &mut graphics, palette);
    drop(terminal);
    result?;
    // They would have been gone with the other screen.
    for (pack, fault) in &faults {
        out.error(&format!("{pack}: {fault}"))?;
    }
    Ok(Outcome::of(faults.is_empty()))
}

/// Shows the browser until the user quits.
fn browse(
    browser: &mut Browser<'_>,
    title: &str,
    terminal: &mut Terminal,
    graphics: &mut Graphics,
    palette: Palette,
) -> Result<(), Failure> {
    // The first poll begins to listen for changes of the size. One between the question for the size and that would be lost.
    event::poll(Duration::ZERO).map_err(terminal::failed)?;
    let mut size = crossterm::terminal::size().map_err(terminal::failed)?;
    loop {
        let mut screen = draw::draw(browser, title, size, palette);
        let area = browser.panes.preview;
        let is_shown = browser.focus != browser::Focus::Help;
        let selected = browser.selected().filter(|_| is_shown);
        let picture = selected.zip(browser.preview().and_then(|preview| preview.picture()));
        let update = graphics.update(picture, area, &mut screen);
        if update.redraws {
            terminal.forget();
        }
        terminal.show(screen, &update.bytes)?;
        let has_event = event::poll(REST).map_err(terminal::failed)?;
        if !has_event && browser.make_preview() {
            continue;
        }
        while !event::poll(TICK).map_err(terminal::failed)? {
            if terminal.is_terminated() {
                return Ok(());
            }
        }
        // All that has arrived is handled before the next screen: a held key must not lag behind.
        loop {
            match browser.handle(&event::read().map_err(terminal::failed)?) {
                Next::Quit => return Ok(()),
                Next::Resize => {
                    size = crossterm::terminal::size().map_err(terminal::failed)?;
                    terminal.forget();
                    graphics.forget();
                }
                Next::Continue => {}
            }
            if !event::poll(Duration::ZERO).map_err(terminal::failed)? {
                break;
            }
        }
    }
}
