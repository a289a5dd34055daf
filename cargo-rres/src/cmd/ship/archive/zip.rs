//! ZIP files, with the extensions for sizes and offsets over 4 GB ("Zip64") where they are needed.
//!
//! Files are deflated if that makes them smaller. Names are UTF-8, and the mode bits are as on Unix, so that a program is
//! executable after `unzip`.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::Entry;
use crate::source_date::Date;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// "The name is UTF-8."
const UTF8: u16 = 1 << 11;

/// The version of the format that a reader must know: 2.0 for DEFLATE, 4.5 for Zip64.
const NEEDED: u16 = 20;
const NEEDED_64: u16 = 45;

/// The system that the mode bits are of: Unix, with version 4.5 of the format.
const MADE_BY: u16 = 3 << 8 | NEEDED_64;

/// The type bits of a regular file.
const REGULAR: u32 = 0o100_000;

/// A file that has been written.
struct Written<'e> {
    entry: &'e Entry,
    offset: u64,
    method: u16,
    crc: u32,
    compressed: u64,
    size: u64,
}

/// The length of the extension of a local header.
const LOCAL_EXTRA: u16 = 20;

/// Writes the files, each with `time`.
pub(super) fn write(file: File, entries: &[Entry], time: u64) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let (date, clock) = dos_time(time);
    let mut written = Vec::new();
    for entry in entries {
        written.push(write_file(&mut out, entry, (date, clock))?);
    }
    let start = out.stream_position()?;
    for file in &written {
        write_directory_entry(&mut out, file, (date, clock))?;
    }
    let size = out.stream_position()? - start;
    write_end(&mut out, written.len() as u64, start, size)?;
    out.flush()?;
    // A file that was stored after an attempt to deflate it may have left bytes of that behind the end.
    let end = out.stream_position()?;
    out.get_ref().set_len(end)
}

fn write_file<'e, W: Write + Seek>(out: &mut W, entry: &'e Entry, times: (u16, u16)) -> io::Result<Written<'e>> {
    let mut file = File::open(&entry.file)?;
    let size = file.metadata()?.len();
    let offset = out.stream_position()?;
    let mut written = Written { entry, offset, method: DEFLATED, crc: 0, compressed: 0, size };
    local_header(out, &written, times)?;
    let start = out.stream_position()?;
    written.crc = deflate(&mut file, out)?;
    written.compressed = out.stream_position()? - start;
    if written.compressed >= size {
        out.seek(SeekFrom::Start(start))?;
        file.rewind()?;
        (written.method, written.compressed) = (STORED, io::copy(&mut file, out)?);
    }
    let end = out.stream_position()?;
    out.seek(SeekFrom::Start(offset))?;
    local_header(out, &written, times)?;
    out.seek(SeekFrom::Start(end))?;
    Ok(written)
}

/// Compresses the file, and returns the CRC of its contents.
fn deflate<W: Write>(file: &mut File, out: &mut W) -> io::Result<u32> {
    let mut encoder = DeflateEncoder::new(out, Compression::best());
    let mut crc = Crc::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let len = file.read(&mut buffer)?;
        if len == 0 {
            encoder.finish()?;
            return Ok(crc.sum());
        }
        crc.update(&buffer[..len]);
        encoder.write_all(&buffer[..len])?;
    }
}

/// The header before a file. It has the same length before and after the sizes are known.
fn local_header<W: Write>(out: &mut W, file: &Written<'_>, (date, clock): (u16, u16)) -> io::Result<()> {
    let is_large = file.size >= u64::from(u32::MAX);
    let needed = if is_large { NEEDED_64 } else { NEEDED };
    let mut header = b"PK\x03\x04".to_vec();
    for value in [needed, UTF8, file.method, clock, date] {
        header.extend(value.to_le_bytes());
    }
    header.extend(file.crc.to_le_bytes());
    for size in [file.compressed, file.size] {
        header.extend(if is_large { u32::MAX } else { size as u32 }.to_le_bytes());
    }
    header.extend((file.entry.name.len() as u16).to_le_bytes());
    header.extend(if is_large { LOCAL_EXTRA } else { 0 }.to_le_bytes());
    header.extend(file.entry.name.as_bytes());
    if is_large {
        header.extend([1u16, LOCAL_EXTRA - 4].iter().flat_map(|value| value.to_le_bytes()));
        header.extend([file.size, file.compressed].iter().flat_map(|value| value.to_le_bytes()));
    }
    out.write_all(&header)
}

fn write_directory_entry<W: Write>(out: &mut W, file: &Written<'_>, (date, clock): (u16, u16)) -> io::Result<()> {
    // Each value that does not fit into its field is in the extension, in this order.
    let mut extra = Vec::new();
    let mut field = |value: u64| {
        u32::try_from(value).ok().filter(|value| *value != u32::MAX).unwrap_or_else(|| {
            extra.extend(value.to_le_bytes());
            u32::MAX
        })
    };
    let (size, compressed, offset) = (field(file.size), field(file.compressed), field(file.offset));
    let needed = if extra.is_empty() { NEEDED } else { NEEDED_64 };
    let mut header = b"PK\x01\x02".to_vec();
    for value in [MADE_BY, needed, UTF8, file.method, clock, date] {
        header.extend(value.to_le_bytes());
    }
    for value in [file.crc, compressed, size] {
        header.extend(value.to_le_bytes());
    }
    header.extend((file.entry.name.len() as u16).to_le_bytes());
    let extra_len = if extra.is_empty() { 0 } else { extra.len() as u16 + 4 };
    // No comment, disk 0, no internal attributes.
    for value in [extra_len, 0, 0, 0] {
        header.extend(value.to_le_bytes());
    }
    header.extend(((REGULAR | file.entry.mode()) << 16).to_le_bytes());
    header.extend(offset.to_le_bytes());
    header.extend(file.entry.name.as_bytes());
    if !extra.is_empty() {
        header.extend([1, extra.len() as u16].iter().flat_map(|value| value.to_le_bytes()));
        header.extend(extra);
    }
    out.write_all(&header)
}

fn write_end<W: Write + Seek>(out: &mut W, count: u64, start: u64, size: u64) -> io::Result<()> {
    let fits = count < u64::from(u16::MAX) && start < u64::from(u32::MAX) && size < u64::from(u32::MAX);
    let mut end = Vec::new();
    if !fits {
        let at = out.stream_position()?;
        end.extend(b"PK\x06\x06");
        end.extend(44u64.to_le_bytes());
        end.extend([MADE_BY, NEEDED_64].iter().flat_map(|value| value.to_le_bytes()));
        end.extend([0u32; 2].iter().flat_map(|value| value.to_le_bytes()));
        end.extend([count, count, size, start].iter().flat_map(|value| value.to_le_bytes()));
        end.extend(b"PK\x06\x07\0\0\0\0");
        end.extend(at.to_le_bytes());
        end.extend(1u32.to_le_bytes());
    }
    end.extend(b"PK\x05\x06\0\0\0\0");
    let count = count.min(u16::MAX.into()) as u16;
    end.extend([count, count].iter().flat_map(|value| value.to_le_bytes()));
    end.extend([size, start].iter().flat_map(|value| ((*value).min(u32::MAX.into()) as u32).to_le_bytes()));
    end.extend([0; 2]);
    out.write_all(&end)
}

/// Returns date and time of day in the format of MS-DOS, to two seconds. `time` is one that [`source_date`](crate::source_date) returns.
fn dos_time(time: u64) -> (u16, u16) {
    let Date { year, month, day, hour, minute, second } = Date::of(time);
    let date = year.saturating_sub(1980) << 9 | month << 5 | day;
    let clock = hour << 11 | minute << 5 | (second / 2);
    (date as u16, clock as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source_date::{EARLIEST, LATEST};

    #[test]
    fn times_are_those_of_ms_dos() {
        let parts = |(date, clock): (u16, u16)| {
            (1980 + (date >> 9), date >> 5 & 15, date & 31, clock >> 11, clock >> 5 & 63, (clock & 31) * 2)
        };
        assert_eq!(parts(dos_time(EARLIEST)), (1980, 1, 1, 0, 0, 0));
        assert_eq!(parts(dos_time(1_709_210_096)), (2024, 2, 29, 12, 34, 56));
        assert_eq!(parts(dos_time(LATEST)), (2107, 12, 31, 23, 59, 58));
    }
}
