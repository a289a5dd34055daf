//! A game to embed packs into, built once for all tests.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use rres_test_support::fresh::Fresh;

/// Prints a text of each of its two modules. With the argument `wait`, it then waits for a line and prints the first again; with
/// `peak`, it prints the most memory that it had.
const MAIN: &str = r#"
#![forbid(unsafe_code)]
rres_runtime::include_assets!();
rres_runtime::include_assets!(mod dlc);

fn main() -> Result<(), rres_runtime::Error> {
    let hello = || assets::open()?.load(assets::HELLO_TXT).map(|text| text.get().as_str().to_owned());
    println!("{}", hello()?);
    println!("{}", dlc::open()?.load(dlc::MORE_TXT)?.get().as_str());
    match std::env::args().nth(1).as_deref() {
        Some("wait") => {
            std::io::stdin().read_line(&mut String::new()).expect("a line");
            println!("{}", hello()?);
        }
        Some("peak") => {
            let status = std::fs::read_to_string("/proc/self/status").expect("the status of this process");
            println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).expect("its peak"));
        }
        _ => {}
    }
    Ok(())
}
"#;

/// What the game prints.
pub(super) const PRINTS: &str = "hello from the pack\nmore\n";

/// A build of the game that reads packs.
pub(super) struct Built {
    pub(super) fresh: Fresh,
    pub(super) exe: PathBuf,
    pub(super) packs: PathBuf,
    /// Locked by tests that edit its sources, or build it again.
    pub(super) sources: Mutex<()>,
}

impl Built {
    /// A game that reads packs like a release build, in the profile of debug builds, for which its dependencies are compiled.
    fn new(name: &'static str, embed: bool) -> Self {
        Self::build(name, &format!(".debug(false).embed({embed})"), &["build"], "debug")
    }

    /// A release build.
    pub(super) fn release(name: &'static str) -> Self {
        Self::build(name, "", &["build", "--release"], "release")
    }

    fn build(name: &'static str, options: &str, arguments: &[&str], profile: &str) -> Self {
        let fresh = Fresh::new(name, MAIN);
        let build = |dir| format!("    rres_build::import({dir:?}){options}.name({:?}).build_or_exit();\n", pack(dir));
        fresh.write("build.rs", format!("fn main() {{\n{}{}}}\n", build("assets"), build("dlc")));
        fresh.write("assets/hello.txt", "hello from the pack");
        fresh.write("dlc/more.txt", "more");
        let (_, err) = fresh.cargo(arguments);
        let exe = fresh.path("built");
        fs::copy(fresh.executable(profile), &exe).unwrap_or_else(|e| panic!("{e}: {err}"));
        let packs = out_dir(&fresh, name, profile);
        Self { fresh, exe, packs, sources: Mutex::default() }
    }

    /// Returns the pack of a module: `game` or `dlc`.
    pub(super) fn pack(&self, name: &str) -> PathBuf {
        self.packs.join(format!("{name}.rres"))
    }
}

fn pack(dir: &str) -> &str {
    if dir == "assets" { "game" } else { dir }
}

/// The output directory of the build script.
fn out_dir(fresh: &Fresh, name: &str, profile: &str) -> PathBuf {
    let builds = fresh.executable(profile).parent().unwrap().join("build");
    let outs = fs::read_dir(builds).unwrap().map(|entry| entry.unwrap().path());
    let ours = outs.filter(|dir| dir.file_name().unwrap().to_str().unwrap().starts_with(&format!("{name}-")));
    let found = ours.map(|dir| dir.join("out")).filter(|out| out.join("game.rres").is_file());
    found.max_by_key(|out| fs::metadata(out.join("game.rres")).unwrap().modified().unwrap()).unwrap()
}

/// The game without packs in it.
pub(super) fn game() -> &'static Built {
    static GAME: OnceLock<Built> = OnceLock::new();
    GAME.get_or_init(|| Built::new("packed_game", false))
}

/// The game with its packs linked into it.
pub(super) fn linked_game() -> &'static Built {
    static GAME: OnceLock<Built> = OnceLock::new();
    GAME.get_or_init(|| Built::new("linked_game", true))
}

/// Runs a program from the root directory, so that no pack is found by accident.
pub(super) fn run(exe: &Path) -> Output {
    for _ in 0..500 {
        match command(exe).output() {
            // A process that another test has just started has the file open for writing until it runs its own program.
            Err(e) if e.kind() == ErrorKind::ExecutableFileBusy => std::thread::sleep(Duration::from_millis(10)),
            output => return output.unwrap_or_else(|e| panic!("{}: {e}", exe.display())),
        }
    }
    panic!("{}: stays busy", exe.display());
}

pub(super) fn command(exe: &Path) -> Command {
    let mut command = Command::new(exe);
    command.current_dir("/").env_remove("RRES_PATH").env_remove("OUT_DIR");
    command
}

#[track_caller]
pub(super) fn prints(exe: &Path) {
    let output = run(exe);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), PRINTS, "{}: {err}", exe.display());
}

/// Asserts that the game starts, and says that it found no pack.
#[track_caller]
pub(super) fn finds_nothing(exe: &Path) {
    let output = run(exe);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains("no assets found for pack \"game\"") && err.contains("strip, objcopy and UPX remove"),
        "{err}"
    );
}
