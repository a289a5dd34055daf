//! Typed records → bodies.

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};

use crate::body::{Element, Items};
use crate::records::{
    Action, ActionKind, AnimationInfo, Bounds, Character, Class, Polygon, Record, Sequence, Shapes, Sound, Texture,
    Volume,
};
use crate::text::{Text, hide};

/// Compresses bytes with zlib.
pub fn zlib(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level.min(9)));
    // Writing to a vector never fails.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

/// Returns the body of a record.
///
/// # Panics
/// If a list or a text has more elements than its count can hold.
pub fn record(record: &Record<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let out_ref = &mut out;
    match record {
        Record::Palette(colors) => items16(colors, out_ref),
        Record::Texture(texture) => put_texture(texture, out_ref),
        Record::Library { unknown, path } => {
            out.extend(unknown);
            put_text(path, &mut out);
        }
        Record::Group(name) => put_text(name, out_ref),
        Record::Class(class) => put_class(class, out_ref),
        Record::ModelName(model) => {
            put_text(&model.name, &mut out);
            model.shading.0.put(&mut out);
        }
        Record::ModelCounters(counters) => [counters.groups, counters.last_group, counters.last_model].put(out_ref),
        Record::Vertices(vertices) => items16(vertices, out_ref),
        Record::Polygons(polygons) => put_polygons(polygons, out_ref),
        Record::TextureList(textures) => items32(textures, out_ref),
        Record::Bounds(bounds) => put_bounds(bounds, out_ref),
        Record::Character(character) => put_character(character, out_ref),
        Record::Lod(lod) => {
            lod.model.put(&mut out);
            [lod.distance].put(&mut out);
        }
        Record::Sound(sound) => put_sound(sound, out_ref),
        Record::Sequence(sequence) => put_sequence(sequence, out_ref),
        Record::HiddenText(text) => out = hide(text.bytes()),
        Record::Text(text) => out.extend(text.bytes()),
        Record::Riff(bytes) | Record::Raw(bytes) => out.extend(&bytes[..]),
        Record::Volume(volume) => out.extend(volume.to_le_bytes()),
        Record::Version(version) => version.put(out_ref),
        Record::Animation(info) => put_animation(info, out_ref),
        Record::Frames(frames) => items16(frames, out_ref),
        Record::FrameRanges(ranges) => items16(ranges, out_ref),
    }
    out
}

fn count16(count: usize, out: &mut Vec<u8>) {
    u16::try_from(count).expect("a list has at most 65535 elements").put(out);
}

fn count32(count: usize, out: &mut Vec<u8>) {
    u32::try_from(count).expect("a list has less than 4 Gi elements").put(out);
}

fn items16<T: Element>(items: &Items<'_, T>, out: &mut Vec<u8>) {
    count16(items.len(), out);
    out.extend(items.bytes());
}

fn items32<T: Element>(items: &Items<'_, T>, out: &mut Vec<u8>) {
    count32(items.len(), out);
    out.extend(items.bytes());
}

fn put_text(text: &Text<'_>, out: &mut Vec<u8>) {
    let size = text.bytes().len().next_multiple_of(2);
    count16(size, out);
    let end = out.len() + size;
    out.extend(text.bytes());
    out.resize(end, 0);
}

fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    count32(bytes.len(), out);
    out.extend(bytes);
}

fn put_texture(texture: &Texture<'_>, out: &mut Vec<u8>) {
    [texture.width, texture.height, texture.pitch].into_iter().for_each(|value| value.put(out));
    texture.bits.put(out);
    texture.alpha_bits.put(out);
    texture.color_key.put(out);
    [texture.mip, texture.alternate, texture.bump].into_iter().for_each(|reference| reference.put(out));
    out.extend([texture.fps, texture.flags.0]);
    texture.mip_number.put(out);
    texture.material.put(out);
    texture.reference_count.put(out);
    texture.level.put(out);
    put_bytes(&texture.data, out);
    if let Some(map) = &texture.alpha_map {
        put_bytes(map, out);
    }
}

fn put_sound(sound: &Sound<'_>, out: &mut Vec<u8>) {
    put_text(&sound.name, out);
    sound.flags.0.put(out);
    [sound.channels, sound.bits].put(out);
    sound.rate.put(out);
    out.extend(sound.volume.to_le_bytes());
    [sound.drop_off].put(out);
    [sound.priority, sound.size].put(out);
    sound.level.put(out);
    if sound.level > 0 {
        count32(sound.data.len(), out);
    }
    out.extend(&sound.data[..]);
}

fn put_class(class: &Class<'_>, out: &mut Vec<u8>) {
    put_text(&class.name, out);
    class.group.put(out);
    class.model.put(out);
    [class.library_class, class.icon].put(out);
    count32(class.fields.len(), out);
    items32(&class.data, out);
    for field in &class.fields {
        field.number.put(out);
        put_text(&field.name, out);
    }
}

fn put_polygons(polygons: &[Polygon], out: &mut Vec<u8>) {
    count16(polygons.len(), out);
    for polygon in polygons {
        [polygon.flags, polygon.corners().len() as u16, polygon.texture].put(out);
        for corner in polygon.corners() {
            corner.vertex.put(out);
            corner.uv.put(out);
        }
    }
}

fn put_volume(volume: &Volume, out: &mut Vec<u8>) {
    volume.sphere.put(out);
    volume.oriented_box.put(out);
}

fn put_bounds(bounds: &Bounds<'_>, out: &mut Vec<u8>) {
    put_volume(&bounds.volume, out);
    count16(bounds.tree.len(), out);
    u16::from(matches!(bounds.shapes, Shapes::Boxes(_))).put(out);
    out.extend(bounds.tree.bytes());
    match &bounds.shapes {
        Shapes::Spheres(spheres) => out.extend(spheres.bytes()),
        Shapes::Boxes(boxes) => boxes.iter().for_each(|shape| {
            shape.oriented_box.put(out);
            items16(&shape.polygons, out);
        }),
    }
}

fn put_character(character: &Character<'_>, out: &mut Vec<u8>) {
    put_volume(&character.volume, out);
    count16(character.lods.len(), out);
    character.lod_names.iter().for_each(|name| put_text(name, out));
    count16(character.nodes.len(), out);
    for node in &character.nodes {
        let end = out.len() + 32;
        out.extend(node.name.bytes().iter().take(32));
        out.resize(end, 0);
        node.joint.unwrap_or(u32::MAX).put(out);
    }
    count16(character.joints.len(), out);
    for joint in &character.joints {
        joint.inverse.put(out);
        out.extend(joint.mesh.to_le_bytes());
        [joint.first_child, joint.next_sibling].put(out);
        joint.weights.iter().for_each(|weights| items16(weights, out));
    }
    character.lods.iter().for_each(|meshes| items16(meshes, out));
    items16(&character.animations, out);
    count16(character.channels.len(), out);
    for channel in &character.channels {
        out.extend(channel.node.to_le_bytes());
        channel.transform.put(out);
        channel.inverse.put(out);
        count16(channel.caps.len(), out);
        for cap in &channel.caps {
            cap.numbers.into_iter().for_each(|number| number.put(out));
            items16(&cap.weights, out);
        }
    }
    count16(character.spheres.len(), out);
    character.spheres.iter().for_each(|spheres| items16(spheres, out));
}

fn put_animation(info: &AnimationInfo<'_>, out: &mut Vec<u8>) {
    put_text(&info.name, out);
    [info.duration].put(out);
    let numbers =
        [info.source_frames, info.frames, info.flags, info.nodes, info.channels, info.unknown, info.reference_count];
    numbers.into_iter().for_each(|number| number.put(out));
    info.thresholds.put(out);
}

fn put_sequence(sequence: &Sequence<'_>, out: &mut Vec<u8>) {
    put_text(&sequence.name, out);
    let numbers = [sequence.flags, sequence.run_state, sequence.unknown, sequence.actor_count];
    numbers.into_iter().for_each(|number| number.put(out));
    for actor in &sequence.actors {
        put_text(&actor.name, out);
        let numbers = [actor.id, actor.kind, actor.assigned_as, actor.target, actor.action_count];
        numbers.into_iter().for_each(|number| number.put(out));
        actor.actions.iter().for_each(|action| put_action(action, out));
    }
    out.extend(&sequence.rest[..]);
}

fn put_action(action: &Action, out: &mut Vec<u8>) {
    action.kind.number().put(out);
    [action.time].put(out);
    match action.kind {
        ActionKind::Move { rotation, position, relative_to, options } => {
            rotation.put(out);
            position.put(out);
            [relative_to, options].put(out);
        }
        ActionKind::Animate { channel, animation, start, transition, speed, flags } => {
            channel.put(out);
            animation.put(out);
            [start, transition, speed].put(out);
            flags.put(out);
        }
        ActionKind::PlaySound { sound, duration, volume, flags } => {
            sound.put(out);
            [duration].put(out);
            [volume, flags].put(out);
        }
        ActionKind::Attach { actor, channel } => [actor, channel].put(out),
        ActionKind::RunAi(value) | ActionKind::Show(value) => value.put(out),
        ActionKind::Message { number, unknown } => [number, unknown].put(out),
        ActionKind::Music { music, instruments, fade_in, fade_out } => {
            [music, instruments].put(out);
            [fade_in, fade_out].put(out);
        }
        ActionKind::Unknown(_) => {}
    }
}
