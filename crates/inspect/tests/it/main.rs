//! The inspector by plain TCP: what it answers, what it refuses, and what it survives.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};

use rres_inspect::{Action, Asker, Asset, Done, Event, Inspected, Load, LoadKind, Server, State, Store, Target, serve};
use rres_test_support::wait;
use serde_json::{Value, json};

/// A program with one asset, which notes what it was asked to do.
#[derive(Default)]
struct Program {
    acts: Mutex<Vec<(Action, Target)>>,
    version: Mutex<u32>,
}

const NAME: &str = "</script><script>alert(1)</script> \u{202e}\"\n";

impl Inspected for Program {
    fn state(&self) -> State {
        let asked_by = Asker { code: Some("src/main.rs:7".to_owned()), ..Asker::default() };
        State {
            program: "game".to_owned(),
            process: 7,
            stores: vec![Store { number: 3, name: "game".to_owned(), ..Store::default() }],
            assets: vec![Asset {
                store: 3,
                id: 0xab,
                path: NAME.to_owned(),
                type_name: "Image".to_owned(),
                state: "ready".to_owned(),
                version: *self.version.lock().unwrap(),
                video_bytes: Some(1 << 40),
                asked_by: asked_by.clone(),
                ..Asset::default()
            }],
            loads: vec![Load { kind: LoadKind::Open, asked_by, error: Some(NAME.to_owned()), ..Load::default() }],
            events: vec![Event { text: NAME.to_owned(), is_failure: true, ..Event::default() }],
            ..State::default()
        }
    }

    fn act(&self, action: Action, target: Target) -> Done {
        self.acts.lock().unwrap().push((action, target));
        *self.version.lock().unwrap() += 1;
        let done = action == Action::Reload;
        Done { done, message: if done { "It is new." } else { "\"a\" is held by 1 other reference" }.to_owned() }
    }
}

fn start() -> (Server, Arc<Program>) {
    let program = Arc::new(Program::default());
    let server = serve(([127, 0, 0, 1], 0).into(), Arc::clone(&program) as _).unwrap();
    (server, program)
}

fn token(server: &Server) -> String {
    server.url().split_once("?token=").unwrap().1.to_owned()
}

/// Sends bytes, and returns the whole answer; empty if the server has just closed the connection.
fn send(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    // The server may refuse a request before it has read all of it.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

/// Sends a request with these headers, each with its line end.
fn ask(address: SocketAddr, line: &str, headers: &str) -> String {
    send(address, format!("{line} HTTP/1.1\r\n{headers}\r\n").as_bytes())
}

/// The status of an answer, such as `200`.
fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("closed")
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

fn json_of(answer: &str) -> Value {
    serde_json::from_str(body(answer)).unwrap()
}

const HOST: &str = "Host: localhost\r\n";

#[test]
fn the_page_arrives_whole_and_only_its_own_script_may_run() {
    let (server, _) = start();
    let answer = ask(server.address(), "GET /?token=x", HOST);
    assert_eq!(status(&answer), "200");
    let (head, page) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(&format!("Content-Length: {}\r\n", page.len())));
    for part in ["Connection: close", "X-Frame-Options: DENY", "nosniff", "default-src 'none'", "connect-src 'self'"] {
        assert!(head.contains(part), "{part} in {head}");
    }
    let nonce = head.split_once("script-src 'nonce-").unwrap().1.split_once('\'').unwrap().0;
    assert_eq!((nonce.len(), page.matches(&format!("nonce=\"{nonce}\"")).count()), (32, 2));
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>") && !page.contains("{{"));
    assert!(!page.contains("http://") && !page.contains("https://"), "it needs no other site");
    assert!(!page.contains("innerHTML"), "texts of the program become text");
    assert!(!page.contains(&token(&server)), "the page itself does not contain the token");
}

#[test]
fn the_state_is_json_and_is_sent_once() {
    let (server, program) = start();
    let answer = ask(server.address(), "GET /state.json", HOST);
    let state = json_of(&answer);
    assert_eq!(state["format"], 1);
    assert_eq!(state["assets"][0]["path"], NAME);
    assert_eq!(state["assets"][0]["id"], "0x000000ab");
    assert_eq!(state["assets"][0]["video_bytes"], 1u64 << 40);
    assert_eq!(state["assets"][0]["asked_by"], json!({ "code": "src/main.rs:7", "group": null, "asset": null }));
    assert_eq!(state["loads"][0]["kind"], "open");
    assert_eq!(state["loads"][0]["took_us"], Value::Null);
    assert_eq!(state["events"][0], json!({ "at_us": 0, "text": NAME, "is_failure": true }));
    let tag = answer.split_once("ETag: ").unwrap().1.split_once("\r\n").unwrap().0;
    let known = format!("{HOST}If-None-Match: {tag}\r\n");
    let again = ask(server.address(), "GET /state.json", &known);
    assert_eq!((status(&again), body(&again)), ("304", ""));
    *program.version.lock().unwrap() += 1;
    assert_eq!(status(&ask(server.address(), "GET /state.json", &known)), "200");
}

#[test]
fn changes_need_the_token() {
    let (server, program) = start();
    let (address, token) = (server.address(), token(&server));
    let other = token.chars().rev().collect::<String>();
    let reload = "POST /reload?store=3&id=0x000000ab";
    for headers in [
        HOST.to_owned(),
        format!("{HOST}X-Rres-Token:\r\n"),
        format!("{HOST}X-Rres-Token: {other}\r\n"),
        format!("{HOST}X-Rres-Token: {}\r\n", &token[1..]),
        format!("{HOST}Cookie: token={token}\r\n"),
    ] {
        let answer = ask(address, reload, &headers);
        assert!(status(&answer) == "403" && answer.contains("X-Rres-Token"), "{answer}");
    }
    assert_eq!(status(&ask(address, &format!("{reload}&token={token}"), HOST)), "403", "a link must not do it");
    let headers = format!("{HOST}X-Rres-Token: {token}\r\n");
    assert_eq!(status(&ask(address, "GET /reload?store=3&id=0xab", &headers)), "405");
    assert_eq!(status(&ask(address, "POST /state.json", &headers)), "405");
    assert_eq!(status(&ask(address, "POST /other", &headers)), "404");
    for wrong in ["", "?store=3", "?id=0xab", "?store=x&id=0xab", "?store=3&id=ab", "?store=3&id=0x1ffffffff"] {
        assert_eq!(status(&ask(address, &format!("POST /reload{wrong}"), &headers)), "400", "{wrong}");
    }
    assert!(program.acts.lock().unwrap().is_empty());

    let answer = ask(address, reload, &headers);
    assert_eq!((status(&answer), json_of(&answer)), ("200", json!({ "done": true, "message": "It is new." })));
    let answer = ask(address, "POST /unload?store=3&id=0xab", &headers);
    assert_eq!(status(&answer), "409");
    assert_eq!(json_of(&answer)["message"], "\"a\" is held by 1 other reference");
    let target = Target { store: 3, id: 0xab };
    assert_eq!(*program.acts.lock().unwrap(), [(Action::Reload, target), (Action::Unload, target)]);
}

#[test]
fn other_sites_are_refused() {
    let (server, program) = start();
    let (address, token) = (server.address(), token(&server));
    let port = address.port();
    for headers in [
        // A name that leads to this machine.
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: localhost.evil.example:{port}\r\n"),
        format!("Host: 192.168.0.1:{port}\r\n"),
        // A page of another site, which asks by the right name.
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: https://127.0.0.1:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: null\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: cross-site\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: same-site\r\n"),
    ] {
        for line in ["GET /", "GET /state.json", "POST /reload?store=3&id=0xab", "OPTIONS /reload"] {
            let answer = ask(address, line, &format!("{headers}X-Rres-Token: {token}\r\n"));
            assert_eq!(status(&answer), "403", "{line} with {headers}");
            assert!(!answer.contains("Access-Control"));
        }
    }
    for headers in
        ["", "Host: localhost\r\nHost: localhost\r\n", "Host:\r\n", "Host: localhost\r\nOrigin: a\r\nOrigin: b\r\n"]
    {
        let answer = ask(address, "GET /state.json", headers);
        assert!(["400", "403"].contains(&status(&answer)), "{headers}: {answer}");
    }
    assert!(program.acts.lock().unwrap().is_empty());
    // Its own page, and tools.
    for headers in [
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin\r\n"),
        format!("Host: localhost:{port}\r\nSec-Fetch-Site: none\r\n"),
        "Host: [::1]:9\r\n".to_owned(),
    ] {
        assert_eq!(status(&ask(address, "GET /state.json", &headers)), "200", "{headers}");
    }
}

#[test]
fn garbage_ends_one_connection_and_nothing_else() {
    let (server, program) = start();
    let address = server.address();
    let whole = format!("GET /state.json HTTP/1.1\r\n{HOST}\r\n");
    // Half a request, and no more.
    for end in 0..whole.len() {
        assert_eq!(send(address, &whole.as_bytes()[..end]), "", "{end}");
    }
    let mut seed = 1u32;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed
    };
    for _ in 0..200 {
        // Other bytes in a request.
        let mut damaged = whole.clone().into_bytes();
        for _ in 0..1 + random() % 4 {
            let at = random() as usize % damaged.len();
            damaged[at] = random() as u8;
        }
        let answer = send(address, &damaged);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 "), "{answer}");
        let noise: Vec<u8> = (0..random() % 3000).map(|_| random() as u8).collect();
        let answer = send(address, &noise);
        assert!(["400", "closed"].contains(&status(&answer)), "{answer}");
    }
    for (bytes, wanted) in [
        ("\r\n\r\n".to_owned(), "400"),
        ("GET / HTTP/1.0\r\n\r\n".to_owned(), "400"),
        ("\u{16}\u{3}\u{1}\r\n\r\n".to_owned(), "400"),
        (format!("GET /%00%ff HTTP/1.1\r\n{HOST}\r\n"), "404"),
        (format!("GET /?%ff HTTP/1.1\r\n{HOST}\r\n"), "400"),
        (format!("GET /../../etc/passwd HTTP/1.1\r\n{HOST}\r\n"), "404"),
        (format!("POST /reload HTTP/1.1\r\n{HOST}Content-Length: 99999999999999999999\r\n\r\n"), "413"),
        (format!("POST /reload HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "413"),
        (format!("GET / HTTP/1.1\r\n{HOST}a: {}\r\n\r\n", "x".repeat(20_000)), "431"),
        (format!("GET /{} HTTP/1.1\r\n", "x".repeat(500_000)), "431"),
    ] {
        assert_eq!(status(&send(address, bytes.as_bytes())), wanted, "{}", &bytes[..bytes.len().min(80)]);
    }
    assert!(program.acts.lock().unwrap().is_empty());
    assert_eq!(status(&send(address, whole.as_bytes())), "200");
}

#[test]
fn the_number_of_connections_is_limited() {
    let (server, _) = start();
    let address = server.address();
    let mut silent: Vec<TcpStream> = Vec::new();
    // The server accepts connections in order, and waits for their requests for some seconds.
    wait::until("the last connection is one too many", || {
        silent = (0..16).map(|_| TcpStream::connect(address).unwrap()).collect();
        status(&ask(address, "GET /", HOST)) == "503"
    });
    drop(silent);
    wait::until("there is place again", || status(&ask(address, "GET /", HOST)) == "200");
}
