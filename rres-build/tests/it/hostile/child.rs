//! A build in a process of its own, so that its memory and its end can be observed.
//!
//! The process is this test program, started for its test [`build`] alone.

use std::path::Path;
use std::process::{Command, Output};

use super::super::Project;

/// The variable with the directory of the project.
const DIR: &str = "RRES_HOSTILE_DIR";

/// What a build of its own reported.
#[derive(Debug)]
pub(super) struct Ended {
    /// The text of the error; `None` if the build succeeded.
    pub(super) error: Option<String>,
    /// The most memory that the process had, in MiB; 0 if the system does not tell.
    pub(super) peak: u64,
}

/// The build of the started process.
#[test]
#[ignore = "run by the tests of this directory, in a process of its own"]
#[expect(clippy::print_stdout, reason = "the test that started the process reads it")]
fn build() {
    let Some(dir) = std::env::var_os(DIR) else { return };
    let dir = Path::new(&dir);
    let build = rres_build::import(dir.join("assets")).out_dir(dir.join("out")).cache_dir(dir.join("cache"));
    let result = build.name("game").threads(1).memory(64 << 20).debug(false).build();
    let error = result.err().map(|error| error.to_string()).unwrap_or_default();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: u64 = peak.map_or(0, |peak| peak.trim().trim_end_matches(" kB").parse().unwrap());
    println!("\nended {} {}", kilobytes / 1024, error.replace('\n', "\u{2028}"));
}

/// Builds the project in another process. On Unix, `limits` are commands of the shell that starts it, such as `ulimit -v`.
pub(super) fn run(project: &Project, limits: &str) -> Ended {
    let output = start(project, limits);
    let out = String::from_utf8_lossy(&output.stdout);
    let line = out.lines().find_map(|line| line.strip_prefix("ended "));
    let line = line.unwrap_or_else(|| panic!("{}: {out}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    let (peak, error) = line.split_once(' ').unwrap();
    let error = error.replace('\u{2028}', "\n");
    Ended { error: Some(error).filter(|error| !error.is_empty()), peak: peak.parse().unwrap() }
}

fn start(project: &Project, limits: &str) -> Output {
    let program = std::env::current_exe().unwrap();
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{limits}\nexec \"$0\" \"$@\"")]).arg(program);
        shell
    } else {
        Command::new(program)
    };
    command.args(["--exact", "hostile::child::build", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(DIR, project.dir.path()).output().unwrap()
}
