//! Runs each example as `cargo run --example` does, and compares what it prints.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the executable of an example, which `cargo test` builds next to the tests.
fn executable(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.parent().and_then(Path::parent).unwrap();
    let file = target.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(file.is_file(), "{} does not exist: run `cargo test -p rres-examples` without --test", file.display());
    file
}

/// Runs an example, and asserts that its standard output contains `lines` in this order.
#[track_caller]
fn runs(name: &str, arguments: &[&str], lines: &[&str]) {
    let output = Command::new(executable(name)).args(arguments).env_remove("RRES_PATH").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    let mut rest = &*out;
    for line in lines {
        let at = rest.find(line).unwrap_or_else(|| panic!("{line:?} does not follow in:\n{out}{err}"));
        rest = &rest[at + line.len()..];
    }
}

#[test]
fn image() {
    runs("image", &[], &["ui/player.png: 16 × 16 pixels", "#"]);
}

#[test]
fn level() {
    runs("level", &[], &["[", "level_1 has 4 assets", "level_2 has 4 assets; 2 of them were loaded now"]);
}

#[test]
fn hot_reload() {
    runs("hot_reload", &["0.1"], &["for 0.1 seconds: save examples/assets/ui/player.png"]);
}

#[test]
fn own_type() {
    runs("own_type", &[], &["a map of 2 rows on levels/grass.png"]);
}

#[test]
fn typed_data() {
    runs("typed_data", &[], &["The lost coin: 3 steps, 50 coins, picture of 12 × 12 pixels", "Find(\"coin\")"]);
}

#[test]
fn shader() {
    let lines = [
        "sprite.wgsl, 34 lines",
        "vertex vs_main reads location 0: float32x2",
        "group 0, binding 0, uniform buffer of 32 bytes: frame",
        "f32: time at byte 24",
        "post.glsl",
        "post.glsl#frag",
    ];
    runs("shader", &[], &lines);
}

#[test]
fn languages() {
    let lines = [
        "there are: en, fr, fr-CA, zh-Hant",
        "de_AT.UTF-8: Start, Quit",
        "Welcome back, Ann!",
        "fr-BE: Commencer, Quitter; Quitter",
        "fr-CA: Débuter, Quitter; Quitter",
        "zh-TW: 開始, 離開; 離開",
        "en: Start, Quit; Quit",
    ];
    runs("languages", &["de_AT.UTF-8"], &lines);
    runs("languages", &["C"], &["\"C\" is not the tag of a language", "C: Start, Quit"]);
}

#[test]
fn mods() {
    runs("mods", &[], &["the grass has the colour", "with 1 mod, existing handles have the new value", "without it"]);
}

#[test]
fn encrypted_pack() {
    runs("encrypted_pack", &[], &["images/rgba.png: 31 × 17 pixels", "the key does not fit"]);
}

#[test]
fn inspect_pack() {
    runs("inspect_pack", &[], &["levels/grass.png", "pixels"]);
    let foreign = concat!(env!("CARGO_MANIFEST_DIR"), "/../rres-format/tests/c-packs/01_plain_all_types_cdir.rres");
    runs("inspect_pack", &[foreign], &["images/rgba.png", "31 × 17 pixels"]);
}

#[test]
fn stream_music() {
    runs("stream_music", &[], &["a .wav file of 8044 bytes", "4000 samples", "assets loaded: 0"]);
}

#[test]
fn build_rules() {
    runs("build_rules", &[], &["levels/1.txt       raw", "levels/grass.png   image", "demo.rres has"]);
}

#[test]
fn sprites() {
    let lines = [
        "10 × 10 of 12 × 12 pixels in icons.atlas",
        "##########",
        "8 × 8 of",
        "after 0 ms",
        "...##...",
        "after 170 ms",
    ];
    runs("sprites", &[], &lines);
}

#[test]
fn tiled_map() {
    runs("tiled_map", &[], &["tiles/ground.png: 32 × 8 pixels", "aaabaacc", "bbaaaacc", ".d...d..", "....d..."]);
}

#[test]
fn aseprite() {
    let lines = ["spin, for 120 ms:", ".######.", "spin, for 80 ms:", "...##...", "gone, for 400 ms:", "...#...."];
    runs("aseprite", &[], &lines);
}

/// What the records of the archives contain, as their description has them.
#[test]
fn srsc() {
    let lines = [
        // The archive has the rows from the bottom to the top.
        "4 × 2 pixels\nK?MC\nRGBW\n",
        "after 100 ms: Synth.txd#11\n",
        "Synth.sdb#Footsteps/Stone/step: 64 samples at 11025 Hz, the loudest is 0.4688, loop: false\n",
        // 3100 / 32768, 6 decibels less loud.
        "loop: 64 samples at 22050 Hz, the loudest is 0.0474, loop: true\n",
        "Synthetic Thing: -7 hit points, tint #ff7f0180\n",
        "Synth.sdb#Footsteps/Stone/step: 5 ms\nSynth.sdb#loop!: 1 ms\n",
        "quad: 2 primitives, 2 materials\n",
        // The arm turns by 90 degrees and moves by 1, the hand is 2 above it.
        "[0.00, 0.00, 0.00]\n[1.00, 0.50, 0.00]\n[0.00, 1.00, 2.00]\n[0.00, 1.00, 0.00]\n",
    ];
    runs("srsc", &[], &lines);
}

#[test]
fn the_page_about_srsc_has_lines_of_the_example() {
    let page = include_str!("../../docs/srsc.md").replace("\r\n", "\n");
    let program = include_str!("../examples/srsc/main.rs");
    let known: Vec<&str> = program.lines().map(str::trim).collect();
    let blocks: Vec<&str> =
        page.split("```rust,ignore\n").skip(1).filter_map(|rest| rest.split("```\n").next()).collect();
    assert_eq!(blocks.len(), 2);
    for line in blocks.concat().lines() {
        assert!(known.contains(&line.trim()), "{line:?} is not a line of the example");
    }
    // What it prints.
    let output =
        page.split("which prints what it loads:\n\n```text\n").nth(1).and_then(|rest| rest.split("```").next());
    runs("srsc", &[], &[output.unwrap()]);
}

#[test]
fn every_example_is_run() {
    let source = include_str!("examples.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(source.contains(&format!("runs(\"{name}\"")), "nothing runs the example {name}");
    }
}
