//! Browsers: `fetch`, whose answers arrive on the event loop of the page or worker.

mod cache;

use std::cell::{Cell, RefCell};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use rres_runtime::Reply;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, Request, RequestCache, RequestInit, Response};

use crate::answer::{
    Body, End, Head, Patience, Refused, SILENCE, TRIES, TRIES_WITH_FRONT, Version, body, broken, is_about_the_pack,
    is_cut_short, pack_len, range_header,
};
use crate::kept::{Keep, Step};
use cache::Place;

#[derive(Debug)]
pub(crate) struct Connection {
    url: String,
    received: AtomicU64,
    version: Version,
    place: Option<Place>,
}

impl Connection {
    pub(crate) fn new(url: String, keep: Option<Keep>) -> Self {
        let place = keep.map(|keep| Place::new(keep, &url));
        Self { url, received: AtomicU64::new(0), version: Version::default(), place }
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
    spawn_local(async move {
        let sink = Sink { reply: RefCell::new(reply), copy: RefCell::new(None), holds: Cell::new(false) };
        let answered = answer(&connection, range, &sink).await;
        let reply = sink.reply.into_inner();
        match answered {
            Ok(()) => reply.finish(),
            Err(error) => reply.fail(error),
        }
    });
}

/// Takes the bytes of a range.
struct Sink {
    reply: RefCell<Reply>,
    /// A copy of the bytes from the server, if they are to be kept.
    copy: RefCell<Option<Vec<u8>>>,
    /// Whether the reply does not get them yet.
    holds: Cell<bool>,
}

impl Sink {
    fn is_again(&self) -> bool {
        self.reply.borrow().is_again()
    }

    fn push(&self, bytes: &[u8]) -> bool {
        self.reply.borrow_mut().push(bytes)
    }

    fn begin_copy(&self) {
        *self.copy.borrow_mut() = Some(Vec::new());
    }

    fn end_copy(&self) -> Vec<u8> {
        self.copy.borrow_mut().take().unwrap_or_default()
    }
}

/// Passes a range to the sink: what is kept, and what is not from the server.
async fn answer(connection: &Connection, range: Range<u64>, sink: &Sink) -> io::Result<()> {
    let Some(place) = &connection.place else {
        return match download(connection, range, sink, TRIES).await? {
            End::Whole(outcome) => outcome,
            End::Complete | End::Unneeded => Ok(()),
        };
    };
    if range.start == 0 {
        return front(connection, place, range, sink).await;
    }
    if sink.is_again() {
        place.forget(&range).await;
    }
    let mut at = range.start;
    while at < range.end {
        match place.next(&(at..range.end)) {
            Step::Kept(kept) => match place.read(&kept).await {
                Some(bytes) => {
                    let end = kept.end.min(range.end);
                    if !sink.push(&bytes[(at - kept.start) as usize..(end - kept.start) as usize]) {
                        return Ok(());
                    }
                    at = end;
                }
                None => place.forget(&kept).await,
            },
            Step::Missing(missing) => {
                sink.begin_copy();
                let end = download(connection, missing.clone(), sink, TRIES).await;
                // Also if it has failed: the next load goes on there.
                let bytes = sink.end_copy();
                if !bytes.is_empty() {
                    place.keep(missing.start..missing.start + bytes.len() as u64, &bytes).await;
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
async fn front(connection: &Connection, place: &Place, range: Range<u64>, sink: &Sink) -> io::Result<()> {
    let tries = if place.has_front().await { TRIES_WITH_FRONT } else { TRIES };
    sink.begin_copy();
    sink.holds.set(true);
    let downloaded = download(connection, range.clone(), sink, tries).await;
    sink.holds.set(false);
    let mut bytes = sink.end_copy();
    bytes.truncate(usize::try_from(range.end - range.start).unwrap_or(usize::MAX));
    match downloaded {
        Ok(End::Whole(outcome)) => return outcome,
        // An empty answer is that of a file which is being written.
        Ok(_) if !bytes.is_empty() => place.begin(range, &bytes).await,
        Ok(_) => {}
        Err(error) if is_about_the_pack(&error) => return Err(error),
        Err(error) => bytes = place.kept_front(&range).await.ok_or(error)?,
    }
    let _ = sink.push(&bytes);
    Ok(())
}

/// Passes a range from the server to the sink. If the connection breaks, this goes on where it did, until `most` requests have brought
/// nothing.
async fn download(connection: &Connection, range: Range<u64>, sink: &Sink, most: u32) -> io::Result<End> {
    let (mut at, mut patience) = (range.start, Patience::new(most));
    loop {
        let (before, end) = (at, range.end.min(at.saturating_add(patience.at_once)));
        match attempt(connection, at..end, sink, &mut at).await {
            Ok(End::Complete) if at == end && end < range.end => patience.succeed(),
            Ok(end) => return Ok(end),
            Err(refused) => match patience.fail(refused, at > before, range.end - at)? {
                0 => {}
                milliseconds => sleep(milliseconds).await,
            },
        }
    }
}

async fn attempt(connection: &Connection, range: Range<u64>, sink: &Sink, at: &mut u64) -> Result<End, Refused> {
    let controller = AbortController::new().map_err(|error| passing(&error))?;
    let response = ask(connection, &range, sink.is_again(), &controller).await.map_err(|error| passing(&error))?;
    let header = |name: &str| response.headers().get(name).ok().flatten();
    let (content_range, content_encoding) = (header("content-range"), header("content-encoding"));
    let head = Head {
        status: response.status(),
        content_range: content_range.as_deref(),
        content_encoding: content_encoding.as_deref(),
    };
    let is_whole = match body(&head, &range)? {
        Body::Range => false,
        Body::Whole => true,
        Body::Nothing => return Ok(End::Complete),
    };
    connection.version.check(header("etag").as_deref())?;
    if is_whole {
        // It is not the range that would be kept.
        drop(sink.end_copy());
        sink.reply.borrow_mut().sends_whole_pack();
    }
    if let Some(len) = pack_len(content_range.as_deref(), None) {
        sink.reply.borrow_mut().set_pack_len(len);
    }
    let Some(stream) = response.body() else { return Ok(End::Complete) };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut read = 0;
    loop {
        // A connection that breaks is an error here.
        let piece = unless_silent(reader.read(), &controller).await;
        let piece = match piece {
            Ok(piece) => piece,
            Err(error) if is_whole => return Ok(End::Whole(Err(broken(text(&error))))),
            Err(error) => return Err(Refused::broken(text(&error))),
        };
        let value = Reflect::get(&piece, &"value".into()).unwrap_or(JsValue::UNDEFINED);
        if value.is_undefined() {
            return match is_whole {
                true => Ok(End::Whole(Ok(()))),
                false if is_cut_short(content_range.as_deref(), range.start + read, range.end) => {
                    Err(Refused::shorter())
                }
                false => Ok(End::Complete),
            };
        }
        let bytes = value.unchecked_into::<Uint8Array>().to_vec();
        read += bytes.len() as u64;
        *at += bytes.len() as u64;
        connection.received.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if let Some(copy) = &mut *sink.copy.borrow_mut() {
            copy.extend_from_slice(&bytes);
        }
        if sink.holds.get() && !is_whole {
            // An answer may be longer than it should be.
            if read >= range.end - range.start {
                controller.abort();
                return Ok(End::Complete);
            }
            continue;
        }
        if !sink.push(&bytes) {
            if !is_whole && read >= range.end - range.start {
                return Ok(End::Complete);
            }
            controller.abort();
            return Ok(if is_whole { End::Whole(Ok(())) } else { End::Unneeded });
        }
    }
}

/// Sends a request, and waits for the head of the answer.
async fn ask(
    connection: &Connection,
    range: &Range<u64>,
    again: bool,
    controller: &AbortController,
) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    headers.set("Range", &range_header(range))?;
    let init = RequestInit::new();
    init.set_headers(&headers);
    init.set_signal(Some(&controller.signal()));
    // The browser's own cache keeps no ranges, or keeps them twice.
    init.set_cache(if again { RequestCache::Reload } else { RequestCache::NoStore });
    let request = Request::new_with_str_and_init(&connection.url, &init)?;
    let promise: Promise = global("fetch")?.call1(&JsValue::UNDEFINED, &request)?.dyn_into()?;
    unless_silent(promise, controller).await?.dyn_into()
}

/// Waits for the head of an answer, or for a piece of it. Neither is undefined. If nothing comes for too long, the request is ended: browsers wait
/// without end for a server that keeps its connection and sends nothing.
async fn unless_silent(promise: Promise, controller: &AbortController) -> Result<JsValue, JsValue> {
    /// A page that was busy all the time finds the end of the first time before what has arrived meanwhile.
    const GRACE: u32 = 1000;
    for milliseconds in [SILENCE, GRACE] {
        let mut timer = None;
        let silence = Promise::new(&mut |resolve, _| timer = start_timer(&resolve, milliseconds));
        let first = JsFuture::from(Promise::race(&Array::of2(&promise, &silence))).await;
        if let Some(timer) = timer {
            let _ = global("clearTimeout").and_then(|clear| clear.call1(&JsValue::UNDEFINED, &timer));
        }
        let first = first?;
        if !first.is_undefined() {
            return Ok(first);
        }
    }
    controller.abort();
    Err(js_sys::Error::new(&format!("the server sent nothing for {} s", SILENCE / 1000)).into())
}

/// Waits for some milliseconds, as pages and workers do.
async fn sleep(milliseconds: u32) {
    let promise = Promise::new(&mut |resolve, _| {
        if start_timer(&resolve, milliseconds).is_none() {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    });
    // It is never rejected.
    let _ = JsFuture::from(promise).await;
}

/// Has a function called after some milliseconds, with nothing, and returns what ends that; `None` if the page has no timers.
fn start_timer(call: &Function, milliseconds: u32) -> Option<JsValue> {
    global("setTimeout").and_then(|start| start.call2(&JsValue::UNDEFINED, call, &milliseconds.into())).ok()
}

/// A function that pages and workers have.
fn global(name: &str) -> Result<Function, JsValue> {
    Reflect::get(&js_sys::global(), &name.into())?.dyn_into()
}

fn text(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| format!("{error:?}"))
}

/// An answer that did not begin. Browsers do not say whether the server is down, or does not allow this page to ask it.
fn passing(error: &JsValue) -> Refused {
    Refused::unanswered(io::Error::new(io::ErrorKind::ConnectionRefused, text(error)), true)
}
