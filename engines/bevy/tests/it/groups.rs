//! Groups and their progress.

use bevy_asset::{AssetServer, Handle};
use bevy_image::Image;
use rres_runtime::{Group, Id, Text};

use super::{app, assets, until, with};

#[test]
fn a_group_tells_its_progress() {
    let ids: &'static [u32] = ["levels/1.txt", "ui/button.png", "ui/rock.png"]
        .map(|path| Id::<Text>::from_path(path).resource().0)
        .to_vec()
        .leak();
    let mut app = app(&assets());
    let level = with(&mut app, |rres| rres.load_group(Group::<()>::new("level", ids)));
    let server = app.world().resource::<AssetServer>().clone();
    assert_eq!((level.name(), level.progress(&server).total), ("level", 3));
    until(&mut app, "the group is loaded", |_| level.progress(&server).is_done());
    let progress = level.progress(&server);
    assert_eq!((progress.loaded, progress.failed, progress.fraction()), (3, 0, 1.0));
    let other = with(&mut app, |rres| rres.load_group(Group::<()>::new("of another build", &[1])));
    let progress = other.progress(&server);
    assert_eq!((progress.failed, progress.is_done()), (1, true), "a member that no pack has is not forgotten");
    let button: Handle<Image> = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path("ui/button.png")));
    assert!(level.handles().any(|handle| handle.id() == button.id().untyped()));
}
