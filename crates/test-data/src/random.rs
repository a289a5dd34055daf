//! Random numbers that are the same in every run and on every machine.

/// Xorshift, from a seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed. Each seed has other numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "the numbers have no end")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end
    }

    /// A number from 0 to 1, without 1.
    pub fn fraction(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 16_777_216.0
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        (self.next() >> 32) as u8
    }

    /// Bytes, which no algorithm compresses.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.byte()).collect()
    }

    /// Bytes that change slowly, with noise, as those of pictures and sounds do.
    pub fn smooth(&mut self, len: usize) -> Vec<u8> {
        let mut value = 128_u8;
        let mut byte = || {
            value = value.wrapping_add(self.below(7) as u8).wrapping_sub(3);
            if self.below(97) == 0 { self.byte() } else { value }
        };
        (0..len).map(|_| byte()).collect()
    }
}

/// Bytes, which no algorithm compresses. A shorter row of them is the beginning of a longer one.
pub fn noise(len: usize) -> Vec<u8> {
    Random::new(1).bytes(len)
}
