//! Groups that sources bring along: the folders in the names of sub-assets of archives that have groups of records.
//!
//! `Synth.sdb#Footsteps/Stone/step` is in `synth_sdb_footsteps` and in `synth_sdb_footsteps_stone`.

use std::collections::{BTreeMap, HashSet};

use deunicode::deunicode;
use rres_format::index::GroupSpec;

use super::{Pass, Set};
use crate::diagnostic::Diagnostic;

/// Adds the groups of the folders in the names of sub-assets. A group of the rules comes before one that has the same constant.
pub(super) struct FolderGroups;

impl Pass for FolderGroups {
    fn apply(&self, set: &mut Set<'_>, _: &mut Vec<Diagnostic>) {
        let constant = |name: &str| name.replace('-', "_").to_ascii_uppercase();
        let of_rules: HashSet<String> = set.groups.iter().map(|group| constant(&group.name)).collect();
        let mut members: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for resource in &set.resources {
            let asset = &set.assets[resource.asset];
            let name = &asset.record.resources[resource.index].name;
            let Some((folders, _)) = name.rsplit_once('/').filter(|_| asset.folders_are_groups) else { continue };
            let path = &asset.naming.path;
            let mut dirs = set.scope.context.dirs().filter(|dir| !dir.folder.is_empty());
            let library = dirs.find_map(|dir| Some((&dir.folder, dir.local(path)?)));
            for group in folder_groups(library.map_or(path, |(_, local)| local), folders) {
                let group = library.map_or_else(|| group.clone(), |(folder, _)| format!("{folder}/{group}"));
                let members = members.entry(group).or_default();
                // Two folders in each other may have the same words.
                if members.last() != Some(&resource.id) {
                    members.push(resource.id);
                }
            }
        }
        members.retain(|name, _| !of_rules.contains(&constant(name)));
        set.groups.extend(members.into_iter().map(|(name, members)| GroupSpec { name, members }));
    }
}

/// The groups of the folders in the name of a sub-asset of the file at `path`, the outermost first.
pub(crate) fn folder_groups(path: &str, folders: &str) -> Vec<String> {
    let mut group = group_name(path);
    let deeper = folders.split('/').map(|folder| {
        group = format!("{group}_{}", group_name(folder));
        group.clone()
    });
    deeper.collect()
}

/// Returns the words of a text, as the name of a group has them.
fn group_name(text: &str) -> String {
    let plain = deunicode(text).to_ascii_lowercase();
    let words: Vec<&str> = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "_".to_owned() } else { words.join("_") }
}

#[cfg(test)]
mod tests {
    use super::group_name;

    #[test]
    fn names_of_groups_have_letters_digits_and_underscores() {
        for (text, expected) in
            [("Synth.sdb", "synth_sdb"), ("Grüße & Co.", "grusse_co"), ("★", "_"), ("levels/a-1.mod", "levels_a_1_mod")]
        {
            assert_eq!(group_name(text), expected);
        }
    }
}
