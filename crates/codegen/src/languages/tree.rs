//! Resources → the tree of scopes that contains their constants, for languages that have scopes.

use std::collections::BTreeMap;

use super::HeaderEntry;

/// The constants of a folder, and its folders.
#[derive(Default)]
pub(super) struct Scope<'e> {
    pub(super) constants: BTreeMap<String, &'e HeaderEntry>,
    /// No scope has the name of a constant beside it.
    pub(super) scopes: BTreeMap<String, Scope<'e>>,
}

/// The tree of these resources. Names are those in Rust, without the mark of keywords; names that several constants would have end in their ids.
pub(super) fn tree(entries: &[HeaderEntry]) -> Scope<'_> {
    let mut entries: Vec<&HeaderEntry> = entries.iter().collect();
    entries.sort();
    entries.dedup();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    entries.iter().for_each(|entry| *uses.entry(&entry.constant).or_default() += 1);
    let mut root = Scope::default();
    for entry in entries {
        let (modules, name) = entry.constant.rsplit_once("::").unwrap_or(("", &entry.constant));
        let mut scope = &mut root;
        for module in modules.split("::").filter(|module| !module.is_empty()) {
            let module = module.strip_prefix("r#").unwrap_or(module);
            scope = scope.scopes.entry(module.to_owned()).or_default();
        }
        let is_unique = uses[&*entry.constant] == 1;
        let name = if is_unique { name.to_owned() } else { format!("{name}_{:08X}", entry.id.0) };
        scope.constants.insert(name, entry);
    }
    root.part();
    root
}

impl Scope<'_> {
    /// Renames scopes with the name of a constant. Rust keeps these apart; elsewhere they are members of one list.
    fn part(&mut self) {
        let names: Vec<String> =
            self.scopes.keys().filter(|name| self.constants.contains_key(*name)).cloned().collect();
        for name in names {
            if let Some(scope) = self.scopes.remove(&name) {
                // No other name ends in an underscore and begins like this one.
                self.scopes.insert(name + "_", scope);
            }
        }
        self.scopes.values_mut().for_each(Scope::part);
    }
}
