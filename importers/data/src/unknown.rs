//! Notes about fields of a text that the type does not have. serde passes over them, so a misspelt one is read as its default.

use std::collections::BTreeSet;

use rres_import::Note;
use rres_protocol::nearest::nearest;

use crate::text::Format;

/// Fields of a file that are named. Programs write more fields than a game needs, and then nobody has misspelt them.
const NAMED: usize = 3;

/// The notes about the fields `unknown` of a text. The type has `fields`.
pub(super) fn notes(format: Format, unknown: &BTreeSet<String>, fields: &BTreeSet<&'static str>) -> Vec<Note> {
    let known = |path: &String| {
        let name = path.rsplit('.').next().unwrap_or_default();
        nearest(name, fields.iter().copied())
    };
    let note = |path: &String| match known(path) {
        Some(field) => Some(format!("`{path}`, did you mean `{field}`?")),
        None => (format.is_written_by_hand() && unknown.len() <= NAMED).then(|| format!("`{path}`")),
    };
    let found: Vec<_> = unknown.iter().filter_map(note).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let note =
        Note::new("data has fields that its type does not have, and that are left out").with_detail(found.join(" "));
    vec![note.with_help("#[serde(deny_unknown_fields)] makes them errors")]
}
