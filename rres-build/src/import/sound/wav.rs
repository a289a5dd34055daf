//! The chunks of a WAV → a WAV as the decoder wants it.
//!
//! Many programs write sizes that do not fit: that of the whole file is not updated, that of `fmt ` counts what PCM does not
//! have, that of the samples was set before they were written, a list of tags is one byte off. Every player plays such
//! files, so they are read here by their chunks, and nothing but format and samples is handed on.

/// The sizes that programs write which do not know how much follows start here.
const PLACEHOLDER: u32 = 0x7fff_f000;

const PCM: u16 = 1;
const FLOAT: u16 = 3;

/// What a WAV holds.
pub(super) struct Wav<'a> {
    format: &'a [u8],
    /// The number of frames, which only encoded samples need.
    fact: Option<&'a [u8]>,
    data: &'a [u8],
    /// Bytes of samples that the head promises and the file, which is whole otherwise, does not hold.
    pub(super) missing: u32,
}

/// Why a WAV cannot be read by its chunks.
pub(super) enum Unreadable {
    /// There is no `fmt ` or no `data`.
    Incomplete,
    /// The end of the file is missing.
    Cut,
}

impl<'a> Wav<'a> {
    /// Finds the chunks.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let (mut at, mut format, mut fact) = (12usize, None, None);
        loop {
            let (Some(name), Some(len)) = (bytes.get(at..at + 4), size_at(bytes, at + 4)) else {
                return Err(Unreadable::Incomplete);
            };
            let body = at + 8;
            if name == b"data" {
                let format = format.ok_or(Unreadable::Incomplete)?;
                let (data, missing) = samples(bytes, body, len)?;
                return Ok(Self { format, fact, data, missing });
            }
            let end = usize::try_from(len).ok().and_then(|len| body.checked_add(len)).ok_or(Unreadable::Incomplete)?;
            match name {
                b"fmt " => format = bytes.get(body..end),
                b"fact" => fact = bytes.get(body..end),
                _ => {}
            }
            at = next_chunk(bytes, end, len % 2 == 1);
        }
    }

    /// Channels, and bits of each.
    pub(super) fn frame(&self) -> Option<(u16, u16)> {
        Some((self.number(2)?, self.number(14)?))
    }

    fn number(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.format.get(at..)?.first_chunk().copied()?))
    }

    /// The WAV, with only the chunks and sizes that a decoder needs.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let is_plain = matches!(self.number(0), Some(PCM | FLOAT));
        let format = if is_plain { &self.format[..self.format.len().min(16)] } else { self.format };
        let fact = self.fact.filter(|fact| !is_plain && fact.len() == 4);
        let chunks = [(b"fmt ", Some(format)), (b"fact", fact), (b"data", Some(self.data))];
        let mut out = Vec::with_capacity(self.data.len() + format.len() + 64);
        out.extend_from_slice(b"RIFF\0\0\0\0WAVE");
        for (name, body) in chunks.into_iter().filter_map(|(name, body)| Some((name, body?))) {
            out.extend_from_slice(name);
            // No file of this size was read by its chunks: sizes have 32 bits.
            out.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
            out.extend_from_slice(body);
            out.resize(out.len().next_multiple_of(2), 0);
        }
        let len = u32::try_from(out.len() - 8).unwrap_or(u32::MAX);
        out[4..8].copy_from_slice(&len.to_le_bytes());
        out
    }
}

/// The names and bodies of all chunks after the first 12 bytes of a WAV, or after the 4 of a list.
pub(super) fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut at = if bytes.starts_with(b"RIFF") { 12 } else { 4usize };
    std::iter::from_fn(move || {
        let name = bytes.get(at..)?.first_chunk::<4>()?;
        let len = size_at(bytes, at + 4)?;
        let body = at + 8;
        let end = body.checked_add(usize::try_from(len).ok()?)?;
        at = next_chunk(bytes, end, len % 2 == 1);
        Some((name, bytes.get(body..end)?))
    })
}

/// The samples of a `data` chunk whose head promises `len` bytes, and how many bytes of them are missing.
fn samples(bytes: &[u8], body: usize, len: u32) -> Result<(&[u8], u32), Unreadable> {
    let whole = size_at(bytes, 4).unwrap_or_default();
    let rest = &bytes[body.min(bytes.len())..];
    let is_open = len >= PLACEHOLDER || (len == 0 && (whole as usize) < body);
    match rest.get(..len as usize) {
        Some(data) if !is_open => Ok((data, 0)),
        _ if is_open => Ok((rest, 0)),
        // A file that ends where its head says was written like this. One that ends before lost its end.
        _ if whole as usize + 8 <= bytes.len() => Ok((rest, len - rest.len() as u32)),
        _ => Err(Unreadable::Cut),
    }
}

/// Where the chunk after one that ends at `end` begins: at an even offset, but not all programs write the padding, and some
/// count it.
fn next_chunk(bytes: &[u8], end: usize, is_odd: bool) -> usize {
    let padded = end.saturating_add(usize::from(is_odd));
    let is_chunk = |at: &usize| {
        let name = bytes.get(*at..at.saturating_add(4));
        name.is_some_and(|name| name[0] != b' ' && name.iter().all(|byte| (0x20..0x7f).contains(byte)))
    };
    [padded, end, end.saturating_add(1)].into_iter().find(is_chunk).unwrap_or(padded)
}

fn size_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}
