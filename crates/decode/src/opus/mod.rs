//! Opus in Ogg, as RFC 7845 describes it → samples of 16 bits at 48 kHz.
//!
//! The head says how many frames a decoder makes before the first one of the sound, and the position of the last page where
//! the sound ends. Both are exact to the frame.

mod reader;

use std::borrow::Cow;
use std::ops::ControlFlow;

use ropus::OpusMSDecoder;

pub(crate) use self::reader::OpusReader;
use crate::DecodeError;
use crate::form::{SampleForm, append_i16 as append};
use crate::pages::{Bad, Packet, Packets};
use crate::sound::Extent;
use rres_format::SoundFormat;

/// Opus is decoded at this rate, whatever the rate of the original sound.
pub(crate) const RATE: u32 = 48_000;

/// The name in messages.
const FORMAT: &str = SoundFormat::Opus.name();

/// Most frames in a packet: 120 ms.
const MAX_PACKET_FRAMES: usize = 5760;

/// Which channel of Vorbis each one of a WAV is, for sounds of one to eight channels.
const ORDERS: [&[u8]; 8] = [
    &[0],
    &[0, 1],
    // Left, right, centre; from five on, the surround channels.
    &[0, 2, 1],
    &[0, 1, 2, 3],
    &[0, 2, 1, 3, 4],
    // Deep tones are the last ones of Vorbis.
    &[0, 2, 1, 5, 3, 4],
    // Back centre, then the sides.
    &[0, 2, 1, 6, 5, 3, 4],
    // Back, then the sides.
    &[0, 2, 1, 7, 5, 6, 3, 4],
];

/// A file whose head was read.
pub(crate) struct OpusFile<'a> {
    file: &'a [u8],
    head: Head<'a>,
}

struct Head<'a> {
    channels: u8,
    /// Frames that are decoded before the first one of the sound.
    skip: u16,
    /// In 256ths of a decibel.
    gain: i16,
    streams: u8,
    /// The number of streams that have two channels.
    coupled: u8,
    /// Which decoded channel each channel is.
    mapping: Cow<'a, [u8]>,
}

impl<'a> OpusFile<'a> {
    pub(crate) fn open(file: &'a [u8]) -> Result<Self, DecodeError> {
        let mut packets = Packets::new(file);
        let first = next(&mut packets)?.ok_or(DecodeError::EndsEarly { format: FORMAT })?;
        // The head is in a page of its own and is never divided.
        let Cow::Borrowed(head) = first.data else { return Err(damaged("its head", "it is divided".to_owned())) };
        let head = Head::read(head)?;
        Ok(Self { file, head })
    }

    pub(crate) fn channels(&self) -> u32 {
        self.head.channels.into()
    }

    /// Finds out where the sound begins and ends, without decoding it.
    pub(crate) fn extent(&self) -> Result<Extent, DecodeError> {
        let mut packets = self.packets()?;
        let (mut frames, mut start, mut end) = (0u64, None, None);
        while let Some(packet) = next(&mut packets)? {
            frames += packet_frames(&packet.data)? as u64;
            let Some(position) = packet.end.and_then(|position| u64::try_from(position).ok()) else { continue };
            // A stream that was cut out of a longer one does not begin at 0, and one of a single page may end inside of it.
            start.get_or_insert(position.saturating_sub(frames));
            end = Some(position);
        }
        let positioned = end.zip(start).map_or(frames, |(end, start)| (end - start.min(end)).min(frames));
        let skip = u64::from(self.head.skip).min(positioned);
        Ok(Extent { skip, frames: positioned - skip, missing: 0 })
    }

    /// Passes the samples of each packet to `take`, until that breaks. `trims` leaves out what is not the sound.
    pub(crate) fn each_packet(
        &self,
        form: SampleForm,
        trims: bool,
        mut take: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), DecodeError> {
        let channels = usize::from(self.head.channels);
        let mut decoder = Decoder::new(&self.head)?;
        let mut part = if trims { self.extent()? } else { Extent { skip: 0, frames: u64::MAX, missing: 0 } };
        let mut packets = self.packets()?;
        let mut out = Vec::new();
        while let Some(packet) = next(&mut packets)? {
            let samples = decoder.decode(&packet.data)?;
            let frames = samples.len() / channels;
            let skipped = part.skip.min(frames as u64) as usize;
            part.skip -= skipped as u64;
            let left = usize::try_from(part.frames).unwrap_or(usize::MAX).min(frames - skipped);
            part.frames -= left as u64;
            out.clear();
            append(&samples[skipped * channels..(skipped + left) * channels], form, &mut out);
            if !out.is_empty() && take(&out).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The packets of sound, after the packets of the head and the comments.
    fn packets(&self) -> Result<Packets<'a>, DecodeError> {
        let mut packets = Packets::new(self.file);
        next(&mut packets)?;
        match next(&mut packets)? {
            Some(comments) if comments.data.starts_with(b"OpusTags") => Ok(packets),
            Some(_) => Err(damaged("its comments", "they do not start with OpusTags".to_owned())),
            None => Err(DecodeError::EndsEarly { format: FORMAT }),
        }
    }
}

/// The decoder of a stream.
struct Decoder {
    decoder: OpusMSDecoder,
    channels: usize,
    /// What samples are multiplied by; `None` if the head has no gain.
    factor: Option<f64>,
    decoded: Vec<i16>,
}

impl Decoder {
    fn new(head: &Head<'_>) -> Result<Self, DecodeError> {
        let Head { channels, streams, coupled, mapping, gain, .. } = head;
        let channels = usize::from(*channels);
        let decoder = OpusMSDecoder::new(RATE as i32, channels as i32, (*streams).into(), (*coupled).into(), mapping)
            .map_err(|code| damaged("its head", explain(code)))?;
        let factor = (*gain != 0).then(|| 10f64.powf(f64::from(*gain) / 256.0 / 20.0));
        Ok(Self { decoder, channels, factor, decoded: vec![0; MAX_PACKET_FRAMES * channels] })
    }

    /// Returns the samples of a packet.
    fn decode(&mut self, packet: &[u8]) -> Result<&[i16], DecodeError> {
        packet_frames(packet)?;
        let len = i32::try_from(packet.len()).unwrap_or(i32::MAX);
        let frames = self
            .decoder
            .decode(Some(packet), len, &mut self.decoded, MAX_PACKET_FRAMES as i32, false)
            .map_err(|code| damaged("its samples", explain(code)))?;
        let frames = usize::try_from(frames).unwrap_or(0).min(MAX_PACKET_FRAMES);
        let samples = &mut self.decoded[..frames * self.channels];
        if let Some(factor) = self.factor {
            samples.iter_mut().for_each(|v| *v = (f64::from(*v) * factor).round_ties_even() as i16);
        }
        Ok(samples)
    }
}

impl<'a> Head<'a> {
    fn read(packet: &'a [u8]) -> Result<Self, DecodeError> {
        let short = || damaged("its head", format!("it has {} bytes", packet.len()));
        let [version, channels, skip_low, skip_high, _, _, _, _, gain_low, gain_high, family] =
            *packet.strip_prefix(b"OpusHead").and_then(|rest| rest.first_chunk()).ok_or_else(short)?;
        let (skip, gain) = (u16::from_le_bytes([skip_low, skip_high]), i16::from_le_bytes([gain_low, gain_high]));
        // Versions up to 15 can be read like the first.
        if version > 15 {
            return Err(unsupported(format!("version {version}")));
        }
        let (streams, coupled, mapping) = match (family, channels) {
            (0, 1) => (1, 0, Cow::Borrowed(&[0][..])),
            (0, 2) => (1, 1, Cow::Borrowed(&[0, 1][..])),
            (1, 1..=8) => {
                let table = packet.get(19..21 + usize::from(channels)).ok_or_else(short)?;
                // Channels come in the order of Vorbis, and leave in the order of WAV, as the channels of Vorbis do.
                let order = ORDERS[usize::from(channels) - 1];
                let mapping = order.iter().map(|channel| table[2 + usize::from(*channel)]).collect();
                (table[0], table[1], Cow::Owned(mapping))
            }
            (0 | 1, _) => return Err(damaged("its head", format!("it has {channels} channels"))),
            _ => return Err(unsupported(format!("channels of family {family}"))),
        };
        // No packet has fewer bytes than streams, and a decoder takes memory for each.
        if streams == 0 || coupled > streams || streams > channels {
            return Err(damaged("its head", format!("it has {streams} streams of {channels} channels")));
        }
        Ok(Self { channels, skip, gain, streams, coupled, mapping })
    }
}

fn next<'a>(packets: &mut Packets<'a>) -> Result<Option<Packet<'a>>, DecodeError> {
    packets.next().map_err(|bad| match bad {
        Bad::EndsEarly => DecodeError::EndsEarly { format: FORMAT },
        Bad::Damaged(detail) => damaged("its pages", detail),
        Bad::SeveralStreams => unsupported("several streams".to_owned()),
    })
}

/// The number of frames in a packet, which its first two bytes state.
fn packet_frames(packet: &[u8]) -> Result<usize, DecodeError> {
    let count = match packet {
        [first, ..] if first & 3 == 0 => 1,
        [first, ..] if first & 3 < 3 => 2,
        [_, second, ..] => usize::from(second & 0x3f),
        _ => 0,
    };
    let frame = match packet.first().map_or(0, |first| first >> 3) {
        config @ 0..12 => [480, 960, 1920, 2880][usize::from(config & 3)],
        config @ 12..16 => [480, 960][usize::from(config & 1)],
        config => [120, 240, 480, 960][usize::from(config & 3)],
    };
    match count * frame {
        frames @ 1..=MAX_PACKET_FRAMES => Ok(frames),
        frames => Err(damaged("its packets", format!("one has {frames} frames"))),
    }
}

/// What an error code of libopus means.
fn explain(code: i32) -> String {
    match code {
        -1 => "invalid argument".to_owned(),
        -2 => "a packet is too long".to_owned(),
        -4 => "a packet is damaged".to_owned(),
        code => format!("error {code} of the decoder"),
    }
}

fn damaged(part: &'static str, detail: String) -> DecodeError {
    DecodeError::Damaged { format: FORMAT, part, detail }
}

fn unsupported(detail: String) -> DecodeError {
    DecodeError::Unsupported { format: FORMAT, detail }
}
