//! Decoded buffers → interleaved samples of one format.
//!
//! Integers are widened to 32 bits, which is exact, and narrowed by rounding to the nearest. The full scale of floats
//! is 1.0: a signed sample is `v × 32768`, rounded half to even as in C's `rint`, and clamped. Samples that stay floats
//! are unchanged, even beyond 1.0.

use symphonia::core::audio::sample::Sample;
use symphonia::core::audio::{Audio, AudioBuffer, GenericAudioBufferRef};

use crate::settings::SampleFormat;

/// The size of the property count and the four properties that precede the samples of a WAVE block.
pub(super) const HEAD: usize = 20;

/// The format that preserves the samples of `buffer`; `bits` is the depth that the source states.
pub(super) fn natural_format(buffer: &GenericAudioBufferRef<'_>, bits: Option<u32>, is_lossy: bool) -> SampleFormat {
    use GenericAudioBufferRef as B;
    let width = match buffer {
        _ if is_lossy => 16,
        B::U8(_) | B::S8(_) => 8,
        B::U16(_) | B::S16(_) => 16,
        B::U24(_) | B::S24(_) => bits.unwrap_or(24),
        B::U32(_) | B::S32(_) => bits.unwrap_or(32),
        B::F32(_) | B::F64(_) => 32,
    };
    match width {
        0..=8 => SampleFormat::U8,
        9..=16 => SampleFormat::I16,
        _ => SampleFormat::F32,
    }
}

/// Appends all frames of `buffer` to `out`.
pub(super) fn append(buffer: &GenericAudioBufferRef<'_>, format: SampleFormat, out: &mut Vec<u8>) {
    use GenericAudioBufferRef as B;
    match buffer {
        B::U8(b) => whole(b, format, out, |v| (i32::from(v) - 128) << 24),
        B::S8(b) => whole(b, format, out, |v| i32::from(v) << 24),
        B::U16(b) => whole(b, format, out, |v| (i32::from(v) - 0x8000) << 16),
        B::S16(b) => whole(b, format, out, |v| i32::from(v) << 16),
        B::U24(b) => whole(b, format, out, |v| (v.inner() as i32 - 0x80_0000) << 8),
        B::S24(b) => whole(b, format, out, |v| v.inner() << 8),
        B::U32(b) => whole(b, format, out, |v| (v ^ 0x8000_0000) as i32),
        B::S32(b) => whole(b, format, out, |v| v),
        B::F32(b) => match format {
            SampleFormat::U8 => interleave(b, out, |v| [unsigned(v.into())]),
            SampleFormat::I16 => interleave(b, out, |v| signed(v.into()).to_le_bytes()),
            SampleFormat::F32 => interleave(b, out, f32::to_le_bytes),
        },
        B::F64(b) => match format {
            SampleFormat::U8 => interleave(b, out, |v| [unsigned(v)]),
            SampleFormat::I16 => interleave(b, out, |v| signed(v).to_le_bytes()),
            SampleFormat::F32 => interleave(b, out, |v| (v as f32).to_le_bytes()),
        },
    }
}

/// Bytes of one sample.
pub(super) fn size_of(format: SampleFormat) -> usize {
    match format {
        SampleFormat::U8 => 1,
        SampleFormat::I16 => 2,
        SampleFormat::F32 => 4,
    }
}

/// The samples of a block as floats from -1 to 1, interleaved. All of them are exact.
pub(super) fn to_f32(samples: &[u8], format: SampleFormat) -> impl Iterator<Item = f32> {
    samples.chunks_exact(size_of(format)).map(move |sample| match *sample {
        [v] => (f32::from(v) - 128.0) / 128.0,
        [a, b] => f32::from(i16::from_le_bytes([a, b])) / 32_768.0,
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        _ => 0.0,
    })
}

/// A block of these channels, rounded to the nearest.
pub(super) fn interleaved(planes: &[Vec<f32>], format: SampleFormat) -> Vec<u8> {
    let frames = planes.first().map_or(0, Vec::len);
    let mut block = vec![0; HEAD];
    block.reserve(frames * planes.len() * size_of(format));
    for sample in (0..frames).flat_map(|frame| planes.iter().map(move |plane| plane[frame])) {
        match format {
            SampleFormat::U8 => block.push(unsigned(sample.into())),
            SampleFormat::I16 => block.extend(signed(sample.into()).to_le_bytes()),
            SampleFormat::F32 => block.extend(sample.to_le_bytes()),
        }
    }
    block
}

fn unsigned(v: f64) -> u8 {
    ((v * 128.0).round_ties_even() + 128.0) as u8
}

fn signed(v: f64) -> i16 {
    // The cast clamps, and converts NaN to 0.
    (v * 32768.0).round_ties_even() as i16
}

/// Samples that `wide` converts to full-scale 32 bits.
fn whole<S: Sample>(buffer: &AudioBuffer<S>, format: SampleFormat, out: &mut Vec<u8>, wide: impl Fn(S) -> i32) {
    match format {
        SampleFormat::U8 => {
            interleave(buffer, out, |v| [((wide(v).saturating_add(1 << 23) >> 24) + 128) as u8]);
        }
        SampleFormat::I16 => {
            interleave(buffer, out, |v| ((wide(v).saturating_add(1 << 15) >> 16) as i16).to_le_bytes());
        }
        // Dividing by a power of two is exact; converting 32 bits to the 24 bits of a float rounds to the nearest.
        SampleFormat::F32 => interleave(buffer, out, |v| (wide(v) as f32 / 2_147_483_648.0).to_le_bytes()),
    }
}

fn interleave<S: Sample, const N: usize>(buffer: &AudioBuffer<S>, out: &mut Vec<u8>, store: impl Fn(S) -> [u8; N]) {
    let channels = buffer.num_planes();
    let start = out.len();
    out.resize(start + buffer.frames() * channels * N, 0);
    let out = &mut out[start..];
    // With constant numbers of channels, the compiler generates code that is several times as fast.
    match (channels, buffer.plane(0), buffer.plane(1)) {
        (1, Some(plane), _) => {
            for (frame, v) in out.chunks_exact_mut(N).zip(plane) {
                frame.copy_from_slice(&store(*v));
            }
        }
        (2, Some(left), Some(right)) => {
            for ((frame, l), r) in out.chunks_exact_mut(2 * N).zip(left).zip(right) {
                frame[..N].copy_from_slice(&store(*l));
                frame[N..].copy_from_slice(&store(*r));
            }
        }
        _ => {
            for (channel, plane) in buffer.iter_planes().enumerate() {
                let at = channel * N;
                for (frame, v) in out.chunks_exact_mut(channels * N).zip(plane) {
                    frame[at..at + N].copy_from_slice(&store(*v));
                }
            }
        }
    }
}
