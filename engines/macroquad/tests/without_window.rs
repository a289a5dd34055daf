//! What can be made of assets without a window: pixels, and meshes without textures.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::model::{self, Topology, model_block};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_macroquad::{Drawn, ErrorKind, meshes, rgba8};
use rres_runtime::{Id, Image, Model, PackOptions, Store};
use rres_test_data::bytes::{floats, shorts};

fn chunk(kind: FourCc, block: &[u8]) -> StoredChunk<'static> {
    StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap()
}

fn store(resource: Resource<'static>) -> Store {
    let mut pack = PackBuilder::new();
    pack.push(resource);
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

fn image(format: PixelFormat, width: u32, height: u32, data: &[u8]) -> std::sync::Arc<Image> {
    let props = ImageProps { width, height, format, mipmaps: 1 };
    let store = store(Resource::new("a.dds", vec![chunk(FourCc::IMGE, &props.block(data))]));
    store.load(Id::<Image>::from_path("a.dds")).unwrap().get()
}

#[test]
fn pixels_are_unpacked_from_blocks_and_cut_to_the_size_of_the_image() {
    // A block of BC1 has two colours in 5, 6 and 5 bits, and two bits a pixel that choose: here the first, then the second colour.
    let (red, blue) = ([0x00, 0xf8], [0x1f, 0x00]);
    let block = |bits: u8| -> Vec<u8> { [red, blue].concat().into_iter().chain([bits; 4]).collect() };
    let image = image(PixelFormat::DXT1_RGB, 5, 3, &[block(0), block(0x55)].concat());
    let row = [[255, 0, 0, 255]; 4].into_iter().chain([[0, 0, 255, 255]]);
    let expected: Vec<u8> = row.flatten().collect::<Vec<_>>().repeat(3);
    assert_eq!(*rgba8(&image).unwrap(), expected);
}

#[test]
fn pixels_that_are_rgba_are_not_copied_and_unknown_blocks_are_an_error() {
    let plain = image(PixelFormat::RGBA8, 1, 2, &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(matches!(rgba8(&plain).unwrap(), std::borrow::Cow::Borrowed([1, 2, 3, 4, 5, 6, 7, 8])));
    let error = rgba8(&image(PixelFormat::BC7, 4, 4, &[0; 16])).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::PixelFormat(PixelFormat::BC7)), "{error}");
    assert!(error.to_string().contains("format = \"rgba8\""), "{error}");
}

/// A model with one triangle, whose node is moved and enlarged.
fn triangle(
    topology: Topology,
    in_halves: bool,
    extra: Vec<StoredChunk<'static>>,
) -> Result<Vec<macroquad::models::Mesh>, rres_macroquad::Error> {
    let vertices = |attribute, components, format, data: &[u8]| {
        chunk(FourCc::VRTX, &VertexProps { count: 3, attribute, components, format }.block(data))
    };
    let positions = match in_halves {
        // 1.0 in 16 bits.
        true => (VertexFormat::HFLOAT, shorts(&[0, 0, 0, 0x3c00, 0, 0, 0, 0x3c00, 0])),
        false => (VertexFormat::FLOAT, floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])),
    };
    let mut chunks = vec![
        vertices(VertexAttribute::POSITION, 3, positions.0, &positions.1),
        vertices(VertexAttribute::COLOR, 4, VertexFormat::UBYTE, &[255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 0]),
    ];
    chunks.extend(extra);
    let attributes = chunks.len() as u32;
    let scale = |by: f32, to: [f32; 3]| {
        let [x, y, z] = to;
        [by, 0.0, 0.0, 0.0, 0.0, by, 0.0, 0.0, 0.0, 0.0, by, 0.0, x, y, z, 1.0]
    };
    let nodes = [
        model::Node { name: "root", parent: None, mesh: None, transform: scale(2.0, [10.0, 0.0, 0.0]) },
        model::Node { name: "leaf", parent: Some(0), mesh: Some(0), transform: scale(1.0, [0.0, 0.0, 5.0]) },
    ];
    let primitive = model::Primitive {
        mesh: 0,
        material: Some(0),
        topology,
        attributes,
        minimum: [0.0; 3],
        maximum: [1.0, 1.0, 0.0],
    };
    let material = model::Material { name: "red", base_color: [1.0, 0.5, 0.0, 1.0], base_color_image: None };
    chunks.push(chunk(FourCc::MODL, &model_block(&nodes, &[primitive], &[material]).unwrap()));
    let store = store(Resource::new("a.glb", chunks));
    meshes(&store, &store.load(Id::<Model>::from_path("a.glb")).unwrap().get())
}

#[test]
fn meshes_are_where_their_nodes_are_in_the_colour_of_their_material() {
    let index =
        VertexProps { count: 3, attribute: VertexAttribute::INDEX, components: 1, format: VertexFormat::USHORT };
    let indices = chunk(FourCc::VRTX, &index.block(&shorts(&[2, 1, 0])));
    let positions = |mesh: &macroquad::models::Mesh| -> Vec<[f32; 3]> {
        mesh.vertices.iter().map(|vertex| vertex.position.to_array()).collect()
    };
    let expected = [[10.0, 0.0, 10.0], [12.0, 0.0, 10.0], [10.0, 2.0, 10.0]];
    let halves = triangle(Topology::TRIANGLES, true, Vec::new()).unwrap();
    assert_eq!(positions(&halves[0]), expected, "whatever `model.positions` is");
    let made = triangle(Topology::TRIANGLES, false, vec![indices]).unwrap();
    let [mesh] = &made[..] else { panic!("{} meshes", made.len()) };
    assert_eq!(positions(mesh), expected);
    let colors: Vec<[u8; 4]> = mesh.vertices.iter().map(|vertex| vertex.color).collect();
    assert_eq!(colors, [[255, 188, 0, 255], [0, 0, 0, 255], [255, 188, 0, 0]], "half as much light");
    assert_eq!(mesh.indices, [2, 1, 0]);
}

#[test]
fn a_model_without_nodes_is_drawn_where_its_vertices_are() {
    let props =
        VertexProps { count: 3, attribute: VertexAttribute::POSITION, components: 3, format: VertexFormat::FLOAT };
    let corners = [[0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    let store = store(Resource::new("a.obj", vec![chunk(FourCc::VRTX, &props.block(&bytes))]));
    let made = meshes(&store, &store.load(Id::<Model>::from_path("a.obj")).unwrap().get()).unwrap();
    let [mesh] = &made[..] else { panic!("{} meshes", made.len()) };
    assert_eq!(mesh.vertices.iter().map(|vertex| vertex.position.to_array()).collect::<Vec<_>>(), corners);
}

#[test]
fn meshes_without_indices_get_some_and_lines_are_refused() {
    assert_eq!(triangle(Topology::TRIANGLES, false, Vec::new()).unwrap()[0].indices, [0, 1, 2]);
    let error = triangle(Topology::LINES, false, Vec::new()).err().expect("macroquad draws no lines");
    assert!(matches!(error.kind(), ErrorKind::Topology(Topology::LINES)), "{error}");
}

#[test]
fn what_is_drawn_follows_its_asset_and_is_there_for_shared_references_and_other_threads() {
    let empty = store(Resource::new("a.txt", vec![chunk(FourCc::TEXT, b"")]));
    let size = empty.insert("size", 1_u32).unwrap();
    // 0 stands for an asset that cannot be drawn.
    let make = |size: &std::sync::Arc<u32>| match **size {
        0 => rgba8(&image(PixelFormat::BC7, 4, 4, &[0; 16])).map(|_| 0),
        size => Ok(size * 2),
    };
    let mut drawn = Drawn::new(&size, make).unwrap();
    assert_eq!((*drawn.get(), *drawn.last()), (2, 2));

    empty.insert("size", 3_u32).unwrap();
    assert_eq!(*drawn.last(), 2, "only `get` looks for a change");
    let drawn = std::thread::spawn(move || [*drawn.get(), *drawn.last()]).join().unwrap();
    assert_eq!(drawn, [6, 6]);

    let mut drawn = Drawn::new(&size, make).unwrap();
    empty.insert("size", 0_u32).unwrap();
    assert_eq!(*drawn.get(), 6, "the previous value stays");
    let error = Drawn::new(&size, make).unwrap_err();
    assert!(error.to_string().starts_with("asset \"size\": "), "{error}");
}

#[test]
fn textures_meshes_and_texts_can_be_resources_of_an_ecs() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Drawn<Image, macroquad::texture::Texture2D>>();
    shared::<Drawn<Model, Vec<macroquad::models::Mesh>>>();
    shared::<Drawn<rres_runtime::Font, rres_macroquad::TextFont>>();
}
