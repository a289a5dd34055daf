//! `cargo rres watch --network`, followed by games of this process with packs of their own.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicU16, Ordering};

use rres_reload::{Event, Follower, Server};
use rres_runtime::{Handle, Id, Image, Pack, Store, Text};
use rres_test_data::picture::png;
use rres_test_support::wait;

use super::Sandbox;
use super::watch::Watch;

const TOKEN: &str = "dgs3-vk3w-x4qa-7t5m";

/// A server, and the address of it.
struct Serving {
    watch: Watch,
    address: String,
}

impl Serving {
    fn start(sandbox: &Sandbox, args: &[&str]) -> Self {
        Self::at(sandbox, &free_address(), args)
    }

    fn at(sandbox: &Sandbox, address: &str, args: &[&str]) -> Self {
        let mut command = sandbox.command();
        command.env("RRES_RELOAD_TOKEN", TOKEN);
        let network = format!("--network={address}");
        let all = [&["assets", "-o", "out/game.rres", network.as_str()], args].concat();
        let watch = Watch::of(command, &all);
        let line = watch.expect("serving");
        let address = line.split_whitespace().nth(1).unwrap().to_owned();
        watch.expect("watching");
        Self { watch, address }
    }
}

/// An address of this machine that nobody has. Its port is below those that the system gives to connections, so that it stays free.
fn free_address() -> String {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + std::process::id() as u16 % 100 * 100;
    loop {
        let address = format!("127.0.0.1:{}", first + NEXT.fetch_add(1, Ordering::Relaxed) % 100);
        if TcpListener::bind(&address).is_ok() && UdpSocket::bind(&address).is_ok() {
            return address;
        }
    }
}

/// A game, and what it follows.
struct Game {
    store: Store,
    follower: Follower,
    seen: Vec<String>,
}

impl Game {
    /// A game that was installed with a pack.
    fn new(pack: &std::path::Path, server: Server) -> Self {
        let store = Store::from_packs([Pack::open(pack).unwrap()]);
        let follower = Follower::new(&store, server);
        Self { store, follower, seen: Vec::new() }
    }

    fn text(&self, path: &str) -> Handle<Text> {
        self.store.load(Id::from_path(path)).unwrap()
    }

    /// Runs frames until an event fits, and returns it.
    fn wait(&mut self, what: &str, fits: impl Fn(&Event) -> bool) -> String {
        let mut found = None;
        wait::until(what, || {
            while let Some(event) = self.follower.update() {
                self.seen.push(event.to_string());
                if fits(&event) {
                    found = Some(event.to_string());
                    return true;
                }
            }
            false
        });
        found.unwrap()
    }

    fn wait_for_mount(&mut self, count: usize) {
        let is_it = |event: &Event| matches!(event, Event::Mounted(found) if *found == count);
        self.wait(&format!("{count} assets are mounted"), is_it);
    }

    /// A machine without time to spare may say before that there was no answer.
    fn wait_until_lost(&mut self, why: &str) {
        self.wait(why, |event| matches!(event, Event::Lost(found) if found.contains(why)));
    }
}

fn server(serving: &Serving) -> Server {
    Server::at(&serving.address, TOKEN).unwrap()
}

/// Builds the pack that games are installed with, and moves it away.
fn installed(sandbox: &Sandbox) -> std::path::PathBuf {
    sandbox.run(["build", "assets", "-o", "out/game.rres"]).success();
    let pack = sandbox.path("phone/game.rres");
    fs::create_dir_all(pack.parent().unwrap()).unwrap();
    fs::copy(sandbox.path("out/game.rres"), &pack).unwrap();
    pack
}

#[test]
fn a_game_with_a_pack_sees_edits_and_their_end() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/motto.txt", b"as shipped");
    sandbox.write("assets/other.txt", b"the same");
    sandbox.write("assets/icon.png", &png(2, 1, &[255, 0, 0, 255, 0, 255, 0, 255]));
    let pack = installed(&sandbox);
    // An edit before anyone serves is seen as well.
    sandbox.write("assets/motto.txt", b"edited before");
    let serving = Serving::start(&sandbox, &[]);
    let mut game = Game::new(&pack, server(&serving));
    let (motto, other) = (game.text("motto.txt"), game.text("other.txt"));
    let icon: Handle<Image> = game.store.load(Id::from_path("icon.png")).unwrap();
    game.wait_for_mount(1);
    assert_eq!(motto.get().as_str(), "edited before");
    serving.watch.expect("following");
    serving.watch.expect(": 1 asset, ");

    sandbox.write("assets/icon.png", &png(1, 1, &[0, 0, 255, 255]));
    sandbox.write("assets/new.txt", b"new");
    game.wait_for_mount(3);
    assert_eq!(
        (icon.get().width(), motto.version(), other.version()),
        (1, 2, 1),
        "only what has changed is loaded again"
    );
    assert_eq!(game.store.load(Id::<Text>::from_path("new.txt")).unwrap().get().as_str(), "new");

    sandbox.write("assets/bad.txt", b"\xff\xff\xff\x81");
    let mounted = |game: &Game| game.seen.iter().filter(|event| event.contains("differ")).count();
    let before = mounted(&game);
    let fault = game.wait("a fault", |event| matches!(event, Event::Fault(_)));
    assert!(fault.contains("bad.txt"), "{fault}");
    assert_eq!(icon.get().width(), 1, "what was mounted stays");
    // A game that had to connect again is sent everything.
    let times = game.seen.iter().filter(|event| event.contains("following the server")).count();
    assert!(mounted(&game) == before || times > 1, "nothing is sent again: {:?}", game.seen);
    for name in ["bad.txt", "new.txt"] {
        fs::remove_file(sandbox.path("assets").join(name)).unwrap();
    }
    sandbox.write("assets/motto.txt", b"as shipped");
    sandbox.write("assets/icon.png", &png(2, 1, &[255, 0, 0, 255, 0, 255, 0, 255]));
    game.wait_for_mount(0);
    assert_eq!((motto.get().as_str(), icon.get().width()), ("as shipped", 2));
    drop(game);
    serving.watch.expect("left");
}

#[test]
fn a_connection_that_was_lost_comes_back_by_itself() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/motto.txt", b"one");
    let pack = installed(&sandbox);
    let first = Serving::start(&sandbox, &[]);
    let address = first.address.clone();
    let mut game = Game::new(&pack, server(&first));
    let motto = game.text("motto.txt");
    game.wait("it follows", |event| matches!(event, Event::Following));
    drop(first);
    game.wait_until_lost(&address);
    sandbox.write("assets/motto.txt", b"two");
    // The pack at --out is what the game has: it was built from the same sources.
    let second = Serving::at(&sandbox, &address, &[]);
    game.wait_for_mount(1);
    assert_eq!(motto.get().as_str(), "two");
    // What ends while nobody follows ends in the game as well.
    drop(second);
    game.wait_until_lost(&address);
    sandbox.write("assets/motto.txt", b"one");
    let _third = Serving::at(&sandbox, &address, &[]);
    game.wait_for_mount(0);
    assert_eq!(motto.get().as_str(), "one");
}

#[test]
fn what_an_overlay_cannot_change_is_named_and_the_rest_is_sent() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/motto.txt", b"one");
    sandbox.write("assets/table.txt", b"a text");
    let pack = installed(&sandbox);
    sandbox.write("assets/motto.txt", b"two");
    sandbox.write("assets/assets.toml", b"[\"table.txt\"]\nkind = \"raw\"\n");
    let serving = Serving::start(&sandbox, &[]);
    let mut game = Game::new(&pack, server(&serving));
    let motto = game.text("motto.txt");
    let fault = game.wait("a fault", |event| matches!(event, Event::Fault(_)));
    assert!(fault.contains("of another kind than in the pack of the game, so it is not sent: table.txt"), "{fault}");
    assert_eq!(motto.get().as_str(), "two");
    serving.watch.expect("told");
}

#[test]
fn sets_of_several_packs_and_assets_with_siblings_are_sent() {
    let sandbox = Sandbox::new();
    let frame = |number: u8, last: u8| {
        let mut pixels = rres_test_data::random::noise(64 * 64 * 4);
        pixels[0] = number;
        pixels[1] = last;
        png(64, 64, &pixels)
    };
    for number in 0..4u8 {
        sandbox.write(&format!("assets/walk/{number}.png"), &frame(number, 0));
    }
    sandbox.write("assets/a.bin", &rres_test_data::random::noise(30_000));
    sandbox.write("assets/assets.toml", b"[pack]\nsplit = \"40 KB\"\n");
    sandbox.run(["build", "assets", "-o", "out/game.rres"]).success();
    fs::create_dir_all(sandbox.path("phone")).unwrap();
    let mut packs = Vec::new();
    for entry in fs::read_dir(sandbox.path("out")).unwrap().map(Result::unwrap) {
        let to = sandbox.path("phone").join(entry.file_name());
        fs::copy(entry.path(), &to).unwrap();
        packs.extend(Some(to).filter(|to| to.extension().is_some_and(|extension| extension == "rres")));
    }
    packs.sort_by_key(|pack| pack.file_name().unwrap().len());
    assert!(packs.len() > 1, "{packs:?}");
    sandbox.write("assets/walk/2.png", &frame(2, 77));
    let serving = Serving::start(&sandbox, &["--base", packs[0].to_str().unwrap()]);
    let store = Store::from_packs(packs.iter().map(|pack| Pack::open(pack).unwrap()));
    let follower = Follower::new(&store, server(&serving));
    let mut game = Game { store, follower, seen: Vec::new() };
    let frames: Vec<Handle<Image>> =
        (0..4).map(|number| game.store.load(Id::from_path(&format!("walk/{number}.png"))).unwrap()).collect();
    game.wait("it is mounted", |event| matches!(event, Event::Mounted(count) if *count > 0));
    let second = |number: usize| frames[number].get().to_rgba8().unwrap()[1];
    assert_eq!([second(0), second(1), second(2), second(3)], [0, 0, 77, 0]);
}

#[test]
fn nobody_is_served_without_the_token_or_with_an_unknown_pack() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/motto.txt", b"one");
    let pack = installed(&sandbox);
    let serving = Serving::start(&sandbox, &[]);
    let mut stranger = Game::new(&pack, Server::at(&serving.address, "aaaa-aaaa-aaaa-aaaa").unwrap());
    stranger.wait_until_lost("this game has another token");
    serving.watch.expect("refused");

    sandbox.write("other/motto.txt", b"of another game");
    sandbox.run(["pack", "other", "-o", "other.rres"]).success();
    let mut unknown = Game::new(&sandbox.path("other.rres"), server(&serving));
    unknown.wait_until_lost("the pack of this game is not known; name it with --base PACK");
    drop(serving);

    // With --base it is followed from there.
    let serving = Serving::start(&sandbox, &["--base", sandbox.path("other.rres").to_str().unwrap()]);
    let mut known = Game::new(&sandbox.path("other.rres"), server(&serving));
    let motto = known.text("motto.txt");
    known.wait_for_mount(1);
    assert_eq!(motto.get().as_str(), "one");
}

#[test]
fn whatever_else_connects_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/motto.txt", b"one");
    let pack = installed(&sandbox);
    let serving = Serving::start(&sandbox, &[]);
    let upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    // A frame that says it has 2^62 bytes.
    let huge: &[u8] = &[0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4];
    for (greeting, rest) in
        [("GET / HTTP/1.1\r\n\r\n", &b""[..]), (upgrade, huge), (upgrade, &[0x82, 0x80, 1, 2, 3, 4]), ("\0\0\0", b"")]
    {
        let mut stream = TcpStream::connect(&serving.address).unwrap();
        stream.write_all(greeting.as_bytes()).unwrap();
        let _ = stream.write_all(rest);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        // It ends, whatever it says.
        let _ = stream.read_to_end(&mut answer);
    }
    // Many that say nothing, and stay: a game still has place.
    let silent: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(&serving.address).unwrap()).collect();
    let mut game = Game::new(&pack, server(&serving));
    let motto = game.text("motto.txt");
    game.wait("it follows", |event| matches!(event, Event::Following));
    let lines = serving.watch.lines_until("following");
    assert!(!lines.iter().any(|line| line.contains("connected already")), "{lines:?}");
    drop(silent);
    sandbox.write("assets/motto.txt", b"two");
    game.wait_for_mount(1);
    assert_eq!(motto.get().as_str(), "two");
}

#[test]
fn a_server_is_found_by_its_name() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/motto.txt", b"one");
    let pack = installed(&sandbox);
    sandbox.write("assets/motto.txt", b"two");
    let serving = Serving::start(&sandbox, &["--network-name", "lantern drift"]);
    let port = serving.address.rsplit_once(':').unwrap().1.to_owned();
    let mut game = Game::new(&pack, Server::named(&format!("lantern drift:{port}"), TOKEN).unwrap());
    game.wait_for_mount(1);
    let mut other = Game::new(&pack, Server::named(&format!("another:{port}"), TOKEN).unwrap());
    other.wait_until_lost("looking for \"another\": no machine of this network answers");
}

#[test]
fn options_that_cannot_work_are_usage_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/motto.txt", b"one");
    let with = |args: &[&str], token: &str, expected: &str| {
        let mut command = sandbox.command();
        command.env("RRES_RELOAD_TOKEN", token).args(["watch", "assets", "-o", "out"]).args(args);
        super::Run::from(command.output().unwrap()).failed(2, &[expected]);
    };
    with(&["--network=nowhere"], TOKEN, "expected an IP address of this machine");
    with(&["--network=127.0.0.1:0"], "short", "the token in RRES_RELOAD_TOKEN has 5 characters, expected at least 16");
    with(&["--base", "game.rres"], TOKEN, "--network");
    with(&["--network=127.0.0.1:0", "--debug"], TOKEN, "--debug");
    with(&["--network=127.0.0.1:0", "--base", "none.rres"], TOKEN, "none.rres: no such file");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    with(&[&format!("--network={address}")], TOKEN, "choose another with --network=ADDRESS:PORT");
}
