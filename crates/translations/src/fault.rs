//! What is wrong with a file, with the line.

use std::fmt;

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: u32,
    /// What was found and expected, as the rest of a sentence about the file.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Fault {
    /// A fault of a line.
    pub fn new(line: u32, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { line, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// The most faults that are reported of a file.
const MOST: usize = 200;

/// The faults of a file, in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, line: u32, message: impl Into<String>, help: impl Into<String>) {
        if self.0.len() < MOST {
            self.0.push(Fault::new(line, message, help));
        }
    }

    /// Returns the value if nothing was wrong.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Vec<Fault>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }

    /// Checks that a file is not too large.
    pub(crate) fn check_size(text: &str) -> Result<(), Vec<Fault>> {
        if text.len() <= crate::MAX_SIZE {
            return Ok(());
        }
        let message = format!("has {} bytes, expected at most {}", text.len(), crate::MAX_SIZE);
        Err(vec![Fault::new(1, message, "split the file")])
    }
}
