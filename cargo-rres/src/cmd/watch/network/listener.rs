//! Waits for games, and answers those that look for this machine.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rres_protocol::network::{Token, finding};

use super::game::{self, Ended};
use super::packs::Packs;

/// The most connections at a time. Those that have not proved the token make place for others.
const MAX_CONNECTIONS: usize = 16;

/// The pause after an error of the system, which may last.
const AFTER_ERROR: Duration = Duration::from_millis(50);

/// What the threads need.
pub(super) struct Listener {
    pub(super) token: Token,
    pub(super) name: String,
    pub(super) packs: Arc<Packs>,
    /// Lines for the terminal: a word and a text.
    pub(super) tell: Sender<(&'static str, String)>,
}

/// The connections of the moment, the oldest first.
#[derive(Default)]
struct Connections(Mutex<Vec<Connection>>);

struct Connection {
    number: u64,
    stream: TcpStream,
    has_proved: bool,
}

impl Listener {
    /// Starts the threads. Returns the address, with the port that the system has chosen if none was asked for.
    pub(super) fn start(self, address: SocketAddr) -> io::Result<SocketAddr> {
        let (games, questions) = bind(address)?;
        let address = games.local_addr()?;
        let shared = Arc::new(self);
        // Without it, games need the address, which the caller prints.
        match questions {
            Ok(socket) => {
                let listener = Arc::clone(&shared);
                thread::Builder::new().spawn(move || listener.answer_questions(&socket, address.port()))?;
            }
            Err(error) => shared.tell("note", format!("games cannot find this machine by its name: {error}")),
        }
        thread::Builder::new().spawn(move || shared.accept(&games))?;
        Ok(address)
    }

    fn tell(&self, what: &'static str, text: String) {
        // The command is about to end if nobody listens.
        let _ = self.tell.send((what, text));
    }

    fn answer_questions(&self, socket: &UdpSocket, port: u16) {
        let mut packet = [0; finding::SIZE + 1];
        loop {
            let Ok((len, from)) = socket.recv_from(&mut packet) else {
                thread::sleep(AFTER_ERROR);
                continue;
            };
            if let Some(answer) = finding::answer(&self.token, &packet[..len], &self.name, port) {
                let _ = socket.send_to(&answer, from);
            }
        }
    }

    fn accept(self: &Arc<Self>, games: &TcpListener) {
        let connections = Arc::new(Connections::default());
        for number in 0.. {
            let Ok((stream, address)) = games.accept() else {
                thread::sleep(AFTER_ERROR);
                continue;
            };
            if !connections.add(number, &stream) {
                self.tell("refused", format!("{address}: {MAX_CONNECTIONS} games are connected already"));
                continue;
            }
            let (listener, of_thread) = (Arc::clone(self), Arc::clone(&connections));
            let served = thread::Builder::new().spawn(move || {
                let ended = game::serve(stream, &listener.token, &listener.packs, &mut |what, text| {
                    of_thread.prove(number);
                    listener.tell(what, format!("{address}{text}"));
                });
                of_thread.remove(number);
                match ended {
                    Ended::Left => listener.tell("left", address.to_string()),
                    Ended::Refused(why) => listener.tell("refused", format!("{address}: {why}")),
                    Ended::NoGame => {}
                }
            });
            if served.is_err() {
                connections.remove(number);
            }
        }
    }
}

/// Opens the port for games, and the same one for questions.
fn bind(address: SocketAddr) -> io::Result<(TcpListener, io::Result<UdpSocket>)> {
    let mut tries = if address.port() == 0 { 16 } else { 1 };
    loop {
        let games = TcpListener::bind(address)?;
        let mut of_questions = games.local_addr()?;
        // Packets to all machines do not arrive at one of the addresses of this one.
        if of_questions.is_ipv4() && !of_questions.ip().is_loopback() {
            of_questions.set_ip(Ipv4Addr::UNSPECIFIED.into());
        }
        let questions = UdpSocket::bind(of_questions);
        tries -= 1;
        // Of the ports that the system chooses for games, one may be taken for packets.
        if questions.is_ok() || tries == 0 {
            return Ok((games, questions));
        }
    }
}

impl Connections {
    /// Returns whether there is place for a connection.
    fn add(&self, number: u64, stream: &TcpStream) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_CONNECTIONS {
            let Some(oldest) = all.iter().position(|connection| !connection.has_proved) else { return false };
            let _ = all.remove(oldest).stream.shutdown(std::net::Shutdown::Both);
        }
        let Ok(stream) = stream.try_clone() else { return false };
        all.push(Connection { number, stream, has_proved: false });
        true
    }

    fn prove(&self, number: u64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter_mut().filter(|connection| connection.number == number).for_each(|found| found.has_proved = true);
    }

    fn remove(&self, number: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|connection| connection.number != number);
    }
}
