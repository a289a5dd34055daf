//! Assets that would have the same path in the pack, the same id or the same constant.
//!
//! Of two assets, the second is refused. Clashes that have one cause, such as two folders, are one diagnostic.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rres_codegen::{NameClash, NamedAsset};
use rres_format::ResourceId;
use rres_protocol::files::local_path;
use rres_protocol::sub_asset;

use super::{Pass, Set};
use crate::diagnostic::{Diagnostic, Place};
use crate::model::Naming;
use crate::pipeline::plan::UnavailableSource;
use crate::scope::Scope;

/// How many clashing names of two folders are reported one by one, and how many of more are named.
const MAX_NAMED: usize = 3;

/// Two paths with one id.
struct IdClash<'p> {
    id: ResourceId,
    first: &'p str,
    second: &'p str,
}

/// Finds assets that would have the same path in the pack, then those that would have the same id.
pub(super) struct PathsAndIds;

impl Pass for PathsAndIds {
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let of_paths = check_paths(set);
        // Their ids and constants are the same, too, which need not be said.
        set.clashing = of_paths.iter().flat_map(Diagnostic::refused_paths).map(str::to_owned).collect();
        let of_ids = check_ids(set);
        set.is_ambiguous = !of_paths.is_empty() || !of_ids.is_empty();
        diagnostics.extend(of_ids.into_iter().chain(of_paths));
    }
}

/// Sources that would have the same path in the pack.
fn check_paths(set: &Set<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut report = |source: &str, stored: &str, other: &str| {
        // The one that a rule gave its path is the one to change. Sub-assets follow from their assets.
        let (kept, moved) = if source == stored { (source, other) } else { (other, source) };
        let [kept, moved] = [kept, moved].map(sub_asset::file);
        let kept = set.scope.source_file(kept);
        let message = format!("would have the same path in the pack as {}: \"{stored}\"", kept.display());
        let help = format!("give it another with `path = …` under [\"{moved}\"] in assets.toml");
        diagnostics.push(set.scope.fault(moved, message, help));
    };
    for pair in set.resources.windows(2).filter(|pair| pair[0].path == pair[1].path) {
        report(&set.source_path(&pair[1]), &pair[1].path, &set.source_path(&pair[0]));
    }
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for UnavailableSource { path, naming } in set.missing() {
        let Some(Naming { path: stored, .. }) = naming else { continue };
        let of_resource = || set.stored_at(stored).map(|at| set.source_path(&set.resources[at]));
        if let Some(other) = seen.insert(stored, path).map(Cow::Borrowed).or_else(of_resource) {
            report(path, stored, &other);
        }
    }
    diagnostics
}

/// Ids that two of the paths share, and the id that means "no resource".
fn check_ids(set: &Set<'_>) -> Vec<Diagnostic> {
    let scope = set.scope;
    let folder = |folder: &str| scope.context.assets.join(local_path(folder));
    let missing = || {
        set.missing().filter_map(|source| {
            let naming = source.naming.as_ref()?;
            let id = naming.id.unwrap_or_else(|| set.ids.id(&source.path, &naming.path));
            Some((Cow::Borrowed(source.path.as_str()), id))
        })
    };
    // Sorting finds out with little memory that all is well, as it is in most sets.
    let mut numbers: Vec<ResourceId> =
        set.named().map(|(_, resource)| resource.id).chain(missing().map(|(_, id)| id)).collect();
    numbers.sort_unstable();
    if numbers.first() != Some(&ResourceId::NONE) && numbers.windows(2).all(|pair| pair[0] != pair[1]) {
        return Vec::new();
    }
    let ids: Vec<(Cow<'_, str>, ResourceId)> =
        set.named().map(|(source, resource)| (source, resource.id)).chain(missing()).collect();
    let mut seen: HashMap<ResourceId, &str> = HashMap::new();
    let mut diagnostics = Vec::new();
    let mut clashes: BTreeMap<(&str, &str), Vec<IdClash<'_>>> = BTreeMap::new();
    let mut taken: HashSet<ResourceId> = ids.iter().map(|(_, id)| *id).collect();
    for (path, id) in ids.iter().map(|(path, id)| (&**path, *id)) {
        if id == ResourceId::NONE {
            let diagnostic = Diagnostic::file(scope.source_file(path), "has the id 0, which means \"not found\"");
            let help = "give it another id with `id = …` in assets.toml".to_owned();
            diagnostics.push(with_free_id(diagnostic.with_help(help), path, &mut taken));
        } else if let Some(first) = seen.insert(id, path) {
            clashes.entry(different_starts(first, path)).or_default().push(IdClash { id, first, second: path });
        }
    }
    for ((first_folder, second_folder), clashes) in clashes {
        if clashes.len() > 1 && !first_folder.is_empty() && !second_folder.is_empty() {
            // If the starts of two paths have the same CRC-32, and the paths end alike, the paths have the same CRC-32, too.
            let (first, second) = (folder(first_folder), folder(second_folder));
            let message = format!(
                "{} files have the same ids as the files of the same names in {}, because the CRC-32 of the two names is equal",
                clashes.len(),
                first.display()
            );
            let diagnostic = Diagnostic::file(second, message).with_help("rename one of the two folders".to_owned());
            let source = |clash: &IdClash<'_>| sub_asset::file(clash.second).to_owned();
            diagnostics.push(clashes.iter().map(source).fold(diagnostic, Diagnostic::with_asset));
            continue;
        }
        for IdClash { id, first, second } in clashes {
            let message = format!("has the same id ({id}) as {}", scope.source_file(first).display());
            let help = format!("give one of them an id of its own: `id = …` under [\"{second}\"] in assets.toml");
            let diagnostic = Diagnostic::file(scope.source_file(second), message).with_help(help);
            diagnostics.push(with_free_id(diagnostic, second, &mut taken));
        }
    }
    diagnostics
}

/// The diagnostic of a clashing asset, with a rule that gives it the next free id. Sub-assets have no rules.
fn with_free_id(diagnostic: Diagnostic, path: &str, taken: &mut HashSet<ResourceId>) -> Diagnostic {
    match sub_asset::split(path) {
        Some((file, _)) => diagnostic.with_asset(file),
        None => {
            let is_free = |id: &ResourceId| *id != ResourceId::NONE && taken.insert(*id);
            let id = (1..).map(|n| ResourceId::from_path(&format!("{path}~{n}"))).find(is_free).unwrap_or_default();
            diagnostic.with_asset(path).with_fix(path, format!("id = {id}"))
        }
    }
}

/// The folders of two paths up to where they become the same; empty if the names differ.
fn different_starts<'p>(first: &'p str, second: &'p str) -> (&'p str, &'p str) {
    let (mut a, mut b) = (first, second);
    while let (Some((a_start, a_end)), Some((b_start, b_end))) = (a.rsplit_once('/'), b.rsplit_once('/')) {
        if a_end != b_end {
            break;
        }
        (a, b) = (a_start, b_start);
    }
    if a.len() == first.len() { ("", "") } else { (a, b) }
}

/// Finds assets and groups that would become the same constant.
pub(super) struct Names;

impl Pass for Names {
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let named: Vec<_> = set.named().collect();
        let named = named.iter().map(|(source, resource)| {
            let rename = set.assets[resource.asset].naming.rename.as_deref();
            NamedAsset {
                source,
                path: &resource.path,
                rename: rename.filter(|_| sub_asset::split(&resource.path).is_none()),
            }
        });
        let missing = set.missing().filter_map(|source| {
            let Naming { path, rename, .. } = source.naming.as_ref()?;
            Some(NamedAsset { source: &source.path, path, rename: rename.as_deref() })
        });
        let groups = set.groups.iter().map(|group| group.name.as_str());
        let clashes = rres_codegen::check_names(named.chain(missing), groups, &set.scope.context.own_dir.folder);
        diagnostics.extend(explain(set.scope, &clashes));
    }
}

/// Each clash of names in words; all clashes of two folders are one diagnostic.
fn explain(scope: Scope<'_>, clashes: &[NameClash]) -> Vec<Diagnostic> {
    let folder = |folder: &str| scope.context.assets.join(local_path(folder));
    let clashes = clashes.iter().filter(|clash| !differ_by_case(scope, clash));
    let (of_assets, of_groups): (Vec<_>, Vec<_>) = clashes.partition(|clash| clash.second_asset().is_some());
    let mut by_folders: BTreeMap<(&str, &str), Vec<&NameClash>> = BTreeMap::new();
    for clash in of_assets {
        by_folders.entry((folder_of(clash.first()), folder_of(clash.second()))).or_default().push(clash);
    }
    let of_group = |clash: &NameClash| {
        let place = scope.rules.group_place(clash.second()).cloned().unwrap_or(Place::Name("groups".to_owned()));
        Diagnostic::new(place, clash.to_string())
    };
    let mut diagnostics: Vec<Diagnostic> = of_groups.into_iter().map(of_group).collect();
    for ((first_folder, second_folder), clashes) in by_folders {
        if clashes.len() <= MAX_NAMED {
            let one = |clash: &&NameClash| {
                settled(Diagnostic::file(scope.source_file(clash.second()), clash.to_string()), clash)
            };
            diagnostics.extend(clashes.iter().map(one));
            continue;
        }
        let pairs: Vec<String> = clashes.iter().take(MAX_NAMED).map(|clash| clash.pair()).collect();
        let whose = match first_folder == second_folder {
            true => "others in it".to_owned(),
            false => format!("files in {}", folder(first_folder).display()),
        };
        let (count, more) = (clashes.len(), clashes.len() - MAX_NAMED);
        let message =
            format!("{count} files would be the same constants as {whose}: {} and {more} more", pairs.join(", "));
        let help = match first_folder == second_folder {
            true => "rename the files, or give them other names with `rename = …` in assets.toml",
            false => "rename one of the two folders, or give the files other names with `rename = …` in assets.toml",
        };
        let diagnostic = Diagnostic::file(folder(second_folder), message).with_help(help.to_owned());
        diagnostics.push(clashes.into_iter().fold(diagnostic, settled));
    }
    diagnostics
}

/// Whether the files of a clash have names that some systems cannot distinguish, which is an error of its own.
fn differ_by_case(scope: Scope<'_>, clash: &NameClash) -> bool {
    let file = |path: &str| sub_asset::file(path).to_owned();
    let (first, second) = (file(clash.first()), file(clash.second()));
    let are_assets = clash.second_asset().is_some() && first != second;
    are_assets
        && first.to_lowercase() == second.to_lowercase()
        && Arc::ptr_eq(scope.context.dir_of(&first), scope.context.dir_of(&second))
}

/// The diagnostic with the second asset of a clash, and the rule that renames it.
fn settled(diagnostic: Diagnostic, clash: &NameClash) -> Diagnostic {
    let source = sub_asset::file(clash.second());
    let diagnostic = diagnostic.with_asset(source);
    match clash.rename() {
        Some((file, name)) => diagnostic.with_fix(file, format!("rename = \"{name}\"")),
        None => diagnostic,
    }
}

fn folder_of(path: &str) -> &str {
    let file = sub_asset::file(path);
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_different_starts() {
        for (first, second, starts) in [
            ("a/x/f.png", "b/x/f.png", ("a", "b")),
            ("s/a/x/f.png", "s/b/x/f.png", ("s/a", "s/b")),
            ("a/f.png", "a/g.png", ("", "")),
            ("f.png", "g.png", ("", "")),
        ] {
            assert_eq!(different_starts(first, second), starts);
        }
    }
}
