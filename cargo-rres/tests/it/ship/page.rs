//! `docs/shipping.md`, from the first command to the last: each prints what the page shows, apart from sizes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rres_test_support::fresh::{profiles_without_features, target_dir};
use rres_test_support::has_tools;

use super::project_directory;

/// The lines that Cargo prints while it works begin with these words.
const PROGRESS: &[&str] =
    &["Adding", "Blocking", "Compiling", "Finished", "Installed", "Installing", "Locking", "Replaced"];

/// What the page has done so far.
struct Session {
    project: PathBuf,
}

impl Session {
    /// Runs a command line, and returns what a terminal would show.
    fn run(&self, line: &str) -> String {
        match line.split(' ').collect::<Vec<_>>()[..] {
            // Here it would become a member of this repository's workspace.
            ["cargo", "new", "-q", "lantern"] => self.new_package(),
            ["cd", "lantern"] => {}
            _ => return self.shell(line),
        }
        String::new()
    }

    /// Does what `cargo new` does, with the crates of this repository in the place of the crates from crates.io.
    fn new_package(&self) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let write = |file: &str, text: &str| {
            let file = self.project.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let package =
            "[workspace]\n[package]\nname = \"lantern\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n";
        write("Cargo.toml", package);
        write("src/main.rs", "fn main() {\n    println!(\"Hello, world!\");\n}\n");
        write("Cargo.lock", &fs::read_to_string(root.join("Cargo.lock")).unwrap());
        let crates = ["rres-build", "rres-format", "rres-protocol", "rres-runtime"];
        let patches = crates.map(|name| format!("{name} = {{ path = {:?} }}\n", root.join(name))).concat();
        let profiles = profiles_without_features();
        write(".cargo/config.toml", &format!("[patch.crates-io]\n{patches}{profiles}"));
    }

    fn shell(&self, line: &str) -> String {
        let output = self.project.join("output");
        let file = fs::File::create(&output).unwrap();
        let of = |program: &str| Path::new(program).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap();
        let mut search = vec![of(env!("CARGO_BIN_EXE_cargo-rres")), of(env!("CARGO"))];
        search.extend(std::env::split_paths(&path));
        let mut command = Command::new("sh");
        for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "OUT_DIR", "RRES_PATH", "SOURCE_DATE_EPOCH"] {
            command.env_remove(name);
        }
        command
            .args(["-c", line])
            .current_dir(&self.project)
            .env("PATH", std::env::join_paths(search).unwrap())
            .env("CARGO_TARGET_DIR", target_dir())
            .env("CARGO_NET_OFFLINE", "true")
            // The script that hot reload starts inherits the output, and outlives a program that ends at once.
            .env("RRES_RELOAD", "off")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env("RRES_CACHE_DIR", self.project.join("cache"));
        // Both streams go to one file, so that their order is kept.
        command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
        let status = command.status().unwrap();
        let text = fs::read_to_string(&output).unwrap();
        fs::remove_file(output).unwrap();
        assert!(status.code().is_some_and(|code| code <= 1), "$ {line}\n{text}");
        let is_progress = |line: &str| line.split_whitespace().next().is_some_and(|word| PROGRESS.contains(&word));
        text.lines().filter(|line| !is_progress(line)).map(|line| format!("{line}\n")).collect()
    }

    /// `init` writes the address of the repository as long as the crates are not published.
    fn take_crates_from_here(&self) {
        let manifest = self.project.join("Cargo.toml");
        if let Ok(text) = fs::read_to_string(&manifest) {
            let here = text.replace("git = \"https://github.com/rres-rs/rres\"", "version = \"0.1.0\"");
            fs::write(manifest, here).unwrap();
        }
    }

    /// Writes a file that the page shows, if the first line of the block names one.
    fn write(&self, block: &str) {
        let first = block.lines().next().unwrap_or_default();
        let name = first.strip_prefix("// ").or_else(|| first.strip_prefix("# "));
        if let Some(name) = name.filter(|name| name.contains('/')) {
            fs::create_dir_all(self.project.join(name).parent().unwrap()).unwrap();
            fs::write(self.project.join(name), block).unwrap();
        }
    }
}

/// A text without the sizes and the widths of columns, which depend on the compiler.
fn without_sizes(text: &str) -> String {
    let word = |word: &str| match word {
        "B" | "kB" | "MB" => "UNIT".to_owned(),
        word if word.parse::<f64>().is_ok() => "#".to_owned(),
        word => word.to_owned(),
    };
    text.lines().map(|line| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
#[ignore = "long: compiles everything for release"]
fn the_page_about_shipping_shows_what_happens() {
    if !has_tools(&["unzip"]) {
        return;
    }
    let (_lock, project) = project_directory();
    let session = Session { project };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/shipping.md");
    let page = fs::read_to_string(page).unwrap();
    let (mut commands, mut wrong) = (0, String::new());
    for part in page.split("\n```").skip(1).step_by(2) {
        let (language, block) = part.split_once('\n').unwrap();
        if language != "console" {
            session.write(&format!("{block}\n"));
            continue;
        }
        for example in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, shown) = example.split_once('\n').unwrap_or((example, ""));
            let found = session.run(command);
            session.take_crates_from_here();
            commands += 1;
            if without_sizes(&found) != without_sizes(shown) {
                wrong += &format!("$ {command}\n{found}");
            }
        }
    }
    assert!(commands > 15, "{commands}");
    assert!(wrong.is_empty(), "these print something else than docs/shipping.md shows:\n{wrong}");
}
