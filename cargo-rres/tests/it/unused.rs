//! `cargo rres unused` on packages whose assets module comes from `rres-build`, with a stub of the runtime.

use std::path::Path;

use super::Sandbox;

/// What the stub of the runtime needs around it.
const AROUND: &str = "
fn crc32(path: &str) -> u32 { path.len() as u32 }
#[allow(dead_code, unreachable_pub)] pub mod phf {
    pub struct Map<K: 'static, V: 'static> { pub key: u64, pub disps: &'static [(u32, u32)], pub entries: &'static [(K, V)] }
    impl<K: PartialEq, V> Map<K, V> {
        pub fn get(&self, key: &K) -> Option<&V> { self.entries.iter().find(|entry| entry.0 == *key).map(|entry| &entry.1) }
    }
}
#[allow(dead_code, unreachable_pub)] mod rt { include!(\"runtime.rs\"); }
";

/// A package with four assets and a group, whose build script only copies the module.
pub(crate) fn package(library: Option<&str>, main: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    for path in ["a.bin", "ui/b.bin", "ui/c.bin", "levels/d.bin"] {
        sandbox.write(&format!("assets/{path}"), path.as_bytes());
    }
    rres_build::import(sandbox.path("assets"))
        .out_dir(sandbox.path("generated"))
        .cache_dir(sandbox.path("cache"))
        .crate_path("crate::rt")
        .group("level", ["levels/**"])
        .build()
        .unwrap();
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/codegen/tests/snapshots/runtime.rs");
    sandbox.write("src/runtime.rs", &std::fs::read(stub).unwrap());
    sandbox.write("Cargo.toml", b"[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    let copy = "std::fs::copy(\"generated/assets.rs\", std::env::var(\"OUT_DIR\").unwrap() + \"/assets.rs\").unwrap();";
    sandbox.write("build.rs", format!("fn main() {{ {copy} }}").as_bytes());
    sandbox.write("src/main.rs", main.as_bytes());
    if let Some(library) = library {
        sandbox.write("src/lib.rs", library.as_bytes());
    }
    sandbox
}

pub(crate) fn with_module(visibility: &str, code: &str) -> String {
    let include = "include!(concat!(env!(\"OUT_DIR\"), \"/assets.rs\"));";
    format!("{AROUND}\n#[allow(dead_code, unreachable_pub)] {visibility} mod assets {{ {include} }}\n{code}")
}

#[test]
fn what_no_program_of_the_package_uses_is_listed() {
    let sandbox = package(None, &with_module("", "fn main() { let _ = assets::A_BIN; }"));
    // Another program uses another asset.
    let second = with_module("", "fn main() { let _ = assets::ui::B_BIN; }").replace("runtime.rs", "../runtime.rs");
    sandbox.write("src/bin/second.rs", second.as_bytes());
    let run = sandbox.run(["unused"]);
    let expected = "game, module assets: 2 of 4 assets not used
  levels/d.bin  assets::levels::D_BIN
  ui/c.bin  assets::ui::C_BIN
  group level not used
";
    assert_eq!((run.out.as_str(), run.code), (expected, 0), "{run:?}");
    // It takes as long as the game compiles, so this is said, and Cargo shows what it does.
    let note = "note: compiling game to ask the compiler which assets it uses\n";
    assert!(run.err.starts_with(note) && run.err.contains("   Compiling game v0.1.0"), "{run:?}");
    assert_eq!(sandbox.run(["unused", "--check"]).code, 1);
    let json: serde_json::Value = serde_json::from_str(&sandbox.run(["unused", "--json"]).out).unwrap();
    assert_eq!(json["modules"][0]["unused"][1]["constant"], "ui::C_BIN");
    assert_eq!((&json["modules"][0]["asset_count"], &json["modules"][0]["exported"]), (&4.into(), &false.into()));
    sandbox.run(["build", "assets", "-o", "game.rres"]).success();
    let report: serde_json::Value =
        serde_json::from_str(&sandbox.run(["report", "game.rres", "--unused", "--json"]).out).unwrap();
    assert_eq!(report["unused"], serde_json::json!(["levels/d.bin", "ui/c.bin"]));

    sandbox.write(
        "src/main.rs",
        with_module("", "fn main() { let _ = (assets::A_BIN, assets::groups::LEVEL, assets::ui::ALL); }").as_bytes(),
    );
    let run = sandbox.run(["unused", "--check"]);
    assert_eq!((run.out.as_str(), run.code), ("game, module assets: all of 4 assets are used\n", 0), "{run:?}");
}

#[test]
fn for_an_exported_module_the_sources_of_the_workspace_count() {
    let main = "fn main() { let _ = (game::assets::A_BIN, game::assets::groups::LEVEL); }";
    let sandbox = package(Some(&with_module("pub", "")), main);
    let run = sandbox.run(["unused"]);
    let expected = "game, module assets: 2 of 4 assets not used
  ui/b.bin  assets::ui::B_BIN
  ui/c.bin  assets::ui::C_BIN
  the library exports this module: what a source file of the workspace names counts as used
";
    assert_eq!(run.out, expected, "{run:?}");
    sandbox.write("src/main.rs", main.replace("game::assets::A_BIN", "game::assets::ui::ALL").as_bytes());
    assert!(sandbox.run(["unused"]).out.contains("1 of 4 assets not used\n  a.bin "));
}

#[test]
fn a_package_that_does_not_compile_or_has_no_assets_is_an_error() {
    let sandbox = package(None, &with_module("", "fn main() { let _ = assets::NONE; }"));
    let run = sandbox.run(["unused"]);
    assert!(run.code == 1 && run.err.contains("error: game does not compile:\nerror[E0425]: "), "{run:?}");
    assert!(run.err.contains("assets::NONE") && !run.err.contains("aborting due to"), "{run:?}");
    sandbox.write("build.rs", b"fn main() { println!(\"cargo::error=a.png: is not a PNG\"); }");
    let run = sandbox.run(["unused"]);
    let is_above =
        run.err.contains("a.png: is not a PNG") && run.err.ends_with("error: game does not compile; see above\n");
    assert!(run.code == 1 && is_above, "{run:?}");
    std::fs::remove_file(sandbox.path("build.rs")).unwrap();
    let run = sandbox.run(["unused"]);
    assert!(run.code == 2 && run.err.contains("game generates no assets module; see `cargo rres init`"), "{run:?}");
}
