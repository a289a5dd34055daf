//! Mach-O objects, for macOS and iOS: the packs in the section `__rres` of the segment `__RRES`.

use super::Bytes;

/// Returns type and subtype of a processor.
pub(super) fn processor(arch: &str) -> Option<(u32, u32)> {
    Some(match arch {
        "x86_64" => (0x0100_0007, 3),
        "aarch64" => (0x0100_000c, 0),
        _ => return None,
    })
}

pub(super) fn frame(kind: u32, subtype: u32, len: u64, symbol: &str) -> (Vec<u8>, Vec<u8>) {
    const OBJECT: u32 = 1;
    const SEGMENT_64: u32 = 0x19;
    const SYMTAB: u32 = 2;
    const SEGMENT_LEN: u32 = 72 + 80;
    const SYMTAB_LEN: u32 = 24;
    const START: u32 = 256;
    /// The linker keeps the section even if nothing refers to it.
    const NO_DEAD_STRIP: u32 = 0x1000_0000;
    /// A symbol of a section, visible in other files; kept even if nothing refers to it.
    const EXTERNAL: [u8; 2] = [0x0f, 1];
    const SYMBOL_NO_DEAD_STRIP: u16 = 0x20;
    const READ: u32 = 1;
    /// As a power of two: 64.
    const ALIGNMENT: u32 = 6;

    let symbols_at = START + len as u32;
    let mut before = Bytes::default();
    before.u32(0xfeed_facf).u32(kind).u32(subtype).u32(OBJECT).u32(2).u32(SEGMENT_LEN + SYMTAB_LEN).u32(0).u32(0);
    before.u32(SEGMENT_64).u32(SEGMENT_LEN).name("", 16).u64(0).u64(len).u64(START.into()).u64(len);
    before.u32(READ).u32(READ).u32(1).u32(0);
    before.name("__rres", 16).name("__RRES", 16).u64(0).u64(len).u32(START).u32(ALIGNMENT).u32(0).u32(0);
    before.u32(NO_DEAD_STRIP).u32(0).u32(0).u32(0);
    let strings_len = symbol.len() as u32 + 3;
    before.u32(SYMTAB).u32(SYMTAB_LEN).u32(symbols_at).u32(1).u32(symbols_at + 16).u32(strings_len);
    before.pad(START as usize);

    let mut after = Bytes::default();
    after.u32(1).raw(&EXTERNAL).u16(SYMBOL_NO_DEAD_STRIP).u64(0);
    // Symbols have an underscore before their name in C.
    after.raw(b"\0_").raw(symbol.as_bytes()).raw(&[0]);
    (before.0, after.0)
}
