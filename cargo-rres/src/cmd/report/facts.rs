//! The facts about each asset of the packs: its sizes, its contents as a hash, and how long loading it takes.

use std::time::Duration;

use rres_format::Decompressor;
use rres_packs::{OpenedPack, Resource};
use rres_protocol::sub_asset;
use serde_json::{Value, json};

use super::decisions::Decisions;
use super::input::Source;
use crate::cmd::ls::resource_json;
use crate::loading::load;

/// An asset, the pack that contains it, and what was measured.
pub(super) struct Asset<'a> {
    pub(super) pack: &'a OpenedPack,
    pub(super) resource: Resource<'a>,
    pub(super) source: Option<Source>,
    /// Bytes that a graphics card allocates for it; `None` if they are not known.
    pub(super) video_memory: Option<u64>,
    /// A hash of the kinds and the decoded bytes of its chunks; `None` if they are damaged.
    pub(super) contents: Option<String>,
    /// How long loading took; `None` if it failed.
    pub(super) load: Option<Duration>,
    /// Why it cannot be loaded.
    pub(super) error: Option<String>,
}

impl<'a> Asset<'a> {
    pub(super) fn new(pack: &'a OpenedPack, resource: Resource<'a>, source: Option<Source>) -> Self {
        let (contents, damage) = match contents(&resource) {
            Ok(contents) => (Some(contents), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let loaded = match (pack.runtime_pack(), resource.kind, resource.sealed_with()) {
            (Some(pack), Some(kind), None) => Some(load(pack, resource.id, kind)),
            _ => None,
        };
        let (load, error) = match loaded {
            Some(Ok(loaded)) => (loaded.map(|loaded| loaded.time), None),
            Some(Err(error)) => (None, Some(error.to_string())),
            None => (None, None),
        };
        let video_memory = resource.video_memory();
        Self { pack, resource, source, video_memory, contents, load, error: error.or(damage) }
    }

    /// Returns the path of the source. For a sub-asset, this is the path of the asset that it comes from.
    pub(super) fn source_path(&self) -> Option<&str> {
        self.resource.path.as_deref().map(sub_asset::file)
    }

    pub(super) fn to_json(&self, decisions: &Decisions) -> Value {
        let seconds = |time: Option<Duration>| time.map(|time| (time.as_secs_f64() * 1e7).round() / 1e7);
        let mut json = resource_json(&self.resource);
        json["source_size"] = json!(self.source.map(|source| source.size));
        json["import_seconds"] = json!(seconds(self.source.and_then(|source| source.import)));
        json["load_seconds"] = json!(seconds(self.load));
        json["contents"] = json!(self.contents);
        json["error"] = json!(self.error);
        json["decided"] = decisions.json(&self.resource);
        json
    }
}

/// Hashes what an asset consists of. Encrypted chunks count as they are stored.
fn contents(resource: &Resource<'_>) -> rres_format::Result<String> {
    let mut decompressor = Decompressor::default();
    let mut hasher = blake3::Hasher::new();
    for chunk in &resource.chunks {
        hasher.update(&chunk.info.kind.0);
        if resource.keyring.can_read(chunk.info.cipher) {
            chunk.verify()?;
            hasher.update(&resource.keyring.decode(chunk, &mut decompressor)?.into_bytes());
        } else {
            hasher.update(chunk.stored);
        }
    }
    // Enough to tell apart all assets there are.
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}
