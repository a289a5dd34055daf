//! Floats that packs have no format for → floats of 32 bits: halves, packed floats and a shared exponent, as the maps of light of Bevy and
//! other engines have them. All are exact.

use rres_format::chunk::image::PixelFormat;

use crate::half_float::half_float;

/// How a texture stores floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floats {
    /// This many halves.
    Halves(usize),
    /// Red and green in floats of 32 bits.
    RedGreen,
    /// Red and green of 11 bits, blue of 10, without sign.
    Packed,
    /// Three numbers of 9 bits and an exponent of 5.
    SharedExponent,
}

impl Floats {
    /// The floats of the format with this number in Vulkan, if packs have another format for them.
    pub(super) fn of(number: u32) -> Option<Self> {
        Some(match number {
            76 => Self::Halves(1),
            83 => Self::Halves(2),
            90 => Self::Halves(3),
            97 => Self::Halves(4),
            103 => Self::RedGreen,
            122 => Self::Packed,
            123 => Self::SharedExponent,
            _ => return None,
        })
    }

    /// The format that they become. One of two channels does not exist, so blue is 0.
    pub(super) fn format(self) -> PixelFormat {
        match self {
            Self::Halves(1) => PixelFormat::R32F,
            Self::Halves(4) => PixelFormat::RGBA32F,
            _ => PixelFormat::RGB32F,
        }
    }

    /// Bytes of a pixel in the file.
    pub(super) fn bytes_per_pixel(self) -> usize {
        match self {
            Self::Halves(channels) => channels * 2,
            Self::RedGreen => 8,
            Self::Packed | Self::SharedExponent => 4,
        }
    }

    /// Widens pixels. `to` has as many pixels as `from`.
    pub(super) fn widen(self, from: &[u8], to: &mut [u8]) {
        let stored = self.format().bytes_per_pixel().unwrap_or(4) as usize;
        for (pixel, to) in from.chunks_exact(self.bytes_per_pixel()).zip(to.chunks_exact_mut(stored)) {
            for (value, to) in self.read(pixel).into_iter().zip(to.chunks_exact_mut(4)) {
                to.copy_from_slice(&value.to_le_bytes());
            }
        }
    }

    fn read(self, pixel: &[u8]) -> [f32; 4] {
        let half =
            |at: usize| pixel.get(at * 2..at * 2 + 2).map_or(0.0, |v| half_float(u16::from_le_bytes([v[0], v[1]])));
        let word = |at: usize| pixel.get(at * 4..).and_then(|v| v.first_chunk()).map_or(0, |v| u32::from_le_bytes(*v));
        match self {
            Self::Halves(_) => [0, 1, 2, 3].map(half),
            Self::RedGreen => [f32::from_bits(word(0)), f32::from_bits(word(1)), 0.0, 1.0],
            Self::Packed => {
                // The bits of a half without its sign and the last bits of its fraction.
                let small =
                    |from: u32, bits: u32| half_float(((word(0) >> from & ((1 << bits) - 1)) << (15 - bits)) as u16);
                [small(0, 11), small(11, 11), small(22, 10), 1.0]
            }
            Self::SharedExponent => {
                // 2^(exponent - 15) for numbers from 0 to 1, which have 9 bits. The smallest is 2^-24.
                let scale = f32::from_bits(((word(0) >> 27) + 127 - 24) << 23);
                let channel = |from: u32| (word(0) >> from & 0x1ff) as f32 * scale;
                [channel(0), channel(9), channel(18), 1.0]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_specification() {
        // 1, -2, 0.5 and 65504.
        let halves: Vec<u8> = [0x3c00u16, 0xc000, 0x3800, 0x7bff].into_iter().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Floats::Halves(4).read(&halves), [1.0, -2.0, 0.5, 65504.0]);
        assert_eq!(Floats::Halves(1).read(&halves[..2])[0], 1.0);
        // Exponent 15 and no fraction is 1; the largest of 11 bits is 65024, of 10 bits 64512.
        let packed = |r: u32, g: u32, b: u32| Floats::Packed.read(&(r | g << 11 | b << 22).to_le_bytes());
        assert_eq!(packed(15 << 6, 0x7bf, 15 << 5), [1.0, 65024.0, 1.0, 1.0]);
        assert_eq!(packed(1, 0, 0x3df), [2f32.powi(-20), 0.0, 64512.0, 1.0]);
        let shared = |exponent: u32, [r, g, b]: [u32; 3]| {
            Floats::SharedExponent.read(&(r | g << 9 | b << 18 | exponent << 27).to_le_bytes())
        };
        assert_eq!(shared(16, [256, 511, 1]), [1.0, 511.0 / 256.0, 1.0 / 256.0, 1.0]);
        assert_eq!(shared(31, [511, 0, 511]), [65408.0, 0.0, 65408.0, 1.0]);
        assert_eq!(shared(0, [1, 0, 0])[0], 2f32.powi(-24));
    }
}
