//! Damaged copies of bytes: cut, flipped, replaced.

use std::fmt;

use crate::random::Random;

/// Each bit of a byte, for [`flipped`].
pub const BITS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The place of a change.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The changed byte.
    pub at: usize,
    /// The changed bits of it.
    pub mask: u8,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {} ^ {:#04x}", self.at, self.mask)
    }
}

/// Every beginning of the bytes, from none of them on, without the whole.
pub fn cuts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..bytes.len()).map(|len| &bytes[..len])
}

/// A copy for each of `places` and each of `masks`, with these bits flipped.
pub fn flipped<'a>(
    bytes: &'a [u8],
    places: impl IntoIterator<Item = usize, IntoIter: 'a>,
    masks: &'a [u8],
) -> impl Iterator<Item = (Place, Vec<u8>)> + 'a {
    let places = places.into_iter().flat_map(move |at| masks.iter().map(move |mask| Place { at, mask: *mask }));
    places.map(move |place| {
        let mut copy = bytes.to_vec();
        copy[place.at] ^= place.mask;
        (place, copy)
    })
}

/// A copy for each of `places` and each of `values`, with this value there.
pub fn replaced<'a>(
    bytes: &'a [u8],
    places: impl IntoIterator<Item = usize, IntoIter: 'a>,
    values: &'a [u8],
) -> impl Iterator<Item = Vec<u8>> + 'a {
    places.into_iter().flat_map(move |at| {
        values.iter().map(move |value| {
            let mut copy = bytes.to_vec();
            copy[at] = *value;
            copy
        })
    })
}

/// So many copies, each with a byte changed somewhere.
pub fn scattered(bytes: &[u8], count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(1);
    (0..count).map(move |_| {
        let mut copy = bytes.to_vec();
        copy[random.below(bytes.len())] ^= random.byte().max(1);
        copy
    })
}
