//! Meshlets: a primitive's triangles in groups of neighbours, each with few vertices and with bounds, for mesh shaders and for culling.
//!
//! They are made last, of the positions as they are stored, so that the bounds hold for what a program draws.

mod bounds;
mod grow;
mod nearest;
#[cfg(test)]
mod tests;

use rres_format::chunk::PayloadView;
use rres_format::chunk::model::{Primitive, Topology};
use rres_format::chunk::scene::{MeshletListRecord, MeshletRecord, SceneBlock};
use rres_format::chunk::vertex::{VertexAttribute, VertexProps, VertexView};
use rres_import::{Block, ImportError};
use rres_settings::MeshletSize;

use super::formats::stored_positions;
use super::geometry::unsigned;

/// The meshlets of some triangles.
#[derive(Default)]
struct Meshlets {
    meshlets: Vec<MeshletRecord>,
    /// The vertices of all meshlets.
    vertices: Vec<u32>,
    /// The triangles of all meshlets, by vertices of the meshlet.
    triangles: Vec<[u8; 3]>,
}

/// Adds the meshlets of the primitives of one mesh to `scene`, for the primitive itself and for each level of detail. `first` is the number of the
/// first primitive.
pub(in super::super) fn add(
    blocks: &[Block],
    primitives: &[Primitive],
    first: u32,
    size: MeshletSize,
    scene: &mut SceneBlock,
) -> Result<(), ImportError> {
    let whole = super::formats::whole_box(primitives);
    let mut rest = blocks;
    for (number, primitive) in (first..).zip(primitives) {
        let (own, next) = rest.split_at((primitive.attributes as usize).min(rest.len()));
        rest = next;
        if primitive.topology != Topology::TRIANGLES {
            continue;
        }
        let read = |block: &Block| -> Result<(VertexProps, Vec<u8>), ImportError> {
            let view = PayloadView::parse(&block.bytes).and_then(VertexView::parse);
            let view = view.map_err(|error| ImportError::new(error.to_string()))?;
            Ok((view.props(), view.data().to_vec()))
        };
        let attributes = own.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let find = |attribute| attributes.iter().find(|(props, _)| props.attribute == attribute);
        let Some((props, data)) = find(VertexAttribute::POSITION) else { continue };
        let positions = stored_positions(*props, data, whole);
        let lists =
            std::iter::once(VertexAttribute::INDEX).chain((0..VertexAttribute::MAX_LODS).map(VertexAttribute::lod));
        for (level, attribute) in (0..).zip(lists) {
            let Some((props, data)) = find(attribute) else { continue };
            let width = props.format.size().unwrap_or(1) as usize;
            let indices: Vec<u32> = data.chunks_exact(width).map(unsigned).collect();
            let Meshlets { meshlets, vertices, triangles } = of_triangles(indices.as_chunks().0, &positions, size);
            if meshlets.is_empty() {
                continue;
            }
            scene.meshlet_lists.push(MeshletListRecord {
                primitive: number,
                level,
                meshlets: meshlets.len() as u32,
                vertices: vertices.len() as u32,
                triangles: triangles.len() as u32,
                reserved: 0,
            });
            scene.meshlets.extend(meshlets);
            scene.meshlet_vertices.extend(vertices);
            scene.meshlet_triangles.extend(triangles);
        }
    }
    Ok(())
}

/// The vertices of each meshlet, and its triangles by the numbers of these.
pub(in super::super) fn lists(
    corners: &[[u32; 3]],
    positions: &[[f32; 3]],
    size: MeshletSize,
) -> Vec<(Vec<u32>, Vec<[u8; 3]>)> {
    let Meshlets { meshlets, vertices, triangles } = of_triangles(corners, positions, size);
    let of = |meshlet: &MeshletRecord| {
        let vertices = &vertices[meshlet.first_vertex as usize..][..meshlet.vertex_count as usize];
        let triangles = &triangles[meshlet.first_triangle as usize..][..meshlet.triangle_count as usize];
        (vertices.to_vec(), triangles.to_vec())
    };
    meshlets.iter().map(of).collect()
}

/// Groups triangles.
fn of_triangles(corners: &[[u32; 3]], positions: &[[f32; 3]], size: MeshletSize) -> Meshlets {
    let mut made = Meshlets::default();
    grow::groups(corners, positions, size, |vertices, triangles| {
        let at = |vertex: &u32| positions[*vertex as usize];
        let points: Vec<[f32; 3]> = vertices.iter().map(at).collect();
        let sphere = bounds::sphere(&points);
        let cone =
            bounds::cone(triangles.iter().map(|triangle| triangle.map(|corner| points[usize::from(corner)])), sphere.0);
        made.meshlets.push(MeshletRecord {
            center: sphere.0,
            radius: sphere.1,
            cone_apex: cone.apex,
            cone_cutoff: cone.cutoff,
            cone_axis: cone.axis,
            reserved: 0,
            first_vertex: made.vertices.len() as u32,
            vertex_count: vertices.len() as u32,
            first_triangle: made.triangles.len() as u32,
            triangle_count: triangles.len() as u32,
        });
        made.vertices.extend(vertices);
        made.triangles.extend(triangles);
    });
    made
}
