//! Compression 52, "filtered": which filter each section of a block gets. The filters are in `rres-codec`.

mod choose;
#[cfg(feature = "lz4")]
mod choose_fast;
mod forecast;
mod frames;
mod layout;
mod sample;
#[cfg(test)]
mod tests;

pub(super) use choose::{Sections, compress};
pub(super) use frames::Frames;
