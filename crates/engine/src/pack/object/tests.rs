//! Linkers put the object files into programs, and the packs are found there.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use rres_format::embedded::{self, ProgramFormat};
use rres_test_support::has_tools;

use super::*;

fn target(arch: &str, os: &str, vendor: &str) -> Target {
    let [arch, os, vendor] = [arch, os, vendor].map(str::to_owned);
    Target { arch, os, vendor, env: "gnu".to_owned(), endian: "little".to_owned() }
}

/// A directory with the objects `game.o` and `dlc.o`, and the same as libraries.
struct Objects {
    dir: tempfile::TempDir,
}

impl Objects {
    fn new(target: &Target) -> Self {
        let objects = Self { dir: tempfile::tempdir().unwrap() };
        let format = ObjectFormat::of(target).unwrap();
        for (name, packs) in [("game", &[("game.rres", 70_000), ("game.1.rres", 1)][..]), ("dlc", &[("dlc.rres", 100)])]
        {
            let packs: Vec<(String, PathBuf)> = packs
                .iter()
                .map(|(name, len)| {
                    let file = objects.path(name);
                    fs::write(&file, vec![*len as u8; *len]).unwrap();
                    ((*name).to_owned(), file)
                })
                .collect();
            let mut out = File::create(objects.path(&format!("{name}.o"))).unwrap();
            write_object(&mut out, format, &symbol(name), &packs).unwrap();
            let mut out = File::create(objects.path(&format!("lib{name}.a"))).unwrap();
            write_library(&mut out, format, &symbol(name), &packs).unwrap();
        }
        objects
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    #[track_caller]
    fn run(&self, program: &str, args: &[&str]) {
        let output = Command::new(program).args(args).current_dir(self.dir.path()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        // About the processor, which no object with code describes.
        let is_fine = err.lines().all(|line| !line.contains("warning") || line.contains("blx instruction"));
        assert!(output.status.success() && is_fine, "{program} {args:?}: {err}");
    }

    /// Asserts that the packs of both objects are in `program`, each once.
    #[track_caller]
    fn are_in(&self, program: &str) {
        self.are_in_file(&self.path(program));
    }

    #[track_caller]
    fn are_in_file(&self, program: &Path) {
        let bytes = fs::read(program).unwrap();
        let attachments = embedded::linked(&mut Cursor::new(&bytes)).unwrap();
        let mut packs: Vec<_> = attachments.iter().flat_map(|attachment| &attachment.packs).collect();
        packs.sort_by_key(|pack| pack.len);
        let names: Vec<&str> = packs.iter().map(|pack| pack.name.as_str()).collect();
        assert_eq!(names, ["game.1.rres", "dlc.rres", "game.rres"], "in {}", program.display());
        for pack in packs {
            let found = &bytes[pack.offset as usize..][..pack.len as usize];
            assert!(found == fs::read(self.path(&pack.name)).unwrap(), "{} differs", pack.name);
            assert!(pack.offset.is_multiple_of(16), "{} is at {}", pack.name, pack.offset);
        }
        assert_eq!(embedded::appended(&mut Cursor::new(&bytes)).unwrap(), None);
    }
}

#[test]
fn programs_for_linux_contain_the_packs_on_every_processor() {
    if !has_tools(&["lld"]) {
        return;
    }
    // The name that the linker has for each.
    for (arch, emulation) in [
        ("x86_64", "elf_x86_64"),
        ("x86", "elf_i386"),
        ("aarch64", "aarch64linux"),
        ("arm", "armelf_linux_eabi"),
        ("riscv64", "elf64lriscv"),
    ] {
        let objects = Objects::new(&target(arch, "linux", "unknown"));
        for kind in ["--pie", "--no-pie"] {
            let args = [
                "-flavor",
                "gnu",
                "-m",
                emulation,
                kind,
                "--gc-sections",
                "-e",
                "0",
                "game.o",
                "dlc.o",
                "-o",
                "program",
            ];
            objects.run("lld", &args);
            objects.are_in("program");
            let args = ["-flavor", "gnu", "-m", emulation, kind, "--gc-sections", "-e", "0", "--whole-archive", "-L."];
            objects.run("lld", &[&args[..], &["-lgame", "-ldlc", "-o", "by-library"]].concat());
            objects.are_in("by-library");
        }
    }
}

#[test]
fn the_linker_of_gnu_keeps_the_packs_too() {
    if !has_tools(&["ld.bfd"]) || !cfg!(target_arch = "x86_64") {
        return;
    }
    let objects = Objects::new(&target("x86_64", "linux", "unknown"));
    objects.run("ld.bfd", &["--gc-sections", "-e", "0", "-pie", "game.o", "dlc.o", "-o", "program"]);
    objects.are_in("program");
    let args = ["--gc-sections", "-e", "0", "-pie", "-L.", "--whole-archive", "-lgame", "-ldlc", "-o", "by-library"];
    objects.run("ld.bfd", &args);
    objects.are_in("by-library");
}

#[test]
fn programs_for_windows_contain_the_packs() {
    if !has_tools(&["x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-strip", "lld"]) {
        return;
    }
    let objects = Objects::new(&target("x86_64", "windows", "pc"));
    fs::write(objects.path("main.c"), "int main(void) { return 0; }").unwrap();
    let undefined = ["game", "dlc"].map(|name| format!("-Wl,--undefined={}", symbol(name)));
    let mut args = vec!["main.c", "game.o", "dlc.o", "-Wl,--gc-sections", "-o", "program.exe"];
    args.extend(undefined.iter().map(String::as_str));
    objects.run("x86_64-w64-mingw32-gcc", &args);
    objects.are_in("program.exe");
    objects.run("x86_64-w64-mingw32-strip", &["program.exe"]);
    objects.are_in("program.exe");

    objects.run("x86_64-w64-mingw32-gcc", &["-c", "main.c", "-o", "main.obj"]);
    let args = [
        "-flavor",
        "link",
        "/entry:main",
        "/subsystem:console",
        "/opt:ref",
        "/out:by-lld.exe",
        "main.obj",
        "game.o",
        "dlc.o",
    ];
    // `main` of MinGW calls a function that only its own library has.
    let args = [&args[..], &["/force:unresolved"]].concat();
    drop(Command::new("lld").args(args).current_dir(objects.dir.path()).output().unwrap());
    objects.are_in("by-lld.exe");
}

#[test]
fn programs_for_macos_contain_the_packs() {
    if !has_tools(&["lld"]) {
        return;
    }
    for (arch, name) in [("aarch64", "arm64"), ("x86_64", "x86_64")] {
        let objects = Objects::new(&target(arch, "macos", "apple"));
        let mut args = vec![
            "-flavor",
            "darwin",
            "-arch",
            name,
            "-platform_version",
            "macos",
            "11.0",
            "11.0",
            "-dylib",
            "-dead_strip",
        ];
        args.extend(["game.o", "dlc.o", "-o", "program"]);
        objects.run("lld", &args);
        objects.are_in("program");
        let info = embedded::program_info(&mut File::open(objects.path("program")).unwrap()).unwrap();
        assert_eq!(info.format, ProgramFormat::MachO);
        assert_eq!(info.end, Some(fs::metadata(objects.path("program")).unwrap().len()));
    }
}

#[test]
fn targets_without_executables_are_refused() {
    for target in [
        target("wasm32", "unknown", "unknown"),
        target("x86_64", "none", "unknown"),
        target("mips", "linux", "unknown"),
    ] {
        assert!(ObjectFormat::of(&target).is_none(), "{target:?}");
    }
    let big = Target { endian: "big".to_owned(), ..target("aarch64", "linux", "unknown") };
    assert!(ObjectFormat::of(&big).is_none());
}
