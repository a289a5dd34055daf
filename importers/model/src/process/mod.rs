//! The settings of models, applied to one primitive after another: normals and tangents where there are none, scale, the order of triangles and
//! vertices, levels of detail. [`formats`] then makes numbers shorter, a mesh at a time, and [`meshlets`] groups the triangles.
//!
//! Everything is computed with operations whose results IEEE 754 determines, in an order that the file determines: so a build gives the same
//! bytes on every machine.

pub(super) mod finished;
pub(super) mod formats;
pub(super) mod geometry;
mod half;
pub(super) mod meshlets;
mod normals;
pub(super) mod order;
pub(super) mod simplify;
pub(super) mod tangents;
#[cfg(test)]
mod tests;

use rres_format::chunk::model::Topology;
use rres_import::{Block, ImportError};
use rres_settings::{ModelSettings, NormalMode, TangentMode};

use self::geometry::Geometry;
use super::demand::{MAX_VERTICES, too_many_vertices};

/// A primitive after its settings were applied.
pub(super) struct Processed {
    pub(super) blocks: Vec<Block>,
    pub(super) topology: Topology,
    /// The smallest and the largest position.
    pub(super) bounds: [[f32; 3]; 2],
    pub(super) triangles: Option<u64>,
    /// The vertex of the file that each vertex is made of.
    pub(super) sources: Vec<u32>,
    /// The error of each level of detail, in the unit of the positions.
    pub(super) errors: Vec<f32>,
    /// Whether the settings ask for tangents, and there is nothing to make them of.
    pub(super) lacks_tangents: bool,
}

/// Whether more has to be changed than the formats of numbers.
pub(super) fn is_needed(settings: &ModelSettings, shares_vertices: bool) -> bool {
    shares_vertices || settings.scale != 1.0 || changes_triangles(settings)
}

/// Whether a setting needs a list of triangles.
fn changes_triangles(settings: &ModelSettings) -> bool {
    let ModelSettings { normals, tangents, optimize, lods, meshlets, .. } = settings;
    let is_kept = (*normals, *tangents) == (NormalMode::Keep, TangentMode::Keep);
    !is_kept || *optimize || !lods.is_empty() || meshlets.is_some()
}

/// Applies the settings to the blocks of a primitive. If it shares its vertices with other primitives, those of the others are left out.
/// `coordinates` is the set of texture coordinates that tangents follow.
pub(super) fn primitive(
    blocks: Vec<Block>,
    topology: Topology,
    settings: &ModelSettings,
    shares_vertices: bool,
    coordinates: u32,
) -> Result<Processed, ImportError> {
    let ModelSettings { normals, tangents, scale, optimize, lods, lod_error, .. } = settings;
    let mut geometry = Geometry::read(blocks, topology)?;
    if shares_vertices {
        geometry.drop_unused();
    }
    if *scale != 1.0 {
        geometry.scale(*scale)?;
    }
    let (mut levels, mut lacks_tangents) = (Vec::new(), false);
    if changes_triangles(settings) && geometry.make_triangles() {
        if *normals == NormalMode::Flat && geometry.split_size() > 2 * MAX_VERTICES {
            return Err(too_many_vertices());
        }
        normals::add(&mut geometry, *normals);
        if *tangents == TangentMode::Generate {
            lacks_tangents = !tangents::add(&mut geometry, coordinates);
        }
        if *optimize {
            geometry.indices = order::of_triangles(&geometry.indices, &geometry.positions());
        }
        if !lods.is_empty() {
            levels = simplify::levels(&geometry.indices, &geometry.positions(), lods, *lod_error);
        }
        if *optimize {
            let positions = geometry.positions();
            for (indices, _) in &mut levels {
                *indices = order::of_triangles(indices, &positions);
            }
            let count = geometry.count();
            let used = order::of_vertices(&mut geometry.indices, &mut levels, count);
            geometry.select(&used);
        }
    }
    let is_triangles = geometry.topology == Topology::TRIANGLES;
    Ok(Processed {
        topology: geometry.topology,
        bounds: geometry.bounds(),
        triangles: is_triangles.then_some(geometry.indices.len() as u64 / 3),
        errors: levels.iter().map(|(_, error)| *error).collect(),
        blocks: geometry.blocks(levels.iter().map(|(indices, _)| &indices[..])),
        sources: geometry.sources,
        lacks_tangents,
    })
}
