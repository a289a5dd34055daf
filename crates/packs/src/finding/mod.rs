//! What is wrong with a pack, or worth knowing about it, as data: a stable code, a place and a message.

mod code;

pub use code::{Code, Severity};

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use rres_compat::{Reason, Unreadable};
use rres_format::{ChunkView, FourCc, PackView, ResourceId};
use serde_json::{Value, json};

use crate::text::{escape_terminal, shorten};

/// Something that a command found in a pack.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What sort of finding it is.
    pub code: Code,
    /// What is wrong, without the place.
    pub message: String,
    /// The place, as far as it is known.
    pub place: Place,
    /// Why C programs cannot load it.
    pub reason: Option<Reason>,
}

/// A resource, a chunk, or nothing for the pack as a whole.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The path of the resource.
    pub path: Option<String>,
    /// The id of the resource.
    pub id: Option<ResourceId>,
    /// The kind of the chunk.
    pub chunk: Option<FourCc>,
    /// File offset of the chunk header.
    pub offset: Option<u32>,
}

impl Finding {
    /// A finding about the pack as a whole.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::at(code, message, Place::default())
    }

    /// A finding about a place.
    fn at(code: Code, message: impl Into<String>, place: Place) -> Self {
        Self { code, message: message.into(), place, reason: None }
    }

    /// A finding about something that C programs cannot load.
    fn unreadable(found: &Unreadable, place: Place) -> Self {
        let reason = found.reason;
        let message = format!("{found} ({})", reason.name());
        Self { reason: Some(reason), ..Self::at(Code::RaylibUnreadable, message, place) }
    }

    /// Whether it is an error, and not a note.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }

    /// Returns the label that starts a line: `error[crc-mismatch]:`.
    pub fn label(&self) -> String {
        format!("{}[{}]:", self.code.severity().name(), self.code.name())
    }

    /// Returns the finding as the JSON that `cargo rres verify --json` prints.
    pub fn to_json(&self) -> Value {
        let Place { path, id, chunk, offset } = &self.place;
        json!({
            "severity": self.code.severity().name(),
            "code": self.code.name(),
            "message": self.message,
            "path": path,
            "id": id.map(|id| id.to_string()),
            "chunk": chunk.map(|kind| kind.to_string()),
            "offset": offset,
            "reason": self.reason.map(Reason::name),
        })
    }
}

/// Formats place and message: `"a.txt" (0xfa1f6c77), TEXT chunk at offset 16: crc32 is …`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { path, id, chunk, offset } = &self.place;
        let resource = match (path, id) {
            (Some(path), Some(id)) => Some(format!("\"{}\" ({id})", escape_terminal(path))),
            (Some(path), None) => Some(format!("\"{}\"", escape_terminal(path))),
            (None, id) => id.map(|id| id.to_string()),
        };
        let chunk = chunk.map(|kind| format!("{kind} chunk"));
        let chunk = match (chunk, offset) {
            (Some(chunk), Some(offset)) => Some(format!("{chunk} at offset {offset}")),
            (chunk, offset) => chunk.or(offset.map(|offset| format!("offset {offset}"))),
        };
        let place: Vec<String> = [resource, chunk].into_iter().flatten().collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        f.write_str(&escape_terminal(&self.message))
    }
}

/// Collects the findings about one pack.
#[derive(Debug, Default)]
pub(crate) struct Findings<'a> {
    list: Vec<Finding>,
    /// The paths of the resources, so that findings about chunks name them.
    paths: HashMap<ResourceId, Cow<'a, str>>,
}

impl<'a> Findings<'a> {
    /// Returns an empty collection that knows the paths of the resources in a pack.
    pub(crate) fn new(pack: PackView<'a>) -> Self {
        let mut paths = HashMap::new();
        let mut add = |id, path: Cow<'a, str>| {
            if !path.is_empty() {
                paths.entry(id).or_insert(path);
            }
        };
        if let Some(index) = pack.index() {
            index.entries().flatten().for_each(|entry| add(entry.id, entry.path.into()));
        }
        if let Ok(Some(directory)) = pack.directory() {
            let entries = directory.entries().map_while(Result::ok);
            entries.for_each(|entry| add(entry.id, String::from_utf8_lossy(entry.name)));
        }
        Self { list: Vec::new(), paths }
    }

    /// Returns the path of a resource, or `None` if the pack contains only its id.
    pub(crate) fn path(&self, id: ResourceId) -> Option<&Cow<'a, str>> {
        self.paths.get(&id)
    }

    /// Returns the path of a resource for a finding.
    fn shown_path(&self, id: ResourceId) -> Option<String> {
        self.path(id).map(|path| shorten(path).into_owned())
    }

    /// Adds a finding about the pack as a whole.
    pub(crate) fn add(&mut self, code: Code, message: impl Into<String>) {
        self.list.push(Finding::new(code, message));
    }

    /// Adds a finding that was made elsewhere.
    pub(crate) fn push(&mut self, finding: Finding) {
        self.list.push(finding);
    }

    /// Adds a finding about the bytes from a file offset on.
    pub(crate) fn add_at(&mut self, code: Code, offset: u64, message: impl Into<String>) {
        let place = Place { offset: u32::try_from(offset).ok(), ..Place::default() };
        self.list.push(Finding::at(code, message, place));
    }

    /// Adds a finding about a resource.
    pub(crate) fn add_resource(&mut self, code: Code, id: ResourceId, message: impl Into<String>) {
        let place = self.place_of_resource(id);
        self.list.push(Finding::at(code, message, place));
    }

    fn place_of_resource(&self, id: ResourceId) -> Place {
        Place { path: self.shown_path(id), id: Some(id), ..Place::default() }
    }

    /// Adds a finding about a resource, under the name that the central directory or the index has for it.
    pub(crate) fn add_named(&mut self, code: Code, name: &str, id: ResourceId, message: impl Into<String>) {
        let place = Place { path: Some(shorten(name).into_owned()), id: Some(id), ..Place::default() };
        self.list.push(Finding::at(code, message, place));
    }

    /// Adds a finding about a chunk.
    pub(crate) fn add_chunk(&mut self, code: Code, chunk: &ChunkView<'_>, message: impl Into<String>) {
        let place = self.place_of_chunk(chunk);
        self.list.push(Finding::at(code, message, place));
    }

    fn place_of_chunk(&self, chunk: &ChunkView<'_>) -> Place {
        let id = Some(chunk.info.id).filter(|id| *id != ResourceId::NONE);
        let path = id.and_then(|id| self.shown_path(id));
        Place { path, id, chunk: Some(chunk.info.kind), offset: Some(chunk.offset) }
    }

    /// Adds a finding about a pack that C programs cannot load.
    pub(crate) fn add_unreadable(&mut self, found: &Unreadable) {
        self.list.push(Finding::unreadable(found, Place::default()));
    }

    /// Adds a finding about a resource that C programs cannot load.
    pub(crate) fn add_unreadable_resource(&mut self, found: &Unreadable, id: ResourceId) {
        self.list.push(Finding::unreadable(found, self.place_of_resource(id)));
    }

    /// Adds a finding about a chunk that C programs cannot load.
    pub(crate) fn add_unreadable_chunk(&mut self, found: &Unreadable, chunk: &ChunkView<'_>) {
        self.list.push(Finding::unreadable(found, self.place_of_chunk(chunk)));
    }

    /// Whether the text of an error is the message of a finding, or a part of one.
    pub(crate) fn contains_message(&self, text: &str) -> bool {
        self.list.iter().any(|finding| finding.message.contains(text))
    }

    /// Whether there is a finding about a chunk of this kind.
    pub(crate) fn has_chunk(&self, kind: FourCc) -> bool {
        self.list.iter().any(|finding| finding.place.chunk == Some(kind))
    }

    pub(crate) fn into_list(self) -> Vec<Finding> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_precedes_the_message() {
        let mut finding = Finding::new(Code::CrcMismatch, "crc32 is 1");
        assert_eq!(finding.to_string(), "crc32 is 1");
        finding.place.id = Some(ResourceId(0x1234_abcd));
        assert_eq!(finding.to_string(), "0x1234abcd: crc32 is 1");
        finding.place.path = Some("a\u{1b}.txt".to_owned());
        finding.place.chunk = Some(FourCc::TEXT);
        finding.place.offset = Some(16);
        assert_eq!(finding.to_string(), r#""a\u{1b}.txt" (0x1234abcd), TEXT chunk at offset 16: crc32 is 1"#);
        assert_eq!(finding.label(), "error[crc-mismatch]:");
    }

    #[test]
    fn codes_are_distinct_and_in_kebab_case() {
        let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert!(names.iter().all(|name| name.bytes().all(|c| c.is_ascii_lowercase() || c == b'-')), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| code.meaning().ends_with('.')));
    }
}
