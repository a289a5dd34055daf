//! The places where a program finds its assets. Each case runs this test binary in a process of its own, because
//! environment variables and the path of the executable belong to the process. Variables determine what it opens.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rres_runtime::__private::{ALL_TYPES, Dev, DevReader, Location, open};
use rres_runtime::{ErrorKind, Text};

use super::assert_message;
use super::assets::{pack, text};
use super::patches::patch;

/// The variables with the fields of the [`Location`] that the child opens.
const PACK: &str = "game";
const DEV: &str = "OPEN_DEV";
const TAIL: &str = "OPEN_TAIL";
const HASH: &str = "OPEN_HASH";

/// With this variable, the child waits for a line before it opens anything.
pub(super) const WAIT: &str = "OPEN_WAIT";

/// A directory with an executable and the files around it.
pub(super) struct Program {
    dir: tempfile::TempDir,
}

impl Program {
    pub(super) fn new() -> Self {
        let program = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir(program.path("bin")).unwrap();
        let exe = std::env::current_exe().unwrap();
        // A hard link is faster. Windows replaces no file that is running, under whichever name.
        if cfg!(windows) || std::fs::hard_link(&exe, program.exe()).is_err() {
            std::fs::copy(&exe, program.exe()).unwrap();
        }
        program
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The directory of the executable, as the program knows it.
    pub(super) fn real_bin(&self) -> PathBuf {
        let bin = self.path("bin");
        // On Windows, that would put `\\?\` before the path.
        if cfg!(windows) { bin } else { std::fs::canonicalize(bin).unwrap() }
    }

    pub(super) fn exe(&self) -> PathBuf {
        self.path(&format!("bin/program{}", std::env::consts::EXE_SUFFIX))
    }

    /// Writes a pack that contains one text, its own name.
    pub(super) fn put(&self, name: &str) -> PathBuf {
        self.put_set(name, 0, 0)
    }

    /// Makes directories look like those that Cargo builds into.
    fn cargo_builds_in(&self, dirs: &[&str]) {
        dirs.iter().for_each(|dir| std::fs::write(self.path(dir).join(".cargo-lock"), "").unwrap());
    }

    pub(super) fn put_set(&self, name: &str, additional: u32, hash: u8) -> PathBuf {
        let file = self.path(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let path = format!("{}.txt", file.file_stem().unwrap().to_str().unwrap());
        let pack = pack([text(&path, name)]).additional_packs(additional).set_hash([hash; 16]);
        std::fs::write(&file, pack.to_vec().unwrap()).unwrap();
        file
    }

    /// Returns what the program prints: `found NAME …`, or `error KIND: TEXT`.
    pub(super) fn run(&self, variables: &[(&str, &Path)]) -> String {
        said(self.command(self.exe()).envs(variables.iter().copied()).output().unwrap())
    }

    /// Returns the command that runs the program under any name.
    pub(super) fn command(&self, exe: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(exe);
        command.args(["--exact", "open::child", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env_remove("RRES_PATH").env_remove("OUT_DIR").env("OPEN", "1").current_dir(self.dir.path());
        command
    }
}

/// Returns what the program has printed.
pub(super) fn said(output: Output) -> String {
    let out = String::from_utf8(output.stdout).unwrap();
    let (_, said) = out.split_once("<<").unwrap_or_else(|| panic!("{out}"));
    said.split_once(">>").unwrap_or_else(|| panic!("{out}")).0.to_owned()
}

/// The program that the tests run.
#[test]
#[ignore = "run by the tests of this file, in a process of its own"]
#[expect(clippy::print_stdout, reason = "it is how the program answers")]
fn child() {
    if std::env::var_os("OPEN").is_none() {
        return;
    }
    if std::env::var_os(WAIT).is_some() {
        std::io::stdin().read_line(&mut String::new()).unwrap();
    }
    let leak = |name: &str| std::env::var(name).ok().map(|value| -> &'static str { value.leak() });
    let dev = |dir: &str| Dev {
        index: format!("{dir}/game.dev.rres").leak(),
        blobs: format!("{dir}/blobs").leak(),
        assets: format!("{dir}/assets").leak(),
        libraries: &[],
        serve: "",
        reader: DevReader::LOOSE,
    };
    let hash = leak(HASH).map_or(0, |hash| hash.parse().unwrap());
    let location = Location {
        pack: PACK,
        dev: leak(DEV).map(dev),
        pack_path_tail: leak(TAIL),
        set_hash: [hash; 16],
        types: &ALL_TYPES,
    };
    let text = match open(&location) {
        Ok(store) => {
            let value = |id: rres_runtime::AnyId| store.load(id.typed::<Text>().unwrap()).unwrap().get();
            let values: Vec<String> =
                store.mounts().entries().map(|entry| value(entry.id).as_str().to_owned()).collect();
            format!("found {} from {}", values.join(", "), store.base_dir().unwrap().display())
        }
        Err(error) => {
            let kind = match error.kind() {
                ErrorKind::NoAssets { .. } => "NoAssets",
                ErrorKind::BuildMismatch => "BuildMismatch",
                ErrorKind::Io(_) => "Io",
                _ => "other",
            };
            format!("error {kind}: {error}")
        }
    };
    println!("<<{text}>>");
}

pub(super) fn found(program: &Program, what: &str) -> String {
    let bin = program.real_bin();
    format!("found {what} from {}", bin.display())
}

#[test]
fn without_assets_the_error_lists_every_place_in_order() {
    let program = Program::new();
    let out_dir = program.path("out dir");
    let dev = program.path("dev");
    program.cargo_builds_in(&["", "bin"]);
    let said = program.run(&[("OUT_DIR", &out_dir), (DEV, &dev), (TAIL, Path::new("build/x/out/game.rres"))]);
    assert!(
        said.starts_with("error NoAssets: no assets found for pack \"game\"; searched, in this order:\n"),
        "{said}"
    );
    let bin = program.real_bin();
    let tail: PathBuf = ["build", "x", "out", "game.rres"].iter().collect();
    let mut rest = said.as_str();
    for place in [
        "the variable RRES_PATH: not set".to_owned(),
        format!("{}/game.dev.rres: not found", dev.display()),
        format!(
            "{}: contains no pack (strip, objcopy and UPX remove packs that were appended: embed after them)",
            bin.join(program.exe().file_name().unwrap()).display()
        ),
        format!("{}: not found", bin.join("game.rres").display()),
        format!("{}: not found", bin.parent().unwrap().join("Resources").join("game.rres").display()),
        format!("{}: not found", out_dir.join("game.rres").display()),
        format!("{}: not found", bin.join(&tail).display()),
        format!("{}: not found", bin.parent().unwrap().join(&tail).display()),
        "run `cargo build`, which imports the assets again, or name game.rres in the variable RRES_PATH".to_owned(),
    ] {
        let at = rest.find(&place).unwrap_or_else(|| panic!("{place:?} is missing, or out of order, in {said}"));
        rest = &rest[at + place.len()..];
    }
}

#[test]
fn places_are_searched_in_order() {
    let program = Program::new();
    let out_dir = program.path("out");
    program.cargo_builds_in(&["", "bin"]);
    let run = || program.run(&[("OUT_DIR", &out_dir), (TAIL, Path::new("build/game.rres"))]);
    // From the last place to the first: each pack is preferred to the ones written before.
    for place in ["build/game.rres", "bin/build/game.rres", "out/game.rres", "Resources/game.rres", "bin/game.rres"] {
        program.put(place);
        assert_eq!(run(), found(&program, place));
    }
}

#[test]
fn a_player_is_not_told_of_directories_of_cargo_and_no_pack_is_read_from_them() {
    let program = Program::new();
    program.put("build/game.rres");
    program.put("bin/build/game.rres");
    let said = program.run(&[(TAIL, Path::new("build/game.rres"))]);
    assert!(said.starts_with("error NoAssets: ") && !said.contains("build"), "{said}");
    assert!(said.ends_with("\nput game.rres beside the executable, or name it in the variable RRES_PATH"), "{said}");
}

#[test]
fn a_pack_whose_name_has_another_case_is_named() {
    let program = Program::new();
    let file = program.put("bin/Game.RRES");
    // Systems that ignore case find it.
    if file.with_file_name("game.rres").exists() {
        return;
    }
    let said = program.run(&[]);
    assert!(said.contains("game.rres: not found; there is Game.RRES: rename it to game.rres\n"), "{said}");
}

#[test]
fn rres_path_names_a_file_or_a_directory_and_comes_first() {
    let program = Program::new();
    program.put("bin/game.rres");
    let other = program.put("else/where.pack");
    program.put("else/game.rres");
    assert_eq!(program.run(&[("RRES_PATH", &other)]), found(&program, "else/where.pack"));
    assert_eq!(program.run(&[("RRES_PATH", &program.path("else"))]), found(&program, "else/game.rres"));
    assert_eq!(program.run(&[("RRES_PATH", Path::new("else"))]), found(&program, "else/game.rres"), "relative");
    assert_eq!(
        program.run(&[("RRES_PATH", Path::new(""))]),
        found(&program, "bin/game.rres"),
        "an empty variable counts as not set"
    );
}

#[test]
fn there_is_no_fallback_from_rres_path() {
    let program = Program::new();
    program.put("bin/game.rres");
    let missing = program.path("missing.rres");
    let said = program.run(&[("RRES_PATH", &missing)]);
    let named = format!("cannot read {}, which the variable RRES_PATH names: ", missing.display());
    assert!(said.starts_with(&format!("error Io: {named}")), "{said}");
    let said = program.run(&[("RRES_PATH", &program.path("empty"))]);
    assert!(said.contains("empty, which the variable RRES_PATH names: "), "{said}");
    let said = program.run(&[("RRES_PATH", &program.path("bin")), (HASH, Path::new("1"))]);
    assert!(said.starts_with("error BuildMismatch: the assets and the program come from different builds"), "{said}");
    assert!(said.contains("game.rres, which the variable RRES_PATH names)"), "{said}");
}

#[test]
fn packs_of_another_build_are_refused() {
    let program = Program::new();
    program.put_set("bin/game.rres", 0, 3);
    assert_eq!(program.run(&[(HASH, Path::new("3"))]), found(&program, "bin/game.rres"));
    let said = program.run(&[(HASH, Path::new("4"))]);
    assert!(said.starts_with("error BuildMismatch: "), "{said}");
    for advice in ["install both again from one download", "if you build the program, run `cargo build` again"] {
        assert!(said.contains(advice), "{advice:?} is not in {said}");
    }
}

#[test]
fn a_cut_pack_is_refused_at_the_start_with_advice_for_players() {
    let program = Program::new();
    let file = program.put("bin/game.rres");
    let whole = std::fs::read(&file).unwrap();
    for len in [whole.len() - 1, whole.len() / 2, 100, 20, 3] {
        std::fs::write(&file, &whole[..len]).unwrap();
        let said = program.run(&[]);
        assert!(said.starts_with("error other: ") && said.contains("game.rres)"), "{len}: {said}");
        let advice =
            "the file is damaged or incomplete: install it again, or, if you build the program, run `cargo build`";
        // Nobody can tell from 3 bytes that they should have been a pack.
        assert_eq!(said.contains(advice), len > 3, "{len}: {said}");
    }
    std::fs::write(&file, &whole).unwrap();
    assert_eq!(program.run(&[]), found(&program, "bin/game.rres"));
}

#[test]
fn additional_packs_open_with_the_first_one() {
    let program = Program::new();
    program.put_set("bin/game.rres", 2, 1);
    program.put_set("bin/game.1.rres", 0, 1);
    let said = program.run(&[(HASH, Path::new("1"))]);
    assert!(said.starts_with("error Io: ") && said.contains("game.2.rres"), "{said}");
    program.put_set("bin/game.2.rres", 0, 1);
    let all = found(&program, "bin/game.rres, bin/game.1.rres, bin/game.2.rres");
    assert_eq!(program.run(&[(HASH, Path::new("1"))]), all);
    program.put_set("bin/game.2.rres", 0, 2);
    assert!(program.run(&[(HASH, Path::new("1"))]).starts_with("error BuildMismatch: "), "of another build");
}

#[test]
fn a_set_opens_by_the_path_of_its_first_pack_with_its_patches() {
    let program = Program::new();
    let first = program.put_set("bin/game.rres", 2, 1);
    program.put_set("bin/game.1.rres", 0, 1);
    let open = || rres_runtime::PackOptions::default().open_store(&first);
    assert_message(open(), &["game.2.rres"]);
    program.put_set("bin/game.2.rres", 0, 1);
    let store = open().unwrap();
    let paths: Vec<String> = store.mounts().entries().map(|entry| entry.path.to_owned()).collect();
    assert_eq!(paths.len(), 3, "{paths:?}");
    assert_eq!(store.base_dir().as_deref(), first.parent());
    let file = program.put("bin/patched.rres");
    let old = std::fs::read(&file).unwrap();
    let new = pack([text("patched.txt", "bin/patched.rres"), text("new.txt", "new")]).to_vec().unwrap();
    std::fs::write(program.path("bin/patched.patch1.rres"), patch(&old, &new, vec![text("new.txt", "new")], &[]))
        .unwrap();
    let store = rres_runtime::PackOptions::default().open_store(&file).unwrap();
    assert!(store.find("new.txt").is_ok());
}

#[test]
fn patches_beside_the_pack_are_mounted_by_number() {
    let program = Program::new();
    let file = program.put("bin/game.rres");
    let old = std::fs::read(&file).unwrap();
    let version = |contents: &str, hash| {
        pack([text("game.txt", "bin/game.rres"), text("new.txt", contents)]).set_hash([hash; 16]).to_vec().unwrap()
    };
    let (new, newest) = (version("new", 1), version("newest", 2));
    let run = |hash: &str| program.run(&[(HASH, Path::new(hash))]);
    assert!(run("1").starts_with("error BuildMismatch: "), "{}", run("1"));
    let first = patch(&old, &new, vec![text("new.txt", "new")], &[]);
    std::fs::write(program.path("bin/game.patch1.rres"), &first).unwrap();
    assert_eq!(run("1"), found(&program, "new, bin/game.rres"));
    assert!(run("0").starts_with("error BuildMismatch: "), "an old program and a new patch: {}", run("0"));
    std::fs::write(program.path("bin/game.patch2.rres"), patch(&new, &newest, vec![text("new.txt", "newest")], &[]))
        .unwrap();
    assert_eq!(run("2"), found(&program, "newest, bin/game.rres"));
    // The whole game was installed again, and a patch was left.
    std::fs::write(&file, &new).unwrap();
    let said = run("1");
    assert!(
        said.contains("the patch was made for another version than") && said.contains("game.patch1.rres"),
        "{said}"
    );
    // A patch that was not downloaded as a whole.
    std::fs::write(&file, &old).unwrap();
    std::fs::write(program.path("bin/game.patch1.rres"), &first[..first.len() - 9]).unwrap();
    assert!(run("1").contains("the file is damaged or incomplete"), "{}", run("1"));
    // A pack of another program, as a patch looks whose index is destroyed.
    let foreign = pack([text("new.txt", "new")]).index(false);
    std::fs::write(program.path("bin/game.patch1.rres"), foreign.to_vec().unwrap()).unwrap();
    let said = run("1");
    assert!(said.contains("it has the name of a patch") && said.contains("game.patch1.rres"), "{said}");
}
