//! `cargo rres deps`: trees of what needs what, and the same as a graph.

use rres_format::index::GroupSpec;
use rres_format::{PackBuilder, ResourceId};
use serde_json::Value;

use super::Sandbox;
use super::packs::{raw, text};
use super::unused::{package, with_module};

/// A model with a part and a shared image, a second model, a missing image, and a group.
fn pack() -> Sandbox {
    let mut pack = PackBuilder::new();
    let id = ResourceId::from_path;
    let mut add = |path: &str, needs: &[&str]| {
        let mut resource = raw(path, path.as_bytes());
        resource.dependencies.extend(needs.iter().map(|need| id(need)));
        pack.push(resource);
    };
    add("a/fox.glb", &["a/fox.glb#image/0", "fur.png"]);
    add("a/fox.glb#image/0", &[]);
    add("b/wolf.glb", &["fur.png", "gone.png"]);
    add("fur.png", &["grain.png"]);
    add("grain.png", &[]);
    pack.push(text("alone.txt", "alone"));
    let members = vec![id("b/wolf.glb"), id("alone.txt")];
    pack.push_group(GroupSpec { name: "level".to_owned(), members });
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack.to_vec().unwrap());
    sandbox
}

/// A package with four assets. A program uses one of them.
pub(crate) fn with_code() -> Sandbox {
    let sandbox = package(None, &with_module("", "fn main() { let _ = assets::A_BIN; }"));
    let build = rres_build::import(sandbox.path("assets")).out_dir(sandbox.path("generated")).name("game").debug(false);
    build.cache_dir(sandbox.path("cache")).group("level", ["levels/**"]).crate_path("crate::rt").build().unwrap();
    sandbox
}

#[test]
fn trees_begin_with_what_nothing_needs_and_repeat_nothing() {
    let sandbox = pack();
    let gone = ResourceId::from_path("gone.png");
    let expected = format!(
        "a/fox.glb (raw)
├── a/fox.glb#image/0 (raw)
└── fur.png (raw)
    └── grain.png (raw)
group level
├── b/wolf.glb (raw)
│   ├── fur.png (raw) (*)
│   └── {gone} not in the pack
└── alone.txt (text)
"
    );
    assert_eq!(sandbox.run(["deps", "game.rres"]).success().out, expected);
    let inverted = "grain.png (raw)
└── fur.png (raw)
    ├── a/fox.glb (raw)
    └── b/wolf.glb (raw)
        └── group level
";
    assert_eq!(sandbox.run(["deps", "-i", "game.rres", "grain.png"]).success().out, inverted);
    sandbox
        .run(["deps", "game.rres", "fur.pn"])
        .failed(2, &["no resource matches \"fur.pn\"; did you mean \"fur.png\"?"]);
}

#[test]
fn the_graph_is_the_same_as_json_and_for_graphviz() {
    let sandbox = pack();
    let json: Value = serde_json::from_str(&sandbox.run(["deps", "--json", "game.rres"]).success().out).unwrap();
    let fur = json["resources"].as_array().unwrap().iter().find(|resource| resource["path"] == "fur.png").unwrap();
    assert_eq!(
        (&fur["needs"], &fur["needed_by"]),
        (&Value::from(vec!["grain.png"]), &Value::from(vec!["a/fox.glb", "b/wolf.glb"]))
    );
    assert_eq!(json["groups"][0]["members"], Value::from(vec!["b/wolf.glb", "alone.txt"]));
    let dot = sandbox.run(["deps", "--dot", "game.rres"]).success().out;
    assert!(dot.starts_with("digraph assets {\n") && dot.ends_with("}\n"), "{dot}");
    assert_eq!((dot.matches(" [label = ").count(), dot.matches(" -> ").count()), (8, 7), "{dot}");
}

#[test]
fn what_no_program_uses_is_marked() {
    let sandbox = with_code();
    let run = sandbox.run(["deps", "generated/game.rres", "--unused"]);
    let expected = "ui/b.bin (raw) not used\nui/c.bin (raw) not used\ngroup level\n└── levels/d.bin (raw) not used\n";
    assert_eq!((run.out.as_str(), run.code), (expected, 0), "{run:?}");
}

/// A chain of any length is cut off instead of being indented without end.
#[test]
fn a_long_chain_is_cut_off() {
    let mut pack = PackBuilder::new();
    for i in 0..500 {
        let mut resource = raw(&format!("{i:03}"), b"");
        resource.dependencies.push(ResourceId::from_path(&format!("{:03}", i + 1)));
        pack.push(resource);
    }
    let sandbox = Sandbox::new();
    sandbox.write("long.rres", &pack.to_vec().unwrap());
    let out = sandbox.run(["deps", "long.rres", "000"]).success().out;
    assert!(out.lines().count() < 100 && out.trim_end().ends_with("└── …"), "{out}");
}

/// A pack that is cut off within its index looks like one of another program.
#[test]
fn a_damaged_pack_is_not_one_of_another_program() {
    let sandbox = pack();
    let bytes = sandbox.read("game.rres");
    sandbox.write("cut.rres", &bytes[..100]);
    let run = sandbox
        .run(["deps", "cut.rres"])
        .failed(1, &["error[file-truncated]: cut.rres: the file is cut off at 100 of"]);
    assert!(!run.err.contains("front index"), "{}", run.err);
    // What its index says is shown, as long as the index exists.
    sandbox.write("cut.rres", &bytes[..bytes.len() - 200]);
    let run = sandbox.run(["deps", "cut.rres"]).failed(1, &["cut off"]);
    assert!(run.out.contains("└── fur.png (raw)"), "{}", run.out);
}
