//! Source files → packs and typed constants.
#![forbid(unsafe_code)]

pub mod codegen;
