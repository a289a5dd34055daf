//! What must hold in the meshlets of a SCNE chunk, as far as the chunk itself tells.
//!
//! That vertices are of the primitive, and that there are as many triangles, is checked by code that has the chunks of the primitive.

use super::{MeshletListRecord, MeshletRecord, SceneView};
use crate::chunk::vertex::VertexAttribute;
use crate::error::{Error, Result};
use crate::wire::Wire as _;

/// The most vertices of a meshlet: their numbers have 8 bits.
const MAX_VERTICES: u32 = 256;

/// The most triangles of a meshlet, which is the most that any mesh shader takes.
const MAX_TRIANGLES: u32 = 512;

/// Checks all lists. The lists have exactly the meshlets that there are, and so on: nothing has two owners.
pub(super) fn check(view: &SceneView<'_>, primitives: u32) -> Result<()> {
    let mut next = (0, 0);
    for (i, list) in view.meshlet_lists().enumerate() {
        let MeshletListRecord { primitive, level, .. } = list;
        if primitive >= primitives || level > VertexAttribute::MAX_LODS {
            let of = format!("{primitive} at level {level}, but there are only {primitives}");
            return Err(wrong("list of meshlets", i, format!("is of primitive {of}")));
        }
        if (primitive, level) < next {
            return Err(wrong("list of meshlets", i, "is not after the one before it".to_owned()));
        }
        next = (primitive, level + 1);
    }
    let total = |count: fn(&MeshletListRecord) -> u32| view.meshlet_lists().map(|list| u64::from(count(&list))).sum();
    for (what, used, len) in [
        ("meshlets", total(|list| list.meshlets), view.meshlets().len()),
        ("vertices", total(|list| list.vertices), view.meshlet_vertices().len()),
        ("triangles", total(|list| list.triangles), view.meshlet_triangles().len()),
    ] {
        let used: u64 = used;
        if used != len as u64 {
            let detail = format!("lists of meshlets have {used} {what} in all, and there are {len}");
            return Err(Error::inconsistent("scenes of a model", detail));
        }
    }
    let mut number = 0;
    for (i, (list, [meshlets, _, triangles])) in view.meshlet_parts().enumerate() {
        let mut end = (0u32, 0u32);
        for meshlet in meshlets.chunks_exact(MeshletRecord::SIZE).map(MeshletRecord::get) {
            end = check_meshlet(number, &meshlet, end, (list.vertices, list.triangles))?;
            let (first, count) = (meshlet.first_triangle as usize * 3, meshlet.triangle_count as usize * 3);
            let most = triangles.iter().skip(first).take(count).max().copied().unwrap_or_default();
            if u32::from(most) >= meshlet.vertex_count {
                let detail = format!("has a triangle with vertex {most}, but only {} vertices", meshlet.vertex_count);
                return Err(wrong("meshlet", number, detail));
            }
            number += 1;
        }
        if end != (list.vertices, list.triangles) {
            let detail = format!(
                "has {} vertices and {} triangles, but its meshlets have {} and {}",
                list.vertices, list.triangles, end.0, end.1
            );
            return Err(wrong("list of meshlets", i, detail));
        }
    }
    Ok(())
}

/// Checks a meshlet that follows vertices and triangles up to `(vertex, triangle)`, of as many as `all`. Returns up to where it has these.
fn check_meshlet(
    number: usize,
    meshlet: &MeshletRecord,
    (vertex, triangle): (u32, u32),
    all: (u32, u32),
) -> Result<(u32, u32)> {
    let MeshletRecord { first_vertex, vertex_count, first_triangle, triangle_count, .. } = *meshlet;
    if (first_vertex, first_triangle) != (vertex, triangle) {
        let detail = format!(
            "begins with vertex {first_vertex} and triangle {first_triangle}, expected {vertex} and {triangle}"
        );
        return Err(wrong("meshlet", number, detail));
    }
    if !(1..=MAX_VERTICES).contains(&vertex_count) || !(1..=MAX_TRIANGLES).contains(&triangle_count) {
        let detail = format!(
            "has {vertex_count} vertices and {triangle_count} triangles, expected 1 to {MAX_VERTICES} and 1 to {MAX_TRIANGLES}"
        );
        return Err(wrong("meshlet", number, detail));
    }
    let end = (vertex.checked_add(vertex_count), triangle.checked_add(triangle_count));
    let (Some(vertices), Some(triangles)) = end else {
        return Err(wrong("meshlet", number, "ends beyond 32 bits".to_owned()));
    };
    if vertices > all.0 || triangles > all.1 {
        let detail = format!("ends with vertex {vertices} of {} and triangle {triangles} of {}", all.0, all.1);
        return Err(wrong("meshlet", number, detail));
    }
    let MeshletRecord { center, radius, cone_apex, cone_cutoff, cone_axis, .. } = *meshlet;
    let numbers = [center, cone_apex, cone_axis].into_iter().flatten().chain([radius, cone_cutoff]);
    if let Some(bad) = numbers.into_iter().find(|number| !number.is_finite()) {
        return Err(wrong("meshlet", number, format!("has the number {bad}")));
    }
    if radius < 0.0 || !(0.0..=1.0).contains(&cone_cutoff) {
        let detail = format!("has the radius {radius} and the cutoff {cone_cutoff}, expected 0 or more and 0 to 1");
        return Err(wrong("meshlet", number, detail));
    }
    Ok((vertices, triangles))
}

fn wrong(what: &str, number: usize, why: String) -> Error {
    Error::inconsistent("scenes of a model", format!("{what} {number} {why}"))
}
