//! An Ogg file of one stream → its packets, each checked with the CRC of its pages.

use std::borrow::Cow;

/// A page: its fields, and the parts of packets in it.
struct Page<'a> {
    flags: u8,
    /// The position of the end of the last packet that ends in the page; -1 if none does.
    position: i64,
    serial: u32,
    number: u32,
    /// The lengths of the parts.
    lengths: &'a [u8],
    data: &'a [u8],
}

/// A whole packet.
pub(crate) struct Packet<'a> {
    #[cfg_attr(not(feature = "opus"), expect(dead_code, reason = "another decoder reads the packets of Vorbis"))]
    pub(crate) data: Cow<'a, [u8]>,
    /// The position of the page, if the packet is the last one that ends in it.
    pub(crate) end: Option<i64>,
}

/// Why the next packet cannot be read.
pub(crate) enum Bad {
    /// The file ends inside a page or a packet.
    EndsEarly,
    /// A page is damaged or missing.
    Damaged(String),
    /// A second stream begins.
    SeveralStreams,
}

/// The packets of a file, in order.
pub(crate) struct Packets<'a> {
    rest: &'a [u8],
    /// The page whose parts come next, and how many of them were taken.
    page: Option<(Page<'a>, usize)>,
    /// The serial number of the stream, and the number of its next page.
    stream: Option<(u32, u32)>,
    /// The start of a packet that goes on in the next page.
    started: Vec<u8>,
    is_over: bool,
}

/// The place of the next page of a stream, and what is known of the pages before it.
#[cfg(feature = "opus")]
#[derive(Clone, Default)]
pub(crate) struct Place {
    pub(crate) offset: usize,
    stream: Option<(u32, u32)>,
    /// The start of a packet that goes on in the next page.
    started: Vec<u8>,
    is_over: bool,
}

/// Most bytes of a packet: more than 120 ms of eight channels at the highest rate.
const MAX_PACKET: usize = 1 << 20;

const CONTINUED: u8 = 1;
const FIRST: u8 = 2;
const LAST: u8 = 4;

impl<'a> Packets<'a> {
    pub(crate) fn new(file: &'a [u8]) -> Self {
        Self { rest: file, page: None, stream: None, started: Vec::new(), is_over: false }
    }

    /// The packets from a place on.
    #[cfg(feature = "opus")]
    pub(crate) fn resume(file: &'a [u8], place: Place) -> Self {
        let Place { offset, stream, started, is_over } = place;
        Self { rest: file.get(offset..).unwrap_or_default(), page: None, stream, started, is_over }
    }

    /// Whether the mark of the end was read.
    #[cfg(feature = "ogg")]
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// The place after the packets that were returned; `None` if others end in their page.
    #[cfg(feature = "opus")]
    pub(crate) fn place(&self, file: &[u8]) -> Option<Place> {
        let (mut started, mut is_over) = (self.started.clone(), self.is_over);
        if let Some((page, taken)) = &self.page {
            if page.lengths[*taken..].iter().any(|len| *len < 255) {
                return None;
            }
            started.extend_from_slice(page.data);
            is_over |= page.flags & LAST != 0;
        }
        (started.len() <= MAX_PACKET).then(|| Place {
            offset: file.len() - self.rest.len(),
            stream: self.stream,
            started,
            is_over,
        })
    }

    /// Returns the next packet; `None` at the end of the stream. The mark of the end may be missing.
    pub(crate) fn next(&mut self) -> Result<Option<Packet<'a>>, Bad> {
        loop {
            while let Some((page, taken)) = &mut self.page {
                let lengths = &page.lengths[*taken..];
                if lengths.is_empty() {
                    self.is_over |= page.flags & LAST != 0;
                    self.page = None;
                    break;
                }
                let parts = lengths.iter().position(|len| *len < 255).map_or(lengths.len(), |last| last + 1);
                let is_whole = lengths[parts - 1] < 255;
                let len = lengths[..parts].iter().map(|len| usize::from(*len)).sum();
                let (data, after) = page.data.split_at(len);
                page.data = after;
                *taken += parts;
                if self.started.len() + len > MAX_PACKET {
                    return Err(Bad::Damaged(format!("a packet has more than {MAX_PACKET} bytes")));
                }
                if !is_whole {
                    self.started.extend_from_slice(data);
                    continue;
                }
                let is_last = !page.lengths[*taken..].iter().any(|len| *len < 255);
                let end = is_last.then_some(page.position);
                let data = if self.started.is_empty() {
                    Cow::Borrowed(data)
                } else {
                    self.started.extend_from_slice(data);
                    Cow::Owned(std::mem::take(&mut self.started))
                };
                return Ok(Some(Packet { data, end }));
            }
            // Some programs append tags, which are not pages.
            if self.is_over && self.rest.starts_with(b"OggS") {
                return Err(Bad::SeveralStreams);
            }
            if self.is_over || !self.next_page()? {
                return if self.started.is_empty() { Ok(None) } else { Err(Bad::EndsEarly) };
            }
        }
    }

    /// Reads the next page of the stream; `false` if there is none.
    fn next_page(&mut self) -> Result<bool, Bad> {
        if self.rest.is_empty() {
            return Ok(false);
        }
        let page = self.read_page()?;
        let (serial, number) = *self.stream.get_or_insert((page.serial, page.number));
        if page.serial != serial || (page.flags & FIRST != 0 && page.number != number) {
            return Err(Bad::SeveralStreams);
        }
        if page.number != number {
            return Err(Bad::Damaged(format!("page {} follows page {}", page.number, number.wrapping_sub(1))));
        }
        if (page.flags & CONTINUED != 0) == self.started.is_empty() {
            return Err(Bad::Damaged(format!("page {number} does not go on where the page before it ends")));
        }
        self.stream = Some((serial, number.wrapping_add(1)));
        self.page = Some((page, 0));
        Ok(true)
    }

    fn read_page(&mut self) -> Result<Page<'a>, Bad> {
        let bytes = self.rest;
        if !bytes.starts_with(b"OggS") {
            let is_cut = b"OggS".starts_with(&bytes[..bytes.len().min(4)]);
            return Err(if is_cut {
                Bad::EndsEarly
            } else {
                Bad::Damaged("a page does not start with OggS".to_owned())
            });
        }
        let head = bytes.first_chunk::<27>().ok_or(Bad::EndsEarly)?;
        let data_start = 27 + usize::from(head[26]);
        let lengths = bytes.get(27..data_start).ok_or(Bad::EndsEarly)?;
        let end = data_start + lengths.iter().map(|len| usize::from(*len)).sum::<usize>();
        let data = bytes.get(data_start..end).ok_or(Bad::EndsEarly)?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        // The CRC is computed as if it were 0.
        let found = crc(&bytes[26..end], crc(&[0; 4], crc(&bytes[..22], 0)));
        if found != number(22) {
            let detail = format!("the CRC of page {} is {found:08x}, expected {:08x}", number(18), number(22));
            return Err(Bad::Damaged(detail));
        }
        self.rest = &bytes[end..];
        let position = (u64::from(number(10)) << 32 | u64::from(number(6))).cast_signed();
        Ok(Page { flags: head[5], position, serial: number(14), number: number(18), lengths, data })
    }
}

/// The CRC-32 of Ogg, which does not reverse bits.
fn crc(bytes: &[u8], start: u32) -> u32 {
    bytes.iter().fold(start, |crc, byte| crc << 8 ^ TABLE[usize::from((crc >> 24) as u8 ^ byte)])
}

static TABLE: [u32; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 256 {
        let (mut crc, mut bit) = ((byte as u32) << 24, 0);
        while bit < 8 {
            crc = if crc & 1 << 31 == 0 { crc << 1 } else { crc << 1 ^ 0x04c1_1db7 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};
