//! An app without a window that loads from a pack, by constants and by path.

use std::thread;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{
    AssetApp, AssetEvent, AssetMode, AssetPlugin, AssetServer, Assets, Handle, LoadState, UntypedAssetId,
};
use bevy_ecs::message::Messages;
use bevy_ecs::system::SystemState;
use bevy_image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler};
use rres_bevy::{RawAsset, Rres, RresPlugin, TextAsset};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Group, Id, Pack, PackOptions, Raw, Store, Text};
use wgpu_types::TextureFormat;

fn chunk(kind: FourCc, block: &[u8]) -> StoredChunk<'static> {
    StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap()
}

fn text(path: &str, text: &str) -> Resource<'static> {
    Resource::new(path, vec![chunk(FourCc::TEXT, &TextProps::utf8(text.len() as u32).block(text.as_bytes()))])
}

fn image(path: &str, format: PixelFormat, mipmaps: u32) -> Resource<'static> {
    let size: usize = (0..mipmaps).map(|level| format.level_size(8 >> level, 4 >> level).unwrap() as usize).sum();
    let props = ImageProps { width: 8, height: 4, format, mipmaps };
    Resource::new(path, vec![chunk(FourCc::IMGE, &props.block(&vec![7; size]))])
}

fn pack(resources: Vec<Resource<'static>>) -> Pack {
    let mut pack = PackBuilder::new();
    resources.into_iter().for_each(|resource| pack.push(resource));
    PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()
}

fn assets() -> Store {
    let mut meta = Meta::default();
    meta.set(MetaKey::FILTER, 1);
    meta.set(MetaKey::WRAP, 1);
    Store::from_packs([pack(vec![
        text("levels/1.txt", "one"),
        image("ui/button.png", PixelFormat::RGBA8, 1).with_meta(meta),
        image("ui/rock.png", PixelFormat::BC7, 1),
        image("ui/photo.jpg", PixelFormat::RGB8, 3),
        Resource::new("models/a.glb", vec![chunk(FourCc::RAWD, &raw_block(".bin", &[1]))]).with_kind(AssetKind::Model),
        Resource::new("data/a.bin", vec![chunk(FourCc::RAWD, &raw_block(".bin", &[0xff, 0, 1]))]),
    ])])
}

fn app(store: &Store) -> App {
    app_with(RresPlugin::new(store.clone()), AssetMode::Unprocessed)
}

fn app_with(plugin: RresPlugin, mode: AssetMode) -> App {
    let mut app = App::new();
    app.add_plugins((plugin, TaskPoolPlugin::default(), AssetPlugin { mode, ..AssetPlugin::default() }));
    app.init_asset::<Image>();
    app.finish();
    app.cleanup();
    app
}

/// Calls `work` with the parameter that systems get.
fn with<T>(app: &mut App, work: impl FnOnce(&Rres<'_>) -> T) -> T {
    let mut state: SystemState<Rres<'_>> = SystemState::new(app.world_mut());
    work(&state.get(app.world()).unwrap())
}

/// Runs frames until an asset is loaded or has failed.
fn wait(app: &mut App, id: impl Into<UntypedAssetId>) -> LoadState {
    let id = id.into();
    loop {
        app.update();
        match app.world().resource::<AssetServer>().load_state(id) {
            LoadState::NotLoaded | LoadState::Loading => thread::yield_now(),
            state => return state,
        }
    }
}

fn loaded<'a, A: bevy_asset::Asset>(app: &'a mut App, handle: &Handle<A>) -> &'a A {
    let state = wait(app, handle.id());
    assert!(matches!(state, LoadState::Loaded), "{state:?}");
    app.world().resource::<Assets<A>>().get(handle).unwrap()
}

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
fn a_change_is_an_event_of_the_same_handle() {
    let store = assets();
    let mut app = app(&store);
    let level = with(&mut app, |rres| rres.load(Id::<Text>::from_path("levels/1.txt")));
    assert_eq!(**loaded(&mut app, &level), *"one");
    // The store tells of changes of what it has loaded; hot reload tells of others, too.
    let _held = store.load(Id::<Text>::from_path("levels/1.txt")).unwrap();
    let mut cursor = app.world().resource::<Messages<AssetEvent<TextAsset>>>().get_cursor_current();
    store.mount(pack(vec![text("levels/1.txt", "two")])).unwrap();
    loop {
        app.update();
        let messages = app.world().resource::<Messages<AssetEvent<TextAsset>>>();
        if cursor.read(messages).any(|event| event.is_modified(&level)) {
            break;
        }
        thread::yield_now();
    }
    assert_eq!(**app.world().resource::<Assets<TextAsset>>().get(&level).unwrap(), *"two");
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

#[test]
fn a_group_tells_its_progress() {
    let ids: &'static [u32] = ["levels/1.txt", "ui/button.png", "ui/rock.png"]
        .map(|path| Id::<Text>::from_path(path).resource().0)
        .to_vec()
        .leak();
    let mut app = app(&assets());
    let level = with(&mut app, |rres| rres.load_group(Group::<()>::new("level", ids)));
    let server = app.world().resource::<AssetServer>().clone();
    assert_eq!((level.name(), level.progress(&server).total), ("level", 3));
    while !level.progress(&server).is_done() {
        app.update();
        thread::yield_now();
    }
    let progress = level.progress(&server);
    assert_eq!((progress.loaded, progress.failed, progress.fraction()), (3, 0, 1.0));
    let other = with(&mut app, |rres| rres.load_group(Group::<()>::new("of another build", &[1])));
    let progress = other.progress(&server);
    assert_eq!((progress.failed, progress.is_done()), (1, true), "a member that no pack has is not forgotten");
    let button: Handle<Image> = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path("ui/button.png")));
    assert!(level.handles().any(|handle| handle.id() == button.id().untyped()));
}

#[test]
fn the_store_can_be_the_default_source() {
    let mut app = app_with(RresPlugin::new(assets()).as_default_source(), AssetMode::Unprocessed);
    let (by_id, level) = with(&mut app, |rres| {
        (
            rres.load(Id::<rres_runtime::Image>::from_path("ui/button.png")),
            rres.load(Id::<Text>::from_path("levels/1.txt")),
        )
    });
    let by_path: Handle<Image> = app.world().resource::<AssetServer>().load("ui/button.png");
    assert_eq!(by_id, by_path, "an asset has one handle");
    assert_eq!(loaded(&mut app, &by_path).width(), 8);
    assert_eq!(**loaded(&mut app, &level), *"one");
}

#[test]
fn the_store_is_there_beside_processed_assets() {
    let mut app = app_with(RresPlugin::new(assets()), AssetMode::Processed);
    let (button, level) = with(&mut app, |rres| {
        (
            rres.load(Id::<rres_runtime::Image>::from_path("ui/button.png")),
            rres.load(Id::<Text>::from_path("levels/1.txt")),
        )
    });
    assert_eq!(loaded(&mut app, &button).width(), 8);
    assert_eq!(**loaded(&mut app, &level), *"one");
}
