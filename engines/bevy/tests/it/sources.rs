//! Where paths lead.

use bevy_asset::{AssetMode, AssetServer, Handle};
use bevy_image::Image;
use rres_bevy::RresPlugin;
use rres_runtime::{Id, Text};

use super::{app_with, assets, loaded, with};

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
