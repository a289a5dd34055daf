//! Connections, and what each address answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::json::ToJson;
use crate::origin::{check, is_same};
use crate::page::Page;
use crate::request::Request;
use crate::response::{Response, Status};
use crate::state::{Action, Inspected, Target};

/// The most connections at a time. A browser opens six.
const MAX_CONNECTIONS: usize = 16;

/// The longest time that a browser may take to accept an answer.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// The pause after an error of the system, which may last.
const AFTER_ERROR: Duration = Duration::from_millis(50);

/// A page that is served as long as the program runs.
#[derive(Clone, Debug)]
pub struct Server {
    address: SocketAddr,
    token: String,
}

impl Server {
    /// Returns the address and the port, which the system has chosen if none was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address to open in a browser. It contains the token that changes need.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }
}

/// Serves the page on threads of its own, as long as the program runs.
///
/// # Errors
/// If the port is taken, or the system has no threads or no random bytes left.
pub fn serve(address: SocketAddr, inspected: Arc<dyn Inspected>) -> io::Result<Server> {
    debug_assert!(address.ip().is_loopback());
    let listener = TcpListener::bind(address)?;
    let server = Server { address: listener.local_addr()?, token: secret()? };
    let (token, page) = (server.token.clone(), Page::new(&secret()?));
    let site = Arc::new(Site { inspected, token, page, connections: AtomicUsize::new(0) });
    thread::Builder::new().name("rres inspect".to_owned()).spawn(move || site.accept(&listener))?;
    Ok(server)
}

/// Returns 128 random bits as hexadecimal digits.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What the threads share.
struct Site {
    inspected: Arc<dyn Inspected>,
    token: String,
    page: Page,
    connections: AtomicUsize,
}

/// One of the connections of the moment.
struct Counted(Arc<Site>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Site {
    fn accept(self: Arc<Self>, listener: &TcpListener) {
        loop {
            let Ok((mut stream, _)) = listener.accept() else {
                thread::sleep(AFTER_ERROR);
                continue;
            };
            let _ = stream.set_write_timeout(Some(WRITE_TIME));
            let before = self.connections.fetch_add(1, Ordering::AcqRel);
            let counted = Counted(Arc::clone(&self));
            if before >= MAX_CONNECTIONS {
                let _ = Response::text(Status::Busy, "too many connections\n").write(&mut stream);
                continue;
            }
            let serve = move || {
                // The other side may be gone at any time, which concerns nobody.
                let _ = counted.0.serve(stream);
            };
            // Without a thread, the connection is closed.
            let _ = thread::Builder::new().name("rres inspect".to_owned()).spawn(serve);
        }
    }

    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let response = match Request::read(&mut stream)? {
            Ok(None) => return Ok(()),
            Ok(Some(request)) => self.answer(&request).unwrap_or_else(refusal),
            Err(status) => refusal(status),
        };
        response.write(&mut stream)?;
        stream.flush()?;
        stream.shutdown(Shutdown::Write)?;
        discard_rest(&mut stream)
    }

    fn answer(&self, request: &Request) -> Result<Response, Status> {
        check(request)?;
        let action = match &*request.path {
            "/" => return only(request, "GET", || Ok(self.page.response())),
            "/state.json" => return only(request, "GET", || self.state(request)),
            "/reload" => Action::Reload,
            "/unload" => Action::Unload,
            _ => return Err(Status::NotFound),
        };
        only(request, "POST", || self.act(request, action))
    }

    /// The state, or that it is the one that the browser has.
    fn state(&self, request: &Request) -> Result<Response, Status> {
        let json = self.inspected.state().to_json();
        let mut hasher = DefaultHasher::new();
        json.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        let response = match request.header("if-none-match")? {
            Some(known) if known == tag => Response::json(Status::NotModified, String::new()),
            _ => Response::json(Status::Ok, json),
        };
        Ok(response.header("ETag", &tag))
    }

    fn act(&self, request: &Request, action: Action) -> Result<Response, Status> {
        if !request.header("x-rres-token")?.is_some_and(|token| is_same(token, &self.token)) {
            return Ok(Response::text(
                Status::Forbidden,
                "the header X-Rres-Token must have the token of the address that the program has printed\n",
            ));
        }
        let store = request.query("store").and_then(|store| store.parse().ok()).ok_or(Status::BadRequest)?;
        let id = request.query("id").and_then(|id| id.strip_prefix("0x")).ok_or(Status::BadRequest)?;
        let id = u32::from_str_radix(id, 16).map_err(|_| Status::BadRequest)?;
        let done = self.inspected.act(action, Target { store, id });
        let mut json = String::new();
        done.write(&mut json);
        json.push('\n');
        Ok(Response::json(if done.done { Status::Ok } else { Status::Conflict }, json))
    }
}

/// Answers a request with this method, and refuses others.
fn only(
    request: &Request,
    method: &str,
    answer: impl FnOnce() -> Result<Response, Status>,
) -> Result<Response, Status> {
    if request.method == method {
        return answer();
    }
    Ok(Response::text(Status::MethodNotAllowed, format!("use {method}\n")).header("Allow", method))
}

fn refusal(status: Status) -> Response {
    let text = match status {
        Status::BadRequest => "not a request that the inspector understands\n",
        Status::Forbidden => "the inspector answers its own page and programs of this machine only\n",
        Status::BodyRefused => "requests have no body\n",
        Status::HeadTooLarge => "the request is too long\n",
        _ => "the inspector has /, /state.json, /reload and /unload\n",
    };
    Response::text(status, text)
}

/// Reads what the other side has sent beyond its request, within limits: closing a connection with unread bytes would drop the answer.
fn discard_rest(stream: &mut TcpStream) -> io::Result<()> {
    const MOST: usize = 1 << 20;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut part = [0; 4096];
    let mut left = MOST;
    let end = Instant::now() + Duration::from_secs(2);
    while left > 0 && Instant::now() < end {
        match stream.read(&mut part)? {
            0 => break,
            read => left = left.saturating_sub(read),
        }
    }
    Ok(())
}
