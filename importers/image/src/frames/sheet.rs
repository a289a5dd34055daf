//! The JSON file that Aseprite, TexturePacker and others write beside a sheet → its frames and animations.
//!
//! Frames are an array, or an object whose keys are names. Tags of Aseprite are animations, and count the frames in the order of the file. In
//! files without tags, the frames of an object are ordered by name, with numbers by their value, and frames whose names differ in their last
//! number only form an animation.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use rres_format::chunk::frames::{Direction, FrameProps};
use serde_core::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::super::ImportError;
use super::{DEFAULT_MILLISECONDS, Frames, Named, check_count};

/// Reads the JSON file of a sheet with this width and height. `path` is the path of the file, for messages.
pub(in super::super) fn read(json: &[u8], path: &str, image: (u32, u32)) -> Result<Frames, ImportError> {
    let wrong = |what: String| {
        ImportError::new(format!("has a sheet description \"{path}\" {what}")).with_help(
            "export it from Aseprite or TexturePacker as \"JSON (Array)\" or \"JSON (Hash)\", without rotation",
        )
    };
    let root: Value = serde_json::from_slice(json).map_err(|e| wrong(format!("that is not JSON: {e}")))?;
    let mut listed: Vec<(String, &Value)> = match root.get("frames") {
        Some(Value::Array(frames)) => {
            let name = |frame: &Value| frame.get("filename").and_then(Value::as_str).unwrap_or_default().to_owned();
            frames.iter().map(|frame| (name(frame), frame)).collect()
        }
        Some(Value::Object(frames)) => frames.iter().map(|(name, frame)| (name.clone(), frame)).collect(),
        _ => return Err(wrong("without `frames`".to_owned())),
    };
    let has_tags = root["meta"]["frameTags"].as_array().is_some_and(|tags| !tags.is_empty());
    if root["frames"].is_object() && has_tags {
        // Tags count the frames in the order of the file.
        let order = serde_json::from_slice::<FrameNames>(json);
        let order = order.map_err(|e| wrong(format!("whose frames have no order: {e}")))?;
        let place: HashMap<&str, usize> = order.0.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        listed.sort_by_key(|(name, _)| place.get(name.as_str()));
    } else if root["frames"].is_object() {
        listed.sort_by(|a, b| by_number(&a.0, &b.0));
    }
    if listed.is_empty() {
        return Err(wrong("without a frame".to_owned()));
    }
    check_count(listed.len() as u64)?;
    let mut frames = Frames::default();
    for (name, value) in &listed {
        let frame = frame(value).ok_or_else(|| wrong(format!("whose frame \"{name}\" is incomplete or rotated")))?;
        let FrameProps { x, y, width, height, left, top, .. } = frame.0;
        let is_inside = |at: u32, len: u32, of: u32| len > 0 && at.checked_add(len).is_some_and(|end| end <= of);
        if !is_inside(x, width, image.0) || !is_inside(y, height, image.1) {
            let (w, h) = image;
            return Err(wrong(format!(
                "whose frame \"{name}\" has {width}×{height} pixels at {x}, {y}, outside of the {w}×{h} of the image"
            )));
        }
        let (Some(right), Some(bottom)) = (left.checked_add(width), top.checked_add(height)) else {
            return Err(wrong(format!("whose frame \"{name}\" is incomplete or rotated")));
        };
        let (full_width, full_height) = frame.1;
        frames.size.0 = frames.size.0.max(full_width).max(right);
        frames.size.1 = frames.size.1.max(full_height).max(bottom);
        frames.frames.push(frame.0);
    }
    frames.animations = match root["meta"]["frameTags"].as_array().filter(|tags| !tags.is_empty()) {
        Some(tags) => {
            let tag = |value: &Value| tag(value, listed.len() as u64);
            tags.iter()
                .map(tag)
                .collect::<Option<_>>()
                .ok_or_else(|| wrong("with a tag that makes no sense".to_owned()))?
        }
        None => by_name(listed.iter().map(|(name, _)| name.as_str())),
    };
    Ok(frames)
}

/// The names of the frames in the order of the file, which a [`Value`] does not keep.
#[derive(Default)]
struct FrameNames(Vec<String>);

impl<'de> Deserialize<'de> for FrameNames {
    fn deserialize<D: Deserializer<'de>>(file: D) -> Result<Self, D::Error> {
        struct OfFile;
        impl<'de> Visitor<'de> for OfFile {
            type Value = FrameNames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sheet")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<FrameNames, M::Error> {
                let mut names = FrameNames::default();
                while let Some(key) = members.next_key::<String>()? {
                    match key.as_str() {
                        "frames" => names.0 = members.next_value::<Keys>()?.0,
                        _ => drop(members.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(names)
            }
        }
        file.deserialize_map(OfFile)
    }
}

/// The keys of an object in the order of the file.
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(object: D) -> Result<Self, D::Error> {
        struct OfObject;
        impl<'de> Visitor<'de> for OfObject {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Keys, M::Error> {
                let mut keys = Vec::new();
                while let Some((key, _)) = members.next_entry::<String, IgnoredAny>()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        object.deserialize_map(OfObject)
    }
}

/// A frame, and the width and height of the whole picture.
fn frame(value: &Value) -> Option<(FrameProps, (u32, u32))> {
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
    let [x, y, width, height] = ["x", "y", "w", "h"].map(|key| number(&value["frame"][key]));
    if value["rotated"].as_bool() == Some(true) {
        return None;
    }
    let (width, height) = (width?, height?);
    let place = &value["spriteSourceSize"];
    let full = &value["sourceSize"];
    let milliseconds = number(&value["duration"]).filter(|duration| *duration > 0).unwrap_or(DEFAULT_MILLISECONDS);
    let (left, top) = (number(&place["x"]).unwrap_or(0), number(&place["y"]).unwrap_or(0));
    let full = (number(&full["w"]).unwrap_or(width), number(&full["h"]).unwrap_or(height));
    Some((FrameProps { x: x?, y: y?, width, height, left, top, milliseconds }, full))
}

/// A tag of Aseprite. `count` is the number of frames.
fn tag(value: &Value, count: u64) -> Option<Named> {
    let (from, to) = (value["from"].as_u64()?, value["to"].as_u64()?);
    if from > to || to >= count {
        return None;
    }
    let direction = match value["direction"].as_str() {
        None | Some("forward") => Direction::Forward,
        Some("reverse") => Direction::Reverse,
        // The one in reverse shows the same round from its other end.
        Some("pingpong" | "pingpong_reverse") => Direction::PingPong,
        Some(_) => return None,
    };
    let name = value["name"].as_str()?.to_owned();
    Some(Named { name, first: u32::try_from(from).ok()?, count: u32::try_from(to - from + 1).ok()?, direction })
}

/// Runs of frames whose names differ in their last number only: `walk_1.png`, `walk_2.png`.
fn by_name<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for (number, name) in (0..).zip(names) {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', '-', ' ', '.']);
        match found.last_mut() {
            Some(last) if last.name == stem => last.count += 1,
            _ if stem.is_empty() => {}
            _ => found.push(Named { name: stem.to_owned(), first: number, count: 1, direction: Direction::Forward }),
        }
    }
    found
}

/// The order of names. Numbers in them count by their value: `a 2` before `a 10`.
fn by_number(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (parts(a), parts(b));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return a.cmp(b),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) => match x.cmp(&y) {
                Ordering::Equal => {}
                different => return different,
            },
        }
    }
}

/// The numbers of a name, as length and digits without leading zeros, and the characters between them.
fn parts(name: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let len = if digits > 0 { digits } else { rest.chars().next()?.len_utf8() };
        let (part, after) = rest.split_at(len);
        rest = after;
        let number = part.trim_start_matches('0');
        Some(if digits > 0 { (1 + number.len(), number) } else { (0, part) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: (u32, u32) = (64, 32);

    fn read(json: &str) -> Result<Frames, String> {
        super::read(json.as_bytes(), "a.json", IMAGE).map_err(|e| e.to_string())
    }

    #[test]
    fn a_sheet_of_aseprite_has_its_tags_and_times() {
        let frame = |x: u32, name: &str| {
            format!(
                r#"{{ "filename": "{name}", "frame": {{ "x": {x}, "y": 2, "w": 14, "h": 15 }}, "rotated": false, "trimmed": true,
                    "spriteSourceSize": {{ "x": 1, "y": 0, "w": 14, "h": 15 }}, "sourceSize": {{ "w": 16, "h": 16 }}, "duration": {} }}"#,
                100 + x
            )
        };
        let json = format!(
            r#"{{ "frames": [{}, {}, {}], "meta": {{ "app": "https://www.aseprite.org/", "frameTags": [
                {{ "name": "walk", "from": 0, "to": 1, "direction": "pingpong" }},
                {{ "name": "stand", "from": 2, "to": 2, "direction": "forward" }}] }} }}"#,
            frame(0, "p 0.aseprite"),
            frame(16, "p 1.aseprite"),
            frame(32, "p 2.aseprite")
        );
        let found = read(&json).unwrap();
        assert_eq!((found.size, found.frames.len()), ((16, 16), 3));
        let second = FrameProps { x: 16, y: 2, width: 14, height: 15, left: 1, top: 0, milliseconds: 116 };
        assert_eq!(found.frames[1], second);
        let named = |name: &str, first, count, direction| Named { name: name.to_owned(), first, count, direction };
        let expected = [named("walk", 0, 2, Direction::PingPong), named("stand", 2, 1, Direction::Forward)];
        assert_eq!(found.animations, expected);
    }

    #[test]
    fn frames_with_names_are_ordered_and_grouped_by_them() {
        let frame = |x: u32| format!(r#"{{ "frame": {{ "x": {x}, "y": 0, "w": 4, "h": 4 }} }}"#);
        let names = ["run_10.png", "run_2.png", "jump.png", "run_1.png"];
        let entries: Vec<String> = (0..).zip(names).map(|(i, name)| format!("{name:?}: {}", frame(4 * i))).collect();
        let found = read(&format!(r#"{{ "frames": {{ {} }} }}"#, entries.join(", "))).unwrap();
        assert_eq!(found.frames.iter().map(|frame| frame.x / 4).collect::<Vec<_>>(), [2, 3, 1, 0]);
        let animations: Vec<_> = found.animations.iter().map(|a| (a.name.as_str(), a.first, a.count)).collect();
        assert_eq!(animations, [("jump", 0, 1), ("run", 1, 3)]);
        assert!(found.frames.iter().all(|frame| frame.milliseconds == 100));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let one = |frame: &str| read(&format!(r#"{{ "frames": [{frame}] }}"#)).unwrap_err();
        for (json, part) in [
            ("", "that is not JSON"),
            ("{}", "without `frames`"),
            (r#"{ "frames": [] }"#, "without a frame"),
            (r#"{ "frames": 3 }"#, "without `frames`"),
        ] {
            assert!(read(json).unwrap_err().contains(part), "{json}");
        }
        for (frame, part) in [
            ("{}", "incomplete or rotated"),
            (r#"{ "frame": { "x": 0, "y": 0, "w": 4, "h": 4 }, "rotated": true }"#, "incomplete or rotated"),
            (r#"{ "frame": { "x": 61, "y": 0, "w": 4, "h": 4 } }"#, "at 61, 0, outside of the 64×32"),
            (r#"{ "frame": { "x": 0, "y": 0, "w": 0, "h": 4 } }"#, "outside"),
            (r#"{ "frame": { "x": -1, "y": 0, "w": 4, "h": 4 } }"#, "incomplete"),
            (
                r#"{ "frame": { "x": 0, "y": 0, "w": 4, "h": 4 }, "spriteSourceSize": { "x": 4294967295 } }"#,
                "incomplete",
            ),
        ] {
            assert!(one(frame).contains(part), "{frame}: {}", one(frame));
        }
        let tag = r#"{ "frames": [{ "frame": { "x": 0, "y": 0, "w": 4, "h": 4 } }], "meta": { "frameTags": [{ "name": "a", "from": 0, "to": 1 }] } }"#;
        assert!(read(tag).unwrap_err().contains("a tag that makes no sense"));
    }
}
