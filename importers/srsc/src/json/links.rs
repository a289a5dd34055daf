//! What a record refers to, as JSON.

use serde_json::{Map, Value, json};

use super::{float, id};
use crate::{
    Checks, Databases, Error, FieldKind, LevelOfDetail, Location, Record, RecordType, Ref, SequenceRef,
    Value as ClassValue,
};

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
        Ok(Record::Texture(texture)) => {
            for (name, target, kind, offset) in [
                ("alternate", texture.alternate, RecordType::TEXTURE, 26),
                ("bump", texture.bump, RecordType::TEXTURE, 30),
                ("material", texture.material, RecordType::CLASS, 38),
            ] {
                resolve(name, target, kind, name, offset);
            }
            let list = |list: &[Location]| list.iter().map(|at| place(*at)).collect::<Vec<_>>();
            let levels = databases.texture_levels(at, checks);
            let frames = databases.texture_frames(at, checks);
            for (name, found) in [("levels", levels), ("frames", frames)] {
                match found {
                    Ok(found) => drop(links.insert(name.to_owned(), list(&found).into())),
                    Err(error) => errors.push(error),
                }
            }
        }
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
            errors.extend(databases.missing_parts(at));
            let damage = databases.model(at, checks).err().filter(|error| !errors.contains(error));
            errors.extend(damage);
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
            let first = view.animations_offset();
            for (number, animation) in character.animations.iter().enumerate() {
                let offset = first + 4 * number as u64;
                resolve(&format!("animations[{number}]"), animation, RecordType::ANIMATION, "animations", offset);
            }
        }
        Ok(Record::Sequence(_)) => {
            for SequenceRef { actor, action, kind, target, field, offset } in view.sequence_refs() {
                let name = match action {
                    Some(action) => format!("actors[{actor}].actions[{action}].{field}"),
                    None => format!("actors[{actor}].class"),
                };
                resolve(&name, target, kind, field, offset as u64);
            }
        }
        _ => {}
    }
    let value = if links.is_empty() { Value::Null } else { links.into() };
    (value, errors)
}
