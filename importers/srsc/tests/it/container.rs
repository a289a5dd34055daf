//! The container: header, directory, and the types of all records.

use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks, Problem, Record, RecordType};

use crate::golden;

#[test]
fn the_directory_has_type_id_group_offset_and_size() {
    let bytes = golden("Synth.rrc");
    let mut checks = Checks::strict();
    let archive = Archive::parse("Synth.rrc", &bytes, &mut checks).unwrap();
    let list: Vec<_> = archive
        .entries()
        .map(|entry| (entry.key.kind.0, entry.key.id, entry.group, entry.offset, entry.size))
        .collect();
    let expected = [
        (0x400, 1, 0, 12, 6),
        (0x401, 2, 0, 18, 10),
        (0x401, 0x101, 0, 28, 12),
        (0x401, 0x1001, 0, 40, 4),
        (0x400, 3, 0, 44, 49),
        (0x401, 4, 0, 93, 12),
    ];
    assert_eq!(list, expected);
}

#[test]
fn check_1_12_1_our_writer_gives_the_bytes_of_another_program() {
    for (path, bytes) in write::example() {
        if !path.ends_with(".txd") && !path.ends_with(".sdb") {
            assert_eq!(bytes, golden(&path), "{path}");
        }
    }
}

#[test]
fn bytes_after_the_directory_are_a_warning_and_an_error_if_strict() {
    let bytes = [golden("Synth.rrc"), vec![0]].concat();
    let mut checks = Checks::default();
    assert_eq!(Archive::parse("a.rrc", &bytes, &mut checks).unwrap().len(), 6);
    assert_eq!(checks.warnings()[0].to_string(), "a.rrc: end at offset 0xbd: 1 bytes follow the directory");
    let error = Archive::parse("a.rrc", &bytes, &mut Checks::strict()).unwrap_err();
    assert_eq!(error.field, "end");
}

#[test]
fn texts_of_an_odd_length_are_padded_and_the_padding_is_not_read() {
    let mut checks = Checks::strict();
    let name = |body: &[u8], checks: &mut Checks| {
        let bytes = write::archive(&[RecordBytes::new(0x301, 1, 0, body)]);
        let archive = Archive::parse("a.sdb", &bytes, checks)?;
        match archive.records().next().unwrap().parse(checks)? {
            Record::Group(name) => Ok::<_, rres_import_srsc::Error>(name.decode().into_owned()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(name(b"\x04\0abc\0", &mut checks).unwrap(), "abc");
    assert_eq!(name(b"\x04\0abcd", &mut checks).unwrap(), "abcd");
    // Only one byte is padding.
    assert_eq!(name(b"\x04\0ab\0\0", &mut checks).unwrap(), "ab\0");
    assert_eq!(name(b"\x02\0\x80\xe4", &mut checks).unwrap(), "€ä");
    assert_eq!(name(b"\0\0", &mut checks).unwrap(), "");
    assert!(name(b"\x03\0abc", &mut checks).is_err());
    let mut lenient = Checks::default();
    assert_eq!(name(b"\x03\0abc", &mut lenient).unwrap(), "abc");
    assert!(
        lenient.warnings()[0].to_string().contains("record 0x0301:0x0001, name at offset 0xc: is of an odd length")
    );
}

#[test]
fn a_later_version_is_read_if_its_layout_is_the_old_one() {
    let mut bytes = golden("Synth.rrc");
    bytes[4] = 1;
    assert_eq!(Archive::parse("a", &bytes, &mut Checks::strict()).unwrap().version(), 0x0101);
    bytes.push(0);
    let error = Archive::parse("a", &bytes, &mut Checks::default()).unwrap_err();
    assert_eq!(error.problem, Problem::Version { found: 0x0101 });
}

#[test]
fn levels_are_archives_whose_records_are_bytes() {
    let bytes = write::archive(&[RecordBytes::new(0, 0, 0, *b"level"), RecordBytes::new(0x20, 7, 0, *b"x")]);
    let mut checks = Checks::strict();
    let archive = Archive::parse("a.lvl", &bytes, &mut checks).unwrap();
    let bodies: Vec<_> = archive.records().map(|record| record.parse(&mut checks).unwrap()).collect();
    assert_eq!(bodies, [Record::Raw(b"level".into()), Record::Raw(b"x".into())]);
}

#[test]
fn types_have_names_and_unknown_ones_their_number() {
    assert_eq!(RecordType::TEXTURE.name(), Some("texture"));
    assert_eq!(RecordType(0x99).name(), None);
    assert_eq!(RecordType(0x99).to_string(), "0x0099");
    let mut numbers: Vec<u16> = RecordType::ALL.iter().map(|kind| kind.0).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), RecordType::ALL.len());
}
