//! Triangles cut off at the sides of a box.

/// A box along the axes.
pub(crate) struct Region {
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
}

impl Region {
    fn misses(&self, corners: &[[f32; 3]; 3]) -> bool {
        (0..3).any(|axis| {
            corners.iter().all(|corner| corner[axis] < self.low[axis])
                || corners.iter().all(|corner| corner[axis] > self.high[axis])
        })
    }
}

/// The corners of what is left of the triangles inside of a box.
pub(crate) fn clipped(points: &[[f32; 3]], triangles: &[[u32; 3]], region: &Region) -> Vec<[f32; 3]> {
    let mut found = Vec::new();
    for triangle in triangles {
        let corners = triangle.map(|corner| points[corner as usize]);
        if region.misses(&corners) {
            continue;
        }
        let mut polygon = corners.to_vec();
        for axis in 0..3 {
            polygon = half(&polygon, axis, region.low[axis], 1.0);
            polygon = half(&polygon, axis, region.high[axis], -1.0);
        }
        found.extend(polygon);
    }
    found
}

/// What of a convex polygon is on one side of a plane: above it for the sign 1, below it for -1.
fn half(polygon: &[[f32; 3]], axis: usize, plane: f32, sign: f32) -> Vec<[f32; 3]> {
    let distance = |point: &[f32; 3]| (point[axis] - plane) * sign;
    let next = polygon.iter().cycle().skip(1);
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (from, to) in polygon.iter().zip(next) {
        let [here, there] = [distance(from), distance(to)];
        if here >= 0.0 {
            kept.push(*from);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            let part = here / (here - there);
            let mut crossing: [f32; 3] = std::array::from_fn(|i| from[i] + (to[i] - from[i]) * part);
            crossing[axis] = plane;
            kept.push(crossing);
        }
    }
    kept
}
