//! `cargo rres ship`: the places of packs, what the result contains, and that it runs anywhere.

mod game;
mod layouts;
mod patched;
mod stripped;
// Names of targets and executables differ elsewhere.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod page;

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

/// Locks and empties the directory of the projects that are shipped with rres-build and rres-runtime. There is one, because it is
/// in the flags of the compiler: in another directory, all dependencies would be compiled again. The lock is on a file, because
/// these tests take minutes at first, and another run of them may begin before they end.
fn project_directory() -> (File, PathBuf) {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let lock = File::create(parent.join("ship.lock")).unwrap();
    lock.lock().unwrap();
    let dir = parent.join("ship");
    let emptied = (0..50).any(|_| match fs::remove_dir_all(&dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        // Hot reload of an earlier test may still write to its import cache there.
        _ => {
            sleep(Duration::from_millis(100));
            false
        }
    });
    assert!(emptied, "{} cannot be removed", dir.display());
    fs::create_dir_all(&dir).unwrap();
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
    let output = loop {
        match command.output() {
            // A test has just written it, and a process that another test is starting still has it open for that.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => sleep(Duration::from_millis(10)),
            result => break result.unwrap_or_else(|e| panic!("{command:?}: {e}")),
        }
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn contains(file: &Path, text: &str) -> bool {
    let bytes = fs::read(file).unwrap();
    memchr::memmem::find(&bytes, text.as_bytes()).is_some()
}
