//! Programs: one thread for each range that is being read.

mod disk;

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rres_runtime::Reply;

use crate::answer::{
    Body, End, Head, Patience, Refused, SILENCE, TRIES, TRIES_WITH_FRONT, Version, body, broken, is_about_the_pack,
    is_cut_short, pack_len, range_header,
};
use crate::kept::{Keep, Step};
use disk::Disk;

#[derive(Debug)]
pub(crate) struct Connection {
    url: String,
    agent: ureq::Agent,
    received: AtomicU64,
    version: Version,
    disk: Option<Disk>,
}

impl Connection {
    pub(crate) fn new(url: String, keep: Option<Keep>) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_recv_response(Some(Duration::from_secs(20)))
            .timeout_per_read(Some(Duration::from_millis(SILENCE.into())))
            .build();
        let disk = keep.map(|keep| Disk::new(&keep, &url));
        Self { url, agent: agent.into(), received: AtomicU64::new(0), version: Version::default(), disk }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }
}

pub(crate) fn read(connection: &Arc<Connection>, range: Range<u64>, reply: Reply) {
    let connection = Arc::clone(connection);
    let thread = thread::Builder::new().name("rres download".to_owned());
    // If no thread can be started, the reply is dropped, which is a failure.
    let _ = thread.spawn(move || {
        let mut reply = reply;
        match answer(&connection, range, &mut reply) {
            Ok(()) => reply.finish(),
            Err(error) => reply.fail(error),
        }
    });
}

/// Passes a range to `reply`: what is kept, and what is not from the server.
fn answer(connection: &Connection, range: Range<u64>, reply: &mut Reply) -> io::Result<()> {
    let Some(disk) = &connection.disk else {
        return match download(connection, range, reply, TRIES, Takes::Reply)? {
            End::Whole(outcome) => outcome,
            End::Complete | End::Unneeded => Ok(()),
        };
    };
    if range.start == 0 {
        return front(connection, disk, range, reply);
    }
    if reply.is_again() {
        disk.forget(&range);
    }
    let mut at = range.start;
    while at < range.end {
        match disk.next(&(at..range.end)) {
            Step::Kept(kept) => match disk.read(&kept) {
                Some(bytes) => {
                    let end = kept.end.min(range.end);
                    if !reply.push(&bytes[(at - kept.start) as usize..(end - kept.start) as usize]) {
                        return Ok(());
                    }
                    at = end;
                }
                None => disk.forget(&kept),
            },
            Step::Missing(missing) => {
                let mut bytes = Vec::new();
                let mut copy = |piece: &[u8]| bytes.extend_from_slice(piece);
                let end = download(connection, missing.clone(), reply, TRIES, Takes::ReplyAnd(&mut copy));
                // Also if it has failed: the next load goes on there.
                if !bytes.is_empty() {
                    disk.keep(missing.start..missing.start + bytes.len() as u64, &bytes);
                }
                match end? {
                    End::Whole(outcome) => return outcome,
                    End::Complete if bytes.len() as u64 == missing.end - missing.start => at = missing.end,
                    _ => return Ok(()),
                }
            }
        }
    }
    Ok(())
}

/// Reads the front of the pack from the server, which decides whether what is kept is still right. Without a connection, the front that
/// was kept is used.
///
/// The reply gets it when that is decided: the next range may be asked for as soon as it has the front.
fn front(connection: &Connection, disk: &Disk, range: Range<u64>, reply: &mut Reply) -> io::Result<()> {
    let mut bytes = Vec::new();
    let tries = if disk.has_front() { TRIES_WITH_FRONT } else { TRIES };
    let mut hold = |piece: &[u8]| bytes.extend_from_slice(piece);
    let downloaded = download(connection, range.clone(), reply, tries, Takes::Held(&mut hold));
    bytes.truncate(usize::try_from(range.end - range.start).unwrap_or(usize::MAX));
    match downloaded {
        Ok(End::Whole(outcome)) => return outcome,
        // An empty answer is that of a file which is being written.
        Ok(_) if !bytes.is_empty() => disk.begin(range, &bytes),
        Ok(_) => {}
        Err(error) if is_about_the_pack(&error) => return Err(error),
        Err(error) => bytes = disk.kept_front(&range).ok_or(error)?,
    }
    let _ = reply.push(&bytes);
    Ok(())
}

/// Who takes the bytes of a range. A whole pack goes to the reply alone, since it is not the range that would be kept.
enum Takes<'a> {
    Reply,
    ReplyAnd(&'a mut dyn FnMut(&[u8])),
    /// The caller passes them on.
    Held(&'a mut dyn FnMut(&[u8])),
}

/// Reads a range from the server. If the connection breaks, this goes on where it did, until `most` requests
/// have brought nothing.
fn download(
    connection: &Connection,
    range: Range<u64>,
    reply: &mut Reply,
    most: u32,
    mut takes: Takes<'_>,
) -> io::Result<End> {
    let (mut at, mut patience) = (range.start, Patience::new(most));
    loop {
        let (before, end) = (at, range.end.min(at.saturating_add(patience.at_once)));
        match attempt(connection, at..end, reply, &mut takes, &mut at) {
            Ok(End::Complete) if at == end && end < range.end => patience.succeed(),
            Ok(end) => return Ok(end),
            Err(refused) => match patience.fail(refused, at > before, range.end - at)? {
                0 => {}
                milliseconds => thread::sleep(Duration::from_millis(milliseconds.into())),
            },
        }
    }
}

fn attempt(
    connection: &Connection,
    range: Range<u64>,
    reply: &mut Reply,
    takes: &mut Takes<'_>,
    at: &mut u64,
) -> Result<End, Refused> {
    let passing = |error: ureq::Error| {
        // An address that is wrong stays wrong.
        let may_pass =
            !matches!(error, ureq::Error::BadUri(_) | ureq::Error::RequireHttpsOnly(_) | ureq::Error::TlsRequired);
        Refused::unanswered(error.into_io(), may_pass)
    };
    let request = connection
        .agent
        .get(&connection.url)
        .header("Range", range_header(&range))
        .header("Accept-Encoding", "identity");
    let request = if reply.is_again() { request.header("Cache-Control", "no-cache") } else { request };
    let response = request.call().map_err(passing)?;
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let head = Head {
        status: response.status().as_u16(),
        content_range: header("content-range"),
        content_encoding: header("content-encoding"),
    };
    let is_whole = match body(&head, &range)? {
        Body::Range => false,
        Body::Whole => true,
        Body::Nothing => return Ok(End::Complete),
    };
    connection.version.check(header("etag"))?;
    if is_whole {
        reply.sends_whole_pack();
    }
    let expected = header("content-length").and_then(|len| len.parse::<u64>().ok());
    let content_range = header("content-range").map(str::to_owned);
    if let Some(len) = pack_len(content_range.as_deref(), expected.filter(|_| is_whole)) {
        reply.set_pack_len(len);
    }
    let (mut reader, mut buffer, mut read) = (response.into_body().into_reader(), vec![0; 64 << 10], 0);
    loop {
        let len = match reader.read(&mut buffer) {
            Ok(0) if expected.is_none_or(|expected| read >= expected) => {
                return match is_whole {
                    true => Ok(End::Whole(Ok(()))),
                    false if is_cut_short(content_range.as_deref(), range.start + read, range.end) => {
                        Err(Refused::shorter())
                    }
                    false => Ok(End::Complete),
                };
            }
            Ok(0) if is_whole => return Ok(End::Whole(Err(broken("the connection ended early")))),
            Ok(0) => return Err(Refused::broken("the connection ended early")),
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if is_whole => return Ok(End::Whole(Err(broken(error.to_string())))),
            Err(error) => return Err(Refused::broken(error.to_string())),
        };
        read += len as u64;
        connection.received.fetch_add(len as u64, Ordering::Relaxed);
        let piece = &buffer[..len];
        if !is_whole {
            *at += len as u64;
            // Before the reply, which may load what is complete at once.
            match takes {
                Takes::Reply => {}
                Takes::ReplyAnd(copy) => copy(piece),
                Takes::Held(hold) => {
                    hold(piece);
                    // An answer may be longer than it should be.
                    if read >= range.end - range.start {
                        return Ok(End::Complete);
                    }
                    continue;
                }
            }
        }
        if !reply.push(piece) {
            return Ok(match is_whole {
                true => End::Whole(Ok(())),
                false if read >= range.end - range.start => End::Complete,
                false => End::Unneeded,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_silence_ends_a_body() {
        let connection = Connection::new("http://127.0.0.1:1/game.rres".to_owned(), None);
        let config = connection.agent.config();
        let timeouts = config.timeouts();
        assert_eq!((timeouts.global, timeouts.per_call, timeouts.recv_body), (None, None, None));
        assert_eq!(config.timeout_per_read(), Some(Duration::from_secs(60)));
    }
}
