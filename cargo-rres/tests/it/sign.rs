//! `cargo rres keygen`, `sign` and `verify --key`: what is written, and what is refused.

use rres_format::signature::content_len;
use rres_format::{PackBuilder, ResourceId};
use rres_protocol::files::pack_file_name;
use serde_json::Value;

use crate::damage::chunk_offset;
use crate::packs::text;
use crate::{Run, Sandbox};

/// Makes a key in a file. On Windows, a warning says who can read it.
pub(crate) fn make_key(sandbox: &Sandbox, file: &str, options: &[&str]) -> Run {
    let run = sandbox.run([&["keygen", file], options].concat());
    match cfg!(windows) {
        true => run.failed(0, &["permissions of its directory"]),
        false => run.success(),
    }
}

/// Makes a key in `NAME.key` and returns the public key.
fn keygen(sandbox: &Sandbox, name: &str) -> String {
    let run = make_key(sandbox, &format!("{name}.key"), &["--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["private_key_file"], format!("{name}.key"));
    report["public_key"].as_str().unwrap().to_owned()
}

fn pack(path: &str, additional: u32, contents: &str) -> Vec<u8> {
    let mut pack = PackBuilder::new().additional_packs(additional);
    pack.push(text(path, contents));
    pack.to_vec().unwrap()
}

#[test]
fn a_signed_pack_is_verified_with_its_key_and_no_other() {
    let sandbox = Sandbox::new();
    let (key, other) = (keygen(&sandbox, "game"), keygen(&sandbox, "other"));
    let unsigned = pack("a.txt", 0, "text");
    sandbox.write("game.rres", &unsigned);
    sandbox.run(["verify", "game.rres"]).success();
    let run = sandbox.run(["verify", "game.rres", "--key", &key]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("error[signature-wrong]: game.rres: it is not signed, or the signature"), "{}", run.out);

    let run = sandbox.run(["sign", "game.rres", "--key", "game.key"]).success();
    assert!(
        run.out.contains("game.rres: signed, ") && run.out.ends_with(&format!("public key: {key}\n")),
        "{}",
        run.out
    );
    assert_eq!(sandbox.read("game.rres")[..unsigned.len()], unsigned);
    let run = sandbox.run(["verify", "game.rres", "--key", &key]).success();
    assert!(run.out.starts_with("game.rres: ok; 4 chunks read"), "{}", run.out);
    sandbox.run(["verify", "game.rres", "--key", &other, "--key", &key]).success();
    sandbox.run(["verify", "game.rres", "--key", "game.key"]).success();
    let no_key = ["verify", "game.rres", "--key", "nothing"];
    sandbox.run(no_key).failed(2, &["expected 64 hexadecimal digits", "no file has this name"]);
    let run = sandbox.run(["verify", "game.rres"]).success();
    assert!(run.out.contains(&format!("note[signature-unchecked]: game.rres: the pack is signed with the key {key}")));
    let run = sandbox.run(["verify", "game.rres", "--key", &other]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains(&format!("it is signed with the key {key}, which is not the trusted one")), "{}", run.out);

    let run = sandbox.run(["sign", "game.rres", "--key", "other.key"]).success();
    assert!(run.out.contains("game.rres: signed again, "), "{}", run.out);
    sandbox.run(["verify", "game.rres", "--key", &other]).success();
    let mut changed = sandbox.read("game.rres");
    let at = chunk_offset(&changed, "a.txt");
    changed[at + 24] ^= 1;
    sandbox.write("game.rres", &changed);
    let run = sandbox.run(["verify", "game.rres", "--key", &other]);
    assert!(
        run.out.contains("bytes at offset") && run.out.contains("was changed after the pack was signed"),
        "{}",
        run.out
    );
    let run = sandbox.run(["verify", "game.rres", "--key", "12"]);
    run.failed(2, &["expected 64 hexadecimal digits, found 2 characters"]);
}

#[test]
fn a_key_is_private_and_never_replaced() {
    let sandbox = Sandbox::new();
    let public = keygen(&sandbox, "keys/game");
    let text = String::from_utf8(sandbox.read("keys/game.key")).unwrap();
    assert!(text.contains(&public), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(sandbox.path("keys/game.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    sandbox.run(["keygen", "keys/game.key"]).failed(2, &["cannot write keys/game.key: it exists"]);
    assert_eq!(sandbox.read("keys/game.key"), text.as_bytes());
    assert_ne!(keygen(&sandbox, "second"), public);

    // From a variable: the whole text, or the digits.
    sandbox.write("game.rres", &pack("a.txt", 0, "text"));
    let digits = text.lines().last().unwrap().rsplit(' ').next().unwrap();
    for value in [&text, digits] {
        let run = sandbox.command().args(["sign", "game.rres"]).env("RRES_SIGN_KEY", value).output().unwrap();
        crate::Run::from(run).success();
    }
    sandbox.run(["verify", "game.rres", "--key", &public]).success();
    let run = sandbox.command().args(["sign", "game.rres"]).env("RRES_SIGN_KEY", &digits[1..]).output().unwrap();
    let run = crate::Run::from(run).failed(2, &["private key in the variable RRES_SIGN_KEY", "found 63 characters"]);
    assert!(!run.err.contains(&digits[10..20]), "a message contains the key: {}", run.err);
    let run = sandbox.command().args(["sign", "game.rres"]).env_remove("RRES_SIGN_KEY").output().unwrap();
    crate::Run::from(run).failed(2, &["no private key: name its file"]);
    sandbox.run(["sign", "game.rres", "--key", "no.key"]).failed(2, &["cannot read the private key no.key"]);
    sandbox.run(["sign", "game.rres", "--key", "game.rres"]).failed(2, &["cannot read the private key game.rres"]);
}

#[test]
fn the_packs_of_a_set_are_signed_together() {
    let sandbox = Sandbox::new();
    let key = keygen(&sandbox, "game");
    let names = [0, 1, 2].map(|number| pack_file_name("game", number));
    let write = |version: &str| {
        for (number, name) in names.iter().enumerate() {
            let (path, additional) = (format!("{number}.txt"), if number == 0 { 2 } else { 0 });
            sandbox.write(name, &pack(&path, additional, version));
        }
    };
    let verify = || sandbox.run(["verify", "game.rres", "--key", &key]);
    write("one");
    sandbox.run(["sign", &names[1], "--key", "game.key"]).failed(2, &["is an additional pack of game.rres"]);
    // A shell names all of them.
    let run = sandbox.run(["sign", &names[1], &names[0], &names[2], "--key", "game.key", "--json"]).success();
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["packs"].as_array().unwrap().len(), 3, "{report}");
    verify().success();
    sandbox.run(["verify", &names[2], "--key", &key]).success();
    let old = sandbox.read(&names[2]);

    write("two");
    sandbox.run(["sign", "game.rres", "--key", "game.key"]).success();
    verify().success();
    let new = sandbox.read(&names[2]);
    sandbox.write(&names[2], &old);
    let run = verify();
    assert_eq!(run.code, 1);
    assert!(run.out.contains("it was not signed together with the first pack of its set"), "{}", run.out);
    sandbox.write(&names[2], &sandbox.read(&names[1]));
    let run = verify();
    assert!(run.out.contains("it was signed as pack 2 of 3, expected pack 3 of 3"), "{}", run.out);
    sandbox.write(&names[2], &new[..content_len(&new).unwrap()]);
    let run = sandbox.run(["verify", "game.rres"]);
    assert_eq!(run.code, 1, "one of a signed set is not signed: {}", run.out);
    std::fs::remove_file(sandbox.path(&names[2])).unwrap();
    sandbox
        .run(["sign", "game.rres", "--key", "game.key"])
        .failed(1, &["cannot sign an incomplete set", "game.2.rres"]);
}

#[test]
fn a_damaged_pack_is_not_signed_and_stays_as_it_is() {
    let sandbox = Sandbox::new();
    keygen(&sandbox, "game");
    let mut damaged = pack("a.txt", 0, "text");
    let at = chunk_offset(&damaged, "a.txt");
    damaged[at + 60] ^= 1;
    let intact = pack("b.txt", 0, "text");
    sandbox.write("damaged.rres", &damaged);
    sandbox.write("intact.rres", &intact);
    let id = ResourceId::from_path("a.txt").to_string();
    let run = sandbox.run(["sign", "intact.rres", "damaged.rres", "--key", "game.key"]);
    run.failed(1, &["cannot sign damaged.rres", &id, "crc32"]);
    assert!(sandbox.read("damaged.rres") == damaged && sandbox.read("intact.rres") == intact, "all or none");
}

#[test]
fn patches_are_made_from_signed_packs_and_fit_unsigned_ones() {
    let sandbox = Sandbox::new();
    let key = keygen(&sandbox, "game");
    for version in ["one", "two"] {
        sandbox.write(&format!("{version}.rres"), &pack("a.txt", 0, version));
    }
    let new = sandbox.read("two.rres");
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "before.rres"]).success();
    sandbox.run(["sign", "one.rres", "two.rres", "--key", "game.key"]).success();
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "patch.rres"]).success();
    assert!(sandbox.read("patch.rres") == sandbox.read("before.rres"), "a signature does not change patches");
    sandbox.run(["sign", "patch.rres", "--key", "game.key"]).success();
    sandbox.run(["verify", "patch.rres", "--key", &key]).success();
    sandbox.run(["patch", "--apply", "one.rres", "patch.rres", "-o", "again.rres"]).success();
    assert!(sandbox.read("again.rres") == new, "the new pack without its signature");
    let info = sandbox.run(["info", "two.rres", "--json"]).success();
    let info: Value = serde_json::from_str(&info.out).unwrap();
    let parts = info["parts"].as_array().unwrap();
    let size =
        |part: &&Value| part["name"] == "signature" && part["size"] == sandbox.read("two.rres").len() - new.len();
    assert!(parts.iter().any(|part| size(&part)), "{parts:?}");
}
