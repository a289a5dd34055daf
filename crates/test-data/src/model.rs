//! Files of models: GLB.

use crate::bytes::le;

/// A GLB of a document and the bytes of its buffer.
pub fn glb(json: impl AsRef<[u8]>, binary: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, bytes, filler) in [(b"JSON", json.as_ref(), b' '), (b"BIN\0", binary, 0)] {
        let len = bytes.len().next_multiple_of(4);
        chunks.extend([&le(&[len as u32]), &kind[..], bytes].concat());
        chunks.resize(chunks.len() + len - bytes.len(), filler);
    }
    [b"glTF", &le(&[2, chunks.len() as u32 + 12])[..], &chunks].concat()
}

/// The document and the bytes of the buffer of a GLB.
///
/// # Panics
/// If the file is damaged.
pub fn glb_parts(file: &[u8]) -> (&[u8], &[u8]) {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
    let (json, rest) = file[20..].split_at(word(12));
    assert_eq!((&file[16..20], json.len() % 4), (&b"JSON"[..], 0));
    assert_eq!((&rest[4..8], word(20 + json.len())), (&b"BIN\0"[..], rest.len() - 8));
    (json, &rest[8..])
}
