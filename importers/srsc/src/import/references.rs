//! What records refer to in other archives: the textures of models, and the models, sounds and textures of classes. They are in the archive of
//! the same name, or in the archives of databases that the `.db` file names. What was read is an input of the file, so that it is imported
//! again when one changes, appears or goes.

use std::collections::{HashMap, HashSet};

use rres_import::{Note, relative_to};
use serde_json::{Map, Value, json};

use super::names::Names;
use super::textures::{Alpha, Textures};
use super::{Source, first_of, open};
use crate::{
    Animation, Checks, Class, Databases, Definition, FieldKind, Items, Location, Model, RecordKey, RecordType, Ref,
    Value as ClassValue,
};

/// An archive that references lead to.
struct Found {
    /// Its path in the assets directory.
    path: String,
    databases: Databases,
    textures: Textures,
    names: Names,
}

impl Found {
    /// Returns the name of the sub-asset of a record; `None` if it becomes none.
    fn name(&self, key: RecordKey) -> Option<&str> {
        if key.kind == RecordType::MODEL {
            // A model without triangles becomes no asset.
            let model = self.databases.model(Location { database: 0, key }, &mut Checks::default()).ok()?;
            model.levels().first()?.1.iter().find(|surface| !surface.indices.is_empty())?;
        }
        self.names.get(key)
    }

    /// Returns an animation; `None` if it does not exist, or is damaged.
    fn animation(&self, id: u16) -> Option<Animation<'_>> {
        let key = RecordKey { kind: RecordType::ANIMATION, id };
        self.databases.animation(Location { database: 0, key }, &mut Checks::default()).ok()
    }
}

/// The animations of a character, each once.
fn of_character(model: &Model<'_>) -> Vec<Ref> {
    let mut seen = HashSet::new();
    let all = model.character.iter().flat_map(|character| character.animations.iter());
    all.filter(|animation| !animation.is_null() && seen.insert(*animation)).collect()
}

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
    /// By the number of the database and the extension.
    archives: HashMap<(u16, &'static str), Option<Found>>,
    /// Textures that were not found.
    missing: Vec<String>,
    /// Animations that were not found.
    missing_animations: Vec<String>,
    /// What classes refer to that was not found.
    missing_of_classes: Vec<String>,
}

impl References {
    /// Returns the textures of a model; `None` for one that there is not.
    pub(super) fn of_model(&mut self, source: &mut Source<'_>, textures: &Items<'_, Ref>) -> Vec<Option<Look>> {
        textures.iter().map(|texture| self.look(source, texture)).collect()
    }

    fn look(&mut self, source: &mut Source<'_>, texture: Ref) -> Option<Look> {
        if texture.is_null() {
            return None;
        }
        let found = self.archive(source, texture.database, "txd").and_then(|archive| {
            let key = RecordKey { kind: RecordType::TEXTURE, id: texture.id };
            let image = format!("{}#{}", relative_to(source.path, &archive.path), archive.name(key)?);
            Some(Look { image, alpha: archive.textures.alpha(texture.id)? })
        });
        if found.is_none() {
            add(&mut self.missing, format!("texture {texture}"));
        }
        found
    }

    /// Looks for the animations of a character.
    pub(super) fn find_animations(&mut self, source: &mut Source<'_>, model: &Model<'_>) {
        for animation in of_character(model) {
            let archive = self.archive(source, animation.database, "adb");
            if archive.and_then(|archive| archive.animation(animation.id)).is_none() {
                add(&mut self.missing_animations, format!("animation {animation}"));
            }
        }
    }

    /// Returns the animations of a character that were found.
    pub(super) fn animations(&self, model: &Model<'_>) -> Vec<Animation<'_>> {
        let find = |animation: Ref| self.archives.get(&(animation.database, "adb"))?.as_ref()?.animation(animation.id);
        of_character(model).into_iter().filter_map(find).collect()
    }

    /// Returns the models, sounds and textures that a class refers to: their paths relative to the source, and their paths by field. Other
    /// classes are not among them: they may refer to each other.
    pub(super) fn of_class(&mut self, source: &mut Source<'_>, class: &Class<'_>) -> (Vec<String>, Value) {
        let names = crate::json::field_names(class);
        let fields = names.into_iter().zip(class.values().map(|(field, value)| (field.kind(), value)));
        let own = ("model".to_owned(), (FieldKind::Model, ClassValue::Reference(class.model)));
        let (mut dependencies, mut of_fields, mut of_class) = (Vec::new(), Map::new(), Value::Null);
        for (number, (name, (kind, value))) in std::iter::once(own).chain(fields).enumerate() {
            let (kind, extension) = match kind {
                FieldKind::Model => (RecordType::MODEL, "mod"),
                FieldKind::Sound => (RecordType::SOUND, "sdb"),
                FieldKind::Texture => (RecordType::TEXTURE, "txd"),
                _ => continue,
            };
            let mut find = |value: &ClassValue| {
                let ClassValue::Reference(target) = value else { return Value::Null };
                if target.is_null() {
                    return Value::Null;
                }
                let key = RecordKey { kind, id: target.id };
                let archive = self.archive(source, target.database, extension);
                let found = archive.and_then(|archive| Some((archive.path.clone(), archive.name(key)?.to_owned())));
                let Some((path, name)) = found else {
                    let what = kind.name().unwrap_or_default();
                    add(&mut self.missing_of_classes, format!("{what} {target} of class {}", class.name.decode()));
                    return Value::Null;
                };
                add(&mut dependencies, format!("{}#{name}", relative_to(source.path, &path)));
                json!(format!("{path}#{name}"))
            };
            let found = match &value {
                ClassValue::Array(list) => list.iter().map(&mut find).collect(),
                value => find(value),
            };
            match number {
                0 => of_class = found,
                _ => drop(of_fields.insert(name, found)),
            }
        }
        (dependencies, json!({ "model": of_class, "values": of_fields }))
    }

    /// Returns an archive of a database; `None` if there is none, or if it is damaged.
    fn archive(&mut self, source: &mut Source<'_>, database: u16, extension: &'static str) -> Option<&Found> {
        if !self.archives.contains_key(&(database, extension)) {
            let archive = self.read(source, database, extension);
            self.archives.insert((database, extension), archive);
        }
        self.archives.get(&(database, extension))?.as_ref()
    }

    fn read(&mut self, source: &mut Source<'_>, database: u16, extension: &str) -> Option<Found> {
        let name = source.path.rsplit('/').next().unwrap_or(source.path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let relative = match database {
            0 => stem.to_owned(),
            number => self.paths.get_or_insert_with(|| definition(source, stem)).get(&number)?.clone(),
        };
        let path = source.input_path(&format!("{relative}.{extension}")).ok()?;
        let path = source.inputs.find(&path)?;
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

    /// Names what was not found.
    pub(super) fn notes(&self) -> impl Iterator<Item = Note> {
        let note = |topic: &str, missing: &[String], extensions: &str| {
            let help =
                format!("put the .db file and the {extensions} files of all databases into the assets directory");
            let note = || Note::new(topic).with_detail(first_of(missing)).with_help(help);
            (!missing.is_empty()).then(note)
        };
        let of_models = note("textures of models that are in no archive here are left out", &self.missing, ".txd");
        let topic = "animations of characters that are in no archive here are left out";
        let of_characters = note(topic, &self.missing_animations, ".adb");
        let topic = "what classes refer to and what is in no archive here is left out";
        let of_classes = note(topic, &self.missing_of_classes, ".mod, .sdb and .txd");
        of_models.into_iter().chain(of_characters).chain(of_classes)
    }
}

fn add(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
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
