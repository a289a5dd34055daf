//! The order of triangles and vertices, and levels of detail.

use super::geometry::{dot, normal};
use super::*;

/// The triangles as positions, each from its smallest corner on, sorted.
fn triangles(indices: &[u32], positions: &[[f32; 3]]) -> Vec<[[u32; 3]; 3]> {
    let mut triangles: Vec<[[u32; 3]; 3]> = indices
        .as_chunks::<3>()
        .0
        .iter()
        .map(|triangle| {
            let mut corners = triangle.map(|corner| positions[corner as usize].map(f32::to_bits));
            let first = (0..3).min_by_key(|i| corners[*i]).unwrap();
            corners.rotate_left(first);
            corners
        })
        .collect();
    triangles.sort_unstable();
    triangles
}

#[test]
fn optimizing_changes_the_order_and_nothing_else() {
    let text = grid(32, |x, y| x * y);
    let plain = import(&text, &Settings::default()).unwrap();
    let optimized = import(&text, &settings(|s| s.optimize = true)).unwrap();
    let positions = |model: &Asset| numbers::<3>(model, VertexAttribute::POSITION);
    let order = |model: &Asset| indices(model, VertexAttribute::INDEX);
    assert_eq!(triangles(&order(&plain), &positions(&plain)), triangles(&order(&optimized), &positions(&optimized)));
    let count = positions(&plain).len();
    let misses = |model: &Asset| order::misses(&order(model), count) as f64 / 2048.0;
    assert!(misses(&plain) > 1.0 && misses(&optimized) < 0.75, "{} {}", misses(&plain), misses(&optimized));
    // Vertices are numbered in the order of their first use.
    let mut most = 0;
    for index in order(&optimized) {
        assert!(index <= most);
        most = most.max(index + 1);
    }
}

#[test]
fn vertices_without_triangle_are_left_out_and_morph_targets_follow() {
    let settings = settings(|s| (s.optimize, s.scale) = (true, 2.0));
    let mut geometry = Vec::new();
    for number in [0f32, 0., 0., 1., 0., 0., 5., 5., 5., 0., 1., 0.] {
        geometry.extend(number.to_le_bytes());
    }
    for number in [1f32, 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.] {
        geometry.extend(number.to_le_bytes());
    }
    geometry.extend([3u16, 0, 1].into_iter().flat_map(u16::to_le_bytes));
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}}],"bufferViews":[
            {{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":48}},{{"buffer":0,"byteOffset":96,"byteLength":6}}],
            "accessors":[{{"type":"VEC3","componentType":5126,"count":4,"bufferView":0}},{{"type":"VEC3","componentType":5126,"count":4,"bufferView":1}},
            {{"type":"SCALAR","componentType":5123,"count":3,"bufferView":2}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":2,"targets":[{{"POSITION":1,"NORMAL":1}}]}}]}}]}}"#,
        geometry.len()
    );
    let glb = rres_test_data::model::glb(json, &geometry);
    let mut inputs = Files::default();
    let model = ModelImporter.import(&mut Source::new("a.glb", &glb, &settings, &mut inputs)).unwrap();
    assert_eq!(numbers::<3>(&model[0], VertexAttribute::POSITION), [[0., 2., 0.], [0., 0., 0.], [2., 0., 0.]]);
    let block = model[0].blocks.last().unwrap();
    let scene = SceneView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
    let deltas: Vec<Vec<f32>> = scene.morphs().map(|morph| scene.numbers_of(morph.deltas).collect()).collect();
    assert_eq!(deltas[0], [20., 22., 24., 2., 4., 6., 8., 10., 12.], "positions are scaled");
    assert_eq!(deltas[1], [10., 11., 12., 1., 2., 3., 4., 5., 6.], "normals are not");
}

/// The distance of a point to a triangle.
fn distance(point: [f32; 3], corners: [[f32; 3]; 3]) -> f64 {
    let minus = |a: [f32; 3], b: [f32; 3]| -> [f64; 3] { std::array::from_fn(|i| f64::from(a[i]) - f64::from(b[i])) };
    let n = normal(corners);
    let inside = (0..3).all(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let (edge, to) = (minus(b, a), minus(point, a));
        let cross =
            [edge[1] * to[2] - edge[2] * to[1], edge[2] * to[0] - edge[0] * to[2], edge[0] * to[1] - edge[1] * to[0]];
        dot(cross, n) >= 0.0
    });
    let length = dot(n, n).sqrt();
    if inside && length > 0.0 {
        return (dot(minus(point, corners[0]), n) / length).abs();
    }
    let to_edge = |i: usize| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let (edge, to) = (minus(b, a), minus(point, a));
        let part = (dot(edge, to) / dot(edge, edge).max(1e-30)).clamp(0.0, 1.0);
        let rest: [f64; 3] = std::array::from_fn(|axis| to[axis] - edge[axis] * part);
        dot(rest, rest).sqrt()
    };
    (0..3).map(to_edge).fold(f64::INFINITY, f64::min)
}

/// The levels of a model: indices and errors.
fn levels(model: &Asset) -> Vec<(Vec<u32>, f32)> {
    let block = model.blocks.last().unwrap();
    let scene = SceneView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
    scene.lods().map(|lod| (indices(model, VertexAttribute::lod(lod.level)), lod.error)).collect()
}

#[test]
fn levels_have_fewer_triangles_and_stay_close() {
    let text =
        grid(24, |x, y| 0.2 * (1.0 - (2.0 * x - 1.0) * (2.0 * x - 1.0)) * (1.0 - (2.0 * y - 1.0) * (2.0 * y - 1.0)));
    let model = import(&text, &settings(|s| s.lods = vec![0.125, 0.5])).unwrap();
    let positions = numbers::<3>(&model, VertexAttribute::POSITION);
    let count = indices(&model, VertexAttribute::INDEX).len() / 3;
    let levels = levels(&model);
    assert_eq!(levels.len(), 2);
    for ((indices, error), share) in levels.iter().zip([0.5, 0.125]) {
        let found = indices.len() / 3;
        assert!(found as f64 <= count as f64 * share + 1.0 && found > 0, "{found} of {count}");
        // The largest distance of any vertex of the model from the level.
        let corners: Vec<[[f32; 3]; 3]> =
            indices.as_chunks::<3>().0.iter().map(|triangle| triangle.map(|c| positions[c as usize])).collect();
        let far = |point: &[f32; 3]| corners.iter().map(|c| distance(*point, *c)).fold(f64::INFINITY, f64::min);
        let farthest = positions.iter().map(far).fold(0.0, f64::max);
        assert!(farthest <= f64::from(*error) * 3.0 && f64::from(*error) < 0.05, "{farthest} {error}");
        // The outline stays: a square.
        let area: f64 = corners.iter().map(|c| normal(*c)[1].abs() / 2.0).sum();
        assert!((area - 1.0).abs() < 1e-5, "{area}");
    }
    assert!(levels[0].1 <= levels[1].1);
}

#[test]
fn a_flat_surface_becomes_two_triangles_without_error() {
    let model = import(&grid(16, |_, _| 0.0), &settings(|s| s.lods = vec![0.001])).unwrap();
    let [(indices, error)] = &levels(&model)[..] else { panic!() };
    assert!(indices.len() / 3 <= 4 && *error < 1e-6, "{} {error}", indices.len() / 3);
}

#[test]
fn no_level_differs_more_than_it_may() {
    let rough = grid(16, |x, y| ((x * 37.0).sin() + (y * 41.0).sin()) * 0.3);
    let model = import(&rough, &settings(|s| (s.lods, s.lod_error) = (vec![0.5, 0.01], 0.01))).unwrap();
    let size = 1.2;
    assert!(
        levels(&model).iter().all(|(_, error)| *error <= 0.01 * size),
        "{:?}",
        levels(&model).iter().map(|l| l.1).collect::<Vec<_>>()
    );
    let model = import(&rough, &settings(|s| (s.lods, s.lod_error) = (vec![0.5], 0.0))).unwrap();
    assert!(levels(&model).is_empty(), "nothing can be left out without an error");
}

#[test]
fn seams_move_on_both_sides_together() {
    // Two halves with texture coordinates of their own meet in the middle.
    let text = grid(16, |_, _| 0.0);
    let halves: String = text
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(rest) => {
                let is_left = rest
                    .split(' ')
                    .all(|corner| (corner.split('/').next().unwrap().parse::<usize>().unwrap() - 1) % 17 <= 8);
                let corner =
                    |corner: &str| format!("{}/{}", corner.split('/').next().unwrap(), if is_left { 1 } else { 2 });
                format!("f {}\n", rest.split(' ').map(corner).collect::<Vec<_>>().join(" "))
            }
            None => format!("{line}\n"),
        })
        .collect();
    let model = import(&halves, &settings(|s| s.lods = vec![0.1])).unwrap();
    let positions = numbers::<3>(&model, VertexAttribute::POSITION);
    let [(indices, _)] = &levels(&model)[..] else { panic!() };
    assert!(indices.len() / 3 <= 51, "{}", indices.len() / 3);
    let area: f64 = indices
        .as_chunks::<3>()
        .0
        .iter()
        .map(|triangle| normal(triangle.map(|c| positions[c as usize]))[1].abs() / 2.0)
        .sum();
    assert!((area - 1.0).abs() < 1e-5, "no gap: {area}");
}

#[test]
fn damaged_surfaces_are_levels_or_none() {
    let all = settings(|s| {
        (s.optimize, s.lods, s.normals, s.tangents) = (true, vec![0.5], NormalMode::Smooth, TangentMode::Generate);
    });
    for text in [
        "v 0 0 0\nf 1 1 1\n",
        "v 0 0 0\nv 1 0 0\nf 1 2 1\nf 1 2 2\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\nf 1 2 3\n",
        "v 3e38 0 0\nv -3e38 0 0\nv 0 3e38 0\nvt 1e38 1e38\nvt 0 0\nf 1/1 2/2 3/1\n",
        "v 0 0 0\nv 1 0 0\nl 1 2\np 1\n",
    ] {
        import(text, &all).unwrap();
    }
}

#[test]
fn nothing_depends_on_chance() {
    let all = settings(|s| {
        (s.optimize, s.lods, s.normals, s.tangents) = (true, vec![0.5, 0.2], NormalMode::Flat, TangentMode::Generate);
    });
    let text = grid(12, |x, y| (x * 9.0).sin() * (y * 7.0).sin() * 0.1);
    let blocks = |model: Asset| model.blocks.into_iter().map(|block| block.bytes).collect::<Vec<_>>();
    assert_eq!(blocks(import(&text, &all).unwrap()), blocks(import(&text, &all).unwrap()));
}
