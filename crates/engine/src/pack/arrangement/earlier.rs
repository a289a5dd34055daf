//! The places of resources in a pack that players have, which a new pack keeps.
//!
//! A resource stays where it was if it still fits there. Others go to the first gap that holds them, and else to the end: what surrounds a
//! changed resource never moves. What is left of the gaps becomes padding.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use rres_format::index::IndexView;
use rres_format::{ChunkInfo, FourCc, Header, Limits, ResourceId};
use rres_protocol::files::additional_pack;

use super::{EarlierPlace, cannot_read};
use crate::diagnostic::Diagnostic;
use crate::key::KeyBuilder;

/// The fewest bytes of a gap that padding can fill: it has a header.
const LEAST_PADDING: u64 = ChunkInfo::SIZE as u64;

/// More than the padding that a chunk may need before it, to be aligned.
const ALIGNMENT_PADDING: u64 = LEAST_PADDING + 16;

/// A resource to place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) id: ResourceId,
    /// The bytes that it takes at most.
    pub(super) size: u64,
}

/// The places of resources in a pack.
#[derive(Debug)]
pub(super) struct EarlierPack {
    /// Sorted by offset, without those that share the chunks of another resource.
    places: Vec<EarlierPlace>,
}

impl EarlierPack {
    /// Reads the front indexes of a set.
    pub(super) fn read_set(first: &Path) -> Result<Vec<Self>, Diagnostic> {
        let (pack, additional) = Self::read(first)?;
        let mut packs = vec![pack];
        for number in 1..=additional {
            packs.push(Self::read(&additional_pack(first, number))?.0);
        }
        Ok(packs)
    }

    /// Reads the front index of a pack; also returns how many packs follow it.
    fn read(file: &Path) -> Result<(Self, u32), Diagnostic> {
        let block = front_index(file).map_err(|e| {
            let help = "copy the pack that players have there, or remove `layout_from`";
            cannot_read(file, &e).with_help(help.to_owned())
        })?;
        let fault = |error: rres_format::Error| Diagnostic::file(file, error.to_string());
        let index = IndexView::parse(&block).map_err(fault)?;
        let mut places = Vec::with_capacity(index.len());
        for entry in index.entries() {
            let entry = entry.map_err(fault)?;
            if !entry.is_shared {
                places.push(EarlierPlace { id: entry.id, offset: entry.offset, size: entry.stored_size });
            }
        }
        Ok((Self::new(places), index.additional_packs()))
    }

    fn new(mut places: Vec<EarlierPlace>) -> Self {
        places.sort_by_key(|place| place.offset);
        Self { places }
    }

    pub(super) fn fingerprint(&self, key: &mut KeyBuilder) {
        key.number(1);
        for place in &self.places {
            key.number(place.id.0);
            key.number(place.offset);
            key.number(place.size);
        }
    }

    /// Returns the numbers of the items in the order of their places, each with its offset unless it follows the one before. The first place is
    /// at `start`, where the front index ends.
    pub(super) fn arrange(&self, start: u64, items: &[Item]) -> Vec<(usize, Option<u32>)> {
        let number_of: HashMap<ResourceId, usize> =
            items.iter().enumerate().map(|(number, item)| (item.id, number)).collect();
        // The places of what no longer exists are gaps, and a front index that grows takes places.
        let after_front = self.places.iter().filter(|place| u64::from(place.offset) >= start);
        let existing: Vec<(EarlierPlace, usize)> =
            after_front.filter_map(|place| Some((*place, *number_of.get(&place.id)?))).collect();
        // The last one can grow.
        let next = |at: usize| existing.get(at + 1).map_or(u64::MAX, |(next, _)| u64::from(next.offset));
        let mut kept: Vec<(usize, u64)> = Vec::new();
        for (at, (place, number)) in existing.iter().enumerate() {
            let size = items[*number].size;
            let room = next(at) - u64::from(place.offset);
            if size == u64::from(place.size) || fits(size, room) {
                kept.push((*number, u64::from(place.offset)));
            }
        }
        let mut is_placed = vec![false; items.len()];
        kept.iter().for_each(|(number, _)| is_placed[*number] = true);
        // Each gap begins after a kept resource, or after the front index, and ends at the next kept one.
        let mut gaps = Vec::new();
        let mut at = start;
        for (number, offset) in &kept {
            gaps.push(at..*offset);
            at = offset + items[*number].size;
        }
        for (number, item) in items.iter().enumerate().filter(|(number, _)| !is_placed[*number]) {
            let needed = ALIGNMENT_PADDING + item.size;
            let gap = gaps.iter_mut().find(|gap| fits(needed, gap.end.saturating_sub(gap.start)));
            if let Some(gap) = gap {
                kept.push((number, gap.start));
                gap.start += needed;
            }
        }
        kept.sort_by_key(|(_, offset)| *offset);
        kept.iter().for_each(|(number, _)| is_placed[*number] = true);
        let placed = kept.iter().map(|(number, offset)| (*number, u32::try_from(*offset).ok()));
        let rest = (0..items.len()).filter(|number| !is_placed[*number]).map(|number| (number, None));
        placed.chain(rest).collect()
    }
}

/// Whether something of this size fits into a gap, with padding after it.
fn fits(size: u64, room: u64) -> bool {
    size == room || size + LEAST_PADDING + ALIGNMENT_PADDING <= room
}

/// Reads the block of the front index of a pack.
pub(in crate::pack) fn front_index(file: &Path) -> io::Result<Vec<u8>> {
    let invalid = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text);
    let mut file = File::open(file)?;
    let len = file.metadata()?.len();
    let mut front = [0; Header::SIZE + ChunkInfo::SIZE];
    file.read_exact(&mut front)?;
    Header::parse(&front).map_err(io::Error::other)?;
    let info = ChunkInfo::from_bytes(front.last_chunk().expect("it is as long as a header"));
    if info.kind != FourCc::INDX {
        return Err(invalid("it has no front index: expected a pack of this project"));
    }
    let size = u64::from(info.packed_size);
    if size > len || size > Limits::default().max_decoded {
        return Err(invalid("its front index is longer than the file"));
    }
    file.seek(SeekFrom::Start(front.len() as u64))?;
    let mut block = vec![0; size as usize];
    file.read_exact(&mut block)?;
    block.truncate(info.base_size as usize);
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(places: &[(u32, u32, u32)]) -> EarlierPack {
        EarlierPack::new(
            places.iter().map(|&(id, offset, size)| EarlierPlace { id: ResourceId(id), offset, size }).collect(),
        )
    }

    fn arrange(pack: &EarlierPack, items: &[(u32, u64)]) -> Vec<(u32, Option<u32>)> {
        let items: Vec<Item> = items.iter().map(|&(id, size)| Item { id: ResourceId(id), size }).collect();
        pack.arrange(1000, &items).into_iter().map(|(number, at)| (items[number].id.0, at)).collect()
    }

    #[test]
    fn what_has_not_changed_stays_and_what_has_grown_goes_to_the_end() {
        let pack = pack(&[(1, 1000, 500), (2, 1500, 500), (3, 2000, 500)]);
        assert_eq!(
            arrange(&pack, &[(3, 500), (2, 501), (1, 500), (4, 9)]),
            // The new resource fits into the gap.
            [(1, Some(1000)), (4, Some(1500)), (3, Some(2000)), (2, None)]
        );
        // The last one can grow, as nothing follows it.
        let arranged = arrange(&pack, &[(1, 500), (2, 500), (3, 900), (4, 10)]);
        assert_eq!(arranged, [(1, Some(1000)), (2, Some(1500)), (3, Some(2000)), (4, None)]);
    }

    #[test]
    fn what_shrinks_stays_if_padding_can_fill_the_rest() {
        let pack = pack(&[(1, 1000, 500), (2, 1500, 500)]);
        assert_eq!(arrange(&pack, &[(1, 400), (2, 500)]), [(1, Some(1000)), (2, Some(1500))]);
        assert_eq!(arrange(&pack, &[(1, 490), (2, 500)]), [(2, Some(1500)), (1, None)]);
    }

    #[test]
    fn gaps_hold_several_and_nothing_overlaps() {
        let pack = pack(&[(1, 1000, 400), (9, 1400, 4000), (2, 5400, 100)]);
        let arranged = arrange(&pack, &[(2, 100), (5, 1500), (1, 400), (6, 1500), (7, 1500)]);
        assert_eq!(arranged, [(1, Some(1000)), (5, Some(1400)), (6, Some(2948)), (2, Some(5400)), (7, None)]);
    }

    #[test]
    fn a_front_index_that_grows_moves_what_it_needs_the_place_of() {
        let pack = pack(&[(1, 900, 300), (2, 1200, 300)]);
        assert_eq!(arrange(&pack, &[(1, 300), (2, 300)]), [(2, Some(1200)), (1, None)]);
    }

    #[test]
    fn files_that_are_no_packs_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.rres");
        assert!(EarlierPack::read(&file).unwrap_err().to_string().contains("layout_from"));
        std::fs::write(&file, [0; 64]).unwrap();
        assert!(EarlierPack::read(&file).is_err());
        let mut front =
            [Header { chunk_count: 1, directory_offset: 0, reserved: 0 }.to_bytes().as_slice(), &[0; 64]].concat();
        std::fs::write(&file, &front).unwrap();
        assert!(EarlierPack::read(&file).unwrap_err().to_string().contains("front index"));
        front.truncate(20);
        std::fs::write(&file, &front).unwrap();
        assert!(EarlierPack::read(&file).is_err());
    }
}
