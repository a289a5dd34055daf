//! The text of a model → the files that it reads: the buffers of a glTF, the materials of an OBJ. Plans need them each time, so the
//! model itself is not read.

use serde_core::de::IgnoredAny;
use serde_json::{Deserializer, Value};

use super::obj;
use super::uri::{self, Uri};

/// The files that the model at `path` names, relative to it; some may not exist. `None` if the text is cut off or damaged.
pub(crate) fn parts(path: &str, bytes: &[u8]) -> Option<Vec<String>> {
    if obj::is_obj(path) {
        return Some(obj::named_libraries(bytes));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut files = Vec::new();
    for (at, key) in text.match_indices("\"buffers\"") {
        // A value of this text is followed by no colon.
        let Some(list) = text[at + key.len()..].trim_start().strip_prefix(':') else { continue };
        let Some(Ok(Value::Array(buffers))) = Deserializer::from_str(list).into_iter::<Value>().next() else {
            continue;
        };
        let uris = buffers.iter().filter_map(|buffer| buffer.get("uri")?.as_str());
        for uri in uris.filter(|uri| !uri.starts_with("data:")) {
            if let Ok(Uri::File(path)) = uri::read(uri, "buffer") {
                files.push(path);
            }
        }
    }
    let is_whole = || serde_json::from_str::<IgnoredAny>(text.trim_start_matches('\u{feff}')).is_ok();
    (!files.is_empty() || is_whole()).then_some(files)
}
