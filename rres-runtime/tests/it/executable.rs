//! Packs in the program's own executable: when they are searched, sets of them, and what happens if the file is replaced.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;

use rres_format::embedded::AttachmentWriter;
use rres_runtime::{ErrorKind, PackOptions, packs_in_executable};

use super::assets::{pack, text};
use super::open::{Program, found};
#[cfg(unix)]
use super::open::{WAIT, said};
use super::patches::patch;

/// Replaces the executable of `program` by one with these packs. Each pack contains its own name.
fn embed(program: &Program, packs: &[&str]) {
    let names: Vec<(String, Vec<u8>)> = packs
        .iter()
        .map(|name| (name.rsplit('/').next().unwrap().to_owned(), fs::read(program.path(name)).unwrap()))
        .collect();
    let host = fs::read(std::env::current_exe().unwrap()).unwrap();
    let new = program.path("bin/new");
    let mut out = File::create(&new).unwrap();
    out.write_all(&host).unwrap();
    let mut writer = AttachmentWriter::append(out, host.len() as u64).unwrap();
    for (name, bytes) in &names {
        writer.pack(name, &mut bytes.as_slice()).unwrap();
    }
    drop(writer.finish().unwrap());
    fs::set_permissions(&new, fs::metadata(program.exe()).unwrap().permissions()).unwrap();
    fs::rename(new, program.exe()).unwrap();
}

#[test]
fn the_executable_is_searched_after_rres_path_and_the_dev_index_and_before_files() {
    let program = Program::new();
    program.put("in/game.rres");
    program.put("bin/game.rres");
    embed(&program, &["in/game.rres"]);
    assert_eq!(program.run(&[]), found(&program, "in/game.rres"));
    let other = program.put("other/game.rres");
    assert_eq!(program.run(&[("RRES_PATH", &other)]), found(&program, "other/game.rres"));
    // The dev index comes first, so one that is damaged is not passed over.
    fs::create_dir(program.path("dev")).unwrap();
    fs::write(program.path("dev/game.dev.rres"), "damaged").unwrap();
    let said = program.run(&[("OPEN_DEV", &program.path("dev"))]);
    assert!(said.starts_with("error other: not an rres pack"), "{said}");
}

#[test]
fn a_pack_of_another_name_in_the_executable_is_left_alone_and_named() {
    let program = Program::new();
    program.put("in/dlc.rres");
    embed(&program, &["in/dlc.rres"]);
    let said = program.run(&[]);
    let name = program.exe().file_name().unwrap().to_str().unwrap().to_owned();
    assert!(said.contains(&format!("{name}: contains only dlc.rres\n")), "{said}");
    program.put("bin/game.rres");
    assert_eq!(program.run(&[]), found(&program, "bin/game.rres"));
}

#[test]
fn a_set_in_the_executable_opens_as_a_whole_and_is_compared_with_the_build() {
    let program = Program::new();
    program.put_set("in/game.rres", 2, 1);
    program.put_set("in/game.1.rres", 0, 1);
    program.put_set("in/game.2.rres", 0, 1);
    program.put_set("in/dlc.rres", 0, 9);
    embed(&program, &["in/dlc.rres", "in/game.rres", "in/game.1.rres", "in/game.2.rres"]);
    let all = found(&program, "in/game.rres, in/game.1.rres, in/game.2.rres");
    assert_eq!(program.run(&[("OPEN_HASH", Path::new("1"))]), all);
    assert!(program.run(&[("OPEN_HASH", Path::new("2"))]).starts_with("error BuildMismatch: "));

    // An additional pack beside the executable does not complete the set.
    program.put_set("bin/game.2.rres", 0, 1);
    embed(&program, &["in/game.rres", "in/game.1.rres"]);
    let said = program.run(&[("OPEN_HASH", Path::new("1"))]);
    assert!(
        said.contains("no pack game.2.rres in the executable") && said.contains("only game.rres, game.1.rres"),
        "{said}"
    );
}

#[test]
fn patches_beside_the_executable_are_mounted_over_the_packs_in_it() {
    let program = Program::new();
    let old = fs::read(program.put("in/game.rres")).unwrap();
    embed(&program, &["in/game.rres"]);
    let version = |new: &str| {
        let resources = [text("game.txt", "in/game.rres"), text("new.txt", new)];
        pack(resources).set_hash([1; 16]).to_vec().unwrap()
    };
    let (new, newest) = (version("new"), version("newest"));
    fs::write(program.path("bin/game.patch1.rres"), patch(&old, &new, vec![text("new.txt", "new")], &[])).unwrap();
    let run = || program.run(&[("OPEN_HASH", Path::new("1"))]);
    assert_eq!(run(), found(&program, "new, in/game.rres"));
    let second = patch(&new, &newest, vec![text("new.txt", "newest")], &[]);
    fs::write(program.path("bin/game.patch2.rres"), second).unwrap();
    assert_eq!(run(), found(&program, "newest, in/game.rres"));

    // Beside the file that a link leads to, and not beside the link.
    #[cfg(target_os = "linux")]
    {
        fs::create_dir(program.path("links")).unwrap();
        fs::write(program.path("links/game.patch1.rres"), "not a patch").unwrap();
        let link = program.path("links/program");
        std::os::unix::fs::symlink(program.exe(), &link).unwrap();
        let linked = program.command(link).env("OPEN_HASH", "1").output().unwrap();
        assert_eq!(said(linked), found(&program, "newest, in/game.rres"));
    }

    let said = program.run(&[]);
    assert!(said.starts_with("error BuildMismatch: ") && said.contains("game.patch2.rres"), "{said}");
    // A new executable, and patches that were left.
    fs::write(program.path("in/game.rres"), &new).unwrap();
    embed(&program, &["in/game.rres"]);
    let said = run();
    assert!(
        said.contains("the patch was made for another version than") && said.contains("game.patch1.rres"),
        "{said}"
    );
}

#[test]
fn damage_in_the_executable_is_an_error_and_nothing_else_is_opened() {
    let program = Program::new();
    program.put("in/game.rres");
    program.put("bin/game.rres");
    embed(&program, &["in/game.rres"]);
    let mut bytes = fs::read(program.exe()).unwrap();
    let in_footer = bytes.len() - 40;
    bytes[in_footer] ^= 1;
    let new = program.path("bin/new");
    fs::write(&new, bytes).unwrap();
    fs::set_permissions(&new, fs::metadata(program.exe()).unwrap().permissions()).unwrap();
    fs::rename(new, program.exe()).unwrap();
    let said = program.run(&[]);
    assert!(said.starts_with("error other: footer of embedded packs: crc32 is "), "{said}");
    let exe = program.real_bin().join(program.exe().file_name().unwrap());
    assert!(said.ends_with(&format!("(in {})", exe.display())), "{said}");
}

/// On Windows, the file of a running program cannot be replaced.
#[cfg(unix)]
#[test]
fn a_running_program_keeps_its_packs_when_its_file_is_replaced_or_deleted() {
    for delete in [false, true] {
        let program = Program::new();
        program.put("in/old/game.rres");
        program.put("in/new/game.rres");
        embed(&program, &["in/old/game.rres"]);
        let mut command = program.command(program.exe());
        let mut child = command.env(WAIT, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        match delete {
            true => fs::remove_file(program.exe()).unwrap(),
            false => embed(&program, &["in/new/game.rres"]),
        }
        child.stdin.take().unwrap().write_all(b"go on\n").unwrap();
        let old = said(child.wait_with_output().unwrap());
        assert!(old.starts_with("found in/old/game.rres"), "{old}");
        if !delete {
            assert_eq!(program.run(&[]), found(&program, "in/new/game.rres"));
        }
    }
}

#[test]
fn a_program_without_generated_code_asks_for_its_packs_by_name() {
    // This test program has none.
    assert!(packs_in_executable().unwrap().is_empty());
    let error = PackOptions::default().open_self("game.rres").unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::NotEmbedded { pack, embedded } if pack == "game.rres" && embedded.is_empty())
    );
    let exe = std::env::current_exe().unwrap();
    assert_eq!(error.file(), Some(exe.as_path()));
    let expected = format!(
        "no pack game.rres in the executable {}: contains no pack (strip, objcopy and UPX remove packs that were appended: \
         embed after them)",
        exe.display()
    );
    assert_eq!(error.to_string(), expected);
}

/// Ordinary names, in packs of 20,000, without those whose id an earlier name has.
fn corpus() -> Vec<Vec<String>> {
    let folders = ["tex", "sfx", "mus", "mod", "txt", "lvl", "gui", "fnt"];
    let extensions = ["png", "ogg", "json", "glb", "txt"];
    let mut ids = std::collections::HashSet::new();
    let mut names: Vec<String> = Vec::new();
    for number in 0..2_500 {
        for folder in folders {
            for extension in extensions {
                let name = format!("{folder}/a{number}.{extension}");
                if ids.insert(rres_runtime::ResourceId::from_path(&name)) {
                    names.push(name);
                }
            }
        }
    }
    names.chunks(20_000).map(<[String]>::to_vec).collect()
}

#[test]
fn a_hundred_thousand_names_are_found_by_their_whole_paths() {
    let corpus = corpus();
    assert!(corpus.iter().map(Vec::len).sum::<usize>() > 99_900);
    // Many of them have the same 28-bit hash, which other formats find files by.
    let elf_hash = |name: &str| {
        name.bytes().fold(0_u32, |hash, byte| {
            let hash = (hash << 4) + u32::from(byte);
            (hash ^ ((hash & 0xf000_0000) >> 24)) & 0x0fff_ffff
        })
    };
    let hashes: std::collections::HashSet<u32> = corpus.iter().flatten().map(|name| elf_hash(name)).collect();
    assert!(corpus.iter().map(Vec::len).sum::<usize>() - hashes.len() > 4_000, "{} hashes", hashes.len());
    for names in &corpus {
        let bytes = super::assets::pack(names.iter().map(|name| super::assets::text(name, name))).to_vec().unwrap();
        let pack = PackOptions::default().from_bytes(bytes).unwrap();
        for name in names {
            let id = pack.find(name).unwrap_or_else(|| panic!("{name} is not found"));
            assert_eq!(pack.load::<rres_runtime::Text>(id).unwrap().as_str(), name);
        }
        assert_eq!(pack.find(&names[0][..names[0].len() - 1]), None);
    }
}
