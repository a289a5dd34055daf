//! WAV, OGG Vorbis, FLAC and MP3 → WAVE: samples of the source's depth; long encoded sounds → RAWD: the file as it is.
//!
//! 8 bits stay unsigned, up to 16 bits become signed 16, more and floats become 32-bit floats. Vorbis and MP3, which
//! have no depth of their own, become signed 16. WAV and FLAC are exact (integers of more than 25 bits are rounded to
//! floats). A file that is incomplete or damaged is an error, and never becomes a shorter or a quieter sound.

mod decode;
mod flac;
mod ogg;
mod samples;
mod source_form;
mod wav;

use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc};

use self::decode::{Head, Opened};
use super::raw::raw_block;
use super::sniff::{Content, check_content, first_bytes};
use super::{Block, ImportContext, ImportError, ImportedResource, Importer};
use crate::settings::{SampleFormat, Settings, SoundSettings, SoundStorage, Word};

/// Encoded sounds (OGG, FLAC, MP3) longer than this keep their source under `store = "auto"`, and load as their source:
/// decoded, a minute of stereo is 10 MB, six to eight times the file. Shorter ones load as samples, from either form. WAV,
/// which is not encoded, always becomes samples.
pub(super) const KEEP_SOURCE_SECONDS: u64 = 10;

pub(super) struct SoundImporter;

impl Importer for SoundImporter {
    fn version(&self) -> u32 {
        4
    }

    fn memory(&self, bytes: &[u8], settings: &Settings) -> u64 {
        // Encoded sounds take a tenth of the size of their samples or less. Long ones keep their source by default, and short
        // ones are decoded twice.
        let factor = if settings.sound.store == SoundStorage::Pcm { 40 } else { 24 };
        (bytes.len() as u64).saturating_mul(factor)
    }

    fn import(&self, source: &mut ImportContext<'_>) -> Result<Vec<ImportedResource>, ImportError> {
        let settings = &source.settings.sound;
        let content = check_content(source.bytes, source.path, &source.extension(), AssetKind::Sound, true)?;
        if settings.store == SoundStorage::Source && !decode::is_supported(content, source.bytes) {
            // It cannot be decoded here, but it can be stored as it is.
            let name = decode::codec_name(content, source.bytes);
            let resource = keep(source, Meta::default(), format!("{name} kept"))?;
            return Ok(vec![resource]);
        }
        let input = decode::Input::new(source.bytes, content, source.path);
        let opened = input.open()?;
        let head = opened.head;
        let is_encoded = content != Content::Wav;
        let notes = input.notes.clone();
        let resource = match settings.store {
            SoundStorage::Source => keep_sound(source, content, head, input.count_frames(opened)?)?,
            SoundStorage::Auto if is_encoded && may_be_long(source.bytes, head) => {
                let frames = input.count_frames(opened)?;
                if frames > KEEP_SOURCE_SECONDS.saturating_mul(head.rate.into()) {
                    keep_sound(source, content, head, frames)?
                } else {
                    samples_of(&input, input.open()?, settings)?
                }
            }
            _ => samples_of(&input, opened, settings)?,
        };
        let mut resource = ImportedResource { notes, ..resource };
        if settings.store == SoundStorage::Auto && is_encoded {
            resource.source_form = source_form::of(&resource, source);
        }
        Ok(vec![resource])
    }
}

/// Whether the sound may be longer than the limit. If the header has no frame count, a file that is too small to be
/// that long need not be counted.
fn may_be_long(bytes: &[u8], head: Head) -> bool {
    match head.frames {
        Some(frames) => frames > KEEP_SOURCE_SECONDS * u64::from(head.rate),
        // 8 kbit/s is the lowest rate of MP3.
        None => bytes.len() as u64 > KEEP_SOURCE_SECONDS * 1000,
    }
}

/// Decodes the file into a resource of samples.
fn samples_of(
    input: &decode::Input<'_>,
    opened: Opened<'_>,
    settings: &SoundSettings,
) -> Result<ImportedResource, ImportError> {
    let decoded = input.decode(opened, settings.sample)?;
    let sample_size = match decoded.sample {
        SampleFormat::U8 => 8,
        SampleFormat::I16 => 16,
        SampleFormat::F32 => 32,
    };
    let props =
        WaveProps { frames: decoded.frames, sample_rate: decoded.rate, sample_size, channels: decoded.channels };
    let summary = format!(
        "{} {} {} {}",
        duration(props.frames.into(), props.sample_rate),
        kilohertz(props.sample_rate),
        channels(props.channels),
        decoded.sample.word()
    );
    let mut block = decoded.block;
    block[..samples::HEAD].copy_from_slice(&props.block(&[]));
    Ok(finish(ImportedResource::new(AssetKind::Sound, vec![Block::new(FourCc::WAVE, block)], summary), settings))
}

/// Stores the file as it is, with the properties that a player needs before it opens the file.
fn keep_sound(
    source: &ImportContext<'_>,
    content: Content,
    head: Head,
    frames: u64,
) -> Result<ImportedResource, ImportError> {
    let mut meta = Meta::default();
    meta.set(MetaKey::SAMPLE_RATE, head.rate);
    meta.set(MetaKey::CHANNELS, head.channels);
    meta.set(MetaKey::FRAMES_LOW, frames as u32);
    meta.set(MetaKey::FRAMES_HIGH, (frames >> 32) as u32);
    let summary = format!(
        "{} {} {}, {} kept",
        duration(frames, head.rate),
        kilohertz(head.rate),
        channels(head.channels),
        match content {
            Content::Ogg => "OGG",
            Content::Flac => "FLAC",
            Content::Mp3 => "MP3",
            _ => "WAV",
        }
    );
    keep(source, meta, summary)
}

fn keep(source: &ImportContext<'_>, meta: Meta, summary: String) -> Result<ImportedResource, ImportError> {
    if u32::try_from(source.bytes.len()).is_err() {
        return Err(ImportError::new("is a sound of 4 GiB or more").with_help("split it"));
    }
    let block = Block { compressible: false, ..raw_block(source.path, source.bytes) };
    let resource = ImportedResource { meta, ..ImportedResource::new(AssetKind::Sound, vec![block], summary) };
    Ok(finish(resource, &source.settings.sound))
}

/// Adds the settings for playback.
fn finish(mut resource: ImportedResource, settings: &SoundSettings) -> ImportedResource {
    if settings.gain != 0.0 {
        resource.meta.set_f32(MetaKey::GAIN, settings.gain);
        resource.summary += &format!(" {:+} dB", settings.gain);
    }
    if settings.is_looping {
        resource.meta.set(MetaKey::LOOP, 1);
        resource.summary += " loop";
    }
    resource
}

/// Seconds with the significant digits: `2.31 s`, `92 s`.
fn duration(frames: u64, rate: u32) -> String {
    let seconds = frames as f64 / f64::from(rate.max(1));
    match seconds {
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 60.0 => format!("{s:.1} s"),
        s => format!("{s:.0} s"),
    }
}

fn kilohertz(rate: u32) -> String {
    format!("{} kHz", f64::from(rate) / 1000.0)
}

fn channels(count: u32) -> String {
    match count {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        n => format!("{n} channels"),
    }
}

#[cfg(test)]
mod tests;
