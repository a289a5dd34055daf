//! Builds without the assets: `.allow_missing()` and `cargo rres listing`, for a game and for a library.

use std::fs;

use rres_test_data::picture::plain_bmp;
use rres_test_support::fresh::Fresh;

const KIT: &str = r#"
rres_runtime::include_assets!(pub mod assets);

/// The compiler knows the size of a picture, with its file or without.
pub const WIDTH: u32 = assets::facts(assets::ui::DOT_BMP).width();
"#;

const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() {
    println!("{} {:?} {}", kit::WIDTH, kit::assets::ui::DOT_BMP.resource(), assets::groups::MENU.members().len());
    match assets::open().and_then(|store| store.load(assets::NOTE_TXT)) {
        Ok(note) => println!("{}", note.get().as_str()),
        Err(error) => println!("{}", error.to_string().lines().next().unwrap_or_default()),
    }
}
"#;

const BUILD: &str = "fn main() {\n    rres_build::import(\"assets\").KIND().allow_missing().build_or_exit();\n}\n";

#[test]
fn programs_compile_without_the_assets_by_their_listings() {
    let fresh = Fresh::new("assetless", MAIN);
    let manifest = fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    let (_, crates) = manifest.split_once("[dependencies]\n").unwrap();
    let crates = crates.split("[profile").next().unwrap();
    fresh.write(
        "Cargo.toml",
        manifest.replace("[dependencies]", "[dependencies]\nkit = { path = \"kit\", package = \"listed_kit\" }"),
    );
    fresh.write("build.rs", BUILD.replace(".KIND()", ".group(\"menu\", [\"*.txt\"])"));
    fresh.write("assets/note.txt", "noted");
    let kit = "[package]\nname = \"listed_kit\"\nversion = \"0.1.0\"\nedition = \"2024\"\nlinks = \"listed_kit\"\n[dependencies]\n";
    fresh.write("kit/Cargo.toml", format!("{kit}{crates}"));
    fresh.write("kit/build.rs", BUILD.replace("KIND", "library"));
    fresh.write("kit/src/lib.rs", KIT);
    fresh.write("kit/assets/ui/dot.bmp", plain_bmp(2, 1, [7; 3]));

    let (with, err) = fresh.cargo(&["run", "-q"]);
    let (first, second) = with.split_once('\n').unwrap_or_else(|| panic!("{err}"));
    assert!(first.starts_with("2 ") && first.ends_with(" 1"), "{with}");
    assert_eq!(second, "noted\n");

    // Without a listing, the error says what to do.
    fs::rename(fresh.path("kit/assets"), fresh.path("kit/away")).unwrap();
    let (_, err) = fresh.cargo(&["build"]);
    for part in ["assets.listing: cannot read the listing of assets that are missing", "run `cargo rres listing`"] {
        assert!(err.contains(part), "{part} in:\n{err}");
    }
    fs::rename(fresh.path("kit/away"), fresh.path("kit/assets")).unwrap();

    fresh.cargo(&["build"]);
    let listing = |manifest: &str, arguments: &[&str]| {
        let mut command = fresh.building_command(env!("CARGO_BIN_EXE_cargo-rres"));
        let output = command.arg("listing").args(arguments).arg("--manifest-path").arg(fresh.path(manifest)).output();
        let output = output.unwrap();
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    for manifest in ["Cargo.toml", "kit/Cargo.toml"] {
        let (code, text) = listing(manifest, &["--check"]);
        assert!(code == Some(1) && text.contains("is out of date; run `cargo rres listing`"), "{text}");
        let (code, text) = listing(manifest, &[]);
        assert!(code == Some(0) && text.contains("assets.listing updated: 1 asset; commit it"), "{text}");
        let (code, text) = listing(manifest, &["--check"]);
        assert!(code == Some(0) && text.contains("is up to date: 1 asset"), "{text}");
    }
    // The command knows where the constant is.
    let mut explain = fresh.building_command(env!("CARGO_BIN_EXE_cargo-rres"));
    let output = explain.args(["explain", "kit/assets/ui/dot.bmp"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.starts_with("listed_kit/ui/dot.bmp\n") && text.contains("constant  listed_kit::assets::ui::DOT_BMP\n"),
        "{text}"
    );

    let text = fs::read_to_string(fresh.path("kit/assets.listing")).unwrap();
    assert!(text.ends_with("listed_kit/ui/dot.bmp\t2×1 RGB8\n"), "sizes of the pack are not in it: {text}");

    // The program compiles, and says that it finds no assets.
    fs::rename(fresh.path("kit/assets"), fresh.path("kit/away")).unwrap();
    let (out, err) = fresh.cargo(&["run"]);
    assert_eq!(out, with, "the game has its own assets: {err}");
    for part in ["so the constants come from", "has no assets on this machine", "library listed_kit"] {
        assert!(err.contains(part), "{part} in:\n{err}");
    }
    fs::rename(fresh.path("assets"), fresh.path("away")).unwrap();
    let (out, err) = fresh.cargo(&["run"]);
    let (same, missing) = out.split_once('\n').unwrap_or_else(|| panic!("{err}"));
    assert_eq!(same, first);
    assert!(missing.contains("assets"), "{missing}");

    // In a sparse checkout, the directory has some of the files.
    fresh.write("assets/other.txt", "here");
    // Cargo does not watch a directory that does not exist.
    fresh.write("assets.listing", fs::read_to_string(fresh.path("assets.listing")).unwrap());
    let (out, err) = fresh.cargo(&["run"]);
    let (same, missing) = out.split_once('\n').unwrap_or_else(|| panic!("{err}"));
    assert_eq!(same, first);
    assert!(missing.contains("no asset with the id"), "{missing}");
    assert!(err.contains("is in the listing, and not on this machine"), "{err}");
    let git = |arguments: &[&str]| {
        let status = std::process::Command::new("git").args(arguments).current_dir(fresh.path("")).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["config", "core.sparseCheckout", "true"]);
    let (code, text) = listing("Cargo.toml", &[]);
    assert!(code == Some(2) && text.contains("1 file of it, such as note.txt"), "{text}");
    git(&["config", "core.sparseCheckout", "false"]);
    let (code, text) = listing("Cargo.toml", &[]);
    assert!(code == Some(0) && text.contains("assets.listing updated: 1 asset"), "{text}");
}
