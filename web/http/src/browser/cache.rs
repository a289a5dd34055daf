//! What is kept in the browser's Cache storage. A kept range is an answer to the address
//! `<pack>?rres=<version>&range=<first byte>-<byte after the last>`, which no server is asked for.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use js_sys::{Array, ArrayBuffer, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheStorage, Request, Response};

use crate::kept::{self, Keep, KeptRanges, Step};

/// The part of a cache for one pack. What cannot be read or written is as if it were not kept.
#[derive(Debug)]
pub(crate) struct Place {
    cache: String,
    url: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The version that the server has; `None` before that is known.
    version: Option<u64>,
    kept: KeptRanges,
}

impl Place {
    pub(crate) fn new(keep: Keep, url: &str) -> Self {
        let state = State { version: None, kept: KeptRanges::new(keep.limit) };
        Self { cache: keep.place, url: url.to_owned(), state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn cache(&self) -> Option<Cache> {
        // A page that was not loaded over https has none.
        let storage: CacheStorage = Reflect::get(&js_sys::global(), &"caches".into()).ok()?.dyn_into().ok()?;
        wait_for(storage.open(&self.cache)).await?.dyn_into().ok()
    }

    fn address(&self, version: u64, range: &Range<u64>) -> String {
        format!("{}?rres={version:016x}&range={}", self.url, kept::name(range))
    }

    /// Returns the addresses that are kept of the pack, each with its version and range.
    async fn addresses(&self, cache: &Cache) -> Vec<(String, u64, Range<u64>)> {
        let keys = wait_for(cache.keys()).await.map(|keys| Array::from(&keys)).unwrap_or_default();
        let urls = keys.iter().filter_map(|request| Some(request.dyn_into::<Request>().ok()?.url()));
        // The cache has absolute addresses, and packs of several directories may have the same name.
        let Some(own) = Request::new_with_str(&self.url).ok().map(|request| request.url()) else { return Vec::new() };
        urls.filter_map(|url| {
            let (pack, query) = url.rsplit_once("?rres=")?;
            let (version, range) = query.split_once("&range=")?;
            let (version, range) = (u64::from_str_radix(version, 16).ok()?, kept::range(range)?);
            (pack == own).then(|| (url.clone(), version, range))
        })
        .collect()
    }

    /// Takes the front of the pack, which says what of the kept ranges is right. Ranges of other versions are deleted.
    pub(crate) async fn begin(&self, front: Range<u64>, bytes: &[u8]) {
        let wanted = kept::version(bytes);
        // A longer front is read if the first one was too short; the first one is the version.
        let is_first = self.state().version.is_none();
        if is_first && let Some(cache) = self.cache().await {
            for (address, version, range) in self.addresses(&cache).await {
                if version == wanted {
                    self.state().kept.add(range);
                } else {
                    let _ = wait_for(cache.delete_with_str(&address)).await;
                }
            }
        }
        self.state().version.get_or_insert(wanted);
        self.keep(front.start..front.start + bytes.len() as u64, bytes).await;
    }

    /// Whether a front was kept.
    pub(crate) async fn has_front(&self) -> bool {
        match self.cache().await {
            Some(cache) => self.addresses(&cache).await.iter().any(|(.., range)| range.start == 0),
            None => false,
        }
    }

    /// Returns the front that was kept, of whatever version.
    pub(crate) async fn kept_front(&self, wanted: &Range<u64>) -> Option<Vec<u8>> {
        let cache = self.cache().await?;
        let addresses = self.addresses(&cache).await;
        let known = self.state().version;
        let fronts = addresses
            .iter()
            .filter(|(_, version, range)| range.start == 0 && known.is_none_or(|known| known == *version));
        let (_, version, range) = fronts.max_by_key(|(.., range)| range.end.min(wanted.end))?;
        {
            let mut state = self.state();
            state.version.get_or_insert(*version);
            let of_version = addresses.iter().filter(|(_, of, _)| of == version);
            of_version.for_each(|(.., range)| state.kept.add(range.clone()));
        }
        let mut bytes = self.read(range).await?;
        bytes.truncate(usize::try_from(wanted.end).unwrap_or(usize::MAX));
        Some(bytes)
    }

    /// Returns what comes next of a range.
    pub(crate) fn next(&self, range: &Range<u64>) -> Step {
        self.state().kept.next(range)
    }

    /// Reads a kept range; `None` if it is not there any more: browsers delete what they need the room of.
    pub(crate) async fn read(&self, range: &Range<u64>) -> Option<Vec<u8>> {
        let address = {
            let mut state = self.state();
            state.kept.used(range);
            self.address(state.version?, range)
        };
        let cache = self.cache().await?;
        let response: Response = wait_for(cache.match_with_str(&address)).await?.dyn_into().ok()?;
        let buffer: ArrayBuffer = wait_for(response.array_buffer().ok()?).await?.dyn_into().ok()?;
        let bytes = Uint8Array::new(&buffer).to_vec();
        (bytes.len() as u64 == range.end - range.start).then_some(bytes)
    }

    /// Keeps a range.
    pub(crate) async fn keep(&self, range: Range<u64>, bytes: &[u8]) {
        let Some(version) = self.state().version.filter(|_| !range.is_empty()) else { return };
        let address = self.address(version, &range);
        let kept = async {
            let cache = self.cache().await?;
            let body = Uint8Array::from(bytes);
            let response = Response::new_with_opt_buffer_source(Some(&body)).ok()?;
            wait_for(cache.put_with_str(&address, &response)).await
        };
        if kept.await.is_none() {
            return;
        }
        let evicted = {
            let mut state = self.state();
            state.kept.add(range);
            state.kept.evict()
        };
        if let Some(cache) = self.cache().await.filter(|_| !evicted.is_empty()) {
            for range in evicted {
                let _ = wait_for(cache.delete_with_str(&self.address(version, &range))).await;
            }
        }
    }

    /// Deletes what is kept of a range.
    pub(crate) async fn forget(&self, range: &Range<u64>) {
        let version = self.state().version;
        let (Some(version), Some(cache)) = (version, self.cache().await) else { return };
        let overlapping = self.state().kept.overlapping(range);
        for kept in overlapping {
            self.state().kept.remove(&kept);
            let _ = wait_for(cache.delete_with_str(&self.address(version, &kept))).await;
        }
    }
}

/// Waits for a promise; `None` if it is rejected.
async fn wait_for(promise: Promise) -> Option<JsValue> {
    JsFuture::from(promise).await.ok()
}
