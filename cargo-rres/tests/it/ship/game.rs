//! A real game, with rres-build and rres-runtime: it runs from anywhere, contains the newest assets, and gives equal archives.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use rres_test_support::fresh::{Fresh, target_dir};
use rres_test_support::has_tools;
use serde_json::Value;

use super::{contains, files, line_of, project_directory};
use crate::page::{check_fields, page, sections};

const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let link = store.load(assets::MUSIC_BIN)?;
    let music = std::fs::read(store.follow(&link.get())?).unwrap_or_default();
    println!("{} {}", store.load(assets::HELLO_TXT)?.get().as_str(), music.len());
    Ok(())
}
"#;

const NAME: &str = "shipped_game";

fn game(dir: PathBuf) -> Fresh {
    let game = Fresh::at(dir, NAME, &["engine"], MAIN);
    game.write("LICENSE", "Do as you like.\n");
    game.write(
        "assets/assets.toml",
        "[\"music.bin\"]\nkind = \"link\"\n[\"hello.txt\"]\nlicense = \"CC-BY-4.0\"\nauthor = \"A. Writer\"\n",
    );
    game.write("assets/music.bin", [7; 1000]);
    game.write("assets/hello.txt", "hello");
    game.write("assets/gone.txt", "gone");
    // Only the build script knows this rule.
    game.write("assets/name.txt", b"caf\xe9");
    let build = "rres_build::import(\"assets\").rule(\"name.txt\", |rule| rule.text_encoding(rres_build::settings::SourceEncoding::Latin1))";
    game.write("build/main.rs", format!("fn main() {{\n    {build}.build_or_exit();\n}}\n"));
    fs::remove_file(game.path("build.rs")).unwrap();
    let manifest = fs::read_to_string(game.path("Cargo.toml")).unwrap();
    game.write("Cargo.toml", manifest.replacen("[workspace]", "build = \"build/main.rs\"\n[workspace]", 1));
    game
}

/// Runs the command, which must end with `code`; returns standard output and standard error.
#[track_caller]
pub(super) fn run(game: &Fresh, args: &[&str], code: i32) -> (String, String) {
    let mut command = game.building_command(env!("CARGO_BIN_EXE_cargo-rres"));
    for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "SOURCE_DATE_EPOCH"] {
        command.env_remove(name);
    }
    let output = command.args(args).env("CARGO_NET_OFFLINE", "true").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{err}");
    (out, err)
}

#[track_caller]
pub(super) fn ship(game: &Fresh, args: &[&str]) -> (Value, String) {
    let (out, err) = run(game, &[&["ship", "--json"], args].concat(), 0);
    let mut report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report.as_object_mut().unwrap().remove("schema_version"), Some(1.into()));
    (report, err)
}

/// Overwrites a source with an older time, as `cp -p` does.
fn overwrite_with_older(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
    let old = SystemTime::now() - Duration::from_secs(1_000_000);
    File::options().write(true).open(file).unwrap().set_modified(old).unwrap();
}

/// One test, because all of its steps build the same game in the same directory.
#[test]
#[ignore = "long: compiles everything for release"]
fn a_shipped_game_is_current_reproducible_and_runs_anywhere() {
    let (_lock, dir) = project_directory();
    let game = game(dir);
    let (report, _) = ship(&game, &["--zip", "--tar", "--sbom"]);
    let expected = [
        (NAME, "program"),
        ("shipped_game.rres", "pack"),
        ("music.bin", "linked"),
        ("LICENSE", "licence"),
        ("THIRD-PARTY-LICENSES.txt", "licence"),
        ("CREDITS.txt", "licence"),
        ("shipped_game.cdx.json", "sbom"),
    ];
    let of = |(path, role): (&str, &str)| {
        let suffix = if role == "program" { std::env::consts::EXE_SUFFIX } else { "" };
        (format!("{path}{suffix}"), role.to_owned())
    };
    assert_eq!(files(&report), expected.map(of));
    assert_eq!((report["asset_count"].as_u64(), report["stale"].as_array().unwrap().len()), (Some(4), 0));
    licences_name_the_crates(&game);
    no_path_of_this_machine(&game, &report);
    archives_are_equal_and_run(&game, &report);
    stale_assets_are_noticed(&game);
    runs_anywhere(&game, "beside");
    ship(&game, &["--single"]);
    assert!(!game.path("dist/shipped_game/shipped_game.rres").exists());
    no_path_of_this_machine(&game, &report);
    runs_anywhere(&game, "single");
    runs_without_its_build_directory(&game);
}

fn executable(game: &Fresh) -> PathBuf {
    game.path("dist/shipped_game").join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX))
}

fn licences_name_the_crates(game: &Fresh) {
    let licences = game.path("dist/shipped_game/THIRD-PARTY-LICENSES.txt");
    for text in
        ["crc32fast 1.", "rres-runtime 0.", "Apache License", "Permission is hereby granted", "Rust standard library"]
    {
        assert!(contains(&licences, text), "{text}");
    }
    let credits = fs::read_to_string(game.path("dist/shipped_game/CREDITS.txt")).unwrap();
    assert!(credits.starts_with("A. Writer (CC-BY-4.0)\n  hello.txt\n"), "{credits}");
    // What only builds the game is not part of it.
    assert!(!contains(&licences, "\nblake3 ") && !contains(&licences, "\nrres-build "));
    let bill: Value =
        serde_json::from_slice(&fs::read(game.path("dist/shipped_game/shipped_game.cdx.json")).unwrap()).unwrap();
    assert_eq!((bill["bomFormat"].as_str(), bill["specVersion"].as_str()), (Some("CycloneDX"), Some("1.5")));
    let components = bill["components"].as_array().unwrap();
    let crc = components.iter().find(|component| component["name"] == "crc32fast").unwrap();
    assert!(crc["purl"].as_str().unwrap().starts_with("pkg:cargo/crc32fast@1."), "{crc}");
    let of_hello = components.iter().find(|component| component["name"] == "hello.txt").unwrap();
    assert_eq!(of_hello["licenses"][0]["expression"], "CC-BY-4.0");
    assert_eq!(bill["dependencies"][0]["dependsOn"].as_array().map(Vec::is_empty), Some(true), "{bill}");
}

fn no_path_of_this_machine(game: &Fresh, report: &Value) {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| home + "/.cargo")).unwrap();
    for (path, _) in files(report) {
        let file = game.path("dist/shipped_game").join(path);
        for text in [home.as_str(), env!("CARGO_TARGET_TMPDIR"), concat!(env!("CARGO_MANIFEST_DIR"), "/")] {
            assert!(!file.exists() || !contains(&file, text), "{text} is in {}", file.display());
        }
    }
}

fn archives_are_equal_and_run(game: &Fresh, report: &Value) {
    let archives: Vec<PathBuf> =
        report["archives"].as_array().unwrap().iter().map(|archive| archive["file"].as_str().unwrap().into()).collect();
    let before: Vec<Vec<u8>> = archives.iter().map(|file| fs::read(file).unwrap()).collect();
    // Times of files are not part of archives.
    overwrite_with_older(&game.path("LICENSE"), "Do as you like.\n");
    ship(game, &["--zip", "--tar", "--sbom"]);
    for (file, before) in archives.iter().zip(before) {
        assert!(fs::read(file).unwrap() == before, "{} differs", file.display());
    }
    for (tool, flag, file) in [("unzip", "-qd", &archives[0]), ("tar", "-xzC", &archives[1])] {
        if !has_tools(&[tool]) {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let mut command = Command::new(tool);
        match tool {
            "tar" => command.arg(flag).arg(dir.path()).arg("-f").arg(file),
            _ => command.arg("-q").arg(file).arg("-d").arg(dir.path()),
        };
        assert!(command.status().unwrap().success(), "{command:?}");
        let program = dir.path().join(NAME).join(executable(game).file_name().unwrap());
        assert_eq!(line_of(Command::new(program)), "hello 1000", "executable after {tool}");
    }
}

fn stale_assets_are_noticed(game: &Fresh) {
    overwrite_with_older(&game.path("assets/hello.txt"), "newer");
    let pack = "dist/shipped_game/shipped_game.rres";
    let (out, _) = run(game, &["verify", pack, "--against", "assets"], 1);
    assert!(out.contains("stale    hello.txt\n") && out.contains("does not match assets: 1 difference"), "{out}");
    let (out, _) = run(game, &["verify", pack, "--against", "assets", "--json"], 1);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["ok"], &json["differences"][0]["name"]), (&false.into(), &"hello.txt".into()));
    let (report, err) = ship(game, &[]);
    assert_eq!(report["stale"][0]["name"], "hello.txt");
    let archives = serde_json::json!({ "archives": [{ "file": "x.zip", "size": 1 }], "left_out": [{ "path": "x.txt", "size": 1 }] });
    let refusal = serde_json::json!({ "ok": false, "error": "why" });
    check_fields(&sections(&page()), "`cargo rres ship`", &[report, archives, refusal]);
    assert!(err.contains("Cargo has not noticed that 1 asset changed"), "{err}");
    assert_eq!(line_of(Command::new(executable(game))), "newer 1000");
    let (out, _) = run(game, &["verify", pack, "--against", "assets"], 0);
    assert!(out.contains("matches assets"), "{out}");

    // What is new and what is gone is named as well, by the rules of the build script.
    game.write("assets/extra.txt", "extra");
    fs::remove_file(game.path("assets/gone.txt")).unwrap();
    let (out, _) = run(game, &["verify", pack, "--against", "assets"], 1);
    assert!(out.contains("missing  extra.txt\nextra    gone.txt\n"), "{out}");
    fs::remove_file(game.path("assets/extra.txt")).unwrap();
    game.write("assets/gone.txt", "gone");
    let (report, _) = ship(game, &[]);
    assert_eq!(report["stale"].as_array().map(Vec::len), Some(0), "Cargo has noticed these");
}

/// Runs the game from `/`, through a link, without permission to write, and under another name.
fn runs_anywhere(game: &Fresh, how: &str) {
    let expected = "newer 1000";
    let in_root = |program: &Path| {
        let mut command = Command::new(program);
        command.current_dir("/");
        command
    };
    let program = executable(game);
    assert_eq!(line_of(in_root(&program)), expected, "{how}: from the root directory");

    let elsewhere = tempfile::tempdir().unwrap();
    let renamed = elsewhere.path().join("我的 游戏 (copy)");
    copy(program.parent().unwrap(), &renamed);
    let other = renamed.join(format!("开始 the game{}", std::env::consts::EXE_SUFFIX));
    fs::rename(renamed.join(program.file_name().unwrap()), &other).unwrap();
    assert_eq!(line_of(in_root(&other)), expected, "{how}: with another name");

    #[cfg(unix)]
    {
        let link = elsewhere.path().join("link");
        std::os::unix::fs::symlink(&program, &link).unwrap();
        assert_eq!(line_of(in_root(&link)), expected, "{how}: through a link");

        use std::os::unix::fs::PermissionsExt;
        let mode = |mode| fs::set_permissions(&renamed, fs::Permissions::from_mode(mode)).unwrap();
        mode(0o555);
        assert_eq!(line_of(in_root(&other)), expected, "{how}: without permission to write");
        mode(0o755);
    }
    #[cfg(target_os = "linux")]
    {
        let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && ! touch \"$0/x\" 2>/dev/null";
        let can_mount = Command::new("unshare").args(["-rm", "sh", "-c", script]).arg(&renamed).output();
        if can_mount.is_ok_and(|output| output.status.success()) {
            let mut command = Command::new("unshare");
            command.args(["-rm", "sh", "-c", &format!("{script} && exec \"$1\"")]).arg(&renamed).arg(&other);
            assert_eq!(line_of(command), expected, "{how}: from a file system that is mounted read-only");
        } else {
            rres_test_support::skip("a mount that is read-only: this user may not mount anything");
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn runs_without_its_build_directory(game: &Fresh) {
    for single in [false, true] {
        ship(game, if single { &["--single"] } else { &[] });
        let elsewhere = tempfile::tempdir().unwrap();
        let dir = elsewhere.path().join("game");
        fs::rename(game.path("dist/shipped_game"), &dir).unwrap();
        for entry in fs::read_dir(target_dir().join("release/build")).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().to_string_lossy().starts_with(NAME) {
                fs::remove_dir_all(entry.path()).unwrap();
            }
        }
        let program = dir.join(executable(game).file_name().unwrap());
        assert_eq!(line_of(Command::new(&program)), "newer 1000");
        if single {
            // The licences and the linked file are beside it, and no pack.
            fs::create_dir(elsewhere.path().join("alone")).unwrap();
            let alone = elsewhere.path().join("alone").join(program.file_name().unwrap());
            fs::rename(&program, &alone).unwrap();
            let output = Command::new(&alone).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(stderr.contains("music.bin") && !stderr.contains("no assets found"), "{stderr}");
        }
    }
}
