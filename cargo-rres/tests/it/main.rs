//! Tests of the whole command, which run it on packs in temporary directories.

mod advise;
#[cfg(unix)]
mod browser;
mod build;
mod built;
mod c_packs;
mod cache;
mod compat;
mod damage;
mod damaged_files;
mod deps;
mod diff;
mod encoded;
mod explain;
// Packs in executables of other systems are tested with those systems' linkers, in `rres-build`.
#[cfg(unix)]
mod exe;
#[cfg(unix)]
mod exe_game;
#[cfg(not(target_os = "macos"))]
mod exe_in_place;
mod exe_legacy;
#[cfg(unix)]
mod exe_tools;
mod extract;
mod fingerprint;
mod header;
mod import;
mod init;
mod inspector;
#[cfg(unix)]
mod inspector_page;
mod kept;
mod licences;
mod licenses;
mod listing;
mod mods;
mod nbr;
mod network;
mod new;
mod own_importer;
mod pack;
mod packs;
mod page;
mod patch;
mod report;
#[cfg(unix)]
mod report_page;
mod schema;
mod sealed;
mod servers;
mod ship;
mod show;
mod sign;
#[cfg(unix)]
mod sizes;
mod sound_lengths;
mod sounds;
mod sources;
mod srsc;
mod srsc_acceptance;
mod streamed;
mod supported;
mod sync;
mod texts;
mod tool;
mod unused;
mod verify;
mod video_memory;
#[cfg(unix)]
mod view;
mod watch;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary directory to run the command in.
struct Sandbox {
    dir: tempfile::TempDir,
}

/// The result of one run of the command.
#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
    /// Standard output, which need not be UTF-8.
    bytes: Vec<u8>,
}

impl Sandbox {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let file = self.path(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rres"));
        // Cargo sets these for tests, or the developer has set them; a user's shell does not.
        for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "OUT_DIR", "NO_COLOR", "RRES_PATH", "RRES_CACHE_SIZE"] {
            command.env_remove(name);
        }
        // The target directory of this workspace is not the one of the packages in these tests.
        for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_BUILD_DIR"] {
            command.env_remove(name);
        }
        command.current_dir(self.dir.path()).env("RRES_CACHE_DIR", self.path("cache"));
        command
    }

    fn run(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
        self.command().args(args).output().unwrap().into()
    }

    /// Runs `cargo rres exe`.
    fn exe(&self, args: &[&dyn AsRef<OsStr>]) -> Run {
        self.command().arg("exe").args(args.iter().map(AsRef::as_ref)).output().unwrap().into()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code().expect("the command was not killed by a signal");
        assert_ne!(code, 101, "the command panicked: {}", text(&output.stderr));
        Self { code, out: text(&output.stdout), err: text(&output.stderr), bytes: output.stdout }
    }
}

impl Run {
    /// Asserts that the run succeeded and printed nothing on standard error.
    #[track_caller]
    fn success(self) -> Self {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self
    }

    /// Asserts that the run ended with `code` and that standard error contains each of `texts`.
    #[track_caller]
    fn failed(self, code: i32, texts: &[&str]) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        texts.iter().for_each(|text| assert!(self.err.contains(text), "{text:?} is not in {:?}", self.err));
        self
    }
}

/// A path as the command prints it on this system.
fn local(path: &str) -> String {
    rres_protocol::files::local_path(path).display().to_string()
}

/// A number with a comma after each three digits.
fn grouped(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

/// Whether the developer asks for files with expected output to be updated.
fn is_update() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1")
}

/// Compares `found` with the file `name` in `expected`; with `UPDATE_EXPECT=1`, writes the file first.
#[track_caller]
fn expect(name: &str, found: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/expected").join(name);
    if is_update() {
        std::fs::write(&file, found).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    let update = "UPDATE_EXPECT=1 cargo test -p cargo-rres";
    assert!(found == expected, "{name} differs; found:\n{found}\nexpected:\n{expected}\nto update the file: {update}");
}
