//! Samples of packs → `.wav` files.
//!
//! The samples of a pack already have the layout of the file's data, so all that is needed is a header: of RIFF, with the padding byte
//! after an odd number of bytes, and the `fact` chunk that the format requires for floats.
//!
//! ```
//! use rres_format::chunk::wave::WaveProps;
//! use rres_format::wav::wav_file;
//!
//! let props = WaveProps { frames: 2, sample_rate: 44_100, sample_size: 16, channels: 1 };
//! let file = wav_file(props, &[0, 0, 255, 127], &[])?;
//! assert_eq!((file.len(), &file[8..16]), (48, &b"WAVEfmt "[..]));
//! # Ok::<(), rres_format::wav::WavError>(())
//! ```

use core::fmt;

use crate::chunk::wave::WaveProps;

/// The number in the header for integer samples.
const FORMAT_PCM: u16 = 1;

/// The number in the header for float samples.
const FORMAT_FLOAT: u16 = 3;

/// The length of `RIFF` and the size after it, which counts the bytes that follow.
const RIFF_HEADER: usize = 8;

/// Why a `.wav` file cannot contain a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WavError(&'static str);

impl WavError {
    /// The sound has 4 GiB or more.
    pub const TOO_LONG: Self = Self("it is too long for a .wav file");
}

impl fmt::Display for WavError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for WavError {}

/// Returns the bytes of a `.wav` file of these samples, whose layout is the one of packs, with `more` chunks after them.
///
/// # Errors
/// [`WavError`] if the format cannot represent the sound.
pub fn wav_file(props: WaveProps, samples: &[u8], more: &[u8]) -> Result<Vec<u8>, WavError> {
    let format = match props.sample_size {
        8 | 16 | 24 => FORMAT_PCM,
        32 | 64 => FORMAT_FLOAT,
        _ => return Err(WavError("a .wav file cannot contain samples of its size")),
    };
    let bits = props.sample_size as u16;
    let channels = u16::try_from(props.channels).ok();
    let frame_size = channels.and_then(|channels| channels.checked_mul(bits / 8));
    let (Some(channels), Some(frame_size)) = (channels, frame_size) else {
        return Err(WavError("it has too many channels for a .wav file"));
    };
    let bytes_per_second = props.sample_rate.checked_mul(frame_size.into());
    let bytes_per_second = bytes_per_second.ok_or(WavError("its sample rate is too high for a .wav file"))?;

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
    let size = u32::try_from(file.len() - RIFF_HEADER).map_err(|_| WavError::TOO_LONG)?;
    file[4..RIFF_HEADER].copy_from_slice(&size.to_le_bytes());
    Ok(file)
}

/// Appends a RIFF chunk: its name, its size, its data, and padding to an even length.
///
/// # Errors
/// [`WavError`] if the data has 4 GiB or more.
pub fn push_chunk(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) -> Result<(), WavError> {
    let size = u32::try_from(data.len()).map_err(|_| WavError::TOO_LONG)?;
    out.extend_from_slice(name);
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(data);
    out.resize(out.len().next_multiple_of(2), 0);
    Ok(())
}
