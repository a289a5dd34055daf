//! What the slices of a file share: the colours and the patterns that blocks consist of, and the codes of their numbers.

use super::Damage;
use super::bits::Bits;
use super::huffman::Code;

/// The modifiers of the eight tables of ETC1, the darkest first.
const MODIFIERS: [[i16; 4]; 8] = [
    [-8, -2, 2, 8],
    [-17, -5, 5, 17],
    [-29, -9, 9, 29],
    [-42, -13, 13, 42],
    [-60, -18, 18, 60],
    [-80, -24, 24, 80],
    [-106, -33, 33, 106],
    [-183, -47, 47, 183],
];

/// The four colours of a block.
pub(super) type Colors = [[u8; 3]; 4];

/// For each row of a block the numbers of four colours, two bits each, the first one lowest.
pub(super) type Pattern = [u8; 4];

pub(super) struct Codebooks {
    pub(super) colors: Vec<Colors>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) codes: Codes,
}

/// How a slice stores which colours and patterns its blocks have.
pub(super) struct Codes {
    /// The source of the colours of four blocks.
    pub(super) sources: Code,
    /// How much larger the number of a block's colours is than the last block's.
    pub(super) steps: Code,
    /// The number of a pattern, a place in the history of patterns, or a run.
    pub(super) patterns: Code,
    /// How long a run is.
    pub(super) runs: Code,
    /// The number of patterns in the history.
    pub(super) history: usize,
}

/// The streams that codebooks are read from.
pub(super) struct Streams<'a> {
    /// The number of colours, and their stream.
    pub(super) colors: (u16, &'a [u8]),
    /// The number of patterns, and their stream.
    pub(super) patterns: (u16, &'a [u8]),
    pub(super) codes: &'a [u8],
}

impl Codebooks {
    pub(super) fn read(streams: &Streams<'_>) -> Result<Self, Damage> {
        let mut bits = Bits::new(streams.codes);
        let codes = Codes {
            sources: Code::read(&mut bits)?,
            steps: Code::read(&mut bits)?,
            patterns: Code::read(&mut bits)?,
            runs: Code::read(&mut bits)?,
            history: bits.take(13)? as usize,
        };
        if codes.history == 0 || streams.colors.0 == 0 || streams.patterns.0 == 0 {
            return Err("has an empty codebook");
        }
        let (count, stream) = streams.colors;
        let colors = read_colors(count, &mut Bits::new(stream))?;
        let (count, stream) = streams.patterns;
        Ok(Self { colors, patterns: read_patterns(count, &mut Bits::new(stream))?, codes })
    }
}

/// Each colour is stored as what to add to the last one, in a code that depends on how bright that is.
fn read_colors(count: u16, bits: &mut Bits<'_>) -> Result<Vec<Colors>, Damage> {
    let steps = [Code::read(bits)?, Code::read(bits)?, Code::read(bits)?];
    let tables = Code::read(bits)?;
    let is_gray = bits.take(1)? == 1;
    let (mut table, mut color) = (0, [16u8; 3]);
    let mut next = || {
        table = (table + tables.symbol(bits)?) % 8;
        for channel in &mut color[..if is_gray { 1 } else { 3 }] {
            let code = match channel {
                0..=9 => &steps[0],
                10..=21 => &steps[1],
                _ => &steps[2],
            };
            *channel = ((u32::from(*channel) + code.symbol(bits)?) % 32) as u8;
        }
        if is_gray {
            color = [color[0]; 3];
        }
        let wide = color.map(|channel| i16::from(channel << 3 | channel >> 2));
        Ok(MODIFIERS[table as usize].map(|modifier| wide.map(|channel| (channel + modifier).clamp(0, 255) as u8)))
    };
    (0..count).map(|_| next()).collect()
}

/// Each pattern is stored as the bits that differ from the last one, unless all are stored as they are.
fn read_patterns(count: u16, bits: &mut Bits<'_>) -> Result<Vec<Pattern>, Damage> {
    if bits.take(2)? != 0 {
        return Err("uses a codebook that is not in the file");
    }
    let is_plain = bits.take(1)? == 1;
    let code = if is_plain { None } else { Code::read_any(bits)? };
    let mut pattern = [0; 4];
    let mut next = |is_first: bool| {
        for row in &mut pattern {
            *row = match &code {
                _ if is_first || is_plain => bits.take(8)? as u8,
                Some(code) => {
                    *row ^ u8::try_from(code.symbol(bits)?).map_err(|_| "has a pattern of more than 8 bits")?
                }
                None => return Err("has patterns without a code"),
            };
        }
        Ok(pattern)
    };
    (0..count).map(|number| next(number == 0)).collect()
}
