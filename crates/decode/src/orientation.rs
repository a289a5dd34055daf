//! The orientation tag of a camera: pixels as they were read from the sensor → pixels as the picture is meant to be seen.
//!
//! The build turns the pixels of other formats with it, too.

/// How stored pixels become upright ones: a number from 1 to 8, as the tag of Exif has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation(u8);

impl Orientation {
    /// As they are.
    pub const UPRIGHT: Self = Self(1);

    /// Reads the tag from an Exif block, which starts with its byte order. A block without it, or with another number, says
    /// nothing.
    pub fn of_exif(exif: &[u8]) -> Self {
        find_tag(exif).filter(|number| (1..=8).contains(number)).map_or(Self::UPRIGHT, |number| Self(number as u8))
    }

    /// Whether rows become columns.
    pub fn swaps_edges(self) -> bool {
        self.0 >= 5
    }

    /// Copies pixels to their place in the upright picture. `size` is the bytes of a pixel, as uncompressed formats have them;
    /// `width` and `height` are the size of `stored`, in pixels.
    ///
    /// Nothing is copied if no format has this `size`. Pixels that one of the slices has no room for are left out.
    pub fn turn(self, size: usize, stored: &[u8], (width, height): (usize, usize), upright: &mut [u8]) {
        match size {
            1 => self.turn_pixels::<1>(stored, (width, height), upright),
            2 => self.turn_pixels::<2>(stored, (width, height), upright),
            3 => self.turn_pixels::<3>(stored, (width, height), upright),
            4 => self.turn_pixels::<4>(stored, (width, height), upright),
            12 => self.turn_pixels::<12>(stored, (width, height), upright),
            16 => self.turn_pixels::<16>(stored, (width, height), upright),
            _ => {}
        }
    }

    fn turn_pixels<const N: usize>(self, stored: &[u8], (width, height): (usize, usize), upright: &mut [u8]) {
        let (stored, upright) = (stored.as_chunks::<N>().0, upright.as_chunks_mut::<N>().0);
        let (upright_width, upright_height) = if self.swaps_edges() { (height, width) } else { (width, height) };
        if upright_width == 0 {
            return;
        }
        for (y, row) in upright.chunks_mut(upright_width).take(upright_height).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                let (from_x, from_y) = match self.0 {
                    2 => (width - 1 - x, y),
                    3 => (width - 1 - x, height - 1 - y),
                    4 => (x, height - 1 - y),
                    5 => (y, x),
                    6 => (y, height - 1 - x),
                    7 => (width - 1 - y, height - 1 - x),
                    8 => (width - 1 - y, x),
                    _ => (x, y),
                };
                if let Some(from) = stored.get(from_y * width + from_x) {
                    *pixel = *from;
                }
            }
        }
    }
}

/// The value of tag 0x0112 in the first directory of a TIFF structure.
fn find_tag(tiff: &[u8]) -> Option<u16> {
    let is_big_endian = match tiff.get(..4)? {
        b"II*\0" => false,
        b"MM\0*" => true,
        _ => return None,
    };
    let number = |at: usize, size: usize| {
        let bytes = tiff.get(at..at.checked_add(size)?)?;
        let join = |number, byte: &u8| number << 8 | u32::from(*byte);
        Some(if is_big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) })
    };
    let directory = usize::try_from(number(4, 4)?).ok()?;
    let count = number(directory, 2)? as usize;
    // Entries of 12 bytes: tag, type, count, value.
    let mut entries = (0..count).map_while(|entry| directory.checked_add(2 + entry * 12));
    let at = entries.find(|at| number(*at, 2).is_none_or(|tag| tag == 0x0112))?;
    const SHORT: u32 = 3;
    (number(at + 2, 2)? == SHORT).then_some(())?;
    u16::try_from(number(at + 8, 2)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An Exif block with one entry before the orientation.
    fn exif(number: u8, is_big_endian: bool) -> Vec<u8> {
        let mut out = if is_big_endian { b"MM\0*\0\0\0\x08\0\x02".to_vec() } else { b"II*\0\x08\0\0\0\x02\0".to_vec() };
        for (tag, value) in [(0x0110u16, 9u16), (0x0112, number.into())] {
            let fields = [tag, 3];
            let two = |v: u16| if is_big_endian { v.to_be_bytes() } else { v.to_le_bytes() };
            out.extend(fields.into_iter().flat_map(two));
            out.extend(if is_big_endian { 1u32.to_be_bytes() } else { 1u32.to_le_bytes() });
            out.extend(two(value));
            out.extend([0, 0]);
        }
        out
    }

    #[test]
    fn the_tag_is_found_in_both_byte_orders() {
        for is_big_endian in [false, true] {
            for number in 1..=8 {
                assert_eq!(Orientation::of_exif(&exif(number, is_big_endian)), Orientation(number));
            }
            for number in [0, 9, 255] {
                assert_eq!(Orientation::of_exif(&exif(number, is_big_endian)), Orientation::UPRIGHT);
            }
        }
    }

    #[test]
    fn damaged_blocks_say_nothing() {
        let whole = exif(6, false);
        // The two bytes after the number are padding.
        for len in 0..whole.len() - 2 {
            assert_eq!(Orientation::of_exif(&whole[..len]), Orientation::UPRIGHT, "{len}");
        }
        let mut far = whole.clone();
        far[4..8].fill(0xff);
        assert_eq!(Orientation::of_exif(&far), Orientation::UPRIGHT);
        let mut text = whole;
        text[24] = 2;
        assert_eq!(Orientation::of_exif(&text), Orientation::UPRIGHT, "the tag has another type");
    }

    #[test]
    fn each_number_turns_the_picture_as_the_standard_says() {
        // What the standard says is at the first row and at the first column of the stored pixels, and what a picture of
        // two rows of three pixels looks like then.
        for (number, expected) in [
            (1, "abc/def"),  // top, left
            (2, "cba/fed"),  // top, right
            (3, "fed/cba"),  // bottom, right
            (4, "def/abc"),  // bottom, left
            (5, "ad/be/cf"), // left, top
            (6, "da/eb/fc"), // right, top
            (7, "fc/eb/da"), // right, bottom
            (8, "cf/be/ad"), // left, bottom
        ] {
            let orientation = Orientation(number);
            let mut upright = [0; 6];
            orientation.turn(1, b"abcdef", (3, 2), &mut upright);
            let width = if orientation.swaps_edges() { 2 } else { 3 };
            let rows: Vec<_> = upright.chunks(width).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
            assert_eq!(rows.join("/"), expected, "{number}");
        }
    }
}
