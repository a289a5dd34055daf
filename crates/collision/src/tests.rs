use super::hull::{cross, dot, minus, volume};
use super::*;

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    /// From -1 to 1.
    fn axis(&mut self) -> f32 {
        (self.next() % 20_001) as f32 / 10_000.0 - 1.0
    }

    fn point(&mut self) -> [f32; 3] {
        std::array::from_fn(|_| self.axis())
    }
}

/// How far a point is outside of a solid.
fn outside(shape: &Shape, point: [f32; 3]) -> f64 {
    let corner = |index: u32| shape.vertices[index as usize].map(f64::from);
    let distance = |[a, b, c]: &[u32; 3]| {
        let normal = cross(minus(corner(*b), corner(*a)), minus(corner(*c), corner(*a)));
        dot(normal, minus(point.map(f64::from), corner(*a))) / dot(normal, normal).sqrt()
    };
    shape.triangles.iter().map(distance).filter(|distance| !distance.is_nan()).fold(f64::NEG_INFINITY, f64::max)
}

/// A box from corner to corner.
fn cuboid(low: [f32; 3], high: [f32; 3]) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let points = (0..8).map(|i| std::array::from_fn(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] }));
    let points: Vec<[f32; 3]> = points.collect();
    let hull = hull(&points, 8).unwrap();
    (hull.vertices, hull.triangles)
}

/// A table: a plate on four legs, which are bodies of their own.
fn table() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let mut all = cuboid([0.0, 1.0, 0.0], [2.0, 1.1, 2.0]);
    for (x, z) in [(0.0, 0.0), (1.9, 0.0), (0.0, 1.9), (1.9, 1.9)] {
        let (points, triangles) = cuboid([x, 0.0, z], [x + 0.1, 1.0, z + 0.1]);
        let first = all.0.len() as u32;
        all.0.extend(points);
        all.1.extend(triangles.iter().map(|triangle| triangle.map(|corner| corner + first)));
    }
    all
}

#[test]
fn a_hull_contains_every_point_and_has_none_of_its_own() {
    let mut random = Random(1);
    for size in [1e-6, 1.0, 1e6] {
        let points: Vec<[f32; 3]> = (0..300).map(|_| random.point().map(|axis| axis * size)).collect();
        let hull = hull(&points, 255).unwrap();
        assert!(hull.vertices.iter().all(|vertex| points.contains(vertex)));
        let farthest = points.iter().map(|point| outside(&hull, *point)).fold(0.0, f64::max);
        assert!(farthest <= 1e-5 * f64::from(size), "{farthest} at size {size}");
    }
}

#[test]
fn a_hull_of_few_vertices_is_inside_of_the_whole_and_fills_most_of_it() {
    let mut random = Random(2);
    let on_sphere = |point: [f32; 3]| {
        let length = point.iter().map(|axis| axis * axis).sum::<f32>().sqrt();
        point.map(|axis| axis / length)
    };
    let points: Vec<[f32; 3]> = (0..3000).map(|_| on_sphere(random.point())).collect();
    let sphere = std::f64::consts::PI * 4.0 / 3.0;
    for (vertices, least) in [(255, 0.95), (64, 0.85), (16, 0.5), (4, 0.05)] {
        let hull = hull(&points, vertices).unwrap();
        assert!(hull.vertices.len() <= vertices as usize);
        let part = volume(&hull) / sphere;
        assert!((least..1.0).contains(&part), "{vertices} vertices fill {part}");
    }
}

#[test]
fn what_has_no_volume_has_no_hull() {
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    for points in [&square[..], &square[..2], &square[..1], &[], &[[1.0, 2.0, 3.0]; 9]] {
        assert_eq!(hull(points, 64), None);
    }
    let tilted = square.map(|[x, y, _]| [x, y, x * 0.3 + y * 0.7]);
    assert_eq!(hull(&tilted, 64), None);
    assert!(parts(&square, &[[0, 1, 2], [0, 2, 3]], 8, 64).is_empty());
    assert!(parts(&[], &[], 8, 64).is_empty());
}

#[test]
fn a_thin_plate_has_a_hull_of_its_thickness() {
    for thickness in [0.1, 0.01, 0.004] {
        let (points, _) = cuboid([0.0; 3], [1.0, thickness, 1.0]);
        // Turned about two axes by 3-4-5 triangles.
        let turned = |[x, y, z]: [f32; 3]| {
            [0.6 * x - 0.8 * y, 0.6 * (0.8 * x + 0.6 * y) - 0.8 * z, 0.8 * (0.8 * x + 0.6 * y) + 0.6 * z]
        };
        let hull = hull(&points.into_iter().map(turned).collect::<Vec<_>>(), 64).unwrap();
        assert_eq!((hull.vertices.len(), hull.triangles.len()), (8, 12));
        assert!((volume(&hull) / f64::from(thickness) - 1.0).abs() < 1e-3, "{thickness}: {}", volume(&hull));
    }
}

#[test]
fn a_body_far_away_has_the_same_parts() {
    let (points, triangles) = table();
    let near = parts(&points, &triangles, 16, 64);
    let moved: Vec<[f32; 3]> = points.iter().map(|point| point.map(|axis| axis + 512.0)).collect();
    let far = parts(&moved, &triangles, 16, 64);
    let volumes = |parts: &[Shape]| parts.iter().map(volume).sum::<f64>();
    assert_eq!(near.len(), far.len());
    assert!((volumes(&near) / volumes(&far) - 1.0).abs() < 1e-2);
}

#[test]
fn the_inside_of_a_body_belongs_to_its_parts() {
    // Two cubes side by side with a narrow bridge: whole cells of the cubes touch no surface.
    let mut all = cuboid([0.0; 3], [2.0; 3]);
    for (low, high) in [([1.9, 0.9, 0.9], [3.1, 1.1, 1.1]), ([3.0, 0.0, 0.0], [5.0, 2.0, 2.0])] {
        let (points, triangles) = cuboid(low, high);
        let first = all.0.len() as u32;
        all.0.extend(points);
        all.1.extend(triangles.iter().map(|triangle| triangle.map(|corner| corner + first)));
    }
    let solids = parts(&all.0, &all.1, 8, 64);
    let volumes: f64 = solids.iter().map(volume).sum();
    assert!((16.0..17.5).contains(&volumes), "{volumes} in {}", solids.len());
}

#[test]
fn through_a_wide_gap_the_inside_counts_as_empty() {
    let (points, triangles) = cuboid([0.0; 3], [1.0; 3]);
    let sum = |triangles: &[[u32; 3]]| parts(&points, triangles, 16, 64).iter().map(volume).sum::<f64>();
    assert!((sum(&triangles) - 1.0).abs() < 1e-3);
    // Without the lid.
    let is_lid = |triangle: &[u32; 3]| triangle.iter().all(|corner| points[*corner as usize][1] == 1.0);
    let open: Vec<[u32; 3]> = triangles.iter().copied().filter(|triangle| !is_lid(triangle)).collect();
    assert_eq!(open.len(), 10);
    assert!(sum(&open) < 0.3, "{}", sum(&open));
}

#[test]
fn many_points_become_a_solid_of_few() {
    let mut random = Random(5);
    let points: Vec<[f32; 3]> = (0..40_000).map(|_| random.point()).collect();
    let triangles: Vec<[u32; 3]> = (0..13_000).map(|i| [i * 3, i * 3 + 1, i * 3 + 2]).collect();
    let hull = hull(&points, 32).unwrap();
    assert!(hull.vertices.len() <= 32 && volume(&hull) > 5.0);
    let few: Vec<[u32; 3]> = triangles.iter().copied().take(60).collect();
    assert!(parts(&points, &few, 8, 32).len() <= 8);
}

#[test]
fn the_parts_of_a_table_leave_the_room_under_it_free() {
    let (points, triangles) = table();
    let solids = parts(&points, &triangles, 16, 64);
    assert!((5..=8).contains(&solids.len()), "{}", solids.len());
    // The whole hull would be ten times as large as the table.
    let all: f64 = solids.iter().map(volume).sum();
    assert!((0.44 * 0.99..0.44 * 1.2).contains(&all), "{all}");
    for point in &points {
        let nearest = solids.iter().map(|solid| outside(solid, *point)).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-4, "{point:?} is {nearest} outside");
    }
    assert_eq!(parts(&points, &triangles, 2, 64).len(), 2);
    assert!(parts(&points, &triangles, 16, 5).iter().all(|solid| solid.vertices.len() <= 5));
    assert_eq!(parts(&points, &triangles, 16, 64), solids);
}

#[test]
fn a_convex_body_is_one_part() {
    let (points, triangles) = cuboid([0.0; 3], [1.0, 2.0, 3.0]);
    let solids = parts(&points, &triangles, 16, 64);
    assert_eq!(solids.len(), 1);
    assert!((volume(&solids[0]) - 6.0).abs() < 1e-3);
}

#[test]
fn numbers_are_the_same_on_every_machine() {
    let (points, triangles) = table();
    let mut random = Random(3);
    let cloud: Vec<[f32; 3]> = (0..500).map(|_| random.point()).collect();
    let mut shapes = parts(&points, &triangles, 4, 32);
    shapes.push(hull(&cloud, 40).unwrap());
    // FNV-1a.
    let mut sum = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |word: u32| {
        word.to_le_bytes().iter().for_each(|byte| sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    };
    for shape in &shapes {
        shape.vertices.as_flattened().iter().for_each(|axis| add(axis.to_bits()));
        shape.triangles.as_flattened().iter().for_each(|corner| add(*corner));
    }
    assert_eq!(sum, 0x0b77_28f0_2452_9fcd, "{sum:#018x}");
}

/// Points on few planes, repeated, far away, huge and tiny, with triangles between any of them.
#[test]
fn no_triangles_make_it_fail() {
    let mut random = Random(4);
    for round in 0..12 {
        let count = 3 + random.next() % 40;
        let steps = [1.0f32, 2.0, 10_000.0][round % 3];
        let scale = [1.0f32, 1e-20, 1e20, 1e-3, 1e-37, 1e37][round % 6];
        let away = if round % 5 == 0 { 1000.0 } else { 0.0 };
        let place = |axis: f32| ((axis * steps).round() / steps + away) * scale;
        let points: Vec<[f32; 3]> = (0..count).map(|_| random.point().map(place)).collect();
        let triangles: Vec<[u32; 3]> =
            (0..random.next() % 60).map(|_| std::array::from_fn(|_| random.next() % (count + 1))).collect();
        let solids = parts(&points, &triangles, 4, 16);
        let solids = solids.into_iter().chain(hull(&points, 16));
        for solid in solids {
            assert!(solid.vertices.len() <= 16 && solid.vertices.as_flattened().iter().all(|axis| axis.is_finite()));
            assert!(solid.triangles.as_flattened().iter().all(|corner| (*corner as usize) < solid.vertices.len()));
            assert!(volume(&solid) >= 0.0, "round {round}: {} {solid:?}", volume(&solid));
        }
        surface(&points, &triangles);
    }
    for axis in [f32::INFINITY, f32::NAN, f32::MAX] {
        assert_eq!(hull(&[[axis, 0.0, 0.0], [0.0, 1.0, 0.0], [-axis, 0.0, 1.0], [0.0, -axis, axis]], 8), None);
    }
}

#[test]
fn a_surface_keeps_its_triangles_and_has_each_position_once() {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [9.0; 3]];
    let shape = surface(&points, &[[0, 1, 2], [3, 0, 1], [1, 4, 2], [1, 2, 99]]);
    assert_eq!(shape.vertices, [points[0], points[1], points[2], points[4]]);
    assert_eq!(shape.triangles, [[0, 1, 2], [1, 3, 2]]);
}
