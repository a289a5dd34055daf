//! One part of a model by its constant.

use bevy_animation::AnimationClip;
use bevy_asset::{Asset, Handle};
use bevy_pbr::StandardMaterial;
use bevy_world_serialization::WorldAsset;
use rres_bevy::Rres;
use rres_runtime::asset::model::{Animation, Material, Part, Scene};
use rres_runtime::{Id, Model};

use crate::labels;

/// A part of a model that is an asset of Bevy.
pub trait PartAsset {
    /// The type in Bevy.
    type Asset: Asset;

    /// Returns the name of the asset inside the model, such as `Scene0` in `rres://fox.glb#Scene0`.
    fn label(part: Part<Self>) -> String
    where
        Self: Sized;
}

impl PartAsset for Scene {
    type Asset = WorldAsset;

    fn label(part: Part<Self>) -> String {
        labels::scene(part.index())
    }
}

impl PartAsset for Animation {
    type Asset = AnimationClip;

    fn label(part: Part<Self>) -> String {
        labels::animation(part.index())
    }
}

impl PartAsset for Material {
    type Asset = StandardMaterial;

    fn label(part: Part<Self>) -> String {
        labels::material(u32::try_from(part.index()).ok())
    }
}

/// Loads parts of models by their constants.
pub trait LoadPart {
    /// Starts to load a model, and returns the handle of one part at once. `Part::new(0)` is the first part of its sort, for parts without
    /// a name.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_world_serialization::WorldAssetRoot;
    /// use rres_bevy::Rres;
    /// use rres_bevy_model::LoadPart;
    /// use rres_runtime::asset::model::{Part, Scene};
    /// # mod assets {
    /// #     use rres_runtime::{Id, Model, ResourceId, Slot};
    /// #     pub const ROCK_GLTF: Id<Model> = Id::new(ResourceId(1), Slot(0));
    /// # }
    ///
    /// fn start(mut commands: Commands, rres: Rres) {
    ///     commands.spawn(WorldAssetRoot(rres.load_part(assets::ROCK_GLTF, Part::<Scene>::new(0))));
    /// }
    /// ```
    #[must_use = "an asset is freed with its last handle"]
    fn load_part<T: PartAsset>(&self, model: Id<Model>, part: Part<T>) -> Handle<T::Asset>;
}

impl LoadPart for Rres<'_> {
    fn load_part<T: PartAsset>(&self, model: Id<Model>, part: Part<T>) -> Handle<T::Asset> {
        self.server().load(self.path(model.into()).with_label(T::label(part)))
    }
}
