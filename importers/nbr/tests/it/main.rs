//! Reading and writing NBR files: exact values, exact bytes, and files that are damaged.
#![allow(missing_docs)]

mod golden;
mod hostile;
mod older;
mod round_trip;
mod sample;
mod traps;
mod writing;
