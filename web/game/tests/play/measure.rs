//! How long a player waits, by the speed of the line. Run by hand: `cargo test --release -- --ignored --nocapture measure_`.

use std::path::Path;
use std::time::{Duration, Instant};

use rres_test_server::{Fault, Server};

use super::browser::Browser;
use super::shipped::{files_below, game, root};
use super::{MOST, is_pack};

/// The way to a server and back.
const LATENCY: Duration = Duration::from_millis(40);

/// A page that gets the program, and then each source file of the game, six at once.
const LOOSE: &str = r#"<!doctype html><script type="module">
await (await fetch("{{build}}/game.wasm")).arrayBuffer();
const paths = await (await fetch("list")).json();
await Promise.all(Array.from({ length: 6 }, async () => {
  while (paths.length) await (await fetch(encodeURI(paths.shift()))).arrayBuffer();
}));
fetch("/loaded", { method: "POST", body: "everything" });
</script>"#;

/// A way to get the assets to the player.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// As the game does it.
    Groups,
    /// The whole pack before anything is loaded, as if it were in the program.
    Whole,
    /// Each source file for itself.
    Loose,
}

impl Way {
    fn serve(self) -> (Server, &'static str) {
        let server = game().serve();
        match self {
            Self::Groups => {}
            Self::Whole => {
                server.set_faults(|request| if is_pack(&request.path) { Fault::NoRange } else { Fault::None })
            }
            Self::Loose => {
                let mut paths = Vec::new();
                for (path, content) in files_below(&root().join("assets"), "/assets/") {
                    let is_setting = [".toml", ".md"].iter().any(|end| path.ends_with(end));
                    if !is_setting {
                        server.set_file(&path, content);
                        paths.push(path);
                    }
                }
                server.set_file("/list", serde_json::to_vec(&paths).unwrap());
                server.set_file("/loose.html", LOOSE.replace("{{build}}", game().build()).into());
                return (server, "/loose.html");
            }
        }
        (server, "/index.html")
    }

    /// Returns the seconds until the first frame and until level 1 can be played, and the bytes of the pack or the files until then.
    fn run(self, bytes_per_second: u64) -> (Option<f64>, f64, u64) {
        let (server, page) = self.serve();
        let profile = tempfile::tempdir().unwrap();
        server.set_latency(LATENCY);
        server.set_bytes_per_second(bytes_per_second);
        let _browser = Browser::Chromium.open(profile.path(), &server.url(page));
        // The browser starts in some seconds of its own.
        while !server.take_requests().iter().any(|request| request.path == page) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let begun = Instant::now();
        let frame = match self {
            Self::Loose => None,
            _ => {
                server.wait_for_post("/frame", MOST).expect("the game draws");
                Some(begun.elapsed().as_secs_f64())
            }
        };
        loop {
            let loaded = server.wait_for_post("/loaded", MOST).expect("the game loads");
            if [&b"level_1"[..], b"everything"].iter().any(|end| loaded.ends_with(end)) {
                break;
            }
        }
        (frame, begun.elapsed().as_secs_f64(), server.sent())
    }
}

#[test]
#[ignore = "measures"]
fn measure_how_long_a_player_waits() {
    assert!(Path::new("/usr/bin/chromium").exists(), "this needs Chromium");
    game();
    println!("| line | way | first frame | level 1 | sent |\n|---|---|---|---|---|");
    for megabits in [1, 10, 100] {
        for way in [Way::Groups, Way::Whole, Way::Loose] {
            let (frame, level, sent) = way.run(megabits * 125_000);
            let frame = frame.map_or("-".to_owned(), |seconds| format!("{seconds:.1} s"));
            println!("| {megabits} Mbit/s | {way:?} | {frame} | {level:.1} s | {:.2} MB |", sent as f64 / 1e6);
        }
    }
}
