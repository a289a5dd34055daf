//! The game in a browser: the pack is on the server of the page, and is read while the game is played.

use anyhow::Result;
use macroquad::prelude::next_frame;
use rres_http::HttpSource;
use rres_runtime::PackOptions;

use crate::{Options, assets, draw, window};

/// Beside the page. The browser keeps it under the second name.
const PACK: (&str, &str) = ("lantern-drift.rres", "lantern-drift");

/// Opens the window, whose library calls the game once a frame, and returns at once.
pub(crate) fn start(options: Options) {
    macroquad::Window::from_config(window::config(), async move {
        if let Err(error) = run(&options).await {
            // It goes to the console of the browser, and the page shows it.
            macroquad::logging::error!("{}", format!("{error:#}"));
        }
    });
}

async fn run(options: &Options) -> Result<()> {
    let mut opening = PackOptions::default().open_from(HttpSource::new(PACK.0).keep(PACK.1));
    let pack = loop {
        if let Some(pack) = opening.poll() {
            break pack?;
        }
        draw::draw_first(0.0);
        next_frame().await;
    };
    window::run(assets::from_packs([pack])?, options).await
}
