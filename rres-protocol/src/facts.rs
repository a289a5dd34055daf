//! The table behind the generated `facts`, which a program reads while it is compiled: width of an image, length of a sound.
//!
//! The table is a text of bytes with one record of [`RECORD`] bytes per asset that has facts, in ascending order of ids. A record is
//! the id and [`WORDS`] numbers, all `u32` little-endian. The kind of the asset decides what the numbers are. rustc
//! takes one text of any length as a single value, so a record costs it nearly nothing until a program asks for it.

/// The numbers of a record, apart from the id.
pub const WORDS: usize = 5;

/// The bytes of a record.
pub const RECORD: usize = 4 + 4 * WORDS;

/// The positions of the numbers of an image or a sprite.
pub mod image {
    /// Pixels of a row of the first level.
    pub const WIDTH: usize = 0;
    /// Rows of the first level.
    pub const HEIGHT: usize = 1;
    /// The number of the pixel format in the low 16 bits, and the number of levels in the high ones.
    pub const FORMAT_AND_LEVELS: usize = 2;
    /// The number of frames, 1 for a picture that is not an animation.
    pub const FRAMES: usize = 3;
    /// How long all frames are shown, in milliseconds.
    pub const MILLISECONDS: usize = 4;
}

/// The positions of the numbers of a sound.
pub mod sound {
    /// The low 32 bits of the number of frames.
    pub const FRAMES_LOW: usize = 0;
    /// The high 32 bits of the number of frames.
    pub const FRAMES_HIGH: usize = 1;
    /// Frames per second.
    pub const SAMPLE_RATE: usize = 2;
    /// Number of channels.
    pub const CHANNELS: usize = 3;
}

/// The positions of the numbers of a font, which describe its first strike.
pub mod font {
    /// Height in pixels from ascent to descent.
    pub const SIZE: usize = 0;
    /// Number of glyphs.
    pub const GLYPHS: usize = 1;
    /// Pixels from one baseline to the next: the bits of an `f32`.
    pub const LINE_HEIGHT: usize = 2;
    /// Pixels from the top of a line to its baseline: the bits of an `f32`.
    pub const ASCENT: usize = 3;
}

/// The positions of the numbers of a model.
pub mod model {
    /// Number of primitives.
    pub const PRIMITIVES: usize = 0;
    /// Number of vertices of all primitives.
    pub const VERTICES: usize = 1;
    /// Number of nodes in the default scene.
    pub const NODES: usize = 2;
    /// Number of materials.
    pub const MATERIALS: usize = 3;
    /// Number of animations.
    pub const ANIMATIONS: usize = 4;
}

/// Returns the bytes of a table of these records, each an id and its numbers. Of several records with one id, any is kept.
pub fn table(records: impl IntoIterator<Item = (u32, [u32; WORDS])>) -> Vec<u8> {
    let mut records: Vec<_> = records.into_iter().collect();
    records.sort_unstable();
    records.dedup_by_key(|(id, _)| *id);
    let numbers = records.iter().flat_map(|(id, words)| std::iter::once(id).chain(words));
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

/// Returns the numbers of the asset with this id, if `table` has a record of it.
pub const fn find(table: &[u8], id: u32) -> Option<[u32; WORDS]> {
    let (mut low, mut high) = (0, table.len() / RECORD);
    while low < high {
        let middle = low + (high - low) / 2;
        let found = number(table, middle * RECORD);
        if found == id {
            let mut words = [0; WORDS];
            let mut at = 0;
            while at < WORDS {
                words[at] = number(table, middle * RECORD + 4 + 4 * at);
                at += 1;
            }
            return Some(words);
        }
        if found < id {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    None
}

/// The number at a byte of the table, which contains it.
const fn number(table: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([table[at], table[at + 1], table[at + 2], table[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_is_found_by_its_id_and_no_other() {
        for count in 0..20u32 {
            let ids = (0..count).rev().map(|n| n * 0x0d00_0003);
            let table = table(ids.clone().map(|id| (id, [id, 1, 2, 3, !id])));
            assert_eq!(table.len(), count as usize * RECORD);
            for id in ids {
                assert_eq!(find(&table, id), Some([id, 1, 2, 3, !id]));
                assert_eq!(find(&table, id + 1), None);
            }
        }
    }

    #[test]
    fn a_table_that_was_cut_off_has_the_records_that_are_whole() {
        let table = table([(1, [1; WORDS]), (2, [2; WORDS])]);
        let cut = &table[..table.len() - 1];
        assert_eq!((find(cut, 1), find(cut, 2)), (Some([1; WORDS]), None));
    }
}
