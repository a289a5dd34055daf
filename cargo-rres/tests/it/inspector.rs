//! A game that was built as users build games, run with `RRES_INSPECT=1`: the page reloads what was edited.

use std::path::Path;
use std::process::{Child, Stdio};

use rres_test_support::fresh::Fresh;
use rres_test_support::inspector::Inspector;
use rres_test_support::wait;
use serde_json::{Value, json};

/// Loads assets in the ways that games do, and keeps them until its input ends.
const MAIN: &str = r#"
rres_runtime::include_assets!();

use std::io::Read;

use rres_runtime::Residency;

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    store.set_residency(assets::CREDITS_TXT, Residency::Pinned);
    drop(store.load(assets::CREDITS_TXT)?);
    let words = store.load(assets::WORDS_TXT)?;
    let level = store.load_group(assets::groups::LEVEL).wait().unwrap();
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    println!("{} {}", words.version(), words.get().as_str());
    drop(level);
    Ok(())
}
"#;

/// The running game.
pub(crate) struct Game {
    child: Child,
    pub(crate) inspector: Inspector,
    pub(crate) fresh: Fresh,
}

impl Game {
    /// Builds and starts it. `reload` is the value of `RRES_RELOAD`.
    pub(crate) fn start(name: &'static str, reload: &str) -> Self {
        let fresh = Fresh::new(name, MAIN);
        fresh.write("assets/assets.toml", "[group.level]\ninclude = \"level/**\"\n");
        fresh.write("assets/credits.txt", "by everybody");
        fresh.write("assets/words.txt", "first");
        let heart = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/ui/heart.png");
        fresh.write("assets/level/heart.png", std::fs::read(heart).unwrap());
        let (_, errors) = fresh.cargo(&["build", "-q"]);
        let mut command = fresh.command(fresh.executable("debug"));
        command.env("RRES_INSPECT", "1").env("RRES_RELOAD", reload);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("the game does not start: {e}; {errors}"));
        let inspector = Inspector::of(child.stderr.take().unwrap());
        let game = Self { child, inspector, fresh };
        wait::until("everything is loaded", || game.asset("level/heart.png")["state"] == "ready");
        game
    }

    pub(crate) fn state(&self) -> Value {
        serde_json::from_str(&self.inspector.state()).unwrap()
    }

    /// An asset in the state; null if it is not alive.
    pub(crate) fn asset(&self, path: &str) -> Value {
        let state = self.state();
        let mut assets = state["assets"].as_array().unwrap().iter();
        assets.find(|asset| asset["path"] == path).cloned().unwrap_or_default()
    }

    /// Has an asset reloaded or unloaded; returns the status and the answer.
    fn act(&self, action: &str, path: &str) -> (u16, Value) {
        let id = self.asset(path)["id"].as_str().unwrap().to_owned();
        let (status, body) = self.inspector.ask(&format!("POST /{action}?store=0&id={id}"));
        (status, serde_json::from_str(&body).unwrap())
    }

    /// Ends it, and returns what it has printed.
    pub(crate) fn end(mut self) -> String {
        drop(self.child.stdin.take());
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn with_hot_reload_off_an_edit_waits_for_the_page() {
    let game = Game::start("inspected", "off");
    let heart = game.asset("level/heart.png");
    assert_eq!(heart["asked_by"], json!({ "code": "src/main.rs:13", "group": "level", "asset": null }));
    assert_eq!(heart["groups"], json!(["level"]));
    assert_eq!(heart["video_bytes"], 56 * 56 * 4, "width, height, bytes of a pixel");
    assert_eq!(game.asset("words.txt")["asked_by"]["code"], "src/main.rs:12");
    let state = game.state();
    assert_eq!(state["stores"][0]["imports"], true);
    assert!(state["loads"][0]["path"].as_str().unwrap().ends_with("inspected.dev.rres"), "{}", state["loads"][0]);

    let (status, answer) = game.act("reload", "words.txt");
    assert_eq!((status, &answer["done"]), (200, &json!(true)));
    assert!(answer["message"].as_str().unwrap().starts_with("The source has not changed"), "{answer}");
    game.fresh.write("assets/words.txt", "second");
    let (_, answer) = game.act("reload", "words.txt");
    assert!(answer["message"].as_str().unwrap().starts_with("The source has changed"), "{answer}");
    assert_eq!(game.asset("words.txt")["version"], 3);
    // A broken file keeps its value, also if one asks again.
    game.fresh.write("assets/words.txt", b"\xff");
    for _ in 0..2 {
        let (status, answer) = game.act("reload", "words.txt");
        assert_eq!(status, 409);
        assert!(answer["message"].as_str().unwrap().contains("words.txt: import failed, keeping the"), "{answer}");
    }
    assert_eq!(game.asset("words.txt")["version"], 3);
    let events = game.state()["events"].clone();
    assert!(events.as_array().unwrap().iter().any(|event| event["is_failure"] == true), "{events}");
    assert_eq!(game.act("unload", "credits.txt").0, 200);
    assert_eq!(game.act("unload", "words.txt").0, 409);
    assert_eq!(game.asset("credits.txt"), Value::Null);
    assert_eq!(game.end(), "3 second\n");
}
