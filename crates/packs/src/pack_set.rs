//! Opens a pack together with the additional packs of its set, and finds resources in them.

use std::path::{Path, PathBuf};

use rres_protocol::files::additional_pack;
use rres_protocol::nearest::nearest_path;

use crate::error::{Error, Result};
use crate::finding::{Code, Finding};
use crate::opened_pack::{OpenedPack, PackOpener};
use crate::resource_list::{Resource, ResourceList};
use crate::text::escape_terminal;

/// A pack and the additional packs of its set.
#[derive(Debug)]
pub struct PackSet {
    /// The pack that was asked for, then the additional packs by number.
    pub packs: Vec<OpenedPack>,
    /// Why the first additional pack that is missing cannot be opened. Those after it were not tried: the number of
    /// packs may be damaged, and there could be four billion messages.
    pub missing: Option<String>,
}

impl PackOpener {
    /// Opens a pack and the additional packs of its set.
    ///
    /// # Errors
    /// As [`open`](Self::open), for the first pack.
    pub fn open_set(&self, path: &Path) -> Result<PackSet> {
        Ok(PackSet::of(self.open(path)?, path, self))
    }

    /// Opens a pack and the additional packs of its set, or a file of another engine.
    ///
    /// # Errors
    /// As [`read`](Self::read), for the first pack.
    pub fn read_set(&self, path: &Path) -> Result<PackSet> {
        Ok(PackSet::of(self.read(path)?, path, self))
    }

    /// Opens several packs, each with the additional packs of its set.
    ///
    /// # Errors
    /// As [`open_set`](Self::open_set).
    pub fn open_sets(&self, paths: &[PathBuf]) -> Result<Vec<PackSet>> {
        paths.iter().map(|path| self.open_set(path)).collect()
    }

    /// Opens several packs, each with the additional packs of its set, and files of other engines.
    ///
    /// # Errors
    /// As [`read_set`](Self::read_set).
    pub fn read_sets(&self, paths: &[PathBuf]) -> Result<Vec<PackSet>> {
        paths.iter().map(|path| self.read_set(path)).collect()
    }
}

impl PackSet {
    fn of(first: OpenedPack, path: &Path, opener: &PackOpener) -> Self {
        let additional = first.view().index().map_or(0, |index| index.additional_packs());
        let mut packs = vec![first];
        for number in 1..=additional {
            match opener.open(&additional_pack(path, number)) {
                Ok(pack) => packs.push(pack),
                Err(failure) => {
                    let missing = format!("additional pack {number} of {additional}: {failure}");
                    return Self { packs, missing: Some(missing) };
                }
            }
        }
        Self { packs, missing: None }
    }

    /// Returns the finding that a pack of the set is missing.
    pub fn missing_finding(&self) -> Option<Finding> {
        self.missing.as_ref().map(|missing| Finding::new(Code::PackMissing, missing))
    }
}

/// Returns all packs of several sets.
pub fn packs(sets: &[PackSet]) -> impl Iterator<Item = &OpenedPack> {
    sets.iter().flat_map(|set| &set.packs)
}

/// Returns the resources of each pack, in the order of [`packs`].
pub fn resource_lists(sets: &[PackSet]) -> Vec<ResourceList<'_>> {
    packs(sets).map(ResourceList::new).collect()
}

/// Returns what is wrong with the packs of several sets, each finding with its pack.
pub fn findings<'s>(sets: &'s [PackSet], lists: &[ResourceList<'_>]) -> Vec<(&'s OpenedPack, Finding)> {
    let listed = packs(sets).zip(lists);
    let listed = listed.flat_map(|(pack, list)| list.findings.iter().map(move |finding| (pack, finding.clone())));
    listed.chain(sets.iter().filter_map(|set| Some((&set.packs[0], set.missing_finding()?)))).collect()
}

/// Returns the resource with a path or an id, and its pack. `lists` are the [`resource_lists`] of the sets.
///
/// # Errors
/// [`Error::Unavailable`] if no pack contains it, with a suggestion; [`Error::Fault`] if it may be missing because of damage.
pub fn find<'s, 'l>(
    sets: &'s [PackSet],
    lists: &'l [ResourceList<'s>],
    name: &str,
) -> Result<(&'s OpenedPack, &'l Resource<'s>), Error> {
    let found = packs(sets).zip(lists).find_map(|(pack, list)| Some((pack, list.find(name)?)));
    found.ok_or_else(|| {
        let pack = packs(sets).next().map(OpenedPack::name).unwrap_or_default();
        let mut message = format!("{pack}: no resource with the path or id \"{}\"", escape_terminal(name));
        match suggestion(lists, name) {
            Some(path) => message += &format!("; did you mean \"{}\"?", escape_terminal(path)),
            None => message += &format!("; run `cargo rres ls {pack}` to list the resources"),
        }
        for missing in sets.iter().filter_map(|set| set.missing.as_ref()) {
            message += &format!("\nthe pack set is incomplete: {missing}");
        }
        let damage = packs(sets).zip(lists).flat_map(|(pack, list)| list.findings.iter().map(move |it| (pack, it)));
        let damage: Vec<String> =
            damage.map(|(pack, finding)| format!("\n{}: {finding}", escape_terminal(&pack.name()))).collect();
        match damage.is_empty() {
            true => Error::Unavailable(message),
            false => Error::Fault(message + &damage.concat()),
        }
    })
}

/// Returns the path that was probably meant by `name`.
pub fn suggestion<'l>(lists: &'l [ResourceList<'_>], name: &str) -> Option<&'l str> {
    let paths = lists.iter().flat_map(|list| &list.resources).filter_map(|resource| resource.path.as_deref());
    nearest_path(name, paths)
}
