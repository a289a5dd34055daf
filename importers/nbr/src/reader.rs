//! A position in a file. Every length is compared with what is left before anything is read or allocated.

use std::fmt::Display;

use crate::error::{Error, ErrorKind, Operation, Warning, WarningKind};

/// Reads fields one after the other. All numbers are little-endian.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(crate) operation: Operation,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], operation: Operation) -> Self {
        Self { bytes, at: 0, operation, warnings: Vec::new() }
    }

    /// Returns a reader at the same position, whose warnings are not kept.
    pub(crate) fn trial(&self) -> Self {
        Self { bytes: self.bytes, at: self.at, operation: self.operation, warnings: Vec::new() }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The number of bytes after the position.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Reads bytes; `len` may be any number.
    pub(crate) fn take(&mut self, len: u64, field: &str) -> Result<&'a [u8], Error> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = usize::try_from(len).ok().and_then(|len| rest.get(..len)) else {
            let found = format!("{} until the end of the file", bytes(rest.len() as u64));
            return Err(self.error(self.at, field, ErrorKind::Truncated, found, bytes(len)));
        };
        self.at += taken.len();
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, field: &str) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64, field)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self, field: &str) -> Result<u8, Error> {
        Ok(self.array::<1>(field)?[0])
    }

    pub(crate) fn u16(&mut self, field: &str) -> Result<u16, Error> {
        self.array(field).map(u16::from_le_bytes)
    }

    pub(crate) fn i16(&mut self, field: &str) -> Result<i16, Error> {
        self.array(field).map(i16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, field: &str) -> Result<u32, Error> {
        self.array(field).map(u32::from_le_bytes)
    }

    pub(crate) fn f32(&mut self, field: &str) -> Result<f32, Error> {
        self.array(field).map(f32::from_le_bytes)
    }

    pub(crate) fn f32s<const N: usize>(&mut self, field: &str) -> Result<[f32; N], Error> {
        let mut values = [0.0; N];
        for (value, bytes) in values.iter_mut().zip(self.take(N as u64 * 4, field)?.as_chunks().0) {
            *value = f32::from_le_bytes(*bytes);
        }
        Ok(values)
    }

    pub(crate) fn f32_list(&mut self, count: u64, field: &str) -> Result<Vec<f32>, Error> {
        // At most 2^32 × 5 numbers, so nothing overflows.
        let bytes = self.take(count * 4, field)?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// Checks that `count` members of at least `least` bytes each can be in what is left. So lists are allocated only if
    /// the file is as large as they say.
    pub(crate) fn list(&self, count: usize, least: usize, list: &str) -> Result<usize, Error> {
        let needed = count as u64 * least as u64;
        if needed > self.remaining() as u64 {
            let found = format!("{} until the end of the file", bytes(self.remaining() as u64));
            let expected = format!("at least {} for {count} {list}", bytes(needed));
            return Err(self.error(self.at, list, ErrorKind::Truncated, found, expected));
        }
        Ok(count)
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) -> Result<(), Error> {
        match self.remaining() {
            0 => Ok(()),
            more => {
                let found = format!("{} more", bytes(more as u64));
                Err(self.error(self.at, "end of the file", ErrorKind::TrailingBytes, found, "none"))
            }
        }
    }

    pub(crate) fn error(
        &self,
        position: usize,
        field: &str,
        kind: ErrorKind,
        found: impl Display,
        expected: impl Display,
    ) -> Error {
        let (found, expected) = (found.to_string(), expected.to_string());
        Error { kind, operation: self.operation, position, field: field.to_owned(), found, expected }
    }

    pub(crate) fn invalid(&self, at: usize, field: &str, found: impl Display, expected: impl Display) -> Error {
        self.error(at, field, ErrorKind::Invalid, found, expected)
    }

    /// Adds a warning, or counts it if there is one of its sort: a hostile file could have millions.
    pub(crate) fn warn(
        &mut self,
        kind: WarningKind,
        position: usize,
        field: impl Into<String>,
        text: impl Into<String>,
    ) {
        match self.warnings.iter_mut().find(|warning| warning.kind == kind) {
            Some(first) => first.count += 1,
            None => self.warnings.push(Warning { kind, position, field: field.into(), text: text.into(), count: 1 }),
        }
    }

    /// Reads a name: its length in one byte, then the bytes. `nbr` cuts names off without regard to characters.
    pub(crate) fn name(&mut self, field: impl Fn() -> String) -> Result<String, Error> {
        let at = self.at;
        let len = self.u8("name length")?;
        let bytes = self.take(len.into(), "name")?;
        Ok(match std::str::from_utf8(bytes) {
            Ok(name) => name.to_owned(),
            Err(_) => {
                self.warn(WarningKind::Name, at, field(), "the name is not UTF-8; what is not is replaced by �");
                String::from_utf8_lossy(bytes).into_owned()
            }
        })
    }
}

/// Returns a number of bytes as text.
fn bytes(count: u64) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}
