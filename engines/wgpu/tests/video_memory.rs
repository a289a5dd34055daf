//! What `Image::video_memory` says, against what wgpu allocates.

use std::sync::Arc;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Id, Image, PackOptions, Store};
use rres_wgpu::texture;
use wgpu::{Backends, Device, Features, Queue, Texture, TextureDimension};

fn device(backends: Backends, features: Features) -> Option<(Device, Queue)> {
    let mut instance = wgpu::InstanceDescriptor::new_without_display_handle();
    instance.backends = backends;
    instance.backend_options.noop.enable = true;
    let instance = wgpu::Instance::new(instance);
    let adapter = now(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
    let features = features & adapter.features();
    let wanted = wgpu::DeviceDescriptor { required_features: features, ..Default::default() };
    now(adapter.request_device(&wanted)).ok()
}

/// The result of a future that is ready at once.
fn now<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("devices of computers are made at once"),
    }
}

fn image(format: PixelFormat, size: (u32, u32), mipmaps: u32, is_linear: bool) -> Arc<Image> {
    store(format, size, mipmaps, is_linear).load(Id::<Image>::from_path("a.png")).unwrap().get()
}

fn store(format: PixelFormat, (width, height): (u32, u32), mipmaps: u32, is_linear: bool) -> Store {
    let props = ImageProps { width, height, format, mipmaps };
    let block = props.block(&vec![7; props.data_size().unwrap() as usize]);
    let chunk = StoredChunk::encode(FourCc::IMGE, &block, Compression::ZSTD, &mut Compressor::default()).unwrap();
    let mut meta = Meta::default();
    meta.set(MetaKey::COLOR_SPACE, is_linear.into());
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("a.png", vec![chunk]).with_meta(meta));
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

/// Bytes of all levels, by the descriptor and the format of wgpu.
fn described(texture: &Texture) -> u64 {
    let (format, size) = (texture.format(), texture.size());
    let ((columns, rows), bytes) = (format.block_dimensions(), format.block_copy_size(None).unwrap());
    let level = |level| {
        let size = size.mip_level_size(level, TextureDimension::D2);
        let blocks = u64::from(size.width.div_ceil(columns)) * u64::from(size.height.div_ceil(rows));
        blocks * u64::from(size.depth_or_array_layers) * u64::from(bytes)
    };
    (0..texture.mip_level_count()).map(level).sum()
}

const FORMATS: Features = Features::TEXTURE_COMPRESSION_BC
    .union(Features::TEXTURE_COMPRESSION_ETC2)
    .union(Features::TEXTURE_COMPRESSION_ASTC)
    .union(Features::FLOAT32_FILTERABLE);

#[test]
fn every_format_takes_what_the_descriptor_of_its_texture_says() {
    let (device, queue) = device(Backends::NOOP, FORMATS).unwrap();
    let mut uploaded = 0;
    for format in PixelFormat::NAMED.iter().filter(|format| **format != PixelFormat::UNDEFINED) {
        for is_linear in [false, true] {
            // A multiple of the edges of all blocks.
            for (size, levels) in [((120, 120), 1), ((120, 240), 8), ((240, 120), 3)] {
                let image = image(*format, size, levels, is_linear);
                let Ok(texture) = texture(&device, &queue, &image) else {
                    let name = format.to_string();
                    assert!(name.starts_with("PVRT") || !is_linear && format.is_always_linear(), "{name}");
                    continue;
                };
                assert_eq!(image.video_memory(), described(&texture), "{format} {is_linear} {size:?} {levels}");
                uploaded += 1;
            }
        }
    }
    assert!(uploaded > 200, "{uploaded}");
}

/// The adapter knows nothing of limits: it uploads the levels that an image has.
#[test]
fn a_limit_of_the_store_makes_smaller_textures_and_another_larger_ones() {
    let (device, queue) = device(Backends::NOOP, FORMATS).unwrap();
    let store = store(PixelFormat::BC7, (256, 128), 9, false);
    store.set_texture_limit(64).unwrap();
    let handle = store.load(Id::<Image>::from_path("a.png")).unwrap();
    let mut live = rres_runtime::Live::new(&handle, move |image| texture(&device, &queue, image));
    let facts = |texture: &Texture, image: &Image| {
        assert_eq!(described(texture), image.video_memory());
        (texture.width(), texture.height(), texture.mip_level_count())
    };
    live.update().unwrap();
    assert_eq!(facts(live.get().unwrap(), &handle.get()), (64, 32, 7));
    store.set_texture_limit(None).unwrap();
    live.update().unwrap();
    assert_eq!(facts(live.get().unwrap(), &handle.get()), (256, 128, 9));
}

/// What the driver allocates is the figure, rounded up. Prints both.
#[test]
#[ignore = "long: needs a driver of Vulkan"]
fn a_driver_allocates_the_figure_rounded_up() {
    let Some((device, queue)) = device(Backends::VULKAN, FORMATS) else {
        eprintln!("skipped: no driver of Vulkan");
        return;
    };
    let supports = |image: &Image| texture(&device, &queue, image).is_ok();
    let memory = || {
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        device.get_internal_counters().hal.texture_memory.read() as u64
    };
    let sizes = [(1024, 1024, 11), (1024, 1024, 1), (512, 256, 10), (200, 120, 1), (120, 120, 7), (4, 4, 1)];
    let formats = [PixelFormat::RGBA8, PixelFormat::RGB8, PixelFormat::GRAY8, PixelFormat::DXT1_RGB, PixelFormat::BC7];
    for format in formats {
        for (width, height, levels) in sizes {
            let image = image(format, (width, height), levels, true);
            if !supports(&image) {
                continue;
            }
            queue.submit([]);
            let before = memory();
            let texture = texture(&device, &queue, &image).unwrap();
            let (allocated, figure) =
                (device.get_internal_counters().hal.texture_memory.read() as u64 - before, image.video_memory());
            println!("{format} {width} × {height}, {levels} levels: {figure} bytes, {allocated} allocated");
            assert_eq!(figure, described(&texture));
            // The rows of small levels are rounded up, and the texture as a whole.
            let rounding = 4096 + u64::from(levels) * 64 * u64::from(height);
            assert!(
                (figure..=figure + rounding).contains(&allocated),
                "{format} {width} × {height}: {figure}, {allocated}"
            );
            drop(texture);
            queue.submit([]);
        }
    }
}
