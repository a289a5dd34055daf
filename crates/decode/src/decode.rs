//! The parts of sounds that are asked for, whatever decoder makes their packets.

use std::ops::ControlFlow;

use crate::DecodeError;
use crate::form::SampleForm;
use crate::sound::{Extent, SoundFile};
use rres_format::SoundFormat;

impl<'a> SoundFile<'a> {
    /// Reads the head of a file of this format, whose decoder is enabled.
    pub(crate) fn open_as(file: &'a [u8], format: SoundFormat) -> Result<Self, DecodeError> {
        match format {
            #[cfg(feature = "opus")]
            SoundFormat::Opus => {
                let channels = crate::opus::OpusFile::open(file)?.channels();
                let (sample_rate, natural_form) = (crate::opus::RATE, SampleForm::I16);
                Ok(Self { format, file, sample_rate, channels, natural_form })
            }
            #[cfg(feature = "qoa")]
            SoundFormat::Qoa => {
                let opened = crate::qoa::QoaFile::open(file)?;
                let (sample_rate, channels) = (opened.sample_rate(), opened.channels());
                Ok(Self { format, file, sample_rate, channels, natural_form: SampleForm::I16 })
            }
            #[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
            _ => Self::open_with_symphonia(file, format),
            #[cfg(not(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav")))]
            _ => {
                let _ = file;
                Err(DecodeError::no_decoder(format))
            }
        }
    }

    /// Decodes as many samples as fit `out`, from frame `skip` of those that the decoder makes, which it does not trim.
    ///
    /// # Errors
    /// If the file is damaged or has fewer frames, or changes its rate or number of channels.
    pub fn decode_into(&self, skip: u64, form: SampleForm, out: &mut [u8]) -> Result<(), DecodeError> {
        let mut skip = Skip(skip.saturating_mul(self.frame_size(form) as u64));
        let mut at = 0;
        self.each_packet(form, false, |samples| {
            let samples = skip.rest(samples);
            let len = samples.len().min(out.len() - at);
            out[at..at + len].copy_from_slice(&samples[..len]);
            at += len;
            if at == out.len() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if at < out.len() {
            return Err(DecodeError::EndsEarly { format: self.format.name() });
        }
        Ok(())
    }

    /// Decodes a sound of this many frames, from frame `skip` of those that the decoder makes, which it does not trim.
    ///
    /// Memory is taken while samples are decoded, so that a wrong number of frames takes none.
    ///
    /// # Errors
    /// As [`Self::decode_into`], and if the samples are more than `limit` bytes. FLAC, WAV and QOA are never padded, so it is also an error if
    /// they have more frames.
    pub fn decode_sound(&self, skip: u64, frames: u64, form: SampleForm, limit: u64) -> Result<Vec<u8>, DecodeError> {
        let frame_size = self.frame_size(form) as u64;
        let (mut skip, mut left) = (Skip(skip.saturating_mul(frame_size)), frames.saturating_mul(frame_size));
        if left > limit {
            return Err(DecodeError::TooLarge { format: self.format.name() });
        }
        let is_padded = !matches!(self.format, SoundFormat::Flac | SoundFormat::Wav | SoundFormat::Qoa);
        let (mut out, mut has_more) = (Vec::new(), false);
        self.each_packet(form, false, |samples| {
            let samples = skip.rest(samples);
            // `left` is at most the length of the samples where it is less.
            let taken = if left < samples.len() as u64 { &samples[..left as usize] } else { samples };
            left -= taken.len() as u64;
            out.extend_from_slice(taken);
            has_more = taken.len() < samples.len();
            if has_more || (left == 0 && is_padded) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let format = self.format.name();
        if left > 0 {
            return Err(DecodeError::EndsEarly { format });
        }
        if has_more && !is_padded {
            let detail = format!("they are more than {frames} frames");
            return Err(DecodeError::Damaged { format, part: "its samples", detail });
        }
        Ok(out)
    }

    /// Decodes all samples, at most `limit` bytes of them. `trims` leaves out the frames that the file says an encoder added.
    ///
    /// # Errors
    /// If the file is damaged or longer, or changes its rate or number of channels.
    pub fn decode(&self, form: SampleForm, trims: bool, limit: u64) -> Result<Vec<u8>, DecodeError> {
        // The decoder would trim each page of an Ogg file by its position.
        if let Some(Extent { skip, frames, missing }) = if trims { self.extent()? } else { None } {
            if missing > 0 {
                return Err(DecodeError::EndsEarly { format: self.format.name() });
            }
            return self.decode_sound(skip, frames, form, limit);
        }
        let (mut out, mut is_too_large) = (Vec::new(), false);
        self.each_packet(form, trims, |samples| {
            is_too_large = (out.len() + samples.len()) as u64 > limit;
            if is_too_large {
                return ControlFlow::Break(());
            }
            out.extend_from_slice(samples);
            ControlFlow::Continue(())
        })?;
        if is_too_large { Err(DecodeError::TooLarge { format: self.format.name() }) } else { Ok(out) }
    }

    /// Decodes all samples without keeping them, and returns the number of frames that the decoder makes, which it does not
    /// trim.
    ///
    /// # Errors
    /// If the file is damaged or changes its rate or number of channels, and if a FLAC, a WAV or a QOA has fewer frames than its head
    /// states, or a FLAC or a QOA has more.
    pub fn count_frames(&self) -> Result<u64, DecodeError> {
        #[cfg(feature = "qoa")]
        if self.format == SoundFormat::Qoa {
            return crate::qoa::QoaFile::open(self.file)?.frames();
        }
        let frame_size = self.frame_size(SampleForm::U8) as u64;
        let mut frames = 0u64;
        self.each_packet(SampleForm::U8, false, |samples| {
            frames += samples.len() as u64 / frame_size;
            ControlFlow::Continue(())
        })?;
        let (format, stated) = (self.format.name(), self.frames_in_head()?);
        if frames < stated {
            return Err(DecodeError::EndsEarly { format });
        }
        if self.format == SoundFormat::Flac && stated > 0 && frames > stated {
            let detail = format!("it states {stated} frames, and there are {frames}");
            return Err(DecodeError::Damaged { format, part: "its head", detail });
        }
        Ok(frames)
    }

    /// Finds out, without decoding samples, which frames are the sound by the positions of the pages of an Ogg file; `None` for the other
    /// formats, which have none.
    ///
    /// Trust these numbers and not those in the last page: this counts the frames of all packets.
    ///
    /// # Errors
    /// If a page or a packet is damaged, or the file ends inside of one.
    pub fn extent(&self) -> Result<Option<Extent>, DecodeError> {
        match self.format {
            #[cfg(feature = "opus")]
            SoundFormat::Opus => crate::opus::OpusFile::open(self.file)?.extent().map(Some),
            #[cfg(feature = "ogg")]
            SoundFormat::Ogg => self.vorbis_extent().map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the number of frames that the file states, without those that an encoder added; `None` if the file has only an
    /// estimate, or none.
    ///
    /// # Errors
    /// If the head is damaged, or a page of an OGG Opus. All pages are read.
    pub fn stated_frames(&self) -> Result<Option<u64>, DecodeError> {
        match self.format {
            #[cfg(feature = "opus")]
            SoundFormat::Opus => crate::opus::OpusFile::open(self.file)?.extent().map(|extent| Some(extent.frames)),
            #[cfg(feature = "qoa")]
            SoundFormat::Qoa => crate::qoa::QoaFile::open(self.file).map(|file| Some(file.stated_frames())),
            _ => self.frames_in_head().map(|frames| Some(frames).filter(|frames| *frames > 0)),
        }
    }

    #[cfg(not(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav")))]
    fn frames_in_head(&self) -> Result<u64, DecodeError> {
        Ok(0)
    }

    /// Passes the samples of each packet to `take`, until that breaks.
    fn each_packet(
        &self,
        form: SampleForm,
        trims: bool,
        take: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), DecodeError> {
        match self.format {
            #[cfg(feature = "opus")]
            SoundFormat::Opus => crate::opus::OpusFile::open(self.file)?.each_packet(form, trims, take),
            #[cfg(feature = "qoa")]
            SoundFormat::Qoa => crate::qoa::QoaFile::open(self.file)?.each_packet(form, take),
            #[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
            _ => self.each_packet_of_symphonia(form, trims, take),
            #[cfg(not(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav")))]
            _ => {
                let _ = (form, trims, take);
                Err(DecodeError::no_decoder(self.format))
            }
        }
    }
}

/// The bytes of samples that are still left out.
struct Skip(u64);

impl Skip {
    /// What is left of the next samples.
    fn rest<'a>(&mut self, samples: &'a [u8]) -> &'a [u8] {
        let skipped = usize::try_from(self.0).unwrap_or(usize::MAX).min(samples.len());
        self.0 -= skipped as u64;
        &samples[skipped..]
    }
}
