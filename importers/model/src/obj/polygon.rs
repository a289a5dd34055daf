//! Polygons → triangles: a fan if the polygon is convex, otherwise ears are cut off one by one.

/// The most corners that a polygon may have unless it is convex. Cutting ears takes the square of it, or more.
pub(super) const MAX_CORNERS: usize = 1024;

/// The triangles of a polygon, as numbers of its corners in their order; `None` if it is not convex and has more than [`MAX_CORNERS`].
///
/// A polygon that crosses itself becomes triangles that overlap, and one without area a fan.
pub(super) fn triangles(corners: &[[f32; 3]]) -> Option<Vec<[usize; 3]>> {
    let count = corners.len();
    if count <= 3 {
        return Some(fan((0..count).collect()));
    }
    let points = flattened(corners);
    if is_convex(&points) {
        return Some(fan((0..count).collect()));
    }
    (count <= MAX_CORNERS).then(|| ears(&points))
}

fn fan(corners: Vec<usize>) -> Vec<[usize; 3]> {
    let Some((first, rest)) = corners.split_first() else { return Vec::new() };
    rest.windows(2).map(|pair| [*first, pair[0], pair[1]]).collect()
}

type Point = [f64; 2];

/// The polygon in the plane that it nearly lies in, seen so that it runs counter-clockwise.
fn flattened(corners: &[[f32; 3]]) -> Vec<Point> {
    let corners: Vec<[f64; 3]> = corners.iter().map(|corner| corner.map(f64::from)).collect();
    // Newell's sum, which is the normal however the corners bend.
    let mut normal = [0.0; 3];
    for (i, a) in corners.iter().enumerate() {
        let b = &corners[(i + 1) % corners.len()];
        for (axis, sum) in normal.iter_mut().enumerate() {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            *sum += (a[u] - b[u]) * (a[v] + b[v]);
        }
    }
    let longest = (0..3).fold(0, |best, axis| if normal[axis].abs() > normal[best].abs() { axis } else { best });
    let (u, v) = ((longest + 1) % 3, (longest + 2) % 3);
    let is_reversed = normal[longest] < 0.0;
    corners.iter().map(|corner| if is_reversed { [corner[v], corner[u]] } else { [corner[u], corner[v]] }).collect()
}

/// Twice the area of a triangle, negative if it runs clockwise.
fn area(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether no corner turns to the right, and the polygon goes around once.
fn is_convex(points: &[Point]) -> bool {
    let count = points.len();
    let at = |i: usize| points[i % count];
    if (0..count).any(|i| area(at(i), at(i + 1), at(i + 2)) < 0.0) {
        return false;
    }
    // A convex polygon goes to the right once and to the left once; a star does so more often.
    let directions = (0..count).map(|i| at(i + 1)[0] - at(i)[0]).filter(|step| *step != 0.0).map(|step| step > 0.0);
    let directions: Vec<bool> = directions.collect();
    let turns = directions.iter().zip(directions.iter().cycle().skip(1)).filter(|(a, b)| a != b).count();
    turns <= 2
}

fn ears(points: &[Point]) -> Vec<[usize; 3]> {
    let count = points.len();
    let mut next: Vec<usize> = (1..=count).map(|i| i % count).collect();
    let mut previous: Vec<usize> = (0..count).map(|i| (i + count - 1) % count).collect();
    let mut out = Vec::with_capacity(count - 2);
    let (mut at, mut left, mut tried) = (0, count, 0);
    while left > 3 && tried < left {
        let (before, after) = (previous[at], next[at]);
        if is_ear(points, &next, (before, at, after)) {
            out.push([before, at, after]);
            (next[before], previous[after]) = (after, before);
            (left, tried, at) = (left - 1, 0, after);
        } else {
            (tried, at) = (tried + 1, after);
        }
    }
    // The last triangle, or the rest of a polygon that crosses itself.
    let mut rest = Vec::with_capacity(left);
    for _ in 0..left {
        rest.push(at);
        at = next[at];
    }
    out.extend(fan(rest));
    out
}

/// Whether the corner `at` is convex, and no other corner lies in the triangle with its neighbours.
fn is_ear(points: &[Point], next: &[usize], (before, at, after): (usize, usize, usize)) -> bool {
    let (a, b, c) = (points[before], points[at], points[after]);
    if area(a, b, c) <= 0.0 {
        return false;
    }
    let mut other = next[after];
    while other != before {
        let p = points[other];
        let is_inside = area(a, b, p) >= 0.0 && area(b, c, p) >= 0.0 && area(c, a, p) >= 0.0;
        if is_inside && ![a, b, c].contains(&p) {
            return false;
        }
        other = next[other];
    }
    true
}
