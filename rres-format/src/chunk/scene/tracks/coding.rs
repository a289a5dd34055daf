//! The keys of a track ↔ bits.
//!
//! Each number is stored as its difference from what the keys before it predict, in a Rice code: small differences take few bits, and
//! motion is smooth. The reader allocates nothing.

use super::{MAX_STEPS, NOTHING, OF_KEY, TrackKey};
use crate::chunk::scene::TrackRecord;

/// The most of [`TrackRecord::codes`] and [`TrackRecord::time_code`].
pub(super) const MAX_CODE: u8 = 25;

/// The most of [`TrackRecord::predictors`].
pub(super) const MAX_PREDICTOR: u8 = 3;

/// A code begins with this many ones if the number follows as it is, in 32 bits.
const ESCAPE: u32 = 16;

/// How a list of numbers is coded: 0 if all are 0, which takes no bits; otherwise one more than the lowest bits of each number that are stored as they are.
#[derive(Clone, Copy)]
struct Code(u8);

impl Code {
    /// Returns the code in which the numbers take about the fewest bits, and how many.
    fn best(numbers: &[u32]) -> (Self, u64) {
        let sum: u64 = numbers.iter().map(|number| u64::from(*number)).sum();
        if sum == 0 {
            return (Self(0), 0);
        }
        // The best one is about the logarithm of the mean.
        let middle = (sum / numbers.len() as u64).max(1).ilog2() as u8 + 1;
        let candidates = (middle.saturating_sub(1).max(1)..=middle + 1).map(|code| Self(code.min(MAX_CODE)));
        let with_size = candidates.map(|code| (code, numbers.iter().map(|number| code.bits(*number)).sum()));
        with_size.min_by_key(|(_, bits)| *bits).unwrap_or((Self(MAX_CODE), 0))
    }

    /// Returns how many bits a number takes.
    fn bits(self, number: u32) -> u64 {
        let Some(low) = self.0.checked_sub(1) else { return 0 };
        match number >> low {
            ones @ 0..ESCAPE => u64::from(ones) + 1 + u64::from(low),
            _ => u64::from(ESCAPE) + 32,
        }
    }

    fn write(self, number: u32, bits: &mut BitWriter) {
        let Some(low) = self.0.checked_sub(1) else { return };
        let ones = number >> low;
        if ones < ESCAPE {
            // Ones, a zero, and the lowest bits of the number.
            bits.push((1 << ones) - 1, ones + 1);
            bits.push(u64::from(number) & ((1 << low) - 1), low.into());
        } else {
            bits.push((1 << ESCAPE) - 1, ESCAPE);
            bits.push(number.into(), 32);
        }
    }

    fn read(self, bits: &mut BitReader<'_>) -> Option<u32> {
        let Some(low) = self.0.checked_sub(1) else { return Some(0) };
        let ones = bits.ones();
        if ones < ESCAPE {
            bits.take(ones + 1)?;
            return Some(ones << low | bits.take(low.into())?);
        }
        bits.take(ESCAPE)?;
        bits.take(32)
    }
}

/// The numbers of the keys so far, for the next prediction.
#[derive(Clone, Copy)]
struct Before {
    predictor: u8,
    /// The last one, and the two before it.
    steps: [i64; 3],
    /// How many there were, up to 3.
    known: u8,
}

impl Before {
    fn new(predictor: u8) -> Self {
        Self { predictor, steps: [0; 3], known: 0 }
    }

    /// What comes next if it is 0, or continues as a constant, a line or a parabola; with fewer numbers than that takes, the simpler one.
    fn predicted(&self) -> i64 {
        let [a, b, c] = self.steps;
        match self.predictor.min(self.known) {
            0 => 0,
            1 => a,
            2 => 2 * a - b,
            _ => 3 * (a - b) + c,
        }
    }

    fn push(&mut self, steps: i64) {
        self.steps = [steps, self.steps[0], self.steps[1]];
        self.known = (self.known + 1).min(MAX_PREDICTOR);
    }
}

/// Returns the differences of numbers from their predictions.
fn differences(numbers: &[i32], predictor: u8) -> Vec<u32> {
    let mut before = Before::new(predictor);
    let difference = |number: &i32| {
        let number = i64::from(*number);
        let difference = number - before.predicted();
        before.push(number);
        zigzag(difference)
    };
    numbers.iter().map(difference).collect()
}

/// Returns how many times are between that of each key and that of the one before.
fn gaps(keys: &[TrackKey]) -> Vec<u32> {
    let mut next = 0;
    let gap = |key: &TrackKey| {
        let gap = key.time - next;
        next = key.time.saturating_add(1);
        gap
    };
    keys.iter().map(gap).collect()
}

/// Maps numbers of either sign to numbers from 0 on: 0, -1, 1, -2, … become 0, 1, 2, 3, …
fn zigzag(number: i64) -> u32 {
    (number << 1 ^ number >> 63) as u32
}

fn unzigzag(number: u32) -> i64 {
    i64::from(number >> 1) ^ -i64::from(number & 1)
}

impl TrackRecord {
    /// Returns the record with the predictors and the codes in which the keys take about the fewest bits, and how many bits. Times are ascending,
    /// and steps at most [`MAX_STEPS`].
    pub(super) fn with_codes(self, keys: &[TrackKey]) -> (Self, u64) {
        let (time_code, mut bits) = Code::best(&gaps(keys));
        let mut record = Self { predictors: [0; 4], codes: [0; 4], time_code: time_code.0, ..self };
        for i in 0..4 {
            let numbers = self.numbers(keys, i);
            let of_predictor = |predictor| (predictor, Code::best(&differences(&numbers, predictor)));
            let best = (0..=MAX_PREDICTOR).map(of_predictor).min_by_key(|(_, (_, bits))| *bits);
            let (predictor, (code, size)) = best.unwrap_or((0, (Code(0), 0)));
            (record.predictors[i], record.codes[i]) = (predictor, code.0);
            bits += size;
        }
        let of_left_out = if self.left_out == OF_KEY { 2 * keys.len() as u64 } else { 0 };
        (record, bits + of_left_out)
    }

    /// Returns the bytes of the keys, in the codes of the record.
    pub(super) fn write(&self, keys: &[TrackKey]) -> Vec<u8> {
        let numbers: [Vec<u32>; 4] = std::array::from_fn(|i| differences(&self.numbers(keys, i), self.predictors[i]));
        let mut numbers = numbers.each_ref().map(|numbers| numbers.iter());
        let mut bits = BitWriter::default();
        for (key, gap) in keys.iter().zip(gaps(keys)) {
            Code(self.time_code).write(gap, &mut bits);
            if self.left_out == OF_KEY {
                bits.push(u64::from(key.left_out & 3), 2);
            }
            for i in self.stored(key.left_out) {
                numbers[i].next().into_iter().for_each(|number| Code(self.codes[i]).write(*number, &mut bits));
            }
        }
        bits.finish()
    }

    /// Returns a number of all keys that have it.
    fn numbers(&self, keys: &[TrackKey], i: usize) -> Vec<i32> {
        keys.iter().filter(|key| self.stored(key.left_out).any(|stored| stored == i)).map(|key| key.steps[i]).collect()
    }

    /// Returns which numbers a key has; `of_key` is what it leaves out itself.
    fn stored(&self, of_key: u8) -> impl Iterator<Item = usize> + use<> {
        let left_out = if self.left_out == OF_KEY { of_key & 3 } else { self.left_out };
        let count = if left_out == NOTHING { 3 } else { 4 };
        (0..count).filter(move |i| *i != usize::from(left_out))
    }
}

/// The keys of a track, read one after another.
pub(super) struct Keys<'a> {
    record: TrackRecord,
    bits: BitReader<'a>,
    left: u32,
    next_time: u32,
    before: [Before; 4],
}

impl<'a> Keys<'a> {
    pub(super) fn new(record: TrackRecord, bytes: &'a [u8]) -> Self {
        let before = record.predictors.map(Before::new);
        Self { record, bits: BitReader { bytes, at: 0 }, left: record.keys, next_time: 0, before }
    }

    /// Returns how many bytes the keys had that were read.
    pub(super) fn bytes(&self) -> usize {
        self.bits.at.div_ceil(8)
    }

    /// Reads a key. `None` if the bytes end within it or a number of it is too large.
    fn key(&mut self) -> Option<TrackKey> {
        let time = self.next_time.checked_add(Code(self.record.time_code).read(&mut self.bits)?)?;
        self.next_time = time.checked_add(1)?;
        let left_out = if self.record.left_out == OF_KEY { self.bits.take(2)? as u8 } else { self.record.left_out };
        let mut steps = [0; 4];
        for i in self.record.stored(left_out) {
            let difference = unzigzag(Code(self.record.codes[i]).read(&mut self.bits)?);
            let number = self.before[i].predicted() + difference;
            steps[i] = i32::try_from(number).ok().filter(|number| (-MAX_STEPS..=MAX_STEPS).contains(number))?;
            self.before[i].push(number);
        }
        Some(TrackKey { time, left_out, steps })
    }
}

impl Iterator for Keys<'_> {
    type Item = Option<TrackKey>;

    fn next(&mut self) -> Option<Option<TrackKey>> {
        self.left = self.left.checked_sub(1)?;
        let key = self.key();
        if key.is_none() {
            self.left = 0;
        }
        Some(key)
    }
}

/// Bits from the lowest one of each byte on.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Fewer than 8 bits that are not in `bytes` yet.
    held: u64,
    count: u32,
}

impl BitWriter {
    /// Adds the lowest bits of a number, at most 32.
    fn push(&mut self, number: u64, bits: u32) {
        self.held |= number << self.count;
        self.count += bits;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.held as u8);
        }
        self.bytes
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    /// The bits that were read.
    at: usize,
}

impl BitReader<'_> {
    /// The next bits, at least 57; zeros after the end.
    fn window(&self) -> u64 {
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let word = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [0; 8];
            word.iter_mut().zip(rest).for_each(|(slot, byte)| *slot = *byte);
            word
        });
        u64::from_le_bytes(word) >> (self.at % 8)
    }

    /// How many ones come next.
    fn ones(&self) -> u32 {
        self.window().trailing_ones()
    }

    /// Reads at most 32 bits. `None` after the end.
    fn take(&mut self, bits: u32) -> Option<u32> {
        let number = self.window() & ((1 << bits) - 1);
        let end = self.at + bits as usize;
        if end.div_ceil(8) > self.bytes.len() {
            return None;
        }
        self.at = end;
        Some(number as u32)
    }
}
