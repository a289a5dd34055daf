//! Models → models of raylib.

use raylib::prelude::*;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::model::{self, Topology, model_block};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{FourCc, Resource, StoredChunk};
use rres_raylib::{Error, ErrorKind, TexturedModel};
use rres_runtime::{Id, Model as Asset};
use rres_test_data::bytes::{floats, words};

use crate::packs::{chunk, store};
use crate::{Picture, SIZE, Stage};

fn vertices(
    count: usize,
    attribute: VertexAttribute,
    components: u32,
    format: VertexFormat,
    data: &[u8],
) -> StoredChunk<'static> {
    chunk(FourCc::VRTX, &VertexProps { count: count as u32, attribute, components, format }.block(data))
}

/// The four corners of a square of size 1, as positions, and as places in an image.
fn square() -> Vec<StoredChunk<'static>> {
    let positions = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let uvs = [0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    vec![
        vertices(4, VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &floats(&positions)),
        vertices(4, VertexAttribute::TEXCOORD1, 2, VertexFormat::FLOAT, &floats(&uvs)),
    ]
}

fn indices(indices: &[u32]) -> StoredChunk<'static> {
    vertices(indices.len(), VertexAttribute::INDEX, 1, VertexFormat::UINT, &words(indices))
}

/// A transform that enlarges and moves.
fn place(by: f32, x: f32, y: f32) -> [f32; 16] {
    [by, 0.0, 0.0, 0.0, 0.0, by, 0.0, 0.0, 0.0, 0.0, by, 0.0, x, y, 0.0, 1.0]
}

/// A model whose mesh is at two nodes: in 2, 1 with a size of 2, and in 5, 1 with a size of 1.
fn made(stage: &Stage, topology: Topology, attributes: Vec<StoredChunk<'static>>) -> Result<TexturedModel, Error> {
    let nodes = [
        model::Node { name: "large", parent: None, mesh: Some(0), transform: place(2.0, 2.0, 1.0) },
        model::Node { name: "small", parent: Some(0), mesh: Some(0), transform: place(0.5, 1.5, 0.0) },
    ];
    made_at(stage, &nodes, topology, attributes)
}

fn made_at(
    stage: &Stage,
    nodes: &[model::Node<'_>],
    topology: Topology,
    attributes: Vec<StoredChunk<'static>>,
) -> Result<TexturedModel, Error> {
    let material = model::Material { name: "half", base_color: [1.0, 0.5, 1.0, 1.0], base_color_image: Some(0) };
    let primitive = model::Primitive {
        mesh: 0,
        material: Some(0),
        topology,
        attributes: attributes.len() as u32,
        minimum: [0.0; 3],
        maximum: [1.0, 1.0, 0.0],
    };
    let block = model_block(nodes, &[primitive], &[material]).unwrap();
    let chunks = [attributes, vec![chunk(FourCc::MODL, &block)]].concat();
    // Above green, below blue.
    let props = ImageProps { width: 1, height: 2, format: PixelFormat::RGBA8, mipmaps: 1 };
    let image = Resource::new("a.png", vec![chunk(FourCc::IMGE, &props.block(&[0, 255, 0, 255, 0, 0, 255, 255]))]);
    let mut asset = Resource::new("a.glb", chunks);
    asset.dependencies = vec![rres_format::ResourceId::from_path("a.png")];
    let store = store([image, asset]);
    let loaded = store.load(Id::<Asset>::from_path("a.glb")).unwrap();
    rres_raylib::model(&stage.thread, &store, &loaded.get())
}

/// A picture of the model, in which 8 × 8 units are the window.
fn picture(stage: &mut Stage, model: &TexturedModel) -> Picture {
    let camera = Camera3D {
        position: Vector3::new(4.0, 4.0, 10.0),
        target: Vector3::new(4.0, 4.0, 0.0),
        up: Vector3::new(0.0, 1.0, 0.0),
        fovy: 8.0,
        projection: CameraProjection::CAMERA_ORTHOGRAPHIC,
    };
    stage.picture(|draw| draw.begin_mode3D(camera).draw_model(model, Vector3::new(0.0, 0.0, 0.0), 1.0, Color::WHITE))
}

/// The colour at a place in the model.
#[track_caller]
fn check(picture: &Picture, x: f32, y: f32, expected: [u8; 4]) {
    let pixel = |units: f32| (units / 8.0 * SIZE as f32) as i32;
    picture.is_about(pixel(x), SIZE - 1 - pixel(y), expected, 2, "a model");
}

/// What is to be seen of a square at the two nodes.
fn check_squares(picture: &Picture) {
    let (green, blue) = ([0, 127, 0, 255], [0, 0, 255, 255]);
    check(picture, 3.0, 2.8, green);
    check(picture, 3.0, 1.2, blue);
    check(picture, 5.5, 1.9, green);
    check(picture, 5.5, 1.1, blue);
    [(1.8, 2.0), (4.5, 2.0), (5.5, 2.2), (3.0, 3.2)]
        .into_iter()
        .for_each(|(x, y)| check(picture, x, y, [0, 0, 0, 255]));
}

pub(crate) fn drawn(stage: &mut Stage) {
    let mut model = made(stage, Topology::TRIANGLES, [square(), vec![indices(&[0, 1, 2, 0, 2, 3])]].concat()).unwrap();
    assert_eq!((model.meshes().len(), model.materials().len(), model.textures().len()), (2, 2, 1));
    assert_eq!(model.meshes()[0].indices(), [0, 1, 2, 0, 2, 3]);
    check_squares(&picture(stage, &model));
    let bounds = model.get_model_bounding_box();
    assert_eq!((bounds.min.x, bounds.max.x, bounds.max.y), (2.0, 6.0, 3.0));
    model.set_transform(&Matrix::translate(0.0, 4.0, 0.0));
    check(&picture(stage, &model), 3.0, 5.2, [0, 0, 255, 255]);
}

/// raylib draws only the front of a triangle.
pub(crate) fn mirrored(stage: &mut Stage) {
    let mut transform = place(1.0, 4.0, 1.0);
    transform[0] = -1.0;
    let nodes = [model::Node { name: "mirrored", parent: None, mesh: Some(0), transform }];
    let with_indices = [square(), vec![indices(&[0, 1, 2, 0, 2, 3])]].concat();
    let model = made_at(stage, &nodes, Topology::TRIANGLES, with_indices).unwrap();
    assert_eq!(model.meshes()[0].indices(), [0, 2, 1, 0, 3, 2]);
    let picture = picture(stage, &model);
    check(&picture, 3.5, 1.9, [0, 127, 0, 255]);
    check(&picture, 3.5, 1.1, [0, 0, 255, 255]);
}

pub(crate) fn many(stage: &mut Stage) {
    // The corners of the square follow 66,000 that no triangle has.
    const UNUSED: usize = 66_000;
    let after =
        |corners: &[f32], components: usize| floats(&[vec![0.0; UNUSED * components], corners.to_vec()].concat());
    let count = UNUSED + 4;
    let positions = after(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0], 3);
    let uvs = after(&[0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0], 2);
    let first = UNUSED as u32;
    let attributes = vec![
        vertices(count, VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &positions),
        vertices(count, VertexAttribute::TEXCOORD1, 2, VertexFormat::FLOAT, &uvs),
        indices(&[0, 1, 2, 0, 2, 3].map(|corner| first + corner)),
    ];
    let model = made(stage, Topology::TRIANGLES, attributes).unwrap();
    assert_eq!((model.meshes()[0].vertices().len(), model.meshes()[0].indices().len()), (6, 0));
    check_squares(&picture(stage, &model));
}

pub(crate) fn refused(stage: &mut Stage) {
    let error = made(stage, Topology::LINES, square()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Topology(Topology::LINES)), "{error}");
    let error = made(stage, Topology::TRIANGLES, Vec::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Empty), "{error}");
    // Four vertices without indices are no triangles.
    let error = made(stage, Topology::TRIANGLES, square()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Mesh(_)), "{error}");
}
