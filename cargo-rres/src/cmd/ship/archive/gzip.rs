//! gzip without a file name and a time, so that equal contents give equal bytes.

use std::io::{self, Write};

use flate2::{Compression, GzBuilder};

/// Writes to `out` what `write` writes, compressed.
pub(in super::super) fn write<W: Write>(
    out: W,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // 255 is "unknown" as the operating system, which would differ from machine to machine.
    let mut encoder = GzBuilder::new().mtime(0).operating_system(255).write(out, Compression::best());
    write(&mut encoder)?;
    encoder.finish()?.flush()
}
