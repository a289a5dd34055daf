//! A server of files on this computer, for tests: with ranges, and with every fault that a connection can have.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What a client asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path, with the slash in front, and the query, which does not matter.
    pub path: String,
    /// The bytes of the file; `None` for all of them.
    pub range: Option<Range<u64>>,
    /// How many requests came before.
    pub number: usize,
}

/// What goes wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The connection ends after so many bytes of the body.
    CutAfter(usize),
    /// The connection ends before the head.
    Reset,
    /// One byte of the body is another one.
    WrongByte(usize),
    /// Another status, without the file.
    Status(u16),
    /// The whole file, as a server without ranges sends it.
    NoRange,
    /// Another file, as a cache in front of a server may still have it.
    Instead(&'static str),
    /// The whole file, until the connection ends after so many bytes.
    WholeUntil(usize),
    /// At most so many bytes of the range, as caches in front of servers do, with a head that says so.
    Shorter(u64),
}

type Faults = Box<dyn Fn(&Request) -> Fault + Send + Sync>;
type Salts = Box<dyn Fn(&Request) -> u64 + Send + Sync>;

/// A running server. It ends with this value.
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
}

struct Shared {
    files: Mutex<Vec<File>>,
    faults: Mutex<Faults>,
    salts: Mutex<Salts>,
    hides_etags: AtomicBool,
    /// Whether pages of other servers may read the files.
    is_open: AtomicBool,
    requests: Mutex<Vec<Request>>,
    posted: Mutex<Vec<(String, Vec<u8>)>>,
    has_posted: Condvar,
    sent: AtomicU64,
    /// 0 for as fast as possible.
    bytes_per_second: AtomicU64,
    /// How long each answer waits.
    latency: Mutex<Duration>,
    /// When the line is free again, which all connections share.
    free: Mutex<Instant>,
    ends: AtomicBool,
}

#[derive(Clone)]
struct File {
    path: String,
    content: Arc<Vec<u8>>,
}

impl Server {
    /// Starts a server of these files, by path.
    pub fn start<'a>(files: impl IntoIterator<Item = (&'a str, Vec<u8>)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this computer is free");
        let address = listener.local_addr().expect("it has an address");
        let files = files.into_iter().map(|(path, content)| File { path: path.to_owned(), content: Arc::new(content) });
        let shared = Arc::new(Shared {
            files: Mutex::new(files.collect()),
            faults: Mutex::new(Box::new(|_| Fault::None)),
            salts: Mutex::new(Box::new(|_| 0)),
            hides_etags: AtomicBool::new(false),
            is_open: AtomicBool::new(false),
            requests: Mutex::default(),
            posted: Mutex::default(),
            has_posted: Condvar::new(),
            sent: AtomicU64::new(0),
            bytes_per_second: AtomicU64::new(0),
            latency: Mutex::default(),
            free: Mutex::new(Instant::now()),
            ends: AtomicBool::new(false),
        });
        let all = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if all.ends.load(Ordering::Relaxed) {
                    return;
                }
                let shared = Arc::clone(&all);
                // A client that ends its connection is no fault of the server.
                thread::spawn(move || stream.map(|stream| drop(shared.answer(&stream))));
            }
        });
        Self { shared, address }
    }

    /// The address of a file.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Removes a file.
    pub fn remove_file(&self, path: &str) {
        self.shared.files.lock().unwrap().retain(|file| file.path != path);
    }

    /// Replaces a file.
    pub fn set_file(&self, path: &str, content: Vec<u8>) {
        let mut files = self.shared.files.lock().unwrap();
        files.retain(|file| file.path != path);
        files.push(File { path: path.to_owned(), content: Arc::new(content) });
    }

    /// Chooses what goes wrong from now on.
    pub fn set_faults(&self, faults: impl Fn(&Request) -> Fault + Send + Sync + 'static) {
        *self.shared.faults.lock().unwrap() = Box::new(faults);
    }

    /// Chooses what the `ETag` of an answer depends on besides the content of the file, as it does on servers that name the time of publication.
    pub fn set_etags(&self, salt: impl Fn(&Request) -> u64 + Send + Sync + 'static) {
        *self.shared.salts.lock().unwrap() = Box::new(salt);
    }

    /// Chooses whether answers have no `ETag` from now on.
    pub fn hide_etags(&self, hides: bool) {
        self.shared.hides_etags.store(hides, Ordering::Relaxed);
    }

    /// Lets pages of other servers read the files, with the headers that rres-http asks for.
    pub fn allow_other_origins(&self) {
        self.shared.is_open.store(true, Ordering::Relaxed);
    }

    /// Chooses how fast all connections are together from now on, whatever they send.
    pub fn set_bytes_per_second(&self, bytes: u64) {
        self.shared.bytes_per_second.store(bytes, Ordering::Relaxed);
    }

    /// Chooses how long each answer waits from now on, as for the way to a server and back.
    pub fn set_latency(&self, latency: Duration) {
        *self.shared.latency.lock().unwrap() = latency;
    }

    /// Takes the requests since the last call.
    pub fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut *self.shared.requests.lock().unwrap())
    }

    /// How many bytes of files were sent.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// Waits until a client posts something to a path, and returns it; `None` if none does for so long.
    pub fn wait_for_post(&self, path: &str, most: Duration) -> Option<Vec<u8>> {
        let posted = self.shared.posted.lock().unwrap();
        let is_missing = |posted: &mut Vec<(String, Vec<u8>)>| !posted.iter().any(|(to, _)| to == path);
        let (mut posted, _) = self.shared.has_posted.wait_timeout_while(posted, most, is_missing).unwrap();
        let at = posted.iter().position(|(to, _)| to == path)?;
        Some(posted.remove(at).1)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address));
    }
}

impl Shared {
    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let mut words = line.split_whitespace();
        let (method, path) = (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
        let (mut range, mut body, mut takes_gzip) = (None, 0, false);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "range" => range = parse_range(value),
                "accept-encoding" => takes_gzip = value.contains("gzip"),
                "content-length" => body = value.parse().unwrap_or(0),
                _ => {}
            }
        }
        if method == "POST" {
            let mut content = vec![0; body];
            reader.read_exact(&mut content)?;
            self.posted.lock().unwrap().push((path, content));
            self.has_posted.notify_all();
            return (&*stream).write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
        }
        if method == "OPTIONS" {
            let head = "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Headers: Range\r\nConnection: close\r\n";
            return write!(&*stream, "{head}{}\r\n", self.allowed());
        }
        let request = {
            let mut requests = self.requests.lock().unwrap();
            let request = Request { path, range, number: requests.len() };
            requests.push(request.clone());
            request
        };
        let fault = (self.faults.lock().unwrap())(&request);
        let latency = *self.latency.lock().unwrap();
        thread::sleep(latency);
        let path = if let Fault::Instead(path) = fault { path } else { &*request.path };
        let path = path.split('?').next().unwrap_or_default();
        let find = |path: &str| self.files.lock().unwrap().iter().find(|file| file.path == path).cloned();
        // As `gzip_static` of nginx: a compressed copy that lies beside a file is sent in its place.
        let compressed = find(&format!("{path}.gz")).filter(|_| takes_gzip && request.range.is_none());
        match compressed {
            Some(copy) => self.send(stream, &request, Some(File { path: path.to_owned(), ..copy }), "gzip", fault),
            None => self.send(stream, &request, find(path), "identity", fault),
        }
    }

    /// The headers for pages of other servers.
    fn allowed(&self) -> &'static str {
        match self.is_open.load(Ordering::Relaxed) {
            true => {
                "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Content-Encoding, Content-Range, ETag\r\n"
            }
            false => "",
        }
    }

    fn send(
        &self,
        mut stream: &TcpStream,
        request: &Request,
        found: Option<File>,
        encoding: &str,
        fault: Fault,
    ) -> io::Result<()> {
        let status = match (&found, fault) {
            (_, Fault::Reset) => return Ok(()),
            (_, Fault::Status(status)) => status,
            (None, _) => 404,
            (Some(_), Fault::NoRange | Fault::WholeUntil(_)) => 200,
            (Some(_), _) if request.range.is_some() => 206,
            (Some(_), _) => 200,
        };
        let Some(file) = found.filter(|_| matches!(status, 200 | 206)) else {
            return write!(
                stream,
                "HTTP/1.1 {status} No\r\nContent-Length: 0\r\n{}Connection: close\r\n\r\n",
                self.allowed()
            );
        };
        let total = file.content.len() as u64;
        let range = request.range.clone().filter(|_| status == 206).unwrap_or(0..total);
        let most = if let Fault::Shorter(most) = fault { most } else { u64::MAX };
        let range = range.start.min(total)..range.end.min(total).min(range.start.saturating_add(most));
        if status == 206 && range.is_empty() {
            let head = "HTTP/1.1 416 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            return stream.write_all(head.as_bytes());
        }
        let mut body = file.content[range.start as usize..range.end as usize].to_vec();
        if let (Fault::WrongByte(at), false) = (fault, body.is_empty()) {
            let at = at % body.len();
            body[at] ^= 1;
        }
        let salt = (self.salts.lock().unwrap())(request);
        let etag = file
            .content
            .iter()
            .fold(17u64.wrapping_add(salt), |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        let kind = match file.path.rsplit('.').next() {
            Some("html") => "text/html",
            Some("js") => "text/javascript",
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        };
        write!(stream, "HTTP/1.1 {status} OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n", body.len())?;
        if !self.hides_etags.load(Ordering::Relaxed) {
            write!(stream, "ETag: \"{etag:x}\"\r\n")?;
        }
        if encoding != "identity" {
            write!(stream, "Content-Encoding: {encoding}\r\n")?;
        }
        if status == 206 {
            write!(stream, "Content-Range: bytes {}-{}/{total}\r\n", range.start, range.end - 1)?;
        }
        write!(stream, "{}Cache-Control: no-store\r\nConnection: close\r\n\r\n", self.allowed())?;
        let end = match fault {
            Fault::CutAfter(bytes) | Fault::WholeUntil(bytes) => bytes.min(body.len()),
            _ => body.len(),
        };
        for piece in body[..end].chunks(16 << 10) {
            stream.write_all(piece)?;
            self.sent.fetch_add(piece.len() as u64, Ordering::Relaxed);
            self.wait_for_line(piece.len());
        }
        Ok(())
    }

    /// Waits as long as a line of that speed takes for these bytes, after all that others have sent.
    fn wait_for_line(&self, bytes: usize) {
        let speed = self.bytes_per_second.load(Ordering::Relaxed);
        if speed > 0 {
            let mut free = self.free.lock().unwrap();
            *free = (*free).max(Instant::now()) + Duration::from_secs_f64(bytes as f64 / speed as f64);
            let until = *free;
            drop(free);
            thread::sleep(until.saturating_duration_since(Instant::now()));
        }
    }
}

/// The range of `bytes=100-199`.
fn parse_range(value: &str) -> Option<Range<u64>> {
    let (start, last) = value.trim().strip_prefix("bytes=")?.split_once('-')?;
    Some(start.parse().ok()?..last.parse::<u64>().map_or(u64::MAX, |last| last.saturating_add(1)))
}
