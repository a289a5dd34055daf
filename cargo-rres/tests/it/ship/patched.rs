//! Patches of a shipped game: the programs of both versions with them, with the pack beside the program and in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rres_test_support::fresh::Fresh;

use super::game::{run, ship};
use super::{line_of, project_directory};

/// Prints a text and the paths of all assets.
const MAIN: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let mounts = store.mounts();
    let mut paths: Vec<&str> = mounts.entries().map(|entry| entry.path).collect();
    paths.sort();
    println!("{} of {}", store.load(assets::HELLO_TXT)?.get().as_str(), paths.join(" "));
    Ok(())
}
"#;

const NAME: &str = "patched_game";

const ONE: &str = "one of gone.txt hello.txt";
const TWO: &str = "two of gone.txt hello.txt";
const THREE: &str = "three of hello.txt new.txt";

fn program_in(dir: &Path) -> PathBuf {
    dir.join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX))
}

/// Asserts that a program refuses to start and says all of this.
#[track_caller]
fn refuses(program: &Path, texts: &[&str]) {
    let output = Command::new(program).env_remove("RRES_PATH").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(texts.iter().all(|text| stderr.contains(text)), "{stderr}");
}

/// One test, because all of its steps build the same game in the same directory.
#[test]
#[ignore = "long: compiles everything for release"]
fn the_new_program_opens_a_patched_game_and_the_old_one_says_which_file_is_newer() {
    let (_lock, dir) = project_directory();
    let game = Fresh::at(dir, NAME, &["engine"], MAIN);
    let shipped = tempfile::tempdir().unwrap();
    let path = |name: &str| shipped.path().join(name);
    // Ships the game as it is now, and moves the result away.
    let ship_to = |name: &str, options: &[&str]| {
        ship(&game, options);
        fs::rename(game.path("dist").join(NAME), path(name)).unwrap();
    };
    let patch = |old: &str, new: &str, out: &str| {
        let pack = |dir: &str| path(dir).join(format!("{NAME}.rres")).display().to_string();
        run(&game, &["patch", &pack(old), &pack(new), "-o", &path(out).display().to_string()], 0);
    };
    let copy = |from: &str, to: PathBuf| assert!(fs::copy(path(from), to).unwrap() > 0);
    let (first, second) = (format!("{NAME}.patch1.rres"), format!("{NAME}.patch2.rres"));

    game.write("assets/hello.txt", "one");
    game.write("assets/gone.txt", "gone");
    ship_to("one", &[]);
    ship_to("single", &["--single"]);
    game.write("assets/hello.txt", "two");
    ship_to("two", &[]);
    game.write("assets/hello.txt", "three");
    game.write("assets/new.txt", "new");
    fs::remove_file(game.path("assets/gone.txt")).unwrap();
    ship_to("three", &[]);
    patch("one", "two", "to-two.rres");
    patch("two", "three", "to-three.rres");

    for how in ["one", "single"] {
        let program = program_in(&path(how));
        assert_eq!(path(how).join(format!("{NAME}.rres")).exists(), how == "one");
        let line = || line_of(Command::new(&program));
        assert_eq!(line(), ONE, "{how}");
        copy("to-two.rres", path(how).join(&first));
        assert_eq!(line(), TWO, "{how}: only contents changed, so the old program fits");
        #[cfg(unix)]
        {
            let link = path(&format!("link to {how}"));
            std::os::unix::fs::symlink(&program, &link).unwrap();
            assert_eq!(line_of(Command::new(&link)), TWO, "{how}: patches are beside the real program");
        }
        copy("to-three.rres", path(how).join(&second));
        refuses(&program, &[&second, "come from different builds"]);
    }
    // The pack of the first version, both patches, and the program of the third.
    fs::copy(program_in(&path("three")), program_in(&path("one"))).unwrap();
    assert_eq!(line_of(Command::new(program_in(&path("one")))), THREE);
    fs::remove_file(path("one").join(&second)).unwrap();
    refuses(&program_in(&path("one")), &[&first]);
    // A single program of the third version contains all of it, so the patches of older ones do not fit.
    fs::remove_file(path("one").join(&first)).unwrap();
    refuses(&program_in(&path("one")), &[&format!("{NAME}.rres")]);

    debug_builds_ignore_patches(&game, shipped.path(), &first);
}

fn debug_builds_ignore_patches(game: &Fresh, shipped: &Path, patch: &str) {
    let (_, err) = game.cargo(&["build"]);
    let program = program_in(&shipped.join("two"));
    fs::copy(game.executable("debug"), &program).unwrap_or_else(|e| panic!("{e}: {err}"));
    fs::write(shipped.join("two").join(patch), "not even a patch").unwrap();
    assert_eq!(line_of(Command::new(&program)), THREE, "the loose files");
    fs::copy(program_in(&shipped.join("three")), &program).unwrap();
    refuses(&program, &[patch]);
}
