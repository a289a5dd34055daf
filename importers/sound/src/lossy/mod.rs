//! Samples → a file of a format that loses detail, as an alternative to what is stored without loss.
//!
//! Both formats are encoded with integers alone, so the bytes are the same on every machine. What is encoded with loss already is not
//! encoded a second time: it would lose more, and become larger or worse.

#[cfg(feature = "opus")]
mod ogg;
#[cfg(feature = "opus")]
mod opus;
mod qoa;

use rres_decode::{SampleForm, SoundFile};
use rres_format::Limits;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, FourCc, SoundFormat};
use rres_import::{Alternative, Asset, Block, ImportError, Note};
use rres_settings::{SampleFormat, SoundEncoding, SoundSettings};

use crate::cues::Cues;
use crate::decode::Input;
use crate::process::Pcm;
use crate::process::loudness::Loudness;
use crate::{channels, duration, kilohertz, samples, seek_points};

/// What the sound is and becomes besides its samples.
pub(super) struct Wanted<'a> {
    pub(super) settings: &'a SoundSettings,
    /// The places that the source names.
    pub(super) cues: Cues,
    /// Whether the game gets the file, and not its samples.
    pub(super) loads_as_file: bool,
}

/// Samples that were encoded.
struct Encoded {
    format: SoundFormat,
    file: Vec<u8>,
    /// What a user should know about it.
    note: Option<Note>,
}

/// Adds the sound in the format that the settings ask for to `resource`, which is the sound without loss.
///
/// # Errors
/// [`ImportError`] if the format does not hold such sounds, or the source cannot be decoded.
pub(super) fn offer(resource: &mut Asset, input: &Input<'_>, wanted: Wanted<'_>) -> Result<(), ImportError> {
    let Some(encoding) = wanted.settings.format else { return Ok(()) };
    let opened = input.open()?;
    if opened.head.is_lossy {
        let note = Note::new("encoded with loss already, so sound.format does not encode it again");
        resource.notes.push(note.with_help("encode the original recording, or leave the file out of the rule"));
        return Ok(());
    }
    let Wanted { settings, mut cues, loads_as_file } = wanted;
    let (decoded, changes) = super::processed(input, opened, &mut cues, settings)?;
    let mut pcm = Pcm::new(&decoded);
    drop(decoded);
    if pcm.frames() == 0 {
        return Ok(());
    }
    let loudness = settings.loudness.map(|_| Loudness::of(&pcm));
    let Encoded { format, file, note } = match encoding {
        SoundEncoding::Qoa => qoa::encode(&pcm)?,
        SoundEncoding::Opus => encode_opus(&mut pcm, &mut cues, settings)?,
    };
    let mut asset = stored(format, &file, &pcm, settings, loads_as_file)?;
    if !changes.from.is_empty() {
        asset.summary += &format!(" (from {})", changes.from.join(" "));
    }
    asset.notes.extend(changes.notes.into_iter().chain(note).chain(clipped(&pcm)));
    let otherwise = Note::new("stored without loss, which is not larger than what sound.format asks for");
    let otherwise = otherwise.with_detail(format!("{} bytes as {}", file.len(), format.name()));
    let asset = super::finish(super::with_cues(asset, cues)?, loudness, settings);
    resource.alternative = Some(Box::new(Alternative { asset, otherwise }));
    Ok(())
}

#[cfg(feature = "opus")]
fn encode_opus(pcm: &mut Pcm, cues: &mut Cues, settings: &SoundSettings) -> Result<Encoded, ImportError> {
    opus::encode(pcm, cues, settings)
}

#[cfg(not(feature = "opus"))]
fn encode_opus(_: &mut Pcm, _: &mut Cues, _: &SoundSettings) -> Result<Encoded, ImportError> {
    Err(ImportError::new("cannot be encoded as Opus, because the feature `opus` of rres-build is disabled")
        .with_help("enable it with `cargo add --build rres-build --features opus`, or choose sound.format = \"qoa\"")
        .without_fix())
}

/// The file as an asset.
fn stored(
    format: SoundFormat,
    file: &[u8],
    pcm: &Pcm,
    settings: &SoundSettings,
    loads_as_file: bool,
) -> Result<Asset, ImportError> {
    let (frames, count) = (pcm.frames() as u64, pcm.planes.len() as u32);
    // What was encoded is looked at with the decoder of the game: a sound that became shorter would have a gap in its loop.
    let explain = |e: rres_decode::DecodeError| ImportError::new(format!("became a file that {e}"));
    let opened = SoundFile::open(file).map_err(explain)?;
    let (skip, found) = match opened.extent().map_err(explain)? {
        Some(extent) => (extent.skip, extent.frames),
        None => (0, opened.count_frames().map_err(explain)?),
    };
    if (opened.sample_rate(), opened.channels(), found) != (pcm.rate, count, frames) {
        let (rate, channels) = (opened.sample_rate(), opened.channels());
        return Err(ImportError::new(format!(
            "has {frames} frames of {count} channels at {} Hz, and became {found} frames of {channels} channels at {rate} Hz",
            pcm.rate
        )));
    }
    let name = if format == SoundFormat::Opus { "sound.opus" } else { "sound.qoa" };
    let mut meta = Meta::default();
    meta.set(MetaKey::SAMPLE_RATE, pcm.rate);
    meta.set(MetaKey::CHANNELS, count);
    meta.set(MetaKey::FRAMES_LOW, frames as u32);
    meta.set(MetaKey::FRAMES_HIGH, (frames >> 32) as u32);
    meta.set(MetaKey::SKIPPED_FRAMES, u32::try_from(skip).unwrap_or(u32::MAX));
    let mut blocks = vec![Block { compressible: false, ..Block::raw_file(name, file) }];
    if !loads_as_file {
        // The game decodes it when it loads it.
        let form = settings.sample.map_or(SampleForm::I16, samples::form);
        meta.set(MetaKey::SOUND_FORMAT, format as u32);
        meta.set(MetaKey::SAMPLE_SIZE, form as u32);
    } else if settings.is_seekable {
        let samples = opened.decode(SampleForm::I16, true, Limits::DEFAULT.max_decoded).map_err(explain)?;
        let block = seek_points::block(file, &samples).map_err(ImportError::new)?;
        blocks[0].linked = false;
        blocks.push(Block { linked: false, ..Block::new(FourCc::SEEK, block) });
    }
    let summary = format!(
        "{} {} {}, encoded as {}",
        duration(frames, pcm.rate),
        kilohertz(pcm.rate),
        channels(count),
        format.name()
    );
    Ok(Asset { meta, ..Asset::new(AssetKind::Sound, blocks, summary) })
}

/// The samples of all channels as 16 bits, interleaved.
fn interleaved(pcm: &Pcm) -> Vec<i16> {
    let block = samples::interleaved(&pcm.planes, SampleFormat::I16);
    block[samples::HEAD..].as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect()
}

/// A note about samples beyond full scale, which floats hold and the formats do not.
fn clipped(pcm: &Pcm) -> Option<Note> {
    let count = pcm.planes.iter().flatten().filter(|sample| sample.abs() > 1.0).count();
    (count > 0).then(|| {
        let note = Note::new("louder than full scale in places, which are clipped when it is encoded");
        note.with_detail(format!("{count} samples")).with_help("save it more quietly, and set sound.gain")
    })
}

/// The error for a sound with more channels than a format holds.
fn too_many_channels(pcm: &Pcm, format: SoundFormat, limit: usize) -> Result<(), ImportError> {
    let count = pcm.planes.len();
    if count <= limit {
        return Ok(());
    }
    Err(ImportError::new(format!("has {count} channels, and {} holds at most {limit}", format.name()))
        .with_help("mix them with sound.channels = \"stereo\", or leave out sound.format for it in assets.toml"))
}
