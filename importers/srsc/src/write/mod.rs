//! Writes records and archives: for tests, fuzzing, and programs that make such files.
//!
//! The bytes of what [`Record`](crate::Record) contains, and only these: [`record`] of a value that was read gives the body it was read from.

mod archive;
mod example;
mod hero;
mod record;

pub use archive::{RecordBytes, archive};
pub use example::{character, example};
pub use hero::hero;
pub use record::{record, zlib};
