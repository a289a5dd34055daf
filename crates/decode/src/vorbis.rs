//! Which frames of an OGG Vorbis are the sound, by the positions of its pages.
//!
//! The position of a page is the number of frames up to its end. Only the first and the last one count here: encoders and editors set others too
//! high, and a decoder that trims each page to its position loses frames of the next one.

use crate::DecodeError;
use crate::pages::{Bad, Packets};
use crate::sound::{Extent, SoundFile};
use crate::symphonia::Lengths;

/// What the pages say about the end.
struct End {
    /// The last position.
    position: Option<u64>,
    /// Whether the last page has the mark of the end.
    is_marked: bool,
    /// Whether all pages are there, with the right checksums.
    is_whole: bool,
}

impl SoundFile<'_> {
    /// Finds out where the sound begins and ends.
    pub(crate) fn vorbis_extent(&self) -> Result<Extent, DecodeError> {
        let lengths = self.lengths()?;
        let end = self.end(&lengths)?;
        // A stream that was cut out of a longer one begins after the position 0, or less than a block before it, and is left out up to
        // there. Nobody cuts off more than that in this way: other programs play it, and so its author has heard it.
        let before = lengths.start.min(0).unsigned_abs();
        let is_cut = before < lengths.long_block;
        let skip = u64::from(lengths.delay).saturating_add(if is_cut { before } else { 0 });
        let available = lengths.frames.saturating_sub(skip);
        let stated = end.position.map_or(available, |end| end.saturating_sub(lengths.start.max(0).unsigned_abs()));
        let (surplus, lack) = (available.saturating_sub(stated), stated.saturating_sub(available));
        if !end.is_marked {
            // The file may go on where this one was left, so a position that is far off is not the end of the sound.
            let frames = if surplus < lengths.long_block { available - surplus } else { available };
            return Ok(Extent { skip, frames, missing: 0 });
        }
        // ffmpeg counts frames in the last position that the first packet does not have.
        let missing = if end.is_whole && lack < lengths.long_block { 0 } else { lack };
        Ok(Extent { skip, frames: available - surplus, missing })
    }

    fn end(&self, lengths: &Lengths) -> Result<End, DecodeError> {
        let (mut packets, mut position) = (Packets::new(self.file), None);
        let bad = loop {
            match packets.next() {
                Ok(Some(packet)) => position = packet.end.and_then(|end| u64::try_from(end).ok()).or(position),
                Ok(None) => return Ok(End { position, is_marked: packets.is_over(), is_whole: true }),
                Err(bad) => break bad,
            }
        };
        match (lengths.end, bad) {
            // The decoder passes over pages that are damaged, and nothing says how long the sound should be.
            (None, Bad::Damaged(detail)) => {
                Err(DecodeError::Damaged { format: self.format.name(), part: "its pages", detail })
            }
            (position, _) => Ok(End { position, is_marked: position.is_some(), is_whole: false }),
        }
    }
}
