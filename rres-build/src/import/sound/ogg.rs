//! Reads the pages of an Ogg file: which codec it contains, and whether it is complete.

/// The codec of the first stream, by its first packet.
pub(super) fn codec(bytes: &[u8]) -> Option<&'static str> {
    let segments = usize::from(*bytes.get(26)?);
    let packet = bytes.get(27 + segments..)?;
    const MARKS: &[(&[u8], &str)] = &[
        (b"\x01vorbis", "Vorbis"),
        (b"OpusHead", "Opus"),
        (b"\x7fFLAC", "FLAC"),
        (b"Speex   ", "Speex"),
        (b"\x80theora", "Theora video"),
        (b"fishead\0", "a skeleton of several streams"),
        (b"PCM     ", "PCM"),
    ];
    MARKS.iter().find(|(mark, _)| packet.starts_with(mark)).map(|(_, name)| *name)
}

/// Whether every page is complete up to the end of the file. Other data after the pages is skipped, since some programs
/// append tags.
pub(super) fn pages_are_whole(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while rest.starts_with(b"OggS") {
        let Some(segments) = rest.get(26).map(|n| usize::from(*n)) else { return false };
        let Some(sizes) = rest.get(27..27 + segments) else { return false };
        let size = 27 + segments + sizes.iter().map(|n| usize::from(*n)).sum::<usize>();
        match rest.get(size..) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    // The first letters of a page whose header is cut off.
    rest.is_empty() || !b"OggS".starts_with(&rest[..rest.len().min(4)])
}
