//! A patch pack, mounted over the packs that it was made for.

use rres_format::ResourceId;
use rres_format::patch::{PackIdentity, PatchView};

use super::{Pack, Source};

/// A patch, and the sources that have the bases of its deltas. Those stay at hand as long as the patch does.
#[derive(Debug)]
pub(crate) struct Patch {
    pack: Pack,
    /// In search order.
    below: Vec<Source>,
    base: Vec<PackIdentity>,
    targets: Vec<PackIdentity>,
    /// The resources that it removes, ascending.
    removed: Vec<ResourceId>,
}

impl Patch {
    /// Creates a patch over sources that it was made for.
    pub(crate) fn new(pack: Pack, below: Vec<Source>) -> Self {
        let view = pack.patch();
        let list = |list: fn(&PatchView<'_>) -> Vec<PackIdentity>| view.as_ref().map(list).unwrap_or_default();
        let (base, targets) = (list(|view| view.base().collect()), list(|view| view.targets().collect()));
        let mut removed: Vec<ResourceId> = view.map(|view| view.removed().collect()).unwrap_or_default();
        removed.sort_unstable();
        Self { pack, below, base, targets, removed }
    }

    pub(super) fn pack(&self) -> &Pack {
        &self.pack
    }

    pub(super) fn below(&self) -> &[Source] {
        &self.below
    }

    /// Returns the resources that it removes.
    pub(crate) fn removed(&self) -> &[ResourceId] {
        &self.removed
    }

    /// Whether it removes a resource.
    pub(crate) fn removes(&self, id: ResourceId) -> bool {
        self.removed.binary_search(&id).is_ok()
    }

    /// Returns the groups of the packs that it leads to, with their members.
    pub(super) fn groups(&self) -> Vec<(String, Vec<ResourceId>)> {
        let groups = self.pack.patch().and_then(|view| view.groups().ok()).unwrap_or_default();
        groups.into_iter().map(|group| (group.name, group.members)).collect()
    }

    /// Whether the patch was made from a source, so that it says what there is in its place.
    pub(crate) fn replaces(&self, source: &Source) -> bool {
        let is_base = |crc, size| self.base.iter().any(|base| base.is_alike(crc, size));
        match source {
            Source::Patch(patch) => patch.targets.iter().any(|target| is_base(target.index_crc, target.size)),
            Source::Pack(_) | Source::DevIndex(_) => source.identity().is_some_and(|(crc, size)| is_base(crc, size)),
        }
    }

    /// Returns what the state of the packs is after the patch, given the state before it, or `None` if it was made for
    /// another state. The state is what identifies each pack: the CRC-32 of its front index, and its size.
    pub(crate) fn advance(&self, before: &[(u32, u64)]) -> Option<Vec<(u32, u64)>> {
        let mut state = before.to_vec();
        for base in &self.base {
            let at = state.iter().position(|(crc, size)| base.is_alike(*crc, *size))?;
            state.remove(at);
        }
        state.extend(self.targets.iter().map(|target| (target.index_crc, target.size)));
        Some(state)
    }
}
