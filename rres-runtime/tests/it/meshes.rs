//! Models as graphics cards take them: one buffer of vertices, indices of one width, places in the world.

use rres_format::chunk::model::{self, model_block};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{AssetKind, FourCc, Resource};
use rres_runtime::asset::model::{Indices, Topology};
use rres_runtime::{Error, Model, PackOptions};
use rres_test_data::bytes::floats;

use super::assets::{pack, plain, raw};
use super::{assert_message, id, store};

const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// Moves by `[x, y, z]`, after scaling by `scale`.
fn matrix(scale: f32, [x, y, z]: [f32; 3]) -> [f32; 16] {
    [scale, 0., 0., 0., 0., scale, 0., 0., 0., 0., scale, 0., x, y, z, 1.]
}

/// What an attribute has: number of vertices, attribute, components, format, data.
type Attribute = (u32, VertexAttribute, u32, VertexFormat, Vec<u8>);

fn model(attributes: &[Attribute], nodes: &[model::Node<'_>]) -> Result<Model, Error> {
    let resource = resource(attributes, nodes);
    let id = resource.id;
    PackOptions::default().from_bytes(pack([resource]).to_vec().unwrap()).unwrap().load(id)
}

/// `a.glb` with two vertices and the indices of one triangle.
pub(super) fn triangle() -> Resource<'static> {
    let positions = (2, VertexAttribute::POSITION, 3, VertexFormat::FLOAT, floats(&[0.0; 6]));
    resource(&[positions, (3, VertexAttribute::INDEX, 1, VertexFormat::USHORT, vec![0, 0, 1, 0, 0, 0])], &[])
}

/// A model of one primitive with these attributes.
fn resource(attributes: &[Attribute], nodes: &[model::Node<'_>]) -> Resource<'static> {
    let primitive = model::Primitive {
        mesh: 0,
        material: None,
        topology: Topology::TRIANGLES,
        attributes: attributes.len() as u32,
        minimum: [0.0; 3],
        maximum: [0.0; 3],
    };
    let mut chunks: Vec<_> = attributes
        .iter()
        .map(|(count, attribute, components, format, data)| {
            let props = VertexProps { count: *count, attribute: *attribute, components: *components, format: *format };
            plain(FourCc::VRTX, &props.block(data))
        })
        .collect();
    chunks.push(plain(FourCc::MODL, &model_block(nodes, &[primitive], &[]).unwrap()));
    Resource::new("a.glb", chunks)
}

#[test]
fn vertices_are_interleaved_in_the_order_that_was_asked_for() {
    use VertexAttribute as A;
    let positions = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let odd = vec![1, 2, 3, 4, 5, 6];
    let model = model(
        &[
            (2, A::POSITION, 3, VertexFormat::FLOAT, positions.clone()),
            (2, A::COLOR, 4, VertexFormat::UBYTE, vec![10, 11, 12, 13, 20, 21, 22, 23]),
            (2, A::NORMAL, 3, VertexFormat::BYTE, odd),
            (3, A::INDEX, 1, VertexFormat::USHORT, vec![0, 0, 1, 0, 0, 0]),
        ],
        &[],
    )
    .unwrap();
    let [primitive] = model.primitives() else { panic!("{model:?}") };
    let vertices = primitive.interleave(&[A::COLOR, A::NORMAL, A::POSITION]).unwrap();
    assert_eq!((vertices.count, vertices.stride, vertices.bytes.len()), (2, 20, 40));
    let fields: Vec<_> =
        vertices.fields.iter().map(|field| (field.attribute, field.offset, field.wgpu_format())).collect();
    assert_eq!(
        fields,
        [
            (A::COLOR, 0, Some("unorm8x4".to_owned())),
            (A::NORMAL, 4, None), // three bytes
            (A::POSITION, 8, Some("float32x3".to_owned()))
        ]
    );
    let second = [&[20, 21, 22, 23][..], &[4, 5, 6, 0], &positions[12..]].concat();
    assert_eq!(vertices.bytes[20..], second, "padded to multiples of 4");
    assert_eq!(vertices.bytes[..8], [10, 11, 12, 13, 1, 2, 3, 0]);

    assert_eq!(primitive.interleave(&[A::POSITION, A::TANGENT]), None, "it has no tangents");
    assert_eq!(primitive.interleave(&[A::POSITION, A::INDEX]), None, "indices are not attributes of vertices");
    let nothing = primitive.interleave(&[]).unwrap();
    assert_eq!((nothing.count, nothing.stride, nothing.bytes.len()), (0, 0, 0));

    let indices = primitive.indices().unwrap();
    assert_eq!((&*indices.to_u32(), indices.len(), indices.is_empty()), (&[0, 1, 0][..], 3, false));
    let wide = [7, 70_000];
    assert_eq!(Indices::U32(&wide).to_u32().as_ptr(), wide.as_ptr(), "nothing is copied");
}

#[test]
fn attributes_for_different_numbers_of_vertices_are_refused() {
    use VertexAttribute as A;
    let refused = model(
        &[
            (2, A::POSITION, 3, VertexFormat::FLOAT, floats(&[0.0; 6])),
            (3, A::INDEX, 1, VertexFormat::USHORT, vec![0; 6]),
            (1, A::TEXCOORD1, 2, VertexFormat::FLOAT, floats(&[0.0; 2])),
        ],
        &[],
    );
    assert_message(
        refused,
        &["\"a.glb\"", "position has 2 vertices, texcoord1 has 1 vertices; expected equal numbers"],
    );
}

#[test]
fn an_index_beyond_the_vertices_is_refused() {
    use VertexAttribute as A;
    for (format, index) in
        [(VertexFormat::USHORT, vec![0, 0, 1, 0, 2, 0]), (VertexFormat::UINT, [0, 1, 2].map(u32::to_le_bytes).concat())]
    {
        let positions = (2, A::POSITION, 3, VertexFormat::FLOAT, floats(&[0.0; 6]));
        let refused = model(&[positions, (3, A::INDEX, 1, format, index)], &[]);
        assert_message(refused, &["\"a.glb\"", "an index is 2, but there are 2 vertices"]);
    }
}

#[test]
fn a_second_mesh_and_vertices_of_no_primitive_are_refused() {
    use VertexAttribute as A;
    let positions = || (2, A::POSITION, 3, VertexFormat::FLOAT, floats(&[0.0; 6]));
    assert_message(model(&[positions(), positions()], &[]), &["position occurs twice; expected one mesh"]);
    let mut more = triangle();
    more.chunks.push(plain(
        FourCc::VRTX,
        &VertexProps { count: 1, attribute: A::NORMAL, components: 3, format: VertexFormat::FLOAT }
            .block(&floats(&[0.0; 3])),
    ));
    let id = more.id;
    let refused: Result<Model, Error> =
        PackOptions::default().from_bytes(pack([more]).to_vec().unwrap()).unwrap().load(id);
    assert_message(refused, &["1 chunks of vertices belong to no primitive"]);
}

#[test]
fn world_transforms_apply_the_parents_of_a_node() {
    let node = |parent, transform| model::Node { name: "", parent, mesh: None, transform };
    // A turn by 90° about z, which does not commute with a move.
    let turn = [0., 1., 0., 0., -1., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    let nodes = [
        node(None, matrix(2.0, [10.0, 0.0, 0.0])),
        node(Some(0), turn),
        node(Some(1), matrix(1.0, [1.0, 0.0, 0.0])),
        node(None, IDENTITY),
        node(Some(3), turn),
    ];
    let model = model(&[], &nodes).unwrap();
    let world = model.world_transforms();
    assert_eq!((world.len(), world[0], world[3], world[4]), (5, nodes[0].transform, IDENTITY, turn));
    // The origin of node 2: moved to (1, 0, 0), turned to (0, 1, 0), scaled to (0, 2, 0), moved to (10, 2, 0).
    assert_eq!(world[2][12..15], [10.0, 2.0, 0.0]);
    assert_eq!(world[2][..3], [0.0, 2.0, 0.0], "its x axis points up");
}

#[test]
fn a_model_without_vertices_is_an_error() {
    let model = raw("a.glb", b"x").with_kind(AssetKind::Model);
    assert_message(store(&pack([model])).load(id::<Model>("a.glb")), &["asset \"a.glb\"", "MODL"]);
}
