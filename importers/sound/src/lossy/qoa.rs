//! Samples → a QOA file: 3.2 bits a sample, and a predictor that learns.
//!
//! Of the 16 scales of a slice the one is taken whose samples are nearest to the original, as the
//! [specification](https://qoaformat.org) suggests.

use rres_decode::qoa::{DEQUANTIZED, MAX_CHANNELS, MAX_FRAME_SAMPLES, Predictor, SLICE_SAMPLES, frame_size};
use rres_format::SoundFormat;
use rres_import::ImportError;

use super::{Encoded, interleaved, too_many_channels};
use crate::process::Pcm;

/// Encodes a sound.
pub(super) fn encode(pcm: &Pcm) -> Result<Encoded, ImportError> {
    too_many_channels(pcm, SoundFormat::Qoa, MAX_CHANNELS)?;
    if pcm.rate >= 1 << 24 {
        let message = format!("is at {} Hz, and QOA holds rates below {} Hz", pcm.rate, 1 << 24);
        return Err(ImportError::new(message).with_help("resample it with sound.rate"));
    }
    // Samples of 16 bits are at most 1 GiB.
    let file = file_of(&interleaved(pcm), pcm.planes.len(), pcm.rate);
    Ok(Encoded { format: SoundFormat::Qoa, file, note: None })
}

/// The file of interleaved samples.
fn file_of(samples: &[i16], channels: usize, rate: u32) -> Vec<u8> {
    let frames = samples.len() / channels;
    let whole = frames / MAX_FRAME_SAMPLES;
    let mut file = Vec::with_capacity(whole.saturating_add(1) * frame_size(channels, MAX_FRAME_SAMPLES));
    file.extend_from_slice(b"qoaf");
    file.extend((frames as u32).to_be_bytes());
    let mut states = vec![Channel { predictor: Predictor::START, scale: 0 }; channels];
    for frame in samples.chunks(MAX_FRAME_SAMPLES * channels) {
        let count = frame.len() / channels;
        let [_, a, b, c] = rate.to_be_bytes();
        file.extend([channels as u8, a, b, c]);
        file.extend((count as u16).to_be_bytes());
        file.extend((frame_size(channels, count) as u16).to_be_bytes());
        states.iter_mut().for_each(|channel| file.extend(channel.predictor.write()));
        for slices in frame.chunks(SLICE_SAMPLES * channels) {
            for (i, channel) in states.iter_mut().enumerate() {
                file.extend(channel.slice(slices.iter().skip(i).step_by(channels)).to_be_bytes());
            }
        }
    }
    file
}

/// What an encoder remembers of a channel.
#[derive(Clone, Copy)]
struct Channel {
    predictor: Predictor,
    /// The scale of the last slice, which is likely that of the next.
    scale: usize,
}

impl Channel {
    /// Encodes up to 20 samples.
    fn slice<'a>(&mut self, samples: impl Iterator<Item = &'a i16>) -> u64 {
        let (mut buffer, mut len) = ([0i32; SLICE_SAMPLES], 0);
        for (place, sample) in buffer.iter_mut().zip(samples) {
            (*place, len) = (i32::from(*sample), len + 1);
        }
        let (mut least, mut best) = (u64::MAX, (self.scale, 0, self.predictor));
        for scale in (0..16).map(|i| (self.scale + i) % 16) {
            if let Some((error, steps, predictor)) = at_scale(self.predictor, &buffer[..len], scale, least) {
                (least, best) = (error, (scale, steps, predictor));
            }
        }
        let (scale, steps, predictor) = best;
        *self = Self { predictor, scale };
        // A slice that is not full ends with zeros.
        (scale as u64) << 60 | steps << (3 * (SLICE_SAMPLES - len))
    }
}

/// The squared error of a slice at a scale, its steps and what predicts the next; `None` if the error is not below `limit`.
fn at_scale(mut predictor: Predictor, samples: &[i32], scale: usize, limit: u64) -> Option<(u64, u64, Predictor)> {
    let distances = &DEQUANTIZED[scale];
    // Halfway between two distances.
    let bounds = [distances[0] + distances[2], distances[2] + distances[4], distances[4] + distances[6]];
    let (mut error, mut steps) = (0u64, 0u64);
    for &sample in samples {
        let prediction = predictor.prediction();
        let residual = sample.saturating_sub(prediction);
        let twice = residual.saturating_abs().saturating_mul(2);
        let step = bounds.iter().filter(|bound| twice >= **bound).count() * 2 + usize::from(residual < 0);
        let decoded = i32::from(predictor.learn(prediction, distances[step]));
        steps = steps << 3 | step as u64;
        let excess = predictor.excess().unsigned_abs();
        let distance = u64::from(sample.abs_diff(decoded));
        // At most 17 bits and 30 bits before they are squared.
        error = error.saturating_add(distance * distance).saturating_add(excess.saturating_mul(excess));
        if error >= limit {
            return None;
        }
    }
    Some((error, steps, predictor))
}
