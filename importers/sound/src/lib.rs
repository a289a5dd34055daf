//! WAV, AIFF, CAF, OGG Vorbis, FLAC, MP3, M4A, AAC and QOA → WAVE: samples of the source's depth; long encoded sounds → RAWD: the file as it is.
//!
//! Rules may ask for other channels, another rate and less silence (`process`), for a loudness, which becomes a gain, and for a format that
//! loses detail (`lossy`).
//!
//! 8 bits stay unsigned, up to 16 bits become signed 16, more and floats become 32-bit floats. Vorbis, MP3 and AAC, which
//! have no depth of their own, become signed 16. WAV, AIFF and FLAC are exact (integers of more than 25 bits are rounded to
//! floats). A file that is incomplete or damaged is an error, and never becomes a shorter or a quieter sound.
#![forbid(unsafe_code)]

mod adts;
mod aiff;
mod caf;
mod cues;
mod decode;
mod flac;
mod ima4;
mod lossy;
#[doc(hidden)]
pub mod measured;
mod mp3;
mod mp4;
mod ogg;
mod process;
mod qoa;
mod samples;
mod seek_points;
mod source_form;
mod speakers;
mod unreadable;

use std::ops::Range;

use rres_format::SoundFormat;
use rres_format::chunk::markers::{MarkerView, markers_block};
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::wav::wav_file;
use rres_format::{AssetKind, FourCc};
use rres_import::content::{Content, check_content, first_bytes};
use rres_import::{Asset, Block, ImportError, Importer, MemoryFiles, Note, Samples, SoundEncoder, Source};
use rres_settings::{Description, SampleFormat, Settings, SoundSettings, SoundStorage, Word};

use self::cues::Cues;
use self::decode::{Decoded, Head, Opened};
use self::process::Pcm;
use self::process::loudness::Loudness;

/// Encoded sounds (OGG, FLAC, MP3, M4A, AAC) longer than this keep their source under `store = "auto"`, and load as their source:
/// decoded, a minute of stereo is 10 MB, six to eight times the file. Shorter ones load as samples, from either form. WAV and AIFF,
/// and CAF of PCM or small blocks, which are not encoded, always become samples.
pub const KEEP_SOURCE_SECONDS: u64 = 10;

/// The importer of sounds, and the encoder of samples of all importers.
#[derive(Clone, Copy, Debug)]
pub struct SoundImporter;

impl Importer for SoundImporter {
    fn describe(&self) -> Description {
        rres_settings::asset_kinds::describe("sound", 14)
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        let (bytes, settings) = (source.bytes, source.settings);
        // Encoded sounds take a tenth of the size of their samples or less. Long ones keep their source by default, and short
        // ones are decoded twice.
        let factor = if settings.sound.store == SoundStorage::Pcm { 40 } else { 24 };
        // Channels as floats, before and after each step.
        let SoundSettings { loudness, format, .. } = &settings.sound;
        let is_processed = process::is_needed(&settings.sound) || loudness.is_some() || format.is_some();
        let factor = if is_processed { factor * 3 } else { factor };
        let factor = if settings.sound.rate.is_some() { factor * 4 } else { factor };
        (bytes.len() as u64).saturating_mul(factor)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let settings = &source.settings.sound;
        let content = check_content(source.bytes, source.path, &source.extension(), AssetKind::Sound, true)?;
        if settings.store == SoundStorage::Source && !decode::is_supported(content, source.bytes) {
            // It cannot be decoded here, but it can be stored as it is.
            let name = decode::codec_name(content, source.bytes);
            let resource = keep(source, Meta::default(), format!("{name} kept"))?;
            let mut resource = finish(resource, None, settings);
            if settings.loudness.is_some() {
                resource.notes.push(Note::new("cannot be decoded here, so sound.loudness has no effect"));
            }
            if settings.format.is_some() {
                resource.notes.push(Note::new("cannot be decoded here, so sound.format has no effect"));
            }
            return Ok(vec![resource]);
        }
        let input = decode::Input::new(source.bytes, content, source.path);
        let mut opened = input.open()?;
        let (head, mut cues, note) = (opened.head, std::mem::take(&mut opened.cues), opened.note.take());
        let is_encoded = match content {
            Content::Wav | Content::Aiff => false,
            Content::Caf => caf::is_encoded(source.bytes),
            _ => true,
        };
        let is_long = |frames: u64| frames > KEEP_SOURCE_SECONDS.saturating_mul(head.rate.into());
        let (kept_frames, opened) = match settings.store {
            SoundStorage::Source => (Some(input.count_frames(opened)?), None),
            SoundStorage::Auto if is_encoded && may_be_long(source.bytes, head) => {
                (Some(input.count_frames(opened)?).filter(|frames| is_long(*frames)), None)
            }
            _ => (None, Some(opened)),
        };
        let wanted = lossy::Wanted { settings, cues: cues.clone(), loads_as_file: kept_frames.is_some() };
        let (mut resource, loudness) = match kept_frames {
            Some(frames) => {
                let mut resource = keep_sound(source, content, head, frames)?;
                cues.fit(frames);
                resource.notes.extend(unchanged(settings));
                if settings.is_seekable && content != Content::Adts {
                    add_seek_points(&mut resource, source.bytes, &input, frames);
                }
                (resource, loudness_of_source(&input, settings)?)
            }
            None => samples_of(&input, opened.map_or_else(|| input.open(), Ok)?, &mut cues, settings)?,
        };
        if settings.store == SoundStorage::Auto && is_encoded {
            resource.source_form = source_form::of(&resource, source);
        }
        resource.notes.extend(input.notes.iter().cloned().chain(note));
        let mut resource = finish(with_cues(resource, cues)?, loudness, settings);
        lossy::offer(&mut resource, &input, wanted)?;
        Ok(vec![resource])
    }
}

impl SoundEncoder for SoundImporter {
    fn of_samples(
        &self,
        rate: u32,
        channels: u16,
        samples: Samples<'_>,
        path: &str,
        settings: &Settings,
    ) -> Result<Asset, ImportError> {
        if channels == 0 || !samples.len().is_multiple_of(channels.into()) {
            let found = samples.len();
            return Err(ImportError::new(format!(
                "became {found} samples of {channels} channels, expected whole frames"
            )));
        }
        let (sample_size, data): (u32, Vec<u8>) = match samples {
            Samples::F32(samples) => (32, samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()),
            Samples::I16(samples) => (16, samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()),
        };
        let frames = u32::try_from(samples.len() / usize::from(channels)).unwrap_or(u32::MAX);
        let props = WaveProps { frames, sample_rate: rate, sample_size, channels: channels.into() };
        let file = wav_file(props, &data, &[]).map_err(|_| {
            let message = format!(
                "became a sound of {channels} channels at {rate} Hz, and it or a second of it has 4 GiB or more"
            );
            ImportError::new(message).with_help("check the number of frames a second")
        })?;
        of_wav(&file, path, settings)
    }
}

fn of_wav(wav: &[u8], path: &str, settings: &Settings) -> Result<Asset, ImportError> {
    // A name without an extension: whatever the source is, this is a WAV.
    let name = path.rsplit_once('.').map_or(path, |(stem, _)| stem).replace('.', "_");
    let mut inputs = MemoryFiles::default();
    let mut resources = SoundImporter.import(&mut Source::new(&name, wav, settings, &mut inputs))?;
    Ok(resources.swap_remove(0))
}

/// Adds loop points and markers.
fn with_cues(mut resource: Asset, cues: Cues) -> Result<Asset, ImportError> {
    resource.notes.extend(cues.notes);
    if let Some(Range { start, end }) = cues.loop_points {
        // They fit: `Cues::fit` has left out others.
        resource.meta.set(MetaKey::LOOP_START, start as u32);
        resource.meta.set(MetaKey::LOOP_END, end as u32);
        resource.summary += &format!(" repeats {start}..{end}");
    }
    if !cues.markers.is_empty() {
        let markers: Vec<_> = cues.markers.iter().map(|(frame, name)| MarkerView { frame: *frame, name }).collect();
        let block = markers_block(&markers).map_err(|e| ImportError::new(e.to_string()))?;
        // C programs load the sound only.
        resource.blocks.iter_mut().for_each(|block| block.linked = false);
        resource.blocks.push(Block { linked: false, ..Block::new(FourCc::MARK, block) });
        resource.summary += &match markers.len() {
            1 => " 1 marker".to_owned(),
            count => format!(" {count} markers"),
        };
    }
    Ok(resource)
}

/// Adds the places at which decoding can start, with which a game plays the sound without decoding it whole.
///
/// The runtime decodes no WAV, AIFF, CAF, M4A or AAC that is kept. The audio library of the game does.
fn add_seek_points(resource: &mut Asset, bytes: &[u8], input: &decode::Input<'_>, frames: u64) {
    if SoundFormat::of(bytes).is_none_or(|format| format == SoundFormat::Wav) {
        return;
    }
    let decoded = input.open().and_then(|opened| input.decode(opened, None)).map_err(|e| e.to_string());
    let block = decoded.and_then(|decoded| {
        if u64::from(decoded.frames) != frames {
            return Err(format!("{} frames can be decoded, expected {frames}", decoded.frames));
        }
        seek_points::block(bytes, &decoded.block[samples::HEAD..])
    });
    match block {
        Ok(block) => {
            resource.blocks.iter_mut().for_each(|block| block.linked = false);
            resource.blocks.push(Block { linked: false, ..Block::new(FourCc::SEEK, block) });
        }
        Err(reason) => {
            let topic = "kept, but `Sound::reader` cannot decode it piece by piece";
            let note = Note::new(topic).with_detail(reason);
            resource.notes.push(note.with_help("let the audio library decode the file, or save it again"));
        }
    }
}

/// A note about a sound that keeps its source although rules ask for other samples.
fn unchanged(settings: &SoundSettings) -> Option<Note> {
    process::is_needed(settings).then(|| {
        let topic = "keeps its source, without what sound.rate, sound.channels or sound.trim_silence ask for";
        Note::new(topic).with_help("sound.store = \"pcm\" changes and stores the samples")
    })
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

/// Decodes the file, and changes its samples as the settings ask for.
fn processed(
    input: &decode::Input<'_>,
    opened: Opened<'_>,
    cues: &mut Cues,
    settings: &SoundSettings,
) -> Result<(Decoded, process::Changes), ImportError> {
    if process::is_needed(settings) {
        let decoded = input.decode(opened, Some(SampleFormat::F32))?;
        cues.fit(decoded.frames.into());
        return process::apply(&decoded, cues, settings);
    }
    let decoded = input.decode(opened, settings.sample)?;
    cues.fit(decoded.frames.into());
    Ok((decoded, process::Changes::default()))
}

/// Decodes the file into a resource of samples.
fn samples_of(
    input: &decode::Input<'_>,
    opened: Opened<'_>,
    cues: &mut Cues,
    settings: &SoundSettings,
) -> Result<(Asset, Option<Measured>), ImportError> {
    let (decoded, changes) = processed(input, opened, cues, settings)?;
    let sample_size = match decoded.sample {
        SampleFormat::U8 => 8,
        SampleFormat::I16 => 16,
        SampleFormat::F32 => 32,
    };
    let props =
        WaveProps { frames: decoded.frames, sample_rate: decoded.rate, sample_size, channels: decoded.channels };
    let mut summary = format!(
        "{} {} {} {}",
        duration(props.frames.into(), props.sample_rate),
        kilohertz(props.sample_rate),
        channels(props.channels),
        decoded.sample.word()
    );
    if !changes.from.is_empty() {
        summary += &format!(" (from {})", changes.from.join(" "));
    }
    let loudness = settings.loudness.map(|_| Loudness::of(&Pcm::new(&decoded)));
    let mut block = decoded.block;
    block[..samples::HEAD].copy_from_slice(&props.block(&[]));
    let resource = Asset::new(AssetKind::Sound, vec![Block::new(FourCc::WAVE, block)], summary);
    Ok((Asset { notes: changes.notes, ..resource }, loudness))
}

/// The loudness of a sound, if a rule asks for one; `None` within if the sound is silent.
type Measured = Option<Loudness>;

/// Decodes a sound that keeps its source, only to measure it.
fn loudness_of_source(input: &decode::Input<'_>, settings: &SoundSettings) -> Result<Option<Measured>, ImportError> {
    if settings.loudness.is_none() {
        return Ok(None);
    }
    let decoded = input.decode(input.open()?, Some(SampleFormat::F32))?;
    Ok(Some(Loudness::of(&Pcm::new(&decoded))))
}

/// Stores the file as it is, with the properties that a player needs before it opens the file.
fn keep_sound(source: &Source<'_>, content: Content, head: Head, frames: u64) -> Result<Asset, ImportError> {
    let mut meta = Meta::default();
    meta.set(MetaKey::SAMPLE_RATE, head.rate);
    meta.set(MetaKey::CHANNELS, head.channels);
    meta.set(MetaKey::FRAMES_LOW, frames as u32);
    meta.set(MetaKey::FRAMES_HIGH, (frames >> 32) as u32);
    // The others are not decoded by the runtime.
    if SoundFormat::of(source.bytes).is_some_and(|format| format != SoundFormat::Wav) {
        meta.set(MetaKey::SKIPPED_FRAMES, head.skip);
    }
    let summary = format!(
        "{} {} {}, {} kept",
        duration(frames, head.rate),
        kilohertz(head.rate),
        channels(head.channels),
        match content {
            Content::Ogg => "OGG",
            Content::Flac => "FLAC",
            Content::Mp3 => "MP3",
            Content::Aiff => "AIFF",
            Content::Mp4 => "M4A",
            Content::Caf => "CAF",
            Content::Adts => "AAC",
            Content::Qoa => "QOA",
            _ => "WAV",
        }
    );
    keep(source, meta, summary)
}

fn keep(source: &Source<'_>, meta: Meta, summary: String) -> Result<Asset, ImportError> {
    if u32::try_from(source.bytes.len()).is_err() {
        return Err(ImportError::new("is a sound of 4 GiB or more").with_help("split it"));
    }
    let block = Block { compressible: false, ..rres_import::Block::raw_file(source.path, source.bytes) };
    Ok(Asset { meta, ..Asset::new(AssetKind::Sound, vec![block], summary) })
}

/// Adds the settings for playback.
///
/// The loudness becomes a gain: that loses nothing, is as good for a sound that keeps its source, and a player applies the
/// gain anyway.
fn finish(mut resource: Asset, loudness: Option<Measured>, settings: &SoundSettings) -> Asset {
    let mut gain = settings.gain;
    match loudness.zip(settings.loudness) {
        Some((Some(loudness), target)) => {
            let to_target = loudness.gain_to(target);
            if to_target.is_limited {
                let note = Note::new("quieter than sound.loudness, because its peaks would clip");
                let found = f64::from(target) - loudness.lufs;
                let detail = format!("{:+.1} dB instead of {found:+.1} dB", to_target.decibels);
                resource.notes.push(note.with_detail(detail).with_help("a lower sound.loudness fits all of them"));
            }
            gain += to_target.decibels;
            resource.summary += &format!(" {:.1} LUFS", loudness.lufs);
        }
        Some((None, _)) => resource.notes.push(Note::new("silent, so sound.loudness has no effect")),
        None => {}
    }
    if gain != 0.0 {
        resource.meta.set_f32(MetaKey::GAIN, gain);
        resource.summary += &format!(" {gain:+} dB");
    }
    if settings.is_looping {
        resource.meta.set(MetaKey::LOOP, 1);
        resource.summary += " loop";
    }
    if settings.priority != 0 {
        resource.meta.set(MetaKey::PRIORITY, settings.priority);
    }
    if settings.falloff != 1.0 {
        resource.meta.set_f32(MetaKey::FALLOFF, settings.falloff);
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
