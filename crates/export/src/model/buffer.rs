//! The bytes of a glTF with the views and accessors into them, and the two containers.

use std::collections::HashMap;

use rres_format::chunk::scene::{SceneBlock, Span};
use serde_json::{Value, json};

use crate::ExportError;

/// The number of the component type of floats.
pub(super) const F32: u32 = 5126;

/// The bytes that the document refers to.
#[derive(Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
    /// The accessors of numbers of the scene. What several records share is written once, and so imported as one.
    known: HashMap<(u32, u32, u32), usize>,
    /// How many numbers of the scene are written.
    numbers: usize,
}

impl Buffer {
    /// Adds bytes, and returns the number of their view. `target` is what OpenGL uses them for.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        // Numbers of 32 bits start at multiples of 4.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds an accessor of `bytes`, and returns its number. `accessor` has the fields that say how to read them.
    pub(super) fn accessor(&mut self, bytes: &[u8], target: u32, mut accessor: Value) -> usize {
        // A view cannot be empty; an accessor without a view and without elements has nothing to read.
        if !bytes.is_empty() {
            accessor["bufferView"] = json!(self.view(bytes, Some(target)));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds an accessor of numbers of the scene, which OpenGL does not use, and returns its number.
    pub(super) fn numbers(&mut self, scene: &SceneBlock, span: Span, components: u32) -> Result<usize, ExportError> {
        let key = (span.first, span.count, components);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let numbers = scene.numbers.get(super::range(span)).unwrap_or_default();
        // Records of a sound model have numbers of their own, or share all of them.
        self.numbers = self.numbers.saturating_add(numbers.len());
        if self.numbers > scene.numbers.len().saturating_mul(2) {
            return Err(ExportError::Damaged("its records share parts of their numbers".to_owned()));
        }
        let shape = match components {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            16 => "MAT4",
            _ => "VEC4",
        };
        let mut accessor =
            json!({ "componentType": F32, "count": numbers.len() / components.max(1) as usize, "type": shape });
        if !numbers.is_empty() {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            accessor["bufferView"] = json!(self.view(&bytes, None));
        }
        self.accessors.push(accessor);
        self.known.insert(key, self.accessors.len() - 1);
        Ok(self.accessors.len() - 1)
    }
}

/// Returns a `.gltf` file: the document with the bytes in a URI.
pub(super) fn gltf(mut document: Value, bytes: &[u8]) -> Result<Vec<u8>, ExportError> {
    if !bytes.is_empty() {
        let uri = format!("data:application/octet-stream;base64,{}", base64(bytes));
        document["buffers"] = json!([{ "byteLength": bytes.len(), "uri": uri }]);
    }
    let mut file = format!("{document:#}").into_bytes();
    file.push(b'\n');
    Ok(file)
}

/// Returns a `.glb` file: a header, the document, the bytes.
pub(super) fn glb(mut document: Value, bytes: &[u8]) -> Result<Vec<u8>, ExportError> {
    if !bytes.is_empty() {
        document["buffers"] = json!([{ "byteLength": bytes.len() }]);
    }
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunks = [(*b"JSON", &json[..]), (*b"BIN\0", bytes)];
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    let too_large = |_| ExportError::Unsupported("it is too large for a .glb file".to_owned());
    for (kind, chunk) in chunks.into_iter().filter(|(_, chunk)| !chunk.is_empty()) {
        file.extend_from_slice(&u32::try_from(chunk.len()).map_err(too_large)?.to_le_bytes());
        file.extend_from_slice(&kind);
        file.extend_from_slice(chunk);
    }
    let size = u32::try_from(file.len()).map_err(too_large)?;
    file[8..12].copy_from_slice(&size.to_le_bytes());
    Ok(file)
}

/// Returns bytes as base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().chain([&0; 2]).take(3).fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        let digits = group.len() + 1;
        let digit = |place: usize| char::from(DIGITS[bits >> (18 - 6 * place) & 63]);
        text.extend((0..4).map(|place| if place < digits { digit(place) } else { '=' }));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_numbers_are_written_once_and_overlapping_ones_end() {
        let scene = SceneBlock { numbers: vec![0.5; 64], ..SceneBlock::default() };
        let mut buffer = Buffer::default();
        let all = Span { first: 0, count: 64 };
        let first = buffer.numbers(&scene, all, 16).unwrap();
        assert_eq!(buffer.numbers(&scene, all, 16).unwrap(), first);
        assert_eq!((buffer.bytes.len(), &buffer.accessors[first]["count"]), (256, &json!(4)));
        // A damaged pack could have a span for each pair of numbers.
        let spans = (0..64).map(|first| Span { first, count: 64 - first });
        let error = spans.map(|span| buffer.numbers(&scene, span, 1)).find_map(Result::err).unwrap();
        assert!(matches!(error, ExportError::Damaged(why) if why.contains("share parts")));
        assert!(buffer.bytes.len() <= 2 * 64 * 4);
    }

    #[test]
    fn base64_has_padding() {
        let cases: [(&[u8], &str); 5] =
            [(b"", ""), (b"M", "TQ=="), (b"Ma", "TWE="), (b"Man", "TWFu"), (&[0xfb, 0xff, 0xbf], "+/+/")];
        cases.into_iter().for_each(|(bytes, expected)| assert_eq!(base64(bytes), expected));
    }
}
