//! The chunks of a CAF → a file that the decoder reads safely: samples as a WAV, packets of a codec as a CAF of the chunks that it needs.
//!
//! A CAF says exactly which of the decoded frames are the sound. Every size is checked here, because the reader of symphonia
//! multiplies sizes and allocates them as they are stated.

use std::ops::Range;

use super::aiff::u32_at;
use super::ima4;
use super::speakers::{self, Speaker};
use super::unreadable::Unreadable;

/// The most bytes and frames that a packet may have. Packets of real files have a few thousand.
const MAX_PACKET: u32 = 1 << 16;

const IS_FLOAT: u32 = 1;
const IS_LITTLE_ENDIAN: u32 = 2;

/// What a CAF holds.
#[derive(Debug)]
pub(super) struct Caf<'a> {
    description: &'a [u8],
    /// What the codec needs besides its packets.
    cookie: Option<&'a [u8]>,
    /// The sizes of packets, which are needed if these differ.
    packets: Option<&'a [u8]>,
    /// The places of the channels.
    layout: Option<&'a [u8]>,
    data: &'a [u8],
    /// The frames of the decoded ones that are the sound, if the file says so.
    pub(super) sound: Option<Range<u64>>,
}

/// The codec of a CAF, and whether it can be decoded. `None` if the file has no description.
pub(super) fn codec(bytes: &[u8]) -> Option<(String, bool)> {
    let description = body(bytes, *b"desc")?;
    let id = description.get(8..12)?;
    let (name, is_decoded) = match id {
        b"lpcm" => {
            let (flags, bits) = (u32_at(description, 12)?, u32_at(description, 28)?);
            let pcm = Pcm::of(description);
            let kind = if flags & IS_FLOAT == 0 { "PCM" } else { "PCM of floats" };
            return Some((format!("{kind} with {bits} bits"), pcm.is_some_and(|pcm| pcm.is_supported())));
        }
        b"ima4" => ("IMA ADPCM", true),
        b"ulaw" => ("µ-law", true),
        b"alaw" => ("A-law", true),
        b"alac" => ("Apple Lossless", true),
        b"aac " => ("AAC", true),
        b"aach" | b"aacp" => ("HE-AAC", false),
        b".mp1" | b".mp2" => ("MPEG audio", false),
        b".mp3" => ("MP3", false),
        b"flac" => ("FLAC", false),
        b"opus" => ("Opus", false),
        b"MAC3" | b"MAC6" => ("MACE", false),
        _ => return Some((format!("the codec {}", id.escape_ascii()), false)),
    };
    Some((name.to_owned(), is_decoded))
}

/// Whether the samples of a CAF take much less space in it than as PCM.
pub(super) fn is_encoded(bytes: &[u8]) -> bool {
    body(bytes, *b"desc").is_some_and(|description| matches!(description.get(8..12), Some(b"alac" | b"aac ")))
}

/// Whether its samples are ADPCM.
pub(super) fn is_adpcm(bytes: &[u8]) -> bool {
    body(bytes, *b"desc").is_some_and(|description| description.get(8..12) == Some(b"ima4"))
}

/// The names and bodies of the chunks. A size of -1 means the rest of the file. `None` in place of a body that is cut off.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], Option<&[u8]>)> {
    let mut rest = bytes.get(8..).unwrap_or_default();
    std::iter::from_fn(move || {
        let name = *rest.first_chunk()?;
        let after = rest.get(4..).unwrap_or_default();
        let body = match after.first_chunk().map(|size| i64::from_be_bytes(*size)) {
            Some(-1) => after.get(8..),
            Some(size) => usize::try_from(size).ok().and_then(|size| after[8..].get(..size)),
            None => None,
        };
        rest = body.map_or(&[][..], |body| &after[8 + body.len()..]);
        Some((name, body))
    })
}

fn body(bytes: &[u8], wanted: [u8; 4]) -> Option<&[u8]> {
    chunks(bytes).find_map(|(name, body)| body.filter(|_| name == wanted))
}

impl<'a> Caf<'a> {
    /// Finds the chunks, and checks their numbers.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let (mut description, mut cookie, mut packets, mut layout, mut data) = (None, None, None, None, None);
        for (name, body) in chunks(bytes) {
            let found = match &name {
                b"desc" => &mut description,
                b"kuki" => &mut cookie,
                b"pakt" => &mut packets,
                b"chan" if body.is_some() => &mut layout,
                b"data" => &mut data,
                // What follows the samples is of no use here, not even its end.
                _ if body.is_none() && data.is_some() => break,
                _ if body.is_none() => return Err(Unreadable::Cut),
                _ => continue,
            };
            // The first one of each counts, as for the functions that only look for a description.
            found.get_or_insert(body.ok_or(Unreadable::Cut)?);
        }
        let damaged = |what: &str| Unreadable::Damaged(what.to_owned());
        let description = description.filter(|chunk| chunk.len() == 32);
        let description = description.ok_or_else(|| damaged("it has no description of its sound"))?;
        // The samples follow the number of changes to the file.
        let data = data.ok_or(Unreadable::Cut)?.get(4..).ok_or(Unreadable::Cut)?;
        let is_alac = description.get(8..12) == Some(b"alac");
        let cookie = cookie.map(|cookie| if is_alac { without_atoms(cookie) } else { cookie });
        let mut caf = Self { description, cookie, packets: None, layout, data, sound: None };
        caf.check_description()?;
        if let Some(table) = packets {
            caf.read_packets(table)?;
        } else if caf.has_packet_sizes() {
            return Err(damaged("it has no table of packets"));
        }
        Ok(caf)
    }

    fn number(&self, at: usize) -> u32 {
        u32_at(self.description, at).unwrap_or(0)
    }

    fn bytes_per_packet(&self) -> u32 {
        self.number(16)
    }

    fn frames_per_packet(&self) -> u32 {
        self.number(20)
    }

    /// Whether packets differ in size or length.
    fn has_packet_sizes(&self) -> bool {
        self.bytes_per_packet() == 0 || self.frames_per_packet() == 0
    }

    fn rate(&self) -> f64 {
        self.description.first_chunk().map_or(0.0, |rate| f64::from_be_bytes(*rate))
    }

    /// The speakers of the channels, if the file names them.
    pub(super) fn speakers(&self) -> Option<Vec<Speaker>> {
        speakers::of_caf(self.number(24) as usize, self.layout)
    }

    fn check_description(&self) -> Result<(), Unreadable> {
        let (rate, channels) = (self.rate(), self.number(24));
        let (bytes, frames) = (self.bytes_per_packet(), self.frames_per_packet());
        if !(1.0..=f64::from(1 << 24)).contains(&rate) || rate.fract() != 0.0 || !(1..=255).contains(&channels) {
            return Err(Unreadable::Damaged(format!("it has {channels} channels at {rate} Hz")));
        }
        if bytes > MAX_PACKET || frames > MAX_PACKET {
            return Err(Unreadable::Damaged(format!("its packets have {bytes} bytes and {frames} frames")));
        }
        Ok(())
    }

    /// Reads the table of packets: their number, the frames of the sound, those before and after it, then sizes.
    fn read_packets(&mut self, table: &'a [u8]) -> Result<(), Unreadable> {
        let damaged = || Unreadable::Damaged("its table of packets is not consistent".to_owned());
        let long = |at: usize| table.get(at..).and_then(|rest| rest.first_chunk()).map(|n| u64::from_be_bytes(*n));
        let (count, frames) = (long(0).ok_or_else(damaged)?, long(8).ok_or_else(damaged)?);
        let skip = u32_at(table, 16).ok_or_else(damaged)?.cast_signed().max(0) as u64;
        if i64::try_from(frames).is_err() {
            return Err(damaged());
        }
        // Some programs do not write the number of frames.
        let sound = (frames > 0).then(|| skip..skip + frames);
        if !self.has_packet_sizes() {
            self.sound = sound;
            return Ok(());
        }
        let (mut rest, mut bytes, mut all_frames) = (table.get(24..).ok_or_else(damaged)?, 0u64, 0u64);
        for _ in 0..count {
            let mut next = || variable(&mut rest).filter(|n| *n <= MAX_PACKET.into()).ok_or_else(damaged);
            bytes += if self.bytes_per_packet() == 0 { next()? } else { self.bytes_per_packet().into() };
            all_frames += if self.frames_per_packet() == 0 { next()? } else { self.frames_per_packet().into() };
            if bytes > self.data.len() as u64 {
                return Err(Unreadable::Cut);
            }
        }
        match sound {
            Some(sound) if sound.end > all_frames => return Err(damaged()),
            // Some write the frames of all packets. The last packet may have fewer.
            Some(sound) if sound.end == all_frames && sound.start == 0 => {}
            sound => self.sound = sound,
        }
        self.packets = Some(&table[..table.len() - rest.len()]);
        Ok(())
    }

    /// The file that the decoder reads, and whether it is a WAV.
    pub(super) fn to_bytes(&self) -> Result<(Vec<u8>, bool), Unreadable> {
        let (rate, channels) = (self.rate() as u32, self.number(24));
        let packet = (self.bytes_per_packet(), self.frames_per_packet());
        let damaged = |what: &str| Unreadable::Damaged(what.to_owned());
        let wav = match self.description.get(8..12) {
            Some(b"lpcm") => {
                let pcm = Pcm::of(self.description).filter(Pcm::is_supported);
                Some(pcm.ok_or_else(|| damaged("its samples have an impossible size"))?.to_wav(rate, self.data))
            }
            Some(b"ulaw" | b"alaw") if packet != (channels, 1) => return Err(damaged("its packets are not bytes")),
            Some(b"ulaw") => Some(wav(7, [rate, channels, 1], self.data)),
            Some(b"alaw") => Some(wav(6, [rate, channels, 1], self.data)),
            Some(b"ima4") => {
                if packet != (ima4::BLOCK as u32 * channels, ima4::SAMPLES as u32) {
                    return Err(damaged("its packets are not IMA ADPCM"));
                }
                let samples = ima4::decode(self.data, channels as usize);
                Some(wav(1, [rate, channels, 2], &samples.ok_or_else(|| damaged("a packet has an impossible step"))?))
            }
            _ => None,
        };
        Ok(wav.map_or_else(|| (self.to_caf(), false), |wav| (wav, true)))
    }

    /// A CAF of the chunks that a decoder needs.
    fn to_caf(&self) -> Vec<u8> {
        let mut out = b"caff\0\x01\0\0".to_vec();
        let data = [&[0; 4][..], self.data].concat();
        let chunks = [(b"desc", Some(self.description)), (b"kuki", self.cookie), (b"pakt", self.packets)];
        for (name, body) in chunks.into_iter().chain([(b"data", Some(&data[..]))]) {
            let Some(body) = body else { continue };
            out.extend_from_slice(name);
            out.extend_from_slice(&(body.len() as u64).to_be_bytes());
            out.extend_from_slice(body);
        }
        out
    }
}

/// What Apple Lossless needs, which some programs put into the atoms that QuickTime has around it.
fn without_atoms(cookie: &[u8]) -> &[u8] {
    match cookie {
        [
            0,
            0,
            0,
            12,
            b'f',
            b'r',
            b'm',
            b'a',
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            b'a',
            b'l',
            b'a',
            b'c',
            _,
            _,
            _,
            _,
            rest @ ..,
        ] => rest,
        _ => cookie,
    }
}

/// A number in groups of seven bits. The last group has no mark. At most five, which is more than a packet may have.
fn variable(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (at, byte) in rest.iter().take(5).enumerate() {
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            *rest = &rest[at + 1..];
            return Some(number);
        }
    }
    None
}

/// Uncompressed samples.
struct Pcm {
    flags: u32,
    channels: u32,
    /// Bytes of a sample. Fewer bits are the upper ones.
    size: u32,
}

impl Pcm {
    fn of(description: &[u8]) -> Option<Self> {
        let number = |at: usize| u32_at(description, at);
        let (flags, bytes, frames, channels) = (number(12)?, number(16)?, number(20)?, number(24)?);
        let size =
            bytes.checked_div(channels).filter(|size| frames == 1 && size.checked_mul(channels) == Some(bytes))?;
        (number(28)? <= size.saturating_mul(8)).then_some(Self { flags, channels, size })
    }

    fn is_supported(&self) -> bool {
        if self.flags & IS_FLOAT == 0 { (1..=4).contains(&self.size) } else { matches!(self.size, 4 | 8) }
    }

    fn to_wav(&self, rate: u32, data: &[u8]) -> Vec<u8> {
        let format = if self.flags & IS_FLOAT == 0 { 1 } else { 3 };
        let mut out = wav(format, [rate, self.channels, self.size], data);
        let samples = &mut out[WAV_HEAD..];
        if self.size == 1 {
            // A WAV has unsigned bytes.
            samples.iter_mut().for_each(|sample| *sample ^= 0x80);
        } else if self.flags & IS_LITTLE_ENDIAN == 0 {
            samples.chunks_exact_mut(self.size as usize).for_each(<[u8]>::reverse);
        }
        out
    }
}

/// Bytes of a WAV before its samples.
const WAV_HEAD: usize = 46;

/// A WAV of this format with samples of this many bytes.
fn wav(format: u16, [rate, channels, size]: [u32; 3], data: &[u8]) -> Vec<u8> {
    let frame = channels * size;
    // An incomplete frame is not sound.
    let data = &data[..data.len() - data.len() % frame.max(1) as usize];
    let len = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
    let mut out = b"RIFF".to_vec();
    out.extend(len(data.len().saturating_add(WAV_HEAD - 8)));
    out.extend(b"WAVEfmt \x12\0\0\0");
    [format, channels as u16].iter().for_each(|number| out.extend(number.to_le_bytes()));
    [rate, rate.saturating_mul(frame)].iter().for_each(|number| out.extend(number.to_le_bytes()));
    [frame as u16, size as u16 * 8, 0].iter().for_each(|number| out.extend(number.to_le_bytes()));
    out.extend(b"data");
    out.extend(len(data.len()));
    out.extend_from_slice(data);
    out
}
