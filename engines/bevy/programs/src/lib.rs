//! The programs of `book/src/bevy.md`, exactly as they appear on the page. They are doctests of this crate.

#[cfg(doctest)]
#[doc = include_str!("../../../../book/src/bevy.md")]
mod bevy {}
