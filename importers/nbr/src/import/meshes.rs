//! The vertices and triangles of a mesh.

use rres_format::chunk::vertex::VertexAttribute;
use rres_import::ImportError;
use rres_import::model::{ModelBuilder, Vertices};

use super::checks::damaged;
use crate::Mesh;

/// Adds a mesh of one primitive and returns its number; `None` if it has no triangles, and nothing is added. `joints` is the number of
/// joints that its vertices may refer to, if they are known.
pub(super) fn add(
    mesh: &Mesh,
    joints: Option<usize>,
    built: &mut ModelBuilder,
    left_out: &mut Vec<String>,
) -> Result<Option<u32>, ImportError> {
    if mesh.indices.is_empty() {
        left_out.push("without meshes that have no triangles".to_owned());
        return Ok(None);
    }
    let count = mesh.vertex_count();
    let positions: Vec<[f32; 3]> = mesh.positions().collect();
    let mut vertices = Vec::new();
    let mut add = |is_finite: bool, list: &dyn Fn() -> Vertices, name: &str| match is_finite {
        true => vertices.push(list()),
        false => left_out.push(format!("without {name} that are not finite")),
    };
    let finite = first_infinite(mesh.tex_coords()).is_none();
    add(finite, &|| Vertices::floats(VertexAttribute::TEXCOORD1, mesh.tex_coords()), "texture coordinates");
    let finite = first_infinite(mesh.normals()).is_none();
    add(finite, &|| Vertices::floats(VertexAttribute::NORMAL, mesh.normals()), "normals");
    // The engine computes the bitangent as if the sign were positive.
    let tangents = || mesh.tangents().map(|[x, y, z]| [x, y, z, 1.0]);
    let finite = first_infinite(mesh.tangents()).is_none();
    add(finite, &|| Vertices::floats(VertexAttribute::TANGENT, tangents()), "tangents");
    let mut further = Vec::new();
    if mesh.has_joints {
        if first_infinite(mesh.weights()).is_some() {
            return Err(damaged("a weight of a joint is not finite".to_owned()));
        }
        let limit = joints.unwrap_or(usize::from(u16::MAX) + 1);
        let mut numbers = Vec::with_capacity(count);
        let mut all_weights = Vec::with_capacity(count);
        for (joints, mut weights) in mesh.joints().zip(mesh.weights()) {
            let mut of_vertex = [0; 4];
            for ((place, number), weight) in of_vertex.iter_mut().zip(joints).zip(&mut weights) {
                // Versions 0.5 and 0.6 have −1 twice where no joint is.
                if (number, *weight) == (-1.0, -1.0) {
                    *weight = 0.0;
                }
                // A joint without weight has no effect, and may have any number.
                *place = if *weight == 0.0 { 0 } else { joint(number, limit)? };
            }
            numbers.push(of_vertex);
            all_weights.push(weights);
        }
        further.push(Vertices::joints(0, numbers));
        further.push(Vertices::floats(VertexAttribute::weights(0), all_weights));
    }
    let number = built.add_mesh("");
    built.add_triangles(number, mesh.material.map(u32::from), &positions, vertices, &mesh.indices, further)?;
    Ok(Some(number))
}

/// The first number that is not finite, with the vertex that has it.
fn first_infinite<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> Option<(usize, f32)> {
    let mut numbers = values.enumerate().flat_map(|(vertex, value)| value.map(|number| (vertex, number)));
    numbers.find(|(_, number)| !number.is_finite())
}

/// Returns the number of a joint, which files have as a float.
fn joint(number: f32, limit: usize) -> Result<u16, ImportError> {
    // The cast makes 0 of NaN, which is not equal to it.
    let joint = number as u16;
    if f32::from(joint) == number && usize::from(joint) < limit {
        return Ok(joint);
    }
    Err(damaged(format!("a vertex is moved by the joint {number}, and there are {limit}")))
}
