//! The encoder of LZ4 blocks: of all ways to write a block as literals and matches, one of the shortest.
//!
//! Fast encoders of LZ4 take the first match that they find. Here the cost of everything that follows a position is known
//! before the choice at that position, so packs become smaller, and as there are fewer and longer matches, they load faster.

/// Bytes that are parsed at once.
const WINDOW: usize = 256 << 10;

/// The farthest match of LZ4.
const MAX_DISTANCE: usize = 65_535;

/// The shortest match of LZ4.
const MIN_MATCH: usize = 4;

/// The last bytes of a block are literals.
const LAST_LITERALS: usize = 5;

/// The last match starts this many bytes before the end, or earlier.
const LAST_MATCH: usize = 12;

/// How long to look for matches.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Places that are compared at each position.
    depth: usize,
    /// A match of this length is taken without looking for a longer one.
    enough: usize,
}

impl Effort {
    /// For what is stored.
    pub const BEST: Self = Self { depth: 192, enough: 256 };
    /// To compare filters. It orders them as [`Self::BEST`] does.
    pub const ESTIMATE: Self = Self { depth: 32, enough: 128 };
}

/// No place: the end of a chain.
const NONE: u32 = u32::MAX;

/// Compresses a block of less than 4 GiB.
pub fn compress(data: &[u8], effort: Effort) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() / 2 + 16);
    let mut finder = Finder::new(effort);
    let mut parse = Parse::default();
    // The end of the written bytes.
    let mut written = 0;
    for start in (0..data.len()).step_by(WINDOW) {
        let end = data.len().min(start + WINDOW);
        let matches = finder.find(data, start, end);
        parse.choose(&matches);
        let mut at = 0;
        while at < matches.len() {
            match parse.steps[at] {
                1 => at += 1,
                len => {
                    let literals = &data[written..start + at];
                    write_match(&mut out, literals, matches[at].distance, len as usize);
                    at += len as usize;
                    written = start + at;
                }
            }
        }
    }
    write_length(&mut out, data.len() - written, 0);
    out.extend_from_slice(&data[written..]);
    out
}

/// Bytes that occurred before.
#[derive(Clone, Copy, Default)]
struct Match {
    /// 0 if there is none.
    len: u32,
    distance: u16,
}

/// Finds matches by chains of places whose next four bytes have one hash.
struct Finder {
    heads: Vec<u32>,
    /// The place before, by the low bits of a place.
    chain: Vec<u32>,
    effort: Effort,
}

impl Finder {
    const BITS: u32 = 16;

    fn new(effort: Effort) -> Self {
        Self { heads: vec![NONE; 1 << Self::BITS], chain: vec![NONE; MAX_DISTANCE + 1], effort }
    }

    /// The longest match at each place from `start` to `end`. No match goes beyond `end`.
    fn find(&mut self, data: &[u8], start: usize, end: usize) -> Vec<Match> {
        let mut found = vec![Match::default(); end - start];
        let match_end = end.min(data.len().saturating_sub(LAST_LITERALS));
        // Readers of LZ4 may refuse a match in a block of 12 bytes.
        let ends = data.len().checked_sub(LAST_MATCH).filter(|last| *last > 0).map_or(0, |last| last + 1);
        let mut before = Match::default();
        let Effort { depth, enough } = self.effort;
        for at in start..end.min(ends) {
            // What is left of the match at the place before.
            let mut best = Match { len: before.len.saturating_sub(1), ..before };
            if (best.len as usize) < MIN_MATCH {
                best = Match::default();
            }
            let hash = hash(data, at);
            let mut place = self.heads[hash];
            let mut depth = if (best.len as usize) < enough { depth } else { 0 };
            while place != NONE && depth > 0 && at - place as usize <= MAX_DISTANCE {
                let from = place as usize;
                let longest = best.len as usize;
                if at + longest < match_end && data[from + longest] == data[at + longest] {
                    let len = common(&data[from..], &data[at..match_end]);
                    if len >= MIN_MATCH && len > longest {
                        best = Match { len: len as u32, distance: (at - from) as u16 };
                        if len >= enough {
                            break;
                        }
                    }
                }
                place = self.chain[from % (MAX_DISTANCE + 1)];
                depth -= 1;
            }
            self.chain[at % (MAX_DISTANCE + 1)] = std::mem::replace(&mut self.heads[hash], at as u32);
            found[at - start] = best;
            before = best;
        }
        found
    }
}

fn hash(data: &[u8], at: usize) -> usize {
    let next = data[at..].first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    // Multiplicative hashing by the golden ratio; the upper bits are the best.
    (next.wrapping_mul(0x9e37_79b9) >> (32 - Finder::BITS)) as usize
}

/// The bytes that both have in common at their start.
fn common(a: &[u8], b: &[u8]) -> usize {
    let (words, _) = b.as_chunks::<8>();
    let mut len = 0;
    for (b, a) in words.iter().zip(a.as_chunks::<8>().0) {
        let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if difference != 0 {
            return len + difference.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    len + a[len..].iter().zip(&b[len..]).take_while(|(a, b)| a == b).count()
}

/// The cheapest way through a window.
#[derive(Default)]
struct Parse {
    /// The bytes from each place to the end.
    costs: Vec<u32>,
    /// The literals that follow each place on the cheapest way.
    literals: Vec<u32>,
    /// What the cheapest way does at each place: 1 for a literal, or the length of a match.
    steps: Vec<u32>,
}

impl Parse {
    /// Chooses a step for each place, from the last one to the first.
    fn choose(&mut self, matches: &[Match]) {
        /// Shorter forms of a long match that are tried, because another match may follow them.
        const SHORTER: usize = 32;
        /// Token and distance.
        const MATCH: u32 = 3;
        let count = matches.len();
        for list in [&mut self.costs, &mut self.literals, &mut self.steps] {
            list.clear();
            list.resize(count + 1, 0);
        }
        for at in (0..count).rev() {
            let literals = self.literals[at + 1] + 1;
            let is_longer = literals >= 15 && (literals - 15).is_multiple_of(255);
            let (mut cost, mut step) = (self.costs[at + 1] + 1 + u32::from(is_longer), 1);
            let longest = matches[at].len as usize;
            if longest >= MIN_MATCH {
                let shorter = MIN_MATCH..longest.min(MIN_MATCH + SHORTER);
                for len in std::iter::once(longest).chain(shorter) {
                    let more = if len < MIN_MATCH + 15 { 0 } else { 1 + (len - MIN_MATCH - 15) as u32 / 255 };
                    let this = self.costs[at + len] + MATCH + more;
                    if this < cost {
                        (cost, step) = (this, len as u32);
                    }
                }
            }
            self.costs[at] = cost;
            self.steps[at] = step;
            self.literals[at] = if step == 1 { literals } else { 0 };
        }
    }
}

/// Writes a token with these numbers of literals and of bytes of the match beyond the least, and the rest of the former.
fn write_length(out: &mut Vec<u8>, literals: usize, matched: usize) {
    out.push((literals.min(15) << 4 | matched.min(15)) as u8);
    write_rest(out, literals);
}

fn write_rest(out: &mut Vec<u8>, len: usize) {
    if let Some(rest) = len.checked_sub(15) {
        out.resize(out.len() + rest / 255, 255);
        out.push((rest % 255) as u8);
    }
}

fn write_match(out: &mut Vec<u8>, literals: &[u8], distance: u16, len: usize) {
    write_length(out, literals.len(), len - MIN_MATCH);
    out.extend_from_slice(literals);
    out.extend(distance.to_le_bytes());
    write_rest(out, len - MIN_MATCH);
}

#[cfg(test)]
mod tests {
    use rres_test_data::random::Random;

    use super::*;

    /// Blocks of every sort: empty, tiny, repetitive, random, longer than a window, with far matches.
    fn blocks() -> Vec<Vec<u8>> {
        let mut random = Random::new(1);
        let mut blocks: Vec<Vec<u8>> = (0..40).map(|len| vec![7; len]).collect();
        blocks.extend((0..40).map(|len| random.bytes(len)));
        blocks.extend([vec![0; 3 * WINDOW + 5], b"hello ".repeat(1000)]);
        blocks
            .push((0..WINDOW + 70_000).map(|i| if i % 7 < 4 { (i / 500) as u8 } else { random.byte() & 31 }).collect());
        let far = random.bytes(70_000);
        blocks.push([&far[..65_535], &far[..1000], &far[..]].concat());
        blocks.push((0..WINDOW * 2).map(|i| [1, 2, 3, 4, 5, 6, 7][i % 7]).collect());
        blocks.push(random.bytes(100_000));
        blocks
    }

    #[test]
    fn blocks_are_decoded_as_they_were() {
        for block in blocks() {
            let packed = compress(&block, Effort::BEST);
            let mut out = vec![1; block.len()];
            let len = lz4_flex::block::decompress_into(&packed, &mut out).unwrap();
            assert!(len == block.len() && out == block, "{} bytes", block.len());
        }
    }

    #[test]
    fn blocks_are_smaller_than_those_of_a_fast_encoder() {
        let text: Vec<u8> =
            (0..5000_u32).flat_map(|i| format!("row {}, {} of {}\n", i % 97, i * i, i / 13).into_bytes()).collect();
        let (fast, ours) = (lz4_flex::block::compress(&text).len(), compress(&text, Effort::BEST).len());
        assert!(ours * 10 < fast * 9, "{ours} and {fast} bytes");
        for block in blocks() {
            let (fast, ours) = (lz4_flex::block::compress(&block).len(), compress(&block, Effort::BEST).len());
            assert!(ours <= fast + fast / 200 + 2, "{ours} and {fast} of {} bytes", block.len());
        }
    }
}
