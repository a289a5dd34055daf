//! A game that runs while its assets are edited: a fresh crate, its compiled build script, and every way in which editors
//! save a file.

use std::fs::{self, File, FileTimes};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

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
    let mut events = store.events();
    let mut text = store.load(assets::A_TXT)?.watch();
    let mut own = store.load_as::<Shouted>(assets::A_TXT)?.watch();
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
        for event in &mut events {
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

/// A triangle that wears `skin.png`.
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
    assets: PathBuf,
    child: Child,
    lines: Receiver<String>,
    _dir: tempfile::TempDir,
}

impl Game {
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest = format!(
            "[package]\nname = \"reloading\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
             [dependencies]\nrres-runtime = {{ path = {:?}, features = [\"hot-reload\"] }}\n\
             [build-dependencies]\nrres-build = {{ path = {:?}, default-features = false, features = [\"model\"] }}\n\
             [profile.dev]\ndebug = false\n",
            root.join("rres-runtime"),
            root.join("rres-build"),
        );
        let assets = dir.path().join("assets");
        fs::create_dir_all(dir.path().join("src")).unwrap();
        fs::create_dir_all(&assets).unwrap();
        fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
        fs::copy(root.join("Cargo.lock"), dir.path().join("Cargo.lock")).unwrap();
        // A rule of code holds for what is reloaded, too: the build script itself imports.
        let build = "fn main() {\n    rres_build::import(\"assets\").rule(\"**/*.psd\", |s| s.ignore = true).build_or_exit();\n}\n";
        fs::write(dir.path().join("build.rs"), build).unwrap();
        fs::write(dir.path().join("src/main.rs"), MAIN).unwrap();
        fs::write(assets.join("a.txt"), "first").unwrap();
        fs::write(assets.join("skin.png"), skin(1)).unwrap();
        fs::write(assets.join("box.gltf"), MODEL).unwrap();
        fs::write(assets.join("draft.psd"), "a rule must match a file").unwrap();

        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer");
        let command = |program: &std::ffi::OsStr| {
            let mut command = Command::new(program);
            command.current_dir(dir.path()).env("RRES_CACHE_DIR", dir.path().join("cache"));
            for variable in ["OUT_DIR", "RRES_PATH", "RRES_RELOAD", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
                command.env_remove(variable);
            }
            command
        };
        let built = command(env!("CARGO").as_ref())
            .args(["build", "-q", "--offline"])
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .expect("cargo runs");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut child = command(target.join("debug/reloading").as_ref())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the game starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let game = Self { assets, child, lines, _dir: dir };
        game.expect(&["ready"]);
        game
    }

    fn file(&self, name: &str) -> PathBuf {
        self.assets.join(name)
    }

    /// Waits until each of `wanted` is in a line, in any order; gives all lines up to then.
    #[track_caller]
    fn expect(&self, wanted: &[&str]) -> Vec<String> {
        let deadline = Instant::now() + Duration::from_secs(120);
        let (mut lines, mut left) = (Vec::new(), wanted.to_vec());
        while !left.is_empty() {
            let line = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now()));
            let line = line.unwrap_or_else(|e| panic!("{left:?} did not come ({e}); {lines:#?}"));
            left.retain(|wanted| !line.contains(wanted));
            // Comes after the values, so perhaps only while the next edit is waited for.
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
        assert!(self.child.wait().unwrap().success());
    }
}

fn no_event(lines: &[String]) -> bool {
    !lines.iter().any(|line| line.starts_with("event"))
}

#[test]
fn a_running_game_shows_what_is_saved() {
    let game = Game::start();
    let a = game.file("a.txt");
    let older = SystemTime::now() - Duration::from_secs(86_400);

    // Written in place.
    fs::write(&a, "in place").unwrap();
    let lines = game.expect(&["in place", "IN PLACE"]);
    assert!(no_event(&lines), "{lines:?}");

    // Written beside it, then renamed over it.
    fs::write(game.file(".a.txt.new"), "renamed").unwrap();
    fs::rename(game.file(".a.txt.new"), &a).unwrap();
    assert!(no_event(&game.expect(&["renamed", "RENAMED", "reloaded 2 true"])));

    // As vim does: a backup, a new file, the backup removed.
    fs::rename(&a, game.file("a.txt~")).unwrap();
    let mut file = File::create(&a).unwrap();
    file.write_all(b"backed up").unwrap();
    file.sync_all().unwrap();
    drop(file);
    fs::remove_file(game.file("a.txt~")).unwrap();
    game.expect(&["text", "backed up", "BACKED UP"]);

    // As JetBrains' editors do: a new file, the old one moved away, the new one into its place.
    fs::write(game.file("a.txt___jb_tmp___"), "safe").unwrap();
    fs::rename(&a, game.file("a.txt___jb_old___")).unwrap();
    fs::rename(game.file("a.txt___jb_tmp___"), &a).unwrap();
    fs::remove_file(game.file("a.txt___jb_old___")).unwrap();
    game.expect(&["safe", "SAFE"]);

    // A copy that keeps an older time, and one of the same size.
    fs::write(&a, "olden").unwrap();
    File::options().write(true).open(&a).unwrap().set_times(FileTimes::new().set_modified(older)).unwrap();
    game.expect(&["olden", "OLDEN"]);
    fs::write(game.file(".copy"), "older").unwrap();
    File::options()
        .write(true)
        .open(game.file(".copy"))
        .unwrap()
        .set_times(FileTimes::new().set_modified(older))
        .unwrap();
    fs::rename(game.file(".copy"), &a).unwrap();
    game.expect(&["older", "OLDER"]);

    // Held half-written: the whole comes, where the system tells of the closing also nothing else before it.
    let mut file = File::create(&a).unwrap();
    file.write_all(b"half and ").unwrap();
    file.flush().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    file.write_all(b"whole").unwrap();
    drop(file);
    let lines = game.expect(&["half and whole", "HALF AND WHOLE"]);
    assert!(!cfg!(target_os = "linux") || lines.len() == 2, "{lines:?}");

    // Saved twice: the second is what stays.
    fs::write(&a, "once").unwrap();
    fs::write(&a, "twice").unwrap();
    game.expect(&["twice", "TWICE"]);

    // Deleted and made again.
    fs::remove_file(&a).unwrap();
    game.expect(&["a.txt is gone"]);
    fs::write(&a, "again").unwrap();
    let lines = game.expect(&["again", "AGAIN", "a.txt is back"]);
    assert!(!lines.iter().any(|line| line.contains("constant")), "it has one: {lines:?}");

    // Marked as being edited, by a link to nowhere, and a draft beside it, as Emacs does.
    #[cfg(unix)]
    std::os::unix::fs::symlink("me@host.1", game.file(".#a.txt")).unwrap();
    fs::write(game.file("#a.txt#"), "a draft").unwrap();
    fs::write(&a, "edited").unwrap();
    assert!(no_event(&game.expect(&["edited", "EDITED"])));

    // Broken and mended: the last good value stays, and is said why.
    fs::write(game.file("skin.png"), b"\x89PNG\r\n\x1a\nno").unwrap();
    let lines = game.expect(&["skin.png", "the last good value stays"]);
    assert!(!lines.iter().any(|line| line.starts_with("image")), "{lines:?}");
    fs::write(game.file("skin.png"), skin(9)).unwrap();
    // What wears it counts as new.
    game.expect(&["[9, 9, 9]", "model 2"]);

    // Files that come and go.
    fs::create_dir_all(game.file("new/deep")).unwrap();
    fs::write(game.file("new/deep/b.txt"), "b").unwrap();
    fs::write(game.file("ignored.psd"), "by a rule of build.rs").unwrap();
    let lines = game.expect(&["new/deep/b.txt is new"]);
    assert!(!lines.iter().any(|line| line.contains("psd")), "{lines:?}");
    fs::remove_dir_all(game.file("new")).unwrap();
    game.expect(&["new/deep/b.txt is gone"]);

    // The whole directory, as switching branches may do.
    let away = game.assets.with_extension("away");
    fs::rename(&game.assets, &away).unwrap();
    fs::rename(&away, &game.assets).unwrap();
    fs::write(&a, "after all").unwrap();
    game.expect(&["after all", "AFTER ALL"]);
}
