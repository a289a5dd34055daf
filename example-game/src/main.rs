//! Lantern Drift: a small game whose pictures, sounds, models, fonts, words and levels all come through the pipeline.
//!
//! This file reads the command line and starts the game with or without a window. `README.md` explains how to play.
#![forbid(unsafe_code)]

mod audio;
mod autopilot;
mod data;
mod draw;
mod engine;
mod font;
mod game;
mod headless;
mod level;
mod live;
mod loading;
mod notices;
mod skinned;
mod sparks;
#[cfg(test)]
mod tests;
mod window;
mod world;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Result, bail};
use clap::Parser;
use rres_runtime::Store;

rres_runtime::include_assets!();

/// Lantern Drift, the example game of the rres asset pipeline.
#[derive(Clone, Debug, Parser)]
#[command(after_help = "Without a display the game runs as with --headless.\n\
                        RRES_PATH names another pack, or the directory that contains lantern-drift.rres.")]
struct Options {
    /// Run without a window: load every group, fly every level by autopilot, print a table
    #[arg(long)]
    headless: bool,
    /// Write one frame to FILE (.png) and exit
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// What the screenshot shows
    #[arg(long, value_enum, default_value_t)]
    scene: window::Scene,
    /// How far into the scene the screenshot is taken
    #[arg(long, value_name = "SECONDS")]
    after: Option<f32>,
    /// The level to start with
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=3))]
    level: Option<u8>,
    /// The language of the game [default: from the variable LANG]
    #[arg(long, value_parser = data::LANGUAGES)]
    language: Option<String>,
    /// Let the game play itself
    #[arg(long)]
    autopilot: bool,
    /// Print the licences of the fonts
    #[arg(long)]
    licenses: bool,
}

impl Options {
    /// The number of the level, from 0.
    fn level(&self) -> usize {
        self.level.map_or(0, |level| usize::from(level) - 1)
    }
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    let store = assets::open()?;
    if options.licenses {
        return headless::print_licenses(&store);
    }
    if options.headless {
        return headless::run(&store);
    }
    match in_window(&store, options) {
        Ok(result) => result,
        Err(why) if options.screenshot.is_some() => bail!("no screenshot without a window: {why}"),
        Err(why) => {
            complain(&format!("no window: {why}; running without one, as --headless does"));
            headless::run(&store)
        }
    }
}

/// Runs the game in a window, or returns the reason why no window could be opened. The window library takes a future
/// and returns nothing, so the result is passed through a shared cell.
fn in_window(store: &Store, options: &Options) -> Result<Result<()>, String> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
        return Err("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned());
    }
    let outcome = Rc::new(RefCell::new(Ok(())));
    let (result, store, options) = (Rc::clone(&outcome), store.clone(), options.clone());
    // The library panics if it finds no display or no graphics. That is one of the reasons, not a bug of the game.
    set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(window::config(), async move {
            drop(take_hook());
            let ended = window::run(store, &options).await;
            *result.borrow_mut() = ended;
        });
    }));
    drop(take_hook());
    match opened {
        // A window that the player closes ends the game.
        Ok(()) => Ok(outcome.replace(Ok(()))),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("the display library gave up ({})", text.unwrap_or_default()))
        }
    }
}

#[expect(clippy::print_stderr, reason = "messages of the game to the person who started it")]
fn complain(message: &str) {
    eprintln!("{message}");
}
