//! WAV, OGG Vorbis, FLAC and MP3 → WAVE: samples of the source's depth; long encoded sounds → RAWD: the file as it is.
//!
//! 8 bits stay unsigned, up to 16 bits become signed 16, more and floats become 32-bit floats. Vorbis and MP3, which
//! have no depth of their own, become signed 16. WAV and FLAC are exact (whole numbers of more than 25 bits are rounded
//! to the float). A file with anything missing or damaged is an error, never a shorter or a quieter sound.

mod decode;
mod ogg;
mod samples;

use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc};

use self::decode::{Head, Opened};
use super::raw::raw_block;
use super::sniff::{Content, first_bytes, sniff};
use super::{Block, ImportError, Importer, Part, Source};
use crate::settings::{SampleFormat, Settings, SoundSettings, SoundStore};

/// Encoded sounds (OGG, FLAC, MP3) longer than this keep their source under `store = "auto"`: decoded, a minute of
/// stereo is 10 MB, six to eight times the file. Shorter ones become samples, which play without a decoder. WAV, which
/// is not encoded, always becomes samples.
pub(super) const KEEP_SOURCE_SECONDS: u64 = 10;

pub(super) struct SoundImporter;

impl Importer for SoundImporter {
    fn kind(&self) -> AssetKind {
        AssetKind::Sound
    }

    fn version(&self) -> u32 {
        1
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["wav", "wave", "ogg", "oga", "flac", "mp3"]
    }

    fn memory(&self, bytes: &[u8], settings: &Settings) -> u64 {
        // Encoded sounds take a tenth of their samples or less. What is long keeps its source unless told otherwise.
        let factor = if settings.sound.store == SoundStore::Pcm { 40 } else { 8 };
        (bytes.len() as u64).saturating_mul(factor)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Part>, ImportError> {
        let settings = &source.settings.sound;
        let content = check_content(source)?;
        if settings.store == SoundStore::Source && !decode::is_supported(content, source.bytes) {
            // Nobody here can look inside, but to keep a file nobody has to.
            let name = decode::codec_name(content, source.bytes);
            let part = keep(source, Meta::default(), format!("{name} kept"))?;
            return Ok(vec![part]);
        }
        let input = decode::Input::new(source.bytes, content, source.path);
        let opened = input.open()?;
        let head = opened.head;
        let is_encoded = content != Content::Wav;
        let part = match settings.store {
            SoundStore::Source => keep_sound(source, content, head, input.count_frames(opened)?)?,
            SoundStore::Auto if is_encoded && may_be_long(source.bytes, head) => {
                let frames = input.count_frames(opened)?;
                if frames > KEEP_SOURCE_SECONDS.saturating_mul(head.rate.into()) {
                    keep_sound(source, content, head, frames)?
                } else {
                    samples_of(&input, input.open()?, settings)?
                }
            }
            _ => samples_of(&input, opened, settings)?,
        };
        Ok(vec![part])
    }
}

/// Whether it is worth counting frames: where the header has no count, a file too small to last that long is decoded
/// right away.
fn may_be_long(bytes: &[u8], head: Head) -> bool {
    match head.frames {
        Some(frames) => frames > KEEP_SOURCE_SECONDS * u64::from(head.rate),
        // 8 kbit/s is the lowest rate of MP3.
        None => bytes.len() as u64 > KEEP_SOURCE_SECONDS * 1000,
    }
}

/// Decodes into a part of samples.
fn samples_of(input: &decode::Input<'_>, opened: Opened<'_>, settings: &SoundSettings) -> Result<Part, ImportError> {
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
        decoded.sample.name()
    );
    let mut block = decoded.block;
    block[..samples::HEAD].copy_from_slice(&props.block(&[]));
    Ok(finish(Part::new(AssetKind::Sound, vec![Block::new(FourCc::WAVE, block)], summary), settings))
}

/// The file as it is, with what a player wants to know before it opens the file.
fn keep_sound(source: &Source<'_>, content: Content, head: Head, frames: u64) -> Result<Part, ImportError> {
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

fn keep(source: &Source<'_>, meta: Meta, summary: String) -> Result<Part, ImportError> {
    if u32::try_from(source.bytes.len()).is_err() {
        return Err(ImportError::new("is a sound of 4 GiB or more").help("split it"));
    }
    let block = Block { compressible: false, ..raw_block(source.path, source.bytes) };
    let part = Part { meta, ..Part::new(AssetKind::Sound, vec![block], summary) };
    Ok(finish(part, &source.settings.sound))
}

/// Adds what the settings say about playing.
fn finish(mut part: Part, settings: &SoundSettings) -> Part {
    if settings.gain != 0.0 {
        part.meta.set_f32(MetaKey::GAIN, settings.gain);
        part.summary += &format!(" {:+} dB", settings.gain);
    }
    if settings.looped {
        part.meta.set(MetaKey::LOOP, 1);
        part.summary += " loop";
    }
    part
}

/// What the bytes are, once they agree with the extension.
fn check_content(source: &Source<'_>) -> Result<Content, ImportError> {
    let expected = match source.extension().as_str() {
        "wav" | "wave" => Some(Content::Wav),
        "ogg" | "oga" => Some(Content::Ogg),
        "flac" => Some(Content::Flac),
        "mp3" => Some(Content::Mp3),
        _ => None,
    };
    let name = source.path;
    if source.bytes.is_empty() {
        return Err(ImportError::new("is empty (0 bytes)")
            .help("save it again, or leave it out with ignore = true in assets.toml"));
    }
    match (sniff(source.bytes), expected) {
        (Some(found), Some(expected)) if found != expected => {
            Err(ImportError::new(format!("is {}, not {}", found.name(), expected.name())).help(found.help(name)))
        }
        (Some(found), _) if is_sound(found) => Ok(found),
        (Some(found), _) => {
            Err(ImportError::new(format!("is {}, which is no sound", found.name())).help(found.help(name)))
        }
        // Zeros or remains of a cut may precede the first frame of an MP3.
        (None, Some(Content::Mp3)) => Ok(Content::Mp3),
        (None, expected) => {
            let what = expected.map_or("a sound of a known format", Content::name);
            Err(ImportError::new(format!("is not {what}: it starts with {}", first_bytes(source.bytes))).help(format!(
                "save it again, or store it as it is with kind = \"raw\" under [\"{name}\"] in assets.toml"
            )))
        }
    }
}

fn is_sound(content: Content) -> bool {
    matches!(
        content,
        Content::Wav
            | Content::Rf64
            | Content::Ogg
            | Content::Flac
            | Content::Mp3
            | Content::Aiff
            | Content::Mp4
            | Content::Adts
            | Content::Matroska
            | Content::Midi
    )
}

/// Seconds with the digits that matter: `2.31 s`, `92 s`.
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
