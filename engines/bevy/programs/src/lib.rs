//! The programs of `book/src/bevy.md`, exactly as they appear on the page. They are doctests of this crate.

#[cfg(all(doctest, feature = "models"))]
#[doc = include_str!("../../../../book/src/bevy.md")]
mod bevy {}

#[cfg(all(doctest, not(feature = "models")))]
#[doc = include_str!(concat!(env!("OUT_DIR"), "/without_models.md"))]
mod bevy {}
