//! An object file → a static library that contains nothing else, for a crate whose programs are in other packages.
//!
//! ```text
//! !<arch>
//! [header][index: one symbol][header][object]
//! ```

use std::fs::File;
use std::io::{self, Write};

/// The size of the header of a member.
const HEADER: usize = 60;

/// Writes what precedes an object of `len` bytes in a library, whose index contains `symbol`.
pub(crate) fn write_archive_start(out: &mut File, symbol: &str, len: u64) -> io::Result<()> {
    const SIGNATURE: &[u8] = b"!<arch>\n";
    let index_len = (8 + symbol.len() + 1).next_multiple_of(2);
    let member = (SIGNATURE.len() + HEADER + index_len) as u32;
    let mut index = [1_u32, member].map(u32::to_be_bytes).concat();
    index.extend(symbol.as_bytes());
    index.resize(index_len, 0);
    out.write_all(SIGNATURE)?;
    out.write_all(header("/", index_len as u64).as_bytes())?;
    out.write_all(&index)?;
    out.write_all(header("packs.o/", len).as_bytes())
}

/// Name, time, owner, group, mode and size. A time would change the bytes of each build.
fn header(name: &str, len: u64) -> String {
    format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{len:<10}`\n", 0, 0, 0, 644)
}
