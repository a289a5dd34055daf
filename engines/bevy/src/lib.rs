//! The assets of rres packs in Bevy: by the constants that a build generates, and by path through Bevy's `AssetServer`.
//!
//! ```no_run
//! use bevy_app::{App, Startup};
//! use bevy_ecs::prelude::*;
//! use bevy_image::Image;
//! use bevy_asset::Handle;
//! use rres_bevy::{Rres, RresPlugin};
//!
//! # mod assets {
//! # pub fn open() -> Result<rres_runtime::Store, rres_runtime::Error> { Ok(rres_runtime::Store::from_packs([])) }
//! # pub const PLAYER_PNG: rres_runtime::Id<rres_runtime::Image> = rres_runtime::Id::new(rres_runtime::ResourceId(1), rres_runtime::Slot(0));
//! # }
//! fn main() -> Result<(), rres_runtime::Error> {
//!     App::new()
//!         .add_plugins(RresPlugin::new(assets::open()?)) // before DefaultPlugins
//!         .add_systems(Startup, start)
//!         .run();
//!     Ok(())
//! }
//!
//! fn start(rres: Rres) {
//!     let player: Handle<Image> = rres.load(assets::PLAYER_PNG);
//! }
//! ```
//!
//! A constant of another type does not compile where an image is expected:
//!
//! ```compile_fail,E0277
//! # use bevy_asset::Handle;
//! # use rres_runtime::{Id, ResourceId, Slot, Text};
//! # const CREDITS_TXT: Id<Text> = Id::new(ResourceId(1), Slot(0));
//! fn start(rres: rres_bevy::Rres) {
//!     let player: Handle<bevy_image::Image> = rres.load(CREDITS_TXT);
//! }
//! ```
//!
//! | constant | handle | by |
//! |---|---|---|
//! | `Id<Image>` | of Bevy's `Image`, with filter, wrap, colour space and mip levels; blocks for GPUs stay blocks | [`Rres::load`] |
//! | `Id<Sprite>` | of [`SpriteAsset`]: an image and a rectangle | [`Rres::load`] |
//! | `Id<Text>`, `Id<Raw>` | of [`TextAsset`] and [`RawAsset`] | [`Rres::load`] |
//! | `Id<Model>` | of the `ModelAsset` of the crate `rres-bevy-model` | [`Rres::load`] |
//! | `Id<Sound>`, `Id<Raw>`, `Id<Text>` | of what a Bevy loader makes of the file: `AudioSource`, `Font`, `Gltf`, an asset of your own | [`Rres::load_file`] |
//!
//! [`RresPlugin`] is an asset source as well: `asset_server.load("rres://ui/player.png")` loads the same asset, and with
//! [`RresPlugin::as_default_source`] the path needs no `rres://`. Whatever way it is loaded, an
//! asset has one handle, is freed with its last one, and is loaded again when its file is edited, which sends `AssetEvent::Modified`.
//!
//! [`FromStore`] adds types.

mod arriving;
mod convert;
mod device;
mod error;
mod group;
mod group_events;
mod image;
mod others;
mod plain;
mod plugin;
mod reader;
mod ready;
mod rres;
mod sound;
mod sprite;
mod waiting;

pub use convert::{Becomes, FromStore, RresApp};
pub use error::LoadError;
pub use group::{GroupHandles, GroupProgress};
pub use group_events::{GroupFailed, GroupLoaded};
pub use plain::{RawAsset, TextAsset};
pub use plugin::{RresPlugin, RresStore};
pub use rres::{Rres, asset_path};
pub use sprite::SpriteAsset;

/// The name of the asset source, as in `rres://ui/player.png`.
pub const SOURCE: &str = "rres";
