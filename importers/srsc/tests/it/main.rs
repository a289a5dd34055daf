//! Tests of reading and writing SRSC archives and databases. `golden` has files that another program wrote.

mod acceptance;
mod container;
mod databases;
mod hostile;
mod mutants;
mod round_trip;

use std::path::Path;

use rres_import_srsc::{Checks, Databases, Folder, Location, MemoryFiles, OpenOptions, RecordKey, RecordType, write};

/// The files of another program.
fn golden(name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// The database of another program, from the disk.
fn opened() -> Databases {
    let mut folder = Folder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"));
    OpenOptions::new().open("Synth.db", &mut folder, &mut Checks::strict()).unwrap()
}

/// Our own database with some files replaced.
fn with(changes: &[(&str, Vec<u8>)]) -> MemoryFiles {
    let mut files = MemoryFiles(write::example().into_iter().collect());
    changes.iter().for_each(|(path, bytes)| drop(files.0.insert((*path).to_owned(), bytes.clone())));
    files
}

fn root(kind: RecordType, id: u16) -> Location {
    Location { database: 0, key: RecordKey { kind, id } }
}
