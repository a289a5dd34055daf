//! Convex parts of a body.

use parry3d::math::Vector;
use parry3d::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d::transformation::voxelization::VoxelSet;

use crate::clip::{Region, clipped};
use crate::hull::{caught, hull, volume};
use crate::surface::surface;
use crate::{Shape, unit};

/// Cells of the grid along the longest axis.
const RESOLUTION: u32 = 64;

/// The part of the volume of the whole hull by which a part may differ from its hull, if there are enough parts.
const CONCAVITY: f32 = 0.002;

/// The vertices that parts have at least while they are joined.
const DETAIL: u32 = 64;

/// The part of the volume of all parts that joining two may add although there are few enough.
const NEGLIGIBLE: f64 = 0.01;

/// Returns at most `parts` convex solids of at most `vertices` vertices each that fill the body with this surface. Gaps in the surface up to
/// 1/64 of its longest side are closed; through a wider one, the inside counts as empty. Empty if the body has no volume.
///
/// The body is cut along planes until what is left of each part is about convex, and the parts that fill their common hull best are joined
/// until there are few enough.
///
/// ```
/// // A step: the hull would fill the corner in front of it.
/// let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
/// let points: Vec<[f32; 3]> = [0.0, 1.0].iter().flat_map(|z| outline.map(|[x, y]| [x, y, *z])).collect();
/// let caps = [[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]];
/// let mut triangles: Vec<[u32; 3]> = caps.iter().flat_map(|[a, b, c]| [[*c, *b, *a], [a + 6, b + 6, c + 6]]).collect();
/// triangles.extend((0..6).flat_map(|i| [[i, (i + 1) % 6, i + 6], [(i + 1) % 6, (i + 1) % 6 + 6, i + 6]]));
/// assert_eq!(rres_collision::parts(&points, &triangles, 8, 64).len(), 2);
/// ```
pub fn parts(points: &[[f32; 3]], triangles: &[[u32; 3]], parts: u32, vertices: u32) -> Vec<Shape> {
    let Shape { vertices: points, triangles } = surface(points, triangles);
    let (Some(unit), Some(whole)) = (unit(&points), hull(&points, vertices)) else { return Vec::new() };
    // The grid is finest around the origin.
    let origin = points[0];
    let local: Vec<[f32; 3]> =
        points.iter().map(|point| std::array::from_fn(|axis| (point[axis] - origin[axis]) * unit)).collect();
    let detail = vertices.max(DETAIL);
    let solids = cut(&local, &triangles, parts.max(2), detail).and_then(|solids| join(solids, parts as usize, detail));
    let limited = solids.and_then(|solids| {
        solids.iter().map(|solid| hull(&solid.shape.vertices, vertices)).collect::<Option<Vec<Shape>>>()
    });
    // No part is lost: if one of them cannot be made, the body stays whole.
    let Some(solids) = limited else { return vec![whole] };
    let global = |point: [f32; 3]| std::array::from_fn(|axis| point[axis] / unit + origin[axis]);
    let placed =
        solids.into_iter().map(|solid| Shape { vertices: solid.vertices.into_iter().map(global).collect(), ..solid });
    placed.collect()
}

/// Cuts a body into about twice as many parts; `None` if one of them is no solid.
fn cut(points: &[[f32; 3]], triangles: &[[u32; 3]], parts: u32, vertices: u32) -> Option<Vec<Solid>> {
    let vectors: Vec<Vector> = points.iter().copied().map(Vector::from).collect();
    let decompose = |convex_hull_approximation| {
        caught(|| {
            let (resolution, max_convex_hulls, concavity) = (RESOLUTION, parts, CONCAVITY);
            let default = VHACDParameters::default();
            let parameters =
                VHACDParameters { resolution, max_convex_hulls, convex_hull_approximation, concavity, ..default };
            VHACD::decompose(&parameters, &vectors, triangles, false)
        })
    };
    // To compare cuts, parry makes hulls of a sample of the points, which is eight times as fast. It panics if rounding leaves such a hull open.
    let cut = decompose(true).or_else(|| decompose(false))?;
    let voxels = cut.voxel_parts().iter().filter(|part| !part.voxels().is_empty());
    let solids = voxels.map(|part| {
        let exact = hull(&inside(part, points, triangles), vertices);
        // A part that is flat has the thickness of its cells.
        exact.or_else(|| hull(&cells(part), vertices)).map(Solid::from)
    });
    solids.collect()
}

/// The points of the surface that are in a part, and the cells of the part that are all inside of the body.
fn inside(part: &VoxelSet, points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let all = part.voxels().iter().map(|voxel| voxel.coords);
    let low = std::array::from_fn(|axis| all.clone().map(|at| at[axis]).min().unwrap_or_default());
    let high = std::array::from_fn(|axis| all.clone().map(|at| at[axis]).max().unwrap_or_default());
    // Parts are cut along the axes, so each fills its box.
    let region = Region { low: corner(part, low, [-0.5; 3]), high: corner(part, high, [0.5; 3]) };
    let mut found = clipped(points, triangles, &region);
    let inner = part.voxels().iter().filter(|voxel| !voxel.is_on_surface);
    found.extend(ends(part, inner.map(|voxel| voxel.coords.into())));
    found
}

/// The corners of all cells of a part.
fn cells(part: &VoxelSet) -> Vec<[f32; 3]> {
    ends(part, part.voxels().iter().map(|voxel| voxel.coords.into()))
}

/// The corners of the first and the last cell of each line along the last axis: no others can be corners of the hull.
fn ends(part: &VoxelSet, cells: impl Iterator<Item = [i32; 3]>) -> Vec<[f32; 3]> {
    let mut lines = std::collections::BTreeMap::new();
    for [x, y, z] in cells {
        let (first, last) = lines.entry((x, y)).or_insert((z, z));
        (*first, *last) = (z.min(*first), z.max(*last));
    }
    let corners = |(x, y), z, side| {
        [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)].map(|(dx, dy)| corner(part, [x, y, z], [dx, dy, side]))
    };
    let both =
        lines.iter().flat_map(|(line, (first, last))| [corners(*line, *first, -0.5), corners(*line, *last, 0.5)]);
    both.flatten().collect()
}

/// A place in a cell, in parts of its size from its middle.
fn corner(part: &VoxelSet, cell: [i32; 3], side: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| part.origin[axis] + (cell[axis] as f32 + side[axis]) * part.scale)
}

struct Solid {
    shape: Shape,
    volume: f64,
    /// Its box.
    low: [f32; 3],
    high: [f32; 3],
}

impl From<Shape> for Solid {
    fn from(shape: Shape) -> Self {
        let bound = |fold: fn(f32, f32) -> f32| {
            std::array::from_fn(|axis| shape.vertices.iter().map(|at| at[axis]).reduce(fold).unwrap_or_default())
        };
        let (low, high) = (bound(f32::min), bound(f32::max));
        Self { volume: volume(&shape), low, high, shape }
    }
}

impl Solid {
    /// The box around both.
    fn around(&self, other: &Self) -> [f64; 3] {
        std::array::from_fn(|axis| {
            f64::from(self.high[axis].max(other.high[axis])) - f64::from(self.low[axis].min(other.low[axis]))
        })
    }

    /// Whether there is no cell between the boxes.
    fn touches(&self, other: &Self) -> bool {
        let cell = 1.0 / RESOLUTION as f32;
        (0..3).all(|axis| self.low[axis] <= other.high[axis] + cell && other.low[axis] <= self.high[axis] + cell)
    }

    fn join(&self, other: &Self, vertices: u32) -> Option<Self> {
        let points: Vec<[f32; 3]> = self.shape.vertices.iter().chain(&other.shape.vertices).copied().collect();
        hull(&points, vertices).map(Self::from)
    }

    /// The volume that joining them adds. For solids that do not touch, their box says enough.
    fn cost(&self, other: &Self, vertices: u32) -> f64 {
        let own = self.volume + other.volume;
        match self.touches(other) {
            true => self.join(other, vertices).map_or(f64::INFINITY, |joined| joined.volume - own),
            false => self.around(other).iter().product::<f64>() - own,
        }
    }
}

/// Joins the two solids whose common hull has the least besides them, until there are at most `limit` and no two that a hull is as good for.
/// `None` if rounding leaves a hull open.
fn join(mut solids: Vec<Solid>, limit: usize, vertices: u32) -> Option<Vec<Solid>> {
    let total: f64 = solids.iter().map(|solid| solid.volume).sum();
    // What joining `solids[i]` and `solids[j]` adds, for j < i.
    let mut costs: Vec<Vec<f64>> =
        (0..solids.len()).map(|i| (0..i).map(|j| solids[i].cost(&solids[j], vertices)).collect()).collect();
    while solids.len() > 1 {
        let pairs = (0..solids.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let (i, j) = pairs.reduce(|a, b| if costs[b.0][b.1] < costs[a.0][a.1] { b } else { a })?;
        if solids.len() <= limit && costs[i][j] > total * NEGLIGIBLE {
            break;
        }
        let joined = solids[i].join(&solids[j], vertices)?;
        // The larger index goes first, so that the smaller one stays right.
        for gone in [i, j] {
            solids.remove(gone);
            costs.remove(gone);
            costs.iter_mut().skip(gone).for_each(|row| {
                row.remove(gone);
            });
        }
        costs.push(solids.iter().map(|solid| joined.cost(solid, vertices)).collect());
        solids.push(joined);
    }
    Some(solids).filter(|solids| !solids.is_empty())
}
