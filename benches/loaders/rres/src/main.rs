//! Loads from a pack as a game does: with default features, and those for sounds that packs keep as files. On one thread it asks the
//! store for each asset; on several it loads them as a group.

use std::process::ExitCode;

use loader::{Item, Kind, Result, Sink};
use rres_runtime::{AnyId, Font, Id, Image, Model, Pack, Raw, Sound, Store, Text};

fn main() -> ExitCode {
    loader::run(|job, sink| {
        let store = Store::from_packs([Pack::open(&job.store)?]);
        if job.threads > 1 {
            let ids: Vec<AnyId> = store.mounts().entries().map(|entry| entry.id).collect();
            std::mem::forget(store.load_group(ids).wait()?);
        }
        job.items.iter().try_for_each(|item| load(&store, item, sink).map_err(|e| format!("{}: {e}", item.path).into()))
    })
}

fn load(store: &Store, item: &Item, sink: &Sink) -> Result<()> {
    let path = &item.path;
    match item.kind {
        Kind::Image => sink.keep(item, store.load(Id::<Image>::from_path(path))?.get(), |image| image.data()),
        Kind::Sound => {
            sink.keep(item, store.load(Id::<Sound>::from_path(path))?.get().decoded()?, |sound| sound.data())
        }
        Kind::Music => sink.keep(item, store.load(Id::<Sound>::from_path(path))?.get(), |sound| sound.data()),
        Kind::Font => {
            sink.keep(item, store.load(Id::<Font>::from_path(path))?.get(), |font| font.strikes()[0].atlas().data())
        }
        Kind::Model => {
            let model = store.load(Id::<Model>::from_path(path))?.get();
            for primitive in model.primitives() {
                primitive.attributes().for_each(|(_, data)| sink.keep_bytes(item, data.to_vec()));
            }
        }
        Kind::Text => sink.keep(item, store.load(Id::<Text>::from_path(path))?.get(), |text| text.as_str().as_bytes()),
        Kind::Raw => sink.keep(item, store.load(Id::<Raw>::from_path(path))?.get(), |raw| raw.bytes()),
    }
    Ok(())
}
