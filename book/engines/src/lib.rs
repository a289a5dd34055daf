//! The programs of `book/src/engines.md` and `book/src/lua.md`, exactly as they appear on the page. They are doctests of this crate.

#[cfg(doctest)]
#[doc = include_str!("../../src/engines.md")]
mod engines {}

#[cfg(doctest)]
#[doc = include_str!("../../src/lua.md")]
mod lua {}
