//! `cargo rres ship`: where packs are found, what the result contains, and that it runs anywhere.

mod game;
mod layouts;
mod patched;
// Names of targets and executables differ elsewhere.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod page;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// Locks and empties the directory of the projects that are shipped with rres-build and rres-runtime. There is one, because it is
/// in the flags of the compiler: in another directory, all dependencies would be compiled again.
fn project_directory() -> (MutexGuard<'static, ()>, PathBuf) {
    static LOCK: Mutex<()> = Mutex::new(());
    let lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ship");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    (lock, dir)
}

/// Returns the paths of the files of a result, with their roles.
fn files(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    report["files"].as_array().unwrap().iter().map(|file| (text(&file["path"]), text(&file["role"]))).collect()
}

/// Runs a program that prints one line, and returns it.
#[track_caller]
fn line_of(mut command: Command) -> String {
    for variable in ["OUT_DIR", "RRES_PATH", "RRES_RELOAD"] {
        command.env_remove(variable);
    }
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn contains(file: &Path, text: &str) -> bool {
    let bytes = std::fs::read(file).unwrap();
    memchr::memmem::find(&bytes, text.as_bytes()).is_some()
}
