//! SEEK: the places in a sound file at which decoding can start, our own.
//!
//! Properties: layout version, number of points, frames that a decoder makes before the first one of the sound, size of the head.
//! Data: for each point, both numbers ascending, a frame (`u64`), the offset in the file at which decoding starts, and the
//! frames that a decoder makes from there before that frame (`u32` each). Frames are counted as a decoder makes them from the
//! start of the file, which it does not trim.

use super::{PayloadView, block};
use crate::bytes::{slice, u32_at, u64_at};
use crate::error::{Error, Result};

const LAYOUT_VERSION: u32 = 1;
/// The size of a point.
const ROW: usize = 16;

/// A place in a sound file at which decoding can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeekPoint {
    /// The first frame whose samples are the same as if the whole file is decoded, counted as a decoder makes them.
    pub frame: u64,
    /// The byte of the file at which decoding starts.
    pub offset: u32,
    /// The frames that a decoder makes from there before `frame`.
    pub skip: u32,
}

/// A borrowed SEEK payload.
#[derive(Clone, Copy, Debug)]
pub struct SeekView<'a> {
    rows: &'a [u8],
    skipped: u32,
    head: u32,
}

impl<'a> SeekView<'a> {
    /// Checks the layout version, and that every point exists and follows the points before it.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] and [`Error::Truncated`].
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [version, count, skipped, head] = payload.first_props()?;
        if version != LAYOUT_VERSION {
            let detail = format!("layout version {version}, this reader supports {LAYOUT_VERSION}");
            return Err(Error::inconsistent("seek points", detail));
        }
        let rows = slice(payload.data(), "seek points", 0, u64::from(count) * ROW as u64)?;
        let view = Self { rows, skipped, head };
        let mut last: Option<SeekPoint> = None;
        for point in view.points() {
            if let Some(last) = last.filter(|last| point.frame <= last.frame || point.offset <= last.offset) {
                let detail = format!(
                    "frame {} at byte {} after frame {} at byte {}",
                    point.frame, point.offset, last.frame, last.offset
                );
                return Err(Error::inconsistent("seek points", detail));
            }
            last = Some(point);
        }
        Ok(view)
    }

    /// Returns the number of frames that a decoder makes from the start of the file before the first one of the sound.
    pub fn skipped_frames(&self) -> u32 {
        self.skipped
    }

    /// Returns the bytes at the start of the file that a decoder needs before the bytes of any point: the setup of Vorbis, and the
    /// stream information of FLAC. It is not checked against the size of the file.
    pub fn head_size(&self) -> u32 {
        self.head
    }

    /// Returns the points, ascending.
    pub fn points(&self) -> impl ExactSizeIterator<Item = SeekPoint> + use<'a> {
        self.rows.chunks_exact(ROW).map(point)
    }

    /// Returns the last point whose frame is `frame` or an earlier one.
    pub fn before(&self, frame: u64) -> Option<SeekPoint> {
        let (rows, _) = self.rows.as_chunks::<ROW>();
        let after = rows.partition_point(|row| point(row).frame <= frame);
        Some(point(&rows[after.checked_sub(1)?]))
    }
}

fn point(row: &[u8]) -> SeekPoint {
    SeekPoint { frame: u64_at(row, 0), offset: u32_at(row, 8), skip: u32_at(row, 12) }
}

/// Returns the block of these points, which must ascend.
///
/// # Errors
/// [`Error::Inconsistent`] if they do not.
pub fn seek_block(points: &[SeekPoint], skipped_frames: u32, head_size: u32) -> Result<Vec<u8>> {
    let mut rows = Vec::with_capacity(points.len() * ROW);
    for SeekPoint { frame, offset, skip } in points {
        rows.extend_from_slice(&frame.to_le_bytes());
        rows.extend_from_slice(&offset.to_le_bytes());
        rows.extend_from_slice(&skip.to_le_bytes());
    }
    // Offsets ascend, so there are fewer than 2^32 points.
    let block = block(&[LAYOUT_VERSION, points.len() as u32, skipped_frames, head_size], &rows);
    SeekView::parse(PayloadView::parse(&block)?)?;
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [SeekPoint; 3] = [
        SeekPoint { frame: 10, offset: 100, skip: 0 },
        SeekPoint { frame: 20, offset: 150, skip: 3 },
        SeekPoint { frame: 1 << 40, offset: u32::MAX, skip: u32::MAX },
    ];

    fn parse(block: &[u8]) -> Result<(Vec<SeekPoint>, u32, u32)> {
        let view = SeekView::parse(PayloadView::parse(block)?)?;
        assert_eq!(view.before(u64::MAX), view.points().last());
        Ok((view.points().collect(), view.skipped_frames(), view.head_size()))
    }

    #[test]
    fn points_are_read_back_and_found() {
        let block = seek_block(&POINTS, 7, 42).unwrap();
        assert_eq!(parse(&block).unwrap(), (POINTS.to_vec(), 7, 42));
        assert_eq!(parse(&seek_block(&[], 0, 0).unwrap()).unwrap(), (vec![], 0, 0));
        let view = SeekView::parse(PayloadView::parse(&block).unwrap()).unwrap();
        let found = [9, 10, 19, 20, u64::MAX].map(|frame| view.before(frame).map(|point| point.frame));
        assert_eq!(found, [None, Some(10), Some(10), Some(20), Some(1 << 40)]);
        let error = seek_block(&[POINTS[1], POINTS[0]], 0, 0).unwrap_err();
        assert!(error.to_string().contains("frame 10 at byte 100 after frame 20 at byte 150"), "{error}");
        assert!(seek_block(&[POINTS[0], POINTS[0]], 0, 0).is_err());
    }

    #[test]
    fn damaged_points_are_errors_and_never_panic() {
        let good = seek_block(&POINTS, 7, 42).unwrap();
        crate::chunk::assert_damage_never_panics(&good, parse);
        let mut other = good;
        other[4] = 2;
        assert!(parse(&other).unwrap_err().to_string().contains("layout version 2, this reader supports 1"));
    }
}
