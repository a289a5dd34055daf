//! What becomes what, and what fails how.

use bevy_app::App;
use bevy_asset::{AssetServer, Assets, Handle, LoadState, UntypedAssetId};
use bevy_image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler};
use rres_bevy::{RawAsset, TextAsset};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::{FourCc, Resource};
use rres_runtime::{Id, Raw, Store, Text};
use wgpu_types::{TextureDataOrder, TextureFormat, TextureUsages, TextureViewDimension};

use super::{app, assets, chunk, loaded, pack, wait, with};

#[test]
fn constants_give_handles_of_the_types_of_bevy() {
    let mut app = app(&assets());
    let (button, rock, photo, level, raw) = with(&mut app, |rres| {
        let image = |path| rres.load(Id::<rres_runtime::Image>::from_path(path));
        let level = rres.load(Id::<Text>::from_path("levels/1.txt"));
        let raw = rres.load(Id::<Raw>::from_path("data/a.bin"));
        (image("ui/button.png"), image("ui/rock.png"), image("ui/photo.jpg"), level, raw)
    });
    let image = loaded(&mut app, &button);
    assert_eq!((image.width(), image.height(), image.texture_descriptor.format), (8, 4, TextureFormat::Rgba8UnormSrgb));
    let ImageSampler::Descriptor(sampler) = &image.sampler else { panic!("{:?}", image.sampler) };
    assert_eq!((sampler.mag_filter, sampler.address_mode_u), (ImageFilterMode::Nearest, ImageAddressMode::Repeat));
    let image = loaded(&mut app, &rock);
    assert_eq!(image.texture_descriptor.format, TextureFormat::Bc7RgbaUnormSrgb, "blocks stay blocks");
    assert_eq!(image.data.as_deref().map(<[u8]>::len), Some(2 * 16));
    let image = loaded(&mut app, &photo);
    assert_eq!(
        (image.texture_descriptor.format, image.texture_descriptor.mip_level_count),
        (TextureFormat::Rgba8UnormSrgb, 3)
    );
    assert_eq!(image.data.as_deref().map(<[u8]>::len), Some((32 + 8 + 2) * 4));
    assert_eq!(**loaded(&mut app, &level), *"one");
    assert_eq!(**loaded(&mut app, &raw), [0xff, 0, 1]);
}

#[test]
fn linear_greys_have_their_number_in_each_colour() {
    let mut meta = Meta::default();
    meta.set(MetaKey::COLOR_SPACE, 1);
    let half = 0.5f32.to_le_bytes();
    let grey = [half, half, half, 1f32.to_le_bytes()].concat();
    let cases: [(_, &[u8], _, &[u8]); 3] = [
        (PixelFormat::GRAY8, &[7], TextureFormat::Rgba8Unorm, &[7, 7, 7, 255]),
        (PixelFormat::GRAY_ALPHA8, &[7, 9], TextureFormat::Rgba8Unorm, &[7, 7, 7, 9]),
        (PixelFormat::R32F, &half, TextureFormat::Rgba32Float, &grey),
    ];
    for (format, pixel, expected, pixels) in cases {
        // A level of two pixels, and one of one.
        let props = ImageProps { width: 2, height: 1, format, mipmaps: 2 };
        let chunk = chunk(FourCc::IMGE, &props.block(&pixel.repeat(3)));
        let mut app =
            app(&Store::from_packs([pack(vec![Resource::new("a.png", vec![chunk]).with_meta(meta.clone())])]));
        let grey = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path("a.png")));
        let image = loaded(&mut app, &grey);
        assert_eq!(image.texture_descriptor.format, expected, "a material reads roughness from green");
        assert_eq!(image.data, Some(pixels.repeat(3)), "{format}");
    }
}

#[test]
fn bevy_makes_a_new_texture_of_changed_images_with_mip_levels() {
    // Into a texture that can be written, Bevy writes the first level alone.
    let mut app = app(&assets());
    for (path, is_written) in [("ui/button.png", true), ("ui/photo.jpg", false)] {
        let image = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path(path)));
        let usage = loaded(&mut app, &image).texture_descriptor.usage;
        assert_eq!(usage.contains(TextureUsages::COPY_DST), is_written, "{path}");
    }
}

#[test]
fn cubemaps_are_cubes() {
    let mut meta = Meta::default();
    meta.set(MetaKey::CUBEMAP, 1);
    let (edge, mipmaps, format) = (4, 2, PixelFormat::RGBA8);
    let props = ImageProps { width: edge, height: 6 * edge, format, mipmaps };
    let pixels = vec![7; (6 * (16 + 4) * 4) as usize];
    let sky = Resource::new("sky.dds", vec![chunk(FourCc::IMGE, &props.block(&pixels))]).with_meta(meta);
    let mut app = app(&Store::from_packs([pack(vec![sky])]));
    let sky = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path("sky.dds")));
    let image = loaded(&mut app, &sky);
    let size = image.texture_descriptor.size;
    assert_eq!((size.width, size.height, size.depth_or_array_layers), (4, 4, 6));
    assert_eq!((image.texture_descriptor.mip_level_count, image.data_order), (2, TextureDataOrder::MipMajor));
    let view = image.texture_view_descriptor.as_ref().and_then(|view| view.dimension);
    assert_eq!(view, Some(TextureViewDimension::Cube), "Bevy's `Skybox` takes it");
}

#[test]
fn paths_give_the_same_assets_and_their_loaders_see_files() {
    let mut app = app(&assets());
    let by_id = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path("ui/button.png")));
    let server = app.world().resource::<AssetServer>().clone();
    let by_path: Handle<Image> = server.load("rres://ui/button.png");
    assert_eq!(by_id, by_path, "an asset has one handle");
    let level: Handle<TextAsset> = server.load("rres://levels/1.txt");
    assert_eq!(**loaded(&mut app, &level), *"one");
    let folder = server.load_folder("rres://ui");
    assert_eq!(loaded(&mut app, &folder).handles.len(), 3);
}

#[test]
fn what_cannot_be_loaded_fails_with_the_reason() {
    let mut app = app(&assets());
    let server = app.world().resource::<AssetServer>().clone();
    let failed = |app: &mut App, id: UntypedAssetId| match wait(app, id) {
        LoadState::Failed(error) => error.to_string(),
        state => panic!("{state:?}"),
    };
    let missing: Handle<Image> = server.load("rres://ui/buton.png");
    let said = failed(&mut app, missing.id().into());
    assert!(said.contains("did you mean \"ui/button.png\""), "{said}");
    let model: Handle<RawAsset> = server.load("rres://models/a.glb");
    let said = failed(&mut app, model.id().into());
    assert!(said.contains("models/a.glb") && said.contains("kind = \"raw\""), "{said}");
    let binary: Handle<TextAsset> = server.load("rres://data/a.bin");
    assert!(failed(&mut app, binary.id().into()).contains("not UTF-8"));
}

#[test]
fn the_last_handle_frees_an_asset() {
    let mut app = app(&assets());
    let raw: Handle<RawAsset> = with(&mut app, |rres| rres.load(Id::<Raw>::from_path("data/a.bin")));
    let id = raw.id();
    loaded(&mut app, &raw);
    drop(raw);
    app.update();
    app.update();
    assert!(app.world().resource::<Assets<RawAsset>>().get(id).is_none());
}
