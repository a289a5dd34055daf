//! What programs ask for when they load an image, and what an app has set for all.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetMetaCheck, AssetMode, AssetPlugin, AssetServer, Handle, LoadState, RenderAssetUsages};
use bevy_image::{
    Image, ImageAddressMode, ImageArrayLayout, ImageFilterMode, ImageLoaderSettings, ImagePlugin, ImageSampler,
    ImageSamplerDescriptor,
};
use rres_bevy::RresPlugin;
use rres_format::chunk::image::PixelFormat;
use rres_format::index::{Meta, MetaKey};
use rres_runtime::Store;
use wgpu_types::TextureFormat;

use super::{app, assets, image, loaded, log, pack, wait};

fn start(app: &App, path: &'static str, settings: fn(&mut ImageLoaderSettings)) -> Handle<Image> {
    app.world().resource::<AssetServer>().load_builder().with_settings(settings).load(path)
}

#[test]
fn settings_of_the_loader_of_bevy_are_obeyed() {
    let mut app = app(&assets());
    let plain = start(&app, "rres://ui/rock.png", |_| {});
    let image = loaded(&mut app, &plain);
    assert_eq!(image.texture_descriptor.format, TextureFormat::Bc7RgbaUnormSrgb, "the default asks for nothing");
    let button = start(&app, "rres://ui/button.png", |settings| {
        settings.is_srgb = false;
        settings.sampler = ImageSampler::linear();
        settings.asset_usage = RenderAssetUsages::RENDER_WORLD;
    });
    let image = loaded(&mut app, &button);
    assert_eq!(image.texture_descriptor.format, TextureFormat::Rgba8Unorm);
    assert_eq!(image.asset_usage, RenderAssetUsages::RENDER_WORLD);
    let ImageSampler::Descriptor(sampler) = &image.sampler else { panic!("{:?}", image.sampler) };
    assert_eq!(*sampler, bevy_image::ImageSamplerDescriptor::linear());
}

#[test]
fn images_are_cut_into_layers() {
    let store = || Store::from_packs([pack(vec![image("tiles.png", PixelFormat::RGBA8, 1)])]);
    let grids: [fn(&mut ImageLoaderSettings); 4] = [
        |settings| settings.array_layout = Some(ImageArrayLayout::RowCount { rows: 2 }),
        |settings| settings.array_layout = Some(ImageArrayLayout::RowHeight { pixels: 1 }),
        |settings| settings.array_layout = Some(ImageArrayLayout::GridCount { columns: 4, rows: 2 }),
        |settings| {
            settings.array_layout = Some(ImageArrayLayout::GridSize { tile_width_pixels: 4, tile_height_pixels: 2 });
        },
    ];
    for (grid, expected) in grids.into_iter().zip([(8, 2, 2), (8, 1, 4), (2, 2, 8), (4, 2, 4)]) {
        let mut app = app(&store());
        let tiles = start(&app, "rres://tiles.png", grid);
        let size = loaded(&mut app, &tiles).texture_descriptor.size;
        assert_eq!((size.width, size.height, size.depth_or_array_layers), expected);
    }
    for (path, said) in [("rres://tiles.png", "divide"), ("rres://levels.png", "image.mipmaps")] {
        let images = vec![image("tiles.png", PixelFormat::RGBA8, 1), image("levels.png", PixelFormat::RGBA8, 2)];
        let mut app = app(&Store::from_packs([pack(images)]));
        let layers = start(&app, path, |settings| settings.array_layout = Some(ImageArrayLayout::RowCount { rows: 3 }));
        let LoadState::Failed(error) = wait(&mut app, layers.id()) else { panic!("{path} is no array") };
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn images_without_a_rule_have_the_sampler_of_the_app() {
    let mut app = app(&assets());
    let rock: Handle<Image> = app.world().resource::<AssetServer>().load("rres://ui/rock.png");
    let sampler = &loaded(&mut app, &rock).sampler;
    assert!(matches!(sampler, ImageSampler::Default), "{sampler:?} is not what `ImagePlugin::default_nearest` changes");
}

#[test]
fn half_a_sampler_is_that_of_the_app() {
    let image = |path, key, value| {
        let mut meta = Meta::default();
        meta.set(key, value);
        image(path, PixelFormat::RGBA8, 1).with_meta(meta)
    };
    let images = vec![image("repeat.png", MetaKey::WRAP, 1), image("nearest.png", MetaKey::FILTER, 1)];
    let store = Store::from_packs([pack(images)]);
    let of_app = ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Nearest,
        address_mode_u: ImageAddressMode::MirrorRepeat,
        anisotropy_clamp: 4,
        ..ImageSamplerDescriptor::linear()
    };
    let mut app = App::new();
    let plugins = (RresPlugin::new(store), TaskPoolPlugin::default(), AssetPlugin::default());
    app.add_plugins((plugins, ImagePlugin { default_sampler: of_app.clone() }));
    app.finish();
    app.cleanup();
    let mut sampler = |path| {
        let image: Handle<Image> = app.world().resource::<AssetServer>().load(path);
        let ImageSampler::Descriptor(sampler) = loaded(&mut app, &image).sampler.clone() else { panic!("{path}") };
        sampler
    };
    let repeat = ImageAddressMode::Repeat;
    let expected = ImageSamplerDescriptor {
        address_mode_u: repeat,
        address_mode_v: repeat,
        address_mode_w: repeat,
        ..of_app.clone()
    };
    assert_eq!(sampler("rres://repeat.png"), expected);
    let nearest = ImageFilterMode::Nearest;
    // A card refuses more samples of such a filter.
    let anisotropy_clamp = 1;
    let expected = ImageSamplerDescriptor {
        mag_filter: nearest,
        min_filter: nearest,
        mipmap_filter: nearest,
        anisotropy_clamp,
        ..of_app
    };
    assert_eq!(sampler("rres://nearest.png"), expected);
}

/// Bevy would give its own loader of images no bytes, and say that the file ends too early.
#[test]
fn an_app_that_reads_no_meta_files_is_told() {
    let with = |meta_check, mode| {
        let errors = log::of(|| {
            let mut app = App::new();
            let plugin = AssetPlugin { meta_check, mode, ..AssetPlugin::default() };
            app.add_plugins((RresPlugin::new(assets()), TaskPoolPlugin::default(), plugin));
            app.init_asset::<Image>();
            app.finish();
        });
        errors.join("\n")
    };
    for some_or_none in [AssetMetaCheck::Never, AssetMetaCheck::Paths(["ui/rock.png".into()].into())] {
        assert!(with(some_or_none, AssetMode::Unprocessed).contains("`AssetPlugin::meta_check`"));
    }
    assert_eq!(with(AssetMetaCheck::Always, AssetMode::Unprocessed), "");
    assert_eq!(with(AssetMetaCheck::Never, AssetMode::Processed), "", "Bevy reads them all the same");
}
