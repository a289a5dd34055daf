//! Executables with packs and the tools of the system: strip, objcopy, signing; files of many gigabytes.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use rres_test_support::has_tools;

use super::Sandbox;
use super::exe_game::{Built, command, finds_nothing, game, linked_game, prints, run};

/// Tools that rewrite a program, with their arguments before its name.
const STRIPS: &[&[&str]] = &[
    &["strip"],
    &["strip", "-s"],
    &["strip", "--strip-unneeded"],
    &["objcopy"],
    &["llvm-strip"],
    &["llvm-strip", "--strip-sections"],
    &["eu-strip"],
];

#[track_caller]
fn tool(dir: &Path, tool: &str, args: &[&str]) {
    let output = Command::new(tool).args(args).current_dir(dir).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{tool} {args:?}: {out}{err}");
}

#[test]
fn strip_removes_appended_packs_and_the_game_says_so() {
    let sandbox = Sandbox::new();
    let packed = fs::read(sandbox.embed("packed")).unwrap();
    for strip in STRIPS.iter().filter(|strip| has_tools(&strip[..1])) {
        fs::write(sandbox.path("packed"), &packed).unwrap();
        tool(&sandbox.path(""), strip[0], &[&strip[1..], &["packed"]].concat());
        finds_nothing(&sandbox.path("packed"));
        let info = sandbox.exe(&[&"info", &"packed", &"--scan"]).success();
        assert!(info.out.contains("no packs; tools such as strip"), "{strip:?}: {}", info.out);

        // The other way round works.
        sandbox.exe(&[&"embed", &"packed", &game().pack("game"), &game().pack("dlc"), &"--in-place"]).success();
        prints(&sandbox.path("packed"));
    }
}

#[test]
fn linked_packs_survive_every_strip() {
    let (sandbox, Built { exe, .. }) = (Sandbox::new(), linked_game());
    for strip in STRIPS.iter().filter(|strip| has_tools(&strip[..1])) {
        fs::copy(exe, sandbox.path("linked")).unwrap();
        tool(&sandbox.path(""), strip[0], &[&strip[1..], &["linked"]].concat());
        prints(&sandbox.path("linked"));
    }
}

#[test]
fn linked_packs_are_listed_and_extracted_and_appended_ones_come_first() {
    let (sandbox, linked) = (Sandbox::new(), linked_game());
    prints(&linked.exe);
    // Debug builds of the same source read loose files.
    assert_eq!(linked.fresh.cargo(&["run", "-q"]).0, super::exe_game::PRINTS);
    let out = sandbox.exe(&[&"info", &linked.exe, &"--verify"]).success().out;
    assert!(
        out.contains("  game.rres") && out.contains("  dlc.rres") && out.matches(", linked at").count() == 2,
        "{out}"
    );
    sandbox.exe(&[&"extract", &linked.exe, &"-o", &"packs"]).success();
    for name in ["game", "dlc"] {
        assert!(sandbox.read(&format!("packs/{name}.rres")) == fs::read(linked.pack(name)).unwrap());
    }
    sandbox.exe(&[&"remove", &linked.exe, &"-o", &"x"]).failed(2, &["linked into it", "without `embed = true`"]);

    // A pack of another build that was appended is what the game finds, and refuses.
    let mut other = rres_format::PackBuilder::new();
    other.push(super::packs::text("other.txt", "other"));
    sandbox.write("other/game.rres", &other.to_vec().unwrap());
    sandbox.exe(&[&"embed", &linked.exe, &"other/game.rres", &"-o", &"both"]).success();
    let err = run(&sandbox.path("both")).stderr;
    assert!(String::from_utf8_lossy(&err).contains("come from different builds"), "{}", String::from_utf8_lossy(&err));
}

#[test]
fn an_installed_game_with_linked_packs_is_one_file() {
    let (sandbox, linked) = (Sandbox::new(), linked_game());
    let root = sandbox.path("root");
    let (_, err) =
        linked.fresh.cargo(&["install", "--debug", "--locked", "--path", ".", "--root", root.to_str().unwrap()]);
    assert!(root.join("bin/linked_game").is_file(), "{err}");
    prints(&root.join("bin/linked_game"));
}

/// A program for Windows, and a key to sign it with.
fn windows_program(sandbox: &Sandbox) {
    let dir = sandbox.path("");
    sandbox.write("main.c", b"int main(void) { return 0; }");
    tool(&dir, "x86_64-w64-mingw32-gcc", &["main.c", "-o", "game.exe"]);
    let subject = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-days", "2"];
    tool(&dir, "openssl", &[&subject[..], &["-keyout", "key.pem", "-out", "cert.pem"]].concat());
}

#[test]
fn programs_for_windows_are_signed_after_embedding() {
    if !has_tools(&["x86_64-w64-mingw32-gcc", "osslsigncode", "openssl"]) {
        return;
    }
    let sandbox = Sandbox::new();
    let dir = sandbox.path("");
    windows_program(&sandbox);
    let pack = game().pack("game");
    let sign = |from: &str, to: &str| {
        tool(&dir, "osslsigncode", &["sign", "-certs", "cert.pem", "-key", "key.pem", "-in", from, "-out", to]);
    };
    let names = |file: &str| {
        let out = sandbox.exe(&[&"info", &file, &"--json", &"--verify"]).success().out;
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((json["format"].as_str(), json["overlay_size"].as_u64()), (Some("PE"), Some(0)), "{file}");
        let packs = json["packs"].as_array().unwrap().clone();
        (
            packs.iter().map(|pack| pack["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
            json["signature_size"].is_null(),
        )
    };
    sandbox.exe(&[&"embed", &"game.exe", &pack, &"-o", &"packed.exe"]).success();
    assert_eq!(names("packed.exe"), (vec!["game.rres".to_owned()], true));
    sandbox.exe(&[&"remove", &"packed.exe", &"-o", &"removed.exe"]).success();
    assert!(sandbox.read("removed.exe") == sandbox.read("game.exe"));

    // Signed after embedding, the packs are found and the signature covers them.
    sign("packed.exe", "signed.exe");
    assert_eq!(names("signed.exe"), (vec!["game.rres".to_owned()], false));
    let verify = Command::new("osslsigncode").args(["verify", "-in", "signed.exe"]).current_dir(&dir).output().unwrap();
    let said = String::from_utf8_lossy(&verify.stdout).into_owned();
    let digest = |name: &str| {
        let line = said.lines().find(|line| line.trim().starts_with(name)).unwrap_or_else(|| panic!("{name}: {said}"));
        line.rsplit(' ').next().unwrap().to_owned()
    };
    assert_eq!(digest("Current message digest"), digest("Calculated message digest"));
    tool(&dir, "osslsigncode", &["remove-signature", "-in", "signed.exe", "-out", "unsigned.exe"]);
    assert_eq!(names("unsigned.exe"), (vec!["game.rres".to_owned()], true));

    // A signed program is not changed without a word.
    for args in [["embed", "signed.exe"], ["remove", "signed.exe"]] {
        let mut command = sandbox.command();
        command.arg("exe").args(args).args((args[0] == "embed").then_some(&pack)).args(["-o", "x.exe"]);
        super::Run::from(command.output().unwrap()).failed(2, &["signed.exe is signed", "--strip-signature"]);
    }
    sign("game.exe", "only-signed.exe");
    sandbox
        .exe(&[&"embed", &"only-signed.exe", &pack, &"-o", &"x.exe"])
        .failed(2, &["embed first and sign after that"]);
    let stripped = sandbox.exe(&[&"embed", &"only-signed.exe", &pack, &"-o", &"new.exe", &"--strip-signature"]);
    assert!(stripped.code == 0 && stripped.err.contains("the signature was removed"), "{}", stripped.err);
    assert_eq!(names("new.exe"), (vec!["game.rres".to_owned()], true));
    sign("new.exe", "signed-again.exe");
    assert_eq!(names("signed-again.exe"), (vec!["game.rres".to_owned()], false));
}

#[test]
fn programs_for_macos_are_refused_with_advice() {
    let sandbox = Sandbox::new();
    sandbox.write("mac", &[&b"\xcf\xfa\xed\xfe"[..], &[0; 100]].concat());
    let refused = sandbox.exe(&[&"embed", &"mac", &game().pack("game"), &"-o", &"x"]);
    refused.failed(2, &["`codesign` refuses", "Contents/Resources", "embed = true", "--force"]);
    let forced = sandbox.exe(&[&"embed", &"mac", &game().pack("game"), &"-o", &"x", &"--force"]);
    assert!(forced.code == 0 && forced.err.contains("`codesign` will refuse"), "{}", forced.err);
}

/// A pack of `len` bytes. Nearly all of them are a hole in the file.
fn sparse_pack(sandbox: &Sandbox, name: &str, pack: &Path, len: u64) {
    fs::create_dir_all(sandbox.path(name).parent().unwrap()).unwrap();
    fs::copy(pack, sandbox.path(name)).unwrap();
    File::options().write(true).open(sandbox.path(name)).unwrap().set_len(len).unwrap();
}

#[test]
#[ignore = "measures memory"]
fn a_pack_of_a_gigabyte_is_found_with_few_reads_and_little_memory() {
    if !cfg!(target_os = "linux") || !has_tools(&["strace"]) {
        return;
    }
    let (sandbox, game) = (Sandbox::new(), game());
    sparse_pack(&sandbox, "game.rres", &game.pack("game"), 1 << 30);
    sandbox.exe(&[&"embed", &game.exe, &"game.rres", &game.pack("dlc"), &"-o", &"large"]).success();

    let output = command(&sandbox.path("large")).arg("peak").output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let peak = out.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_else(|| panic!("{out}"));
    let kilobytes: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kilobytes < 16 << 10, "{peak}");

    let mut command = Command::new("strace");
    command.args(["-e", "trace=openat,read,pread64,close", "-o", "calls"]).arg(sandbox.path("large"));
    let output = command.current_dir(sandbox.path("")).env_remove("RRES_PATH").env_remove("OUT_DIR").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), super::exe_game::PRINTS);
    let calls = String::from_utf8(sandbox.read("calls")).unwrap();
    // From opening the executable to closing it, which each of the two modules does once.
    let (mut opened, mut reads, mut file) = (0, 0, String::new());
    for call in calls.lines() {
        if call.contains("\"/proc/self/exe\"") {
            opened += 1;
            file = format!("({},", call.rsplit(' ').next().unwrap());
        } else if call.contains(&file) && !file.is_empty() && call.contains("read") {
            reads += 1;
        } else if call.starts_with(&format!("close{}", file.replace(',', ")"))) {
            file.clear();
        }
    }
    assert_eq!(opened, 2, "{calls}");
    assert!((2..=5 * opened).contains(&reads), "{reads} reads\n{calls}");
}

#[test]
#[ignore = "measures memory"]
fn ten_gigabytes_are_embedded_in_little_memory_and_little_space() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (sandbox, game) = (Sandbox::new(), game());
    sparse_pack(&sandbox, "game.rres", &game.pack("game"), 10 << 30);
    let mut command = sandbox.command();
    command.args(["exe", "embed"]).arg(&game.exe).arg("game.rres").arg(game.pack("dlc")).args(["-o", "large"]);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    let status = loop {
        let memory = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = memory.lines().find(|line| line.starts_with("VmHWM"));
        peak = peak.max(line.map_or(0, |line| line.split_whitespace().nth(1).unwrap().parse().unwrap()));
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    };
    assert!(status.success());
    assert!((1..64 << 10).contains(&peak), "{peak} kB");
    let large = fs::metadata(sandbox.path("large")).unwrap();
    assert!(large.len() > 10 << 30);
    let stored = std::os::unix::fs::MetadataExt::blocks(&large) * 512;
    assert!(stored < 1 << 30, "{stored} bytes on the disk");
    prints(&sandbox.path("large"));
}
