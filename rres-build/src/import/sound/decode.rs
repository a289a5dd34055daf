//! Formats that symphonia reads → samples, after checking that no frame is missing.
//!
//! symphonia skips whatever it cannot read. So the number of decoded frames is compared with the number that the file
//! states, and the samples of a FLAC with its checksum. A difference is an error.

use std::borrow::Cow;
use std::io::{Cursor, ErrorKind};

use rres_format::limits::Limits;
use symphonia::core::codecs::audio::well_known::{
    CODEC_ID_ADPCM_IMA_WAV, CODEC_ID_ADPCM_MS, CODEC_ID_MP3, CODEC_ID_VORBIS,
};
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

use super::samples::{self, HEAD};
use super::{Content, ImportError, first_bytes, ogg};
use crate::settings::SampleFormat;

/// The largest number of frames in one MP3 packet.
const MP3_PACKET: u64 = 1152;

/// Whether the content can be decoded.
pub(super) fn is_supported(content: Content, bytes: &[u8]) -> bool {
    match content {
        Content::Wav | Content::Flac | Content::Mp3 => true,
        Content::Ogg => matches!(ogg::codec(bytes), Some("Vorbis" | "FLAC") | None),
        _ => false,
    }
}

/// The codec or the container, without article.
pub(super) fn codec_name(content: Content, bytes: &[u8]) -> String {
    match content {
        Content::Ogg => format!("OGG {}", ogg::codec(bytes).unwrap_or("stream")),
        other => other.name().split_once(' ').map_or(other.name(), |(_, name)| name).to_owned(),
    }
}

/// The properties that are known before decoding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) rate: u32,
    pub(super) channels: u32,
    /// The number of frames that the file states; `None` if it is only an estimate.
    pub(super) frames: Option<u64>,
}

/// A decoded sound: a WAVE block without its properties.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) rate: u32,
    pub(super) channels: u32,
    pub(super) frames: u32,
    pub(super) sample: SampleFormat,
    /// [`HEAD`] bytes reserved for the properties, then the samples.
    pub(super) block: Vec<u8>,
}

/// A file whose headers have been read.
pub(super) struct Opened<'a> {
    format: Box<dyn FormatReader + 'a>,
    track: u32,
    params: AudioCodecParameters,
    /// The number of extra frames at the start that a decoder returns if it does not trim them.
    delay: u32,
    pub(super) head: Head,
}

/// One file, which can be opened several times.
pub(super) struct Input<'a> {
    /// The bytes without ID3 tags, and with the sizes that a WAV written to a pipe lacks.
    bytes: Cow<'a, [u8]>,
    content: Content,
    /// Its name in messages.
    name: &'a str,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8], content: Content, name: &'a str) -> Self {
        let bytes = match content {
            Content::Mp3 | Content::Flac => without_id3(bytes).into(),
            Content::Wav => wav_with_sizes(bytes).map_or(bytes.into(), Cow::Owned),
            _ => bytes.into(),
        };
        Self { bytes, content, name }
    }

    fn unsupported(&self, what: &str) -> ImportError {
        ImportError::new(format!("is {what}, which cannot be decoded here")).with_help(format!(
            "convert it to OGG Vorbis, FLAC or WAV, or keep it as it is with sound = {{ store = \"source\" }} under \
             [\"{}\"] in assets.toml",
            self.name
        ))
    }

    /// Reads the headers.
    pub(super) fn open(&self) -> Result<Opened<'_>, ImportError> {
        if !is_supported(self.content, &self.bytes) {
            return Err(self.unsupported(&codec_name(self.content, &self.bytes)));
        }
        if self.content == Content::Wav
            && let Some((channels, bits)) = wav_frame(&self.bytes)
            && (!(1..=255).contains(&channels) || bits > 64)
        {
            // symphonia multiplies the two in 16 bits, which must not overflow.
            return Err(self.damaged(&format!("it has {channels} channels of {bits} bits")));
        }
        let stream = MediaSourceStream::new(Box::new(Cursor::new(&*self.bytes)), Default::default());
        let mut hint = Hint::new();
        hint.with_extension(match self.content {
            Content::Wav => "wav",
            Content::Ogg => "ogg",
            Content::Flac => "flac",
            _ => "mp3",
        });
        let format = symphonia::default::get_probe()
            .probe(&hint, stream, FormatOptions::default(), MetadataOptions::default())
            .map_err(|e| self.unreadable(&e))?;
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
        // The first packet of a Vorbis stream only prepares the second and contains no frames.
        let start = track.start_ts.get().saturating_add(track.delay.unwrap_or(0).into());
        let frames = match self.content {
            // Without a header, symphonia estimates the count from the size of the file.
            Content::Mp3 if !mp3_has_count(&self.bytes) => None,
            Content::Flac => track.num_frames.filter(|frames| *frames > 0),
            // A recording may start late: the position of its last page counts from the start of the whole stream.
            Content::Ogg => track.num_frames.map(|frames| frames.saturating_sub(start.max(0).unsigned_abs())),
            _ => track.num_frames,
        };
        let (track, delay) = (track.id, track.delay.unwrap_or(0));
        Ok(Opened { format, track, params, delay, head: Head { rate, channels: channels as u32, frames } })
    }

    /// The number of frames, from the headers, or by counting packets if the headers do not state it.
    pub(super) fn count_frames(&self, mut opened: Opened<'_>) -> Result<u64, ImportError> {
        if let Some(frames) = opened.head.frames {
            return Ok(frames);
        }
        let mut frames = 0u64;
        while let Some(packet) = self.next_packet(&mut *opened.format)? {
            if packet.track_id == opened.track {
                let all = packet.dur.get().saturating_add(packet.trim_end.get());
                frames = frames.saturating_add(if self.trims() { packet.dur.get() } else { all });
            }
        }
        Ok(frames)
    }

    /// Whether to trust what the file states about its start and end. Not if the frame count of an MP3 is an estimate.
    fn trims(&self) -> bool {
        self.content != Content::Mp3 || mp3_has_count(&self.bytes)
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
                    && ogg::pages_are_whole(&self.bytes) =>
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
        let (expected, delay) = (opened.head.frames, opened.delay);
        let mut decoded = self.decode_once(opened, sample, self.trims())?;
        let missing = |found: u32| expected.is_some_and(|expected| u64::from(found) < expected);
        if self.content == Content::Ogg && (missing(decoded.frames) || decoded.frames == 0) {
            // If the position of a page was never set, or occurs twice, trimming would remove too much.
            let mut untrimmed = self.decode_once(self.open()?, sample, false)?;
            untrimmed.drop_first(delay);
            if !missing(untrimmed.frames) {
                decoded = untrimmed;
            }
        }
        if self.content == Content::Ogg
            && let Some(expected) = expected
        {
            decoded.shorten(expected);
        }
        let found = u64::from(decoded.frames);
        // The last packets of an MP3 depend on each other, and encoders count them differently.
        let slack = if self.content == Content::Mp3 { 2 * MP3_PACKET } else { 0 };
        match expected {
            Some(expected) if found + slack < expected => Err(ImportError::new(format!(
                "is {} that is cut or damaged: it should have {expected} frames, but only {found} can be read",
                self.content.name()
            ))
            .with_help("copy or save it again")),
            None if found == 0 => Err(self.damaged("no sound can be read from it")),
            _ => Ok(decoded),
        }
    }

    pub(super) fn decode_once(
        &self,
        opened: Opened<'_>,
        sample: Option<SampleFormat>,
        gapless: bool,
    ) -> Result<Decoded, ImportError> {
        let Opened { mut format, track, params, head, .. } = opened;
        let options = AudioDecoderOptions::default().gapless(gapless).verify(self.content == Content::Flac);
        let mut decoder =
            symphonia::default::get_codecs().make_audio_decoder(&params, &options).map_err(|e| self.unreadable(&e))?;
        let is_lossy =
            matches!(params.codec, CODEC_ID_VORBIS | CODEC_ID_MP3 | CODEC_ID_ADPCM_MS | CODEC_ID_ADPCM_IMA_WAV);
        // A damaged count must not reserve more memory than a file of this size can need.
        let likely = head.frames.unwrap_or(0).min(self.bytes.len() as u64 * 16) * u64::from(head.channels) * 2;
        let mut block = Vec::with_capacity(HEAD + usize::try_from(likely).unwrap_or(0));
        block.resize(HEAD, 0);
        let mut chosen = sample;
        let mut frames = 0u64;
        while let Some(packet) = self.next_packet(&mut *format)? {
            if packet.track_id != track {
                continue;
            }
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
            let sample =
                *chosen.get_or_insert_with(|| samples::natural_format(&buffer, params.bits_per_sample, is_lossy));
            let size = buffer.frames() as u64 * u64::from(head.channels) * samples::size_of(sample) as u64;
            if block.len() as u64 + size > Limits::DEFAULT.max_decoded {
                return Err(ImportError::new("is too long: its samples are more than 1 GiB")
                    .with_help("keep the file as it is with sound = { store = \"source\" } in assets.toml"));
            }
            frames += buffer.frames() as u64;
            samples::append(&buffer, sample, &mut block);
        }
        if decoder.finalize().verify_ok == Some(false) {
            return Err(self.damaged("its samples do not agree with their checksum"));
        }
        let frames = u32::try_from(frames).map_err(|_| {
            ImportError::new(format!("is too long: {frames} frames, the limit is {}", u32::MAX))
                .with_help("keep the file as it is with sound = { store = \"source\" } in assets.toml")
        })?;
        let sample = chosen.unwrap_or(SampleFormat::I16);
        Ok(Decoded { rate: head.rate, channels: head.channels, frames, sample, block })
    }

    fn damaged(&self, how: &str) -> ImportError {
        ImportError::new(format!("is a damaged {}: {how}", codec_name(self.content, &self.bytes)))
            .with_help("copy or save it again")
    }

    fn unreadable(&self, error: &Error) -> ImportError {
        match error {
            Error::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
                let help = "copy or save it again: the end of the file is missing";
                if self.bytes.len() < 64 {
                    return ImportError::new(format!(
                        "is not {}: it is {} bytes long and starts with {}",
                        self.content.name(),
                        self.bytes.len(),
                        first_bytes(&self.bytes)
                    ))
                    .with_help(help);
                }
                ImportError::new(format!("is {} that ends early", self.content.name())).with_help(help)
            }
            Error::Unsupported(what) => self.unsupported(&format!("{} ({what})", self.content.name())),
            error => self.damaged(&plain(error)),
        }
    }
}

impl Decoded {
    /// Removes the first `frames`.
    fn drop_first(&mut self, frames: u32) {
        let frames = frames.min(self.frames);
        self.frames -= frames;
        self.block.drain(HEAD..HEAD + frames as usize * self.channels as usize * samples::size_of(self.sample));
    }

    /// Removes everything after the first `frames`.
    fn shorten(&mut self, frames: u64) {
        if let Ok(frames) = u32::try_from(frames)
            && frames < self.frames
        {
            self.frames = frames;
            self.block.truncate(HEAD + frames as usize * self.channels as usize * samples::size_of(self.sample));
        }
    }
}

/// The message of symphonia, without its constant prefix.
fn plain(error: &Error) -> String {
    let text = error.to_string();
    text.trim_start_matches("malformed stream: ").trim_end_matches('.').to_owned()
}

/// Removes ID3 tags at the start and an ID3v1 tag at the end: pictures in tags look like frames.
fn without_id3(mut bytes: &[u8]) -> &[u8] {
    while let [b'I', b'D', b'3', _, _, flags, a, b, c, d, ..] = bytes {
        let size = [a, b, c, d].iter().fold(0, |size, byte| (size << 7) | usize::from(**byte & 0x7f));
        let footer = if flags & 0x10 == 0 { 0 } else { 10 };
        bytes = bytes.get(10 + size + footer..).unwrap_or_default();
    }
    match bytes.len().checked_sub(128) {
        Some(at) if bytes[at..].starts_with(b"TAG") => &bytes[..at],
        _ => bytes,
    }
}

/// Whether the first frame contains a frame count instead of sound.
fn mp3_has_count(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(256)];
    head.windows(4).any(|tag| matches!(tag, b"Xing" | b"Info" | b"VBRI"))
}

/// The offset of the chunk `name` in a WAV.
fn wav_chunk(bytes: &[u8], name: &[u8; 4]) -> Option<usize> {
    let mut at = 12usize;
    while bytes.get(at..at.checked_add(4)?)? != name {
        let len = usize::try_from(wav_size(bytes, at + 4)?).ok()?;
        at = at.checked_add(8)?.checked_add(len)?.checked_add(len & 1)?;
    }
    Some(at)
}

fn wav_size(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The number of channels, and the bits per sample.
fn wav_frame(bytes: &[u8]) -> Option<(u16, u16)> {
    let head = bytes.get(wav_chunk(bytes, b"fmt ")? + 8..)?.get(..16)?;
    Some((u16::from_le_bytes([head[2], head[3]]), u16::from_le_bytes([head[14], head[15]])))
}

/// Fills in the sizes of a WAV whose writer could not seek back to the header; `None` for all other files.
fn wav_with_sizes(bytes: &[u8]) -> Option<Vec<u8>> {
    let at = wav_chunk(bytes, b"data")?;
    let (whole, data) = (wav_size(bytes, 4)?, wav_size(bytes, at + 4)?);
    let is_open = data == u32::MAX || (data == 0 && (whole as usize) < at);
    let rest = u32::try_from(bytes.len() - (at + 8)).ok()?;
    is_open.then(|| {
        let mut filled = bytes.to_vec();
        filled[4..8].copy_from_slice(&rest.saturating_add(at as u32).to_le_bytes());
        filled[at + 4..at + 8].copy_from_slice(&rest.to_le_bytes());
        filled
    })
}
