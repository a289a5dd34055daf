//! Models as the settings of models store them: numbers in few bits, levels of detail.

use rres_format::chunk::collision::{Shape, ShapeKind, collision_block};
use rres_format::chunk::model::{self, model_block};
use rres_format::chunk::scene::{LodRecord, MeshRecord, MeshletListRecord, MeshletRecord, SceneBlock, Span};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{FourCc, Resource};
use rres_runtime::asset::model::{Indices, Topology};
use rres_runtime::{Error, Model, PackOptions};
use rres_test_data::bytes::shorts;

use super::assert_message;
use super::assets::{pack, plain};

/// Two primitives of one mesh with three vertices each, whose boxes are side by side. `indices` are the indices of two levels of the first one.
fn load(indices: [&[u16]; 2], lods: &[(u32, u32, f32)]) -> Result<Model, Error> {
    load_with(indices, &scene(lods))
}

/// What the model has in its SCNE chunk.
fn scene(lods: &[(u32, u32, f32)]) -> SceneBlock {
    let record = |(primitive, level, error)| LodRecord { primitive, level, error, reserved: 0 };
    SceneBlock {
        model: [0, 2, 0],
        meshes: vec![MeshRecord { name: Span::default(), weights: Span::default(), targets: Span::default() }],
        lods: lods.iter().copied().map(record).collect(),
        ..SceneBlock::default()
    }
}

fn load_with(indices: [&[u16]; 2], scene: &SceneBlock) -> Result<Model, Error> {
    load_also(indices, scene, None)
}

/// The same with one more chunk.
fn load_also(indices: [&[u16]; 2], scene: &SceneBlock, more: Option<(FourCc, Vec<u8>)>) -> Result<Model, Error> {
    let vertices = |count, attribute, components, format, data: &[u8]| {
        plain(FourCc::VRTX, &VertexProps { count, attribute, components, format }.block(data)).unlinked()
    };
    let positions = shorts(&[0, 0, 0, 65535, 65535, 65535, 65535, 65535, 0, 65535, 0, 65535]);
    let of = |data: &[u8]| vertices(3, VertexAttribute::POSITION, 4, VertexFormat::USHORT, data);
    let list = |attribute, indices: &[u16]| {
        vertices(indices.len() as u32, attribute, 1, VertexFormat::USHORT, &shorts(indices))
    };
    let normals = [127, 0, 0, 0, 0x81, 0, 0, 0, 0, 64, 0, 0];
    let primitive = |attributes, low: f32| model::Primitive {
        mesh: 0,
        material: None,
        topology: Topology::TRIANGLES,
        attributes,
        minimum: [low, 10.0, -1.0],
        maximum: [low + 2.0, 10.0, 1.0],
    };
    let mut chunks = vec![
        of(&positions),
        vertices(3, VertexAttribute::NORMAL, 4, VertexFormat::BYTE, &normals),
        list(VertexAttribute::INDEX, &[0, 1, 2, 2, 1, 0]),
        list(VertexAttribute::lod(0), indices[0]),
        list(VertexAttribute::lod(1), indices[1]),
        of(&positions),
        plain(FourCc::MODL, &model_block(&[], &[primitive(5, 0.0), primitive(1, 2.0)], &[]).unwrap()),
        plain(FourCc::SCNE, &scene.block().unwrap()),
    ];
    chunks.extend(more.map(|(kind, block)| plain(kind, &block)));
    let resource = Resource::new("a.glb", chunks);
    let id = resource.id;
    PackOptions::default().from_bytes(pack([resource]).to_vec().unwrap()).unwrap().load(id)
}

const LODS: &[(u32, u32, f32)] = &[(0, 0, 0.25), (0, 1, 1.0)];

#[test]
fn positions_in_integers_are_parts_of_the_box_of_the_mesh() {
    let model = load([&[0, 1, 2], &[2, 1, 0]], LODS).unwrap();
    for primitive in model.primitives() {
        assert_eq!(primitive.quantized_bounds(), Some(([0.0, 10.0, -1.0], [4.0, 10.0, 1.0])));
        assert_eq!((primitive.vertex_count(), primitive.positions().len()), (3, 0));
        let positions = primitive.decode(VertexAttribute::POSITION).unwrap();
        assert_eq!(positions, [[0., 10., -1., 1.], [4., 10., 1., 1.], [0., 10., -1., 1.]]);
    }
}

#[test]
fn every_format_is_decoded() {
    let model = load([&[0, 1, 2], &[2, 1, 0]], LODS).unwrap();
    let [first, second] = model.primitives() else { panic!("{model:?}") };
    let normals = first.decode(VertexAttribute::NORMAL).unwrap();
    assert_eq!(normals, [[1., 0., 0., 0.], [-1., 0., 0., 0.], [0., 64. / 127., 0., 0.]]);
    assert_eq!(first.decode(VertexAttribute::INDEX).unwrap()[1], [1., 0., 0., 1.]);
    assert_eq!(second.decode(VertexAttribute::NORMAL), None);
    let fields = first.interleave(&[VertexAttribute::POSITION, VertexAttribute::NORMAL]).unwrap();
    let names: Vec<_> = fields.fields.iter().map(|field| field.wgpu_format().unwrap()).collect();
    assert_eq!((names, fields.stride), (vec!["unorm16x4".to_owned(), "snorm8x4".to_owned()], 12));
}

#[test]
fn levels_of_detail_have_indices_and_an_error() {
    let model = load([&[0, 1, 2], &[2, 1, 0]], LODS).unwrap();
    let [first, second] = model.primitives() else { panic!("{model:?}") };
    let found: Vec<_> = first.lods().map(|lod| (lod.indices, lod.error)).collect();
    assert_eq!(found, [(Indices::U16(&[0, 1, 2]), 0.25), (Indices::U16(&[2, 1, 0]), 1.0)]);
    assert_eq!(second.lods().len(), 0);
    let chosen = |error| first.lod(error).map(|lod| lod.error);
    assert_eq!([0.1, 0.25, 0.9, 5.0].map(chosen), [None, Some(0.25), Some(0.25), Some(1.0)]);
    // The indices of the primitive itself are not among them.
    assert_eq!(first.indices().map(Indices::len), Some(6));
}

#[test]
fn levels_that_do_not_fit_are_errors() {
    let error = |indices, lods| load(indices, lods).map(|_| ());
    assert_message(error([&[0, 1, 3], &[2, 1, 0]], LODS), &["an index is 3, but there are 3 vertices"]);
    let missing = &["primitive 0 has 2 levels of detail, and its scenes 1"];
    assert_message(error([&[0, 1, 2], &[2, 1, 0]], &LODS[..1]), missing);
    assert_message(error([&[0, 1, 2], &[2, 1, 0]], &[]), &["primitive 0 has 2 levels of detail, and its scenes 0"]);
    let other = &[LODS[0], LODS[1], (1, 0, 0.0)];
    assert_message(error([&[0, 1, 2], &[2, 1, 0]], other), &["primitive 1 has 0 levels of detail, and its scenes 1"]);
}

/// Two triangles of the first primitive, and one of each of its levels, as meshlets.
fn meshlets() -> SceneBlock {
    let meshlet = |first_vertex, vertex_count, first_triangle| MeshletRecord {
        center: [1.0, 2.0, 3.0],
        radius: 4.0,
        cone_apex: [0.0, 0.0, -2.0],
        cone_axis: [0.0, 0.0, 1.0],
        cone_cutoff: 0.5,
        first_vertex,
        vertex_count,
        first_triangle,
        triangle_count: 1,
        ..MeshletRecord::default()
    };
    let list = |level, meshlets| MeshletListRecord {
        level,
        meshlets,
        vertices: meshlets * 3,
        triangles: meshlets,
        ..MeshletListRecord::default()
    };
    SceneBlock {
        meshlet_lists: vec![list(0, 2), list(2, 1)],
        meshlets: vec![meshlet(0, 3, 0), meshlet(3, 3, 1), meshlet(0, 3, 0)],
        meshlet_vertices: vec![0, 1, 2, 2, 1, 0, 2, 1, 0],
        meshlet_triangles: vec![[0, 1, 2]; 3],
        ..scene(LODS)
    }
}

#[test]
fn meshlets_are_of_the_primitive_and_of_its_levels() {
    let model = load_with([&[0, 1, 2], &[2, 1, 0]], &meshlets()).unwrap();
    let [first, second] = model.primitives() else { panic!("{model:?}") };
    assert_eq!(second.meshlets(), None);
    let own = first.meshlets().unwrap();
    assert_eq!((own.len(), own.is_empty(), own.records().len()), (2, false, 128));
    assert_eq!((own.vertices(), own.triangles()), (&[0, 1, 2, 2, 1, 0][..], &[[0, 1, 2]; 2][..]));
    let all: Vec<_> = own.iter().collect();
    assert_eq!((all[1].vertices, all[1].triangles), (&[2, 1, 0][..], &[[0, 1, 2]][..]));
    assert_eq!((all[1].center, all[1].radius, all[1].cone_cutoff), ([1.0, 2.0, 3.0], 4.0, 0.5));
    assert_eq!((own.get(1), own.get(2)), (Some(all[1]), None));
    let of_levels: Vec<_> = first.lods().map(|lod| lod.meshlets.map(|meshlets| meshlets.vertices().to_vec())).collect();
    assert_eq!(of_levels, [None, Some(vec![2, 1, 0])]);
}

#[test]
fn a_meshlet_faces_away_from_those_behind_its_cone() {
    let model = load_with([&[0, 1, 2], &[2, 1, 0]], &meshlets()).unwrap();
    let meshlet = model.primitives()[0].meshlets().unwrap().get(0).unwrap();
    // The cone of those who see backs has its tip at z = -2, and 60 degrees on each side.
    for (eye, is_hidden) in [
        ([0.0, 0.0, -3.0], true),
        ([1.7, 0.0, -3.0], true),
        ([1.8, 0.0, -3.0], false),
        ([0.0, 0.0, 1.0], false),
        ([0.0, 0.0, -1.9], false),
    ] {
        assert_eq!(meshlet.faces_away(eye), is_hidden, "{eye:?}");
    }
    let mut without = meshlets();
    without.meshlets.iter_mut().for_each(|meshlet| meshlet.cone_cutoff = 1.0);
    let model = load_with([&[0, 1, 2], &[2, 1, 0]], &without).unwrap();
    let meshlet = model.primitives()[0].meshlets().unwrap().get(0).unwrap();
    assert!(!meshlet.faces_away([0.0, 0.0, -3.0]) && !meshlet.faces_away(meshlet.cone_apex));
}

#[test]
fn meshlets_that_do_not_fit_are_errors() {
    type Change = fn(&mut SceneBlock);
    let changes: [(Change, &str); 4] = [
        (|b| b.meshlet_vertices[4] = 3, "primitive 0 has meshlets of level 0 with vertex 3, but 3 vertices"),
        (
            |b| b.meshlet_lists[1].level = 3,
            "primitive 0 has meshlets of level 3, but no indices of triangles at that level",
        ),
        (|b| b.meshlet_lists[1].primitive = 1, "primitive 1 has meshlets of level 2, but no indices"),
        (|b| b.meshlet_lists[1].level = 1, "primitive 0 has meshlets of level 1 with 1 triangles, but 2 triangles"),
    ];
    for (change, message) in changes {
        let mut block = meshlets();
        change(&mut block);
        let loaded = load_with([&[0, 1, 2, 2, 1, 0], &[2, 1, 0]], &block).map(|_| ());
        assert_message(loaded, &[message]);
    }
}

/// A tetrahedron, and a triangle of the same mesh.
fn shapes(mesh: u32) -> Vec<u8> {
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let solid = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let convex = Shape { mesh, kind: ShapeKind::CONVEX, vertices: vertices.clone(), triangles: solid };
    let flat = Shape { kind: ShapeKind::TRIANGLES, triangles: vec![[1, 2, 3]], ..convex.clone() };
    collision_block(&[convex, flat]).unwrap()
}

#[test]
fn collision_shapes_are_found_by_their_mesh() {
    let with = |block| load_also([&[0, 1, 2], &[2, 1, 0]], &scene(LODS), block);
    let model = with(Some((FourCc::COLL, shapes(0)))).unwrap();
    let [solid, flat] = model.mesh_collision_shapes(0) else { panic!("{:?}", model.collision_shapes()) };
    assert_eq!((solid.mesh(), solid.is_convex(), flat.is_convex()), (0, true, false));
    assert_eq!((solid.vertices().len(), solid.triangles().len()), (4, 4));
    assert_eq!((flat.vertices()[3], flat.triangles()), ([0.0, 0.0, 1.0], &[[1, 2, 3]][..]));
    assert_eq!(model.collision_shapes().len(), 2);
    assert!(model.mesh_collision_shapes(1).is_empty());
    assert!(with(None).unwrap().collision_shapes().is_empty());

    let error = with(Some((FourCc::COLL, shapes(1)))).map(|_| ());
    assert_message(error, &["a collision shape is of mesh 1, but there are 1"]);
}
