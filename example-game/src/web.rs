//! The game in a browser: the pack is on the server of the page, and is read while the game is played.

use std::future::{Future as _, poll_fn};
use std::pin::pin;

use anyhow::Result;
use macroquad::logging::info;
use macroquad::prelude::next_frame;
use rres_http::HttpSource;
use rres_reload::{Follower, Server};
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
    let store = assets::from_packs([pack])?;
    store.set_texture_limit(options.texture_limit)?;
    let mut game = pin!(window::run(store.clone(), options));
    let Some(server) = Server::of_page() else { return game.await };
    // Both are asked once a frame.
    let mut edits = pin!(show_edits(Follower::new(&store, server?)));
    poll_fn(|context| {
        let _ = edits.as_mut().poll(context);
        game.as_mut().poll(context)
    })
    .await
}

/// Shows edits of the assets on the machine that the address of the page names.
async fn show_edits(mut follower: Follower) {
    loop {
        while let Some(event) = follower.update() {
            info!("{}", event.to_string());
        }
        next_frame().await;
    }
}
