//! Why a call has failed.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use tonic::{Code, Status};

use crate::messages;

/// How many characters of what a server says are shown.
const MOST_TEXT: usize = 400;

/// A call that has failed.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    kind: Kind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The server, or what is between, has said so.
    Status(Code),
    /// It has not answered in time.
    TimedOut,
    /// It has broken off an answer.
    CutOff,
    /// It has answered with something wrong.
    Wrong,
    /// A file of this machine.
    Local(io::ErrorKind),
}

impl Fault {
    pub(crate) fn of_status(call: &str, status: &Status) -> Self {
        let mut text = status.message().to_owned();
        // A broken connection says why in its sources.
        let mut source = status.source();
        while let Some(error) = source {
            let of_source = error.to_string();
            if !text.contains(&of_source) {
                text = format!("{text}: {of_source}");
            }
            source = error.source();
        }
        match status.source() {
            Some(_) => Self::of_text(Kind::Status(status.code()), format!("{call}: the connection fails: {text}")),
            None => Self::of_code(call, status.code(), &text),
        }
    }

    /// A status within an answer. `None` if it is success.
    pub(crate) fn of_message(call: &str, status: Option<&messages::Status>) -> Option<Self> {
        let status = status.filter(|status| status.code != 0)?;
        Some(Self::of_code(call, Code::from_i32(status.code), &status.message))
    }

    fn of_code(call: &str, code: Code, text: &str) -> Self {
        Self::of_text(Kind::Status(code), format!("{call}: the server answers {code:?}: {text}"))
    }

    /// A fault whose text is partly that of a server: it becomes one line that is not too long.
    fn of_text(kind: Kind, text: String) -> Self {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { kind, text: line.chars().filter(|c| !c.is_control()).take(MOST_TEXT).collect() }
    }

    /// Whether a file of this machine is the reason.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.kind, Kind::Local(_))
    }

    pub(crate) fn timed_out(call: &str, limit: Duration) -> Self {
        Self { kind: Kind::TimedOut, text: format!("{call}: the server did not answer within {} s", limit.as_secs()) }
    }

    pub(crate) fn cut_off(call: &str, why: impl std::fmt::Display) -> Self {
        Self { kind: Kind::CutOff, text: format!("{call}: {why}") }
    }

    pub(crate) fn wrong(call: &str, why: impl std::fmt::Display) -> Self {
        Self { kind: Kind::Wrong, text: format!("{call}: {why}") }
    }

    pub(crate) fn of_file(file: &std::path::Path, error: &io::Error) -> Self {
        Self { kind: Kind::Local(error.kind()), text: format!("{}: {error}", file.display()) }
    }

    pub(crate) fn is(&self, code: Code) -> bool {
        self.kind == Kind::Status(code)
    }

    /// Whether the call may succeed if it is made again.
    pub(crate) fn is_passing(&self) -> bool {
        match self.kind {
            // Broken connections are `Unknown` or `Internal`, by what noticed them.
            Kind::Status(code) => matches!(
                code,
                Code::Unavailable
                    | Code::ResourceExhausted
                    | Code::Aborted
                    | Code::Internal
                    | Code::Unknown
                    | Code::Cancelled
            ),
            Kind::CutOff => true,
            Kind::TimedOut | Kind::Wrong | Kind::Local(_) => false,
        }
    }

    /// Whether other calls probably fail, too.
    pub(crate) fn is_of_server(&self) -> bool {
        let is_refused = self.is(Code::PermissionDenied) || self.is(Code::Unauthenticated);
        self.is_passing() || is_refused || self.kind == Kind::TimedOut
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        let kind = match fault.kind {
            Kind::Status(Code::NotFound) => io::ErrorKind::NotFound,
            Kind::Status(Code::PermissionDenied | Code::Unauthenticated) => io::ErrorKind::PermissionDenied,
            Kind::Status(Code::DeadlineExceeded) | Kind::TimedOut => io::ErrorKind::TimedOut,
            Kind::Status(_) => io::ErrorKind::Other,
            Kind::CutOff | Kind::Wrong => io::ErrorKind::InvalidData,
            Kind::Local(kind) => kind,
        };
        io::Error::new(kind, fault.text)
    }
}
