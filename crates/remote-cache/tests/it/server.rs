//! A web server that keeps what it is sent, and has faults if a test asks for them.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What a server does wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Answers with this status.
    Status(u16),
    /// Closes the connection before it answers.
    Close,
    /// Closes it in the midst of the answer.
    Cut,
    /// Sends other bytes.
    Wrong,
    /// Sends nothing, until the client goes away.
    Hang,
    /// Sends on after the end, until the client goes away.
    Endless,
}

type Chosen = dyn Fn(&str, &str) -> Option<Fault> + Send + Sync;

#[derive(Default)]
struct State {
    objects: Mutex<HashMap<String, Vec<u8>>>,
    fault: Mutex<Option<Box<Chosen>>>,
    token: Mutex<Option<String>>,
    requests: AtomicU64,
    sent: AtomicU64,
}

/// A server on this machine. It ends with the process.
pub struct Server {
    state: Arc<State>,
    port: u16,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<State>::default();
        let of_server = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&of_server);
                // A client that goes away ends its thread.
                thread::spawn(move || drop(state.serve(stream)));
            }
        });
        Self { state, port }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/team", self.port)
    }

    /// Has requests fail: `fault` gets method and path.
    pub fn fail(&self, fault: impl Fn(&str, &str) -> Option<Fault> + Send + Sync + 'static) {
        *self.state.fault.lock().unwrap() = Some(Box::new(fault));
    }

    pub fn mend(&self) {
        *self.state.fault.lock().unwrap() = None;
    }

    /// Has the server refuse who does not send this token.
    pub fn ask_for(&self, token: &str) {
        *self.state.token.lock().unwrap() = Some(token.to_owned());
    }

    pub fn change(&self, change: impl FnOnce(&mut HashMap<String, Vec<u8>>)) {
        change(&mut self.state.objects.lock().unwrap());
    }

    /// The requests and the bytes of answers since the last call.
    pub fn counted(&self) -> (u64, u64) {
        (self.state.requests.swap(0, Ordering::SeqCst), self.state.sent.swap(0, Ordering::SeqCst))
    }
}

impl State {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut stream = stream;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let mut words = line.split_whitespace();
            let (method, path) =
                (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
            let mut headers = HashMap::new();
            loop {
                let mut line = String::new();
                reader.read_line(&mut line)?;
                let Some((name, value)) = line.trim().split_once(':') else { break };
                headers.insert(name.to_lowercase(), value.trim().to_owned());
            }
            let len = headers.get("content-length").and_then(|len| len.parse().ok()).unwrap_or(0);
            let mut body = vec![0; len];
            reader.read_exact(&mut body)?;
            self.requests.fetch_add(1, Ordering::SeqCst);
            let fault = self.fault.lock().unwrap().as_ref().and_then(|fault| fault(&method, &path));
            match fault {
                Some(Fault::Close) => return stream.shutdown(Shutdown::Both),
                Some(Fault::Hang) => {
                    let mut rest = Vec::new();
                    return reader.read_to_end(&mut rest).map(drop);
                }
                Some(Fault::Status(status)) => {
                    self.answer(&mut stream, status, &[], None)?;
                    continue;
                }
                _ => {}
            }
            let token = self.token.lock().unwrap().clone();
            if token.is_some_and(|token| headers.get("authorization") != Some(&format!("Bearer {token}"))) {
                self.answer(&mut stream, 403, &[], None)?;
                continue;
            }
            if method == "PUT" {
                self.objects.lock().unwrap().insert(path, body);
                self.answer(&mut stream, 201, &[], None)?;
                continue;
            }
            let found = self.objects.lock().unwrap().get(&path).cloned();
            let Some(mut object) = found else {
                self.answer(&mut stream, 404, &[], None)?;
                continue;
            };
            if fault == Some(Fault::Wrong) {
                let at = object.len() / 2;
                object[at] ^= 0x10;
            }
            let total = object.len();
            let range = headers.get("range").and_then(|range| {
                let (start, end) = range.strip_prefix("bytes=")?.split_once('-')?;
                Some((start.parse::<usize>().ok()?, end.parse::<usize>().ok()?.min(total - 1)))
            });
            if fault == Some(Fault::Cut) {
                write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {total}\r\n\r\n")?;
                stream.write_all(&object[..total / 2])?;
                return stream.shutdown(Shutdown::Both);
            }
            if range.is_some_and(|(start, _)| start >= total) {
                self.answer(&mut stream, 416, &[], None)?;
                continue;
            }
            if let (Some((start, end)), Some(Fault::Endless)) = (range, fault) {
                let head = format!("Content-Length: {}\r\nContent-Range: bytes {start}-{end}/{total}", end + 1 - start);
                write!(stream, "HTTP/1.1 206 x\r\n{head}\r\nTransfer-Encoding: chunked\r\nETag: \"x\"\r\n\r\n")?;
                loop {
                    write!(stream, "10000\r\n{}\r\n", "x".repeat(0x10000))?;
                }
            }
            match range {
                Some((start, end)) => self.answer(&mut stream, 206, &object[start..=end], Some((start, end, total)))?,
                None => self.answer(&mut stream, 200, &object, None)?,
            }
        }
    }

    fn answer(
        &self,
        stream: &mut TcpStream,
        status: u16,
        body: &[u8],
        range: Option<(usize, usize, usize)>,
    ) -> std::io::Result<()> {
        let range = range.map(|(start, end, total)| format!("Content-Range: bytes {start}-{end}/{total}\r\n"));
        let head = format!(
            "HTTP/1.1 {status} x\r\nContent-Length: {}\r\nETag: \"{}\"\r\n{}\r\n",
            body.len(),
            blake3::hash(body).to_hex(),
            range.unwrap_or_default()
        );
        self.sent.fetch_add(body.len() as u64, Ordering::SeqCst);
        stream.write_all(&[head.as_bytes(), body].concat())
    }
}
