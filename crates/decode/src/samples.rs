//! Decoded buffers → interleaved samples of one form.
//!
//! Integers are widened to 32 bits, which is exact, and narrowed by rounding to the nearest. The full scale of floats
//! is 1.0: a signed sample is `v × 32768`, rounded half to even as in C's `rint`, and clamped. Samples that stay floats
//! are unchanged, even beyond 1.0.

use symphonia::core::audio::sample::Sample;
use symphonia::core::audio::{Audio, AudioBuffer, GenericAudioBufferRef};

use crate::form::{SampleForm, signed, unsigned};

/// Appends all frames of `buffer` to `out`, interleaved.
///
/// `rres-build` uses it for the formats that packs do not keep. It is not part of the interface of this crate, whose versions
/// do not follow the versions of symphonia.
pub fn append(buffer: &GenericAudioBufferRef<'_>, form: SampleForm, out: &mut Vec<u8>) {
    use GenericAudioBufferRef as B;
    match buffer {
        B::U8(b) => whole(b, form, out, |v| (i32::from(v) - 128) << 24),
        B::S8(b) => whole(b, form, out, |v| i32::from(v) << 24),
        B::U16(b) => whole(b, form, out, |v| (i32::from(v) - 0x8000) << 16),
        B::S16(b) => whole(b, form, out, |v| i32::from(v) << 16),
        B::U24(b) => whole(b, form, out, |v| (v.inner() as i32 - 0x80_0000) << 8),
        B::S24(b) => whole(b, form, out, |v| v.inner() << 8),
        B::U32(b) => whole(b, form, out, |v| (v ^ 0x8000_0000) as i32),
        B::S32(b) => whole(b, form, out, |v| v),
        B::F32(b) => floats(b, form, out, f64::from, signed, |v| v),
        B::F64(b) => floats(b, form, out, |v| v, signed_of_double, |v| v as f32),
    }
}

/// Samples that `wide` converts to full-scale 32 bits.
fn whole<S: Sample>(buffer: &AudioBuffer<S>, form: SampleForm, out: &mut Vec<u8>, wide: impl Fn(S) -> i32) {
    match form {
        SampleForm::U8 => interleave(buffer, out, |v| [((wide(v).saturating_add(1 << 23) >> 24) + 128) as u8]),
        SampleForm::I16 => {
            interleave(buffer, out, |v| ((wide(v).saturating_add(1 << 15) >> 16) as i16).to_le_bytes());
        }
        // Dividing by a power of two is exact; converting 32 bits to the 24 bits of a float rounds to the nearest.
        SampleForm::F32 => interleave(buffer, out, |v| (wide(v) as f32 / 2_147_483_648.0).to_le_bytes()),
    }
}

fn floats<S: Sample>(
    buffer: &AudioBuffer<S>,
    form: SampleForm,
    out: &mut Vec<u8>,
    double: impl Fn(S) -> f64,
    signed: impl Fn(S) -> i16,
    single: impl Fn(S) -> f32,
) {
    match form {
        SampleForm::U8 => interleave(buffer, out, |v| [unsigned(double(v))]),
        SampleForm::I16 => interleave(buffer, out, |v| signed(v).to_le_bytes()),
        SampleForm::F32 => interleave(buffer, out, |v| single(v).to_le_bytes()),
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

fn signed_of_double(v: f64) -> i16 {
    (v * 32768.0).round_ties_even() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_rounded_half_to_even_and_clamped() {
        let is_same = |v: f32| assert_eq!(signed(v), signed_of_double(v.into()), "{v} ({:#x})", v.to_bits());
        // Every half and its neighbours, beyond both ends.
        for half in -65_600..=65_600 {
            let v = half as f32 / 65_536.0;
            [v.next_down(), v, v.next_up()].into_iter().for_each(is_same);
        }
        [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, -0.0].into_iter().for_each(is_same);
        // Of all floats, one in 9,973.
        (0..=u32::MAX).step_by(9_973).map(f32::from_bits).for_each(is_same);
    }
}
