//! Decodes Opus packet by packet, from any page.

use std::collections::VecDeque;

use super::{DecodeError, Decoder, OpusFile, SampleForm, append, next};
use crate::pages::{Packets, Place};

/// A decoder, and the packets of the page that it decodes.
pub(crate) struct OpusReader {
    decoder: Decoder,
    /// Whole packets that were read and not decoded: those that end in one page.
    packets: VecDeque<Box<[u8]>>,
    /// The start of the page after them.
    place: Place,
}

impl OpusReader {
    /// Starts at the page at `start`, or with the first packet of the sound if that is 0.
    pub(crate) fn open(file: &[u8], start: usize) -> Result<Self, DecodeError> {
        let opened = OpusFile::open(file)?;
        let decoder = Decoder::new(&opened.head)?;
        let mut reader = Self { decoder, packets: VecDeque::new(), place: Place::default() };
        if start == 0 {
            reader.fill(file, opened.packets()?)?;
        } else {
            reader.place.offset = start;
        }
        Ok(reader)
    }

    /// Appends the samples of the next packet to `out`; `false` at the end.
    pub(crate) fn next(&mut self, file: &[u8], form: SampleForm, out: &mut Vec<u8>) -> Result<bool, DecodeError> {
        if self.packets.is_empty() {
            self.fill(file, Packets::resume(file, self.place.clone()))?;
        }
        let Some(packet) = self.packets.pop_front() else { return Ok(false) };
        append(self.decoder.decode(&packet)?, form, out);
        Ok(true)
    }

    /// Reads packets up to the end of a page.
    fn fill(&mut self, file: &[u8], mut packets: Packets<'_>) -> Result<(), DecodeError> {
        while let Some(packet) = next(&mut packets)? {
            self.packets.push_back(packet.data.into());
            if let Some(place) = packets.place(file) {
                self.place = place;
                break;
            }
        }
        Ok(())
    }
}
