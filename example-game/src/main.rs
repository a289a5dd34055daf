//! Lantern Drift: a small game whose pictures, sounds, models, fonts, words and levels all come through the pipeline.
//!
//! This file reads the command line. `desktop.rs` starts the game with or without a window, and `web.rs` in a browser. `README.md` explains how to play.
#![forbid(unsafe_code)]

mod audio;
mod autopilot;
mod data;
#[cfg(not(target_family = "wasm"))]
mod desktop;
mod draw;
mod engine;
mod font;
mod game;
#[cfg(not(target_family = "wasm"))]
mod headless;
mod level;
mod live;
mod loading;
mod notices;
mod skinned;
mod sparks;
#[cfg(test)]
mod tests;
#[cfg(target_family = "wasm")]
mod web;
mod window;
mod world;

use std::path::PathBuf;

use clap::Parser;

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
    /// Load only the smaller copies of textures that are larger than this, as a weaker machine would; T changes it
    #[arg(long, value_name = "PIXELS")]
    texture_limit: Option<u32>,
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

#[cfg(target_family = "wasm")]
fn main() {
    web::start(Options::parse_from(["lantern-drift"]));
}

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    desktop::start(&Options::parse())
}
