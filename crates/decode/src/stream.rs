//! A sound file → its samples, packet by packet, from any place at which decoding can start.

use core::fmt;

use crate::DecodeError;
use crate::form::SampleForm;
use crate::sound::SoundFile;
#[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
use crate::{
    spliced::Spliced,
    symphonia::{Next, PacketReader},
};
use rres_format::SoundFormat;

/// Decodes a sound file packet by packet, from its start or from a [`SeekPoint`](rres_format::chunk::seek::SeekPoint).
///
/// It makes the frames that [`SoundFile::decode`] makes without trimming. Besides the file, which may be a part of a mapped
/// pack, it keeps one page or packet, the samples of one packet and the state of the decoder, whatever the length of the sound.
pub struct SoundStream<B> {
    file: B,
    format: SoundFormat,
    form: SampleForm,
    sample_rate: u32,
    channels: u32,
    decoder: Decoder,
    samples: Vec<u8>,
}

enum Decoder {
    /// The end was reached, or a packet was damaged.
    None,
    #[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
    Symphonia(Box<PacketReader<'static>>),
    #[cfg(feature = "opus")]
    Opus(Box<crate::opus::OpusReader>),
    #[cfg(feature = "qoa")]
    Qoa(crate::qoa::QoaReader),
}

impl<B: AsRef<[u8]> + Clone + Send + Sync + 'static> SoundStream<B> {
    /// Reads the head of a file, and starts with its first packet.
    ///
    /// # Errors
    /// As [`SoundFile::open`].
    pub fn open(file: B) -> Result<Self, DecodeError> {
        let opened = SoundFile::open(file.as_ref())?;
        let SoundFile { format, sample_rate, channels, natural_form: form, .. } = opened;
        let samples = Vec::new();
        let mut stream = Self { file, format, form, sample_rate, channels, decoder: Decoder::None, samples };
        stream.start_at(0, 0)?;
        Ok(stream)
    }

    /// Starts at this byte of the file. A packet or a page of Ogg begins there. If it is not 0, the decoder reads the first
    /// `head_size` bytes before: the setup of Vorbis, or the stream information of FLAC.
    ///
    /// # Errors
    /// If no packet begins there.
    pub fn start_at(&mut self, offset: u32, head_size: u32) -> Result<(), DecodeError> {
        self.decoder = Decoder::None;
        self.decoder = self.decoder_at(offset, head_size)?;
        Ok(())
    }

    fn decoder_at(&self, offset: u32, head_size: u32) -> Result<Decoder, DecodeError> {
        match self.format {
            #[cfg(feature = "opus")]
            SoundFormat::Opus => {
                let _ = head_size;
                let reader = crate::opus::OpusReader::open(self.file.as_ref(), offset as usize)?;
                Ok(Decoder::Opus(Box::new(reader)))
            }
            #[cfg(feature = "qoa")]
            SoundFormat::Qoa => {
                let _ = head_size;
                Ok(Decoder::Qoa(crate::qoa::QoaReader::open(self.file.as_ref(), offset as usize)?))
            }
            #[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
            format => {
                let file = self.file.as_ref();
                let mut head: Box<[u8]> = file.get(..head_size as usize).unwrap_or(file).into();
                let mut start = offset as usize;
                if offset == 0 {
                    (head, start) = whole_file(format, file);
                } else if let (SoundFormat::Flac, Some(kind)) = (format, head.get_mut(4)) {
                    // The stream information, which is the first block, is the only one.
                    *kind |= 0x80;
                }
                let Self { form: natural_form, sample_rate, channels, .. } = *self;
                let opened = SoundFile { format, file, sample_rate, channels, natural_form };
                let spliced = Spliced::new(head, self.file.clone(), start);
                Ok(Decoder::Symphonia(Box::new(opened.packet_reader(Box::new(spliced), false)?)))
            }
            #[cfg(not(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav")))]
            format => {
                let _ = (offset, head_size, &self.file);
                Err(DecodeError::no_decoder(format))
            }
        }
    }

    /// Returns the samples of the next packet in [`Self::form`], interleaved; `None` at the end. A packet may have none.
    ///
    /// # Errors
    /// If the packet is damaged or has another rate or number of channels. The stream is at its end then.
    pub fn next_packet(&mut self) -> Result<Option<&[u8]>, DecodeError> {
        self.samples.clear();
        let read = match &mut self.decoder {
            Decoder::None => Ok(false),
            #[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
            Decoder::Symphonia(reader) => {
                reader.next(self.form, &mut self.samples).map(|next| matches!(next, Next::Packet))
            }
            #[cfg(feature = "opus")]
            Decoder::Opus(reader) => reader.next(self.file.as_ref(), self.form, &mut self.samples),
            #[cfg(feature = "qoa")]
            Decoder::Qoa(reader) => reader.next(self.file.as_ref(), self.form, &mut self.samples),
        };
        if !matches!(read, Ok(true)) {
            self.decoder = Decoder::None;
        }
        Ok(read?.then_some(&self.samples))
    }

    /// Returns the bytes of the last packet; none for Opus.
    #[doc(hidden)]
    pub fn last_packet(&self) -> &[u8] {
        match &self.decoder {
            #[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
            Decoder::Symphonia(reader) => reader.packet(),
            #[cfg(feature = "qoa")]
            Decoder::Qoa(reader) => reader.packet(self.file.as_ref()),
            _ => &[],
        }
    }
}

/// What the decoder reads before the file from some byte on, for the whole sound.
#[cfg(any(feature = "flac", feature = "mp3", feature = "ogg", feature = "wav"))]
fn whole_file(format: SoundFormat, file: &[u8]) -> (Box<[u8]>, usize) {
    #[cfg(feature = "wav")]
    if format == SoundFormat::Wav
        && let Ok(wav) = crate::wav::Wav::read(file)
    {
        return (wav.head().into(), wav.data_start());
    }
    let _ = (format, file);
    (Box::default(), 0)
}

impl<B> SoundStream<B> {
    /// Returns the format of the file.
    pub fn format(&self) -> SoundFormat {
        self.format
    }

    /// Returns the form of the samples, which keeps the depth of the file.
    pub fn form(&self) -> SampleForm {
        self.form
    }

    /// Returns the number of frames per second, which is not 0.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Returns the number of samples in a frame, from 1 to 255.
    pub fn channels(&self) -> u32 {
        self.channels
    }
}

impl<B> fmt::Debug for SoundStream<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, form, sample_rate, channels, .. } = self;
        f.debug_struct("SoundStream")
            .field("format", format)
            .field("form", form)
            .field("sample_rate", sample_rate)
            .field("channels", channels)
            .finish_non_exhaustive()
    }
}
