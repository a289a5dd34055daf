//! The pages of the book and of the repository: their links, their programs, and the messages that one of them explains.

mod chapters;
mod links;
// Paths of Linux are part of the messages.
#[cfg(target_os = "linux")]
mod messages;
mod pictures;

use std::path::{Path, PathBuf};

use rres_examples::links::root;

fn read(page: &Path) -> String {
    std::fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{}: {e}", page.display()))
}

/// The chapters, as `SUMMARY.md` lists them.
fn chapters() -> Vec<PathBuf> {
    let summary = read(Path::new("book/src/SUMMARY.md"));
    rres_examples::links::targets(&summary)
        .into_iter()
        .map(|range| Path::new("book/src").join(&summary[range]))
        .collect()
}

/// The pages in these directories of the repository, not in those inside.
fn pages_in(directories: &[&str]) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for directory in directories {
        for entry in std::fs::read_dir(root().join(directory)).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_some_and(|extension| extension == "md") {
                pages.push(file.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    pages.sort();
    pages
}
