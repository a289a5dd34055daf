//! Edits of assets on the machine that the address of the page names: `index.html#rres-reload=…`. `cargo rres watch --network` sends them.

use bevy::log::{error, info};
use bevy::prelude::*;
use rres_bevy::RresStore;
use rres_reload::{Follower, Server};

pub(crate) fn follow(app: &mut App) {
    match Server::of_page() {
        None => {}
        Some(Err(error)) => error!("{error}"),
        Some(Ok(server)) => {
            let follower = Follower::new(&app.world().resource::<RresStore>().0, server);
            app.insert_non_send(follower).add_systems(PreUpdate, update);
        }
    }
}

/// Mounts what has been edited. The plugin of the store has Bevy load it again.
fn update(mut follower: NonSendMut<Follower>) {
    while let Some(event) = follower.update() {
        info!("reload: {event}");
    }
}
