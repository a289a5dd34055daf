//! An app without a window that loads from a pack, by constants and by path.

mod changes;
mod devices;
mod fetched;
mod files;
mod groups;
mod loading;
mod log;
mod premultiplied;
mod settings;
mod sources;
mod types;

use std::thread;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetMode, AssetPlugin, AssetServer, Assets, Handle, LoadState, UntypedAssetId};
use bevy_ecs::system::SystemState;
use bevy_image::Image;
use rres_bevy::{Rres, RresPlugin};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::link::link_block;
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Pack, PackOptions, Store};

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
        image("models/a.glb#image/0", PixelFormat::RGBA8, 1),
        Resource::new("intro.link", vec![chunk(FourCc::LINK, &link_block("movies/intro.mp4"))]),
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

/// More frames than anything here takes. Without Bevy's feature `multi_threaded`, the tasks that load run within frames, and a few are
/// enough; with it, frames go by while they run.
const FRAMES: u32 = 100_000;

/// Runs frames until `condition` is true.
#[track_caller]
fn until(app: &mut App, what: &str, mut condition: impl FnMut(&App) -> bool) {
    for _ in 0..FRAMES {
        app.update();
        if condition(app) {
            return;
        }
        thread::yield_now();
    }
    panic!("not within {FRAMES} frames: {what}");
}

/// Runs frames until an asset is loaded or has failed.
#[track_caller]
fn wait(app: &mut App, id: impl Into<UntypedAssetId>) -> LoadState {
    let id = id.into();
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(id);
    until(app, "an asset is loaded or has failed", |app| {
        !matches!(state(app), LoadState::NotLoaded | LoadState::Loading)
    });
    state(app)
}

fn loaded<'a, A: bevy_asset::Asset>(app: &'a mut App, handle: &Handle<A>) -> &'a A {
    let state = wait(app, handle.id());
    assert!(matches!(state, LoadState::Loaded), "{state:?}");
    app.world().resource::<Assets<A>>().get(handle).unwrap()
}
