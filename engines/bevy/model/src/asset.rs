//! A model of a pack → the asset that holds all its parts.

use std::collections::{BTreeMap, BTreeSet};

use bevy_animation::AnimationClip;
use bevy_animation::graph::{AnimationGraph, AnimationNodeIndex};
use bevy_asset::{Asset, Handle, LoadContext, RenderAssetUsages, VisitAssetDependencies};
use bevy_math::Mat4;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_pbr::StandardMaterial;
use bevy_reflect::TypePath;
use bevy_world_serialization::WorldAsset;
use rres_bevy::{Becomes, FromStore};
use rres_runtime::asset::model::{Animation, Material, Mesh as StoredMesh, Part, Scene};
use rres_runtime::{Model, Store};
use serde::{Deserialize, Serialize};
use wgpu_types::Face;

use crate::animation::{self, Targets};
use crate::error::ModelError;
use crate::scene::{self, Prepared};
use crate::{labels, material, mesh, nodes};

/// A model: what an `Id<Model>` becomes. Each list has the order that the constants of parts count.
///
/// ```
/// use bevy_animation::AnimationPlayer;
/// use bevy_asset::{Assets, Handle};
/// use bevy_ecs::prelude::*;
/// use rres_bevy_model::ModelAsset;
/// # mod assets { pub mod fox_glb { pub mod animation {
/// #     use rres_runtime::asset::model::{Animation, Part};
/// #     pub const RUN: Part<Animation> = Part::new(2);
/// # } } }
///
/// #[derive(Resource)]
/// struct Fox(Handle<ModelAsset>);
///
/// /// Lets each fox run that has just been spawned.
/// fn run(fox: Res<Fox>, models: Res<Assets<ModelAsset>>, mut players: Query<&mut AnimationPlayer, Added<AnimationPlayer>>) {
///     let Some(run) = models.get(&fox.0).and_then(|fox| fox.animation(assets::fox_glb::animation::RUN)) else { return };
///     for mut player in &mut players {
///         player.play(run).repeat();
///     }
/// }
/// ```
#[derive(Asset, TypePath, Clone, Debug)]
#[non_exhaustive]
pub struct ModelAsset {
    /// Its scenes, to spawn with `WorldAssetRoot`. A model without scenes has one of all its nodes.
    #[dependency]
    pub scenes: Vec<Handle<WorldAsset>>,
    /// The scene that is shown first.
    #[dependency]
    pub default_scene: Option<Handle<WorldAsset>>,
    /// The primitives of each mesh.
    #[dependency]
    pub meshes: Vec<Vec<ModelPrimitive>>,
    /// Its materials.
    #[dependency]
    pub materials: Vec<Handle<StandardMaterial>>,
    /// Its animations.
    #[dependency]
    pub clips: Vec<Handle<AnimationClip>>,
    /// A graph of its animations, which the players of its scenes have; `None` without animations.
    #[dependency]
    pub graph: Option<Handle<AnimationGraph>>,
    /// The place of each animation in the graph, which players take.
    pub animations: Vec<AnimationNodeIndex>,
}

/// One drawable part of a mesh.
#[derive(VisitAssetDependencies, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelPrimitive {
    /// Its vertices, indices and morph targets.
    #[dependency]
    pub mesh: Handle<Mesh>,
    /// Its material, or Bevy's default.
    #[dependency]
    pub material: Handle<StandardMaterial>,
}

/// How a model is loaded: for `LoadBuilder::with_settings`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// Where its vertices stay after they went to the graphics card. By default, in both places, as Bevy's meshes.
    pub asset_usage: RenderAssetUsages,
}

impl ModelAsset {
    /// Returns a scene; `None` if the model has fewer, as after a reload.
    pub fn scene(&self, part: Part<Scene>) -> Option<&Handle<WorldAsset>> {
        self.scenes.get(part.index())
    }

    /// Returns the primitives of a mesh.
    pub fn mesh(&self, part: Part<StoredMesh>) -> Option<&[ModelPrimitive]> {
        self.meshes.get(part.index()).map(Vec::as_slice)
    }

    /// Returns a material.
    pub fn material(&self, part: Part<Material>) -> Option<&Handle<StandardMaterial>> {
        self.materials.get(part.index())
    }

    /// Returns what `AnimationPlayer::play` takes for an animation.
    pub fn animation(&self, part: Part<Animation>) -> Option<AnimationNodeIndex> {
        self.animations.get(part.index()).copied()
    }

    /// Returns the keys of an animation, for graphs of your own.
    pub fn clip(&self, part: Part<Animation>) -> Option<&Handle<AnimationClip>> {
        self.clips.get(part.index())
    }
}

impl Becomes<ModelAsset> for Model {}

impl FromStore for ModelAsset {
    type Stored = Model;
    type Settings = ModelSettings;
    type Error = ModelError;

    fn from_store(
        model: &Model,
        settings: &ModelSettings,
        store: &Store,
        context: &mut LoadContext<'_>,
    ) -> Result<Self, ModelError> {
        let materials = materials(model, store, context)?;
        let meshes = meshes(model, &materials, settings.asset_usage, context);
        let targets = Targets::of(model);
        let mut clips = Vec::with_capacity(model.animations().len());
        for (i, animation) in model.animations().iter().enumerate() {
            clips.push(context.add_labeled_asset(labels::animation(i), animation::clip(animation, &targets)?));
        }
        let (graph, animations) = AnimationGraph::from_clips(clips.iter().cloned());
        let graph = (!clips.is_empty()).then(|| context.add_labeled_asset(labels::GRAPH, graph));
        let skins = skins(model, context);
        let mirroring = nodes::mirroring(model);
        mirrored_materials(model, &mirroring, store, context)?;
        let (graph_of_scenes, mirroring) = (graph.as_ref(), &mirroring[..]);
        let prepared =
            Prepared { model, targets: &targets, meshes: &meshes, skins: &skins, graph: graph_of_scenes, mirroring };
        let mut scenes = Vec::new();
        for i in 0..model.scenes().len().max(1) {
            let scene = context.labeled_asset_scope(labels::scene(i), |context| scene::scene(prepared, i, context))?;
            scenes.push(scene);
        }
        let shown = model.default_scene().and_then(|shown| model.scenes().iter().position(|s| std::ptr::eq(s, shown)));
        let default_scene = scenes.get(shown.unwrap_or(0)).cloned();
        Ok(Self { scenes, default_scene, meshes, materials, clips, graph, animations })
    }
}

fn materials(
    model: &Model,
    store: &Store,
    context: &mut LoadContext<'_>,
) -> Result<Vec<Handle<StandardMaterial>>, ModelError> {
    let mut materials = Vec::with_capacity(model.materials().len());
    for (i, stored) in model.materials().iter().enumerate() {
        let label = labels::material(Some(i as u32));
        materials
            .push(context.labeled_asset_scope(label, |context| material::standard(stored, false, store, context))?);
    }
    Ok(materials)
}

/// Adds the other side of materials for nodes that mirror.
fn mirrored_materials(
    model: &Model,
    mirroring: &[bool],
    store: &Store,
    context: &mut LoadContext<'_>,
) -> Result<(), ModelError> {
    let mirroring = model.all_nodes().iter().zip(mirroring).filter(|(_, is_mirroring)| **is_mirroring);
    let meshes: BTreeSet<u32> = mirroring.filter_map(|(node, _)| node.mesh).collect();
    let primitives = model.primitives().iter().filter(|primitive| meshes.contains(&primitive.mesh()));
    let numbers: BTreeSet<Option<u32>> = primitives.map(|primitive| material::number(model, primitive)).collect();
    for number in numbers {
        let label = labels::mirrored(number);
        match number.and_then(|number| model.materials().get(number as usize)) {
            Some(stored) => {
                context.labeled_asset_scope(label, |context| material::standard(stored, true, store, context))?;
            }
            None => {
                let other_side = StandardMaterial { cull_mode: Some(Face::Front), ..Default::default() };
                context.add_labeled_asset(label, other_side);
            }
        }
    }
    Ok(())
}

fn meshes(
    model: &Model,
    materials: &[Handle<StandardMaterial>],
    usage: RenderAssetUsages,
    context: &mut LoadContext<'_>,
) -> Vec<Vec<ModelPrimitive>> {
    let with_skin = model.all_nodes().iter().filter(|node| node.skin.is_some());
    let skinned: BTreeSet<u32> = with_skin.filter_map(|node| node.mesh).collect();
    let mut default = None;
    // Packs of other programs have no list of meshes, and may have any numbers.
    let mut meshes: Vec<Vec<ModelPrimitive>> = vec![Vec::new(); model.meshes().len().max(model.primitives().len())];
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for primitive in model.primitives() {
        let number = primitive.mesh();
        let count = counts.entry(number).or_default();
        let label = labels::primitive(number, *count);
        let of = format!("{}: primitive {count} of mesh {number}", context.path());
        *count += 1;
        let mesh = mesh::mesh(model, primitive, skinned.contains(&number), usage, &of);
        let mesh = context.add_labeled_asset(label, mesh);
        let material = match material::number(model, primitive).and_then(|material| materials.get(material as usize)) {
            Some(material) => material.clone(),
            None => default
                .get_or_insert_with(|| context.add_labeled_asset(labels::material(None), StandardMaterial::default()))
                .clone(),
        };
        if let Some(of_mesh) = meshes.get_mut(number as usize) {
            of_mesh.push(ModelPrimitive { mesh, material });
        }
    }
    let last = meshes.iter().rposition(|primitives| !primitives.is_empty()).map_or(0, |last| last + 1);
    meshes.truncate(last.max(model.meshes().len()));
    meshes
}

fn skins(model: &Model, context: &mut LoadContext<'_>) -> Vec<Handle<SkinnedMeshInverseBindposes>> {
    let mut skins = Vec::with_capacity(model.skins().len());
    for (i, skin) in model.skins().iter().enumerate() {
        let stored = skin.inverse_bind_matrices();
        let matrix = |joint: usize| stored.get(joint).map_or(Mat4::IDENTITY, Mat4::from_cols_array);
        let poses: Vec<Mat4> = (0..skin.joints().len()).map(matrix).collect();
        skins.push(context.add_labeled_asset(labels::skin(i), SkinnedMeshInverseBindposes::from(poses)));
    }
    skins
}
