//! Programs: one thread for each range that is being read.

mod disk;

use std::future::Future;
use std::io::{self, Read};
use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use crate::answer::{Head, Refused, range_header};

pub(crate) use disk::Storage;

/// The address of a pack that a game calls so.
pub(crate) fn address(name: &str) -> String {
    name.to_owned()
}

/// Runs a task on a thread of its own.
pub(crate) fn start<F: Future<Output = ()>>(task: impl FnOnce() -> F + Send + 'static) {
    let thread = thread::Builder::new().name("rres download".to_owned());
    // If no thread can be started, the reply is dropped, which is a failure.
    let _ = thread.spawn(|| {
        let mut task = pin!(task());
        // What it waits for blocks the thread, so it is ready when it is polled.
        while task.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Pending {}
    });
}

pub(crate) async fn sleep(milliseconds: u32) {
    thread::sleep(Duration::from_millis(milliseconds.into()));
}

#[derive(Debug)]
pub(crate) struct Client(ureq::Agent);

impl Client {
    pub(crate) fn new() -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        Self(config.build().into())
    }

    /// Sends a request for a range, and waits for the head of the answer. `again` asks past caches. `silence` is how long the server may send
    /// nothing, in milliseconds.
    pub(crate) async fn get(
        &self,
        url: &str,
        range: &Range<u64>,
        again: bool,
        silence: u32,
    ) -> Result<(Head, Body), Refused> {
        let silence = Duration::from_millis(silence.into());
        let config = self.0.get(url).config().timeout_per_read(Some(silence));
        let config = config.timeout_connect(Some(silence.min(Duration::from_secs(10))));
        let request = config.timeout_recv_response(Some(silence.min(Duration::from_secs(20)))).build();
        let request = request.header("Range", range_header(range)).header("Accept-Encoding", "identity");
        let request = if again { request.header("Cache-Control", "no-cache") } else { request };
        let response = request.call().map_err(|error| {
            use ureq::Error::{BadUri, RequireHttpsOnly, TlsRequired};
            // An address that is wrong stays wrong.
            let may_pass = !matches!(error, BadUri(_) | RequireHttpsOnly(_) | TlsRequired);
            let why = match error {
                TlsRequired => io::Error::other("https needs the feature `tls` of rres-http"),
                error => error.into_io(),
            };
            Refused::unanswered(why, may_pass)
        })?;
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let head = Head {
            status: response.status().as_u16(),
            content_range: header("content-range"),
            content_encoding: header("content-encoding"),
            content_length: header("content-length").and_then(|len| len.parse().ok()),
            etag: header("etag"),
        };
        let left = head.content_length;
        Ok((head, Body { reader: response.into_body().into_reader(), buffer: vec![0; 64 << 10], left }))
    }
}

/// The body of an answer.
pub(crate) struct Body {
    reader: ureq::BodyReader<'static>,
    buffer: Vec<u8>,
    /// How many bytes are still to come, if the head has said it.
    left: Option<u64>,
}

impl Body {
    /// Waits for the next bytes; `None` at the end.
    ///
    /// # Errors
    /// If the connection ended before.
    pub(crate) async fn next(&mut self) -> Result<Option<&[u8]>, String> {
        let len = loop {
            match self.reader.read(&mut self.buffer) {
                Ok(len) => break len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        };
        if len == 0 {
            return if self.left.unwrap_or(0) == 0 { Ok(None) } else { Err("the connection ended early".to_owned()) };
        }
        self.left = self.left.map(|left| left.saturating_sub(len as u64));
        Ok(Some(&self.buffer[..len]))
    }
}
