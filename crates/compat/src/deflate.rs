//! DEFLATE streams that RFC 1951 allows and raylib's inflate (`sinfl.h`) misreads.
//!
//! It takes a code that is not complete for a single symbol 0, and an empty stored block for the end of the stream.

use super::{Reason, Unreadable};

const MAX_BITS: usize = 15;
/// The storage order of the lengths of the code lengths' code.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Reads a raw DEFLATE stream block by block, and returns what raylib would misread. A stream that is damaged passes.
pub fn check_deflate(stream: &[u8]) -> Option<Unreadable> {
    let mut bits = Bits { bytes: stream, at: 0 };
    for number in 1u64.. {
        match block(&mut bits)? {
            Block::Fine { is_last: true } => return None,
            Block::Fine { .. } => {}
            Block::Misread(what) => {
                return Some(Unreadable::new(Reason::DeflateStream, format!("has {what} in DEFLATE block {number}")));
            }
        }
    }
    None
}

enum Block {
    Fine { is_last: bool },
    Misread(&'static str),
}

/// Reads one block; `None` if it is damaged.
fn block(bits: &mut Bits<'_>) -> Option<Block> {
    let is_last = bits.take(1)? == 1;
    let (literals, distances) = match bits.take(2)? {
        0 => {
            bits.align();
            let len = bits.take(16)?;
            if bits.take(16)? != len ^ 0xffff {
                return None;
            }
            bits.skip_bytes(len as usize)?;
            let is_flush = len == 0 && !is_last;
            return Some(if is_flush { Block::Misread("no bytes") } else { Block::Fine { is_last } });
        }
        1 => {
            let lengths: Vec<u8> =
                [(8, 144), (9, 112), (7, 24), (8, 8)].into_iter().flat_map(|(l, n)| [l].repeat(n)).collect();
            (Code::new(&lengths), Code::new(&[5; 32]))
        }
        2 => {
            let (literals, distances) = dynamic(bits)?;
            let used = distances.iter().filter(|length| **length > 0).count();
            // raylib takes a code that is not complete for symbol 0 in one bit. That is right for one distance, and if there is none.
            let is_one = used == 1 && distances.first() == Some(&1);
            if used > 0 && !is_one && !is_complete(&distances) {
                return Some(Block::Misread("a single distance"));
            }
            if !is_complete(&literals) {
                return Some(Block::Misread("a single symbol"));
            }
            (Code::new(&literals), Code::new(&distances))
        }
        _ => return None,
    };
    loop {
        let symbol = literals.read(bits)?;
        match symbol {
            0..256 => {}
            256 => return Some(Block::Fine { is_last }),
            257..286 => {
                let length = symbol - 257;
                bits.take(if length < 8 || length == 28 { 0 } else { length / 4 - 1 })?;
                let distance = distances.read(bits)?;
                if distance > 29 {
                    return None;
                }
                bits.take(if distance < 2 { 0 } else { distance / 2 - 1 })?;
            }
            _ => return None,
        }
    }
}

/// Reads the lengths of the codes of a dynamic block.
fn dynamic(bits: &mut Bits<'_>) -> Option<(Vec<u8>, Vec<u8>)> {
    let literals = bits.take(5)? as usize + 257;
    let distances = bits.take(5)? as usize + 1;
    let count = bits.take(4)? as usize + 4;
    let mut lengths = [0; 19];
    for symbol in &ORDER[..count] {
        lengths[*symbol] = bits.take(3)? as u8;
    }
    let code = Code::new(&lengths);
    let mut lengths: Vec<u8> = Vec::with_capacity(literals + distances + 138);
    while lengths.len() < literals + distances {
        let (value, count) = match code.read(bits)? {
            symbol @ 0..16 => (symbol as u8, 1),
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            _ => (0, 11 + bits.take(7)?),
        };
        lengths.extend(std::iter::repeat_n(value, count as usize));
    }
    lengths.truncate(literals + distances);
    let of_distances = lengths.split_off(literals);
    Some((lengths, of_distances))
}

/// Whether every sequence of bits means a symbol.
fn is_complete(lengths: &[u8]) -> bool {
    let used: u32 = lengths.iter().filter(|length| **length > 0).map(|length| 1 << (MAX_BITS as u8 - length)).sum();
    used == 1 << MAX_BITS
}

/// A canonical Huffman code.
struct Code {
    /// The number of codes of each length.
    counts: [u32; MAX_BITS + 1],
    /// The symbols in the order of their codes.
    symbols: Vec<u32>,
}

impl Code {
    fn new(lengths: &[u8]) -> Self {
        let mut counts = [0; MAX_BITS + 1];
        lengths.iter().for_each(|length| counts[usize::from(*length)] += 1);
        counts[0] = 0;
        let mut symbols: Vec<u32> = (0..lengths.len() as u32).filter(|symbol| lengths[*symbol as usize] > 0).collect();
        symbols.sort_by_key(|symbol| lengths[*symbol as usize]);
        Self { counts, symbols }
    }

    fn read(&self, bits: &mut Bits<'_>) -> Option<u32> {
        // The code so far, the first code of its length, and the position of that code's symbol.
        let (mut code, mut first, mut at) = (0u32, 0u32, 0u32);
        for count in &self.counts[1..] {
            code |= bits.take(1)?;
            if let Some(offset) = code.checked_sub(first).filter(|offset| offset < count) {
                return self.symbols.get((at + offset) as usize).copied();
            }
            at += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// Bits of a stream, the lowest of each byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    /// Position in bits.
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for bit in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u32::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(value)
    }

    fn align(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }

    fn skip_bytes(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count * 8)?;
        (self.at <= self.bytes.len() * 8).then_some(())
    }
}
