//! Texts: their beginning, and the language that its colours follow. Raw files that are text in fact, or their first bytes.

use rres_runtime::{Raw, Text};
use serde_json::json;

use super::{Preview, base64};

/// The longest beginning, in bytes: more is not read in a page.
const LONGEST: usize = 200_000;

/// The number of bytes that are shown as numbers.
const DUMPED: usize = 512;

pub(super) fn preview(text: &Text, share: usize) -> Preview {
    let mut value = beginning(text, share);
    value["encoding"] = json!(text.encoding().to_string());
    value["language"] = json!(text.language().to_string());
    Preview::of(value)
}

pub(super) fn preview_raw(raw: &Raw, share: usize) -> Preview {
    let is_readable = |text: &&str| !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    match std::str::from_utf8(raw).ok().filter(is_readable) {
        Some(text) if !text.is_empty() => Preview::of(beginning(text, share)),
        _ => {
            let shown = &raw[..raw.len().min(DUMPED)];
            Preview::of(json!({ "type": "bytes", "bytes": base64(shown), "size": raw.len() }))
        }
    }
}

fn beginning(text: &str, share: usize) -> serde_json::Value {
    let end = (0..=share.min(LONGEST).min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    json!({ "type": "text", "text": &text[..end], "size": text.len(), "is_whole": end == text.len() })
}
