//! The example game in a browser, from a server of this computer. `.ci/nightly` runs it.
//!
//! A page of the test posts what the game logs, each error, and a picture when it is asked to. Nothing waits for seconds but for an answer that
//! does not come.

use std::sync::Mutex;
use std::time::{Duration, Instant};

mod bevy;
mod browser;
mod edited;
mod measure;
mod shipped;

use base64::Engine as _;
use browser::Browser;
use rres_test_server::{Fault, Request, Server};
use shipped::{game, root};

/// What is read of the pack before anything else.
const FRONT: std::ops::Range<u64> = 0..32 << 10;

/// Whether a path is that of the pack, whose name has a hash.
fn is_pack(path: &str) -> bool {
    path.ends_with(".rres")
}

/// How often a page was loaded, as far as its script was asked for.
fn pages(requests: &[Request]) -> usize {
    requests.iter().filter(|request| request.path.ends_with("/start.js")).count()
}

/// How long to wait for something that should happen.
const MOST: Duration = Duration::from_secs(120);

/// Chooses what goes wrong with an answer.
type Faulty = Box<dyn Fn(&Request) -> Fault + Send + Sync>;

/// Runs a test in each browser of this machine. The tests run one at a time: two browsers that draw without a graphics card are slower than one
/// after the other.
fn in_each_browser(test: impl Fn(Browser)) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for browser in [Browser::Chromium, Browser::Firefox] {
        match browser.missing() {
            None => test(browser),
            Some(program) => {
                let is_required = std::env::var_os("RRES_REQUIRE_TOOLS").is_some_and(|value| value == "1");
                assert!(!is_required, "{program} is not installed");
            }
        }
    }
}

/// Waits until the game has logged that it has loaded something, or what a server of edits has sent.
#[track_caller]
fn until_loaded(server: &Server, what: &str) {
    let begun = Instant::now();
    while begun.elapsed() < MOST {
        if let Some(error) = server.wait_for_post("/error", Duration::ZERO) {
            panic!("{}", String::from_utf8_lossy(&error));
        }
        if let Some(loaded) = server.wait_for_post("/loaded", Duration::from_millis(500))
            && String::from_utf8_lossy(&loaded).contains(what)
        {
            return;
        }
    }
    let mut requests = server.take_requests();
    requests.retain(|request| !request.path.starts_with("/command"));
    panic!("the game has not loaded {what}; requests: {requests:?}");
}

/// Has the page do something.
fn command(server: &Server, command: &str) {
    server.set_file("/command", command.into());
    let begun = Instant::now();
    server.take_requests();
    while !server.take_requests().iter().any(|request| request.path.starts_with("/command")) {
        assert!(begun.elapsed() < MOST, "the page does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.set_file("/command", b"none".to_vec());
}

/// Takes a picture of the game.
fn picture(server: &Server) -> image::RgbaImage {
    command(server, "picture");
    let data = server.wait_for_post("/picture", MOST).expect("the game draws");
    let data = String::from_utf8(data).unwrap();
    let png = base64::engine::general_purpose::STANDARD.decode(data.split_once(',').unwrap().1).unwrap();
    image::load_from_memory(&png).unwrap().into_rgba8()
}

/// The ranges of the pack that were asked for, in order.
fn ranges(requests: &[Request]) -> Vec<std::ops::Range<u64>> {
    requests.iter().filter(|request| is_pack(&request.path)).filter_map(|request| request.range.clone()).collect()
}

/// How many different colours a picture has.
fn colours(picture: &image::RgbaImage) -> usize {
    picture.pixels().collect::<std::collections::HashSet<_>>().len()
}

#[test]
fn the_game_loads_group_by_group_and_a_second_visit_loads_nothing() {
    in_each_browser(|browser| {
        let (server, profile) = (game().serve(), tempfile::tempdir().unwrap());
        let pack = game().pack().len() as u64;
        let first = {
            let _browser = browser.open(profile.path(), &server.url("/index.html"));
            until_loaded(&server, "level_1");
            let requests = server.take_requests();
            let title = picture(&server);
            let file = root().join("target/web/title.png");
            title.save(&file).unwrap();
            assert!(colours(&title) > 5000, "{} colours: see {}", colours(&title), file.display());
            assert!(title.pixels().all(|pixel| pixel[3] == 255), "the page shines through");
            command(&server, "enter");
            command(&server, "enter");
            let flight = picture(&server);
            assert!(flight != title, "the game answers to keys");
            ranges(&requests)
        };
        // What is drawn first needs the front only, a hundredth of the pack.
        assert_eq!(first[0], FRONT);
        assert!(FRONT.end * 10 <= pack);
        // The other levels are not read.
        let read: u64 = first.iter().map(|range| range.end - range.start).sum();
        assert!(read < pack, "{read} of {pack} bytes");
        let _browser = browser.open(profile.path(), &server.url("/index.html"));
        until_loaded(&server, "level_1");
        // The browser keeps the rest.
        assert_eq!(ranges(&server.take_requests()), [FRONT]);
    });
}

#[test]
fn connections_that_break_bytes_that_are_wrong_and_servers_without_ranges_do_no_harm() {
    in_each_browser(|browser| {
        // Each range is damaged the first time.
        let seen = Mutex::new(Vec::new());
        let damage = move |request: &Request| {
            let mut seen = seen.lock().unwrap();
            match seen.contains(&request.range) {
                true => Fault::None,
                false => {
                    seen.push(request.range.clone());
                    Fault::WrongByte(request.number * 7919)
                }
            }
        };
        let faults: [Faulty; 4] = [
            Box::new(|_| Fault::CutAfter(100_000)),
            Box::new(damage),
            Box::new(|_| Fault::NoRange),
            Box::new(|_| Fault::None),
        ];
        for (number, fault) in faults.into_iter().enumerate() {
            let (server, profile) = (game().serve(), tempfile::tempdir().unwrap());
            // Two servers that name the pack differently.
            server.set_etags(move |request| if number == 3 { request.number as u64 / 3 % 2 } else { 0 });
            server.set_faults(move |request| if is_pack(&request.path) { fault(request) } else { Fault::None });
            let _browser = browser.open(profile.path(), &server.url("/index.html"));
            until_loaded(&server, "level_1");
            let title = picture(&server);
            assert!(colours(&title) > 5000, "fault {number}: {} colours", colours(&title));
        }
    });
}

#[test]
fn a_pack_that_is_not_there_is_an_error_that_names_it() {
    in_each_browser(|browser| {
        let (server, profile) = (game().serve(), tempfile::tempdir().unwrap());
        server.set_faults(|request| if is_pack(&request.path) { Fault::Status(404) } else { Fault::None });
        let _browser = browser.open(profile.path(), &server.url("/index.html"));
        let error = server.wait_for_post("/error", MOST).expect("the game says so");
        let error = String::from_utf8(error).unwrap();
        assert!(error.contains("cannot read lantern-drift.rres: the server answered 404"), "{error}");
    });
}

#[test]
fn a_page_that_was_kept_gives_way_to_the_page_of_the_build_on_the_server() {
    const OLD: &str = "game-0123456789abcdef";
    in_each_browser(|browser| {
        // The files of the old build, or of its program none, which another build may have removed.
        for has_program in [true, false] {
            let (server, profile) = (game().serve(), tempfile::tempdir().unwrap());
            server.set_file("/old.html", game().page_of(OLD));
            game().files_of(OLD).for_each(|(path, content)| server.set_file(&path, content));
            if !has_program {
                server.remove_file(&format!("/{OLD}/game.wasm"));
                server.remove_file(&format!("/{OLD}/game.wasm.gz"));
            }
            let was_old = Mutex::new(false);
            server.set_faults(move |request| {
                let is_first = request.path == "/index.html" && !std::mem::replace(&mut *was_old.lock().unwrap(), true);
                if is_first { Fault::Instead("/old.html") } else { Fault::None }
            });
            let _browser = browser.open(profile.path(), &server.url("/index.html"));
            until_loaded(&server, "level_1");
            let requests = server.take_requests();
            let of_old = |request: &Request| request.path.starts_with(&format!("/{OLD}/"));
            let last_of_old = requests.iter().rposition(of_old).expect("the old page was loaded");
            assert!(!requests[..last_of_old].iter().any(|request| is_pack(&request.path)), "{requests:?}");
            assert!(pages(&requests[last_of_old..]) > 0, "{requests:?}");
        }
    });
}

#[test]
fn a_pack_on_another_server_is_read_if_that_server_allows_it() {
    in_each_browser(|browser| {
        let ((server, packs), profile) = (game().serve_apart(), tempfile::tempdir().unwrap());
        packs.allow_other_origins();
        let _browser = browser.open(profile.path(), &server.url("/index.html"));
        until_loaded(&server, "level_1");
        let read = ranges(&packs.take_requests());
        assert!(read.len() > 1 && read[0] == FRONT, "{read:?}");
        assert!(ranges(&server.take_requests()).is_empty());
    });
    in_each_browser(|browser| {
        let ((server, _packs), profile) = (game().serve_apart(), tempfile::tempdir().unwrap());
        let _browser = browser.open(profile.path(), &server.url("/index.html"));
        let error = server.wait_for_post("/error", MOST).expect("the game says so");
        let error = String::from_utf8(error).unwrap();
        assert!(error.contains("lantern-drift.rres") && error.contains("Access-Control-Allow-Origin"), "{error}");
    });
}
