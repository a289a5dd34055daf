//! Files that are not on this machine, and that are known all the same: a listing has their constants, as in a sparse checkout of Git, or a list
//! of sources says where they are kept.

use std::collections::{BTreeSet, HashSet};
use std::mem::take;

use rres_codegen::{Constant, Group};
use rres_format::ResourceId;
use rres_protocol::sub_asset;

use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::listing;
use crate::model::Resolved;
use crate::source_list::SourceList;

/// What is known of files that may not be here.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    /// The constants of the listing, if the build uses one.
    constants: Vec<Constant>,
    groups: Vec<Group>,
    /// The asset paths of the list of sources.
    kept: Vec<String>,
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
        let kept = SourceList::read(&context.assets)?.unwrap_or_default();
        let kept = kept.files.keys().map(|path| context.own_dir.path(path)).collect();
        let texts = [file, SourceList::path_for(&context.assets)].map(|file| std::fs::read(file).ok());
        Ok(Self { constants, groups, kept, texts })
    }

    /// Takes the listing out, which is going to be written again.
    pub(crate) fn take_listing(&mut self) -> Self {
        Self { constants: take(&mut self.constants), groups: take(&mut self.groups), ..Self::default() }
    }

    /// Whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.constants.is_empty() && self.kept.is_empty()
    }

    /// The paths that rules may match although their files are not here.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.constants.iter().map(source_path).chain(self.kept.iter().map(String::as_str))
    }

    /// The paths of sources of which the listing has the constants, and those that must be fetched. `is_here` is asked for asset paths, before and after
    /// a rule has given another one.
    pub(crate) fn absent(&self, is_here: impl Fn(&str) -> bool) -> Absent {
        let is_gone = |constant: &&Constant| !is_here(&constant.path) && !is_here(source_path(constant));
        let listed: BTreeSet<&str> = self.constants.iter().filter(is_gone).map(source_path).collect();
        let to_fetch = self.kept.iter().filter(|path| !listed.contains(&***path) && !is_here(path));
        let to_fetch = to_fetch.cloned().collect();
        let (known, unknown) =
            listed.into_iter().map(str::to_owned).partition(|path| self.kept.binary_search(path).is_ok());
        Absent { kept: known, listed: unknown, to_fetch }
    }

    /// The constants of the assets that are not here, and the groups that consist of them alone.
    pub(crate) fn beside(&self, context: &BuildContext, resolved: &Resolved) -> (Vec<Constant>, Vec<Group>) {
        if self.constants.is_empty() {
            return Default::default();
        }
        let here: HashSet<ResourceId> = resolved.resources.iter().map(|resource| resource.id).collect();
        // One that is refused is here, and has no constant.
        let has_file = |path: &str| context.own_dir.file(path).is_some_and(|file| file.exists());
        let is_absent = |constant: &&Constant| !here.contains(&constant.id) && !has_file(source_path(constant));
        let note = |constant: &Constant| {
            let doc = format!("{}; not on this machine", constant.doc);
            Constant { doc, ..constant.clone() }
        };
        let constants: Vec<Constant> = self.constants.iter().filter(is_absent).map(note).collect();
        let is_known = |group: &&Group| resolved.groups.iter().all(|known| known.name != group.name);
        // A program that loads such a group finds nothing in it.
        let groups = self.groups.iter().filter(|_| !constants.is_empty()).filter(is_known);
        let groups = groups.map(|group| Group { members: Vec::new(), ..group.clone() }).collect();
        (constants, groups)
    }
}

/// The paths of sources that are not here, sorted.
#[derive(Debug, Default)]
pub(crate) struct Absent {
    /// Those with constants in the listing that are in the list of sources, too.
    pub(crate) kept: Vec<String>,
    /// Those with constants in the listing, and in no list of sources.
    pub(crate) listed: Vec<String>,
    /// Those of the list of sources without constants.
    pub(crate) to_fetch: Vec<String>,
}

impl Absent {
    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.kept.iter().chain(&self.listed).chain(&self.to_fetch)
    }

    /// The fault that files must be fetched, in one for all of them. A program for players must have those with constants, too.
    pub(crate) fn to_fetch(&self, context: &BuildContext) -> Option<Diagnostic> {
        let kept = self.kept.iter().filter(|_| !context.is_debug);
        let (first, others) = one_and_more(self.to_fetch.iter().chain(kept))?;
        let message = format!("lists files that are not on this machine: {first}{others}");
        let help = "run `cargo rres sources pull`, or take the lines of removed files out of the list";
        Some(Diagnostic::file(SourceList::path_for(&context.assets), message).with_help(help.to_owned()))
    }

    /// The fault of a build for players that files of the listing are missing.
    pub(crate) fn to_check_out(&self, context: &BuildContext) -> Option<Diagnostic> {
        let (first, others) = one_and_more(self.listed.iter().filter(|_| !context.is_debug))?;
        let message = format!("has constants of files that are not on this machine: {first}{others}");
        let help = "check out all files for a release build; if they were removed, run `cargo rres listing`";
        Some(Diagnostic::file(listing::path_for(&context.assets), message).with_help(help.to_owned()))
    }
}

/// The first of some paths, and how many more there are, in words.
fn one_and_more<'p>(mut paths: impl Iterator<Item = &'p String>) -> Option<(&'p str, String)> {
    let first = paths.next()?;
    let others = match paths.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    Some((first, others))
}

/// The path of the source that a constant comes from.
fn source_path(constant: &Constant) -> &str {
    sub_asset::file(&constant.path)
}
