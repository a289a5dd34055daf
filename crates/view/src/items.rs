//! The resources that the browser shows, and what it says about each.

use std::borrow::Cow;

use rres_format::AssetKind;
use rres_packs::pack_set::packs;
use rres_packs::{OpenedPack, PackSet, Resource, ResourceList, describe};
use rres_settings::ByteSize;

/// A resource and its pack.
pub(crate) struct Item<'a> {
    pub(crate) pack: &'a OpenedPack,
    pub(crate) resource: Resource<'a>,
    /// Its number in the order of the pack, from 1.
    number: usize,
}

/// Returns all resources of the sets, in the order of paths within each pack.
pub(crate) fn items<'a>(sets: &'a [PackSet], lists: Vec<ResourceList<'a>>) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    for (pack, list) in packs(sets).zip(lists) {
        let offset = |resource: &Resource<'_>| resource.chunks.first().map(|chunk| chunk.offset);
        let mut order: Vec<usize> = (0..list.resources.len()).collect();
        order.sort_by_key(|i| offset(&list.resources[*i]));
        let mut numbers = vec![0; order.len()];
        order.into_iter().enumerate().for_each(|(number, i)| numbers[i] = number + 1);
        let of_pack = list.resources.into_iter().zip(numbers);
        items.extend(of_pack.map(|(resource, number)| Item { pack, resource, number }));
    }
    items
}

impl Item<'_> {
    /// Returns the path, or the id in its place.
    pub(crate) fn path(&self) -> Cow<'_, str> {
        self.resource.shown_path().unwrap_or_else(|| self.resource.id.to_string().into())
    }

    /// Returns the facts about the resource, each with its name, except for what is so of nearly every resource. The preview knows
    /// `about` the picture or the sound, once it is made.
    pub(crate) fn facts(&self, about: Option<&str>) -> Vec<(&'static str, String)> {
        let resource = &self.resource;
        let name = resource.shown_path().unwrap_or("none: the pack has only the id".into()).into_owned();
        let compressions: Vec<String> = resource.compressions().iter().map(ToString::to_string).collect();
        let ciphers: Vec<String> = resource.ciphers().iter().map(ToString::to_string).collect();
        let content = match resource.kind {
            Some(AssetKind::Image) => Some("picture"),
            Some(AssetKind::Sound) => Some("sound"),
            _ => None,
        };
        let mut facts = vec![("name", name), ("type", self.kind())];
        facts.extend(content.map(|name| (name, about.unwrap_or("…").to_owned())));
        facts.push((
            "size",
            format!("{} stored, {} decoded", ByteSize(resource.stored_size), ByteSize(resource.decoded_size)),
        ));
        let compressions = if compressions.is_empty() { "none".to_owned() } else { compressions.join(", ") };
        facts.push(("compression", compressions));
        if !ciphers.is_empty() {
            facts.push(("encryption", ciphers.join(", ")));
        }
        if resource.chunks.len() > 1 {
            facts.push(("linked", format!("{} chunks", resource.chunks.len())));
        }
        facts.push(("id", resource.id.to_string()));
        facts.push(("number", self.number.to_string()));
        facts.push(("pack", self.pack.name()));
        let index = self.pack.view().index();
        let metadata =
            resource.slot.and_then(|slot| index?.meta(slot).ok()).map(describe::metadata).unwrap_or_default();
        if !metadata.is_empty() {
            let metadata = metadata.iter().map(|(name, value)| format!("{name} {}", describe::to_text(value)));
            facts.push(("metadata", metadata.collect::<Vec<_>>().join(", ")));
        }
        facts
    }

    /// Returns the asset kind and the kind of the first chunk: `image, IMGE`.
    fn kind(&self) -> String {
        let name = self.resource.kind_name();
        match self.resource.chunks.first().map(|chunk| chunk.info.kind.to_string()) {
            Some(chunk) if chunk != name => format!("{name}, {chunk}"),
            _ => name,
        }
    }
}
