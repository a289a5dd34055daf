//! Images that go into an atlas → places in pages, and the pixels of the pages.
//!
//! A page is one image. Around each picture its edge is repeated, so that a GPU that blends at the edge takes no pixel of a
//! neighbour. Mip levels blend squares of 2, 4, 8, … pixels: pictures begin at multiples of the largest such square, and the
//! repeated edge is as wide as that, so every level that a page has is free of neighbours.

mod layout;
mod pages;

#[cfg(test)]
mod tests;

pub(super) use layout::lay_out;
pub(super) use pages::compose;
use rres_import::atlas::{AtlasOptions, Member, Page, Place};
