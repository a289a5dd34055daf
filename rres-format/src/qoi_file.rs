//! Files of the [Quite OK Image format](https://qoiformat.org/qoi-specification.pdf): a header of 14 bytes, one operation for each pixel
//! or run of equal pixels, and an end marker of 8 bytes.
//!
//! `rres-format` has its own codec because the one of crates.io writes and reads other pixels on big-endian machines.

use core::fmt;

/// The header of a QOI file: `qoif`, width and height in big-endian order, channels, color space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QoiHeader {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// 3 or 4.
    pub channels: u8,
}

/// Why bytes are not a QOI file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QoiError {
    /// The file is shorter than its header, or does not start with `qoif`.
    NoHeader,
    /// The header declares other numbers of channels than 3 and 4.
    Channels(u8),
    /// The width or the height is zero.
    Empty,
    /// The operations end before this pixel, of as many as the header declares.
    Ended {
        /// The number of the first missing pixel.
        pixel: usize,
        /// The number of pixels.
        of: usize,
    },
    /// No end marker follows the operations of the last pixel.
    NoEnd,
    /// The buffer for the pixels has another size than they have.
    Size {
        /// The bytes of the buffer.
        buffer: usize,
        /// The bytes of the pixels.
        pixels: u64,
    },
}

impl fmt::Display for QoiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => write!(f, "expected a header of 14 bytes that starts with \"qoif\""),
            Self::Channels(found) => write!(f, "its header declares {found} channels, expected 3 or 4"),
            Self::Empty => write!(f, "its header declares no pixels"),
            Self::Ended { pixel, of } => write!(f, "it ends before pixel {pixel} of {of}"),
            Self::NoEnd => write!(f, "no end marker follows its pixels"),
            Self::Size { buffer, pixels } => write!(f, "it has {pixels} bytes of pixels, expected {buffer}"),
        }
    }
}

impl core::error::Error for QoiError {}

const MAGIC: [u8; 4] = *b"qoif";
const END: [u8; 8] = [0, 0, 0, 0, 0, 0, 0, 1];

// The operations. The first four have their number in the upper two bits.
const INDEX: u8 = 0x00;
const DIFF: u8 = 0x40;
const LUMA: u8 = 0x80;
const RUN: u8 = 0xc0;
const RGB: u8 = 0xfe;
const RGBA: u8 = 0xff;

/// The longest run that one operation can have; 63 and 64 would be `RGB` and `RGBA`.
const MAX_RUN: u8 = 62;

const FIRST: [u8; 4] = [0, 0, 0, 255];

/// Returns the place of a pixel in the table of pixels that were seen.
fn place([r, g, b, a]: [u8; 4]) -> usize {
    (usize::from(r) * 3 + usize::from(g) * 5 + usize::from(b) * 7 + usize::from(a) * 11) % 64
}

impl QoiHeader {
    pub(crate) const SIZE: usize = 14;

    /// Reads the header at the start of a file.
    ///
    /// # Errors
    /// If it is cut off or damaged, or not a QOI file.
    pub fn parse(file: &[u8]) -> Result<Self, QoiError> {
        let Some((&[q, o, i, f, w0, w1, w2, w3, h0, h1, h2, h3, channels, _], _)) = file.split_first_chunk() else {
            return Err(QoiError::NoHeader);
        };
        if [q, o, i, f] != MAGIC {
            return Err(QoiError::NoHeader);
        }
        if !(3..=4).contains(&channels) {
            return Err(QoiError::Channels(channels));
        }
        let header = Self {
            width: u32::from_be_bytes([w0, w1, w2, w3]),
            height: u32::from_be_bytes([h0, h1, h2, h3]),
            channels,
        };
        if header.width == 0 || header.height == 0 { Err(QoiError::Empty) } else { Ok(header) }
    }

    /// Returns the size of the pixels in bytes.
    pub fn data_size(&self) -> u64 {
        (u64::from(self.width) * u64::from(self.height)).saturating_mul(self.channels.into())
    }
}

/// Returns the QOI file of an image, with the color space 0 (sRGB). `pixels` must have `header.data_size()` bytes.
pub(crate) fn encode(header: QoiHeader, pixels: &[u8]) -> Result<Vec<u8>, QoiError> {
    if pixels.len() as u64 != header.data_size() {
        return Err(QoiError::Size { buffer: pixels.len(), pixels: header.data_size() });
    }
    let mut out = Vec::with_capacity(QoiHeader::SIZE + pixels.len() / 2 + END.len());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&header.width.to_be_bytes());
    out.extend_from_slice(&header.height.to_be_bytes());
    out.extend_from_slice(&[header.channels, 0]);
    match header.channels {
        3 => encode_pixels(pixels.as_chunks::<3>().0, |[r, g, b]| [r, g, b, 255], &mut out),
        _ => encode_pixels(pixels.as_chunks::<4>().0, |rgba| rgba, &mut out),
    }
    out.extend_from_slice(&END);
    Ok(out)
}

fn encode_pixels<const CHANNELS: usize>(
    pixels: &[[u8; CHANNELS]],
    rgba: impl Fn([u8; CHANNELS]) -> [u8; 4],
    out: &mut Vec<u8>,
) {
    let mut seen = [[0; 4]; 64];
    let (mut last, mut run) = (FIRST, 0);
    for pixel in pixels {
        let pixel = rgba(*pixel);
        if pixel == last {
            run += 1;
            if run == MAX_RUN {
                out.push(RUN | (run - 1));
                run = 0;
            }
            continue;
        }
        if run > 0 {
            out.push(RUN | (run - 1));
            run = 0;
        }
        let at = place(pixel);
        if seen[at] == pixel {
            out.push(INDEX | at as u8);
        } else {
            seen[at] = pixel;
            encode_change(last, pixel, out);
        }
        last = pixel;
    }
    if run > 0 {
        out.push(RUN | (run - 1));
    }
}

/// Writes a pixel as its difference from the last one if that is small, otherwise in full.
fn encode_change(last: [u8; 4], pixel: [u8; 4], out: &mut Vec<u8>) {
    let [r, g, b, a] = pixel;
    if a != last[3] {
        out.extend_from_slice(&[RGBA, r, g, b, a]);
        return;
    }
    let [red, green, blue] = [0, 1, 2].map(|channel: usize| pixel[channel].wrapping_sub(last[channel]));
    // Differences of -2 to 1, stored with 2 added.
    let [diff_red, diff_green, diff_blue] = [red, green, blue].map(|change| change.wrapping_add(2));
    if (diff_red | diff_green | diff_blue) < 4 {
        out.push(DIFF | diff_red << 4 | diff_green << 2 | diff_blue);
        return;
    }
    // Green by -32 to 31, red and blue by -8 to 7 more than green.
    let luma_green = green.wrapping_add(32);
    let [luma_red, luma_blue] = [red, blue].map(|change| change.wrapping_sub(green).wrapping_add(8));
    if luma_green < 64 && (luma_red | luma_blue) < 16 {
        out.extend_from_slice(&[LUMA | luma_green, luma_red << 4 | luma_blue]);
    } else {
        out.extend_from_slice(&[RGB, r, g, b]);
    }
}

/// Decodes the pixels of a file into `out`, which must have their size. What follows the end marker is not read.
///
/// # Errors
/// If the file is damaged, and if `out` has another size.
pub fn decode(file: &[u8], out: &mut [u8]) -> Result<(), QoiError> {
    let header = QoiHeader::parse(file)?;
    if out.len() as u64 != header.data_size() {
        return Err(QoiError::Size { buffer: out.len(), pixels: header.data_size() });
    }
    let operations = &file[QoiHeader::SIZE..];
    match header.channels {
        3 => decode_pixels(operations, out.as_chunks_mut::<3>().0, |[r, g, b, _]| [r, g, b]),
        _ => decode_pixels(operations, out.as_chunks_mut::<4>().0, |rgba| rgba),
    }
}

fn decode_pixels<const CHANNELS: usize>(
    mut operations: &[u8],
    out: &mut [[u8; CHANNELS]],
    from_rgba: impl Fn([u8; 4]) -> [u8; CHANNELS],
) -> Result<(), QoiError> {
    let mut seen = [[0; 4]; 64];
    let mut pixel = FIRST;
    let of = out.len();
    let mut at = 0;
    while let Some(next) = out.get_mut(at) {
        let ended = QoiError::Ended { pixel: at, of };
        let mut take = || -> Result<u8, QoiError> {
            let (first, rest) = operations.split_first().ok_or(ended)?;
            operations = rest;
            Ok(*first)
        };
        let operation = take()?;
        let add = |value: u8, change: u8, bias: u8| value.wrapping_add(change).wrapping_sub(bias);
        let [r, g, b, a] = pixel;
        pixel = match operation {
            INDEX..DIFF => seen[usize::from(operation)],
            DIFF..LUMA => [add(r, operation >> 4 & 3, 2), add(g, operation >> 2 & 3, 2), add(b, operation & 3, 2), a],
            LUMA..RUN => {
                let (green, others) = (operation & 63, take()?);
                let green = green.wrapping_sub(32);
                let [red, blue] = [others >> 4, others & 15].map(|more| add(green, more, 8));
                [r.wrapping_add(red), g.wrapping_add(green), b.wrapping_add(blue), a]
            }
            RGB => [take()?, take()?, take()?, a],
            RGBA => [take()?, take()?, take()?, take()?],
            RUN..RGB => {
                // One that would go beyond the last pixel ends there.
                let end = of.min(at + usize::from(operation & 63) + 1);
                out[at..end].fill(from_rgba(pixel));
                seen[place(pixel)] = pixel;
                at = end;
                continue;
            }
        };
        seen[place(pixel)] = pixel;
        *next = from_rgba(pixel);
        at += 1;
    }
    if operations.starts_with(&END) { Ok(()) } else { Err(QoiError::NoEnd) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header(width: u32, height: u32, channels: u8) -> QoiHeader {
        QoiHeader { width, height, channels }
    }

    fn decoded(file: &[u8]) -> Result<Vec<u8>, QoiError> {
        let mut pixels = vec![0; QoiHeader::parse(file)?.data_size() as usize];
        decode(file, &mut pixels).map(|()| pixels)
    }

    /// Bytes that make runs, small differences and repeated pixels likely.
    fn pixels() -> impl Strategy<Value = (u8, Vec<u8>)> {
        let byte = prop_oneof![4 => Just(7u8), 2 => 0u8..12, 2 => 250u8.., 1 => any::<u8>()];
        (3u8..5, prop::collection::vec(byte, 1..700)).prop_map(|(channels, mut bytes)| {
            bytes.resize(bytes.len().div_ceil(usize::from(channels)) * usize::from(channels), 255);
            (channels, bytes)
        })
    }

    /// The pixels that the specification gives to `operations`, read word for word: the operations of the reference decoder in
    /// the order of its `if`s, one pixel at a time.
    fn by_the_specification(operations: &[u8], channels: u8, pixels: usize) -> Option<Vec<u8>> {
        let mut bytes = operations.iter().copied();
        let (mut seen, mut pixel, mut run, mut out) = ([[0u8; 4]; 64], [0, 0, 0, 255u8], 0, Vec::new());
        for _ in 0..pixels {
            if run > 0 {
                run -= 1;
            } else {
                let first = bytes.next()?;
                if first == 0b1111_1110 {
                    (pixel[0], pixel[1], pixel[2]) = (bytes.next()?, bytes.next()?, bytes.next()?);
                } else if first == 0b1111_1111 {
                    pixel = [bytes.next()?, bytes.next()?, bytes.next()?, bytes.next()?];
                } else if first >> 6 == 0b00 {
                    pixel = seen[usize::from(first)];
                } else if first >> 6 == 0b01 {
                    for (channel, shift) in [(0, 4), (1, 2), (2, 0)] {
                        pixel[channel] = (i32::from(pixel[channel]) + i32::from(first >> shift & 3) - 2) as u8;
                    }
                } else if first >> 6 == 0b10 {
                    let second = bytes.next()?;
                    let green = i32::from(first & 63) - 32;
                    let changes = [green - 8 + i32::from(second >> 4), green, green - 8 + i32::from(second & 15)];
                    for (channel, change) in changes.into_iter().enumerate() {
                        pixel[channel] = (i32::from(pixel[channel]) + change) as u8;
                    }
                } else {
                    run = first & 63;
                }
                let [r, g, b, a] = pixel.map(u32::from);
                seen[((r * 3 + g * 5 + b * 7 + a * 11) % 64) as usize] = pixel;
            }
            out.extend_from_slice(&pixel[..usize::from(channels)]);
        }
        bytes.take(END.len()).eq(END).then_some(out)
    }

    /// A file of 64 pixels with these operations.
    fn of_operations(operations: &[u8], channels: u8) -> Vec<u8> {
        let mut file = encode(header(16, 4, channels), &vec![0; 64 * usize::from(channels)]).unwrap();
        file.truncate(QoiHeader::SIZE);
        file.extend_from_slice(operations);
        file.extend_from_slice(&END);
        file
    }

    proptest! {
        #![proptest_config(rres_test_support::cases(256))]

        #[test]
        fn pixels_come_back_from_this_decoder_and_another_one((channels, bytes) in pixels()) {
            check_round_trip(channels, &bytes);
        }

        #[test]
        fn any_operations_decode_as_the_specification_says(operations in prop::collection::vec(any::<u8>(), 0..300), channels in 3u8..5) {
            let file = of_operations(&operations, channels);
            prop_assert_eq!(decoded(&file).ok(), by_the_specification(&file[QoiHeader::SIZE..], channels, 64));
        }
    }

    fn check_round_trip(channels: u8, bytes: &[u8]) {
        let width = (bytes.len() / usize::from(channels)) as u32;
        let file = encode(header(width, 1, channels), bytes).unwrap();
        assert_eq!(decoded(&file).unwrap(), bytes);
        // The other one decodes other pixels on big-endian machines, and operations that no encoder writes.
        if cfg!(target_endian = "little") {
            assert_eq!(qoi::decode_to_vec(&file).unwrap().1, bytes);
            let theirs = qoi::encode_to_vec(bytes, width, 1).unwrap();
            assert_eq!(decoded(&theirs).unwrap(), bytes);
        }
    }

    #[test]
    fn a_pixel_after_a_run_can_end_a_file() {
        check_round_trip(3, &[&[7; 40][..], &[0], &[7; 8], &[255; 2]].concat());
    }

    #[test]
    fn an_empty_place_of_the_table_has_no_alpha_in_files_of_three_channels() {
        // Place 0 was never filled; one less in blue is (0, 0, 255, 0), which belongs to place 57. `qoi.h` prints these pixels.
        let operations = [INDEX, DIFF | 0b10_10_01, INDEX | 57, RUN | 60];
        let pixels = decoded(&of_operations(&operations, 3)).unwrap();
        assert_eq!(pixels[..9], [0, 0, 0, 0, 0, 255, 0, 0, 255]);
    }

    #[test]
    fn a_file_is_as_the_specification_says() {
        let pixels =
            [[0, 0, 0, 255], [0, 0, 0, 255], [1, 255, 0, 255], [40, 30, 40, 255], [9, 9, 9, 9], [0, 0, 0, 255]];
        let file = encode(header(6, 1, 4), pixels.as_flattened()).unwrap();
        let header = b"qoif\0\0\0\x06\0\0\0\x01\x04\0";
        // A run of 2; +1, -1, 0; green +31, red and blue 8 and 9 more: too much, so RGB; RGBA; another alpha, so RGBA again.
        let operations = [0xc1, 0x76, 0xfe, 40, 30, 40, 0xff, 9, 9, 9, 9, 0xff, 0, 0, 0, 255];
        assert_eq!(file, [&header[..], &operations, &END].concat());
    }

    #[test]
    fn damage_is_named() {
        let file = encode(header(2, 2, 3), &[1, 2, 3, 200, 90, 4, 5, 5, 5, 9, 100, 9]).unwrap();
        for len in 0..file.len() {
            let error = decoded(&file[..len]).unwrap_err();
            match len {
                0..14 => assert_eq!(error, QoiError::NoHeader),
                _ if len >= file.len() - 8 => assert_eq!(error, QoiError::NoEnd),
                _ => assert!(matches!(error, QoiError::Ended { of: 4, .. }), "{error}"),
            }
        }
        let with = |at: usize, byte: u8| [&file[..at], &[byte], &file[at + 1..]].concat();
        assert_eq!(decoded(&with(12, 5)).unwrap_err().to_string(), "its header declares 5 channels, expected 3 or 4");
        assert_eq!(decoded(&with(7, 0)), Err(QoiError::Empty));
        assert_eq!(decode(&file, &mut [0; 4]), Err(QoiError::Size { buffer: 4, pixels: 12 }));
    }
}
