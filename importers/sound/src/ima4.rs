//! IMA ADPCM in the blocks of QuickTime → samples.
//!
//! The head of a block has only the upper nine bits of the sample before it. As long as that agrees with the end of the block before,
//! the decoder goes on from there, as Apple's does; starting from nine bits in each block would be audible.

/// Bytes of a block of one channel.
pub(super) const BLOCK: usize = 34;
/// Samples in a block.
pub(super) const SAMPLES: usize = 64;

const STEPS: [i32; 89] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107,
    118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963,
    1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894,
    6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794,
    32767,
];

/// How a nibble changes the index of the step.
const CHANGES: [i32; 8] = [-1, -1, -1, -1, 2, 4, 6, 8];

/// The state of one channel.
#[derive(Clone, Copy, Default)]
struct Channel {
    sample: i32,
    /// The index of the step.
    index: i32,
}

impl Channel {
    /// Reads the head of a block.
    fn start(&mut self, head: i16) -> Option<()> {
        let (sample, index) = (i32::from(head) & !0x7f, i32::from(head) & 0x7f);
        if usize::try_from(index).ok()? >= STEPS.len() {
            return None;
        }
        if self.index != index || (sample - self.sample).abs() > 0x7f {
            *self = Self { sample, index };
        }
        Some(())
    }

    fn next(&mut self, nibble: u8) -> i16 {
        let step = STEPS[self.index as usize];
        let part = |bit: u8, shift: u32| if nibble & bit == 0 { 0 } else { step >> shift };
        let difference = (step >> 3) + part(4, 0) + part(2, 1) + part(1, 2);
        let sample = if nibble & 8 == 0 { self.sample + difference } else { self.sample - difference };
        self.sample = sample.clamp(i16::MIN.into(), i16::MAX.into());
        self.index = (self.index + CHANGES[usize::from(nibble & 7)]).clamp(0, STEPS.len() as i32 - 1);
        self.sample as i16
    }
}

/// The samples of all whole packets, interleaved and little-endian; `None` if a block is damaged. A packet has a block for each channel.
pub(super) fn decode(data: &[u8], channels: usize) -> Option<Vec<u8>> {
    let mut states = vec![Channel::default(); channels];
    let packets = data.chunks_exact(BLOCK * channels);
    let frame = channels * 2;
    let mut out = vec![0; packets.len() * SAMPLES * frame];
    for (packet, out) in packets.zip(out.chunks_exact_mut(SAMPLES * frame)) {
        for (number, (state, block)) in states.iter_mut().zip(packet.chunks_exact(BLOCK)).enumerate() {
            let (head, nibbles) = block.split_first_chunk::<2>()?;
            state.start(i16::from_be_bytes(*head))?;
            let nibbles = nibbles.iter().flat_map(|byte| [byte & 15, byte >> 4]);
            for (frame, nibble) in out.chunks_exact_mut(frame).zip(nibbles) {
                frame[number * 2..][..2].copy_from_slice(&state.next(nibble).to_le_bytes());
            }
        }
    }
    Some(out)
}
