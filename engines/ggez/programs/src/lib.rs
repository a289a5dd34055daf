//! The program of the section on ggez in `book/src/engines.md`, exactly as it appears on the page. It is a doctest of this crate.

#[cfg(doctest)]
#[doc = include_str!(concat!(env!("OUT_DIR"), "/ggez.md"))]
mod ggez {}
