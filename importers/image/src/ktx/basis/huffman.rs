//! Canonical Huffman codes. The lengths of the codes come before the symbols, and are in such a code themselves.

use super::Damage;
use super::bits::Bits;

/// The longest code.
const MAX_LEN: usize = 16;

/// The storage order of the lengths of the codes for lengths. A code for a length that is not stored has no symbol.
const ORDER: [usize; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];

/// Decodes symbols.
pub(super) struct Code {
    /// The symbol that bits begin with, and how many of them are its code; 0 if they begin with none.
    table: Vec<(u16, u8)>,
    /// The length of the longest code.
    len: u32,
}

impl Code {
    /// Reads a code that must have symbols.
    pub(super) fn read(bits: &mut Bits<'_>) -> Result<Self, Damage> {
        Self::read_any(bits)?.ok_or("has a Huffman code without symbols")
    }

    /// Reads a code; `None` if it has no symbols.
    pub(super) fn read_any(bits: &mut Bits<'_>) -> Result<Option<Self>, Damage> {
        let count = bits.take(14)? as usize;
        if count == 0 {
            return Ok(None);
        }
        let stored = bits.take(5)? as usize;
        let mut lens = [0; ORDER.len()];
        for symbol in ORDER.get(..stored).ok_or(NO_CODE)? {
            lens[*symbol] = bits.take(3)? as u8;
        }
        let code = Self::new(&lens)?;
        let mut lens: Vec<u8> = Vec::with_capacity(count);
        while lens.len() < count {
            let (len, times) = match code.symbol(bits)? {
                17 => (0, 3 + bits.take(3)?),
                18 => (0, 11 + bits.take(7)?),
                symbol @ (19 | 20) => {
                    let times = if symbol == 19 { 3 + bits.take(2)? } else { 7 + bits.take(7)? };
                    (*lens.last().filter(|len| **len > 0).ok_or(NO_CODE)?, times)
                }
                len => (len as u8, 1),
            };
            lens.resize(lens.len() + times as usize, len);
        }
        if lens.len() > count {
            return Err(NO_CODE);
        }
        Self::new(&lens).map(Some)
    }

    /// The code with a length for each symbol; 0 for symbols that do not occur.
    fn new(lens: &[u8]) -> Result<Self, Damage> {
        let mut counts = [0u32; MAX_LEN + 1];
        for len in lens {
            counts[usize::from(*len)] += 1;
        }
        counts[0] = 0;
        let longest = counts.iter().rposition(|count| *count > 0).ok_or(NO_CODE)?;
        let mut next = [0u32; MAX_LEN + 2];
        for len in 1..=longest {
            next[len + 1] = (next[len] + counts[len]) << 1;
        }
        // All bits must begin with a code, but a single symbol has a code that nothing else completes.
        if next[longest + 1] != 2 << longest && counts.iter().sum::<u32>() != 1 {
            return Err(NO_CODE);
        }
        let mut table = vec![(0, 0); 1 << longest];
        for (symbol, len) in lens.iter().enumerate().filter(|(_, len)| **len > 0) {
            let code = &mut next[usize::from(*len)];
            let first = code.reverse_bits() >> (u32::BITS - u32::from(*len));
            *code += 1;
            for entry in table.iter_mut().skip(first as usize).step_by(1 << len) {
                *entry = (symbol as u16, *len);
            }
        }
        Ok(Self { table, len: longest as u32 })
    }

    /// Reads a symbol.
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Result<u32, Damage> {
        match self.table[bits.peek(self.len) as usize] {
            (_, 0) => Err("has bits that are not a Huffman code"),
            (symbol, len) => bits.skip(len.into()).map(|()| symbol.into()),
        }
    }
}

const NO_CODE: Damage = "has lengths that make no Huffman code";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_codes_come_first_and_their_bits_in_reverse() {
        // a: 0, b: 10, c: 110, d: 111.
        let code = Code::new(&[1, 2, 3, 3]).unwrap();
        let mut bits = Bits::new(&[0b1101_1010, 0b1]);
        let symbols: Vec<_> = (0..5).map(|_| code.symbol(&mut bits)).collect();
        assert_eq!(symbols, [Ok(0), Ok(1), Ok(2), Ok(3), Ok(0)].map(|symbol| symbol), "{symbols:?}");
    }

    #[test]
    fn lengths_must_use_all_codes_unless_there_is_one_symbol() {
        for lens in [&[][..], &[0, 0], &[2, 2], &[1, 1, 1], &[1, 2, 3]] {
            assert_eq!(Code::new(lens).err(), Some(NO_CODE), "{lens:?}");
        }
        let single = Code::new(&[0, 0, 1]).unwrap();
        assert_eq!(single.symbol(&mut Bits::new(&[0])), Ok(2));
        assert!(single.symbol(&mut Bits::new(&[1])).is_err());
    }

    #[test]
    fn a_run_of_lengths_ends_within_the_symbols() {
        // One symbol, whose length is a run of three zeros: the code for lengths has the symbol 17 only.
        let bits = 1u32 | 1 << 14 | 1 << 19;
        assert_eq!(Code::read_any(&mut Bits::new(&bits.to_le_bytes())).err(), Some(NO_CODE));
        assert!(Code::read_any(&mut Bits::new(&[0, 0])).unwrap().is_none());
        // More codes for lengths than there are lengths.
        let bits = 1u32 | 22 << 14;
        assert_eq!(Code::read_any(&mut Bits::new(&bits.to_le_bytes())).err(), Some(NO_CODE));
    }
}
