//! What is kept in the browser's Cache storage. A kept range is an answer to the address
//! `<pack>?rres=<version>&range=<first byte>-<byte after the last>`, which no server is asked for.

use std::ops::Range;

use js_sys::{Array, ArrayBuffer, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheStorage, Request, Response};

use crate::kept;

/// The part of a cache for one pack.
#[derive(Debug)]
pub(crate) struct Storage {
    cache: String,
    pack: String,
}

impl Storage {
    pub(crate) fn new(place: &str, pack: &str) -> Self {
        Self { cache: place.to_owned(), pack: pack.to_owned() }
    }

    async fn cache(&self) -> Option<Cache> {
        // A page that was not loaded over https has none.
        let storage: CacheStorage = Reflect::get(&js_sys::global(), &"caches".into()).ok()?.dyn_into().ok()?;
        wait_for(storage.open(&self.cache)).await?.dyn_into().ok()
    }

    fn address(&self, version: u64, range: &Range<u64>) -> String {
        format!("{}?rres={version:016x}&range={}", self.pack, kept::name(range))
    }

    /// Returns all ranges, each with the version of the pack that it is of.
    pub(crate) async fn list(&self) -> Vec<(u64, Range<u64>)> {
        let Some(cache) = self.cache().await else { return Vec::new() };
        let keys = wait_for(cache.keys()).await.map(|keys| Array::from(&keys)).unwrap_or_default();
        let urls = keys.iter().filter_map(|request| Some(request.dyn_into::<Request>().ok()?.url()));
        // The cache has absolute addresses, and packs of several directories may have the same name.
        let Some(own) = Request::new_with_str(&self.pack).ok().map(|request| request.url()) else { return Vec::new() };
        urls.filter_map(|url| {
            let (pack, query) = url.rsplit_once("?rres=")?;
            let (version, range) = query.split_once("&range=")?;
            Some((u64::from_str_radix(version, 16).ok()?, kept::range(range)?)).filter(|_| pack == own)
        })
        .collect()
    }

    pub(crate) async fn read(&self, version: u64, range: &Range<u64>) -> Option<Vec<u8>> {
        let kept = wait_for(self.cache().await?.match_with_str(&self.address(version, range))).await?;
        let response: Response = kept.dyn_into().ok()?;
        let buffer: ArrayBuffer = wait_for(response.array_buffer().ok()?).await?.dyn_into().ok()?;
        Some(Uint8Array::new(&buffer).to_vec())
    }

    /// Returns whether the range is kept now.
    pub(crate) async fn write(&self, version: u64, range: &Range<u64>, bytes: &[u8]) -> bool {
        let written = async {
            let body = Uint8Array::from(bytes);
            let response = Response::new_with_opt_buffer_source(Some(&body)).ok()?;
            wait_for(self.cache().await?.put_with_str(&self.address(version, range), &response)).await
        };
        written.await.is_some()
    }

    pub(crate) async fn delete(&self, version: u64, range: &Range<u64>) {
        if let Some(cache) = self.cache().await {
            let _ = wait_for(cache.delete_with_str(&self.address(version, range))).await;
        }
    }
}

/// Waits for a promise; `None` if it is rejected.
async fn wait_for(promise: Promise) -> Option<JsValue> {
    JsFuture::from(promise).await.ok()
}
