//! Random numbers that are the same on every machine and in every run.

/// Marsaglia's xorshift with 32 bits of state.
#[derive(Clone, Debug)]
pub(crate) struct Chance(u32);

impl Chance {
    pub(crate) fn new(seed: u32) -> Self {
        Self(seed.max(1))
    }

    /// Evenly between `low` and `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        low + (high - low) * (self.0 >> 8) as f32 / (1 << 24) as f32
    }
}
