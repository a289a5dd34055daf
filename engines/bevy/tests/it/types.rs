//! Types that other crates add, and parts of assets.

use bevy_asset::{Asset, Assets, LoadContext};
use bevy_math::{Rect, Vec2};
use bevy_reflect::TypePath;
use rres_bevy::{Becomes, FromStore, RresApp};
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::sprite::SpriteProps;
use rres_format::{FourCc, Resource};
use rres_runtime::{Group, Id, Link, Sprite, Store};

use super::{app, assets, chunk, image, loaded, pack, with};

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

#[test]
fn a_picture_in_an_atlas_is_an_image_and_a_rectangle() {
    let (x, y, width, height, left, top) = (1, 2, 3, 2, 4, 0);
    let props = SpriteProps { x, y, width, height, left, top, full_width: 8, full_height: 4 };
    let atlas = image("ui.atlas", PixelFormat::RGBA8, 1);
    let mut rock = Resource::new("rock.png", vec![chunk(FourCc::SPRT, &props.block())]);
    rock.dependencies = vec![atlas.id];
    let mut app = app(&Store::from_packs([pack(vec![atlas, rock])]));
    let rock = with(&mut app, |rres| rres.load(Id::<Sprite>::from_path("rock.png")));
    let rock = loaded(&mut app, &rock).clone();
    assert_eq!((rock.rect, rock.full_size), (Rect::new(1.0, 2.0, 4.0, 4.0), Vec2::new(8.0, 4.0)));
    // 5.5 of 8 columns are left of its centre; one of four rows is above.
    assert_eq!(rock.center, Vec2::new(1.5, 1.0));
    assert_eq!(loaded(&mut app, &rock.image).width(), 8);
}
