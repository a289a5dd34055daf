//! ELF objects: the packs in the section `.rres`, and a note that leads to their end.
//!
//! The note is four bytes, which a relocation makes the distance from them to the end of the packs. Linkers keep notes even if
//! nothing refers to them, and what notes refer to.

use super::Bytes;

/// What differs between processors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    is_64: bool,
    /// The number of the processor.
    number: u16,
    /// The flags of the file. Linkers compare what they say about calling conventions.
    flags: u32,
    /// The relocation `symbol + addend - place` in 32 bits.
    relative: u32,
    /// Whether the addend is in the relocation, and not in the bytes that it changes.
    has_addend: bool,
}

impl Machine {
    pub(super) fn of(arch: &str) -> Option<Self> {
        let machine = |number, flags, relative| Self { is_64: true, number, flags, relative, has_addend: true };
        Some(match arch {
            "x86_64" => machine(62, 0, 2),
            "aarch64" => machine(183, 0, 261),
            // RVC and floats of 64 bits in registers.
            "riscv64" => machine(243, 5, 57),
            // The same, and version 1 of the object format.
            "loongarch64" => machine(258, 0x43, 99),
            "x86" => Self { is_64: false, has_addend: false, ..machine(3, 0, 2) },
            // Version 5 of the calling convention.
            "arm" => Self { is_64: false, has_addend: false, ..machine(40, 0x0500_0000, 3) },
            _ => return None,
        })
    }
}

/// A section header.
#[derive(Clone, Copy, Default)]
struct Section {
    name: &'static str,
    kind: u32,
    flags: u64,
    offset: u64,
    len: u64,
    link: u32,
    info: u32,
    alignment: u64,
    entry_len: u64,
}

const PROGBITS: u32 = 1;
const SYMTAB: u32 = 2;
const STRTAB: u32 = 3;
const RELA: u32 = 4;
const NOTE: u32 = 7;
const REL: u32 = 9;

/// In memory when the program runs.
const ALLOC: u64 = 2;

/// The numbers of sections.
const PACKS: u16 = 1;
const NOTES: u16 = 2;
const SYMBOLS: u16 = 5;

/// The start of the note's contents.
const CONTENTS_AT: u64 = 20;

pub(super) fn frame(machine: Machine, len: u64) -> (Vec<u8>, Vec<u8>) {
    let header_len = if machine.is_64 { 64 } else { 52 };
    let start = 64_u64;
    let mut after = Bytes::default();
    let mut place = |alignment: usize, write: &dyn Fn(&mut Bytes)| {
        after.pad(alignment);
        let at = after.0.len();
        write(&mut after);
        (start + len + at as u64, (after.0.len() - at) as u64)
    };
    let note = place(4, &|out| {
        out.u32(5).u32(4).u32(1).name("rres", 8).u32(if machine.has_addend { 0 } else { len as u32 });
    });
    let relocations = place(8, &|out| match machine.is_64 {
        true => {
            out.u64(CONTENTS_AT).u64(1 << 32 | u64::from(machine.relative)).u64(len);
        }
        false => {
            out.u32(CONTENTS_AT as u32).u32(1 << 8 | machine.relative);
        }
    });
    // The empty symbol, and the symbol of the section with the packs.
    let symbols = place(8, &|out| match machine.is_64 {
        true => {
            out.raw(&[0; 24]).u32(0).raw(&[3, 0]).u16(PACKS).u64(0).u64(0);
        }
        false => {
            out.raw(&[0; 16]).u32(0).u32(0).u32(0).raw(&[3, 0]).u16(PACKS);
        }
    });
    let strings = place(1, &|out| {
        out.raw(&[0]);
    });
    let (relocation_name, relocation_kind) =
        if machine.has_addend { (".rela.note.rres", RELA) } else { (".rel.note.rres", REL) };
    let section = |name, kind, flags, (offset, len), alignment| Section {
        name,
        kind,
        flags,
        offset,
        len,
        alignment,
        ..Section::default()
    };
    let symbol_len = if machine.is_64 { 24 } else { 16 };
    let mut sections = vec![
        Section::default(),
        section(".rres", PROGBITS, ALLOC, (start, len), 64),
        section(".note.rres", NOTE, ALLOC, note, 4),
        Section {
            link: SYMBOLS.into(),
            info: NOTES.into(),
            entry_len: relocations.1,
            ..section(relocation_name, relocation_kind, 0, relocations, 8)
        },
        // Without this section, linkers make the stack executable.
        section(".note.GNU-stack", PROGBITS, 0, (start + len, 0), 1),
        // The first symbol that other files can see would be number 2.
        Section {
            link: u32::from(SYMBOLS) + 1,
            info: 2,
            entry_len: symbol_len,
            ..section(".symtab", SYMTAB, 0, symbols, 8)
        },
        section(".strtab", STRTAB, 0, strings, 1),
    ];
    let mut names = vec![0];
    let mut name_at = |name: &str| {
        let at = names.len() as u32;
        names.extend(name.as_bytes());
        names.push(0);
        if name.is_empty() { 0 } else { at }
    };
    let mut name_offsets: Vec<u32> = sections.iter().map(|section| name_at(section.name)).collect();
    name_offsets.push(name_at(".shstrtab"));
    let names = place(1, &|out| {
        out.raw(&names);
    });
    sections.push(section(".shstrtab", STRTAB, 0, names, 1));
    let (table_at, _) = place(8, &|out| {
        for (section, name) in sections.iter().zip(&name_offsets) {
            write_section(out, machine, section, *name);
        }
    });

    let mut before = Bytes::default();
    before.raw(&[0x7f, b'E', b'L', b'F', if machine.is_64 { 2 } else { 1 }, 1, 1]).pad(16);
    before.u16(1).u16(machine.number).u32(1);
    match machine.is_64 {
        true => before.u64(0).u64(0).u64(table_at),
        false => before.u32(0).u32(0).u32(table_at as u32),
    };
    before.u32(machine.flags).u16(header_len).u16(0).u16(0);
    before.u16(if machine.is_64 { 64 } else { 40 }).u16(sections.len() as u16).u16(sections.len() as u16 - 1);
    before.pad(start as usize);
    (before.0, after.0)
}

fn write_section(out: &mut Bytes, machine: Machine, section: &Section, name: u32) {
    let Section { kind, flags, offset, len, link, info, alignment, entry_len, .. } = *section;
    out.u32(name).u32(kind);
    if machine.is_64 {
        out.u64(flags).u64(0).u64(offset).u64(len).u32(link).u32(info).u64(alignment).u64(entry_len);
    } else {
        out.u32(flags as u32).u32(0).u32(offset as u32).u32(len as u32).u32(link).u32(info);
        out.u32(alignment as u32).u32(entry_len as u32);
    }
}
