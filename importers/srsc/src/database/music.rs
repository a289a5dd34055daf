//! The music of `Music.rrc`: for each song a piece, its instruments and its volume, by their ids.

use super::Database;
use crate::container::RecordView;
use crate::record_type::RecordType;

/// A song: the records that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Song<'a> {
    /// Its number, from 1 to 255: the id of the piece.
    pub number: u16,
    /// The piece, a RIFF file of the form `DMSG`.
    pub piece: RecordView<'a>,
    /// The instruments, a RIFF file of the form `DLS `: the record whose id is the number and 0xff.
    pub instruments: Option<RecordView<'a>>,
    /// The volume: the record whose id is the number and 0x1000.
    pub volume: Option<RecordView<'a>>,
}

impl Database {
    /// Returns the songs, by their numbers.
    pub fn songs(&self) -> impl Iterator<Item = Song<'_>> {
        let plain = |id| self.record(RecordType::PLAIN, id);
        let starts = |record: &RecordView<'_>, form: &[u8]| {
            record.body().starts_with(b"RIFF") && record.body().get(8..12).is_some_and(|found| found == form)
        };
        (1..=0xff).filter_map(move |number| {
            let piece = plain(number).filter(|piece| starts(piece, b"DMSG"))?;
            let instruments = plain(0xff + number).filter(|found| starts(found, b"DLS "));
            let volume = plain(0x1000 + number).filter(|volume| volume.body().len() == 4);
            Some(Song { number, piece, instruments, volume })
        })
    }
}
