//! Channels → one or two channels, with the coefficients of ITU-R BS.775.
//!
//! A channel in the middle goes to both sides at -3 dB, surround channels to their side at -3 dB, and deep tones are left
//! out. All are then attenuated alike, so that the sum does not clip. One channel becomes two of the same samples, and two
//! become their mean.

use std::f64::consts::FRAC_1_SQRT_2;

use rres_import::ImportError;
use rres_settings::SoundChannels;

use super::Pcm;
use crate::speakers::Speaker;

/// Mixes the channels of a sound.
///
/// # Errors
/// [`ImportError`] if it is unknown where some channel is heard.
pub(super) fn mix(pcm: Pcm, wanted: SoundChannels) -> Result<Pcm, ImportError> {
    let unknown = || {
        let message = format!("has {} channels without the places of their speakers", pcm.planes.len());
        ImportError::new(message)
            .with_help("mix it in an audio editor, or leave out sound.channels for it in assets.toml")
    };
    let speakers = pcm.speakers.as_ref().filter(|speakers| speakers.len() == pcm.planes.len()).ok_or_else(unknown)?;
    let gains: Option<Vec<[f64; 2]>> = speakers.iter().map(|speaker| gains(*speaker, speakers.len())).collect();
    let mut gains = gains.ok_or_else(unknown)?;
    // Two channels with the same gain on each side: their mean.
    if wanted == SoundChannels::Mono {
        gains.iter_mut().for_each(|[left, right]| *left += *right);
    }
    let sides = wanted.count() as usize;
    let loudest = (0..sides).map(|side| gains.iter().map(|gain| gain[side]).sum::<f64>()).fold(0.0, f64::max);
    let plane = |side: usize| -> Vec<f32> {
        let sum = |frame: usize| -> f64 {
            gains.iter().zip(&pcm.planes).map(|(gain, plane)| gain[side] / loudest * f64::from(plane[frame])).sum()
        };
        (0..pcm.frames()).map(|frame| sum(frame) as f32).collect()
    };
    let speakers = match wanted {
        SoundChannels::Mono => vec![Speaker::Center],
        SoundChannels::Stereo => vec![Speaker::Left, Speaker::Right],
    };
    Ok(Pcm { rate: pcm.rate, speakers: Some(speakers), planes: (0..sides).map(plane).collect() })
}

/// How much of a channel goes to the left and to the right side, in a sound of `count` channels.
fn gains(speaker: Speaker, count: usize) -> Option<[f64; 2]> {
    Some(match speaker {
        Speaker::Center if count == 1 => [1.0, 1.0],
        Speaker::Left => [1.0, 0.0],
        Speaker::Right => [0.0, 1.0],
        Speaker::Center => [FRAC_1_SQRT_2; 2],
        Speaker::LeftSurround => [FRAC_1_SQRT_2, 0.0],
        Speaker::RightSurround => [0.0, FRAC_1_SQRT_2],
        Speaker::BackCenter => [0.5, 0.5],
        Speaker::LowFrequency => [0.0, 0.0],
        Speaker::Elsewhere => return None,
    })
}
