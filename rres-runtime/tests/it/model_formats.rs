//! Models as the settings of models store them: numbers in few bits, levels of detail.

use rres_format::chunk::model::{self, model_block};
use rres_format::chunk::scene::{LodRecord, MeshRecord, SceneBlock, Span};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{FourCc, Resource};
use rres_runtime::asset::{Indices, Topology};
use rres_runtime::{Error, Model, Pack};

use super::assert_message;
use super::assets::{pack, plain};

fn shorts(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Two primitives of one mesh with three vertices each, whose boxes are side by side. `indices` are the indices of two levels of the first one.
fn load(indices: [&[u16]; 2], lods: &[(u32, u32, f32)]) -> Result<Model, Error> {
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
    let mut block = SceneBlock { model: [0, 2, 0], ..SceneBlock::default() };
    block.meshes = vec![MeshRecord { name: Span::default(), weights: Span::default(), targets: Span::default() }];
    let record = |(primitive, level, error)| LodRecord { primitive, level, error, reserved: 0 };
    block.lods = lods.iter().copied().map(record).collect();
    let chunks = vec![
        of(&positions),
        vertices(3, VertexAttribute::NORMAL, 4, VertexFormat::BYTE, &normals),
        list(VertexAttribute::INDEX, &[0, 1, 2, 2, 1, 0]),
        list(VertexAttribute::lod(0), indices[0]),
        list(VertexAttribute::lod(1), indices[1]),
        of(&positions),
        plain(FourCc::MODL, &model_block(&[], &[primitive(5, 0.0), primitive(1, 2.0)], &[]).unwrap()),
        plain(FourCc::SCNE, &block.block().unwrap()),
    ];
    let resource = Resource::new("a.glb", chunks);
    let id = resource.id;
    Pack::from_bytes(pack([resource]).to_vec().unwrap()).unwrap().load(id)
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
