//! Sounds as `.wav` files.
//!
//! The samples of a pack already have the layout of the file's data, so all that is needed is a header. The crate `hound`
//! would convert the samples one by one, and writes neither the padding byte after an odd number of bytes nor the `fact`
//! chunk that the format requires for floats. The tests read the files with `hound`.

use std::ops::Range;

use rres_format::chunk::wave::WaveProps;
use rres_runtime::Sound;
use rres_runtime::asset::Samples;

use super::{Contents, ExportError};

/// The number in the header for integer samples.
const FORMAT_PCM: u16 = 1;

/// The number in the header for float samples.
const FORMAT_FLOAT: u16 = 3;

/// The length of `RIFF` and the size after it, which counts the bytes that follow.
const RIFF_HEADER: usize = 8;

const TOO_LONG: &str = "it is too long for a .wav file";

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
    push_loop(&mut places, sound).and_then(|()| push_markers(&mut places, sound)).map_err(unsupported)?;
    let bytes = file(props, sound.data(), &places).map_err(unsupported)?;
    Ok(Contents::converted(bytes, "samples as .wav"))
}

fn unsupported(why: &str) -> ExportError {
    ExportError::Unsupported(why.to_owned())
}

/// Appends the chunk that holds loop points.
fn push_loop(out: &mut Vec<u8>, sound: &Sound) -> Result<(), &'static str> {
    let Some(Range { start, end }) = sound.loop_points() else { return Ok(()) };
    // Nine numbers about an instrument; one is the number of loops. Then a loop, which includes its last frame.
    let numbers = [0, 0, 0, 60, 0, 0, 0, 1, 0, 0, 0, start, end - 1, 0, 0];
    push_chunk(out, b"smpl", &numbers.map(|number| number as u32).map(u32::to_le_bytes).concat())
}

/// Appends the chunks that hold markers and their names.
fn push_markers(out: &mut Vec<u8>, sound: &Sound) -> Result<(), &'static str> {
    if sound.markers().is_empty() {
        return Ok(());
    }
    let (mut cues, mut labels) = ((sound.markers().len() as u32).to_le_bytes().to_vec(), b"adtl".to_vec());
    for (id, marker) in (1u32..).zip(sound.markers()) {
        let frame = u32::try_from(marker.frame).map_err(|_| TOO_LONG)?;
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
    let bytes = file(props, samples, &[]).map_err(unsupported)?;
    Ok(Contents::converted(bytes, "samples as .wav"))
}

/// Returns the bytes of a `.wav` file, with these chunks after the samples.
///
/// # Errors
/// The reason why the format cannot represent the sound.
fn file(props: WaveProps, samples: &[u8], more: &[u8]) -> Result<Vec<u8>, &'static str> {
    let format = match props.sample_size {
        8 | 16 | 24 => FORMAT_PCM,
        32 | 64 => FORMAT_FLOAT,
        _ => return Err("a .wav file cannot contain samples of its size"),
    };
    let bits = props.sample_size as u16;
    let channels = u16::try_from(props.channels).ok();
    let frame_size = channels.and_then(|channels| channels.checked_mul(bits / 8));
    let (Some(channels), Some(frame_size)) = (channels, frame_size) else {
        return Err("it has too many channels for a .wav file");
    };
    let bytes_per_second = props.sample_rate.checked_mul(frame_size.into());
    let bytes_per_second = bytes_per_second.ok_or("its sample rate is too high for a .wav file")?;

    let mut fmt = Vec::new();
    fmt.extend_from_slice(&format.to_le_bytes());
    fmt.extend_from_slice(&channels.to_le_bytes());
    fmt.extend_from_slice(&props.sample_rate.to_le_bytes());
    fmt.extend_from_slice(&bytes_per_second.to_le_bytes());
    fmt.extend_from_slice(&frame_size.to_le_bytes());
    fmt.extend_from_slice(&bits.to_le_bytes());

    let mut file = b"RIFF\0\0\0\0WAVE".to_vec();
    if format == FORMAT_PCM {
        push_chunk(&mut file, b"fmt ", &fmt)?;
    } else {
        // Other formats have an extension, which may be empty, and a `fact` chunk with the number of frames.
        fmt.extend_from_slice(&0u16.to_le_bytes());
        push_chunk(&mut file, b"fmt ", &fmt)?;
        push_chunk(&mut file, b"fact", &props.frames.to_le_bytes())?;
    }
    push_chunk(&mut file, b"data", samples)?;
    file.extend_from_slice(more);
    let size = u32::try_from(file.len() - RIFF_HEADER).map_err(|_| TOO_LONG)?;
    file[4..RIFF_HEADER].copy_from_slice(&size.to_le_bytes());
    Ok(file)
}

/// Appends a RIFF chunk: its name, its size, its data, and padding to an even length.
fn push_chunk(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) -> Result<(), &'static str> {
    let size = u32::try_from(data.len()).map_err(|_| TOO_LONG)?;
    out.extend_from_slice(name);
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(data);
    out.resize(out.len().next_multiple_of(2), 0);
    Ok(())
}
