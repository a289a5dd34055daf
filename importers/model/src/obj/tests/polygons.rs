//! Polygons and their triangles.

use super::super::polygon::{MAX_CORNERS, triangles};

/// The area of a polygon in the plane of x and y, and the sum of the areas of its triangles.
fn areas(corners: &[[f32; 3]]) -> (f64, f64) {
    let cross = |a: [f32; 3], b: [f32; 3]| f64::from(a[0]) * f64::from(b[1]) - f64::from(b[0]) * f64::from(a[1]);
    let of = |corners: &[[f32; 3]]| -> f64 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| cross(*a, *b)).sum::<f64>() / 2.0
    };
    let triangles = triangles(corners).unwrap();
    assert_eq!(triangles.len(), corners.len() - 2);
    (of(corners), triangles.iter().map(|triangle| of(&triangle.map(|corner| corners[corner])).abs()).sum())
}

#[test]
fn convex_polygons_are_fans() {
    let circle: Vec<[f32; 3]> = (0u8..100)
        .map(|i| {
            let (sin, cos) = (f32::from(i) * 0.0628).sin_cos();
            [cos, sin, 0.0]
        })
        .collect();
    let found = triangles(&circle).unwrap();
    assert!(found.iter().enumerate().all(|(i, triangle)| *triangle == [0, i + 1, i + 2]));
    assert_eq!(triangles(&circle[..4]).unwrap(), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn concave_polygons_are_covered_once_whatever_way_they_run() {
    let arrow = [[0., 0., 0.], [2., -2., 0.], [1., 0., 0.], [2., 2., 0.]];
    let comb = [
        [0., 0., 0.],
        [7., 0., 0.],
        [7., 5., 0.],
        [6., 5., 0.],
        [6., 1., 0.],
        [5., 1., 0.],
        [5., 5., 0.],
        [4., 5., 0.],
        [4., 1., 0.],
        [3., 1., 0.],
        [3., 5., 0.],
        [0., 5., 0.],
    ];
    for polygon in [&arrow[..], &comb[..]] {
        for start in 0..polygon.len() {
            let mut turned = polygon.to_vec();
            turned.rotate_left(start);
            let (area, covered) = areas(&turned);
            assert!((area - covered).abs() < 1e-9, "{area} {covered}");
            // The other way around, and in another plane.
            turned.reverse();
            let (area, covered) = areas(&turned);
            assert!((area + covered).abs() < 1e-9, "{area} {covered}");
            let upright: Vec<[f32; 3]> = turned.iter().map(|[x, y, z]| [*z, *x, *y]).collect();
            assert_eq!(triangles(&upright), triangles(&turned));
        }
    }
}

#[test]
fn triangles_run_as_the_polygon_does() {
    let arrow = [[0., 0., 0.], [2., -2., 0.], [1., 0., 0.], [2., 2., 0.]];
    for triangle in triangles(&arrow).unwrap() {
        let [a, b, c] = triangle.map(|corner| arrow[corner]);
        let area: f32 = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert!(area > 0.0);
    }
}

#[test]
fn polygons_that_are_none_become_triangles_all_the_same() {
    let flat = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.], [1., 0., 0.], [0., 0., 0.]];
    assert_eq!(triangles(&flat).unwrap().len(), 3);
    let star: Vec<[f32; 3]> = (0u8..5)
        .map(|i| {
            let (sin, cos) = (f32::from(i) * 2.0 * 1.256_637).sin_cos();
            [cos, sin, 0.0]
        })
        .collect();
    assert_eq!(triangles(&star).unwrap().len(), 3);
    assert_eq!(triangles(&star[..2]), Some(Vec::new()));
}

#[test]
fn only_concave_polygons_are_limited() {
    let count = MAX_CORNERS + 1;
    let zigzag: Vec<[f32; 3]> = (0..count).map(|i| [i as f32, (i % 2) as f32, 0.0]).collect();
    assert_eq!(triangles(&zigzag), None);
    assert_eq!(triangles(&zigzag[..MAX_CORNERS]).unwrap().len(), MAX_CORNERS - 2);
    let line: Vec<[f32; 3]> = (0..100_000).map(|i| [i as f32, 0.0, 0.0]).collect();
    assert_eq!(triangles(&line).unwrap().len(), 99_998);
}
