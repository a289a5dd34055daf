//! Encrypted packs: what the command does with a key, without one, and with a wrong one.

use super::{Run, Sandbox};

const KEY: &str = "sixteen letters!";

/// A pack of one encrypted text and one file that is not encrypted.
fn packed(cipher: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/plot.txt", b"the butler did it");
    sandbox.write("assets/open.bin", b"open");
    let settings = format!("[pack]\ncipher = \"{cipher}\"\n[\"open.bin\"]\ncipher = \"none\"\n");
    sandbox.write("assets/assets.toml", settings.as_bytes());
    sandbox.write("key", format!("{KEY}\n").as_bytes());
    sandbox.run(["pack", "assets", "-o", "game.rres", "--key-file", "key"]).success();
    sandbox
}

fn with_variable(sandbox: &Sandbox, key: &str, args: &[&str]) -> Run {
    Run::from(sandbox.command().env("GAME_KEY", key).args(args).output().unwrap())
}

#[test]
fn packs_are_read_with_the_key_and_named_without() {
    for cipher in ["xchacha20-poly1305", "aes"] {
        let sandbox = packed(cipher);
        let bytes = sandbox.read("game.rres");
        assert!(!bytes.windows(6).any(|window| window == b"butler"));
        let cat = ["cat", "game.rres", "plot.txt", "--key-file", "key"];
        assert_eq!(sandbox.run(cat).success().out, "the butler did it");
        let out = with_variable(&sandbox, KEY, &["verify", "game.rres", "--key-env", "GAME_KEY"]).success().out;
        assert!(out.contains("game.rres: ok") && !out.contains("encrypted"), "{out}");
        sandbox.run(["extract", "game.rres", "-o", "all", "--key-file", "key"]).success();
        assert_eq!(sandbox.read("all/plot.txt"), b"the butler did it");

        let out = sandbox.run(["verify", "game.rres"]).success().out;
        assert!(out.contains("note[encrypted]: ") && out.contains("only the CRC was checked"), "{out}");
        sandbox.run(["cat", "game.rres", "plot.txt"]).failed(2, &["plot.txt: it is encrypted with", "--key-file"]);
        assert_eq!(sandbox.run(["cat", "game.rres", "open.bin"]).success().out, "open");
    }
}

#[test]
fn a_wrong_key_and_no_key_are_usage_errors() {
    let sandbox = packed("xchacha20-poly1305");
    let verify = ["verify", "game.rres", "--key-env", "GAME_KEY"];
    with_variable(&sandbox, "wrong", &verify).failed(2, &["the key does not fit", "game.rres"]);
    sandbox.run(verify).failed(2, &["the variable GAME_KEY is not set"]);
    sandbox.run(["ls", "game.rres", "--key-file", "none"]).failed(2, &["cannot read the key from none"]);
    with_variable(&sandbox, "hex:12", &verify).failed(2, &["the variable GAME_KEY", "64 hexadecimal digits"]);
    // A build finds the key in the variable that settings name.
    sandbox.run(["pack", "assets", "-o", "other.rres"]).failed(1, &["there is no key", "set the variable RRES_KEY"]);
    let pack = ["pack", "assets", "-o", "other.rres"];
    Run::from(sandbox.command().env("RRES_KEY", KEY).args(pack).output().unwrap()).success();
    let cat = ["cat", "other.rres", "plot.txt", "--key-file", "key"];
    assert_eq!(sandbox.run(cat).success().out, "the butler did it");
}

#[test]
fn damage_of_an_encrypted_chunk_is_found_without_a_key() {
    let sandbox = packed("xchacha20-poly1305");
    let mut bytes = sandbox.read("game.rres");
    let view = rres_format::PackView::parse(&bytes).unwrap();
    let chunk = view.find(rres_format::ResourceId::from_path("plot.txt")).unwrap().unwrap();
    let at = chunk.end() as usize - 1;
    bytes[at] ^= 1;
    sandbox.write("game.rres", &bytes);
    for args in [&["verify", "game.rres"][..], &["verify", "game.rres", "--key-file", "key"]] {
        let out = sandbox.run(args).failed(1, &[]).out;
        assert!(out.contains("error[crc-mismatch]: "), "{out}");
    }
}

#[test]
fn diff_and_patch_take_a_key() {
    let sandbox = packed("xchacha20-poly1305");
    std::fs::rename(sandbox.path("game.rres"), sandbox.path("old.rres")).unwrap();
    sandbox.write("assets/plot.txt", b"the gardener did it");
    sandbox.run(["pack", "assets", "-o", "new.rres", "--key-file", "key"]).success();
    sandbox.write("other", b"another key");
    let diff = |args: &[&str]| sandbox.run([&["diff", "old.rres", "new.rres"], args].concat());
    let out = diff(&["--key-file", "key"]).success().out;
    assert!(out.contains("plot.txt") && out.contains("text") && !out.contains("stored bytes"), "{out}");
    let out = diff(&[]).success().out;
    assert!(out.contains("plot.txt") && out.contains("stored bytes"), "without a key, no more can be told: {out}");
    diff(&["--key-file", "other"]).failed(2, &["the key does not fit", "old.rres"]);
    let patch = |args: &[&str]| sandbox.run([&["patch", "old.rres", "new.rres", "-o", "p.rres"], args].concat());
    patch(&["--key-file", "other"]).failed(2, &["the key does not fit"]);
    patch(&["--key-file", "key"]).success();
    let apply = ["patch", "--apply", "old.rres", "p.rres", "-o", "again.rres", "--key-file", "key"];
    sandbox.run(apply).success();
    assert!(sandbox.read("again.rres") == sandbox.read("new.rres"));
}
