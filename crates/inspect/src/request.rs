//! The bytes of a connection → a request of HTTP/1.1, within limits of size and time.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::response::Status;

/// The most bytes of a request's first line and headers together.
const MAX_HEAD: usize = 8 << 10;

/// The longest time until a request has arrived.
const MAX_TIME: Duration = Duration::from_secs(10);

/// What a browser or a tool asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    /// Names and values, decoded.
    query: Vec<(String, String)>,
    /// Names in lower case, and values.
    headers: Vec<(String, String)>,
}

impl Request {
    /// Reads a request. `Ok(None)` if the other side has closed the connection, or is too slow.
    pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Result<Option<Self>, Status>> {
        let deadline = Instant::now() + MAX_TIME;
        let mut head = Vec::new();
        let mut part = [0; 1024];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Ok(None));
            }
            stream.set_read_timeout(Some(left))?;
            match stream.read(&mut part) {
                Ok(0) => return Ok(Ok(None)),
                Ok(read) => head.extend_from_slice(&part[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if let Some(end) = end_of_head(&head) {
                let Ok(head) = std::str::from_utf8(&head[..end]) else { return Ok(Err(Status::BadRequest)) };
                return Ok(Self::parse(head).map(Some));
            }
            if head.len() > MAX_HEAD {
                return Ok(Err(Status::HeadTooLarge));
            }
        }
    }

    /// Parses the first line and the headers, without the empty line at the end.
    fn parse(head: &str) -> Result<Self, Status> {
        if head.len() > MAX_HEAD {
            return Err(Status::HeadTooLarge);
        }
        let mut lines = head.split("\r\n");
        let mut first = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some("HTTP/1.1"), None) =
            (first.next(), first.next(), first.next(), first.next())
        else {
            return Err(Status::BadRequest);
        };
        let is_token = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !is_token(method) || !target.starts_with('/') {
            return Err(Status::BadRequest);
        }
        let mut headers: Vec<(String, String)> = Vec::new();
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(Status::BadRequest)?;
            // A space before the colon, or at the begin of the line, would let two readers see two headers.
            let name = name.to_ascii_lowercase();
            if !name.bytes().all(|byte| byte.is_ascii_graphic())
                || name.is_empty()
                || value.contains(['\r', '\n', '\0'])
            {
                return Err(Status::BadRequest);
            }
            headers.push((name, value.trim_matches([' ', '\t']).to_owned()));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decoded(name)?, decoded(value)?))
        });
        let query = pairs.collect::<Option<_>>().ok_or(Status::BadRequest)?;
        let request = Self { method: method.to_owned(), path: path.to_owned(), query, headers };
        match (request.header("content-length")?, request.header("transfer-encoding")?) {
            (None | Some("0"), None) => Ok(request),
            _ => Err(Status::BodyRefused),
        }
    }

    /// Returns the value of a header, whose name is in lower case.
    ///
    /// # Errors
    /// If it occurs twice: two readers might take two values.
    pub(crate) fn header(&self, name: &str) -> Result<Option<&str>, Status> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let value = values.next();
        if values.next().is_some() { Err(Status::BadRequest) } else { Ok(value) }
    }

    /// Returns the value of a name in the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The position of the empty line that ends the headers.
fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n")
}

/// Decodes `%20`; `None` if what follows a `%` is not a byte, or the whole is not a text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_a_path_a_query_and_headers() {
        let head =
            "POST /reload?store=1&id=0a%20b&flag HTTP/1.1\r\nHost: localhost:1\r\nX-Token:  t \r\nContent-Length: 0";
        let request = Request::parse(head).unwrap();
        assert_eq!((&*request.method, &*request.path), ("POST", "/reload"));
        assert_eq!(
            [request.query("store"), request.query("id"), request.query("flag")],
            [Some("1"), Some("0a b"), Some("")]
        );
        assert_eq!(request.query("none"), None);
        assert_eq!(request.header("host"), Ok(Some("localhost:1")));
        assert_eq!(request.header("x-token"), Ok(Some("t")));
    }

    #[test]
    fn what_two_readers_might_read_differently_is_refused() {
        for head in [
            "",
            "GET /",
            "GET / HTTP/1.0",
            "GET / HTTP/2",
            "GET  / HTTP/1.1",
            "G\u{e9}T / HTTP/1.1",
            "GET http://127.0.0.1/ HTTP/1.1",
            "GET / HTTP/1.1 x",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\n folded: line",
            "GET / HTTP/1.1\r\nHost : localhost",
            "GET / HTTP/1.1\r\n: x",
            "GET / HTTP/1.1\r\na: b\nc: d",
            "GET /?a=%zz HTTP/1.1",
            "GET /?a=%e9 HTTP/1.1",
            "GET /?a=% HTTP/1.1",
            "GET / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0",
        ] {
            assert_eq!(Request::parse(head), Err(Status::BadRequest), "{head:?}");
        }
        for header in ["Content-Length: 1", "Content-Length: -1", "Content-Length: ", "Transfer-Encoding: chunked"] {
            let head = format!("POST / HTTP/1.1\r\n{header}");
            assert_eq!(Request::parse(&head), Err(Status::BodyRefused), "{head:?}");
        }
        let long = format!("GET / HTTP/1.1\r\na: {}", "x".repeat(MAX_HEAD));
        assert_eq!(Request::parse(&long), Err(Status::HeadTooLarge));
    }
}
