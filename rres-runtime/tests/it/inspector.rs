//! What a program shows with `RRES_INSPECT=1`: its packs and assets, what asked for them, and what the page can do to them.

use std::io::Read;
use std::process::{Command, Stdio};

use rres_format::Compression;
use rres_runtime::{AnyId, FromAsset, Image, PackOptions, Residency, ResourceId, Store, Text};
use rres_test_support::inspector::Inspector;

use super::assets::{image, pack, text};
use super::{File, id};

/// Needs another asset.
struct Level;

impl FromAsset for Level {
    type Source = Text;
    type Error = rres_runtime::Error;

    fn from_asset(_: &Text, store: &Store) -> Result<Self, Self::Error> {
        store.load(id::<Text>("needed.txt")).map(|_| Self)
    }
}

#[derive(Debug)]
struct Broken;

impl FromAsset for Broken {
    type Source = Text;
    type Error = &'static str;

    fn from_asset(_: &Text, _: &Store) -> Result<Self, Self::Error> {
        Err("the level has no exit")
    }
}

/// Runs in a process of its own, whose variable asks for the inspector.
#[test]
#[ignore = "run by the next tests, in a process of its own"]
fn child() {
    if std::env::var_os("RRES_INSPECT").is_none() {
        return;
    }
    let names = ["held.txt", "pinned.txt", "level.txt", "needed.txt", "broken.txt"].map(|name| text(name, "text"));
    let file = File::new(&pack(names.into_iter().chain([image("picture.png", Compression::NONE)])));
    let store = PackOptions::default().open_store(file.path()).unwrap();
    store.set_residency(id::<Text>("pinned.txt"), Residency::Pinned);
    drop(store.load::<Text>(id("pinned.txt")).unwrap());
    let held = store.load::<Text>(id("held.txt")).unwrap();
    let level = store.load(id::<Text>("level.txt").into_type::<Level>()).unwrap();
    let broken = store.reserve(id::<Text>("broken.txt").into_type::<Broken>());
    broken.wait().unwrap_err();
    let group = store.load_group([AnyId::from(id::<Image>("picture.png"))]).wait().unwrap();
    // Until the other process has seen enough.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(held.version(), 2, "the page has reloaded it");
    assert!(store.loaded(id::<Text>("pinned.txt")).is_none(), "the page has unloaded it");
    drop((level, broken, group));
}

fn command(value: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "inspector::child", "--nocapture"]).env("RRES_INSPECT", value);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "{part} is not in {text}"));
}

/// The object of an asset in the state.
#[track_caller]
fn asset<'t>(state: &'t str, path: &str, type_name: &str) -> &'t str {
    let key = format!("\"path\":\"{path}\",\"type\":\"{type_name}\",\"state\"");
    let (_, rest) = state.split_once(&key).unwrap_or_else(|| panic!("{path} is not in {state}"));
    &rest[..rest.find("},").unwrap()]
}

#[test]
fn the_page_shows_what_is_loaded_and_does_what_it_is_asked_for() {
    let mut child = command("1").spawn().unwrap();
    let inspector = Inspector::of(child.stderr.take().unwrap());
    rres_test_support::wait::until("the last asset is loaded", || inspector.state().contains("picture.png"));
    rres_test_support::wait::until("nothing is being loaded", || !inspector.state().contains("\"took_us\":null"));
    let state = inspector.state();
    contains(&state, &["\"kind\":\"open\"", "game.rres\"", "\"mounts\":[\"1. ", "\"imports\":false"]);
    // File and line of the program.
    let line = |what: &str| {
        let at = include_str!("inspector.rs").lines().position(|line| line.contains(what)).unwrap() + 1;
        format!("inspector.rs:{at}\"")
    };
    contains(asset(&state, "held.txt", "Text"), &["\"ready\"", "\"handles\":1", "\"kept\":false", &line("let held =")]);
    contains(asset(&state, "pinned.txt", "Text"), &["\"handles\":0", "\"kept\":true"]);
    contains(asset(&state, "level.txt", "Level"), &["\"version\":1", &line("let level =")]);
    contains(asset(&state, "broken.txt", "Broken"), &["\"failed\"", "the level has no exit", &line("let broken =")]);
    let picture = asset(&state, "picture.png", "Image");
    contains(picture, &["\"version\":1", &line("let group =")]);
    assert!(!picture.contains("\"video_bytes\":null"), "{picture}");
    // What was freed is in the loads: the source of the level, and what the level has needed.
    let (_, loads) = state.split_once("\"loads\":").unwrap();
    let (_, needed) = loads.split_once("\"needed.txt\"").unwrap();
    contains(&needed[..needed.find("}}").unwrap_or(needed.len())], &["\"asset\":\"level.txt\"", "\"read_us\":"]);

    let target = |path: &str| format!("?store=0&id={}", ResourceId::from_path(path));
    let post = |action: &str, path: &str| inspector.ask(&format!("POST /{action}{}", target(path)));
    let (status, answer) = post("unload", "held.txt");
    contains(&answer, &["\"done\":false", "held.txt\\\" is held by 1 other reference"]);
    assert_eq!(status, 409);
    assert_eq!(post("unload", "pinned.txt").0, 200);
    assert!(!inspector.state().split_once("\"loads\"").unwrap().0.contains("pinned.txt"));
    let (status, answer) = post("reload", "held.txt");
    contains(&answer, &["\"done\":true", "from the pack"]);
    assert_eq!(status, 200);
    contains(asset(&inspector.state(), "held.txt", "Text"), &["\"version\":2"]);
    let (status, answer) = post("reload", "broken.txt");
    contains(&answer, &["\"done\":false", "the level has no exit"]);
    assert_eq!(status, 409);
    contains(&post("reload", "missing.txt").1, &["It is not loaded."]);
    let state = inspector.state();
    contains(&state, &["\"kind\":\"reload\"", "\"text\":\"held.txt: version 2\",\"is_failure\":false"]);

    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn nothing_is_served_unless_it_is_asked_for_at_this_machine() {
    for (value, message) in [
        ("", ""),
        ("off", ""),
        ("0", ""),
        ("0.0.0.0:0", "other machines may reach 0.0.0.0"),
        ("somewhere", "use 1, a port such as 7777"),
    ] {
        let mut child = command(value).spawn().unwrap();
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("the inspector is at"), "{errors}");
        assert_eq!(errors.matches("RRES_INSPECT").count(), usize::from(!message.is_empty()), "{errors}");
        assert!(errors.contains(message), "{errors}");
    }
}
