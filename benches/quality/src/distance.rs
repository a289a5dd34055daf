//! How far two surfaces are apart: the distance from points of each to the nearest point of the other.

/// How many points of a surface are measured.
const POINTS: usize = 20_000;

/// Triangles of a leaf of the tree.
const LEAF: usize = 4;

type Point = [f64; 3];
type Triangle = [Point; 3];

/// The root of the mean squared distance and the largest distance between two surfaces that share positions, in both directions.
pub fn between(positions: &[[f32; 3]], first: &[u32], second: &[u32]) -> (f64, f64) {
    let surface = |indices: &[u32]| -> Vec<Triangle> {
        let corner = |index: u32| positions[index as usize].map(f64::from);
        indices.as_chunks::<3>().0.iter().map(|triangle| triangle.map(corner)).collect()
    };
    let (first, second) = (surface(first), surface(second));
    let (mut sum, mut count, mut largest) = (0.0, 0, 0.0f64);
    for (from, to) in [(&first, &second), (&second, &first)] {
        let tree = Tree::new(to.clone());
        for point in points(from) {
            let squared = tree.nearest(point);
            sum += squared;
            count += 1;
            largest = largest.max(squared);
        }
    }
    ((sum / f64::from(count.max(1))).sqrt(), largest.sqrt())
}

/// Points that are spread evenly over a surface, from a fixed seed.
fn points(surface: &[Triangle]) -> Vec<Point> {
    let area = |[a, b, c]: &Triangle| length(cross(minus(*b, *a), minus(*c, *a)));
    let mut sums = Vec::with_capacity(surface.len());
    let total = surface.iter().fold(0.0, |sum, triangle| {
        sums.push(sum + area(triangle));
        sum + area(triangle)
    });
    let mut state = 1u64;
    let mut random = || {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
    };
    (0..POINTS)
        .map(|number| {
            let at = (number as f64 + random()) / POINTS as f64 * total;
            let [a, b, c] = surface[sums.partition_point(|sum| *sum < at).min(surface.len() - 1)];
            let (mut u, mut v) = (random(), random());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            std::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]))
        })
        .collect()
}

/// Boxes around triangles, each of two smaller ones.
struct Tree {
    triangles: Vec<Triangle>,
    /// The box, and the range of the triangles. The children of box `i` are `2i + 1` and `2i + 2`.
    boxes: Vec<([Point; 2], std::ops::Range<usize>)>,
}

impl Tree {
    fn new(mut triangles: Vec<Triangle>) -> Self {
        let depth = triangles.len().div_ceil(LEAF).next_power_of_two().trailing_zeros();
        let mut boxes = vec![([[0.0; 3]; 2], 0..0); (2 << depth) - 1];
        boxes[0].1 = 0..triangles.len();
        for i in 0..boxes.len() {
            let range = boxes[i].1.clone();
            let own = &mut triangles[range.clone()];
            let corners = own.iter().flatten();
            let bounds = [f64::min as fn(f64, f64) -> f64, f64::max].map(|pick| {
                std::array::from_fn(|axis| corners.clone().map(|corner| corner[axis]).reduce(pick).unwrap_or(f64::MAX))
            });
            boxes[i].0 = bounds;
            if 2 * i + 2 < boxes.len() {
                let [low, high] = bounds;
                let widest = (0..3).max_by(|a, b| (high[*a] - low[*a]).total_cmp(&(high[*b] - low[*b]))).unwrap_or(0);
                let place = |triangle: &Triangle| triangle.iter().map(|corner| corner[widest]).sum::<f64>();
                let half = own.len() / 2;
                if !own.is_empty() {
                    own.select_nth_unstable_by(half, |a, b| place(a).total_cmp(&place(b)));
                }
                boxes[2 * i + 1].1 = range.start..range.start + half;
                boxes[2 * i + 2].1 = range.start + half..range.end;
            }
        }
        Self { triangles, boxes }
    }

    /// The squared distance of a point.
    fn nearest(&self, point: Point) -> f64 {
        let away = |number: usize| {
            let ([low, high], range) = &self.boxes[number];
            if range.is_empty() {
                return f64::MAX;
            }
            (0..3).map(|axis| (low[axis] - point[axis]).max(point[axis] - high[axis]).max(0.0).powi(2)).sum()
        };
        let mut best = f64::MAX;
        let mut open = vec![(away(0), 0)];
        while let Some((distance, number)) = open.pop() {
            if distance >= best {
                continue;
            }
            if 2 * number + 2 < self.boxes.len() {
                let mut children = [2 * number + 1, 2 * number + 2].map(|child| (away(child), child));
                // The nearer one is looked at first.
                children.sort_by(|a, b| b.0.total_cmp(&a.0));
                open.extend(children);
            } else {
                let own = &self.triangles[self.boxes[number].1.clone()];
                best = own.iter().fold(best, |best, triangle| best.min(to_triangle(point, *triangle)));
            }
        }
        best
    }
}

/// The squared distance of a point to a triangle: "Real-Time Collision Detection" (Ericson 2005), 5.1.5.
fn to_triangle(p: Point, [a, b, c]: Triangle) -> f64 {
    let (ab, ac, ap) = (minus(b, a), minus(c, a), minus(p, a));
    let squared = |u: f64, v: f64| {
        let away: Point = std::array::from_fn(|axis| ap[axis] - u * ab[axis] - v * ac[axis]);
        dot(away, away)
    };
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return squared(0.0, 0.0);
    }
    let bp = minus(p, b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return squared(1.0, 0.0);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return squared(d1 / (d1 - d3), 0.0);
    }
    let cp = minus(p, c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return squared(0.0, 1.0);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return squared(0.0, d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return squared(1.0 - along, along);
    }
    let sum = va + vb + vc;
    squared(vb / sum, vc / sum)
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn dot(a: Point, b: Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: Triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn the_distance_to_a_triangle_is_that_of_its_nearest_corner_edge_or_inside() {
        let cases = [
            ([1.0, 1.0, 3.0], 9.0),
            ([-3.0, -4.0, 0.0], 25.0),
            ([6.0, 0.0, 0.0], 4.0),
            ([2.0, -2.0, 1.0], 5.0),
            ([4.0, 4.0, 0.0], 8.0),
        ];
        for (point, squared) in cases {
            assert!((to_triangle(point, TRIANGLE) - squared).abs() < 1e-12, "{point:?}");
        }
    }

    #[test]
    fn the_tree_finds_what_a_look_at_every_triangle_finds() {
        let triangles: Vec<Triangle> = (0..50)
            .map(|i| TRIANGLE.map(|[x, y, z]| [x + f64::from(i * 7 % 50), y + f64::from(i * 3 % 50), z + f64::from(i)]))
            .collect();
        let tree = Tree::new(triangles.clone());
        for i in 0..100 {
            let point = [f64::from(i * 13 % 60), f64::from(i * 29 % 60), f64::from(i) / 2.0];
            let nearest = triangles.iter().map(|triangle| to_triangle(point, *triangle)).fold(f64::MAX, f64::min);
            assert_eq!(tree.nearest(point), nearest);
        }
    }
}
