//! Assets that a listing names, and whose files are not on this machine, as in a sparse checkout of Git: they keep their constants.

use std::collections::{BTreeSet, HashSet};

use rres_codegen::{Constant, Group};
use rres_format::ResourceId;

use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::listing;
use crate::model::Resolved;

/// What a listing says about the assets that are not here.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    /// The paths of their sources, sorted.
    pub(crate) paths: Vec<String>,
    constants: Vec<Constant>,
    /// All groups of the listing.
    groups: Vec<Group>,
    /// The text of the listing.
    pub(crate) text: Option<Vec<u8>>,
}

impl Elsewhere {
    /// Reads the listing beside the assets directory, if the build uses one, and the directory exists.
    ///
    /// # Errors
    /// If the listing cannot be read.
    pub(crate) fn read(context: &BuildContext) -> Result<Self, Diagnostic> {
        let file = listing::path_for(&context.assets);
        if !context.options.allows_missing || !context.assets.is_dir() || !file.exists() {
            return Ok(Self::default());
        }
        let (constants, groups) = listing::read(&file)?;
        let sources: BTreeSet<&str> = constants.iter().map(source_path).collect();
        let is_here = |path: &&&str| context.own_dir.file(path).is_some_and(|file| file.exists());
        let paths: Vec<String> = sources.iter().filter(|path| !is_here(path)).map(|path| (*path).to_owned()).collect();
        let is_absent =
            |constant: &Constant| paths.binary_search_by(|path| (**path).cmp(source_path(constant))).is_ok();
        let constants = constants.into_iter().filter(is_absent).collect();
        let text = std::fs::read(&file).ok();
        Ok(Self { paths, constants, groups, text })
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
