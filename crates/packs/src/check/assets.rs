//! Fonts and models, whose chunks must fit each other.

use std::collections::HashSet;

use rres_format::{AssetKind, Error};
use rres_runtime::{ErrorKind, Font, Model, Sprite};

use crate::finding::{Code, Findings};
use crate::opened_pack::OpenedPack;
use crate::resource_list::ResourceList;
use crate::truncation::Truncation;

/// Loads the fonts, models and sprites of a pack as a game does.
pub(super) fn check(pack: &OpenedPack, cut: Option<&Truncation>, findings: &mut Findings<'_>) {
    let Some(runtime_pack) = pack.runtime_pack().filter(|_| !pack.is_dev_index()) else { return };
    let mut ids = HashSet::new();
    for resource in ResourceList::new(pack).resources {
        // Without a front index, chunks that nothing links to are resources of their own with the same id.
        if !ids.insert(resource.id) || (cut.is_some() && resource.chunks.is_empty()) {
            continue;
        }
        let loaded = match resource.kind {
            Some(AssetKind::Font) => runtime_pack.load::<Font>(resource.id).map(drop),
            Some(AssetKind::Model) => runtime_pack.load::<Model>(resource.id).map(drop),
            Some(AssetKind::Sprite) => runtime_pack.load::<Sprite>(resource.id).map(drop),
            _ => continue,
        };
        let Err(error) = loaded else { continue };
        let message = match error.kind() {
            ErrorKind::Format(error @ Error::Inconsistent { .. }) => error.to_string(),
            // The check of the chunks has reported damage of a single chunk, and the check of sources damaged files.
            ErrorKind::Format(_) | ErrorKind::Source(_) => continue,
            ErrorKind::MissingChunk(kind) => format!("expected a chunk of kind {kind}, found none"),
            _ => error.to_string(),
        };
        findings.add_resource(Code::AssetInconsistent, resource.id, message);
    }
}
