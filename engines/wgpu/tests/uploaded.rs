//! Textures and meshes on a device that does nothing, but checks what it is asked for.

use std::sync::Arc;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::model::{self, Topology, model_block};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::index::{ImageShape, Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Id, Image, Model, PackOptions, Store};
use rres_wgpu::{Mesh, TextureError, sampler, texture, topology};
use wgpu::{Device, Features, IndexFormat, PrimitiveTopology, Queue, TextureDimension, TextureFormat};

fn device(features: Features) -> (Device, Queue) {
    let mut instance = wgpu::InstanceDescriptor::new_without_display_handle();
    instance.backends = wgpu::Backends::NOOP;
    instance.backend_options.noop.enable = true;
    let instance = wgpu::Instance::new(instance);
    let adapter = now(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).unwrap();
    let limits = wgpu::Limits { max_texture_dimension_2d: 64, ..wgpu::Limits::downlevel_defaults() };
    let wanted = wgpu::DeviceDescriptor { required_features: features, required_limits: limits, ..Default::default() };
    now(adapter.request_device(&wanted)).unwrap()
}

/// The result of a future that is ready at once.
fn now<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("this device does everything at once"),
    }
}

fn chunk(kind: FourCc, block: &[u8]) -> StoredChunk<'static> {
    StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap()
}

fn store(resource: Resource<'static>) -> Store {
    let mut pack = PackBuilder::new();
    pack.push(resource);
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

fn image(format: PixelFormat, width: u32, height: u32, mipmaps: u32) -> Arc<Image> {
    layers(ImageShape::Flat, format, width, height, mipmaps)
}

fn layers(shape: ImageShape, format: PixelFormat, width: u32, height: u32, mipmaps: u32) -> Arc<Image> {
    let size: usize = (0..mipmaps)
        .map(|level| format.level_size((width >> level).max(1), (height >> level).max(1)).unwrap() as usize)
        .sum();
    let block = ImageProps { width, height, format, mipmaps }.block(&vec![7; size]);
    let mut meta = Meta::default();
    shape.set(&mut meta);
    loaded(meta, &block)
}

fn loaded(meta: Meta, block: &[u8]) -> Arc<Image> {
    store(Resource::new("a.png", vec![chunk(FourCc::IMGE, block)]).with_meta(meta))
        .load(Id::<Image>::from_path("a.png"))
        .unwrap()
        .get()
}

#[test]
fn levels_go_to_the_device_as_they_are() {
    let (device, queue) = device(Features::TEXTURE_COMPRESSION_BC);
    for (format, expected) in [
        (PixelFormat::RGBA8, TextureFormat::Rgba8UnormSrgb),
        (PixelFormat::BC7, TextureFormat::Bc7RgbaUnormSrgb),
        (PixelFormat::RGB8, TextureFormat::Rgba8UnormSrgb), // which WebGPU lacks
    ] {
        let texture = texture(&device, &queue, &image(format, 16, 8, 5)).unwrap();
        assert_eq!((texture.format(), texture.mip_level_count()), (expected, 5), "{format:?}");
        assert_eq!((texture.width(), texture.height()), (16, 8));
    }
    sampler(&device, &image(PixelFormat::RGBA8, 1, 1, 1));
}

#[test]
fn arrays_cubemaps_and_volumes_are_what_shaders_take_them_for() {
    let (device, queue) = device(Features::TEXTURE_COMPRESSION_BC);
    for (shape, height, mipmaps, dimension) in [
        (ImageShape::Array(3), 24, 4, TextureDimension::D2),
        (ImageShape::Cube, 48, 4, TextureDimension::D2),
        (ImageShape::Volume(5), 40, 1, TextureDimension::D3),
    ] {
        let made = texture(&device, &queue, &layers(shape, PixelFormat::RGBA8, 8, height, mipmaps)).unwrap();
        let size = (made.width(), made.height(), made.depth_or_array_layers());
        assert_eq!((size, made.dimension()), ((8, 8, shape.layers()), dimension), "{shape:?}");
    }
    let blocks = layers(ImageShape::Array(2), PixelFormat::BC7, 8, 16, 2);
    assert_eq!(texture(&device, &queue, &blocks).unwrap().depth_or_array_layers(), 2);
    let blocks = layers(ImageShape::Volume(2), PixelFormat::BC7, 8, 16, 1);
    let error = texture(&device, &queue, &blocks).unwrap_err().to_string();
    assert!(error.contains("TEXTURE_COMPRESSION_BC_SLICED_3D"), "{error}");
    let many = layers(ImageShape::Array(300), PixelFormat::RGBA8, 1, 300, 1);
    assert_eq!(texture(&device, &queue, &many).unwrap_err(), TextureError::Layers { layers: 300, limit: 256 });
}

#[test]
fn what_the_device_cannot_take_is_an_error_that_says_what_to_do() {
    let (device, queue) = device(Features::empty());
    let said = |image: &Image| texture(&device, &queue, image).unwrap_err().to_string();
    assert!(said(&image(PixelFormat::BC7, 16, 8, 1)).contains("TEXTURE_COMPRESSION_BC"));
    assert!(said(&image(PixelFormat::RGBA8, 65, 1, 1)).contains("65 × 1 pixels, and the device allows 64 × 64"));
    let (device, queue) = self::device(Features::TEXTURE_COMPRESSION_BC);
    let error = texture(&device, &queue, &image(PixelFormat::BC7, 6, 4, 1)).unwrap_err();
    assert_eq!(error, TextureError::Blocks { width: 6, height: 4, block: (4, 4) });
    let error = texture(&device, &queue, &image(PixelFormat::PVRT_RGB, 8, 8, 1)).unwrap_err();
    assert_eq!(error, TextureError::Format(PixelFormat::PVRT_RGB));
}

#[test]
fn floats_are_blended_by_devices_that_can() {
    let floats = |format: PixelFormat, filter| {
        let mut meta = Meta::default();
        meta.set(MetaKey::COLOR_SPACE, 1);
        meta.set(MetaKey::FILTER, filter);
        let size = format.level_size(2, 2).unwrap() as usize;
        loaded(meta, &ImageProps { width: 2, height: 2, format, mipmaps: 1 }.block(&vec![0; size]))
    };
    let (plain, plain_queue) = device(Features::empty());
    let (blending, blending_queue) = device(Features::FLOAT32_FILTERABLE);
    for format in [PixelFormat::R32F, PixelFormat::RGBA32F] {
        let (linear, nearest) = (floats(format, 0), floats(format, 1));
        let error = texture(&plain, &plain_queue, &linear).unwrap_err();
        assert!(error.to_string().contains("image.filter = \"nearest\""), "{error}");
        texture(&plain, &plain_queue, &nearest).unwrap();
        texture(&blending, &blending_queue, &linear).unwrap();
    }
}

#[test]
fn vertices_have_the_attributes_that_a_shader_takes() {
    let vertices = |attribute, components, format, data: &[u8]| {
        chunk(FourCc::VRTX, &VertexProps { count: 3, attribute, components, format }.block(data))
    };
    let primitive = model::Primitive {
        mesh: 0,
        material: None,
        topology: Topology::TRIANGLES,
        attributes: 3,
        minimum: [0.0; 3],
        maximum: [0.0; 3],
    };
    let identity = std::array::from_fn(|i| f32::from(u8::from(i % 5 == 0)));
    let node = model::Node { name: "a", parent: None, mesh: Some(0), transform: identity };
    let chunks = vec![
        vertices(VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &[0; 36]),
        vertices(VertexAttribute::COLOR, 4, VertexFormat::UBYTE, &[255; 12]),
        vertices(VertexAttribute::INDEX, 1, VertexFormat::USHORT, &[0, 0, 1, 0, 2, 0]),
        chunk(FourCc::MODL, &model_block(&[node], &[primitive], &[]).unwrap()),
    ];
    let store = store(Resource::new("a.glb", chunks));
    let model = store.load(Id::<Model>::from_path("a.glb")).unwrap().get();
    let [primitive] = model.primitives() else { panic!("{model:?}") };

    let (device, _) = device(Features::empty());
    let mesh = Mesh::new(&device, primitive, &[VertexAttribute::COLOR, VertexAttribute::POSITION]).unwrap();
    let expected = wgpu::vertex_attr_array![0 => Unorm8x4, 1 => Float32x3];
    assert_eq!((mesh.layout().attributes, mesh.stride, mesh.vertices.size()), (&expected[..], 16, 48));
    assert_eq!(
        (mesh.vertex_count, mesh.indices.as_ref().map(|(_, format, count)| (*format, *count))),
        (3, Some((IndexFormat::Uint16, 3)))
    );
    assert_eq!(topology(primitive), Some(PrimitiveTopology::TriangleList));
    assert!(Mesh::new(&device, primitive, &[VertexAttribute::NORMAL]).is_none(), "it has no normals");
}
