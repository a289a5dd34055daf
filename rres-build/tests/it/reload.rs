//! A game that runs while its assets are edited: a fresh crate, its compiled build script, and every way that
//! editors use to save files.

use std::fs::{self, File, FileTimes};
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use rres_test_support::fresh::Fresh;
use rres_test_support::wait;

/// Prints a line for each new value and each event, until its input ends.
const MAIN: &str = r#"
rres_runtime::include_assets!();

use std::io::Read;

use rres_runtime::{Event, FromAsset, Store, Text};

struct Shouted(String);

impl FromAsset for Shouted {
    type Source = Text;
    type Error = String;
    fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
        Ok(Self(text.as_str().to_uppercase()))
    }
}

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let events = store.events();
    let mut text = store.load(assets::A_TXT)?.watch();
    let mut own = store.load(assets::A_TXT.into_type::<Shouted>())?.watch();
    let mut image = store.load(assets::SKIN_PNG)?.watch();
    let mut model = store.load(assets::BOX_GLTF)?.watch();
    println!("ready");
    let (sender, end) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(std::io::stdin().read_to_end(&mut Vec::new())));
    while end.try_recv().is_err() {
        if let Some(value) = text.changed() {
            println!("text {} {}", text.handle().version(), value.as_str());
        }
        if let Some(value) = own.changed() {
            println!("own {} {}", own.handle().version(), value.0);
        }
        if let Some(value) = image.changed() {
            println!("image {} {:?}", image.handle().version(), &value.to_rgba8().unwrap()[..3]);
        }
        if model.changed().is_some() {
            println!("model {}", model.handle().version());
        }
        for event in events.try_iter() {
            match event {
                Event::Changed(_) => {}
                Event::Reloaded { assets, took } => println!("reloaded {assets} {}", took.as_secs() < 60),
                other => println!("event {other}"),
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(())
}
"#;

/// A triangle with the texture `skin.png`.
const MODEL: &str = r#"{
    "asset": { "version": "2.0" },
    "buffers": [{ "byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA" }],
    "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
    "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }],
    "images": [{ "uri": "skin.png" }],
    "textures": [{ "source": 0 }],
    "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
    "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
    "nodes": [{ "mesh": 0 }],
    "scenes": [{ "nodes": [0] }],
    "scene": 0
}"#;

fn skin(shade: u8) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::RgbImage::from_pixel(4, 4, image::Rgb([shade; 3]));
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// The running game.
struct Game {
    child: Child,
    lines: Receiver<String>,
    fresh: Fresh,
}

impl Game {
    fn start() -> Self {
        let fresh = Fresh::new("reloading", MAIN);
        // Rules in `build.rs` apply to reloaded assets too, because the build script itself imports them.
        let build = "fn main() {\n    rres_build::import(\"assets\").rule(\"**/*.psd\", |rule| rule.ignore(true)).build_or_exit();\n}\n";
        fresh.write("build.rs", build);
        fresh.write("assets/a.txt", "first");
        fresh.write("assets/skin.png", skin(1));
        fresh.write("assets/box.gltf", MODEL);
        fresh.write("assets/later.txt", "nothing has loaded it yet");
        fresh.write("assets/draft.psd", "a rule must match a file");

        let (_, err) = fresh.cargo(&["build", "-q"]);
        let mut command = fresh.command(fresh.executable("debug"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|e| panic!("the game does not start: {e}; {err}"));
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let game = Self { child, lines, fresh };
        game.expect(&["ready"]);
        game
    }

    /// A file in the assets directory.
    fn file(&self, name: &str) -> PathBuf {
        self.fresh.path("assets").join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.file(name), content).unwrap();
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.file(from), self.file(to)).unwrap();
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.file(name)).unwrap();
    }

    /// Waits until each of `wanted` has occurred in a line, in any order, and returns all lines up to then.
    #[track_caller]
    fn expect(&self, wanted: &[&str]) -> Vec<String> {
        let deadline = Instant::now() + wait::LIMIT;
        let (mut lines, mut left) = (Vec::new(), wanted.to_vec());
        while !left.is_empty() {
            let line = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now()));
            let line = line.unwrap_or_else(|e| panic!("{left:?} did not come ({e}); {lines:#?}"));
            left.retain(|wanted| !line.contains(wanted));
            // Comes after the values, so it may arrive while waiting for the next edit.
            if !line.starts_with("reloaded") {
                lines.push(line);
            }
        }
        lines
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let ended = self.child.wait().unwrap();
        assert!(ended.success() || std::thread::panicking(), "{ended}");
    }
}

fn no_event(lines: &[String]) -> bool {
    !lines.iter().any(|line| line.starts_with("event"))
}

/// A way of saving: its name and its test.
type Step = (&'static str, fn(&Game));

/// Every way of saving, in the order of the test, which tries all of them on one running game. `docs/hot-reload.md`
/// lists them.
const STEPS: &[Step] = &[
    ("written in place", written_in_place),
    ("written beside it, then renamed over it", renamed_over),
    ("as vim does: a backup, a new file, the backup removed", with_a_backup),
    ("as JetBrains' editors do: a new file, the old one moved away, the new one into its place", moved_away),
    ("with an older time, then replaced by a copy of the same size and time", with_an_older_time),
    ("held half-written", held_half_written),
    ("saved twice", saved_twice),
    ("deleted and created again", deleted_and_created_again),
    ("marked as being edited, with a draft beside it, as Emacs does", with_a_draft),
    ("broken and fixed", broken_and_fixed),
    ("files that come and go", come_and_go),
    ("a broken file that comes and goes", broken_and_gone),
    ("a file that is not loaded", not_loaded),
    ("`assets.toml` broken, then removed", settings_broken_and_fixed),
    ("an image that a rule links with another one", image_linked),
    ("a link to a file elsewhere, which is edited there", link_followed),
    ("the whole directory moved away and back", directory_moved),
];

#[test]
#[expect(clippy::print_stdout, reason = "shown if a step fails")]
fn check_3_5_7_a_running_game_shows_what_is_saved() {
    let game = Game::start();
    let mut failed = Vec::new();
    for (number, (name, step)) in STEPS.iter().enumerate() {
        println!("step: {name}");
        if catch_unwind(AssertUnwindSafe(|| step(&game))).is_err() {
            failed.push(*name);
            // The next step starts from a complete file, even if this one failed.
            let text = format!("after step {number}");
            game.write("a.txt", &text);
            game.expect(&[&text]);
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} steps failed, each with its message above: {failed:#?}",
        failed.len(),
        STEPS.len()
    );
}

fn written_in_place(game: &Game) {
    game.write("a.txt", "in place");
    let lines = game.expect(&["in place", "IN PLACE"]);
    assert!(no_event(&lines), "{lines:?}");
}

fn renamed_over(game: &Game) {
    game.write(".a.txt.new", "renamed");
    game.rename(".a.txt.new", "a.txt");
    assert!(no_event(&game.expect(&["renamed", "RENAMED", "reloaded 2 true"])));
}

fn with_a_backup(game: &Game) {
    game.rename("a.txt", "a.txt~");
    let mut file = File::create(game.file("a.txt")).unwrap();
    file.write_all(b"backed up").unwrap();
    file.sync_all().unwrap();
    drop(file);
    game.remove("a.txt~");
    game.expect(&["text", "backed up", "BACKED UP"]);
}

fn moved_away(game: &Game) {
    game.write("a.txt___jb_tmp___", "safe");
    game.rename("a.txt", "a.txt___jb_old___");
    game.rename("a.txt___jb_tmp___", "a.txt");
    game.remove("a.txt___jb_old___");
    game.expect(&["safe", "SAFE"]);
}

fn with_an_older_time(game: &Game) {
    let yesterday = SystemTime::now() - Duration::from_secs(86_400);
    let write = |name: &str, content: &str| {
        game.write(name, content);
        let file = File::options().write(true).open(game.file(name)).unwrap();
        file.set_times(FileTimes::new().set_modified(yesterday)).unwrap();
    };
    write("a.txt", "olden");
    game.expect(&["olden", "OLDEN"]);
    write(".copy", "older");
    game.rename(".copy", "a.txt");
    game.expect(&["older", "OLDER"]);
}

/// Only the complete file arrives, if the system reports that a file was closed.
fn held_half_written(game: &Game) {
    let mut file = File::create(game.file("a.txt")).unwrap();
    file.write_all(b"half and ").unwrap();
    file.flush().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    file.write_all(b"whole").unwrap();
    drop(file);
    let lines = game.expect(&["half and whole", "HALF AND WHOLE"]);
    assert!(!cfg!(target_os = "linux") || lines.len() == 2, "{lines:?}");
}

/// The second value stays.
fn saved_twice(game: &Game) {
    game.write("a.txt", "once");
    game.write("a.txt", "twice");
    game.expect(&["twice", "TWICE"]);
}

fn deleted_and_created_again(game: &Game) {
    game.remove("a.txt");
    game.expect(&["a.txt is gone"]);
    game.write("a.txt", "again");
    let lines = game.expect(&["again", "AGAIN", "a.txt is back"]);
    assert!(!lines.iter().any(|line| line.contains("constant")), "it has one: {lines:?}");
}

/// The lock is a dangling link.
fn with_a_draft(game: &Game) {
    #[cfg(unix)]
    std::os::unix::fs::symlink("me@host.1", game.file(".#a.txt")).unwrap();
    game.write("#a.txt#", "a draft");
    game.write("a.txt", "edited");
    assert!(no_event(&game.expect(&["edited", "EDITED"])));
}

/// Until then, the last good value stays and the game gets an event with the reason.
fn broken_and_fixed(game: &Game) {
    game.write("skin.png", b"\x89PNG\r\n\x1a\nno");
    let lines = game.expect(&["skin.png", "keeping the previous version"]);
    assert!(!lines.iter().any(|line| line.starts_with("image")), "{lines:?}");
    game.write("skin.png", skin(9));
    // A model that uses it has changed too.
    game.expect(&["skin.png: no longer fails", "[9, 9, 9]", "model 2"]);

    // The same bytes as before are the same value, and the game learns that it is whole again.
    game.write("skin.png", b"");
    game.expect(&["skin.png", "keeping the previous version"]);
    game.write("skin.png", skin(9));
    let lines = game.expect(&["skin.png: no longer fails"]);
    assert!(!lines.iter().any(|line| line.starts_with("image")), "{lines:?}");
}

fn come_and_go(game: &Game) {
    fs::create_dir_all(game.file("new/deep")).unwrap();
    game.write("new/deep/b.txt", "b");
    game.write("ignored.psd", "by a rule of build.rs");
    let lines = game.expect(&["new/deep/b.txt is new"]);
    assert!(!lines.iter().any(|line| line.contains("psd")), "{lines:?}");
    fs::remove_dir_all(game.file("new")).unwrap();
    game.expect(&["new/deep/b.txt is gone"]);
}

/// A new file has no version to keep, and a file that is gone is not mended.
fn broken_and_gone(game: &Game) {
    game.write("draft.png", b"not a picture");
    let lines = game.expect(&["draft.png: import failed: "]);
    assert!(!lines.iter().any(|line| line.contains("keeping the previous version")), "{lines:?}");
    game.remove("draft.png");
    let lines = game.expect(&["draft.png is gone"]);
    assert!(!lines.iter().any(|line| line.contains("no longer fails")), "{lines:?}");
}

/// Whoever saves a file waits for something to happen.
fn not_loaded(game: &Game) {
    game.write("later.txt", "later");
    game.expect(&["later.txt has changed, and is not loaded"]);
}

fn settings_broken_and_fixed(game: &Game) {
    game.write("assets.toml", "[\"*.txt\"]\nlevel = ");
    game.expect(&["assets.toml:2:", "nothing reloads until this is fixed: "]);
    game.remove("assets.toml");
    game.write("a.txt", "with settings");
    game.expect(&["with settings", "WITH SETTINGS"]);
}

/// The rule changes what the index says of the image, and no blob.
fn image_linked(game: &Game) {
    game.write("bumps.png", skin(3));
    game.expect(&["bumps.png is new"]);
    game.write("assets.toml", "[\"skin.png\"]\nimage.bump = \"bumps.png\"\n");
    game.expect(&["image 3", "[9, 9, 9]"]);
    game.remove("assets.toml");
    game.expect(&["image 4"]);
    game.remove("bumps.png");
    game.expect(&["bumps.png is gone"]);
}

fn link_followed(game: &Game) {
    #[cfg(unix)]
    {
        let shared = game.fresh.path("shared.txt");
        fs::write(&shared, "linked").unwrap();
        std::os::unix::fs::symlink(&shared, game.file(".link")).unwrap();
        game.rename(".link", "a.txt");
        game.expect(&["linked", "LINKED"]);
        fs::write(&shared, "edited there").unwrap();
        game.expect(&["edited there", "EDITED THERE"]);
        game.remove("a.txt");
    }
    game.write("a.txt", "here again");
    game.expect(&["here again", "HERE AGAIN"]);
}

/// Switching branches may do this.
fn directory_moved(game: &Game) {
    let (assets, away) = (game.fresh.path("assets"), game.fresh.path("away"));
    fs::rename(&assets, &away).unwrap();
    fs::rename(&away, &assets).unwrap();
    game.write("a.txt", "after all");
    game.expect(&["after all", "AFTER ALL"]);
}

/// Keeps a handle, and drops the store.
const WITHOUT_STORE: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), rres_runtime::Error> {
    let text = assets::open()?.load(assets::A_TXT)?;
    println!("ready");
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new()).unwrap();
    assert_eq!(text.get().as_str(), "first");
    Ok(())
}
"#;

#[test]
fn a_game_that_has_dropped_its_store_is_told_why_nothing_reloads() {
    let fresh = Fresh::new("storeless", WITHOUT_STORE);
    fresh.write("assets/a.txt", "first");
    fresh.cargo(&["build", "-q"]);
    let mut command = fresh.command(fresh.executable("debug"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(out.next().unwrap().unwrap(), "ready");
    fresh.write("assets/a.txt", "second");
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    assert!(
        line.starts_with("rres: ") && line.contains("the Store that would reload its assets was dropped"),
        "{line}"
    );
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
