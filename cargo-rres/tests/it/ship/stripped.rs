//! `--strip-unused`: the shipped program opens packs without what it does not name, and says so of an asset that is left out.

use std::fs;
use std::process::Command;

use rres_test_support::fresh::Fresh;
use serde_json::json;

use super::game::ship as ship_game;
use super::{line_of, project_directory};

/// Names one asset by its constant, one by a group, one by its path, and one by a path that is made at run time.
const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = assets::open()?;
    let _level = store.load_group(assets::groups::LEVEL).wait()?;
    let found = store.find_typed::<rres_runtime::Text>("by_path.txt")?;
    print!("{} {}", store.load(assets::USED_TXT)?.get().as_str(), store.load(found)?.get().as_str());
    // Who made an asset is no use of it.
    let credited = assets::credits().iter().flat_map(|credit| credit.assets);
    assert_eq!(credited.filter(|path| path.ends_with(".txt") && !path.contains('\u{1}')).count(), 7);
    let number = std::env::args().count();
    match store.find(&format!("number{number}.txt")) {
        Ok(_) => println!(" found"),
        Err(error) => println!(" {error}"),
    }
    Ok(())
}
"#;

#[test]
#[ignore = "long: compiles everything for release"]
fn the_program_opens_packs_without_what_it_does_not_name() {
    let (_lock, dir) = project_directory();
    let game = Fresh::at(dir, "stripped_game", &["engine", "licenses"], MAIN);
    let settings = "[pack]\nlocales = [\"en\", \"de\"]\ncredits = true\n[group.level]\ninclude = [\"level/**\"]\n\
                    [\"{gone*,level/*}\"]\nauthor = \"A. Writer\"\nlicense = \"CC-BY-4.0\"\n";
    game.write("assets/assets.toml", settings);
    for (path, text) in [
        ("used.txt", "used"),
        ("used.de.txt", "benutzt"),
        ("level/a.txt", "a"),
        ("by_path.txt", "path"),
        ("number1.txt", "number"),
        ("gone.txt", "gone"),
        ("gone.de.txt", "weg"),
    ] {
        game.write(&format!("assets/{path}"), text);
    }
    let ship = |options: &[&str]| {
        let arguments = [&["--strip-unused"], options].concat();
        let (report, _) = ship_game(&game, &arguments);
        let left_out = report["left_out"].as_array().unwrap().iter().map(|asset| asset["path"].clone());
        (left_out.collect::<serde_json::Value>(), report["programs"][0].as_str().unwrap().to_owned())
    };
    let (left_out, program) = ship(&[]);
    assert_eq!(left_out, json!(["gone.de.txt", "gone.txt", "number1.txt"]));
    let line = line_of(Command::new(&program));
    assert!(line.starts_with("used path no asset at \"number1.txt\": the pack was shipped without"), "{line}");
    let credits = fs::read_to_string(game.path("dist/stripped_game/CREDITS.txt")).unwrap();
    assert!(credits.contains("A. Writer") && credits.contains("level/a.txt") && !credits.contains("gone"), "{credits}");
    let pack = game.path("dist/stripped_game/stripped_game.rres");
    assert!(!fs::read(&pack).unwrap().windows(8).any(|bytes| bytes == b"gone.txt"));
    // In the executable, and with one that is loaded by name.
    let (left_out, program) = ship(&["--single", "--keep", "number*.txt"]);
    assert_eq!(left_out, json!(["gone.de.txt", "gone.txt"]));
    assert_eq!(line_of(Command::new(&program)), "used path found");
}
