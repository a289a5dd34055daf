//! How a range of a pack is read: what is kept, and what is not from the server. Browsers and programs share it; what they do differently is in
//! [`system`].

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rres_runtime::Reply;

use crate::answer::{Content, Head, Refused};
use crate::kept::{Keep, Step};
use crate::patience::{Patience, SILENCE};
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
        let mut sink = Sink { reply, takes: Takes::Reply, copy: Vec::new() };
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
}

impl Sink {
    /// Takes bytes of a range. Returns whether the rest is needed.
    fn push(&mut self, piece: &[u8]) -> bool {
        // Before the reply, which may load what is complete at once.
        if self.takes != Takes::Reply {
            self.copy.extend_from_slice(piece);
        }
        self.takes == Takes::Copy || self.reply.push(piece)
    }

    /// Whether anybody still waits for the range.
    fn is_needed(&mut self) -> bool {
        self.takes == Takes::Copy || self.reply.push(&[])
    }

    /// Lets the reply take everything from now on, and returns the copy.
    fn take_copy(&mut self) -> Vec<u8> {
        self.takes = Takes::Reply;
        std::mem::take(&mut self.copy)
    }
}

/// How a download ended.
#[derive(Debug)]
enum End {
    /// All of the range has arrived, or as much of it as the pack has.
    Complete,
    /// The server sent the whole pack, or as much of it as is needed.
    Whole,
    /// The rest is not needed.
    Unneeded,
}

/// How one request ended.
enum Ended {
    Download(End),
    /// The server names another version, which is not known to be that of the pack that was opened.
    InDoubt(String),
}

/// Passes a range to the sink: what is kept, and what is not from the server.
async fn answer(connection: &Connection, range: Range<u64>, sink: &mut Sink) -> io::Result<()> {
    if range.start == 0 {
        return front(connection, range, sink).await;
    }
    let again = sink.reply.is_again();
    if again && connection.version.front().is_some() {
        // Perhaps it is not damaged, but of another version, of which a server without names says nothing.
        confirm(connection, None).await.map_err(|refused| refused.why)?;
    }
    let Some(place) = &connection.place else {
        return download(connection, range, sink, Patience::long()).await.map(drop).map_err(|refused| refused.why);
    };
    place.settle().await;
    if again {
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
                let end = download(connection, missing.clone(), sink, Patience::long()).await;
                // Also if it has failed: the next load goes on there.
                let bytes = sink.take_copy();
                let arrived = missing.start + bytes.len() as u64;
                place.keep(missing.start..arrived, &bytes).await;
                match end.map_err(|refused| refused.why)? {
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
    let again = sink.reply.is_again();
    let has_front = match &connection.place {
        Some(place) => place.has_front().await,
        None => false,
    };
    let patience = if has_front && !again { Patience::short() } else { Patience::long() };
    sink.takes = Takes::Copy;
    let downloaded = download(connection, range.clone(), sink, patience).await;
    let mut bytes = sink.take_copy();
    match (downloaded, &connection.place) {
        (Ok(End::Whole), _) => return Ok(()),
        // An empty answer is that of a file which is being written.
        (Ok(_), Some(place)) if !bytes.is_empty() => place.begin(&bytes, again).await,
        (Ok(_), _) => {}
        (Err(refused), Some(place)) if !refused.is_about_the_pack() => {
            bytes = place.kept_front(&range).await.ok_or(refused.why)?;
        }
        (Err(refused), _) => return Err(refused.why),
    }
    connection.version.begin(Front::of(&bytes), again);
    let _ = sink.reply.push(&bytes);
    Ok(())
}

/// Passes a range from the server to the sink. If the connection breaks, this goes on where it did, as long as there is patience.
async fn download(
    connection: &Connection,
    range: Range<u64>,
    sink: &mut Sink,
    mut patience: Patience,
) -> Result<End, Refused> {
    let mut request = Attempt { at: range.start, again: sink.reply.is_again(), sends_whole: false };
    loop {
        if !sink.is_needed() {
            return Ok(End::Unneeded);
        }
        let (before, end) = (request.at, range.end.min(request.at.saturating_add(patience.at_once)));
        let refused = match request.run(connection, end, sink, patience.silence).await {
            Ok(Ended::Download(End::Complete)) if request.at == end && end < range.end => {
                patience.succeed();
                continue;
            }
            Ok(Ended::Download(end)) => return Ok(end),
            Ok(Ended::InDoubt(_)) if connection.version.front().is_none() => {
                // The first part of the front may be of another version.
                connection.version.forget_names();
                sink.copy.clear();
                request.at = range.start;
                several_versions()
            }
            Ok(Ended::InDoubt(etag)) => match confirm(connection, Some(&etag)).await {
                // A cache on the way may have the old name of the pack.
                Ok(()) if !std::mem::replace(&mut request.again, true) => continue,
                Ok(()) if connection.version.knows(Some(&etag)) => continue,
                Ok(()) => several_versions(),
                Err(refused) => return Err(refused),
            },
            Err(refused) => refused,
        };
        let has_brought_bytes = request.at > before && !request.sends_whole;
        match patience.fail(refused, has_brought_bytes, range.end - request.at)? {
            0 => {}
            milliseconds => system::sleep(milliseconds).await,
        }
    }
}

fn several_versions() -> Refused {
    Refused::unanswered(io::Error::other("the server has several versions of the pack at once"), true)
}

/// Asks for a range, or for the rest of it.
#[derive(Debug)]
struct Attempt {
    /// How far the range has arrived.
    at: u64,
    /// Whether caches on the way are passed by.
    again: bool,
    /// Whether the server has begun to send the whole pack.
    sends_whole: bool,
}

impl Attempt {
    async fn run(
        &mut self,
        connection: &Connection,
        end: u64,
        sink: &mut Sink,
        silence: u32,
    ) -> Result<Ended, Refused> {
        let range = self.at..end;
        let (head, mut body) = connection.client.get(&connection.url, &range, self.again, silence).await?;
        let content = content(connection, &head, &range)?;
        if !connection.version.knows(head.etag.as_deref()) {
            return Ok(Ended::InDoubt(head.etag.unwrap_or_default()));
        }
        let is_whole = matches!(content, Content::Whole);
        match content {
            Content::Nothing => {
                if range.start > 0 && connection.version.front().is_some() {
                    // Perhaps it ends there because it is another one.
                    confirm(connection, None).await?;
                }
                return Ok(Ended::Download(End::Complete));
            }
            Content::Range if self.sends_whole => {
                let why = "the server sends the whole pack at times, and ranges at others";
                return Err(Refused::unanswered(io::Error::other(why), true));
            }
            Content::Range => {}
            Content::Whole => {
                self.sends_whole = true;
                // It is not the range that would be kept.
                drop(sink.take_copy());
                sink.reply.sends_whole_pack();
            }
        }
        if let Some(len) = head.pack_len() {
            sink.reply.set_pack_len(len);
        }
        loop {
            let piece = match connection.next(&mut body).await {
                Ok(Some(piece)) => piece,
                Ok(None) if is_whole => return Ok(Ended::Download(End::Whole)),
                Ok(None) if head.pack_len().is_some_and(|len| self.at < range.end.min(len)) => {
                    return Err(Refused::shorter());
                }
                Ok(None) => return Ok(Ended::Download(End::Complete)),
                Err(why) => return Err(Refused::broken(why)),
            };
            if is_whole {
                if !sink.reply.push(piece) {
                    return Ok(Ended::Download(End::Whole));
                }
                continue;
            }
            // An answer may be longer than it should be.
            let left = usize::try_from(range.end - self.at).unwrap_or(usize::MAX);
            let piece = &piece[..piece.len().min(left)];
            self.at += piece.len() as u64;
            let is_needed = sink.push(piece);
            if self.at == range.end {
                return Ok(Ended::Download(End::Complete));
            }
            if !is_needed {
                return Ok(Ended::Download(End::Unneeded));
            }
        }
    }
}

/// Says what the body of an answer is. A pack that was there is missed in other words than one that never was.
fn content(connection: &Connection, head: &Head, range: &Range<u64>) -> Result<Content, Refused> {
    head.content(range).map_err(|refused| {
        let mut why = refused.why.to_string();
        if connection.url != connection.name {
            why += &format!(" to {}", connection.url);
        }
        if refused.why.kind() == io::ErrorKind::NotFound && connection.version.front().is_some() {
            why += &format!(": the pack is not there any more; {START_AGAIN}");
        }
        Refused { why: io::Error::new(refused.why.kind(), why), ..refused }
    })
}

/// What to do if the server has another pack.
const START_AGAIN: &str = "start the program, or load the page, again";

/// Reads the front again: the pack is the same if its front is. If answers are in doubt because they name another version, this goes on
/// until that is known, some times.
async fn confirm(connection: &Connection, etag: Option<&str>) -> Result<(), Refused> {
    /// As many servers may take turns.
    const MOST: u32 = 6;
    let _confirmation = loop {
        match connection.version.begin_to_confirm() {
            Some(confirmation) => break confirmation,
            None => system::sleep(20).await,
        }
    };
    let Some(front) = connection.version.front() else { return Ok(()) };
    let (mut reads, mut others) = (0, 0);
    while reads < MOST && !(etag.is_some() && connection.version.knows(etag)) {
        let (found, name) = read_front(connection, front.len).await?;
        if found == front {
            connection.version.add(name);
            reads = if etag.is_some() { reads + 1 } else { MOST };
            continue;
        }
        others += 1;
        // The first time, it may have been damaged on the way.
        if others > 1 {
            let why = format!("the pack was replaced on the server since it was opened; {START_AGAIN}");
            return Err(Refused::for_good(why));
        }
    }
    Ok(())
}

/// Reads the first bytes of the pack, past caches. Returns the name of their version, too.
async fn read_front(connection: &Connection, len: u64) -> Result<(Front, Option<String>), Refused> {
    let (mut found, mut name, mut patience) = (Vec::new(), None, Patience::long());
    while (found.len() as u64) < len {
        let before = found.len();
        match more_of_front(connection, len, &mut found, &mut name).await {
            // It is shorter than it was.
            Ok(()) if found.len() == before => break,
            Ok(()) => {}
            Err(refused) => match patience.fail(refused, found.len() > before, len - found.len() as u64)? {
                0 => {}
                milliseconds => system::sleep(milliseconds).await,
            },
        }
    }
    Ok((Front::of(&found), name))
}

async fn more_of_front(
    connection: &Connection,
    len: u64,
    found: &mut Vec<u8>,
    name: &mut Option<String>,
) -> Result<(), Refused> {
    let range = found.len() as u64..len;
    let (head, mut body) = connection.client.get(&connection.url, &range, true, SILENCE).await?;
    // A pack without ranges comes from its beginning.
    let mut skipped = match content(connection, &head, &range)? {
        Content::Range => 0,
        Content::Whole => found.len(),
        Content::Nothing => return Ok(()),
    };
    if !found.is_empty() && head.etag != *name {
        found.clear();
        return Err(several_versions());
    }
    name.clone_from(&head.etag);
    while (found.len() as u64) < len {
        let Some(piece) = connection.next(&mut body).await.map_err(Refused::broken)? else { break };
        let skips = piece.len().min(skipped);
        skipped -= skips;
        let left = usize::try_from(len - found.len() as u64).unwrap_or(usize::MAX);
        found.extend_from_slice(&piece[skips..][..(piece.len() - skips).min(left)]);
    }
    Ok(())
}
