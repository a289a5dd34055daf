//! Levels of detail: edges are collapsed into one of their ends, the cheapest first, by the quadric error metric of Garland and Heckbert (1997).
//!
//! No vertex is moved or made, so all levels share the vertices. Edges of the surface stay where they are but for their own vertices, and so do
//! seams, at which vertices of one position differ in something else. A vertex at which several seams meet stays.

mod edges;
mod pairs;

use self::edges::Edges;
use super::geometry::{dot, positions_of};

/// How much smaller a level must be than the one before, as a part of the triangles of that one.
const LEAST_GAIN: f64 = 0.05;

/// How much an edge of the surface weighs against its triangles.
const EDGE_WEIGHT: f64 = 10.0;

/// The cosine of the largest angle that a triangle may turn in one collapse.
const MAX_TURN: f64 = 0.25;

/// The squared distance to some planes, weighted by area: `xᵀAx + 2bᵀx + c`, divided by the weight.
#[derive(Clone, Copy, Default)]
struct Quadric {
    a: [f64; 6],
    b: [f64; 3],
    c: f64,
    weight: f64,
}

impl Quadric {
    /// The plane with this unit normal through a point.
    fn plane(n: [f64; 3], point: [f64; 3], weight: f64) -> Self {
        let d = -dot(n, point);
        let a = [n[0] * n[0], n[0] * n[1], n[0] * n[2], n[1] * n[1], n[1] * n[2], n[2] * n[2]];
        Self { a: a.map(|x| x * weight), b: n.map(|x| x * d * weight), c: d * d * weight, weight }
    }

    fn add(&mut self, other: &Self) {
        self.a.iter_mut().zip(other.a).for_each(|(sum, x)| *sum += x);
        self.b.iter_mut().zip(other.b).for_each(|(sum, x)| *sum += x);
        self.c += other.c;
        self.weight += other.weight;
    }

    /// The average squared distance of a point.
    fn error(&self, [x, y, z]: [f64; 3]) -> f64 {
        let [xx, xy, xz, yy, yz, zz] = self.a;
        let squares = xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z);
        let sum = squares + 2.0 * dot(self.b, [x, y, z]) + self.c;
        if self.weight > 0.0 { (sum / self.weight).max(0.0) } else { 0.0 }
    }
}

/// What may become of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Inside the surface: may go anywhere.
    Inner,
    /// On an edge of the surface: may go along it.
    Edge,
    /// On a seam: may go along it, both of its vertices together.
    Seam,
    /// Stays.
    Fixed,
}

/// Index lists with the given shares of the triangles, and their errors: the square root of the largest average squared distance to the
/// surface that a collapse has, in the unit of the positions. No error is larger than `most` of the longest edge of the box.
pub(in super::super) fn levels(
    indices: &[u32],
    positions: &[[f32; 3]],
    shares: &[f32],
    most: f32,
) -> Vec<(Vec<u32>, f32)> {
    let mut shares = shares.to_vec();
    shares.sort_by(|a, b| b.total_cmp(a));
    let count = indices.len() / 3;
    let Some(mut surface) = Surface::new(indices, positions) else { return Vec::new() };
    let mut levels = Vec::new();
    let mut last = count;
    for share in shares {
        let target = (count as f64 * f64::from(share)) as usize;
        surface.reduce(target, f64::from(most));
        let found = surface.indices.len() / 3;
        if found == 0 || found as f64 > last as f64 * (1.0 - LEAST_GAIN) {
            continue;
        }
        last = found;
        levels.push((surface.indices.clone(), (surface.error.sqrt() * surface.size) as f32));
    }
    levels
}

/// A surface that is being reduced.
struct Surface {
    indices: Vec<u32>,
    /// The position of each vertex, with a box whose longest edge is 1.
    points: Vec<[f64; 3]>,
    size: f64,
    /// The number of the position of each vertex.
    numbers: Vec<u32>,
    /// By the number of a position.
    quadrics: Vec<Quadric>,
    /// The largest squared error so far.
    error: f64,
}

/// A collapse of an edge: its vertices, and their partners at a seam.
#[derive(Clone, Copy)]
struct Collapse {
    error: f64,
    from: u32,
    to: u32,
    partner: Option<(u32, u32)>,
}

impl Surface {
    fn new(indices: &[u32], positions: &[[f32; 3]]) -> Option<Self> {
        let first = positions.first()?.map(f64::from);
        let (mut low, mut high) = (first, first);
        for position in positions {
            for axis in 0..3 {
                low[axis] = low[axis].min(f64::from(position[axis]));
                high[axis] = high[axis].max(f64::from(position[axis]));
            }
        }
        let size = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        if size <= 0.0 {
            return None;
        }
        let point = |position: &[f32; 3]| std::array::from_fn(|axis| (f64::from(position[axis]) - low[axis]) / size);
        let numbers = positions_of(positions);
        let quadrics = vec![Quadric::default(); positions.len()];
        let points = positions.iter().map(point).collect();
        let mut surface = Self { indices: indices.to_vec(), points, size, numbers, quadrics, error: 0.0 };
        surface.drop_degenerate();
        surface.weigh();
        Some(surface)
    }

    fn number(&self, vertex: u32) -> usize {
        self.numbers[vertex as usize] as usize
    }

    /// Leaves out triangles with two corners at one position.
    fn drop_degenerate(&mut self) {
        let numbers = &self.numbers;
        let is_whole = |triangle: &&[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| numbers[corner as usize]);
            a != b && b != c && c != a
        };
        self.indices = self.indices.as_chunks::<3>().0.iter().filter(is_whole).flatten().copied().collect();
    }

    fn normal(&self, triangle: [u32; 3]) -> [f64; 3] {
        cross_of(triangle.map(|corner| self.points[corner as usize]))
    }

    /// The planes of the triangles, and planes upright on the edges of the surface.
    fn weigh(&mut self) {
        let edges = Edges::of(self);
        for triangle in self.indices.as_chunks::<3>().0.to_vec() {
            let normal = self.normal(triangle);
            let length = dot(normal, normal).sqrt();
            if length <= 0.0 {
                continue;
            }
            let unit = normal.map(|axis| axis / length);
            let point = self.points[triangle[0] as usize];
            let plane = Quadric::plane(unit, point, length / 2.0);
            triangle.iter().for_each(|corner| {
                let number = self.number(*corner);
                self.quadrics[number].add(&plane);
            });
            for i in 0..3 {
                let (from, to) = (triangle[i], triangle[(i + 1) % 3]);
                if edges.of_positions.has((self.number(to) as u32, self.number(from) as u32)) {
                    continue;
                }
                let [a, b] = [from, to].map(|vertex| self.points[vertex as usize]);
                let along: [f64; 3] = std::array::from_fn(|axis| b[axis] - a[axis]);
                let upright = cross(along, unit);
                let length = dot(upright, upright).sqrt();
                if length <= 0.0 {
                    continue;
                }
                let plane = Quadric::plane(upright.map(|axis| axis / length), a, length * length * EDGE_WEIGHT);
                for vertex in [from, to] {
                    let number = self.number(vertex);
                    self.quadrics[number].add(&plane);
                }
            }
        }
    }

    /// Collapses edges until no more triangles are left than `target`, or none can be collapsed within the error.
    fn reduce(&mut self, target: usize, most: f64) {
        while self.indices.len() / 3 > target {
            let count = self.indices.len() / 3;
            let mut collapses = self.candidates(most * most);
            if collapses.is_empty() {
                break;
            }
            collapses.sort_by(|a, b| a.error.total_cmp(&b.error).then((a.from, a.to).cmp(&(b.from, b.to))));
            // Not all at once: those that remain are weighed again, with the planes that they have by then.
            let limit = collapses[collapses.len() / 2].error.max(collapses[0].error * 2.0);
            self.apply(&collapses, limit, count - target);
            // Hardly anything can be collapsed any more; the rest would take a sweep for each triangle.
            let found = self.indices.len() / 3;
            if found > target && (count - found) * 1000 < count {
                break;
            }
        }
    }

    /// The better direction of each edge that may be collapsed.
    fn candidates(&self, most: f64) -> Vec<Collapse> {
        let edges = Edges::of(self);
        let kinds = edges.kinds(self);
        let mut out = Vec::new();
        for triangle in self.indices.as_chunks::<3>().0 {
            for i in 0..3 {
                let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
                let is_open = !edges.of_vertices.has((b, a));
                // Each inner edge is met twice.
                if !is_open && a > b {
                    continue;
                }
                let collapse = |from: u32, to: u32| {
                    let (kind, other) = (kinds[self.number(from)], kinds[self.number(to)]);
                    let partner = match (kind, other, is_open) {
                        (Kind::Inner, _, false) => None,
                        (Kind::Edge, Kind::Edge | Kind::Fixed, true) => None,
                        (Kind::Seam, Kind::Seam | Kind::Fixed, true) => Some(edges.partner(self, (a, b), from == a)?),
                        _ => return None,
                    };
                    let error = self.quadrics[self.number(from)].error(self.points[to as usize]);
                    (error <= most).then_some(Collapse { error, from, to, partner })
                };
                let (there, back) = (collapse(a, b), collapse(b, a));
                out.extend(match (there, back) {
                    (Some(there), Some(back)) => Some(if back.error < there.error { back } else { there }),
                    (there, back) => there.or(back),
                });
            }
        }
        out
    }

    /// Applies collapses in their order, each position at most once, until about `wanted` triangles are gone.
    fn apply(&mut self, collapses: &[Collapse], limit: f64, wanted: usize) {
        let around = self.around();
        let mut target: Vec<u32> = (0..self.points.len() as u32).collect();
        let mut is_touched = vec![false; self.points.len()];
        let mut gone = 0;
        for collapse in collapses {
            if gone >= wanted || collapse.error > limit {
                break;
            }
            let (from, to) = (self.number(collapse.from), self.number(collapse.to));
            if is_touched[from] || is_touched[to] || self.turns(&around, &target, from, collapse.to) {
                continue;
            }
            (is_touched[from], is_touched[to]) = (true, true);
            target[collapse.from as usize] = collapse.to;
            if let Some((from, to)) = collapse.partner {
                target[from as usize] = to;
            }
            let moved = self.quadrics[from];
            self.quadrics[to].add(&moved);
            self.error = self.error.max(collapse.error);
            gone += if collapse.partner.is_some() || self.is_inner_edge(&around, from, to) { 2 } else { 1 };
        }
        self.indices.iter_mut().for_each(|index| *index = target[*index as usize]);
        self.drop_degenerate();
    }

    /// The triangles around each position: the start of each position's triangles, and the list of all.
    fn around(&self) -> (Vec<usize>, Vec<u32>) {
        let mut starts = vec![0; self.points.len() + 1];
        self.indices.iter().for_each(|index| starts[self.number(*index) + 1] += 1);
        for number in 0..self.points.len() {
            starts[number + 1] += starts[number];
        }
        let mut next = starts.clone();
        let mut triangles = vec![0; self.indices.len()];
        for (corner, index) in self.indices.iter().enumerate() {
            let slot = &mut next[self.number(*index)];
            triangles[*slot] = corner as u32 / 3;
            *slot += 1;
        }
        (starts, triangles)
    }

    fn triangles_at<'t>(
        &'t self,
        around: &'t (Vec<usize>, Vec<u32>),
        number: usize,
    ) -> impl Iterator<Item = [u32; 3]> + 't {
        let (starts, triangles) = around;
        let corners = |triangle: &u32| std::array::from_fn(|i| self.indices[*triangle as usize * 3 + i]);
        triangles[starts[number]..starts[number + 1]].iter().map(corners)
    }

    /// Whether two triangles have both positions.
    fn is_inner_edge(&self, around: &(Vec<usize>, Vec<u32>), from: usize, to: usize) -> bool {
        let has = |triangle: &[u32; 3]| triangle.iter().any(|corner| self.number(*corner) == to);
        self.triangles_at(around, from).filter(has).count() > 1
    }

    /// Whether a triangle around the position turns over, or loses its area, when the position goes to a vertex.
    fn turns(&self, around: &(Vec<usize>, Vec<u32>), target: &[u32], from: usize, to: u32) -> bool {
        self.triangles_at(around, from).any(|triangle| {
            let now = triangle.map(|corner| target[corner as usize]);
            if now.iter().any(|corner| self.number(*corner) == self.number(to)) {
                return false;
            }
            let moved = now.map(|corner| if self.number(corner) == from { to } else { corner });
            let (before, after) = (self.normal(now), self.normal(moved));
            let lengths = (dot(before, before) * dot(after, after)).sqrt();
            lengths > 0.0 && dot(before, after) < MAX_TURN * lengths
                || (dot(after, after) <= 0.0 && dot(before, before) > 0.0)
        })
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn cross_of([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    cross(std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]))
}
