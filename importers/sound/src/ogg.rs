//! Reads the first page of an Ogg file: which codec it contains.

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
