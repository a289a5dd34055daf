//! An earlier report or pack, and this one → what was added, removed, changed and moved.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rres_packs::{PackOpener, pack_set};
use serde_json::{Value, json};

use super::facts::Asset;
use super::page;
use crate::exit::Failure;

/// What is compared of an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    contents: String,
    stored_size: u64,
}

/// The assets of a report by path, or by id if they have no path.
type States = BTreeMap<String, State>;

/// The difference between two states of a pack.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Name of the earlier file.
    since: String,
    stored_size_before: u64,
    added: Vec<(String, u64)>,
    removed: Vec<(String, u64)>,
    /// Path, and sizes before and after.
    changed: Vec<(String, u64, u64)>,
    /// Path before and after.
    moved: Vec<(String, String)>,
}

/// The assets of an earlier report.
#[derive(Debug)]
pub(super) struct Earlier {
    name: String,
    states: States,
}

impl Earlier {
    /// Reads an earlier page, its JSON or a pack.
    pub(super) fn read(file: &Path, opener: &PackOpener) -> Result<Self, Failure> {
        let name = file.file_name().unwrap_or(file.as_os_str()).display().to_string();
        Ok(Self { name, states: earlier(file, opener)? })
    }

    pub(super) fn changes(self, assets: &[Asset<'_>]) -> Changes {
        Changes { since: self.name, ..compare(self.states, states(assets)) }
    }
}

impl Changes {
    pub(super) fn to_json(&self) -> Value {
        let sized = |list: &[(String, u64)]| -> Value {
            list.iter().map(|(path, size)| json!({ "path": path, "stored_size": size })).collect()
        };
        json!({
            "since": self.since,
            "stored_size_before": self.stored_size_before,
            "added": sized(&self.added),
            "removed": sized(&self.removed),
            "changed": self.changed.iter().map(|(path, before, after)| {
                json!({ "path": path, "stored_size_before": before, "stored_size": after })
            }).collect::<Vec<_>>(),
            "moved": self.moved.iter().map(|(from, path)| json!({ "from": from, "path": path })).collect::<Vec<_>>(),
        })
    }

    /// Returns the changes in words.
    pub(super) fn summary(&self) -> String {
        let Self { since, added, removed, changed, moved, .. } = self;
        let counts =
            [(added.len(), "added"), (removed.len(), "removed"), (changed.len(), "changed"), (moved.len(), "moved")];
        let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        format!("since {since}: {}", if counts.is_empty() { "nothing changed" } else { &counts })
    }
}

/// Returns the assets of an earlier page, of its data, or of a pack.
fn earlier(file: &Path, opener: &PackOpener) -> Result<States, Failure> {
    let bytes = fs::read(file).map_err(|e| Failure::Usage(format!("cannot read {}: {e}", file.display())))?;
    if bytes.starts_with(b"rres") {
        let sets = [opener.open_set(file)?];
        let mut assets = Vec::new();
        for (pack, list) in pack_set::packs(&sets).zip(pack_set::resource_lists(&sets)) {
            let asset = |resource| Asset::new(pack, resource, None);
            assets.extend(list.resources.into_iter().map(asset));
        }
        return Ok(states(&assets));
    }
    let invalid = || {
        Failure::Usage(format!(
            "cannot compare with {}: expected a page of `cargo rres report`, its JSON or a pack",
            file.display()
        ))
    };
    let text = std::str::from_utf8(&bytes).map_err(|_| invalid())?;
    let data = page::data(text).unwrap_or(text);
    let data: Value = serde_json::from_str(data).map_err(|_| invalid())?;
    let assets = data["assets"].as_array().ok_or_else(invalid)?;
    let state = |asset: &Value| {
        let name = asset["path"].as_str().or_else(|| asset["id"].as_str())?;
        let contents = asset["contents"].as_str().unwrap_or_default().to_owned();
        Some((name.to_owned(), State { contents, stored_size: asset["stored_size"].as_u64()? }))
    };
    assets.iter().map(|asset| state(asset).ok_or_else(invalid)).collect()
}

fn states(assets: &[Asset<'_>]) -> States {
    let state = |asset: &Asset<'_>| State {
        contents: asset.contents.clone().unwrap_or_default(),
        stored_size: asset.resource.stored_size,
    };
    assets.iter().map(|asset| (asset.resource.name(), state(asset))).collect()
}

fn compare(before: States, after: States) -> Changes {
    let mut changes =
        Changes { stored_size_before: before.values().map(|state| state.stored_size).sum(), ..Changes::default() };
    let mut removed: BTreeMap<&str, &State> = BTreeMap::new();
    for (path, old) in &before {
        match after.get(path) {
            Some(new) if new.contents != old.contents => {
                changes.changed.push((path.clone(), old.stored_size, new.stored_size));
            }
            Some(_) => {}
            None => _ = removed.insert(path, old),
        }
    }
    // A new asset with the contents of one that is gone was moved.
    let mut gone: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, old) in removed.iter().rev().filter(|(_, old)| !old.contents.is_empty()) {
        gone.entry(&old.contents).or_default().push(path);
    }
    let mut moved = BTreeSet::new();
    for (path, new) in after.iter().filter(|(path, _)| !before.contains_key(*path)) {
        match gone.get_mut(new.contents.as_str()).and_then(Vec::pop) {
            Some(from) => {
                moved.insert(from);
                changes.moved.push((from.to_owned(), path.clone()));
            }
            None => changes.added.push((path.clone(), new.stored_size)),
        }
    }
    let is_gone = |(path, _): &(&&str, &&State)| !moved.contains(**path);
    changes.removed = removed.iter().filter(is_gone).map(|(path, old)| ((*path).to_owned(), old.stored_size)).collect();
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(list: &[(&str, &str, u64)]) -> States {
        let state = |contents: &str, stored_size| State { contents: contents.to_owned(), stored_size };
        list.iter().map(|(path, contents, size)| ((*path).to_owned(), state(contents, *size))).collect()
    }

    #[test]
    fn assets_are_added_removed_changed_or_moved() {
        let before = states(&[("a", "1", 10), ("b", "2", 20), ("c", "3", 30), ("d", "4", 40)]);
        let after = states(&[("a", "1", 10), ("b", "5", 25), ("e", "3", 30), ("f", "6", 60)]);
        let changes = compare(before, after);
        let expected = Changes {
            since: String::new(),
            stored_size_before: 100,
            added: vec![("f".to_owned(), 60)],
            removed: vec![("d".to_owned(), 40)],
            changed: vec![("b".to_owned(), 20, 25)],
            moved: vec![("c".to_owned(), "e".to_owned())],
        };
        assert_eq!(changes, expected);
        assert_eq!(changes.summary(), "since : 1 added, 1 removed, 1 changed, 1 moved");
    }
}
