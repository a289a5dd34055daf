//! Files of pictures: BMP, TGA, PNG. None is compressed. Pixels are in rows from the top, red first.

use crate::bytes::{be, crc32, le};

/// A BMP of 24 bits from its RGB pixels.
pub fn bmp(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let row = width as usize * 3;
    let padded = row.next_multiple_of(4);
    let size = 54 + padded as u32 * height;
    let mut file = b"BM".to_vec();
    file.extend(le(&[size, 0, 54, 40, width, height, 24 << 16 | 1, 0, size - 54, 0, 0, 0, 0]));
    for line in rgb.chunks_exact(row).rev() {
        file.extend(line.chunks_exact(3).flat_map(|p| [p[2], p[1], p[0]]));
        file.resize(file.len() + padded - row, 0);
    }
    file
}

/// A BMP of one colour.
pub fn plain_bmp(width: u32, height: u32, rgb: [u8; 3]) -> Vec<u8> {
    bmp(width, height, &rgb.repeat((width * height) as usize))
}

/// A TGA from its pixels, which are RGB or RGBA.
pub fn tga(width: u16, height: u16, pixels: &[u8]) -> Vec<u8> {
    let channels = pixels.len() / (usize::from(width) * usize::from(height));
    let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend(le(&[width, height]));
    // From the top; the lower bits are alpha.
    file.extend([channels as u8 * 8, 0x20 | if channels == 4 { 8 } else { 0 }]);
    for pixel in pixels.chunks_exact(channels) {
        file.extend([pixel[2], pixel[1], pixel[0]].iter().chain(&pixel[3..]));
    }
    file
}

/// A PNG of 8 bits from its pixels, which have one to four channels.
pub fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let row = pixels.len() / height as usize;
    let color = [0, 4, 2, 6][row / width as usize - 1];
    let lines: Vec<u8> = pixels.chunks_exact(row).flat_map(|line| [&[0], line].concat()).collect();
    png_of_chunks([width, height], [8, color, 0], &[(b"IDAT", zlib(&lines))])
}

/// A PNG of a size, of a depth, a kind of colours and a kind of interlacing, with these chunks between its head and its end.
pub fn png_of_chunks<D: AsRef<[u8]>>(
    size: [u32; 2],
    [depth, color, interlaced]: [u8; 3],
    chunks: &[(&[u8; 4], D)],
) -> Vec<u8> {
    let head = [be(&size), vec![depth, color, 0, 0, interlaced]].concat();
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    file.extend(png_chunk(b"IHDR", &head));
    chunks.iter().for_each(|(name, data)| file.extend(png_chunk(name, data.as_ref())));
    file.extend(png_chunk(b"IEND", b""));
    file
}

/// A chunk of a PNG.
pub fn png_chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [name, data].concat();
    [be(&[data.len() as u32]), be(&[crc32(&body)])].join(&body[..])
}

/// A zlib stream that stores the bytes, which are not empty, as they are.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 1];
    let last = bytes.len().div_ceil(0xffff).saturating_sub(1);
    for (number, block) in bytes.chunks(0xffff).enumerate() {
        let len = block.len() as u16;
        stream.push(u8::from(number == last));
        stream.extend(le(&[len, !len]));
        stream.extend(block);
    }
    let sums = bytes.iter().fold((1u32, 0u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    });
    stream.extend(be(&[sums.1 << 16 | sums.0]));
    stream
}
