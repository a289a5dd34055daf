//! What a record refers to, as JSON.

use serde_json::{Map, Value, json};

use super::{float, id};
use crate::body::Element;
use crate::{
    ActionKind, Checks, Databases, Error, FieldKind, LevelOfDetail, Location, Record, RecordType, Ref,
    Value as ClassValue,
};

/// The type of an actor that is assigned while the game runs: its target is a class.
const ASSIGNED: u32 = 2;

/// Returns where a location is, as `{ "database": …, "type": …, "id": … }`.
fn location(databases: &Databases, at: Location) -> Value {
    let file = databases.all().get(at.database).map(|database| database.file());
    json!({ "database": file, "type": at.key.kind.to_string(), "id": id(at.key.id) })
}

/// Returns the records that a record refers to, by field, and what leads to nothing.
pub fn links(databases: &Databases, at: Location, checks: &mut Checks) -> (Value, Vec<Error>) {
    let (mut links, mut errors) = (Map::new(), Vec::new());
    let Some(view) = databases.record(at) else { return (Value::Null, errors) };
    let place = |at| location(databases, at);
    let mut resolve = |name: &str, target: Ref, kind: RecordType, field: &'static str, offset: u64| match databases
        .resolve(at.database, &view, target, kind, (field, offset))
    {
        Ok(Some(found)) => drop(links.insert(name.to_owned(), place(found))),
        Ok(None) => {}
        Err(error) => errors.push(error),
    };
    match view.parse(checks) {
        Ok(Record::Texture(_)) => match databases.texture_links(at, checks) {
            Ok(found) => {
                let list = |list: &[Location]| list.iter().map(|at| place(*at)).collect::<Vec<_>>();
                return (
                    json!({
                        "levels": list(&found.levels),
                        "alternate": found.alternate.map(place),
                        "bump": found.bump.map(place),
                        "material": found.material.map(place),
                        "frames": list(&found.frames),
                    }),
                    errors,
                );
            }
            Err(error) => errors.push(error),
        },
        Ok(Record::TextureList(textures)) => {
            for (number, texture) in textures.iter().enumerate() {
                let offset = 4 + 4 * number as u64;
                resolve(&format!("textures[{number}]"), texture, RecordType::TEXTURE, "textures", offset);
            }
        }
        Ok(Record::Class(class)) => {
            let name = class.name.bytes().len().next_multiple_of(2) as u64 + 2;
            resolve("model", class.model, RecordType::MODEL, "model", name + 2);
            for (number, (field, value)) in class.values().enumerate() {
                let kind = match field.kind() {
                    FieldKind::Class => RecordType::CLASS,
                    FieldKind::Model => RecordType::MODEL,
                    FieldKind::Sound => RecordType::SOUND,
                    FieldKind::Animation => RecordType::ANIMATION,
                    FieldKind::Sequence => RecordType::SEQUENCE,
                    FieldKind::Texture => RecordType::TEXTURE,
                    _ => continue,
                };
                let offset = name + 18 + 4 * number as u64;
                let values = match value {
                    ClassValue::Array(list) => list,
                    value => vec![value],
                };
                for (position, value) in values.into_iter().enumerate() {
                    let ClassValue::Reference(target) = value else { continue };
                    let name = field.name.decode();
                    let name = if field.is_array() { format!("{name}[{position}]") } else { name.into_owned() };
                    resolve(&name, target, kind, "value", offset);
                }
            }
        }
        Ok(Record::ModelName(_)) => {
            errors.extend(databases.model(at, checks).err());
            match databases.levels_of_detail(at, checks) {
                Ok(levels) if levels.len() > 1 => {
                    let level = |level: &LevelOfDetail| json!({ "model": id(level.model.key.id), "distance": float(level.distance) });
                    drop(links.insert("levels_of_detail".to_owned(), levels.iter().map(level).collect()));
                }
                Ok(_) => {}
                Err(error) => errors.push(error),
            }
        }
        Ok(Record::Animation(_)) => errors.extend(databases.animation(at, checks).err()),
        Ok(Record::Character(character)) => {
            for (number, animation) in character.animations.iter().enumerate() {
                resolve(&format!("animations[{number}]"), animation, RecordType::ANIMATION, "animations", 0);
            }
        }
        Ok(Record::Sequence(sequence)) => {
            for (number, actor) in sequence.actors.iter().enumerate() {
                let name = |what: &str| format!("actors[{number}].{what}");
                if actor.kind == ASSIGNED {
                    let class = Ref::read(&actor.target.to_le_bytes());
                    resolve(&name("class"), class, RecordType::CLASS, "target", 0);
                }
                for (action, at) in actor.actions.iter().zip(0..) {
                    let name = |what: &str| name(&format!("actions[{at}].{what}"));
                    match action.kind {
                        ActionKind::Animate { animation, .. } => {
                            resolve(&name("animation"), animation, RecordType::ANIMATION, "animation", 0);
                        }
                        ActionKind::PlaySound { sound, .. } => {
                            resolve(&name("sound"), sound, RecordType::SOUND, "sound", 0);
                        }
                        _ => {}
                    }
                }
            }
        }
        _ => {}
    }
    let value = if links.is_empty() { Value::Null } else { links.into() };
    (value, errors)
}
