//! Convex hulls.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parry3d::math::Vector;
use parry3d::transformation::try_convex_hull;

use crate::surface::distinct;
use crate::{Shape, unit};

/// What is thinner than this part of its size has no hull that a physics engine can use. Below 0.0006, parry takes points for flat.
const FLAT: f64 = 1e-3;

/// Of more points than this, those count that lie farthest out in [`directions`]: parry takes time by the square of their number.
const MANY: usize = 2048;

/// Returns the convex hull of points, or `None` if they are flat or lie on a line: thinner than a thousandth of their extent, which has to be from
/// 1e-30 to 1e30.
///
/// Of more than 2,048 points, those count that lie farthest out in 866 directions. If the hull still had more than `vertices` vertices, it is the hull of as
/// many of them, each of which lies farthest outside of the hull of those before. So it is never larger than the whole hull.
///
/// ```
/// let cube: Vec<[f32; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|axis| axis as f32)).collect();
/// assert_eq!(rres_collision::hull(&cube, 64).unwrap().triangles.len(), 12);
/// assert_eq!(rres_collision::hull(&cube, 5).unwrap().vertices.len(), 5);
/// assert_eq!(rres_collision::hull(&cube[..4], 64), None);
/// ```
pub fn hull(points: &[[f32; 3]], vertices: u32) -> Option<Shape> {
    let unit = unit(points)?;
    let points = distinct(points.to_vec());
    // Differences of points near each other are exact, so a body far from the origin has the hull that it has at the origin.
    let origin = points.first().copied()?;
    // Adding 0 makes -0 the 0 that it is equal to.
    let local = |point: &[f32; 3]| std::array::from_fn(|axis| (point[axis] - origin[axis]) * unit + 0.0);
    let given: HashMap<[u32; 3], [f32; 3]> =
        points.iter().map(|point| (local(point).map(f32::to_bits), *point)).collect();
    let mut points = distinct(points.iter().map(local).collect());
    let first = simplex(&points)?;
    if points.len() > MANY {
        points = distinct(first.into_iter().chain(farthest(&points)).collect());
    }
    let limit = vertices.max(4) as usize;
    let whole = solid(&points).filter(|whole| whole.vertices.len() <= limit);
    let hull = whole.or_else(|| reduced(first, points, limit))?;
    let vertices = hull.vertices.iter().map(|vertex| given.get(&vertex.map(f32::to_bits)).copied());
    Some(Shape { vertices: vertices.collect::<Option<_>>()?, ..hull })
}

/// The volume of a solid.
pub(crate) fn volume(solid: &Shape) -> f64 {
    let Some(first) = solid.vertices.first() else { return 0.0 };
    let from_first = |index: u32| minus(solid.vertices[index as usize].map(f64::from), first.map(f64::from));
    let six_times = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(from_first);
        dot(a, cross(b, c))
    };
    solid.triangles.iter().map(six_times).sum::<f64>() / 6.0
}

/// Runs what uses parry, which panics where rounding contradicts what it relies on.
pub(crate) fn caught<T>(step: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(step)).ok()
}

/// The hull of distinct points that are not in a plane; `None` if rounding leaves it open or turns it inside out.
fn solid(points: &[[f32; 3]]) -> Option<Shape> {
    let vectors: Vec<Vector> = points.iter().copied().map(Vector::from).collect();
    let (vertices, triangles) = caught(|| try_convex_hull(&vectors))?.ok()?;
    let hull = Shape { vertices: vertices.iter().map(|vertex| [vertex.x, vertex.y, vertex.z]).collect(), triangles };
    (is_closed(&hull.triangles) && volume(&hull) > 0.0).then_some(hull)
}

/// Whether each edge is between two triangles.
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut edges: Vec<(u32, u32)> = triangles.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]).collect();
    edges.sort_unstable();
    let is_paired = |(from, to): &(u32, u32)| from != to && edges.binary_search(&(*to, *from)).is_ok();
    edges.windows(2).all(|pair| pair[0] != pair[1]) && edges.iter().all(is_paired)
}

/// Adds to the simplex the point that lies farthest outside, again and again. What rounding leaves open is not added.
fn reduced(simplex: [[f32; 3]; 4], mut candidates: Vec<[f32; 3]>, limit: usize) -> Option<Shape> {
    let mut chosen = simplex.to_vec();
    let mut best = solid(&chosen)?;
    while chosen.len() < limit {
        let planes = planes(&best);
        let outside = |point: &[f32; 3]| {
            let point = point.map(f64::from);
            planes.iter().map(|(normal, at)| dot(*normal, point) - at).fold(f64::NEG_INFINITY, f64::max)
        };
        // What is inside stays inside.
        let mut distances: Vec<f64> = candidates.iter().map(outside).collect();
        let mut far = distances.iter().map(|distance| *distance > FLAT * 0.1);
        candidates.retain(|_| far.next().unwrap_or(false));
        distances.retain(|distance| *distance > FLAT * 0.1);
        let Some(next) = (0..distances.len()).reduce(|a, b| if distances[b] > distances[a] { b } else { a }) else {
            break;
        };
        chosen.push(candidates.swap_remove(next));
        match solid(&chosen) {
            Some(hull) => best = hull,
            None => drop(chosen.pop()),
        }
    }
    Some(best)
}

/// The points that lie farthest in some direction.
fn farthest(points: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let of = |direction: [f64; 3]| {
        let along = points.iter().map(|point| (dot(direction, point.map(f64::from)), point));
        along.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, point)| *point)
    };
    distinct(directions().filter_map(of).collect())
}

/// 866 directions: the points of a lattice on the surface of a cube.
fn directions() -> impl Iterator<Item = [f64; 3]> {
    const HALF: i32 = 6;
    let line = -HALF..=HALF;
    let all = line.clone().flat_map(move |x| line.clone().flat_map(move |y| (-HALF..=HALF).map(move |z| [x, y, z])));
    all.filter(|at| at.iter().any(|axis| axis.abs() == HALF)).map(|at| at.map(f64::from))
}

/// The unit normal of each triangle, and its distance from the origin.
fn planes(shape: &Shape) -> Vec<([f64; 3], f64)> {
    let corner = |index: u32| shape.vertices[index as usize].map(f64::from);
    let plane = |[a, b, c]: &[u32; 3]| {
        let normal = cross(minus(corner(*b), corner(*a)), minus(corner(*c), corner(*a)));
        let length = dot(normal, normal).sqrt();
        let normal = normal.map(|axis| axis / length);
        (length > 0.0).then(|| (normal, dot(normal, corner(*a))))
    };
    shape.triangles.iter().filter_map(plane).collect()
}

/// Four points that span a volume; `None` if all points lie in a plane, on a line or in one place.
fn simplex(points: &[[f32; 3]]) -> Option<[[f32; 3]; 4]> {
    let wide = |point: &[f32; 3]| point.map(f64::from);
    let first = points.iter().copied().reduce(|a, b| if b < a { b } else { a })?;
    let most = |measure: &dyn Fn([f64; 3]) -> f64| {
        let measured = points.iter().map(|point| (measure(wide(point)), *point));
        measured.reduce(|a, b| if b.0 > a.0 { b } else { a })
    };
    let origin = wide(&first);
    let (size, second) = most(&|point| length(minus(point, origin)))?;
    let axis = minus(wide(&second), origin);
    let (area, third) = most(&|point| length(cross(axis, minus(point, origin))))?;
    let normal = cross(axis, minus(wide(&third), origin));
    let (volume, fourth) = most(&|point| dot(normal, minus(point, origin)).abs())?;
    let is_flat = area <= FLAT * size * size || volume <= FLAT * size * length(normal);
    (!is_flat).then_some([first, second, third, fourth])
}

pub(crate) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}
