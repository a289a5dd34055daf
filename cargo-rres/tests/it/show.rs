//! What `ls`, `info` and `cat` print.

use serde_json::Value;

use super::packs::{TEXT, custom, every_kind, raw};
use super::{Run, Sandbox, expect};

fn with_packs() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &every_kind().to_vec().unwrap());
    sandbox.write("foreign.rres", &every_kind().index(false).to_vec().unwrap());
    sandbox
}

pub(crate) fn json(run: Run) -> Value {
    serde_json::from_str(&run.success().out).unwrap()
}

#[test]
fn ls_prints_the_expected_tables() {
    let sandbox = with_packs();
    expect("ls.txt", &sandbox.run(["ls", "game.rres"]).success().out);
    expect("ls-by-size.txt", &sandbox.run(["ls", "--sort", "size", "game.rres"]).success().out);
    // Without an index, the structure of the model is a chunk of its own, because C readers must not follow a link to it.
    expect("ls-foreign.txt", &sandbox.run(["ls", "foreign.rres"]).success().out);
}

/// What comes from inside a file is no asset of its own: a build does not count it either.
#[test]
fn ls_counts_assets_as_a_build_counts_them() {
    let sandbox = Sandbox::new();
    let whale = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/models/whale.glb");
    sandbox.write("assets/whale.glb", &std::fs::read(whale).unwrap());
    sandbox.write("assets/a.txt", b"Alone.\n");
    let built = sandbox.run(["build", "assets", "-o", "out"]).success();
    assert!(format!("{}{}", built.out, built.err).contains("2 assets"), "{built:?}");
    let listed = sandbox.run(["ls", "out/assets.rres"]).success();
    assert!(listed.out.ends_with("\n2 assets and 1 sub-asset\n"), "{}", listed.out);
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.run(["ls", "out/assets.rres", "--json"]).success().out).unwrap();
    assert_eq!((&json["asset_count"], &json["sub_asset_count"]), (&2.into(), &1.into()));
    let one = sandbox.run(["ls", "out/assets.rres", "a.txt"]).success();
    assert!(!one.out.contains("sub-asset"), "{}", one.out);
}

/// `info` and `verify` count the same chunks.
#[test]
fn info_counts_chunks_as_verify_does() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", b"Alone.\n");
    sandbox.run(["build", "assets", "-o", "out"]).success();
    let info = sandbox.run(["info", "out/assets.rres"]).success();
    assert!(info.out.contains("chunks     3, with the index and the directory\n"), "{}", info.out);
    assert!(sandbox.run(["verify", "out/assets.rres"]).success().out.contains("; 3 chunks read, "));
}

#[test]
fn data_of_a_type_of_the_game_has_one_name() {
    let sandbox = Sandbox::new();
    let mut pack = rres_format::PackBuilder::new();
    pack.push(custom("levels/1.toml", *b"q1z8", b"level", rres_format::Compression::NONE));
    sandbox.write("game.rres", &pack.to_vec().unwrap());
    let out = sandbox.run(["ls", "game.rres"]).success().out;
    assert!(out.contains("levels/1.toml  0x") && out.contains("  data  "), "{out}");
    assert_eq!(json(sandbox.run(["ls", "--json", "game.rres"]))["resources"][0]["kind"], "data");
    let out = sandbox.run(["info", "game.rres", "levels/1.toml"]).success().out;
    for line in ["  kind      data\n", "  metadata  data kind q1z8\n", "chunk 0: q1z8, data of a type of the game\n"] {
        assert!(out.contains(line), "{line} in:\n{out}");
    }
    sandbox.run(["cat", "game.rres", "levels/1.toml"]).failed(2, &["the pack contains the data in a processed form"]);
    let verified = sandbox.run(["verify", "game.rres"]).success().out;
    assert!(verified.contains("note[game-data]: game.rres: 1 chunk is data of types of the game"), "{verified}");
    assert!(!verified.contains("chunk-kind-unknown"), "{verified}");
    let runs = [&["extract", "game.rres", "-o", "out"][..], &["verify", "game.rres"], &["report", "game.rres"]];
    for run in runs.map(|args| sandbox.run(args)) {
        assert!(![&run.out, &run.err].into_iter().any(|text| text.contains("custom")), "{run:?}");
    }
}

#[test]
fn the_argument_that_cargo_inserts_is_skipped() {
    let sandbox = with_packs();
    assert_eq!(sandbox.run(["rres", "ls", "game.rres"]).success().out, sandbox.run(["ls", "game.rres"]).success().out);
}

#[test]
fn info_prints_the_expected_text() {
    let sandbox = with_packs();
    expect("info.txt", &sandbox.run(["info", "game.rres"]).success().out);
    expect("info-foreign.txt", &sandbox.run(["info", "foreign.rres"]).success().out);
    for (file, path) in [
        ("info-model.txt", "models/triangle.glb"),
        ("info-image.txt", "ui/button.png"),
        ("info-sound.txt", "sound/step.wav"),
        ("info-font.txt", "fonts/small.ttf"),
        ("info-link.txt", "movie.mp4"),
    ] {
        expect(file, &sandbox.run(["info", "game.rres", path]).success().out);
    }
}

#[test]
fn parts_of_a_pack_add_up_to_its_size() {
    let sandbox = with_packs();
    for pack in ["game.rres", "foreign.rres"] {
        let info = json(sandbox.run(["info", "--json", pack]));
        let parts = info["parts"].as_array().unwrap();
        let sum: u64 = parts.iter().map(|part| part["size"].as_u64().unwrap()).sum();
        assert_eq!(sum, sandbox.read(pack).len() as u64);
        assert!(parts.iter().all(|part| part["name"] != "unaccounted"), "{info}");
        assert_eq!(info["directory_entry_count"], 8);
    }
}

#[test]
fn json_contains_what_the_table_shows() {
    let sandbox = with_packs();
    let ls = json(sandbox.run(["ls", "--json", "game.rres"]));
    assert_eq!(ls["resources"].as_array().unwrap().len(), 8);
    let first = &ls["resources"][0];
    assert_eq!(
        (&first["path"], &first["kind"], &first["decoded_size"]),
        (&"data/table.bin".into(), &"raw".into(), &276.into())
    );
    assert_eq!(ls["totals"]["sound"]["count"], 2);
    let info = json(sandbox.run(["info", "--json", "game.rres", "models/triangle.glb"]));
    assert_eq!(info["dependencies"][0], "ui/button.png");
    assert_eq!(info["groups"][0], "level_1");
    assert_eq!(info["chunks"][0]["properties"]["attribute"], "position");
    let info = json(sandbox.run(["info", "--json", "game.rres", "sound/step.wav"]));
    assert_eq!((&info["metadata"]["gain"], &info["metadata"]["loop"]), (&(-3.5).into(), &true.into()));
}

#[test]
fn cat_prints_source_bytes_and_nothing_else() {
    let sandbox = with_packs();
    assert_eq!(sandbox.run(["cat", "game.rres", "text/credits.txt"]).success().out, TEXT);
    assert_eq!(
        sandbox.run(["cat", "foreign.rres", r"text\.\credits.txt"]).success().out,
        TEXT,
        "any spelling of the path"
    );
    assert_eq!(sandbox.run(["cat", "game.rres", "data/table.bin"]).success().bytes, (0..=255).collect::<Vec<u8>>());
    assert_eq!(sandbox.run(["cat", "game.rres", "music/forest.ogg"]).success().bytes, b"Song, so to say");
    let id = rres_format::ResourceId::from_path("text/credits.txt").to_string();
    assert_eq!(sandbox.run(["cat", "game.rres", &id]).success().out, TEXT);
    sandbox.run(["cat", "game.rres", "ui/button.png"]).failed(
        2,
        &["cannot print ui/button.png: the pack contains the image in a processed form", "cargo rres extract"],
    );
    sandbox.run(["cat", "game.rres", "text/credit.txt"]).failed(2, &["did you mean \"text/credits.txt\"?"]);
    sandbox.run(["cat", "game.rres", "zzz"]).failed(2, &["run `cargo rres ls game.rres` to list the resources"]);
}

#[test]
fn files_that_are_not_packs_are_reported() {
    let sandbox = with_packs();
    sandbox.write("cat.png", b"\x89PNG\r\n\x1a\n");
    sandbox.write("empty", b"");
    sandbox.write("old.rres", b"rres\x63\0\0\0\0\0\0\0\0\0\0\0");
    for command in ["ls", "info", "verify"] {
        sandbox.run([command, "missing.rres"]).failed(2, &["cannot open missing.rres: no such file"]);
        sandbox.run([command, "."]).failed(2, &["cannot open .: it is a directory"]);
        sandbox.run([command, "cat.png"]).failed(1, &["cat.png: not an rres pack: starts with \"\\x89PNG\""]);
        sandbox.run([command, "empty"]).failed(1, &["empty: not an rres pack: the file is empty"]);
        sandbox.run([command, "old.rres"]).failed(1, &["version 99 is not supported"]);
    }
    sandbox.run(["ls"]).failed(2, &["expected the path of a pack", "Cargo.toml"]);
    sandbox.run(["lst", "game.rres"]).failed(2, &["unrecognized subcommand"]);
    assert!(sandbox.run(["--help"]).success().out.contains("Exit codes:\n  0  success"));
}

#[test]
fn names_cannot_control_the_terminal_and_colours_can_be_chosen() {
    let sandbox = with_packs();
    let mut pack = rres_format::PackBuilder::new();
    pack.push(raw("\u{1b}[2Jgone.txt", b""));
    sandbox.write("hostile.rres", &pack.to_vec().unwrap());
    let out = sandbox.run(["ls", "hostile.rres"]).success().out;
    assert!(out.contains(r"\u{1b}[2Jgone.txt") && !out.contains('\u{1b}'), "{out}");
    #[cfg(unix)]
    for command in ["info", "verify"] {
        sandbox.write("a\u{1b}[2J.rres", &pack.to_vec().unwrap());
        let out = sandbox.run([command, "a\u{1b}[2J.rres"]).success().out;
        assert!(out.contains(r"a\u{1b}[2J.rres") && !out.contains('\u{1b}'), "{out}");
    }
    let colored = |args: [&str; 3], no_color: bool| {
        let mut command = sandbox.command();
        if no_color {
            command.env("NO_COLOR", "1");
        }
        Run::from(command.args(args).output().unwrap()).success().out.contains("\u{1b}[")
    };
    assert!(!colored(["--color=auto", "ls", "game.rres"], false), "a pipe is not a terminal");
    assert!(colored(["--color=always", "ls", "game.rres"], false));
    assert!(!colored(["--color=never", "ls", "game.rres"], true));
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let sandbox = Sandbox::new();
    let mut pack = rres_format::PackBuilder::new();
    // Far more than fits into the buffer of a pipe.
    (0..20_000).for_each(|i| pack.push(raw(&format!("a rather long path for a number/{i:05}.bin"), b"")));
    sandbox.write("many.rres", &pack.to_vec().unwrap());
    let mut child = sandbox
        .command()
        .args(["ls", "many.rres"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    Run::from(child.wait_with_output().unwrap()).success();
}

#[cfg(unix)]
#[test]
fn the_path_of_a_pack_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;

    let sandbox = Sandbox::new();
    let name = std::ffi::OsStr::from_bytes(b"game\xff.rres");
    std::fs::write(sandbox.dir.path().join(name), every_kind().to_vec().unwrap()).unwrap();
    let run = sandbox.run([std::ffi::OsStr::new("ls"), name]).success();
    assert!(run.out.contains("text/credits.txt"), "{run:?}");
}

#[test]
fn resources_can_be_searched() {
    let sandbox = with_packs();
    let out = sandbox.run(["ls", "game.rres", "**/*.png", "text"]).success().out;
    let paths: Vec<&str> =
        out.lines().filter_map(|line| line.split("  0x").next()).filter(|p| p.contains('/')).collect();
    assert_eq!(
        paths.iter().map(|path| path.trim()).collect::<Vec<_>>(),
        ["text/credits.txt", "ui/button.png"],
        "{out}"
    );
    assert!(out.contains("\nall        2  "), "the totals count the listed resources: {out}");
    let report = json(sandbox.run(["ls", "--json", "game.rres", "sound/*"]));
    assert_eq!((report["resources"].as_array().unwrap().len(), &report["totals"]["sound"]["count"]), (1, &1.into()));
    sandbox
        .run(["ls", "game.rres", "ui/buton.png"])
        .failed(2, &["no resource matches", "did you mean \"ui/button.png\"?"]);
}

/// A pack of a few hundred kilobytes whose resources all have the same name of 65,535 bytes.
#[test]
fn a_name_that_many_resources_share_is_not_printed_in_full() {
    let mut pack = rres_format::PackBuilder::new().directory(false);
    (0..2000).for_each(|i| pack.push(raw(&format!("{i:04}"), b"")));
    pack.push(raw(&"n".repeat(65_535), b""));
    let mut pack = pack.to_vec().unwrap();
    // The places of the path's offset and of its size in an entry of the front index.
    let name = [16..20, 28..30];
    let long = super::damage::index_entry(&pack, &"n".repeat(65_535));
    let long = pack[long..long + super::damage::ENTRY_SIZE].to_vec();
    for i in 0..2000 {
        let entry = super::damage::index_entry(&pack, &format!("{i:04}"));
        name.iter()
            .for_each(|field| pack[entry + field.start..entry + field.end].copy_from_slice(&long[field.clone()]));
    }
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack);
    for arguments in [&["ls", "game.rres"][..], &["ls", "--json", "game.rres"], &["verify", "game.rres"]] {
        let run = sandbox.run(arguments);
        assert!(run.out.contains("nnn[… 65335 bytes …]nnn"), "{arguments:?}: {}", &run.out[..run.out.len().min(2000)]);
        assert!(run.out.len() + run.err.len() < 2_000_000, "{arguments:?}: {} bytes", run.out.len());
    }
}

#[test]
fn a_path_of_a_thousand_characters_does_not_widen_the_table() {
    let sandbox = Sandbox::new();
    let mut pack = rres_format::PackBuilder::new();
    pack.push(raw("a.bin", b"a"));
    pack.push(raw(&"n".repeat(1000), b"b"));
    sandbox.write("long.rres", &pack.to_vec().unwrap());
    let out = sandbox.run(["ls", "long.rres"]).success().out;
    assert!(out.lines().nth(1).is_some_and(|line| line.len() < 60), "{out}");
}

#[test]
fn a_resource_that_was_cut_off_is_not_called_unknown_without_a_reason() {
    let sandbox = Sandbox::new();
    sandbox.write("cut.rres", &every_kind().to_vec().unwrap()[..100]);
    for command in ["cat", "info"] {
        sandbox
            .run([command, "cut.rres", "a.txt"])
            .failed(1, &["cut.rres: no resource with", "cut.rres: the file is cut off"]);
    }
}

/// A shader with entry points, bindings and constants of several sorts.
pub(crate) const BLUR: &str = "\
override radius: f32 = 2.0;
@id(7) override steps: u32;
struct Frame { size: vec2<f32>, lights: array<vec4<f32>, 3> }
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var target_picture: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 4)
fn blur(@builtin(global_invocation_id) at: vec3<u32>) {
    let color = textureLoad(picture, vec2<i32>(at.xy), 0) * radius * frame.lights[steps % 3u];
    sums[at.x] += u32(color.x * frame.size.x);
    textureStore(target_picture, at.xy, color);
}
@fragment
fn show(@location(0) uv: vec2<f32>) -> @location(1) vec4<f32> { return vec4<f32>(uv, radius, 1.0); }
";

#[test]
fn info_shows_what_a_shader_needs() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/blur.wgsl", BLUR.as_bytes());
    sandbox.run(["build", "assets", "-o", "game.rres"]).success();
    let text = sandbox.run(["info", "game.rres", "blur.wgsl"]).success().out;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let start = lines.iter().position(|line| line.starts_with("entry point")).unwrap();
    let expected = [
        "entry point  blur, compute, workgroups of 8×4×1",
        "entry point  show, fragment; in 0 uv vec2<f32>; out 1 vec4<f32>",
        "binding      0:0 frame, uniform buffer, 64 bytes; compute",
        "size at 0: vec2<f32>",
        "lights at 16: array<vec4<f32>, 3>",
        "binding      0:1 sums, storage buffer, read and written, 4 bytes; compute",
        "binding      1:0 picture, 2d texture of float; compute",
        "binding      1:1 target_picture, 2d storage texture of rgba8unorm, written; compute",
        "constant     radius: f32, has a default",
        "constant     @id(7) steps: u32, must be set",
    ];
    assert_eq!(lines[start..start + expected.len()], expected, "{text}");
    let info = json(sandbox.run(["info", "--json", "game.rres", "blur.wgsl"]));
    let shader = &info["chunks"][1]["properties"];
    assert_eq!(shader["entry_points"][0]["workgroup_size"], serde_json::json!([8, 4, 1]));
    assert_eq!(shader["entry_points"][0]["bindings"], serde_json::json!([0, 1, 2, 3]));
    assert_eq!(shader["entry_points"][1]["workgroup_size"], Value::Null);
    let lights = serde_json::json!({
        "name": "lights", "type": "array<vec4<f32>, 3>", "offset": 16, "size": 48, "count": 3, "stride": 16,
    });
    assert_eq!(shader["bindings"][0]["members"][1], lights);
    let constant = serde_json::json!({ "name": "steps", "id": 7, "type": "u32", "has_default": false });
    assert_eq!(shader["constants"][1], constant);
}
