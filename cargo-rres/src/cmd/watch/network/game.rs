//! One game, from its connection to its end.

use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rres_protocol::network::{Error, Greeting, MAX_HANDSHAKE, News, Token, greet};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use super::packs::{Change, Packs, Seen};
use super::random;

/// How long a game may take for each step of the handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How often it is looked for something new.
const TICK: Duration = Duration::from_millis(50);
/// How often a game is asked whether it is there, and how long it may leave that unanswered.
const PING: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(40);
/// From this size on, in bytes, a game is told that a pack is on its way: it may not hear of anything else for a while.
const LARGE: usize = 256 << 10;

/// How a connection has ended.
pub(super) enum Ended {
    /// The game ended it, or is not there any more.
    Left,
    /// It was told why it gets nothing.
    Refused(String),
    /// Whoever it was did not speak of assets.
    NoGame,
}

/// Serves a game. `tell` prints a word and a text after the address of the game.
pub(super) fn serve(
    stream: TcpStream,
    token: &Token,
    packs: &Packs,
    tell: &mut dyn FnMut(&'static str, String),
) -> Ended {
    let config = WebSocketConfig::default().max_message_size(Some(MAX_HANDSHAKE)).max_frame_size(Some(MAX_HANDSHAKE));
    let limited = stream.set_read_timeout(Some(HANDSHAKE)).and_then(|()| stream.set_write_timeout(Some(HANDSHAKE)));
    if limited.is_err() {
        return Ended::NoGame;
    }
    let Ok(mut socket) = tungstenite::accept_with_config(stream, Some(config)) else { return Ended::NoGame };
    let (greeting, hello) = greet(random());
    if socket.send(Message::binary(hello)).is_err() {
        return Ended::NoGame;
    }
    let Ok(Message::Binary(join)) = socket.read() else { return Ended::NoGame };
    let welcomed = greeting.welcome(token, &join);
    let (mut session, welcome, checksums) = match welcomed {
        Ok(welcomed) => welcomed,
        Err(error) => {
            let why = match error {
                Error::WrongToken => "this game has another token; use the one that the server prints".to_owned(),
                other => other.to_string(),
            };
            return refuse(&mut socket, &why);
        }
    };
    let Some(base) = packs.base(&checksums) else {
        let why = match checksums.as_slice() {
            [] => "this game has no pack: a debug build reads loose files, and reloads them without a network".to_owned(),
            _ => "the pack of this game is not known; name it with --base PACK, or install the game with the pack that was just built"
                .to_owned(),
        };
        return refuse(&mut socket, &why);
    };
    if socket.send(Message::binary(welcome)).is_err() || socket.get_ref().set_read_timeout(Some(TICK)).is_err() {
        return Ended::Left;
    }
    tell("following", String::new());
    let (mut seen, mut pinged, mut heard) = (Seen::default(), Instant::now(), Instant::now());
    loop {
        // The first pack is sent even if nothing differs: the game may have mounted something before its connection broke.
        for Change { news, count, is_printed } in packs.news(&base, &mut seen) {
            if let News::Assets(pack) = &news
                && pack.len() >= LARGE
            {
                let coming = session.seal(&News::Alive { coming: pack.len() as u64 });
                if socket.send(Message::binary(coming)).is_err() {
                    return Ended::Left;
                }
            }
            let message = session.seal(&news);
            let size = message.len();
            if socket.send(Message::binary(message)).is_err() {
                return Ended::Left;
            }
            // The game has answered until now, however long it took to take the message.
            heard = Instant::now();
            match (news, count) {
                _ if is_printed => {}
                (News::Fault(text), _) => tell("told", format!(": {text}")),
                (_, Some(1)) => tell("sent", format!(": 1 asset, {size} bytes")),
                (_, count) => tell("sent", format!(": {} assets, {size} bytes", count.unwrap_or_default())),
            }
        }
        if pinged.elapsed() > PING {
            pinged = Instant::now();
            let alive = session.seal(&News::Alive { coming: 0 });
            if socket
                .send(Message::Ping(Default::default()))
                .and_then(|()| socket.send(Message::binary(alive)))
                .is_err()
            {
                return Ended::Left;
            }
        }
        match socket.read() {
            // A game says nothing more. The answers to pings end here.
            Ok(Message::Ping(_) | Message::Pong(_)) => heard = Instant::now(),
            Err(tungstenite::Error::Io(error)) if is_timeout(&error) && heard.elapsed() < SILENCE => {}
            _ => return Ended::Left,
        }
    }
}

fn refuse(socket: &mut WebSocket<TcpStream>, why: &str) -> Ended {
    let _ = socket.send(Message::binary(Greeting::refusal(why)));
    let _ = socket.close(None);
    // Until the game has read it and closes, so that the system does not drop what was sent.
    while socket.read().is_ok() {}
    Ended::Refused(why.to_owned())
}

/// Unix and Windows have different names for it.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
