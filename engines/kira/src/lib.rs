//! Sounds of rres packs for [kira]: with their gain and their loop. `rres-runtime` decodes them, so kira needs no decoder.
//!
//! | | for |
//! |---|---|
//! | [`static_sound`] | effects: all frames in memory, 8 bytes each |
//! | [`streaming_sound`] | music: decoded while it plays |
//!
//! ```
//! use kira::{AudioManager, DefaultBackend};
//! use rres_runtime::Sound;
//!
//! fn play<B: kira::backend::Backend>(manager: &mut AudioManager<B>, hit: &Sound, music: &Sound) -> Result<(), Box<dyn std::error::Error>> {
//!     manager.play(rres_kira::static_sound(hit)?)?;
//!     manager.play(rres_kira::streaming_sound(music)?)?;
//!     Ok(())
//! }
//! ```

mod decoder;

use kira::Frame;
use kira::sound::static_sound::{StaticSoundData, StaticSoundSettings};
use kira::sound::streaming::{StreamingSoundData, StreamingSoundSettings};
use kira::sound::{EndPosition, PlaybackPosition, Region};
use rres_runtime::{DecodeError, Error, Sound};

/// Makes a sound whose frames are in memory. Of more than two channels, the first two are played.
///
/// # Errors
/// If the pack keeps the sound as a file, and the program lacks the feature of `rres-runtime` that decodes it, or the file is damaged.
pub fn static_sound(sound: &Sound) -> Result<StaticSoundData, Error> {
    let decoded;
    let samples = match sound.samples().to_f32() {
        Some(samples) => samples,
        None => {
            decoded = sound.decoded()?;
            decoded.samples().to_f32().expect("a sound that was decoded has samples")
        }
    };
    Ok(StaticSoundData {
        sample_rate: sound.sample_rate(),
        frames: samples.chunks_exact(sound.channels().max(1) as usize).map(frame).collect(),
        settings: StaticSoundSettings::new().volume(sound.gain()).loop_region(loop_region(sound)),
        slice: None,
    })
}

/// Makes a sound that is decoded while it plays. It shares the bytes of the asset. Of more than two channels, the first two are played.
///
/// # Errors
/// If the pack keeps the sound as a file, and the program lacks the feature of `rres-runtime` that decodes it. Damage in the middle of the
/// file stops the sound when that part is played: `pop_error` of kira's handle returns it.
pub fn streaming_sound(sound: &Sound) -> Result<StreamingSoundData<DecodeError>, Error> {
    // Decoding it as a whole tells why it cannot be decoded.
    let reader = match sound.reader() {
        Some(reader) => reader,
        None => sound.decoded()?.reader().expect("a sound that was decoded has samples"),
    };
    let settings = StreamingSoundSettings::new().volume(sound.gain()).loop_region(loop_region(sound));
    Ok(StreamingSoundData::from_decoder(decoder::Decoder::new(reader)).with_settings(settings))
}

/// The frames that a looped sound repeats.
fn loop_region(sound: &Sound) -> Option<Region> {
    let position = |frame: u64| PlaybackPosition::Samples(usize::try_from(frame).unwrap_or(usize::MAX));
    sound.is_looped().then(|| match sound.loop_points() {
        Some(points) => Region { start: position(points.start), end: EndPosition::Custom(position(points.end)) },
        None => Region { start: position(0), end: EndPosition::EndOfAudio },
    })
}

/// A frame of interleaved samples, of which mono goes to both sides.
fn frame(samples: &[f32]) -> Frame {
    Frame::new(samples[0], samples.get(1).copied().unwrap_or(samples[0]))
}
