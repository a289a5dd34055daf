//! WAVE: the samples of a sound.
//!
//! Properties: frame count, sample rate in hertz, sample size in bits, channels. A frame is one sample of each channel.
//! Data: the frames, with samples as raylib reads them: `u8`, `i16` or `f32`, little-endian.

use super::{PayloadView, block};
use crate::error::{Error, Result};

/// The properties of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaveProps {
    /// Number of frames.
    pub frames: u32,
    /// Number of frames per second.
    pub sample_rate: u32,
    /// Size of a sample in bits: 8, 16 or 32 (24 occurs in files of other programs).
    pub sample_size: u32,
    /// Number of samples per frame.
    pub channels: u32,
}

impl WaveProps {
    /// Returns the number of bytes of all frames.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if there are not 1 to 255 channels, or the sample size is not 8, 16, 24, 32 or 64 bits.
    pub fn data_size(&self) -> Result<u64> {
        let Self { frames, sample_size, channels, .. } = *self;
        if channels == 0 || channels > 255 || !matches!(sample_size, 8 | 16 | 24 | 32 | 64) {
            return Err(Error::inconsistent(
                "sound",
                format!(
                    "{sample_size} bits per sample and {channels} channels, expected 8, 16, 24, 32 or 64 bits and 1 to \
                     255 channels"
                ),
            ));
        }
        Ok(u64::from(frames) * u64::from(sample_size / 8) * u64::from(channels))
    }

    /// Returns the block with these properties and `samples`.
    pub fn block(&self, samples: &[u8]) -> Vec<u8> {
        block(&[self.frames, self.sample_rate, self.sample_size, self.channels], samples)
    }
}

/// A borrowed WAVE payload.
#[derive(Clone, Copy, Debug)]
pub struct WaveView<'a> {
    props: WaveProps,
    samples: &'a [u8],
}

impl<'a> WaveView<'a> {
    /// Checks the properties, and that the data contains all frames.
    ///
    /// # Errors
    /// As [`WaveProps::data_size`]; [`Error::Truncated`] if the data is too short.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [frames, sample_rate, sample_size, channels] = payload.first_props()?;
        let props = WaveProps { frames, sample_rate, sample_size, channels };
        Ok(Self { props, samples: payload.data_of("samples", props.data_size()?)? })
    }

    /// Returns the properties as stored.
    pub fn props(&self) -> WaveProps {
        self.props
    }

    /// Returns the interleaved samples of all frames.
    pub fn samples(&self) -> &'a [u8] {
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_must_match_the_data() {
        let props = WaveProps { frames: 3, sample_rate: 8000, sample_size: 16, channels: 2 };
        let parse = |props: WaveProps| {
            let block = props.block(&[0; 12]);
            WaveView::parse(PayloadView::parse(&block).unwrap()).map(|view| view.samples().len())
        };
        assert_eq!(parse(props), Ok(12));
        assert!(parse(WaveProps { frames: 4, ..props }).is_err());
        assert!(parse(WaveProps { frames: u32::MAX, channels: 255, sample_size: 64, ..props }).is_err());
        assert!(parse(WaveProps { channels: 0, ..props }).is_err());
        assert!(parse(WaveProps { sample_size: 7, ..props }).is_err());
    }
}
