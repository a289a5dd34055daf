//! The bytes of a pack: all of them, or the parts that are here.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use rres_format::{PackLayout, PackView};

use crate::bytes::AssetBytes;
use crate::error::{Error, Result};
use crate::pool::Priority;

/// The bytes of a pack.
pub(crate) enum Content {
    Whole(AssetBytes),
    /// Other parts than the front are fetched when they are needed.
    Parts {
        /// Everything up to the end of the front index.
        front: AssetBytes,
        parts: Arc<dyn PartSource>,
        /// The end of the pack, if its signature is checked.
        #[cfg_attr(not(feature = "signed"), expect(dead_code, reason = "no signature is read"))]
        end: Option<PackEnd>,
    },
}

/// The last bytes of a pack, in which its signature is.
#[cfg_attr(not(feature = "signed"), expect(dead_code, reason = "no signature is read"))]
pub(crate) struct PackEnd {
    pub(crate) bytes: Vec<u8>,
    pub(crate) pack_len: u64,
}

/// Fetches the parts of a pack. The core knows it by this interface alone, so a program that opens files contains none.
pub(crate) trait PartSource: fmt::Debug + Send + Sync {
    /// Returns a part that has the resource at `slot`. If it is not here, this waits for it; in a browser, where nothing may
    /// wait, it is an error.
    fn part(&self, slot: u32) -> Result<Part<'static>>;

    /// Fetches the resources of `tickets` and what they are decoded with, and says so to `arrivals`. Dropping the result ends that:
    /// what nobody else needs is not fetched.
    fn fetch(&self, tickets: &[Ticket], priority: Priority, arrivals: Arc<dyn Arrivals>) -> FetchGuard;

    /// Returns how many stored bytes of the resource at `slot` are here.
    fn here(&self, slot: u32) -> u64;

    /// Chooses the least priority of requests that are sent from now on.
    fn send_from(&self, least: Priority);
}

/// Resources that somebody needs at the same time.
#[derive(Debug)]
pub(crate) struct Ticket {
    pub(crate) slots: Vec<u32>,
    /// What the [`Arrivals`] call it.
    pub(crate) number: usize,
}

/// Who waits for tickets. The functions are called without a lock, and must not wait, because the event loop of a browser may
/// call them.
pub(crate) trait Arrivals: Send + Sync {
    /// The resources of a ticket are here, or loading them says why they cannot be. Called once for each ticket. They stay here until
    /// `hold` is dropped; if all memory for parts is held, nothing more is fetched.
    fn settled(&self, number: usize, hold: Hold);
}

/// Keeps the parts of a ticket.
pub(crate) struct Hold {
    /// Why a resource of the ticket could not be fetched.
    pub(crate) error: Option<Error>,
    #[expect(dead_code, reason = "it does its work when it is dropped")]
    pub(crate) parts: Box<dyn Any + Send + Sync>,
}

/// Ends a fetch when it is dropped.
#[expect(dead_code, reason = "it does its work when it is dropped")]
pub(crate) struct FetchGuard(pub(crate) Box<dyn Any + Send + Sync>);

/// Some bytes of a pack, and where they are in it.
#[derive(Clone)]
pub(crate) struct Part<'a> {
    pub(crate) bytes: Cow<'a, AssetBytes>,
    /// File offset.
    pub(crate) start: u32,
}

impl Content {
    /// Returns the bytes up to the end of the front index, or all of them.
    pub(super) fn front(&self) -> &AssetBytes {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Parts { front, .. } => front,
        }
    }

    /// Returns the end of the pack, if that is not with the front.
    #[cfg(feature = "signed")]
    pub(super) fn end(&self) -> Option<&PackEnd> {
        match self {
            Self::Whole(_) => None,
            Self::Parts { end, .. } => end.as_ref(),
        }
    }

    /// Returns a part that has the resource at `slot`.
    pub(super) fn at(&self, slot: u32) -> Result<Part<'_>> {
        match self {
            Self::Whole(bytes) => Ok(Part { bytes: Cow::Borrowed(bytes), start: 0 }),
            Self::Parts { parts, .. } => parts.part(slot),
        }
    }

    /// Returns what fetches parts, unless all bytes are here.
    pub(super) fn parts(&self) -> Option<&Arc<dyn PartSource>> {
        match self {
            Self::Whole(_) => None,
            Self::Parts { parts, .. } => Some(parts),
        }
    }
}

impl Part<'_> {
    /// Returns a view of the part. `front` begins with the front index of its pack.
    pub(crate) fn view<'a>(&'a self, layout: &PackLayout, front: &'a [u8]) -> PackView<'a> {
        layout.view_part(front, &self.bytes, self.start)
    }
}
