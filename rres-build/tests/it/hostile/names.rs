//! Names, links and special files: each is built or is an error that names it, and nothing outside of the assets is touched.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use super::super::{Project, files_below};
use super::child;

/// Builds in another process, which ends even if it would wait for a file.
#[track_caller]
fn errors(project: &Project) -> String {
    child::run(project, "ulimit -t 60").error.unwrap_or_default()
}

#[test]
fn links_and_special_files() {
    let project = Project::new(&[("good.txt", b"good"), ("sub/x.txt", b"x")]);
    let assets = project.assets();
    symlink("loop", assets.join("loop")).unwrap();
    symlink("two", assets.join("one")).unwrap();
    symlink("one", assets.join("two")).unwrap();
    symlink("..", assets.join("sub/up")).unwrap();
    symlink("/dev/zero", assets.join("zero.txt")).unwrap();
    symlink("/dev/null", assets.join("null.png")).unwrap();
    symlink("/dev/tty", assets.join("tty.wav")).unwrap();
    let _listener = UnixListener::bind(assets.join("socket.bin")).unwrap();
    fs::create_dir(assets.join("folder.png")).unwrap();
    let text = errors(&project);
    for (name, what) in [
        ("loop", ""),
        ("one", ""),
        ("two", ""),
        ("sub/up", "which contains it"),
        ("zero.txt", "is neither a file nor a directory"),
        ("null.png", "is neither a file nor a directory"),
        ("tty.wav", "is neither a file nor a directory"),
        ("socket.bin", "is neither a file nor a directory"),
    ] {
        let is_named = |line: &&str| line.contains(&format!("assets/{name}: ")) && line.contains(what);
        assert!(text.lines().any(|line| is_named(&line)), "{name}: {what} in:\n{text}");
    }
    assert!(!text.contains("good.txt") && !text.contains("folder.png"), "{text}");
    for name in ["loop", "one", "two", "sub/up", "zero.txt", "null.png", "tty.wav", "socket.bin"] {
        fs::remove_file(assets.join(name)).unwrap();
    }
    assert_eq!(errors(&project), "");
}

#[test]
fn links_out_of_the_tree_are_followed_and_never_written() {
    // A user who makes a link decides that it is an asset. A model's own references may not leave the tree.
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("more")).unwrap();
    fs::write(outside.path().join("more/a.txt"), "outside").unwrap();
    let project = Project::new(&[("good.txt", b"good")]);
    symlink(outside.path().join("more"), project.assets().join("linked")).unwrap();
    assert_eq!(errors(&project), "");
    assert!(project.run().assets.iter().any(|asset| asset.path == "linked/a.txt"));
    assert_eq!(files_below(outside.path()), [outside.path().join("more/a.txt")]);
    assert_eq!(fs::read(outside.path().join("more/a.txt")).unwrap(), b"outside");
}

#[test]
fn an_output_that_is_a_link_is_replaced_and_not_followed() {
    let project = Project::new(&[("good.txt", b"good")]);
    let victim = project.dir.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    fs::create_dir_all(project.out()).unwrap();
    for name in ["game.rres", "assets.rs"] {
        symlink(&victim, project.out().join(name)).unwrap();
    }
    project.run();
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert!(fs::symlink_metadata(project.out().join("game.rres")).unwrap().is_file());
}

#[test]
fn names_that_do_harm_on_terminals_or_other_systems() {
    let project = Project::new(&[("good.txt", b"good")]);
    for name in [
        &b"esc\x1b]0;pwned\x07.txt"[..],
        b"line\nbreak.txt",
        b"cr\rover.txt",
        b"tab\t.txt",
        b"bad\xff\xfe.txt",
        b"cut\xe2\x82",
        b"surrogate\xed\xa0\x80.txt",
        b"back\\slash.txt",
        "right\u{202e}txt.exe.txt".as_bytes(),
    ] {
        let mut raw = Vec::new();
        raw.extend_from_slice(name);
        fs::write(project.assets().join(OsStr::from_bytes(&raw)), "x").unwrap();
    }
    let text = errors(&project);
    for name in ["esc", "line", "cr", "tab", "bad", "cut", "surrogate", "back"] {
        assert!(text.contains(&format!("assets/{name}")), "{name} in:\n{text}");
    }
    let is_raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!text.contains(is_raw), "no control character reaches the terminal: {text:?}");
}

#[test]
fn names_that_differ_by_case_are_one_error() {
    let project = Project::new(&[("ui/Player.txt", b"a"), ("ui/player.txt", b"b")]);
    let text = errors(&project);
    let expected = "ui/player.txt: its name differs from \"ui/Player.txt\" by case or Unicode form only";
    assert!(text.contains(expected), "{text}");
    assert_eq!((text.matches("ui/player.txt").count(), text.matches("constant").count()), (1, 0), "{text}");
    project.write("assets.toml", b"[\"ui/player.txt\"]\nignore = true\n");
    assert_eq!(errors(&project), "");
}

#[test]
fn names_of_any_length_are_built_or_named() {
    let longest = "n".repeat(251) + ".txt";
    let project = Project::new(&[(&longest, b"x"), ("good.txt", b"good")]);
    assert_eq!(errors(&project), "");
    // 5 × 201 bytes and a file, which no directory of a pack takes. Deeper ones are longer than the system takes at once.
    let folder = ["d".repeat(200), "d".repeat(200), "d".repeat(200), "d".repeat(200), "d".repeat(200)].join("/");
    project.write(&format!("{folder}/{}.txt", "x".repeat(30)), b"too long");
    let text = errors(&project);
    assert!(text.contains("longer than") || text.contains("1022"), "{text}");
    assert!(!text.contains("good.txt"), "{text}");
}

#[test]
fn a_tree_deeper_than_the_system_takes_is_an_error() {
    let project = Project::new(&[("good.txt", b"good")]);
    // No path may have more than 4,096 bytes, so one half is moved into the other.
    let half = vec!["d".repeat(200); 16].join("/");
    fs::create_dir_all(project.assets().join(&half)).unwrap();
    project.write(&format!("e/{half}/x.txt"), b"x");
    fs::rename(project.assets().join("e"), project.assets().join(&half).join("e")).unwrap();
    let text = errors(&project);
    assert!(text.contains("assets/dddd") && !text.contains("good.txt"), "{text}");
    // `remove_dir_all` goes down step by step, too.
    fs::remove_dir_all(project.assets()).unwrap();
}

#[test]
fn files_that_cannot_be_read_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("good.txt", b"good"), ("secret.txt", b"x"), ("closed/x.txt", b"x")]);
    let mode = |path: &str, mode: u32| {
        fs::set_permissions(project.assets().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("secret.txt", 0);
    mode("closed", 0);
    let is_hidden = fs::read(project.assets().join("secret.txt")).is_err();
    let text = errors(&project);
    mode("closed", 0o755);
    if !is_hidden {
        // The super-user reads everything; `setpriv --reuid 65534` runs this test as nobody.
        assert_eq!(text, "");
        return;
    }
    for name in ["secret.txt", "closed"] {
        assert!(text.contains(&format!("assets/{name}: cannot read it")), "{name} in:\n{text}");
    }
}
