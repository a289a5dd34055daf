//! `cargo rres fingerprint`: the same value as the running game, a debug build that has its assets loose included.

use serde_json::Value;

use rres_test_support::fresh::Fresh;

use super::Sandbox;

const MAIN: &str = r#"
rres_runtime::include_assets!();

use rres_runtime::fingerprint::Coverage;

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    println!("{}", store.fingerprint(&Coverage::all())?);
    println!("{}", store.fingerprint(&Coverage::all().group(assets::groups::MENU.name()))?);
    Ok(())
}
"#;

const SETTINGS: &str = "[group.menu]\ninclude = [\"ui/**\"]\n[\"ui/**\"]\nimage = { filter = \"nearest\" }\n";

#[test]
fn a_debug_game_and_the_command_compute_the_same_of_the_same_sources() {
    let fresh = Fresh::new("fingerprinted", MAIN);
    fresh.write("assets/assets.toml", SETTINGS);
    fresh.write("assets/note.txt", "a note ".repeat(300));
    fresh.write("assets/ui/dot.bmp", rres_test_data::picture::plain_bmp(40, 30, [7, 8, 9]));
    let (out, err) = fresh.cargo(&["run", "-q"]);
    let of_game: Vec<&str> = out.lines().collect();
    assert_eq!(of_game.len(), 2, "{err}");
    let sandbox = Sandbox::new();
    let assets = fresh.path("assets");
    let pack = |settings: &str, name: &str| {
        fresh.write("assets/assets.toml", format!("{settings}{SETTINGS}"));
        sandbox.run(["pack".as_ref(), assets.as_os_str(), "-o".as_ref(), name.as_ref()]).success();
    };
    let fingerprint = |args: &[&str]| {
        let out = sandbox.run([&["fingerprint"], args].concat()).success().out;
        out.split_whitespace().next().unwrap().to_owned()
    };
    for (number, settings) in
        ["", "[pack]\ncompression = \"none\"\n", "[pack]\nsplit = \"4 KiB\"\ncompression = \"none\"\n"]
            .iter()
            .enumerate()
    {
        let name = format!("{number}.rres");
        pack(settings, &name);
        assert_eq!(fingerprint(&[&name]), of_game[0], "{settings}");
        assert_eq!(fingerprint(&[&name, "--group", "menu"]), of_game[1], "{settings}");
    }
    // A byte of a source changes.
    fresh.write("assets/note.txt", "a note ".repeat(300).replacen("note", "nose", 1));
    pack("", "changed.rres");
    assert_ne!(fingerprint(&["changed.rres"]), of_game[0]);
    assert_eq!(fingerprint(&["changed.rres", "--kind", "image"]), fingerprint(&["0.rres", "--kind", "image"]));
}

#[test]
fn mods_count_and_details_name_each_asset() {
    let sandbox = Sandbox::new();
    for (dir, text) in [("game", "game"), ("mod", "mod")] {
        sandbox.write(&format!("{dir}/a.txt"), text.as_bytes());
        sandbox.run(["pack", dir, "-o", &format!("{dir}.rres")]).success();
    }
    let run = |args: &[&str]| sandbox.run([&["fingerprint"], args].concat());
    let [game, both, mods] =
        [&["game.rres"][..], &["game.rres", "mod.rres"], &["game.rres", "mod.rres", "--mods-only"]]
            .map(|args| run(args).success().out);
    assert_ne!(game, both);
    assert_eq!(both, mods);
    assert!(both.ends_with("  1 asset\n"), "{both}");
    let details = run(&["game.rres", "--details"]).success().out;
    assert!(details.contains("PATH   ID          KIND  CONTENTS"), "{details}");
    let json: Value = serde_json::from_str(&run(&["game.rres", "--json"]).success().out).unwrap();
    assert!(game.starts_with(json["fingerprint"].as_str().unwrap()));
    assert_eq!(json["assets"][0]["path"], "a.txt");
    run(&["game.rres", "--group", "menu"]).failed(2, &["menu"]);
    run(&["game.rres", "--kind", "picture"]).failed(2, &["expected a kind of asset: raw, text, image"]);
    run(&["gone.rres"]).failed(2, &["gone.rres"]);
    let mut damaged = sandbox.read("game.rres");
    let at = damaged.windows(4).rposition(|window| window == b"game").unwrap();
    damaged[at] ^= 1;
    sandbox.write("damaged.rres", &damaged);
    run(&["damaged.rres"]).failed(1, &["a.txt"]);
}
