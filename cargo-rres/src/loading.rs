//! What loading an asset costs a game.

use std::time::{Duration, Instant};

use rres_format::{AssetKind, ResourceId};
use rres_runtime::{Font, Image, Link, Model, Pack, Raw, Result, Sound, Sprite, Text};

/// An asset that was loaded as a game does it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    /// How long it took.
    pub(crate) time: Duration,
    /// The bytes of its pixels or samples, of which the pack may have a file that is smaller; 0 for other kinds.
    pub(crate) size: u64,
}

/// Loads an asset; `None` if the kind has no type.
pub(crate) fn load(pack: &Pack, id: ResourceId, kind: AssetKind) -> Result<Option<Loaded>> {
    let start = Instant::now();
    let size = match kind {
        AssetKind::Raw => size_of_other(pack.load::<Raw>(id)?),
        AssetKind::Text => size_of_other(pack.load::<Text>(id)?),
        AssetKind::Image => pack.load::<Image>(id)?.data().len(),
        AssetKind::Sound => pack.load::<Sound>(id)?.data().len(),
        AssetKind::Font => size_of_other(pack.load::<Font>(id)?),
        AssetKind::Model => size_of_other(pack.load::<Model>(id)?),
        AssetKind::Link => size_of_other(pack.load::<Link>(id)?),
        AssetKind::Sprite => size_of_other(pack.load::<Sprite>(id)?),
        // A kind of a later version of the format.
        _ => return Ok(None),
    };
    Ok(Some(Loaded { time: start.elapsed(), size: size as u64 }))
}

fn size_of_other<T>(_: T) -> usize {
    0
}
