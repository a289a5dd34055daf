//! Packs in executables: what is written is found, whatever is in the packs, and damage is an error or nothing at all.

use std::io::Cursor;

use proptest::prelude::*;
use rres_format::embedded::{self, Attachment, AttachmentWriter, LocateError, ProgramFormat};
use rres_test_data::damage::{BITS, flipped};

/// Bytes in the place of a program, in no known format.
const HOST: &[u8] = b"#!/bin/sh\necho a program\n";

fn append(host: &[u8], packs: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = AttachmentWriter::append(host.to_vec(), host.len() as u64).unwrap();
    for (name, bytes) in packs {
        writer.pack(name, &mut &**bytes).unwrap();
    }
    writer.finish().unwrap()
}

fn locate(bytes: &[u8]) -> Result<Vec<Attachment>, LocateError> {
    embedded::attachments(&mut Cursor::new(bytes))
}

/// Returns the bytes of each pack.
fn contents<'b>(bytes: &'b [u8], attachment: &Attachment) -> Vec<(String, &'b [u8])> {
    let range = |offset: u64, len: u64| &bytes[offset as usize..(offset + len) as usize];
    attachment.packs.iter().map(|pack| (pack.name.clone(), range(pack.offset, pack.len))).collect()
}

#[test]
fn the_footer_has_the_documented_bytes() {
    let bytes = append(HOST, &[("a.rres", b"12345")]);
    assert!(bytes.starts_with(HOST) && bytes[HOST.len()..4096].iter().all(|byte| *byte == 0));
    assert_eq!(&bytes[4096..4101], b"12345");
    let table = &bytes[4104..4136];
    assert_eq!(table[..16], [&[0; 8][..], &5_u64.to_le_bytes()].concat());
    assert_eq!(table[16..20], crc32fast::hash(b"12345").to_le_bytes());
    assert_eq!(table[20..], *b"\x06\0\0\0a.rres\0\0");
    let footer = &bytes[4160..];
    let mut expected = b"RRESEMB1\x40\0\0\0\0\0\0\0".to_vec();
    expected.extend(64_u64.to_le_bytes());
    expected.extend((HOST.len() as u64).to_le_bytes());
    expected.extend([32_u32, 1, 56, crc32fast::hash(table)].map(u32::to_le_bytes).concat());
    expected.extend([0; 8]);
    expected.extend(crc32fast::hash(&expected).to_le_bytes());
    expected.extend(b"RRX!");
    assert_eq!(footer, expected);
}

#[test]
fn several_packs_are_found_by_name() {
    let packs: [(&str, &[u8]); 4] =
        [("game.rres", &[1; 100]), ("game.1.rres", b""), ("dlc.rres", &[2; 5000]), ("ü.rres", b"x")];
    let bytes = append(HOST, &packs);
    let [attachment] = locate(&bytes).unwrap().try_into().unwrap();
    assert_eq!((attachment.host_len, attachment.end), (HOST.len() as u64, bytes.len() as u64));
    assert_eq!(contents(&bytes, &attachment), packs.map(|(name, bytes)| (name.to_owned(), bytes)));
    assert!(attachment.packs.iter().all(|pack| pack.offset.is_multiple_of(64)));
    assert_eq!(attachment.find("dlc.rres").unwrap().len, 5000);
    assert!(attachment.find("DLC.rres").is_none());
}

#[test]
fn a_table_of_thousands_of_packs_is_found() {
    let names: Vec<String> = (0..5000).map(|i| format!("level-{i}.rres")).collect();
    let packs: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), name.as_bytes())).collect();
    let bytes = append(HOST, &packs);
    let found = locate(&bytes).unwrap();
    assert_eq!(contents(&bytes, &found[0]).len(), 5000);
    assert_eq!(contents(&bytes, &found[0])[4999].1, b"level-4999.rres");
}

#[test]
fn names_that_are_no_file_names_and_duplicates_are_refused() {
    for name in ["", "..", "a/b.rres", "a\\b", "a\0", "c:x", &"x".repeat(256)] {
        let mut writer = AttachmentWriter::append(Vec::new(), 1).unwrap();
        assert!(writer.pack(name, &mut &b"1"[..]).is_err(), "{name:?}");
    }
    let mut writer = AttachmentWriter::append(Vec::new(), 1).unwrap();
    writer.pack("a.rres", &mut &b"1"[..]).unwrap();
    assert!(writer.pack("A.rres", &mut &b"1"[..]).unwrap_err().to_string().contains("two packs are called A.rres"));
}

#[test]
fn the_bytes_of_a_pack_cannot_pass_for_a_footer() {
    let inner = append(HOST, &[("inner.rres", b"inner")]);
    let footer = &inner[inner.len() - 64..];
    // A pack that ends with a footer, and one that is a program with packs.
    for pack in [footer, &inner] {
        let bytes = append(HOST, &[("outer.rres", pack)]);
        let found = locate(&bytes).unwrap();
        assert_eq!(contents(&bytes, &found[0]), [("outer.rres".to_owned(), pack)]);
    }
    // A program without packs that merely contains a footer.
    assert!(locate(&[footer, HOST].concat()).unwrap().is_empty());
}

#[test]
fn every_cut_and_every_flipped_bit_is_an_error_or_leaves_nothing_or_the_same() {
    let packs: [(&str, &[u8]); 2] = [("game.rres", &[7; 300]), ("dlc.rres", &[9; 200])];
    let whole = append(HOST, &packs);
    let expected = locate(&whole).unwrap();
    for cut in 1..=whole.len() {
        assert!(locate(&whole[..whole.len() - cut]).unwrap().is_empty(), "{cut} bytes are missing");
    }
    let footer_at = whole.len() - 64;
    let table_at = footer_at - (footer_at % 64) - 128;
    for (place, bytes) in flipped(&whole, table_at..whole.len(), &BITS) {
        match locate(&bytes) {
            Ok(found) => assert!(found.is_empty() || found == expected, "{place}"),
            Err(LocateError::Format(_)) => {}
            Err(error) => panic!("{place}: {error}"),
        }
    }
}

/// A footer with any values and the right CRC-32.
fn footer(attachment_len: u64, host_len: u64, table_len: u32, count: u32, distance: u32, table_crc32: u32) -> Vec<u8> {
    let mut out = b"RRESEMB1\x40\0\0\0\0\0\0\0".to_vec();
    out.extend([attachment_len, host_len].map(u64::to_le_bytes).concat());
    out.extend([table_len, count, distance, table_crc32].map(u32::to_le_bytes).concat());
    out.extend([0; 8]);
    out.extend(crc32fast::hash(&out).to_le_bytes());
    out.extend(b"RRX!");
    out
}

#[test]
fn sizes_that_do_not_fit_are_errors() {
    let before = [0; 200];
    let none = crc32fast::hash(b"");
    let max = u64::MAX;
    for (attachment_len, host_len, table_len, count, distance) in [
        (max, 1, 0, 0, 0),
        (100, max, 0, 0, 0),
        (201, 1, 0, 0, 0),
        (100, 101, 0, 0, 0),
        (100, 1, 101, 1, 101),
        (100, 1, 8, 1, 4),
        (100, 1, u32::MAX, u32::MAX, u32::MAX),
        (100, 1, 0, u32::MAX, 0),
        (100, 1, 0, 1, 0),
    ] {
        let bytes = [&before[..], &footer(attachment_len, host_len, table_len, count, distance, none)].concat();
        assert!(matches!(locate(&bytes), Err(LocateError::Format(_))), "{attachment_len} {host_len} {table_len}");
    }
    // A pack that is larger than all packs together.
    for (offset, len) in [(0, max), (max, 1), (0, 101), (100, 1), (max, max)] {
        let mut table = [offset, len].map(u64::to_le_bytes).concat();
        table.extend(*b"\0\0\0\0\x01\0\0\0a\0\0\0\0\0\0\0");
        let tail = footer(132, 1, 32, 1, 32, crc32fast::hash(&table));
        let bytes = [&[0; 101][..], &table, &tail].concat();
        assert!(matches!(locate(&bytes), Err(LocateError::Format(_))), "{offset} {len}");
    }
}

#[test]
fn a_newer_footer_is_an_error_and_not_the_absence_of_packs() {
    let mut bytes = append(HOST, &[("a.rres", b"1")]);
    let at = bytes.len() - 64;
    bytes[at + 12] = 1;
    let crc32 = crc32fast::hash(&bytes[at..at + 56]);
    bytes[at + 56..at + 60].copy_from_slice(&crc32.to_le_bytes());
    let error = locate(&bytes).unwrap_err().to_string();
    assert!(error.contains("newer version"), "{error}");
}

#[test]
fn few_zeros_after_the_footer_do_not_hide_it() {
    let bytes = append(HOST, &[("a.rres", b"1")]);
    let with_zeros = |zeros: usize| locate(&[&bytes[..], &vec![0; zeros]].concat()).unwrap();
    assert_eq!(with_zeros(15), locate(&bytes).unwrap());
    assert!(with_zeros(16).is_empty());
}

/// Counts the reads, and how much they read.
struct Counted {
    bytes: Cursor<Vec<u8>>,
    reads: usize,
}

impl std::io::Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.reads += 1;
        assert!(buffer.len() <= 4096);
        self.bytes.read(buffer)
    }
}

impl std::io::Seek for Counted {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn packs_are_found_with_two_small_reads() {
    let bytes = append(&[b'x'; 100_000], &[("a.rres", &vec![3; 1_000_000])]);
    let mut counted = Counted { bytes: Cursor::new(bytes), reads: 0 };
    assert_eq!(embedded::attachments(&mut counted).unwrap().len(), 1);
    assert_eq!(counted.reads, 2);
}

proptest! {
    #![proptest_config(rres_test_support::cases(256))]

    #[test]
    fn any_bytes_are_read_without_a_panic(magic in 0..4_usize, bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let magic = [&b"\x7fELF\x02\x01\x01"[..], b"\x7fELF\x01\x01\x01", b"MZ", b"\xcf\xfa\xed\xfe"][magic];
        let bytes = [magic, &bytes].concat();
        let _ = locate(&bytes);
        let info = embedded::program_info(&mut Cursor::new(&bytes)).unwrap();
        prop_assert!(info.end.unwrap_or(0) <= bytes.len() as u64);
    }

    /// Headers with small numbers lead further into the readers than random ones.
    #[test]
    fn headers_with_any_numbers_are_read_without_a_panic(
        magic in 0..4_usize,
        numbers in prop::collection::vec(prop_oneof![0..400_u32, any::<u32>()], 0..200),
    ) {
        let magic = [&b"\x7fELF\x02\x01\x01\0"[..], b"\x7fELF\x01\x01\x01\0", b"MZ\0\0", b"\xcf\xfa\xed\xfe"][magic];
        let mut bytes = magic.to_vec();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let _ = locate(&bytes);
        prop_assert_ne!(embedded::program_info(&mut Cursor::new(&bytes)).unwrap().format, ProgramFormat::Other);
    }
}
