//! Makes and writes the files of a plan, on several threads: most of the time goes into compressing pictures.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rres_export::ExportError;
use rres_protocol::files::local_path;

use super::Options;
use super::contents::contents;
use super::plan::{Extraction, Form};
use crate::atomic_write;

/// A file that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its position among the files of the resource.
    pub position: usize,
    /// Its size in bytes.
    pub size: u64,
    /// How it differs from the source file.
    pub conversion: Option<String>,
}

/// What became of a resource.
pub(super) enum Outcome {
    /// Its files, and what is damaged and was left out.
    Written(Vec<Written>, Vec<String>),
    /// The format cannot represent it.
    Skipped(String),
    /// It is damaged.
    Damaged(String),
    /// Some of its files could not be written.
    Unwritten(Vec<Written>, Vec<String>),
    /// The disk was full before.
    NotTried,
}

/// Writes the files of every extraction; the results are in the same order.
pub(super) fn write_all(extractions: &[Extraction<'_>], options: &Options) -> Vec<Outcome> {
    let files: HashSet<&str> =
        extractions.iter().flat_map(|extraction| &extraction.files).map(String::as_str).collect();
    let (next, is_full) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::with_capacity(extractions.len()));
    let work = || {
        while let Some((number, extraction)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|number| Some((number, extractions.get(number)?)))
        {
            let result = match is_full.load(Ordering::Relaxed) {
                true => Outcome::NotTried,
                false => write(extraction, &files, options, &is_full),
            };
            results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get()).min(extractions.len());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Refuses a file whose directory is another file, whichever of them a thread would write first.
fn check_directory(file: &str, files: &HashSet<&str>) -> io::Result<()> {
    match file.match_indices('/').map(|(end, _)| &file[..end]).find(|directory| files.contains(directory)) {
        Some(other) => Err(io::Error::other(format!("{other} is a file of the pack, so it cannot be a directory"))),
        None => Ok(()),
    }
}

fn write(extraction: &Extraction<'_>, files: &HashSet<&str>, options: &Options, is_full: &AtomicBool) -> Outcome {
    let (mut written, mut unwritten, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut push = |position: usize, file: &Path, result: io::Result<u64>, conversion| match result {
        Ok(size) => written.push(Written { position, size, conversion }),
        Err(error) => {
            if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
                is_full.store(true, Ordering::Relaxed);
            }
            unwritten.push(format!("cannot write {}: {error}", file.display()));
        }
    };
    if let Form::LinkTarget(target) = &extraction.form {
        let file = options.out.join(local_path(&extraction.files[0]));
        let size = check_directory(&extraction.files[0], files);
        push(0, &file, size.and_then(|()| atomic_write::copy(target, &file, options.force)), None);
    } else {
        let contents = match contents(extraction, options.decode_blocks, &mut faults) {
            Ok(contents) => contents,
            Err(ExportError::Unsupported(why)) => return Outcome::Skipped(why),
            Err(ExportError::Damaged(why)) => return Outcome::Damaged(why),
        };
        let write = if options.force { atomic_write::replace } else { atomic_write::create };
        for (position, (name, contents)) in extraction.files.iter().zip(contents).enumerate() {
            let file = options.out.join(local_path(name));
            let size = check_directory(name, files).and_then(|()| write(&file, &contents.bytes));
            let size = size.map(|()| contents.bytes.len() as u64);
            push(position, &file, size, contents.conversion);
        }
    }
    if unwritten.is_empty() { Outcome::Written(written, faults) } else { Outcome::Unwritten(written, unwritten) }
}
