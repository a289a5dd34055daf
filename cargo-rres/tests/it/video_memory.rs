//! Video memory in the listings of the command: of assets, of groups, of targets.

use rres_test_data::picture::plain_bmp;
use serde_json::Value;

use super::Sandbox;

/// An atlas in a group, an image of its own, and a text.
fn assets() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["a", "b"] {
        sandbox.write(&format!("assets/ui/{name}.bmp"), &plain_bmp(30, 30, [name.as_bytes()[0], 0, 0]));
    }
    sandbox.write("assets/sky.bmp", &plain_bmp(64, 32, [1, 2, 3]));
    sandbox.write("assets/a.txt", b"text");
    let rules = b"[\"ui/*\"]\nimage = { atlas = \"ui\" }\n[\"sky.bmp\"]\nimage.mipmaps = true\n[group.ui]\ninclude = \"ui/*\"\n";
    sandbox.write("assets/assets.toml", rules);
    sandbox
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    serde_json::from_str(&sandbox.run(args).success().out).unwrap()
}

#[test]
fn ls_info_report_and_build_have_the_same_figures() {
    let sandbox = assets();
    let built = json(&sandbox, &["build", "assets", "-o", "game.rres", "--json"]);
    let listed = json(&sandbox, &["ls", "game.rres", "--json"]);
    let report = json(&sandbox, &["report", "game.rres", "--json"]);
    let sum: u64 = listed["resources"].as_array().unwrap().iter().map(|of| of["video_memory"].as_u64().unwrap()).sum();
    assert_eq!((&built["video_memory"], &report["video_memory"]), (&sum.into(), &sum.into()));
    let sky = 4 * (0..7).map(|level| (64 >> level) * (32u64 >> level).max(1)).sum::<u64>();
    assert_eq!(json(&sandbox, &["info", "game.rres", "sky.bmp", "--json"])["video_memory"], sky);
    // The group is the page that its sprites need.
    let group = &listed["groups"][0];
    assert_eq!(
        (&group["name"], &group["count"], &group["video_memory"]),
        (&"ui".into(), &3.into(), &(sum - sky).into())
    );
    assert_eq!(report["groups"], listed["groups"]);
    let by_size = sandbox.run(["ls", "game.rres", "--sort", "vram"]).success().out;
    assert!(by_size.contains("VRAM") && by_size.lines().nth(1).unwrap().starts_with("sky.bmp"), "{by_size}");
    assert!(by_size.contains("GROUP") && by_size.lines().last().unwrap().starts_with("ui "), "{by_size}");
    let info = sandbox.run(["info", "game.rres", "sky.bmp"]).success().out;
    assert!(info.contains("video memory  10.9 kB"), "{info}");
}

/// The index of a debug build has no pixels, and a chunk that cannot be decoded says nothing.
#[test]
fn what_is_not_known_is_null() {
    let sandbox = assets();
    sandbox.run(["build", "assets", "-o", "out", "--debug"]).success();
    let listed = json(&sandbox, &["ls", "out/assets.dev.rres", "--json"]);
    let sky = listed["resources"].as_array().unwrap().iter().find(|of| of["path"] == "sky.bmp").unwrap();
    assert_eq!((&sky["video_memory"], &listed["totals"]["image"]["video_memory"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_report_shows_budgets_of_video_memory() {
    let sandbox = assets();
    let mut rules = std::fs::read(sandbox.path("assets/assets.toml")).unwrap();
    rules.extend(b"vram = \"20 kB\"\n[budget]\nvram = 19000\ntotal = \"1 MB\"\n");
    sandbox.write("assets/assets.toml", &rules);
    let report: Value =
        serde_json::from_str(&sandbox.run(["report", "assets", "--json"]).failed(1, &["vram"]).out).unwrap();
    let budgets = report["budgets"].as_array().unwrap();
    let facts: Vec<_> =
        budgets.iter().map(|of| (of["rule"].as_str().unwrap(), of["measure"].as_str().unwrap())).collect();
    assert_eq!(facts, [("group.ui.vram", "video_memory"), ("vram", "video_memory"), ("total", "stored_size")]);
    assert!(
        budgets[1]["largest"][0]["video_memory"].is_number() && budgets[2]["largest"][0]["stored_size"].is_number()
    );
}
