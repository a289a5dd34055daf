//! Compares a pack with the one that its sources give now, asset by asset.

use std::collections::BTreeMap;
use std::fmt;

use rres_format::index::IndexView;
use rres_format::{FourCc, ResourceId};
use serde_json::{Value, json};

use crate::opened_pack::OpenedPack;
use crate::pack_set::{self, PackSet};
use crate::resource_list::{Resource, ResourceList};
use crate::text::escape_terminal;

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The pack contains another version of the asset.
    Stale,
    /// The sources contain the asset, and the pack does not.
    Missing,
    /// The pack contains the asset, and the sources do not.
    Extra,
    /// The pack contains the group with other members, or only one of the two has it.
    Group,
}

impl Change {
    /// The name in output: `stale`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stale => "stale",
            Self::Missing => "missing",
            Self::Extra => "extra",
            Self::Group => "group",
        }
    }
}

/// An asset or a group of a pack that does not match the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What the difference is about.
    pub change: Change,
    /// The path of the asset, or its id if it has none; or the name of the group.
    pub name: String,
}

impl Difference {
    /// Returns the difference as the JSON that `cargo rres verify --against --json` prints.
    pub fn to_json(&self) -> Value {
        json!({ "change": self.change.name(), "name": self.name })
    }
}

/// Formats the difference in one line: `stale    ui/button.png`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<8} {}", self.change.name(), escape_terminal(&self.name))
    }
}

/// Returns how `pack` differs from `fresh`, which was just built from the sources: assets by path, then groups by name.
pub fn compare(pack: &PackSet, fresh: &PackSet) -> Vec<Difference> {
    let (sets, fresh_sets) = (std::slice::from_ref(pack), std::slice::from_ref(fresh));
    let (lists, fresh_lists) = (pack_set::resource_lists(sets), pack_set::resource_lists(fresh_sets));
    let mut differences = Vec::new();
    let (old, new) = (resources(pack, &lists), resources(fresh, &fresh_lists));
    differences.extend(differences_of(&old, &new, Change::Stale));
    differences.extend(changed_groups(pack, fresh));
    differences
}

/// Returns the groups with other members, and those that only one of the sets has, by name.
pub fn changed_groups(old: &PackSet, new: &PackSet) -> Vec<Difference> {
    differences_of(&groups(old), &groups(new), Change::Group)
}

/// Compares two maps. `changed` is what a name is called whose values differ; a group is always called that.
fn differences_of<V: PartialEq>(
    old: &BTreeMap<String, V>,
    new: &BTreeMap<String, V>,
    changed: Change,
) -> Vec<Difference> {
    let only = |change| if changed == Change::Group { Change::Group } else { change };
    let mut differences: Vec<Difference> = Vec::new();
    for (name, value) in new {
        let change = match old.get(name) {
            None => only(Change::Missing),
            Some(other) if other != value => changed,
            Some(_) => continue,
        };
        differences.push(Difference { change, name: name.clone() });
    }
    let extra = old.keys().filter(|name| !new.contains_key(*name));
    differences.extend(extra.map(|name| Difference { change: only(Change::Extra), name: name.clone() }));
    differences.sort_by(|a, b| a.name.cmp(&b.name));
    differences
}

/// Everything that a game can see of an asset.
#[derive(PartialEq)]
struct Contents<'a> {
    id: ResourceId,
    kind: String,
    /// Kind, compression, decoded size and stored bytes of each chunk.
    chunks: Vec<(FourCc, u8, u32, &'a [u8])>,
    meta: Vec<(u16, u32)>,
    dependencies: Vec<ResourceId>,
}

fn resources<'a>(set: &'a PackSet, lists: &'a [ResourceList<'a>]) -> BTreeMap<String, Contents<'a>> {
    let of = |(pack, list): (&'a OpenedPack, &'a ResourceList<'a>)| {
        let index = pack.view().index();
        list.resources.iter().map(move |resource| {
            let name = resource.path.as_deref().map_or_else(|| resource.id.to_string(), str::to_owned);
            (name, Contents::of(resource, index))
        })
    };
    set.packs.iter().zip(lists).flat_map(of).collect()
}

impl<'a> Contents<'a> {
    fn of(resource: &Resource<'a>, index: Option<IndexView<'a>>) -> Self {
        let chunk = |chunk: &rres_format::ChunkView<'a>| {
            (chunk.info.kind, chunk.info.compression.0, chunk.info.base_size, chunk.stored)
        };
        let entry = index.zip(resource.slot);
        let meta = entry.and_then(|(index, slot)| index.meta(slot).ok());
        let dependencies = entry.and_then(|(index, slot)| index.dependencies(slot).ok());
        Self {
            id: resource.id,
            kind: resource.kind_name(),
            chunks: resource.chunks.iter().map(chunk).collect(),
            meta: meta.map(|meta| meta.records().map(|(key, value)| (key.0, value)).collect()).unwrap_or_default(),
            dependencies: dependencies.map(Iterator::collect).unwrap_or_default(),
        }
    }
}

/// The members of each group, by the name of the group.
fn groups(set: &PackSet) -> BTreeMap<String, Vec<ResourceId>> {
    let mut groups: BTreeMap<String, Vec<ResourceId>> = BTreeMap::new();
    for index in set.packs.iter().filter_map(|pack| pack.view().index()) {
        for group in index.groups().flatten() {
            let members = group.slots().filter_map(|slot| index.id(slot));
            groups.entry(group.name.to_owned()).or_default().extend(members);
        }
    }
    groups.values_mut().for_each(|members| members.sort_unstable());
    groups
}
