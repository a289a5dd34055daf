//! How a range of a pack is read: what is kept, and what is not from the server. Browsers and programs share it; what they do differently is in
//! [`system`].

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rres_runtime::Reply;

use crate::answer::{Content, Head, Refused, broken};
use crate::kept::{Keep, Step};
use crate::patience::{Patience, TRIES, TRIES_WITH_FRONT};
use crate::place::Place;
use crate::system;
use crate::version::{Front, Version};

/// A pack on a server, and what is known of it.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The address as the game has it, which messages show and under which ranges are kept.
    pub(crate) name: String,
    url: String,
    client: system::Client,
    received: AtomicU64,
    version: Version,
    place: Option<Place>,
}

impl Connection {
    pub(crate) fn new(name: String, keep: Option<&Keep>) -> Self {
        Self {
            url: system::address(&name),
            client: system::Client::new(),
            received: AtomicU64::new(0),
            version: Version::default(),
            place: keep.map(|keep| Place::new(keep, &name)),
            name,
        }
    }

    /// How many bytes came from the server.
    pub(crate) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Waits for the next bytes of a body; `None` at its end.
    async fn next<'b>(&self, body: &'b mut system::Body) -> Result<Option<&'b [u8]>, String> {
        let piece = body.next().await?;
        self.received.fetch_add(piece.map_or(0, <[u8]>::len) as u64, Ordering::Relaxed);
        Ok(piece)
    }
}

/// Starts to read a range.
pub(crate) fn read(connection: &Arc<Connection>, range: Range<u64>, reply: Reply) {
    let connection = Arc::clone(connection);
    system::start(|| async move {
        let mut sink = Sink { reply, takes: Takes::Reply, copy: Vec::new(), front: Front::default() };
        let answered = answer(&connection, range, &mut sink).await;
        match answered {
            Ok(()) => sink.reply.finish(),
            Err(error) => sink.reply.fail(error),
        }
    });
}

/// Who takes the bytes of a range. A whole pack goes to the reply alone, since it is not the range that would be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Reply,
    Copy,
    Both,
}

/// Takes bytes from the server.
struct Sink {
    reply: Reply,
    takes: Takes,
    copy: Vec<u8>,
    /// What has gone through.
    front: Front,
}

impl Sink {
    /// Takes bytes of a range. Returns whether the rest is needed.
    fn push(&mut self, piece: &[u8]) -> bool {
        self.front.add(piece);
        // Before the reply, which may load what is complete at once.
        if self.takes != Takes::Reply {
            self.copy.extend_from_slice(piece);
        }
        self.takes == Takes::Copy || self.reply.push(piece)
    }

    /// Lets the reply take everything from now on, and returns the copy.
    fn take_copy(&mut self) -> Vec<u8> {
        self.takes = Takes::Reply;
        std::mem::take(&mut self.copy)
    }
}

/// How a download ended.
enum End {
    /// All of the range has arrived, or as much of it as the pack has.
    Complete,
    /// The server sent the whole pack, or as much of it as is needed. If that breaks off, a server without ranges cannot go on where it stopped.
    Whole(io::Result<()>),
    /// The rest is not needed.
    Unneeded,
}

/// Passes a range to the sink.
async fn answer(connection: &Connection, range: Range<u64>, sink: &mut Sink) -> io::Result<()> {
    if range.start == 0 {
        return front(connection, range, sink).await;
    }
    let Some(place) = &connection.place else {
        return match download(connection, range, sink, TRIES).await.map_err(|refused| refused.why)? {
            End::Whole(outcome) => outcome,
            End::Complete | End::Unneeded => Ok(()),
        };
    };
    if sink.reply.is_again() {
        place.forget(&range).await;
    }
    let mut at = range.start;
    while at < range.end {
        match place.next(&(at..range.end)) {
            Step::Kept(kept) => match place.read(&kept).await {
                Some(bytes) => {
                    let end = kept.end.min(range.end);
                    if !sink.reply.push(&bytes[(at - kept.start) as usize..(end - kept.start) as usize]) {
                        return Ok(());
                    }
                    at = end;
                }
                None => place.forget(&kept).await,
            },
            Step::Missing(missing) => {
                sink.takes = Takes::Both;
                let end = download(connection, missing.clone(), sink, TRIES).await;
                // Also if it has failed: the next load goes on there.
                let bytes = sink.take_copy();
                let arrived = missing.start + bytes.len() as u64;
                place.keep(missing.start..arrived, &bytes).await;
                match end.map_err(|refused| refused.why)? {
                    End::Whole(outcome) => return outcome,
                    End::Complete if arrived == missing.end => at = arrived,
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
async fn front(connection: &Connection, range: Range<u64>, sink: &mut Sink) -> io::Result<()> {
    let has_front = match &connection.place {
        Some(place) => place.has_front().await,
        None => false,
    };
    // Without a place, nothing has to be decided.
    sink.takes = if connection.place.is_some() { Takes::Copy } else { Takes::Reply };
    let tries = if has_front { TRIES_WITH_FRONT } else { TRIES };
    let downloaded = download(connection, range.clone(), sink, tries).await;
    let mut bytes = sink.take_copy();
    match (downloaded, &connection.place) {
        (Ok(End::Whole(outcome)), _) => return outcome,
        (Ok(_), None) => {
            connection.version.begin(sink.front);
            return Ok(());
        }
        // An empty answer is that of a file which is being written.
        (Ok(_), Some(place)) if !bytes.is_empty() => place.begin(&bytes).await,
        (Ok(_), Some(_)) => {}
        (Err(refused), Some(place)) if !refused.is_about_the_pack() => {
            bytes = place.kept_front(&range).await.ok_or(refused.why)?;
        }
        (Err(refused), _) => return Err(refused.why),
    }
    connection.version.begin(Front::of(&bytes));
    let _ = sink.reply.push(&bytes);
    Ok(())
}

/// Passes a range from the server to the sink. If the connection breaks, this goes on where it did, until `most` requests have brought
/// nothing.
async fn download(connection: &Connection, range: Range<u64>, sink: &mut Sink, most: u32) -> Result<End, Refused> {
    let (mut at, mut patience) = (range.start, Patience::new(most));
    loop {
        let (before, end) = (at, range.end.min(at.saturating_add(patience.at_once)));
        match attempt(connection, at..end, sink, &mut at).await {
            Ok(End::Complete) if at == end && end < range.end => patience.succeed(),
            Ok(end) => return Ok(end),
            Err(refused) => match patience.fail(refused, at > before, range.end - at)? {
                0 => {}
                milliseconds => system::sleep(milliseconds).await,
            },
        }
    }
}

/// Asks for a range once. `at` is how far it has arrived.
async fn attempt(connection: &Connection, range: Range<u64>, sink: &mut Sink, at: &mut u64) -> Result<End, Refused> {
    let (head, mut body) = connection.client.get(&connection.url, &range, sink.reply.is_again()).await?;
    let is_whole = match content(connection, &head, &range)? {
        Content::Range => false,
        Content::Whole => true,
        Content::Nothing => return Ok(End::Complete),
    };
    if !connection.version.knows(head.etag.as_deref()) {
        confirm(connection, head.etag.clone().unwrap_or_default()).await?;
    }
    if is_whole {
        // It is not the range that would be kept.
        drop(sink.take_copy());
        sink.reply.sends_whole_pack();
    }
    if let Some(len) = head.pack_len() {
        sink.reply.set_pack_len(len);
    }
    loop {
        let piece = match connection.next(&mut body).await {
            Ok(Some(piece)) => piece,
            Ok(None) if is_whole => return Ok(End::Whole(Ok(()))),
            Ok(None) if head.pack_len().is_some_and(|len| *at < range.end.min(len)) => return Err(Refused::shorter()),
            Ok(None) => return Ok(End::Complete),
            Err(why) if is_whole => return Ok(End::Whole(Err(broken(why)))),
            Err(why) => return Err(Refused::broken(why)),
        };
        if is_whole {
            if !sink.reply.push(piece) {
                return Ok(End::Whole(Ok(())));
            }
            continue;
        }
        // An answer may be longer than it should be.
        let left = usize::try_from(range.end - *at).unwrap_or(usize::MAX);
        let piece = &piece[..piece.len().min(left)];
        *at += piece.len() as u64;
        let is_needed = sink.push(piece);
        if *at == range.end {
            return Ok(End::Complete);
        }
        if !is_needed {
            return Ok(End::Unneeded);
        }
    }
}

/// Says what the body of an answer is. A pack that was there is missed in other words than one that never was.
fn content(connection: &Connection, head: &Head, range: &Range<u64>) -> Result<Content, Refused> {
    head.content(range).map_err(|refused| match refused.why.kind() {
        io::ErrorKind::NotFound if connection.version.front().is_some() => {
            let why = format!("{}: the pack is not there any more; {START_AGAIN}", refused.why);
            Refused::unanswered(io::Error::new(io::ErrorKind::NotFound, why), false)
        }
        _ => refused,
    })
}

/// What to do if the server has another pack.
const START_AGAIN: &str = "start the program, or load the page, again";

/// Reads the front again if an answer names another version: the pack is the same if its front is.
async fn confirm(connection: &Connection, etag: String) -> Result<(), Refused> {
    let replaced =
        || Refused::for_good(format!("the pack was replaced on the server since it was opened; {START_AGAIN}"));
    let front = connection.version.front().ok_or_else(replaced)?;
    let (head, mut body) = connection.client.get(&connection.url, &(0..front.len), true).await?;
    if matches!(head.content(&(0..front.len))?, Content::Nothing) {
        return Err(replaced());
    }
    if head.etag.as_deref() != Some(&etag) {
        let why = "the server has several versions of the pack at once";
        return Err(Refused::unanswered(io::Error::other(why), true));
    }
    let mut found = Front::default();
    while found.len < front.len {
        let Some(piece) = connection.next(&mut body).await.map_err(Refused::broken)? else { break };
        found.add(&piece[..piece.len().min((front.len - found.len) as usize)]);
    }
    if found != front {
        return Err(replaced());
    }
    connection.version.add(etag);
    Ok(())
}
