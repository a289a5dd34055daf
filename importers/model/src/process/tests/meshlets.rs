//! Meshlets of whole models: with levels of detail, and with positions in every format.

use rres_format::chunk::scene::MeshletRecord;
use rres_settings::{MeshletSize, PositionFormat};

use super::formats::stored_positions;
use super::*;

fn scene(model: &Asset) -> SceneView<'_> {
    SceneView::parse(PayloadView::parse(&model.blocks.last().unwrap().bytes).unwrap()).unwrap()
}

/// The triangles of each list of meshlets, sorted.
fn triangles(scene: SceneView<'_>) -> Vec<(u32, Vec<[u32; 3]>)> {
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let lists = scene.meshlet_parts().map(|(list, [meshlets, vertices, triangles])| {
        let vertices: Vec<u32> = vertices.chunks(4).map(number).collect();
        let mut found: Vec<[u32; 3]> = Vec::new();
        for meshlet in meshlets.as_chunks::<64>().0.iter().map(MeshletRecord::from_bytes) {
            let own = &triangles[meshlet.first_triangle as usize * 3..][..meshlet.triangle_count as usize * 3];
            let vertex = |corner: u8| vertices[meshlet.first_vertex as usize + usize::from(corner)];
            found.extend(own.as_chunks::<3>().0.iter().map(|corners| corners.map(vertex)));
        }
        found.sort_unstable();
        (list.level, found)
    });
    lists.collect()
}

#[test]
fn primitives_and_levels_have_meshlets_whose_bounds_hold_for_stored_positions() {
    let text = grid(24, |x, y| (x * 5.0).sin() * (y * 4.0).cos() * 0.3);
    for format in [PositionFormat::F32, PositionFormat::F16, PositionFormat::Unorm16] {
        let settings = settings(|s| {
            (s.lods, s.positions) = (vec![0.5, 0.25], format);
            s.meshlets = Some(MeshletSize { vertices: 32, triangles: 40 });
        });
        let model = import(&text, &settings).unwrap();
        let scene = scene(&model);
        let lists = triangles(scene);
        assert_eq!(lists.iter().map(|(level, _)| *level).collect::<Vec<_>>(), [0, 1, 2]);
        for (level, found) in lists {
            let attribute = level.checked_sub(1).map_or(VertexAttribute::INDEX, VertexAttribute::lod);
            let mut expected = indices(&model, attribute).as_chunks().0.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected, "{format:?} {level}");
        }
        let (props, data) = attributes(&model).into_iter().next().unwrap();
        let structure = model.blocks.iter().find(|block| block.kind == rres_format::FourCc::MODL).unwrap();
        let structure = PayloadView::parse(&structure.bytes).unwrap();
        let structure = rres_format::chunk::model::ModelView::parse(structure).unwrap();
        let primitive = structure.primitives().next().unwrap();
        let positions = stored_positions(props, &data, (primitive.minimum, primitive.maximum));
        for (list, [meshlets, vertices, _]) in scene.meshlet_parts() {
            for meshlet in meshlets.as_chunks::<64>().0.iter().map(MeshletRecord::from_bytes) {
                assert!(meshlet.vertex_count <= 32 && meshlet.triangle_count <= 40);
                let own = &vertices[meshlet.first_vertex as usize * 4..][..meshlet.vertex_count as usize * 4];
                for vertex in own.as_chunks().0.iter().map(|vertex| u32::from_le_bytes(*vertex)) {
                    let offset: [f64; 3] = std::array::from_fn(|axis| {
                        f64::from(positions[vertex as usize][axis]) - f64::from(meshlet.center[axis])
                    });
                    let distance = geometry::dot(offset, offset).sqrt();
                    assert!(distance <= f64::from(meshlet.radius), "{format:?} level {}: {distance}", list.level);
                }
            }
        }
    }
}

#[test]
fn meshlets_change_no_vertex_and_lines_have_none() {
    let text = grid(8, |x, y| x * y) + "l 1 2 3\np 4\n";
    let plain = import(&text, &Settings::default()).unwrap();
    let with = import(&text, &settings(|s| s.meshlets = Some(MeshletSize::default()))).unwrap();
    assert_eq!(attributes(&plain), attributes(&with));
    let lists: Vec<u32> = scene(&with).meshlet_lists().map(|list| list.primitive).collect();
    assert_eq!(lists, [0]);
    assert_eq!(scene(&plain).meshlet_lists().len(), 0);
    // Nothing depends on chance.
    let again = import(&text, &settings(|s| s.meshlets = Some(MeshletSize::default()))).unwrap();
    assert_eq!(scene(&with).to_block(), scene(&again).to_block());
}
