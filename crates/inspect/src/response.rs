//! Answers, with the headers that keep other sites out.

use std::io::{self, Write as _};
use std::net::TcpStream;

/// The status of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok,
    NotModified,
    BadRequest,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict,
    BodyRefused,
    HeadTooLarge,
    Busy,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Self::Ok => "200 OK",
            Self::NotModified => "304 Not Modified",
            Self::BadRequest => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::MethodNotAllowed => "405 Method Not Allowed",
            Self::Conflict => "409 Conflict",
            Self::BodyRefused => "413 Content Too Large",
            Self::HeadTooLarge => "431 Request Header Fields Too Large",
            Self::Busy => "503 Service Unavailable",
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: Status,
    content_type: &'static str,
    /// More headers, each with its line end.
    headers: String,
    body: String,
}

impl Response {
    fn new(status: Status, content_type: &'static str, body: String) -> Self {
        Self { status, content_type, headers: String::new(), body }
    }

    pub(crate) fn text(status: Status, text: impl Into<String>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", text.into())
    }

    pub(crate) fn json(status: Status, json: String) -> Self {
        Self::new(status, "application/json", json)
    }

    /// A page with this policy.
    pub(crate) fn html(html: String, policy: &str) -> Self {
        Self::new(Status::Ok, "text/html; charset=utf-8", html).header("Content-Security-Policy", policy)
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    /// Writes the answer, which ends the connection.
    pub(crate) fn write(&self, stream: &mut TcpStream) -> io::Result<()> {
        let Self { status, content_type, headers, body } = self;
        let head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-cache\r\n\
             X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n{headers}\r\n",
            status.line(),
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())
    }
}
