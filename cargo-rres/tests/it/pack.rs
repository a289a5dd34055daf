//! `cargo rres pack`: a directory to one file.

use super::Sandbox;

fn with_assets() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/text/hello.txt", b"hello\n");
    sandbox.write("assets/data/table.bin", &[1, 2, 3]);
    sandbox
}

fn names(sandbox: &Sandbox, dir: &str) -> Vec<String> {
    let entries = std::fs::read_dir(sandbox.path(dir)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_directory_becomes_one_file_and_nothing_else() {
    let sandbox = with_assets();
    let out = sandbox.run(["pack", "assets", "-o", "out/game.rres"]).success().out;
    assert!(out.starts_with("2 assets: 0 cached, 2 imported, "), "{out}");
    assert_eq!(names(&sandbox, "out"), ["game.rres"]);
    assert_eq!(sandbox.run(["cat", "out/game.rres", "text/hello.txt"]).success().out, "hello\n");
    sandbox.run(["verify", "out/game.rres"]).success();
    // The same bytes as `build`, and as any other run.
    sandbox.run(["build", "assets", "-o", "built/game.rres"]).success();
    assert_eq!(sandbox.read("out/game.rres"), sandbox.read("built/game.rres"));
    sandbox.write("assets/data/table.bin", &[1, 2, 3, 4]);
    sandbox.run(["pack", "assets", "-o", "out/game.rres"]).success();
    assert!(sandbox.read("out/game.rres") != sandbox.read("built/game.rres"), "an older pack is replaced");
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.run(["pack", "assets", "-o", "out/game.rres", "--json"]).success().out).unwrap();
    assert_eq!((&json["ok"], &json["module"], &json["asset_count"]), (&true.into(), &().into(), &2.into()));
}

#[test]
fn a_set_lies_beside_its_first_pack() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/assets.toml", b"[pack]\nsplit = \"64 kB\"\ncompression = \"none\"\n");
    for number in 0..5 {
        sandbox.write(&format!("assets/{number}.bin"), &vec![number; 30_000]);
    }
    let out = sandbox.run(["pack", "assets", "-o", "out/game.rres"]).success().out;
    assert_eq!(names(&sandbox, "out"), ["game.1.rres", "game.2.rres", "game.rres"], "{out}");
    sandbox.run(["verify", "out/game.rres"]).success();

    // A smaller set leaves nothing behind, and takes nothing that is not its own.
    sandbox.write("out/game.3.rres", b"my notes");
    std::fs::write(sandbox.path("assets/assets.toml"), "").unwrap();
    sandbox.run(["pack", "assets", "-o", "out/game.rres"]).success();
    assert_eq!(names(&sandbox, "out"), ["game.3.rres", "game.rres"]);
    std::fs::rename(sandbox.path("out/game.3.rres"), sandbox.path("out/game.1.rres")).unwrap();
    sandbox.run(["pack", "assets", "-o", "out/game.rres"]).success();
    assert_eq!(sandbox.read("out/game.1.rres"), b"my notes");

    // Nor does a larger one.
    let before = sandbox.read("out/game.rres");
    sandbox.write("assets/assets.toml", b"[pack]\nsplit = \"64 kB\"\ncompression = \"none\"\n");
    let why = "game.1.rres: exists and is not a pack of the set that is replaced, so it is not replaced";
    sandbox.run(["pack", "assets", "-o", "out/game.rres"]).failed(1, &[why, "move it away"]);
    assert!(sandbox.read("out/game.1.rres") == b"my notes" && sandbox.read("out/game.rres") == before);
}

#[test]
fn wrong_arguments_and_broken_assets_have_their_exit_codes() {
    let sandbox = with_assets();
    sandbox.run(["pack", "assets", "-o", "game"]).failed(2, &["cannot write game", "ends in .rres"]);
    sandbox.run(["pack", "gone", "-o", "game.rres"]).failed(2, &["cannot pack gone: no such directory"]);
    sandbox.run(["pack", "assets/text/hello.txt", "-o", "game.rres"]).failed(2, &["it is not a directory"]);
    sandbox.run(["pack", "assets"]).failed(2, &["--out"]);
    sandbox.write("notes.rres", b"my notes");
    sandbox.run(["pack", "assets", "-o", "notes.rres"]).failed(2, &["is not a pack, so it is not replaced"]);
    assert_eq!(sandbox.read("notes.rres"), b"my notes");
    sandbox.write("dir.rres/file", b"");
    sandbox.run(["pack", "assets", "-o", "dir.rres"]).failed(2, &["it is a directory"]);
    sandbox.write("assets/bad.png", b"no picture");
    sandbox.run(["pack", "assets", "-o", "game.rres"]).failed(1, &["bad.png"]);
    assert!(!sandbox.path("game.rres").exists(), "a failed build writes nothing");
    let help = sandbox.run(["pack", "--help"]).success().out;
    assert!(help.contains("Examples:") && help.contains("game.1.rres"), "{help}");
}

/// Before anything is imported, and without the name of a temporary file.
#[test]
fn a_place_that_cannot_be_written_to_is_a_usage_error() {
    let sandbox = with_assets();
    sandbox.write("file", b"");
    sandbox.run(["pack", "assets", "-o", "game.rres"]).success();
    let places: [&[&str]; 4] = [
        &["pack", "assets", "-o", "file/game.rres"],
        &["build", "assets", "-o", "file/game.rres"],
        &["build", "assets", "-o", "file/out"],
        &["patch", "game.rres", "game.rres", "-o", "file/patch.rres"],
    ];
    for command in places {
        let run = sandbox.run(command);
        let place = command.last().unwrap();
        let err = run.err.replace(&*sandbox.path("").to_string_lossy(), "");
        assert!(!err.contains("tmp") && run.out.is_empty(), "{run:?}");
        run.failed(2, &[&format!("cannot write {place}: "), "ot a directory"]);
    }
}

#[test]
fn several_targets_have_a_folder_each() {
    let sandbox = with_assets();
    sandbox.write("assets/assets.toml", b"[pack.targets]\nmobile = 'cfg(target_os = \"android\")'\n");
    sandbox.write("assets/text/hello.mobile.txt", b"tap\n");
    let [windows, android] = ["x86_64-pc-windows-msvc", "aarch64-linux-android"];
    let targets = ["--target", windows, "--target", android];
    let run = |more: &[&str]| sandbox.run([&["pack", "assets", "-o", "out/game.rres"], &targets[..], more].concat());
    let out = run(&[]).success().out;
    assert_eq!(
        (names(&sandbox, "out"), names(&sandbox, &format!("out/{android}"))),
        ([android, windows].map(str::to_owned).to_vec(), ["game.rres".to_owned()].to_vec())
    );
    for (target, text) in [(windows, "hello\n"), (android, "tap\n")] {
        assert!(out.contains(&format!("{target}\nfor this target, text/hello.txt is the file ")), "{out}");
        let pack = format!("out/{target}/game.rres");
        assert_eq!(sandbox.run(["cat", &pack, "text/hello.txt"]).success().out, text);
        // The same pack as for that target alone.
        sandbox.run(["pack", "assets", "-o", "one.rres", "--target", target]).success();
        assert_eq!(sandbox.read(&pack), sandbox.read("one.rres"));
    }
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"]).success().out).unwrap();
    assert_eq!((&json["ok"], &json["targets"][1]["target"]), (&true.into(), &android.into()));
    let files = &json["targets"][1]["target_files"][0];
    assert_eq!((&files["path"], &files["file"]), (&"text/hello.txt".into(), &"text/hello.mobile.txt".into()));
    assert_eq!(files["left_out"], serde_json::json!(["text/hello.txt"]));

    // A fault for one target leaves the others their packs, and the exit code tells.
    std::fs::remove_file(sandbox.path("assets/text/hello.txt")).unwrap();
    std::fs::remove_dir_all(sandbox.path("out")).unwrap();
    let failed = run(&[]);
    assert!(failed.code == 1 && failed.err.contains("no file is \"text/hello.txt\" for this target"), "{failed:?}");
    assert_eq!(names(&sandbox, &format!("out/{android}")), ["game.rres"]);
    assert!(!sandbox.path(&format!("out/{windows}/game.rres")).exists());

    sandbox
        .run(["pack", "assets", "-o", "out/game.rres", "--target", "amiga", "--target", android])
        .failed(2, &["target \"amiga\": rustc does not know it"]);
    sandbox
        .run(["pack", "assets", "-o", "out/game.rres", "--target", "../up", "--target", android])
        .failed(2, &["\"../up\" is not the name of a target"]);
    sandbox
        .run(["watch", "assets", "-o", "out", "--target", windows, "--target", android])
        .failed(2, &["cannot watch for several targets"]);
    let explained = |path| {
        let run = sandbox.run(["explain", "--assets", "assets", "--target", android, path]);
        run.out
    };
    assert!(explained("text/hello.mobile.txt").contains("it is \"text/hello.txt\" for this target"));
}

/// A keyword names neither a module nor a file.
#[test]
fn a_directory_may_have_the_name_of_a_keyword() {
    for (name, module) in
        [("static", "static_assets"), ("type", "type_assets"), ("gen", "gen_assets"), ("self", "self_")]
    {
        let sandbox = Sandbox::new();
        sandbox.write(&format!("{name}/a.txt"), b"a");
        sandbox.run(["pack", name, "-o", "out.rres"]).success();
        sandbox.run(["build", name, "-o", "out"]).success();
        assert!(sandbox.path(&format!("out/{module}.rs")).is_file(), "{name}");
    }
}
