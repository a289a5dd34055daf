//! Sounds: a file that a browser plays, whole if it fits, or else its beginning or fewer samples.

use std::fmt::Write;

use rres_runtime::Sound;
use rres_runtime::asset::Samples;
use serde_json::{Value, json};

use super::{Preview, base64, data_uri};

/// The beginning of a compressed file is not worth hearing below this number of bytes.
const SHORTEST_FILE: usize = 12_000;

/// The rates of smaller forms, in frames per second: what speech needs, and what a telephone has.
const RATES: [u32; 2] = [22_050, 11_025];

/// The number of bars of the picture of a wave.
const BARS: usize = 64;

/// The most bytes of samples that are decoded for the picture.
const MOST_DECODED: u64 = 256 << 20;

pub(super) fn preview(sound: &Sound, share: usize) -> Preview {
    // Base 64 has four characters for three bytes.
    let limit = share / 4 * 3;
    let mut value = json!({
        "type": "sound",
        "frames": sound.frames(),
        "sample_rate": sound.sample_rate(),
        "channels": sound.channels(),
        "seconds": sound.duration().as_secs_f64(),
        "gain": sound.gain(),
        "looped": sound.is_looped(),
    });
    let (form, file, note) = match sound.samples() {
        Samples::Encoded { extension, bytes } => {
            (extension.to_owned(), beginning(bytes, limit), cut(bytes.len(), limit))
        }
        samples => {
            let form = match samples {
                Samples::U8(_) => "8-bit samples",
                Samples::I16(_) => "16-bit samples",
                _ => "32-bit float samples",
            };
            let (file, note) = wav(sound, limit);
            (form.to_owned(), file, note)
        }
    };
    value["form"] = json!(form);
    value["file"] = file.map_or(Value::Null, |file| json!(base64(&file)));
    value["note"] = json!(note);
    Preview { value, thumbnail: picture(sound) }
}

/// Draws the wave; `None` if the sound has no samples that can be read.
fn picture(sound: &Sound) -> Option<String> {
    let is_encoded = matches!(sound.samples(), Samples::Encoded { .. });
    // The length is that which the index says, or else what so many bytes may be.
    let frames = if sound.frames() > 0 { sound.frames() } else { sound.data().len() as u64 * 20 };
    if is_encoded && frames.saturating_mul(sound.channels().max(1).into()).saturating_mul(4) > MOST_DECODED {
        return None;
    }
    let decoded = sound.decoded().ok()?;
    let peaks = peaks(&decoded.samples().to_f32()?);
    (!peaks.is_empty()).then(|| data_uri("image/svg+xml", wave(&peaks).as_bytes()))
}

/// Returns the loudest sample of each bar, from 0 to 1. A bar is never shorter than a sample.
fn peaks(samples: &[f32]) -> Vec<f32> {
    let loudest = |samples: &[f32]| samples.iter().fold(0f32, |most, sample| most.max(sample.abs())).min(1.0);
    samples.chunks(samples.len().div_ceil(BARS).max(1)).map(loudest).collect()
}

/// Returns a picture of bars, which may be stretched.
fn wave(peaks: &[f32]) -> String {
    let mut path = String::new();
    for (at, peak) in peaks.iter().enumerate() {
        // Silence is a thin line.
        let half = ((peak * 31.0) as u32).max(1);
        _ = write!(path, "M{} {}v{}", at * 2 + 1, 32 - half, half * 2);
    }
    let width = peaks.len() * 2;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"64\" viewBox=\"0 0 {width} 64\" \
         preserveAspectRatio=\"none\"><path d=\"{path}\" stroke=\"#c47d52\" stroke-width=\"1.4\"/></svg>"
    )
}

/// Returns the beginning of a compressed file. Decoders play it up to where it ends.
fn beginning(file: &[u8], limit: usize) -> Option<Vec<u8>> {
    (file.len() <= limit || limit >= SHORTEST_FILE).then(|| file[..file.len().min(limit)].to_vec())
}

fn cut(len: usize, limit: usize) -> Option<String> {
    let kilobytes = |bytes: usize| rres_settings::ByteSize(bytes as u64).to_string();
    match limit {
        _ if len <= limit => None,
        SHORTEST_FILE.. => Some(format!("the first {} of {}", kilobytes(limit), kilobytes(len))),
        _ => Some("left out for its size; make the page with --previews full".to_owned()),
    }
}

/// Returns a `.wav` file of at most `limit` bytes, and what it lacks.
fn wav(sound: &Sound, limit: usize) -> (Option<Vec<u8>>, Option<String>) {
    if sound.data().len() <= limit
        && let Ok(contents) = rres_export::wav(sound)
    {
        return (Some(contents.bytes.into_owned()), None);
    }
    let Some(samples) = sound.samples().to_f32() else { return (None, None) };
    let channels = sound.channels().max(1) as usize;
    let frames = samples.len() / channels;
    // The highest rate at which everything fits, or else the beginning at the lowest.
    let smaller = |rate: u32| (sound.sample_rate() / rate).max(1) as usize;
    let step = RATES.iter().map(|rate| smaller(*rate)).find(|step| frames / step <= limit);
    let (step, is_whole) = (step.unwrap_or_else(|| smaller(RATES[1])), step.is_some());
    let mut bytes = Vec::with_capacity((frames / step).min(limit));
    for group in samples.chunks_exact(channels * step).take(limit) {
        let average = group.iter().sum::<f32>() / group.len() as f32;
        bytes.push((average.clamp(-1.0, 1.0) * 127.0 + 128.0) as u8);
    }
    let rate = sound.sample_rate() / step as u32;
    let seconds = bytes.len() as f64 / f64::from(rate.max(1));
    let part = if is_whole { "all of it".to_owned() } else { format!("the first {seconds:.1} s") };
    let note = format!("{part}, in one channel of 8 bits at {:.1} kHz", f64::from(rate) / 1000.0);
    (Some(mono(rate, &bytes)), Some(note))
}

/// Returns a `.wav` file of one channel of 8 bits.
fn mono(rate: u32, samples: &[u8]) -> Vec<u8> {
    let len = samples.len() as u32;
    let mut file = b"RIFF".to_vec();
    file.extend((36 + len + len % 2).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend([16u32, 1 | 1 << 16, rate, rate, 1 | 8 << 16].iter().flat_map(|number| number.to_le_bytes()));
    file.extend(b"data");
    file.extend(len.to_le_bytes());
    file.extend(samples);
    file.resize(file.len() + samples.len() % 2, 0);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_has_a_bar_for_each_part_of_the_sound() {
        let peaks = peaks(&[[0.0; 100], [-0.5; 100], [2.0; 100]].concat());
        assert_eq!((peaks.len(), peaks[0], peaks[30], peaks[59]), (60, 0.0, 0.5, 1.0));
        let picture = wave(&[0.0, 0.5, 1.0]);
        assert!(picture.contains("d=\"M1 31v2M3 17v30M5 1v62\""), "{picture}");
        assert!(super::peaks(&[]).is_empty());
    }

    #[test]
    fn the_header_is_one_that_others_read() {
        let file = mono(11_025, &[128, 255, 0]);
        let mut reader = hound::WavReader::new(&file[..]).unwrap();
        assert_eq!((reader.spec().channels, reader.spec().sample_rate, reader.spec().bits_per_sample), (1, 11_025, 8));
        assert_eq!(reader.samples::<i8>().map(Result::unwrap).collect::<Vec<_>>(), [0, 127, -128]);
    }
}
