//! Crates with assets: a game gets the assets of the libraries that it depends on through Cargo, in crates as a user would write them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rres_test_support::fresh::{Fresh, cargo, in_profiles};

/// The game prints what a function of the library `kit` returns, and again when something has changed.
const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = assets::open()?;
    let events = store.events();
    // Assets that nobody holds are not reloaded.
    let _kept = kit::kept(&store)?;
    println!("{}|{}", store.load(assets::OWN_TXT)?.get().as_str(), kit::texts(&store)?);
    while std::env::args().nth(1).as_deref() == Some("wait") {
        match events.recv_timeout(std::time::Duration::from_secs(1200)) {
            Some(rres_runtime::Event::Reloaded { .. }) | None => {
                println!("{}", kit::texts(&store)?);
                break;
            }
            Some(event) => eprintln!("{event}"),
        }
    }
    Ok(())
}
"#;

/// A library with assets that depends on another one.
const KIT: &str = r#"
rres_runtime::include_assets!();

use rres_runtime::{CustomAsset, CustomChunk, FourCc, Handle, Store, Text};

pub fn kept(store: &Store) -> Result<Handle<Text>, rres_runtime::Error> {
    store.load(base::assets::BASE_TXT)
}

pub struct Curve(u8);

impl CustomAsset for Curve {
    const FOURCC: FourCc = FourCc(*b"CURV");
    type Error = String;

    fn from_chunk(chunk: &CustomChunk<'_>) -> Result<Self, String> {
        Ok(Self(*chunk.data().first().ok_or("is empty")?))
    }
}

pub fn texts(store: &Store) -> Result<String, Box<dyn std::error::Error>> {
    assets::register(store);
    let hello = store.load(assets::ui::HELLO_TXT)?;
    let base = store.load(base::assets::BASE_TXT)?;
    let curve = store.load(assets::JUMP_CURVE)?;
    let group = store.load_group(assets::groups::EVERYTHING).wait()?;
    let blob = group.find(assets::ui::BLOB_BIN).ok_or("not in the group")?.get().bytes().len();
    Ok(format!("{}|{}|{}|{blob}", hello.get().as_str(), base.get().as_str(), curve.get().0))
}
"#;

const KIT_BUILD: &str = r#"
use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Source};

struct CurveImporter;

impl Importer for CurveImporter {
    fn describe(&self) -> Description {
        Description::new("curve", 1)
            .reads(["curve"])
            .makes(AssetType::custom(*b"CURV", "crate::Curve"))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let height = source.text()?.trim().parse().map_err(|_| ImportError::new("is not a number"))?;
        Ok(vec![Asset::custom(*b"CURV", vec![height])])
    }
}

fn main() {
    rres_build::import("assets")
        .library()
        .importer(CurveImporter)
        .rule("**/*.bin", |rule| rule.kind(rres_build::AssetKind::Raw))
        .group("everything", ["**"])
        .build_or_exit();
}
"#;

/// A game, the library `kit` that it depends on, and the library `base` that `kit` depends on. Their packages have the name of the game in
/// theirs: these tests share a target directory, in which packages of one name would replace each other.
fn game(name: &'static str) -> Fresh {
    let fresh = Fresh::new(name, MAIN);
    let manifest = fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    let (_, crates) = manifest.split_once("[dependencies]\n").unwrap();
    let crates = crates.split("[profile").next().unwrap();
    let library = |library: &str, dependency: &str| {
        format!(
            "[package]\nname = \"{name}-{library}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nlinks = \"{name}-{library}\"\n\
             [dependencies]\n{dependency}\n{crates}"
        )
    };
    let depend =
        |library: &str, path: &str| format!("{library} = {{ path = {path:?}, package = \"{name}-{library}\" }}");
    let dependencies = format!("[dependencies]\n{}", depend("kit", "kit"));
    fresh.write("Cargo.toml", manifest.replace("[dependencies]", &dependencies));
    fresh.write("assets/own.txt", "own");
    fresh.write("kit/Cargo.toml", library("kit", &depend("base", "../base")));
    fresh.write("kit/build.rs", KIT_BUILD);
    fresh.write("kit/src/lib.rs", KIT);
    fresh.write("kit/assets/ui/hello.txt", "hello");
    fresh.write("kit/assets/ui/blob.bin", [7; 300]);
    fresh.write("kit/assets/jump.curve", "5");
    fresh.write("base/Cargo.toml", library("base", ""));
    fresh.write("base/build.rs", "fn main() {\n    rres_build::import(\"assets\").library().build_or_exit();\n}\n");
    fresh.write("base/src/lib.rs", "rres_runtime::include_assets!(pub mod assets);\n");
    fresh.write("base/assets/base.txt", "base");
    fresh
}

#[track_caller]
fn prints(fresh: &Fresh, arguments: &[&str], expected: &str) -> String {
    let (out, err) = fresh.cargo(arguments);
    assert_eq!(out.trim_end(), expected, "{err}");
    err
}

#[test]
fn a_game_has_the_assets_of_its_libraries_and_of_theirs() {
    let fresh = game("with_kit");
    prints(&fresh, &["run", "-q"], "own|hello|base|5|300");
    let (_, err) = fresh.cargo(&["build", "-v"]);
    assert!(err.contains("Fresh with_kit"), "{err}");

    // An edit in a library is in the next build.
    fresh.write("kit/assets/ui/hello.txt", "good day");
    fresh.write("kit/assets/jump.curve", "6");
    for arguments in in_profiles(&["run", "-q"]) {
        prints(&fresh, &arguments, "own|good day|base|6|300");
    }

    // A file of the game replaces one of a library, and its settings apply if they name the library.
    fresh.write("assets/with_kit-kit/ui/hello.txt", "ahoy");
    fresh.write(
        "assets/assets.toml",
        "[\"**/*.txt\"]\ncompression = \"none\"\n[\"with_kit-kit/**/*.bin\"]\nlevel = 3\n",
    );
    let err = prints(&fresh, &["run"], "own|ahoy|base|6|300");
    assert!(err.contains("replaces the file of a library") && err.contains("with_kit-kit/ui/hello.txt"), "{err}");
    fs::remove_file(fresh.path("assets/with_kit-kit/ui/hello.txt")).unwrap();
    prints(&fresh, &["run", "-q"], "own|good day|base|6|300");

    // But not what the library is compiled with.
    fresh.write("assets/assets.toml", "[\"with_kit-kit/**/*.txt\"]\nkind = \"raw\"\n");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(
        err.contains("assets/assets.toml:2:1: `kind` of an asset of the library `with_kit-kit` cannot be changed"),
        "{err}"
    );
}

#[test]
fn libraries_without_the_import_cache_are_the_same() {
    let fresh = game("cacheless");
    let run = |arguments: &[&str]| {
        let mut command = fresh.building_command(cargo());
        command.env("RRES_CACHE_DIR", "off").args(arguments).arg("--offline");
        let output = command.output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for arguments in in_profiles(&["run", "-q"]) {
        let (out, err) = run(&arguments);
        assert_eq!(out.trim_end(), "own|hello|base|5|300", "{err}");
    }
}

#[test]
fn a_running_game_shows_an_edit_of_a_library() {
    let fresh = game("rekit");
    prints(&fresh, &["run", "-q"], "own|hello|base|5|300");
    let mut command = fresh.command(fresh.executable("debug"));
    let mut child = command.arg("wait").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "own|hello|base|5|300");
    fresh.write("base/assets/base.txt", "ground");
    assert_eq!(lines.next().unwrap().unwrap(), "hello|ground|5|300");
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_rules_that_a_library_is_told_to_add_are_those_of_its_own_settings_file() {
    let fresh = game("mended_kit");
    fresh.write("base/assets/sub/latin.txt", b"caf\xe9");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(
        err.contains("assets/sub/latin.txt: is not valid text") && err.contains("under [\"sub/latin.txt\"]"),
        "{err}"
    );
    let (_, rules) = err.split_once("append to assets.toml:\n").unwrap_or_else(|| panic!("{err}"));
    let rules: Vec<&str> =
        rules.lines().take_while(|line| !line.starts_with("error") && !line.starts_with("warning")).collect();
    fresh.write("base/assets/assets.toml", rules.join("\n"));
    prints(&fresh, &["run", "-q"], "own|hello|base|5|300");
}

#[test]
fn a_library_without_links_or_in_lock_mode_is_refused() {
    let fresh = game("unlinked");
    let manifest = fs::read_to_string(fresh.path("base/Cargo.toml")).unwrap();
    fresh.write("base/Cargo.toml", manifest.replace("links = \"unlinked-base\"\n", ""));
    let (_, err) = fresh.cargo(&["build"]);
    for part in ["a library with assets needs `links`", "help: add `links = \"unlinked-base-assets\"` under [package]"]
    {
        assert!(err.contains(part), "{part} in:\n{err}");
    }
    fresh.write("base/Cargo.toml", manifest);
    fresh.write("base/assets/assets.toml", "[pack]\nlock = true\n");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("a library has no lock mode"), "{err}");
}
