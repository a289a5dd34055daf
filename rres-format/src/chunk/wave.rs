//! WAVE: interleaved sound samples.
//!
//! Properties: frame count, sample rate in hertz, sample size in bits, channels. A frame is one sample of each
//! channel. 8 bits are unsigned, 16 bits signed, 32 bits `f32`, as raylib reads them; little-endian.

use super::{PayloadView, block};
use crate::error::{Error, Result};

/// The properties of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaveProps {
    /// Number of frames.
    pub frames: u32,
    /// Frames per second.
    pub sample_rate: u32,
    /// Bits of one sample: 8, 16 or 32 (24 occurs in files of other programs).
    pub sample_size: u32,
    /// Samples of one frame.
    pub channels: u32,
}

impl WaveProps {
    /// Bytes of all frames.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] for no channels or a sample size that is no whole number of bytes up to 8.
    pub fn data_size(&self) -> Result<u64> {
        let Self { frames, sample_size, channels, .. } = *self;
        if channels == 0 || channels > 255 || !matches!(sample_size, 8 | 16 | 24 | 32 | 64) {
            let detail = format!("{sample_size} bits, {channels} channels; expected 8, 16, 24, 32 or 64 and 1 to 255");
            return Err(Error::inconsistent("sound", detail));
        }
        Ok(u64::from(frames) * u64::from(sample_size / 8) * u64::from(channels))
    }

    /// The block of these properties and `samples`.
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
    /// Checks the payload.
    ///
    /// # Errors
    /// [`Error::Truncated`] where samples are missing, else as [`WaveProps::data_size`].
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [frames, sample_rate, sample_size, channels] = payload.first_props()?;
        let props = WaveProps { frames, sample_rate, sample_size, channels };
        Ok(Self { props, samples: payload.data_of("samples", props.data_size()?)? })
    }

    /// The properties as stored.
    pub fn props(&self) -> WaveProps {
        self.props
    }

    /// The samples, interleaved.
    pub fn samples(&self) -> &'a [u8] {
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_must_agree() {
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
