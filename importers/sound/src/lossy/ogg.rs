//! Packets → the pages of an Ogg file of one stream.

/// Packets in a page: a second of Opus. A player seeks by pages.
const PAGE_PACKETS: usize = 50;
/// Lengths that a page has room for. Each is of up to 255 bytes of a packet.
const PAGE_LENGTHS: usize = 255;

/// The serial number of the stream. Any number will do, but a random one would make other bytes with each build.
const SERIAL: u32 = u32::from_le_bytes(*b"rres");

const FIRST: u8 = 2;
const LAST: u8 = 4;

/// A file that grows by packets.
#[derive(Default)]
pub(super) struct Pages {
    file: Vec<u8>,
    number: u32,
    lengths: Vec<u8>,
    data: Vec<u8>,
    packets: usize,
    /// The position after the last packet of the page.
    position: u64,
}

impl Pages {
    /// Adds a packet, after which this is the position. It has fewer bytes than fit a page.
    pub(super) fn push(&mut self, packet: &[u8], position: u64) {
        let count = packet.len() / 255 + 1;
        if self.packets == PAGE_PACKETS || self.lengths.len() + count > PAGE_LENGTHS {
            self.end_page(0);
        }
        self.lengths.extend(std::iter::repeat_n(255, count - 1).chain([(packet.len() % 255) as u8]));
        self.data.extend_from_slice(packet);
        self.packets += 1;
        self.position = position;
    }

    /// Ends the page after the last packet, such as that of the head.
    pub(super) fn end_head(&mut self) {
        self.end_page(0);
    }

    /// Ends the stream at this position, which may be inside the last packet.
    pub(super) fn finish(mut self, position: u64) -> Vec<u8> {
        self.position = position;
        self.end_page(LAST);
        self.file
    }

    fn end_page(&mut self, flags: u8) {
        let start = self.file.len();
        let flags = if self.number == 0 { flags | FIRST } else { flags };
        self.file.extend_from_slice(b"OggS\0");
        self.file.push(flags);
        self.file.extend(self.position.to_le_bytes());
        self.file.extend(SERIAL.to_le_bytes());
        self.file.extend(self.number.to_le_bytes());
        self.file.extend([0; 4]);
        self.file.push(self.lengths.len() as u8);
        self.file.append(&mut self.lengths);
        self.file.append(&mut self.data);
        let sum = checksum(&self.file[start..]);
        self.file[start + 22..start + 26].copy_from_slice(&sum.to_le_bytes());
        (self.number, self.packets) = (self.number + 1, 0);
    }
}

/// The CRC-32 of Ogg, which is not the usual one: bits come from the high end, and nothing is inverted.
fn checksum(page: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    page.iter().fold(0, |sum, byte| sum << 8 ^ TABLE[usize::from((sum >> 24) as u8 ^ byte)])
}

const fn table() -> [u32; 256] {
    let (mut table, mut i) = ([0; 256], 0);
    while i < 256 {
        let (mut sum, mut bit) = ((i as u32) << 24, 0);
        while bit < 8 {
            sum = if sum >> 31 == 1 { sum << 1 ^ 0x04c1_1db7 } else { sum << 1 };
            bit += 1;
        }
        table[i] = sum;
        i += 1;
    }
    table
}
