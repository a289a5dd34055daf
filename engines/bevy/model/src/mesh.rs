//! Primitives → meshes.

use bevy_asset::RenderAssetUsages;
use bevy_math::Vec3;
use bevy_mesh::morph::MorphAttributes;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use rres_runtime::Model;
use rres_runtime::asset::model::{Primitive, TextureSlot, Topology, VertexAttribute};

/// Makes the mesh of a primitive. Without normals, triangles get flat ones, and normal maps get the tangents that they need, as glTF asks.
///
/// Joints are left out if `is_skinned` is false: Bevy takes meshes with joints and without a skin for an error.
pub(crate) fn mesh(model: &Model, primitive: &Primitive, is_skinned: bool, usage: RenderAssetUsages, of: &str) -> Mesh {
    let (topology, indices) = connected(primitive);
    let mut mesh = Mesh::new(topology, usage);
    attributes(primitive, is_skinned, &mut mesh, of);
    let mut morphs = morphs(model, primitive, of);
    let lacks_normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL).is_none() && topology == PrimitiveTopology::TriangleList;
    if let Some(indices) = indices {
        if lacks_normals {
            // Flat triangles share no vertex.
            let of_target = primitive.vertex_count().max(1);
            let split = |target: &[MorphAttributes]| indices.iter().map(|i| target[i]).collect::<Vec<_>>();
            morphs = morphs.chunks_exact(of_target).flat_map(split).collect();
        }
        mesh.insert_indices(indices);
    }
    if lacks_normals && mesh.contains_attribute(Mesh::ATTRIBUTE_POSITION) {
        mesh.duplicate_vertices();
        mesh.compute_flat_normals();
    }
    if !morphs.is_empty() {
        mesh.set_morph_targets(morphs);
        if let Some(stored) = model.meshes().get(primitive.mesh() as usize) {
            mesh.set_morph_target_names(stored.morph_targets().map(str::to_owned).collect());
        }
    }
    if needs_tangents(model, primitive)
        && !mesh.contains_attribute(Mesh::ATTRIBUTE_TANGENT)
        && let Err(error) = mesh.generate_tangents()
    {
        tracing::warn!("{of} has a normal map and no tangents, and Bevy cannot make them: {error}");
    }
    if is_skinned && let Err(error) = mesh.generate_skinned_mesh_bounds() {
        tracing::warn!("{of} has a skin, and Bevy cannot make its bounds: {error}");
    }
    mesh
}

/// Returns whether a primitive has morph targets.
pub(crate) fn has_morphs(model: &Model, primitive: &Primitive) -> bool {
    let targets = model.meshes().get(primitive.mesh() as usize).map_or(0, |mesh| mesh.morph_targets().len() as u32);
    let attributes = [VertexAttribute::POSITION, VertexAttribute::NORMAL, VertexAttribute::TANGENT];
    (0..targets).any(|target| attributes.iter().any(|attribute| primitive.morph(target, *attribute).is_some()))
}

/// The topologies that Bevy lacks become others by their indices.
fn connected(primitive: &Primitive) -> (PrimitiveTopology, Option<Indices>) {
    use rres_runtime::asset::model::Indices as Stored;
    let stored = || {
        primitive.indices().map(|indices| match indices {
            Stored::U16(indices) => Indices::U16(indices.to_vec()),
            Stored::U32(indices) => Indices::U32(indices.to_vec()),
        })
    };
    let all = || match primitive.indices() {
        Some(indices) => indices.to_u32().into_owned(),
        None => (0..primitive.vertex_count() as u32).collect(),
    };
    match primitive.topology() {
        Topology::POINTS => (PrimitiveTopology::PointList, stored()),
        Topology::LINES => (PrimitiveTopology::LineList, stored()),
        Topology::LINE_STRIP => (PrimitiveTopology::LineStrip, stored()),
        Topology::TRIANGLE_STRIP => (PrimitiveTopology::TriangleStrip, stored()),
        Topology::LINE_LOOP => {
            let mut line = all();
            line.extend(line.first().copied());
            (PrimitiveTopology::LineStrip, Some(Indices::U32(line)))
        }
        Topology::TRIANGLE_FAN => {
            let corners = all();
            let triangle = |side: &[u32]| [side[0], side[1], corners[0]];
            let triangles = corners.get(1..).unwrap_or_default().windows(2).flat_map(triangle).collect();
            (PrimitiveTopology::TriangleList, Some(Indices::U32(triangles)))
        }
        _ => (PrimitiveTopology::TriangleList, stored()),
    }
}

fn attributes(primitive: &Primitive, is_skinned: bool, mesh: &mut Mesh, of: &str) {
    let three = |attribute| Some(VertexAttributeValues::Float32x3(shortened(primitive.decode(attribute)?)));
    let two = |attribute| Some(VertexAttributeValues::Float32x2(shortened(primitive.decode(attribute)?)));
    let four = |attribute| Some(VertexAttributeValues::Float32x4(primitive.decode(attribute)?));
    let numbers = |joints: Vec<[f32; 4]>| joints.iter().map(|four| four.map(|joint| joint as u16)).collect();
    let joints = || Some(VertexAttributeValues::Uint16x4(numbers(primitive.decode(VertexAttribute::JOINTS1)?)));
    let mut insert = |to, values: Option<VertexAttributeValues>| {
        values.into_iter().for_each(|values| mesh.insert_attribute(to, values));
    };
    insert(Mesh::ATTRIBUTE_POSITION, three(VertexAttribute::POSITION));
    insert(Mesh::ATTRIBUTE_NORMAL, three(VertexAttribute::NORMAL));
    insert(Mesh::ATTRIBUTE_TANGENT, four(VertexAttribute::TANGENT));
    insert(Mesh::ATTRIBUTE_UV_0, two(VertexAttribute::TEXCOORD1));
    insert(Mesh::ATTRIBUTE_UV_1, two(VertexAttribute::TEXCOORD2));
    insert(Mesh::ATTRIBUTE_COLOR, four(VertexAttribute::COLOR));
    if is_skinned {
        insert(Mesh::ATTRIBUTE_JOINT_INDEX, joints());
        insert(Mesh::ATTRIBUTE_JOINT_WEIGHT, four(VertexAttribute::WEIGHTS1));
        if primitive.joints(1).is_some() {
            tracing::warn!("{of} has more than four joints for a vertex, and Bevy moves it by the first four");
        }
    }
}

/// The first numbers of each vertex.
fn shortened<const N: usize>(vertices: Vec<[f32; 4]>) -> Vec<[f32; N]> {
    vertices.iter().map(|four| std::array::from_fn(|i| four[i])).collect()
}

/// What each morph target adds to each vertex, target after target.
fn morphs(model: &Model, primitive: &Primitive, of: &str) -> Vec<MorphAttributes> {
    let Some(mesh) = model.meshes().get(primitive.mesh() as usize).filter(|_| has_morphs(model, primitive)) else {
        return Vec::new();
    };
    let mut all = Vec::with_capacity(mesh.morph_targets().len() * primitive.vertex_count());
    for target in 0..mesh.morph_targets().len() as u32 {
        let [positions, normals, tangents] =
            [VertexAttribute::POSITION, VertexAttribute::NORMAL, VertexAttribute::TANGENT]
                .map(|attribute| primitive.morph(target, attribute).unwrap_or_default().as_chunks::<3>().0);
        let of_vertex = |deltas: &[[f32; 3]], i: usize| deltas.get(i).copied().map_or(Vec3::ZERO, Vec3::from);
        all.extend(
            (0..primitive.vertex_count())
                .map(|i| MorphAttributes::new(of_vertex(positions, i), of_vertex(normals, i), of_vertex(tangents, i))),
        );
        let others = [VertexAttribute::TEXCOORD1, VertexAttribute::TEXCOORD2, VertexAttribute::COLOR];
        for attribute in others.into_iter().filter(|attribute| primitive.morph(target, *attribute).is_some()) {
            tracing::warn!("{of} has morph target {target} of {attribute}, which Bevy does not move");
        }
    }
    all
}

fn needs_tangents(model: &Model, primitive: &Primitive) -> bool {
    let material = primitive.material().and_then(|material| model.materials().get(material as usize));
    let is_normal_map = |slot| material.is_some_and(|material| material.texture(slot).is_some());
    is_normal_map(TextureSlot::NORMAL)
        || (cfg!(feature = "pbr_multi_layer_material_textures") && is_normal_map(TextureSlot::CLEARCOAT_NORMAL))
}
