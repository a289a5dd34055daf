//! `cargo rres exe … --legacy`: games in the layout of tutorials come over.

use super::Sandbox;

/// The hash of names in that layout, by its definition.
fn elf_hash(name: &str) -> u32 {
    let mut hash: u32 = 0;
    for byte in name.bytes() {
        hash = (hash << 4) + u32::from(byte);
        let high = hash & 0xf000_0000;
        if high != 0 {
            hash ^= high >> 24;
        }
        hash &= !high;
    }
    hash
}

/// A program with files. Offsets are counted from the start of the file plus `base`.
fn packed(marker: &str, files: &[(&str, &[u8])], base: impl Fn(usize, usize) -> usize) -> Vec<u8> {
    let marker = u64::from(elf_hash(marker)).to_le_bytes();
    // The program compares with the marker, so it contains it.
    let mut out = [&b"a program "[..], &marker, b" that looks for its marker"].concat();
    let start = out.len();
    let first = start + 12 + 12 * files.len();
    out.extend(marker);
    out.extend((12 * files.len() as u32).to_le_bytes());
    let mut offset = first - base(start, first);
    for (name, bytes) in files {
        out.extend([elf_hash(name), offset as u32, bytes.len() as u32].map(u32::to_le_bytes).concat());
        offset += bytes.len();
    }
    files.iter().for_each(|(_, bytes)| out.extend(*bytes));
    out
}

const FILES: &[(&str, &[u8])] = &[("tex/wall.png", b"a wall"), ("sfx/step.wav", b"a step"), ("data/empty", b"")];

#[test]
fn files_are_extracted_by_name_from_every_variant_of_the_layout() {
    let bases: [fn(usize, usize) -> usize; 4] = [|_, _| 0, |start, _| start, |start, _| start + 8, |_, first| first];
    for base in bases {
        let sandbox = Sandbox::new();
        sandbox.write("game", &packed("game data", FILES, base));
        sandbox.write("names", b"tex/wall.png\nsfx/step.wav\ndata/empty\n");
        sandbox.exe(&[&"extract", &"game", &"--legacy", &"--known-names", &"names", &"-o", &"out"]).success();
        for (name, bytes) in FILES {
            assert_eq!(sandbox.read(&format!("out/{name}")), *bytes);
        }
    }
}

#[test]
fn names_come_from_the_directory_that_was_packed_too_and_hashes_serve_without_them() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "game",
        &packed("my own", &[("res/tex/wall.png", b"a wall"), ("gone.txt", b"unknown")], |_, first| first),
    );
    sandbox.write("res/tex/wall.png", b"");
    sandbox.exe(&[&"extract", &"game", &"--legacy", &"-o", &"out"]).failed(2, &["\"game data\"", "--legacy=TEXT"]);
    let run = sandbox.exe(&[&"extract", &"game", &"--legacy=my own", &"--known-names", &"res", &"-o", &"out"]);
    assert!(run.code == 0 && run.err.contains("the names of 1 file are not known"), "{}", run.err);
    assert_eq!(sandbox.read("out/res/tex/wall.png"), b"a wall");
    assert_eq!(sandbox.read(&format!("out/{:08x}.bin", elf_hash("gone.txt"))), b"unknown");
    let out = sandbox.exe(&[&"info", &"game", &"--legacy=my own", &"--json"]).success().out;
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["legacy"]["files"].as_array().unwrap().len(), 2);
}

#[test]
fn names_with_one_hash_are_reported_and_names_do_not_lead_out_of_the_directory() {
    let sandbox = Sandbox::new();
    assert_eq!(elf_hash("tex/a141.png"), elf_hash("sfx/a110.png"));
    let files: &[(&str, &[u8])] = &[("tex/a141.png", b"first"), ("sfx/a110.png", b"second"), ("../out", b"outside")];
    sandbox.write("game", &packed("game data", files, |_, first| first));
    sandbox.write("names", b"tex/a141.png\nsfx/a110.png\n../out\n");
    let run = sandbox.exe(&[&"extract", &"game", &"--legacy", &"--known-names", &"names", &"-o", &"out"]);
    assert!(run.err.contains("tex/a141.png and sfx/a110.png have the same hash"), "{}", run.err);
    assert!(run.err.contains("several files have the hash 03e0e407; the game finds the first one"), "{}", run.err);
    assert_eq!(sandbox.read("out/tex/a141.png"), b"first");
    assert_eq!(sandbox.read(&format!("out/{:08x}.bin", elf_hash("../out"))), b"outside");
}

#[test]
fn damaged_packages_are_refused() {
    let sandbox = Sandbox::new();
    let whole = packed("game data", FILES, |_, first| first);
    for cut in (1..whole.len()).step_by(7) {
        sandbox.write("game", &whole[..whole.len() - cut]);
        sandbox.exe(&[&"info", &"game", &"--legacy"]).failed(2, &["found no index after the ELF hash"]);
    }
}
