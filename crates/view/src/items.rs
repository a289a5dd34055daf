//! The resources that the browser shows, and what it says about each.

use std::borrow::Cow;

use rres_format::FourCc;
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

    /// Returns the facts about the resource, each with its name.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let resource = &self.resource;
        let name = resource.shown_path().unwrap_or("none: the pack has only the id".into()).into_owned();
        let is_raw = resource.chunks.first().is_some_and(|chunk| chunk.info.kind == FourCc::RAWD);
        let compressions: Vec<String> = resource.compressions().iter().map(ToString::to_string).collect();
        let ciphers: Vec<String> = resource.ciphers().iter().map(ToString::to_string).collect();
        let or_none = |list: Vec<String>| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
        let linked = match resource.chunks.len() {
            0 | 1 => "no".to_owned(),
            count => format!("{count} chunks"),
        };
        let mut facts = vec![
            ("number", self.number.to_string()),
            ("name", name),
            ("id", resource.id.to_string()),
            ("type", self.kind()),
            ("raw", if is_raw { "yes" } else { "no" }.to_owned()),
            ("compression", or_none(compressions)),
            ("encryption", or_none(ciphers)),
            ("linked", linked),
            ("size", format!("{} stored, {} decoded", ByteSize(resource.stored_size), ByteSize(resource.decoded_size))),
            ("pack", self.pack.name()),
        ];
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
