//! What is drawn, and how it moves.

use bevy::prelude::*;
use rres_bevy::{GroupHandles, Rres};
use rres_runtime::Id;

use crate::assets;

/// One of three copies of a picture that move to the left, so that there is always one beside another.
#[derive(Component)]
pub(crate) struct Drifts {
    /// In pixels a second.
    speed: f32,
    width: f32,
}

/// The part of a group that is here, as a bar.
#[derive(Component)]
pub(crate) struct Bar;

const BAR: Vec2 = Vec2::new(400.0, 6.0);
const SKY: Vec2 = Vec2::new(2048.0, 1152.0);

pub(crate) fn spawn_bar(commands: &mut Commands) {
    commands.spawn((
        Bar,
        Sprite::from_color(Color::srgb_u8(238, 232, 213), BAR),
        Transform::from_xyz(0.0, -300.0, 9.0),
    ));
}

pub(crate) fn show_progress(
    group: Res<GroupHandles>,
    server: Res<AssetServer>,
    mut bars: Query<(&mut Sprite, &mut Visibility), With<Bar>>,
) {
    let progress = group.progress(&server);
    for (mut bar, mut visibility) in &mut bars {
        bar.custom_size = Some(Vec2::new(BAR.x * progress.fraction(), BAR.y));
        *visibility = if progress.is_done() { Visibility::Hidden } else { Visibility::Visible };
    }
}

pub(crate) fn spawn_sky(commands: &mut Commands, rres: &Rres) {
    let sky = Sprite { custom_size: Some(SKY), ..Sprite::from_image(rres.load(assets::world::SKY_DUSK_JPG)) };
    commands.spawn((sky, Transform::from_xyz(0.0, 0.0, 0.0)));
}

pub(crate) fn spawn_title(commands: &mut Commands, rres: &Rres) {
    let mountains = Layer { y: -160.0, z: 1.0, speed: 8.0, color: Color::srgb_u8(120, 92, 150) };
    spawn_layer(commands, rres, assets::world::MOUNTAINS_FAR_PNG, mountains);
    commands.spawn((Sprite::from_image(rres.load(assets::world::LANTERN_PNG)), Transform::from_xyz(0.0, 40.0, 5.0)));
}

pub(crate) fn spawn_flight(mut commands: Commands, rres: Rres) {
    let mountains = Layer { y: -220.0, z: 2.0, speed: 40.0, color: Color::srgb_u8(84, 62, 116) };
    spawn_layer(&mut commands, &rres, assets::world::MOUNTAINS_NEAR_PNG, mountains);
    let clouds = Layer { y: -260.0, z: 3.0, speed: 70.0, color: Color::srgb_u8(206, 160, 178) };
    spawn_layer(&mut commands, &rres, assets::world::CLOUD_SEA_FAR_PNG, clouds);
    let clouds = Layer { y: -300.0, z: 6.0, speed: 120.0, color: Color::srgb_u8(240, 196, 190) };
    spawn_layer(&mut commands, &rres, assets::world::CLOUD_SEA_NEAR_PNG, clouds);
}

/// How a picture that repeats sideways is drawn: its place, its speed and its tint.
struct Layer {
    y: f32,
    z: f32,
    speed: f32,
    color: Color,
}

fn spawn_layer(commands: &mut Commands, rres: &Rres, id: Id<rres_runtime::Image>, layer: Layer) {
    let Layer { y, z, speed, color } = layer;
    let width = assets::facts(id).width() as f32;
    for place in [-1.0, 0.0, 1.0] {
        let sprite = Sprite { color, ..Sprite::from_image(rres.load(id)) };
        commands.spawn((sprite, Transform::from_xyz(place * width, y, z), Drifts { speed, width }));
    }
}

pub(crate) fn drift(time: Res<Time>, mut layers: Query<(&Drifts, &mut Transform)>) {
    for (drifts, mut at) in &mut layers {
        at.translation.x -= drifts.speed * time.delta_secs();
        if at.translation.x < -1.5 * drifts.width {
            at.translation.x += 3.0 * drifts.width;
        }
    }
}
