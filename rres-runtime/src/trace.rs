//! What the crate tells `tracing`, with the feature of that name, and the timeline of the inspector. Without both, everything here compiles to nothing.
//!
//! All spans and events have the target `rres`. A span covers what its thread does until it is dropped.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use rres_format::ResourceId;

use crate::timeline::{self, Running};

/// A span that is entered.
pub(crate) struct Span {
    #[cfg(feature = "tracing")]
    _span: tracing::span::EnteredSpan,
    _running: Running,
}

/// The span `open`, while a pack is opened.
pub(crate) fn opening(file: Option<&Path>) -> Span {
    Span {
        _running: timeline::opening(file),
        #[cfg(feature = "tracing")]
        _span: {
            let file = file.map(|file| tracing::field::display(file.display()));
            tracing::debug_span!(target: "rres", "open", file).entered()
        },
    }
}

/// The span `load`, while a thread reads, decodes and converts an asset. Assets that it depends on are spans within it. `store` identifies the store.
pub(crate) fn loading(store: usize, path: &Arc<str>, id: ResourceId, type_name: &'static str, is_again: bool) -> Span {
    Span {
        _running: timeline::loading(store, id, path, type_name, is_again),
        #[cfg(feature = "tracing")]
        _span: tracing::debug_span!(target: "rres", "load", path = &**path, %id).entered(),
    }
}

/// The event that an asset could not be loaded. Its level is `DEBUG`, because the caller gets the error.
pub(crate) fn failed(error: &impl Display) {
    timeline::fail(error);
    #[cfg(feature = "tracing")]
    tracing::debug!(target: "rres", %error, "not loaded");
}

/// An event of a store: a failure has the level `WARN`, others have `INFO`. Returns whether a subscriber of `tracing` takes it.
pub(crate) fn event(event: &impl Display, is_failure: bool) -> bool {
    timeline::report(event, is_failure);
    #[cfg(feature = "tracing")]
    let is_taken = if is_failure {
        tracing::warn!(target: "rres", "{event}");
        tracing::enabled!(target: "rres", tracing::Level::WARN)
    } else {
        tracing::info!(target: "rres", "{event}");
        tracing::enabled!(target: "rres", tracing::Level::INFO)
    };
    #[cfg(not(feature = "tracing"))]
    let is_taken = false;
    is_taken
}
