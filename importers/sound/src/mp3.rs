//! What the head of an MP3 and its tags state: the number of packets, and the frames that its encoder added at both ends.
//!
//! Encoders pad a sound to whole packets and delay it, which a player that follows the head takes back. So a loop has no
//! gap, and the sound is as long as it was before it was encoded.

/// The largest number of frames in one packet.
pub(super) const PACKET: u64 = 1152;

/// The last packets depend on each other, and encoders count them differently.
pub(super) const SLACK: u64 = 2 * PACKET;

/// Frames that a decoder returns before the first one of the encoder, which no encoder counts.
const DECODER_DELAY: u32 = 529;

/// The names of encoders that state what they added.
const ENCODERS: [&[u8]; 3] = [b"LAME", b"Lavf", b"Lavc"];

/// A first packet that contains numbers instead of sound.
pub(super) struct Head {
    /// The number of frames in the packets after it.
    frames: Option<u64>,
    /// The size of the file.
    bytes: Option<u32>,
    /// Frames to leave out at the start, and at the end.
    ends: Option<(u32, u32)>,
}

/// The comment `iTunSMPB`, with which iTunes states what it added.
pub(super) struct Itunes {
    delay: u32,
    frames: u64,
}

/// The part of the packets that is the sound.
pub(super) struct Extent {
    /// Frames to leave out at the start.
    pub(super) skip: u32,
    /// The frames that follow; `None` if nothing states their number.
    pub(super) frames: Option<u64>,
    /// The number of frames that the head states, if there are others and the file is whole.
    pub(super) miscounted: Option<u64>,
}

impl Extent {
    /// The extent in a file of this many frames and bytes, according to what it states.
    pub(super) fn new(head: Option<&Head>, itunes: Option<&Itunes>, frames: u64, bytes: usize) -> Self {
        let mut miscounted = None;
        if let Some(head) = head {
            let mut stated = head.frames.unwrap_or(frames);
            // The numbers in the head of an edited file come from the original.
            if frames > stated + SLACK {
                return Self { skip: 0, frames: None, miscounted: Some(stated) };
            }
            // Where the packets that the head counts are missing, their bytes are.
            if stated > frames + SLACK && head.bytes.is_some_and(|stated| stated > 0 && stated as usize <= bytes) {
                miscounted = Some(std::mem::replace(&mut stated, frames));
            }
            if let Some((start, end)) = head.ends {
                let frames = stated.saturating_sub(u64::from(start) + u64::from(end));
                return Self { skip: start, frames: Some(frames), miscounted };
            }
            if itunes.is_none() {
                return Self { skip: 0, frames: Some(stated), miscounted };
            }
        }
        match itunes {
            Some(Itunes { delay, frames: sound }) if sound.saturating_add((*delay).into()) <= frames => {
                Self { skip: *delay, frames: Some(*sound), miscounted }
            }
            _ => Self { skip: 0, frames: None, miscounted },
        }
    }
}

impl Head {
    /// Reads the first packet, before which the rest of a cut one may be.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        (0..bytes.len().min(256)).find_map(|at| Self::read_packet(&bytes[at..]))
    }

    fn read_packet(packet: &[u8]) -> Option<Self> {
        let [0xff, version, _, mode] = *packet.first_chunk()? else { return None };
        if version & 0xe0 != 0xe0 {
            return None;
        }
        let is_mpeg_1 = (version >> 3) & 3 == 3;
        let frames = |packets: Option<u32>| Some(u64::from(packets?) * if is_mpeg_1 { PACKET } else { PACKET / 2 });
        if packet.get(36..42) == Some(b"VBRI\0\x01") {
            return Some(Self { frames: frames(u32_at(packet, 36 + 14)), bytes: u32_at(packet, 36 + 10), ends: None });
        }
        let is_mono = mode >> 6 == 3;
        let side_info = match (is_mpeg_1, is_mono) {
            (true, false) => 32,
            (true, true) | (false, false) => 17,
            (false, true) => 9,
        };
        let tag = packet.get(4 + side_info..)?;
        if !tag.starts_with(b"Xing") && !tag.starts_with(b"Info") {
            return None;
        }
        let flags = u32_at(tag, 4)?;
        let packets = if flags & 1 == 0 { None } else { Some(u32_at(tag, 8)?) };
        let bytes = if flags & 2 == 0 { None } else { u32_at(tag, if flags & 1 == 0 { 8 } else { 12 }) };
        // Numbers of packets and bytes, a table of positions, the quality.
        let encoder = [4, 4, 100, 4].into_iter().enumerate().filter(|(bit, _)| flags & (1 << bit) != 0);
        let encoder = tag.get(8 + encoder.map(|(_, size)| size).sum::<usize>()..);
        Some(Self { frames: frames(packets), bytes, ends: encoder.and_then(ends) })
    }
}

/// The ends according to the name of an encoder and the numbers after it.
fn ends(encoder: &[u8]) -> Option<(u32, u32)> {
    ENCODERS.iter().find(|name| encoder.starts_with(name))?;
    let numbers = u32_at(encoder, 20)? & 0xff_ffff;
    // The decoder delays the end as well.
    Some(((numbers >> 12) + DECODER_DELAY, (numbers & 0xfff).saturating_sub(DECODER_DELAY)))
}

impl Itunes {
    /// Finds the comment in the tags before the sound.
    pub(super) fn read(tags: &[u8]) -> Option<Self> {
        const NAME: &[u8] = b"iTunSMPB";
        // Text of two bytes per character becomes ASCII.
        let text: Vec<u8> = tags.iter().copied().filter(|byte| *byte != 0).collect();
        let at = text.windows(NAME.len()).position(|name| name == NAME)? + NAME.len();
        let text = &text[at..];
        let start = text.iter().position(|byte| *byte == b' ')?;
        let end = text[start..].iter().position(|byte| *byte != b' ' && !byte.is_ascii_hexdigit());
        let text = str::from_utf8(&text[start..end.map_or(text.len(), |end| start + end)]).ok()?;
        // A zero, the delay, the padding, the number of frames, and numbers that are of no use here.
        let mut numbers = text.split_ascii_whitespace().skip(1).map(|digits| u64::from_str_radix(digits, 16).ok());
        let (delay, _, frames) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let delay = u32::try_from(delay).ok()?.checked_add(DECODER_DELAY)?;
        (frames > 0).then_some(Self { delay, frames })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The end of the ID3 tags at the start, and the start of an ID3v1 tag at the end: pictures in tags look like packets.
pub(super) fn without_id3(bytes: &[u8]) -> std::ops::Range<usize> {
    let mut start = 0;
    while let Some([b'I', b'D', b'3', _, _, flags, a, b, c, d]) = bytes[start..].first_chunk() {
        let size = [a, b, c, d].iter().fold(0, |size, byte| (size << 7) | usize::from(**byte & 0x7f));
        let footer = if flags & 0x10 == 0 { 0 } else { 10 };
        start = bytes.len().min(start + 10 + size + footer);
    }
    match bytes.len().checked_sub(128).filter(|at| *at >= start) {
        Some(at) if bytes[at..].starts_with(b"TAG") => start..at,
        _ => start..bytes.len(),
    }
}
