//! Records as JSON: what `info` shows, and the files that classes, sequences and animations become.

use rres_import_srsc::{
    Action, ActionKind, Animation, Checks, Class, Databases, Error, FieldKind, Location, Record, RecordKey, RecordType,
    Ref, Sequence, Shading, Shapes, Sound, SoundFlags, Texture, TextureFlags, Value as ClassValue,
};
use serde_json::{Map, Value, json};

use super::opened::id;
use crate::export::float;

/// Returns the contents of a record.
pub(super) fn record(record: &Record<'_>) -> Value {
    match record {
        Record::Palette(colors) => {
            json!({ "colors": colors.iter().map(|[r, g, b, _]| format!("#{r:02x}{g:02x}{b:02x}")).collect::<Vec<_>>() })
        }
        Record::Texture(texture) => self::texture(texture),
        Record::Library { path, .. } => json!({ "path": path.decode() }),
        Record::Group(name) => json!({ "name": name.decode() }),
        Record::Class(class) => self::class(class),
        Record::ModelName(model) => json!({ "name": model.name.decode(), "shading": shading(model.shading) }),
        Record::ModelCounters(counters) => {
            json!({ "groups": counters.groups, "last_group": counters.last_group, "last_model": counters.last_model })
        }
        Record::Vertices(vertices) => json!({ "vertices": vertices.iter().map(floats).collect::<Vec<_>>() }),
        Record::Polygons(polygons) => {
            let corner =
                |corner: &rres_import_srsc::Corner| json!({ "vertex": corner.vertex, "uv": floats(corner.uv) });
            let polygon = |polygon: &rres_import_srsc::Polygon| {
                let corners: Vec<Value> = polygon.corners().iter().map(corner).collect();
                json!({ "flags": polygon.flags, "texture": polygon.texture, "corners": corners })
            };
            json!({ "polygons": polygons.iter().map(polygon).collect::<Vec<_>>() })
        }
        Record::TextureList(textures) => json!({ "textures": textures.iter().map(reference).collect::<Vec<_>>() }),
        Record::Bounds(bounds) => {
            let (kind, count) = match &bounds.shapes {
                Shapes::Spheres(spheres) => ("spheres", spheres.len()),
                Shapes::Boxes(boxes) => ("boxes", boxes.len()),
            };
            json!({
                "sphere": floats(bounds.volume.sphere),
                "box": floats(bounds.volume.oriented_box),
                "shapes": kind,
                "shape_count": count,
            })
        }
        Record::Character(character) => self::character(character),
        Record::Lod(lod) => json!({ "model": id(lod.model), "distance": float(lod.distance) }),
        Record::Sound(sound) => self::sound(sound),
        Record::Sequence(sequence) => self::sequence(sequence),
        Record::HiddenText(text) | Record::Text(text) => json!({ "text": text.decode() }),
        Record::Riff(bytes) => json!({ "riff": bytes.get(8..12).map(|form| form.escape_ascii().to_string()) }),
        Record::Volume(volume) => json!({ "volume": volume, "gain": gain(*volume) }),
        Record::Version(version) => json!({ "version": version }),
        Record::Animation(info) => animation_head(info),
        Record::Frames(frames) => {
            let frame = |frame: rres_import_srsc::Frame| json!({ "time": float(frame.time), "transform": floats(frame.transform) });
            json!({ "frames": frames.iter().map(frame).collect::<Vec<_>>() })
        }
        Record::FrameRanges(ranges) => json!({ "ranges": ranges.iter().collect::<Vec<_>>() }),
        Record::Raw(bytes) => json!({ "raw_size": bytes.len() }),
        // A record that a later version of the reader knows.
        _ => Value::Null,
    }
}

fn floats<const N: usize>(values: [f32; N]) -> Vec<Value> {
    values.into_iter().map(float).collect()
}

/// Returns a reference as `"2:0x0001"`, or `null`.
fn reference(reference: Ref) -> Value {
    if reference.is_null() { Value::Null } else { json!(reference.to_string()) }
}

fn gain(volume: i32) -> f64 {
    10f64.powf(f64::from(volume) / 2000.0)
}

fn names(flags: &[(bool, &'static str)]) -> Vec<&'static str> {
    flags.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect()
}

fn texture(texture: &Texture<'_>) -> Value {
    let has = |flag| texture.flags.contains(flag);
    let flags = names(&[
        (has(TextureFlags::KEEP_QUALITY), "keep-quality"),
        (has(TextureFlags::DYNAMIC), "dynamic"),
        (has(TextureFlags::NEXT_FRAME), "next-frame"),
        (has(TextureFlags::MIP), "mip"),
        (has(TextureFlags::ALTERNATE), "alternate"),
        (has(TextureFlags::ALPHA), "alpha"),
        (has(TextureFlags::ALPHA_MAP), "alpha-map"),
    ]);
    let key = (texture.color_key != Texture::NO_KEY).then(|| format!("#{:06x}", texture.color_key));
    json!({
        "width": texture.width,
        "height": texture.height,
        "pitch": texture.pitch,
        "bits": texture.bits,
        "alpha_bits": texture.alpha_bits,
        "color_key": key,
        "fps": texture.fps,
        "flags": flags,
        "mip_number": texture.mip_number,
        "level": texture.level,
        "data_size": texture.data.len(),
        "alpha_map_size": texture.alpha_map.as_ref().map(|map| map.len()),
    })
}

fn sound(sound: &Sound<'_>) -> Value {
    json!({
        "name": sound.name.decode(),
        "channels": sound.channels,
        "bits": sound.bits,
        "rate": sound.rate,
        "frames": sound.frames(),
        "volume": sound.volume,
        "gain": sound.gain(),
        "drop_off": float(sound.drop_off),
        "priority": sound.priority,
        "loop": sound.is_looped(),
        "flush": sound.flags.contains(SoundFlags::FLUSH),
        "level": sound.level,
    })
}

pub(super) fn shading(shading: Shading) -> Vec<&'static str> {
    let has = |bit| shading.contains(bit);
    names(&[
        (has(Shading::FLAT), "flat"),
        (has(Shading::SMOOTH), "smooth"),
        (has(Shading::LANDSCAPE), "landscape"),
        (has(Shading::SHINY), "shiny"),
        (has(Shading::ADDITIVE), "additive"),
        (has(Shading::ENVIRONMENT), "environment"),
    ])
}

/// Returns a class with its fields by name, in their order.
pub(super) fn class(class: &Class<'_>) -> Value {
    let field = |(field, value): (&rres_import_srsc::Field<'_>, ClassValue)| {
        let modifier = Some(field.modifier()).filter(|modifier| *modifier != 0 && !field.is_array());
        json!({
            "name": field.name.decode(),
            "type": match field.kind() {
                FieldKind::Unknown(number) => format!("unknown-{number:02x}"),
                kind => kind.name().to_owned(),
            },
            "array": field.is_array(),
            "modifier": modifier.map(|modifier| format!("0x{modifier:02x}")),
            "value": class_value(&value),
        })
    };
    json!({
        "name": class.name.decode(),
        "model": reference(class.model),
        "library_class": class.library_class,
        "icon": class.icon,
        "fields": class.values().map(field).collect::<Vec<_>>(),
    })
}

fn class_value(value: &ClassValue) -> Value {
    match value {
        ClassValue::Integer(value) => json!(value),
        ClassValue::Float(value) => float(*value),
        ClassValue::Boolean(value) => json!(value),
        ClassValue::Number(value) => json!(value),
        ClassValue::Reference(value) => reference(*value),
        ClassValue::Color([a, r, g, b]) => json!(format!("#{r:02x}{g:02x}{b:02x}{a:02x}")),
        ClassValue::Text(text) => json!(text),
        ClassValue::Array(list) => list.iter().map(class_value).collect(),
        _ => Value::Null,
    }
}

fn character(character: &rres_import_srsc::Character<'_>) -> Value {
    let node = |node: &rres_import_srsc::Node<'_>| json!({ "name": node.name.decode(), "joint": node.joint });
    let joint = |joint: &rres_import_srsc::Joint<'_>| {
        let weights: Vec<Value> = joint
            .weights
            .iter()
            .map(|list| list.iter().map(|weight| json!([weight.vertex, float(weight.weight)])).collect())
            .collect();
        json!({
            "inverse": floats(joint.inverse),
            "mesh": Some(joint.mesh).filter(|mesh| *mesh >= 0),
            "first_child": joint.first_child,
            "next_sibling": joint.next_sibling,
            "weights": weights,
        })
    };
    let channel = |channel: &rres_import_srsc::Channel<'_>| json!({ "node": channel.node, "transform": floats(channel.transform), "caps": channel.caps.len() });
    json!({
        "sphere": floats(character.volume.sphere),
        "levels": character.lods.len(),
        "level_names": character.lod_names.iter().map(|name| name.decode()).collect::<Vec<_>>(),
        "nodes": character.nodes.iter().map(node).collect::<Vec<_>>(),
        "joints": character.joints.iter().map(joint).collect::<Vec<_>>(),
        "channels": character.channels.iter().map(channel).collect::<Vec<_>>(),
        "animations": character.animations.iter().map(reference).collect::<Vec<_>>(),
    })
}

/// Returns a sequence with the actions of its actors.
pub(super) fn sequence(sequence: &Sequence<'_>) -> Value {
    let actor = |actor: &rres_import_srsc::Actor<'_>| {
        json!({
            "name": actor.name.decode(),
            "id": actor.id,
            "kind": match actor.kind { 0 => "none", 1 => "object", _ => "assigned" },
            "assigned_as": actor.assigned_as,
            "target": actor.target,
            "actions": actor.actions.iter().map(action).collect::<Vec<_>>(),
        })
    };
    json!({
        "name": sequence.name.decode(),
        "flags": sequence.flags,
        "loop": sequence.flags & 1 != 0,
        "run_state": sequence.run_state,
        "actors": sequence.actors.iter().map(actor).collect::<Vec<_>>(),
        "unread_size": sequence.rest.len(),
    })
}

fn action(action: &Action) -> Value {
    let mut value = match &action.kind {
        ActionKind::Move { rotation, position, relative_to, options } => {
            json!({ "action": "move", "rotation": floats(*rotation), "position": floats(*position), "relative_to": relative_to, "options": options })
        }
        ActionKind::Animate { channel, animation, start, transition, speed, flags } => {
            json!({ "action": "animate", "channel": channel, "animation": reference(*animation), "start": float(*start), "transition": float(*transition), "speed": float(*speed), "flags": flags })
        }
        ActionKind::PlaySound { sound, duration, volume, flags } => {
            json!({ "action": "play-sound", "sound": reference(*sound), "duration": float(*duration), "volume": volume, "flags": flags })
        }
        ActionKind::Attach { actor, channel } => json!({ "action": "attach", "actor": actor, "channel": channel }),
        ActionKind::RunAi(value) => json!({ "action": "run-ai", "enabled": *value != 0 }),
        ActionKind::Show(value) => json!({ "action": "show", "visible": *value != 0 }),
        ActionKind::Message { number, .. } => json!({ "action": "message", "number": number }),
        ActionKind::Music { music, instruments, fade_in, fade_out } => {
            json!({ "action": "music", "music": music, "instruments": instruments, "fade_in": float(*fade_in), "fade_out": float(*fade_out) })
        }
        kind => json!({ "action": format!("unknown-{}", kind.number()) }),
    };
    value["time"] = float(action.time);
    value
}

fn animation_head(info: &rres_import_srsc::AnimationInfo<'_>) -> Value {
    json!({
        "name": info.name.decode(),
        "duration": float(info.duration),
        "frames": info.frames,
        "source_frames": info.source_frames,
        "nodes": info.nodes,
        "channels": info.channels,
        "loop": info.is_looped(),
    })
}

/// Returns an animation with the frames of each node.
pub(super) fn animation(animation: &Animation<'_>) -> Value {
    let frame =
        |frame: rres_import_srsc::Frame| json!({ "time": float(frame.time), "transform": floats(frame.transform) });
    let node = |number| animation.node(number).map(frame).collect::<Vec<_>>();
    let mut value = animation_head(&animation.info);
    value["frames"] = (0..animation.ranges.len()).map(node).collect();
    value
}

/// Returns where a location is, as `{ "database": …, "type": …, "id": … }`.
fn location(databases: &Databases, at: Location) -> Value {
    let file = databases.all().get(at.database).map(|database| database.file());
    json!({ "database": file, "type": at.key.kind.to_string(), "id": id(at.key.id) })
}

/// Returns the records that a record refers to, by field, and what leads to nothing.
pub(super) fn links(databases: &Databases, at: Location, checks: &mut Checks) -> (Value, Vec<Error>) {
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
                    let level = |level: &rres_import_srsc::LevelOfDetail| json!({ "model": id(level.model.key.id), "distance": float(level.distance) });
                    drop(links.insert("levels_of_detail".to_owned(), levels.iter().map(level).collect()));
                }
                Ok(_) => {}
                Err(error) => errors.push(error),
            }
        }
        Ok(Record::Animation(_)) => errors.extend(databases.animation(at, checks).err()),
        Ok(Record::Sequence(sequence)) => {
            for action in sequence.actors.iter().flat_map(|actor| &actor.actions) {
                match action.kind {
                    ActionKind::Animate { animation, .. } => {
                        resolve("animation", animation, RecordType::ANIMATION, "animation", 0)
                    }
                    ActionKind::PlaySound { sound, .. } => resolve("sound", sound, RecordType::SOUND, "sound", 0),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    let value = if links.is_empty() { Value::Null } else { links.into() };
    (value, errors)
}

/// Returns a key of the same id and another type.
pub(super) fn with_kind(at: Location, kind: RecordType) -> Location {
    Location { key: RecordKey { kind, ..at.key }, ..at }
}
