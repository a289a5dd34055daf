//! Images whose colours are multiplied by alpha.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use bevy_asset::Handle;
use bevy_image::Image;
use rres_format::chunk::image::PixelFormat;
use rres_format::index::{Meta, MetaKey};
use rres_runtime::{Id, Store};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::{app, image, loaded, pack, with};

/// Writes down the warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, "{field}={value:?}").unwrap();
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target().starts_with("rres_bevy")
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message(String::new());
        event.record(&mut message);
        self.0.lock().unwrap().push(message.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> tracing::Id {
        tracing::Id::from_u64(1)
    }

    fn enter(&self, _: &tracing::Id) {}

    fn exit(&self, _: &tracing::Id) {}

    fn record(&self, _: &tracing::Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::Id, _: &tracing::Id) {}
}

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
    let warnings = Warnings::default();
    // Without Bevy's feature `multi_threaded`, loaders run on this thread.
    tracing::subscriber::with_default(warnings.clone(), || {
        for path in ["straight.png", "opaque.png", "first.png", "second.png"] {
            let handle: Handle<Image> = with(&mut app, |rres| rres.load(Id::<rres_runtime::Image>::from_path(path)));
            loaded(&mut app, &handle);
        }
    });
    let warnings = warnings.0.lock().unwrap();
    let [warning] = &warnings[..] else { panic!("{warnings:#?}") };
    assert!(warning.contains("first.png") && warning.contains("image.premultiply"), "{warning}");
}
