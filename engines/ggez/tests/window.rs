//! Images on a device, which needs a window: `xvfb-run -a cargo test -- --include-ignored`.
#![cfg(target_os = "linux")]

use ggez::conf::Conf;
use ggez::filesystem::Filesystem;
use ggez::graphics::{GraphicsContext, Image, ImageFormat};
use ggez::{GameError, GameResult};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_ggez::{Followed, Made, StoreExt};
use rres_runtime::{Id, PackOptions, Store};
use winit::event_loop::EventLoop;
use winit::platform::x11::EventLoopBuilderExtX11;

const PIXELS: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// A pack with an image in sRGB, one of linear numbers, and one with blocks for GPUs.
fn store() -> Store {
    let mut pack = PackBuilder::new();
    let mut add = |path: &'static str, format, size, data: &[u8], linear: u32| {
        let block = ImageProps { width: size, height: size / 2, format, mipmaps: 1 }.block(data);
        let chunk = StoredChunk::encode(FourCc::IMGE, &block, Compression::NONE, &mut Compressor::default()).unwrap();
        let mut facts = Meta::default();
        facts.set(MetaKey::COLOR_SPACE, linear);
        pack.push(Resource::new(path, vec![chunk]).with_meta(facts));
    };
    add("color.png", PixelFormat::RGBA8, 2, &PIXELS, 0);
    add("mask.png", PixelFormat::RGBA8, 2, &PIXELS, 1);
    add("blocks.dds", PixelFormat::BC7, 8, &[0; 32], 0);
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

/// A circle of a radius that the program chooses. The radius 0 is refused.
struct Circle(u32);

impl Made for Circle {
    type Asset = u32;
    type Context = GraphicsContext;

    fn make(_: &GraphicsContext, radius: &u32) -> GameResult<Self> {
        if *radius == 0 { Err(rres_ggez::error("has no radius")) } else { Ok(Self(*radius)) }
    }
}

#[test]
#[ignore = "long: needs a window"]
fn images_are_on_the_device_and_follow_their_assets() {
    let events = EventLoop::builder().with_any_thread(true).build().unwrap();
    let files = Filesystem::new("rres-ggez", "rres", "resources", "resources.zip").unwrap();
    let gfx = GraphicsContext::new("rres-ggez", &events, &Conf::new(), &files).unwrap();
    let store = store();

    let load = |path: &str| store.image(&gfx, Id::<rres_runtime::Image>::from_path(path));
    let formats = [("color.png", ImageFormat::Rgba8UnormSrgb), ("mask.png", ImageFormat::Rgba8Unorm)];
    for (path, format) in formats {
        let image: Followed<Image> = load(path).unwrap();
        assert_eq!((image.width(), image.height(), image.format()), (2, 1, format), "{path}");
        assert_eq!(image.to_pixels(&gfx).unwrap(), PIXELS, "{path}");
    }
    let GameError::ResourceLoadError(text) = load("blocks.dds").unwrap_err() else { panic!("another kind of error") };
    assert!(text.starts_with("asset \"blocks.dds\": ") && text.contains("format = \"rgba8\""), "{text}");

    let radius = store.insert("radius", 1_u32).unwrap();
    let mut circle = Followed::<Circle>::new(&store, &gfx, &radius).unwrap();
    assert!(!circle.update(&gfx), "nothing has changed");
    store.insert("radius", 5_u32).unwrap();
    assert_eq!(circle.0, 1, "only `update` looks for a change");
    assert_eq!((circle.update(&gfx), circle.0), (true, 5));
    store.insert("radius", 0_u32).unwrap();
    assert_eq!((circle.update(&gfx), circle.0), (false, 5), "what cannot be made leaves the previous value");
}
