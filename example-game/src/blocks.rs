//! Block-compressed pixels (BC1 and BC3, from DDS files) to RGBA, for a graphics library that cannot hand them to the
//! graphics card as they are.

/// Which of the two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// 8 bytes per 4 by 4 pixels, no alpha worth keeping.
    Bc1,
    /// 16 bytes: alpha, then colour.
    Bc3,
}

/// Decodes the first level. `None` where `data` is shorter than the size asks for.
pub(crate) fn decode(blocks: Blocks, width: u32, height: u32, data: &[u8]) -> Option<Vec<u8>> {
    let (width, height) = (width as usize, height as usize);
    let (columns, rows) = (width.div_ceil(4), height.div_ceil(4));
    let size = if blocks == Blocks::Bc1 { 8 } else { 16 };
    let data = data.get(..columns.checked_mul(rows)?.checked_mul(size)?)?;
    let mut pixels = vec![255; width * height * 4];
    for (number, block) in data.chunks_exact(size).enumerate() {
        let (left, top) = (number % columns * 4, number / columns * 4);
        let (alphas, colours) = match blocks {
            Blocks::Bc1 => ([255; 16], block),
            Blocks::Bc3 => (alphas(&block[..8]), &block[8..]),
        };
        let palette = palette(colours, blocks == Blocks::Bc1);
        let picks = u32::from_le_bytes([colours[4], colours[5], colours[6], colours[7]]);
        for i in 0..16 {
            let (x, y) = (left + i % 4, top + i / 4);
            if x < width && y < height {
                let [r, g, b] = palette[(picks >> (2 * i) & 3) as usize];
                pixels[(y * width + x) * 4..][..4].copy_from_slice(&[r, g, b, alphas[i]]);
            }
        }
    }
    Some(pixels)
}

/// The four colours of a block: two given, two between them (or one between and black).
fn palette(block: &[u8], may_have_three: bool) -> [[u8; 3]; 4] {
    let ends = [u16::from_le_bytes([block[0], block[1]]), u16::from_le_bytes([block[2], block[3]])];
    let wide = |value: u16, max: u32| ((u32::from(value) * 255 + max / 2) / max) as u8;
    let [a, b] = ends.map(|c| [wide(c >> 11, 31), wide(c >> 5 & 63, 63), wide(c & 31, 31)]);
    let mix = |x: u32, y: u32| std::array::from_fn(|i| ((u32::from(a[i]) * x + u32::from(b[i]) * y) / (x + y)) as u8);
    if may_have_three && ends[0] <= ends[1] { [a, b, mix(1, 1), [0; 3]] } else { [a, b, mix(2, 1), mix(1, 2)] }
}

fn alphas(block: &[u8]) -> [u8; 16] {
    let (a, b) = (u32::from(block[0]), u32::from(block[1]));
    let picks = block[2..8].iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    std::array::from_fn(|i| {
        let pick = (picks >> (3 * i) & 7) as u32;
        let value = match pick {
            0 => a,
            1 => b,
            _ if a > b => ((8 - pick) * a + (pick - 1) * b) / 7,
            6 => 0,
            7 => 255,
            _ => ((6 - pick) * a + (pick - 1) * b) / 5,
        };
        value as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_of_each() {
        // Red and blue as ends; the first four pixels pick each entry in turn.
        let colour = [0x00, 0xf8, 0x1f, 0x00, 0b11_10_01_00, 0, 0, 0];
        let pixels = decode(Blocks::Bc1, 4, 4, &colour).unwrap();
        assert_eq!(pixels[..16], [255, 0, 0, 255, 0, 0, 255, 255, 170, 0, 85, 255, 85, 0, 170, 255]);
        let mut both = vec![255, 0, 0b0000_1000, 0, 0, 0, 0, 0];
        both.extend(colour);
        let pixels = decode(Blocks::Bc3, 3, 2, &both).unwrap();
        assert_eq!((pixels.len(), pixels[3], pixels[7]), (24, 255, 0));
        assert_eq!(decode(Blocks::Bc3, 8, 8, &both), None);
    }
}
