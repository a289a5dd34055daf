//! What is made again when an asset changes.

use raylib::prelude::*;
use rres_format::chunk::image::PixelFormat;
use rres_raylib::{Drawn, ErrorKind, StoreExt, texture};
use rres_runtime::{Image as Asset, Store};

use crate::Stage;
use crate::packs::{plain, store};

fn empty() -> Store {
    store([])
}

fn square(color: [u8; 4]) -> Asset {
    Asset::from_rgba8(4, 4, color.repeat(16)).unwrap()
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

pub(crate) fn one_frame(stage: &mut Stage) {
    let store = empty();
    let handle = store.insert("a.png", square(RED)).unwrap();
    let thread = stage.thread.clone();
    let mut drawn = Drawn::new(&handle, move |image| texture(&thread, image)).unwrap();
    // raylib draws what it has in its queue when the frame ends: the old texture must live until then, or be drawn before.
    let picture = stage.picture(|draw| {
        draw.draw_texture(drawn.get(), 0, 0, Color::WHITE);
        store.insert("a.png", square(BLUE)).unwrap();
        draw.draw_texture(drawn.get(), 10, 0, Color::WHITE);
        draw.draw_texture(drawn.last(), 20, 0, Color::WHITE);
    });
    assert_eq!([0, 10, 20].map(|x| picture.at(x, 0)), [RED, BLUE, BLUE]);
}

pub(crate) fn errors(stage: &mut Stage) {
    let store = empty();
    let handle = store.insert("100 %s.png", square(RED)).unwrap();
    let undrawable = plain(PixelFormat::BC5, 4, 4, &[0; 16]);
    let thread = stage.thread.clone();
    // An image of one pixel stands for one that cannot be drawn.
    let make =
        move |image: &std::sync::Arc<Asset>| texture(&thread, if image.width() == 1 { &undrawable } else { image });
    let mut drawn = Drawn::new(&handle, make).unwrap();
    store.insert("100 %s.png", Asset::from_rgba8(1, 1, RED).unwrap()).unwrap();
    // raylib prints the error here.
    let picture = stage.picture(|draw| draw.draw_texture(drawn.get(), 0, 0, Color::WHITE));
    assert_eq!(picture.at(3, 3), RED);
    store.insert("100 %s.png", square(BLUE)).unwrap();
    let picture = stage.picture(|draw| draw.draw_texture(drawn.get(), 0, 0, Color::WHITE));
    assert_eq!(picture.at(3, 3), BLUE);
}

/// A texture that is dropped after the window is closed.
pub(crate) fn kept(stage: &mut Stage) -> Drawn<Asset, Texture2D> {
    let thread = stage.thread.clone();
    Drawn::new(&empty().insert("a.png", square(RED)).unwrap(), move |image| texture(&thread, image)).unwrap()
}

/// The window is closed.
pub(crate) fn closed(thread: &RaylibThread) {
    let error = texture(thread, &square(RED)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Window), "{error:?}");
    assert_eq!(format!("{error:?}"), error.to_string(), "`main` prints it");
    let error = empty().texture(thread, rres_runtime::Id::<Asset>::from_path("no.png")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Load(_)), "{error}");
}
