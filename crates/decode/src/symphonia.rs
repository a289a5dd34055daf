//! OGG Vorbis, MP3, FLAC and WAV, decoded packet by packet.

use std::io::{Cursor, ErrorKind};
use std::ops::ControlFlow;

use symphonia::core::codecs::audio::well_known::{CODEC_ID_FLAC, CODEC_ID_MP3, CODEC_ID_VORBIS};
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream};
use symphonia::core::meta::MetadataOptions;

use crate::DecodeError;
use crate::form::SampleForm;
use crate::samples::append;
use crate::sound::SoundFile;
#[cfg(feature = "wav")]
use crate::spliced::Spliced;
#[cfg(feature = "wav")]
use crate::wav::{UnreadableWav, Wav};
use rres_format::SoundFormat;

impl<'a> SoundFile<'a> {
    /// Reads the head of a file of this format, whose decoder is enabled.
    pub(crate) fn open_with_symphonia(file: &'a [u8], format: SoundFormat) -> Result<Self, DecodeError> {
        let mut sound = Self { format, file, sample_rate: 1, channels: 1, natural_form: SampleForm::I16 };
        #[cfg(feature = "wav")]
        if format == SoundFormat::Wav {
            sound.check_wav()?;
        }
        let (_, _, params) = sound.probe()?;
        let channels = params.channels.as_ref().map_or(0, |channels| channels.count());
        let rate = params.sample_rate.unwrap_or(0);
        if rate == 0 || !(1..=255).contains(&channels) {
            return Err(sound.damaged("its head", format!("it has {channels} channels at {rate} Hz")));
        }
        if matches!(format, SoundFormat::Flac | SoundFormat::Wav) {
            sound.natural_form = match params.bits_per_sample {
                Some(..=8) => SampleForm::U8,
                Some(9..=16) => SampleForm::I16,
                _ => SampleForm::F32,
            };
        }
        (sound.sample_rate, sound.channels) = (rate, channels as u32);
        Ok(sound)
    }

    /// The number of frames in the head of a file, if that is what was encoded; 0 if it is only an estimate or not known.
    pub(crate) fn frames_in_head(&self) -> Result<u64, DecodeError> {
        match self.format {
            SoundFormat::Flac | SoundFormat::Wav => {}
            _ => return Ok(0),
        }
        let (reader, ..) = self.probe()?;
        Ok(reader.default_track(TrackType::Audio).and_then(|track| track.num_frames).unwrap_or(0))
    }

    /// What an Ogg file of Vorbis states about its length, and the frames of its packets, which are not decoded.
    #[cfg(feature = "ogg")]
    pub(crate) fn lengths(&self) -> Result<Lengths, DecodeError> {
        let (mut reader, track, params) = self.probe()?;
        let found = reader.tracks().iter().find(|found| found.id == track);
        let found = found.ok_or_else(|| self.other_codec())?;
        let (delay, end) = (found.delay.unwrap_or(0), found.num_frames);
        let start = found.start_ts.get().saturating_add(delay.into());
        // The identification, which ends with the two sizes of blocks and a flag.
        let sizes = params.extra_data.as_ref().and_then(|head| head.get(28)).copied().unwrap_or(0);
        let mut frames = 0u64;
        loop {
            match reader.next_packet() {
                Ok(Some(packet)) if packet.track_id == track => {
                    frames = frames.saturating_add(packet.block_dur().get());
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(Error::IoError(e)) if e.kind() == ErrorKind::UnexpectedEof => {
                    self.check_end()?;
                    break;
                }
                Err(e) => return Err(self.explain("its packets", &e)),
            }
        }
        Ok(Lengths { frames, delay, start, end, long_block: 1 << (sizes >> 4) })
    }

    /// Passes the samples of each packet to `take`, until that breaks.
    pub(crate) fn each_packet_of_symphonia(
        &self,
        form: SampleForm,
        trims: bool,
        mut take: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), DecodeError> {
        let mut reader = self.packet_reader(self.source(), trims)?;
        let mut samples = Vec::new();
        loop {
            samples.clear();
            match reader.next(form, &mut samples)? {
                Next::Packet if samples.is_empty() => {}
                Next::Packet if take(&samples).is_break() => return Ok(()),
                Next::Packet => {}
                Next::End => return Ok(()),
                Next::Missing => return self.check_end(),
            }
        }
    }

    /// Starts to decode `source`, which is this file or consists of parts of it.
    pub(crate) fn packet_reader<'b>(
        &self,
        source: Box<dyn MediaSource + 'b>,
        trims: bool,
    ) -> Result<PacketReader<'b>, DecodeError> {
        let (reader, track, params) = self.probe_source(source)?;
        let options = AudioDecoderOptions::default().gapless(trims);
        let decoder = symphonia::default::get_codecs()
            .make_audio_decoder(&params, &options)
            .map_err(|e| explain(self.format, "its head", &e))?;
        let Self { format, sample_rate, channels, .. } = *self;
        Ok(PacketReader { reader, decoder, track, format, sample_rate, channels, packet: Box::default() })
    }

    fn probe(&self) -> Result<(Box<dyn FormatReader + 'a>, u32, AudioCodecParameters), DecodeError> {
        self.probe_source(self.source())
    }

    /// The file as its decoder reads it from the start.
    fn source(&self) -> Box<dyn MediaSource + 'a> {
        #[cfg(feature = "wav")]
        if self.format == SoundFormat::Wav
            && let Ok(wav) = Wav::read(self.file)
        {
            return Box::new(Spliced::new(wav.head().into(), self.file, wav.data_start()));
        }
        Box::new(Cursor::new(self.file))
    }

    /// Whether a WAV can be given to its decoder.
    #[cfg(feature = "wav")]
    fn check_wav(&self) -> Result<(), DecodeError> {
        match Wav::read(self.file).map(|wav| wav.frame()) {
            // symphonia multiplies the two in 16 bits, which must not overflow.
            Ok(Some((channels, bits))) if !(1..=255).contains(&channels) || bits > 64 => {
                Err(self.damaged("its head", format!("it has {channels} channels of {bits} bits")))
            }
            Err(UnreadableWav::Incomplete) => {
                Err(self.damaged("its head", "it has no chunk \"fmt \" or \"data\"".to_owned()))
            }
            Err(UnreadableWav::Cut) => Err(DecodeError::EndsEarly { format: self.format.name() }),
            Ok(_) => Ok(()),
        }
    }

    fn probe_source<'b>(
        &self,
        source: Box<dyn MediaSource + 'b>,
    ) -> Result<(Box<dyn FormatReader + 'b>, u32, AudioCodecParameters), DecodeError> {
        let stream = MediaSourceStream::new(source, Default::default());
        let (extension, codec) = match self.format {
            SoundFormat::Ogg => ("ogg", Some(CODEC_ID_VORBIS)),
            SoundFormat::Mp3 => ("mp3", Some(CODEC_ID_MP3)),
            SoundFormat::Flac => ("flac", Some(CODEC_ID_FLAC)),
            // Each form of samples is a codec.
            SoundFormat::Wav => ("wav", None),
            _ => return Err(DecodeError::no_decoder(self.format)),
        };
        let mut hint = Hint::new();
        hint.with_extension(extension);
        let reader = symphonia::default::get_probe()
            .probe(&hint, stream, FormatOptions::default(), MetadataOptions::default())
            .map_err(|e| if self.has_other_codec() { self.other_codec() } else { self.explain("its head", &e) })?;
        let track = reader.default_track(TrackType::Audio);
        let params = track.and_then(|track| Some((track.id, track.codec_params.as_ref()?.audio()?.clone())));
        match params {
            Some((track, params)) if codec.is_none_or(|codec| codec == params.codec) => Ok((reader, track, params)),
            _ => Err(self.other_codec()),
        }
    }

    /// Whether the first packet of an Ogg file is not the head of Vorbis. symphonia reads on to the end of the file then.
    fn has_other_codec(&self) -> bool {
        let start = self.file.get(26).map_or(0, |parts| 27 + usize::from(*parts));
        let packet = self.file.get(start..start + 7);
        self.format == SoundFormat::Ogg && packet.is_some_and(|packet| packet != b"\x01vorbis")
    }

    fn other_codec(&self) -> DecodeError {
        let detail = "the sound in it has another codec".to_owned();
        DecodeError::Unsupported { format: self.format.name(), detail }
    }

    /// Whether only the mark of the end is missing where the packets end.
    fn check_end(&self) -> Result<(), DecodeError> {
        #[cfg(feature = "ogg")]
        if self.format == SoundFormat::Ogg && !crate::pages_are_whole(self.file) {
            return Err(DecodeError::EndsEarly { format: self.format.name() });
        }
        Ok(())
    }

    fn explain(&self, part: &'static str, error: &Error) -> DecodeError {
        explain(self.format, part, error)
    }

    fn damaged(&self, part: &'static str, detail: String) -> DecodeError {
        damaged(self.format, part, detail)
    }
}

/// The lengths of an Ogg file of Vorbis, in frames.
#[cfg(feature = "ogg")]
pub(crate) struct Lengths {
    /// What the decoder makes of all packets.
    pub(crate) frames: u64,
    /// What it makes of the first packet, which only prepares the second.
    pub(crate) delay: u32,
    /// The position of the first frame after it.
    pub(crate) start: i64,
    /// The position in the page with the mark of the end, if there is one.
    pub(crate) end: Option<u64>,
    /// The size of a long block.
    pub(crate) long_block: u64,
}

/// A decoder and the packets that it decodes.
pub(crate) struct PacketReader<'a> {
    reader: Box<dyn FormatReader + 'a>,
    decoder: Box<dyn AudioDecoder>,
    track: u32,
    format: SoundFormat,
    sample_rate: u32,
    channels: u32,
    /// The bytes of the last packet.
    packet: Box<[u8]>,
}

/// What comes next in a file.
pub(crate) enum Next {
    /// A packet, which may have no samples.
    Packet,
    End,
    /// Bytes are missing, perhaps only the mark of the end.
    Missing,
}

impl PacketReader<'_> {
    /// Appends the samples of the next packet to `out`.
    pub(crate) fn next(&mut self, form: SampleForm, out: &mut Vec<u8>) -> Result<Next, DecodeError> {
        let packet = loop {
            match self.reader.next_packet() {
                Ok(Some(packet)) if packet.track_id == self.track => break packet,
                Ok(Some(_)) => {}
                Ok(None) => return Ok(Next::End),
                Err(Error::IoError(e)) if e.kind() == ErrorKind::UnexpectedEof => return Ok(Next::Missing),
                Err(e) => return Err(explain(self.format, "its packets", &e)),
            }
        };
        let buffer = self.decoder.decode(&packet).map_err(|e| explain(self.format, "its samples", &e))?;
        if !buffer.is_empty() {
            let (rate, channels) = (buffer.spec().rate(), buffer.num_planes());
            if rate != self.sample_rate || channels != self.channels as usize {
                let detail = format!(
                    "it changes from {} channels at {} Hz to {channels} at {rate} Hz",
                    self.channels, self.sample_rate
                );
                return Err(damaged(self.format, "its samples", detail));
            }
            append(&buffer, form, out);
        }
        self.packet = packet.data;
        Ok(Next::Packet)
    }

    /// The bytes of the last packet.
    pub(crate) fn packet(&self) -> &[u8] {
        &self.packet
    }
}

fn explain(format: SoundFormat, part: &'static str, error: &Error) -> DecodeError {
    match error {
        Error::Unsupported(what) => DecodeError::Unsupported { format: format.name(), detail: (*what).to_owned() },
        error => damaged(format, part, error.to_string()),
    }
}

fn damaged(format: SoundFormat, part: &'static str, detail: String) -> DecodeError {
    let detail = detail.trim_start_matches("malformed stream: ").trim_end_matches('.').to_owned();
    DecodeError::Damaged { format: format.name(), part, detail }
}

#[cfg(all(test, feature = "wav"))]
mod tests {
    use super::*;

    const FORMAT: &[u8] = b"fmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0";

    #[test]
    fn frames_that_the_decoder_cannot_count_are_refused() {
        let format = b"fmt \x10\0\0\0\x01\0\xff\xff\x22\x56\0\0\x88\x58\x01\0\x04\0\xff\xff";
        let wav = [&b"RIFF\x30\0\0\0WAVE"[..], format, b"data\x04\0\0\0abcd"].concat();
        assert!(matches!(SoundFile::open(&wav), Err(DecodeError::Damaged { .. })));
    }

    /// A build reads these files, too.
    #[test]
    fn a_wav_without_a_size_extends_to_the_end_of_the_file() {
        let samples: Vec<u8> = (0..5000u16).flat_map(u16::to_le_bytes).collect();
        for size in [0u32, 0x7fff_f000, 0x7fff_ffff, 0xffff_f000, u32::MAX - 1, u32::MAX] {
            let size = size.to_le_bytes();
            let wav = [b"RIFF", &size[..], b"WAVE", FORMAT, b"LIST\x05\0\0\0INFO\0\0data", &size, &samples].concat();
            let file = SoundFile::open(&wav).unwrap();
            assert_eq!((file.count_frames().unwrap(), file.stated_frames().unwrap()), (5000, Some(5000)), "{size:?}");
            assert!(file.decode(SampleForm::I16, true, 1 << 20).unwrap() == samples);
            let mut part = vec![0; 200];
            file.decode_into(4900, SampleForm::I16, &mut part).unwrap();
            assert!(part == samples[9800..]);
            let mut stream = super::super::SoundStream::open(std::sync::Arc::<[u8]>::from(wav.as_slice())).unwrap();
            let mut streamed = Vec::new();
            while let Some(samples) = stream.next_packet().unwrap() {
                streamed.extend_from_slice(samples);
            }
            assert!(streamed == samples, "{size:?}");
        }
    }
}
