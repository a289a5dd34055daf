//! A fresh crate outside the workspace, as a newcomer writes it: the three-line build script, a typed load, Cargo.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let level = store.load(assets::levels::_1_TXT)?;
    print!("{}|{}", level.get().as_str(), store.load(assets::NOISE_BIN)?.get().bytes().len());
    Ok(())
}
"#;

fn write_project(dir: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let manifest = format!(
        "[package]\nname = \"newcomer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nrres-runtime = {{ path = {:?}, features = [\"hot-reload\"] }}\n\
         [build-dependencies]\nrres-build = {{ path = {:?}, default-features = false }}\n\
         [profile.dev]\ndebug = false\n",
        root.join("rres-runtime"),
        root.join("rres-build"),
    );
    fs::create_dir_all(dir.join("src")).unwrap();
    fs::create_dir_all(dir.join("assets/levels")).unwrap();
    fs::write(dir.join("Cargo.toml"), manifest).unwrap();
    // The same versions as here, so that nothing has to be looked up.
    fs::copy(root.join("Cargo.lock"), dir.join("Cargo.lock")).unwrap();
    fs::write(dir.join("build.rs"), "fn main() {\n    rres_build::import(\"assets\").build_or_exit();\n}\n").unwrap();
    fs::write(dir.join("src/main.rs"), MAIN).unwrap();
    fs::write(dir.join("assets/levels/1.txt"), "one").unwrap();
    fs::write(dir.join("assets/noise.bin"), [7; 300]).unwrap();
}

fn cargo(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(dir).args(arguments).arg("--offline");
    // Kept between runs, so that only the first compiles the dependencies.
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer"));
    command.env("RRES_CACHE_DIR", dir.join("cache"));
    for variable in ["OUT_DIR", "RRES_PATH", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(variable);
    }
    command.output().expect("cargo runs")
}

fn text(output: &Output) -> (String, String) {
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Whether a program that was not stripped has a function of the crate `name`: mangled as `_ZN6notify…`, or with `Cs…_6notify`.
fn has_symbols_of(name: &str, program: &str) -> bool {
    let length = name.len();
    [format!("_ZN{length}{name}"), format!("_{length}{name}")].iter().any(|symbol| program.contains(symbol))
}

#[test]
fn the_first_success_takes_three_lines() {
    let dir = tempfile::tempdir().unwrap();
    write_project(dir.path());
    let run = |arguments: &[&str]| text(&cargo(dir.path(), arguments));

    let (out, err) = run(&["run", "-q"]);
    assert_eq!(out, "one|300", "{err}");

    // An edit shows in the next run, without a second edit to tell Cargo.
    fs::write(dir.path().join("assets/levels/1.txt"), "two").unwrap();
    let (out, err) = run(&["run", "-q"]);
    assert_eq!(out, "two|300", "{err}");

    let (out, err) = run(&["run", "-q", "--release"]);
    assert_eq!(out, "two|300", "{err}");

    // Whoever deletes the import cache behind Cargo's back loses time and nothing else.
    fs::remove_dir_all(dir.path().join("cache")).unwrap();
    let (out, err) = run(&["run", "-q"]);
    assert_eq!(out, "two|300", "{err}");
    // And the build script does not run for nothing after that.
    let (_, err) = run(&["build", "-v"]);
    assert!(err.contains("Fresh newcomer"), "{err}");

    // No absolute path of this machine is part of the release program.
    let exe = |profile: &str| {
        let exe = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer").join(profile).join("newcomer");
        String::from_utf8_lossy(&fs::read(exe).unwrap()).into_owned()
    };
    let release = exe("release");
    assert!(!release.contains(dir.path().to_str().unwrap()));

    // Nor are importers, or what watches files for hot reload, which the program has switched on. Elsewhere than on Linux
    // symbols may stand in a file of their own.
    if cfg!(target_os = "linux") {
        assert!(has_symbols_of("notify", &exe("debug")) && has_symbols_of("rres_runtime", &release));
        for name in ["notify", "notify_types", "inotify", "rres_build", "image", "png", "symphonia", "fontdue", "gltf"]
        {
            assert!(!has_symbols_of(name, &release), "the release program has code of {name}");
        }
    }

    // Broken assets: cargo's own error lines, all of them, with the way out.
    fs::write(dir.path().join("assets/levels/1.txt"), b"\xff").unwrap();
    fs::write(dir.path().join("assets/levels/2.txt"), b"\xfe\xfe\xfe").unwrap();
    let (_, err) = run(&["build"]);
    for part in ["error: newcomer@0.1.0: assets/levels/1.txt: is not text", "assets/levels/2.txt", "help: save it as"] {
        assert!(err.contains(part), "{part} in:\n{err}");
    }
    fs::remove_file(dir.path().join("assets/levels/2.txt")).unwrap();
    fs::write(dir.path().join("assets/levels/1.txt"), "three").unwrap();

    // What does not exist does not compile, and rustc says what does.
    let misspelt = MAIN.replace("NOISE_BIN", "NOSE_BIN");
    fs::write(dir.path().join("src/main.rs"), misspelt).unwrap();
    let (_, err) = run(&["build"]);
    assert!(err.contains("E0425") && err.contains("NOISE_BIN"), "{err}");

    let wrong_type = MAIN.replace("let level =", "let level: rres_runtime::Handle<rres_runtime::Image> =");
    fs::write(dir.path().join("src/main.rs"), wrong_type).unwrap();
    let (_, err) = run(&["build"]);
    assert!(err.contains("E0308") && err.contains("Handle<Image>") && err.contains("Handle<Text>"), "{err}");

    // An asset that the game never mentions is dead code.
    fs::write(
        dir.path().join("src/main.rs"),
        MAIN.replace("assets::NOISE_BIN", "assets::levels::_1_TXT").replace(".bytes()", ".as_str()"),
    )
    .unwrap();
    let (_, err) = run(&["build"]);
    assert!(err.contains("constant `NOISE_BIN` is never used"), "{err}");
}
