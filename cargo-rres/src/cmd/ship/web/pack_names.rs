//! What packs are called on a web server: `lantern.rres` becomes `lantern-1f2e3d4c5b6a7980.rres`, with a hash of the pack.
//!
//! So a program gets the pack of its own build or none, whatever caches lie between it and the server, and a site can have the packs of several builds
//! side by side: who plays while a new one is published plays on.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use super::super::staging::{Role, Staging};
use super::cannot_read;
use crate::exit::Failure;

/// The names of the packs of a game on the server, by the names that the game has for them.
#[derive(Debug, Default)]
pub(in super::super) struct PackNames(BTreeMap<String, String>);

impl PackNames {
    /// Adds a pack.
    pub(in super::super) fn add(&mut self, name: &str, file: &Path) -> Result<(), Failure> {
        let mut hasher = blake3::Hasher::new();
        let hashed = File::open(file).and_then(|file| hasher.update_reader(file).map(drop));
        hashed.map_err(|e| cannot_read(file, &e))?;
        self.0.insert(name.to_owned(), with_hash(name, &hasher.finalize().to_hex()[..16]));
        Ok(())
    }

    /// Returns the names for the script of a page.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// Renames the packs of a result, which was checked with the names that the game has.
    pub(in super::super) fn rename(&self, staging: &mut Staging) -> Result<(), Failure> {
        (0..staging.parts.len()).try_for_each(|at| match self.0.get(&staging.parts[at].path) {
            Some(name) if staging.parts[at].role == Role::Pack => staging.rename(at, name),
            _ => Ok(()),
        })
    }
}

fn with_hash(name: &str, hash: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
        None => format!("{name}-{hash}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_hash_and_keep_their_extension() {
        assert_eq!(with_hash("lantern.dlc.rres", "1f"), "lantern.dlc-1f.rres");
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut names = PackNames::default();
        names.add("lantern.rres", file.path()).unwrap();
        // BLAKE3 of no bytes.
        assert_eq!(names.json(), r#"{"lantern.rres":"lantern-af1349b9f5f9a1a6.rres"}"#);
    }
}
