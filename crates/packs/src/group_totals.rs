//! The groups of packs → what is loaded together with each, and how much that takes.

use std::collections::{BTreeMap, HashMap, HashSet};

use rres_format::ResourceId;
use rres_format::index::IndexView;

use crate::pack_set::{self, PackSet};
use crate::resource_list::{Resource, ResourceList};

/// What a group takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTotal {
    /// Name of the group.
    pub name: String,
    /// Number of its members and of what these need, such as the pages of an atlas or the images of a model.
    pub count: usize,
    /// Bytes of all of them in the packs.
    pub stored_size: u64,
    /// Bytes that a graphics card allocates for all of them; `None` if it is not known of one.
    pub video_memory: Option<u64>,
}

/// Returns what each group of the packs takes, by name. `lists` are the resources of [`pack_set::packs`], in their order.
pub fn group_totals(sets: &[PackSet], lists: &[ResourceList<'_>]) -> Vec<GroupTotal> {
    let packs: Vec<_> = pack_set::packs(sets).map(|pack| pack.view().index()).zip(lists).collect();
    let mut found: HashMap<ResourceId, (Option<IndexView<'_>>, &Resource<'_>)> = HashMap::new();
    for (index, list) in &packs {
        for resource in &list.resources {
            found.entry(resource.id).or_insert((*index, resource));
        }
    }
    let mut members: BTreeMap<&str, Vec<ResourceId>> = BTreeMap::new();
    for index in packs.iter().filter_map(|(index, _)| *index) {
        for group in index.groups().filter_map(Result::ok) {
            members.entry(group.name).or_default().extend(group.slots().filter_map(|slot| index.id(slot)));
        }
    }
    let total = |(name, mut next): (&str, Vec<ResourceId>)| {
        let mut seen = HashSet::new();
        let mut total = GroupTotal { name: name.to_owned(), count: 0, stored_size: 0, video_memory: Some(0) };
        while let Some(id) = next.pop() {
            let Some((index, resource)) = found.get(&id).filter(|_| seen.insert(id)) else { continue };
            total.count += 1;
            total.stored_size = total.stored_size.saturating_add(resource.stored_size);
            let both = total.video_memory.zip(resource.video_memory());
            total.video_memory = both.and_then(|(sum, more)| sum.checked_add(more));
            let needed = index.zip(resource.slot).and_then(|(index, slot)| index.dependencies(slot).ok());
            next.extend(needed.into_iter().flatten());
        }
        total
    };
    members.into_iter().map(total).collect()
}
