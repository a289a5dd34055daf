//! The order of the resources of a pack, and the places of some, as the settings `order` and `layout_from` ask for.
//!
//! `order` is for players who load from slow disks or over a network: what is loaded first is stored first. `layout_from` is for players who have
//! an earlier pack: what they have stays where it is, so a store that compares blocks finds most of them unchanged.

mod earlier;
mod load_order;

use std::path::{Path, PathBuf};

use rres_format::ResourceId;

use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::key::KeyBuilder;
use crate::model::Resource;
use crate::note_group::NoteGroup;
use crate::settings::{PackSettings, Rules};
pub(super) use earlier::front_index;
use earlier::{EarlierPack, Item};
use load_order::LoadOrder;

/// What the settings ask for.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    load_order: Option<LoadOrder>,
    /// The packs of the earlier set, in order.
    earlier: Vec<EarlierPack>,
}

/// A resource, and where it should start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arranged<'r> {
    pub(super) resource: &'r Resource,
    /// `None` if it follows the one before.
    pub(super) at: Option<u32>,
}

/// The files that the settings name, if packs are written.
pub(crate) fn files(context: &BuildContext, rules: &Rules) -> Vec<PathBuf> {
    let PackSettings { order, layout_from, .. } = rules.pack();
    let names = [order, layout_from].into_iter().flatten().filter(|_| context.writes_packs());
    names.map(|name| context.in_package(name)).collect()
}

impl Arrangement {
    /// Reads the files that the settings name.
    pub(crate) fn read(context: &BuildContext, rules: &Rules) -> Result<Self, Diagnostic> {
        let PackSettings { order, layout_from, .. } = rules.pack();
        let load_order = order.as_ref().map(|name| LoadOrder::read(&context.in_package(name))).transpose()?;
        let earlier = layout_from.as_ref().map(|name| EarlierPack::read_set(&context.in_package(name))).transpose()?;
        Ok(Self { load_order, earlier: earlier.unwrap_or_default() })
    }

    /// The rank of a resource among the members of its group; those with equal ranks are sorted by path.
    pub(super) fn rank(&self, path: &str) -> usize {
        self.load_order.as_ref().map_or(0, |order| order.rank(path))
    }

    /// Arranges the resources of the pack `number`, which begin at the offset that `start` returns. `size_of` returns the bytes that a resource
    /// takes at most, with its headers.
    pub(super) fn arrange<'r>(
        &self,
        number: usize,
        resources: &[&'r Resource],
        start: impl FnOnce() -> rres_format::Result<u64>,
        size_of: impl Fn(&Resource) -> u64,
    ) -> rres_format::Result<Vec<Arranged<'r>>> {
        let Some(earlier) = self.earlier.get(number) else {
            return Ok(resources.iter().map(|resource| Arranged { resource, at: None }).collect());
        };
        let item = |resource: &&Resource| Item { id: resource.id, size: size_of(resource) };
        let items: Vec<Item> = resources.iter().map(item).collect();
        let placed = earlier.arrange(start()?, &items).into_iter();
        Ok(placed.map(|(index, at)| Arranged { resource: resources[index], at }).collect())
    }

    /// Appends what the bytes of the pack `number` depend on, besides the order of its resources.
    pub(super) fn fingerprint(&self, number: usize, key: &mut KeyBuilder) {
        if let Some(earlier) = self.earlier.get(number) {
            earlier.fingerprint(key);
        }
    }

    /// Returns a note about lines of the recorded order that name no asset of the build.
    pub(crate) fn note<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Option<NoteGroup> {
        self.load_order.as_ref()?.note(paths)
    }
}

/// The place of a resource in an earlier pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EarlierPlace {
    id: ResourceId,
    offset: u32,
    size: u32,
}

fn cannot_read(file: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::io("read it", file, error)
}
