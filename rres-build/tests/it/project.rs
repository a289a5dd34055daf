//! A fresh crate as a newcomer writes it: the three-line build script, a typed load, Cargo.

use std::fs;

use rres_test_support::fresh::{Fresh, in_profiles};

const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let level = store.load(assets::levels::_1_TXT)?;
    print!("{}|{}", level.get().as_str(), store.load(assets::NOISE_BIN)?.get().bytes().len());
    Ok(())
}
"#;

fn newcomer(name: &'static str) -> Fresh {
    with_assets(Fresh::new(name, MAIN))
}

fn with_assets(fresh: Fresh) -> Fresh {
    fresh.write("assets/levels/1.txt", "one");
    fresh.write("assets/noise.bin", [7; 300]);
    fresh
}

#[track_caller]
fn prints(fresh: &Fresh, arguments: &[&str], expected: &str) {
    let (out, err) = fresh.cargo(arguments);
    assert_eq!(out, expected, "{err}");
}

#[test]
fn the_first_success_takes_three_lines() {
    let fresh = newcomer("newcomer");
    prints(&fresh, &["run", "-q"], "one|300");

    // The next run shows an edit; nothing else has to be changed for Cargo to notice.
    fresh.write("assets/levels/1.txt", "two");
    in_profiles(&["run", "-q"]).iter().for_each(|arguments| prints(&fresh, arguments, "two|300"));

    // A user who deletes the import cache behind Cargo's back loses time and nothing else.
    fs::remove_dir_all(fresh.path("cache")).unwrap();
    prints(&fresh, &["run", "-q"], "two|300");
    // After that, the build script does not run without need.
    let (_, err) = fresh.cargo(&["build", "-v"]);
    assert!(err.contains("Fresh newcomer"), "{err}");
}

#[test]
fn a_build_script_with_another_path_runs_only_when_something_changed() {
    let fresh = newcomer("elsewhere");
    let manifest = fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    fresh.write("Cargo.toml", manifest.replacen("\n[workspace]", "\nbuild = \"tools/assets.rs\"\n[workspace]", 1));
    fs::create_dir(fresh.path("tools")).unwrap();
    fs::rename(fresh.path("build.rs"), fresh.path("tools/assets.rs")).unwrap();
    prints(&fresh, &["run", "-q"], "one|300");
    let (_, err) = fresh.cargo(&["build", "-v"]);
    assert!(err.contains("Fresh elsewhere"), "{err}");

    // It still runs after the script or an asset has changed.
    fresh.write(
        "tools/assets.rs",
        "fn main() {\n    // A comment.\n    rres_build::import(\"assets\").build_or_exit();\n}\n",
    );
    let (_, err) = fresh.cargo(&["build", "-v"]);
    assert!(err.contains("Running") && !err.contains("Fresh elsewhere"), "{err}");
    fresh.write("assets/levels/1.txt", "two");
    prints(&fresh, &["run", "-q"], "two|300");
}

#[test]
#[ignore = "long: compiles everything for release"]
fn a_release_program_has_no_importer_no_watcher_no_inspector_and_no_path_of_this_machine() {
    let fresh = with_assets(Fresh::with_features("shipped", &["engine"], MAIN));
    prints(&fresh, &["run", "-q"], "one|300");
    prints(&fresh, &["run", "-q", "--release"], "one|300");
    let program = |profile| String::from_utf8_lossy(&fs::read(fresh.executable(profile)).unwrap()).into_owned();
    let release = program("release");
    assert!(!release.contains(fresh.path("").to_str().unwrap()));

    // The program enables hot reload. On other systems, symbols may be in a separate file.
    if cfg!(target_os = "linux") {
        assert!(has_symbols_of("notify", &program("debug")) && has_symbols_of("rres_runtime", &release));
        assert!(has_symbols_of("rres_inspect", &program("debug")), "hot reload has the inspector");
        assert!(!release.contains("RRES_INSPECT") && !release.contains("rres inspector"));
        for name in [
            "rres_inspect",
            "notify",
            "notify_types",
            "inotify",
            "rres_build",
            "image",
            "png",
            "symphonia",
            "fontdue",
            "gltf",
        ] {
            assert!(!has_symbols_of(name, &release), "the release program has code of {name}");
        }
    }
}

/// Whether a program that was not stripped has a function of the crate `name`: mangled as `_ZN6notify…`, or with `Cs…_6notify`.
fn has_symbols_of(name: &str, program: &str) -> bool {
    let length = name.len();
    [format!("_ZN{length}{name}"), format!("_{length}{name}")].iter().any(|symbol| program.contains(symbol))
}

#[test]
fn all_broken_assets_are_error_lines_of_cargo_with_help() {
    let fresh = newcomer("broken");
    fresh.write("assets/levels/1.txt", b"\xff");
    fresh.write("assets/levels/2.txt", b"\xfe\xfe\xfe");
    let (_, err) = fresh.cargo(&["build"]);
    for part in
        ["error: broken@0.1.0: assets/levels/1.txt: is not valid text", "assets/levels/2.txt", "help: save it as"]
    {
        assert!(err.contains(part), "{part} in:\n{err}");
    }
}

#[test]
fn the_rules_that_cargo_shows_can_be_copied_from_the_terminal() {
    let fresh = newcomer("copied");
    fresh.write("assets/broken/1.txt", b"\0\xff");
    fresh.write("assets/broken/2.txt", b"\0\xff");
    fresh.write("assets/authors.txt", b"Written by J\xfcrgen.");
    let (_, err) = fresh.cargo(&["build"]);
    let (_, rules) = err.split_once("append to assets.toml:\n").unwrap_or_else(|| panic!("{err}"));
    fresh.write("assets/assets.toml", rules);
    prints(&fresh, &["run", "-q"], "one|300");

    // A build that goes on shows the same as warnings.
    fresh.write("assets/assets.toml", "[lints]\nrefused = \"warn\"\n");
    let (out, err) = fresh.cargo(&["run"]);
    assert_eq!(out, "one|300", "{err}");
    for part in ["assets/authors.txt: is not valid text", "left out 3 files", "[\"broken/*.txt\"]"] {
        assert!(err.lines().any(|line| line.starts_with("warning: ") && line.contains(part)), "{part} in:\n{err}");
    }
}

#[test]
fn mistakes_in_the_program_get_messages_of_rustc() {
    let fresh = newcomer("mistaken");
    fresh.write("assets/assets.toml", "[lints]\nunused = \"warn\"\n[group.few]\ninclude = [\"noise.bin\"]\n");
    let member = "let _ = store.load_group(assets::groups::FEW).wait().unwrap().get(const { \
                  assets::groups::FEW.member(assets::levels::_1_TXT) });\n    Ok(())";
    let cases = [
        (
            "a misspelt constant gets the name that exists",
            MAIN.replace("NOISE_BIN", "NOSE_BIN"),
            &["error[E0425]", "NOISE_BIN"][..],
        ),
        (
            "a wrong type",
            MAIN.replace("let level =", "let level: rres_runtime::Handle<rres_runtime::Image> ="),
            &["error[E0308]", "Handle<Image>", "Handle<Text>"],
        ),
        (
            // This cannot be in `tests/ui` of the runtime, because rustc quotes the standard library if its sources are
            // installed.
            "an asset that the group does not contain",
            MAIN.replace("Ok(())", member),
            &["error[E0080]: evaluation panicked: this asset is not a member of this group", "main.rs:8:"],
        ),
        (
            "an asset that the game never names, with unused = \"warn\"",
            MAIN.replace("assets::NOISE_BIN", "assets::levels::_1_TXT").replace(".bytes()", ".as_str()"),
            &["warning: constant `NOISE_BIN` is never used"],
        ),
    ];
    let mut failures = Vec::new();
    for (case, main, parts) in cases {
        fresh.write("src/main.rs", main);
        let (_, err) = fresh.cargo(&["build"]);
        let missing: Vec<_> = parts.iter().filter(|part| !err.contains(**part)).collect();
        if !missing.is_empty() {
            failures.push(format!("{case}: no {missing:?} in:\n{err}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
