//! The licences of the crates that are linked into a program, as one text: a list, then what their licence files say.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo::Crate;

/// How the names of files begin that contain licences and notices.
const NAMES: &[&str] = &["license", "licence", "copying", "notice", "unlicense", "copyright"];

/// A larger file is not a licence.
const MAX_SIZE: u64 = 1 << 20;

/// The licences of a program.
#[derive(Debug)]
pub(super) struct Licences {
    pub(super) text: String,
    /// The crates that are listed, the standard library not counted.
    pub(super) crate_count: usize,
    /// The crates without any licence.
    pub(super) unlicensed: Vec<String>,
}

/// Collects the licences of `crates`, which are sorted, and of the standard library.
pub(super) fn collect(program: &str, crates: &[&Crate], sysroot: &Path) -> Licences {
    let mut text = format!("{program} contains the following crates, and the standard library of Rust.\n\n");
    let mut unlicensed = Vec::new();
    // Each text once, with the crates that it applies to; most crates have the same Apache licence.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in crates {
        let label = format!("{} {}", package.name, package.version);
        let files = files_of(package);
        let license = package.license.as_deref();
        if license.is_none() && files.is_empty() {
            unlicensed.push(label.clone());
        }
        let see = if files.is_empty() { "no licence" } else { "see below" };
        let _ = writeln!(text, "{label}\n  licence: {}", license.unwrap_or(see));
        if !package.authors.is_empty() {
            let _ = writeln!(text, "  authors: {}", package.authors.join(", "));
        }
        if let Some(url) = &package.repository {
            let _ = writeln!(text, "  source:  {url}");
        }
        for file in files {
            let name = file.file_name().unwrap_or_default().display();
            let Ok(bytes) = fs::read(&file) else { continue };
            texts.entry(normalized(&bytes)).or_default().push(format!("{label}, {name}"));
        }
    }
    let _ = writeln!(
        text,
        "Rust standard library\n  licence: MIT OR Apache-2.0\n  source:  https://github.com/rust-lang/rust"
    );
    for file in files_of_rust(sysroot) {
        let Ok(bytes) = fs::read(&file) else { continue };
        let name = file.file_name().unwrap_or_default().display();
        texts.entry(normalized(&bytes)).or_default().push(format!("Rust standard library, {name}"));
    }
    // In the order of the first crate that has the text.
    let mut texts: Vec<(Vec<String>, String)> = texts.into_iter().map(|(text, of)| (of, text)).collect();
    texts.sort();
    for (of, licence) in texts {
        let _ = write!(text, "\n{}\n{}\n\n{licence}", "-".repeat(80), of.join("\n"));
    }
    Licences { text, crate_count: crates.len(), unlicensed }
}

/// The files with licences and notices in the directory of a package, sorted by name.
pub(super) fn files_of(package: &Crate) -> Vec<PathBuf> {
    let mut files = files_in(&package.root);
    files.extend(package.license_file.iter().filter(|file| is_readable(file)).cloned());
    files.sort();
    files.dedup();
    files
}

/// The files with licences and notices in a directory, sorted by name.
pub(super) fn files_in(dir: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_licence = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        // `license.rs` is code.
        NAMES.iter().any(|start| name.starts_with(start)) && !name.ends_with(".rs") && is_readable(file)
    };
    let mut files: Vec<PathBuf> = files.filter(is_licence).collect();
    files.sort();
    files
}

/// The licences of the standard library, which are installed with the compiler.
fn files_of_rust(sysroot: &Path) -> Vec<PathBuf> {
    let dir = sysroot.join("share/doc/rust/licenses");
    let files = ["Apache-2.0.txt", "MIT.txt"].map(|name| dir.join(name));
    files.into_iter().filter(|file| is_readable(file)).collect()
}

fn is_readable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_SIZE)
}

/// Returns a text with line breaks of Unix, without spaces at the ends of lines and empty lines at its ends.
fn normalized(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    format!("{}\n", text.trim_matches('\n'))
}
