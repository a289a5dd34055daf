//! What `ls`, `info` and `cat` print.

use serde_json::Value;

use super::packs::{TEXT, every_kind, raw};
use super::{Place, Run, expect};

fn place() -> Place {
    let place = Place::new();
    place.write("game.rres", &every_kind().to_vec().unwrap());
    place.write("foreign.rres", &every_kind().index(false).to_vec().unwrap());
    place
}

fn json(run: Run) -> Value {
    serde_json::from_str(&run.fine().out).unwrap()
}

#[test]
fn listings_are_as_expected() {
    let place = place();
    expect("ls.txt", &place.run(["ls", "game.rres"]).fine().out);
    expect("ls-by-size.txt", &place.run(["ls", "--sort", "size", "game.rres"]).fine().out);
    // Without index the model's structure, which C readers are not to meet, is a chunk of its own.
    expect("ls-foreign.txt", &place.run(["ls", "foreign.rres"]).fine().out);
}

#[test]
fn cargo_passes_its_own_argument() {
    let place = place();
    assert_eq!(place.run(["rres", "ls", "game.rres"]).fine().out, place.run(["ls", "game.rres"]).fine().out);
}

#[test]
fn infos_are_as_expected() {
    let place = place();
    expect("info.txt", &place.run(["info", "game.rres"]).fine().out);
    expect("info-foreign.txt", &place.run(["info", "foreign.rres"]).fine().out);
    for (file, path) in [
        ("info-model.txt", "models/triangle.glb"),
        ("info-image.txt", "ui/button.png"),
        ("info-sound.txt", "sound/step.wav"),
        ("info-font.txt", "fonts/small.ttf"),
        ("info-link.txt", "movie.mp4"),
    ] {
        expect(file, &place.run(["info", "game.rres", path]).fine().out);
    }
}

#[test]
fn parts_of_a_pack_add_up_to_its_size() {
    let place = place();
    for pack in ["game.rres", "foreign.rres"] {
        let info = json(place.run(["info", "--json", pack]));
        let parts: u64 = info["bytes"].as_object().unwrap().values().map(|part| part.as_u64().unwrap()).sum();
        assert_eq!(parts, place.read(pack).len() as u64);
        assert_eq!(info["bytes"].get("not accounted for"), None);
        assert_eq!(info["directory"], 8);
    }
}

#[test]
fn json_says_what_the_table_says() {
    let place = place();
    let ls = json(place.run(["ls", "--json", "game.rres"]));
    assert_eq!(ls["resources"].as_array().unwrap().len(), 8);
    let first = &ls["resources"][0];
    assert_eq!(
        (&first["path"], &first["kind"], &first["decoded"]),
        (&"data/table.bin".into(), &"raw".into(), &276.into())
    );
    assert_eq!(ls["totals"]["sound"]["count"], 2);
    let info = json(place.run(["info", "--json", "game.rres", "models/triangle.glb"]));
    assert_eq!(info["dependencies"][0], "ui/button.png");
    assert_eq!(info["groups"][0], "level_1");
    assert_eq!(info["chunks"][0]["properties"]["attribute"], "position");
    let info = json(place.run(["info", "--json", "game.rres", "sound/step.wav"]));
    assert_eq!((&info["meta"]["gain"], &info["meta"]["loop"]), (&(-3.5).into(), &true.into()));
}

#[test]
fn cat_prints_source_bytes_and_nothing_else() {
    let place = place();
    assert_eq!(place.run(["cat", "game.rres", "text/credits.txt"]).fine().out, TEXT);
    assert_eq!(place.run(["cat", "foreign.rres", r"text\.\credits.txt"]).fine().out, TEXT, "any spelling of the path");
    assert_eq!(place.run(["cat", "game.rres", "data/table.bin"]).fine().bytes, (0..=255).collect::<Vec<u8>>());
    assert_eq!(place.run(["cat", "game.rres", "music/forest.ogg"]).fine().bytes, b"OggS, so to say");
    let id = rres_format::ResourceId::from_path("text/credits.txt").to_string();
    assert_eq!(place.run(["cat", "game.rres", &id]).fine().out, TEXT);
    place
        .run(["cat", "game.rres", "ui/button.png"])
        .failed(2, &["ui/button.png is of kind image", "cargo rres extract"]);
    place.run(["cat", "game.rres", "text/credit.txt"]).failed(2, &["\"text/credits.txt\" is there"]);
    place.run(["cat", "game.rres", "zzz"]).failed(2, &["`cargo rres ls` lists what is there"]);
}

#[test]
fn what_is_no_pack_says_so() {
    let place = place();
    place.write("cat.png", b"\x89PNG\r\n\x1a\n");
    place.write("empty", b"");
    place.write("old.rres", b"rres\x63\0\0\0\0\0\0\0\0\0\0\0");
    for command in ["ls", "info", "verify"] {
        place.run([command, "missing.rres"]).failed(2, &["cannot open missing.rres: no such file"]);
        place.run([command, "."]).failed(2, &["cannot open .: it is a directory"]);
        place.run([command, "cat.png"]).failed(1, &["cat.png: not an rres pack: starts with \"\\x89PNG\""]);
        place.run([command, "empty"]).failed(1, &["empty: not an rres pack: the file is empty"]);
        place.run([command, "old.rres"]).failed(1, &["version 99 is not supported"]);
    }
    place.run(["ls"]).failed(2, &["Usage: cargo rres ls"]);
    place.run(["lst", "game.rres"]).failed(2, &["unrecognized subcommand"]);
    assert!(place.run(["--help"]).fine().out.contains("Exit codes:\n  0  everything is all right"));
}

#[test]
fn names_and_colours_are_fit_for_terminals() {
    let place = place();
    let mut pack = rres_format::PackBuilder::new();
    pack.push(raw("\u{1b}[2Jgone.txt", b""));
    place.write("hostile.rres", &pack.to_vec().unwrap());
    let out = place.run(["ls", "hostile.rres"]).fine().out;
    assert!(out.contains(r"\u{1b}[2Jgone.txt") && !out.contains('\u{1b}'), "{out}");
    let colored = |args: [&str; 3], no_color: bool| {
        let mut command = place.command();
        if no_color {
            command.env("NO_COLOR", "1");
        }
        Run::from(command.args(args).output().unwrap()).fine().out.contains("\u{1b}[")
    };
    assert!(!colored(["--color=auto", "ls", "game.rres"], false), "a pipe is no terminal");
    assert!(colored(["--color=always", "ls", "game.rres"], false));
    assert!(!colored(["--color=never", "ls", "game.rres"], true));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::new();
    let mut pack = rres_format::PackBuilder::new();
    // Far more than a pipe holds.
    (0..20_000).for_each(|i| pack.push(raw(&format!("a rather long path for a number/{i:05}.bin"), b"")));
    place.write("many.rres", &pack.to_vec().unwrap());
    let mut child = place
        .command()
        .args(["ls", "many.rres"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    Run::from(child.wait_with_output().unwrap()).fine();
}
