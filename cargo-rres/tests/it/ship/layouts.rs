//! Packs and programs are found by Cargo's messages, wherever Cargo puts them. The build scripts are stubs that copy a pack.

use std::path::Path;

use rres_format::{Compression, FourCc, PackBuilder};
use serde_json::Value;

use super::{contains, files, line_of};
use crate::packs::{chunk, custom, text};
use crate::{Run, Sandbox};

/// Copies the pack of the package to the output directory, unless there is none.
const COPY: &[u8] = b"fn main() {
    let out = std::path::PathBuf::from(std::env::var_os(\"OUT_DIR\").unwrap());
    for entry in std::fs::read_dir(\"packs\").into_iter().flatten().flatten() {
        std::fs::copy(entry.path(), out.join(entry.file_name())).unwrap();
    }
    println!(\"cargo::rerun-if-changed=packs\");
}
";

fn manifest(name: &str, rest: &str) -> Vec<u8> {
    let package = format!("[package]\nname = {name:?}\nversion = \"1.2.3\"\nedition = \"2024\"\nlicense = \"MIT\"\n");
    (package + rest).into_bytes()
}

/// A workspace with a game that has two programs, a library with a pack of its own, and a crate that build scripts use.
fn workspace() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", b"[workspace]\nresolver = \"3\"\nmembers = [\"game\", \"world\", \"tool\"]\n");
    sandbox.write("LICENSE", b"Do as you like.\n");
    let dependencies = "[features]\nsteam = []\n[dependencies]\nworld = { path = \"../world\" }\n\
                        [build-dependencies]\ntool = { path = \"../tool\" }\n";
    sandbox.write("game/Cargo.toml", &manifest("game", dependencies));
    // Without the flag of the configuration, or with one program too many, nothing compiles.
    let main = "#[cfg(not(mine))]\ncompile_error!(\"the flags of the user are lost\");\n\
                fn main() { println!(\"{} {}\", world::NAME, if cfg!(feature = \"steam\") { \"steam\" } else { \"plain\" }) }\n";
    sandbox.write("game/src/bin/game.rs", main.as_bytes());
    sandbox.write("game/src/bin/editor.rs", b"fn main() { println!(\"editor\") }\n");
    sandbox.write("game/build.rs", COPY);
    sandbox.write("world/Cargo.toml", &manifest("world", ""));
    sandbox.write("world/src/lib.rs", b"pub const NAME: &str = \"world\";\n");
    sandbox.write("world/build.rs", COPY);
    sandbox.write("tool/Cargo.toml", &manifest("tool", ""));
    sandbox.write("tool/src/lib.rs", b"");
    sandbox.write("tool/build.rs", COPY);
    for (package, path) in [("game", "a.txt"), ("world", "w.txt"), ("tool", "t.txt")] {
        let mut pack = PackBuilder::new();
        pack.push(text(path, path));
        sandbox.write(&format!("{package}/packs/{package}.rres"), &pack.to_vec().unwrap());
    }
    sandbox.write(".cargo/config.toml", b"[build]\nrustflags = [\"--cfg\", \"mine\"]\n");
    sandbox
}

/// Ships, and returns the JSON.
#[track_caller]
fn ship(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.run([&["ship", "--json", "--offline"], args].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn refused(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run([&["ship", "--offline"], args].concat())
}

#[test]
fn programs_and_packs_are_found_in_every_layout() {
    let sandbox = workspace();
    let expected: Vec<(String, String)> = [
        (format!("game{}", std::env::consts::EXE_SUFFIX), "program"),
        ("game.rres".to_owned(), "pack"),
        ("world.rres".to_owned(), "pack"),
        ("LICENSE".to_owned(), "licence"),
        ("THIRD-PARTY-LICENSES.txt".to_owned(), "licence"),
    ]
    .map(|(path, role)| (path, role.to_owned()))
    .into();
    sandbox.write("run.sh", b"#!/bin/sh\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(sandbox.path("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let run = |report: &Value| line_of(std::process::Command::new(report["programs"][0].as_str().unwrap()));

    let report = ship(&sandbox, &["--bin", "game"]);
    assert_eq!(files(&report), expected);
    assert_eq!((run(&report).as_str(), report["asset_count"].as_u64()), ("world plain", Some(2)));
    let dir = Path::new(report["dir"].as_str().unwrap());
    assert_eq!(dir.canonicalize().unwrap(), sandbox.path("dist/game").canonicalize().unwrap());
    assert!(dir.is_absolute(), "{}", dir.display());
    assert!(
        !contains(&sandbox.path("dist/game/THIRD-PARTY-LICENSES.txt"), "world 1.2.3"),
        "members are the game itself"
    );

    let host = report["target"].as_str().unwrap().to_owned();
    let report = ship(&sandbox, &["--bin", "game", "--target", &host, "--features", "steam"]);
    assert_eq!((files(&report), run(&report).as_str()), (expected.clone(), "world steam"));

    let public = crate::sign::make_key(&sandbox, "game.key", &[]).out.trim().rsplit(' ').next().unwrap().to_owned();
    let report = ship(
        &sandbox,
        &["--bin", "game", "--target-dir", "elsewhere", "-o", "out", "--sign=game.key", "--include", "run.sh"],
    );
    let with_script = [&expected[..], &[("run.sh".to_owned(), "included".to_owned())]].concat();
    assert_eq!((files(&report), run(&report).as_str()), (with_script, "world plain"));
    assert_eq!(report["signed_with"], public.as_str());
    for pack in ["out/game/game.rres", "out/game/world.rres"] {
        sandbox.run(["verify", pack, "--key", &public]).success();
    }
    assert!(
        sandbox.run(["verify", "dist/game/game.rres", "--key", &public]).failed(1, &[]).out.contains("is not signed")
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &str| std::fs::metadata(sandbox.path(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("out/game/run.sh"), mode("out/game/LICENSE")), (0o755, 0o644));
    }
    assert!(sandbox.path("elsewhere/release").is_dir() && sandbox.path("out/game/game.rres").is_file());

    let config = b"[build]\nrustflags = [\"--cfg\", \"mine\"]\nbuild-dir = \"intermediate\"\n[profile.dist]\ninherits = \"release\"\n";
    sandbox.write(".cargo/config.toml", config);
    let report = ship(&sandbox, &["--bin", "game", "--profile", "dist", "--target-dir", "results"]);
    assert_eq!((files(&report), report["profile"].as_str()), (expected.clone(), Some("dist")));
    assert!(sandbox.path("results/dist").is_dir());

    // The flags of a configuration for one target count in the place of the others.
    let config =
        format!("[target.{host}]\nrustflags = [\"--cfg\", \"mine\"]\n[build]\nrustflags = [\"--no-such-flag\"]\n");
    sandbox.write(".cargo/config.toml", config.as_bytes());
    assert_eq!(files(&ship(&sandbox, &["--bin", "game"])), expected);
    sandbox.write(".cargo/config.toml", b"");
    let output = sandbox.command().args(["ship", "--offline", "--bin", "game"]).env("RUSTFLAGS", "--cfg mine").output();
    assert!(output.unwrap().status.success(), "flags of the environment are kept");
    refused(&sandbox, &["--bin", "game"])
        .failed(1, &["the flags of the user are lost", "game does not build; see above"]);
}

#[test]
fn several_programs_are_chosen_by_name() {
    let sandbox = workspace();
    refused(&sandbox, &[]).failed(2, &["game has several programs: editor, game; choose with --bin"]);
    refused(&sandbox, &["--bin", "gmae"]).failed(2, &["game has no program `gmae`; it has editor, game"]);
    refused(&sandbox, &["-p", "world"]).failed(2, &["world has no program to ship, only a library"]);
    let report = ship(&sandbox, &["--bin", "game", "--bin", "editor", "--name", "both", "--include", "game/src"]);
    let paths: Vec<String> = files(&report).into_iter().map(|(path, _)| path).collect();
    assert_eq!(report["programs"].as_array().unwrap().len(), 2);
    for path in ["src/bin/game.rs", "src/bin/editor.rs", "game.rres"] {
        assert!(paths.iter().any(|other| other == path) && sandbox.path("dist/both").join(path).is_file(), "{path}");
    }
    let manifest = String::from_utf8(sandbox.read("game/Cargo.toml")).unwrap();
    let manifest = manifest.replace("license", "default-run = \"editor\"\nlicense");
    sandbox.write("game/Cargo.toml", manifest.as_bytes());
    assert_eq!(files(&ship(&sandbox, &[]))[0].0, format!("editor{}", std::env::consts::EXE_SUFFIX));
}

#[test]
fn files_of_the_user_are_not_replaced_and_nothing_appears_after_a_failure() {
    let sandbox = workspace();
    sandbox.write("dist/game/notes.txt", b"mine");
    let run = refused(&sandbox, &["--bin", "game"]);
    run.failed(2, &["notes.txt was not written by `cargo rres ship`", "--out or --name"]);
    assert!(!sandbox.path("target").exists(), "said before the build");
    std::fs::remove_dir_all(sandbox.path("dist")).unwrap();
    ship(&sandbox, &["--bin", "game"]);
    let before = sandbox.read("dist/game/world.rres");
    // A damaged pack is found before it is shipped.
    let mut damaged = before.clone();
    let at = damaged.len() / 2;
    damaged[at] ^= 1;
    sandbox.write("world/packs/world.rres", &damaged);
    let run = refused(&sandbox, &["--bin", "game", "--zip", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &report["ok"]), (1, &false.into()), "{run:?}");
    assert!(report["error"].as_str().unwrap().contains("world.rres"), "{run:?}");
    assert_eq!(sandbox.read("dist/game/world.rres"), before);
    assert!(std::fs::read_dir(sandbox.path("dist")).unwrap().count() == 3, "game, .game.ship and .gitignore");
}

#[test]
fn paths_of_this_machine_are_refused_by_name_unless_asked_for() {
    let sandbox = workspace();
    let main = "fn main() { println!(\"{} {}\", world::NAME, env!(\"CARGO_MANIFEST_DIR\")) }\n";
    sandbox.write("game/src/bin/game.rs", main.as_bytes());
    let root = sandbox.dir.path();
    // On Windows, `canonicalize` would put `\\?\` before the path.
    let root = if cfg!(windows) { root.to_owned() } else { root.canonicalize().unwrap() };
    let (root, program) = (root.display().to_string(), format!("game{}", std::env::consts::EXE_SUFFIX));
    let run = refused(&sandbox, &["--bin", "game"]);
    run.failed(1, &[&format!("{program} contains 1 path of this machine, such as "), &root, "--keep-paths"]);
    assert!(!sandbox.path("dist/game").exists());
    let report = ship(&sandbox, &["--bin", "game", "--keep-paths"]);
    assert_eq!(report["paths_checked"], false);
    assert!(contains(&sandbox.path("dist/game").join(program), &root));
}

#[test]
fn a_bundle_has_the_directories_of_macos() {
    let sandbox = workspace();
    sandbox.write("game/src/bin/game.rs", b"fn main() {}\n");
    let report = ship(&sandbox, &["--bin", "game", "--bundle", "--name", "Game & Co"]);
    let paths: Vec<String> = files(&report).into_iter().map(|(path, _)| path).collect();
    let app = "Game & Co.app/Contents";
    let program = format!("MacOS/game{}", std::env::consts::EXE_SUFFIX);
    for path in [&program, "Resources/game.rres", "Resources/world.rres", "Info.plist"] {
        assert!(paths.contains(&format!("{app}/{path}")), "{paths:?}");
    }
    let plist = String::from_utf8(sandbox.read(&format!("dist/Game & Co/{app}/Info.plist"))).unwrap();
    for part in ["<string>game.game</string>", "<string>Game &amp; Co</string>", "<string>1.2.3</string>"] {
        assert!(plist.contains(part), "{part} in {plist}");
    }
}

/// A build takes minutes, so faults of the arguments are reported before it.
#[test]
fn a_file_to_include_that_does_not_exist_is_refused_before_the_build() {
    let sandbox = workspace();
    let run = refused(&sandbox, &["--bin", "game", "--include", "READMEE.md"]);
    let run = run.failed(2, &["cannot include ", "READMEE.md: no such file or directory"]);
    assert!(!run.err.contains("Compiling") && !sandbox.path("target").exists(), "{}", run.err);
    for whole in ["..", "."] {
        refused(&sandbox, &["--bin", "game", "--include", whole])
            .failed(2, &["contains the directory for the results"]);
    }
}

#[test]
fn encrypted_assets_are_loaded_with_the_key_and_counted_without() {
    let sandbox = workspace();
    sandbox.write("assets/plot.txt", b"the butler did it");
    sandbox.write("assets/open.bin", b"open");
    let settings = "[pack]\ncipher = \"xchacha20-poly1305\"\n[\"open.bin\"]\ncipher = \"none\"\n";
    sandbox.write("assets/assets.toml", settings.as_bytes());
    sandbox.write("key", b"sixteen letters!");
    sandbox.write("other", b"another key");
    sandbox.run(["pack", "assets", "-o", "game/packs/game.rres", "--key-file", "key"]).success();
    let args = ["ship", "--offline", "-p", "game", "--bin", "game", "--json"];
    let with = |key: &[&str]| sandbox.run([&args[..], key].concat());
    let run = with(&[]);
    assert!(run.code == 0 && run.err.contains("1 asset encrypted and not loaded, as there is no key"), "{run:?}");
    let count = |run: &Run| serde_json::from_str::<Value>(&run.out).unwrap()["asset_count"].as_u64().unwrap();
    let run_with = with(&["--key-file", "key"]);
    assert!(run_with.code == 0 && !run_with.err.contains("not loaded"), "{run_with:?}");
    assert_eq!(count(&run_with), count(&run) + 1);
    with(&["--key-file", "other"]).failed(2, &["the key does not fit"]);
}

#[test]
fn assets_of_types_of_the_game_are_unpacked_and_counted() {
    let sandbox = workspace();
    let pack = |damage: bool| {
        let mut pack = PackBuilder::new();
        pack.push(text("a.txt", "a"));
        pack.push(custom("one.level", *b"LEVL", b"data", Compression::ZSTD));
        let mut other = custom("two.curve", *b"CURV", b"other data", Compression::NONE);
        if damage {
            // The chunk says that there are more data than it has. Its CRC is right.
            let block = [&[4, 0, 0, 0, 255, 0, 0, 0][..], &[0; 12], b"other data"].concat();
            other.chunks = vec![chunk(FourCc(*b"CURV"), &block, Compression::NONE)];
        }
        pack.push(other);
        sandbox.write("game/packs/game.rres", &pack.to_vec().unwrap());
    };
    pack(false);
    let run = sandbox.run(["ship", "--offline", "--bin", "game"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let line = "2 assets of the game's own types were unpacked but not loaded\n";
    assert!(run.out.contains("ok: 2 assets loaded, no path") && run.out.contains(line), "{}", run.out);
    let report = ship(&sandbox, &["--bin", "game"]);
    assert_eq!((&report["asset_count"], &report["unpacked_count"]), (&2.into(), &2.into()));
    pack(true);
    let run = refused(&sandbox, &["--bin", "game"]);
    run.failed(1, &["two.curve", "custom data"]);
}
