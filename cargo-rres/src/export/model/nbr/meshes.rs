//! The vertices of a mesh as accessors.

use rres_import_nbr::Mesh;
use serde_json::{Value, json};

use super::super::super::{ExportError, float};
use super::super::buffer::Buffer;
use super::bytes;

/// What OpenGL calls a buffer of vertices, and one of indices.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Numbers of component types.
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Returns a mesh of one primitive; `None` if it has no triangles. `joints` is the number of joints that its vertices may refer to.
pub(super) fn mesh(
    mesh: &Mesh,
    joints: Option<usize>,
    buffer: &mut Buffer,
    losses: &mut Vec<String>,
) -> Result<Option<Value>, ExportError> {
    if mesh.indices.is_empty() {
        losses.push("without meshes that have no triangles".to_owned());
        return Ok(None);
    }
    if !mesh.indices.len().is_multiple_of(3) {
        let why = format!("{} indices are not triangles, of which each has 3", mesh.indices.len());
        return Err(ExportError::Unsupported(why));
    }
    let count = mesh.vertex_count();
    let mut attributes = json!({});
    let mut add = |name: &str, shape: &str, component: u32, bytes: &[u8], bounds: Option<[Vec<Value>; 2]>| {
        let mut accessor = json!({ "componentType": component, "count": count, "type": shape });
        if let Some([minimum, maximum]) = bounds {
            (accessor["min"], accessor["max"]) = (minimum.into(), maximum.into());
        }
        attributes[name] = json!(buffer.accessor(bytes, VERTICES, accessor));
    };
    add("POSITION", "VEC3", F32, &bytes(mesh.positions()), Some(bounds(mesh)?));
    if is_finite(mesh.normals()) {
        add("NORMAL", "VEC3", F32, &bytes(mesh.normals()), None);
    } else {
        losses.push("without normals that are not finite".to_owned());
    }
    if is_finite(mesh.tangents()) {
        // The engine computes the bitangent as if the sign were positive.
        add("TANGENT", "VEC4", F32, &bytes(mesh.tangents().map(|[x, y, z]| [x, y, z, 1.0])), None);
    } else {
        losses.push("without tangents that are not finite".to_owned());
    }
    if is_finite(mesh.tex_coords()) {
        add("TEXCOORD_0", "VEC2", F32, &bytes(mesh.tex_coords()), None);
    } else {
        losses.push("without texture coordinates that are not finite".to_owned());
    }
    if mesh.has_joints {
        let limit = joints.unwrap_or(usize::from(u16::MAX) + 1);
        let numbers = mesh.joints().flatten().map(|number| joint(number, limit)).collect::<Result<Vec<u16>, _>>()?;
        let numbers: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
        if !is_finite(mesh.weights()) {
            return Err(ExportError::Damaged("a weight of a joint is not finite".to_owned()));
        }
        add("JOINTS_0", "VEC4", U16, &numbers, None);
        add("WEIGHTS_0", "VEC4", F32, &bytes(mesh.weights()), None);
    }
    // The largest number of a type ends a strip, so it is not used.
    let (component, indices): (u32, Vec<u8>) = match count <= usize::from(u16::MAX) {
        true => (U16, mesh.indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect()),
        false => (U32, mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect()),
    };
    let accessor = json!({ "componentType": component, "count": mesh.indices.len(), "type": "SCALAR" });
    let indices = buffer.accessor(&indices, INDICES, accessor);
    let mut primitive = json!({ "attributes": attributes, "indices": indices });
    if let Some(material) = mesh.material {
        primitive["material"] = json!(material);
    }
    Ok(Some(json!({ "primitives": [primitive] })))
}

fn is_finite<const N: usize>(mut values: impl Iterator<Item = [f32; N]>) -> bool {
    values.all(|value| value.iter().all(|number| number.is_finite()))
}

/// Returns the number of a joint, which files have as a float.
fn joint(number: f32, limit: usize) -> Result<u16, ExportError> {
    // The cast makes 0 of NaN, which is not equal to it.
    let joint = number as u16;
    if f32::from(joint) == number && usize::from(joint) < limit {
        return Ok(joint);
    }
    Err(ExportError::Damaged(format!("a vertex is moved by the joint {number}, and there are {limit}")))
}

/// Returns the smallest and the largest position.
fn bounds(mesh: &Mesh) -> Result<[Vec<Value>; 2], ExportError> {
    let (mut minimum, mut maximum) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (vertex, position) in mesh.positions().enumerate() {
        for (axis, value) in position.into_iter().enumerate() {
            if !value.is_finite() {
                return Err(ExportError::Damaged(format!("vertex {vertex} is at {value}, which glTF does not allow")));
            }
            (minimum[axis], maximum[axis]) = (minimum[axis].min(value), maximum[axis].max(value));
        }
    }
    Ok([minimum, maximum].map(|corner| corner.map(float).to_vec()))
}
