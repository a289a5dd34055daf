//! MARK: the markers of a sound, our own.
//!
//! Properties: layout version, number of markers, 0, 0. Data: for each marker, ascending by frame, its frame (`u64`), and offset
//! and size of its name (`u32`); then the names, in UTF-8. The offsets count from there.

use super::{PayloadView, block};
use crate::bytes::{slice, u32_at, u64_at};
use crate::error::{Error, Result};

const LAYOUT_VERSION: u32 = 1;
/// The size of a marker without its name.
const ROW: usize = 16;

/// A place in a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkerView<'a> {
    /// The frame before which it is.
    pub frame: u64,
    /// Its name, which may be empty.
    pub name: &'a str,
}

/// A borrowed MARK payload.
#[derive(Clone, Copy, Debug)]
pub struct MarkersView<'a> {
    rows: &'a [u8],
    names: &'a [u8],
}

impl<'a> MarkersView<'a> {
    /// Checks the layout version, and that every marker has its name and follows those before it.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] and [`Error::Truncated`].
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [version, count] = payload.first_props()?;
        if version != LAYOUT_VERSION {
            let detail = format!("layout version {version}, this reader supports {LAYOUT_VERSION}");
            return Err(Error::inconsistent("markers", detail));
        }
        let rows = payload.data_of("markers", u64::from(count) * ROW as u64)?;
        let view = Self { rows, names: &payload.data()[rows.len()..] };
        let mut last = 0;
        for i in 0..count as usize {
            let MarkerView { frame, .. } = view.marker(i)?;
            if frame < last {
                return Err(Error::inconsistent("markers", format!("frame {frame} after frame {last}")));
            }
            last = frame;
        }
        Ok(view)
    }

    fn marker(&self, i: usize) -> Result<MarkerView<'a>> {
        let row = &self.rows[i * ROW..(i + 1) * ROW];
        let name = slice(self.names, "the name of a marker", u32_at(row, 8).into(), u32_at(row, 12).into())?;
        let name = core::str::from_utf8(name).map_err(|_| {
            Error::inconsistent("the name of a marker", format!("\"{}\" is not UTF-8", name.escape_ascii()))
        })?;
        Ok(MarkerView { frame: u64_at(row, 0), name })
    }

    /// Returns the markers, ascending by frame.
    pub fn markers(&self) -> impl Iterator<Item = MarkerView<'a>> + use<'a> {
        let view = *self;
        // `parse` has checked each.
        (0..view.rows.len() / ROW).filter_map(move |i| view.marker(i).ok())
    }
}

/// Returns the block of these markers, which must ascend by frame.
///
/// # Errors
/// [`Error::Inconsistent`] if they do not, and [`Error::LimitExceeded`] if their names do not fit.
pub fn markers_block(markers: &[MarkerView<'_>]) -> Result<Vec<u8>> {
    let (mut rows, mut names) = (Vec::with_capacity(markers.len() * ROW), Vec::new());
    for MarkerView { frame, name } in markers {
        rows.extend_from_slice(&frame.to_le_bytes());
        rows.extend_from_slice(&(names.len() as u32).to_le_bytes());
        rows.extend_from_slice(&(name.len() as u32).to_le_bytes());
        names.extend_from_slice(name.as_bytes());
    }
    if u32::try_from(rows.len() + names.len()).is_err() {
        return Err(Error::LimitExceeded {
            what: "the size of the markers of a sound",
            value: (rows.len() + names.len()) as u64,
            limit: u32::MAX.into(),
            help: "give them shorter names",
        });
    }
    rows.append(&mut names);
    let block = block(&[LAYOUT_VERSION, markers.len() as u32, 0, 0], &rows);
    MarkersView::parse(PayloadView::parse(&block)?)?;
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(block: &[u8]) -> Result<Vec<(u64, String)>> {
        let view = MarkersView::parse(PayloadView::parse(block)?)?;
        Ok(view.markers().map(|marker| (marker.frame, marker.name.to_owned())).collect())
    }

    #[test]
    fn markers_are_read_back() {
        let markers = [(0, "start"), (7, ""), (7, "Größe"), (u64::MAX, "end")];
        let views = markers.map(|(frame, name)| MarkerView { frame, name });
        let block = markers_block(&views).unwrap();
        assert_eq!(&block[..28], b"\x04\0\0\0\x01\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!(parse(&block).unwrap(), markers.map(|(frame, name)| (frame, name.to_owned())));
        assert_eq!(parse(&markers_block(&[]).unwrap()).unwrap(), []);
        let error = markers_block(&[views[1], views[0]]).unwrap_err();
        assert!(error.to_string().contains("frame 0 after frame 7"), "{error}");
    }

    #[test]
    fn damaged_markers_are_errors_and_never_panic() {
        let good = markers_block(&[MarkerView { frame: 1, name: "ab" }, MarkerView { frame: 2, name: "c" }]).unwrap();
        crate::chunk::assert_damage_never_panics(&good, parse);
        let mut other = good;
        other[4] = 2;
        assert!(parse(&other).unwrap_err().to_string().contains("layout version 2, this reader supports 1"));
    }
}
