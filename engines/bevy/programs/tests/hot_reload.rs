//! A file that is edited while an app runs: the program that Bevy's users have, without its window.

rres_runtime::include_assets!(mod edited);

use std::fs;
use std::path::Path;
use std::time::Duration;

use bevy::app::TaskPoolPlugin;
use bevy::ecs::message::Messages;
use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use rres_bevy::{Rres, RresPlugin};
use rres_runtime::Event;

/// An image of one pixel, which `build.rs` has written.
const SKIN: &str = concat!(env!("OUT_DIR"), "/edited/skin.tga");

/// How long the importer may take on a machine that is busy with other builds. Only a test that would hang forever reaches it.
const LIMIT: Duration = Duration::from_secs(1200);

/// Gives the file its first content back, which the build has imported.
struct Restored(Vec<u8>);

impl Drop for Restored {
    fn drop(&mut self) {
        save(&self.0);
    }
}

/// Saves as editors do: the file never has half of its content.
fn save(content: &[u8]) {
    let beside = Path::new(env!("OUT_DIR")).join("skin.tga.saved");
    fs::write(&beside, content).unwrap();
    fs::rename(&beside, SKIN).unwrap();
}

#[test]
fn an_edited_file_is_a_new_value_of_its_handle_two_frames_after_the_store_has_it() {
    let store = edited::open().unwrap();
    let noticed = store.events();
    let mut app = App::new();
    app.add_plugins((RresPlugin::new(store), TaskPoolPlugin::default(), AssetPlugin::default()));
    app.init_asset::<Image>();
    app.finish();
    app.cleanup();
    let mut state: SystemState<Rres<'_>> = SystemState::new(app.world_mut());
    let skin: Handle<Image> = state.get(app.world()).unwrap().load(edited::SKIN_TGA);
    // Without Bevy's feature `multi_threaded`, its tasks run at the end of each frame: the image is read in the first one, and has its
    // place in the second one.
    let two_frames = |app: &mut App| {
        app.update();
        app.update();
        app.world().resource::<Assets<Image>>().get(&skin).and_then(|image| image.data.clone())
    };
    assert_eq!(two_frames(&mut app), Some(vec![30, 20, 10, 255]));

    let original = Restored(fs::read(SKIN).unwrap());
    let mut file = original.0.clone();
    *file.last_chunk_mut().unwrap() = [70, 80, 90, 255];
    save(&file);
    loop {
        match noticed.recv_timeout(LIMIT) {
            Some(Event::NotLoaded { path }) if path == "skin.tga" => break,
            Some(Event::ImportFailed { message, .. }) => panic!("{message}"),
            Some(_) => {}
            None => panic!("the store has not noticed the edit within {LIMIT:?}"),
        }
    }
    let mut cursor = app.world().resource::<Messages<AssetEvent<Image>>>().get_cursor_current();
    assert_eq!(two_frames(&mut app), Some(vec![90, 80, 70, 255]));
    let messages = app.world().resource::<Messages<AssetEvent<Image>>>();
    assert!(cursor.read(messages).any(|event| event.is_modified(&skin)));
}
