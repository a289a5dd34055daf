//! A fresh crate whose data has types that its build script shares, from the text to the running game.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rres_test_support::fresh::{Fresh, in_profiles};
use rres_test_support::wait;

/// What build script and game share.
const LEVEL: &str = r#"
use serde::{Deserialize, Serialize};

use super::{Id, Text};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    pub name: String,
    pub gravity: f32,
    pub intro: Id<Text>,
    #[serde(default)]
    pub waves: Vec<Wave>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Wave {
    Bats(u32),
    Boss { name: String, line: Id<Text> },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Prices(pub Vec<Price>);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Price {
    pub item: String,
    pub coins: u16,
}
"#;

const BUILD: &str = r#"
use rres_build::data::{Id, Text};

#[path = "src/level.rs"]
mod level;

fn main() {
    rres_build::import("assets")
        .data::<level::Level>("crate::level::Level", "levels/*.toml")
        .data::<level::Level>("crate::level::Level", "levels/*.json")
        .data::<level::Prices>("crate::level::Prices", "prices.csv")
        .build_or_exit();
}
"#;

/// Prints the levels, and each new value of the first until its input ends.
const MAIN: &str = r#"
rres_runtime::include_assets!();

use rres_runtime::{Handle, Id, Store, Text};

mod level;

use level::{Level, Prices, Wave};

fn show(store: &Store, level: &Level) -> Result<(), rres_runtime::Error> {
    print!("{} {} {}", level.name, level.gravity, store.load(level.intro)?.get().as_str());
    for wave in &level.waves {
        match wave {
            Wave::Bats(count) => print!(" {count} bats"),
            Wave::Boss { name, line } => print!(" {name} {}", store.load(*line)?.get().as_str()),
        }
    }
    println!();
    Ok(())
}

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let first: Handle<Level> = store.load(assets::levels::_1_TOML)?;
    show(&store, &first.get())?;
    show(&store, &store.load(assets::levels::_2_JSON)?.get())?;
    let prices: Handle<Prices> = store.load(assets::PRICES_CSV)?;
    println!("{:?}", prices.get().0.iter().map(|price| (&*price.item, price.coins)).collect::<Vec<_>>());
    if std::env::args().len() == 1 {
        return Ok(());
    }
    let mut first = first.watch();
    println!("ready");
    let (sender, end) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new())));
    while end.try_recv().is_err() {
        if let Some(level) = first.changed() {
            show(&store, &level)?;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(())
}
"#;

const FIRST: &str = "name = \"caves\"\ngravity = 9.5\nintro = \"texts/in.txt\"\nwaves = [{ Bats = 3 }]\n";

fn with_levels(fresh: Fresh) -> Fresh {
    let manifest = std::fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    let serde = "serde = { version = \"1\", features = [\"derive\"] }\n";
    let manifest = manifest.replace("[\"hot-reload\"]", "[\"data\", \"hot-reload\"]");
    let manifest = manifest.replace("[dependencies]\n", &format!("[dependencies]\n{serde}"));
    fresh.write("Cargo.toml", manifest.replace("[build-dependencies]\n", &format!("[build-dependencies]\n{serde}")));
    fresh.write("build.rs", BUILD);
    fresh.write("src/level.rs", LEVEL);
    fresh.write("assets/texts/in.txt", "go in");
    fresh.write("assets/texts/roar.txt", "roar");
    fresh.write("assets/levels/1.toml", FIRST);
    let second = r#"{ "name": "hall", "gravity": 1, "intro": "texts/in.txt",
        "waves": [{ "Boss": { "name": "golem", "line": "texts/roar.txt" } }] }"#;
    fresh.write("assets/levels/2.json", second);
    fresh.write("assets/prices.csv", "item,coins\nrope,5\n\"big, red key\",120\n");
    fresh
}

const SHOWN: &str = "caves 9.5 go in 3 bats\nhall 1 go in golem roar\n[(\"rope\", 5), (\"big, red key\", 120)]\n";

#[test]
fn a_game_loads_data_that_the_build_has_checked() {
    let fresh = with_levels(Fresh::new("levels", MAIN));
    for arguments in in_profiles(&["run", "-q"]) {
        let (out, err) = fresh.cargo(&arguments);
        assert_eq!(out, SHOWN, "{err}");
    }

    // The running game shows an edit, and keeps the last good value while the file does not fit the type.
    let mut command = fresh.command(fresh.executable("debug"));
    let mut game = command.arg("watch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(game.stdout.take().unwrap());
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let expect = |wanted: &str| loop {
        let line = wait::receive(&lines);
        assert!(!line.contains("nonsense"), "{line}");
        if line == wanted {
            return;
        }
    };
    expect("ready");
    fresh.write("assets/levels/1.toml", FIRST.replace("9.5", "\"nonsense\""));
    fresh.write("assets/levels/1.toml", FIRST.replace("9.5", "4.25").replace("in.txt", "roar.txt"));
    expect("caves 4.25 roar 3 bats");
    drop(game.stdin.take());
    assert!(game.wait().unwrap().success());

    // Another type reads the same files anew, although none of them has changed.
    fresh.write("assets/levels/1.toml", FIRST);
    fresh.write("src/level.rs", LEVEL.replace("pub gravity: f32", "pub gravity: f64"));
    let (out, err) = fresh.cargo(&["run", "-q"]);
    assert_eq!(out, SHOWN, "{err}");

    // Mistakes are error lines of Cargo with their place.
    let fails = |file: &str, text: &str, expected: &str| {
        let before = std::fs::read(fresh.path(file)).unwrap();
        fresh.write(file, text);
        let (_, err) = fresh.cargo(&["build"]);
        assert!(err.contains(expected), "{err}");
        fresh.write(file, before);
    };
    let first = "assets/levels/1.toml";
    fails(first, &FIRST.replace("9.5", "\"low\""), "levels/1.toml:2:11: invalid type: string \"low\", expected f64");
    fails(first, &format!("{FIRST}speed = 1\n"), "levels/1.toml:5:1: unknown field `speed`");
    fails(
        first,
        &FIRST.replace("texts/in.txt", "texts/out.txt"),
        "levels/1.toml:3:10: depends on \"texts/out.txt\", which is not an asset",
    );
    fails(
        first,
        &FIRST.replace("texts/in.txt", "levels/2.json"),
        "levels/1.toml:3:10: refers to \"levels/2.json\" as text, but that file becomes data (crate::level::Level)",
    );
    fails("assets/prices.csv", "item,coins\nrope,70000\n", "prices.csv:2:6: expected u16, found \"70000\"");
}

#[test]
#[ignore = "long: compiles everything with other features"]
fn a_game_without_the_feature_does_not_compile() {
    let fresh = with_levels(Fresh::with_features("featureless", &["data"], MAIN));
    let manifest = std::fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    fresh.write("Cargo.toml", manifest.replace("[\"data\", \"hot-reload\"]", "[\"json\", \"hot-reload\"]"));
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("run `cargo add rres-runtime --features data`"), "{err}");
}

#[test]
fn a_game_that_expects_another_type_does_not_compile() {
    let fresh = with_levels(Fresh::new("wronglevels", MAIN));
    fresh.write(
        "src/main.rs",
        MAIN.replace(
            "Handle<Prices> = store.load(assets::PRICES_CSV)",
            "Handle<Level> = store.load(assets::PRICES_CSV)",
        ),
    );
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("expected `Handle<Level>`, found `Handle<Prices>`"), "{err}");
}
