//! The frames of an AAC stream (ADTS), which has no head: what it holds, and that nothing is missing between them.
//!
//! A stream does not say how many frames its encoder added at the ends, so they stay.

use rres_import::Note;

use super::unreadable::Unreadable;

/// Frames of sound in one packet.
const PACKET: u64 = 1024;

/// What an AAC stream holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Adts {
    pub(super) frames: u64,
    /// The end of the last frame. Tags may follow.
    pub(super) end: usize,
    /// Frames per second in the first header.
    pub(super) rate: u32,
}

const RATES: [u32; 13] =
    [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/// Why no decoder here reads a stream: the name of its kind.
pub(super) fn unsupported(bytes: &[u8]) -> Option<String> {
    let header = Header::read(bytes)?;
    match (header.profile, header.channels, header.blocks) {
        (0, ..) => Some("AAC Main".to_owned()),
        (2, ..) => Some("AAC SSR".to_owned()),
        (3, ..) => Some("AAC LTP".to_owned()),
        (_, 0, _) => Some("AAC with channels that its headers do not state".to_owned()),
        (_, 3.., _) => Some(format!("AAC with {} channels", if header.channels == 7 { 8 } else { header.channels })),
        (.., 1..) => Some("AAC with several blocks in a frame".to_owned()),
        _ => None,
    }
}

/// What to know about AAC at a low rate that does not say whether it is HE-AAC, whose headers state half of its rate.
pub(super) fn low_rate_note(rate: u32) -> Option<Note> {
    let note = Note::new("AAC of a low rate, which may be HE-AAC without saying so");
    let detail = format!("{rate} Hz; of HE-AAC the build decodes the lower half of the tones");
    (rate <= 24_000).then(|| note.with_detail(detail).with_help("if it sounds dull, convert it to OGG Vorbis"))
}

impl Adts {
    /// Reads the headers of all frames.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let damaged = |detail: String| Err(Unreadable::Damaged(detail));
        let (mut at, mut count) = (0usize, 0u64);
        let mut first: Option<Header> = None;
        while let Some(header) = Header::read(&bytes[at..]) {
            let seconds = |rate: u32| (count * PACKET) as f64 / f64::from(rate.max(1));
            let rate = first.map_or(0, |first| first.rate);
            if first.is_some_and(|first| !first.is_like(&header)) {
                return damaged(format!("it changes its rate, channels or profile after {:.2} s", seconds(rate)));
            }
            if header.len < header.size() {
                return damaged(format!("a frame of {} bytes after {:.2} s", header.len, seconds(rate)));
            }
            at += header.len;
            if at > bytes.len() {
                return Err(Unreadable::Cut);
            }
            (first, count) = (first.or(Some(header)), count + 1);
        }
        let rest = &bytes[at..];
        let is_tag = [&b"TAG"[..], b"APETAGEX", b"ID3"].iter().any(|mark| rest.starts_with(mark));
        match first {
            None => damaged("it has no frame".to_owned()),
            Some(_) if rest.first() == Some(&0xff) && rest.len() < 7 => Err(Unreadable::Cut),
            Some(first) if !is_tag && rest.iter().any(|byte| *byte != 0) => {
                let seconds = (count * PACKET) as f64 / f64::from(first.rate);
                damaged(format!("what follows after {seconds:.2} s is not a frame"))
            }
            Some(first) => Ok(Self { frames: count * PACKET, end: at, rate: first.rate }),
        }
    }
}

/// The header of a frame.
#[derive(Clone, Copy)]
struct Header {
    rate: u32,
    profile: u8,
    channels: u8,
    /// Blocks besides the first one.
    blocks: u8,
    has_crc: bool,
    /// The bytes of the frame with its header.
    len: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let [0xff, second, third, fourth, fifth, sixth, seventh] = *bytes.first_chunk::<7>()? else { return None };
        if second & 0xf6 != 0xf0 {
            return None;
        }
        Some(Self {
            rate: *RATES.get(usize::from(third >> 2 & 15))?,
            profile: third >> 6,
            channels: (third & 1) << 2 | fourth >> 6,
            blocks: seventh & 3,
            has_crc: second & 1 == 0,
            len: usize::from(fourth & 3) << 11 | usize::from(fifth) << 3 | usize::from(sixth >> 5),
        })
    }

    fn size(&self) -> usize {
        if self.has_crc { 9 } else { 7 }
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.rate, self.profile, self.channels, self.blocks)
            == (other.rate, other.profile, other.channels, other.blocks)
    }
}
