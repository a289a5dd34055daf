//! `cargo rres patch`: patches are mounted by the runtime and applied by the command, and both check what they get.

use rres_runtime::{Pack, Store, Text};
use rres_test_data::random::Random;

use super::sign::make_key;
use super::{Run, Sandbox};

/// Bytes that compress a little, and differ by `seed`.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    Random::new(seed).bytes(len).into_iter().map(|byte| byte & 63).collect()
}

/// Two versions of a game with every sort of change; `settings` are the settings of both.
fn versions(settings: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let large = noise(1_500_000, 1);
    for version in ["one", "two"] {
        sandbox.write(&format!("{version}/assets.toml"), settings.as_bytes());
        sandbox.write(&format!("{version}/same.bin"), &noise(40_000, 2));
        sandbox.write(&format!("{version}/large.bin"), &large);
        sandbox
            .write(&format!("{version}/text.txt"), format!("version {version}\n{}", "words ".repeat(500)).as_bytes());
    }
    let mut edited = large;
    edited.splice(700_000..700_003, *b"edited");
    sandbox.write("two/large.bin", &edited);
    sandbox.write("one/gone.txt", b"gone");
    sandbox.write("one/old/moved.bin", &noise(50_000, 3));
    sandbox.write("two/new/moved.bin", &noise(50_000, 3));
    sandbox.write("two/new.bin", &noise(3000, 4));
    for version in ["one", "two"] {
        sandbox.run(["pack", version, "-o", &format!("{version}.rres")]).success();
    }
    sandbox
}

fn apply(sandbox: &Sandbox, old: &str, patch: &str, out: &str) -> Run {
    sandbox.run(["patch", "--apply", old, patch, "-o", out])
}

#[test]
fn a_patch_is_small_and_rebuilds_the_new_pack_byte_for_byte() {
    for settings in
        ["", "[pack]\nlevel = 19\n", "[pack]\ncompression = \"none\"\n", "[group.all]\ninclude = [\"**\"]\n"]
    {
        let sandbox = versions(settings);
        let out = sandbox.run(["patch", "one.rres", "two.rres", "-o", "game.patch1.rres"]).success().out;
        assert!(out.starts_with("2 added, 2 changed, 2 removed; 3 deltas\n"), "{settings}: {out}");
        let size = sandbox.read("game.patch1.rres").len();
        assert!(size < 8000, "{settings}: {size} bytes");
        sandbox.run(["verify", "game.patch1.rres"]).success();
        let out = apply(&sandbox, "one.rres", "game.patch1.rres", "again/game.rres").success().out;
        assert!(out.starts_with("the result is the new pack, byte for byte\n"), "{out}");
        assert!(sandbox.read("again/game.rres") == sandbox.read("two.rres"), "{settings}");
        // The same packs give the same patch.
        let first = sandbox.read("game.patch1.rres");
        sandbox.run(["patch", "one.rres", "two.rres", "-o", "game.patch1.rres"]).success();
        assert!(sandbox.read("game.patch1.rres") == first);
        // Whole assets need nothing of the old pack to load.
        sandbox.run(["patch", "one.rres", "two.rres", "-o", "whole.rres", "--no-deltas"]).success();
        assert!(sandbox.read("whole.rres").len() > size);
        apply(&sandbox, "one.rres", "whole.rres", "again/game.rres").success();
        assert!(sandbox.read("again/game.rres") == sandbox.read("two.rres"), "{settings}");
    }
}

#[test]
fn a_mounted_patch_gives_the_assets_of_the_new_pack() {
    let sandbox = versions("");
    for option in [None, Some("--no-deltas")] {
        let args = ["patch", "one.rres", "two.rres", "-o", "p.rres"].into_iter().chain(option);
        sandbox.run(args).success();
        let open = |name: &str| Pack::open(sandbox.path(name)).unwrap();
        let (patched, new) = (Store::from_packs([open("one.rres")]), Store::from_packs([open("two.rres")]));
        patched.mount(open("p.rres")).unwrap();
        let list = |store: &Store| {
            let mounts = store.mounts();
            let mut list: Vec<_> = mounts.entries().map(|entry| (entry.path.to_owned(), entry.base_size)).collect();
            list.sort();
            list
        };
        assert_eq!(list(&patched), list(&new));
        for (path, _) in list(&new) {
            let bytes = |store: &Store| {
                let id = store.find(&path).unwrap();
                match id.typed::<Text>() {
                    Some(text) => store.load(text).unwrap().get().as_str().as_bytes().to_vec(),
                    None => store.load(id.typed::<rres_runtime::Raw>().unwrap()).unwrap().get().bytes().to_vec(),
                }
            };
            assert!(bytes(&patched) == bytes(&new), "{path}");
        }
    }
}

/// Assets that stay where they were in the last release leave gaps, which the patch knows of.
#[test]
fn packs_with_gaps_are_rebuilt_too() {
    let sandbox = versions("");
    let settings = format!("[pack]\nlayout_from = {:?}\n", sandbox.path("one.rres").display().to_string());
    sandbox.write("two/assets.toml", settings.as_bytes());
    sandbox.run(["pack", "two", "-o", "two.rres"]).success();
    let out = sandbox.run(["patch", "one.rres", "two.rres", "-o", "p.rres", "--json"]).success().out;
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["can_apply"], true);
    apply(&sandbox, "one.rres", "p.rres", "out/game.rres").success();
    assert!(sandbox.read("out/game.rres") == sandbox.read("two.rres"));
}

#[test]
fn sets_are_patched_as_a_whole() {
    let sandbox = versions("[pack]\nsplit = \"800 kB\"\n");
    assert!(sandbox.path("one.1.rres").exists() && sandbox.path("two.1.rres").exists());
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "p.rres"]).success();
    apply(&sandbox, "one.rres", "p.rres", "out/game.rres").success();
    for (out, two) in [("out/game.rres", "two.rres"), ("out/game.1.rres", "two.1.rres")] {
        assert!(sandbox.read(out) == sandbox.read(two), "{out}");
    }
}

#[test]
fn both_ends_are_verified() {
    let sandbox = versions("");
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "p.rres"]).success();
    let wrong = ["two.rres: p.rres was made from another pack, of", "BLAKE3"];
    apply(&sandbox, "two.rres", "p.rres", "out.rres").failed(1, &wrong);
    apply(&sandbox, "one.rres", "two.rres", "out.rres").failed(1, &["two.rres: it is a pack, but not a patch"]);
    // One byte of the old pack, which no delta needs.
    let mut bytes = sandbox.read("one.rres");
    let at = bytes.len() - 3;
    bytes[at] ^= 1;
    sandbox.write("damaged.rres", &bytes);
    assert_eq!(apply(&sandbox, "damaged.rres", "p.rres", "out.rres").code, 1);
    // Cut and changed patches.
    let patch = sandbox.read("p.rres");
    for cut in (0..patch.len()).step_by(97) {
        sandbox.write("bad.rres", &patch[..cut]);
        let code = apply(&sandbox, "one.rres", "bad.rres", "out.rres").code;
        assert!(code == 1 || code == 2, "cut at {cut}: {code}");
    }
    for at in (0..patch.len()).step_by(29) {
        let mut bad = patch.clone();
        bad[at] ^= 0x55;
        sandbox.write("bad.rres", &bad);
        let run = apply(&sandbox, "one.rres", "bad.rres", "changed.rres");
        // A byte that nothing depends on may have changed; then the result is right.
        if run.code == 0 {
            assert!(sandbox.read("changed.rres") == sandbox.read("two.rres"), "changed at {at}");
            std::fs::remove_file(sandbox.path("changed.rres")).unwrap();
        }
    }
    assert!(!sandbox.path("out.rres").exists() && !sandbox.path("changed.rres").exists(), "nothing half-written");
}

#[test]
fn nothing_is_lost_and_wrong_arguments_are_named() {
    let sandbox = versions("");
    let patch = |args: &[&str]| sandbox.run([&["patch"], args].concat());
    patch(&["one.rres", "two.rres", "-o", "two.rres"]).failed(2, &["it is one of the packs to read"]);
    patch(&["one.rres", "two.rres", "-o", "p.bin"]).failed(2, &["ends in .rres"]);
    sandbox.write("notes.rres", b"my notes");
    patch(&["one.rres", "two.rres", "-o", "notes.rres"]).failed(2, &["is not a pack, so it is not replaced"]);
    sandbox.write("foreign.rres", &super::packs::every_kind().index(false).to_vec().unwrap());
    patch(&["foreign.rres", "two.rres", "-o", "p.rres"]).failed(2, &["was not written by rres-build"]);
    sandbox.run(["build", "one", "-o", "debug", "--debug"]).success();
    patch(&["debug/assets.dev.rres", "two.rres", "-o", "p.rres"]).failed(2, &["is the dev index of a debug build"]);
    // A name that an additional pack of the result would have.
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "p.rres"]).success();
    sandbox.write("new.rres", b"my notes");
    apply(&sandbox, "one.rres", "p.rres", "new.rres").failed(2, &["is not a pack, so it is not replaced"]);
    let run = sandbox.run(["patch", "--json", "--apply", "two.rres", "p.rres", "-o", "other.rres"]);
    let said: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &said["ok"]), (1, &false.into()), "{run:?}");
    assert!(said["error"].as_str().unwrap().contains("was made from another pack"), "{run:?}");
    // Every kind of asset, and no change at all.
    sandbox.write("every.rres", &super::packs::every_kind().to_vec().unwrap());
    let out = patch(&["every.rres", "every.rres", "-o", "p.rres"]).success().out;
    assert!(out.starts_with("0 added, 0 changed, 0 removed; 0 deltas"), "{out}");
    apply(&sandbox, "every.rres", "p.rres", "out.rres").success();
    assert_eq!(sandbox.read("out.rres"), sandbox.read("every.rres"));
}

/// A patch names the bytes that it starts from, so nobody with an intact pack could apply it.
#[test]
fn a_patch_is_not_made_from_a_damaged_pack() {
    let sandbox = versions("");
    let mut bytes = sandbox.read("one.rres");
    let at = super::damage::chunk_offset(&bytes, "large.bin") + 1000;
    bytes[at] ^= 1;
    sandbox.write("damaged.rres", &bytes);
    for args in [["patch", "damaged.rres", "two.rres"], ["patch", "two.rres", "damaged.rres"]] {
        let run = sandbox.run(args.into_iter().chain(["-o", "p.rres"]));
        run.failed(1, &["damaged.rres: large.bin: ", "damaged", "cargo rres verify damaged.rres"]);
        assert!(!sandbox.path("p.rres").exists());
    }
    for args in [["damaged.rres", "two.rres"], ["two.rres", "damaged.rres"]] {
        sandbox.run(["diff", args[0], args[1]]).failed(1, &["damaged.rres: large.bin: "]);
    }
}

/// The hashes that the result is compared with are in the patch, so they are worth what its signature is worth.
#[test]
fn a_patch_must_be_signed_if_a_key_is_named() {
    let sandbox = versions("");
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "game.patch1.rres"]).success();
    make_key(&sandbox, "me.key", &[]);
    make_key(&sandbox, "other.key", &[]);
    let apply = |key: &str| {
        sandbox.run(["patch", "--apply", "one.rres", "game.patch1.rres", "-o", "again/game.rres", "--key", key])
    };
    apply("me.key").failed(1, &["game.patch1.rres: refused by its signature: it is not signed"]);
    sandbox.run(["sign", "game.patch1.rres", "--key", "me.key"]).success();
    apply("other.key").failed(1, &["refused by its signature"]);
    assert!(!sandbox.path("again/game.rres").exists());
    apply("me.key").success();
    assert!(sandbox.read("again/game.rres") == sandbox.read("two.rres"));
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "x.rres", "--key", "me.key"]).failed(2, &["--apply"]);
}
