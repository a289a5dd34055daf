//! Where paths lead.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::{AssetApp, AssetMode, AssetPlugin, AssetServer, Handle, LoadState};
use bevy_image::Image;
use rres_bevy::RresPlugin;
use rres_runtime::{Id, Text};

use super::{app_with, assets, loaded, wait, with};

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

/// `FromWorld` of a resource loads then, and Bevy's own loader of images is there already.
#[test]
fn assets_that_are_asked_for_before_the_app_is_finished_are_loaded() {
    let mut app = App::new();
    app.add_plugins((RresPlugin::new(assets()), TaskPoolPlugin::default(), AssetPlugin::default()));
    app.init_asset::<Image>();
    app.preregister_asset_loader::<bevy_image::ImageLoader>(&["png"]);
    let button: Handle<Image> = app.world().resource::<AssetServer>().load("rres://ui/button.png");
    app.register_asset_loader(bevy_image::ImageLoader::new(bevy_image::CompressedImageFormats::NONE));
    // Threads of Bevy may have begun to load.
    std::thread::yield_now();
    app.finish();
    app.cleanup();
    assert_eq!(loaded(&mut app, &button).width(), 8);
}

/// Bevy takes the newest loader of a type for them.
#[test]
fn images_of_other_sources_without_an_extension_are_files() {
    const BMP: &[u8] = include_bytes!("red.bmp");
    let files = Dir::new("".into());
    files.insert_asset("avatar".as_ref(), BMP);
    // A pack that happens to have the path, too.
    files.insert_asset("ui/button.png".as_ref(), &b"no picture"[..]);
    let mut app = App::new();
    let reader = move || Box::new(MemoryAssetReader { root: files.clone() }) as _;
    app.register_asset_source(AssetSourceId::from("web"), AssetSourceBuilder::new(reader));
    app.add_plugins((RresPlugin::new(assets()), TaskPoolPlugin::default(), AssetPlugin::default()));
    app.init_asset::<Image>();
    app.register_asset_loader(bevy_image::ImageLoader::new(bevy_image::CompressedImageFormats::NONE));
    app.finish();
    app.cleanup();
    let load = |app: &App, path| -> Handle<Image> { app.world().resource::<AssetServer>().load(path) };
    let avatar = load(&app, "web://avatar");
    let avatar = loaded(&mut app, &avatar);
    assert_eq!((avatar.width(), avatar.data.as_deref()), (1, Some(&[255, 0, 0, 255][..])));
    let button = load(&app, "web://ui/button.png");
    assert!(matches!(wait(&mut app, button.id()), LoadState::Failed(_)));
}
