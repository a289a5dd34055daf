//! The formats of samples: which one keeps the depth of a source, and samples as floats and back.

use rres_decode::SampleForm;
use rres_settings::SampleFormat;
use symphonia::core::audio::GenericAudioBufferRef;

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

/// The form that packs use for samples of this format.
pub(super) const fn form(format: SampleFormat) -> SampleForm {
    match format {
        SampleFormat::U8 => SampleForm::U8,
        SampleFormat::I16 => SampleForm::I16,
        SampleFormat::F32 => SampleForm::F32,
    }
}

/// Bytes of one sample.
pub(super) const fn size_of(format: SampleFormat) -> usize {
    form(format).size()
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
    let (form, mut block) = (form(format), vec![0; HEAD]);
    block.reserve(frames * planes.len() * size_of(format));
    for sample in (0..frames).flat_map(|frame| planes.iter().map(move |plane| plane[frame])) {
        form.push(sample, &mut block);
    }
    block
}
