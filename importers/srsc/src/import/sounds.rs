//! Sounds, with volume, loop, priority and drop-off, unless rules say otherwise.

use rres_import::Samples;
use rres_settings::SoundSettings;

use super::{Asset, Fault, Source};
use crate::{Checks, RecordView, Sound};

/// The fields of the metadata have the ranges of the settings.
const GAIN: (f64, f64) = (-120.0, 60.0);
const MAX_PRIORITY: u32 = 1_000_000;
const MAX_FALLOFF: f32 = 1000.0;

pub(super) fn import(
    source: &Source<'_>,
    view: &RecordView<'_>,
    sound: &Sound<'_>,
    checks: &Checks,
) -> Result<Asset, Fault> {
    let bytes = sound.pcm(checks.limits()).map_err(|fault| view.error(fault))?;
    let samples: Vec<i16> = match sound.bits {
        8 => bytes.iter().map(|sample| (i16::from(*sample) - 128) * 256).collect(),
        _ => bytes.as_chunks::<2>().0.iter().map(|sample| i16::from_le_bytes(*sample)).collect(),
    };
    let mut settings = source.settings.clone();
    let of_file = SoundSettings::default();
    let own = &mut settings.sound;
    if own.gain == of_file.gain {
        own.gain = sound.decibels().clamp(GAIN.0, GAIN.1) as f32;
    }
    own.is_looping |= sound.is_looped();
    if own.priority == of_file.priority {
        own.priority = sound.priority.min(MAX_PRIORITY);
    }
    if own.falloff == of_file.falloff && sound.drop_off.is_finite() {
        own.falloff = sound.drop_off.clamp(0.0, MAX_FALLOFF);
    }
    let samples = Samples::I16(&samples);
    source
        .encoders
        .sounds()?
        .of_samples(sound.rate, sound.channels, samples, source.path, &settings)
        .map_err(|error| Fault::Record(view.key(), error))
}
