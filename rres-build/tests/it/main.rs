//! Whole builds in temporary directories.

mod arrangement;
#[cfg(feature = "image")]
mod atlas;
mod cache;
mod crates;
#[cfg(feature = "data")]
mod data;
mod descriptions;
mod determinism;
mod documented_tests;
mod elsewhere;
mod errors;
mod explain;
mod farm;
mod foreign;
mod fresh;
mod hostile;
#[cfg(feature = "image")]
mod image_links;
mod import_only;
mod importers;
mod kill;
mod large;
mod lfs;
mod library;
#[cfg(feature = "image")]
mod lints;
mod lock;
mod mapped;
#[cfg(feature = "model")]
mod model_parts;
mod modules;
#[cfg(feature = "nbr")]
mod nbr;
mod only;
mod own_importer;
mod packs;
mod project;
#[cfg(all(feature = "image", feature = "model", feature = "sound"))]
mod raylib;
#[cfg(feature = "model")]
mod reload;
#[cfg(feature = "seal")]
mod sealed;
mod serve;
mod shaders;
#[cfg(feature = "image")]
mod siblings;
#[cfg(feature = "srsc")]
mod srsc;
mod strings;
mod target_files;
mod variant_rules;
mod variants;
#[cfg(feature = "image")]
mod video_memory;

use std::fs;
use std::path::{Path, PathBuf};

use rres_engine::{Build, Report};
use rres_protocol::files::local_path;
use rres_settings::diagnostic::BuildError;

/// Whether two names that differ only by case are two files, as they are not on Windows and macOS.
const CASE_MATTERS: bool = cfg!(target_os = "linux");

/// An assets directory, an output directory and a cache, in a temporary directory.
struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(project.assets()).unwrap();
        files.iter().for_each(|(path, bytes)| project.write(path, bytes));
        project
    }

    fn assets(&self) -> PathBuf {
        self.dir.path().join("assets")
    }

    /// The place of a file in messages.
    fn place(&self, path: &str) -> String {
        self.assets().join(local_path(path)).display().to_string()
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let file = self.assets().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    /// A release build with two threads; tests change the options that they test.
    fn build(&self) -> Build {
        rres_build::import(self.assets())
            .out_dir(self.out())
            .cache_dir(self.cache())
            .name("game")
            .threads(2)
            .debug(false)
    }

    fn run(&self) -> Report {
        self.build().build().unwrap_or_else(|e| panic!("{e}"))
    }

    fn fail(&self) -> BuildError {
        self.build().build().expect_err("the build should fail")
    }

    fn module(&self) -> String {
        fs::read_to_string(self.out().join("assets.rs")).unwrap()
    }
}

/// Every file below `dir`, sorted.
fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// A few files of kinds that need no feature.
const SOURCES: &[(&str, &[u8])] = &[
    ("readme.txt", b"read me\n"),
    ("levels/1.txt", b"####\n#..#\n####\n"),
    ("levels/2.txt", b"#####\n#...#\n#####\n"),
    ("shaders/glow.fs", b"void main() {}\n"),
    ("data/noise.bin", &[0x5a; 5000]),
    ("data/empty.bin", b""),
    ("data/höhe 中.dat", b"unicode"),
];

fn sources() -> Vec<(&'static str, &'static [u8])> {
    SOURCES.to_vec()
}
