//! The links between chunks: each must lead to the start of a chunk, and none may lead back.

use std::collections::HashMap;

use rres_format::ChunkView;

use crate::finding::{Code, Findings};

/// Checks the links of all chunks.
pub(super) fn check(chunks: &[ChunkView<'_>], is_cut_off: bool, findings: &mut Findings<'_>) {
    let by_offset: HashMap<u32, usize> = chunks.iter().enumerate().map(|(i, chunk)| (chunk.offset, i)).collect();
    for chunk in chunks {
        let next = chunk.info.next_offset;
        // If the file is cut off, that has been reported.
        let is_lost = is_cut_off && u64::from(next) >= chunks.last().map_or(0, ChunkView::end);
        if next != 0 && !is_lost && !by_offset.contains_key(&next) {
            findings.add_chunk(Code::ChainBroken, chunk, format!("links to offset {next}, where no chunk starts"));
        }
    }
    for chunk in loops(chunks, &by_offset) {
        findings.add_chunk(Code::ChainLoop, chunk, "its links lead back to itself");
    }
}

/// Returns one chunk of each loop.
fn loops<'c, 'a>(chunks: &'c [ChunkView<'a>], by_offset: &HashMap<u32, usize>) -> Vec<&'c ChunkView<'a>> {
    let mut loops = Vec::new();
    // The number of the walk that has visited a chunk; 0 for none. A walk that meets itself is in a loop, and one that
    // meets an earlier walk need not go on. So every link is followed once.
    let mut visited_by = vec![0; chunks.len()];
    for start in 0..chunks.len() {
        let walk = start + 1;
        let mut at = Some(start);
        while let Some(i) = at {
            if visited_by[i] != 0 {
                if visited_by[i] == walk {
                    loops.push(&chunks[i]);
                }
                break;
            }
            visited_by[i] = walk;
            // No chunk starts at offset 0, so the last chunk of a chain leads nowhere.
            at = by_offset.get(&chunks[i].info.next_offset).copied();
        }
    }
    loops
}
