//! Types that other crates add, and parts of assets.

use bevy_asset::{Asset, Assets, LoadContext};
use bevy_reflect::TypePath;
use rres_bevy::{Becomes, FromStore, RresApp};
use rres_runtime::{Group, Id, Link, Store};

use super::{app, assets, loaded, with};

#[test]
fn parts_of_assets_are_assets_of_their_own() {
    let mut app = app(&assets());
    let part = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path("models/a.glb#image/0")));
    assert_eq!(loaded(&mut app, &part).width(), 8);
}

/// The path of a film: what another crate makes of links.
#[derive(Asset, TypePath, Debug, PartialEq)]
struct Film(String);

impl Becomes<Film> for Link {}

impl FromStore for Film {
    type Stored = Link;
    type Settings = ();
    type Error = rres_runtime::Error;

    fn from_store(link: &Link, (): &(), _: &Store, context: &mut LoadContext<'_>) -> Result<Self, rres_runtime::Error> {
        Ok(Self(format!("{} of {}", link.path(), context.path())))
    }
}

#[test]
fn other_crates_add_types() {
    let mut app = app(&assets());
    app.register_rres_asset::<Film>();
    let film = with(&mut app, |rres| rres.load(Id::<Link>::from_path("intro.link")));
    let expected = Film("movies/intro.mp4 of rres://intro.link".to_owned());
    assert_eq!(*loaded(&mut app, &film), expected);
    let ids: &'static [u32] = vec![Id::<Link>::from_path("intro.link").resource().0].leak();
    let group = with(&mut app, |rres| rres.load_group(Group::<()>::new("films", ids)));
    assert!(group.handles().any(|handle| *handle == film.clone().untyped()), "a group loads them as well");
    assert_eq!(app.world().resource::<Assets<Film>>().len(), 1);
}
