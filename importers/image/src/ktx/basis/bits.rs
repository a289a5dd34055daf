//! Reads bits from the lowest one up, as the streams of ETC1S have them.

use super::Damage;

const ENDS_EARLY: Damage = "has a stream that ends early";

/// What is left of a stream.
pub(super) struct Bits<'a> {
    rest: &'a [u8],
    buffer: u64,
    /// The number of bits in the buffer.
    count: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(stream: &'a [u8]) -> Self {
        Self { rest: stream, buffer: 0, count: 0 }
    }

    /// The next bits, at most 32; zeros follow the last one.
    pub(super) fn peek(&mut self, len: u32) -> u32 {
        while self.count < len
            && let Some((byte, rest)) = self.rest.split_first()
        {
            self.buffer |= u64::from(*byte) << self.count;
            self.count += 8;
            self.rest = rest;
        }
        (self.buffer & ((1 << len) - 1)) as u32
    }

    /// Goes on behind bits that were looked at.
    pub(super) fn skip(&mut self, len: u32) -> Result<(), Damage> {
        self.count = self.count.checked_sub(len).ok_or(ENDS_EARLY)?;
        self.buffer >>= len;
        Ok(())
    }

    /// The next bits, at most 32.
    pub(super) fn take(&mut self, len: u32) -> Result<u32, Damage> {
        let bits = self.peek(len);
        self.skip(len)?;
        Ok(bits)
    }

    /// A number in digits of `len` bits, the lowest one first. A bit behind each digit says whether another one follows.
    pub(super) fn digits(&mut self, len: u32) -> Result<u32, Damage> {
        let mut number = 0;
        for shift in (0..32).step_by(len as usize) {
            number |= u64::from(self.take(len)?) << shift;
            if self.take(1)? == 0 {
                return number.try_into().map_err(|_| TOO_LARGE);
            }
        }
        Err(TOO_LARGE)
    }
}

const TOO_LARGE: Damage = "has a number of more than 32 bits";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_from_the_lowest_one_until_none_is_left() {
        let mut bits = Bits::new(&[0b1010_0110, 0x12, 0x34, 0x56, 0x78]);
        assert_eq!([bits.take(3), bits.take(5), bits.take(32)], [Ok(0b110), Ok(0b10100), Ok(0x7856_3412)]);
        assert_eq!((bits.peek(4), bits.take(1)), (0, Err(ENDS_EARLY)));
    }

    #[test]
    fn digits_end_with_the_first_one_that_nothing_follows() {
        assert_eq!(Bits::new(&[0b001_101]).digits(2), Ok(0b01_01));
        assert_eq!(Bits::new(&[0xff; 8]).digits(4), Err(TOO_LARGE));
        assert_eq!(Bits::new(&[0xff]).digits(7), Err(ENDS_EARLY));
    }
}
