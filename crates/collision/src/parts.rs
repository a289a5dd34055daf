//! Convex parts of a body.

use std::panic::catch_unwind;

use parry3d::math::Vector;
use parry3d::transformation::vhacd::{VHACD, VHACDParameters};

use crate::hull::{hull, volume};
use crate::surface::surface;
use crate::{Shape, scaled, unit};

/// Cells of the grid along the longest axis.
const RESOLUTION: u32 = 64;

/// The part of the volume of the whole hull by which a part may differ from its hull, if there are enough parts.
const CONCAVITY: f32 = 0.002;

/// Returns at most `parts` convex solids of at most `vertices` vertices each that fill the body with this surface, which may have holes. Empty if
/// it has no volume.
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
    let Some(unit) = unit(points) else { return Vec::new() };
    let Shape { vertices: points, triangles } = surface(&scaled(points.iter().copied(), unit), triangles);
    let Some(whole) = hull(&points, u32::MAX) else { return Vec::new() };
    let vectors: Vec<Vector> = points.iter().map(|[x, y, z]| Vector::new(*x, *y, *z)).collect();
    let cut = cut(&vectors, &triangles, parts.max(2));
    let exact = cut.compute_primitive_intersections(&vectors, &triangles);
    let cells = cut.compute_convex_hulls(1);
    let solids = exact.iter().zip(&cells).filter_map(|(points, (cells, _))| {
        // A part that is flat has the thickness of its cells.
        hull(&plain(points), u32::MAX).or_else(|| hull(&plain(cells), u32::MAX))
    });
    let mut solids: Vec<Solid> = solids.map(Solid::from).collect();
    if solids.is_empty() {
        solids.push(Solid::from(whole));
    }
    join(&mut solids, parts.max(1) as usize);
    // A part that cannot be reduced stays as it is: no part is lost.
    let limited = solids.into_iter().map(|solid| hull(&solid.shape.vertices, vertices).unwrap_or(solid.shape));
    limited.map(|shape| Shape { vertices: scaled(shape.vertices, unit.recip()), ..shape }).collect()
}

/// Cuts a body into about twice as many parts.
fn cut(points: &[Vector], triangles: &[[u32; 3]], parts: u32) -> VHACD {
    let cut = |convex_hull_approximation| {
        let (resolution, max_convex_hulls) = (RESOLUTION, parts);
        let default = VHACDParameters::default();
        let parameters = VHACDParameters {
            resolution,
            max_convex_hulls,
            convex_hull_approximation,
            concavity: CONCAVITY,
            ..default
        };
        VHACD::decompose(&parameters, points, triangles, true)
    };
    // To compare cuts, parry makes hulls of a sample of the points, which is eight times as fast. It panics if rounding leaves such a hull open.
    catch_unwind(|| cut(true)).unwrap_or_else(|_| cut(false))
}

fn plain(vectors: &[Vector]) -> Vec<[f32; 3]> {
    vectors.iter().map(|vector| [vector.x, vector.y, vector.z]).collect()
}

struct Solid {
    shape: Shape,
    volume: f64,
}

impl From<Shape> for Solid {
    fn from(shape: Shape) -> Self {
        let volume = volume(&shape);
        Self { shape, volume }
    }
}

/// Joins the two solids whose common hull has the least besides them, until there are at most `limit`, or at once if it has about nothing.
fn join(solids: &mut Vec<Solid>, limit: usize) {
    let largest: f64 = solids.iter().map(|solid| solid.volume).sum();
    let common = |a: &Solid, b: &Solid| {
        let points: Vec<[f32; 3]> = a.shape.vertices.iter().chain(&b.shape.vertices).copied().collect();
        hull(&points, u32::MAX).map(Solid::from)
    };
    // Two whose hull rounding leaves open stay apart.
    let added = |a: &Solid, b: &Solid| common(a, b).map_or(f64::INFINITY, |hull| hull.volume - a.volume - b.volume);
    // What joining `solids[i]` and `solids[j]` adds, for j < i.
    let mut costs: Vec<Vec<f64>> =
        (0..solids.len()).map(|i| (0..i).map(|j| added(&solids[i], &solids[j])).collect()).collect();
    while solids.len() > 1 {
        let pairs = (0..solids.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let Some((i, j)) = pairs.reduce(|a, b| if costs[b.0][b.1] < costs[a.0][a.1] { b } else { a }) else { break };
        if solids.len() <= limit && costs[i][j] > largest * NOTHING {
            break;
        }
        let Some(joined) = common(&solids[i], &solids[j]) else { break };
        // The larger index goes first, so that the smaller one stays right.
        for gone in [i, j] {
            solids.remove(gone);
            costs.remove(gone);
            costs.iter_mut().skip(gone).for_each(|row| {
                row.remove(gone);
            });
        }
        costs.push(solids.iter().map(|solid| added(&joined, solid)).collect());
        solids.push(joined);
    }
}

/// The part of the volume that joining two solids may add although there are few enough.
const NOTHING: f64 = 0.01;
