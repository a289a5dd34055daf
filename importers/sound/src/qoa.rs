//! A QOA file → a WAV of its samples, which the decoder of the runtime makes.

use rres_decode::{DecodeError, SampleForm, SoundFile};
use rres_format::Limits;
use rres_format::chunk::wave::WaveProps;
use rres_format::wav::wav_file;

use super::unreadable::Unreadable;

/// A WAV of 16 bits, and its number of channels.
pub(super) fn to_wav(bytes: &[u8]) -> Result<(Vec<u8>, usize), Unreadable> {
    let explain = |error: DecodeError| match error {
        DecodeError::EndsEarly { .. } => Unreadable::Cut,
        DecodeError::Damaged { part, detail, .. } => {
            Unreadable::Damaged(format!("{part} cannot be decoded ({detail})"))
        }
        DecodeError::Unsupported { detail, .. } => Unreadable::Damaged(format!("it is {detail}")),
        _ => Unreadable::Damaged("its samples are more than 1 GiB".to_owned()),
    };
    let file = SoundFile::open(bytes).map_err(explain)?;
    let samples = file.decode(SampleForm::I16, true, Limits::DEFAULT.max_decoded).map_err(explain)?;
    let frames = (samples.len() / file.frame_size(SampleForm::I16)) as u32;
    let props = WaveProps { frames, sample_rate: file.sample_rate(), sample_size: 16, channels: file.channels() };
    let wav = wav_file(props, &samples, &[]).map_err(|error| Unreadable::Damaged(error.to_string()))?;
    Ok((wav, file.channels() as usize))
}
