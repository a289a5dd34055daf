//! Turn an assets directory into rres packs and typed Rust constants.
#![forbid(unsafe_code)]

pub mod import;
pub mod settings;
