//! The text of a model → the files that it reads: the buffers of a glTF, the materials of an OBJ. Plans need them each time, so the
//! model itself is not read.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::obj;
use super::uri::{self, Uri};

/// The files that the model at `path` names, relative to it; some may not exist. `None` if the text is cut off or damaged.
pub(super) fn parts(path: &str, bytes: &[u8]) -> Option<Vec<String>> {
    if obj::is_obj(path) {
        return Some(obj::named_libraries(bytes));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut files = Vec::new();
    let mut read_to = 0;
    for (at, key) in text.match_indices("\"buffers\"") {
        // A value of this text is followed by no colon.
        let rest = &text[at + key.len()..];
        let Some(list) = rest.trim_start().strip_prefix(':').filter(|_| at >= read_to) else { continue };
        let mut lists = serde_json::Deserializer::from_str(list).into_iter::<Vec<Buffer>>();
        let Some(Ok(buffers)) = lists.next() else { continue };
        read_to = text.len() - list.len() + lists.byte_offset();
        for uri in buffers.into_iter().filter_map(|buffer| buffer.uri).filter(|uri| !uri.starts_with("data:")) {
            if let Ok(Uri::File(path)) = uri::read(&uri, "buffer") {
                files.push(path);
            }
        }
    }
    let is_whole = || serde_json::from_str::<IgnoredAny>(text.trim_start_matches('\u{feff}')).is_ok();
    (!files.is_empty() || is_whole()).then_some(files)
}

/// A buffer of a glTF. Nothing else of it is kept: a plan has no limit of memory.
struct Buffer {
    uri: Option<String>,
}

impl<'de> Deserialize<'de> for Buffer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Buffer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a buffer")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Buffer, A::Error> {
                let mut uri = None;
                while let Some(key) = members.next_key::<String>()? {
                    match key.as_str() {
                        "uri" => uri = Some(members.next_value()?),
                        _ => _ = members.next_value::<IgnoredAny>()?,
                    }
                }
                Ok(Buffer { uri })
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_found_and_nothing_else() {
        for (text, expected) in [
            (
                r#"{"buffers":[{"byteLength":1,"uri":"a%20b.bin"},{"uri":"data:;base64,AA"},{}]}"#,
                Some(&["a b.bin"][..]),
            ),
            ("\u{feff}{ \"buffers\" : [ { \"extras\": {\"uri\": 7}, \"uri\": \"c.bin\" } ] }", Some(&["c.bin"])),
            (r#"{"name":"buffers","images":[{"uri":"a.png"}]}"#, Some(&[])),
            (r#"{"buffers":7}"#, Some(&[])),
            (r#"{"buffers":[{"uri":"a.bin"}],"#, Some(&["a.bin"])),
            (r#"{"buffers":[{"uri":"a.bin""#, None),
            ("", None),
        ] {
            let expected: Option<Vec<String>> =
                expected.map(|names| names.iter().map(|name| name.to_string()).collect());
            assert_eq!(parts("a.gltf", text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn libraries_are_found_at_the_start_of_statements() {
        for (text, expected) in [
            ("# mtllib a.mtl\no mtllib\n  mtllib a.mtl\r\nmtllib sub\\b.mtl", &["a.mtl", "sub/b.mtl"][..]),
            ("mtllib \\\nmtllib \\\nc.mtl\n", &["mtllib  c.mtl"]),
            ("mtllibs a.mtl\n", &[]),
        ] {
            let mut found = parts("a.obj", text.as_bytes()).unwrap();
            found.dedup();
            assert_eq!(found, expected, "{text}");
        }
    }
}
