//! Formats that symphonia reads → samples, after checking that no frame is missing.
//!
//! symphonia skips whatever it cannot read. So the number of decoded frames is compared with the number that the file
//! states, and the samples of a FLAC with its checksum. A difference is an error.

mod count;
mod decoded;

use std::borrow::Cow;
use std::io::{Cursor, ErrorKind};
use std::ops::Range;

use rres_decode::{DecodeError, Extent, SoundFile, UnreadableWav, Wav, append_samples, pages_are_whole};
use rres_format::Limits;
use rres_import::Note;
use rres_settings::SampleFormat;
use symphonia::core::codecs::audio::well_known::{
    CODEC_ID_AAC, CODEC_ID_ADPCM_IMA_WAV, CODEC_ID_ADPCM_MS, CODEC_ID_ALAC, CODEC_ID_MP3, CODEC_ID_VORBIS,
};
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::{MetadataOptions, RawValue};

pub(super) use decoded::Decoded;

use super::cues::Cues;
use super::samples::{self, HEAD};
use super::speakers::{self, Speaker, speakers};
use super::unreadable::{Unreadable, plain};
use super::{Content, ImportError, adts, aiff, caf, first_bytes, mp3, mp4, ogg, qoa};

/// The name of the codec that symphonia does not decode.
const OPUS: &str = "Opus";

/// Whether the content can be decoded.
pub(super) fn is_supported(content: Content, bytes: &[u8]) -> bool {
    match content {
        Content::Wav | Content::Aiff | Content::Flac | Content::Mp3 | Content::Mp4 | Content::Qoa => true,
        Content::Ogg => matches!(ogg::codec(bytes), Some("Vorbis" | "FLAC" | OPUS) | None),
        Content::Caf => caf::codec(bytes).is_none_or(|(_, is_decoded)| is_decoded),
        Content::Adts => adts::unsupported(&bytes[mp3::without_id3(bytes)]).is_none(),
        _ => false,
    }
}

/// The codec or the container, without article.
pub(super) fn codec_name(content: Content, bytes: &[u8]) -> String {
    match content {
        Content::Ogg => format!("OGG {}", ogg::codec(bytes).unwrap_or("stream")),
        Content::Caf => caf::codec(bytes).map_or_else(|| "CAF".to_owned(), |(codec, _)| format!("CAF with {codec}")),
        Content::Adts => adts::unsupported(&bytes[mp3::without_id3(bytes)]).unwrap_or_else(|| "AAC stream".to_owned()),
        other => other.name().split_once(' ').map_or(other.name(), |(_, name)| name).to_owned(),
    }
}

/// Whether a codec loses detail, and makes samples without a depth of their own.
fn is_lossy(params: &AudioCodecParameters) -> bool {
    matches!(params.codec, CODEC_ID_VORBIS | CODEC_ID_MP3 | CODEC_ID_AAC | CODEC_ID_ADPCM_MS | CODEC_ID_ADPCM_IMA_WAV)
}

/// What a container says about a codec.
fn config(params: &AudioCodecParameters) -> &[u8] {
    params.extra_data.as_deref().unwrap_or_default()
}

/// The properties that are known before decoding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) rate: u32,
    pub(super) channels: u32,
    /// The number of frames that the file states; `None` if it is only an estimate.
    pub(super) frames: Option<u64>,
    /// The frames that a decoder, which does not trim, makes before the first one of the sound.
    pub(super) skip: u32,
    /// Whether the codec has lost detail.
    pub(super) is_lossy: bool,
}

/// A file whose headers have been read.
pub(super) struct Opened<'a> {
    format: Box<dyn FormatReader + 'a>,
    track: u32,
    params: AudioCodecParameters,
    pub(super) head: Head,
    /// What the file says about places in it.
    pub(super) cues: Cues,
    /// What a user should know about its head.
    pub(super) note: Option<Note>,
}

/// One file, which can be opened several times.
pub(super) struct Input<'a> {
    /// The bytes without ID3 tags; of a WAV only its format and samples.
    bytes: Cow<'a, [u8]>,
    /// What iTunes says about the ends of an MP3.
    itunes: Option<mp3::Itunes>,
    /// Channels of a WAV or an AIFF, and bits of each.
    pcm_frame: Option<(u16, u16)>,
    /// The speakers of a format whose decoder does not know them, if the file names them.
    speakers: Option<Option<Vec<Speaker>>>,
    /// Places in a WAV or an AIFF.
    cues: Cues,
    /// Why a WAV, a CAF or an AAC stream cannot be read.
    unreadable: Option<Unreadable>,
    /// The decoded frames that are the sound, if a CAF or an AAC stream says so.
    sound: Option<Range<u64>>,
    /// Whether `bytes` are samples that were made of a codec which has lost detail.
    was_lossy: bool,
    /// The extension that files like `bytes` have.
    extension: &'static str,
    /// What a user should know about the file.
    pub(super) notes: Vec<Note>,
    content: Content,
    /// Its name in messages.
    name: &'a str,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8], content: Content, name: &'a str) -> Self {
        let mut input = Self {
            bytes: bytes.into(),
            itunes: None,
            pcm_frame: None,
            speakers: None,
            cues: Cues::default(),
            unreadable: None,
            sound: None,
            was_lossy: false,
            extension: match content {
                Content::Wav => "wav",
                Content::Aiff => "aiff",
                Content::Caf => "caf",
                Content::Mp4 => "m4a",
                Content::Adts => "aac",
                Content::Ogg => "ogg",
                Content::Flac => "flac",
                _ => "mp3",
            },
            notes: Vec::new(),
            content,
            name,
        };
        match content {
            Content::Mp3 | Content::Flac => {
                let sound = mp3::without_id3(bytes);
                input.itunes = mp3::Itunes::read(&bytes[..sound.start]);
                input.bytes = bytes[sound].into();
            }
            Content::Wav => match Wav::read(bytes) {
                Ok(wav) => {
                    input.pcm_frame = wav.frame();
                    let channels = input.pcm_frame.map_or(0, |(channels, _)| channels.into());
                    input.speakers = Some(speakers::of_mask(channels, wav.speaker_mask()));
                    input.bytes = wav.to_bytes().into();
                    input.cues = Cues::of_wav(bytes);
                    if wav.missing() > 0 {
                        let note = Note::new(
                            "the head of the WAV promises more samples than there are; those there are stored",
                        );
                        input.notes.push(note.with_detail(format!("{} bytes more", wav.missing())));
                    }
                }
                Err(UnreadableWav::Cut) => input.unreadable = Some(Unreadable::Cut),
                Err(UnreadableWav::Incomplete) => {}
            },
            Content::Caf if is_supported(content, bytes) => {
                match caf::Caf::read(bytes).and_then(|caf| Ok((caf.to_bytes()?, caf.speakers(), caf.sound))) {
                    Ok(((file, is_wav), speakers, sound)) => {
                        (input.bytes, input.sound) = (file.into(), sound);
                        input.speakers = is_wav.then_some(speakers);
                        input.was_lossy = caf::is_adpcm(bytes);
                        input.extension = if is_wav { "wav" } else { "caf" };
                    }
                    Err(unreadable) => input.unreadable = Some(unreadable),
                }
            }
            Content::Adts => input.read_adts(bytes),
            Content::Qoa => {
                (input.was_lossy, input.extension) = (true, "wav");
                match qoa::to_wav(bytes) {
                    Ok((wav, channels)) => {
                        (input.bytes, input.speakers) = (wav.into(), Some(speakers::of_qoa(channels)));
                    }
                    Err(unreadable) => input.unreadable = Some(unreadable),
                }
            }
            Content::Aiff => {
                input.pcm_frame = aiff::frame(bytes);
                input.cues = Cues::of_aiff(bytes);
            }
            _ => {}
        }
        input
    }

    fn read_adts(&mut self, bytes: &'a [u8]) {
        let bytes = &bytes[mp3::without_id3(bytes)];
        self.bytes = bytes.into();
        match adts::Adts::read(bytes) {
            Ok(adts) => {
                self.bytes = bytes[..adts.end].into();
                self.sound = Some(0..adts.frames);
                self.notes.extend(adts::low_rate_note(adts.rate));
            }
            Err(unreadable) => self.unreadable = Some(unreadable),
        }
    }

    fn unsupported(&self, what: &str) -> ImportError {
        ImportError::new(format!("is {what}, which cannot be decoded here")).with_help(format!(
            "convert it to OGG Vorbis, FLAC or WAV, or keep it as it is with sound = {{ store = \"source\" }} under \
             [\"{}\"] in assets.toml",
            self.name
        ))
    }

    fn probe(&self) -> Result<Box<dyn FormatReader + '_>, ImportError> {
        let stream = MediaSourceStream::new(Box::new(Cursor::new(&*self.bytes)), Default::default());
        let mut hint = Hint::new();
        hint.with_extension(self.extension);
        symphonia::default::get_probe()
            .probe(&hint, stream, FormatOptions::default(), MetadataOptions::default())
            .map_err(|e| self.unreadable(&e))
    }

    /// Reads the headers.
    pub(super) fn open(&self) -> Result<Opened<'_>, ImportError> {
        if !is_supported(self.content, &self.bytes) {
            return Err(self.unsupported(&codec_name(self.content, &self.bytes)));
        }
        match &self.unreadable {
            Some(Unreadable::Cut) => return Err(self.ends_early()),
            Some(Unreadable::Damaged(how)) => return Err(self.damaged(how)),
            None => {}
        }
        if let Some((channels, bits)) = self.pcm_frame
            && (!(1..=255).contains(&channels) || bits > 64)
        {
            // symphonia multiplies the two in 16 bits, which must not overflow.
            return Err(self.damaged(&format!("it has {channels} channels of {bits} bits")));
        }
        let mut format = self.probe()?;
        let cues = self.cues(&mut *format);
        let track = format
            .default_track(TrackType::Audio)
            .ok_or_else(|| ImportError::new(format!("is {} without a sound in it", self.content.name())))?;
        let params = track.codec_params.as_ref().and_then(|params| params.audio());
        let Some(params) = params.cloned() else {
            return Err(self.unsupported("a sound of an unknown codec"));
        };
        let rate = params.sample_rate.unwrap_or(0);
        let channels = params.channels.as_ref().map_or(0, |channels| channels.count());
        if rate == 0 || !(1..=255).contains(&channels) {
            return Err(self.damaged(&format!("it has {channels} channels at {rate} Hz")));
        }
        let mut note = None;
        if self.is_aac_of_a_container(&params) && mp4::says_he_aac(config(&params)).is_none() {
            note = adts::low_rate_note(rate);
        }
        let (skip, frames) = match self.content {
            Content::Mp3 => {
                let mp3::Extent { skip, frames, miscounted } = self.mp3_extent()?;
                note = miscounted.map(|stated| {
                    let topic = "the head of the MP3 counts other packets than there are; all of them are read";
                    Note::new(topic).with_detail(format!("it states {stated} frames"))
                });
                (skip, frames)
            }
            Content::Ogg if self.is_opus() || params.codec == CODEC_ID_VORBIS => {
                let file = SoundFile::open(&self.bytes).map_err(|e| self.explain(&e))?;
                let extent = match file.extent() {
                    Ok(extent) => extent,
                    Err(error) => {
                        // Reading the packets here may tell more.
                        let mut format = self.probe()?;
                        while !self.is_opus() && self.next_packet(&mut *format)?.is_some() {}
                        return Err(self.explain(&error));
                    }
                };
                // Every Ogg file of these codecs has one.
                let Some(Extent { skip, frames, missing }) = extent else { return Err(self.ends_early()) };
                (u32::try_from(skip).unwrap_or(u32::MAX), Some(frames.saturating_add(missing)))
            }
            Content::Flac => (0, track.num_frames.filter(|frames| *frames > 0)),
            Content::Mp4 => {
                let mp4::Edit { skip, frames, most } = mp4::Edit::read(&self.bytes, rate);
                let left = track.num_frames.map(|frames| frames.saturating_sub(skip).min(most.unwrap_or(u64::MAX)));
                let frames = frames.map_or(left, |frames| Some(left.map_or(frames, |left| left.min(frames))));
                (u32::try_from(skip).unwrap_or(u32::MAX), frames)
            }
            Content::Caf | Content::Adts => match &self.sound {
                Some(sound) => (u32::try_from(sound.start).unwrap_or(u32::MAX), Some(sound.end - sound.start)),
                // The last packet of Apple Lossless may be shorter than the others.
                None if params.codec == CODEC_ID_ALAC => (0, None),
                None => (0, track.num_frames),
            },
            _ => (0, track.num_frames),
        };
        let is_lossy = is_lossy(&params) || self.is_opus() || self.was_lossy;
        let (track, head) = (track.id, Head { rate, channels: channels as u32, frames, skip, is_lossy });
        Ok(Opened { format, track, params, head, cues, note })
    }

    /// The places that the file names.
    fn cues(&self, format: &mut dyn FormatReader) -> Cues {
        let mut metadata = format.metadata();
        let Some(revision) = metadata.skip_to_latest().filter(|_| matches!(self.content, Content::Ogg | Content::Flac))
        else {
            return self.cues.clone();
        };
        // Comments belong to the file or to its only stream.
        let tracks = revision.per_track.iter().flat_map(|track| &track.metadata.tags);
        Cues::of_comments(revision.media.tags.iter().chain(tracks).filter_map(|tag| match &tag.raw.value {
            RawValue::String(value) => Some((tag.raw.key.as_str(), value.as_str())),
            _ => None,
        }))
    }

    fn next_packet(
        &self,
        format: &mut dyn FormatReader,
    ) -> Result<Option<symphonia::core::packet::Packet>, ImportError> {
        match format.next_packet() {
            Ok(packet) => Ok(packet),
            // Only the end marker of the last page is missing.
            Err(Error::IoError(e))
                if e.kind() == ErrorKind::UnexpectedEof
                    && self.content == Content::Ogg
                    && pages_are_whole(&self.bytes) =>
            {
                Ok(None)
            }
            Err(Error::ResetRequired) => Err(ImportError::new("is an Ogg file of several streams in a row")
                .with_help("split it, or join the streams in an audio editor")),
            Err(e) => Err(self.unreadable(&e)),
        }
    }

    /// Decodes the whole file, into `sample` or the format that keeps the depth.
    pub(super) fn decode(&self, opened: Opened<'_>, sample: Option<SampleFormat>) -> Result<Decoded, ImportError> {
        if self.is_opus() {
            return self.decode_opus(&opened, sample);
        }
        let Head { frames: expected, skip, .. } = opened.head;
        let mut decoded = self.decode_untrimmed(opened, sample)?;
        decoded.drop_first(skip);
        decoded.shorten(self.checked_frames(expected, decoded.frames.into())?);
        Ok(decoded)
    }

    fn is_aac_of_a_container(&self, params: &AudioCodecParameters) -> bool {
        params.codec == CODEC_ID_AAC && self.content != Content::Adts
    }

    fn is_opus(&self) -> bool {
        self.content == Content::Ogg && ogg::codec(&self.bytes) == Some(OPUS)
    }

    /// Decodes an Opus file, with the decoder of the runtime.
    fn decode_opus(&self, opened: &Opened<'_>, sample: Option<SampleFormat>) -> Result<Decoded, ImportError> {
        let Head { rate, channels, frames: expected, .. } = opened.head;
        let natural = SampleFormat::I16;
        let sample = sample.unwrap_or(natural);
        let file = SoundFile::open(&self.bytes).map_err(|e| self.explain(&e))?;
        let frame_size = file.frame_size(samples::form(sample));
        let samples =
            file.decode(samples::form(sample), true, Limits::DEFAULT.max_decoded).map_err(|e| self.explain(&e))?;
        let frames = samples.len() / frame_size;
        if frames == 0 || frames as u64 != expected.unwrap_or(frames as u64) {
            let expected = expected.unwrap_or(0);
            return Err(self.damaged(&format!("it has {frames} frames, expected {expected}")));
        }
        let mut block = vec![0; HEAD];
        block.extend_from_slice(&samples);
        let speakers = opened.params.channels.as_ref().and_then(speakers);
        // At most 1 GiB of samples.
        Ok(Decoded { rate, channels, frames: frames as u32, sample, natural, speakers, block })
    }

    fn explain(&self, error: &DecodeError) -> ImportError {
        match error {
            DecodeError::TooLarge { .. } => ImportError::new("is too long: its samples are more than 1 GiB")
                .with_help("keep the file as it is with sound = { store = \"source\" } in assets.toml"),
            DecodeError::Unsupported { detail, .. } => {
                self.unsupported(&format!("{} ({detail})", codec_name(self.content, &self.bytes)))
            }
            DecodeError::EndsEarly { .. } => self.ends_early(),
            DecodeError::NoDecoder { format, feature } => {
                let error = ImportError::new(format!(
                    "is an {format} file, and the feature `{feature}` of rres-build is disabled"
                ));
                error.with_help(format!("enable it with `cargo add --build rres-build --features {feature}`"))
            }
            error => ImportError::damaged(error.to_string()),
        }
    }

    /// Decodes everything. symphonia would trim each page of an Ogg file by its position, but only the last one says where to trim.
    fn decode_untrimmed(&self, opened: Opened<'_>, sample: Option<SampleFormat>) -> Result<Decoded, ImportError> {
        let Opened { mut format, track, params, head, .. } = opened;
        if self.is_aac_of_a_container(&params) && mp4::says_he_aac(config(&params)) == Some(true) {
            return Err(self.unsupported("HE-AAC"));
        }
        let options = AudioDecoderOptions::default().gapless(false).verify(self.content == Content::Flac);
        let mut decoder =
            symphonia::default::get_codecs().make_audio_decoder(&params, &options).map_err(|e| self.unreadable(&e))?;
        let is_lossy = is_lossy(&params);
        // ALAC has its depth in its own header, behind the size of its packets and a version.
        let alac = params.extra_data.as_ref().filter(|_| params.codec == CODEC_ID_ALAC);
        let bits = params.bits_per_sample.filter(|bits| *bits > 0).or_else(|| alac?.get(5).map(|bits| (*bits).into()));
        // A damaged count must not reserve more memory than a file of this size can need.
        let likely = head.frames.unwrap_or(0).min(self.bytes.len() as u64 * 16) * u64::from(head.channels) * 2;
        let mut block = Vec::with_capacity(HEAD + usize::try_from(likely).unwrap_or(0));
        block.resize(HEAD, 0);
        let (mut chosen, mut natural, mut places) = (sample, None, None);
        let (mut frames, mut packets) = (0u64, 0);
        while let Some(packet) = self.next_packet(&mut *format)? {
            if packet.track_id != track {
                continue;
            }
            packets += self.check_packet(&packet.data, frames, head.rate)?;
            let buffer = decoder.decode(&packet).map_err(|e| {
                let seconds = frames as f64 / f64::from(head.rate);
                self.damaged(&format!("after {seconds:.2} s, {}", plain(&e)))
            })?;
            if buffer.is_empty() {
                continue;
            }
            let (rate, planes) = (buffer.spec().rate(), buffer.num_planes());
            if rate != head.rate || planes != head.channels as usize {
                return Err(ImportError::new(format!(
                    "changes from {} channels at {} Hz to {planes} channels at {rate} Hz",
                    head.channels, head.rate
                ))
                .with_help("save it again with one rate and one number of channels"));
            }
            let natural = *natural.get_or_insert_with(|| samples::natural_format(&buffer, bits, is_lossy));
            places = places.or_else(|| match &self.speakers {
                Some(speakers) => speakers.clone(),
                None => speakers(buffer.spec().channels()),
            });
            let sample = *chosen.get_or_insert(natural);
            let size = buffer.frames() as u64 * u64::from(head.channels) * samples::size_of(sample) as u64;
            if block.len() as u64 + size > Limits::DEFAULT.max_decoded {
                return Err(ImportError::new("is too long: its samples are more than 1 GiB")
                    .with_help("keep the file as it is with sound = { store = \"source\" } in assets.toml"));
            }
            frames += buffer.frames() as u64;
            append_samples(&buffer, samples::form(sample), &mut block);
        }
        self.check_end(packets, frames, head.rate)?;
        if decoder.finalize().verify_ok == Some(false) {
            return Err(self.damaged("its samples do not agree with their checksum"));
        }
        let frames = u32::try_from(frames).map_err(|_| {
            ImportError::new(format!("is too long: {frames} frames, the limit is {}", u32::MAX))
                .with_help("keep the file as it is with sound = { store = \"source\" } in assets.toml")
        })?;
        let natural = natural.unwrap_or(SampleFormat::I16);
        let sample = chosen.unwrap_or(natural);
        Ok(Decoded { rate: head.rate, channels: head.channels, frames, sample, natural, speakers: places, block })
    }

    fn damaged(&self, how: &str) -> ImportError {
        ImportError::damaged(format!("is a damaged {}: {how}", codec_name(self.content, &self.bytes)))
    }

    fn ends_early(&self) -> ImportError {
        let error = ImportError::damaged(format!("is {} that ends early", self.content.name()));
        if self.content != Content::Ogg {
            return error;
        }
        // Some encoders leave the last page out. Players play the others, so nobody notices.
        error.with_damage_help(
            "export it again. If its end was never there, `ffmpeg -i FILE -c copy NEW.ogg` keeps what players play",
        )
    }

    fn unreadable(&self, error: &Error) -> ImportError {
        match error {
            Error::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
                if self.bytes.len() < 64 {
                    return ImportError::damaged(format!(
                        "is not {}: it is {} bytes long and starts with {}",
                        self.content.name(),
                        self.bytes.len(),
                        first_bytes(&self.bytes)
                    ));
                }
                self.ends_early()
            }
            Error::Unsupported(what) => self.unsupported(&format!("{} ({what})", self.content.name())),
            error => self.damaged(&plain(error)),
        }
    }
}
