//! Opens a pack together with the additional packs of its set, and finds resources in them.

use std::path::{Path, PathBuf};

use rres_protocol::files::additional_pack;
use rres_protocol::nearest::nearest_path;

use crate::exit::Failure;
use crate::finding::{Code, Finding};
use crate::opened_pack::OpenedPack;
use crate::output::{Output, escape_terminal};
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
        Self::of(OpenedPack::open(path)?, path)
    }

    /// Opens a pack with the additional packs, or a file of another engine.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::of(OpenedPack::read(path)?, path)
    }

    fn of(first: OpenedPack, path: &Path) -> Result<Self, Failure> {
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

    /// Opens several packs, each with the additional packs of its set.
    pub(crate) fn open_all(paths: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        paths.iter().map(|path| Self::open(path)).collect()
    }

    /// Opens several packs, each with the additional packs of its set, and files of other engines.
    pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        paths.iter().map(|path| Self::read(path)).collect()
    }

    /// Returns the finding that a pack of the set is missing.
    pub(crate) fn missing_finding(&self) -> Option<Finding> {
        self.missing.as_ref().map(|missing| Finding::new(Code::PackMissing, missing))
    }
}

/// Returns all packs of several sets.
pub(crate) fn packs(sets: &[PackSet]) -> impl Iterator<Item = &OpenedPack> {
    sets.iter().flat_map(|set| &set.packs)
}

/// Returns the resources of each pack, in the order of [`packs`].
pub(crate) fn resource_lists(sets: &[PackSet]) -> Vec<ResourceList<'_>> {
    packs(sets).map(ResourceList::new).collect()
}

/// Reports what is wrong with the packs of several sets, as far as opening and listing them has shown. `lists` are the
/// [`resource_lists`]. Returns whether nothing is.
pub(crate) fn report_findings(sets: &[PackSet], lists: &[ResourceList<'_>], out: &mut Output) -> Result<bool, Failure> {
    let findings = findings(sets, lists);
    for (pack, finding) in &findings {
        finding.report(&pack.name(), out)?;
    }
    Ok(findings.is_empty())
}

/// Returns what is wrong with the packs of several sets, each finding with its pack.
pub(crate) fn findings<'s>(sets: &'s [PackSet], lists: &[ResourceList<'_>]) -> Vec<(&'s OpenedPack, Finding)> {
    let listed = packs(sets).zip(lists);
    let listed = listed.flat_map(|(pack, list)| list.findings.iter().map(move |finding| (pack, finding.clone())));
    listed.chain(sets.iter().filter_map(|set| Some((&set.packs[0], set.missing_finding()?)))).collect()
}

/// Returns the resource with a path or an id, and its pack. `lists` are the [`resource_lists`] of the sets.
///
/// # Errors
/// [`Failure::Usage`] if no pack contains it, with a suggestion; [`Failure::Fault`] if it may be missing because of damage.
pub(crate) fn find<'s, 'l>(
    sets: &'s [PackSet],
    lists: &'l [ResourceList<'s>],
    name: &str,
) -> Result<(&'s OpenedPack, &'l Resource<'s>), Failure> {
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
            true => Failure::Usage(message),
            false => Failure::Fault(message + &damage.concat()),
        }
    })
}

/// Returns the path that was probably meant by `name`.
pub(crate) fn suggestion<'l>(lists: &'l [ResourceList<'_>], name: &str) -> Option<&'l str> {
    let paths = lists.iter().flat_map(|list| &list.resources).filter_map(|resource| resource.path.as_deref());
    nearest_path(name, paths)
}
