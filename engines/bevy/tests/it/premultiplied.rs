//! Images whose colours are multiplied by alpha.

use bevy_asset::Handle;
use bevy_image::Image;
use rres_format::chunk::image::PixelFormat;
use rres_format::index::{Meta, MetaKey};
use rres_runtime::{Id, Store};

use super::{app, image, loaded, log, pack, with};

#[test]
fn the_first_one_is_a_warning() {
    let mut meta = Meta::default();
    meta.set(MetaKey::PREMULTIPLIED, 1);
    let premultiplied = |path, format| image(path, format, 1).with_meta(meta.clone());
    let store = Store::from_packs([pack(vec![
        image("straight.png", PixelFormat::RGBA8, 1),
        premultiplied("opaque.png", PixelFormat::RGB8),
        premultiplied("first.png", PixelFormat::RGBA8),
        premultiplied("second.png", PixelFormat::RGBA8),
    ])]);
    let mut app = app(&store);
    let warnings = log::of(|| {
        for path in ["straight.png", "opaque.png", "first.png", "second.png"] {
            let handle: Handle<Image> = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path(path)));
            loaded(&mut app, &handle);
        }
    });
    let [warning] = &warnings[..] else { panic!("{warnings:#?}") };
    assert!(warning.contains("first.png") && warning.contains("image.premultiply"), "{warning}");
}
