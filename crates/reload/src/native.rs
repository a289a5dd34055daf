//! A connection of a program: a thread that reads, and leaves what it reads for the next frame.

use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream, ToSocketAddrs, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rres_protocol::network::{Token, finding};
use tungstenite::Message;
use tungstenite::protocol::WebSocketConfig;

use crate::exchange::{Exchange, Signal, Signals, Step};
use crate::server::Place;

/// How long it may take to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// The server sends something every ten seconds.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a question waits for its answer, and how often it is asked.
const ANSWER: Duration = Duration::from_millis(700);
const QUESTIONS: usize = 3;

/// Returns the seconds since some moment.
pub(crate) fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Returns bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}

pub(crate) struct Connection(Arc<Line>);

/// What the thread and the game share.
#[derive(Default)]
struct Line {
    open: Mutex<Option<Open>>,
    signals: Mutex<Signals>,
}

enum Open {
    Stream(TcpStream),
    Closed,
}

impl Connection {
    /// Connects in the background.
    pub(crate) fn start(place: Place, exchange: Exchange) -> Self {
        let line = Arc::new(Line::default());
        let of_thread = Arc::clone(&line);
        let run = move || {
            let why = follow(&place, exchange, &of_thread).unwrap_or_else(|why| why);
            of_thread.signals().push(Signal::Ended(why));
        };
        if thread::Builder::new().name("rres reload".to_owned()).spawn(run).is_err() {
            line.signals().push(Signal::Ended("the system has no more threads".to_owned()));
        }
        Self(line)
    }

    pub(crate) fn next(&mut self) -> Option<Signal> {
        self.0.signals().next()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Line {
    fn signals(&self) -> MutexGuard<'_, Signals> {
        self.signals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the connection is still wanted.
    fn open(&self, stream: &TcpStream) -> io::Result<bool> {
        let mut line = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Open::Closed) = *line {
            return Ok(false);
        }
        *line = Some(Open::Stream(stream.try_clone()?));
        Ok(true)
    }

    fn close(&self) {
        let mut line = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Open::Stream(stream)) = line.replace(Open::Closed) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Follows a server until the connection ends, and returns why it has ended.
fn follow(place: &Place, mut exchange: Exchange, line: &Line) -> Result<String, String> {
    let (stream, at) = match place {
        Place::Address(address) => (connect(address).map_err(|e| format!("{address}: {e}"))?, address.clone()),
        Place::Named(name, port) => {
            let found = find(exchange.token(), name, *port).map_err(|e| format!("looking for \"{name}\": {e}"))?;
            (connect(found).map_err(|e| format!("{found}: {e}"))?, found.to_string())
        }
    };
    let unreachable = |e: io::Error| format!("{at}: {e}");
    if !line.open(&stream).map_err(unreachable)? {
        return Ok("it is not wanted any more".to_owned());
    }
    stream.set_read_timeout(Some(CONNECT)).map_err(unreachable)?;
    stream.set_write_timeout(Some(CONNECT)).map_err(unreachable)?;
    let opened =
        tungstenite::client::client_with_config(format!("ws://{at}/"), stream, Some(limited(exchange.limit())));
    let (mut socket, _) = opened.map_err(|error| match error {
        tungstenite::HandshakeError::Failure(tungstenite::Error::Io(error)) => format!("{at}: {error}"),
        tungstenite::HandshakeError::Interrupted(_) => format!("{at}: no answer"),
        _ => format!("{at}: {}", rres_protocol::network::Error::NoServer),
    })?;
    loop {
        let message = match socket.read() {
            Ok(Message::Binary(message)) => message,
            // tungstenite answers pings.
            Ok(Message::Ping(_) | Message::Pong(_)) => continue,
            Ok(_) | Err(tungstenite::Error::ConnectionClosed) => return Ok(format!("{at} has ended the connection")),
            Err(tungstenite::Error::Io(error)) if is_timeout(&error) => return Err(format!("{at}: no answer")),
            Err(error) => return Err(format!("{at}: {error}")),
        };
        match exchange.take(&message).map_err(|e| format!("{at}: {e}"))? {
            Step::Answer(answer) => socket.send(Message::binary(answer)).map_err(|e| format!("{at}: {e}"))?,
            Step::Nothing => {}
            Step::Signal(Signal::Ended(why)) => {
                let _ = socket.close(None);
                return Ok(format!("{at}: {why}"));
            }
            Step::Signal(signal) => {
                if let Signal::Following = signal {
                    socket.set_config(|config| *config = limited(exchange.limit()));
                    socket.get_ref().set_read_timeout(Some(SILENCE)).map_err(unreachable)?;
                }
                line.signals().push(signal);
            }
        }
    }
}

/// Has no message be larger than `most` bytes.
fn limited(most: usize) -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(most)).max_frame_size(Some(most))
}

/// Connects to the first address that answers.
fn connect(to: impl ToSocketAddrs) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "no such address");
    for address in to.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Unix and Windows have different names for it.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Asks all machines of the local network, and this one, who has a name.
fn find(token: &Token, name: &str, port: u16) -> io::Result<SocketAddr> {
    let random = random();
    let question = finding::question(random, name)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a name has 1 to 224 bytes"))?;
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.set_broadcast(true)?;
    let mut packet = [0; finding::SIZE];
    for _ in 0..QUESTIONS {
        // Without a network there is only this machine.
        let sent = [Ipv4Addr::BROADCAST, Ipv4Addr::LOCALHOST].map(|to| socket.send_to(&question, (to, port)));
        if let [Err(error), Err(_)] = sent {
            return Err(error);
        }
        let asked = Instant::now();
        while let Some(rest) = ANSWER.checked_sub(asked.elapsed()).filter(|rest| !rest.is_zero()) {
            socket.set_read_timeout(Some(rest))?;
            // Windows reports here that nobody listens at an address.
            let Ok((len, from)) = socket.recv_from(&mut packet) else { continue };
            if let Some(port) = finding::port(token, &packet[..len], random) {
                return Ok(SocketAddr::new(from.ip(), port));
            }
        }
    }
    let help = "no machine of this network answers; is `cargo rres watch --network` running there, and let through by its firewall?";
    Err(io::Error::new(io::ErrorKind::NotFound, help))
}
