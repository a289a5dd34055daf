//! Opens a pack together with the additional packs of its set, and finds resources in them.

use std::path::Path;

use rres_protocol::files::additional_pack;
use rres_protocol::nearest::nearest_path;

use crate::exit::Failure;
use crate::finding::{Code, Finding};
use crate::opened_pack::OpenedPack;
use crate::output::escape_terminal;
use crate::resource_list::{Resource, ResourceList};

/// A pack and the additional packs of its set.
pub(crate) struct PackSet {
    /// The pack that was asked for, then the additional packs by number.
    pub(crate) packs: Vec<OpenedPack>,
    /// Why the first additional pack that is missing cannot be opened. Those after it were not tried: the number of
    /// packs may be damaged, and there could be four billion messages.
    pub(crate) missing: Option<String>,
}

impl PackSet {
    /// Opens a pack, and the additional packs if its index counts any.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let first = OpenedPack::open(path)?;
        let additional = first.view().index().map_or(0, |index| index.additional_packs());
        let mut packs = vec![first];
        for number in 1..=additional {
            match OpenedPack::open(&additional_pack(path, number)) {
                Ok(pack) => packs.push(pack),
                Err(failure) => {
                    let missing = format!("additional pack {number} of {additional}: {failure}");
                    return Ok(Self { packs, missing: Some(missing) });
                }
            }
        }
        Ok(Self { packs, missing: None })
    }

    /// Returns the finding that a pack of the set is missing.
    pub(crate) fn missing_finding(&self) -> Option<Finding> {
        self.missing.as_ref().map(|missing| Finding::new(Code::PackMissing, missing))
    }

    /// Returns the resources of each pack, in the order of the packs.
    pub(crate) fn resource_lists(&self) -> Vec<ResourceList<'_>> {
        self.packs.iter().map(ResourceList::new).collect()
    }

    /// Returns the resource with a path or an id, and its pack.
    ///
    /// # Errors
    /// [`Failure::Usage`] if no pack contains it, with a suggestion.
    pub(crate) fn find<'s, 'l>(
        &'s self,
        lists: &'l [ResourceList<'s>],
        name: &str,
    ) -> Result<(&'s OpenedPack, &'l Resource<'s>), Failure> {
        let found = self.packs.iter().zip(lists).find_map(|(pack, list)| Some((pack, list.find(name)?)));
        found.ok_or_else(|| {
            let pack = self.packs[0].name();
            let mut message = format!("{pack}: no resource with the path or id \"{}\"", escape_terminal(name));
            match suggestion(lists, name) {
                Some(path) => message += &format!("; did you mean \"{}\"?", escape_terminal(path)),
                None => message += &format!("; run `cargo rres ls {pack}` to list the resources"),
            }
            if let Some(missing) = &self.missing {
                message += &format!("\nthe pack set is incomplete: {missing}");
            }
            Failure::Usage(message)
        })
    }
}

/// Returns the path that was probably meant by `name`.
fn suggestion<'l>(lists: &'l [ResourceList<'_>], name: &str) -> Option<&'l str> {
    let paths = lists.iter().flat_map(|list| &list.resources).filter_map(|resource| resource.path.as_deref());
    nearest_path(name, paths)
}
