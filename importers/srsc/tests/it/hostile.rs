//! Damage without a plan: every prefix of a file, and every file with one bit changed. No input may end the program, take long, or
//! reserve much memory.

use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks, Limits, Location, MemoryFiles, OpenOptions, Record, RecordKey, RecordType};
use rres_test_data::damage::{BITS, cuts, flipped};

use crate::golden;

/// Reads everything that an archive contains, as far as it can be read.
fn read_all(name: &str, bytes: &[u8]) {
    let mut limits = Limits::default();
    // Small, so that what a changed size asks for is refused and not made.
    limits.texture_size = 1 << 20;
    limits.sound_size = 1 << 20;
    limits.texture_edge = 1024;
    let mut checks = Checks::default().with_limits(limits);
    if let Ok(archive) = Archive::parse(name, bytes, &mut checks) {
        for record in archive.records() {
            match record.parse(&mut checks) {
                Ok(Record::Class(class)) => drop(class.values().count()),
                Ok(Record::Sound(sound)) => drop(sound.pcm(&limits)),
                _ => {}
            }
        }
    }
    let mut files = MemoryFiles::default();
    files.0.insert(name.to_owned(), bytes.to_vec());
    files.0.insert("Synth.db".to_owned(), b"version 1\ndependencies 0\n".to_vec());
    let opened =
        OpenOptions::new().open(if name.ends_with("rrc") { name } else { "Synth.db" }, &mut files, &mut checks);
    let Ok(databases) = opened else { return };
    let keys: Vec<RecordKey> = databases.root().records().map(|record| record.key()).collect();
    for key in keys {
        let at = Location { database: 0, key };
        drop(databases.group_path(at, &mut checks));
        match key.kind {
            RecordType::TEXTURE => {
                drop(databases.picture(at, None, &mut checks));
                drop(databases.texture_links(at, &mut checks));
            }
            RecordType::MODEL => {
                if let Ok(model) = databases.model(at, &mut checks) {
                    model.meshes().iter().for_each(|mesh| drop(model.surfaces(mesh)));
                }
                drop(databases.levels_of_detail(at, &mut checks));
            }
            RecordType::ANIMATION => {
                if let Ok(animation) = databases.animation(at, &mut checks) {
                    let _: usize = (0..animation.ranges.len()).map(|node| animation.node(node).count()).sum();
                }
            }
            _ => {}
        }
    }
    let _ = databases.root().songs().count();
}

const FILES: [&str; 7] = ["Synth.txd", "Synth.sdb", "Synth.mod", "Synth.odb", "Synth.adb", "Synth.ssd", "Synth.rrc"];

#[test]
fn no_prefix_of_a_file_ends_the_program() {
    for file in FILES {
        cuts(&golden(file)).for_each(|cut| read_all(file, cut));
    }
}

#[test]
fn no_changed_bit_ends_the_program() {
    for file in FILES {
        let bytes = golden(file);
        flipped(&bytes, 0..bytes.len(), &BITS).for_each(|(_, changed)| read_all(file, &changed));
    }
}

#[test]
fn no_changed_character_ends_the_program() {
    let body = write::record(&Record::Character(Box::new(write::character())));
    let read = |body: &[u8]| {
        let bytes = write::archive(&[RecordBytes::new(0x208, 0x10, 0, body)]);
        let archive = Archive::parse("a", &bytes, &mut Checks::default()).unwrap();
        drop(archive.record(0).unwrap().parse(&mut Checks::default()));
    };
    cuts(&body).for_each(read);
    flipped(&body, 0..body.len(), &BITS).for_each(|(_, changed)| read(&changed));
}

#[test]
fn no_changed_db_file_ends_the_program() {
    let text = golden("Synth.db");
    let open = |text: &[u8]| {
        let mut files = MemoryFiles(write::example().into_iter().collect());
        files.0.insert("Synth.db".to_owned(), text.to_vec());
        drop(OpenOptions::new().open("Synth.db", &mut files, &mut Checks::default()));
    };
    cuts(&text).for_each(open);
    flipped(&text, 0..text.len(), &BITS).for_each(|(_, changed)| open(&changed));
}

#[test]
fn warnings_are_bounded() {
    let records: Vec<RecordBytes> = (1..3000).map(|id| RecordBytes::new(0x301, id, 0, *b"\x01\0a")).collect();
    let bytes = write::archive(&records);
    let mut checks = Checks::default();
    let archive = Archive::parse("a", &bytes, &mut checks).unwrap();
    archive.records().for_each(|record| drop(record.parse(&mut checks)));
    assert_eq!((checks.warnings().len(), checks.more_warnings()), (1000, 1999));
}
