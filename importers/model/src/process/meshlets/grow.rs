//! Triangles → groups that grow from triangle to neighbour.
//!
//! A group takes the neighbour that brings the fewest new vertices; of several the one that keeps it round and flat. It is full if that neighbour has no
//! room. Without neighbours it goes on with the nearest triangle. The next group begins beside the last one, with the triangle that
//! has the fewest neighbours left, so that few are left alone.

use rres_settings::MeshletSize;

use super::super::geometry::{dot, normal, positions_of};
use super::nearest::Nearest;

/// The most neighbours that are compared: files with thousands of triangles at one vertex take no longer than others.
const MOST_NEIGHBOURS: usize = 256;

/// How much a direction counts that differs from the group's, against a distance of its expected radius from its middle.
const FLATNESS: f64 = 0.5;

/// A vertex that is not in the group.
const OUTSIDE: u16 = u16::MAX;

/// Calls `take` with the vertices of each group, and with its triangles by the numbers of these.
pub(super) fn groups(
    corners: &[[u32; 3]],
    positions: &[[f32; 3]],
    size: MeshletSize,
    mut take: impl FnMut(&[u32], &[[u8; 3]]),
) {
    if corners.is_empty() {
        return;
    }
    let mut growing = Growing::new(corners, positions, size);
    let mut next = Some(growing.nearest.first());
    while let Some(seed) = next {
        growing.begin(seed);
        while growing.taken.len() < size.triangles as usize
            && let Some(triangle) = growing.neighbour()
        {
            growing.take(triangle);
        }
        take(&growing.vertices, &growing.taken);
        next = growing.end(seed);
    }
}

/// A group that grows, and what is left of the surface.
struct Growing<'a> {
    corners: &'a [[u32; 3]],
    size: MeshletSize,
    surface: Surface,
    nearest: Nearest,
    /// The radius that a round group has.
    radius: f64,
    /// The number of the group, counted from 1.
    number: u32,
    /// The vertices of the group.
    vertices: Vec<u32>,
    /// The number of each vertex in the group.
    numbers: Vec<u16>,
    /// The triangles of the group.
    taken: Vec<[u8; 3]>,
    /// Sums over the triangles of the group: middles, directions.
    sums: ([f64; 3], [f64; 3]),
    /// Triangles beside the group.
    beside: Vec<u32>,
    /// Triangles beside the group that it has no room for.
    too_large: Vec<u32>,
    /// The last group that each triangle was found beside.
    found: Vec<u32>,
}

/// The triangles that no group has yet, and the points where they meet. Vertices with one position are one point.
struct Surface {
    points: Vec<u32>,
    /// The triangles at each point. Those that were taken are removed when they are met.
    around: Vec<Vec<u32>>,
    /// The number of triangles at each point that are left.
    left: Vec<u32>,
    is_taken: Vec<bool>,
    middles: Vec<[f32; 3]>,
    directions: Vec<[f32; 3]>,
}

impl<'a> Growing<'a> {
    fn new(corners: &'a [[u32; 3]], positions: &[[f32; 3]], size: MeshletSize) -> Self {
        let (surface, area) = Surface::new(corners, positions);
        let nearest = Nearest::new(&surface.middles, size.triangles as usize);
        let radius = (area / corners.len() as f64 * f64::from(size.triangles) / std::f64::consts::PI).sqrt();
        Self {
            corners,
            size,
            surface,
            nearest,
            radius: if radius > 0.0 { radius } else { 1.0 },
            number: 0,
            vertices: Vec::new(),
            numbers: vec![OUTSIDE; positions.len()],
            taken: Vec::new(),
            sums: Default::default(),
            beside: Vec::new(),
            too_large: Vec::new(),
            found: vec![0; corners.len()],
        }
    }

    fn begin(&mut self, seed: u32) {
        self.number += 1;
        self.take(seed);
    }

    /// Ends the group. Returns the first triangle of the next one.
    fn end(&mut self, seed: u32) -> Option<u32> {
        for vertex in self.vertices.drain(..) {
            self.numbers[vertex as usize] = OUTSIDE;
        }
        self.taken.clear();
        self.sums = Default::default();
        let beside = self.beside.drain(..).chain(self.too_large.drain(..));
        let (surface, corners) = (&self.surface, self.corners);
        let left = |triangle: &u32| -> u64 {
            corners[*triangle as usize].iter().map(|vertex| u64::from(surface.left[surface.point(*vertex)])).sum()
        };
        let next = beside
            .filter(|triangle| !surface.is_taken[*triangle as usize])
            .min_by_key(|triangle| (left(triangle), *triangle));
        next.or_else(|| self.nearest.any(seed))
    }

    fn take(&mut self, triangle: u32) {
        let corners = self.corners[triangle as usize];
        self.surface.take(triangle, corners);
        self.nearest.remove(triangle);
        let local = corners.map(|vertex| {
            let number = &mut self.numbers[vertex as usize];
            if *number == OUTSIDE {
                *number = self.vertices.len() as u16;
                self.vertices.push(vertex);
                self.surface.collect(vertex, self.number, &mut self.found, &mut self.beside);
            }
            *number as u8
        });
        self.taken.push(local);
        for axis in 0..3 {
            self.sums.0[axis] += f64::from(self.surface.middles[triangle as usize][axis]);
            self.sums.1[axis] += f64::from(self.surface.directions[triangle as usize][axis]);
        }
    }

    /// The triangle that the group takes next, if it has room for one.
    fn neighbour(&mut self) -> Option<u32> {
        if let Some(best) = self.best() {
            return Some(best);
        }
        if !self.too_large.is_empty() {
            return None;
        }
        // There may have been more than are compared.
        for vertex in &self.vertices {
            self.surface.collect(*vertex, self.number, &mut self.found, &mut self.beside);
        }
        self.best().or_else(|| {
            let count = self.taken.len() as f64;
            let middle = self.sums.0.map(|sum| sum / count);
            let near = self.nearest.find(middle, &self.surface.middles)?;
            (self.new_vertices(near) <= self.room()).then_some(near)
        })
    }

    /// The best of the triangles beside the group.
    fn best(&mut self) -> Option<u32> {
        let count = self.taken.len() as f64;
        let middle = self.sums.0.map(|sum| sum / count);
        let length = dot(self.sums.1, self.sums.1).sqrt();
        let mut best: Option<((u32, f64, u32), usize)> = None;
        let mut at = 0;
        while let Some(triangle) = self.beside.get(at).copied() {
            let new = self.new_vertices(triangle);
            if self.surface.is_taken[triangle as usize] || new > self.room() {
                if !self.surface.is_taken[triangle as usize] {
                    self.too_large.push(triangle);
                }
                self.beside.swap_remove(at);
                continue;
            }
            let is_last = self.corners[triangle as usize]
                .iter()
                .any(|vertex| self.surface.left[self.surface.point(*vertex)] == 1);
            let class = match new {
                0 => 0,
                // A corner of it has no other triangle left: another group would have that vertex again, for it alone.
                _ if is_last => 1,
                new => 1 + new,
            };
            let offset: [f64; 3] =
                std::array::from_fn(|axis| f64::from(self.surface.middles[triangle as usize][axis]) - middle[axis]);
            let direction = self.surface.directions[triangle as usize].map(f64::from);
            let bend = if length > 0.0 { 1.0 - dot(direction, self.sums.1) / length } else { 0.0 };
            let cost = dot(offset, offset).sqrt() / self.radius + bend * FLATNESS;
            let key = (class, cost, triangle);
            let is_better = |(best, _): &((u32, f64, u32), usize)| {
                key.0.cmp(&best.0).then(key.1.total_cmp(&best.1)).then(key.2.cmp(&best.2)).is_lt()
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((key, at));
            }
            at += 1;
        }
        best.map(|(_, at)| self.beside.swap_remove(at))
    }

    /// The number of vertices of a triangle that the group does not have.
    fn new_vertices(&self, triangle: u32) -> u32 {
        let [a, b, c] = self.corners[triangle as usize];
        let is_new = |vertex: u32| self.numbers[vertex as usize] == OUTSIDE;
        u32::from(is_new(a)) + u32::from(b != a && is_new(b)) + u32::from(c != a && c != b && is_new(c))
    }

    /// The number of vertices that the group has room for.
    fn room(&self) -> u32 {
        self.size.vertices - self.vertices.len() as u32
    }
}

impl Surface {
    /// Also returns the area.
    fn new(corners: &[[u32; 3]], positions: &[[f32; 3]]) -> (Self, f64) {
        let points = positions_of(positions);
        let count = points.iter().max().map_or(0, |last| *last as usize + 1);
        let mut surface = Self {
            points,
            around: vec![Vec::new(); count],
            left: vec![0; count],
            is_taken: vec![false; corners.len()],
            middles: Vec::with_capacity(corners.len()),
            directions: Vec::with_capacity(corners.len()),
        };
        let mut area = 0.0;
        for (triangle, vertices) in corners.iter().enumerate() {
            for point in surface.points_of(*vertices) {
                surface.around[point].push(triangle as u32);
                surface.left[point] += 1;
            }
            let at = vertices.map(|vertex| positions[vertex as usize]);
            let normal = normal(at);
            let length = dot(normal, normal).sqrt();
            area += length / 2.0;
            let sum = |axis: usize| at.iter().map(|corner| f64::from(corner[axis])).sum::<f64>();
            surface.middles.push(std::array::from_fn(|axis| (sum(axis) / 3.0) as f32));
            surface.directions.push(normal.map(|part| if length > 0.0 { (part / length) as f32 } else { 0.0 }));
        }
        (surface, area)
    }

    fn point(&self, vertex: u32) -> usize {
        self.points[vertex as usize] as usize
    }

    /// The points of a triangle, each once.
    fn points_of(&self, corners: [u32; 3]) -> impl Iterator<Item = usize> + use<> {
        let [a, b, c] = corners.map(|vertex| self.point(vertex));
        [Some(a), (b != a).then_some(b), (c != a && c != b).then_some(c)].into_iter().flatten()
    }

    fn take(&mut self, triangle: u32, corners: [u32; 3]) {
        self.is_taken[triangle as usize] = true;
        self.points_of(corners).for_each(|point| self.left[point] -= 1);
    }

    /// Adds the triangles around a vertex that were not found beside group `number`.
    fn collect(&mut self, vertex: u32, number: u32, found: &mut [u32], beside: &mut Vec<u32>) {
        let around = &mut self.around[self.points[vertex as usize] as usize];
        let mut at = 0;
        while beside.len() < MOST_NEIGHBOURS
            && let Some(triangle) = around.get(at).copied()
        {
            if self.is_taken[triangle as usize] {
                around.swap_remove(at);
                continue;
            }
            if std::mem::replace(&mut found[triangle as usize], number) != number {
                beside.push(triangle);
            }
            at += 1;
        }
    }
}
