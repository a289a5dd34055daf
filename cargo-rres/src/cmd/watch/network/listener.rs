//! Waits for games, and answers those that look for this machine.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rres_protocol::network::{Token, finding};

use super::game::{self, Ended};
use super::packs::Packs;

/// The most connections at a time. Those that have not proved the token make place for others.
const MAX_CONNECTIONS: usize = 16;

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
    address: SocketAddr,
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
            let Ok((len, from)) = socket.recv_from(&mut packet) else { continue };
            if let Some(answer) = finding::answer(&packet[..len], &self.name, port) {
                let _ = socket.send_to(&answer, from);
            }
        }
    }

    fn accept(self: &Arc<Self>, games: &TcpListener) {
        let connections = Arc::new(Connections::default());
        loop {
            let Ok((stream, address)) = games.accept() else { continue };
            if !connections.add(&stream, address) {
                continue;
            }
            let (listener, connections) = (Arc::clone(self), Arc::clone(&connections));
            // Without a thread, the connection is closed.
            let _ = thread::Builder::new().spawn(move || {
                let ended = game::serve(stream, &listener.token, &listener.packs, &mut |what, text| {
                    connections.prove(address);
                    listener.tell(what, format!("{address}{text}"));
                });
                connections.remove(address);
                match ended {
                    Ended::Left => listener.tell("left", address.to_string()),
                    Ended::Refused(why) => listener.tell("refused", format!("{address}: {why}")),
                    Ended::NoGame => {}
                }
            });
        }
    }
}

/// Opens the port for games, and the same one for questions.
fn bind(address: SocketAddr) -> io::Result<(TcpListener, io::Result<UdpSocket>)> {
    let mut tries = if address.port() == 0 { 16 } else { 1 };
    loop {
        let games = TcpListener::bind(address)?;
        let questions = UdpSocket::bind(games.local_addr()?);
        tries -= 1;
        // Of the ports that the system chooses for games, one may be taken for packets.
        if questions.is_ok() || tries == 0 {
            return Ok((games, questions));
        }
    }
}

impl Connections {
    /// Returns whether there is place for a connection.
    fn add(&self, stream: &TcpStream, address: SocketAddr) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_CONNECTIONS {
            let Some(oldest) = all.iter().position(|connection| !connection.has_proved) else { return false };
            let _ = all.remove(oldest).stream.shutdown(std::net::Shutdown::Both);
        }
        let Ok(stream) = stream.try_clone() else { return false };
        all.push(Connection { address, stream, has_proved: false });
        true
    }

    fn prove(&self, address: SocketAddr) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter_mut().filter(|connection| connection.address == address).for_each(|found| found.has_proved = true);
    }

    fn remove(&self, address: SocketAddr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|connection| connection.address != address);
    }
}
