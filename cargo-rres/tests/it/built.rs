//! The packs that Cargo has built for a package, which subcommands read if no pack is named.

use std::fs::File;
use std::time::{Duration, SystemTime};

use rres_format::PackBuilder;

use super::packs::{every_kind, text};
use super::{Run, Sandbox, local};

/// A workspace with a package `game`, which has a build script and nothing built yet.
fn package() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", b"[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    sandbox.write("src/main.rs", b"fn main() {}\n");
    sandbox.write("build.rs", b"fn main() {}\n");
    sandbox.write("assets/ui/a.txt", b"a");
    sandbox
}

/// A pack with one text.
fn pack_of(path: &str) -> Vec<u8> {
    let mut pack = PackBuilder::new();
    pack.push(text(path, path));
    pack.to_vec().unwrap()
}

/// Writes what a build script and Cargo leave: the files of an output directory, and what the script printed. The build
/// was `age` seconds ago.
fn built(sandbox: &Sandbox, dir: &str, files: &[(&str, &[u8])], watched: &str, age: u64) {
    let record = format!("{dir}/output");
    sandbox.write(&record, format!("cargo::rerun-if-changed={watched}\n").as_bytes());
    let mut written = vec![record];
    for (name, bytes) in files {
        let file = format!("{dir}/out/{name}");
        sandbox.write(&file, bytes);
        written.push(file);
    }
    for file in written {
        let time = SystemTime::now() - Duration::from_secs(age);
        File::options().write(true).open(sandbox.path(&file)).unwrap().set_modified(time).unwrap();
    }
}

fn assets(sandbox: &Sandbox) -> String {
    sandbox.path("assets").display().to_string()
}

/// Runs the command in a directory of the sandbox.
fn run_in(sandbox: &Sandbox, dir: &str, args: &[&str]) -> Run {
    sandbox.command().current_dir(sandbox.path(dir)).args(args).output().unwrap().into()
}

const RELEASE: &str = "target/release/build/game-0123456789abcdef";
const DEBUG: &str = "target/debug/build/game-00112233445566ff";

#[test]
fn the_newest_pack_of_the_package_is_taken_in_any_of_its_directories() {
    let sandbox = package();
    let pack = every_kind().to_vec().unwrap();
    built(&sandbox, RELEASE, &[("game.rres", &pack)], &assets(&sandbox), 60);
    built(
        &sandbox,
        "target/release/build/game-0000000000000001",
        &[("game.rres", &pack_of("old"))],
        &assets(&sandbox),
        600,
    );
    // Neither another package nor a package of the same name elsewhere counts.
    built(&sandbox, "target/release/build/game-server-0000000000000001", &[("x.rres", b"")], &assets(&sandbox), 0);
    built(
        &sandbox,
        "target/release/build/game-0000000000000002",
        &[("game.rres", &pack_of("other"))],
        "/srv/other/assets",
        0,
    );
    for dir in [".", "src", "assets/ui"] {
        let run = run_in(&sandbox, dir, &["ls"]);
        assert!(run.code == 0 && run.out.contains("text/credits.txt"), "{run:?}");
        assert!(run.err.starts_with("pack: ") && run.err.ends_with("game.rres (release build of game)\n"), "{run:?}");
        assert_eq!(run.err.lines().count(), 1);
    }
    let path = format!("{RELEASE}/out/game.rres");
    assert_eq!(sandbox.run(["ls"]).err, format!("pack: {} (release build of game)\n", local(&path)));
    assert_eq!(sandbox.run(["cat", "text/credits.txt"]).out, super::packs::TEXT);
    assert!(sandbox.run(["info"]).out.contains("front index, 8 resources"));
    assert!(sandbox.run(["info", "sound/step.wav"]).out.contains("sample rate  8000"));
    assert!(sandbox.run(["verify"]).out.contains("game.rres: ok; "));
    assert!(sandbox.run(["ls", "**/*.png"]).out.contains("ui/button.png"));
    let run = sandbox.run(["extract", "text", "-o", "tree"]);
    assert_eq!((run.code, sandbox.path("tree/text/credits.txt").is_file()), (0, true), "{run:?}");
    // A name without a directory means a pack that was built, unless there is such a file.
    assert!(sandbox.run(["info", "game.rres"]).success().out.contains("front index, 8 resources"));
    sandbox.write("game.rres", &pack_of("mine.txt"));
    assert!(sandbox.run(["ls", "game.rres"]).success().out.contains("mine.txt"));
    sandbox.run(["ls", "--release", "game.rres"]).failed(2, &["cannot use --release together with"]);
    sandbox.run(["verify", "text/credits.txt"]).failed(2, &["text/credits.txt is not a pack"]);
}

#[test]
fn profiles_and_build_directories_can_be_chosen() {
    let sandbox = package();
    sandbox.write("one/a.txt", b"a");
    sandbox.run(["build", "one", "-o", "dev", "--debug", "--name", "game"]).success();
    let dev = sandbox.read("dev/game.dev.rres");
    built(&sandbox, RELEASE, &[("game.rres", &pack_of("release.txt"))], &assets(&sandbox), 60);
    built(&sandbox, DEBUG, &[("game.dev.rres", &dev), ("game.live.rres", b"")], &assets(&sandbox), 0);
    assert!(sandbox.run(["ls"]).err.contains("game.dev.rres (debug build of game)"), "the newest");
    assert!(sandbox.run(["ls", "--debug"]).out.contains("a.txt"));
    assert!(sandbox.run(["ls", "--release"]).out.contains("release.txt"));
    // What needs the bytes of assets takes the newest pack.
    assert!(sandbox.run(["verify"]).err.contains("release"));
    sandbox.run(["verify", "--debug"]).failed(2, &["the debug build of `game` has no pack", "--release"]);
    sandbox.run(["ls", "--debug", "--release"]).failed(2, &["cannot be used with"]);

    let elsewhere = |variable: &str| -> Run {
        sandbox.command().env(variable, "elsewhere").args(["ls", "--release"]).output().unwrap().into()
    };
    elsewhere("CARGO_TARGET_DIR").failed(2, &["found no pack of `game`; run `cargo build --release`"]);
    let target = "elsewhere/x86_64-unknown-linux-gnu/dist/build/game-0123456789abcdef";
    built(&sandbox, target, &[("game.rres", &pack_of("dist.txt"))], &assets(&sandbox), 0);
    assert!(elsewhere("CARGO_TARGET_DIR").err.contains("(dist build of game)"));
    sandbox.write(".cargo/config.toml", b"[build]\ntarget-dir = \"elsewhere\"\n");
    assert!(sandbox.run(["ls"]).out.contains("dist.txt"));
}

#[test]
fn without_a_pack_the_error_says_what_to_run() {
    let sandbox = package();
    sandbox.run(["ls"]).failed(2, &["found no pack of `game`; run `cargo build --release`"]);
    sandbox.run(["ls", "--debug"]).failed(2, &["found no debug build of `game`; run `cargo build`"]);
    built(&sandbox, DEBUG, &[("game.dev.rres", b"")], &assets(&sandbox), 0);
    sandbox.run(["extract", "-o", "tree"]).failed(2, &["`game` has debug builds only", "run `cargo build --release`"]);
    std::fs::remove_file(sandbox.path("build.rs")).unwrap();
    std::fs::remove_dir_all(sandbox.path("target")).unwrap();
    sandbox.run(["ls"]).failed(2, &["the package `game` has no build script", "cargo rres init"]);
    sandbox.run(["ls", "-p", "gmae"]).failed(2, &["no package `gmae` in this workspace; it has game"]);
    sandbox.run(["ls", "--manifest-path", "no/Cargo.toml"]).failed(2, &["no such manifest"]);
}

#[test]
fn several_packs_of_a_package_are_read_together() {
    let sandbox = package();
    let set = |path: &str, additional: u32| {
        let mut pack = PackBuilder::new().additional_packs(additional).set_hash([1; 16]);
        pack.push(text(path, path));
        pack.to_vec().unwrap()
    };
    let files: [(&str, &[u8]); 3] =
        [("game.rres", &set("a.txt", 1)), ("game.1.rres", &set("b.txt", 0)), ("mods.rres", &pack_of("mods.txt"))];
    built(&sandbox, RELEASE, &files, &assets(&sandbox), 0);
    let run = sandbox.run(["ls"]);
    assert!(["a.txt", "b.txt", "mods.txt"].iter().all(|path| run.out.contains(path)), "{run:?}");
    assert_eq!(run.err.matches("pack: ").count(), 2, "{run:?}");
    let run = sandbox.run(["verify"]);
    assert_eq!((run.code, run.out.matches(": ok; ").count()), (0, 3), "{run:?}");
    assert_eq!(sandbox.run(["cat", "mods.txt"]).out, "mods.txt");
    sandbox.run(["info"]).failed(2, &["several packs; name one of them: game.rres, mods.rres"]);
    assert!(sandbox.run(["info", "mods.rres"]).success().out.contains("mods.rres"));
}

#[test]
fn members_of_a_workspace_are_told_apart() {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", b"[workspace]\nresolver = \"3\"\nmembers = [\"game\", \"editor\"]\n");
    for name in ["game", "editor"] {
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        sandbox.write(&format!("{name}/Cargo.toml"), manifest.as_bytes());
        sandbox.write(&format!("{name}/src/main.rs"), b"fn main() {}\n");
        sandbox.write(&format!("{name}/build.rs"), b"fn main() {}\n");
    }
    let build = |name: &str| {
        let dir = format!("target/release/build/{name}-0123456789abcdef");
        let assets = sandbox.path(&format!("{name}/assets")).display().to_string();
        built(&sandbox, &dir, &[("pack.rres", &pack_of(&format!("{name}.txt")))], &assets, 0);
    };
    for name in ["game", "editor"] {
        sandbox.write(&format!("{name}/assets/own.txt"), b"own");
    }
    sandbox.run(["explain", "own.txt"]).failed(2, &["several packages have assets: ", "choose one with --package"]);
    build("game");
    assert!(sandbox.run(["ls"]).out.contains("game.txt"), "the only one that has a pack");
    build("editor");
    sandbox.run(["ls"]).failed(2, &["several packages of this workspace have packs: ", "choose one with --package"]);
    assert!(sandbox.run(["ls", "-p", "editor"]).out.contains("editor.txt"));
    assert!(run_in(&sandbox, "game/src", &["ls"]).out.contains("game.txt"));
    assert!(sandbox.run(["ls", "--manifest-path", "game/Cargo.toml"]).out.contains("game.txt"));
}
