//! Meshlets of surfaces of every sort: they have each triangle once, keep the limits, and their bounds hold.

use super::super::geometry::{dot, normal};
use super::*;

type Corners = Vec<[u32; 3]>;

/// Numbers from 0 to 1 without a pattern.
fn numbers() -> impl FnMut() -> f32 {
    let mut random = rres_test_data::random::Random::new(99);
    move || random.fraction()
}

/// A grid of squares that `at` places, from 0 to 1 in both directions.
fn grid(size: u32, at: impl Fn(f32, f32) -> [f32; 3]) -> (Corners, Vec<[f32; 3]>) {
    let part = |i: u32| i as f32 / size as f32;
    let positions = (0..=size).flat_map(|y| (0..=size).map(move |x| (x, y))).map(|(x, y)| at(part(x), part(y)));
    let squares = (0..size).flat_map(|y| (0..size).map(move |x| y * (size + 1) + x));
    let corners = squares.flat_map(|a| {
        let [b, c, d] = [a + 1, a + size + 1, a + size + 2];
        [[a, c, b], [b, c, d]]
    });
    (corners.collect(), positions.collect())
}

fn sphere(size: u32) -> (Corners, Vec<[f32; 3]>) {
    grid(size, |x, y| {
        let (around, down) = (x * std::f32::consts::TAU, y * std::f32::consts::PI);
        [around.sin() * down.sin(), down.cos(), around.cos() * down.sin()]
    })
}

/// Surfaces with names.
fn surfaces() -> Vec<(&'static str, Corners, Vec<[f32; 3]>)> {
    let mut next = numbers();
    let points: Vec<[f32; 3]> = (0..600).map(|_| std::array::from_fn(|_| next() * 10.0 - 3.0)).collect();
    let mut index = |count: u32| (next() * count as f32) as u32;
    let random = (0..3000).map(|_| [index(600), index(600), index(600)]).collect();
    let duplicates = (0..900).map(|_| [index(5), index(5), index(5)]).collect();
    // Leaves: triangles without a neighbour.
    let leaves = (0..200).map(|i| [i * 3, i * 3 + 1, i * 3 + 2]).collect();
    let fan = (1..599).map(|i| [0, i, i + 1]).collect();
    let (curved, at) = grid(30, |x, y| [x * 4.0, (x * 9.0).sin() * (y * 7.0).cos(), y * 4.0]);
    let split: Vec<[f32; 3]> = curved.iter().flatten().map(|vertex| at[*vertex as usize]).collect();
    let far = at.iter().map(|position| position.map(|axis| axis + 1e5)).collect();
    let (ball, round) = sphere(40);
    vec![
        ("curved", curved.clone(), at.clone()),
        ("far from the origin", curved.clone(), far),
        ("vertices of their own", (0..curved.len() as u32).map(|i| [i * 3, i * 3 + 1, i * 3 + 2]).collect(), split),
        ("ball", ball, round),
        ("flat", grid(20, |x, y| [x, 0.0, y]).0, grid(20, |x, y| [x, 0.0, y]).1),
        ("random", random, points.clone()),
        ("duplicates", duplicates, points.clone()),
        ("leaves", leaves, points.clone()),
        ("fan", fan, points.clone()),
        ("one point", vec![[0, 0, 0], [1, 1, 2]], vec![[5.0; 3]; 3]),
        ("line", vec![[0, 1, 0], [0, 1, 2]], vec![[0.0; 3], [1.0; 3], [2.0; 3]]),
        ("tiny", vec![[0, 1, 2]], vec![[0.0; 3], [1e-30, 0.0, 0.0], [0.0, 1e-30, 0.0]]),
        ("huge", vec![[0, 1, 2]], vec![[0.0; 3], [1e38, 0.0, 0.0], [0.0, 1e38, 0.0]]),
        ("nothing", Vec::new(), vec![[0.0; 3]]),
    ]
}

const SIZES: [(u32, u32); 6] = [(64, 124), (3, 1), (256, 512), (64, 512), (5, 512), (256, 4)];

/// The vertices and triangles of each meshlet.
fn parts(made: &Meshlets) -> impl Iterator<Item = (&MeshletRecord, &[u32], &[[u8; 3]])> {
    made.meshlets.iter().map(|meshlet| {
        let vertices = &made.vertices[meshlet.first_vertex as usize..][..meshlet.vertex_count as usize];
        let triangles = &made.triangles[meshlet.first_triangle as usize..][..meshlet.triangle_count as usize];
        (meshlet, vertices, triangles)
    })
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| f64::from(a[axis]) - f64::from(b[axis]))
}

/// Whether a program leaves out a meshlet for a viewer at `eye`.
fn is_hidden(meshlet: &MeshletRecord, eye: [f32; 3]) -> bool {
    let to = minus(meshlet.cone_apex, eye);
    let toward = dot(to, meshlet.cone_axis.map(f64::from));
    meshlet.cone_cutoff < 1.0 && toward >= f64::from(meshlet.cone_cutoff) * dot(to, to).sqrt()
}

#[test]
fn every_triangle_is_in_one_meshlet_as_it_was() {
    for (name, corners, positions) in surfaces() {
        for (vertices, triangles) in SIZES {
            let size = MeshletSize { vertices, triangles };
            let made = of_triangles(&corners, &positions, size);
            let mut found = Vec::new();
            for (_, own, local) in parts(&made) {
                assert!(own.len() <= vertices as usize && local.len() <= triangles as usize, "{name} {size:?}");
                assert!(!local.is_empty(), "{name} {size:?}");
                found.extend(local.iter().map(|triangle| triangle.map(|corner| own[usize::from(corner)])));
                let mut sorted = own.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), own.len(), "{name}: a vertex occurs twice");
            }
            let mut expected = corners.clone();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{name} {size:?}");
        }
    }
}

#[test]
fn spheres_contain_all_vertices_and_are_not_much_too_large() {
    for (name, corners, positions) in surfaces() {
        let made = of_triangles(&corners, &positions, MeshletSize::default());
        for (meshlet, own, _) in parts(&made) {
            let distance = |vertex: &u32| {
                let offset = minus(positions[*vertex as usize], meshlet.center);
                dot(offset, offset).sqrt()
            };
            let farthest = own.iter().map(distance).fold(0.0, f64::max);
            assert!(farthest <= f64::from(meshlet.radius), "{name}: {farthest} {}", meshlet.radius);
            // No sphere is smaller than half the largest distance of two points.
            let at = |vertex: &u32| positions[*vertex as usize];
            let pairs = own.iter().flat_map(|a| own.iter().map(move |b| minus(at(a), at(b))));
            let widest = pairs.map(|offset| dot(offset, offset).sqrt()).fold(0.0, f64::max);
            let slack = own.iter().flat_map(|vertex| positions[*vertex as usize]).fold(0.0f32, |a, b| a.max(b.abs()));
            let least = widest / 2.0 * 1.2 + f64::from(slack) * 1e-6;
            assert!(f64::from(meshlet.radius) <= least, "{name}: {} {least}", meshlet.radius);
        }
    }
}

#[test]
fn no_viewer_misses_a_triangle() {
    let mut next = numbers();
    let mut hidden = 0;
    for (name, corners, positions) in surfaces() {
        for (vertices, triangles) in [(64, 124), (6, 4)] {
            let made = of_triangles(&corners, &positions, MeshletSize { vertices, triangles });
            for (meshlet, own, local) in parts(&made) {
                assert!([meshlet.cone_apex, meshlet.cone_axis].as_flattened().iter().all(|part| part.is_finite()));
                for far in [0.01f32, 0.1, 0.5, 1.0, 3.0, 1000.0] {
                    let size = meshlet.radius.max(1e-30) * far;
                    let eye: [f32; 3] = std::array::from_fn(|axis| meshlet.center[axis] + (next() - 0.5) * 2.0 * size);
                    // A viewer beside the apex, and one on the axis behind it.
                    let beside: [f32; 3] =
                        std::array::from_fn(|axis| meshlet.cone_apex[axis] + (next() - 0.5) * size * 1e-3);
                    let behind: [f32; 3] =
                        std::array::from_fn(|axis| meshlet.cone_apex[axis] - meshlet.cone_axis[axis] * size);
                    for eye in [eye, beside, behind, meshlet.cone_apex] {
                        if !is_hidden(meshlet, eye) {
                            continue;
                        }
                        hidden += 1;
                        for triangle in local {
                            let corners = triangle.map(|corner| positions[own[usize::from(corner)] as usize]);
                            let toward = dot(minus(eye, corners[0]), normal(corners));
                            assert!(toward <= 0.0, "{name}: {eye:?} sees {corners:?}: {toward}");
                        }
                    }
                }
            }
        }
    }
    assert!(hidden > 1000, "{hidden}");
}

#[test]
fn a_ball_is_half_hidden_and_a_floor_from_below() {
    let (corners, positions) = sphere(64);
    let made = of_triangles(&corners, &positions, MeshletSize::default());
    let eye = [0.0, 50.0, 20.0];
    let hidden = made.meshlets.iter().filter(|meshlet| is_hidden(meshlet, eye)).count();
    assert!(hidden * 100 > made.meshlets.len() * 20, "{hidden} of {}", made.meshlets.len());
    let (corners, positions) = grid(20, |x, y| [x, 0.0, y]);
    let made = of_triangles(&corners, &positions, MeshletSize::default());
    assert!(made.meshlets.iter().all(|meshlet| is_hidden(meshlet, [0.3, -1.0, 0.7])));
    assert!(!made.meshlets.iter().any(|meshlet| is_hidden(meshlet, [0.3, 1.0, 0.7])));
}

#[test]
fn meshlets_are_nearly_full() {
    for (name, (corners, positions), least) in
        [("grid", grid(100, |x, y| [x, x * y, y]), 90.0), ("ball", sphere(100), 90.0)]
    {
        let made = of_triangles(&corners, &positions, MeshletSize::default());
        let mean = corners.len() as f64 / made.meshlets.len() as f64;
        assert!(mean > least, "{name}: {mean} triangles in a meshlet");
    }
    // Leaves that lie together are in one meshlet, and those far from one another are not.
    let (_, leaves, positions) = surfaces().into_iter().find(|(name, ..)| *name == "leaves").unwrap();
    let made = of_triangles(&leaves, &positions, MeshletSize::default());
    assert!(made.meshlets.len() <= 200usize.div_ceil(21) + 2, "{}", made.meshlets.len());
    let (floor, mut at) = grid(20, |x, y| [x, 0.0, y]);
    let count = at.len() as u32;
    at.extend(at.clone().iter().map(|[x, y, z]| [x + 1000.0, *y, *z]));
    let both: Corners =
        floor.iter().copied().chain(floor.iter().map(|corners| corners.map(|vertex| vertex + count))).collect();
    let made = of_triangles(&both, &at, MeshletSize::default());
    assert!(made.meshlets.iter().all(|meshlet| meshlet.radius < 2.0));
}

#[test]
fn thousands_of_triangles_at_one_vertex_take_no_longer() {
    let count = 20_000u32;
    let positions: Vec<[f32; 3]> = (0..=count + 1).map(|i| [(i % 1000) as f32, (i / 1000) as f32, 0.0]).collect();
    let corners: Corners = (1..=count).map(|i| [0, i, i + 1]).collect();
    let made = of_triangles(&corners, &positions, MeshletSize::default());
    assert_eq!(made.triangles.len(), corners.len());
    assert!(made.meshlets.len() < corners.len() / 40, "{}", made.meshlets.len());
    let same: Corners = (0..count).map(|i| [i % 200, (i + 1) % 200, (i * 7 + 3) % 200]).collect();
    assert_eq!(
        of_triangles(&same, &positions, MeshletSize { vertices: 256, triangles: 512 }).triangles.len(),
        same.len()
    );
}
