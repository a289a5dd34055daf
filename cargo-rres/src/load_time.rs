//! How long a game takes to load an asset.

use std::time::{Duration, Instant};

use rres_format::{AssetKind, ResourceId};
use rres_runtime::{Font, Image, Link, Model, Pack, Raw, Result, Sound, Sprite, Text};

/// Loads an asset as a game does, and returns how long it took; `None` if the kind has no type.
pub(crate) fn load_time(pack: &Pack, id: ResourceId, kind: AssetKind) -> Result<Option<Duration>> {
    let start = Instant::now();
    match kind {
        AssetKind::Raw => drop(pack.load::<Raw>(id)?),
        AssetKind::Text => drop(pack.load::<Text>(id)?),
        AssetKind::Image => drop(pack.load::<Image>(id)?),
        AssetKind::Sound => drop(pack.load::<Sound>(id)?),
        AssetKind::Font => drop(pack.load::<Font>(id)?),
        AssetKind::Model => drop(pack.load::<Model>(id)?),
        AssetKind::Link => drop(pack.load::<Link>(id)?),
        AssetKind::Sprite => drop(pack.load::<Sprite>(id)?),
        // A kind of a later version of the format.
        _ => return Ok(None),
    }
    Ok(Some(start.elapsed()))
}
