//! What predicts a sample from the four before it, and learns from the difference. Encoder and decoder have the same one.

use super::STATE_SIZE;

/// The distances from the prediction that a slice can hold: one row for each of its 16 scales.
pub const DEQUANTIZED: [[i32; 8]; 16] = dequantized();

const fn dequantized() -> [[i32; 8]; 16] {
    /// The power 2.75 of 1 to 16, rounded.
    const SCALES: [i32; 16] = [1, 7, 21, 45, 84, 138, 211, 304, 421, 562, 731, 928, 1157, 1419, 1715, 2048];
    /// In quarters of a scale. Negative numbers follow the positive ones.
    const STEPS: [i32; 4] = [3, 10, 18, 28];
    let (mut table, mut i) = ([[0; 8]; 16], 0);
    while i < 64 {
        // Half a step is rounded away from 0.
        let distance = (SCALES[i / 4] * STEPS[i % 4] + 2) / 4;
        table[i / 4][i % 4 * 2] = distance;
        table[i / 4][i % 4 * 2 + 1] = -distance;
        i += 1;
    }
    table
}

/// The last four samples of a channel, the oldest first, and their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predictor {
    history: [i32; 4],
    weights: [i32; 4],
}

impl Predictor {
    /// The one that an encoder starts with: two samples in a straight line.
    pub const START: Self = Self { history: [0; 4], weights: [0, 0, -(1 << 13), 1 << 14] };

    /// Reads the state before a frame.
    pub fn read(state: &[u8; STATE_SIZE]) -> Self {
        let number = |i: usize| i32::from(i16::from_be_bytes([state[2 * i], state[2 * i + 1]]));
        Self { history: [0, 1, 2, 3].map(number), weights: [4, 5, 6, 7].map(number) }
    }

    /// Writes the state before a frame, and goes on with what is written: weights that do not fit are clamped.
    pub fn write(&mut self) -> [u8; STATE_SIZE] {
        let mut state = [0; STATE_SIZE];
        let numbers = self.history.iter().chain(&self.weights);
        for (bytes, number) in state.as_chunks_mut().0.iter_mut().zip(numbers) {
            *bytes = clamped(*number).to_be_bytes();
        }
        *self = Self::read(&state);
        state
    }

    /// The next sample as the last four predict it.
    #[inline]
    pub fn prediction(&self) -> i32 {
        let [a, b, c, d] = self.history;
        let [p, q, r, s] = self.weights;
        // Weights of a hostile file can grow. The sum wraps then, as it does in other decoders.
        let (first, second) =
            (a.wrapping_mul(p).wrapping_add(b.wrapping_mul(q)), c.wrapping_mul(r).wrapping_add(d.wrapping_mul(s)));
        first.wrapping_add(second) >> 13
    }

    /// Returns the sample that is this far from the prediction, and learns from it.
    #[inline]
    pub fn advance(&mut self, residual: i32) -> i16 {
        self.learn(self.prediction(), residual)
    }

    /// The same for a prediction that was made before.
    #[inline]
    pub fn learn(&mut self, prediction: i32, residual: i32) -> i16 {
        let sample = clamped(prediction + residual);
        let change = residual >> 4;
        let [a, b, c, d] = self.history;
        let [p, q, r, s] = self.weights;
        let moved = |weight: i32, past: i32| if past < 0 { weight - change } else { weight + change };
        self.weights = [moved(p, a), moved(q, b), moved(r, c), moved(s, d)];
        self.history = [b, c, d, sample.into()];
        sample
    }

    /// How far the weights are beyond what an encoder should let them grow to.
    pub fn excess(&self) -> i64 {
        /// Greater weights than these may no longer fit 16 bits at the next frame.
        const USUAL: i64 = 0x8ff;
        let squares: i64 = self.weights.iter().map(|weight| i64::from(*weight) * i64::from(*weight)).sum();
        ((squares >> 18) - USUAL).max(0)
    }
}

fn clamped(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}
