//! The order of triangles and vertices that a GPU draws fastest.
//!
//! Triangles are ordered as in "Fast Triangle Reordering for Vertex Locality and Reduced Overdraw" (Sander, Nehab and Barczak 2007): in one
//! sweep from vertex to neighbouring vertex; then the pieces of the sweep so that outer ones come first and hide inner ones.

use super::geometry::{dot, normal};

/// The vertices that the cache of a GPU is taken to hold. Real ones hold at least as many.
const CACHE: usize = 16;

/// How much worse the use of the cache may become by the order of the pieces.
const THRESHOLD: f64 = 1.05;

/// The triangles in the better order.
pub(in super::super) fn of_triangles(indices: &[u32], positions: &[[f32; 3]]) -> Vec<u32> {
    let (swept, starts) = sweep(indices, positions.len());
    let sorted = outer_first(&swept, &starts, positions);
    let (before, after) = (misses(&swept, positions.len()), misses(&sorted, positions.len()));
    if after as f64 <= before as f64 * THRESHOLD { sorted } else { swept }
}

/// The number of vertices that are not in the cache when they are drawn, of a cache that drops the oldest.
pub(super) fn misses(indices: &[u32], vertices: usize) -> usize {
    let mut entered = vec![0usize; vertices];
    let mut misses = 0;
    for index in indices {
        let slot = &mut entered[*index as usize];
        // Entered as the `slot`-th vertex; 0 for never.
        if *slot == 0 || misses >= *slot + CACHE {
            misses += 1;
            *slot = misses;
        }
    }
    misses
}

/// The triangles around each vertex.
struct Around {
    starts: Vec<usize>,
    triangles: Vec<u32>,
}

impl Around {
    fn of(indices: &[u32], vertices: usize) -> Self {
        let mut starts = vec![0; vertices + 1];
        indices.iter().for_each(|index| starts[*index as usize + 1] += 1);
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut triangles = vec![0; indices.len()];
        for (corner, index) in indices.iter().enumerate() {
            triangles[next[*index as usize]] = corner as u32 / 3;
            next[*index as usize] += 1;
        }
        Self { starts, triangles }
    }

    fn get(&self, vertex: u32) -> &[u32] {
        &self.triangles[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }
}

/// The triangles in the order of the sweep, and the triangles with which it starts anew.
fn sweep(indices: &[u32], vertices: usize) -> (Vec<u32>, Vec<usize>) {
    let around = Around::of(indices, vertices);
    let mut left: Vec<usize> = (0..vertices).map(|vertex| around.get(vertex as u32).len()).collect();
    let mut entered = vec![0usize; vertices];
    let mut is_drawn = vec![false; indices.len() / 3];
    let mut time = CACHE + 1;
    let (mut out, mut starts, mut visited) = (Vec::with_capacity(indices.len()), Vec::new(), Vec::<u32>::new());
    let mut candidates = Vec::new();
    let mut cursor = 0;
    loop {
        // The vertex in the cache with the most triangles to come whose vertices will still be there, else one visited last, else any.
        let mut best: Option<(usize, u32)> = None;
        for vertex in candidates.drain(..) {
            let rest = left[vertex as usize];
            if rest == 0 {
                continue;
            }
            let age = time - entered[vertex as usize];
            let priority = if age + 2 * rest <= CACHE { age + 1 } else { 1 };
            if best.is_none_or(|(most, _)| priority > most) {
                best = Some((priority, vertex));
            }
        }
        let next = best.map(|(_, vertex)| vertex).or_else(|| {
            starts.push(out.len() / 3);
            while let Some(vertex) = visited.pop() {
                if left[vertex as usize] > 0 {
                    return Some(vertex);
                }
            }
            while cursor < vertices && left[cursor] == 0 {
                cursor += 1;
            }
            (cursor < vertices).then_some(cursor as u32)
        });
        let Some(vertex) = next else { break };
        for triangle in around.get(vertex) {
            if std::mem::replace(&mut is_drawn[*triangle as usize], true) {
                continue;
            }
            for corner in &indices[*triangle as usize * 3..][..3] {
                out.push(*corner);
                candidates.push(*corner);
                visited.push(*corner);
                left[*corner as usize] -= 1;
                if time - entered[*corner as usize] > CACHE {
                    entered[*corner as usize] = time;
                    time += 1;
                }
            }
        }
    }
    starts.retain(|start| *start < out.len() / 3);
    starts.dedup();
    (out, starts)
}

/// The pieces of the sweep, those first that face away from the middle the most.
fn outer_first(indices: &[u32], starts: &[usize], positions: &[[f32; 3]]) -> Vec<u32> {
    /// Sums over triangles: area, normal by area, centre by area.
    #[derive(Clone, Copy, Default)]
    struct Sum {
        area: f64,
        normal: [f64; 3],
        center: [f64; 3],
    }
    let mut pieces = Vec::with_capacity(starts.len());
    let mut whole = Sum::default();
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(indices.len() / 3);
        let mut piece = Sum::default();
        for triangle in indices[start * 3..end * 3].as_chunks::<3>().0 {
            let corners = triangle.map(|corner| positions[corner as usize]);
            let normal = normal(corners);
            let area = dot(normal, normal).sqrt();
            for sum in [&mut piece, &mut whole] {
                sum.area += area;
                for axis in 0..3 {
                    sum.normal[axis] += normal[axis];
                    let middle: f64 = corners.iter().map(|corner| f64::from(corner[axis])).sum();
                    sum.center[axis] += area * middle / 3.0;
                }
            }
        }
        pieces.push((start * 3..end * 3, piece));
    }
    let center = |sum: &Sum| sum.center.map(|axis| if sum.area > 0.0 { axis / sum.area } else { 0.0 });
    let middle = center(&whole);
    let outwards = |sum: &Sum| {
        let (center, length) = (center(sum), dot(sum.normal, sum.normal).sqrt());
        let away = std::array::from_fn(|axis| center[axis] - middle[axis]);
        if length > 0.0 { dot(away, sum.normal) / length } else { 0.0 }
    };
    let mut order: Vec<(f64, std::ops::Range<usize>)> =
        pieces.into_iter().map(|(range, piece)| (outwards(&piece), range)).collect();
    order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    order.into_iter().flat_map(|(_, range)| &indices[range]).copied().collect()
}

/// Numbers vertices anew in the order of their first use. Returns the old number of each. Levels of detail use no other vertices.
pub(super) fn of_vertices(indices: &mut [u32], levels: &mut [(Vec<u32>, f32)], vertices: usize) -> Vec<u32> {
    let mut numbers = vec![u32::MAX; vertices];
    let mut used = Vec::new();
    for index in indices.iter_mut().chain(levels.iter_mut().flat_map(|(indices, _)| indices)) {
        let number = &mut numbers[*index as usize];
        if *number == u32::MAX {
            *number = used.len() as u32;
            used.push(*index);
        }
        *index = *number;
    }
    used
}
