//! The chunks of a WAV → a WAV as the decoder wants it.
//!
//! Many programs write sizes that do not fit: the file size is not updated, the size of `fmt ` counts fields that PCM does not
//! have, the size of the samples was set before they were written or never, a list of tags is one byte off. Every player plays
//! such files, so the build and the runtime read them here by their chunks, and hand on nothing but format and samples.

use rres_format::SoundFormat;

/// The sizes that programs write which do not know how much follows start here.
const PLACEHOLDER: u64 = 0x7fff_f000;

const PCM: u16 = 1;
const FLOAT: u16 = 3;
const A_LAW: u16 = 6;
const MU_LAW: u16 = 7;
const EXTENSIBLE: u16 = 0xfffe;

/// What a WAV holds.
#[derive(Debug)]
pub struct Wav<'a> {
    format: &'a [u8],
    /// The number of frames, which only encoded samples need.
    fact: Option<&'a [u8]>,
    data: &'a [u8],
    /// The offset of the samples in the file.
    data_start: usize,
    /// Bytes of samples that the head promises and the file, which is whole otherwise, does not hold.
    missing: u64,
}

/// Why a WAV cannot be read by its chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadableWav {
    /// The chunk `fmt ` or `data` is missing.
    Incomplete,
    /// The end of the file is missing.
    Cut,
}

impl<'a> Wav<'a> {
    /// Finds the chunks.
    ///
    /// # Errors
    /// If a chunk or the end is missing.
    pub fn read(bytes: &'a [u8]) -> Result<Self, UnreadableWav> {
        let (mut at, mut format, mut fact, mut long_size) = (12usize, None, None, None);
        loop {
            let name = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
            let (Some(name), Some(len)) = (name, size_at(bytes, at + 4)) else {
                return Err(UnreadableWav::Incomplete);
            };
            let body = at + 8;
            if name == b"data" {
                let format = format.ok_or(UnreadableWav::Incomplete)?;
                let (data, missing) = samples(bytes, body, len, long_size)?;
                return Ok(Self { format, fact, data, data_start: body, missing });
            }
            let end = usize::try_from(len).ok().and_then(|len| body.checked_add(len));
            let end = end.ok_or(UnreadableWav::Incomplete)?;
            match name {
                b"fmt " => format = bytes.get(body..end),
                b"fact" => fact = bytes.get(body..end),
                // Sizes of the whole file and of the samples.
                b"ds64" => long_size = bytes.get(body + 8..end).and_then(|sizes| sizes.first_chunk()),
                _ => {}
            }
            at = next_chunk(bytes, end, len % 2 == 1);
        }
    }

    /// Channels, and bits of each.
    pub fn frame(&self) -> Option<(u16, u16)> {
        Some((self.number(2)?, self.number(14)?))
    }

    /// The bits of the speakers of the channels; `None` if the file does not name them.
    pub fn speaker_mask(&self) -> Option<u32> {
        let mask = self.format.get(20..)?.first_chunk().filter(|_| self.number(0) == Some(EXTENSIBLE))?;
        Some(u32::from_le_bytes(*mask)).filter(|mask| *mask != 0)
    }

    /// Bytes of samples that the head promises and the file, which is whole otherwise, does not hold.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// The offset of the samples in the file.
    pub fn data_start(&self) -> usize {
        self.data_start
    }

    fn number(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.format.get(at..)?.first_chunk().copied()?))
    }

    /// The bits of the bytes of a sample, if fewer are used: those are the upper ones, and the others are zero.
    fn upper_bits(&self) -> Option<u16> {
        let (channels, bits) = self.frame()?;
        let size = self.number(12)?.checked_div(channels)?;
        let is_integer = self.number(0)? == PCM && self.format.len() >= 16;
        (is_integer && (9..32).contains(&bits) && bits % 8 != 0 && bits.div_ceil(8) == size).then(|| size * 8)
    }

    /// A head for the samples, with only the chunks that a decoder needs, and with sizes that are right.
    pub fn head(&self) -> Vec<u8> {
        let is_plain = matches!(self.number(0), Some(PCM | FLOAT));
        let mut format = if is_plain { &self.format[..self.format.len().min(16)] } else { self.format }.to_vec();
        if let Some(bits) = self.upper_bits() {
            format[14..16].copy_from_slice(&bits.to_le_bytes());
        }
        if matches!(self.number(0), Some(A_LAW | MU_LAW)) && format.len() == 16 {
            // The size of what follows, which some programs do not write.
            format.extend([0; 2]);
        }
        let fact = self.fact.filter(|fact| !is_plain && fact.len() == 4);
        let mut out = Vec::with_capacity(format.len() + 64);
        out.extend_from_slice(b"RIFF\0\0\0\0WAVE");
        for (name, body) in [(b"fmt ", Some(&format[..])), (b"fact", fact)] {
            let Some(body) = body else { continue };
            out.extend_from_slice(name);
            out.extend_from_slice(&size(body.len()));
            out.extend_from_slice(body);
            out.resize(out.len().next_multiple_of(2), 0);
        }
        out.extend_from_slice(b"data");
        out.extend_from_slice(&size(self.data.len()));
        let whole = out.len().saturating_sub(8).saturating_add(self.data.len());
        out[4..8].copy_from_slice(&size(whole));
        out
    }

    /// The WAV with that head.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.head();
        out.reserve_exact(self.data.len());
        out.extend_from_slice(self.data);
        out
    }
}

/// A size of 32 bits; the largest one means that the samples are the rest of the file.
fn size(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes()
}

/// The names and bodies of all chunks after the first 12 bytes of a WAV, or after the 4 of a list. The size of samples beyond 32 bits
/// is in a chunk before them.
pub fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut at = if SoundFormat::of(bytes) == Some(SoundFormat::Wav) { 12 } else { 4usize };
    let mut long_size = None;
    std::iter::from_fn(move || {
        let name = bytes.get(at..)?.first_chunk::<4>()?;
        let body = at + 8;
        let len = match u64::from(size_at(bytes, at + 4)?) {
            len if name == b"data" && len == u32::MAX.into() => long_size.unwrap_or(len),
            len => len,
        };
        let end = body.checked_add(usize::try_from(len).ok()?)?;
        let found = bytes.get(body..end)?;
        if name == b"ds64" {
            long_size = found.get(8..).and_then(|sizes| sizes.first_chunk()).map(|size| u64::from_le_bytes(*size));
        }
        at = next_chunk(bytes, end, len % 2 == 1);
        Some((name, found))
    })
}

/// The samples of a `data` chunk whose head promises `len` bytes, or `long_size`, and how many bytes of them are missing.
fn samples<'a>(
    bytes: &'a [u8],
    body: usize,
    len: u32,
    long_size: Option<&[u8; 8]>,
) -> Result<(&'a [u8], u64), UnreadableWav> {
    let whole = size_at(bytes, 4).unwrap_or_default();
    let rest = &bytes[body.min(bytes.len())..];
    let long_size = long_size.filter(|_| len == u32::MAX).map(|size| u64::from_le_bytes(*size));
    let (is_long, len) = long_size.map_or((false, u64::from(len)), |size| (true, size));
    let is_open = (!is_long && len >= PLACEHOLDER) || (len == 0 && (is_long || u64::from(whole) < body as u64));
    match usize::try_from(len).ok().and_then(|len| rest.get(..len)) {
        _ if is_open => Ok((rest, 0)),
        Some(data) => Ok((data, 0)),
        // A file that ends where its head says was written like this. One that ends before lost its end.
        None if !is_long && u64::from(whole) + 8 <= bytes.len() as u64 => Ok((rest, len - rest.len() as u64)),
        None => Err(UnreadableWav::Cut),
    }
}

/// The start of the chunk after one that ends at `end`. It is at an even offset, but not all programs write the padding, and some
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

#[cfg(test)]
mod tests {
    use super::*;

    /// 16-bit mono PCM at 8 kHz.
    const FORMAT: &[u8] = b"fmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0";

    fn rf64(mark: &[u8; 4], size: u64, data: &[u8]) -> Vec<u8> {
        let sizes = [&b"ds64\x1c\0\0\0"[..], &100u64.to_le_bytes(), &size.to_le_bytes(), &[0; 12]].concat();
        [mark, &[0xff; 4], &b"WAVE"[..], &sizes, FORMAT, b"data", &[0xff; 4], data].concat()
    }

    #[test]
    fn sizes_of_64_bits_are_read() {
        for mark in [b"RF64", b"BW64"] {
            let file = rf64(mark, 6, b"abcdefLIST");
            let wav = Wav::read(&file).unwrap();
            assert_eq!(SoundFormat::of(&file), Some(SoundFormat::Wav));
            assert_eq!((wav.data, wav.frame(), wav.missing()), (&b"abcdef"[..], Some((1, 16)), 0));
            assert_eq!(wav.to_bytes()[..4], *b"RIFF");
            assert_eq!(file[wav.data_start()..][..6], *b"abcdef");
            let with_more = rf64(mark, 6, b"abcdefsmpl\x04\0\0\0loop");
            assert_eq!(chunks(&with_more).last(), Some((b"smpl", &b"loop"[..])));
        }
        let unset = rf64(b"RF64", 0, b"abcdef");
        assert_eq!(Wav::read(&unset).unwrap().data, b"abcdef", "a size that was never set");
        for size in [7, 1 << 40, u64::MAX] {
            assert_eq!(Wav::read(&rf64(b"RF64", size, b"abcdef")).unwrap_err(), UnreadableWav::Cut);
        }
    }

    #[test]
    fn no_cut_file_panics() {
        let file = rf64(b"RF64", 6, b"abcdef");
        (0..file.len()).for_each(|len| drop(Wav::read(&file[..len])));
        for at in 0..file.len() {
            for value in [0, 0x7f, 0xff] {
                let mut file = file.clone();
                file[at] = value;
                let _ = Wav::read(&file).map(|wav| (wav.head(), chunks(&file).count()));
            }
        }
    }
}
