//! A browser of packs in the terminal: a tree of folders, what is known about each resource, and a preview. It only reads.
//!
//! `browser` knows what the user has chosen and what keys change, `draw` makes a `screen` of it, and `terminal` shows the screen.
//!
//! ```no_run
//! use rres_packs::{PackOpener, pack_set};
//! use rres_view::{Options, browse};
//!
//! let sets = [PackOpener::default().open_set("game.rres".as_ref())?];
//! let lists = pack_set::resource_lists(&sets);
//! browse(&sets, lists, Options::default())?;
//! # Ok::<(), rres_packs::Error>(())
//! ```

#![forbid(unsafe_code)]

mod browser;
mod draw;
mod graphics;
mod items;
mod preview;
mod screen;
mod terminal;
mod tree;

use std::time::Duration;

use browser::{Browser, Next};
use crossterm::event;
use graphics::Graphics;
pub use graphics::Protocol;
use rres_packs::pack_set::packs;
use rres_packs::{Error, PackSet, ResourceList};
use screen::Palette;
use terminal::Terminal;

/// How long a selection rests before its preview is made, so that moving on is not delayed by large pictures.
const REST: Duration = Duration::from_millis(40);

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(250);

/// The timeout of a poll for events that have already arrived. With a timeout of zero, crossterm returns without looking for any.
const NOW: Duration = Duration::from_millis(1);

/// How the browser is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether it has colours. Terminals that show few get the nearest ones.
    pub colored: bool,
    /// How pictures are shown.
    pub graphics: Protocol,
}

impl Default for Options {
    fn default() -> Self {
        Self { colored: true, graphics: Protocol::Auto }
    }
}

/// Shows the resources of pack sets until the user quits. `lists` are the resource lists of the sets.
///
/// # Errors
/// [`Error::Unavailable`] if standard input and output are not a terminal that can show a browser.
pub fn browse(sets: &[PackSet], lists: Vec<ResourceList<'_>>, options: Options) -> Result<(), Error> {
    let title = packs(sets).map(|pack| pack.name()).collect::<Vec<_>>().join(", ");
    let mut browser = Browser::new(items::items(sets, lists));
    let palette = graphics::palette(options.colored);
    let mut terminal = Terminal::open(palette)?;
    let mut graphics = Graphics::detect(options.graphics);
    show(&mut browser, &title, &mut terminal, &mut graphics, palette)
}

/// Shows the browser until the user quits.
fn show(
    browser: &mut Browser<'_>,
    title: &str,
    terminal: &mut Terminal,
    graphics: &mut Graphics,
    palette: Palette,
) -> Result<(), Error> {
    // The first poll begins to listen for changes of the size. One between the question for the size and that would be lost.
    event::poll(NOW).map_err(terminal::failed)?;
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
            if !event::poll(NOW).map_err(terminal::failed)? {
                break;
            }
        }
    }
}
