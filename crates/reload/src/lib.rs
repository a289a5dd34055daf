//! Follows the edits of assets on another machine.
//!
//! A debug build reloads the assets of the machine that it was built on by itself. A game on a phone or on another computer, one in a browser and a
//! release build have a pack instead. `cargo rres watch --network` sends them what changes, and a [`Follower`] mounts it over
//! their own packs, so all handles get new values.
//!
//! ```sh
//! cargo rres watch assets -o dist --network
//! ```
//!
//! ```no_run
//! use rres_reload::{Follower, Server};
//! use rres_runtime::Store;
//!
//! # fn open() -> Result<Store, rres_runtime::Error> { Ok(Store::from_packs([])) }
//! let store = open()?; // assets::open()
//! let mut follower = match option_env!("RRES_RELOAD_TOKEN") {
//!     Some(token) => Some(Follower::new(&store, Server::named("lantern", token)?)),
//!     None => None, // a build for players
//! };
//! loop {
//!     while let Some(event) = follower.as_mut().and_then(Follower::update) {
//!         println!("{event}");
//!     }
//!     // … a frame …
//! #   break;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Follow a server in builds for yourself only: whoever has the token decides what the game shows. The token is proved and never sent, and what is sent
//! is checked, but it is not encrypted: others on the network can see the assets.
//!
//! In a browser, `Server::of_page` takes address and token from the address of the page.
#![forbid(unsafe_code)]

mod event;
mod exchange;
mod follower;
mod server;
#[cfg(target_family = "wasm")]
#[path = "browser.rs"]
mod system;
#[cfg(not(target_family = "wasm"))]
#[path = "native.rs"]
mod system;

pub use event::Event;
pub use follower::Follower;
pub use rres_protocol::network::Error;
pub use server::Server;
