//! Groups: assets that belong together, as the settings name them.

use rres_format::ResourceId;

/// A group of assets. Generated constants are the usual source: `assets::groups::LEVEL_1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    name: &'static str,
    members: &'static [u32],
}

impl Group {
    /// A group of the resources with these ids.
    pub const fn new(name: &'static str, members: &'static [u32]) -> Self {
        Self { name, members }
    }

    /// Its name, as in the settings.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Its members, by path.
    pub fn members(self) -> impl ExactSizeIterator<Item = ResourceId> {
        self.members.iter().map(|id| ResourceId(*id))
    }
}
