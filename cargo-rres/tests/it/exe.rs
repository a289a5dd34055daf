//! `cargo rres exe` with a real game: embedding, replacing, extracting and removing packs. Runs the game afterwards.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rres_test_support::skip;

use super::Sandbox;
use super::exe_game::{Built, PRINTS, command, finds_nothing, game, prints};

impl Sandbox {
    /// Embeds both packs of the game, and returns the new executable.
    pub(super) fn embed(&self, out: &str) -> PathBuf {
        let game = game();
        self.exe(&[&"embed", &game.exe, &game.pack("game"), &game.pack("dlc"), &"-o", &out]).success();
        self.path(out)
    }
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o7777
}

#[test]
fn an_embedded_game_is_one_file_that_runs_anywhere() {
    let (sandbox, game) = (Sandbox::new(), game());
    finds_nothing(&game.exe);
    fs::copy(&game.exe, sandbox.path("game")).unwrap();
    let run = sandbox.exe(&[&"embed", &"game", &game.pack("game"), &game.pack("dlc")]).success();
    assert!(run.out.starts_with("dist/game: ") && run.out.contains("\n  dlc.rres  "), "{}", run.out);
    let packed = sandbox.path("dist/game");
    prints(&packed);

    let (host, bytes) = (fs::read(&game.exe).unwrap(), fs::read(&packed).unwrap());
    assert!(bytes.starts_with(&host), "the program is copied byte for byte");
    assert!(bytes == fs::read(sandbox.embed("again")).unwrap(), "the same bytes each time");

    for name in ["a name with spaces", "游戏 é.exe"] {
        let renamed = sandbox.path("elsewhere").join(name);
        fs::create_dir_all(renamed.parent().unwrap()).unwrap();
        fs::copy(&packed, &renamed).unwrap();
        prints(&renamed);
    }
    symlink(&packed, sandbox.path("link")).unwrap();
    prints(&sandbox.path("link"));
    let by_name = command(Path::new("game")).env("PATH", sandbox.path("dist")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&by_name.stdout), PRINTS);
}

#[test]
fn an_embedded_game_runs_from_a_read_only_mount() {
    let sandbox = Sandbox::new();
    sandbox.embed("disk/game");
    let script = "mount --bind disk disk && mount -o remount,ro,bind disk && ! touch disk/x 2>/dev/null && disk/game";
    let mut command = Command::new("unshare");
    let output = command.args(["--mount", "sh", "-c", script]).current_dir(sandbox.path("")).output();
    match output {
        Ok(output) if output.status.success() => assert_eq!(String::from_utf8_lossy(&output.stdout), PRINTS),
        _ => skip("mounting needs unshare and the rights of root"),
    }
}

#[test]
fn permissions_and_attributes_are_those_of_the_program() {
    let (sandbox, game) = (Sandbox::new(), game());
    for bits in [0o755, 0o700, 0o4711] {
        let host = sandbox.path("host");
        fs::copy(&game.exe, &host).unwrap();
        fs::set_permissions(&host, fs::Permissions::from_mode(bits)).unwrap();
        sandbox.exe(&[&"embed", &host, &game.pack("game"), &game.pack("dlc"), &"-o", &"new"]).success();
        assert_eq!(mode(&sandbox.path("new")), bits, "embed: {bits:o}");
        prints(&sandbox.path("new"));
        sandbox.exe(&[&"remove", &"new", &"-o", &"old"]).success();
        assert_eq!(mode(&sandbox.path("old")), bits, "remove: {bits:o}");
    }
    let setcap = Command::new("setcap").args(["cap_net_raw=ep", "host"]).current_dir(sandbox.path("")).status();
    if !setcap.is_ok_and(|status| status.success()) {
        return skip("setcap is not installed, or may not be used here");
    }
    sandbox.exe(&[&"embed", &"host", &game.pack("game"), &"-o", &"new"]).success();
    let getcap = Command::new("getcap").arg("new").current_dir(sandbox.path("")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&getcap.stdout), "new cap_net_raw=ep\n");
}

#[test]
fn embedding_is_idempotent_and_removing_restores_the_program() {
    let (sandbox, game) = (Sandbox::new(), game());
    let once = fs::read(sandbox.embed("once")).unwrap();
    let packs = [game.pack("game"), game.pack("dlc")];
    let run = sandbox.exe(&[&"embed", &"once", &packs[0], &packs[1], &"-o", &"twice"]).success();
    assert!(run.out.contains("in place of the packs that it had"), "{}", run.out);
    assert!(sandbox.read("twice") == once);

    // Another pack, and back.
    sandbox.exe(&[&"embed", &"twice", &packs[1], &"--in-place"]).success();
    assert!(sandbox.read("twice").len() < once.len());
    sandbox.exe(&[&"embed", &"twice", &packs[0], &packs[1], &"--in-place"]).success();
    assert!(sandbox.read("twice") == once);

    sandbox.exe(&[&"remove", &"twice", &"--in-place"]).success();
    assert!(sandbox.read("twice") == fs::read(&game.exe).unwrap());
    sandbox
        .exe(&[&"remove", &"twice", &"-o", &"x"])
        .failed(2, &["cannot remove packs from twice: it contains no packs"]);

    sandbox.exe(&[&"extract", &"once", &"-o", &"packs"]).success();
    for (name, pack) in [("packs/game.rres", &packs[0]), ("packs/dlc.rres", &packs[1])] {
        assert!(sandbox.read(name) == fs::read(pack).unwrap(), "{name}");
    }
    sandbox.exe(&[&"extract", &"once", &"-o", &"packs"]).failed(2, &["would be replaced", "--force"]);
    sandbox
        .exe(&[&"extract", &"once", &"dcl.rres", &"-o", &"p"])
        .failed(2, &["no pack dcl.rres; it contains game.rres, dlc.rres"]);
    sandbox.exe(&[&"extract", &"once", &"dlc.rres", &"-o", &"one"]).success();
    assert_eq!(fs::read_dir(sandbox.path("one")).unwrap().count(), 1);
}

#[test]
fn a_running_game_is_replaced_and_goes_on_with_its_own_packs() {
    let (sandbox, game) = (Sandbox::new(), game());
    let exe = sandbox.embed("running");
    let mut child = command(&exe).arg("wait").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    sandbox.exe(&[&"embed", &exe, &game.pack("dlc"), &"--in-place"]).success();
    child.stdin.take().unwrap().write_all(b"go on\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{PRINTS}hello from the pack\n"));
    let err = super::exe_game::run(&exe).stderr;
    assert!(String::from_utf8_lossy(&err).contains("running: contains only dlc.rres"), "the new file has another pack");
}

#[test]
#[ignore = "long: compiles everything for release"]
fn debug_builds_read_loose_files_release_builds_their_packs_and_rres_path_overrides_both() {
    let (sandbox, game) = (Sandbox::new(), Built::release("released_game"));
    let debug = || game.fresh.cargo(&["run", "-q"]).0;
    assert_eq!(debug(), PRINTS);
    let packed = sandbox.path("packed");
    sandbox.exe(&[&"embed", &game.exe, &game.pack("game"), &game.pack("dlc"), &"-o", &packed]).success();
    game.fresh.write("assets/hello.txt", "an edit");
    assert_eq!(debug(), "an edit\nmore\n");
    prints(&packed);
    let elsewhere = sandbox.path("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let output = command(&packed).env("RRES_PATH", &elsewhere).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("elsewhere/game.rres, which the variable RRES_PATH names"), "{err}");
    for name in ["game", "dlc"] {
        fs::copy(game.pack(name), elsewhere.join(format!("{name}.rres"))).unwrap();
    }
    let output = command(&sandbox.path("packed")).env("RRES_PATH", &elsewhere).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), PRINTS);
}

#[test]
fn the_target_directory_is_left_alone() {
    let (sandbox, game) = (Sandbox::new(), game());
    let _sources = game.sources.lock().unwrap();
    // Another test may have edited the sources, and taken the edit back.
    game.fresh.cargo(&["build"]);
    let built = game.fresh.executable("debug");
    let state = || (fs::metadata(&built).unwrap().ino(), fs::read(&built).unwrap());
    let before = state();
    let run = sandbox.exe(&[&"embed", &built, &game.pack("game"), &"-o", &built]);
    run.failed(2, &["would replace itself", "the next `cargo build`", "--in-place"]);
    sandbox.exe(&[&"embed", &built, &game.pack("game"), &game.pack("dlc")]).success();
    prints(&sandbox.path("dist/packed_game"));
    assert!(state() == before);
    let (_, err) = game.fresh.cargo(&["build", "-v"]);
    assert!(err.contains("Fresh packed_game") && state() == before, "{err}");
}

#[test]
fn the_packs_of_the_last_build_are_the_default() {
    let (sandbox, game) = (Sandbox::new(), game());
    let mut command = sandbox.command();
    command.env("CARGO_TARGET_DIR", game.packs.ancestors().nth(4).unwrap()).args(["exe", "embed"]).arg(&game.exe);
    command.args(["--manifest-path"]).arg(game.fresh.path("Cargo.toml")).args(["--debug", "-o"]);
    let run: super::Run = command.arg(sandbox.path("by-default")).output().unwrap().into();
    assert_eq!(run.code, 0, "{}", run.err);
    prints(&sandbox.path("by-default"));
}

#[test]
fn info_tells_what_is_in_an_executable() {
    let sandbox = Sandbox::new();
    let packed = sandbox.embed("packed");
    let run = sandbox.exe(&[&"info", &packed, &"--verify", &"--json"]).success();
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((json["format"].as_str(), json["overlay_size"].as_u64()), (Some("ELF"), Some(0)));
    assert_eq!(json["program_size"].as_u64(), Some(fs::metadata(&game().exe).unwrap().len()));
    let packs = json["packs"].as_array().unwrap();
    let names: Vec<_> = packs.iter().map(|pack| (pack["name"].as_str().unwrap(), pack["intact"].as_bool())).collect();
    assert_eq!(names, [("game.rres", Some(true)), ("dlc.rres", Some(true))]);

    // Another tool appends something.
    let mut bytes = fs::read(&packed).unwrap();
    bytes.extend([b'x'; 5000]);
    sandbox.write("moved", &bytes);
    let run = sandbox.exe(&[&"info", &"moved"]).success();
    assert!(run.out.contains("no packs; --scan looks for"), "{}", run.out);
    sandbox.exe(&[&"info", &"moved", &"--scan"]).failed(1, &["another tool has appended 5,000 bytes after them"]);
    let game = game().pack("game");
    sandbox.exe(&[&"embed", &"moved", &game, &"-o", &"x"]).failed(2, &["appended 5,000 bytes after them", "--force"]);

    // Bytes that another tool has appended to the program are kept, as the bytes of an AppImage must be.
    let mut bytes = fs::read(&super::exe_game::game().exe).unwrap();
    bytes.extend([b'x'; 5000]);
    sandbox.write("image", &bytes);
    let run = sandbox.exe(&[&"embed", &"image", &game, &"-o", &"packed-image"]);
    assert!(
        run.code == 0 && run.err.contains("5,000 bytes that another tool appended to image are kept"),
        "{}",
        run.err
    );
    assert!(sandbox.read("packed-image").starts_with(&bytes));
    sandbox.exe(&[&"remove", &"packed-image", &"-o", &"unpacked-image"]).success();
    assert!(sandbox.read("unpacked-image") == bytes);
}

#[test]
fn damage_is_named_and_nothing_is_written() {
    let (sandbox, game) = (Sandbox::new(), game());
    let whole = fs::read(sandbox.embed("packed")).unwrap();
    let host = fs::metadata(&game.exe).unwrap().len() as usize;
    let damaged = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        sandbox.write("damaged", &bytes);
    };
    // A byte of the first pack.
    damaged(host.next_multiple_of(4096) + 20);
    sandbox.exe(&[&"extract", &"damaged", &"-o", &"out"]).failed(1, &["game.rres is damaged: crc32 is "]);
    assert!(!sandbox.path("out/game.rres").exists());
    let run = sandbox.exe(&[&"info", &"damaged", &"--verify"]);
    assert!(run.code == 1 && run.out.contains("damaged: the CRC-32 is wrong"), "{}", run.out);
    fs::create_dir(sandbox.path("dir")).unwrap();
    let run = sandbox.exe(&[&"embed", &game.exe, &"dir", &"-o", &"out/new"]);
    run.failed(2, &["cannot embed dir: cannot read dir: it is a directory, expected a file"]);
    // The footer.
    damaged(whole.len() - 10);
    for command in ["info", "remove", "embed"] {
        let run = match command {
            "info" => sandbox.exe(&[&"info", &"damaged"]),
            "remove" => sandbox.exe(&[&"remove", &"damaged", &"-o", &"out/new"]),
            _ => sandbox.exe(&[&"embed", &"damaged", &game.pack("game"), &"-o", &"out/new"]),
        };
        run.failed(1, &["footer of embedded packs: crc32 is ", "embed them again"]);
    }
    // Every cut ends in an answer.
    for cut in 1..=100 {
        sandbox.write("cut", &whole[..whole.len() - cut]);
        assert!(sandbox.exe(&[&"info", &"cut"]).success().out.contains("no packs"), "{cut}");
    }
    // Only packs are embedded. Half a set is not, and an empty program gets none.
    sandbox.write("not.rres", b"rres, but no pack");
    sandbox.exe(&[&"embed", &game.exe, &"not.rres", &"-o", &"out/new"]).failed(1, &["cannot embed not.rres: "]);
    sandbox.exe(&[&"embed", &game.exe, &"no.rres", &"-o", &"out/new"]).failed(2, &["cannot embed no.rres: "]);
    sandbox.write("empty", b"");
    sandbox.exe(&[&"embed", &"empty", &game.pack("game"), &"-o", &"out/new"]).failed(2, &["empty: it is empty"]);
    sandbox.exe(&[&"embed", &"missing", &game.pack("game")]).failed(2, &["cannot open missing: no such file"]);
    let two = sandbox.exe(&[&"embed", &game.exe, &game.pack("game"), &game.pack("game"), &"-o", &"out/new"]);
    two.failed(2, &["two packs are called game.rres"]);
    assert!(!sandbox.path("out/new").exists());
    assert_eq!(fs::read_dir(sandbox.path("out")).unwrap().count(), 0, "no temporary files are left");
}

/// Subcommands that read packs say how to get at those in an executable.
#[test]
fn an_executable_in_the_place_of_a_pack_is_told_from_other_files() {
    let sandbox = Sandbox::new();
    let host = std::env::current_exe().unwrap();
    sandbox.write("assets/a.txt", b"a");
    sandbox.run(["pack", "assets", "-o", "game.rres"]).success();
    sandbox.exe(&[&"embed", &host, &"game.rres", &"-o", &"game"]).success();
    let advice = "it is an executable with packs in it: game.rres; write them to files with `cargo rres exe extract game -o DIR`";
    let commands: [&[&str]; 4] = [
        &["ls", "game"],
        &["info", "game"],
        &["diff", "game.rres", "game"],
        &["patch", "game", "game.rres", "-o", "p.rres"],
    ];
    for command in commands {
        sandbox.run(command).failed(2, &["cannot open game: ", advice]);
    }
    sandbox.run(["ls".as_ref(), host.as_os_str()]).failed(1, &["not an rres pack"]);
}
