//! A slice of ETC1S: the numbers of colours and of a pattern for each block, row by row.

use super::Damage;
use super::bits::Bits;
use super::codebooks::{Codebooks, Colors, Pattern};

/// The symbol that repeats the last sources.
const REPEAT: u32 = 256;

/// The shortest run, and the symbol of runs whose length follows.
const SHORTEST_RUN: u32 = 3;
const LONG_RUN: u32 = 63;

/// The source of the colours of a block.
mod source {
    pub(super) const LEFT: u8 = 0;
    pub(super) const ABOVE: u8 = 1;
    pub(super) const ABOVE_LEFT: u8 = 2;
}

/// Decodes a slice, and calls `draw` with column, row, colours and pattern of each block.
pub(super) fn decode(
    books: &Codebooks,
    stream: &[u8],
    (across, down): (usize, usize),
    mut draw: impl FnMut(usize, usize, &Colors, Pattern),
) -> Result<(), Damage> {
    let mut bits = Bits::new(stream);
    let mut patterns = Patterns { books, history: History::new(books.codes.history), run: 0, blocks: across * down };
    let mut sources = Sources { books, last: 0, repeats: 0 };
    // The numbers of colours in this row and in that above, and for two blocks each the sources in the row below.
    let (mut row, mut above) = (vec![0; across], vec![0; across]);
    let mut below = vec![0; across.div_ceil(2)];
    let (mut last, mut two) = (0, 0);
    for y in 0..down {
        for x in 0..across {
            if x % 2 == 0 {
                two = below[x / 2];
                if y % 2 == 0 {
                    two = sources.next(&mut bits)?;
                    below[x / 2] = two >> 4;
                }
            }
            let source = two % 4;
            two >>= 2;
            last = match source {
                source::LEFT if x > 0 => last,
                source::ABOVE if y > 0 => above[x],
                source::ABOVE_LEFT if x > 0 && y > 0 => above[x - 1],
                source::LEFT..=source::ABOVE_LEFT => return Err("has a block like one beyond the edge"),
                _ => {
                    let next = last + books.codes.steps.symbol(&mut bits)? as usize;
                    next.checked_sub(books.colors.len()).unwrap_or(next)
                }
            };
            row[x] = last;
            let colors = books.colors.get(last).ok_or("has a block with colours that are not in the codebook")?;
            draw(x, y, colors, books.patterns[patterns.next(&mut bits)?]);
        }
        (row, above) = (above, row);
    }
    if sources.repeats > 0 {
        return Err("repeats sources behind its last block");
    }
    Ok(())
}

/// Reads the sources of four blocks: two bits for the upper left one, the upper right, the lower left, the lower right.
struct Sources<'a> {
    books: &'a Codebooks,
    last: u8,
    repeats: u32,
}

impl Sources<'_> {
    fn next(&mut self, bits: &mut Bits<'_>) -> Result<u8, Damage> {
        if self.repeats > 0 {
            self.repeats -= 1;
            return Ok(self.last);
        }
        match self.books.codes.sources.symbol(bits)? {
            REPEAT => self.repeats = bits.digits(4)?.saturating_add(2),
            symbol => self.last = u8::try_from(symbol).map_err(|_| "has sources of more than four blocks")?,
        }
        Ok(self.last)
    }
}

/// Reads the numbers of patterns.
struct Patterns<'a> {
    books: &'a Codebooks,
    history: History,
    /// How many blocks still have the first pattern of the history.
    run: u32,
    blocks: usize,
}

impl Patterns<'_> {
    fn next(&mut self, bits: &mut Bits<'_>) -> Result<usize, Damage> {
        let Codebooks { patterns, codes, .. } = self.books;
        if self.run > 0 {
            self.run -= 1;
            return Ok(self.history.patterns[0]);
        }
        let symbol = codes.patterns.symbol(bits)? as usize;
        let Some(place) = symbol.checked_sub(patterns.len()) else {
            self.history.add(symbol);
            return Ok(symbol);
        };
        if place == codes.history {
            let len = match codes.runs.symbol(bits)? {
                LONG_RUN => bits.digits(7)?.saturating_add(SHORTEST_RUN),
                symbol => symbol + SHORTEST_RUN,
            };
            if len as usize > self.blocks {
                return Err("has a run that is longer than the slice");
            }
            self.run = len - 1;
            return Ok(self.history.patterns[0]);
        }
        self.history.take(place).ok_or("has a pattern that is not in the codebook")
    }
}

/// Patterns that were used lately, those that were used often nearer to the front.
struct History {
    patterns: Vec<usize>,
    /// The place for the next new pattern, in the rear half.
    next: usize,
}

impl History {
    fn new(len: usize) -> Self {
        Self { patterns: vec![0; len], next: len / 2 }
    }

    fn add(&mut self, pattern: usize) {
        let len = self.patterns.len();
        self.patterns[self.next] = pattern;
        self.next = if self.next + 1 == len { len / 2 } else { self.next + 1 };
    }

    /// The pattern at a place, which moves half-way to the front.
    fn take(&mut self, place: usize) -> Option<usize> {
        let pattern = *self.patterns.get(place)?;
        self.patterns.swap(place / 2, place);
        Some(pattern)
    }
}
