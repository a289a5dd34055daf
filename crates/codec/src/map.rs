//! Pixels → pixels that are easier to predict, and back.

/// What the pixels of a section became. The format defines the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// Themselves; the pixel has this many bytes.
    Same(u8),
    /// Pixels of 3 or 4 bytes, with the second subtracted from the first and the third: colours without their brightness.
    MinusGreen(u8),
    /// Indices into a palette of at most 256 pixels of this many bytes. The palette precedes the indices.
    Palette {
        /// The bytes of a pixel: 1 to 4.
        pixel: u8,
        /// The number of colours: 1 to 256.
        colors: u16,
    },
    /// This many `f32` of a pixel, each as the `u16` `n` if it is `n / 65535`.
    Unit16(u8),
    /// Three `f32` as the four bytes of a Radiance pixel: three mantissas and their common exponent.
    Radiance,
}

impl Map {
    /// Reads a map: its number, then its size.
    pub(crate) fn parse(rest: &mut &[u8]) -> Result<Self, String> {
        let [number, size, after @ ..] = rest else { return Err("the map of a section is cut off".to_owned()) };
        let (number, size) = (*number, *size);
        *rest = after;
        let map = match (number, size) {
            (0, 1..) => Self::Same(size),
            (1, 3..=4) => Self::MinusGreen(size),
            (2, 1..) => {
                let [colors, after @ ..] = rest else { return Err("the palette of a section is cut off".to_owned()) };
                let colors = u16::from(*colors) + 1;
                *rest = after;
                Self::Palette { pixel: size, colors }
            }
            (3, 1..=16) => Self::Unit16(size),
            (4, 12) => Self::Radiance,
            _ => return Err(format!("the unknown map {number} of pixels of size {size}")),
        };
        Ok(map)
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        match self {
            Self::Same(pixel) => out.extend([0, pixel]),
            Self::MinusGreen(pixel) => out.extend([1, pixel]),
            Self::Palette { pixel, colors } => out.extend([2, pixel, (colors - 1) as u8]),
            Self::Unit16(channels) => out.extend([3, channels]),
            Self::Radiance => out.extend([4, 12]),
        }
    }

    /// The size of a pixel of the block, in bytes.
    pub fn pixel(self) -> usize {
        match self {
            Self::Same(pixel) | Self::MinusGreen(pixel) | Self::Palette { pixel, .. } => pixel.into(),
            Self::Unit16(channels) => usize::from(channels) * 4,
            Self::Radiance => 12,
        }
    }

    /// The size of a mapped pixel, in bytes.
    pub(crate) fn coded_pixel(self) -> usize {
        match self {
            Self::Same(pixel) | Self::MinusGreen(pixel) => pixel.into(),
            Self::Palette { .. } => 1,
            Self::Unit16(channels) => usize::from(channels) * 2,
            Self::Radiance => 4,
        }
    }

    /// The bytes of `rows` rows of `width` mapped pixels, with the palette.
    pub(crate) fn coded_size(self, width: usize, rows: usize) -> usize {
        match self {
            Self::Palette { pixel, colors } => {
                usize::from(colors) * usize::from(pixel) + index_bytes(colors, width) * rows
            }
            other => width * rows * other.coded_pixel(),
        }
    }

    /// Whether mapped pixels have the size of pixels.
    pub fn is_in_place(self) -> bool {
        matches!(self, Self::Same(_) | Self::MinusGreen(_))
    }

    /// Undoes a map that is in place.
    pub(crate) fn undo_in_place(self, data: &mut [u8]) {
        match self {
            Self::MinusGreen(3) => plus_green::<3>(data),
            Self::MinusGreen(_) => plus_green::<4>(data),
            _ => {}
        }
    }

    /// Undoes any other map of rows of `width` pixels.
    pub(crate) fn undo(self, coded: &[u8], width: usize, out: &mut [u8]) -> Result<(), String> {
        match self {
            Self::Same(_) | Self::MinusGreen(_) => {}
            Self::Palette { pixel, colors } => match pixel {
                1 => unindex::<1>(coded, colors, width, out),
                2 => unindex::<2>(coded, colors, width, out),
                3 => unindex::<3>(coded, colors, width, out),
                4 => unindex::<4>(coded, colors, width, out),
                _ => return Err(format!("a palette of pixels of {pixel} bytes")),
            },
            Self::Unit16(_) => {
                for (float, number) in out.as_chunks_mut::<4>().0.iter_mut().zip(coded.as_chunks::<2>().0) {
                    *float = unit(u16::from_le_bytes(*number)).to_le_bytes();
                }
            }
            Self::Radiance => {
                for (floats, pixel) in out.as_chunks_mut::<12>().0.iter_mut().zip(coded.as_chunks::<4>().0) {
                    for (float, bytes) in floats.as_chunks_mut::<4>().0.iter_mut().zip(radiance(*pixel)) {
                        *float = bytes.to_le_bytes();
                    }
                }
            }
        }
        Ok(())
    }
}

/// The value of a 16-bit channel, as the importer of images computes it.
pub(crate) fn unit(number: u16) -> f32 {
    f32::from(number) / 65535.0
}

/// The colours of a Radiance pixel.
pub(crate) fn radiance([r, g, b, e]: [u8; 4]) -> [f32; 3] {
    // 2^(e - 136), below 2^-126 as a subnormal number.
    let scale = f32::from_bits(match e {
        0 => 0,
        1..=9 => 1 << (e + 13),
        _ => u32::from(e - 9) << 23,
    });
    [r, g, b].map(|mantissa| f32::from(mantissa) * scale)
}

fn plus_green<const N: usize>(data: &mut [u8]) {
    for pixel in data.as_chunks_mut::<N>().0 {
        let green = pixel[1];
        pixel[0] = pixel[0].wrapping_add(green);
        pixel[2] = pixel[2].wrapping_add(green);
    }
}

/// The bits of an index into a palette.
pub(crate) fn index_bits(colors: u16) -> usize {
    match colors {
        0..=2 => 1,
        3..=4 => 2,
        5..=16 => 4,
        _ => 8,
    }
}

/// The bytes of a row of indices.
pub(crate) fn index_bytes(colors: u16, width: usize) -> usize {
    (width * index_bits(colors)).div_ceil(8)
}

fn unindex<const N: usize>(coded: &[u8], colors: u16, width: usize, out: &mut [u8]) {
    let (palette, rows) = coded.split_at(usize::from(colors) * N);
    // An index beyond the palette is damage that no reader can tell from a colour: it is black.
    let mut all = [[0; N]; 256];
    for (color, bytes) in all.iter_mut().zip(palette.as_chunks::<N>().0) {
        *color = *bytes;
    }
    let bits = index_bits(colors);
    let rows = rows.chunks_exact(index_bytes(colors, width)).zip(out.chunks_exact_mut(width * N));
    match N * 8 / bits {
        _ if bits == 8 => {
            for (row, out) in rows {
                for (pixel, index) in out.as_chunks_mut::<N>().0.iter_mut().zip(row) {
                    *pixel = all[usize::from(*index)];
                }
            }
        }
        2 => unpack::<N, 2>(rows, &all, bits),
        4 => unpack::<N, 4>(rows, &all, bits),
        6 => unpack::<N, 6>(rows, &all, bits),
        8 => unpack::<N, 8>(rows, &all, bits),
        12 => unpack::<N, 12>(rows, &all, bits),
        16 => unpack::<N, 16>(rows, &all, bits),
        24 => unpack::<N, 24>(rows, &all, bits),
        _ => unpack::<N, 32>(rows, &all, bits),
    }
}

/// Writes the pixels of bytes with several indices each. `GROUP`: the bytes of the pixels of such a byte.
fn unpack<'a, const N: usize, const GROUP: usize>(
    rows: impl Iterator<Item = (&'a [u8], &'a mut [u8])>,
    colors: &[[u8; N]; 256],
    bits: usize,
) {
    // The pixels of every byte, so that a byte takes one look and one write.
    let mut groups = [[0; GROUP]; 256];
    for (byte, group) in groups.iter_mut().enumerate() {
        for (place, pixel) in group.as_chunks_mut::<N>().0.iter_mut().enumerate() {
            *pixel = colors[byte >> (place * bits) & ((1 << bits) - 1)];
        }
    }
    for (row, out) in rows {
        let (whole, rest) = out.as_chunks_mut::<GROUP>();
        for (pixels, byte) in whole.iter_mut().zip(row) {
            *pixels = groups[usize::from(*byte)];
        }
        // The last byte of a row may have fewer pixels.
        if let Some(byte) = row.get(whole.len()) {
            rest.copy_from_slice(&groups[usize::from(*byte)][..rest.len()]);
        }
    }
}
