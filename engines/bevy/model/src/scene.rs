//! Scenes → worlds that Bevy spawns.

use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy_animation::{AnimatedBy, AnimationPlayer};
use bevy_asset::{Handle, LoadContext};
use bevy_camera::primitives::Aabb;
use bevy_camera::visibility::{DynamicSkinnedMeshBounds, Visibility};
use bevy_camera::{Camera, Camera3d};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::name::Name;
use bevy_ecs::prelude::{Entity, World};
use bevy_math::Vec3;
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_pbr::{MeshMaterial3d, StandardMaterial};
use bevy_transform::components::Transform;
use bevy_world_serialization::WorldAsset;
use rres_runtime::Model;
use rres_runtime::asset::model::{Node, Primitive};

use crate::animation::Targets;
use crate::asset::ModelPrimitive;
use crate::error::ModelError;
use crate::{labels, material, mesh, nodes};

/// What scenes share.
#[derive(Clone, Copy)]
pub(crate) struct Prepared<'a> {
    pub(crate) model: &'a Model,
    pub(crate) targets: &'a Targets,
    pub(crate) meshes: &'a [Vec<ModelPrimitive>],
    pub(crate) skins: &'a [Handle<SkinnedMeshInverseBindposes>],
    pub(crate) graph: Option<&'a Handle<AnimationGraph>>,
    /// Which nodes mirror their mesh.
    pub(crate) mirroring: &'a [bool],
}

/// A scene that is being made.
struct Making<'a, 'c> {
    prepared: Prepared<'a>,
    number: usize,
    context: &'a mut LoadContext<'c>,
    world: World,
    /// The entity of each node in the scene.
    entities: Vec<Option<Entity>>,
    has_active_camera: bool,
}

/// Makes a scene of its root nodes and all below them: one entity for each node, below an entity for the scene.
pub(crate) fn scene(
    prepared: Prepared<'_>,
    number: usize,
    context: &mut LoadContext<'_>,
) -> Result<WorldAsset, ModelError> {
    let model = prepared.model;
    let scene = model.scenes().get(number);
    let name = scene.map(|scene| scene.name()).filter(|name| !name.is_empty());
    let name = name.map_or_else(|| format!("Scene{number}"), str::to_owned);
    let mut world = World::new();
    let root = world.spawn((Name::new(name), Transform::default(), Visibility::default())).id();
    let entities = vec![None; model.all_nodes().len()];
    let mut making = Making { prepared, number, context, world, entities, has_active_camera: false };
    for (i, node) in model.all_nodes().iter().enumerate() {
        let is_root = match scene {
            Some(scene) => scene.roots().contains(&(i as u32)),
            None => node.parent.is_none(),
        };
        // Parents precede children.
        let parent = node.parent.and_then(|parent| making.entities[parent as usize]);
        let Some(parent) = parent.or(is_root.then_some(root)) else { continue };
        let entity = making.node(i, node, parent);
        if let Some(mesh) = node.mesh {
            making.mesh(node, mesh, entity, prepared.mirroring[i])?;
        }
    }
    // A mesh of another program.
    if model.all_nodes().is_empty() {
        let meshes: std::collections::BTreeSet<u32> = model.primitives().iter().map(Primitive::mesh).collect();
        for mesh in meshes {
            making.primitives(mesh, root, false, false);
        }
    }
    making.skins()?;
    making.players();
    Ok(WorldAsset::new(making.world))
}

impl Making<'_, '_> {
    fn node(&mut self, number: usize, node: &Node, parent: Entity) -> Entity {
        let components =
            (self.prepared.targets.name(number), nodes::transform(node), Visibility::default(), ChildOf(parent));
        let mut entity = self.world.spawn(components);
        let id = entity.id();
        self.entities[number] = Some(id);
        let model = self.prepared.model;
        if let Some(camera) = node.camera.and_then(|camera| model.cameras().get(camera as usize)) {
            // Bevy draws what every active camera sees.
            let camera3d = Camera { is_active: !self.has_active_camera, ..Default::default() };
            self.has_active_camera = true;
            entity.insert((Camera3d::default(), nodes::projection(camera), camera3d));
        }
        if let Some((target, root)) = self.prepared.targets.get(number) {
            // Parents precede children, so the root has an entity, unless the scene shows a part of its tree.
            if let Some(root) = self.entities[root] {
                entity.insert((target, AnimatedBy(root)));
            }
        }
        if let Some(light) = node.light.and_then(|light| model.lights().get(light as usize)) {
            nodes::insert_light(light, &mut self.world.spawn(ChildOf(id)));
        }
        id
    }

    /// Adds the mesh of a node, and the weights of its morph targets.
    fn mesh(&mut self, node: &Node, mesh: u32, entity: Entity, is_mirrored: bool) -> Result<(), ModelError> {
        self.primitives(mesh, entity, node.skin.is_some(), is_mirrored);
        let Some(stored) = self.prepared.model.meshes().get(mesh as usize) else { return Ok(()) };
        let count = stored.morph_targets().len();
        if count > 0 {
            let own = node.morph_weights();
            let mut weights = if own.is_empty() { stored.morph_weights().to_vec() } else { own.to_vec() };
            weights.resize(count, 0.0);
            let first = self.prepared.meshes.get(mesh as usize).and_then(|primitives| primitives.first());
            let first = first.map(|_| self.context.get_label_handle::<Mesh>(labels::primitive(mesh, 0)));
            let weights = MorphWeights::new(weights, first)
                .map_err(|error| ModelError::MorphTargets { mesh, reason: error.to_string() })?;
            self.world.entity_mut(entity).insert(weights);
        }
        Ok(())
    }

    /// Adds an entity for each primitive of a mesh.
    fn primitives(&mut self, mesh: u32, parent: Entity, is_skinned: bool, is_mirrored: bool) {
        let model = self.prepared.model;
        let stored = model.meshes().get(mesh as usize);
        let of_mesh = model.primitives().iter().filter(|primitive| primitive.mesh() == mesh);
        for (i, primitive) in of_mesh.enumerate() {
            let label = if is_mirrored { labels::mirrored } else { labels::material };
            let number = material::number(model, primitive);
            let material = self.context.get_label_handle::<StandardMaterial>(label(number));
            let (low, high) = primitive.bounds();
            let mut entity = self.world.spawn((
                Mesh3d(self.context.get_label_handle(labels::primitive(mesh, i))),
                MeshMaterial3d(material),
                Transform::default(),
                Aabb::from_min_max(Vec3::from(low), Vec3::from(high)),
                ChildOf(parent),
            ));
            let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
            let of_material = number.and_then(|material| model.materials().get(material as usize));
            let name = stored.and_then(|mesh| named(mesh.name())).unwrap_or_else(|| "Mesh".to_owned());
            let name = match of_material.and_then(|material| named(&material.name)) {
                Some(material) => format!("{name}.{material}"),
                None => name,
            };
            entity.insert(Name::new(name));
            if is_skinned {
                entity.insert(DynamicSkinnedMeshBounds);
            }
            if mesh::has_morphs(model, primitive) {
                entity.insert(MeshMorphWeights::Reference(parent));
            }
        }
    }

    /// Gives primitives with a skin the entities of their joints, once all exist.
    fn skins(&mut self) -> Result<(), ModelError> {
        let model = self.prepared.model;
        for (node, entity) in model.all_nodes().iter().zip(&self.entities) {
            let (Some(entity), Some(number)) = (*entity, node.skin) else { continue };
            let (Some(skin), Some(poses)) =
                (model.skins().get(number as usize), self.prepared.skins.get(number as usize))
            else {
                continue;
            };
            let joint = |joint: &u32| {
                let found = self.entities.get(*joint as usize).copied().flatten();
                found.ok_or(ModelError::JointElsewhere { scene: self.number, skin: number, joint: *joint })
            };
            let joints: Vec<Entity> = skin.joints().iter().map(joint).collect::<Result<_, _>>()?;
            let children: Vec<Entity> =
                self.world.get::<bevy_ecs::hierarchy::Children>(entity).into_iter().flatten().copied().collect();
            for child in children {
                // Nodes and lights are children as well.
                if self.world.get::<Mesh3d>(child).is_some() {
                    let skinned = SkinnedMesh { inverse_bindposes: poses.clone(), joints: joints.clone() };
                    self.world.entity_mut(child).insert(skinned);
                }
            }
        }
        Ok(())
    }

    /// Gives the roots of trees that animations move a player of the graph.
    fn players(&mut self) {
        for (i, entity) in self.entities.iter().enumerate() {
            let Some(entity) = *entity else { continue };
            let is_root = self.prepared.targets.get(i).is_some_and(|(_, root)| root == i);
            if let (true, Some(graph)) = (is_root, self.prepared.graph) {
                self.world.entity_mut(entity).insert((AnimationPlayer::default(), AnimationGraphHandle(graph.clone())));
            }
        }
    }
}
