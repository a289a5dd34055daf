//! `cargo rres explain`: what it prints about assets, about files that are left out, and about those that do not exist.

use rres_test_data::picture::png;
use rres_test_support::fresh::Fresh;

use super::Sandbox;

/// Files of every standing, in `assets`.
pub(crate) const FILES: &[&str] = &[
    "a.png",
    "box/box.gltf",
    "box/box.bin",
    "skin.list",
    "draw.svg",
    "notes.psd",
    ".hidden.txt",
    "assets.toml",
    "bad.txt",
    "odd.lua",
];

const SETTINGS: &str = r#"[pack]
compression = "lz4"
["**/*.png"]
image = { mipmaps = true }
["a.png"]
image = { mipmaps = false }
max_size = 10
["*.psd"]
ignore = true
["odd.lua"]
kind = "raw"
level = 50
[group.menu]
include = "a.png"
[target.'cfg(all())'."a.png"]
notes = true
max_growth = 500
["a.pn?"]
max_growth = 600
"#;

const MODEL: &str = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"box.bin"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
    "images":[{"uri":"../skin.list"}],"textures":[{"source":0}],
    "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
    "nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}"#;

/// 2 × 2 pixels without a pattern.
const PIXELS: [u8; 16] = [9, 1, 8, 2, 7, 3, 6, 4, 250, 90, 17, 61, 33, 5, 77, 201];

/// A package without a build script.
pub(crate) fn with_everything() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", b"[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    sandbox.write("src/main.rs", b"fn main() {\n    draw(assets::A_PNG);\n    other::A_PNG;\n}\n");
    sandbox.write("assets/a.png", &png(2, 2, &PIXELS));
    sandbox.write("assets/box/box.gltf", MODEL.as_bytes());
    sandbox.write("assets/box/box.bin", &[0; 36]);
    sandbox.write("assets/skin.list", b"a texture");
    sandbox.write("assets/draw.svg", b"<svg/>");
    sandbox.write("assets/notes.psd", b"8BPS");
    sandbox.write("assets/.hidden.txt", b"hidden");
    sandbox.write("assets/bad.txt", b"\xff\xff\xff\x81");
    sandbox.write("assets/odd.lua", b"return 1");
    sandbox.write("assets/assets.toml", SETTINGS.as_bytes());
    sandbox
}

#[test]
fn every_rule_is_named_with_its_line_and_what_it_overrode() {
    let sandbox = with_everything();
    let run = sandbox.run(["explain", "assets/a.png"]);
    // The settings have a mistake elsewhere, which fails a build.
    assert!(run.code == 1 && run.err.contains("assets.toml:12:9: "), "{run:?}");
    let toml = std::path::Path::new("assets").join("assets.toml").display().to_string();
    for line in [
        "a.png\n  file      assets",
        "\n  kind      image (extension .png)\n  constant  assets::A_PNG\n  id        0x",
        "\n  pack      assets\n  groups    menu\n  contents  2×2 RGBA8\n  size      80 B stored, 36 B decoded; source file ",
        "main.rs:2\n",
        "is 80 B, `max_size` of \"a.png\" allows 10 B (set at ",
        &format!("\nimage.mipmaps  false  \"a.png\" at {toml}:6:11\n"),
        &format!("\n               true   \"**/*.png\" at {toml}:4:11, overridden\n"),
        &format!("\ncompression    \"lz4\"  [pack] at {toml}:2:1\n"),
        "\nIMGE     48 B     36 B  none         LZ4 would not make it smaller\n",
    ] {
        assert!(run.out.contains(line), "{line:?} is not in\n{}", run.out);
    }
    assert!(!run.out.contains("main.rs:3"), "the item of another module:\n{}", run.out);
    let all = sandbox.run(["explain", "-v", "a.png"]).out;
    assert!(all.contains("\nimage.filter ") && all.contains("\"linear\"") && all.contains(" ms\n"), "{all}");
}

#[test]
fn what_left_a_file_out_is_named() {
    let sandbox = with_everything();
    let left_out = |file: &str| {
        let out = sandbox.run(["explain", file]).out;
        out.split_once("left out  ").unwrap_or_else(|| panic!("{out}")).1.trim_end().to_owned()
    };
    assert!(left_out("notes.psd").starts_with("by ignore = true of \"*.psd\" at "), "{}", left_out("notes.psd"));
    assert!(left_out("notes.psd").ends_with("assets.toml:9:1"), "{}", left_out("notes.psd"));
    assert!(left_out(".hidden.txt").starts_with("because of its name: \".hidden.txt\" is hidden"));
    assert_eq!(left_out("assets.toml"), "because it contains the settings");
    assert!(left_out("odd.lua").contains("a rule with a mistake matches it"));
    let bad = sandbox.run(["explain", "bad.txt"]).failed(1, &["bad.txt: "]);
    assert!(bad.out.contains("kind      text (extension .txt)"), "{}", bad.out);
    let model = sandbox.run(["explain", "box/box.gltf"]).out;
    assert!(model.contains("reads     box/box.bin\n  needs     skin.list\n"), "{model}");
    assert!(sandbox.run(["explain", "skin.list"]).out.contains("needed by box/box.gltf\n"));
    assert!(left_out("box/box.bin").starts_with("because the model box/box.gltf contains it; set kind = \"raw\""));
}

#[test]
fn a_path_may_be_that_of_a_file_and_a_misspelt_one_gets_a_suggestion() {
    let sandbox = with_everything();
    std::fs::remove_file(sandbox.path("assets/odd.lua")).unwrap();
    std::fs::remove_file(sandbox.path("assets/bad.txt")).unwrap();
    let toml = SETTINGS.replace("[\"odd.lua\"]\nkind = \"raw\"\nlevel = 50\n", "");
    sandbox.write("assets/assets.toml", toml.as_bytes());
    let expected = sandbox.run(["explain", "box/box.bin"]).success().out;
    let file = sandbox.path("assets/box/box.bin");
    for path in ["assets/box/box.bin", "./box/box.bin", r"box\box.bin", file.to_str().unwrap()] {
        assert_eq!(sandbox.run(["explain", path]).success().out, expected, "{path}");
    }
    let mut below = sandbox.command();
    below.current_dir(sandbox.path("assets/box")).args(["explain", "box.bin"]);
    assert!(below.output().unwrap().stdout.starts_with(b"box/box.bin\n"));
    sandbox.run(["explain", "box/bx.bin"]).failed(2, &["no file \"box/bx.bin\" in ", "did you mean \"box/box.bin\"?"]);
    sandbox.run(["explain", "box"]).failed(2, &["\"box\" is a folder with 1 asset;"]);
    // Outside of a package, the settings file marks the directory.
    let alone = Sandbox::new();
    alone.write("mod/assets.toml", b"");
    alone.write("mod/ui/a.txt", b"a");
    assert!(alone.run(["explain", "mod/ui/a.txt"]).success().out.starts_with("ui/a.txt\n"));
    alone.write("mod/b/b.txt", b"b");
    std::fs::remove_file(alone.path("mod/assets.toml")).unwrap();
    alone.run(["explain", "mod/b/b.txt"]).failed(2, &["name the assets directory with --assets"]);
    assert!(alone.run(["explain", "--assets", "mod", "b/b.txt"]).success().out.starts_with("b/b.txt\n"));
}

/// Rules of `build.rs` count once the package was built, with their lines.
#[test]
fn rules_of_the_build_script_count_after_a_build() {
    let game = Fresh::new("explained", "fn main() {}\n");
    game.write("assets/a.txt", "a");
    let script = "fn main() {\n    rres_build::import(\"assets\").rule(\"a.txt\", |rule| rule.rename(\"HERO\")).build_or_exit();\n}\n";
    game.write("build.rs", script);
    let explain = || {
        let mut command = game.command(env!("CARGO_BIN_EXE_cargo-rres"));
        let target = game.executable("debug").ancestors().nth(2).unwrap().to_owned();
        let output = command.args(["explain", "a.txt"]).env("CARGO_TARGET_DIR", target).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (out, err) = explain();
    assert!(out.contains("assets::A_TXT") && err.contains("rules in build.rs do not apply"), "{out}{err}");
    let (_, err) = game.cargo(&["build", "-q"]);
    assert_eq!(err, "");
    let (out, err) = explain();
    assert!(out.contains("assets::HERO\n") && out.contains("rename   \"HERO\"  \"a.txt\" at build.rs:2:34"), "{out}");
    assert_eq!(err, "");
}

#[test]
fn a_target_chooses_the_rules_that_hold() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.png", &png(2, 2, &PIXELS));
    let settings = b"[\"*.png\"]\nimage = { format = \"rgba8\" }\n\
        [target.'cfg(target_os = \"android\")'.\"*.png\"]\nimage = { format = \"rgba4444\" }\n\
        [target.'cfg(windows)'.\"*.png\"]\nimage = { format = \"rgb565\" }\n";
    sandbox.write("assets/assets.toml", settings);
    let explain = |target| sandbox.run(["explain", "--assets", "assets", "--target", target, "a.png"]).out;
    let android = explain("aarch64-linux-android");
    assert!(android.contains("2×2 RGBA4444"), "{android}");
    assert!(android.contains("\"*.png\" for cfg(target_os = \"android\") at "), "{android}");
    assert!(android.contains("not for this target: \"*.png\" for cfg(windows) at "), "{android}");
    assert!(explain("x86_64-pc-windows-gnu").contains("2×2 RGB565"));
    assert!(explain("x86_64-unknown-linux-gnu").contains("2×2 RGBA8"));

    let unknown = sandbox.run(["explain", "--assets", "assets", "--target", "amiga", "a.png"]);
    assert!(unknown.code == 2 && unknown.err.contains("target \"amiga\": rustc does not know it"), "{unknown:?}");

    // The same settings for two targets make the same pack.
    let pack = |target, out: &str| {
        let run = sandbox.run(["pack", "assets", "-o", out, "--target", target]);
        assert_eq!(run.code, 0, "{run:?}");
        std::fs::read(sandbox.path(out)).unwrap()
    };
    let linux = pack("x86_64-unknown-linux-gnu", "linux.rres");
    assert_eq!(linux, pack("aarch64-apple-darwin", "mac.rres"));
    assert_ne!(linux, pack("aarch64-linux-android", "android.rres"));
}
