//! Groups: their progress, and the events at the end.

use bevy_app::App;
use bevy_asset::{AssetServer, Handle};
use bevy_ecs::prelude::{On, ResMut, Resource};
use bevy_image::Image;
use rres_bevy::{GroupFailed, GroupHandles, GroupLoaded, GroupProgress};
use rres_format::chunk::wave::WaveProps;
use rres_format::{FourCc, Resource as Stored};
use rres_runtime::{Group, Id, Sound, Store, Text};

use super::{app, assets, chunk, pack, text, until, with};

/// The events, in order.
#[derive(Default, Resource)]
struct Told {
    loaded: Vec<&'static str>,
    failed: Vec<(&'static str, GroupProgress)>,
}

fn listening() -> App {
    listening_to(&assets())
}

fn listening_to(store: &Store) -> App {
    let mut app = app(store);
    app.init_resource::<Told>()
        .add_observer(|event: On<GroupLoaded>, mut told: ResMut<Told>| told.loaded.push(event.group))
        .add_observer(|event: On<GroupFailed>, mut told: ResMut<Told>| told.failed.push((event.group, event.progress)));
    app
}

/// Starts to load the assets with these paths.
fn load(app: &mut App, name: &'static str, paths: &[&str]) -> GroupHandles {
    let ids: Vec<u32> = paths.iter().map(|path| Id::<Text>::from_path(path).resource().0).collect();
    with(app, |rres| rres.load_group(Group::<()>::new(name, ids.leak())))
}

#[test]
fn a_group_tells_its_progress_and_once_that_it_is_loaded() {
    let mut app = listening();
    let level = load(&mut app, "level", &["levels/1.txt", "ui/button.png", "ui/rock.png"]);
    let server = app.world().resource::<AssetServer>().clone();
    assert_eq!((level.name(), level.progress(&server).total), ("level", 3));
    until(&mut app, "the group is loaded", |app| !app.world().resource::<Told>().loaded.is_empty());
    let progress = level.progress(&server);
    assert_eq!((progress.loaded, progress.failed, progress.fraction()), (3, 0, 1.0));
    let button: Handle<Image> = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path("ui/button.png")));
    assert!(level.handles().any(|handle| handle.id() == button.id().untyped()));

    // Its assets are loaded already; the event of another group with them still comes, and the first one does not come again.
    let _again = load(&mut app, "again", &["levels/1.txt"]);
    until(&mut app, "the group is loaded", |app| app.world().resource::<Told>().loaded.len() > 1);
    app.update();
    let told = app.world().resource::<Told>();
    assert_eq!((told.loaded.as_slice(), told.failed.as_slice()), (&["level", "again"][..], &[][..]));
}

#[test]
fn a_group_with_an_asset_that_cannot_be_loaded_has_failed() {
    let mut app = listening();
    // A build of other assets had the first, and the second is not a model.
    let _level = load(&mut app, "level", &["levels/9.txt", "models/a.glb", "levels/1.txt"]);
    until(&mut app, "the group has failed", |app| !app.world().resource::<Told>().failed.is_empty());
    app.update();
    let told = app.world().resource::<Told>();
    assert_eq!(told.failed, [("level", GroupProgress { loaded: 1, failed: 2, total: 3 })]);
    assert!(told.loaded.is_empty());
}

#[test]
fn members_that_bevy_has_no_type_for_are_loaded_by_the_store() {
    let wave = WaveProps { frames: 3, sample_rate: 8000, sample_size: 16, channels: 1 }.block(&[0; 6]);
    let hit = Stored::new("hit.aiff", vec![chunk(FourCc::WAVE, &wave)]);
    let store = Store::from_packs([pack(vec![hit, text("levels/1.txt", "one")])]);
    let mut app = listening_to(&store);
    let level = load(&mut app, "level", &["hit.aiff", "levels/1.txt"]);
    until(&mut app, "the group is loaded", |app| !app.world().resource::<Told>().loaded.is_empty());
    let progress = level.progress(app.world().resource::<AssetServer>());
    assert_eq!((progress, level.handles().len()), (GroupProgress { loaded: 2, failed: 0, total: 2 }, 1));
    assert!(store.loaded(Id::<Sound>::from_path("hit.aiff")).is_some(), "the group keeps it");
    drop(level);
    assert!(store.loaded(Id::<Sound>::from_path("hit.aiff")).is_none());
}

#[test]
fn a_group_that_nobody_keeps_tells_nothing() {
    let mut app = listening();
    drop(load(&mut app, "left", &["levels/1.txt"]));
    let _kept = load(&mut app, "kept", &["levels/1.txt"]);
    until(&mut app, "the group is loaded", |app| !app.world().resource::<Told>().loaded.is_empty());
    assert_eq!(app.world().resource::<Told>().loaded, ["kept"]);
}
