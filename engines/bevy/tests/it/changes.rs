//! Assets that change while an app runs.

use bevy_app::App;
use bevy_asset::{AssetEvent, Assets};
use bevy_ecs::message::Messages;
use rres_bevy::TextAsset;
use rres_runtime::{Id, Text};

use super::{app, assets, loaded, pack, text, until, with};

#[test]
fn mounting_and_unmounting_are_events_of_the_same_handle() {
    let store = assets();
    let mut app = app(&store);
    let level = with(&mut app, |rres| rres.load(Id::<Text>::from_path("levels/1.txt")));
    assert_eq!(**loaded(&mut app, &level), *"one");
    let messages = |app: &App| app.world().resource::<Messages<AssetEvent<TextAsset>>>().get_cursor_current();
    let mut cursor = messages(&app);
    let mut change = |app: &mut App| {
        until(app, "the text is modified", |app| {
            let messages = app.world().resource::<Messages<AssetEvent<TextAsset>>>();
            cursor.read(messages).any(|event| event.is_modified(&level))
        });
        app.world().resource::<Assets<TextAsset>>().get(&level).unwrap().0.clone()
    };
    // Only Bevy has the text: the store has no handle to it.
    assert_eq!(store.stats().assets, 0);
    let patch = store.mount(pack(vec![text("levels/1.txt", "two"), text("levels/2.txt", "new")])).unwrap();
    assert_eq!(change(&mut app), "two");
    assert!(store.unmount(patch));
    assert_eq!(change(&mut app), "one");
}
