//! Files that are not on this machine, and that are known all the same: a listing has their constants, as in a sparse checkout of Git, or a list
//! of sources says where they are kept.

use std::collections::{BTreeSet, HashSet};

use rres_codegen::{Constant, Group};
use rres_format::ResourceId;

use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::listing;
use crate::model::Resolved;
use crate::source_list::SourceList;

/// The assets that are not here.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    /// The paths of the sources of which the listing has the constants, sorted.
    pub(crate) paths: Vec<String>,
    /// The paths of the others, which must be fetched.
    pub(crate) to_fetch: Vec<String>,
    constants: Vec<Constant>,
    /// All groups of the listing.
    groups: Vec<Group>,
    /// The texts of the listing and of the list of sources.
    pub(crate) texts: [Option<Vec<u8>>; 2],
}

impl Elsewhere {
    /// Reads the listing beside the assets directory, if the build uses one, and the list of sources, if the directory exists.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(crate) fn read(context: &BuildContext) -> Result<Self, Diagnostic> {
        if !context.assets.is_dir() {
            return Ok(Self::default());
        }
        let file = listing::path_for(&context.assets);
        let has_listing = context.options.allows_missing && file.exists();
        let (constants, groups) = if has_listing { listing::read(&file)? } else { Default::default() };
        let is_absent = |path: &str| context.own_dir.file(path).is_none_or(|file| !file.exists());
        let listed: BTreeSet<&str> = constants.iter().map(source_path).filter(|path| is_absent(path)).collect();
        let kept = SourceList::read(&context.assets)?.unwrap_or_default();
        let to_fetch = kept.files.keys().map(|path| context.own_dir.path(path));
        let to_fetch = to_fetch.filter(|path| !listed.contains(&**path) && is_absent(path)).collect();
        let paths: Vec<String> = listed.into_iter().map(str::to_owned).collect();
        let is_listed =
            |constant: &Constant| paths.binary_search_by(|path| (**path).cmp(source_path(constant))).is_ok();
        let texts = [file, SourceList::path_for(&context.assets)].map(|file| std::fs::read(file).ok());
        let constants = constants.into_iter().filter(is_listed).collect();
        Ok(Self { paths, to_fetch, constants, groups, texts })
    }

    /// The fault that files must be fetched, in one for all of them.
    pub(crate) fn fault(&self, context: &BuildContext) -> Option<Diagnostic> {
        let first = self.to_fetch.first()?;
        let others = match self.to_fetch.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let message = format!("lists files that are not on this machine: {first}{others}");
        let help = "run `cargo rres sources pull`, or take the lines of removed files out of the list";
        Some(Diagnostic::file(SourceList::path_for(&context.assets), message).with_help(help.to_owned()))
    }

    /// The paths of all of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.paths.iter().chain(&self.to_fetch)
    }

    /// The constants of the assets that are not here, and the groups that consist of them alone.
    pub(crate) fn beside(&self, resolved: &Resolved) -> (Vec<Constant>, Vec<Group>) {
        // A rule may give another path to an asset, which then only looks absent.
        let here: HashSet<ResourceId> = resolved.resources.iter().map(|resource| resource.id).collect();
        let absent = self.constants.iter().filter(|constant| !here.contains(&constant.id));
        let constants = absent
            .map(|constant| Constant { doc: format!("{}; not on this machine", constant.doc), ..constant.clone() });
        let is_known = |group: &&Group| resolved.groups.iter().all(|known| known.name != group.name);
        // A program that loads such a group finds nothing in it.
        let groups = self.groups.iter().filter(|_| !self.paths.is_empty()).filter(is_known);
        (constants.collect(), groups.map(|group| Group { members: Vec::new(), ..group.clone() }).collect())
    }
}

/// The path of the source that a constant comes from.
fn source_path(constant: &Constant) -> &str {
    constant.path.split('#').next().unwrap_or(&constant.path)
}
