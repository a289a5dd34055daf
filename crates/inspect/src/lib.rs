//! The state of a running program's assets → a page in a browser, and JSON.
//!
//! `rres-runtime` implements [`Inspected`] in debug builds, and calls [`serve`] if the variable `RRES_INSPECT` asks for it. This crate knows nothing of
//! stores and packs. It depends on the standard library and a source of random bytes, so that it compiles beside the rest of a game.
//!
//! | file | contains |
//! |---|---|
//! | `state.rs` | what there is to show, and its JSON |
//! | `json.rs` | numbers, texts and lists as JSON |
//! | `address.rs` | the value of `RRES_INSPECT` → an address of this machine |
//! | `request.rs` | bytes of a connection → a request of HTTP/1.1, within limits |
//! | `response.rs` | answers, with the headers that keep other sites out |
//! | `origin.rs` | which requests come from this machine's own page |
//! | `server.rs` | connections, and what each address answers |
//! | `page/` | the page |
#![forbid(unsafe_code)]

mod address;
mod json;
mod origin;
mod page;
mod request;
mod response;
mod server;
mod state;

pub use address::{Address, BadAddress};
pub use server::{Server, serve};
pub use state::{Action, Asker, Asset, Done, Event, Inspected, Load, LoadKind, State, Store, Target};
