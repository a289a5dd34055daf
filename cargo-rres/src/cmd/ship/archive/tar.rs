//! tar files in the format of POSIX: `ustar` headers, and a `pax` header before a file whose path does not fit.

use std::fs::File;
use std::io::{self, Write};

use super::Entry;

const BLOCK: usize = 512;

/// The longest path in a `ustar` header without its second field.
const MAX_NAME: usize = 100;

/// The largest size that 11 octal digits can express, in bytes.
const MAX_SIZE: u64 = 0o777_7777_7777;

/// Writes the files, each with `time`, and the end of the archive.
pub(super) fn write(out: &mut dyn Write, entries: &[Entry], time: u64) -> io::Result<()> {
    for entry in entries {
        let mut file = File::open(&entry.file)?;
        let size = file.metadata()?.len();
        let mut records = String::new();
        if entry.name.len() > MAX_NAME || !entry.name.is_ascii() {
            records += &record("path", &entry.name);
        }
        if size > MAX_SIZE {
            records += &record("size", &size.to_string());
        }
        if !records.is_empty() {
            out.write_all(&header("pax", records.len() as u64, 0o644, time, b'x'))?;
            out.write_all(records.as_bytes())?;
            pad(out, records.len() as u64)?;
        }
        out.write_all(&header(&entry.name, size.min(MAX_SIZE), entry.mode(), time, b'0'))?;
        let written = io::copy(&mut file, out)?;
        if written != size {
            return Err(io::Error::other(format!("{} changed while it was archived", entry.file.display())));
        }
        pad(out, size)?;
    }
    out.write_all(&[0; 2 * BLOCK])
}

/// Fills the last block.
fn pad(out: &mut dyn Write, size: u64) -> io::Result<()> {
    let rest = (size % BLOCK as u64) as usize;
    out.write_all(&[0; BLOCK][..(BLOCK - rest) % BLOCK])
}

/// A record of a `pax` header: its own length, the keyword and the value.
fn record(keyword: &str, value: &str) -> String {
    let rest = keyword.len() + value.len() + 3;
    let mut len = rest;
    while len != rest + len.to_string().len() {
        len = rest + len.to_string().len();
    }
    format!("{len} {keyword}={value}\n")
}

fn header(name: &str, size: u64, mode: u32, time: u64, kind: u8) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    let mut end = name.len().min(MAX_NAME);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    put(0, &name.as_bytes()[..end]);
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, format!("{time:011o}").as_bytes());
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_counts_its_own_length() {
        assert_eq!(record("path", "a"), "9 path=a\n");
        assert_eq!(record("path", "ab"), "11 path=ab\n");
        let long = "x".repeat(90);
        let text = record("path", &long);
        assert_eq!(text.split(' ').next().unwrap().parse(), Ok(text.len()));
    }
}
