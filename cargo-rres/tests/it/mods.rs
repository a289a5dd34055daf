//! `cargo rres mods`: the report of a folder of mods, and mods that are made from the kit alone.

use std::fs;

use rres_format::{PackBuilder, ResourceId};
use serde_json::Value;

use super::packs::text;
use super::page::{check_fields, page, sections};
use super::{Run, Sandbox};

/// The value that a run has printed, without the version that all have.
fn json(run: &Run) -> Value {
    let mut json: Value = serde_json::from_str(&run.out).unwrap();
    json.as_object_mut().unwrap().remove("schema_version");
    json
}

/// A game, its kit, and two mods that were made from the kit and change the same picture.
fn modded() -> Sandbox {
    let sandbox = Sandbox::new();
    let bmp = |color| rres_test_data::picture::plain_bmp(8, 8, [color; 3]);
    sandbox.write(
        "assets/assets.toml",
        b"[\"levels/*\"]\nimage = { filter = \"nearest\" }\n[group.menu]\ninclude = [\"ui/**\"]\n",
    );
    sandbox.write("assets/levels/grass.bmp", &bmp(10));
    sandbox.write("assets/ui/logo.bmp", &bmp(20));
    sandbox.write("assets/plot.txt", b"the butler did it");
    sandbox.run(["pack", "assets", "-o", "game.rres"]).success();
    let kit = ["mods", "kit", "game.rres", "--game", "lantern", "--game-version", "1.4.0", "-o", "kit"];
    let out = sandbox.run(kit).success().out;
    assert!(out.ends_with("lists 3 assets, and contains none\n"), "{out}");
    for (id, color, rest) in [("snow", 30, ""), ("winter", 40, "after = [\"snow\"]")] {
        for file in ["mod.toml", "assets.toml"] {
            let template = String::from_utf8(sandbox.read(&format!("kit/template/{file}"))).unwrap();
            let text =
                template.replace("my-mod", id).replace("after = []", if rest.is_empty() { "after = []" } else { rest });
            sandbox.write(&format!("{id}/{file}"), text.as_bytes());
        }
        sandbox.write(&format!("{id}/levels/grass.bmp"), &bmp(color));
        sandbox.run(["pack", id, "-o", &format!("mods/{id}.rres")]).success();
    }
    sandbox
}

#[test]
fn two_mods_of_one_asset_are_both_named_with_the_winner() {
    let sandbox = modded();
    let out = sandbox
        .run(["mods", "mods", "--base", "game.rres", "--game", "lantern", "--game-version", "1.4.2"])
        .success()
        .out;
    let expected = "\
ORDER  MOD     VERSION  NAME    FILE
    1  snow    0.1.0    My mod  mods/snow.rres
    2  winter  0.1.0    My mod  mods/winter.rres

ASSET             KIND   IN THE GAME  MODS          WINNER
levels/grass.bmp  image  yes          snow, winter  winter

2 mods, 1 conflict, 0 faults
";
    assert_eq!(out.replace('\\', "/"), expected);
    let json: Value = serde_json::from_str(&sandbox.run(["mods", "mods", "--json"]).success().out).unwrap();
    assert_eq!(json["assets"][0]["mods"], serde_json::json!(["snow", "winter"]));
    assert_eq!((&json["assets"][0]["winner"], &json["conflict_count"]), (&"winter".into(), &1.into()));
    let off = sandbox.run(["mods", "mods", "--disable", "winter"]).success().out;
    assert!(off.contains("off  winter") && off.ends_with("1 mod, 0 conflicts, 0 faults\n"), "{off}");
}

#[test]
fn faults_are_named_and_lead_to_exit_code_1() {
    let sandbox = modded();
    sandbox.write("mods/broken.rres", b"rres?");
    fs::copy(sandbox.path("game.rres"), sandbox.path("mods/game.rres")).unwrap();
    let run = sandbox.run(["mods", "mods", "--game", "lantern", "--game-version", "2.0.0"]);
    let parts = [
        "broken.rres: cannot be opened",
        "game.rres: has no mod.toml",
        "the mod snow is left out: it is for the versions ^1.4.0",
    ];
    let run = run.failed(1, &parts);
    assert!(run.out.ends_with("0 mods, 0 conflicts, 4 faults\n"), "{}", run.out);
    let json: Value = serde_json::from_str(&sandbox.run(["mods", "mods", "--json"]).out).unwrap();
    let codes: Vec<&str> =
        json["faults"].as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["unreadable", "no-manifest"]);
    std::fs::create_dir(sandbox.path("none")).unwrap();
    assert_eq!(sandbox.run(["mods", "none"]).success().out, "0 mods, 0 conflicts, 0 faults\n");
    sandbox.run(["mods", "gone"]).failed(2, &["no such directory"]);
    sandbox.run(["mods", "mods", "--game", "lantern"]).failed(2, &["--game-version"]);
}

#[test]
fn a_kit_lists_assets_and_settings_and_has_no_contents() {
    let sandbox = modded();
    let table = String::from_utf8(sandbox.read("kit/assets.md")).unwrap();
    assert!(table.contains("| levels/grass.bmp | image | 8 × 8 pixels |  |\n"), "{table}");
    assert!(table.contains("| ui/logo.bmp | image | 8 × 8 pixels | menu |\n"), "{table}");
    let settings = String::from_utf8(sandbox.read("kit/template/assets.toml")).unwrap();
    assert!(settings.contains("\n# [\"levels/grass.bmp\"]\n# image = { filter = \"nearest\" }\n"), "{settings}");
    let json: Value = serde_json::from_slice(&sandbox.read("kit/assets.json")).unwrap();
    assert_eq!(json["assets"][0]["facts"], serde_json::json!({ "format": "RGB8", "height": 8, "width": 8 }));
    let mut files: Vec<String> = Vec::new();
    for dir in ["kit", "kit/template"] {
        let entries = fs::read_dir(sandbox.path(dir)).unwrap().map(|entry| entry.unwrap());
        let names = entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
        files.extend(names.map(|name| format!("{dir}/{}", name.to_str().unwrap())));
    }
    files.sort();
    assert_eq!(
        files,
        ["kit/README.md", "kit/assets.json", "kit/assets.md", "kit/template/assets.toml", "kit/template/mod.toml"]
    );
    for file in files {
        assert!(!String::from_utf8(sandbox.read(&file)).unwrap().contains("butler"), "{file}");
    }
    // Nothing is replaced, and nothing is left behind.
    sandbox.run(["mods", "kit", "game.rres", "--game", "lantern", "-o", "kit"]).failed(2, &["it exists"]);
    sandbox.run(["mods", "kit", "game.rres", "--game", "My Game", "-o", "kit2"]).failed(2, &["small letters"]);
    assert!(!sandbox.path("kit2").exists());
}

#[test]
fn every_json_field_is_documented() {
    let sandbox = modded();
    let manifest = "id = \"odd\"\nname = \"Odd\"\nversion = \"1.0.0\"\nauthors = [\"Ada\"]\ngame = \"lantern\"\n";
    let mut odd = PackBuilder::new().directory(false);
    odd.push(text("mod.toml", manifest));
    let mut pathless = text("", "no path");
    pathless.id = ResourceId(5);
    odd.push(pathless);
    sandbox.write("mods/odd.rres", &odd.to_vec().unwrap());
    sandbox.write("mods/none.rres", b"rres?");
    let all = json(&sandbox.run(["mods", "mods", "--json"]));
    let wrong = json(&sandbox.run(["mods", "mods", "--game", "torch", "--game-version", "1.0.0", "--json"]));
    let page = page();
    let sections = sections(&page);
    check_fields(&sections, "`cargo rres mods`", &[all, wrong]);
    let kit = sandbox.run(["mods", "kit", "game.rres", "--game", "lantern", "-o", "deep/kit", "--json"]).success();
    check_fields(&sections, "`cargo rres mods kit`", &[json(&kit)]);
    let of_odd = json(&sandbox.run(["fingerprint", "mods/odd.rres", "--json"]).success());
    check_fields(&sections, "`cargo rres fingerprint`", &[of_odd]);
}

#[test]
fn a_picture_of_an_atlas_is_replaced_by_the_settings_of_the_kit() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/assets.toml", b"[\"icons/*\"]\nimage = { atlas = \"icons\" }\n");
    sandbox.write("assets/icons/coin.bmp", &rres_test_data::picture::plain_bmp(8, 6, [1; 3]));
    sandbox.write("assets/icons/life.bmp", &rres_test_data::picture::plain_bmp(8, 6, [2; 3]));
    sandbox.run(["pack", "assets", "-o", "game.rres"]).success();
    sandbox.run(["mods", "kit", "game.rres", "--game", "lantern", "-o", "kit"]).success();
    let table = String::from_utf8(sandbox.read("kit/assets.md")).unwrap();
    assert!(table.contains("| icons/coin.bmp | sprite | 8 × 6 pixels |"), "{table}");
    let settings = String::from_utf8(sandbox.read("kit/template/assets.toml")).unwrap();
    let own = "[\"icons/coin.bmp\"]\nimage = { atlas = \"my-mod\" }\n";
    assert!(settings.contains(&own.replace("[\"", "# [\"").replace("image", "# image")), "{settings}");
    sandbox.write("my-mod/mod.toml", &sandbox.read("kit/template/mod.toml"));
    sandbox.write("my-mod/assets.toml", own.as_bytes());
    sandbox.write("my-mod/icons/coin.bmp", &rres_test_data::picture::plain_bmp(8, 6, [3; 3]));
    sandbox.run(["pack", "my-mod", "-o", "mods/my-mod.rres"]).success();
    let out = sandbox.run(["mods", "mods", "--base", "game.rres", "--all"]).success().out;
    assert!(out.contains("icons/coin.bmp  sprite  yes"), "{out}");
    // Without the setting, it is an image, which cannot be drawn as a sprite.
    std::fs::remove_file(sandbox.path("my-mod/assets.toml")).unwrap();
    sandbox.run(["pack", "my-mod", "-o", "mods/my-mod.rres"]).success();
    let expected = "its icons/coin.bmp (image) would replace icons/coin.bmp (sprite) of the game";
    sandbox.run(["mods", "mods", "--base", "game.rres"]).failed(1, &[expected]);
}
