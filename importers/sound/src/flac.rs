//! What a FLAC holds besides the frames that its decoder takes: it passes over everything after a change of format.

/// Whether a FLAC, whose packets are `packets` bytes long together, goes on after them. Padding and tags of other formats
/// may follow.
pub(super) fn goes_on_after(bytes: &[u8], packets: usize) -> bool {
    let Some(start) = first_packet(bytes) else { return false };
    let rest = bytes.get(start + packets..).unwrap_or_default();
    let is_tag = [&b"APETAGEX"[..], b"TAG", b"LYRICSBEGIN"].iter().any(|mark| rest.starts_with(mark));
    !is_tag && rest.iter().any(|byte| *byte != 0)
}

/// Whether a packet holds a second frame, which the decoder does not see. The demuxer ends a packet only where a frame of
/// the same format begins, and checksums of frames in a row agree as a whole.
pub(super) fn has_second_frame(packet: &[u8]) -> bool {
    let starts = (1..packet.len().saturating_sub(1)).filter(|at| packet[*at] == 0xff && packet[at + 1] & 0xfe == 0xf8);
    // A frame ends with its checksum, and the checksum of all of it is 0.
    starts.filter(|at| is_frame_header(&packet[*at..])).any(|at| crc(&packet[..at], 16, 0x8005) == 0)
}

/// The end of the blocks of metadata.
fn first_packet(bytes: &[u8]) -> Option<usize> {
    let mut at = 4usize;
    loop {
        let [kind, a, b, c] = *bytes.get(at..)?.first_chunk::<4>()?;
        at += 4 + u32::from_be_bytes([0, a, b, c]) as usize;
        if kind & 0x80 != 0 {
            return Some(at);
        }
    }
}

/// Whether these bytes begin with the header of a frame and its checksum.
fn is_frame_header(bytes: &[u8]) -> bool {
    let Some([_, _, sizes, _, number, ..]) = bytes.first_chunk::<5>() else { return false };
    // The number of the frame has as many bytes as a character of UTF-8, or up to seven.
    let number = (number.leading_ones() as usize).max(1);
    let block_size = match sizes >> 4 {
        6 => 1,
        7 => 2,
        _ => 0,
    };
    let rate = match sizes & 15 {
        12 => 1,
        13 | 14 => 2,
        _ => 0,
    };
    let len = 4 + number + block_size + rate + 1;
    bytes.get(..len).is_some_and(|header| crc(header, 8, 0x07) == 0)
}

/// The checksum of a header (8 bits) or a frame (16 bits).
fn crc(bytes: &[u8], width: u32, polynomial: u32) -> u32 {
    let top = 1 << (width - 1);
    let step = |crc: u32, _| if crc & top == 0 { crc << 1 } else { (crc << 1) ^ polynomial };
    let crc = bytes.iter().fold(0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte) << (width - 8), step));
    crc & ((1 << width) - 1)
}
