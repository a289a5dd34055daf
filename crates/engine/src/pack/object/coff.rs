//! COFF objects, for Windows: the packs in the section `.rres`, and a symbol at their start.

use super::Bytes;

/// Returns the number of a machine.
pub(super) fn machine(arch: &str) -> Option<u16> {
    Some(match arch {
        "x86_64" => 0x8664,
        "x86" => 0x14c,
        "aarch64" => 0xaa64,
        _ => return None,
    })
}

pub(super) fn frame(machine: u16, len: u64, symbol: &str) -> (Vec<u8>, Vec<u8>) {
    /// Initialised data that is read, aligned to 64 bytes.
    const CHARACTERISTICS: u32 = 0x40 | 0x4000_0000 | 0x0070_0000;
    /// Visible in other files.
    const EXTERNAL: u8 = 2;
    const START: u32 = 64;

    let mut before = Bytes::default();
    before.u16(machine).u16(1).u32(0).u32(START + len as u32).u32(1).u16(0).u16(0);
    before.name(".rres", 8).u32(0).u32(0).u32(len as u32).u32(START).u32(0).u32(0).u32(0).u32(CHARACTERISTICS);
    before.pad(START as usize);

    let mut after = Bytes::default();
    // The name is at 4 in the table of strings, which starts with its own size.
    after.u32(0).u32(4).u32(0).u16(1).u16(0).raw(&[EXTERNAL, 0]);
    after.u32(4 + symbol.len() as u32 + 1).raw(symbol.as_bytes()).raw(&[0]);
    (before.0, after.0)
}
