//! What a program sees of its assets: a number for each that depends on everything in it, and the list of them.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use rres_runtime::{AnyId, AssetKind, Error, Font, Image, Link, Model, Raw, ResourceId, Sound, Sprite, Store, Text};

/// Everything about an asset that its `Debug` form does not show.
fn number(asset: &impl Debug, data: &[&[u8]]) -> u64 {
    let mut hash = DefaultHasher::new();
    format!("{asset:?}").hash(&mut hash);
    data.hash(&mut hash);
    hash.finish()
}

/// Loads an asset as what it was, and returns a number for everything in it.
pub(crate) fn load(store: &Store, id: AnyId) -> Result<u64, Error> {
    macro_rules! load {
        ($type:ty, |$asset:ident| $data:expr) => {{
            let $asset = store.load(id.typed::<$type>().expect("it has that kind"))?.get();
            Ok(number(&$asset, $data))
        }};
    }
    match id.kind() {
        Some(AssetKind::Image) => load!(Image, |image| &[image.data()]),
        Some(AssetKind::Sound) => load!(Sound, |sound| &[sound.data()]),
        Some(AssetKind::Text) => load!(Text, |text| &[]),
        Some(AssetKind::Raw) => load!(Raw, |raw| &[raw.bytes()]),
        Some(AssetKind::Link) => load!(Link, |link| &[]),
        Some(AssetKind::Sprite) => load!(Sprite, |sprite| &[]),
        Some(AssetKind::Font) => {
            let font = store.load(id.typed::<Font>().expect("it has that kind"))?.get();
            let strikes = font.strikes().iter().map(|strike| {
                let pages: Vec<&[u8]> = strike.pages().iter().map(|page| &**page.data()).collect();
                let kerning: Vec<_> = strike.kerned_pairs().collect();
                number(&(strike.glyphs(), kerning, strike.line_metrics()), &pages)
            });
            Ok(number(&(&font, strikes.collect::<Vec<_>>()), &[]))
        }
        Some(AssetKind::Model) => {
            let model = store.load(id.typed::<Model>().expect("it has that kind"))?.get();
            let primitives = model.primitives().iter().map(|primitive| {
                let data: Vec<&[u8]> = primitive.attributes().map(|(_, data)| data).collect();
                number(&primitive.indices(), &data)
            });
            Ok(number(&(&model, primitives.collect::<Vec<_>>()), &[]))
        }
        kind => unreachable!("the packs have no {kind:?}"),
    }
}

/// What a program can list: path, id and kind of each asset.
pub(crate) fn list(store: &Store) -> Vec<(String, ResourceId, Option<AssetKind>)> {
    let mounts = store.mounts();
    let mut list: Vec<_> =
        mounts.entries().map(|entry| (entry.path.to_owned(), entry.id.resource(), entry.kind)).collect();
    list.sort();
    list
}
