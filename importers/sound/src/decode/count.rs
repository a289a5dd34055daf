//! The number of frames of a file, by its packets.

use rres_import::ImportError;

use super::{Head, Input, Opened};
use crate::Content;
use crate::{flac, mp3};

impl Input<'_> {
    /// The number of frames that [`Self::decode`] makes, by counting packets: the head of a file may state others.
    pub(crate) fn count_frames(&self, mut opened: Opened<'_>) -> Result<u64, ImportError> {
        let Head { rate, frames: expected, skip, .. } = opened.head;
        if self.content == Content::Caf && expected.is_none() {
            return self.decode(opened, None).map(|decoded| decoded.frames.into());
        }
        let found = if self.content == Content::Mp3 {
            self.count_mp3()?
        } else if self.is_opus() {
            // They were counted when it was opened.
            return self.checked_frames(expected, expected.unwrap_or(0));
        } else {
            let (mut frames, mut bytes) = (0u64, 0);
            while let Some(packet) = self.next_packet(&mut *opened.format)? {
                if packet.track_id == opened.track {
                    frames = frames.saturating_add(packet.block_dur().get());
                    bytes += self.check_packet(&packet.data, frames, rate)?;
                }
            }
            self.check_end(bytes, frames, rate)?;
            frames
        };
        self.checked_frames(expected, found.saturating_sub(skip.into()))
    }

    /// The number of frames of the sound in a file that states `expected` and has `found`.
    pub(super) fn checked_frames(&self, expected: Option<u64>, found: u64) -> Result<u64, ImportError> {
        let slack = if self.content == Content::Mp3 { mp3::SLACK } else { 0 };
        let Some(expected) = expected else {
            return if found > 0 { Ok(found) } else { Err(self.damaged("no sound can be read from it")) };
        };
        if found.saturating_add(slack) < expected {
            return Err(ImportError::damaged(format!(
                "is {} that is cut or damaged: it should have {expected} frames, but only {found} can be read",
                self.content.name()
            )));
        }
        match self.content {
            Content::Flac if found > expected => {
                Err(self.damaged(&format!("its head states {expected} frames, but {found} can be read")))
            }
            // What follows was added by the encoder.
            Content::Ogg | Content::Mp3 | Content::Mp4 | Content::Caf => Ok(expected.min(found)),
            _ => Ok(found),
        }
    }

    /// Which frames of an MP3 are the sound.
    pub(super) fn mp3_extent(&self) -> Result<mp3::Extent, ImportError> {
        let head = mp3::Head::read(&self.bytes);
        if head.is_none() && self.itunes.is_none() {
            return Ok(mp3::Extent { skip: 0, frames: None, miscounted: None });
        }
        let frames = self.count_mp3()?;
        Ok(mp3::Extent::new(head.as_ref(), self.itunes.as_ref(), frames, self.bytes.len()))
    }

    /// The frames of an MP3 with those at its ends that a player leaves out, by its packets.
    fn count_mp3(&self) -> Result<u64, ImportError> {
        let mut format = self.probe()?;
        let mut frames = 0;
        while let Some(packet) = self.next_packet(&mut *format)? {
            // MPEG 1 has twice the frames of the others in a packet.
            let is_mpeg_1 = packet.data.get(1).is_some_and(|version| (version >> 3) & 3 == 3);
            frames += if is_mpeg_1 { mp3::PACKET } else { mp3::PACKET / 2 };
        }
        Ok(frames)
    }

    /// The length of a packet after `frames`. symphonia passes over what follows a change of format in a FLAC.
    pub(super) fn check_packet(&self, packet: &[u8], frames: u64, rate: u32) -> Result<usize, ImportError> {
        let is_one = self.content != Content::Flac || !flac::has_second_frame(packet);
        if is_one { Ok(packet.len()) } else { Err(Self::changes(frames, rate)) }
    }

    /// Whether a FLAC ends after packets of `bytes` together.
    pub(super) fn check_end(&self, bytes: usize, frames: u64, rate: u32) -> Result<(), ImportError> {
        let goes_on = self.content == Content::Flac && flac::goes_on_after(&self.bytes, bytes);
        if goes_on { Err(Self::changes(frames, rate)) } else { Ok(()) }
    }

    fn changes(frames: u64, rate: u32) -> ImportError {
        let seconds = frames as f64 / f64::from(rate);
        let found =
            format!("changes its rate or its number of channels or bits after {seconds:.2} s, or is damaged there");
        ImportError::damaged(format!("is a FLAC that {found}"))
    }
}
