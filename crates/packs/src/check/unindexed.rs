//! The ids of a pack without a front index. There, readers take the first chunk with an id.

use std::collections::{HashMap, HashSet};

use rres_format::{ChunkView, ResourceId};

use crate::finding::{Code, Findings};

/// Checks that every resource has an id of its own.
pub(super) fn check(chunks: &[ChunkView<'_>], findings: &mut Findings<'_>) {
    let linked: HashSet<u32> = chunks.iter().map(|chunk| chunk.info.next_offset).collect();
    let mut first_offsets: HashMap<ResourceId, u32> = HashMap::new();
    let mut previous = ResourceId::NONE;
    for chunk in chunks.iter().filter(|chunk| chunk.is_resource()) {
        let id = chunk.info.id;
        let is_adjacent = std::mem::replace(&mut previous, id) == id;
        if linked.contains(&chunk.offset) {
            continue;
        }
        if id == ResourceId::NONE {
            findings.add_chunk(Code::IdReserved, chunk, "the resource has the id 0, which means \"not found\"");
        } else if let Some(first) = first_offsets.get(&id) {
            // Our builds leave chunks unlinked that `rres.h` does not expect: the structure of a model, and the second
            // and later sizes of a font.
            let (code, message) = if is_adjacent {
                let why = "only readers of a front index find it";
                (
                    Code::ChunkUnlinked,
                    format!("the chunk continues the resource at offset {first} without a link; {why}"),
                )
            } else {
                let why = "readers find only that one";
                (Code::IdDuplicate, format!("the resource has the same id as the one at offset {first}; {why}"))
            };
            findings.add_chunk(code, chunk, message);
        } else {
            first_offsets.insert(id, chunk.offset);
        }
    }
}
