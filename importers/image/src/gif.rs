//! How many pictures a GIF holds. The decoder takes the first.

/// The number of pictures, by the blocks of the file.
pub(super) fn frames(bytes: &[u8]) -> u32 {
    let mut frames = 0;
    let mut at = after_table(bytes, 13, 10).unwrap_or(bytes.len());
    while let Some(kind) = bytes.get(at) {
        let parts = match kind {
            b'!' => Some(at + 2),
            // A picture: its frame, its colours, the size of its codes.
            b',' => {
                frames += 1;
                after_table(bytes, at + 10, at + 9).map(|at| at + 1)
            }
            _ => None,
        };
        let Some(mut part) = parts else { break };
        while let Some(len) = bytes.get(part).filter(|len| **len > 0) {
            part += 1 + usize::from(*len);
        }
        at = part + 1;
    }
    frames
}

/// The end of a table of colours at `at`, if the flags say that there is one.
fn after_table(bytes: &[u8], at: usize, flags: usize) -> Option<usize> {
    let flags = bytes.get(flags)?;
    Some(if flags & 0x80 == 0 { at } else { at + (6 << (flags & 7)) })
}
