//! Browsers: `fetch`, whose answers arrive on the event loop of the page or worker.

mod cache;

use std::future::Future;
use std::io;
use std::ops::Range;

use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, Request, RequestCache, RequestInit, Response};

use crate::answer::{Head, Refused, range_header};

pub(crate) use cache::Storage;

/// The address of a pack that a game calls so. The script of a page may know another one, with a hash of the pack in its name.
pub(crate) fn address(name: &str) -> String {
    let packs = Reflect::get(&js_sys::global(), &"rresPacks".into()).ok().and_then(|packs| packs.dyn_into().ok());
    let entries = packs.map(|packs: Object| Object::entries(&packs)).unwrap_or_default();
    let entries = entries.iter().map(|entry| Array::from(&entry));
    // `lantern.rres`, `./lantern.rres` and `lantern.rres?v=3` are one file.
    let mut of_name = entries.filter(|entry| entry.get(0).as_string().is_some_and(|pack| file(&pack) == file(name)));
    of_name.next().and_then(|entry| entry.get(1).as_string()).unwrap_or_else(|| name.to_owned())
}

/// The whole address of a file, without a query; `None` if it is none.
fn file(address: &str) -> Option<String> {
    let url = Request::new_with_str(address).ok()?.url();
    url.split(['?', '#']).next().map(str::to_owned)
}

/// Runs a task beside others.
pub(crate) fn start<F: Future<Output = ()> + 'static>(task: impl FnOnce() -> F) {
    spawn_local(task());
}

#[derive(Debug)]
pub(crate) struct Client;

impl Client {
    pub(crate) fn new() -> Self {
        Self
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
        let controller = AbortController::new().map_err(|error| unanswered(&error, url))?;
        let mut body = Body { controller, reader: None, piece: Vec::new(), silence };
        let response = ask(url, range, again, &body).await.map_err(|error| unanswered(&error, url))?;
        let header = |name: &str| response.headers().get(name).ok().flatten();
        let head = Head {
            status: response.status(),
            content_range: header("content-range"),
            content_encoding: header("content-encoding"),
            content_length: None,
            etag: header("etag"),
        };
        body.reader = response.body().map(|stream| stream.get_reader().unchecked_into());
        Ok((head, body))
    }
}

/// The body of an answer. Dropping it ends the request.
#[derive(Debug)]
pub(crate) struct Body {
    controller: AbortController,
    reader: Option<ReadableStreamDefaultReader>,
    piece: Vec<u8>,
    silence: u32,
}

impl Body {
    /// Waits for the next bytes; `None` at the end.
    ///
    /// # Errors
    /// If the connection ended before.
    pub(crate) async fn next(&mut self) -> Result<Option<&[u8]>, String> {
        let Some(reader) = &self.reader else { return Ok(None) };
        let piece = self.unless_silent(reader.read()).await.map_err(|error| text(&error))?;
        let value = Reflect::get(&piece, &"value".into()).unwrap_or(JsValue::UNDEFINED);
        if value.is_undefined() {
            return Ok(None);
        }
        self.piece = value.unchecked_into::<Uint8Array>().to_vec();
        Ok(Some(&self.piece))
    }

    /// Waits for the head of an answer, or for a piece of it. Neither is undefined. If nothing comes for too long, the request is ended: browsers wait
    /// without end for a server that keeps its connection and sends nothing.
    async fn unless_silent(&self, promise: Promise) -> Result<JsValue, JsValue> {
        /// A page that was busy all the time finds the end of the first time before what has arrived meanwhile.
        const GRACE: u32 = 1000;
        for milliseconds in [self.silence, GRACE] {
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
        self.controller.abort();
        Err(js_sys::Error::new(&format!("the server sent nothing for {} s", self.silence / 1000)).into())
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.controller.abort();
    }
}

/// Sends a request, and waits for the head of the answer.
async fn ask(url: &str, range: &Range<u64>, again: bool, body: &Body) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    headers.set("Range", &range_header(range))?;
    let init = RequestInit::new();
    init.set_headers(&headers);
    init.set_signal(Some(&body.controller.signal()));
    // The browser's own cache keeps no ranges, or keeps them twice.
    init.set_cache(if again { RequestCache::Reload } else { RequestCache::NoStore });
    let request = Request::new_with_str_and_init(url, &init)?;
    let promise: Promise = global("fetch")?.call1(&JsValue::UNDEFINED, &request)?.dyn_into()?;
    body.unless_silent(promise).await?.dyn_into()
}

/// Waits for some milliseconds, as pages and workers do.
pub(crate) async fn sleep(milliseconds: u32) {
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
fn unanswered(error: &JsValue, url: &str) -> Refused {
    let hint = match is_of_another_origin(url) {
        true => "; does the server of the pack allow this page to read it (Access-Control-Allow-Origin)?",
        false => "",
    };
    Refused::unanswered(io::Error::new(io::ErrorKind::ConnectionRefused, format!("{}{hint}", text(error))), true)
}

/// Whether a pack is on another server than the page.
fn is_of_another_origin(url: &str) -> bool {
    let location = Reflect::get(&js_sys::global(), &"location".into());
    let origin = location.and_then(|location| Reflect::get(&location, &"origin".into()));
    let origin = origin.ok().and_then(|origin| origin.as_string());
    let of_pack = Request::new_with_str(url).map(|request| request.url());
    origin.zip(of_pack.ok()).is_some_and(|(origin, of_pack)| !of_pack.starts_with(&format!("{origin}/")))
}
