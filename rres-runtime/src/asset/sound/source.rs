//! A sound file that a pack keeps → its samples.

use rres_decode::{SampleForm, SoundFile};
use rres_format::chunk::raw::RawView;
use rres_format::index::{Meta, MetaKey};
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
    /// If the format is none of OGG Vorbis, Opus in Ogg, MP3, FLAC and QOA, its feature of this crate (`ogg`, `opus`, `mp3`, `flac` or `qoa`) is
    /// disabled, or the file is damaged. A file that does not have the number of frames that [`Self::frames`] returns is damaged.
    pub fn decoded(&self) -> Result<Self> {
        if !matches!(self.form, Form::Encoded(_)) {
            return Ok(self.clone());
        }
        let file = SoundFile::open(&self.data)?;
        let (form, limit) = (file.natural_form(), Limits::DEFAULT.max_decoded);
        let samples = match (self.skipped_frames, self.frames) {
            // The build has found out which frames are the sound.
            (Some(skipped), frames @ 1..) => file.decode_sound(skipped.into(), frames, form, limit),
            _ => file.decode(form, true, limit),
        };
        let samples = samples?;
        let frames = (samples.len() / file.frame_size(form)) as u64;
        if self.frames > 0 && self.frames != frames {
            let detail = format!("{frames} frames can be decoded, which is not the {} of the index", self.frames);
            return Err(inconsistent(detail));
        }
        Ok(Self {
            frames,
            sample_rate: file.sample_rate(),
            channels: file.channels(),
            ..self.with_samples(AssetBytes::new(Backing::Owned(samples.into())), form)
        })
    }

    /// Decodes the file in a RAWD chunk, whose index says which part of it is the sound.
    pub(super) fn from_source(chunk: &Chunk, resource: &LoadedResource<'_>) -> Result<Self> {
        let encoded = Self::encoded(chunk, resource)?;
        let file = SoundFile::open(&encoded.data)?;
        let (form, skipped) = recorded(&file, &resource.meta)?;
        let size = encoded.frames.saturating_mul(file.frame_size(form) as u64);
        resource.limits.check_decoded("the size of the decoded sound in bytes", size)?;
        let size = usize::try_from(size).map_err(|_| inconsistent("too long for this machine".to_owned()))?;
        let decode = |out: &mut [u8]| file.decode_into(skipped.into(), form, out).map_err(Error::from);
        let samples = Backing::filled(size, decode)?;
        Ok(encoded.with_samples(AssetBytes::new(samples), form))
    }

    /// The file in a RAWD chunk, with what the index says about it.
    pub(super) fn kept(chunk: &Chunk, resource: &LoadedResource<'_>) -> Result<Self> {
        let sound = Self::encoded(chunk, resource)?;
        check_frames(sound.frames, &sound.data)?;
        Ok(sound)
    }

    fn encoded(chunk: &Chunk, resource: &LoadedResource<'_>) -> Result<Self> {
        let view = RawView::parse(chunk.payload()?)?;
        let number = |key| resource.meta.get(key).unwrap_or(0);
        let frames = u64::from(number(MetaKey::FRAMES_HIGH)) << 32 | u64::from(number(MetaKey::FRAMES_LOW));
        let seek_table =
            resource.chunk(FourCc::SEEK).ok().map(|chunk| SeekTable::new(chunk.block.clone())).transpose()?;
        let skipped_frames = seek_table.as_ref().and_then(SeekTable::skipped_frames);
        let data = chunk.share(view.bytes());
        let (mut sample_rate, mut channels) = (number(MetaKey::SAMPLE_RATE), number(MetaKey::CHANNELS));
        // Packs of other programs record nothing, nor does one whose index was lost. The head of the file is certain; what it states about its
        // length is not.
        if sample_rate == 0
            && let Ok(file) = SoundFile::open(&data)
        {
            (sample_rate, channels) = (file.sample_rate(), file.channels());
        }
        Ok(Self {
            data,
            form: Form::Encoded(String::from_utf8_lossy(view.extension()).into()),
            frames,
            sample_rate,
            channels,
            playback: Playback::new(resource, frames)?,
            skipped_frames: skipped_frames.or_else(|| resource.meta.get(MetaKey::SKIPPED_FRAMES)),
            seek_table,
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

/// A game may make buffers for as many frames as a sound says it has, so they must be possible for its file.
pub(crate) fn check_frames(frames: u64, file: &[u8]) -> Result<()> {
    /// In FLAC, 65,536 frames of silence can take 12 bytes. No other format comes near.
    const MAX_FRAMES_PER_BYTE: u64 = 65_536 / 8;
    if frames / MAX_FRAMES_PER_BYTE > file.len() as u64 {
        let detail = format!("the index records {frames} frames for a file of {} bytes", file.len());
        return Err(inconsistent(detail));
    }
    Ok(())
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
