//! Walks the directories that Cargo builds into, for the files that build scripts have written.

use std::fs;
use std::path::Path;

/// Cargo's layouts differ, but in none is the output of a build script deeper than this below the target directory.
const MAX_DEPTH: usize = 6;

/// Directories with thousands of files, none of them written by a build script.
const SKIPPED: &[&str] = &["deps", "incremental", ".fingerprint", "examples", "doc", "package", "tmp"];

/// Calls `visit` with every file below the build directory `dir` that a build script can have written.
pub(crate) fn visit_files(dir: &Path, visit: &mut impl FnMut(&Path)) {
    visit_below(dir, 0, visit);
}

fn visit_below(dir: &Path, depth: usize, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let is_skipped = SKIPPED.iter().any(|name| entry.file_name() == *name);
        if kind.is_dir() && depth < MAX_DEPTH && !is_skipped {
            visit_below(&entry.path(), depth + 1, visit);
        } else if kind.is_file() {
            visit(&entry.path());
        }
    }
}
