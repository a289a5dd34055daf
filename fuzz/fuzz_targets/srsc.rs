//! Reads any bytes as an archive or as the text of a database of the Riot engine, and as the body of a record of each type. The first byte
//! chooses the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks, Limits, Location, MemoryFiles, OpenOptions, Record, RecordType};

const FILES: [&str; 8] =
    ["Synth.mod", "Synth.adb", "Synth.ssd", "Synth.odb", "Synth.sdb", "Synth.txd", "Synth.rrc", "Synth.db"];

fuzz_target!(|input: &[u8]| {
    let Some((first, bytes)) = input.split_first() else { return };
    let mut limits = Limits::default();
    // Larger pictures take only time.
    (limits.texture_size, limits.sound_size) = (1 << 20, 1 << 20);
    database(FILES[usize::from(*first) % FILES.len()], bytes, limits);
    record(RecordType::ALL[usize::from(*first) % RecordType::ALL.len()], bytes, limits);
});

/// Reads all that a database contains.
fn database(name: &str, bytes: &[u8], limits: Limits) {
    let mut files = MemoryFiles::default();
    files.0.insert("Synth.db".to_owned(), b"version 1\ndependencies 0\n".to_vec());
    files.0.insert(name.to_owned(), bytes.to_vec());
    let mut checks = Checks::default().with_limits(limits);
    let path = if name.ends_with("rrc") { name } else { "Synth.db" };
    let Ok(databases) = OpenOptions::new().open(path, &mut files, &mut checks) else { return };
    for key in databases.root().records().map(|record| record.key()).take(1000) {
        let at = Location { database: 0, key };
        let _ = databases.group_path(at, &mut checks);
        match key.kind {
            RecordType::TEXTURE => {
                if let Ok(picture) = databases.picture(at, None, &mut checks) {
                    assert_eq!(picture.rgba.len() as u64, u64::from(picture.width) * u64::from(picture.height) * 4);
                }
                let _ = databases.texture_links(at, &mut checks);
            }
            RecordType::MODEL => {
                if let Ok(model) = databases.model(at, &mut checks) {
                    for surface in model.meshes().iter().flat_map(|mesh| model.surfaces(mesh)) {
                        assert!(surface.indices.iter().all(|index| (*index as usize) < surface.positions.len()));
                    }
                }
                let _ = databases.levels_of_detail(at, &mut checks);
            }
            RecordType::ANIMATION => {
                let _ = databases.animation(at, &mut checks);
            }
            _ => {}
        }
    }
    let _ = databases.root().songs().count();
}

/// Reads a record, writes it, and reads it again.
fn record(kind: RecordType, body: &[u8], limits: Limits) {
    let read = |body: &[u8]| {
        let bytes = write::archive(&[RecordBytes::new(kind.0, 0x1001, 0, body)]);
        let mut checks = Checks::default().with_limits(limits);
        let archive = Archive::parse("a", &bytes, &mut checks).expect("the writer makes whole archives");
        let record = archive.record(0)?.parse(&mut checks).ok()?;
        if let Record::Sound(sound) = &record
            && let Ok(samples) = sound.pcm(&limits)
        {
            assert_eq!(samples.len(), sound.size as usize);
        }
        Some(write::record(&record))
    };
    if let Some(written) = read(body) {
        assert_eq!(read(&written).expect("what was written is read"), written);
    }
}
