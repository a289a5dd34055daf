//! What models, classes and sequences refer to, as the assets that other archives have of it.

use std::collections::HashSet;

use rres_import::Note;
use serde_json::{Map, Value, json};

use super::archives::{Archives, relative};
use super::textures::Alpha;
use super::{Source, first_of};
use crate::{
    Animation, Class, FieldKind, Items, Model, RecordKey, RecordType, RecordView, Ref, Sequence, SequenceRef,
    Value as ClassValue, json as typed,
};

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
    pub(super) archives: Archives,
    /// Textures that were not found.
    missing: Texts,
    /// Animations that were not found.
    missing_animations: Texts,
    /// What classes refer to that was not found.
    missing_of_classes: Texts,
    /// What sequences refer to that was not found.
    missing_of_sequences: Texts,
}

/// Texts in order, each once.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    seen: HashSet<String>,
}

impl Texts {
    fn add(&mut self, text: String) {
        if !self.seen.contains(&text) {
            self.seen.insert(text.clone());
            self.list.push(text);
        }
    }
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
        let database = Archives::database_of(source.path);
        let archive = self.archives.of(source, database, texture, RecordType::TEXTURE);
        let found = archive.and_then(|archive| {
            let asset = archive.asset(RecordKey { kind: RecordType::TEXTURE, id: texture.id })?;
            Some(Look { image: relative(source, &asset), alpha: archive.textures.alpha(texture.id)? })
        });
        if found.is_none() {
            self.missing.add(format!("texture {texture}"));
        }
        found
    }

    /// Returns the animations of a character, each by `use_them`: they are in archives that are kept for as long.
    pub(super) fn with_animations<T>(
        &mut self,
        source: &mut Source<'_>,
        model: &Model<'_>,
        use_them: impl FnOnce(&[Animation<'_>]) -> T,
    ) -> T {
        let mut archives = Vec::new();
        for target in of_character(model) {
            let database = Archives::database_of(source.path);
            let archive = self.archives.of(source, database, target, RecordType::ANIMATION);
            match archive.filter(|archive| archive.animation(target.id).is_some()) {
                Some(archive) => archives.push((archive, target.id)),
                None => self.missing_animations.add(format!("animation {target}")),
            }
        }
        let animations: Vec<_> = archives.iter().filter_map(|(archive, id)| archive.animation(*id)).collect();
        use_them(&animations)
    }

    /// Returns the models, sounds and textures that a class refers to: their paths relative to the source, and their paths by field. Other
    /// classes are not among them: they may refer to each other.
    pub(super) fn of_class(&mut self, source: &mut Source<'_>, class: &Class<'_>) -> (Vec<String>, Value) {
        let names = typed::field_names(class);
        let fields = names.into_iter().zip(class.values().map(|(field, value)| (field.kind(), value)));
        let own = ("model".to_owned(), (FieldKind::Model, ClassValue::Reference(class.model)));
        let (mut dependencies, mut of_fields, mut of_class) = (Texts::default(), Map::new(), Value::Null);
        for (number, (name, (kind, value))) in std::iter::once(own).chain(fields).enumerate() {
            let kind = match kind {
                FieldKind::Model => RecordType::MODEL,
                FieldKind::Sound => RecordType::SOUND,
                FieldKind::Texture => RecordType::TEXTURE,
                _ => continue,
            };
            let mut find = |value: &ClassValue| {
                let ClassValue::Reference(target) = value else { return Value::Null };
                if target.is_null() {
                    return Value::Null;
                }
                let Some(path) = self.archives.asset(source, *target, kind) else {
                    let what = kind.name().unwrap_or_default();
                    self.missing_of_classes.add(format!("{what} {target} of class {}", class.name.decode()));
                    return Value::Null;
                };
                dependencies.add(relative(source, &path));
                json!(path)
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
        (dependencies.list, json!({ "model": of_class, "values": of_fields }))
    }

    /// Returns the animations, sounds and classes that a sequence refers to: their paths relative to the source, and the JSON of the sequence,
    /// in which actors and actions have the paths as `asset`.
    pub(super) fn of_sequence(
        &mut self,
        source: &mut Source<'_>,
        view: &RecordView<'_>,
        sequence: &Sequence<'_>,
    ) -> (Vec<String>, Value) {
        let (mut dependencies, mut value) = (Texts::default(), typed::sequence(sequence));
        for SequenceRef { actor, action, kind, target, .. } in view.sequence_refs() {
            let path = if target.is_null() { None } else { self.archives.asset(source, target, kind) };
            match &path {
                Some(path) => dependencies.add(relative(source, path)),
                None if target.is_null() => {}
                None => {
                    let what = kind.name().unwrap_or_default();
                    let missing = format!("{what} {target} of sequence {}", sequence.name.decode());
                    self.missing_of_sequences.add(missing);
                }
            }
            let actor = &mut value["actors"][actor];
            let place = match action {
                Some(action) => &mut actor["actions"][action],
                None => actor,
            };
            place["asset"] = json!(path);
        }
        (dependencies.list, value)
    }

    /// Names what was not found.
    pub(super) fn notes(&self) -> impl Iterator<Item = Note> {
        let note = |topic: &str, missing: &Texts, extensions: &str| {
            let help =
                format!("put the .db file and the {extensions} files of all databases into the assets directory");
            let note = || Note::new(topic).with_detail(first_of(&missing.list)).with_help(help);
            (!missing.list.is_empty()).then(note)
        };
        let of_models = note("textures of models that are in no archive here are left out", &self.missing, ".txd");
        let topic = "animations of characters that are in no archive here are left out";
        let of_characters = note(topic, &self.missing_animations, ".adb");
        let topic = "what classes refer to and what is in no archive here is left out";
        let of_classes = note(topic, &self.missing_of_classes, ".mod, .sdb and .txd");
        let topic = "what sequences refer to and what is in no archive here is no dependency";
        let of_sequences = note(topic, &self.missing_of_sequences, ".adb, .sdb and .odb");
        [of_models, of_characters, of_classes, of_sequences].into_iter().flatten()
    }
}
