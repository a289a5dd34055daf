//! Contents in words: texts, bytes, and what is in sounds and models that characters cannot show.

use std::collections::BTreeSet;

use rres_packs::text::{count, grouped};
use rres_runtime::asset::Samples;
use rres_runtime::{Model, Sound};
use rres_settings::ByteSize;

/// How much of a file is shown, in bytes.
const MAX_TEXT: usize = 256 << 10;
const MAX_BYTES: usize = 4 << 10;

/// Returns the lines of a text, or rows of hexadecimal numbers if the bytes are not one.
pub(super) fn lines(bytes: &[u8]) -> Vec<String> {
    let start = &bytes[..bytes.len().min(MAX_TEXT)];
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // The last character may be cut off.
        Err(error) if error.valid_up_to() + 4 > start.len() && start.len() < bytes.len() => {
            std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return rows(bytes),
    };
    if text.contains('\0') {
        return rows(bytes);
    }
    let mut lines: Vec<String> = text.trim_start_matches('\u{feff}').lines().map(with_spaces).collect();
    if start.len() < bytes.len() {
        lines.push(more(bytes.len() - start.len()));
    }
    lines
}

/// Returns a line with spaces up to the next multiple of four for each tab.
fn with_spaces(line: &str) -> String {
    let mut spaced = String::with_capacity(line.len());
    let mut column = 0;
    for character in line.chars() {
        let (character, width) = if character == '\t' { (' ', 4 - column % 4) } else { (character, 1) };
        spaced.extend(std::iter::repeat_n(character, width));
        column += width;
    }
    spaced
}

fn rows(bytes: &[u8]) -> Vec<String> {
    let start = &bytes[..bytes.len().min(MAX_BYTES)];
    let row = |(number, row): (usize, &[u8])| {
        let numbers: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let character = |byte: &u8| if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '·' };
        let text: String = row.iter().map(character).collect();
        format!("{:06x}  {:23}  {text}", number * 8, numbers.join(" "))
    };
    let mut rows: Vec<String> = start.chunks(8).enumerate().map(row).collect();
    if start.len() < bytes.len() {
        rows.push(more(bytes.len() - start.len()));
    }
    rows
}

fn more(bytes: usize) -> String {
    format!("[… {} more]", ByteSize(bytes as u64))
}

/// Describes a sound that is not decoded.
pub(super) fn encoded_sound(sound: &Sound) -> Vec<String> {
    let Samples::Encoded { extension, bytes } = sound.samples() else { return Vec::new() };
    vec![format!("a {extension} file of {}", ByteSize(bytes.len() as u64))]
}

/// Returns the length of a sound, its rate and its channels, as far as they are known.
pub(super) fn sound(sound: &Sound) -> String {
    let Samples::Encoded { extension, .. } = sound.samples() else { return length(sound) };
    if sound.sample_rate() > 0 { length(sound) } else { format!("a {extension} file") }
}

fn length(sound: &Sound) -> String {
    let duration = sound.duration();
    let length = match duration.as_secs() {
        0..60 => format!("{:.2} s", duration.as_secs_f64()),
        seconds => format!("{}:{:02}", seconds / 60, seconds % 60),
    };
    format!("{length}, {} Hz, {}", sound.sample_rate(), count(sound.channels() as usize, "channel"))
}

/// Lists the nodes and primitives of a model.
pub(super) fn model(model: &Model) -> Vec<String> {
    let meshes: BTreeSet<u32> = model.primitives().iter().map(|primitive| primitive.mesh()).collect();
    let vertices: u64 = (model.primitives().iter())
        .filter_map(|primitive| primitive.attributes().next().map(|(props, _)| u64::from(props.count)))
        .sum();
    let mut lines = vec![format!(
        "{}, {}, {} vertices",
        if meshes.len() == 1 { "1 mesh".to_owned() } else { format!("{} meshes", meshes.len()) },
        count(model.primitives().len(), "primitive"),
        grouped(vertices)
    )];
    for material in model.materials() {
        let [r, g, b, _] = material.base_color;
        let image = if material.base_color_image.is_some() { ", with an image" } else { "" };
        lines.push(format!("material {}: colour {r:.2} {g:.2} {b:.2}{image}", or_unnamed(&material.name)));
    }
    let mut depths: Vec<usize> = Vec::new();
    for node in model.nodes() {
        let depth = node.parent.and_then(|parent| depths.get(parent as usize)).map_or(0, |depth| depth + 1);
        depths.push(depth);
        let mesh = node.mesh.map(|mesh| format!(", mesh {mesh}")).unwrap_or_default();
        lines.push(format!("{}node {}{mesh}", "  ".repeat(depth.min(16)), or_unnamed(&node.name)));
    }
    lines
}

fn or_unnamed(name: &str) -> &str {
    if name.is_empty() { "without a name" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_lines_and_other_bytes_are_numbers() {
        assert_eq!(lines("ä\tb\r\nc".as_bytes()), ["ä   b", "c"]);
        assert_eq!(
            lines(b"\x89PNG\r\n\x1a\nx"),
            ["000000  89 50 4e 47 0d 0a 1a 0a  ·PNG····", "000008  78                       x"]
        );
        let long = "ü".repeat(MAX_TEXT);
        let shown = lines(&long.as_bytes()[..long.len() - 1]);
        assert_eq!(shown.len(), 2);
        assert!(shown[1].starts_with("[… 262.1 kB more]"), "{}", shown[1]);
    }
}
