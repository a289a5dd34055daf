//! Samples → the samples that rules ask for: other channels, without silence at the ends, at another rate.
//!
//! All of it is computed with additions, multiplications, divisions and square roots in a fixed order, which give the same
//! bits on every machine. The functions of a system's mathematical library do not.

mod kernel;
pub(super) mod loudness;
mod mix;
pub(super) mod resample;
mod silence;

use rres_format::Limits;
use rres_import::Note;
use rres_settings::{SampleFormat, SoundSettings};

use super::cues::{Cues, frames_at};
use super::decode::Decoded;
use super::samples;
use super::speakers::Speaker;
use super::{ImportError, channels, kilohertz};

/// The rates that are resampled. Filters have as many taps as the rates are apart, and a sound at 1 Hz would become 192,000 times
/// as long.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=768_000;

/// The samples of each channel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pcm {
    pub(super) rate: u32,
    /// The places of the channels; `None` if the file does not name them.
    pub(super) speakers: Option<Vec<Speaker>>,
    pub(super) planes: Vec<Vec<f32>>,
}

impl Pcm {
    /// Separates the channels.
    pub(super) fn new(decoded: &Decoded) -> Self {
        let channels = decoded.channels as usize;
        let samples = samples::to_f32(&decoded.block[samples::HEAD..], decoded.sample);
        let mut planes = vec![Vec::with_capacity(decoded.frames as usize); channels];
        for (i, sample) in samples.enumerate() {
            planes[i % channels].push(sample);
        }
        Self { rate: decoded.rate, speakers: decoded.speakers.clone(), planes }
    }

    /// The number of frames.
    pub(super) fn frames(&self) -> usize {
        self.planes.first().map_or(0, Vec::len)
    }

    /// Joins the channels, as samples of this format.
    fn to_decoded(&self, sample: SampleFormat) -> Result<Decoded, ImportError> {
        let frames = self.frames();
        let block = samples::interleaved(&self.planes, sample);
        let too_long = || ImportError::new(format!("has {frames} frames at its new rate, the limit is {}", u32::MAX));
        Ok(Decoded {
            rate: self.rate,
            channels: self.planes.len() as u32,
            frames: u32::try_from(frames).map_err(|_| too_long())?,
            sample,
            natural: sample,
            speakers: self.speakers.clone(),
            block,
        })
    }
}

/// Whether the settings ask for other samples than the source has.
pub(super) fn is_needed(settings: &SoundSettings) -> bool {
    settings.rate.is_some() || settings.channels.is_some() || settings.trim_silence.is_some()
}

/// What was changed, for the summary, and what is worth a note.
#[derive(Default)]
pub(super) struct Changes {
    /// The rate and the channels of the source, if they are others.
    pub(super) from: Vec<String>,
    pub(super) notes: Vec<Note>,
}

/// Does what the settings ask for. Loop points and markers move with the samples.
///
/// # Errors
/// [`ImportError`] if the channels cannot be mixed, or the rate is too high to resample.
pub(super) fn apply(
    decoded: &Decoded,
    cues: &mut Cues,
    settings: &SoundSettings,
) -> Result<(Decoded, Changes), ImportError> {
    let mut pcm = Pcm::new(decoded);
    let mut changes = Changes::default();
    let (rate, count) = (pcm.rate, pcm.planes.len() as u32);
    if let Some(threshold) = settings.trim_silence {
        match silence::audible(&pcm.planes, threshold) {
            Some(audible) => {
                // A loop stays whole.
                let audible = cues.loop_points.as_ref().map_or(audible.clone(), |points| {
                    audible.start.min(points.start as usize)..audible.end.max(points.end as usize).min(pcm.frames())
                });
                cues.cut(audible.start as u64..audible.end as u64);
                pcm.planes.iter_mut().for_each(|plane| *plane = plane[audible.clone()].to_vec());
            }
            None if pcm.frames() > 0 => {
                let note = Note::new("silent throughout, so nothing is trimmed");
                changes.notes.push(note.with_help("a lower sound.trim_silence finds quieter sounds"));
            }
            None => {}
        }
    }
    if let Some(wanted) = settings.channels.filter(|wanted| wanted.count() != count) {
        pcm = mix::mix(pcm, wanted)?;
    }
    if let Some(wanted) = settings.rate.filter(|wanted| *wanted != rate) {
        // What is heard before the first frame of a loop is its end.
        let is_cyclic = settings.is_looping && cues.loop_points.is_none();
        resample_to(&mut pcm, wanted, cues, is_cyclic, "sound.rate")?;
        changes.from.push(kilohertz(rate));
    }
    if pcm.planes.len() as u32 != count {
        changes.from.push(channels(count));
    }
    Ok((pcm.to_decoded(settings.sample.unwrap_or(decoded.natural))?, changes))
}

/// Resamples a sound, unless it has this rate, because of this setting. Loop points and markers move with the samples.
///
/// # Errors
/// [`ImportError`] if the rate is too high or too low, or the sound would be too long.
pub(super) fn resample_to(
    pcm: &mut Pcm,
    wanted: u32,
    cues: &mut Cues,
    is_cyclic: bool,
    setting: &str,
) -> Result<(), ImportError> {
    let rate = pcm.rate;
    if rate == wanted {
        return Ok(());
    }
    if !RATES.contains(&rate) {
        let message = format!("is at {rate} Hz, and sounds from {} to {} Hz are resampled", RATES.start(), RATES.end());
        let help = format!("store it with another rate, or leave out {setting} for it in assets.toml");
        return Err(ImportError::new(message).with_help(help));
    }
    let size = frames_at(pcm.frames() as u64, rate, wanted).saturating_mul(pcm.planes.len() as u64 * 4);
    if size > Limits::DEFAULT.max_decoded {
        return Err(ImportError::new(format!(
            "is too long: at {} its samples would take {size} bytes, and at most {} are imported",
            kilohertz(wanted),
            Limits::DEFAULT.max_decoded
        ))
        .with_help("keep the file as it is with sound = { store = \"source\" } in assets.toml"));
    }
    let resampler = resample::Resampler::new(rate, wanted, pcm.frames()).ok_or_else(|| {
        ImportError::new(format!("is at {rate} Hz, which is not resampled to {wanted} Hz"))
            .with_help(format!("save it at a common rate, or leave out {setting} for it in assets.toml"))
    })?;
    pcm.planes.iter_mut().for_each(|plane| *plane = resampler.resample(plane, is_cyclic));
    pcm.rate = wanted;
    cues.scale(rate, wanted, pcm.frames() as u64);
    Ok(())
}
