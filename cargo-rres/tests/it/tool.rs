//! Build scripts without importers, which hand their work to this command: the same files, faults and reloads as with the
//! importers in the script.

use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

use rres_test_support::fresh::Fresh;

/// The text in `a.txt` is Latin-1, which only the rule of the build script says.
const BUILD: &str = r#"
fn main() {
    let build = || {
        rres_build::import("assets")
            .rule("**/*.txt", |rule| rule.text_encoding(rres_build::settings::SourceEncoding::Latin1))
            .group("all", ["**"])
    };
    build().name("game").build_or_exit();
    build().name("shipped").module("shipped").debug(false).build_or_exit();
}
"#;

/// Prints its output directory, then the text whenever it changes, until its input ends.
const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), rres_runtime::Error> {
    println!("{}", env!("OUT_DIR"));
    let store = assets::open()?;
    let mut text = store.load(assets::A_TXT)?.watch();
    println!("{}", text.handle().get().as_str());
    let reader = std::thread::spawn(|| std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new()));
    while !reader.is_finished() {
        if let Some(value) = text.changed() {
            println!("{}", value.as_str());
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(())
}
"#;

/// A crate whose `rres-build` has these features, and whose build script uses `tool`.
fn fresh(name: &'static str, features: &[&str], tool: impl AsRef<Path>) -> Fresh {
    let fresh = Fresh::with_features(name, features, MAIN);
    fresh.write("build.rs", BUILD);
    let tool = tool.as_ref().to_str().unwrap();
    fresh.write(".cargo/config.toml", format!("[env]\nRRES_TOOL = {{ value = {tool:?}, force = true }}\n"));
    fresh.write("assets/a.txt", b"caf\xe9");
    fresh.write("assets/data/noise.bin", [7; 5000]);
    fresh
}

fn tool() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_cargo-rres"))
}

/// A running game and its lines.
struct Game {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    out_dir: PathBuf,
}

impl Game {
    fn start(fresh: &Fresh) -> Self {
        let (_, err) = fresh.cargo(&["build", "-q"]);
        let child = fresh.command(fresh.executable("debug")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|e| panic!("the game does not start: {e}; {err}"));
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let out_dir = lines.next().unwrap_or_else(|| panic!("{err}")).unwrap().into();
        Self { child, lines, out_dir }
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("the game goes on").unwrap()
    }

    /// The files that the build has written, with another name of their directory.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let dir = self.out_dir.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let files = ["assets.rs", "game.dev.rres", "shipped.rs", "shipped.rres"].map(|name| {
            let bytes = fs::read(self.out_dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
            (name, String::from_utf8(bytes).map_or_else(|e| e.into_bytes(), |text| text.replace(dir, "game-0").into()))
        });
        files.into()
    }
}

/// Every file below `dir`, sorted.
fn walk(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

impl Drop for Game {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "long: compiles a build script without importers"]
fn the_command_builds_the_same_bytes_as_the_script_and_reloads_by_its_rules() {
    let fresh = fresh("handed_over", &["tool"], tool());
    let mut by_tool = Game::start(&fresh);
    assert_eq!(by_tool.line(), "café");
    let blobs = || walk(&fresh.path("cache/blobs"));
    let (cached, files) = (blobs(), by_tool.files());
    let names = fs::read_dir(&by_tool.out_dir).unwrap().map(|entry| entry.unwrap().file_name());
    let options: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with("rres-options")).collect();
    assert!(options.is_empty(), "the options are removed: {options:?}");

    // The script serves the game, and its rule says that the text is Latin-1.
    fresh.write("assets/a.txt", b"na\xefve");
    assert_eq!(by_tool.line(), "naïve");
    drop(by_tool);

    // The same crate with importers, from an empty cache.
    fresh.write("assets/a.txt", b"caf\xe9");
    fs::remove_dir_all(fresh.path("cache")).unwrap();
    let thin = fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    fresh.write("Cargo.toml", thin.replace("[\"tool\"]", "[\"engine\"]"));
    let by_script = Game::start(&fresh);
    for ((name, ours), (_, theirs)) in files.iter().zip(by_script.files()) {
        assert!(*ours == theirs, "{name} differs");
    }
    assert_eq!(cached, blobs());
    assert!(!cached.is_empty());
    drop(by_script);

    // Cargo runs the script again only if something has changed.
    fresh.write("Cargo.toml", thin);
    fresh.cargo(&["build"]);
    let (_, err) = fresh.cargo(&["build", "-v"]);
    assert!(err.contains("Fresh handed_over"), "{err}");
}

#[test]
#[ignore = "long: compiles a build script without importers"]
fn faults_are_those_of_a_build_in_the_script() {
    let faults = |name, features: &[&str]| {
        let fresh = fresh(name, features, tool());
        let build = BUILD.replace("\"**/*.txt\"", "\"**/*.text\"").replace(".name(\"shipped\")", ".name(\"game\")");
        fresh.write("build.rs", build);
        fresh.write("assets/b.txt", b"\0\xff");
        let first = fresh.cargo(&["build"]).1;
        // The second build of the script would overwrite the pack of the first.
        fresh.write(
            "build.rs",
            BUILD.replace("(\"assets\")\n", "(\"assets\").name(\"game\")\n").replace(
                "build().name(\"shipped\").module(\"shipped\")",
                "rres_build::import(\"others\").name(\"game\").module(\"shipped\")",
            ),
        );
        fresh.write("others/c.txt", "c");
        fs::remove_file(fresh.path("assets/b.txt")).unwrap();
        let second = fresh.cargo(&["build"]).1;
        // A value that only code can set.
        fresh.write("build.rs", BUILD.replace(".group(", ".rule(\"*\", |rule| rule.sound_gain(f32::NAN)).group("));
        let third = fresh.cargo(&["build"]).1;
        let dir = fs::canonicalize(fresh.path("")).unwrap();
        [first, second, third].map(|text| {
            let errors = text.lines().filter(|line| line.starts_with("error: ") || line.contains("  help: "));
            let text = errors.filter(|line| !line.contains("custom build command")).collect::<Vec<_>>().join("\n");
            text.replace(dir.to_str().unwrap(), "DIR")
                .replace(fresh.path("").to_str().unwrap(), "DIR/")
                .replace(name, "NAME")
        })
    };
    let (thin, whole) = (faults("thin_faults", &["tool"]), faults("whole_faults", &["engine"]));
    assert_eq!(thin, whole);
    for (text, part) in
        thin.iter().zip(["b.txt: is not valid text", "would overwrite", "unknown value for `sound.gain`"])
    {
        assert!(text.contains(part), "{part} in:\n{text}");
    }
    assert!(thin[0].contains("build.rs:5:14: rule \"**/*.text\" matches no file"), "{}", thin[0]);
}

#[test]
#[ignore = "long: compiles a build script without importers"]
fn without_the_right_command_cargo_shows_how_to_install_it() {
    let install = concat!("cargo install cargo-rres --version =", env!("CARGO_PKG_VERSION"), " --locked");
    let missing = fresh("no_command", &["tool"], "/nowhere/cargo-rres");
    let (_, err) = missing.cargo(&["build"]);
    assert!(err.contains("/nowhere/cargo-rres is not a file") && err.contains(install), "{err}");

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        missing.write("other", "#!/bin/sh\necho cargo-rres 9.9.9\n");
        let other = missing.path("other");
        fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
        let config = format!("[env]\nRRES_TOOL = {{ value = {other:?}, force = true }}\n");
        missing.write(".cargo/config.toml", config);
        let (_, err) = missing.cargo(&["build"]);
        let expected = concat!("found cargo-rres 9.9.9, expected cargo-rres ", env!("CARGO_PKG_VERSION"));
        assert!(err.contains(expected) && err.contains(install), "{err}");
    }
}
