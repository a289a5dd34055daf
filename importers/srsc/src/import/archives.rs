//! The other archives that records refer to: those of the same name, and those of databases that `.db` files name. What was read is an input of
//! the source, so that it is imported again when one changes, appears or goes.

use std::collections::HashMap;
use std::rc::Rc;

use rres_import::{relative_to, resolve_relative};

use super::names::Names;
use super::textures::Textures;
use super::{Source, open};
use crate::{Animation, Checks, Databases, Definition, Location, RecordKey, RecordType, Ref};

/// An archive that references lead to.
pub(super) struct Found {
    /// Its path in the assets directory.
    pub(super) path: String,
    pub(super) databases: Databases,
    pub(super) textures: Textures,
    names: Names,
}

impl Found {
    /// Returns the name of the sub-asset of a record; `None` if it becomes none.
    pub(super) fn name(&self, key: RecordKey) -> Option<&str> {
        if key.kind == RecordType::MODEL {
            // A model without triangles becomes no asset.
            let model = self.databases.model(Location { database: 0, key }, &mut Checks::default()).ok()?;
            model.levels().first()?.1.iter().find(|surface| !surface.indices.is_empty())?;
        }
        self.names.get(key)
    }

    /// Returns the path of the sub-asset of a record in the assets directory; `None` if it becomes none.
    pub(super) fn asset(&self, key: RecordKey) -> Option<String> {
        Some(format!("{}#{}", self.path, self.name(key)?))
    }

    /// Returns an animation; `None` if it does not exist, or is damaged.
    pub(super) fn animation(&self, id: u16) -> Option<Animation<'_>> {
        let key = RecordKey { kind: RecordType::ANIMATION, id };
        self.databases.animation(Location { database: 0, key }, &mut Checks::default()).ok()
    }
}

/// The extension of the archives that have records of a type; `None` for types that nothing refers to.
pub(super) fn extension(kind: RecordType) -> Option<&'static str> {
    Some(match kind {
        RecordType::TEXTURE => "txd",
        RecordType::MODEL => "mod",
        RecordType::CLASS => "odb",
        RecordType::SOUND => "sdb",
        RecordType::ANIMATION => "adb",
        _ => return None,
    })
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Archives {
    /// The databases that each `.db` file names, by its path without extension.
    definitions: HashMap<String, HashMap<u16, String>>,
    /// By the path of the database without extension, and the extension.
    found: HashMap<(String, &'static str), Option<Rc<Found>>>,
}

impl Archives {
    /// Returns the database of an archive: its path without extension.
    pub(super) fn database_of(path: &str) -> &str {
        let name = path.rfind('/').map_or(0, |slash| slash + 1);
        path[name..].rfind('.').map_or(path, |dot| &path[..name + dot])
    }

    /// Returns the archive that has the record of this type that the database refers to; `None` if there is none, or if it is damaged.
    pub(super) fn of(
        &mut self,
        source: &mut Source<'_>,
        database: &str,
        target: Ref,
        kind: RecordType,
    ) -> Option<Rc<Found>> {
        let extension = extension(kind)?;
        let named = match target.database {
            0 => database.to_owned(),
            number => self.dependency(source, database, number)?,
        };
        let key = (named, extension);
        if !self.found.contains_key(&key) {
            let archive = read(source, &format!("{}.{extension}", key.0)).map(Rc::new);
            self.found.insert(key.clone(), archive);
        }
        self.found.get(&key)?.clone()
    }

    /// Returns the path of the sub-asset that a reference of the source leads to; `None` if there is none.
    pub(super) fn asset(&mut self, source: &mut Source<'_>, target: Ref, kind: RecordType) -> Option<String> {
        let archive = self.of(source, Self::database_of(source.path), target, kind)?;
        archive.asset(RecordKey { kind, id: target.id })
    }

    /// Returns the path of the database that another one names by a number.
    fn dependency(&mut self, source: &mut Source<'_>, database: &str, number: u16) -> Option<String> {
        if !self.definitions.contains_key(database) {
            let named = definition(source, database);
            self.definitions.insert(database.to_owned(), named);
        }
        self.definitions.get(database)?.get(&number).cloned()
    }
}

fn read(source: &mut Source<'_>, path: &str) -> Option<Found> {
    let path = source.inputs.find(path)?;
    let bytes = source.inputs.read(&path).ok()?;
    // What is wrong with it is an error of its own.
    let mut checks = Checks::default();
    let databases = open(&path, &bytes, &mut checks).ok()?;
    let (textures, mut faults) = Textures::read(&databases, &mut checks);
    let (names, more_faults) = Names::new(&databases, &textures, &mut checks);
    faults.extend(more_faults);
    if !faults.is_empty() && !source.is_in_parts() {
        return None;
    }
    Some(Found { path, databases, textures, names })
}

/// Reads the paths of the databases that a `.db` file names, without extension. Those outside of the assets directory are not among them.
fn definition(source: &mut Source<'_>, database: &str) -> HashMap<u16, String> {
    let read = |source: &mut Source<'_>| {
        let path = source.inputs.find(&format!("{database}.db"))?;
        let bytes = source.inputs.read(&path).ok()?;
        Definition::parse(&path, &bytes, &mut Checks::default()).ok()
    };
    let dependencies = read(source).unwrap_or_default().dependencies;
    let inside = |path: &str| {
        let path = path.replace('\\', "/");
        let is_absolute = path.starts_with('/') || path.contains(':');
        resolve_relative(database, &path).ok().filter(|_| !is_absolute)
    };
    dependencies.into_iter().filter_map(|named| Some((named.index, inside(&named.path)?))).collect()
}

/// Returns the path of an asset as the source refers to it.
pub(super) fn relative(source: &Source<'_>, asset: &str) -> String {
    relative_to(source.path, asset)
}
