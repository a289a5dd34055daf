//! Sounds: a file that a browser plays, whole if it fits, or else its beginning or fewer samples.

use rres_runtime::Sound;
use rres_runtime::asset::Samples;
use serde_json::{Value, json};

use super::{Preview, base64};

/// The beginning of a compressed file is not worth hearing below this number of bytes.
const SHORTEST_FILE: usize = 12_000;

/// The rates of smaller forms, in frames per second: what speech needs, and what a telephone has.
const RATES: [u32; 2] = [22_050, 11_025];

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
    Preview::of(value)
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
    fn the_header_is_one_that_others_read() {
        let file = mono(11_025, &[128, 255, 0]);
        let mut reader = hound::WavReader::new(&file[..]).unwrap();
        assert_eq!((reader.spec().channels, reader.spec().sample_rate, reader.spec().bits_per_sample), (1, 11_025, 8));
        assert_eq!(reader.samples::<i8>().map(Result::unwrap).collect::<Vec<_>>(), [0, 127, -128]);
    }
}
