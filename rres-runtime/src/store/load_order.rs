//! The order in which a program loads its assets, in debug builds: each path, once, goes to the file that the variable `RRES_RECORD` names. The
//! setting `order` of a build stores the assets in that order.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use crate::sync::lock;

/// The variable that names the file.
const VARIABLE: &str = "RRES_RECORD";

/// What all stores of the program have loaded.
static RECORD: OnceLock<Option<Mutex<Record>>> = OnceLock::new();

struct Record {
    file: File,
    paths: HashSet<Box<str>>,
}

/// Records that an asset was loaded or opened as a stream.
pub(super) fn note(path: &str) {
    if let Some(record) = RECORD.get_or_init(start) {
        lock(record).add(path);
    }
}

/// Creates the file, if the variable names one.
#[expect(clippy::print_stderr, reason = "a developer has asked for the file")]
fn start() -> Option<Mutex<Record>> {
    let file = std::env::var_os(VARIABLE).filter(|file| !file.is_empty())?;
    match File::create(&file) {
        Ok(file) => Some(Mutex::new(Record { file, paths: HashSet::new() })),
        Err(error) => {
            eprintln!("rres: cannot create {}, which {VARIABLE} names: {error}", Path::new(&file).display());
            None
        }
    }
}

impl Record {
    /// Writes at once, so that a program that crashes has recorded what it has loaded.
    fn add(&mut self, path: &str) {
        if !path.is_empty() && self.paths.insert(path.into()) {
            // Without space on the disk, the record ends here, and the game goes on.
            let _ = writeln!(self.file, "{path}");
        }
    }
}
