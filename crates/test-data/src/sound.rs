//! Files of sounds: WAV, FLAC, Ogg.

use crate::bytes::{crc, le};

/// A WAV of these samples. Format 1 is integers, 3 floats; the sizes of other formats are stated as of integers.
pub fn wav(data: &[u8], format: u16, channels: u16, rate: u32, bits: u16) -> Vec<u8> {
    let frame = channels * bits / 8;
    let head = [le(&[format, channels]), le(&[rate, rate * u32::from(frame)]), le(&[frame, bits])].concat();
    let chunks = [(b"fmt ", &head[..]), (b"data", data)].map(|(name, body)| riff_chunk(name, body));
    riff(&chunks.concat())
}

/// A WAV of one channel of 16 bits.
pub fn mono(rate: u32, samples: &[i16]) -> Vec<u8> {
    wav(&le(samples), 1, 1, rate, 16)
}

/// A WAV of these chunks.
pub fn riff(chunks: &[u8]) -> Vec<u8> {
    [b"RIFF", &le(&[chunks.len() as u32 + 4])[..], b"WAVE", chunks].concat()
}

/// A WAV with more chunks at its end.
pub fn with_chunks(wav: &[u8], chunks: &[u8]) -> Vec<u8> {
    riff(&[&wav[12..], chunks].concat())
}

/// A chunk of a WAV, padded to an even number of bytes.
pub fn riff_chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let padding = vec![0; body.len() % 2];
    [name, &le(&[body.len() as u32])[..], body, &padding].concat()
}

/// A FLAC of mono of 16 bits at 44.1 kHz, in blocks of `block` samples, whose head states `frames`; 0 leaves that open.
pub fn flac(block: u16, frames: u64, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"fLaC\x80\0\0\x22".to_vec();
    file.extend([block.to_be_bytes(), block.to_be_bytes(), [0; 2], [0; 2], [0; 2]].concat());
    file.extend((44_100u64 << 44 | 15 << 36 | frames).to_be_bytes());
    file.extend([0; 16]);
    file.extend(packets.iter().flatten());
    file
}

/// A packet of a FLAC: its head and its body, each with its checksum.
pub fn flac_packet(head: &[u8], body: &[u8]) -> Vec<u8> {
    let mut packet = [head, &[crc(head, 8, 0x07) as u8], body].concat();
    let check = crc(&packet, 16, 0x8005) as u16;
    packet.extend(check.to_be_bytes());
    packet
}

/// A page of Ogg with whole packets.
pub fn ogg_page(number: u32, flags: u8, position: u64, packets: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut page = [&b"OggS\0"[..], &[flags], &position.to_le_bytes(), &le(&[1, number, 0])].concat();
    let lengths = packets.iter().map(|packet| packet.as_ref().len());
    let lengths: Vec<u8> =
        lengths.flat_map(|len| std::iter::repeat_n(255, len / 255).chain([(len % 255) as u8])).collect();
    page.push(lengths.len() as u8);
    page.extend(lengths);
    packets.iter().for_each(|packet| page.extend(packet.as_ref()));
    sum_ogg_page(&mut page);
    page
}

/// Gives a page of Ogg the checksum that it should have.
pub fn sum_ogg_page(page: &mut [u8]) {
    page[22..26].fill(0);
    let sum = crc(page, 32, 0x04c1_1db7);
    page[22..26].copy_from_slice(&sum.to_le_bytes());
}
