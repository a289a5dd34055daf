//! Reads rres packs from a server, in parts: the front index when a pack is opened, and a group when it is loaded.
//!
//! ```no_run
//! use rres_http::HttpSource;
//! use rres_runtime::{PackOptions, Store};
//!
//! let source = HttpSource::new("https://example.org/lantern.rres");
//! let pack = PackOptions::default().open_from(source).wait()?; // in a browser: .await
//! let store = Store::from_packs([pack]);
//! # Ok::<(), rres_runtime::Error>(())
//! ```
//!
//! A game uses the function of its generated module, which does both and checks that the pack is of the same build:
//! `assets::open_async(HttpSource::new("lantern.rres")).await`.
//!
//! The same program runs in a browser, where an address may be relative to the page, and on a computer.
//!
//! # Servers
//!
//! Any server that answers requests with `Range` will do, such as nginx. One that does not, such
//! as `python3 -m http.server`, sends the whole pack when it is opened; everything works, but nothing is played before that, and nothing is kept. Programs
//! need the feature `tls` for `https`; browsers have it. A pack must not
//! be compressed by the server (`Content-Encoding`): it is compressed already, and ranges of other bytes would not fit.
//!
//! If another server than that of the page has the pack, that one must allow it, with
//! `Access-Control-Allow-Origin` and with `Access-Control-Allow-Headers: Range`, `Access-Control-Expose-Headers: Content-Encoding, Content-Range,
//! ETag`.
//!
//! # Connections that break
//!
//! A range that breaks off goes on where it stopped, at once, and so does a range if a server has sent only its first part. A server that sends nothing
//! for a minute counts as one whose connection is broken; how long a pack takes in all has no limit. A source that does not answer, or answers that it is
//! busy (408, 429, 5xx), is asked again after a quarter of a second, then after twice as long, six times without any progress; then loading the assets fails,
//! with the reason, and loading them again asks again. Other answers, such as 404, are errors at once.
//!
//! # A pack that is replaced
//!
//! If the pack on the server is replaced while a program runs, reading more of it is an error that says so. The front index decides, with the checksums of
//! all assets: if an answer has another `ETag` than those before, the front is read again, and if it is equal, so is the pack.
//!
//! A page can give packs other names on the server than the game has for them, such as names with a hash: `globalThis.rresPacks = {"lantern.rres":
//! "lantern-1f2e.rres"}`, before the program starts. The page that `cargo rres ship --web` makes does so. What is kept of a pack is still that of
//! `lantern.rres`.
//!
//! # What was read before
//!
//! [`HttpSource::keep`] keeps what was read: in a browser in its Cache storage, on a computer in a directory. The next start reads
//! the front index, and only what is not kept. If the pack at this address has changed, what was kept of the old one is deleted; what was kept of other
//! addresses stays. Without a connection, a pack that was kept is opened as it was.
#![forbid(unsafe_code)]

mod answer;
mod download;
mod kept;
mod patience;
mod place;
#[cfg(target_family = "wasm")]
#[path = "browser/mod.rs"]
mod system;
#[cfg(not(target_family = "wasm"))]
#[path = "native/mod.rs"]
mod system;
mod version;

use std::ops::Range;
use std::sync::Arc;

use rres_runtime::{ByteSource, Reply};

use download::Connection;
use kept::Keep;

/// A pack on a server.
#[derive(Clone, Debug)]
pub struct HttpSource {
    connection: Arc<Connection>,
}

impl HttpSource {
    /// Returns the pack at an address. Nothing is read yet.
    pub fn new(url: impl Into<String>) -> Self {
        Self { connection: Arc::new(Connection::new(url.into(), None)) }
    }

    /// Returns the same source, which keeps what it reads and does not read that again.
    ///
    /// `place` is a directory, such as one below the user's cache directory; in a browser it is the name of a cache of the page's origin.
    /// Several packs may be kept in one place. If nothing can be kept there, because the disk is full or the page was not loaded over https,
    /// everything is read again the next time.
    #[must_use]
    pub fn keep(self, place: impl Into<String>) -> Self {
        self.keep_up_to(place, u64::MAX)
    }

    /// Does what [`Self::keep`] does, with at most `limit` bytes of this pack. If more would be kept, what was not used for the longest time is
    /// deleted. The front index is always kept. A range that is longer than `limit` is not kept; most ranges have at most 2 MiB.
    #[must_use]
    pub fn keep_up_to(self, place: impl Into<String>, limit: u64) -> Self {
        let keep = Keep { place: place.into(), limit };
        Self { connection: Arc::new(Connection::new(self.connection.name.clone(), Some(&keep))) }
    }

    /// Returns how many bytes came from the server, without headers. What was kept does not count.
    pub fn received(&self) -> u64 {
        self.connection.received()
    }
}

impl ByteSource for HttpSource {
    fn name(&self) -> String {
        self.connection.name.clone()
    }

    fn read(&self, range: Range<u64>, reply: Reply) {
        download::read(&self.connection, range, reply);
    }
}

/// The programs of the book's chapter.
#[cfg(all(doctest, not(target_family = "wasm")))]
#[doc = include_str!("../../../book/src/browsers.md")]
struct Chapter;
