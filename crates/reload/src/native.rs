//! A connection of a program: a thread that reads, and leaves what it reads for the next frame.

use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream, ToSocketAddrs, UdpSocket};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rres_protocol::network::{MAX_NEWS, finding};
use tungstenite::Message;
use tungstenite::protocol::WebSocketConfig;

use crate::exchange::{Exchange, Signal, Step};
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

pub(crate) struct Connection {
    signals: Receiver<Signal>,
    line: Arc<Line>,
}

/// What ends a connection from outside.
#[derive(Default)]
struct Line(Mutex<Option<Open>>);

enum Open {
    Stream(TcpStream),
    Closed,
}

impl Connection {
    /// Connects in the background.
    pub(crate) fn start(place: Place, exchange: Exchange) -> Self {
        let (sender, signals) = channel();
        let line = Arc::new(Line::default());
        let of_thread = Arc::clone(&line);
        let run = move || {
            let why = follow(&place, exchange, &of_thread, &sender).unwrap_or_else(|why| why);
            let _ = sender.send(Signal::Ended(why));
        };
        // Without a thread, the sender is gone and the connection has ended.
        let _ = thread::Builder::new().name("rres reload".to_owned()).spawn(run);
        Self { signals, line }
    }

    pub(crate) fn next(&mut self) -> Option<Signal> {
        use std::sync::mpsc::TryRecvError;
        match self.signals.try_recv() {
            Ok(signal) => Some(signal),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Signal::Ended("the system has no more threads".to_owned())),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.line.close();
    }
}

impl Line {
    /// Returns whether the connection is still wanted.
    fn open(&self, stream: &TcpStream) -> io::Result<bool> {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Open::Closed) = *line {
            return Ok(false);
        }
        *line = Some(Open::Stream(stream.try_clone()?));
        Ok(true)
    }

    fn close(&self) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Open::Stream(stream)) = line.replace(Open::Closed) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Follows a server until the connection ends, and returns why it has ended.
fn follow(place: &Place, mut exchange: Exchange, line: &Line, signals: &Sender<Signal>) -> Result<String, String> {
    let (stream, at) = match place {
        Place::Address(address) => (connect(address).map_err(|e| format!("{address}: {e}"))?, address.clone()),
        Place::Named(name, port) => {
            let found = find(name, *port).map_err(|e| format!("looking for \"{name}\": {e}"))?;
            (connect(found).map_err(|e| format!("{found}: {e}"))?, found.to_string())
        }
    };
    let unreachable = |e: io::Error| format!("{at}: {e}");
    if !line.open(&stream).map_err(unreachable)? {
        return Ok("it is not wanted any more".to_owned());
    }
    stream.set_read_timeout(Some(SILENCE)).map_err(unreachable)?;
    stream.set_write_timeout(Some(SILENCE)).map_err(unreachable)?;
    // What the server adds to a pack is far less.
    let limit = Some(MAX_NEWS + (1 << 10));
    let config = WebSocketConfig::default().max_message_size(limit).max_frame_size(limit);
    let opened = tungstenite::client::client_with_config(format!("ws://{at}/"), stream, Some(config));
    let no_server = rres_protocol::network::Error::NoServer;
    let (mut socket, _) = opened.map_err(|_| format!("{at}: {no_server}"))?;
    loop {
        let message = match socket.read() {
            Ok(Message::Binary(message)) => message,
            // tungstenite answers pings.
            Ok(Message::Ping(_) | Message::Pong(_)) => continue,
            Ok(_) | Err(tungstenite::Error::ConnectionClosed) => return Ok(format!("{at} has ended the connection")),
            Err(error) => return Err(format!("{at}: {error}")),
        };
        match exchange.take(&message).map_err(|e| format!("{at}: {e}"))? {
            Step::Answer(answer) => socket.send(Message::binary(answer)).map_err(|e| format!("{at}: {e}"))?,
            Step::Signal(Signal::Ended(why)) => {
                let _ = socket.close(None);
                return Ok(format!("{at}: {why}"));
            }
            Step::Signal(signal) => {
                if signals.send(signal).is_err() {
                    return Ok("it is not wanted any more".to_owned());
                }
            }
        }
    }
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

/// Asks all machines of the local network, and this one, who has a name.
fn find(name: &str, port: u16) -> io::Result<SocketAddr> {
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
            if let Some(port) = finding::port(&packet[..len], random) {
                return Ok(SocketAddr::new(from.ip(), port));
            }
        }
    }
    let help = "no machine of this network answers; is `cargo rres watch --network` running there, and let through by its firewall?";
    Err(io::Error::new(io::ErrorKind::NotFound, help))
}
