//! Sounds as `.wav` files.
//!
//! The samples of a pack already have the layout of the file's data, so all that is needed is a header. The crate `hound`
//! would convert the samples one by one, and writes neither the padding byte after an odd number of bytes nor the `fact`
//! chunk that the format requires for floats. The tests read the files with `hound`.

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
pub(crate) fn wav(sound: &Sound) -> Result<Contents<'static>, ExportError> {
    let bytes = file(sound).map_err(|why| ExportError::Unsupported(why.to_owned()))?;
    Ok(Contents { bytes: bytes.into(), conversion: Some("samples as .wav".to_owned()) })
}

/// Returns the bytes of a `.wav` file.
///
/// # Errors
/// The reason why the format cannot represent the sound.
fn file(sound: &Sound) -> Result<Vec<u8>, &'static str> {
    let (bits, format) = match sound.samples() {
        Samples::U8(_) => (8u16, FORMAT_PCM),
        Samples::I16(_) => (16, FORMAT_PCM),
        Samples::F32(_) => (32, FORMAT_FLOAT),
        _ => return Err("a .wav file cannot contain samples of its format"),
    };
    let channels = u16::try_from(sound.channels()).ok();
    let frame_size = channels.and_then(|channels| channels.checked_mul(bits / 8));
    let (Some(channels), Some(frame_size)) = (channels, frame_size) else {
        return Err("it has too many channels for a .wav file");
    };
    let bytes_per_second = sound.sample_rate().checked_mul(frame_size.into());
    let bytes_per_second = bytes_per_second.ok_or("its sample rate is too high for a .wav file")?;

    let mut fmt = Vec::new();
    fmt.extend_from_slice(&format.to_le_bytes());
    fmt.extend_from_slice(&channels.to_le_bytes());
    fmt.extend_from_slice(&sound.sample_rate().to_le_bytes());
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
        push_chunk(&mut file, b"fact", &(sound.frames() as u32).to_le_bytes())?;
    }
    push_chunk(&mut file, b"data", sound.data())?;
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
