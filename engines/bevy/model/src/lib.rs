//! The models of rres packs in Bevy: meshes, materials, scenes with skins and morph targets, animations.
//!
//! ```no_run
//! use bevy_app::{App, Startup};
//! use bevy_ecs::prelude::*;
//! use bevy_world_serialization::WorldAssetRoot;
//! use rres_bevy::{Rres, RresPlugin};
//! use rres_bevy_model::{LoadPart, RresModelPlugin};
//!
//! # mod assets {
//! # pub fn open() -> Result<rres_runtime::Store, rres_runtime::Error> { Ok(rres_runtime::Store::from_packs([])) }
//! # pub const FOX_GLB: rres_runtime::Id<rres_runtime::Model> = rres_runtime::Id::new(rres_runtime::ResourceId(1), rres_runtime::Slot(0));
//! # pub mod fox_glb { pub mod scene {
//! #     use rres_runtime::asset::model::{Part, Scene};
//! #     pub const FOREST: Part<Scene> = Part::new(0);
//! # } }
//! # }
//! fn main() -> Result<(), rres_runtime::Error> {
//!     App::new()
//!         .add_plugins((RresPlugin::new(assets::open()?), RresModelPlugin)) // before DefaultPlugins
//!         .add_systems(Startup, start)
//!         .run();
//!     Ok(())
//! }
//!
//! fn start(mut commands: Commands, rres: Rres) {
//!     commands.spawn(WorldAssetRoot(rres.load_part(assets::FOX_GLB, assets::fox_glb::scene::FOREST)));
//! }
//! ```
//!
//! `rres.load(assets::FOX_GLB)` gives a handle of the whole, a [`ModelAsset`]: its scenes, meshes, materials and animations, and an
//! `AnimationGraph` of these. [`LoadPart`] gives the handle of one part.
//!
//! # What a scene has
//!
//! What Bevy's own loader of glTF makes of the same file: an entity for each node with its name and `Transform`, an entity below it for each
//! primitive with `Mesh3d`, `MeshMaterial3d` and `SkinnedMesh`, cameras, and entities below for lights. The root node of what an animation
//! moves has an `AnimationPlayer`, and the graph. Textures are the images of the pack: a texture is sampled as the settings of its image
//! say, and images inside a model have the filter and the wrap of the model by default. Those with numbers, such as normal maps, are loaded as
//! linear; an image that was loaded before stays as it is, which is logged.
//!
//! What Bevy has no place for is logged when the model is loaded: more than four joints of a vertex, textures beside those of
//! `StandardMaterial`. Levels of detail and meshlets are in the store's `Model` alone.

mod animation;
mod asset;
mod error;
mod labels;
mod material;
mod mesh;
mod nodes;
mod part;
mod plugin;
mod reload;
mod scene;
mod textures;

pub use asset::{ModelAsset, ModelPrimitive, ModelSettings};
pub use error::ModelError;
pub use part::{LoadPart, PartAsset};
pub use plugin::RresModelPlugin;
