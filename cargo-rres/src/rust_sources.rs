//! The Rust files of packages that people write: they tell which assets are named.

use std::fs;
use std::path::{Path, PathBuf};

use rres_engine::Usage;

/// Calls `visit` with every Rust file below the directories of `packages`, and its text. Generated modules are left out.
pub(crate) fn visit(packages: &[PathBuf], visit: &mut impl FnMut(&Path, &str)) {
    packages.iter().for_each(|package| visit_below(package, visit));
}

fn visit_below(dir: &Path, visit: &mut impl FnMut(&Path, &str)) {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let Ok(kind) = path.symlink_metadata().map(|metadata| metadata.file_type()) else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if kind.is_dir() && name != "target" && !name.starts_with('.') {
            visit_below(&path, visit);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if Usage::of_module(&text, |_, _| false).is_none() {
                visit(&path, &text);
            }
        }
    }
}

/// The identifiers, keywords and numbers in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}
