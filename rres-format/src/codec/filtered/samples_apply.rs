//! 16-bit samples → the content of a section: the opposite of [`super::samples::decode`].

use super::frames::Frames;
use super::samples::{BLOCK, Form, HISTORY, ROWS, Stereo, lanes};

/// The average high byte that is aimed at: large enough that the low bits are random, small enough that few are over 255.
const AVERAGE: u64 = 8;

/// Encodes the frames of `samples` from `start` to `end`.
pub(super) fn encode(
    samples: &[i16],
    channels: usize,
    start: usize,
    end: usize,
    frames: &mut dyn Frames,
) -> Result<Vec<u8>, String> {
    let frame = |at: Option<usize>| -> Vec<i16> {
        at.map_or(vec![0; channels], |at| samples[at * channels..(at + 1) * channels].to_vec())
    };
    let mut out = Vec::new();
    for back in (1..=HISTORY).rev() {
        out.extend(frame(start.checked_sub(back)).into_iter().flat_map(i16::to_le_bytes));
    }
    let (mut forms, mut lows, mut highs) = (Vec::new(), Vec::new(), Vec::new());
    for start in (start..end).step_by(BLOCK) {
        let end = end.min(start + BLOCK);
        let history = (1..=HISTORY).rev().map(|back| frame(start.checked_sub(back)));
        let block: Vec<Vec<i16>> = history.chain((start..end).map(|at| frame(Some(at)))).collect();
        let stereo = match channels {
            2 => Stereo::ALL.as_slice(),
            _ => &[Stereo::LeftRight],
        };
        let forms_of = |stereo: &Stereo| -> Vec<(u64, u8, Vec<u16>)> {
            let channel = |channel: usize| {
                let samples = block.iter().map(|frame| match frame.as_slice() {
                    [left, right] => stereo.split(*left, *right)[channel],
                    frame => frame[channel],
                });
                best_order(samples.collect())
            };
            (0..channels).map(channel).collect()
        };
        let all = stereo.iter().map(|stereo| (*stereo, forms_of(stereo)));
        let best = all.min_by_key(|(_, channels)| channels.iter().map(|(bits, ..)| *bits).sum::<u64>());
        let Some((stereo, best)) = best else { continue };
        for (channel, (_, order, residuals)) in best.into_iter().enumerate() {
            let low_bits = low_bits(&residuals);
            let stereo = if channel == 0 { stereo } else { Stereo::LeftRight };
            forms.extend(Form { order, stereo, low_bits }.to_bytes());
            highs.extend(residuals.iter().map(|residual| (residual >> low_bits) as u8));
            pack(&residuals, low_bits, &mut lows);
        }
    }
    out.extend(forms);
    out.extend(lows);
    out.extend(frames.frame(&highs, true)?);
    Ok(out)
}

/// The order with the smallest residuals, which are returned folded, and about how many bits they take. `samples` starts with the
/// history.
fn best_order(samples: Vec<i16>) -> (u64, u8, Vec<u16>) {
    let mut differences = samples;
    let mut best: Option<(u64, u8, Vec<u16>)> = None;
    for order in 0..=HISTORY {
        if order > 0 {
            for i in (order..differences.len()).rev() {
                differences[i] = differences[i].wrapping_sub(differences[i - 1]);
            }
        }
        let folded: Vec<u16> = differences[HISTORY..].iter().map(|n| (n << 1 ^ n >> 15) as u16).collect();
        let sum: u64 = folded.iter().map(|n| u64::from(*n)).sum();
        // What a code for their average takes, in 16ths of a bit: the logarithm, between powers of two by a straight line.
        let average = sum * 16 / folded.len().max(1) as u64 + 16;
        let whole = average.ilog2();
        let bits = folded.len() as u64 * (u64::from(whole) * 16 + ((average << 4 >> whole) & 15));
        if best.as_ref().is_none_or(|(found, ..)| bits < *found) {
            best = Some((bits, order as u8, folded));
        }
    }
    best.unwrap_or_default()
}

/// How many bits of these residuals go without compression.
fn low_bits(residuals: &[u16]) -> u8 {
    let sum: u64 = residuals.iter().map(|n| u64::from(*n)).sum();
    let average = sum / residuals.len().max(1) as u64 / AVERAGE;
    let wanted = average.checked_ilog2().unwrap_or(0);
    let largest = residuals.iter().copied().max().unwrap_or(0);
    // What is left has to fit into a byte.
    wanted.max((16 - largest.leading_zeros()).saturating_sub(8)) as u8
}

/// Appends the low bits of residuals.
fn pack(residuals: &[u16], low_bits: u8, out: &mut Vec<u8>) {
    let lanes = lanes(residuals.len());
    let bits = usize::from(low_bits);
    let mut words = vec![0_u16; lanes * bits];
    for (i, residual) in residuals.iter().enumerate() {
        let (row, lane) = (i / lanes, i % lanes);
        debug_assert!(row < ROWS);
        let low = u32::from(*residual) & ((1 << bits) - 1);
        let (word, shift) = (row * bits / 16, row * bits % 16);
        let shifted = low << shift;
        for (word, bits) in [(word, shifted as u16), (word + 1, (shifted >> 16) as u16)] {
            if bits != 0 {
                words[word * lanes + lane] |= bits;
            }
        }
    }
    out.extend(words.into_iter().flat_map(u16::to_le_bytes));
}
