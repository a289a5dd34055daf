//! A flight over the clouds, with the assets of the example game. On a computer they come from the pack beside the program, or from loose files in
//! debug builds; in a browser from a server, while the title is drawn.
//!
//! ```text
//! cargo run --manifest-path engines/bevy/Cargo.toml -p rres-bevy-example
//! cargo rres ship --web -p rres-bevy-example    # in engines/bevy
//! ```

rres_runtime::include_assets!();

#[cfg(target_family = "wasm")]
mod edits;
mod scene;

use bevy::log::{error, info};
use bevy::prelude::*;
use rres_bevy::{GroupFailed, GroupHandles, GroupLoaded, Rres, RresPlugin};
use rres_runtime::Store;

/// What is drawn.
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
enum Screen {
    /// The title, whose assets are loaded first.
    #[default]
    Title,
    /// Everything that a flight needs.
    Flight,
}

#[cfg(not(target_family = "wasm"))]
fn main() -> Result<(), rres_runtime::Error> {
    run(assets::open()?);
    Ok(())
}

/// The page calls it once the program is here. The pack is beside the page.
#[cfg(target_family = "wasm")]
fn main() {
    use rres_http::HttpSource;

    wasm_bindgen_futures::spawn_local(async {
        match assets::open_async(HttpSource::new("lantern-drift.rres").keep("lantern-drift")).await {
            Ok(store) => run(store),
            // Nothing logs yet: the app would.
            Err(error) => wasm_bindgen::throw_str(&error.to_string()),
        }
    });
}

fn run(store: Store) {
    // It fills the page, if there is one.
    let window = Window { title: "Lantern Drift".to_owned(), fit_canvas_to_parent: true, ..Window::default() };
    let mut app = App::new();
    app.add_plugins(RresPlugin::new(store)) // before DefaultPlugins
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..WindowPlugin::default() }))
        .insert_resource(ClearColor(Color::srgb_u8(8, 8, 28)))
        .init_state::<Screen>()
        .add_systems(Startup, load_title)
        .add_systems(OnEnter(Screen::Flight), scene::spawn_flight)
        .add_systems(Update, (scene::drift, scene::show_progress, start_flight.run_if(in_state(Screen::Title))))
        .add_observer(show_group)
        .add_observer(|failed: On<GroupFailed>| {
            error!("{} of {} assets of {} failed", failed.progress.failed, failed.progress.total, failed.group)
        });
    #[cfg(target_family = "wasm")]
    edits::follow(&mut app);
    app.run();
}

fn load_title(mut commands: Commands, rres: Rres) {
    commands.spawn(Camera2d);
    scene::spawn_bar(&mut commands);
    scene::spawn_sky(&mut commands, &rres);
    commands.insert_resource(rres.load_group(assets::groups::INTERFACE));
}

/// A flight starts when the player asks for it, and its assets are here.
fn start_flight(mut commands: Commands, keys: Res<ButtonInput<KeyCode>>, rres: Rres, group: Res<GroupHandles>) {
    if keys.just_pressed(KeyCode::Enter) && group.progress(rres.server()).is_done() {
        commands.insert_resource(rres.load_group(assets::groups::FLIGHT));
    }
}

/// Draws what has been loaded.
fn show_group(loaded: On<GroupLoaded>, mut commands: Commands, rres: Rres, mut next: ResMut<NextState<Screen>>) {
    info!("loaded {}", loaded.group);
    match loaded.group {
        name if name == assets::groups::FLIGHT.name() => next.set(Screen::Flight),
        _ => scene::spawn_title(&mut commands, &rres),
    }
}
