//! Sounds → files that macroquad plays: OGG with Vorbis, and WAV with samples, of one or two channels. It panics at all others.

use std::borrow::Cow;

use rres_runtime::Sound;
use rres_runtime::asset::Samples;

use crate::error::{Error, ErrorKind};

/// The file that a pack keeps, if macroquad plays it, or a WAV file.
pub(crate) fn file(sound: &Sound) -> Result<Cow<'_, [u8]>, Error> {
    let Samples::Encoded { bytes, .. } = sound.samples() else {
        return wave(sound);
    };
    if let Some(channels) = vorbis_channels(bytes).or_else(|| wave_channels(bytes)) {
        check(channels)?;
        return Ok(bytes.into());
    }
    let decoded = sound.decoded().map_err(|error| Error::new(ErrorKind::Encoded(error)))?;
    Ok(wave(&decoded)?.into_owned().into())
}

fn wave(sound: &Sound) -> Result<Cow<'_, [u8]>, Error> {
    check(sound.channels())?;
    sound.to_wav().ok_or_else(|| Error::new(ErrorKind::Length))
}

fn check(channels: u32) -> Result<(), Error> {
    match channels {
        1 | 2 => Ok(()),
        other => Err(Error::new(ErrorKind::Channels(other))),
    }
}

/// The channels of an OGG file with Vorbis; `None` for others, such as Opus. The first packet says what it is, and begins in the first page.
fn vorbis_channels(file: &[u8]) -> Option<u32> {
    let page = file.strip_prefix(b"OggS")?;
    let segments = usize::from(*page.get(22)?);
    let packet = page.get(23 + segments..)?;
    let head = packet.strip_prefix(b"\x01vorbis")?;
    head.get(4).map(|channels| (*channels).into())
}

/// The channels of a WAV file that macroquad plays; `None` for others. Its reader takes whole numbers of 8, 16, 24 and 32 bits and floats of 32, with a
/// head whose extension is empty, and exactly as many bytes as that promises.
fn wave_channels(file: &[u8]) -> Option<u32> {
    const WHOLE_NUMBERS: u16 = 1;
    const FLOATS: u16 = 3;
    let mut rest = file.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WAVE")?;
    let mut head = None;
    loop {
        let (name, after) = rest.split_first_chunk::<4>()?;
        let (size, after) = after.split_first_chunk::<4>()?;
        let size = u32::from_le_bytes(*size) as usize;
        let body = after.get(..size)?;
        match name {
            b"fmt " => {
                let (words, []) = body.as_chunks::<2>() else { return None };
                let words: Vec<u16> = words.iter().map(|word| u16::from_le_bytes(*word)).collect();
                let ([codec, channels, _, _, _, _, frame_size, bits]
                | [codec, channels, _, _, _, _, frame_size, bits, 0]) = words[..]
                else {
                    return None;
                };
                let is_read = match codec {
                    WHOLE_NUMBERS => matches!(bits, 8 | 16 | 24) || bits == 32 && words.len() == 8,
                    FLOATS => bits == 32,
                    _ => false,
                };
                head = Some((channels, frame_size))
                    .filter(|_| is_read && u32::from(frame_size) == u32::from(channels) * u32::from(bits / 8));
                head?;
            }
            b"data" => {
                let (channels, frame_size) = head?;
                let is_whole = size > 0 && size.is_multiple_of(usize::from(frame_size));
                return is_whole.then_some(channels.into());
            }
            _ => {}
        }
        rest = after.get(size.checked_add(size % 2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use rres_format::chunk::raw::raw_block;
    use rres_format::chunk::wave::WaveProps;
    use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
    use rres_runtime::{Id, PackOptions, Store};

    const VORBIS: &[u8] = include_bytes!("../../../crates/test-data/fixtures/sound/stereo.ogg");
    const OPUS: &[u8] = include_bytes!("../../../crates/test-data/fixtures/sound/opus.ogg");
    const ADPCM: &[u8] = include_bytes!("../../../crates/test-data/fixtures/sound/ima.wav");

    fn sound(kind: FourCc, block: &[u8]) -> Arc<Sound> {
        let chunk = StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap();
        let mut pack = PackBuilder::new();
        pack.push(Resource::new("a.ogg", vec![chunk]).with_kind(AssetKind::Sound));
        let store = Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()]);
        store.load(Id::<Sound>::from_path("a.ogg")).unwrap().get()
    }

    fn kept(bytes: &[u8], extension: &str) -> Arc<Sound> {
        sound(FourCc::RAWD, &raw_block(extension, bytes))
    }

    fn samples(channels: u32) -> Arc<Sound> {
        let props = WaveProps { frames: 2, sample_rate: 8000, sample_size: 16, channels };
        sound(FourCc::WAVE, &props.block(&vec![0; channels as usize * 4]))
    }

    #[test]
    fn files_that_macroquad_plays_are_passed_on() {
        assert_eq!(*file(&kept(VORBIS, ".ogg")).unwrap(), *VORBIS);
        let wave = file(&samples(2)).unwrap().into_owned();
        assert_eq!(wave_channels(&wave), Some(2));
        assert_eq!(*file(&kept(&wave, ".wav")).unwrap(), wave);
        // Of others, macroquad's reader would panic.
        let changed = |at: usize, bytes: &[u8]| {
            let mut other = wave.clone();
            other[at..at + bytes.len()].copy_from_slice(bytes);
            wave_channels(&other)
        };
        assert_eq!(&wave[36..40], b"data");
        assert_eq!(changed(40, &[0xff; 4]), None, "a file that was written to a pipe");
        assert_eq!(changed(40, &[0; 4]), None);
        assert_eq!(changed(34, &[20, 0]), None, "20 bits");
        assert_eq!(changed(20, &[0xfe, 0xff]), None, "a codec that is named elsewhere");
        assert_eq!(changed(20, &[3, 0]), None, "floats of 16 bits");
        assert_eq!(changed(22, &[0, 0]), None, "no channels");
        assert_eq!(wave_channels(&wave[..wave.len() - 1]), None);
    }

    #[test]
    fn other_files_are_decoded_or_an_error() {
        // What the program has a decoder for is a feature of the runtime.
        for (bytes, extension) in [(OPUS, ".ogg"), (ADPCM, ".wav")] {
            match file(&kept(bytes, extension)) {
                Ok(file) => assert_eq!(wave_channels(&file), Some(1), "{extension}"),
                Err(error) => assert!(matches!(error.kind(), ErrorKind::Encoded(_)), "{error}"),
            }
        }
        // The file may end anywhere.
        assert!((0..VORBIS.len().min(64)).all(|end| vorbis_channels(&VORBIS[..end]).is_none_or(|found| found == 2)));
        assert!((0..ADPCM.len().min(64)).all(|end| wave_channels(&ADPCM[..end]).is_none()));
    }

    #[test]
    fn more_than_two_channels_are_an_error() {
        assert!(file(&samples(1)).is_ok());
        let error = file(&samples(6)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Channels(6)), "{error}");
        assert!(error.to_string().contains("sound.channels = \"stereo\""), "{error}");
        let mut many = VORBIS.to_vec();
        many[39] = 6;
        assert!(matches!(file(&kept(&many, ".ogg")).unwrap_err().kind(), ErrorKind::Channels(6)));
    }
}
