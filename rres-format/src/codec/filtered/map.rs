//! Pixels → pixels that are easier to predict, and back.

/// What the pixels of a section became. The format defines the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Map {
    /// Themselves; the pixel has this many bytes.
    Same(u8),
    /// Pixels of 3 or 4 bytes, with the second subtracted from the first and the third: colours without their brightness.
    MinusGreen(u8),
    /// Indices into a palette of at most 256 pixels of this many bytes. The palette precedes the indices.
    Palette { pixel: u8, colors: u16 },
    /// This many `f32` of a pixel, each as the `u16` `n` if it is `n / 65535`.
    Unit16(u8),
    /// Three `f32` as the four bytes of a Radiance pixel: three mantissas and their common exponent.
    Radiance,
}

impl Map {
    /// Reads a map: its number, then its size.
    pub(super) fn parse(rest: &mut &[u8]) -> Result<Self, String> {
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

    #[cfg(feature = "zstd-compress")]
    pub(super) fn write(self, out: &mut Vec<u8>) {
        match self {
            Self::Same(pixel) => out.extend([0, pixel]),
            Self::MinusGreen(pixel) => out.extend([1, pixel]),
            Self::Palette { pixel, colors } => out.extend([2, pixel, (colors - 1) as u8]),
            Self::Unit16(channels) => out.extend([3, channels]),
            Self::Radiance => out.extend([4, 12]),
        }
    }

    /// The size of a pixel of the block, in bytes.
    pub(super) fn pixel(self) -> usize {
        match self {
            Self::Same(pixel) | Self::MinusGreen(pixel) | Self::Palette { pixel, .. } => pixel.into(),
            Self::Unit16(channels) => usize::from(channels) * 4,
            Self::Radiance => 12,
        }
    }

    /// The size of a mapped pixel, in bytes.
    pub(super) fn coded_pixel(self) -> usize {
        match self {
            Self::Same(pixel) | Self::MinusGreen(pixel) => pixel.into(),
            Self::Palette { .. } => 1,
            Self::Unit16(channels) => usize::from(channels) * 2,
            Self::Radiance => 4,
        }
    }

    /// The bytes of `rows` rows of `width` mapped pixels, with the palette.
    pub(super) fn coded_size(self, width: usize, rows: usize) -> usize {
        match self {
            Self::Palette { pixel, colors } => {
                usize::from(colors) * usize::from(pixel) + index_bytes(colors, width) * rows
            }
            other => width * rows * other.coded_pixel(),
        }
    }

    /// Whether mapped pixels have the size of pixels.
    pub(super) fn is_in_place(self) -> bool {
        matches!(self, Self::Same(_) | Self::MinusGreen(_))
    }

    /// Undoes a map that is in place.
    pub(super) fn undo_in_place(self, data: &mut [u8]) {
        match self {
            Self::MinusGreen(3) => plus_green::<3>(data),
            Self::MinusGreen(_) => plus_green::<4>(data),
            _ => {}
        }
    }

    /// Undoes any other map of rows of `width` pixels.
    pub(super) fn undo(self, coded: &[u8], width: usize, out: &mut [u8]) -> Result<(), String> {
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
pub(super) fn unit(number: u16) -> f32 {
    f32::from(number) / 65535.0
}

/// The colours of a Radiance pixel.
pub(super) fn radiance([r, g, b, e]: [u8; 4]) -> [f32; 3] {
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
pub(super) fn index_bits(colors: u16) -> usize {
    match colors {
        0..=2 => 1,
        3..=4 => 2,
        5..=16 => 4,
        _ => 8,
    }
}

/// The bytes of a row of indices.
pub(super) fn index_bytes(colors: u16, width: usize) -> usize {
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
    let per_byte = 8 / bits;
    let mask = (1_u16 << bits) as usize - 1;
    for (row, out) in rows.chunks_exact(index_bytes(colors, width)).zip(out.chunks_exact_mut(width * N)) {
        let pixels = out.as_chunks_mut::<N>().0;
        if bits == 8 {
            for (pixel, index) in pixels.iter_mut().zip(row) {
                *pixel = all[usize::from(*index)];
            }
            continue;
        }
        for (pixels, byte) in pixels.chunks_mut(per_byte).zip(row) {
            let mut indices = usize::from(*byte);
            for pixel in pixels {
                *pixel = all[indices & mask];
                indices >>= bits;
            }
        }
    }
}
