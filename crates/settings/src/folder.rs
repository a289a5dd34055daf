//! The rules of a library: what they say about `button.png` becomes what a game's rules say about `ui-kit/button.png`.

use super::matching_rule::MatchingRule;
use super::pattern::Pattern;
use super::rules::Rules;
use super::sections::{Budget, BudgetOf, Group};
use super::table::PackSettings;
use crate::diagnostic::Diagnostic;

/// The settings that the constants of a library are compiled with.
const OF_CONSTANTS: &[&str] =
    &["id", "path", "rename", "kind", "importer", "variant_of", "image.atlas", "image.sequence"];

impl Rules {
    /// The same rules for the same files, whose paths begin with `folder` now. Nothing changes if it is empty.
    #[must_use]
    pub fn moved_into(mut self, folder: &str) -> Self {
        if folder.is_empty() {
            return self;
        }
        for MatchingRule { pattern, values, .. } in &mut self.rules {
            *pattern = pattern.moved_into(folder);
            let paths = [&mut values.asset.path, &mut values.asset.variant_of, &mut values.image.atlas];
            for path in paths.into_iter().flatten().flatten() {
                *path = format!("{folder}/{path}");
            }
        }
        for Group { name, include, .. } in &mut self.groups {
            *name = format!("{folder}/{name}");
            include.iter_mut().for_each(|(pattern, _)| *pattern = pattern.moved_into(folder));
        }
        for Budget { of, .. } in &mut self.budgets {
            match of {
                BudgetOf::Total => {}
                BudgetOf::Glob(pattern) => *pattern = pattern.moved_into(folder),
                BudgetOf::Group(name) => *name = format!("{folder}/{name}"),
            }
        }
        self.uncertain.iter_mut().for_each(|pattern| *pattern = pattern.moved_into(folder));
        self
    }

    /// Adds the rules and the groups of a library, which were moved into its folder. The rules come before all others, so these can override
    /// them; but of those only the ones that name the folder apply to it. What its budgets allow is checked in the library's own build.
    pub fn add_library(&mut self, folder: &str, library: Self) {
        self.rules.splice(0..0, library.rules.iter().cloned());
        self.groups.extend(library.groups.iter().cloned());
        self.uncertain.extend(library.uncertain.iter().cloned());
        self.libraries.push((folder.to_owned(), library));
    }

    /// The rules of the library with this folder, as they are in its own build.
    pub fn of_library(&self, folder: &str) -> Option<&Self> {
        self.libraries.iter().find(|(library, _)| library == folder).map(|(_, rules)| rules)
    }

    /// The settings of the pack by which the name of a file makes it a variant, or a file for a target. A library has its own.
    pub(super) fn pack_of(&self, path: &str) -> &PackSettings {
        let library = path.split_once('/').and_then(|(folder, _)| self.of_library(folder));
        library.map_or(self.pack(), Self::pack)
    }

    /// The settings of the pack, and of the pack of each library.
    pub(super) fn all_packs(&self) -> impl Iterator<Item = &PackSettings> {
        std::iter::once(self.pack()).chain(self.libraries.iter().map(|(_, rules)| rules.pack()))
    }

    /// The errors of rules that name the folder of a library, and would change what its constants are compiled with.
    pub fn changes_of_constants(&self, folder: &str) -> Vec<Diagnostic> {
        let names = |rule: &&MatchingRule| rule.pattern.begins_with(folder);
        let keys = self.rules.iter().filter(names).flat_map(|rule| &rule.key_places);
        let changes = keys.filter(|(key, _)| OF_CONSTANTS.contains(key)).map(|(key, place)| {
            let message = format!("`{key}` of an asset of the library `{folder}` cannot be changed");
            let help = "the constants of the library are compiled with it: change other settings only".to_owned();
            Diagnostic::new(place.clone(), message).with_help(help)
        });
        changes.collect()
    }

    /// Whether the rule may apply to a path that begins with the folder `first`: in the folder of a library only rules do that name it.
    pub(super) fn reaches(&self, pattern: &Pattern, first: &str) -> bool {
        self.of_library(first).is_none() || pattern.begins_with(first)
    }
}
