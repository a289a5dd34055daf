//! `cargo rres import` and `cargo rres export`: the projects of other tools.

use rres_format::ResourceId;
use rres_test_data::picture::bmp;
use rres_test_data::sound::mono;
use serde_json::Value;

use crate::packs::pixels;
use crate::{Sandbox, local};

/// A project with the 20 combinations of kind, flags, compression and cipher that rrespacker's own example has: file, link, raw, id,
/// compression, cipher.
const SAMPLE: [(&str, &str); 20] = [
    ("audio/step.wav", "0,0,0x00000000,10,0"),
    ("audio/long.mp3", "0,1,0x00000000,0,0"),
    ("audio/hit.wav", "0,0,0x00000000,10,0"),
    ("audio/door.flac", "0,1,0x00000000,0,0"),
    ("audio/door.ogg", "0,1,0x00000000,0,0"),
    ("fonts/serif.ttf", "0,0,0x00000000,10,0"),
    ("fonts/pixel.bmp", "0,0,0x00000000,20,0"),
    ("fonts/pixel.ttf", "0,0,0x00000000,10,0"),
    ("images/dog.bmp", "0,0,0x00000000,40,0"),
    ("images/ink.bmp", "0,0,0x00000000,40,73"),
    ("images/owls.bmp", "0,0,0x00000000,40,30"),
    ("models/gate.bmp", "0,0,0x00000000,40,0"),
    ("models/keep.bmp", "0,0,0x00000000,40,0"),
    ("models/box.bmp", "0,0,0x00000000,40,0"),
    ("models/hut.bmp", "0,0,0x00000000,40,0"),
    ("models/NOTICE", "0,0,0x00000000,0,0"),
    ("models/stall.bmp", "0,0,0x00000000,40,0"),
    ("models/mast.bmp", "0,0,0x00000000,40,0"),
    ("models/pit.bmp", "0,0,0x00000000,40,0"),
    ("words.txt", "0,0,0x00000000,0,0"),
];

/// A file of the kind that its extension promises.
fn bytes(path: &str) -> Vec<u8> {
    match path.rsplit('.').next().unwrap() {
        "bmp" if path.contains("cube") => bmp(8, 8, &pixels(8, 8, 3)),
        "bmp" => bmp(16, 8, &pixels(16, 8, 3)),
        "wav" => mono(4000, &(0..200).collect::<Vec<_>>()),
        "ttf" => std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/fonts/Quicksand-Medium.ttf")).unwrap(),
        _ => path.as_bytes().to_vec(),
    }
}

/// The sample, written on Windows, in `game/game.rrp`, and its files in `game/res`.
fn sample() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut project =
        "\u{feff}#\r\n# rrp v1.0 - rres project text file\r\n#\r\n# Number of files:     20\r\n#\r\n".to_owned();
    for (path, fields) in SAMPLE {
        sandbox.write(&format!("game/res/{path}"), &bytes(path));
        project += &format!("f C:\\Users\\me\\game\\res/{path}@res/{path},{fields}\r\n");
    }
    sandbox.write("game/game.rrp", project.as_bytes());
    sandbox
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.run(args.iter().chain([&"--json"]));
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"))
}

/// Name and flags of each line of a project, sorted.
fn records(project: &[u8]) -> Vec<String> {
    let text = String::from_utf8(project.to_vec()).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("f "));
    let mut records: Vec<String> = lines.map(|line| line.split_once('@').unwrap().1.to_owned()).collect();
    records.sort();
    records
}

#[test]
fn the_sample_becomes_the_pack_that_it_describes() {
    let sandbox = sample();
    let run = sandbox.run(["import", "game/game.rrp"]).failed(
        0,
        &["C:\\Users\\me\\game does not exist here", "every name begins with res/; with -o game, no file needs `path`"],
    );
    assert!(run.err.contains("some files are encrypted: set the variable RRES_KEY"), "{}", run.err);
    sandbox.run(["build", "game/res", "-o", "out/game.rres"]).failed(1, &["there is no key", "RRES_KEY"]);
    sandbox.write("key", b"sixteen letters!");
    sandbox.run(["build", "game/res", "-o", "out/game.rres", "--key-file", "key"]).success();
    let verify = ["verify", "out/game.rres", "--key-file", "key", "--compat", "raylib"];
    sandbox.run(verify).success();
    let list = json(&sandbox, &["ls", "out/game.rres"]);
    let resources = list["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 20);
    for (path, fields) in SAMPLE {
        let name = format!("res/{path}");
        let resource =
            resources.iter().find(|resource| resource["path"] == name.as_str()).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(resource["id"], ResourceId::from_path(&name).to_string(), "{name}");
        let fields: Vec<&str> = fields.split(',').collect();
        assert_eq!(resource["is_raw"], fields[1] == "1" || path.ends_with("NOTICE"), "{name}");
        let kind = match (fields[1], path.rsplit('.').next().unwrap()) {
            ("1", _) => "raw",
            (_, "bmp") => "image",
            (_, "wav") => "sound",
            (_, "ttf") => "font",
            (_, "txt") => "text",
            _ => "raw",
        };
        assert_eq!(resource["kind"], kind, "{name}");
        let cipher = match fields[4] {
            "30" => "AES",
            "73" => "XChaCha20-Poly1305",
            _ => "none",
        };
        let ciphers = resource["ciphers"].as_array().unwrap();
        assert!(ciphers.iter().all(|found| found == cipher) && ciphers.is_empty() == (cipher == "none"), "{name}");
        // Packs keep a chunk as it is if compression does not make it smaller.
        let compression = match fields[3] {
            "0" => "none",
            "10" => "DEFLATE",
            "20" => "LZ4",
            _ => "QOI",
        };
        let compressions = resource["compressions"].as_array().unwrap();
        assert!(compressions.iter().all(|found| found == compression || found == "none"), "{name}: {compressions:?}");
        assert!(
            compression == "none" || compressions.iter().any(|found| found == compression),
            "{name}: {compressions:?}"
        );
    }
}

#[test]
fn a_project_survives_the_way_into_the_settings_and_back() {
    let sandbox = sample();
    assert_eq!(sandbox.run(["import", "game/game.rrp"]).code, 0);
    assert_eq!(sandbox.run(["export", "game/res", "-o", "game/again.rrp"]).code, 0);
    let flags = |name: &str| records(&sandbox.read(name));
    assert_eq!(flags("game/game.rrp").len(), 20);
    assert_eq!(flags("game/again.rrp"), flags("game/game.rrp"));
    // What was written reads back to the same settings, and is written again byte for byte.
    let settings = sandbox.read("game/res/assets.toml");
    assert_eq!(sandbox.run(["import", "game/again.rrp", "--force"]).code, 0);
    let strip = |settings: &[u8]| -> String {
        String::from_utf8(settings.to_vec()).unwrap().lines().filter(|line| !line.starts_with('#')).collect()
    };
    assert_eq!(strip(&sandbox.read("game/res/assets.toml")), strip(&settings));
    sandbox.run(["export", "game/res", "-o", "game/third.rrp"]).failed(0, &[]);
    assert_eq!(sandbox.read("game/third.rrp"), sandbox.read("game/again.rrp"));
}

#[test]
fn links_ids_names_with_commas_and_names_of_windows() {
    let sandbox = Sandbox::new();
    for path in ["a, b.txt", "s@2x.bmp", "movie.bin", "x[1].txt"] {
        sandbox.write(&format!("res/{path}"), &bytes(path));
    }
    let project = "f res/a, b.txt@text/one, two.txt,0,0,0,10,0\n\
                   f res\\s@2x.bmp@ui\\s@2x.bmp,0,1,0x2a,20,0\n\
                   f res/movie.bin@movie.bin,1,0,0x7,0,0\n\
                   f res/x[1].txt@x.txt,0,0,0x0,0,0\n";
    sandbox.write("p.RRP", project.as_bytes());
    sandbox.run(["import", "p.RRP"]).success();
    sandbox.run(["build", "res", "-o", "out/p.rres"]).success();
    let list = json(&sandbox, &["ls", "out/p.rres"]);
    let found: Vec<(&str, &str, bool)> = list["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| {
            let text = |key: &str| resource[key].as_str().unwrap();
            (text("path"), text("id"), resource["is_link"].as_bool().unwrap())
        })
        .collect();
    let ids = ["text/one, two.txt", "x.txt"].map(|path| ResourceId::from_path(path).to_string());
    let expected = [
        ("movie.bin", "0x00000007", true),
        ("text/one, two.txt", &ids[0], false),
        ("ui/s@2x.bmp", "0x0000002a", false),
        ("x.txt", &ids[1], false),
    ];
    assert_eq!(found, expected);
    let info = sandbox.run(["info", "out/p.rres", "movie.bin"]).success().out;
    assert!(info.contains("path         movie.bin"), "{info}");
    // A name with backslashes keeps the id that it had in rrespacker.
    sandbox.write("q.rrp", b"f res\\s@2x.bmp@ui\\s@2x.bmp,0,1,0,20,0\n");
    sandbox.run(["import", "q.rrp", "--force"]).success();
    let settings = String::from_utf8(sandbox.read("res/assets.toml")).unwrap();
    assert!(settings.contains(&format!("id = {}\n", ResourceId::from_path("ui\\s@2x.bmp"))), "{settings}");
}

#[test]
fn every_fault_is_reported_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    for path in ["a.txt", "b.txt", ".hidden", "Case.txt"] {
        sandbox.write(&format!("res/{path}"), b"x");
    }
    sandbox.write("outside.txt", b"x");
    let project = "f res/a.txt@a.txt,0,0,0,0,0\n\
                   f res/a.txt@twice.txt,0,0,0,0,0\n\
                   f res/b.txt@a.txt,0,0,0,0,0\n\
                   f res/gone.txt@gone.txt,0,0,0,0,0\n\
                   f res/.hidden@hidden,0,0,0,0,0\n\
                   f outside.txt@outside.txt,0,0,0,0,0\n\
                   f res/case.txt@case.txt,0,0,0,0,0\n\
                   nonsense\n\
                   f res/b.txt@../b.txt,0,0,0,0,0\n";
    sandbox.write("p.rrp", project.as_bytes());
    let run = sandbox.run(["import", "p.rrp", "-o", "res"]);
    let expected = [
        "p.rrp:2: the file a.txt is also in line 1",
        "p.rrp:3: the name \"a.txt\" is also in line 1",
        "p.rrp:4: no such file: res/gone.txt",
        "p.rrp:5: ",
        "hidden files",
        "p.rrp:6: ",
        "outside.txt is not below the assets directory",
        "p.rrp:7: no such file: res/case.txt",
        "case matters: there is ",
        "p.rrp:8: unknown record \"nonsense\"",
        "p.rrp:9: \"../b.txt\" cannot be a path in a pack: the path leaves its directory",
    ];
    let run = run.failed(1, &expected);
    let lines: Vec<&str> = run.err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(lines.len(), 8, "{}", run.err);
    assert!(run.out.is_empty() && !sandbox.path("res/assets.toml").exists());
}

#[test]
fn existing_settings_are_kept_unless_they_may_be_replaced() {
    let sandbox = Sandbox::new();
    sandbox.write("res/a.txt", b"a");
    sandbox.write("res/assets.toml", b"# mine\n");
    sandbox.write("p.rrp", b"f res/a.txt@b.txt,0,0,0,0,0\n");
    sandbox.run(["import", "p.rrp"]).failed(2, &[&local("res/assets.toml exists; replace it with --force")]);
    assert_eq!(sandbox.read("res/assets.toml"), b"# mine\n");
    let shown = sandbox.run(["import", "p.rrp", "--dry-run"]).success().out;
    assert_eq!(sandbox.read("res/assets.toml"), b"# mine\n");
    sandbox.run(["import", "p.rrp", "--force"]).success();
    assert_eq!(String::from_utf8(sandbox.read("res/assets.toml")).unwrap(), shown);
    sandbox.run(["export", "res", "-o", "p.rrp"]).failed(2, &["p.rrp exists"]);
    sandbox.run(["export", "res", "-o", "p.txt"]).failed(2, &["ends in .rrp"]);
}

#[test]
fn files_that_are_not_in_the_project_are_left_out_of_the_pack() {
    let sandbox = Sandbox::new();
    for path in ["a.txt", "ui/b.txt", "ui/unused.txt", "docs/1.txt", "docs/deep/2.txt", "pack"] {
        sandbox.write(&format!("res/{path}"), b"x");
    }
    sandbox.write("p.rrp", b"f res/a.txt@a.txt,0,0,0,10,0\nf res/ui/b.txt@ui/b.txt,0,0,0,10,0\n");
    sandbox.run(["import", "p.rrp"]).success();
    sandbox.run(["build", "res", "-o", "out/p.rres"]).success();
    let list = json(&sandbox, &["ls", "out/p.rres"]);
    let paths: Vec<&str> = list["resources"].as_array().unwrap().iter().map(|r| r["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["a.txt", "ui/b.txt"]);
}

#[test]
fn missing_files_can_be_skipped() {
    let sandbox = Sandbox::new();
    sandbox.write("res/a.txt", b"a");
    sandbox.write("p.rrp", b"f res/a.txt@a.txt,0,0,0,0,0\nf res/b.txt@b.txt,0,0,0,0,0\n");
    sandbox.run(["import", "p.rrp"]).failed(1, &["error: p.rrp:2: no such file: res/b.txt"]);
    let run = sandbox.run(["import", "p.rrp", "--skip-missing"]);
    run.failed(0, &["warning: p.rrp:2: no such file: res/b.txt"]);
    assert!(sandbox.path("res/assets.toml").exists());
}

#[test]
fn hostile_and_unusual_projects_end_in_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", b"a");
    for (name, bytes, code, message) in [
        ("empty.rrp", &b""[..], 1, "the project has no files"),
        ("utf16.rrp", b"\xff\xfef\0", 1, "utf16.rrp:1: the file is not UTF-8"),
        ("latin.rrp", b"#\nf \xe4.txt@a,0,0,0,0,0", 1, "latin.rrp:2: the file is not UTF-8"),
        ("zero.rrp", b"f a\0.txt@a,0,0,0,0,0", 1, "no such file"),
        (
            "up.rrp",
            b"f ../../../../../../../../../../etc/passwd@p,0,0,0,0,0\nf a.txt@a,0,0,0,0,0",
            1,
            "no folder in common",
        ),
        ("dir.rrp", b"f .@a,0,0,0,0,0", 1, "no such file"),
        ("other.txt", b"", 2, "expected a file whose name ends in .rrp or .nbrlist"),
        ("empty.nbrlist", b"# none", 1, "the project has no files"),
        ("bad.nbrlist", b":: NOISE\nx\n:: FONT\ny.ttf\n::", 1, "bad.nbrlist:5: `::` without a type"),
    ] {
        // Only Unix has the file.
        if cfg!(windows) && name == "up.rrp" {
            continue;
        }
        sandbox.write(name, bytes);
        sandbox.run(["import", name]).failed(code, &[message]);
    }
    // A directory that is far away is chosen by the user only.
    sandbox.write("near/deep/p.rrp", b"f ../../a.txt@a,0,0,0,0,0");
    sandbox.run(["import", "near/deep/p.rrp"]).failed(2, &["which is far from the project", "say so with -o "]);
    sandbox.run(["import", "none.rrp"]).failed(2, &["cannot read none.rrp"]);
    sandbox.run(["import", "."]).failed(2, &["it is not a file"]);
    assert!(!sandbox.path("assets.toml").exists());
}

/// A list that uses everything that the guide of the language explains.
const LIST: &str = "#
# Paths start from the parent directory.
#

:: TEXTURE # a folder, and a file in it
textures/
textures/player/player.bmp

:: MODEL @nbr_models
$models/
hero.gltf # models/hero.gltf
enemies/zombie.fbx

:: CUBEMAP @nbr_cubemaps
cubemaps/

:: shader @basic_shaders
$shaders/basic
lit.glsl
sky.glsl

:: SHADER @effects_shaders
$shaders/effects
pixel.glsl
2blur.shader";

#[test]
fn a_list_imports_to_the_files_that_it_names() {
    let sandbox = Sandbox::new();
    let gltf = br#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[]}],"scene":0}"#;
    for path in [
        "textures/a.bmp",
        "textures/b.bmp",
        "textures/player/player.bmp",
        "textures/player/other.bmp",
        "models/enemies/zombie.fbx",
        "cubemaps/sky/front.bmp",
        "cubemaps/sky/back.bmp",
        "cubemaps/sky/left.bmp",
        "cubemaps/sky/right.bmp",
        "cubemaps/sky/top.bmp",
        "cubemaps/sky/bottom.bmp",
        "shaders/basic/lit.glsl",
        "shaders/basic/sky.glsl",
        "shaders/effects/pixel.glsl",
        "shaders/effects/2blur.shader",
        "shaders/unused.glsl",
    ] {
        sandbox.write(&format!("res/{path}"), &bytes(path));
    }
    sandbox.write("res/models/hero.gltf", gltf);
    sandbox
        .write("res/shaders/effects/pixel.glsl", b"#version 450\n  @v\nvoid main() {}\n@p\nvoid main() { int x; }\n");
    sandbox.write("lists/all.nbrlist", LIST.replace('\n', "\r\n").as_bytes());
    let run = sandbox.run(["import", "--root", "res", "lists/all.nbrlist"]);
    let run = run.failed(0, &["all.nbrlist:12: models/enemies/zombie.fbx: stored as it is"]);
    assert_eq!(run.err.matches("warning: ").count(), 1, "{}", run.err);
    let value = json(&sandbox, &["import", "--root", "res", "lists/all.nbrlist", "--force"]);
    let files: Vec<&str> =
        value["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    let expected = [
        "cubemaps/sky.cubemap",
        "models/enemies/zombie.fbx",
        "models/hero.gltf",
        "shaders/basic/lit.glsl",
        "shaders/basic/sky.glsl",
        "shaders/effects/2blur.shader",
        "shaders/effects/pixel.glsl",
        "textures/a.bmp",
        "textures/b.bmp",
        "textures/player/player.bmp",
    ];
    assert_eq!(files, expected);
    let settings = value["settings"].as_str().unwrap();
    for part in [
        "[\"shaders/effects/2blur.shader\"]\nkind = \"text\"\ntext.lang = \"glsl\"\n",
        "[group.nbr_cubemaps]\ninclude = \"cubemaps/sky.cubemap\"\n",
        "# The faces of cubemaps/sky.cubemap.\n[\"cubemaps/sky/right.bmp\"]\nignore = true\n",
        "[\"shaders/effects/pixel.glsl\"]\ntext.shader = \"preprocess\"\n",
        "[group.basic_shaders]\ninclude = [\n  \"shaders/basic/lit.glsl\",\n  \"shaders/basic/sky.glsl\",\n]\n",
        "[\"shaders/unused.glsl\"]\nignore = true\n",
    ] {
        assert!(settings.contains(part), "{part} in:\n{settings}");
    }
    sandbox.run(["build", "res", "-o", "out/game.rres"]).success();
    let list = json(&sandbox, &["ls", "out/game.rres"]);
    let resources = list["resources"].as_array().unwrap();
    // The fragment stage of a shader is a text of its own.
    assert_eq!(resources.len(), expected.len() + 1);
    assert!(resources.iter().any(|resource| resource["path"] == "shaders/effects/pixel.glsl#frag"), "{list}");
    let sky = json(&sandbox, &["info", "out/game.rres", "cubemaps/sky.cubemap"]);
    assert_eq!(sky["metadata"]["cubemap"], 1, "{sky}");
    let text = String::from_utf8(sandbox.read("res/cubemaps/sky.cubemap")).unwrap();
    let faces = ["right", "left", "top", "bottom", "front", "back"];
    let lines = ["px", "nx", "py", "ny", "pz", "nz"]
        .iter()
        .zip(faces)
        .map(|(key, face)| format!("{key} = \"sky/{face}.bmp\"\n"));
    assert_eq!(text, lines.collect::<String>());
    let groups = json(&sandbox, &["info", "out/game.rres"])["index"]["groups"].as_array().unwrap().len();
    assert_eq!(groups, 4);
}

#[test]
fn cubemaps_whose_faces_are_not_known_are_images_with_a_warning() {
    let sandbox = Sandbox::new();
    for number in 1..=6 {
        sandbox.write(&format!("res/sky/{number}.bmp"), &bytes("cube.bmp"));
    }
    for face in ["right", "left", "top", "bottom", "front", "back"] {
        sandbox.write(&format!("res/night/{face}.bmp"), &bytes("cube.bmp"));
    }
    sandbox.write("res/l.nbrlist", b":: CUBEMAP @maps\nsky/ night/\n:: TEXTURE\nnight/top.bmp");
    let run = sandbox.run(["import", "res/l.nbrlist", "--dry-run"]);
    assert!(run.out.contains("# night.cubemap will be written:\n# px = \"night/right.bmp\"\n"), "{}", run.out);
    assert!(!sandbox.path("res/night.cubemap").exists());
    sandbox.write("res/night.cubemap", b"strip = \"mine.png\"\n");
    let message = "night.cubemap exists; replace it with --force";
    sandbox.run(["import", "res/l.nbrlist"]).failed(2, &[message]);
    assert!(!sandbox.path("res/assets.toml").exists());
    let run = sandbox.run(["import", "res/l.nbrlist", "--force"]);
    run.failed(0, &["l.nbrlist:2: sky: becomes images and no cubemap: the names of its pictures do not say"]);
    let settings = String::from_utf8(sandbox.read("res/assets.toml")).unwrap();
    // A picture that the list names as well is an image of its own.
    assert!(settings.contains("[\"night/right.bmp\"]\nignore = true"), "{settings}");
    assert!(!settings.contains("night/top.bmp"), "{settings}");
    assert!(settings.contains("[group.maps]\ninclude = [\n  \"night.cubemap\",\n  \"sky/**\",\n]"), "{settings}");
    sandbox.run(["build", "res", "-o", "out/game.rres"]).success();
    let list = json(&sandbox, &["ls", "out/game.rres"]);
    assert_eq!(list["resources"].as_array().unwrap().len(), 6 + 1 + 1);
}

/// The options `-pd`, `-bd`, `-rt`, `-v` and `-h` of `nbr`, by the table of `docs/moving.md`.
#[test]
fn every_option_of_nbr_has_an_equal_and_a_file_that_cannot_be_converted_fails() {
    let sandbox = Sandbox::new();
    sandbox.write("res/a.bmp", &bytes("a.bmp"));
    sandbox.write("res/step.wav", &bytes("a.wav"));
    sandbox.write("lists/all.nbrlist", b":: TEXTURE\na.bmp\n:: AUDIO\nstep.wav");
    sandbox.run(["import", "--root", "res", "lists/all.nbrlist"]).success();
    sandbox.run(["build", "res", "-o", "bin/game.rres"]).success();
    assert!(sandbox.path("bin/game.rres").is_file());
    sandbox.run(["build", "res", "--only", "image", "-o", "bin/images.rres"]).success();
    let list = json(&sandbox, &["ls", "bin/images.rres"]);
    let kinds: Vec<&Value> = list["resources"].as_array().unwrap().iter().map(|resource| &resource["kind"]).collect();
    assert_eq!(kinds, ["image"]);
    assert!(sandbox.run(["--version"]).success().out.contains(env!("CARGO_PKG_VERSION")));
    assert!(sandbox.run(["import", "--help"]).success().out.contains("nbr"));
    sandbox.write("res/a.bmp", b"BM is not a BMP");
    sandbox.run(["build", "res", "-o", "bin/game.rres"]).failed(1, &[&local("res/a.bmp: ")]);
}

#[test]
fn lists_report_missing_files_with_their_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("res/a.bmp", &bytes("a.bmp"));
    sandbox.write("res/b.wav", &bytes("a.wav"));
    sandbox.write("res/l.nbrlist", b":: TEXTURE\na.bmp gone.png\n:: AUDIO\nA.bmp nothing/\n:: FONT\na.bmp");
    let run = sandbox.run(["import", "res/l.nbrlist"]).failed(
        1,
        &[
            "res/l.nbrlist:2: no such file or folder: gone.png",
            "help: paths start from the directory of the list",
            "res/l.nbrlist:4: no such file or folder: A.bmp",
            "case matters: there is ",
            "res/l.nbrlist:4: no such file or folder: nothing/",
            "res/l.nbrlist:6: a.bmp is listed as FONT, and in line 2 as TEXTURE",
        ],
    );
    assert!(!sandbox.path("res/assets.toml").exists(), "{run:?}");
}

#[test]
fn export_says_what_a_project_cannot() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.bmp", &bytes("a.bmp"));
    sandbox.write("assets/b, c.txt", b"x");
    sandbox.write("assets/assets.toml", b"[\"a.bmp\"]\nimage.mipmaps = true\nkind = \"image\"\nid = 9\n");
    let run = sandbox.run(["export", "assets", "-o", "deep/p.rrp"]).failed(
        0,
        &[
            "filtered is unknown to rrespacker; the project asks for DEFLATE: a.bmp, b, c.txt",
            "a project has no place for `image.mipmaps`: a.bmp",
            "rrespacker may misread a comma or an @ in a name: b, c.txt",
            "does not know of `kind = \"image\"`: a.bmp",
        ],
    );
    assert_eq!(run.out, "deep/p.rrp written: 2 files\n");
    let project = String::from_utf8(sandbox.read("deep/p.rrp")).unwrap();
    assert!(project.contains("\nf ../assets/a.bmp@a.bmp,0,0,0x00000009,10,0\n"), "{project}");
    // Paths in the project start from where it is, however that is written.
    assert_eq!(sandbox.run(["export", "assets", "-o", "deep/../other/./p.rrp"]).code, 0);
    assert_eq!(sandbox.read("other/p.rrp"), project.as_bytes());
    assert_eq!(sandbox.run(["export", "assets", "-o", "q.rrp", "--absolute"]).code, 0);
    let project = String::from_utf8(sandbox.read("q.rrp")).unwrap();
    let path = sandbox.path("assets").join("a.bmp");
    // On Windows, `canonicalize` would put `\\?\` before the path.
    let path = if cfg!(windows) { path } else { path.canonicalize().unwrap() };
    assert!(project.contains(&format!("f {}@a.bmp,", path.display())), "{project}");
}
