//! Sounds as `.wav` files.
//!
//! Loop points and markers become chunks after the samples. The tests read the files with `hound`.

use std::ops::Range;

use rres_format::chunk::wave::WaveProps;
use rres_format::wav::{WavError, push_chunk, wav_file};
use rres_runtime::Sound;
use rres_runtime::asset::Samples;

use super::{Contents, ExportError};

/// Encodes a sound as a `.wav` file.
pub fn wav(sound: &Sound) -> Result<Contents<'static>, ExportError> {
    let sample_size = match sound.samples() {
        Samples::U8(_) => 8,
        Samples::I16(_) => 16,
        Samples::F32(_) => 32,
        _ => return Err(ExportError::Unsupported("it is stored as an encoded file".to_owned())),
    };
    // As many frames fit into a pack.
    let frames = u32::try_from(sound.frames()).unwrap_or(u32::MAX);
    let props = WaveProps { frames, sample_rate: sound.sample_rate(), sample_size, channels: sound.channels() };
    let mut places = Vec::new();
    push_loop(&mut places, sound)
        .and_then(|()| push_markers(&mut places, sound))
        .map_err(|error| unsupported(&error))?;
    let bytes = wav_file(props, sound.data(), &places).map_err(|error| unsupported(&error))?;
    Ok(Contents::converted(bytes, "samples as .wav"))
}

fn unsupported(error: &WavError) -> ExportError {
    ExportError::Unsupported(error.to_string())
}

/// Appends the chunk that holds loop points.
fn push_loop(out: &mut Vec<u8>, sound: &Sound) -> Result<(), WavError> {
    let Some(Range { start, end }) = sound.loop_points() else { return Ok(()) };
    // Nine numbers about an instrument; one is the number of loops. Then a loop, which includes its last frame.
    let numbers = [0, 0, 0, 60, 0, 0, 0, 1, 0, 0, 0, start, end - 1, 0, 0];
    push_chunk(out, b"smpl", &numbers.map(|number| number as u32).map(u32::to_le_bytes).concat())
}

/// Appends the chunks that hold markers and their names.
fn push_markers(out: &mut Vec<u8>, sound: &Sound) -> Result<(), WavError> {
    if sound.markers().is_empty() {
        return Ok(());
    }
    let (mut cues, mut labels) = ((sound.markers().len() as u32).to_le_bytes().to_vec(), b"adtl".to_vec());
    for (id, marker) in (1u32..).zip(sound.markers()) {
        let frame = u32::try_from(marker.frame).map_err(|_| WavError::TOO_LONG)?;
        cues.extend([id.to_le_bytes(), [0; 4], *b"data", [0; 4], [0; 4], frame.to_le_bytes()].concat());
        if !marker.name.is_empty() {
            push_chunk(&mut labels, b"labl", &[&id.to_le_bytes(), marker.name.as_bytes(), b"\0"].concat())?;
        }
    }
    push_chunk(out, b"cue ", &cues)?;
    push_chunk(out, b"LIST", &labels)
}

/// Encodes the samples of a WAVE chunk as a `.wav` file. Packs of other programs also have samples of 24 and 64 bits,
/// which the runtime does not load.
pub fn wav_of_samples(props: WaveProps, samples: &[u8]) -> Result<Contents<'static>, ExportError> {
    let bytes = wav_file(props, samples, &[]).map_err(|error| unsupported(&error))?;
    Ok(Contents::converted(bytes, "samples as .wav"))
}
