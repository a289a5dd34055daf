//! Records as JSON: for lists of an archive's contents, and for what has no format of its own, such as classes, sequences and animations.
//!
//! Members have the names of the fields in `docs/srsc.md`. Numbers that are not finite are `null`.

mod links;
mod model;
mod sequence;

use rres_format::shortest_f64;
use serde_json::{Value, json};

pub use links::links;
pub use model::{facts, shading};
pub use sequence::sequence;

use crate::{
    Animation, Checks, Class, FieldKind, Record, RecordType, RecordView, Ref, Sound, SoundFlags, Texture, TextureFlags,
    Value as ClassValue,
};

/// Formats an id.
pub fn id(id: u16) -> String {
    format!("0x{id:04x}")
}

/// Returns the number as JSON, so that reading it as an `f32` gives the same bits. Numbers that are not finite have no
/// form in JSON and become `null`.
pub fn float(value: f32) -> Value {
    shortest_f64(value).into()
}

/// Returns the name that a record has, if it has one. A record that is damaged has none.
pub fn name(view: &RecordView<'_>) -> Option<String> {
    let text = match view.parse(&mut Checks::default()).ok()? {
        Record::Group(name) => name.decode().into_owned(),
        Record::Class(class) => class.name.decode().into_owned(),
        Record::ModelName(model) => model.name.decode().into_owned(),
        Record::Sound(sound) => sound.name.decode().into_owned(),
        Record::Sequence(sequence) => sequence.name.decode().into_owned(),
        Record::Animation(info) => info.name.decode().into_owned(),
        Record::Library { path, .. } => path.decode().into_owned(),
        _ => return None,
    };
    Some(text)
}

/// Returns the fields of a record that come from the directory, and its name.
pub fn entry(view: &RecordView<'_>) -> Value {
    let entry = view.entry();
    json!({
        "file": view.file(),
        "type": entry.key.kind.to_string(),
        "kind": entry.key.kind.name(),
        "id": id(entry.key.id),
        "group": id(entry.group),
        "offset": entry.offset,
        "size": entry.size,
        "name": name(view),
    })
}

/// Whether the contents of records of a type are short enough for a list of all records.
pub fn is_short(kind: RecordType) -> bool {
    matches!(
        kind,
        RecordType::TEXTURE
            | RecordType::SOUND
            | RecordType::MODEL
            | RecordType::LOD
            | RecordType::VERSION
            | RecordType::LIBRARY
            | RecordType::ANIMATION
    )
}

/// Returns the contents of a record. Large contents, such as pixels, samples and files, are given by their size only.
pub fn record(record: &Record<'_>) -> Value {
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
            let corner = |corner: &crate::Corner| json!({ "vertex": corner.vertex, "uv": floats(corner.uv) });
            let polygon = |polygon: &crate::Polygon| {
                let corners: Vec<Value> = polygon.corners().iter().map(corner).collect();
                json!({ "flags": polygon.flags, "texture": polygon.texture, "corners": corners })
            };
            json!({ "polygons": polygons.iter().map(polygon).collect::<Vec<_>>() })
        }
        Record::TextureList(textures) => json!({ "textures": textures.iter().map(reference).collect::<Vec<_>>() }),
        Record::Bounds(bounds) => model::bounds(bounds),
        Record::Character(character) => model::character(character),
        Record::Lod(lod) => json!({ "model": id(lod.model), "distance": float(lod.distance) }),
        Record::Sound(sound) => self::sound(sound),
        Record::Sequence(sequence) => sequence::sequence(sequence),
        Record::HiddenText(text) | Record::Text(text) => json!({ "text": text.decode() }),
        Record::Riff(bytes) => json!({ "riff": bytes.get(8..12).map(|form| form.escape_ascii().to_string()) }),
        Record::Volume(volume) => json!({ "volume": volume, "gain": gain(*volume) }),
        Record::Version(version) => json!({ "version": version }),
        Record::Animation(info) => animation_head(info),
        Record::Frames(frames) => {
            let frame =
                |frame: crate::Frame| json!({ "time": float(frame.time), "transform": floats(frame.transform) });
            json!({ "frames": frames.iter().map(frame).collect::<Vec<_>>() })
        }
        Record::FrameRanges(ranges) => json!({ "ranges": ranges.iter().collect::<Vec<_>>() }),
        Record::Raw(bytes) => json!({ "raw_size": bytes.len() }),
    }
}

fn floats<const N: usize>(values: [f32; N]) -> Vec<Value> {
    values.into_iter().map(float).collect()
}

/// Returns a reference as `"2:0x0001"`, or `null`.
fn reference(reference: Ref) -> Value {
    if reference.is_null() { Value::Null } else { json!(reference.to_string()) }
}

/// Returns the factor for samples that a volume in hundredths of a decibel is.
pub(crate) fn gain(volume: i32) -> f64 {
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
        "smaller_level": reference(texture.mip),
        "alternate": reference(texture.alternate),
        "bump": reference(texture.bump),
        "material": reference(texture.material),
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

/// Returns a class with its fields by name, in their order.
pub fn class(class: &Class<'_>) -> Value {
    let field = |(field, value): (&crate::Field<'_>, ClassValue)| {
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
    let values = field_names(class).into_iter().zip(class.values().map(|(_, value)| class_value(&value)));
    json!({
        "name": class.name.decode(),
        "model": reference(class.model),
        "library_class": class.library_class,
        "icon": class.icon,
        "values": values.collect::<serde_json::Map<_, _>>(),
        "fields": class.values().map(field).collect::<Vec<_>>(),
    })
}

/// Returns the names of the fields of a class in their order, as the member `values` of [`class`] has them: of several fields with one
/// name, the others have a number.
pub fn field_names(class: &Class<'_>) -> Vec<String> {
    let mut taken = std::collections::HashSet::new();
    let unique = |field: &crate::Field<'_>| {
        let name = field.name.decode();
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let mut candidates = std::iter::once(name.clone().into_owned()).chain(numbered);
        candidates.find(|name| taken.insert(name.clone())).unwrap_or_default()
    };
    class.fields.iter().map(unique).collect()
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
    }
}

fn animation_head(info: &crate::AnimationInfo<'_>) -> Value {
    json!({
        "name": info.name.decode(),
        "duration": float(info.duration),
        "frames": info.frames,
        "source_frames": info.source_frames,
        "nodes": info.nodes,
        "channels": info.channels,
        "loop": info.is_looped(),
        "flags": info.flags,
        "unknown": info.unknown,
        "thresholds": floats(info.thresholds),
    })
}

/// Returns an animation with the frames of each node.
pub fn animation(animation: &Animation<'_>) -> Value {
    let frame = |frame: crate::Frame| json!({ "time": float(frame.time), "transform": floats(frame.transform) });
    let node = |number| animation.node(number).map(frame).collect::<Vec<_>>();
    let mut value = animation_head(&animation.info);
    value["frames"] = (0..animation.ranges.len()).map(node).collect();
    value
}
