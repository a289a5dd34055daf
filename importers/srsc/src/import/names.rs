//! The names of sub-assets: the groups of a record, and its name, or its id if it has none.
//!
//! Textures have no groups and no names, so that theirs are always their ids, which models of other files can name. Of other records that
//! would have one name, each has its id, too. Names are compared as constants are made of them: by their letters and digits.

use std::collections::{HashMap, HashSet};

use deunicode::deunicode;

use super::is_asset;
use super::textures::Textures;
use crate::{Checks, Databases, Error, Location, RecordKey, RecordType, json as typed};

/// The most bytes of one part of a name.
const MAX_PART: usize = 120;

/// The names of the records of an archive, and those that are taken.
pub(super) struct Names {
    of: HashMap<RecordKey, String>,
    taken: HashSet<String>,
}

impl Names {
    /// Names all records that become assets, and returns what is wrong with those that cannot be named.
    pub(super) fn new(databases: &Databases, textures: &Textures, checks: &mut Checks) -> (Self, Vec<Error>) {
        let mut names = Self { of: HashMap::new(), taken: HashSet::new() };
        for id in textures.ids() {
            let name = names.unique(&id.to_string());
            names.of.insert(RecordKey { kind: RecordType::TEXTURE, id }, name);
        }
        let (mut wanted, mut uses): (Vec<(RecordKey, String)>, HashMap<String, usize>) = Default::default();
        let (mut seen, mut faults) = (HashSet::new(), Vec::new());
        for view in databases.root().records().filter(|view| view.key().kind != RecordType::TEXTURE) {
            let key = view.key();
            let groups = view.parse(checks).and_then(|record| match is_asset(&record, key.kind) && seen.insert(key) {
                true => databases.group_path(Location { database: 0, key }, checks).map(Some),
                false => Ok(None),
            });
            let groups = match groups {
                Ok(Some(groups)) => groups,
                Ok(None) => continue,
                Err(fault) => {
                    faults.push(fault);
                    continue;
                }
            };
            let own = typed::name(&view).filter(|name| !name.trim().is_empty()).unwrap_or_else(|| key.id.to_string());
            let parts: Vec<String> = groups.iter().chain([&own]).map(|part| plain(part)).collect();
            let name = parts.join("/");
            *uses.entry(compared(&name)).or_default() += 1;
            wanted.push((key, name));
        }
        for (key, name) in wanted {
            let is_shared = uses.get(&compared(&name)).is_some_and(|uses| *uses > 1);
            let name = if is_shared { format!("{name}.{}", key.id) } else { name };
            let name = names.unique(&name);
            names.of.insert(key, name);
        }
        (names, faults)
    }

    /// Returns the name of a record that becomes assets.
    pub(super) fn get(&self, key: RecordKey) -> Option<&str> {
        self.of.get(&key).map(String::as_str)
    }

    /// Returns the name of a record that becomes assets. A second record of the same type and id has none.
    pub(super) fn take(&mut self, key: RecordKey) -> Option<String> {
        self.of.remove(&key)
    }

    /// Returns the name, with a number if it is taken.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}.{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        candidates.find(|name| self.taken.insert(compared(name))).unwrap_or_default()
    }
}

/// Returns a part of a name without what no path has.
fn plain(part: &str) -> String {
    let part = part.trim();
    let end = (0..=MAX_PART.min(part.len())).rev().find(|end| part.is_char_boundary(*end)).unwrap_or(0);
    let is_special = |c: char| c.is_control() || matches!(c, '/' | '\\' | '#' | ':');
    let part: String = part[..end].trim().chars().map(|c| if is_special(c) { '_' } else { c }).collect();
    if part.is_empty() || part == "." || part == ".." { format!("_{part}") } else { part }
}

/// Returns what distinguishes the constants of two names.
fn compared(name: &str) -> String {
    let part = |part: &str| {
        let words: String = deunicode(part).chars().filter(char::is_ascii_alphanumeric).collect();
        if words.is_empty() { part.to_owned() } else { words.to_ascii_lowercase() }
    };
    name.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_names_of_a_path() {
        for (part, expected) in [
            ("step", "step"),
            (" Grüße ", "Grüße"),
            ("../x", ".._x"),
            ("..", "_.."),
            ("", "_"),
            ("a#b\\c:d\0", "a_b_c_d_"),
        ] {
            assert_eq!(plain(part), expected);
        }
        assert!(plain(&"ü".repeat(500)).len() <= MAX_PART);
    }

    #[test]
    fn names_are_compared_as_constants() {
        assert_eq!(compared("Steps/loop!"), compared("steps/Loop"));
        assert_ne!(compared("★"), compared("☆"));
        let mut names = Names { of: HashMap::new(), taken: HashSet::new() };
        assert_eq!(names.unique("a"), "a");
        assert_eq!(names.unique("A!"), "A!.2");
    }
}
