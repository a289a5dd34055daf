//! A sound file that a pack keeps → its samples.

use rres_format::chunk::raw::RawView;
use rres_format::index::{Meta, MetaKey};
use rres_format::source::{SampleForm, SoundFile};
use rres_format::{FourCc, Limits};

use super::{Form, Playback, SeekTable, Sound};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, Result};
use crate::resource::{Chunk, LoadedResource};

impl Sound {
    /// Returns the sound with samples: of an encoded file those that are in it, otherwise a copy of this.
    ///
    /// This decodes the whole file, a minute of stereo into 10 MB: use it for files that are short or played often, and let
    /// the audio library decode music while it plays.
    ///
    /// # Errors
    /// If the format is none of OGG Vorbis, Opus in Ogg, MP3 and FLAC, its feature of this crate (`ogg`, `opus`, `mp3` or `flac`) is
    /// disabled, or the file is damaged.
    pub fn decoded(&self) -> Result<Self> {
        if !matches!(self.form, Form::Encoded(_)) {
            return Ok(self.clone());
        }
        let file = SoundFile::open(&self.data).map_err(rres_format::Error::Source)?;
        let (form, limit) = (file.natural_form(), Limits::DEFAULT.max_decoded);
        let frame_size = file.frame_size(form);
        let skipped = self.seek_table.as_ref().and_then(SeekTable::skipped_frames);
        let mut samples = file.decode(form, skipped.is_none(), limit).map_err(rres_format::Error::Source)?;
        // The build has found out where the sound begins.
        let skipped = usize::try_from(skipped.unwrap_or(0)).unwrap_or(usize::MAX);
        samples.drain(..skipped.saturating_mul(frame_size).min(samples.len()));
        // The index knows the end of the sound better than the last packet.
        if let Ok(frames @ 1..) = usize::try_from(self.frames) {
            samples.truncate(frames.saturating_mul(frame_size));
        }
        Ok(Self {
            frames: (samples.len() / frame_size) as u64,
            sample_rate: file.sample_rate(),
            channels: file.channels(),
            ..self.with_samples(AssetBytes::new(Backing::Owned(samples.into())), form)
        })
    }

    /// Decodes the file in a RAWD chunk, whose index says which part of it is the sound.
    pub(super) fn from_source(chunk: &Chunk, resource: &LoadedResource<'_>) -> Result<Self> {
        let encoded = Self::encoded(chunk, resource)?;
        let file = SoundFile::open(&encoded.data).map_err(rres_format::Error::Source)?;
        let (form, skipped) = recorded(&file, &resource.meta)?;
        let size = encoded.frames.saturating_mul(file.frame_size(form) as u64);
        let limit = resource.limits.max_decoded;
        if size > limit {
            let (what, help) =
                ("the size of the decoded sound in bytes", "raise `Limits::max_decoded` if you trust the pack");
            return Err(rres_format::Error::LimitExceeded { what, value: size, limit, help }.into());
        }
        let size = usize::try_from(size).map_err(|_| inconsistent("too long for this machine".to_owned()))?;
        let decode = |out: &mut [u8]| file.decode_into(skipped.into(), form, out).map_err(rres_format::Error::Source);
        let samples = Backing::filled(size, decode)?;
        Ok(encoded.with_samples(AssetBytes::new(samples), form))
    }

    /// The file in a RAWD chunk, with what the index says about it.
    pub(super) fn encoded(chunk: &Chunk, resource: &LoadedResource<'_>) -> Result<Self> {
        let view = RawView::parse(chunk.payload()?)?;
        let number = |key| resource.meta.get(key).unwrap_or(0);
        let frames = u64::from(number(MetaKey::FRAMES_HIGH)) << 32 | u64::from(number(MetaKey::FRAMES_LOW));
        Ok(Self {
            data: chunk.share(view.bytes()),
            form: Form::Encoded(String::from_utf8_lossy(view.extension()).into()),
            frames,
            sample_rate: number(MetaKey::SAMPLE_RATE),
            channels: number(MetaKey::CHANNELS),
            playback: Playback::new(resource, frames)?,
            seek_table: resource
                .chunk(FourCc::SEEK)
                .ok()
                .map(|chunk| SeekTable::new(chunk.block.clone()))
                .transpose()?,
        })
    }

    /// The same sound with these samples.
    fn with_samples(&self, samples: AssetBytes, form: SampleForm) -> Self {
        let (form, data) = match form {
            SampleForm::U8 => (Form::U8, samples),
            SampleForm::I16 => (Form::I16, samples.aligned(2)),
            _ => (Form::F32, samples.aligned(4)),
        };
        Self { data, form, ..self.clone() }
    }
}

/// The form of the samples, and the frames before the first one, if index and file agree.
fn recorded(file: &SoundFile<'_>, meta: &Meta) -> Result<(SampleForm, u32)> {
    let keys = [MetaKey::SOUND_FORMAT, MetaKey::SAMPLE_RATE, MetaKey::CHANNELS];
    let found = [file.format() as u32, file.sample_rate(), file.channels()].map(Some);
    if keys.map(|key| meta.get(key)) != found {
        let (format, rate, channels) = (file.format(), file.sample_rate(), file.channels());
        let detail =
            format!("its source is {format} of {channels} channels at {rate} Hz, which is not what the index records");
        return Err(inconsistent(detail));
    }
    let size = meta.get(MetaKey::SAMPLE_SIZE);
    let form = size.and_then(SampleForm::from_number);
    let form = form.ok_or_else(|| inconsistent(format!("{size:?} bits per sample, expected 8, 16 or 32")))?;
    Ok((form, meta.get(MetaKey::SKIPPED_FRAMES).unwrap_or(0)))
}

fn inconsistent(detail: String) -> Error {
    rres_format::Error::Inconsistent { what: "sound", detail }.into()
}
