//! The patterns that divide a block of ASTC into subsets. UASTC has some of them.

/// Returns the subset of a pixel in the pattern with this number, as "Partition Pattern Generation" of the specification computes it for two
/// or three subsets. Blocks of fewer than 31 pixels are small.
pub(super) const fn subset(number: u32, subsets: u32, (x, y): (u32, u32), is_small: bool) -> u32 {
    let (x, y) = if is_small { (x * 2, y * 2) } else { (x, y) };
    let number = number + (subsets - 1) * 1024;
    let hash = hash(number);
    let (odd, other) = (if number & 2 != 0 { 4 } else { 5 }, if subsets == 3 { 6 } else { 5 });
    let (across, down) = if number & 1 != 0 { (odd, other) } else { (other, odd) };
    let mut best = 0;
    let mut found = 0;
    let mut subset = 0;
    while subset < subsets {
        let (a, b) = ((hash >> (8 * subset)) & 15, (hash >> (8 * subset + 4)) & 15);
        let offset = hash >> (14 - 4 * subset);
        let height = (((a * a) >> across) * x + ((b * b) >> down) * y).wrapping_add(offset) & 63;
        if subset == 0 || height > best {
            (best, found) = (height, subset);
        }
        subset += 1;
    }
    found
}

/// The hash of the specification for the numbers of patterns.
const fn hash(number: u32) -> u32 {
    let mut p = number;
    p ^= p >> 15;
    p = p.wrapping_sub(p << 17);
    p = p.wrapping_add(p << 7);
    p = p.wrapping_add(p << 4);
    p ^= p >> 5;
    p = p.wrapping_add(p << 16);
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^ p >> 17
}
