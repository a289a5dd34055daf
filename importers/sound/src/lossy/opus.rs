//! Samples → Opus in Ogg, as RFC 7845 describes it.
//!
//! The encoder is libopus in Rust, with integers. At its highest effort it also analyses the sound with floating-point numbers, which
//! need not be the same on every machine, so it runs at the one below.

use ropus::{OPUS_APPLICATION_AUDIO, OPUS_OK, OpusMSEncoder};
use rres_format::SoundFormat;
use rres_import::ImportError;
use rres_settings::SoundSettings;

use super::ogg::Pages;
use super::{Encoded, interleaved, too_many_channels};
use crate::cues::Cues;
use crate::process::{self, Pcm};

/// Opus is decoded at this rate, whatever the rate of the original sound.
const RATE: u32 = 48_000;
/// Frames in a packet: 20 ms.
const PACKET: usize = 960;
/// Highest effort without floating-point numbers.
const EFFORT: i32 = 9;
/// Most bytes of a packet of a stream.
const MAX_STREAM_PACKET: usize = 1276;

/// Frames that are encoded before a sound that is played in a cycle: its end, so that the encoder does not begin with silence. RFC 7845
/// recommends 80 ms for decoders.
const LEAD: usize = 3840;

/// Which channel of a WAV each one of Vorbis is, for sounds of one to eight channels.
const ORDERS: [&[usize]; 8] = [
    &[0],
    &[0, 1],
    // Left, centre, right; from five on, the surround channels.
    &[0, 2, 1],
    &[0, 1, 2, 3],
    &[0, 2, 1, 3, 4],
    // Deep tones are the last ones of Vorbis.
    &[0, 2, 1, 4, 5, 3],
    // The sides, then back centre.
    &[0, 2, 1, 5, 6, 4, 3],
    // The sides, then the back.
    &[0, 2, 1, 6, 7, 4, 5, 3],
];

/// Encodes a sound, after resampling it. Loop points and markers move with the samples.
pub(super) fn encode(pcm: &mut Pcm, cues: &mut Cues, settings: &SoundSettings) -> Result<Encoded, ImportError> {
    too_many_channels(pcm, SoundFormat::Opus, ORDERS.len())?;
    let is_cyclic = settings.is_looping && cues.loop_points.is_none();
    process::resample_to(pcm, RATE, cues, is_cyclic, "sound.format")?;
    let frames = pcm.frames();
    if frames == 0 {
        return Err(ImportError::new("is so short that no frame is left at 48 kHz, the rate of Opus")
            .with_help("leave the file out of the rule with sound.format"));
    }
    // What is heard after the end: of a loop its start.
    let repeated = match &cues.loop_points {
        Some(points) if settings.is_looping && points.end == frames as u64 => Some(points.start as usize),
        None if settings.is_looping => Some(0),
        _ => None,
    };
    let lead = if is_cyclic { LEAD } else { 0 };
    let file = file_of(&interleaved(pcm), pcm.planes.len(), settings.bitrate, Ends { lead, repeated });
    let file =
        file.map_err(|code| ImportError::new(format!("cannot be encoded as Opus (error {code} of the encoder)")))?;
    Ok(Encoded { format: SoundFormat::Opus, file, note: None })
}

/// What is encoded besides the sound.
struct Ends {
    /// Frames before it, from its end.
    lead: usize,
    /// The frame that follows the last one; silence if there is none.
    repeated: Option<usize>,
}

/// The file of interleaved samples; the error is a code of libopus.
fn file_of(samples: &[i16], channels: usize, kilobits: Option<u32>, ends: Ends) -> Result<Vec<u8>, i32> {
    let family = i32::from(channels > 2);
    let (mut encoder, streams, coupled, mapping) =
        OpusMSEncoder::new_surround(RATE as i32, channels as i32, family, OPUS_APPLICATION_AUDIO)?;
    // What `opusenc` chooses.
    let bitrate = kilobits.map_or(64_000 * streams + 32_000 * coupled, |kilobits| kilobits as i32 * 1000);
    for code in [
        encoder.set_bitrate(bitrate),
        encoder.set_complexity(EFFORT),
        encoder.set_vbr(1),
        encoder.set_vbr_constraint(1),
    ] {
        if code != OPUS_OK {
            return Err(code);
        }
    }
    let frames = samples.len() / channels;
    // A decoder makes as many frames before the first one of the sound.
    // The number is that of each stream: the one that the encoder of all states lacks a part.
    let lookahead = encoder.get_encoder(0).map_or(0, |stream| stream.get_lookahead());
    let skip = lookahead.max(0) as usize + ends.lead;
    let mut pages = Pages::default();
    pages.push(&head(channels as u8, skip as u16, &[streams as u8, coupled as u8], &mapping), 0);
    pages.end_head();
    pages.push(&comments(), 0);
    pages.end_head();
    let (mut pcm, mut packet) = (vec![0; PACKET * channels], vec![0; MAX_STREAM_PACKET * streams.max(1) as usize]);
    let end = skip + frames;
    for start in (0..end).step_by(PACKET) {
        for (i, frame) in pcm.chunks_exact_mut(channels).enumerate() {
            match ends.frame(start + i, frames) {
                Some(from) => {
                    for (sample, channel) in frame.iter_mut().zip(ORDERS[channels - 1]) {
                        *sample = samples[from * channels + channel];
                    }
                }
                None => frame.fill(0),
            }
        }
        let limit = packet.len() as i32;
        let len = encoder.encode(&pcm, PACKET as i32, &mut packet, limit)?;
        pages.push(&packet[..len.max(0) as usize], (start + PACKET) as u64);
    }
    Ok(pages.finish(end as u64))
}

impl Ends {
    /// Which frame of the sound is encoded at this place, counted from the first of the lead; `None` for silence.
    fn frame(&self, at: usize, frames: usize) -> Option<usize> {
        let Some(at) = at.checked_sub(self.lead) else {
            // Short sounds are repeated.
            let before = (self.lead - at) % frames;
            return Some((frames - before) % frames);
        };
        if at < frames {
            return Some(at);
        }
        let start = self.repeated?;
        Some(start + (at - frames) % (frames - start))
    }
}

/// The first packet.
fn head(channels: u8, skip: u16, streams: &[u8; 2], mapping: &[u8]) -> Vec<u8> {
    let mut head = b"OpusHead\x01".to_vec();
    head.push(channels);
    head.extend(skip.to_le_bytes());
    head.extend(RATE.to_le_bytes());
    // No gain.
    head.extend([0, 0]);
    head.push(u8::from(channels > 2));
    if channels > 2 {
        head.extend(streams);
        head.extend(mapping);
    }
    head
}

/// The second packet: who wrote it, and no comments.
fn comments() -> Vec<u8> {
    const WRITER: &[u8] = b"rres";
    [&b"OpusTags"[..], &(WRITER.len() as u32).to_le_bytes(), WRITER, &0u32.to_le_bytes()].concat()
}
