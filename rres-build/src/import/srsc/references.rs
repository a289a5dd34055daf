//! The textures of models: in the archive of the same name, or in those of databases that the `.db` file names. What was read is an input
//! of the model's file, so that it is imported again when one changes, appears or goes.

use std::collections::HashMap;

use rres_import_srsc::{Checks, Definition, Items, Ref};

use super::textures::{Alpha, Textures};
use super::{Source, first_of, open};
use crate::model::relative_to;
use crate::note::Note;

/// An archive of textures: its path relative to the source, and its textures.
type Found = (String, Textures);

/// A texture of a model.
pub(super) struct Look {
    /// Its asset, relative to the source.
    pub(super) image: String,
    pub(super) alpha: Alpha,
}

/// What was found so far.
#[derive(Default)]
pub(super) struct References {
    /// The paths of the databases by their numbers, relative to the source; `None` before the `.db` file was looked for.
    paths: Option<HashMap<u16, String>>,
    archives: HashMap<u16, Option<Found>>,
    missing: Vec<String>,
}

impl References {
    /// Returns the textures of a model; `None` for one that there is not.
    pub(super) fn of_model(&mut self, source: &mut Source<'_>, textures: &Items<'_, Ref>) -> Vec<Option<Look>> {
        textures.iter().map(|texture| self.find(source, texture)).collect()
    }

    fn find(&mut self, source: &mut Source<'_>, texture: Ref) -> Option<Look> {
        if texture.is_null() {
            return None;
        }
        if !self.archives.contains_key(&texture.database) {
            let archive = self.archive(source, texture.database);
            self.archives.insert(texture.database, archive);
        }
        let archive = self.archives.get(&texture.database).and_then(Option::as_ref);
        let found = archive.and_then(|(path, textures)| {
            Some(Look { image: format!("{path}#{}", texture.id), alpha: textures.alpha(texture.id)? })
        });
        if found.is_none() {
            let missing = format!("texture {texture}");
            if !self.missing.contains(&missing) {
                self.missing.push(missing);
            }
        }
        found
    }

    /// Reads the textures of a database.
    fn archive(&mut self, source: &mut Source<'_>, database: u16) -> Option<Found> {
        let name = source.path.rsplit('/').next().unwrap_or(source.path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let relative = match database {
            0 => stem.to_owned(),
            number => self.paths.get_or_insert_with(|| definition(source, stem)).get(&number)?.clone(),
        };
        let path = source.input_path(&format!("{relative}.txd")).ok()?;
        let path = source.inputs.find(&path)?;
        let bytes = source.inputs.read(&path).ok()?;
        // What is wrong with it is an error of its own.
        let mut checks = Checks::default();
        let databases = open(&path, &bytes, &mut checks).ok()?;
        let textures = Textures::read(&databases, &mut checks).ok()?;
        Some((relative_to(source.path, &path), textures))
    }

    /// Names the textures that were not found.
    pub(super) fn note(&self) -> Option<Note> {
        let note = || {
            let note = Note::new("textures of models that are in no archive here are left out");
            let help = "put the .db file and the .txd files of all databases into the assets directory";
            note.with_detail(first_of(&self.missing)).with_help(help)
        };
        (!self.missing.is_empty()).then(note)
    }
}

/// Reads the paths of the databases that the `.db` file beside the source names, without extension.
fn definition(source: &mut Source<'_>, stem: &str) -> HashMap<u16, String> {
    let read = |source: &mut Source<'_>| {
        let path = source.input_path(&format!("{stem}.db")).ok()?;
        let path = source.inputs.find(&path)?;
        let bytes = source.inputs.read(&path).ok()?;
        Definition::parse(&path, &bytes, &mut Checks::default()).ok()
    };
    let dependencies = read(source).unwrap_or_default().dependencies;
    dependencies.into_iter().map(|named| (named.index, named.path.replace('\\', "/"))).collect()
}
