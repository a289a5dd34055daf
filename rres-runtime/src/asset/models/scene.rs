//! What a model has in its SCNE chunk: the rest of its nodes and materials, skins, animations, morph targets, cameras, lights.
//!
//! The chunk is right in itself when it was parsed. Here it is compared with the other chunks of the model.

use rres_format::chunk::model::ModelView;
use rres_format::chunk::scene::{NONE, NodeExtra, SceneView, Span};
use rres_format::chunk::vertex::VertexAttribute;
use rres_format::{Limits, ResourceId};
use rres_protocol::packed_id::Slot;

use super::checks::inconsistent;
use super::material::Texture;
use super::numbers::Numbers;
use super::{Animation, Channel, Model, Node, NodeParts, meshlets, tracks};
use crate::error::Result;
use crate::id::Id;
use crate::resource::Chunk;

/// A mesh: some primitives under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    name: Box<str>,
    targets: Vec<Box<str>>,
    weights: Numbers,
}

/// A skin: the nodes that move the vertices of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    name: Box<str>,
    joints: Vec<u32>,
    matrices: Numbers,
    skeleton: Option<u32>,
}

/// A camera, which looks along −z of its node.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Camera {
    /// Its name; empty if the source file has none.
    pub name: Box<str>,
    /// What it shows.
    pub projection: Projection,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane; `None` if there is none.
    pub far: Option<f32>,
}

/// What a camera shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// What is farther away is smaller.
    Perspective {
        /// The vertical angle of view in radians.
        vertical_angle: f32,
        /// Width divided by height; `None` for the window's.
        aspect_ratio: Option<f32>,
    },
    /// Everything has its size.
    Orthographic {
        /// Half the width.
        half_width: f32,
        /// Half the height.
        half_height: f32,
    },
}

/// A light, which shines along −z of its node.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Light {
    /// Its name; empty if the source file has none.
    pub name: Box<str>,
    /// The directions that it shines in.
    pub kind: LightKind,
    /// Linear red, green and blue.
    pub color: [f32; 3],
    /// Candela for point and spot lights, lux for directional ones.
    pub intensity: f32,
    /// The distance at which it ends; `None` if it has none.
    pub range: Option<f32>,
}

/// The directions that a light shines in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// In one direction from infinitely far away.
    Directional,
    /// In all directions.
    Point,
    /// In a cone.
    Spot {
        /// The angle in radians from its axis at which it begins to weaken.
        inner_angle: f32,
        /// The angle in radians from its axis at which it ends.
        outer_angle: f32,
    },
}

/// A scene: nodes that are shown together.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    name: Box<str>,
    roots: Vec<u32>,
}

/// What a morph target adds to one attribute of a primitive.
#[derive(Clone, Debug)]
pub(super) struct Morph {
    pub(super) target: u32,
    pub(super) attribute: VertexAttribute,
    pub(super) deltas: Numbers,
}

impl Mesh {
    /// Returns its name; empty if the source file has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of its morph targets. Each may be empty.
    pub fn morph_targets(&self) -> impl ExactSizeIterator<Item = &str> {
        self.targets.iter().map(|name| &**name)
    }

    /// Returns the weights of its morph targets where a node and an animation set none; all are 0 if it is empty.
    pub fn morph_weights(&self) -> &[f32] {
        &self.weights
    }
}

impl Skin {
    /// Returns its name; empty if the source file has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the indices of its joints in [`Model::all_nodes`]. The joints of vertices count these.
    pub fn joints(&self) -> &[u32] {
        &self.joints
    }

    /// Returns the matrix of each joint that leads from the space of the mesh to the space of the joint, column-major; empty if all are
    /// the identity.
    pub fn inverse_bind_matrices(&self) -> &[[f32; 16]] {
        self.matrices.groups()
    }

    /// Returns the node that is the root of the skeleton, if the source file says so.
    pub fn skeleton(&self) -> Option<u32> {
        self.skeleton
    }
}

impl Scene {
    /// Returns its name; empty if the source file has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the indices of its root nodes in [`Model::all_nodes`].
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }
}

fn some(index: u32) -> Option<u32> {
    (index != NONE).then_some(index)
}

fn positive(number: f32) -> Option<f32> {
    (number > 0.0).then_some(number)
}

/// Adds what the chunk has to a model that has the rest, which `structure` describes.
pub(super) fn add(
    model: &mut Model,
    chunk: &Chunk,
    structure: ModelView<'_>,
    images: &[ResourceId],
    limits: Limits,
) -> Result<()> {
    let view = SceneView::parse(chunk.payload()?)?;
    let counts = [structure.nodes().len(), structure.primitives().len(), structure.materials().len()];
    if view.model().map(|count| count as usize) != counts {
        let found = view.model();
        return Err(inconsistent(format!(
            "its scenes are for a model of {} nodes, {} primitives and {} materials, and it has {}, {} and {}",
            found[0], found[1], found[2], counts[0], counts[1], counts[2]
        )));
    }
    let all = Numbers::new(chunk.share(view.number_bytes(Span { first: 0, count: view.numbers().len() as u32 })));
    let numbers = |span: Span| all.part(span.first as usize, span.count as usize);
    let name = |span: Span| -> Box<str> { view.name(span).into() };
    let targets: Vec<Span> = view.targets().collect();
    model.meshes = view
        .meshes()
        .map(|mesh| {
            let own = targets.iter().skip(mesh.targets.first as usize).take(mesh.targets.count as usize);
            Mesh {
                name: name(mesh.name),
                targets: own.map(|target| name(*target)).collect(),
                weights: numbers(mesh.weights),
            }
        })
        .collect();
    model.skins = view
        .skins()
        .map(|skin| Skin {
            name: name(skin.name),
            joints: view.indices_of(skin.joints).collect(),
            matrices: numbers(skin.inverse_bind_matrices),
            skeleton: some(skin.skeleton),
        })
        .collect();
    nodes(model, view, numbers);
    let channels: Vec<_> = view.channels().collect();
    limits.check_decoded("the size of the unpacked animations in bytes", view.unpacked_tracks_size())?;
    let unpacked = tracks::unpack(view);
    for animation in view.animations() {
        let first = animation.channels.first as usize;
        let own = channels.iter().enumerate().skip(first).take(animation.channels.count as usize);
        let own = own.map(|(number, channel)| {
            let keys = || [numbers(channel.times), numbers(channel.values)];
            let [times, values] = unpacked.get(&(number as u32)).cloned().unwrap_or_else(keys);
            Channel {
                node: channel.node,
                property: channel.property,
                interpolation: channel.interpolation,
                components: channel.components as usize,
                times,
                values,
            }
        });
        model.animations.push(Animation { name: name(animation.name), channels: own.collect() });
    }
    model.cameras = view
        .cameras()
        .map(|camera| {
            let projection = match camera.kind {
                0 => Projection::Perspective { vertical_angle: camera.y, aspect_ratio: positive(camera.x) },
                _ => Projection::Orthographic { half_width: camera.x, half_height: camera.y },
            };
            Camera { name: name(camera.name), projection, near: camera.near, far: positive(camera.far) }
        })
        .collect();
    model.lights = view
        .lights()
        .map(|light| Light {
            name: name(light.name),
            kind: match light.kind {
                0 => LightKind::Directional,
                1 => LightKind::Point,
                _ => LightKind::Spot { inner_angle: light.inner_angle, outer_angle: light.outer_angle },
            },
            color: light.color,
            intensity: light.intensity,
            range: positive(light.range),
        })
        .collect();
    model.scenes = view
        .scenes()
        .map(|scene| Scene { name: name(scene.name), roots: view.indices_of(scene.roots).collect() })
        .collect();
    model.default_scene = view.default_scene();
    morphs(model, view, numbers)?;
    lods(model, view)?;
    meshlets::add(model, view, chunk)?;
    materials(model, view, images)?;
    check(model)
}

fn nodes(model: &mut Model, view: SceneView<'_>, numbers: impl Fn(Span) -> Numbers) {
    let further = view.further_nodes().map(|node| Node {
        name: view.name(node.name).into(),
        parent: some(node.parent),
        mesh: some(node.mesh),
        transform: node.transform,
        parts: None,
        skin: None,
        camera: None,
        light: None,
        weights: Numbers::default(),
    });
    model.nodes.extend(further);
    for (node, extra) in model.nodes.iter_mut().zip(view.nodes()) {
        let NodeExtra { has_parts, skin, camera, light, weights, translation, rotation, scale } = extra;
        node.parts = (has_parts == 1).then_some(NodeParts { translation, rotation, scale });
        (node.skin, node.camera, node.light) = (some(skin), some(camera), some(light));
        node.weights = numbers(weights);
    }
}

fn morphs(model: &mut Model, view: SceneView<'_>, numbers: impl Fn(Span) -> Numbers) -> Result<()> {
    for morph in view.morphs() {
        let primitive = &mut model.primitives[morph.primitive as usize];
        let vertices = primitive.vertex_count();
        let deltas = numbers(morph.deltas);
        if deltas.len() as u64 != vertices as u64 * u64::from(morph.components) {
            return Err(inconsistent(format!(
                "morph target {} of primitive {} has {} numbers for {}, {} each, and there are {vertices} vertices",
                morph.target,
                morph.primitive,
                deltas.len(),
                morph.attribute,
                morph.components
            )));
        }
        primitive.morphs.push(Morph { target: morph.target, attribute: morph.attribute, deltas });
    }
    Ok(())
}

/// Adds the errors of levels of detail. Every level has indices among the attributes, and the other way round.
fn lods(model: &mut Model, view: SceneView<'_>) -> Result<()> {
    for lod in view.lods() {
        model.primitives[lod.primitive as usize].lods.push(lod.error);
    }
    for (i, primitive) in model.primitives.iter().enumerate() {
        let stated = primitive.lods.len() as u32;
        let found = (0..VertexAttribute::MAX_LODS).filter(|level| primitive.has_lod(*level)).count() as u32;
        if found != stated || (0..stated).any(|level| !primitive.has_lod(level)) {
            return Err(inconsistent(format!("primitive {i} has {found} levels of detail, and its scenes {stated}")));
        }
    }
    Ok(())
}

fn materials(model: &mut Model, view: SceneView<'_>, images: &[ResourceId]) -> Result<()> {
    view.factors().for_each(|factor| model.materials[factor.material as usize].set(factor));
    for texture in view.textures() {
        let image = images.get(texture.image as usize).ok_or_else(|| {
            let (image, count) = (texture.image, images.len());
            inconsistent(format!("a material has image {image}, but the index has {count}"))
        })?;
        let texture_of = Texture::new(&texture, Id::new(*image, Slot(0)));
        model.materials[texture.material as usize].textures.push(texture_of);
    }
    Ok(())
}

/// Checks what needs several lists: meshes of nodes and primitives, morph targets, joints of vertices.
fn check(model: &Model) -> Result<()> {
    let meshes = model.meshes.len();
    let targets =
        |mesh: Option<u32>| mesh.and_then(|mesh| model.meshes.get(mesh as usize)).map_or(0, |m| m.targets.len());
    for (i, primitive) in model.primitives.iter().enumerate() {
        if primitive.mesh as usize >= meshes {
            return Err(inconsistent(format!("primitive {i} is of mesh {}, but there are {meshes}", primitive.mesh)));
        }
        let count = targets(Some(primitive.mesh));
        if let Some(morph) = primitive.morphs.iter().find(|morph| morph.target as usize >= count) {
            return Err(inconsistent(format!(
                "primitive {i} has morph target {}, but its mesh has {count}",
                morph.target
            )));
        }
    }
    // The largest joint of each mesh.
    let mut largest: Vec<Option<u16>> = vec![None; meshes];
    if model.nodes.iter().any(|node| node.skin.is_some()) {
        for primitive in &model.primitives {
            let joint = &mut largest[primitive.mesh as usize];
            *joint = (*joint).max(primitive.largest_joint());
        }
    }
    for (i, node) in model.nodes.iter().enumerate() {
        if let Some(mesh) = node.mesh.filter(|mesh| *mesh as usize >= meshes) {
            return Err(inconsistent(format!("node {i} has mesh {mesh}, but there are {meshes}")));
        }
        let count = targets(node.mesh);
        if !node.weights.is_empty() && node.weights.len() != count {
            let found = node.weights.len();
            return Err(inconsistent(format!("node {i} has {found} weights, but its mesh has {count} morph targets")));
        }
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        let joint = largest[mesh as usize];
        let joints = model.skins[skin as usize].joints.len();
        if let Some(joint) = joint.filter(|joint| usize::from(*joint) >= joints) {
            return Err(inconsistent(format!(
                "mesh {mesh} has joint {joint}, but skin {skin} of node {i} has {joints} joints"
            )));
        }
    }
    for (i, animation) in model.animations.iter().enumerate() {
        for channel in &animation.channels {
            let count = targets(model.nodes[channel.node as usize].mesh);
            if channel.property == rres_format::chunk::scene::Property::WEIGHTS && channel.components != count {
                return Err(inconsistent(format!(
                    "animation {i} has {} weights for node {}, whose mesh has {count} morph targets",
                    channel.components, channel.node
                )));
            }
        }
    }
    Ok(())
}
