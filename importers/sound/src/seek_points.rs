//! The places in a kept file at which decoding can start, for a game that plays it without decoding all of it.
//!
//! No rule of a format is trusted: decoders start late in MP3, need packets before in Vorbis, and take a while in Opus. Each point is
//! tried with the decoder of the runtime, and only what makes the samples of the whole file is stored.

use std::sync::Arc;

use rres_decode::SoundStream;
use rres_format::Limits;
use rres_format::SoundFormat;
use rres_format::chunk::seek::{SeekPoint, seek_block};

use super::source_form::skipped_frames;

/// The whole file as the runtime decodes it, which does not trim.
struct Whole {
    samples: Vec<u8>,
    frame_size: usize,
    /// The number of frames before each packet.
    before: Vec<u64>,
    /// Places at which a packet or a page begins.
    starts: Vec<Start>,
    rate: u64,
    /// How many frames a point is tried for. Opus remembers what it decoded long before, Vorbis one packet.
    tried: u64,
}

#[derive(Clone, Copy)]
struct Start {
    /// The position of the first packet among those that the decoder returns.
    packet: usize,
    offset: u32,
}

/// The SEEK block of a file whose sound has these samples.
///
/// # Errors
/// The reason why the file cannot be read from the middle, as the end of a sentence.
pub(super) fn block(file: &[u8], samples: &[u8]) -> Result<Vec<u8>, String> {
    let file: Arc<[u8]> = file.into();
    let mut stream = SoundStream::open(Arc::clone(&file)).map_err(|e| e.to_string())?;
    let whole = Whole::decode(&file, &mut stream)?;
    let other = || "the decoder of the game makes other samples".to_owned();
    let skipped = skipped_frames(&whole.samples, samples, whole.frame_size).ok_or_else(other)?;
    let head_size = match (stream.format(), whole.starts.first()) {
        (SoundFormat::Flac, _) => FLAC_HEAD,
        (SoundFormat::Ogg, Some(first)) => first.offset,
        _ => 0,
    };
    let mut points: Vec<SeekPoint> = Vec::new();
    // Frames before the sound are never sought.
    let mut second = 1;
    while second * whole.rate < whole.frames() {
        if let Some(point) = whole.point(&mut stream, second * whole.rate, head_size)
            && points.last().is_none_or(|last| last.frame < point.frame && last.offset < point.offset)
        {
            points.push(point);
        }
        second += 1;
    }
    seek_block(&points, skipped, head_size).map_err(|e| e.to_string())
}

/// The mark of a FLAC and the block of its stream information.
const FLAC_HEAD: u32 = 42;

impl Whole {
    fn decode(file: &[u8], stream: &mut SoundStream<Arc<[u8]>>) -> Result<Self, String> {
        let (format, rate) = (stream.format(), stream.sample_rate().into());
        let frame_size = stream.form().size() * stream.channels() as usize;
        let (mut samples, mut before, mut starts, mut at) = (Vec::new(), Vec::new(), Vec::new(), 0);
        while let Some(packet) = stream.next_packet().map_err(|e| e.to_string())? {
            before.push((samples.len() / frame_size) as u64);
            if (samples.len() + packet.len()) as u64 > Limits::DEFAULT.max_decoded {
                return Err("its samples are more than 1 GiB".to_owned());
            }
            samples.extend_from_slice(packet);
            if matches!(format, SoundFormat::Flac | SoundFormat::Mp3 | SoundFormat::Qoa)
                && let Some(offset) = find(file, at, stream.last_packet())
            {
                starts.push(Start { packet: before.len() - 1, offset: offset as u32 });
                at = offset + stream.last_packet().len();
            }
        }
        match format {
            SoundFormat::Ogg => starts = page_starts(file, 3),
            SoundFormat::Opus => starts = page_starts(file, 2),
            _ => {}
        }
        starts.retain(|start| start.packet < before.len());
        let tried = match format {
            SoundFormat::Opus => 2 * rate,
            // A packet can need 511 bytes before it, which is half a second at the lowest bit rate.
            SoundFormat::Mp3 => rate,
            _ => rate / 4,
        };
        Ok(Self { samples, frame_size, before, starts, rate, tried })
    }

    fn frames(&self) -> u64 {
        (self.samples.len() / self.frame_size) as u64
    }

    /// Starts a tenth of a second before a frame, and finds the first packet at which the samples become the same as in the whole
    /// file.
    fn point(&self, stream: &mut SoundStream<Arc<[u8]>>, frame: u64, head_size: u32) -> Option<SeekPoint> {
        let latest = frame.saturating_sub(self.rate / 10);
        let count = self.starts.partition_point(|start| self.before[start.packet] <= latest);
        let Start { packet: first, offset } = *self.starts.get(count.checked_sub(1)?)?;
        stream.start_at(offset, head_size).ok()?;
        let (mut made, mut found) = (0u64, None::<SeekPoint>);
        for packet in first..self.before.len() {
            let at = self.before[packet];
            // The last seconds of a file have less to compare.
            if at > frame + self.tried {
                break;
            }
            let samples = stream.next_packet().ok()??;
            let start = at as usize * self.frame_size;
            let is_equal = self.samples[start..].starts_with(samples) && self.is_whole(packet, samples.len());
            if !is_equal {
                found = None;
            } else if found.is_none() {
                found = Some(SeekPoint { frame: at, offset, skip: u32::try_from(made).ok()? });
            }
            made += (samples.len() / self.frame_size) as u64;
        }
        found.filter(|point| point.frame <= frame + self.tried / 2)
    }

    /// Whether a packet has this many bytes of samples.
    fn is_whole(&self, packet: usize, len: usize) -> bool {
        let end = self.before.get(packet + 1).copied().unwrap_or_else(|| self.frames());
        (end - self.before[packet]) as usize * self.frame_size == len
    }
}

/// The place of a packet in a file, from `start` on.
fn find(file: &[u8], start: usize, packet: &[u8]) -> Option<usize> {
    (start..file.len()).find(|at| file[*at..].starts_with(packet)).filter(|_| !packet.is_empty())
}

/// The pages of an Ogg file that begin with a packet, after the pages of `heads` packets.
fn page_starts(file: &[u8], heads: usize) -> Vec<Start> {
    let (mut starts, mut packets, mut at) = (Vec::new(), 0usize, 0usize);
    while let Some(head) = file.get(at..).and_then(|rest| rest.first_chunk::<27>())
        && head.starts_with(b"OggS")
    {
        let Some(lengths) = file.get(at + 27..at + 27 + usize::from(head[26])) else { break };
        let is_continued = head[5] & 1 != 0;
        if let (false, Some(packet), Ok(offset)) = (is_continued, packets.checked_sub(heads), u32::try_from(at)) {
            starts.push(Start { packet, offset });
        }
        packets += lengths.iter().filter(|len| **len < 255).count();
        at += 27 + lengths.len() + lengths.iter().map(|len| usize::from(*len)).sum::<usize>();
    }
    starts
}
