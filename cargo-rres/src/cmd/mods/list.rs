//! The resources of a game's packs → the list of assets in a kit: paths, ids, kinds, groups and facts, and nothing of their contents.

use std::collections::BTreeMap;

use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Decompressor, FourCc, ResourceId};
use rres_packs::extract::replacement_settings;
use rres_packs::{OpenedPack, PackSet, Resource, describe, pack_set};
use serde_json::{Map, Value, json};

/// The id of the mod in the template.
pub(super) const TEMPLATE_ID: &str = "my-mod";

/// An asset that mods can replace.
pub(super) struct Listed {
    pub(super) path: String,
    id: ResourceId,
    kind: String,
    groups: Vec<String>,
    facts: Map<String, Value>,
    /// The lines of the rule with which a file of an author is imported as the game's own.
    pub(super) settings: Vec<String>,
}

/// Lists the assets of a pack set, by path. Sub-assets come with the asset that they are in, and what has no path cannot be replaced by one.
pub(super) fn list(set: &PackSet) -> Vec<Listed> {
    let sets = std::slice::from_ref(set);
    let lists = pack_set::resource_lists(sets);
    let mut listed = Vec::new();
    for (pack, list) in pack_set::packs(sets).zip(lists) {
        let groups = groups(pack);
        for resource in list.resources.iter().filter(|resource| !resource.is_sub_asset()) {
            let Some(path) = resource.path.as_deref() else { continue };
            let groups = groups.get(&resource.id).cloned().unwrap_or_default();
            let meta = meta(pack, resource);
            let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
            listed.push(Listed {
                path: path.to_owned(),
                id: resource.id,
                kind: resource.kind_name(),
                groups,
                facts: facts(resource, &meta),
                settings: settings(resource, extension, &meta),
            });
        }
    }
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    listed
}

fn groups(pack: &OpenedPack) -> BTreeMap<ResourceId, Vec<String>> {
    let mut groups: BTreeMap<ResourceId, Vec<String>> = BTreeMap::new();
    let Some(index) = pack.view().index() else { return groups };
    for group in index.groups().filter_map(Result::ok) {
        for id in group.slots().filter_map(|slot| index.id(slot)) {
            groups.entry(id).or_default().push(group.name.to_owned());
        }
    }
    groups
}

fn meta(pack: &OpenedPack, resource: &Resource<'_>) -> Meta {
    let meta = resource.slot.and_then(|slot| pack.view().index()?.meta(slot).ok());
    meta.map(|meta| meta.to_meta()).unwrap_or_default()
}

fn settings(resource: &Resource<'_>, extension: &str, meta: &Meta) -> Vec<String> {
    match resource.kind {
        // A picture becomes a sprite by being in an atlas, and the atlas of the mod needs a name that no other one has.
        Some(AssetKind::Sprite) => vec![format!("image = {{ atlas = \"{TEMPLATE_ID}\" }}")],
        kind => replacement_settings(kind, extension, meta),
    }
}

/// Returns what an author must know to draw or record another one: sizes and formats of pictures and sounds, and nothing that could be contents.
fn facts(resource: &Resource<'_>, meta: &Meta) -> Map<String, Value> {
    let known = match resource.kind {
        Some(AssetKind::Image) => &["width", "height", "format"][..],
        Some(AssetKind::Sound) => &["frames", "sample rate", "channels"],
        _ => &[],
    };
    let mut facts = Map::new();
    if let Some(chunk) = resource.chunks.first().filter(|_| !known.is_empty()) {
        let properties = describe::properties(chunk, resource.keyring, &mut Decompressor::default());
        let properties = properties.unwrap_or_default().into_iter().filter(|(name, _)| known.contains(name));
        facts.extend(properties.map(|(name, value)| (describe::json_key(name), value)));
    }
    if let Some(sprite) = sprite(resource) {
        facts.extend([("width".to_owned(), json!(sprite[0])), ("height".to_owned(), json!(sprite[1]))]);
    }
    // What is stored as a file says the same in its metadata.
    let of_file = [
        (MetaKey::WIDTH, "width"),
        (MetaKey::HEIGHT, "height"),
        (MetaKey::SAMPLE_RATE, "sample_rate"),
        (MetaKey::CHANNELS, "channels"),
    ];
    for (key, name) in of_file {
        if let Some(value) = meta.get(key) {
            facts.entry(name).or_insert(json!(value));
        }
    }
    facts
}

/// Returns the width and height of the picture that a sprite was made of.
fn sprite(resource: &Resource<'_>) -> Option<[u32; 2]> {
    let chunk = resource.chunks.first().filter(|chunk| chunk.info.kind == FourCc::SPRT)?;
    let block = resource.keyring.decode(chunk, &mut Decompressor::default()).ok()?;
    let props: Vec<u32> = block.view().ok()?.props().collect();
    Some([*props.get(6)?, *props.get(7)?])
}

impl Listed {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "path": self.path,
            "id": self.id.to_string(),
            "kind": self.kind,
            "groups": self.groups,
            "facts": self.facts,
            "settings": self.settings,
        })
    }

    /// The cells of a row of a table in Markdown.
    pub(super) fn row(&self) -> String {
        let number = |name: &str| self.facts.get(name).and_then(Value::as_u64);
        let facts = match (number("width"), number("height"), number("sample_rate"), number("channels")) {
            (Some(width), Some(height), ..) => format!("{width} × {height} pixels"),
            (_, _, Some(rate), Some(1)) => format!("{rate} Hz, mono"),
            (_, _, Some(rate), Some(2)) => format!("{rate} Hz, stereo"),
            (_, _, Some(rate), Some(channels)) => format!("{rate} Hz, {channels} channels"),
            _ => String::new(),
        };
        let cell = |text: &str| {
            let plain: String = text.chars().filter(|c| !c.is_control()).collect();
            plain.replace('|', "\\|")
        };
        format!("| {} | {} | {facts} | {} |\n", cell(&self.path), cell(&self.kind), cell(&self.groups.join(", ")))
    }
}
