//! The game in a browser: the pack is on the server of the page, and is read while the game is played.

use anyhow::Result;
use macroquad::experimental::coroutines::start_coroutine;
use macroquad::logging::info;
use macroquad::prelude::next_frame;
use rres_http::HttpSource;
use rres_reload::{Follower, Server};
use rres_runtime::{PackOptions, Store};

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
    let store = assets::from_packs([pack])?;
    if let Some(server) = Server::of_page() {
        follow(&store, server?);
    }
    window::run(store, options).await
}

/// Shows edits of the assets on the machine that the address of the page names.
fn follow(store: &Store, server: Server) {
    let mut follower = Follower::new(store, server);
    start_coroutine(async move {
        loop {
            while let Some(event) = follower.update() {
                info!("{}", event.to_string());
            }
            next_frame().await;
        }
    });
}
