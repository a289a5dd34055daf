//! Searches any bytes for packs in an executable: appended ones behind any program, linked ones, and behind signatures. What is
//! found is inside the file, and what was written is found.
#![no_main]

use std::io::Cursor;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rres_format::embedded::{self, Attachment, AttachmentWriter, FOOTER_SIZE};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    program: &'a [u8],
    packs: Vec<(&'a str, &'a [u8])>,
    changed: Vec<(u16, u8)>,
    repair: bool,
}

fuzz_target!(|input: Input<'_>| {
    search(input.program);
    let mut writer = AttachmentWriter::append(input.program.to_vec(), input.program.len() as u64).unwrap();
    // Names that are refused are left out.
    let written: Vec<_> = input.packs.iter().filter(|(name, bytes)| writer.pack(name, &mut &**bytes).is_ok()).collect();
    let Ok(mut bytes) = writer.finish() else { return };
    if let Ok(Some(found)) = embedded::appended(&mut Cursor::new(&bytes)) {
        let packs =
            found.packs.iter().map(|pack| (pack.name.as_str(), &bytes[pack.offset as usize..][..pack.len as usize]));
        assert!(packs.eq(written.iter().map(|(name, bytes)| (*name, *bytes))), "not the packs that were written");
    }
    // The last bytes are the table and the footer.
    let len = bytes.len();
    for (at, by) in &input.changed {
        bytes[len - 1 - usize::from(*at) % len.min(512)] ^= by;
    }
    if let (true, Some(footer)) = (input.repair, len.checked_sub(FOOTER_SIZE as usize)) {
        let crc = crc32fast::hash(&bytes[footer..len - 8]);
        bytes[len - 8..len - 4].copy_from_slice(&crc.to_le_bytes());
    }
    search(&bytes);
});

fn search(bytes: &[u8]) {
    let file = &mut Cursor::new(bytes);
    let check = |found: &Attachment| {
        for pack in &found.packs {
            let end = pack.offset.checked_add(pack.len);
            assert!(end.is_some_and(|end| end <= bytes.len() as u64), "{pack:?} is outside of {} bytes", bytes.len());
        }
    };
    if let Ok(found) = embedded::attachments(file) {
        found.iter().for_each(check);
    }
    if let Ok(found) = embedded::linked(file) {
        found.iter().for_each(check);
    }
    if let Ok(Some(found)) = embedded::appended_before(file, bytes.len() as u64 / 2) {
        check(&found);
    }
    let _ = embedded::program_info(file);
}
